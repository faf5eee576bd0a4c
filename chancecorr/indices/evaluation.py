"""The values of an index on many tables at once, whatever it needs, and what happens when it fails.

A function of a table or of a cell is compiled when Numba can; else it runs as Python, after one warning. One
that raises, or returns something other than a number, is reported with its name and the table.
"""

import functools
import sys
import warnings
from collections.abc import Callable, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.core.errors import NumbaError

from chancecorr.compiled import OPTIONS
from chancecorr.indices import loops
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import ContingencyTable, Margins

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class IndexEvaluationError(RuntimeError):
    """An index raised, or returned something other than a number; the message names it and the table.

    Attributes
    ----------
    pair_sum : int or None
        ``T = sum n_ij**2`` of the table, where the index saw the pair counts only.
    """

    def __init__(self, message: str, pair_sum: int | None = None) -> None:
        super().__init__(message)
        self.pair_sum = pair_sum


def value_of_table(index: Index, table: ContingencyTable) -> float:
    """Value of an index on one table."""
    margins = table.margins
    if index.needs == "pairs":
        return float(values_of_pair_sums(index, np.array([table.sum_of_squares]), margins)[0])
    if index.needs == "cells":
        total = total_of_cells(index, *table.nonzero_cells, margins)
        return float(link_totals(index, np.array([total]), margins)[0])
    return float(values_of_tables(index, table.dense_counts()[np.newaxis], margins)[0])


def values_of_pair_sums(index: Index, pair_sums: Integers, margins: Margins) -> Floats:
    """Values of a ``"pairs"`` index where ``T = sum n_ij**2`` is given, shape (m,).

    The pair counts are exact integers before they become float64, so their products cannot overflow.
    """
    counts = _pair_counts(pair_sums, margins)
    try:
        return values_of_pair_counts(index, counts, margins)
    except Exception as error:
        if pair_sums.size == 1:
            a, b, c, d = (int(count[0]) for count in counts)
            failure = _failure(index, error, f"a table with a={a}, b={b}, c={c}, d={d}")
            failure.pair_sum = int(pair_sums[0])
            raise failure from error
        for pair_sum in pair_sums:
            values_of_pair_sums(index, np.array([pair_sum]), margins)
        raise IndexEvaluationError(
            f"Index {index.name!r} must work elementwise on arrays; it works on single tables, but on"
            f" {pair_sums.size} together it raised {_describe(error)}. Use numpy.where, numpy.sqrt, ..."
        ) from error


def values_of_pair_counts(index: Index, counts: Sequence[Floats], margins: Margins) -> Floats:
    """Values of a ``"pairs"`` index where a, b, c, d are given, whole or not, each of shape (m,)."""
    totals = (margins.row_totals, margins.column_totals) if index.with_totals else ()
    with np.errstate(all="ignore"):
        values = _as_numbers(index.function(*counts, *totals), counts[0].shape)
    return _with_undefined(index, values, margins)


def values_of_varying_tables(
    index: Index, counts: Sequence[Floats], squares: Sequence[Integers], n: int
) -> Floats:
    """The same for tables of n objects whose margins vary, ``sum row**2`` and ``sum column**2`` given."""
    with np.errstate(all="ignore"):
        values = _as_numbers(index.function(*counts), counts[0].shape)
    return np.where(np.isnan(values), value_at_zero_over_zero(index, n, *squares), values)


def values_of_tables(index: Index, tables: Integers, margins: Margins) -> Floats:
    """Values of a ``"cells"``, ``"table"`` or ``"labels"`` index on tables of shape (m, K, Q)."""
    tables = tables.view()
    tables.flags.writeable = False
    values = np.empty(tables.shape[0])
    loop = _loop_over_tables(index)
    try:
        with np.errstate(all="ignore"):
            loop(tables, margins.row_totals, margins.column_totals, values)
    except Exception as error:
        if tables.shape[0] == 1:
            raise _failure(index, error, f"the table {shown(tables[0])}") from error
        for t in range(tables.shape[0]):
            values_of_tables(index, tables[t : t + 1], margins)
        raise
    return (
        link_totals(index, values, margins)
        if index.needs == "cells"
        else _with_undefined(index, values, margins)
    )


def total_of_cells(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins
) -> float:
    """Sum over the cells of a ``"cells"`` index of one table, its non-empty cells given as a list."""
    compiled = compiled_function(index)
    arrays = (_read_only(rows), _read_only(columns), _read_only(counts))
    totals = (margins.row_totals, margins.column_totals)
    try:
        with np.errstate(all="ignore"):
            if compiled is None:
                phi = _returning_a_number(index.function)
                return loops.sum_over_listed_cells(phi, *arrays, *totals)
            loop = loops.compiled_loop(loops.sum_over_listed_cells)
            return float(loop(compiled, *arrays, *totals))
    except Exception as error:
        cells = [(int(i), int(j), int(x)) for i, j, x in zip(*arrays, strict=True)]
        raise _failure(index, error, f"the table with cells (row, column, count) {cells[:9]}") from error


def link_totals(index: Index, totals: Floats, margins: Margins) -> Floats:
    """Sums over cells to values of the index, shape (m,)."""
    if index.link is None:
        return _with_undefined(index, totals, margins)
    try:
        with np.errstate(all="ignore"):
            linked = np.asarray(index.link(totals, margins.row_totals, margins.column_totals))
            values = np.broadcast_to(linked.astype(np.float64), totals.shape)
            return _with_undefined(index, values, margins)
    except Exception as error:
        raise _failure(index, error, f"the cell sums {totals[:3].tolist()} (its `link`)") from error


