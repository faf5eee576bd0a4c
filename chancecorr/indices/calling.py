"""Calls of the function of an index: compiled or in plain Python, for many tables, with good errors.

Code that evaluates an index calls `run_loop`, or the function from `compile_function`, and names the index in
errors by `name_failures`. A user's function of a table is called unchanged, in plain Python or as machine
code that the user has made: 17,000 tables take less time than Numba takes to compile it. A user's function of
a cell is called far more often, so it is compiled; if Numba cannot compile it, it runs in plain Python, after
one warning. A loop takes the function of an index as a typed function pointer: it is compiled once for all
indices, and kept on disk.
"""

import contextlib
import functools
import math
import os
import warnings
import weakref
from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any

import numpy as np

from chancecorr.indices.index import Index
from chancecorr.machine import compiling
from chancecorr.machine.arguments import count_levels_to_caller
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import F, import_compiler, make_plain


class IndexEvaluationError(RuntimeError):
    """An index raised an error, returned something other than a number, or failed its trial.

    The message names the index and the table or the cell. In the trial, a user's compiled function must stay
    within its arrays and give the same value as in plain Python.

    Parameters
    ----------
    message : str
        The error and its table.
    pair_sum : int, optional
        ``T = sum n_ij**2`` of the table, if the index is a function of the pair counts. Also an attribute.

    Examples
    --------
    >>> print(IndexEvaluationError("Index 'broken' failed on the table [[2]]: ValueError."))
    Index 'broken' failed on the table [[2]]: ValueError.
    """

    def __init__(self, message: str, pair_sum: int | None = None) -> None:
        super().__init__(message)
        self.pair_sum = pair_sum


def explain_failure(
    index: Index | str, place: str, error: Exception, pair_sum: int | None = None
) -> IndexEvaluationError:
    """Return the error that names the index, the place, and the error that its function raised."""
    name = index if isinstance(index, str) else index.name
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return IndexEvaluationError(f"Index {name!r} failed on {place}: {what}.", pair_sum)


@contextlib.contextmanager
def name_failures(index: Index | str, place: str) -> Iterator[None]:
    """Compute without NumPy's warnings, and raise the error of `explain_failure` for any error."""
    try:
        with np.errstate(all="ignore"):
            yield
    except Exception as error:
        raise explain_failure(index, place, error) from error


def require_number(function: Callable[..., Any]) -> Callable[..., float]:
    """Return the function, but with a TypeError if it returns something other than a number."""

    def checked(*arguments: Any) -> float:
        value = function(*arguments)
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if not isinstance(value, Real | np.bool_):
            raise TypeError(f"expected a number, got {value!r}")
        return float(value)

    return checked


def get_python_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the Python function of a compiled function; return other functions unchanged."""
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain


def shown(table: Integers) -> str:
    """Format a table for a message: all of it up to 100 cells, else its shape and first cells."""
    if table.size <= 100:
        return str(table.tolist())
    return f"of shape {table.shape} that begins {table[0, :5].tolist()}"


def compile_function(index: Index) -> Callable[..., Any] | None:
    """Return the machine code of a function of a cell, or of a catalogue function of a table, or None."""
    if index.needs != "cells" and not is_of_the_catalogue(index.function):
        return None
    return _compile_once(index)[0]


def call_loop(loop: Callable[..., Any], index: Index, *arguments: Any) -> Any:
    """Call a loop over tables or cells with the function of an index, in plain Python or compiled.

    Plain Python is used if Numba cannot compile the function, or if the loop takes less time than compiling.
    """
    if is_of_the_catalogue(index.function) and runs_as_python(loop, index, *arguments):
        with compiling.count_seconds(name_of_loop(loop, index)):
            function = require_number(make_plain(get_python_function(index.function)))
            return make_plain(loop)(function, *arguments)
    compiled = compile_function(index)
    if compiled is None:
        return loop(require_number(index.function), *arguments)
    return compile_loop(loop)(compiled, *arguments)


def runs_as_python(loop: Callable[..., Any], index: Index, *arguments: Any) -> bool:
    """Return True if a loop with a catalogue index still runs in plain Python."""
    parts = map(compiling.get_full_name, (loop, get_python_function(index.function)))
    return compiling.runs_as_python(name_of_loop(loop, index), 1e-9 * _forecasts[loop](*arguments), *parts)


def name_of_loop(loop: Callable[..., Any], index: Index) -> str:
    """Return the name under which the seconds of a loop with an index are counted."""
    return f"{index.name} by {loop.__name__}"


def run_loop(loop: Callable[..., Any], index: Index, where: str, *arguments: Any) -> Any:
    """Call one of the loops over cells, and name the index if it fails."""
    with name_failures(index, where):
        return call_loop(loop, index, *arguments)


def compiles(index: Index) -> bool:
    """Return True if Numba can compile the index's function; True for catalogue functions."""
    return is_of_the_catalogue(index.function) or compile_function(index) is not None


