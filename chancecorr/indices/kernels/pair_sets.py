"""Similarity of the clusters of two sides in pairs, each cluster in one pair, and its value by chance.

A pair of clusters of sizes n and m with x common objects adds ``x / max(n, m)``, 1 if they are the same. The
pairs are those of the heaviest matching. By chance two clusters share about ``n m / N`` of the N objects, so
that the pair adds ``min(n, m) / N``; clusters are then thought to be paired by size, largest with largest.
"""

import numpy as np

from chancecorr.indices.kernels.assignment import assignment_value
from chancecorr.indices.kernels.nearest import jaccard_similarity
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


@kernel
def pair_sets(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """``S = max_sigma sum n_i,sigma(i) / max(n_i, m_sigma(i))``."""
    weights = np.zeros(table.shape)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            if table[i, j] > 0:  # an empty cluster has no pair, and would give 0/0 with another
                weights[i, j] = table[i, j] / max(row_totals[i], column_totals[j])
    return float(assignment_value(weights))


@kernel
def matched_similarity(
    table: Integers, row_totals: Integers, column_totals: Integers, jaccard: bool
) -> float:
    """Largest sum of the Jaccard similarities, or else F1 scores, of clusters matched one to one."""
    weights = np.zeros(table.shape)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            if table[i, j] > 0:
                if jaccard:
                    weights[i, j] = jaccard_similarity(table[i, j], row_totals[i], column_totals[j])
                else:
                    weights[i, j] = 2.0 * table[i, j] / (row_totals[i] + column_totals[j])
    return float(assignment_value(weights))


@kernel
def pair_sets_by_chance(row_totals: Integers, column_totals: Integers) -> float:
    """``E = sum_i min(n_(i), m_(i)) / n`` over the sizes in descending order."""
    rows, columns = np.sort(row_totals), np.sort(column_totals)
    overlap = 0
    for i in range(1, min(rows.size, columns.size) + 1):  # from the back, since `sort` ascends
        overlap += min(rows[rows.size - i], columns[columns.size - i])
    return overlap / float(row_totals.sum())
