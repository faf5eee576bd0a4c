"""Greedy matching of the rows of a table with its columns.

In O(K Q min(K, Q)), with exact integers, and with a value that does not depend on how rows and columns are
numbered.
"""

import numpy as np

from chancecorr.compiled import Booleans, Integers, kernel


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
def _add_largest(table: Integers, open_rows: Booleans, open_columns: Booleans, graph: Booleans) -> bool:
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
