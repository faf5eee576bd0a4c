"""Values of indices from the non-empty cells of a table that is too large for an array."""

import math
from collections.abc import Callable

import numpy as np

from chancecorr.machine.arrays import Floats, Integers

FromCells = Callable[[Integers, Integers, Integers, Integers, Integers], float]
"""``f(rows, columns, counts, row_totals, column_totals)``, the `from_cells` of an `Index`."""


def by_maxima(formula: Callable[[float, float, float, int], float]) -> FromCells:
    """An index as ``formula(R, C, n, Q)``.

    ``R = sum_i max_j n_ij``, ``C = sum_j max_i n_ij``, n objects, nan without any, and Q columns that are not
    empty.
    """

    def from_cells(
        rows: Integers, columns: Integers, counts: Integers, row_totals: Integers, column_totals: Integers
    ) -> float:
        n = int(row_totals.sum())
        R, C = (
            _sum_of_maxima(*side) for side in ((rows, counts, row_totals), (columns, counts, column_totals))
        )
        return formula(R, C, float(n) if n else math.nan, int(np.count_nonzero(column_totals)))

    return from_cells


def by_maxima_and_largest(formula: Callable[[float, float, int, int, int], float]) -> FromCells:
    """An index as ``formula(R, C, n, r, c)``: sums as in `by_maxima`, n, the largest row and column total."""

    def from_cells(
        rows: Integers, columns: Integers, counts: Integers, row_totals: Integers, column_totals: Integers
    ) -> float:
        R, C = (
            _sum_of_maxima(*side) for side in ((rows, counts, row_totals), (columns, counts, column_totals))
        )
        largest = (int(totals.max(initial=0)) for totals in (row_totals, column_totals))
        return formula(R, C, int(row_totals.sum()), *largest)

    return from_cells


def by_best_matches(
    formula: Callable[[Floats, Floats, Integers, Integers], float], *, jaccard: bool
) -> FromCells:
    """An index as ``formula(of_rows, of_columns, row_totals, column_totals)``.

    ``of_rows`` is ``max_j S_ij`` for each row, ``of_columns`` ``max_i S_ij`` for each column, S being the
    Jaccard similarity ``n_ij / (n_i + m_j - n_ij)``, or else the F1 score ``2 n_ij / (n_i + m_j)``; 0 for an
    empty row or column.
    """

    def from_cells(
        rows: Integers, columns: Integers, counts: Integers, row_totals: Integers, column_totals: Integers
    ) -> float:
        together = row_totals[rows] + column_totals[columns]
        similarity = counts / (together - counts) if jaccard else 2.0 * counts / together
        of_rows, of_columns = np.zeros(row_totals.size), np.zeros(column_totals.size)
        np.maximum.at(of_rows, rows, similarity)
        np.maximum.at(of_columns, columns, similarity)
        return formula(of_rows, of_columns, row_totals, column_totals)

    return from_cells


def mean_over_clusters(of_clusters: Floats, totals: Integers) -> float:
    """Mean over the clusters that are not empty; nan without any."""
    count = int(np.count_nonzero(totals))
    return total_in_order(of_clusters) / count if count else math.nan


def total_in_order(numbers: Floats) -> float:
    """Their sum, one after the other, as a loop has it."""
    return float(np.add.accumulate(numbers)[-1]) if numbers.size else 0.0


def _sum_of_maxima(places: Integers, counts: Integers, totals: Integers) -> float:
    """Sum over the rows, or the columns, of their largest count."""
    most = np.zeros(totals.size, dtype=np.int64)
    np.maximum.at(most, places, counts)
    return float(most.sum())
