"""Functions that several kernels of indices use: counts, maxima, nearest clusters, credits.

Rows are compared with columns; for the other direction, pass the transposed table. Equal ratios of integers
are equal floats, so that ties are found by ``==``.
"""

import math
from typing import Any

import numpy as np

from chancecorr.indices.matchings import count_matching
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel, shared_with_kernels


@kernel
def add_up(totals: Integers) -> float:
    """Return the sum of totals, added in order; Numba needs a quarter of a second to compile `sum`."""
    n = 0
    for total in totals:
        n += total
    return float(n)


@kernel
def count_objects(totals: Integers) -> float:
    """Return the number of objects, nan without objects, so that ratios and differences become nan."""
    n = add_up(totals)
    return n if n > 0.0 else math.nan


@kernel
def count_clusters(totals: Integers) -> int:
    """Count the totals that are not 0; Numba's `count_nonzero` takes several times as long."""
    count = 0
    for total in totals:
        count += total > 0
    return count


@kernel
def find_largest(counts: Integers) -> int:
    """Return the largest count, or 0 without counts."""
    most = 0
    for count in counts:
        most = max(most, count)
    return most


@kernel
def sum_row_maxima(table: Integers) -> int:
    """Return ``sum_i max_j n_ij``."""
    total = 0
    for i in range(table.shape[0]):
        total += find_largest(table[i])
    return total


@kernel
def compute_excess(x: float, row: float, column: float, n: float) -> float:
    """Return ``n x - row column`` as a determinant: less rounding, and exactly 0 at independence."""
    return x * (n - row - column + x) - (row - x) * (column - x)


@shared_with_kernels
def compute_jaccard(x: Any, row: Any, column: Any) -> Any:
    """Return the Jaccard similarity of the two clusters of a cell, or of many cells."""
    return x / (row + column - x)


@shared_with_kernels
def compute_f1(x: Any, row: Any, column: Any) -> Any:
    """Return the F1 score of the two clusters of a cell, or of many cells."""
    return 2.0 * x / (row + column)


@kernel
def count_shared_with_nearest(table: Integers, sources: Integers, targets: Integers) -> float:
    """Sum over rows the cell in the nearest column; of several nearest columns, the largest cell."""
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
def count_orphans(table: Integers, row_totals: Integers, column_totals: Integers, of_rows: bool) -> float:
    """Count columns (or rows) left over by a maximum matching of the other side with its nearest ones.

    The result is nan without objects.
    """
    sources, targets = (column_totals, row_totals) if of_rows else (row_totals, column_totals)
    nearest, filled = np.empty((sources.size, targets.size), np.bool_), 0
    for i in range(sources.size):
        nearness = 0.0
        for j in range(targets.size):
            x = table[j, i] if of_rows else table[i, j]
            if x > 0:
                filled += 1
                nearness = max(nearness, compute_jaccard(x, sources[i], targets[j]))
        for j in range(targets.size):
            x = table[j, i] if of_rows else table[i, j]
            nearest[i, j] = x > 0 and compute_jaccard(x, sources[i], targets[j]) == nearness
    if filled == 0:
        return math.nan
    return float(count_clusters(targets) - count_matching(nearest))


@kernel
def sort_places(keys: Any, places: Integers, room: Integers) -> None:
    """Sort positions by their keys, ascending and stable, by merging; `room` is workspace of equal length."""
    size, width = places.size, 1
    while width < size:
        for begin in range(0, size, 2 * width):
            left, middle, end = begin, min(begin + width, size), min(begin + 2 * width, size)
            right = middle
            for at in range(begin, end):
                if right == end or (left < middle and keys[places[left]] <= keys[places[right]]):
                    room[at] = places[left]
                    left += 1
                else:
                    room[at] = places[right]
                    right += 1
        for at in range(size):
            places[at] = room[at]
        width *= 2


@kernel
def expect_pair_sets(row_totals: Integers, column_totals: Integers) -> float:
    """Return ``E = sum_i min(n_(i), m_(i)) / n`` over the sizes in descending order."""
    K, Q = row_totals.size, column_totals.size
    rows, columns, room = np.empty(K, np.int64), np.empty(Q, np.int64), np.empty(K + Q, np.int64)
    for i in range(K):
        rows[i] = i
    for j in range(Q):
        columns[j] = j
    sort_places(row_totals, rows, room)
    sort_places(column_totals, columns, room)
    overlap = n = 0
    for i in range(K):
        n += row_totals[i]
    for i in range(1, min(K, Q) + 1):  # from the end, because the sizes ascend
        overlap += min(row_totals[rows[K - i]], column_totals[columns[Q - i]])
    return overlap / float(n)


# Credits of pairs of clusters, for the index `irm`. The stock of a cluster is the number of its objects that
# are not credited yet. The most similar pair is credited the smaller of its two stocks. The paper leaves the
# order of tied pairs open. Here a pair comes first if it shares no cluster with another tied pair. The
# further rules are: most common objects, largest credit, fewest tied pairs with its clusters, smallest stocks
# together, smallest fingerprint, first in the table. A cluster's fingerprint is computed `ROUNDS` times from
# its size and stock and from the fingerprints of the clusters with common objects (Weisfeiler & Leman 1968),
# in the same way for rows and columns.

