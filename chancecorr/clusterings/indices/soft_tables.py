"""Indices of contingency tables for memberships: a cell is the sum of the products of shares.

The table is ``P' Q``, as Anderson, Bezdek, Popescu & Keller (2010, doi:10.1109/TFUZZ.2010.2052258) generalise
indices; of labels it is the contingency table. Pair-counting indices take pairs of objects instead.
"""

import math
from functools import partial

import numpy as np

from chancecorr.clusterings.clustering import Agreement, Clustering, generalize_entry, leave_undefined
from chancecorr.clusterings.membership import ROUNDING_OF_SHARES, as_memberships
from chancecorr.clusterings.sums_over_pairs import count_clusters
from chancecorr.indices.evaluation import evaluate_weighted
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CALL, NANOSECONDS_PER_CELL

NUMBERS_AT_ONCE = 1 << 20  # numbers of permuted memberships in memory: 8 MB


def make_entry_of_tables(index: Index) -> Index:
    """Make the entry of an index of contingency tables for memberships."""
    function = partial(agree_by_table, index)
    return generalize_entry(index, takes=("labels", "membership"), function=function, cost=forecast_table)


def forecast_table(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Forecast nanoseconds and bytes of `agree_by_table`."""
    clusters = count_clusters(P), count_clusters(Q)
    return 2.0 * P.n * math.prod(clusters) + 20.0 * P.n * sum(clusters), 16.0 * P.n * sum(clusters)


def agree_by_table(index: Index, P: Clustering, Q: Clustering) -> Agreement:
    """Compute the agreement by an index of the table ``P' Q``; mean and variance are unknown."""
    if not P.n:
        return leave_undefined()
    first, second = (rows[:, rows.any(axis=0)] for rows in (as_memberships(P).rows, as_memberships(Q).rows))
    step = max(1, NUMBERS_AT_ONCE // second.size)
    is_hard = np.count_nonzero(first) == np.count_nonzero(second) == P.n
    is_trivial = is_hard and first.shape == second.shape and first.shape[1] in (1, P.n)
    evaluate = partial(evaluate_weighted, index, n=float(P.n), square_of_objects=0.0, is_trivial=is_trivial)

    def sums(permutations: Integers) -> Floats:
        blocks = (permutations[start : start + step] for start in range(0, len(permutations), step))
        tables = [np.matmul(first.T, second[block]) for block in blocks]
        return evaluate(np.concatenate(tables))

    own = [evaluate((side.T @ side)[np.newaxis]) for side in (first, second)]
    cells = first.shape[1] * second.shape[1]
    observed = float(sums(np.arange(P.n)[np.newaxis])[0])
    # permutations do not change the table if all rows of a side are equal
    is_constant = any(np.ptp(side, axis=0).max() <= ROUNDING_OF_SHARES for side in (first, second))
    return Agreement(
        observed=observed,
        expected=observed if is_constant else math.nan,
        variance=0.0 if is_constant else math.nan,
        best=float(own[0][0] + own[1][0]) / 2.0 if index.best is None else math.nan,
        sums=sums,
        nanoseconds=P.n * (2.0 * second.shape[1] + cells)
        + NANOSECONDS_PER_CALL
        + NANOSECONDS_PER_CELL * cells,
    )
