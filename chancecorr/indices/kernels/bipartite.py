"""Maximum matchings of rows with columns where only some cells may be used, by augmenting paths.

`graph` is a matrix of booleans, the cells that may be used. A matching is held in two arrays, ``column_of``
the rows and ``row_of`` the columns, -1 for those that are free. An alternating path starts at a free row,
goes over any usable cell to a column, over the matched cell from there to that column's row, and so on. If it
ends at a free column, exchanging used and unused cells along it makes the matching larger by one pair. If no
alternating path does, the matching is maximum (Berge's theorem).

The search is breadth first from all free rows at once. Where it fails, what it has marked says more: rows at
even distance are those that some maximum matching leaves free, and columns at odd distance are matched in
every maximum matching, with rows at even distance.
"""

import numpy as np

from chancecorr.machine.arrays import Booleans, Integers
from chancecorr.machine.kernel import kernel


@kernel
def matching_size(graph: Booleans) -> int:
    """Number of pairs in a maximum matching."""
    rows, columns = graph.shape
    column_of, row_of = np.full(rows, -1, np.int64), np.full(columns, -1, np.int64)
    even, odd = np.empty(rows, np.bool_), np.empty(columns, np.bool_)
    before, queue = np.empty(columns, np.int64), np.empty(rows, np.int64)
    size = 0
    for i in range(rows):  # rows that find a free column at once need no search
        for j in range(columns):
            if graph[i, j] and row_of[j] < 0:
                column_of[i], row_of[j] = j, i
                size += 1
                break
    while augment(graph, column_of, row_of, even, odd, before, queue):
        size += 1
    return size


@kernel
def augment(
    graph: Booleans,
    column_of: Integers,
    row_of: Integers,
    even: Booleans,
    odd: Booleans,
    before: Integers,
    queue: Integers,
) -> bool:
    """Make the matching larger by one pair; False if it is maximum, and `even` and `odd` are marked then."""
    column = search(graph, column_of, row_of, even, odd, before, queue)
    if column < 0:
        return False
    while column >= 0:  # back along the path: each row takes the column it found, and gives up its own
        row = before[column]
        row_of[column] = row
        column, column_of[row] = column_of[row], column
    return True


@kernel
def search(
    graph: Booleans,
    column_of: Integers,
    row_of: Integers,
    even: Booleans,
    odd: Booleans,
    before: Integers,
    queue: Integers,
) -> int:
    """A free column at the end of an alternating path from a free row, or -1.

    Marks the rows at even and the columns at odd distance; ``before[j]`` is the row from which j was reached.
    """
    even[:] = False
    odd[:] = False
    head = tail = 0
    for i in range(graph.shape[0]):
        if column_of[i] < 0:
            even[i] = True
            queue[tail] = i
            tail += 1
    while head < tail:
        row = queue[head]
        head += 1
        for j in range(graph.shape[1]):
            if graph[row, j] and not odd[j]:
                odd[j] = True
                before[j] = row
                if row_of[j] < 0:
                    return j
                even[row_of[j]] = True
                queue[tail] = row_of[j]
                tail += 1
    return -1