PRIME = 2_147_483_629  # fingerprints are remainders modulo this prime, so that products fit into int64

ROUNDS = 3


@kernel
def average_credited(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
    """Return the mean similarity of the clusters credited to each other, the most similar first."""
    K, Q, n, size = row_totals.size, column_totals.size, 0, 0
    for i in range(K):
        n += row_totals[i]
        for j in range(Q):
            size += table[i, j] > 0
    if size == 0:
        return math.nan
    rows, columns, nearness = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size)
    order, alike = np.empty(size, np.int64), np.empty(size, np.int64)
    pair = 0
    for i in range(K):
        for j in range(Q):
            if table[i, j] > 0:
                rows[pair], columns[pair], order[pair] = i, j, pair
                nearness[pair] = -compute_jaccard(table[i, j], row_totals[i], column_totals[j])
                pair += 1
    sort_places(nearness, order, alike)
    shared = np.empty(K + Q, np.int64)
    left, sizes = np.empty(K + Q, table.dtype), np.empty(K + Q, table.dtype)
    for cluster in range(K + Q):
        sizes[cluster] = row_totals[cluster] if cluster < K else column_totals[cluster - K]
        left[cluster] = sizes[cluster]
    total, first = 0.0, 0
    while first < size:
        end = first + 1
        while end < size and nearness[order[end]] == nearness[order[first]]:
            end += 1
        credited, waiting = 0, end
        while True:
            end_of_tied, waiting = waiting, first
            for k in range(first, end_of_tied):  # pairs with stocks left come first
                pair = order[k]
                if left[rows[pair]] > 0 and left[K + columns[pair]] > 0:
                    order[waiting] = pair
                    waiting += 1
            if waiting == first:
                break
            pair, several = order[first], 0
            if waiting > first + 1:
                several = _first_ones(table, rows, columns, order, first, waiting, left, shared, alike)
            if several > 0:
                pair = alike[0]
            if several > 1:
                pair = _of_least_print(table, rows, columns, alike, several, sizes, left)
            i, j = rows[pair], K + columns[pair]
            credit = min(left[i], left[j])
            left[i] -= credit
            left[j] -= credit
            credited += credit
        total -= nearness[order[first]] * credited
        first = end
    return total / float(n)


@kernel
def _first_ones(
    table: Integers, rows: Integers, columns: Integers, order: Integers, first: int, end: int, left: Integers,
    shared: Integers, alike: Integers,
) -> int:  # fmt: skip
    """Count the tied pairs that are still tied after all rules except fingerprints; write them to `alike`.

    The tied pairs are at positions `first` to ``end - 1`` of the order.
    """
    K = table.shape[0]
    for cluster in range(shared.size):
        shared[cluster] = 0  # number of tied pairs with each cluster
    for k in range(first, end):
        shared[rows[order[k]]] += 1
        shared[K + columns[order[k]]] += 1
    most, largest, fewest, least_left, several = 0, 0, 0, 0, 0
    for k in range(first, end):
        pair = order[k]
        i, j = rows[pair], K + columns[pair]
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
    table: Integers, rows: Integers, columns: Integers, alike: Integers, several: int, sizes: Integers,
    left: Integers,
) -> int:  # fmt: skip
    """Return the pair with the smallest fingerprint among the first `several` pairs of `alike`."""
    K, size = table.shape[0], sizes.size
    prints, sums = np.empty(size, sizes.dtype), np.empty(size, sizes.dtype)
    for cluster in range(size):
        prints[cluster] = _mix_bits(sizes[cluster], left[cluster])
    for _ in range(ROUNDS):
        for cluster in range(size):
            sums[cluster] = 0
        for pair in range(rows.size):
            i, j = rows[pair], K + columns[pair]
            if left[i] > 0 and left[j] > 0:
                common = table[i, columns[pair]]
                sums[i] = (sums[i] + _mix_bits(common, prints[j])) % PRIME
                sums[j] = (sums[j] + _mix_bits(common, prints[i])) % PRIME
        for cluster in range(size):
            prints[cluster] = _mix_bits(prints[cluster], sums[cluster])
    least = PRIME
    chosen: int = alike[0]
    for k in range(several):
        one, other = prints[rows[alike[k]]], prints[K + columns[alike[k]]]
        of_both = _mix_bits((one + other) % PRIME, one * other % PRIME)
        if of_both < least:
            least, chosen = of_both, alike[k]
    return chosen


@kernel
def _mix_bits(x: int, y: int) -> int:
    """Hash an ordered pair of numbers below ``2**32`` to a number below `PRIME`, not linearly."""
    mixed = (x * 48_271 + y * 69_621 + 1_013_904_223) % PRIME
    return (mixed * mixed % PRIME * mixed + mixed) % PRIME
