"""Clusters nearest to each other by Jaccard similarity."""

import math

import numpy as np

from chancecorr.compiled import Integers, kernel


@kernel
def jaccard_of_sizes(x: int, source: int, target: int) -> float:
    """Of the objects in either of two clusters, the share in both."""
    return float(x) / float(source + target - x)


@kernel
def orphans(table: Integers, sources: Integers, targets: Integers) -> float:
    """Columns left over by a maximum matching of rows to their nearest columns; nan without objects."""
    K, Q = table.shape
    nearness, left_over = np.zeros(K), 0
    taken_by, taken = np.full(Q, -1), np.full(K, -1)
    found_by, queue = np.empty(Q, dtype=np.int64), np.empty(K, dtype=np.int64)
    for j in range(Q):
        left_over += targets[j] > 0
        for i in range(K):
            if table[i, j] > 0:
                nearness[i] = max(nearness[i], jaccard_of_sizes(table[i, j], sources[i], targets[j]))
    if left_over == 0:
        return math.nan
    for root in range(K):
        # Breadth first to a free column; one that is taken leads on to the row that took it.
        found_by[:] = -1
        queue[0], done, waiting, end = root, 0, 1, -1
        while done < waiting and end < 0:
            i = queue[done]
            done += 1
            for j in range(Q):
                unseen = end < 0 and found_by[j] < 0 and table[i, j] > 0
                if unseen and jaccard_of_sizes(table[i, j], sources[i], targets[j]) == nearness[i]:
                    found_by[j] = i
                    if taken_by[j] < 0:
                        end = j
                    else:
                        queue[waiting] = taken_by[j]
                        waiting += 1
        left_over -= end >= 0
        while end >= 0:  # back along the path, where each row gives up its column for the one it found
            i = found_by[end]
            taken_by[end] = i
            taken[i], end = end, taken[i]
    return float(left_over)


@kernel
def shared_with_nearest(table: Integers, sources: Integers, targets: Integers) -> float:
    """Sum over rows of the cell in the nearest column; of several nearest, the largest cell."""
    total = 0.0
    for i in range(sources.size):
        nearest, shared = 0.0, 0
        for j in range(targets.size):
            x = table[i, j]
            if x > 0:
                similarity = jaccard_of_sizes(x, sources[i], targets[j])
                if similarity > nearest or (similarity == nearest and x > shared):
                    nearest, shared = similarity, x
        total += float(shared)
    return total
