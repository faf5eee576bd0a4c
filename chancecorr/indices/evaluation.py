"""The values of an index on many tables at once, whatever it needs, and what happens when it fails.

One function for each signature that an index may have; which of them serves an index, its kind tells
(`chancecorr.kinds`). A function of a table or of a cell is compiled when Numba can; else it runs as Python,
after one warning. One that raises, or returns something other than a number, is reported with its name and
the table. The compiled function of a user has a trial first, see `chancecorr.indices.trial`.
"""

import functools
import warnings
from collections.abc import Callable, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError, levels_to_the_caller
from chancecorr.indices import loops
from chancecorr.indices.registry import Index
from chancecorr.indices.trial import (
    FEW,
    Fault,
    fault_of_cell_function,
    fault_of_range,
    fault_of_table_function,
)
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import compiler
from chancecorr.tables.contingency import Margins, pair_counts_of, twice_pair_counts

MOST_LABELLED = 1_000_000_000
"""Objects up to which two label vectors are laid out for a function of them."""


class IndexEvaluationError(RuntimeError):
    """An index raised, returned something other than a number, or failed its trial; the message names it.

    It also names the table or the cell. The trial of a user's compiled function: it must give the same value
    twice, the same as Python, and one within the index's `range`.

    Parameters
    ----------
    message : str
        What happened, on which table.
    pair_sum : int, optional
        ``T = sum n_ij**2`` of the table, where the index saw the pair counts only.

    Attributes
    ----------
    pair_sum : int or None
        The same.

    Examples
    --------
    >>> from chancecorr import score_table
    >>> broken = Index(name="broken", function=lambda table, rows, columns: "no number", needs="table")
    >>> try:
    ...     score_table([[2, 1], [0, 3]], broken)
    ... except IndexEvaluationError as error:
    ...     print("broken" in str(error))
    True
    """

    def __init__(self, message: str, pair_sum: int | None = None) -> None:
        super().__init__(message)
        self.pair_sum = pair_sum


def values_of_pair_sums(index: Index, T: Integers, margins: Margins) -> Floats:
    """Values of a ``"pairs"`` index where ``T = sum n_ij**2`` is given, shape (m,).

    The pair counts are exact integers before they become float64, so their products cannot overflow.
    """
    squares = margins.squares
    return _elementwise(
        index,
        lambda T, A, B: values_of_pair_counts(index, _as_floats(T, A, B, margins.n), margins),
        (T, np.full_like(T, squares[0]), np.full_like(T, squares[1])),
        margins.n,
    )


def values_of_varying_sums(index: Index, T: Integers, A: Integers, B: Integers, n: int) -> Floats:
    """Values of a ``"pairs"`` index on tables of n objects whose margins vary, T, A and B given, shape (m,).

    Examples
    --------
    >>> from chancecorr.indices.registry import get_index
    >>> sums = np.array([6, 12]), np.array([12, 20]), np.array([12, 18])
    >>> values_of_varying_sums(get_index("rand"), *sums, 6)
    array([0.6       , 0.53333333])
    """
    return _elementwise(
        index,
        lambda T, A, B: values_of_varying_pairs(index, _as_floats(T, A, B, n), (A, B), n),
        (T, A, B),
        n,
    )


def values_of_pair_counts(index: Index, counts: Sequence[Floats], margins: Margins) -> Floats:
    """Values of a ``"pairs"`` index where a, b, c, d are given, whole or not, each of shape (m,)."""
    totals = (margins.row_totals, margins.column_totals) if index.with_totals else ()
    with np.errstate(all="ignore"):
        values = _as_numbers(index.function(*counts, *totals), counts[0].shape)
    return _with_undefined(index, values, margins)


def values_of_varying_pairs(
    index: Index, counts: Sequence[Floats], squares: Sequence[Integers] | Sequence[Floats], n: int
) -> Floats:
    """The same for tables of n objects whose margins vary, ``sum row**2`` and ``sum column**2`` given."""
    with np.errstate(all="ignore"):
        values = _as_numbers(index.function(*counts), counts[0].shape)
    return np.where(np.isnan(values), value_at_zero_over_zero(index, n, *squares), values)


def totals_of_tables(index: Index, tables: Integers, margins: Margins) -> Floats:
    """Sums over the cells of a ``"cells"`` index, before its `link`, on tables of shape (m, K, Q)."""
    if tables.shape[0] and _is_untried(index, loops.CELL_SIGNATURE, margins):
        rows, columns = np.nonzero(tables[0])
        _try_on_cells(index, rows, columns, tables[0][rows, columns], margins)
    return _over_tables(index, loops.sum_over_cells, compiled_cell(index), tables, margins)


