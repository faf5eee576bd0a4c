"""The heaviest one-to-one matching of the rows of a table with its columns, by shortest augmenting paths.

Weights become costs ``-weight``, and the shorter side gives the rows. The state is a matching of some rows
and a price for each column (dual variables), so that a matched cell has the least reduced cost ``cost -
price`` of its row. Prices begin at 0, only fall, and are 0 for free columns: such a matching costs the least
of all matchings of its rows.

1. Twice, each row without a column takes its cheapest one, from its owner if need be; the price falls to
   where the second choice costs the same. If both cost the same, the second choice spares the owner.
2. For each row still without a column, Dijkstra's algorithm finds the cheapest alternating path to a free
   column, free ones first among equally near ones. All rows on it move, and the prices of the columns passed
   fall until every matched cell is its row's cheapest again.

O(K Q min(K, Q)), exact for integers, whatever the numbering. No turn lowers a price by more than the largest
weight w (the last column, by 2 w), so that all numbers stay within ``min(K, Q) + 3`` times w: int64 holds
that for two billion rows of 3.1e9 objects, the most that a table may have.

Jonker & Volgenant (1987), doi:10.1007/BF02278710; for rectangular tables Crouse (2016),
doi:10.1109/TAES.2016.140952.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import inlined_kernel, kernel

TURNS = 2
"""Turns of the rows without a column before paths are searched for: as many as Jonker and Volgenant chose."""


@kernel
def assignment_value(weights: npt.NDArray[Any]) -> Any:
    """Largest ``sum weights[i, sigma(i)]`` over one-to-one sigma, of shape (K, Q), int64 or float64.

    No weight may be nan or infinite. Integers give an integer.
    """
    more_rows = weights.shape[0] > weights.shape[1]
    short, long = min(weights.shape), max(weights.shape)
    costs = np.empty((short, long), weights.dtype)
    for i in range(short):
        for j in range(long):
            costs[i, j] = -weights[j, i] if more_rows else -weights[i, j]
    price, distance = np.zeros(long, weights.dtype), np.empty(long, weights.dtype)
    owner = np.full(long, -1, np.int64)  # row matched with each column, -1 where it is free
    before, waiting = np.empty(long, np.int64), np.empty(long, np.int64)
    unmatched = np.arange(short)
    left = short
    if long > 1:
        for _ in range(TURNS):
            left = _take_cheapest(costs, price, owner, unmatched[:left])
    for k in range(left):
        _augment(costs, price, owner, unmatched[k], distance, before, waiting)
    total = weights.dtype.type(0)  # of the type of the weights, so that integers stay integers
    for j in range(long):
        if owner[j] >= 0:
            total -= costs[owner[j], j]
    return total


@inlined_kernel
def _take_cheapest(
    costs: npt.NDArray[Any], price: npt.NDArray[Any], owner: Integers, unmatched: Integers
) -> int:
    """Let each unmatched row take a column; how many rows have none then, which begin `unmatched`."""
    left = 0
    for k in range(unmatched.size):
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


@inlined_kernel
def _augment(
    costs: npt.NDArray[Any],
    price: npt.NDArray[Any],
    owner: Integers,
    start: int,
    distance: npt.NDArray[Any],
    before: Integers,
    waiting: Integers,
) -> None:
    """Match one more row, by the cheapest alternating path from it to a free column.

    Workspace, one place for each column: its `distance`; the column `before` it on the cheapest path to it,
    -1 for the first; and the columns themselves, those that are `waiting` before those that are passed.
    """
    long = costs.shape[1]
    for j in range(long):
        waiting[j] = j
    left = long
    row, column = start, -1
    own = reached = costs.dtype.type(0)
    while True:
        nearest, at = reached, -1
        for k in range(left):
            j = waiting[k]
            # The entering row owns nothing: its steps all lack the same amount, so their order holds.
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
        if row < 0:  # the nearest column is a free one
            break
        own = costs[row, column] - price[column]
    for k in range(left, long):
        j = waiting[k]
        price[j] += distance[j] - reached
    while before[column] >= 0:  # from the free column back to the first one, each owner moves up
        owner[column] = owner[before[column]]
        column = before[column]
    owner[column] = start
