"""Loops that call an index on table after table, compiled or as plain Python.

The compiled form takes the index as a typed function pointer, so that each loop is compiled once, whatever
the index, and kept on disk.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.compiled import Floats, Integers

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

    The totals of its row and column are one less, n is, and so is phi in all cells there.
    """
    n = float(row_totals.sum() - 1)
    elsewhere = np.empty(counts.size)
    for cell in range(counts.size):
        row_total, column_total = row_totals[rows[cell]], column_totals[columns[cell]]
        elsewhere[cell] = phi(float(counts[cell]), float(row_total), float(column_total), n)
    for k in range(counts.size):
        total = 0.0
        for cell in range(counts.size):
            in_row, in_column = rows[cell] == rows[k], columns[cell] == columns[k]
            if not (in_row or in_column):
                total += elsewhere[cell]
                continue
            row_total, column_total, count = (
                row_totals[rows[cell]],
                column_totals[columns[cell]],
                counts[cell],
            )
            if in_row:
                row_total -= 1
            if in_column:
                column_total -= 1
            if cell == k:
                count -= 1
            if count > 0:
                total += phi(float(count), float(row_total), float(column_total), n)
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
    from chancecorr.machine_code import compiled

    function: Callable[..., Any] = compiled(loop, _SIGNATURES[loop])
    return function
