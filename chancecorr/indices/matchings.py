"""Matchings of the rows of a table with its columns: heaviest, of listed cells, maximum, greedy.

**Heaviest** (`find_assignment_value`), by shortest augmenting paths: Jonker & Volgenant (1987),
doi:10.1007/BF02278710; for rectangular tables Crouse (2016), doi:10.1109/TAES.2016.140952. Weights become
costs. The shorter side is used as rows. Each column has a price, such that a matched cell has the smallest
``cost - price`` in its row. Twice, each row without a column takes its cheapest column. For each row that is
then left, Dijkstra's algorithm finds a path to a free column. The time is O(K Q min(K, Q)). The result is
exact for integers: all numbers are at most ``min(K, Q) + 3`` times the largest weight, and so below 2**53 for
counts.

**Of listed cells** (`find_listed_matching`), all with weights above 0; a row or column may have no partner.
The prices of a row and a column sum to at least the weight of their cell, and to exactly the weight of a
matched cell. Rows enter one by one, in the order of descending prices, by Dijkstra's algorithm. Columns that
can be reached without further cost are in a queue, other columns in a heap. The result is exact for integers
below 2**53. SciPy's sparse assignment, which matches every row, takes 3 to 30 times as long. Galil (1986),
doi:10.1145/6462.6502.

**Maximum** (`count_matching`), if only some cells, the `graph`, may be used: alternating paths from all free
rows at once, breadth first. If no path ends at a free column, each row at even distance is left free by some
maximum matching, and each column at odd distance is matched in every maximum matching.

**Greedy** (`find_greedy_value`) takes the largest count, deletes its row and its column, and repeats. If
equal counts leave a choice, the chosen counts, largest first, are the largest in lexicographic order: a
rank-maximal matching, whose counts do not depend on numbering. For each count, from the largest down, the
cells with this count are added to the graph, the matching is made maximum again, and all cells are deleted
that would undo the choice of larger counts. Irving, Kavitha, Mehlhorn, Michail & Paluch (2006), ACM
Transactions on Algorithms 2, 602-610.
"""

import math

import numpy as np

from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.machine.kernel import forecast_kernel, kernel

TURNS = 2
"""Rounds in which rows without a column take the cheapest, before paths: 2 in Jonker & Volgenant."""


@forecast_kernel(lambda costs: 1_000.0 * costs.size * len(costs))
def find_assignment_value(costs: Floats) -> float:
    """Return the largest ``-sum costs[i, sigma(i)]`` over one-to-one sigma, if rows <= columns."""
    short, long = costs.shape[0], costs.shape[1]
    price, distance = np.zeros(long), np.empty(long)
    owner = np.empty(long, np.int64)  # row matched with each column, -1 for a free column
    before, waiting, unmatched = np.empty(long, np.int64), np.empty(long, np.int64), np.empty(long, np.int64)
    for j in range(long):
        owner[j], unmatched[j] = -1, j
    left = short
    if long > 1:
        for _ in range(TURNS):
            left = _take_cheapest(costs, price, owner, unmatched, left)
    for k in range(left):
        _augment(costs, price, owner, unmatched[k], distance, before, waiting)
    total = 0.0
    for j in range(long):
        if owner[j] >= 0:
            total -= costs[owner[j], j]
    return total


@kernel
def _take_cheapest(costs: Floats, price: Floats, owner: Integers, unmatched: Integers, size: int) -> int:
    """Let each of the first unmatched rows take a column; return the number of rows left, listed first."""
    left = 0
    for k in range(size):
        row = unmatched[k]
        first, second = 0, 1
        least, next_least = costs[row, 0] - price[0], costs[row, 1] - price[1]
        if next_least < least:
            first, second, least, next_least = 1, 0, next_least, least
        for j in range(2, costs.shape[1]):
            reduced = costs[row, j] - price[j]
            if reduced < next_least:
                if reduced < least:
                    first, second, least, next_least = j, first, reduced, least
                else:
                    second, next_least = j, reduced
        if least < next_least:
            price[first] -= next_least - least
        elif owner[first] >= 0:
            first = second
        if owner[first] >= 0:
            unmatched[left] = owner[first]
            left += 1
        owner[first] = row
    return left


@kernel
def _augment(
    costs: Floats, price: Floats, owner: Integers, start: int, distance: Floats, before: Integers,
    waiting: Integers,
) -> None:  # fmt: skip
    """Match one more row, by the cheapest alternating path from the row to a free column.

    Workspace with an entry for each column: `distance`, the column `before` it on its path, and `waiting`
    columns.
    """
    long = costs.shape[1]
    for j in range(long):
        waiting[j] = j
    left = long
    row, column = start, -1
    own = reached = 0.0
    while True:
        nearest, at = reached, -1
        for k in range(left):
            j = waiting[k]
            # The entering row has no column: all its steps lack the same amount, so their order is right.
            through = reached + (costs[row, j] - price[j] - own)
            if column < 0 or through < distance[j]:
                distance[j] = through
                before[j] = column
            else:
                through = distance[j]
            if at < 0 or through < nearest or (through == nearest and owner[j] < 0):
                nearest, at = through, k
        column, reached = waiting[at], nearest
        left -= 1
        waiting[at], waiting[left] = waiting[left], column
        row = owner[column]
        if row < 0:  # the nearest column is free
            break
        own = costs[row, column] - price[column]
    for k in range(left, long):
        j = waiting[k]
        price[j] += distance[j] - reached
    while before[column] >= 0:  # from the free column back to the first column, each owner moves up
        owner[column] = owner[before[column]]
        column = before[column]
    owner[column] = start


UNSEEN, PASSED = -1, -2
"""Positions of columns outside the heap: not reached yet; reached at the smallest cost."""