def value_at_zero_over_zero(index: Index, n: int, squared_rows: Any, squared_columns: Any) -> Any:
    """What stands for 0/0: `best` where both clusterings are one cluster or both are singletons.

    Elementwise on ``sum row**2`` and ``sum column**2``: n**2 for one cluster, n for singletons.
    """
    if index.best is None:
        return index.undefined
    same = (squared_rows == squared_columns) & ((squared_rows == n) | (squared_rows == n**2))
    return np.where(same, index.best, index.undefined)


def _as_numbers(found: Any, shape: tuple[int, ...]) -> Floats:
    values = np.asarray(found)
    if values.dtype.kind not in "fiub" or values.shape not in ((), shape):
        raise TypeError(f"expected a number for each table, got {values!r}")
    return np.broadcast_to(values.astype(np.float64), shape)


def _with_undefined(index: Index, values: Floats, margins: Margins) -> Floats:
    missing = np.isnan(values)
    if not missing.any():
        return values
    squares = (int((totals**2).sum()) for totals in (margins.row_totals, margins.column_totals))
    return np.where(missing, value_at_zero_over_zero(index, margins.n, *squares), values)


def labels_of_table(table: Integers) -> tuple[Integers, Integers]:
    """Two label vectors with this table: the objects in the order of its cells, row by row."""
    rows, columns = np.nonzero(table)
    counts = table[rows, columns]
    return np.repeat(rows, counts), np.repeat(columns, counts)


def warn_if_not_compiled(index: Index) -> None:
    """Say once that an index runs as Python, and why; called where the user's call enters, not in workers."""
    if index.needs in ("table", "cells"):
        compiled, reason = _compile(index.function, index.needs)
        if compiled is None:
            _warn_once(index.name, reason)


def compiled_function(index: Index) -> Callable[..., Any] | None:
    """Function of a ``"table"`` or ``"cells"`` index compiled for its loop, or None when Numba cannot."""
    return _compile(index.function, index.needs)[0]


def _loop_over_tables(index: Index) -> Callable[..., None]:
    """``loop(tables, row_totals, column_totals, out)`` for this index, compiled where it can be."""
    if index.needs == "labels":
        checked = _returning_a_number(index.function)
        return functools.partial(
            loops.apply_to_tables, lambda table, rows, columns: checked(*labels_of_table(table))
        )
    loop = loops.sum_over_cells if index.needs == "cells" else loops.apply_to_tables
    compiled = compiled_function(index)
    if compiled is None:
        return functools.partial(loop, _returning_a_number(index.function))
    return functools.partial(loops.compiled_loop(loop), compiled)


@functools.lru_cache(maxsize=512)
def _compile(function: Callable[..., Any], needs: str) -> tuple[Callable[..., Any] | None, str]:
    signature = loops.TABLE_SIGNATURE if needs == "table" else loops.CELL_SIGNATURE
    plain = getattr(function, "py_func", function)
    # The catalogue's own are kept on disk. A user's may have no file, or globals that change between runs.
    file = Path(getattr(getattr(plain, "__code__", None), "co_filename", ""))
    own = Path(__file__).parent in file.parents
    options = OPTIONS if own else {"nogil": True}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return njit(signature, **options)(plain), ""
    except (NumbaError, TypeError, NotImplementedError, AttributeError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return None, f"{type(error).__name__}: {' '.join(lines[:2])}"


@functools.cache
def _warn_once(name: str, reason: str) -> None:
    warnings.warn(
        f"Index {name!r} could not be compiled and runs as Python, far slower. Numba says: {reason[:300]}",
        RuntimeWarning,
        stacklevel=_levels_to_the_caller(),
    )


def _levels_to_the_caller() -> int:
    """How many calls up the first frame outside the package is, as `warnings.warn` counts."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("chancecorr."):
        level, frame = level + 1, frame.f_back
    return level


def _pair_counts(pair_sums: Integers, margins: Margins) -> tuple[Floats, Floats, Floats, Floats]:
    """Pair counts a, b, c, d as float64, from exact int64, where ``T = sum n_ij**2`` is given."""
    n = margins.n
    within_rows = int((margins.row_totals**2).sum())
    within_columns = int((margins.column_totals**2).sum())
    a = (pair_sums - n) // 2
    b = (within_rows - pair_sums) // 2
    c = (within_columns - pair_sums) // 2
    d = n * (n - 1) // 2 - a - b - c
    return a.astype(np.float64), b.astype(np.float64), c.astype(np.float64), d.astype(np.float64)


def _returning_a_number(function: Callable[..., Any]) -> Callable[..., float]:
    def checked(*arguments: Any) -> float:
        value = function(*arguments)
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if not isinstance(value, Real | np.bool_):
            raise TypeError(f"expected a number, got {value!r}")
        return float(value)

    return checked


def _failure(index: Index, error: Exception, where: str) -> IndexEvaluationError:
    return IndexEvaluationError(f"Index {index.name!r} failed on {where}: {_describe(error)}.")


def shown(table: Integers) -> str:
    """A table for a message: whole up to 100 cells, else its shape and first cells."""
    if table.size <= 100:
        return str(table.tolist())
    return f"of shape {table.shape} that begins {table[0, :5].tolist()}"


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _read_only(array: Integers) -> Integers:
    array = np.ascontiguousarray(array).view()
    array.flags.writeable = False
    return array
