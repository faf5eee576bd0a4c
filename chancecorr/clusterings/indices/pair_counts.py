"""Pair-counting indices of the catalogue, where a pair of objects may be together to a degree.

``a = sum P Q``, ``b = sum P (1 - Q)``, ``c = sum (1 - P) Q``, ``d = sum (1 - P) (1 - Q)`` over the pairs: all
four follow from the first if both clusterings are fixed, and so does the index.
"""

import functools
import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.indices.by_values import no_agreement
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.products import Products, forecast_products, products
from chancecorr.clusterings.similarity import Similarity
from chancecorr.indices.calling import failure_of
from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.registry import Index, get_index
from chancecorr.machine.arrays import Floats
from chancecorr.tables.reading import contingency_table

SOURCE = "Zhang, Wong & Shen (2012), doi:10.1016/j.patcog.2011.11.017, as the adjusted Rand index of matrices"

ROUNDING = 1e-13
"""Share of all pairs below which a difference of sums over pairs is taken for 0."""


@functools.cache
def pair_counting(index: Index) -> Index:
    """A pair-counting index of the catalogue for clusterings of other kinds."""
    return index_of_clusterings(
        name=index.name,
        source=index.source if index.name != "rand" else SOURCE,
        takes=("labels", "membership", "similarity"),
        function=partial(agreement, index),
        cost=forecast_products,
        best=1.0 if index.best is None else float(index.best),
        range=index.range,
    )


def agreement(index: Index, P: Clustering, Q: Clustering) -> Agreement:
    """Agreement over degrees in [0, 1] to which pairs are together."""
    P, Q = (replace(each, bounded=True) if isinstance(each, Similarity) else each for each in (P, Q))
    if P.n < 2:
        return no_agreement()
    found = products(P, Q)
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return _of_partitions(index, found, contingency_table(P.codes, Q.codes).pair_counts)
    return _from_counts(index, found, found.mean, found.mean + found.above)


def rand_of_partitions(P: Clustering, Q: Clustering) -> Agreement | None:
    """The Rand index of two partitions, which others become for these; None of other clusterings."""
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return agreement(get_index("rand"), P, Q)
    return None


def _of_partitions(index: Index, found: Products, counts: Any) -> Agreement:
    """Agreement of two partitions, from whole numbers of pairs."""
    a, b, c, d = counts
    mean = Fraction((a + b) * (a + c), a + b + c + d)
    found = replace(found, above=float(a - mean))
    return _from_counts(index, found, float(mean), float(a))


def _from_counts(index: Index, found: Products, mean: float, a: float) -> Agreement:
    """Agreement of an index from the mean of a and its observed value."""
    pairs, totals = math.comb(found.n, 2), (found.spaces[0].total, found.spaces[1].total)
    squares = 2.0 * totals[0] + found.n, 2.0 * totals[1] + found.n

    def values(together: Floats) -> Floats:
        exact = together, totals[0] - together, totals[1] - together, pairs - sum(totals) + together
        counts = [np.where(np.abs(each) < ROUNDING * pairs, 0.0, each) for each in exact]
        try:
            return values_of_varying_pairs(index, counts, squares, found.n)
        except Exception as error:
            raise failure_of(index, "sums over pairs", error) from error

    most = min(totals)
    observed, at_mean, at_none, at_most = values(np.array([a, mean, 0.0, most])).tolist()
    if not index.affine:
        return Agreement(
            observed=observed,
            sums=lambda permutations: values(mean + found.sums(permutations)),
            nanoseconds=found.nanoseconds,
        )
    slope = (at_most - at_none) / most if most > 0.0 else 0.0
    room = sum(totals) / 2.0 - mean
    is_rand = (index.corrected_as or index.name) == "adjusted_rand" and room > ROUNDING * pairs
    return Agreement(
        observed=observed,
        expected=at_mean,
        variance=slope**2 * found.variance,
        adjusted=found.above / room if is_rand else None,
        sums=found.sums,
        at_zero=at_mean,
        slope=slope,
        nanoseconds=found.nanoseconds,
    )