def values_of_tables(index: Index, tables: Integers, margins: Margins) -> Floats:
    """Values of a ``"table"`` index on tables of shape (m, K, Q)."""
    if tables.shape[0] and _is_untried(index, loops.TABLE_SIGNATURE, margins):
        _try_on_tables(index, tables[:FEW], margins)
    values = _over_tables(index, loops.apply_to_tables, compiled_table(index), tables, margins)
    return _with_undefined(index, values, margins)


def values_of_labels(index: Index, tables: Integers, margins: Margins) -> Floats:
    """Values of a ``"labels"`` index on tables of shape (m, K, Q)."""
    check_labels(index, margins)
    by_labels = _returning_a_number(index.function)

    def of_table(table: Integers, rows: Integers, columns: Integers) -> float:
        return by_labels(*labels_of_table(table))

    values = _over_tables(index, loops.apply_to_tables, None, tables, margins, of_table)
    return _with_undefined(index, values, margins)


def value_of_listed_table(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins
) -> float:
    """Value of a ``"table"`` index that has `from_cells`, on one table given as its non-empty cells."""
    if index.from_cells is None:
        raise ValueError(f"`index` must have `from_cells`; got {index.name!r}.")
    totals = (margins.row_totals, margins.column_totals)
    return _value_of_listed(index, index.from_cells, (rows, columns, counts, *totals), margins)


def value_of_listed_labels(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins
) -> float:
    """Value of a ``"labels"`` index on one table given as its non-empty cells."""
    check_labels(index, margins)
    labels = np.repeat(rows, counts), np.repeat(columns, counts)
    return _value_of_listed(index, index.function, labels, margins)


def total_of_cells(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins
) -> float:
    """Sum over the cells of a ``"cells"`` index of one table, its non-empty cells given as a list."""
    if _is_untried(index, loops.CELL_SIGNATURE, margins):
        _try_on_cells(index, rows, columns, counts, margins)
    compiled = compiled_cell(index)
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


def totals_less_one(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins
) -> Floats:
    """Sums over the cells of a ``"cells"`` index of one table without an object of each cell, shape (cells,).

    The table is given as the list of its non-empty cells.
    """
    if _is_untried(index, loops.CELL_SIGNATURE, margins):
        _try_on_cells(index, rows, columns, counts, margins)
    compiled = compiled_cell(index)
    arrays = (_read_only(rows), _read_only(columns), _read_only(counts))
    totals, sums = (margins.row_totals, margins.column_totals), np.empty(counts.size)
    run = loops.compiled_loop(loops.sums_less_one) if compiled else loops.sums_less_one
    try:
        with np.errstate(all="ignore"):
            run(compiled or _returning_a_number(index.function), *arrays, *totals, sums)
    except Exception as error:
        cells = [(int(i), int(j), int(x)) for i, j, x in zip(*arrays, strict=True)]
        where = f"the table with cells (row, column, count) {cells[:9]}, without one of its objects"
        raise _failure(index, error, where) from error
    return sums


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


def check_labels(index: Index, margins: Margins) -> None:
    """Raise if there are too many objects for their labels to be laid out."""
    if margins.n > MOST_LABELLED:
        raise ArgumentValueError(
            "index",
            f"must not need labels for more than {MOST_LABELLED} objects, which fill 16 GB; there are"
            f" {margins.n} objects, and got {index.name!r}.",
        )


def _value_of_listed(
    index: Index, function: Callable[..., Any], arguments: tuple[Integers, ...], margins: Margins
) -> float:
    try:
        with np.errstate(all="ignore"):
            value = _returning_a_number(function)(*arguments)
    except Exception as error:
        shape = margins.row_totals.size, margins.column_totals.size
        raise _failure(index, error, f"a table of shape {shape}, from its non-empty cells") from error
    return float(_with_undefined(index, np.array([value]), margins)[0])


def _as_numbers(found: Any, shape: tuple[int, ...]) -> Floats:
    values = np.asarray(found)
    if values.dtype.kind not in "fiub" or values.shape not in ((), shape):
        raise TypeError(f"expected a number for each table, got {values!r}")
    return np.broadcast_to(values.astype(np.float64), shape)


