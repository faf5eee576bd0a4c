"""Values of an index on many tables of counts or of weights.

There is one function for each signature of an index; `chancecorr.chance.engines` chooses.
"""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chancecorr.indices.calling import IndexEvaluationError as IndexEvaluationError
from chancecorr.indices.calling import (
    apply_to_tables,
    call_loop,
    check_whole_numbers,
    compile_loop,
    explain_failure,
    get_python_function,
    is_of_the_catalogue,
    name_failures,
    require_number,
    run_loop,
    runs_as_python,
    sum_over_cells,
    sum_over_listed_cells,
    sum_over_weighted_cells,
    sum_without_one,
)
from chancecorr.indices.calling import shown as shown
from chancecorr.indices.index import Index
from chancecorr.machine import compiling
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers, read_only
from chancecorr.machine.kernel import make_plain
from chancecorr.tables.contingency import ManyMargins, Margins, compute_pair_counts, double_pair_counts

MOST_LABELLED = 1_000_000_000  # two label vectors are made for at most this number of objects
Squares = Sequence[Any]  # ``sum row**2`` and ``sum column**2``, numbers or arrays


def evaluate_pair_sums(index: Index, T: Integers, margins: Margins | ManyMargins) -> Floats:
    """Return the values of a ``"pairs"`` index for values of ``T = sum n_ij**2``, shape (m,)."""
    if index.with_totals and isinstance(margins, ManyMargins) and margins.row_totals.ndim > 1:
        return _evaluate_one_by_one(evaluate_pair_sums, index, T, margins)
    A, B = (np.full_like(T, square) for square in margins.squares)
    totals = (margins.row_totals, margins.column_totals) if index.with_totals else ()
    return evaluate_varying_sums(index, T, A, B, margins.n, totals)


def evaluate_pair_counts(index: Index, counts: Sequence[Floats], margins: Margins) -> Floats:
    """Return the values of a ``"pairs"`` index for pair counts a, b, c, d (float or int) of shape (m,)."""
    totals = (margins.row_totals, margins.column_totals) if index.with_totals else ()
    return evaluate_varying_pairs(index, counts, margins.squares, margins.n, totals)


def _evaluate_one_by_one(
    evaluate: Callable[..., Floats], index: Index, numbers: Any, margins: ManyMargins
) -> Floats:
    """Evaluate m tables one by one from one number each, for an index that needs their margins."""
    values = (evaluate(index, numbers[t : t + 1], margins.select(t)) for t in range(numbers.size))
    return np.concatenate(list(values) or [np.empty(0)])


def sum_over_tables(index: Index, tables: Integers, margins: Margins | ManyMargins) -> Floats:
    """Return the sums over cells of a ``"cells"`` index, before its `link`, on tables (m, K, Q)."""
    return _evaluate_tables(index, sum_over_cells, tables, margins)


def evaluate_tables(index: Index, tables: Integers, margins: Margins | ManyMargins) -> Floats:
    """Return the values of a ``"table"`` or ``"labels"`` index on tables of shape (m, K, Q)."""
    if index.needs == "labels":
        check_labels(index, margins)
    elif tables.shape[0] and not is_of_the_catalogue(index.function):
        check_whole_numbers(index, tables[0])
    loop = _apply_to_labels if index.needs == "labels" else apply_to_tables
    values = _evaluate_tables(index, loop, tables, margins)
    return replace_undefined(index, values, margins.squares, margins.n)


def _apply_to_labels(
    function: Callable[..., Any], tables: Integers, row_totals: Integers, column_totals: Integers, out: Floats
) -> None:
    """Write ``out[t] = function(labels, labels)`` for table t; objects follow its cells row by row."""
    for t, table in enumerate(tables):
        rows, columns = np.nonzero(table)
        counts = table[rows, columns]
        out[t] = function(np.repeat(rows, counts), np.repeat(columns, counts))


def evaluate_listed_cells(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins | ManyMargins
) -> float:
    """Evaluate an index with `from_cells`, or of labels, on one table given by its non-empty cells."""
    function, arguments = index.from_cells, [rows, columns, counts, margins.row_totals, margins.column_totals]
    if function is None:
        check_labels(index, margins)
        function, arguments = index.function, [np.repeat(rows, counts), np.repeat(columns, counts)]
    shape = margins.row_totals.size, margins.column_totals.size
    with name_failures(index, f"a table of shape {shape}, from its non-empty cells"):
        value = require_number(function)(*arguments)
    return float(replace_undefined(index, np.array([value]), margins.squares, margins.n)[0])


