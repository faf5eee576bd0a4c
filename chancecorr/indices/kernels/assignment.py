"""The heaviest one-to-one matching of the rows of a table with its columns, by shortest augmenting paths.

Weights become costs ``-weight``, and the shorter side gives the rows, so that every row ends up matched. Rows
enter one by one. Between two of them the state is a matching of least cost of the rows entered so far, and a
price for each column (the potentials, or dual variables, of linear programming) such that a matched cell has
the least reduced cost ``cost - price`` of its row.

The next row may want a column that is taken. Then the row that owns it has to move to another column, whose
owner moves on in turn, until a free column ends this alternating path. A move from a row's own column to
column j costs what the reduced cost of j exceeds that of the own one, which is never negative; so Dijkstra's
algorithm finds the cheapest path. At last all rows on the path move, and the prices of the columns that the
search has passed fall until every matched cell is its row's cheapest again. The whole is O(K Q min(K, Q)),
exact for integers, and the value does not depend on how rows and columns are numbered.

Jonker & Volgenant (1987), doi:10.1007/BF02278710; for rectangular tables Crouse (2016),
doi:10.1109/TAES.2016.140952.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import kernel


@kernel
def assignment_value(weights: npt.NDArray[Any]) -> Any:
    """Largest ``sum weights[i, sigma(i)]`` over one-to-one sigma, of shape (K, Q), int64 or float64.

    No weight may be nan or infinite. Integers give an integer.
    """
    more_rows = weights.shape[0] > weights.shape[1]
    short, long = min(weights.shape), max(weights.shape)
    zero = weights.dtype.type(0)  # of the type of the weights, so that integers stay integers
    costs = np.empty((short, long), weights.dtype)
    for i in range(short):
        for j in range(long):
            costs[i, j] = -weights[j, i] if more_rows else -weights[i, j]
    price, distance = np.zeros(long, weights.dtype), np.empty(long, weights.dtype)
    owner = np.full(long, -1, np.int64)  # row matched with each column, -1 where it is free
    before = np.empty(long, np.int64)  # column before each one on the cheapest path to it, -1 for the first
    passed = np.empty(long, np.bool_)
    for start in range(short):
        passed[:] = False
        row, column, reached, own = start, -1, zero, zero
        while column < 0 or owner[column] >= 0:  # until the nearest column is a free one
            if column >= 0:
                passed[column] = True
                row = owner[column]
                own = costs[row, column] - price[column]
            nearest = -1
            for j in range(long):
                if not passed[j]:
                    # The entering row owns nothing: its steps all lack the same amount, so their order holds.
                    through = reached + (costs[row, j] - price[j] - own)
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
        while before[column] >= 0:  # from the free column back to the first one, each owner moves up
            owner[column] = owner[before[column]]
            column = before[column]
        owner[column] = start
    total = zero
    for j in range(long):
        if owner[j] >= 0:
            total -= costs[owner[j], j]
    return total
