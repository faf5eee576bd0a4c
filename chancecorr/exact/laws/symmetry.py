"""One table for all that follow from it by exchanging equal rows and equal columns.

Neither T nor the probability changes when two rows with equal totals, or two columns, change places. So of
the tables that differ in the order of the first row's cells alone, over columns with equal totals, only those
need be walked over whose first row does not increase there: such a row stands for all its rearrangements, of
which there are ``g! / (u! v! ...)`` for g columns with u, v, ... equal cells. The first row being fixed, the
same holds of the first column's cells in the other rows, those with equal totals. The quotient is a product
of factors ``place / run``, one a cell: the cell's place in its group, from 1, and how many cells of its group
up to it equal it.
"""

import math
from typing import NamedTuple

import numpy as np

from chancecorr.machine.arrays import Integers


class Order(NamedTuple):
    """Conditions on the free cells, row by row."""

    row: Integers
    column: Integers
    place: Integers  # in the cell's group, from 1
    following: Integers  # cells of the group after it
    after: Integers  # what the rows or columns after the group can take


def equal_ones_last(totals: Integers) -> Integers:
    """Totals by how many equal them, then ascending: the first row is in no group of rows."""
    values, counts = np.unique(totals, return_counts=True)
    by_count = np.lexsort((values, counts))
    return np.repeat(values[by_count], counts[by_count])


def order_of_cells(rows: Integers, columns: Integers) -> Order:
    """Order along the first row, and down the first column below it; none in a table of two rows."""
    shape = rows.size - 1, columns.size - 1
    place, following = np.ones(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    after = np.zeros(shape, dtype=np.int64)
    if rows.size > 2:
        for line, totals in ((np.s_[0, :], columns), (np.s_[1:, 0], rows[1:])):
            starts = np.flatnonzero(np.diff(totals, prepend=0))
            sizes = np.diff(starts, append=totals.size)
            places = np.arange(totals.size) - np.repeat(starts, sizes) + 1
            afters = totals.sum() - np.repeat(np.cumsum(totals)[starts + sizes - 1], sizes)
            # the last cell is fixed by the others
            place[line], after[line] = places[:-1], afters[:-1]
            following[line] = (np.repeat(sizes, sizes) - places)[:-1]
    row, column = np.indices(shape)
    return Order(row.ravel(), column.ravel(), place.ravel(), following.ravel(), after.ravel())


def log_share_in_order(rows: Integers, columns: Integers, density: float) -> float:
    """Log of the share of the tables that are in order.

    Of the ``m**g`` ways to choose g numbers from m, ``C(m + g - 1, g)`` are. Two cells of a group are equal
    with the chance ``1 / m``: the `density` of their difference at 0, in standard deviations, over these.
    """
    n = int(rows.sum())
    log_share = 0.0
    for totals, total in ((columns, int(rows[0])), (rows[1:], int(columns[0]))) if rows.size > 2 else ():
        sizes, counts = np.unique(totals, return_counts=True)
        for size, g in zip(sizes[counts > 1].tolist(), counts[counts > 1].tolist(), strict=True):
            m = max(1.0, math.sqrt(2 * total * (n - total) * size / (n * (n - 1))) / density)
            log_share += math.lgamma(m + g) - math.lgamma(m) - math.lgamma(g + 1) - g * math.log(m)
    return log_share
