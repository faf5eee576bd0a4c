"""A trial of a user's function: its machine code gives the same value twice, and gives it as Python as well.

Whole numbers beyond 64 bits wrap around in machine code. So the function runs once as Python, on floats, on a
table of few rows and columns that has all objects, because many objects make large numbers. The functions of
the catalogue are tested, and have no trial.
"""

import functools
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chancecorr.indices.calling import IndexEvaluationError, as_python, calling, shown, shown_cells
from chancecorr.indices.index import Index
from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import Margins

FEW = 4
"""Rows and columns, or cells, on which a function runs as Python."""

ROUNDING = 1e-6
"""How far two values may be apart, relative to the larger of them and 1. Sums in another order differ by much
less; whole numbers that wrapped around, or the number beyond an array, by much more."""

_passed: set[tuple[Callable[..., Any], int, int, int]] = set()
"""Functions that passed their trial, with the classes of margins."""


@functools.lru_cache(maxsize=512)
def is_of_the_catalogue(function: Callable[..., Any]) -> bool:
    """Whether a file of this room defines the function."""
    file = Path(getattr(getattr(as_python(function), "__code__", None), "co_filename", ""))
    return Path(__file__).parent in file.parents


def needs_trial(index: Index, margins: Margins) -> bool:
    """Whether an index is a user's, and had no trial on margins of this class."""
    return not is_of_the_catalogue(index.function) and _class_of(index, margins) not in _passed


def try_on_tables(index: Index, checked: Callable[..., Any], tables: Integers, margins: Margins) -> None:
    """Raise if the function of a table, compiled with checks of bounds, has a fault on a table."""
    for table in tables:
        with calling(index, f"the table {shown(table)}"):
            where, fault = _fault_on_table(index, checked, table)
        _raise_fault(index, fault, f"the table {shown(where)}")
    _passed.add(_class_of(index, margins))


def _fault_on_table(index: Index, checked: Callable[..., Any], table: Integers) -> tuple[Integers, str]:
    """The table that shows a fault, and the fault; empty if there is none."""
    few, plain = _with_few_clusters(table), as_python(index.function)
    value, fault = _value_or_fault(checked, _with_totals(table))
    if fault:
        return table, fault
    exact = [_with_totals(few.astype(np.float64)), _with_totals(few)]
    fault = _difference(plain, checked, _with_totals(few), exact)
    return (few, fault) if fault else (table, _outside(value, index))


def try_on_cells(
    index: Index,
    compiled: Callable[..., Any],
    cells: tuple[Integers, Integers, Integers],
    margins: Margins,
) -> None:
    """Raise if the compiled function of a cell has a fault on these rows, columns, counts of a table."""
    rows, columns, counts = cells
    sides = (counts, margins.row_totals[rows], margins.column_totals[columns])
    every = [
        (float(x), float(row), float(column), float(margins.n)) for x, row, column in zip(*sides, strict=True)
    ]
    # cells of all sizes, the largest among them
    some = np.argsort(-counts, kind="stable")[:: max(1, -(-counts.size // FEW))]
    for cell in (every[k] for k in some):
        try:
            fault = _value_or_fault(compiled, cell)[1]
            fault = fault or _difference(as_python(index.function), compiled, cell, [cell])
        except Exception:  # the run that was asked for meets it again
            return
        _raise_fault(index, fault, f"the cell (n_ij, row_i, column_j, n) = {cell}")
    _passed.add(_class_of(index, margins))
    try:
        total = np.array([math.fsum(compiled(*cell) for cell in every)])
        linked = index.link(total, margins.row_totals, margins.column_totals) if index.link else total
        fault = _outside(float(linked[0]), index)
    except Exception:
        return
    if fault:
        _passed.discard(_class_of(index, margins))
    _raise_fault(index, fault, shown_cells(*cells))


def _class_of(index: Index, margins: Margins) -> tuple[Callable[..., Any], int, int, int]:
    """Function and class of margins: out-of-bounds access depends on the shape, int64 overflow on n."""
    return index.function, margins.row_totals.size, margins.column_totals.size, margins.n.bit_length()


def _raise_fault(index: Index, fault: str, where: str) -> None:
    """Raise if there is a fault."""
    if fault:
        raise IndexEvaluationError(f"Index {index.name!r} failed on {where}: it {fault}.")


def _value_or_fault(compiled: Callable[..., Any], arguments: Sequence[Any]) -> tuple[float, str]:
    """Value of a compiled function, and a fault if another call gives another one."""
    with np.errstate(all="ignore"):
        one, two = float(compiled(*arguments)), float(compiled(*arguments))
    what = "cell" if isinstance(arguments[0], float) else "table"
    return one, "" if _same(one, two) else f"gave {one:.9g} and {two:.9g} on the same {what}"


def _outside(value: float, index: Index) -> str:
    """The fault of a value that is outside the index's range by more than rounding; nan never is."""
    slack = ROUNDING * max(1.0, abs(value)) if math.isfinite(value) else 0.0
    if value < index.range[0] - slack or value > index.range[1] + slack:
        return f"gave {value:.9g}, outside its `range` {index.range}"
    return ""


def _difference(
    plain: Callable[..., Any], compiled: Callable[..., Any], arguments: Sequence[Any], exact: Sequence[Any]
) -> str:
    """How a compiled value differs from Python's on the first of the `exact` arguments that Python takes."""
    for numbers in exact:
        try:
            with np.errstate(all="ignore"):
                found, wanted = float(compiled(*arguments)), float(plain(*numbers))
        except Exception:  # not a function of such numbers, or one that raises as machine code, too
            continue
        if abs(found - wanted) <= ROUNDING * max(1.0, abs(found), abs(wanted)) < math.inf:
            return ""
        if _same(found, wanted) or math.isnan(wanted):
            return ""
        return (
            f"gave {found:.9g} compiled, and {wanted:.9g} as Python on floats; whole numbers beyond 64 bits"
            " wrap around, so take floats"
        )
    return ""


def _with_few_clusters(table: Integers) -> Integers:
    """A table of at most `FEW` rows and columns, the last of which hold the objects of all others."""
    K, Q = (min(size, FEW) for size in table.shape)
    few = np.add.reduceat(table, np.arange(K), axis=0) if K else table
    return np.add.reduceat(few, np.arange(Q), axis=1) if Q else few


def _with_totals(counts: Any) -> tuple[Any, Any, Any]:
    """A table, its row totals and its column totals, as read-only arrays."""
    arrays = np.ascontiguousarray(counts), counts.sum(axis=1), counts.sum(axis=0)
    for array in arrays:
        array.flags.writeable = False
    return arrays


def _same(x: float, y: float) -> bool:
    """Whether two values are equal, or both nan."""
    return x == y or (math.isnan(x) and math.isnan(y))
