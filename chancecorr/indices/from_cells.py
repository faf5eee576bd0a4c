"""Indices of a table from its non-empty cells alone, where it has too many cells to be laid out."""

import math
from collections.abc import Callable

import numpy as np

from chancecorr.compiled import Integers

FromCells = Callable[[Integers, Integers, Integers, Integers, Integers], float]
"""``f(rows, columns, counts, row_totals, column_totals)``, the `from_cells` of an `Index`."""


def by_maxima(formula: Callable[[float, float, float, int], float]) -> FromCells:
    """An index as ``formula(R, C, n, Q)``.

    ``R = sum_i max_j n_ij``, ``C = sum_j max_i n_ij``, n objects, nan without any, and Q columns that are not
    empty.

    Examples
    --------
    >>> purity = by_maxima(lambda R, C, n, Q: C / n)
    >>> cells = np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([3, 1, 2])
    >>> purity(*cells, np.array([4, 2]), np.array([3, 3]))
    0.8333333333333334
    """

    def from_cells(
        rows: Integers, columns: Integers, counts: Integers, row_totals: Integers, column_totals: Integers
    ) -> float:
        n = int(row_totals.sum())
        R, C = (
            float(_sum_of_maxima(places, counts, totals.size))
            for places, totals in ((rows, row_totals), (columns, column_totals))
        )
        return formula(R, C, float(n) if n else math.nan, int(np.count_nonzero(column_totals)))

    return from_cells


def _sum_of_maxima(places: Integers, counts: Integers, size: int) -> int:
    """Sum over the places of the largest of the counts that are there."""
    most = np.zeros(size, dtype=np.int64)
    np.maximum.at(most, places, counts)
    return int(most.sum())