def _with_undefined(index: Index, values: Floats, margins: Margins) -> Floats:
    missing = np.isnan(values)
    if not missing.any():
        return values
    return np.where(missing, value_at_zero_over_zero(index, margins.n, *margins.squares), values)


def labels_of_table(table: Integers) -> tuple[Integers, Integers]:
    """Two label vectors with this table: the objects in the order of its cells, row by row."""
    rows, columns = np.nonzero(table)
    counts = table[rows, columns]
    return np.repeat(rows, counts), np.repeat(columns, counts)


def compiled_table(index: Index) -> Callable[..., Any] | None:
    """Function of a ``"table"`` index compiled for its loop, or None when Numba cannot."""
    return _compile(index.function, loops.TABLE_SIGNATURE)[0]


def compiled_cell(index: Index) -> Callable[..., Any] | None:
    """Function of a ``"cells"`` index compiled for its loop, or None when Numba cannot.

    With a check of bounds, which costs nothing unless the function reads an array from elsewhere.
    """
    return _compile(index.function, loops.CELL_SIGNATURE, boundscheck=True)[0]


def warn_if_not_compiled(index: Index, signature: Any) -> None:
    """Say once that an index runs as Python, and why; called where the user's call enters, not in workers."""
    boundscheck = signature == loops.CELL_SIGNATURE
    compiled, reason = _compile(index.function, signature, boundscheck=boundscheck)
    if compiled is None:
        _warn_once(index.name, reason)


