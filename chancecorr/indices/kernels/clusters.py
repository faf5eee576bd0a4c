"""What kernels of indices have in common: numbers of objects and clusters, maxima, and nearest clusters.

Rows are compared with columns; for the other direction pass the transposed table. Equal ratios of integers
are equal floats, so that ties are found by ``==``.
"""

import math

import numpy as np

from chancecorr.indices.kernels.matchings import assignment_value, matching_size
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


@kernel
def objects(totals: Integers) -> float:
    """Number of objects, nan without any: so is then what is divided by it or subtracted from it."""
    n = totals.sum()
    return float(n) if n > 0 else math.nan


@kernel
def clusters(totals: Integers) -> int:
    """How many totals are not 0; Numba's own `count_nonzero` takes several times as long."""
    count = 0
    for total in totals:
        count += total > 0
    return count


@kernel
def largest(counts: Integers) -> int:
    """The largest of some counts, 0 if there are none."""
    most = 0
    for count in counts:
        most = max(most, count)
    return most


@kernel
def sum_of_row_maxima(table: Integers) -> int:
    """``sum_i max_j n_ij``."""
    total = 0
    for i in range(table.shape[0]):
        total += largest(table[i])
    return total


@kernel
def excess_over_independence(x: float, row: float, column: float, n: float) -> float:
    """``n x - row column``, as a determinant: with less rounding, and exactly 0 at independence."""
    return x * (n - row - column + x) - (row - x) * (column - x)


@kernel
def jaccard_similarity(x: int, source: int, target: int) -> float:
    """Of the objects in either of two clusters, the share in both."""
    return float(x) / float(source + target - x)


@kernel
def best_match(table: Integers, sources: Integers, targets: Integers, i: int) -> float:
    """Largest Jaccard similarity of row i with a column; 0 for an empty row."""
    best = 0.0
    for j in range(targets.size):
        if table[i, j] > 0:
            best = max(best, jaccard_similarity(table[i, j], sources[i], targets[j]))
    return best


@kernel
def shared_with_nearest(table: Integers, sources: Integers, targets: Integers) -> float:
    """Sum over rows of the cell in the nearest column; of several nearest, the largest cell."""
    total = 0.0
    for i in range(sources.size):
        nearest, shared = 0.0, 0
        for j in range(targets.size):
            x = table[i, j]
            if x > 0:
                similarity = jaccard_similarity(x, sources[i], targets[j])
                if similarity > nearest or (similarity == nearest and x > shared):
                    nearest, shared = similarity, x
        total += float(shared)
    return total


@kernel
def orphans(table: Integers, sources: Integers, targets: Integers) -> float:
    """Columns left over by a maximum matching of rows with their nearest columns; nan without objects."""
    if not table.any():
        return math.nan
    nearest = np.zeros(table.shape, np.bool_)
    for i in range(sources.size):
        nearness = best_match(table, sources, targets, i)
        for j in range(targets.size):
            x = table[i, j]
            nearest[i, j] = x > 0 and jaccard_similarity(x, sources[i], targets[j]) == nearness
    return float(clusters(targets) - matching_size(nearest))


@kernel
def matched_f1(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Largest sum of the F1 scores of clusters matched one to one."""
    weights = np.zeros(table.shape)
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            if table[i, j] > 0:
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