def evaluate_listed_tables(
    index: Index, rows: Integers, columns: Integers, counts: Integers, ends: Integers,
    margins: Margins | ManyMargins,
) -> Floats:  # fmt: skip
    """Do the same as `evaluate_listed_cells` for several tables; table t's cells end at ``ends[t + 1]``."""
    cells = [slice(start, end) for start, end in itertools.pairwise(ends.tolist())]
    return np.array([evaluate_listed_cells(index, rows[x], columns[x], counts[x], margins) for x in cells])


def sum_listed_tables(
    index: Index, rows: Integers, columns: Integers, counts: Integers, ends: Integers,
    margins: Margins | ManyMargins,
) -> Floats:  # fmt: skip
    """Return the sums over listed cells of several tables, for a ``"cells"`` index, before its `link`."""
    sums = np.empty(ends.size - 1)
    _sum_over_cells(index, sum_over_listed_cells, (rows, columns, counts, ends), margins, sums)
    return sums


def sum_listed_cells(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins | ManyMargins
) -> float:
    """Return the sum over the non-empty cells of one table, for a ``"cells"`` index."""
    ends = np.array([0, counts.size])
    return float(sum_listed_tables(index, rows, columns, counts, ends, margins)[0])


def expect_tables(index: Index, shape: tuple[int, int], n_tables: int, *, listed: int = 0) -> None:
    """Announce that an index will be evaluated on `n_tables` tables, to decide whether to compile.

    `listed` is the number of cells listed for each table, or 0 if tables are laid out.
    """
    if index.needs not in ("cells", "table") or not is_of_the_catalogue(index.function):
        return
    if not listed:
        loop, cells = sum_over_cells if index.needs == "cells" else apply_to_tables, (n_tables, *shape)
        runs_as_python(loop, index, np.broadcast_to(np.int64(0), cells))
    elif index.needs == "cells":
        nothing = np.broadcast_to(np.int64(0), n_tables * listed)
        runs_as_python(sum_over_listed_cells, index, nothing, nothing, nothing)


def sum_cells_without_one(
    index: Index, rows: Integers, columns: Integers, counts: Integers, margins: Margins
) -> Floats:
    """Return the sums over the cells of a table after removing an object of each cell, shape (cells,)."""
    sums, by_column = np.empty(counts.size), read_only(np.argsort(columns, kind="stable"))
    _sum_over_cells(index, sum_without_one, (rows, columns, counts), margins, by_column, sums)
    return sums


def link_totals(index: Index, totals: Floats, margins: Margins | ManyMargins) -> Floats:
    """Return the values of a ``"cells"`` index from sums over cells, shape (m,)."""
    if index.link is not None and isinstance(margins, ManyMargins) and margins.row_totals.ndim > 1:
        return _evaluate_one_by_one(link_totals, index, totals, margins)
    values = totals
    if index.link is not None:
        with name_failures(index, f"the cell sums {totals[:3].tolist()} (its `link`)"):
            linked = np.asarray(index.link(totals, margins.row_totals, margins.column_totals))
            values = np.broadcast_to(linked.astype(np.float64), totals.shape)
    return replace_undefined(index, values, margins.squares, margins.n)


def check_labels(index: Index, margins: Margins | ManyMargins) -> None:
    """Raise if label vectors of all objects would not fit into memory."""
    if margins.n > MOST_LABELLED:
        raise ArgumentValueError(
            "index",
            f"must not need labels for more than {MOST_LABELLED} objects, which fill 16 GB; there are"
            f" {margins.n} objects, and got {index.name!r}.",
        )