@functools.lru_cache(maxsize=512)
def _compile(
    function: Callable[..., Any], signature: Any, *, boundscheck: bool = False
) -> tuple[Callable[..., Any] | None, str]:
    # The catalogue's own are kept on disk. A user's may have no file, or globals that change between runs.
    machine, plain = compiler(), _as_python(function)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", machine.NumbaWarning)
            if _is_of_the_catalogue(function):
                return machine.compiled(plain, signature), ""
            return machine.numba.njit(signature, nogil=True, boundscheck=boundscheck)(plain), ""
    except (machine.NumbaError, TypeError, NotImplementedError, AttributeError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return None, f"{type(error).__name__}: {' '.join(lines[:2])}"


def try_on_margins(index: Index, margins: Margins) -> None:
    """Try the compiled function of a ``"cells"`` index on one table with these margins.

    For what calls it on cells without a table. In this table the objects fill the rows and the columns in
    their order.
    """
    if _is_untried(index, loops.CELL_SIGNATURE, margins):
        ends = [np.cumsum(totals) for totals in (margins.row_totals, margins.column_totals)]
        last = np.union1d(*ends)
        counts = np.diff(last, prepend=0)
        rows, columns = (np.searchsorted(end, last[counts > 0]) for end in ends)
        _try_on_cells(index, rows, columns, counts[counts > 0], margins)


def _try_on_tables(index: Index, tables: Integers, margins: Margins) -> None:
    """Raise if the compiled function of a table fails its trial on one of a few tables, or leaves an array.

    The trial has machine code of its own, which checks all bounds: in loops that takes 1.2 to 1.5 times as
    long. So the code for the run does not.
    """
    checked = _compile(index.function, loops.TABLE_SIGNATURE, boundscheck=True)[0]
    if checked is None:
        return
    for table in tables:
        try:
            fault = fault_of_table_function(_as_python(index.function), checked, table, index.range)
        except Exception as error:
            raise _failure(index, error, f"the table {shown(table)}") from error
        if fault:
            raise _failure_of_trial(index, fault, f"the table {shown(fault.where)}")
    _tried(index.function, loops.TABLE_SIGNATURE).add(_class_of(margins))


def _try_on_cells(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins
) -> None:
    """Raise where the compiled function of a cell is not to be trusted on the cells of this table."""
    compiled = compiled_cell(index)
    if compiled is None:
        return
    # cells of all sizes, the largest among them
    some = np.argsort(-counts, kind="stable")[:: max(1, -(-counts.size // FEW))]
    sides = (counts[some], margins.row_totals[rows[some]], margins.column_totals[columns[some]])
    n = float(margins.n)
    cells = [(float(x), float(row), float(column), n) for x, row, column in zip(*sides, strict=True)]
    try:
        fault = fault_of_cell_function(_as_python(index.function), compiled, cells)
    except Exception:  # the run that was asked for meets it again
        return
    if fault:
        raise _failure_of_trial(index, fault, f"the cell (n_ij, row_i, column_j, n) = {fault.where}")
    _tried(index.function, loops.CELL_SIGNATURE).add(_class_of(margins))
    try:
        total = total_of_cells(index, rows, columns, counts, margins)
    except IndexEvaluationError:  # said where the value is wanted
        return
    outside = fault_of_range(float(link_totals(index, np.array([total]), margins)[0]), index.range)
    if outside:
        _tried(index.function, loops.CELL_SIGNATURE).discard(_class_of(margins))
        listed = [(int(i), int(j), int(x)) for i, j, x in zip(rows[:9], columns[:9], counts[:9], strict=True)]
        where = f"the table with cells (row, column, count) {listed}"
        raise _failure_of_trial(index, Fault(listed, outside), where)


def _is_untried(index: Index, signature: str, margins: Margins) -> bool:
    if _is_of_the_catalogue(index.function):
        return False
    return _class_of(margins) not in _tried(index.function, signature)


@functools.lru_cache(maxsize=512)
def _tried(function: Callable[..., Any], signature: str) -> set[tuple[int, ...]]:
    """Classes of margins on which a function has passed its trial."""
    return set()


def _class_of(margins: Margins) -> tuple[int, ...]:
    """Margins with one trial for all: out-of-bounds access depends on the shape, int64 overflow on n."""
    return margins.row_totals.size, margins.column_totals.size, margins.n.bit_length()


@functools.lru_cache(maxsize=512)
def _is_of_the_catalogue(function: Callable[..., Any]) -> bool:
    file = Path(getattr(getattr(_as_python(function), "__code__", None), "co_filename", ""))
    return Path(__file__).parent in file.parents


def _as_python(function: Callable[..., Any]) -> Callable[..., Any]:
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain


def _over_tables(
    index: Index,
    loop: Callable[..., None],
    compiled: Callable[..., Any] | None,
    tables: Integers,
    margins: Margins,
    plain: Callable[..., Any] | None = None,
) -> Floats:
    """What a loop finds on each of the tables, by the compiled function or as Python.

    Where that fails, the tables are gone through one by one, so that the error names the first to blame.
    """
    tables = tables.view()
    tables.flags.writeable = False
    values = np.empty(tables.shape[0])
    function, run = compiled, loops.compiled_loop(loop) if compiled else loop
    if function is None:
        function = plain or _returning_a_number(index.function)
    try:
        with np.errstate(all="ignore"):
            run(function, tables, margins.row_totals, margins.column_totals, values)
    except Exception as error:
        if tables.shape[0] == 1:
            raise _failure(index, error, f"the table {shown(tables[0])}") from error
        for t in range(tables.shape[0]):
            _over_tables(index, loop, compiled, tables[t : t + 1], margins, plain)
        raise _failure(index, error, f"one of {tables.shape[0]} tables, but on none of them again") from error
    return values


def _elementwise(
    index: Index, evaluate: Callable[..., Floats], sums: tuple[Integers, Integers, Integers], n: int
) -> Floats:
    """Values where T, A and B are given; an error names the pair counts, or blames the use of arrays."""
    try:
        return evaluate(*sums)
    except Exception as error:
        size = sums[0].size
        if size == 1:
            T, A, B = (int(each[0]) for each in sums)
            a, b, c, d = pair_counts_of(T, A, B, n)
            failure = _failure(index, error, f"a table with a={a}, b={b}, c={c}, d={d}")
            failure.pair_sum = int(sums[0][0])
            raise failure from error
        for t in range(size):
            _elementwise(index, evaluate, (sums[0][t : t + 1], sums[1][t : t + 1], sums[2][t : t + 1]), n)
        raise IndexEvaluationError(
            f"Index {index.name!r} must work elementwise on arrays; it works on single tables, but on"
            f" {size} together it raised {_describe(error)}. Use numpy.where, numpy.sqrt, ..."
        ) from error


@functools.cache
def _warn_once(name: str, reason: str) -> None:
    warnings.warn(
        f"Index {name!r} could not be compiled and runs as Python, far slower. Numba says: {reason[:300]}",
        RuntimeWarning,
        stacklevel=levels_to_the_caller(),
    )


def _as_floats(T: Integers, A: Integers, B: Integers, n: int) -> tuple[Floats, ...]:
    """Pair counts a, b, c, d as float64, from exact int64."""
    return tuple((twice // 2).astype(np.float64) for twice in twice_pair_counts(T, A, B, n))


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


def _failure_of_trial(index: Index, fault: Fault, where: str) -> IndexEvaluationError:
    return IndexEvaluationError(f"Index {index.name!r} failed on {where}: it {fault.what}.")


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
