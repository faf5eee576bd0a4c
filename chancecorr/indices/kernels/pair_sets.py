"""Similarity of pairs of clusters matched one to one, and its value by chance."""

import numpy as np

from chancecorr.compiled import Integers, kernel
from chancecorr.indices.kernels.assignment import assignment_value


@kernel
def pair_sets(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """``S = max_sigma sum n_i,sigma(i) / max(n_i, m_sigma(i))``."""
    weights = np.zeros(table.shape)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            if table[i, j] > 0:
                weights[i, j] = table[i, j] / max(row_totals[i], column_totals[j])
    return float(assignment_value(weights))


@kernel
def pair_sets_by_chance(row_totals: Integers, column_totals: Integers) -> float:
    """``E = sum_i min(n_(i), m_(i)) / n`` over the sizes in descending order."""
    rows, columns = np.sort(row_totals), np.sort(column_totals)
    overlap = 0
    for i in range(1, min(rows.size, columns.size) + 1):
        overlap += min(rows[rows.size - i], columns[columns.size - i])
    return overlap / float(row_totals.sum())
