"""Loops that call an index on table after table, compiled or as plain Python.

The compiled form takes the index as a typed function pointer, so that each loop is compiled once, whatever
the index, and kept on disk.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import F, compiler

# Numba's types as text, which does not import Numba.
VECTOR = "Array(int64, 1, 'C', readonly=True)"
VALUES = "Array(float64, 1, 'C')"
_TABLE = "Array(int64, 2, 'C', readonly=True)"
_TABLES = "Array(int64, 3, 'C', readonly=True)"

TABLE_SIGNATURE = f"float64({_TABLE}, {VECTOR}, {VECTOR})"
"""``f(table, row_totals, column_totals)``, on read-only arrays."""

CELL_SIGNATURE = "float64(float64, float64, float64, float64)"
"""``phi(n_ij, row_i, column_j, n)``."""

PHI = f"FunctionType({CELL_SIGNATURE})"

_signatures: dict[Callable[..., Any], str] = {}


def compiled_as(signature: str) -> Callable[[F], F]:
    """Declare the signature with which a loop is compiled at its first use."""

    def decorate(loop: F) -> F:
        _signatures[loop] = signature
        return loop

    return decorate


@functools.cache
def compiled_loop(loop: Callable[..., Any]) -> Callable[..., Any]:
    """A loop that calls an index, as machine code."""
    function: Callable[..., Any] = compiler().compiled(loop, _signatures[loop])
    return function


@compiled_as(f"void(FunctionType({TABLE_SIGNATURE}), {_TABLES}, {VECTOR}, {VECTOR}, {VALUES})")
def apply_to_tables(
    function: Callable[..., Any], tables: Integers, row_totals: Integers, column_totals: Integers, out: Floats
) -> None:
    """``out[t] = function(tables[t], row_totals, column_totals)``."""
    for t in range(tables.shape[0]):
        out[t] = function(tables[t], row_totals, column_totals)


@compiled_as(f"void({PHI}, {_TABLES}, {VECTOR}, {VECTOR}, {VALUES})")
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


@compiled_as(f"float64({PHI}, {', '.join([VECTOR] * 5)})")
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


@compiled_as(f"void({PHI}, Array(float64, 3, 'C'), float64, {VALUES})")
def sum_over_weighted_cells(phi: Callable[..., Any], tables: Floats, n: float, out: Floats) -> None:
    """``out[t] = sum phi(w_ij, row_i, column_j, n)`` over the cells of table t that have a weight."""
    K, Q = tables.shape[1], tables.shape[2]
    rows, columns = np.zeros(K), np.zeros(Q)
    for t in range(tables.shape[0]):
        rows[:] = 0.0
        columns[:] = 0.0
        for i in range(K):
            for j in range(Q):
                rows[i] += tables[t, i, j]
                columns[j] += tables[t, i, j]
        total = 0.0
        for i in range(K):
            for j in range(Q):
                if tables[t, i, j] > 0.0:
                    total += phi(tables[t, i, j], rows[i], columns[j], n)
        out[t] = total


@compiled_as(f"float64({PHI}, {VECTOR}, {VALUES}, float64, float64, float64)")
def mean_in_a_cell(
    phi: Callable[..., Any], counts: Integers, probabilities: Floats, row: float, column: float, n: float
) -> float:
    """Mean of ``phi(n_ij, row_i, column_j, n)`` over a law of the count; an empty cell adds nothing."""
    total = 0.0
    for k in range(counts.size):
        if counts[k] > 0:
            total += probabilities[k] * phi(float(counts[k]), row, column, n)
    return total


@compiled_as(f"void({PHI}, {_TABLE}, {', '.join([VECTOR] * 4)}, {VALUES})")
def sums_of_pairs(
    phi: Callable[..., Any],
    codes: Integers,
    totals: Integers,
    starts: Integers,
    rows: Integers,
    columns: Integers,
    out: Floats,
) -> None:
    """``out[p]``: the sum over the cells of the table of clusterings ``rows[p]`` and ``columns[p]``.

    `codes` (m, n) are cluster numbers, the sizes of clustering k are ``totals[starts[k] : starts[k + 1]]``.
    """
    n = codes.shape[1]
    cells = np.zeros(1, dtype=np.int64)
    for p in range(rows.size):
        i, j = rows[p], columns[p]
        first, second = totals[starts[i] : starts[i + 1]], totals[starts[j] : starts[j + 1]]
        Q = second.size
        if first.size * Q > cells.size:
            cells = np.zeros(first.size * Q, dtype=np.int64)
        for t in range(n):
            cells[codes[i, t] * Q + codes[j, t]] += 1
        total = 0.0
        for k in range(first.size):
            for q in range(Q):
                count = cells[k * Q + q]
                if count > 0:
                    total += phi(float(count), float(first[k]), float(second[q]), float(n))
                    cells[k * Q + q] = 0
        out[p] = total


@compiled_as(f"void({PHI}, {', '.join([VECTOR] * 6)}, {VALUES})")
def sums_less_one(
    phi: Callable[..., Any],
    rows: Integers,
    columns: Integers,
    counts: Integers,
    row_totals: Integers,
    column_totals: Integers,
    by_column: Integers,
    out: Floats,
) -> None:
    """``out[k]``: the sum over the cells of one table, listed row by row, without one object of cell k.

    There are n - 1 objects then, for all cells; the cells of its row and of its column have a total that is
    one less, and itself has one object less. `by_column` orders the cells column by column.
    """
    n = float(row_totals.sum() - 1)
    C, whole, values = counts.size, 0.0, np.zeros(counts.size)
    of_rows, of_columns = np.zeros(row_totals.size), np.zeros(column_totals.size)
    for cell in range(C):
        i, j = rows[cell], columns[cell]
        if row_totals[i] <= n and column_totals[j] <= n:  # else all cells are in its row, or its column
            value = phi(float(counts[cell]), float(row_totals[i]), float(column_totals[j]), n)
            values[cell] = value
            of_rows[i] += value
            of_columns[j] += value
            whole += value
    for k in range(C):
        out[k] = whole - of_rows[rows[k]] - of_columns[columns[k]] + values[k]
    for in_row in (True, False):
        first = 0
        while first < C:
            last = first + 1
            if in_row:
                while last < C and rows[last] == rows[first]:
                    last += 1
            else:
                while last < C and columns[by_column[last]] == columns[by_column[first]]:
                    last += 1
            for place in range(first, last):
                for other in range(first, last):
                    k, cell = (place, other) if in_row else (by_column[place], by_column[other])
                    if cell != k:
                        row_total = float(row_totals[rows[cell]] - (1 if in_row else 0))
                        column_total = float(column_totals[columns[cell]] - (0 if in_row else 1))
                        out[k] += phi(float(counts[cell]), row_total, column_total, n)
            first = last
    for k in range(C):
        if counts[k] > 1:
            row_total, column_total = row_totals[rows[k]] - 1, column_totals[columns[k]] - 1
            out[k] += phi(float(counts[k] - 1), float(row_total), float(column_total), n)