@forecast_kernel(lambda starts, rows, *rest: 2_000.0 * rows.size * math.sqrt(starts.size))
def find_listed_matching(
    starts: Integers, rows: Integers, columns: Integers, weights: Floats, n_columns: int
) -> Integers:
    """Return the cell of each row, or -1, in a heaviest matching; row i's cells begin at ``starts[i]``."""
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
    start: int, starts: Integers, rows: Integers, columns: Integers, weights: Floats, row_price: Floats,
    column_price: Floats, cell_of: Integers, row_of: Integers, distance: Floats, before: Integers,
    heap: Integers, place: Integers, passed: Integers,
) -> None:  # fmt: skip
    """Follow the cheapest path from a row that enters.

    Workspace with an entry for each column: its `distance`, the cell `before` it, the `heap` with its
    `place`, and `passed`.
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
            through = reached + max(lacking, 0.0)  # below 0 only by rounding
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
    # from the end back to the start, each row takes the next column of the path
    for _ in range(n_passed + 1):
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
    """Move a column up in the heap, from its position to where it belongs."""
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
    """Take a column out of the heap; `size` columns remain, and the last one moves to its position."""
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


@kernel
def count_matching(graph: Booleans) -> int:
    """Return the number of pairs in a maximum matching."""
    rows, columns = graph.shape[0], graph.shape[1]
    column_of, row_of = np.empty(rows, np.int64), np.empty(columns, np.int64)
    before, queue = np.empty(columns, np.int64), np.empty(rows, np.int64)
    even, odd = np.empty(rows, np.bool_), np.empty(columns, np.bool_)
    for j in range(columns):
        row_of[j] = -1
    size = 0
    for i in range(rows):  # rows that find a free column at once need no search
        column_of[i] = -1
        for j in range(columns):
            if graph[i, j] and row_of[j] < 0:
                column_of[i], row_of[j] = j, i
                size += 1
                break
    while augment(graph, False, column_of, row_of, even, odd, before, queue):
        size += 1
    return size


@kernel
def augment(
    graph: Booleans, transposed: bool, column_of: Integers, row_of: Integers, even: Booleans, odd: Booleans,
    before: Integers, queue: Integers,
) -> bool:  # fmt: skip
    """Enlarge the matching by one pair, by an alternating path; return False if it is maximum.

    Mark the rows at even and the columns at odd distance; ``before[j]`` is the row before column j on its
    path. If the graph is transposed, its columns are treated as rows.
    """
    head = tail = 0
    for j in range(odd.size):
        odd[j] = False
    for i in range(even.size):
        even[i] = column_of[i] < 0
        if even[i]:
            queue[tail] = i
            tail += 1
    while head < tail:
        row = queue[head]
        head += 1
        for j in range(odd.size):
            if (graph[j, row] if transposed else graph[row, j]) and not odd[j]:
                odd[j] = True
                before[j] = row
                if row_of[j] < 0:
                    column = j
                    # back along the path: each row takes the new column and gives up its old one
                    while column >= 0:
                        row = before[column]
                        row_of[column] = row
                        column, column_of[row] = column_of[row], column
                    return True
                even[row_of[j]] = True
                queue[tail] = row_of[j]
                tail += 1
    return False


@forecast_kernel(lambda table: 1_000.0 * table.size * min(table.shape))
def find_greedy_value(table: Integers) -> int:
    """Return the sum of the counts of the greedy matching of a table (K, Q) of counts."""
    rows, columns = table.shape[0], table.shape[1]
    column_of, row_of = np.empty(rows, np.int64), np.empty(columns, np.int64)
    before, queue = np.empty(rows + columns, np.int64), np.empty(rows + columns, np.int64)
    open_rows, open_columns = np.empty(rows, np.bool_), np.empty(columns, np.bool_)
    even_rows, odd_rows = np.empty(rows, np.bool_), np.empty(rows, np.bool_)
    even_columns, odd_columns = np.empty(columns, np.bool_), np.empty(columns, np.bool_)
    graph = np.empty((rows, columns), np.bool_)
    for i in range(rows):
        column_of[i], open_rows[i] = -1, True
    for j in range(columns):
        row_of[j], open_columns[j] = -1, True
        for i in range(rows):
            graph[i, j] = False
    while _add_largest(table, open_rows, open_columns, graph):
        # At least one cell was added between a row and a column that the matching may leave free, so it
        # grows.
        while augment(graph, False, column_of, row_of, even_rows, odd_columns, before, queue):
            pass
        # The matching is maximum. Search from the free columns too, for the other marks.
        augment(graph, True, row_of, column_of, even_columns, odd_rows, before, queue)
        for i in range(rows):
            open_rows[i] &= even_rows[i]
        for j in range(columns):
            open_columns[j] &= even_columns[j]
        for i in range(rows):
            for j in range(columns):
                # A maximum matching matches odd rows and columns only with even ones.
                if (odd_rows[i] and not even_columns[j]) or (odd_columns[j] and not even_rows[i]):
                    graph[i, j] = False
    total = 0
    for i in range(rows):
        if column_of[i] >= 0:
            total += table[i, column_of[i]]
    return total


@kernel
def _add_largest(table: Integers, open_rows: Booleans, open_columns: Booleans, graph: Booleans) -> bool:
    """Add the cells with the largest count between open rows and columns to the graph; False if none."""
    largest = 0
    for i in range(open_rows.size):
        if open_rows[i]:
            for j in range(open_columns.size):
                if open_columns[j] and table[i, j] > largest:
                    largest = table[i, j]
    if largest == 0:
        return False
    for i in range(open_rows.size):
        if open_rows[i]:
            for j in range(open_columns.size):
                if open_columns[j] and table[i, j] == largest:
                    graph[i, j] = True
    return True
