"""What kernels of indices have in common: numbers of objects and clusters, maxima, nearest clusters, credits.

Rows are compared with columns; for the other direction pass the transposed table. Equal ratios of integers
are equal floats, so that ties are found by ``==``.
"""

import math
from typing import Any

import numpy as np

from chancecorr.indices.matchings import count_matching
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel, shared_with_kernels


@kernel
def count_objects(totals: Integers) -> float:
    """Number of objects, nan without any: so is then what is divided by it or subtracted from it."""
    n = totals.sum()
    return float(n) if n > 0 else math.nan


@kernel
def count_clusters(totals: Integers) -> int:
    """How many totals are not 0; Numba's own `count_nonzero` takes several times as long."""
    count = 0
    for total in totals:
        count += total > 0
    return count


@kernel
def find_largest(counts: Integers) -> int:
    """The largest of some counts, 0 if there are none."""
    most = 0
    for count in counts:
        most = max(most, count)
    return most


@kernel
def sum_row_maxima(table: Integers) -> int:
    """``sum_i max_j n_ij``."""
    total = 0
    for i in range(table.shape[0]):
        total += find_largest(table[i])
    return total


@kernel
def compute_excess(x: float, row: float, column: float, n: float) -> float:
    """``n x - row column``, as a determinant: with less rounding, and exactly 0 at independence."""
    return x * (n - row - column + x) - (row - x) * (column - x)


@shared_with_kernels
def compute_jaccard(x: Any, row: Any, column: Any) -> Any:
    """Jaccard similarity of the two clusters of a cell, or of many."""
    return x / (row + column - x)


@shared_with_kernels
def compute_f1(x: Any, row: Any, column: Any) -> Any:
    """F1 score of the two clusters of a cell, or of many."""
    return 2.0 * x / (row + column)


@kernel
def count_shared_with_nearest(table: Integers, sources: Integers, targets: Integers) -> float:
    """Sum over rows of the cell in the nearest column; of several nearest, the largest cell."""
    total = 0.0
    for i in range(sources.size):
        nearest, shared = 0.0, 0
        for j in range(targets.size):
            x = table[i, j]
            if x > 0:
                similarity = compute_jaccard(x, sources[i], targets[j])
                if similarity > nearest or (similarity == nearest and x > shared):
                    nearest, shared = similarity, x
        total += float(shared)
    return total


@kernel
def count_orphans(table: Integers, sources: Integers, targets: Integers) -> float:
    """Columns left over by a maximum matching of rows with their nearest columns; nan without objects."""
    if not table.any():
        return math.nan
    nearest = np.zeros(table.shape, np.bool_)
    for i in range(sources.size):
        nearness = 0.0
        for j in range(targets.size):
            if table[i, j] > 0:
                nearness = max(nearness, compute_jaccard(table[i, j], sources[i], targets[j]))
        for j in range(targets.size):
            x = table[i, j]
            nearest[i, j] = x > 0 and compute_jaccard(x, sources[i], targets[j]) == nearness
    return float(count_clusters(targets) - count_matching(nearest))


@kernel
def expect_pair_sets(row_totals: Integers, column_totals: Integers) -> float:
    """``E = sum_i min(n_(i), m_(i)) / n`` over the sizes in descending order."""
    rows, columns = np.sort(row_totals), np.sort(column_totals)
    overlap = 0
    for i in range(1, min(rows.size, columns.size) + 1):  # from the back, since `sort` ascends
        overlap += min(rows[rows.size - i], columns[columns.size - i])
    return overlap / float(row_totals.sum())


# Credits of pairs of clusters, for the index `irm`. Each cluster has a stock, what is left of its objects.
# The most similar pair is credited the smaller of its two stocks. Of tied pairs, whose order the paper leaves
# open, one that shares no cluster with another comes first; then that with the most common objects, the
# largest credit, the clusters in the fewest tied pairs, the least left in both, the least fingerprint; then
# the first in the table. A fingerprint is made of the size and stock of a cluster, and those of the clusters
# that it has objects in common with, `ROUNDS` times (Weisfeiler & Leman 1968), rows and columns alike.

PRIME = 2_147_483_629  # fingerprints are remainders of it, so that products fit in int64

ROUNDS = 3