def _evaluate_tables(
    index: Index, loop: Callable[..., None], tables: Integers, margins: Margins | ManyMargins
) -> Floats:
    """Evaluate all tables; if this fails, evaluate them one by one so that the error names the first."""
    m, values = tables.shape[0], np.empty(tables.shape[0])
    tables, rows, columns = (
        read_only(np.ascontiguousarray(array))
        for array in (tables, np.atleast_2d(margins.row_totals), np.atleast_2d(margins.column_totals))
    )
    varies = len(rows) > 1
    try:
        with np.errstate(all="ignore"):
            if m:
                call_loop(loop, index, tables, rows, columns, values)
    except Exception as error:
        for t in range(m) if m > 1 else ():
            own = ManyMargins(rows, columns, margins.n).select(t if varies else 0)
            _evaluate_tables(index, loop, tables[t : t + 1], own)
        place = f"the table {shown(tables[0])}" if m == 1 else f"one of {m} tables"
        raise explain_failure(index, place, error) from error
    return values


def _sum_over_cells(
    index: Index, loop: Callable[..., Any], cells: tuple[Integers, ...], margins: Margins | ManyMargins,
    *more: Any,
) -> Any:  # fmt: skip
    """Run a loop over non-empty cells (rows, columns, counts) of tables with their ends."""
    arrays = map(read_only, map(np.ascontiguousarray, (*cells, margins.row_totals, margins.column_totals)))
    first = list(zip(*(array[:9].tolist() for array in cells[:3]), strict=True))
    return run_loop(loop, index, f"the table with cells (row, column, count) {first}", *arrays, *more)


