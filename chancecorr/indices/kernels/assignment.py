"""One-to-one matchings of the rows of a table with its columns: the heaviest one, and the greedy one.

Both in O(K Q min(K, Q)), with exact integers, and with values that do not depend on how rows and columns are
numbered.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import kernel

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@kernel
def assignment_value(weights: npt.NDArray[Any]) -> Any:
    """Largest ``sum weights[i, sigma(i)]`` over one-to-one sigma, of shape (K, Q), int64 or float64.

    Rows of the shorter side enter one by one. Each follows a shortest alternating path to a free column under
    the reduced costs ``-weight - price``, after which the prices of the columns passed fall so that every
    matched pair stays its row's cheapest. No weight may be nan or infinite. Integers give an integer.

    Shortest augmenting paths: Jonker & Volgenant (1987), doi:10.1007/BF02278710; for rectangular tables
    Crouse (2016), doi:10.1109/TAES.2016.140952.
    """
    more_rows = weights.shape[0] > weights.shape[1]
    short, long = min(weights.shape), max(weights.shape)
    zero = weights.dtype.type(0)
    costs = np.empty((short, long), weights.dtype)
    for i in range(short):
        for j in range(long):
            costs[i, j] = -weights[j, i] if more_rows else -weights[i, j]
    price, distance = np.zeros(long, weights.dtype), np.empty(long, weights.dtype)
    owner, before = np.full(long, -1, np.int64), np.empty(long, np.int64)
    passed = np.empty(long, np.bool_)
    for start in range(short):
        passed[:] = False
        row, column, reached, tight = start, -1, zero, zero
        while column < 0 or owner[column] >= 0:
            if column >= 0:
                passed[column] = True
                row = owner[column]
                tight = costs[row, column] - price[column]
            nearest = -1
            for j in range(long):
                if not passed[j]:
                    through = reached + (costs[row, j] - price[j] - tight)
                    if column < 0 or through < distance[j]:
                        distance[j] = through
                        before[j] = column
                    if nearest < 0 or distance[j] < distance[nearest]:
                        nearest = j
            column = nearest
            reached = distance[column]
        for j in range(long):
            if passed[j]:
                price[j] += distance[j] - reached
        while before[column] >= 0:
            owner[column] = owner[before[column]]
            column = before[column]
        owner[column] = start
    total = zero
    for j in range(long):
        if owner[j] >= 0:
            total -= costs[owner[j], j]
    return total


@kernel
def greedy_value(table: Integers) -> int:
    """Sum of the counts of the greedy matching of a table (K, Q) of counts.

    Greedy takes the largest count, strikes out its row and its column, and goes on. Equal counts leave it a
    choice, and the sum depends on it: ``((2, 2), (1, 0))`` gives 2 or 3. Of all its runs this is the one that
    takes the lexicographically largest counts, largest first, whatever the numbering. Another run can have
    the larger sum: 3, 2, 2 against 3, 3 in ``((1, 0, 3, 3), (0, 0, 2, 1), (2, 2, 0, 3))``.

    That is a rank-maximal matching: as many of the largest counts as possible, then of the next ones, and so
    on. After each count value, the matching is maximum in `graph`, the cells that may still be used, and only
    rows and columns that some such matching leaves out stay open. Each value taken lengthens the matching.
    Irving, Kavitha, Mehlhorn, Michail & Paluch (2006), ACM Transactions on Algorithms 2, 602-610.
    """
    rows, columns = table.shape
    graph = np.zeros((rows, columns), np.bool_)
    column_of, row_of = np.full(rows, -1, np.int64), np.full(columns, -1, np.int64)
    open_rows, open_columns = np.ones(rows, np.bool_), np.ones(columns, np.bool_)
    even_rows, odd_rows = np.empty(rows, np.bool_), np.empty(rows, np.bool_)
    even_columns, odd_columns = np.empty(columns, np.bool_), np.empty(columns, np.bool_)
    before, queue = np.empty(max(rows, columns), np.int64), np.empty(max(rows, columns), np.int64)
    while _add_largest(table, open_rows, open_columns, graph):
        column = _search(graph, column_of, row_of, even_rows, odd_columns, before, queue)
        while column >= 0:
            while column >= 0:
                row = before[column]
                row_of[column] = row
                column, column_of[row] = column_of[row], column
            column = _search(graph, column_of, row_of, even_rows, odd_columns, before, queue)
        _search(graph.T, row_of, column_of, even_columns, odd_rows, before, queue)
        for i in range(rows):
            open_rows[i] &= even_rows[i]
        for j in range(columns):
            open_columns[j] &= even_columns[j]
        for i in range(rows):
            for j in range(columns):  # cells that no maximum matching of the graph uses
                graph[i, j] &= not (
                    (odd_rows[i] and not even_columns[j]) or (odd_columns[j] and not even_rows[i])
                )
    total = 0
    for i in range(rows):
        if column_of[i] >= 0:
            total += table[i, column_of[i]]
    return total


@kernel
def _add_largest(table: Integers, open_rows: Flags, open_columns: Flags, graph: Flags) -> bool:
    """Add the cells of the largest count between open rows and open columns to the graph; False if none."""
    largest = 0
    for i in range(table.shape[0]):
        if open_rows[i]:
            for j in range(table.shape[1]):
                if open_columns[j] and table[i, j] > largest:
                    largest = table[i, j]
    if largest == 0:
        return False
    for i in range(table.shape[0]):
        if open_rows[i]:
            for j in range(table.shape[1]):
                if open_columns[j] and table[i, j] == largest:
                    graph[i, j] = True
    return True


@kernel
def _search(
    graph: Flags,
    column_of: Integers,
    row_of: Integers,
    even: Flags,
    odd: Flags,
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