@kernel
def average_credited(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Mean similarity of the clusters credited to each other, the most similar first."""
    rows, columns = np.nonzero(table)
    if rows.size == 0:
        return np.nan
    similarities = np.empty(rows.size)
    for pair in range(rows.size):
        i, j = rows[pair], columns[pair]
        similarities[pair] = compute_jaccard(table[i, j], row_totals[i], column_totals[j])
    order = np.argsort(-similarities, kind="mergesort")
    left = np.concatenate((row_totals, column_totals))
    sizes, shared, alike = left.copy(), np.empty_like(left), np.empty(rows.size, np.int64)
    total, first = 0.0, 0
    while first < rows.size:
        end = first + 1
        while end < rows.size and similarities[order[end]] == similarities[order[first]]:
            end += 1
        credited, tied = 0, order[first:end]
        while True:
            waiting = 0
            for pair in tied:
                if left[rows[pair]] > 0 and left[row_totals.size + columns[pair]] > 0:
                    tied[waiting] = pair
                    waiting += 1
            tied = tied[:waiting]
            if waiting == 0:
                break
            pair = tied[0]
            several = _first_ones(table, rows, columns, tied, left, shared, alike) if waiting > 1 else 0
            if several > 0:
                pair = alike[0]
            if several > 1:
                pair = _of_least_print(table, rows, columns, alike[:several], sizes, left)
            i, j = rows[pair], row_totals.size + columns[pair]
            credit = min(left[i], left[j])
            left[i] -= credit
            left[j] -= credit
            credited += credit
        total += similarities[order[first]] * credited
        first = end
    return total / float(row_totals.sum())


@kernel
def _first_ones(
    table: Integers, rows: Integers, columns: Integers, tied: Integers, left: Integers, shared: Integers,
    alike: Integers,
) -> int:  # fmt: skip
    """How many of the tied pairs come first by all rules but fingerprints; they begin `alike`."""
    shared[:] = 0  # how many tied pairs have a cluster
    for pair in tied:
        shared[rows[pair]] += 1
        shared[table.shape[0] + columns[pair]] += 1
    most, largest, fewest, least_left, several = 0, 0, 0, 0, 0
    for pair in tied:
        i, j = rows[pair], table.shape[0] + columns[pair]
        common, step, both = table[i, columns[pair]], min(left[i], left[j]), left[i] + left[j]
        sharing = shared[i] + shared[j]
        if sharing == 2:
            alike[0] = pair
            return 1
        ahead = common - most
        if ahead == 0:
            ahead = step - largest
        if ahead == 0:
            ahead = fewest - sharing
        if ahead == 0:
            ahead = least_left - both
        if ahead > 0:
            most, largest, fewest, least_left, several = common, step, sharing, both, 0
        if ahead >= 0:
            alike[several] = pair
            several += 1
    return several


@kernel
def _of_least_print(
    table: Integers, rows: Integers, columns: Integers, alike: Integers, sizes: Integers, left: Integers
) -> int:
    """The one of some pairs that has the least fingerprint."""
    prints, sums, K = np.empty_like(sizes), np.empty_like(sizes), table.shape[0]
    for cluster in range(sizes.size):
        prints[cluster] = _mixed(sizes[cluster], left[cluster])
    for _ in range(ROUNDS):
        sums[:] = 0
        for pair in range(rows.size):
            i, j, common = rows[pair], K + columns[pair], table[rows[pair], columns[pair]]
            if left[i] > 0 and left[j] > 0:
                sums[i] = (sums[i] + _mixed(common, prints[j])) % PRIME
                sums[j] = (sums[j] + _mixed(common, prints[i])) % PRIME
        for cluster in range(sizes.size):
            prints[cluster] = _mixed(prints[cluster], sums[cluster])
    least, chosen = PRIME, alike[0]
    for pair in alike:
        one, other = prints[rows[pair]], prints[K + columns[pair]]
        of_both = _mixed((one + other) % PRIME, one * other % PRIME)
        if of_both < least:
            least, chosen = of_both, pair
    return int(chosen)


@kernel
def _mixed(x: int, y: int) -> int:
    """One number below `PRIME` made of two below ``2**32`` in a given order; no linear function of them."""
    mixed = (x * 48_271 + y * 69_621 + 1_013_904_223) % PRIME
    return (mixed * mixed % PRIME * mixed + mixed) % PRIME
