"""Maximum matchings of rows with columns where the usable cells are listed, row by row.

The columns of the cells of row i are ``columns[starts[i] : starts[i + 1]]``; a matching is held as in
`bipartite`. `enlarge` goes in phases: one search, breadth first from all free rows, numbers the rows by their
distance, and paths of the least length that have no row in common are then followed from each free row, depth
first. There are at most of the order of the square root of the number of rows phases.

Hopcroft & Karp (1973), doi:10.1137/0202019.
"""

import numpy as np

from chancecorr.machine.arrays import Booleans, Integers
from chancecorr.machine.kernel import kernel


@kernel
def enlarge(starts: Integers, columns: Integers, column_of: Integers, row_of: Integers) -> None:
    """Make the matching maximum; rows and columns that it has stay in it."""
    rows = column_of.size
    for i in range(rows):  # rows that find a free column at once need no search
        for k in range(starts[i], starts[i + 1]):
            if column_of[i] < 0 and row_of[columns[k]] < 0:
                column_of[i], row_of[columns[k]] = columns[k], i
    distance, queue = np.empty(rows, np.int64), np.empty(rows, np.int64)
    seen = np.empty(row_of.size, np.bool_)
    place, path = np.empty(rows, np.int64), np.empty(rows, np.int64)
    while search(starts, columns, column_of, row_of, distance, seen, queue):
        place[:] = starts[:rows]
        for i in range(rows):
            if column_of[i] < 0:
                _follow(i, starts, columns, column_of, row_of, distance, place, path)


@kernel
def search(
    starts: Integers,
    columns: Integers,
    column_of: Integers,
    row_of: Integers,
    distance: Integers,
    seen: Booleans,
    queue: Integers,
) -> bool:
    """Whether an alternating path leads from a free row to a free column.

    Marks rows with their distance from a free row, in matched cells, -1 where they are not reached, and the
    columns that are seen from such rows.
    """
    head = tail = 0
    seen[:] = False
    for i in range(column_of.size):
        distance[i] = -1
        if column_of[i] < 0:
            distance[i] = 0
            queue[tail] = i
            tail += 1
    found = False
    while head < tail:
        row = queue[head]
        head += 1
        for k in range(starts[row], starts[row + 1]):
            j = columns[k]
            if not seen[j]:
                seen[j] = True
                if row_of[j] < 0:
                    found = True
                elif distance[row_of[j]] < 0:
                    distance[row_of[j]] = distance[row] + 1
                    queue[tail] = row_of[j]
                    tail += 1
    return found


@kernel
def _follow(
    start: int,
    starts: Integers,
    columns: Integers,
    column_of: Integers,
    row_of: Integers,
    distance: Integers,
    place: Integers,
    path: Integers,
) -> None:
    """Match one more row, if a path over rows of growing distance is left; each cell is tried once a phase.

    ``place[i]`` is the next cell of row i, `path` the rows from the start on, each but the last over the cell
    before its place.
    """
    path[0], length = start, 1
    while length > 0:
        row = path[length - 1]
        if place[row] == starts[row + 1]:
            length -= 1
            continue
        column = columns[place[row]]
        place[row] += 1
        following = row_of[column]
        if following < 0:
            for k in range(length):  # from the start: each row takes the cell that it was left by
                row = path[k]
                column = columns[place[row] - 1]
                column_of[row], row_of[column] = column, row
            return
        if distance[following] == distance[row] + 1:
            path[length] = following
            length += 1