def warn_if_not_compiled(index: Index) -> None:
    """Warn once that an index runs in plain Python, and why; in the user's thread, not in workers."""
    if is_of_the_catalogue(index.function):
        return
    compiled, reason = _compile_once(index)
    if compiled is None:
        _warn_once(index.name, reason)


@functools.cache
def _warn_once(name: str, reason: str) -> None:
    """Warn that an index runs in plain Python."""
    warnings.warn(
        f"Index {name!r} could not be compiled and runs as Python, far slower. Numba says: {reason[:300]}",
        RuntimeWarning,
        stacklevel=count_levels_to_caller(),
    )


_of_users: weakref.WeakKeyDictionary[Index, tuple[Callable[..., Any] | None, str]]
_of_users = weakref.WeakKeyDictionary()
"""Machine code of users' functions, kept as long as their index objects are used."""


def _compile_once(index: Index) -> tuple[Callable[..., Any] | None, str]:
    """Return the machine code of an index's function, or None and the reason why there is none."""
    if is_of_the_catalogue(index.function):
        return _compile_of_the_catalogue(index.function, SIGNATURES[index.needs])
    kept = _of_users.get(index)
    if kept is None:
        kept = _of_users[index] = _compile(index.function, SIGNATURES[index.needs])
    return kept


def _compile(function: Callable[..., Any], signature: Any) -> tuple[Callable[..., Any] | None, str]:
    if not compiling.has_numba():
        return None, "it is not installed."
    # Machine code of catalogue functions is kept on disk. A user's function may have no file, or globals that
    # change between runs. It is compiled with checks of bounds, because reading beyond an array would end the
    # process.
    machine, plain = import_compiler(), get_python_function(function)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", machine.NumbaWarning)
            if is_of_the_catalogue(function):
                return machine.compiled(plain, signature), ""
            return machine.numba.njit(signature, nogil=True, boundscheck=True)(plain), ""
    except (*machine.CANNOT_COMPILE, TypeError, NotImplementedError, AttributeError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return None, f"{type(error).__name__}: {' '.join(lines[:2])}"


_compile_of_the_catalogue = functools.cache(_compile)
_folder_of_the_catalogue = os.path.join(os.path.dirname(__file__), "")


def is_of_the_catalogue(function: Callable[..., Any]) -> bool:
    """Return True if a file of this folder defines the function."""
    file = getattr(getattr(get_python_function(function), "__code__", None), "co_filename", "")
    return file.startswith(_folder_of_the_catalogue)


LARGEST_DIFFERENCE = 1e-6
"""Relative difference far above the rounding of sums, and far below the effect of a wrap-around."""

_checked: weakref.WeakKeyDictionary[Callable[..., Any], set[int]] = weakref.WeakKeyDictionary()
"""Functions without errors in `check_whole_numbers`, with the bit lengths of n at which they were checked."""


def check_whole_numbers(index: Index, table: Integers) -> None:
    """Raise if the function overflows int64: compare its values on int64 and on float64 tables."""
    bits, plain = int(table.sum()).bit_length(), get_python_function(index.function)
    if bits in _checked.get(index.function, ()):
        return
    try:
        with np.errstate(all="ignore"):
            value, wanted = (
                float(plain(counts, counts.sum(axis=1), counts.sum(axis=0)))
                for counts in (table, table.astype(np.float64))
            )
    except Exception:  # on floats, or on this table: the loop then reports it
        return
    if math.isfinite(wanted) and abs(value - wanted) > LARGEST_DIFFERENCE * max(1.0, abs(value), abs(wanted)):
        raise IndexEvaluationError(
            f"Index {index.name!r} failed on the table {shown(table)}: it gave {value:.9g}, and {wanted:.9g}"
            " on floats; whole numbers beyond 64 bits wrap around, so take floats."
        )
    _checked.setdefault(index.function, set()).add(bits)


# Numba's types as text, so that Numba is not imported.
VECTOR = "Array(int64, 1, 'C', readonly=True)"
VALUES = "Array(float64, 1, 'C')"
_TABLE = "Array(int64, 2, 'C', readonly=True)"
_TABLES = "Array(int64, 3, 'C', readonly=True)"

SIGNATURES = {
    "table": f"float64({_TABLE}, {VECTOR}, {VECTOR})",
    "cells": "float64(float64, float64, float64, float64)",
}
"""Signatures of ``f(table, row_totals, column_totals)`` and ``phi(n_ij, row_i, column_j, n)``, by
`Index.needs`."""

PHI = f"FunctionType({SIGNATURES['cells']})"

NANOSECONDS_OF_A_CALL = 2_000.0  # call of the function of a cell in plain Python

_signatures: dict[Callable[..., Any], str] = {}
_forecasts: dict[Callable[..., Any], Callable[..., float]] = {}


def declare_signature(signature: str, count: Callable[..., float]) -> Callable[[F], F]:
    """Declare the compiled signature of a loop, and the number of its calls of the function."""

    def decorate(loop: F) -> F:
        _signatures[loop] = signature
        _forecasts[loop] = lambda *arguments: NANOSECONDS_OF_A_CALL * count(*arguments)
        return loop

    return decorate


@functools.cache
def compile_loop(loop: Callable[..., Any]) -> Callable[..., Any]:
    """Return the machine code of a loop that calls an index, or of a catalogue function of any arrays."""
    function: Callable[..., Any] = import_compiler().compiled(loop, _signatures.get(loop))
    return function


@declare_signature(
    f"void(FunctionType({SIGNATURES['table']}), {_TABLES}, {_TABLE}, {_TABLE}, {VALUES})",
    lambda tables, *rest: 6.0 * len(tables) + 0.3 * tables.size,
)
def apply_to_tables(
    function: Callable[..., Any], tables: Integers, row_totals: Integers, column_totals: Integers, out: Floats
) -> None:
    """Write ``out[t] = function(tables[t], row_totals[t], column_totals[t])``; or use the first totals."""
    varies = row_totals.shape[0] > 1
    for t in range(tables.shape[0]):
        own = t if varies else 0
        out[t] = function(tables[t], row_totals[own], column_totals[own])


@declare_signature(f"void({PHI}, {_TABLES}, {_TABLE}, {_TABLE}, {VALUES})", lambda tables, *rest: tables.size)
def sum_over_cells(
    phi: Callable[..., Any], tables: Integers, row_totals: Integers, column_totals: Integers, out: Floats
) -> None:
    """Write ``out[t] = sum phi(n_ij, row_i, column_j, n)`` over the non-empty cells of table t.

    Row t of the totals belongs to table t, or all tables have the totals of the only row.
    """
    n = 0.0
    for i in range(row_totals.shape[1]):
        n += row_totals[0, i]
    varies = row_totals.shape[0] > 1
    for t in range(tables.shape[0]):
        own = t if varies else 0
        total = 0.0
        for i in range(row_totals.shape[1]):
            for j in range(column_totals.shape[1]):
                cell = tables[t, i, j]
                if cell > 0:
                    total += phi(float(cell), float(row_totals[own, i]), float(column_totals[own, j]), n)
        out[t] = total


@declare_signature(
    f"void({PHI}, {', '.join([VECTOR] * 6)}, {VALUES})", lambda rows, columns, counts, *rest: counts.size
)
def sum_over_listed_cells(
    phi: Callable[..., Any], rows: Integers, columns: Integers, counts: Integers, ends: Integers,
    row_totals: Integers, column_totals: Integers, out: Floats,
) -> None:  # fmt: skip
    """Write ``out[t] = sum phi(n_ij, row_i, column_j, n)`` over the cells listed for table t."""
    n = 0.0
    for i in range(row_totals.size):
        n += row_totals[i]
    for t in range(out.size):
        total = 0.0
        for cell in range(ends[t], ends[t + 1]):
            row_total, column_total = row_totals[rows[cell]], column_totals[columns[cell]]
            total += phi(float(counts[cell]), float(row_total), float(column_total), n)
        out[t] = total


@declare_signature(
    f"void({PHI}, Array(float64, 3, 'C'), float64, {VALUES})", lambda tables, *rest: tables.size
)
def sum_over_weighted_cells(phi: Callable[..., Any], tables: Floats, n: float, out: Floats) -> None:
    """Write ``out[t] = sum phi(w_ij, row_i, column_j, n)`` over the cells of table t with weights above 0."""
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


@declare_signature(
    f"float64({PHI}, {VECTOR}, {VALUES}, float64, float64, float64)", lambda counts, *rest: counts.size
)
def average_in_cell(
    phi: Callable[..., Any], counts: Integers, probabilities: Floats, row: float, column: float, n: float
) -> float:
    """Return the mean of ``phi(n_ij, row_i, column_j, n)`` over a law of the count; 0 for an empty cell."""
    total = 0.0
    for k in range(counts.size):
        if counts[k] > 0:
            total += probabilities[k] * phi(float(counts[k]), row, column, n)
    return total


@declare_signature(
    f"void({PHI}, {_TABLE}, {', '.join([VECTOR] * 4)}, {VALUES})",
    lambda codes, totals, starts, rows, *rest: rows.size * codes.shape[1],
)
def sum_over_pairs(
    phi: Callable[..., Any], codes: Integers, totals: Integers, starts: Integers, rows: Integers,
    columns: Integers, out: Floats,
) -> None:  # fmt: skip
    """Write ``out[p]``: sum over the cells of clusterings ``rows[p]`` and ``columns[p]`` of `codes`."""
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


@declare_signature(
    f"void({PHI}, {', '.join([VECTOR] * 6)}, {VALUES})",
    lambda rows, columns, counts, *rest: counts.size * (2.0 + counts.size),
)
def sum_without_one(
    phi: Callable[..., Any], rows: Integers, columns: Integers, counts: Integers, row_totals: Integers,
    column_totals: Integers, by_column: Integers, out: Floats,
) -> None:  # fmt: skip
    """Write ``out[k]``: sum over the cells of one table after removing one object from cell k.

    The cells are listed row by row. Removing an object changes n for all cells, a total for the cells in the
    same row or column, and cell k itself. `by_column` orders the cells column by column.
    """
    n = -1.0
    for i in range(row_totals.size):
        n += row_totals[i]
    C, whole, values = counts.size, 0.0, np.zeros(counts.size)
    of_rows, of_columns = np.zeros(row_totals.size), np.zeros(column_totals.size)
    for cell in range(C):
        i, j = rows[cell], columns[cell]
        if row_totals[i] <= n and column_totals[j] <= n:  # otherwise all cells are in its row, or its column
            value = phi(float(counts[cell]), float(row_totals[i]), float(column_totals[j]), n)
            values[cell] = value
            of_rows[i] += value
            of_columns[j] += value
            whole += value
    for k in range(C):
        out[k] = whole - of_rows[rows[k]] - of_columns[columns[k]] + values[k]
    for less_of_row in range(1, -1, -1):  # first the cells of each row, then those in each column
        lines = rows if less_of_row else columns
        first = 0
        while first < C:
            last = first + 1
            line = lines[first] if less_of_row else lines[by_column[first]]
            while last < C and lines[last if less_of_row else by_column[last]] == line:
                last += 1
            for one in range(first, last):
                k = one if less_of_row else by_column[one]
                for other in range(first, last):
                    cell = other if less_of_row else by_column[other]
                    if cell != k:
                        row_total = float(row_totals[rows[cell]] - less_of_row)
                        column_total = float(column_totals[columns[cell]] - 1 + less_of_row)
                        out[k] += phi(float(counts[cell]), row_total, column_total, n)
            first = last
    for k in range(C):
        if counts[k] > 1:
            row_total, column_total = row_totals[rows[k]] - 1, column_totals[columns[k]] - 1
            out[k] += phi(float(counts[k] - 1), float(row_total), float(column_total), n)
