"""The heaviest one-to-one matching of the rows of a table with its columns.

In O(K Q min(K, Q)), with exact integers, and with a value that does not depend on how rows and columns are
numbered.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import kernel


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
