"""Values of indices from the non-empty cells of a table that is too large for an array.

An entry says by `summary` what its formula is of: a heaviest matching, two sums, or best matches. The index
of a table that is laid out, as machine code, and that of listed cells are both made of this one formula.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.indices.kernels.clusters import clusters, sum_of_row_maxima
from chancecorr.indices.kernels.matchings import assignment_value
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel, shared_with_kernels

FromCells = Callable[[Integers, Integers, Integers, Integers, Integers], float]
"""``f(rows, columns, counts, row_totals, column_totals)``, the `from_cells` of an `Index`."""

Summary = Callable[[Callable[..., float]], tuple[Callable[..., float], FromCells]]
"""From a formula, which kernels can call, to the index of a laid out table and of its non-empty cells."""


def by_maxima(
    formula: Callable[[float, float, Integers, Integers], float],
) -> tuple[Callable[..., float], FromCells]:
    """An index as ``formula(R, C, row_totals, column_totals)``, ``R = sum_i max_j n_ij``, C of columns."""

    def of_table(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
        R, C = float(sum_of_row_maxima(table)), float(sum_of_row_maxima(table.T))
        return formula(R, C, row_totals, column_totals)

    def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
        of_rows, of_columns = (np.zeros(sizes.size, dtype=np.int64) for sizes in totals)
        np.maximum.at(of_rows, rows, counts)
        np.maximum.at(of_columns, columns, counts)
        return formula(float(of_rows.sum()), float(of_columns.sum()), *totals)

    return of_table, from_cells


def by_assignment(weigh: Callable[..., Any]) -> Summary:
    """An index as ``formula(W, row_totals, column_totals)``, W the heaviest matching of the weighed cells."""

    def make(formula: Callable[..., float]) -> tuple[Callable[..., float], FromCells]:
        def of_table(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
            weights = np.zeros(table.shape)
            for i in range(table.shape[0]):
                for j in range(table.shape[1]):
                    if table[i, j] > 0:  # an empty cluster has no partner, and might give 0/0 with another
                        x, row, column = float(table[i, j]), float(row_totals[i]), float(column_totals[j])
                        weights[i, j] = weigh(x, row, column)
            return formula(float(assignment_value(weights)), row_totals, column_totals)

        def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
            weights = weigh(counts, totals[0][rows], totals[1][columns])
            matched = match_cells(rows, columns, weights, (totals[0].size, totals[1].size))
            return float(formula(float(weights[matched].sum()), *totals))

        return of_table, from_cells

    return make


def match_cells(
    rows: Integers, columns: Integers, weights: npt.NDArray[Any], shape: tuple[int, int]
) -> Integers:
    """Numbers of the cells of a heaviest matching: no two share a row or a column, and all weigh above 0."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    if rows.size == 0:
        return np.zeros(0, dtype=np.int64)
    # SciPy matches every row: each may have a column of its own, as dear as a cell of no weight
    own, top = np.arange(shape[0]), 2.0 * float(weights.max())
    costs = np.concatenate([top - weights, np.full(shape[0], top)])
    ends = np.concatenate([rows, own]), np.concatenate([columns, shape[1] + own])
    of_rows, of_columns = min_weight_full_bipartite_matching(
        csr_array((costs, ends), shape=(shape[0], sum(shape)))
    )
    partner = np.full(shape[0], -1)
    partner[of_rows] = of_columns
    return np.flatnonzero(partner[rows] == columns)


def by_two_sums(weigh: Callable[..., Any]) -> Summary:
    """An index as ``formula(p, r, n)``, p the sum of ``weigh(n_ij, m_j, n_i)``, r that with rows first."""

    def make(formula: Callable[..., float]) -> tuple[Callable[..., float], FromCells]:
        def of_table(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
            p = r = 0.0
            for i in range(table.shape[0]):
                for j in range(table.shape[1]):
                    if table[i, j] > 0:
                        x, row, column = float(table[i, j]), float(row_totals[i]), float(column_totals[j])
                        p += weigh(x, column, row)
                        r += weigh(x, row, column)
            return formula(p, r, float(row_totals.sum()))

        def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
            row, column = totals[0][rows].astype(np.float64), totals[1][columns].astype(np.float64)
            x = counts.astype(np.float64)
            p, r = (total_in_order(weigh(x, *sizes)) for sizes in ((column, row), (row, column)))
            return formula(p, r, float(totals[0].sum()))

        return of_table, from_cells

    return make


def by_best_matches(similarity: Callable[..., Any]) -> Summary:
    """An index as ``formula(of_rows, of_columns, *totals)``, the largest similarity of each with another."""

    def make(formula: Callable[..., float]) -> tuple[Callable[..., float], FromCells]:
        def of_table(table: Integers, row_totals: Integers, column_totals: Integers) -> float:
            of_rows, of_columns = np.zeros(row_totals.size), np.zeros(column_totals.size)
            for i in range(table.shape[0]):
                for j in range(table.shape[1]):
                    if table[i, j] > 0:
                        x, row, column = float(table[i, j]), float(row_totals[i]), float(column_totals[j])
                        similar = similarity(x, row, column)
                        of_rows[i] = max(of_rows[i], similar)
                        of_columns[j] = max(of_columns[j], similar)
            return formula(of_rows, of_columns, row_totals, column_totals)

        def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
            similar = similarity(counts, totals[0][rows], totals[1][columns])
            of_rows, of_columns = np.zeros(totals[0].size), np.zeros(totals[1].size)
            np.maximum.at(of_rows, rows, similar)
            np.maximum.at(of_columns, columns, similar)
            return formula(of_rows, of_columns, *totals)

        return of_table, from_cells

    return make


@kernel
def total_in_order(numbers: Floats) -> float:
    """Their sum, one after the other."""
    total = 0.0
    for number in numbers:
        total += number
    return total


@kernel
def mean_over_clusters(of_clusters: Floats, totals: Integers) -> float:
    """Mean over the clusters that are not empty; nan without any."""
    count = clusters(totals)
    return total_in_order(of_clusters) / count if count > 0 else math.nan


@shared_with_kernels
def jaccard_of_cell(x: Any, row: Any, column: Any) -> Any:
    """Jaccard similarity of the two clusters of a cell, or of many."""
    return x / (row + column - x)


@shared_with_kernels
def f1_of_cell(x: Any, row: Any, column: Any) -> Any:
    """F1 score of the two clusters of a cell, or of many."""
    return 2.0 * x / (row + column)
