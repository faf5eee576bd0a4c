"""The heaviest matching of rows with columns if the cells are listed, by shortest augmenting paths.

The cells of row i are those from ``starts[i]`` to ``starts[i + 1]``, all of weights above 0; a row or column
may stay without a partner. Prices of rows and columns (dual variables), at least 0, sum to at least the
weight of each cell, and to exactly that of a matched one; a free column and a row given up have the price 0.
Once all rows have entered, the prices sum to the weight of the matching, and no matching weighs more.

Rows enter one by one, those of the largest price first. Dijkstra's algorithm finds the cheapest alternating
path to a free column, or to a row that is given up at the cost of its price; columns at no further cost stand
in a queue, the others in a heap. With k cells at most ``O(K k log Q)``, with many ties far less. Exact for
whole numbers below 2**53.

Galil (1986), doi:10.1145/6462.6502, for prices and paths in matchings that leave out some rows.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel

UNSEEN, PASSED = -1, -2
"""Places of columns that are not in the heap: not reached yet, and reached as cheaply as can be."""


@kernel
def listed_assignment_value(
    starts: Integers, rows: Integers, columns: Integers, weights: Floats, n_columns: int
) -> float:
    """Largest sum of weights of cells of which no two share a row or a column; see `listed_matching`."""
    total = 0.0
    for cell in listed_matching(starts, rows, columns, weights, n_columns):
        if cell >= 0:
            total += weights[cell]
    return total


@kernel
def listed_matching(
    starts: Integers, rows: Integers, columns: Integers, weights: Floats, n_columns: int
) -> Integers:
    """The cell of each row, or -1, in a heaviest matching: no two cells share a row or a column.

    Parameters
    ----------
    starts : ndarray of int64, shape (K + 1,)
        Where the cells of each row begin, and where the last ones end.
    rows, columns, weights : ndarray, shape (k,)
        Of the cells, row by row; weights of float64 above 0, none infinite.
    """
    n_rows = starts.size - 1
    row_price, column_price = np.zeros(n_rows), np.zeros(n_columns)
    for cell in range(rows.size):
        row_price[rows[cell]] = max(row_price[rows[cell]], weights[cell])
    cell_of, row_of = np.full(n_rows, -1, np.int64), np.full(n_columns, -1, np.int64)
    distance, before = np.empty(n_columns), np.empty(n_columns, np.int64)
    heap, place = np.empty(n_columns, np.int64), np.full(n_columns, UNSEEN, np.int64)
    passed = np.empty(n_columns, np.int64)
    for row in np.argsort(-row_price, kind="mergesort"):
        if row_price[row] > 0.0:
            _enter(
                row, starts, rows, columns, weights, row_price, column_price, cell_of, row_of,
                distance, before, heap, place, passed,
            )  # fmt: skip
    return cell_of


@kernel
def _enter(
    start: int,
    starts: Integers,
    rows: Integers,
    columns: Integers,
    weights: Floats,
    row_price: Floats,
    column_price: Floats,
    cell_of: Integers,
    row_of: Integers,
    distance: Floats,
    before: Integers,
    heap: Integers,
    place: Integers,
    passed: Integers,
) -> None:
    """Follow the cheapest path from a row that enters.

    Workspace, one place for each column: its `distance` from the start; the cell `before` it, by which it is
    reached; the `heap`, and the `place` of the column in it, `UNSEEN` before and after; and those `passed`.
    """
    row, reached = start, 0.0
    cheapest, last_row, last_column = row_price[start], start, -1
    looked_at = n_passed = size = 0
    while reached < cheapest:
        for cell in range(starts[row], starts[row + 1]):
            j = columns[cell]
            if place[j] == PASSED:
                continue
            lacking = row_price[row] + column_price[j] - weights[cell]
            through = reached + max(lacking, 0.0)  # below 0 by rounding only
            if through >= cheapest:
                continue
            if row_of[j] < 0:
                cheapest, last_column, before[j] = through, j, cell
            elif place[j] == UNSEEN or through < distance[j]:
                distance[j], before[j] = through, cell
                if through > reached:
                    if place[j] == UNSEEN:
                        place[j] = size
                        size += 1
                    _rise(heap, place, distance, j)
                else:
                    if place[j] != UNSEEN:
                        size -= 1
                        _take_out(heap, place, distance, size, j)
                    place[j], passed[n_passed] = PASSED, j
                    n_passed += 1
        if looked_at == n_passed:
            if size == 0 or distance[heap[0]] >= cheapest:
                break
            size -= 1
            passed[n_passed] = heap[0]
            n_passed += 1
            _take_out(heap, place, distance, size, heap[0])
            place[passed[looked_at]] = PASSED
        j = passed[looked_at]
        looked_at += 1
        row, reached = row_of[j], distance[j]
        if reached + row_price[row] < cheapest:
            cheapest, last_row, last_column = reached + row_price[row], row, -1
    row_price[start] -= cheapest
    for k in range(n_passed):
        j = passed[k]
        place[j] = UNSEEN
        if distance[j] < cheapest:
            column_price[j] += cheapest - distance[j]
            row_price[row_of[j]] -= cheapest - distance[j]
    for k in range(size):
        place[heap[k]] = UNSEEN
    if last_column < 0 and last_row != start:
        last_column = columns[cell_of[last_row]]
        cell_of[last_row] = -1
    for _ in range(n_passed + 1):  # from the end back to the start, each row takes the column it was left for
        if last_column < 0:
            return
        cell = before[last_column]
        row = rows[cell]
        given_up = columns[cell_of[row]] if cell_of[row] >= 0 else -1
        cell_of[row], row_of[last_column] = cell, row
        last_column = given_up
    if last_column >= 0:
        raise ValueError("`rows` must be in ascending order: the cells of each row from its start on.")


@kernel
def _rise(heap: Integers, place: Integers, distance: Floats, column: int) -> None:
    """Put a column where it belongs in the heap, from its place or above."""
    at = place[column]
    while at > 0:
        above = (at - 1) // 2
        if distance[heap[above]] <= distance[column]:
            break
        heap[at] = heap[above]
        place[heap[at]] = at
        at = above
    heap[at], place[column] = column, at


@kernel
def _take_out(heap: Integers, place: Integers, distance: Floats, size: int, column: int) -> None:
    """Take a column out of the heap, of which `size` are left; the last one comes to its place."""
    at, last = place[column], heap[size]
    place[column] = UNSEEN
    if last == column:
        return
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and distance[heap[below + 1]] < distance[heap[below]]:
            below += 1
        if distance[heap[below]] >= distance[last]:
            break
        heap[at] = heap[below]
        place[heap[at]] = at
        at = below
    place[last] = at
    _rise(heap, place, distance, last)
