"""Loops that call an index on table after table, compiled or as plain Python.

The compiled form takes the index as a typed function pointer, so that each loop is compiled once, whatever
the index, and kept on disk.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import compiler

# Numba's types as text, which does not import Numba.
_VECTOR = "Array(int64, 1, 'C', readonly=True)"
_TABLE = "Array(int64, 2, 'C', readonly=True)"
_TABLES = "Array(int64, 3, 'C', readonly=True)"
_VALUES = "Array(float64, 1, 'C')"

TABLE_SIGNATURE = f"float64({_TABLE}, {_VECTOR}, {_VECTOR})"
"""``f(table, row_totals, column_totals)``, on read-only arrays."""

CELL_SIGNATURE = "float64(float64, float64, float64, float64)"
"""``phi(n_ij, row_i, column_j, n)``."""


def apply_to_tables(
    function: Callable[..., Any], tables: Integers, row_totals: Integers, column_totals: Integers, out: Floats
) -> None:
    """``out[t] = function(tables[t], row_totals, column_totals)``."""
    for t in range(tables.shape[0]):
        out[t] = function(tables[t], row_totals, column_totals)


def sum_over_cells(
    phi: Callable[..., Any], tables: Integers, row_totals: Integers, column_totals: Integers, out: Floats
) -> None:
    """``out[t] = sum phi(n_ij, row_i, column_j, n)`` over the non-empty cells of table t."""
    n = float(row_totals.sum())
    for t in range(tables.shape[0]):
        total = 0.0
        for i in range(row_totals.size):
            for j in range(column_totals.size):
                cell = tables[t, i, j]
                if cell > 0:
                    total += phi(float(cell), float(row_totals[i]), float(column_totals[j]), n)
        out[t] = total


def sum_over_listed_cells(
    phi: Callable[..., Any],
    rows: Integers,
    columns: Integers,
    counts: Integers,
    row_totals: Integers,
    column_totals: Integers,
) -> float:
    """``sum phi(n_ij, row_i, column_j, n)`` over the non-empty cells of one table, given as a list."""
    n = float(row_totals.sum())
    total = 0.0
    for cell in range(counts.size):
        row_total, column_total = row_totals[rows[cell]], column_totals[columns[cell]]
        total += phi(float(counts[cell]), float(row_total), float(column_total), n)
    return total


def sums_less_one(
    phi: Callable[..., Any],
    rows: Integers,
    columns: Integers,
    counts: Integers,
    row_totals: Integers,
    column_totals: Integers,
    out: Floats,
) -> None:
    """``out[k]``: the sum over the listed cells of one table without one object of cell k.

    There are n - 1 objects then, for all cells; the cells of its row and of its column, which are listed by
    row and by column first, have a total that is one less, and itself has one object less.
    """
    n = float(row_totals.sum() - 1)
    K, Q, C = row_totals.size, column_totals.size, counts.size
    elsewhere, whole = np.zeros(C), 0.0
    of_rows, of_columns = np.zeros(K), np.zeros(Q)
    row_starts, column_starts = np.zeros(K + 1, np.int64), np.zeros(Q + 1, np.int64)
    for cell in range(C):
        i, j = rows[cell], columns[cell]
        row_starts[i + 1] += 1
        column_starts[j + 1] += 1
        if row_totals[i] <= n and column_totals[j] <= n:  # else all cells are in its row, or its column
            value = phi(float(counts[cell]), float(row_totals[i]), float(column_totals[j]), n)
            elsewhere[cell] = value
            of_rows[i] += value
            of_columns[j] += value
            whole += value
    for i in range(K):
        row_starts[i + 1] += row_starts[i]
    for j in range(Q):
        column_starts[j + 1] += column_starts[j]
    in_rows, in_columns = np.zeros(C, np.int64), np.zeros(C, np.int64)
    filled_rows, filled_columns = row_starts.copy(), column_starts.copy()
    for cell in range(C):
        i, j = rows[cell], columns[cell]
        in_rows[filled_rows[i]] = cell
        in_columns[filled_columns[j]] = cell
        filled_rows[i] += 1
        filled_columns[j] += 1
    for k in range(C):
        i, j = rows[k], columns[k]
        total = whole - of_rows[i] - of_columns[j] + elsewhere[k]
        fewer_in_row, fewer_in_column = float(row_totals[i] - 1), float(column_totals[j] - 1)
        for place in range(row_starts[i], row_starts[i + 1]):
            cell = in_rows[place]
            if cell != k:
                column_total = float(column_totals[columns[cell]])
                total += phi(float(counts[cell]), fewer_in_row, column_total, n)
        for place in range(column_starts[j], column_starts[j + 1]):
            cell = in_columns[place]
            if cell != k:
                total += phi(float(counts[cell]), float(row_totals[rows[cell]]), fewer_in_column, n)
        if counts[k] > 1:
            total += phi(float(counts[k] - 1), fewer_in_row, fewer_in_column, n)
        out[k] = total


_SIGNATURES = {
    apply_to_tables: f"void(FunctionType({TABLE_SIGNATURE}), {_TABLES}, {_VECTOR}, {_VECTOR}, {_VALUES})",
    sum_over_cells: f"void(FunctionType({CELL_SIGNATURE}), {_TABLES}, {_VECTOR}, {_VECTOR}, {_VALUES})",
    sums_less_one: f"void(FunctionType({CELL_SIGNATURE}), {', '.join([_VECTOR] * 5)}, {_VALUES})",
    sum_over_listed_cells: f"float64(FunctionType({CELL_SIGNATURE}), {', '.join([_VECTOR] * 5)})",
}


@functools.cache
def compiled_loop(loop: Callable[..., Any]) -> Callable[..., Any]:
    """One of the loops above, compiled at its first use."""
    function: Callable[..., Any] = compiler().compiled(loop, _SIGNATURES[loop])
    return function