def evaluate_varying_sums(
    index: Index, T: Integers, A: Integers, B: Integers, n: int, totals: tuple[Integers, ...] = ()
) -> Floats:
    """Return the values of a ``"pairs"`` index on tables with different margins, from T, A and B."""
    try:
        counts = tuple((twice // 2).astype(np.float64) for twice in double_pair_counts(T, A, B, n))
        return evaluate_varying_pairs(index, counts, (A, B), n, totals)
    except Exception as error:
        if T.size == 1:
            a, b, c, d = compute_pair_counts(int(T[0]), int(A[0]), int(B[0]), n)
            raise explain_failure(
                index, f"a table with a={a}, b={b}, c={c}, d={d}", error, int(T[0])
            ) from error
        for t in range(T.size):
            one = slice(t, t + 1)
            evaluate_varying_sums(index, T[one], A[one], B[one], n, totals)
        failure = explain_failure(index, f"{T.size} tables together", error)
        raise IndexEvaluationError(
            f"Index {index.name!r} must work elementwise on arrays; it works on single tables, but on"
            f" {T.size} together it raised {str(failure).partition(': ')[2]} Use numpy.where, numpy.sqrt, ..."
        ) from error


def evaluate_varying_pairs(
    index: Index, counts: Sequence[Floats], squares: Squares, n: int, totals: tuple[Integers, ...] = ()
) -> Floats:
    """Return the values of a ``"pairs"`` index for pair counts of tables with different margins."""
    with np.errstate(all="ignore"):
        values = np.asarray(index.function(*counts, *totals))
    shape = counts[0].shape
    if values.dtype.kind not in "fiub" or values.shape not in ((), shape):
        raise TypeError(f"expected a number for each table, got {values!r}")
    values = values.astype(np.float64)
    if values.shape != shape:  # otherwise it could not be written to
        values = np.broadcast_to(values, shape)
    return replace_undefined(index, values, squares, n)


def replace_undefined(index: Index, values: Floats, squares: Squares, n: int) -> Floats:
    """Replace 0/0: by `best` if both clusterings are one cluster or singletons, else by `undefined`."""
    if not np.isnan(values).any():
        return values
    # the sum of squares is n**2 for one cluster and n for singletons
    same = (squares[0] == squares[1]) & ((squares[0] == n) | (squares[0] == n**2))
    best = index.undefined if index.best is None else index.best
    return np.where(np.isnan(values), np.where(same, best, index.undefined), values)


SECONDS_OF_A_WEIGHTED_TABLE = 5e-5  # time in plain Python

TABLES = (((3, 1, 0), (0, 1, 1)), ((5, 2), (1, 4)), ((2, 0, 1), (1, 3, 0), (0, 1, 2)))
UNITS = (1.0, 2.0, 0.3)
"""Tables and units of weights, for a test whether an index depends on the unit."""


def is_weightable(index: Index) -> bool:
    """Return True if the index is defined for weights: a pair-counting index, or one without a unit."""
    if index.needs in ("pairs", "labels", "agreement") or index.with_totals:
        return index.needs == "pairs" and not index.with_totals
    whole = [np.array(table) for table in TABLES]
    if index.named:  # these need square tables
        whole = [np.pad(table, [(0, max(table.shape) - size) for size in table.shape]) for table in whole]
    tables = [[unit * table[np.newaxis] for table in whole] for unit in UNITS]

    def evaluate(table: Floats) -> float:
        return float(evaluate_weighted(index, table, table.sum(), 0.0, is_trivial=False)[0])

    try:
        values = np.array([[evaluate(table) for table in row] for row in tables])
    except IndexEvaluationError:  # an index of integers
        return False
    scaled = (np.outer(np.power(UNITS, power), values[0]) for power in (0, 1))
    # the value is unchanged or multiplied
    return any(np.allclose(values, one, rtol=1e-12, atol=0.0) for one in scaled)


# values of a, b, c, d that are sums of weights
PAIR_COUNTS = np.array(list(itertools.product((0.0, 0.1, 1.0, 10.0), repeat=4))).T


def loosen_range(index: Index) -> Index:
    """Return the index with a wider range, because sums of weights may exceed the range for pair counts."""
    if index.needs != "pairs" or index.with_totals or not is_of_the_catalogue(index.function):
        return index
    return _loosen_range(index)


@functools.cache
def _loosen_range(index: Index) -> Index:
    """Widen the range of a pair-counting index."""
    nothing = np.zeros(PAIR_COUNTS.shape[1], dtype=np.int64)
    values = evaluate_varying_pairs(index, tuple(PAIR_COUNTS), (nothing, nothing), 2)
    (low, high), slack = index.range, 1e-9
    if np.fmin.reduce(values) >= low - slack and np.fmax.reduce(values) <= high + slack:
        return index
    return replace(index, range=(-math.inf, math.inf), is_distance=not index.larger_is_better)


def _choose_for_weights(index: Index, n_tables: int) -> Callable[..., Any]:
    """Return the function of a ``"table"`` index for `n_tables` tables of weights, plain or compiled."""
    plain, name = get_python_function(index.function), f"{index.name} of weights"
    if not is_of_the_catalogue(plain):
        return plain
    seconds = SECONDS_OF_A_WEIGHTED_TABLE * n_tables
    if not compiling.runs_as_python(name, seconds, compiling.get_full_name(plain)):
        return compile_loop(plain)
    compiling.add_seconds(name, seconds)
    return make_plain(plain)


ROUNDING_OF_WEIGHTED_PAIRS = 1e-14  # a smaller share of all ordered pairs is only rounding


def evaluate_weighted(
    index: Index, tables: Floats, n: float, square_of_objects: float, *, is_trivial: bool
) -> Floats:
    """Return values on tables of weights, shape (m, K, Q), from sums of weights and of squared weights.

    `is_trivial` is True if both clusterings are one cluster, or both singletons; it decides values of 0/0.
    """
    ones = np.ones(len(tables), dtype=np.int64)
    # one object is one cluster; two objects with squares of 1 are not trivial
    sizes = (ones, ones), 1 if is_trivial else 2
    if index.needs == "pairs":
        T = (tables**2).sum(axis=(1, 2))
        A, B = ((tables.sum(axis=axis) ** 2).sum(axis=1) for axis in (2, 1))
        twice = (T - square_of_objects, A - T, B - T, n * n - A - B + T)
        least = ROUNDING_OF_WEIGHTED_PAIRS * n * n
        counts = tuple(np.where(doubled > least, doubled, 0.0) / 2.0 for doubled in twice)
        return evaluate_varying_pairs(index, counts, *sizes)
    values = np.empty(len(tables))
    if index.needs == "table":
        function = require_number(_choose_for_weights(index, len(tables)))
        with name_failures(index, "a table of weights"):
            for t, table in enumerate(tables):
                values[t] = function(table, table.sum(axis=1), table.sum(axis=0))
        return replace_undefined(index, values, *sizes)
    run_loop(sum_over_weighted_cells, index, "a table of weights", tables, n, values)
    if index.link is not None:
        with name_failures(index, "a sum over cells with weights (its `link`)"):
            for t, table in enumerate(tables):
                values[t] = index.link(values[t : t + 1], table.sum(axis=1), table.sum(axis=0))[0]
    return replace_undefined(index, values, *sizes)
