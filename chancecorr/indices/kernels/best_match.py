"""The cluster of the other side that is most similar to a cluster."""

import math

from chancecorr.compiled import Integers, kernel


@kernel
def best_f(table: Integers, row_totals: Integers, column_totals: Integers, i: int) -> float:
    """``max_j 2 n_ij / (n_i + m_j)`` of a non-empty row."""
    largest = 0.0
    for j in range(column_totals.size):
        largest = max(largest, 2.0 * table[i, j] / (row_totals[i] + column_totals[j]))
    return largest


@kernel
def mean_best(table: Integers, sources: Integers, targets: Integers, jaccard: int) -> float:
    """Mean over rows of the largest Jaccard similarity (1) or F1 score (0) with a column."""
    total, clusters = 0.0, 0
    for i in range(sources.size):
        best = 0.0
        for j in range(targets.size):
            x = float(table[i, j])
            if x > 0.0:
                both = float(sources[i] + targets[j])
                best = max(best, x / (both - x) if jaccard else 2.0 * x / both)
        total += best
        clusters += sources[i] > 0
    return total / float(clusters) if clusters > 0 else math.nan
