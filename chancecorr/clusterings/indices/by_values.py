"""Indices that compare the values of pairs: a mean over pairs of a function of P and Q."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.cover import Cover
from chancecorr.clusterings.index import Agreement
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.permuted import forecast_pairs, forecast_tiles, sums_of_tiles
from chancecorr.clusterings.products import both_tiles, forecast_products
from chancecorr.clusterings.tiles import split
from chancecorr.exact.summary import rounding
from chancecorr.machine.arrays import Floats
from chancecorr.simulation.task import Counts, Tally, distinct

MOST_VALUES = 1 << 22
"""Distinct values of a side that are held exactly, those of 2,900 objects; beyond, they are rounded."""

NANOSECONDS_OF_FEW, NANOSECONDS_OF_MANY, NANOSECONDS_ROUNDED = 40.0, 250.0, 450.0
"""Of a similarity that is sorted and counted: of whole numbers, of others, and of those that are rounded."""


class Comparison(NamedTuple):
    """An index ``at_zero + sign * mean of compared(p, q)`` over the similarities p and q of the pairs."""

    loop: int  # that compares them in `kernels.pairs`
    compared: Callable[[Floats, Floats], Floats]
    mean: Callable[[Counts, Counts], float]  # of `compared`, all values of one side with all of the other
    at_zero: float
    sign: float


def agreement_by_values(P: Clustering, Q: Clustering, how: Comparison) -> Agreement:
    """Agreement from one pass over the tiles of both sides; its variance is known if 0."""
    pairs = math.comb(P.n, 2)
    if not pairs:
        return no_agreement()
    of_p, of_q, sums = Tally(most=MOST_VALUES), Tally(most=MOST_VALUES), []
    for rows, columns, p_tile, q_tile in both_tiles(P, Q):
        p, q = split(rows, columns, p_tile).pairs, split(rows, columns, q_tile).pairs
        sums.append(float(np.sum(how.compared(p, q))))
        of_p.add(*distinct(p))
        of_q.add(*distinct(q))
    levels = of_p.result(), of_q.result()
    is_constant = any(np.ptp(values) <= rounding(values).max() for values, _ in levels)
    return Agreement(
        observed=how.at_zero + how.sign * (math.fsum(sums) / pairs),
        expected=how.at_zero + how.sign * how.mean(*levels),
        error=max(of_p.step, of_q.step),
        variance=0.0 if is_constant else math.nan,
        sums=sums_of_tiles(P, Q, how.loop, (0.0, 0.0)),
        at_zero=how.at_zero,
        slope=how.sign / pairs,
        nanoseconds=forecast_pairs(P, Q),
    )


def forecast_values(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Nanoseconds and bytes of `agreement_by_values`, or of the Rand index of two partitions."""
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return forecast_products(P, Q)
    if all(isinstance(side, Partition | Cover) for side in (P, Q)):
        return forecast_tiles(P, Q, NANOSECONDS_OF_FEW)
    many = math.comb(P.n, 2) > MOST_VALUES
    return forecast_tiles(P, Q, NANOSECONDS_ROUNDED if many else NANOSECONDS_OF_MANY)


def no_agreement() -> Agreement:
    """Agreement of fewer than two objects."""
    return Agreement(
        observed=math.nan,
        expected=math.nan,
        sums=lambda permutations: np.full(len(permutations), math.nan),
        nanoseconds=1.0,
    )
