"""The greedy matching of the rows of a table with its columns, as a rank-maximal matching.

Greedy takes the largest count, strikes out its row and its column, and goes on. Equal counts leave it a
choice on which the sum depends: ``((2, 2), (1, 0))`` gives 2 or 3. The run whose counts, largest first, come
last in lexicographic order is the same whatever the numbering: a rank-maximal matching. Another run can have
the larger sum: 3, 2, 2 against 3, 3 in ``((1, 0, 3, 3), (0, 0, 2, 1), (2, 2, 0, 3))``.

For each count, from the largest down, its cells join the graph, the matching is made maximum again, and what
would undo the choice of larger counts is struck out: cells that no maximum matching uses, and for later
counts the rows and columns that every maximum matching needs. O(K Q min(K, Q)).

Irving, Kavitha, Mehlhorn, Michail & Paluch (2006), ACM Transactions on Algorithms 2, 602-610.
"""

import numpy as np

from chancecorr.indices.kernels.bipartite import augment, search
from chancecorr.machine.arrays import Booleans, Integers
from chancecorr.machine.kernel import kernel


@kernel
def greedy_value(table: Integers) -> int:
    """Sum of the counts of the greedy matching of a table (K, Q) of counts."""
    rows, columns = table.shape
    graph = np.zeros((rows, columns), np.bool_)
    column_of, row_of = np.full(rows, -1, np.int64), np.full(columns, -1, np.int64)
    open_rows, open_columns = np.ones(rows, np.bool_), np.ones(columns, np.bool_)
    even_rows, odd_rows = np.empty(rows, np.bool_), np.empty(rows, np.bool_)
    even_columns, odd_columns = np.empty(columns, np.bool_), np.empty(columns, np.bool_)
    before, queue = np.empty(max(rows, columns), np.int64), np.empty(max(rows, columns), np.int64)
    while _add_largest(table, open_rows, open_columns, graph):
        # At least one cell was added between rows and columns that the matching may leave free, so it grows.
        while augment(graph, column_of, row_of, even_rows, odd_columns, before, queue):
            pass
        # The matching is maximum; from the free columns as well, for the marks of the other kind.
        search(graph.T, row_of, column_of, even_columns, odd_rows, before, queue)
        for i in range(rows):
            open_rows[i] &= even_rows[i]
        for j in range(columns):
            open_columns[j] &= even_columns[j]
        for i in range(rows):
            for j in range(columns):
                # A maximum matching matches odd rows and columns with even ones alone.
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
