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

from chancecorr.indices.calling import IndexEvaluationError, as_python, shown, shown_cells
from chancecorr.indices.index import Index
from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import Margins

FEW = 4
"""Rows and columns, or cells, on which a function runs as Python."""

ROUNDING = 1e-6
"""How far two values may be apart, relative to the larger of them and 1. Sums in another order differ by much
less; whole numbers that wrapped around, or the number beyond an array, by much more."""

_passed: set[tuple[Callable[..., Any], int]] = set()
"""Functions that passed their trial, with the bits of the number of objects: large numbers wrap around."""


@functools.lru_cache(maxsize=512)
def is_of_the_catalogue(function: Callable[..., Any]) -> bool:
    """Whether a file of this room defines the function."""
    file = Path(getattr(getattr(as_python(function), "__code__", None), "co_filename", ""))
    return Path(__file__).parent in file.parents


def needs_trial(index: Index, margins: Margins) -> bool:
    """Whether an index is a user's, and has had no trial with numbers of objects of this size."""
    return not is_of_the_catalogue(index.function) and (index.function, margins.n.bit_length()) not in _passed


def try_on_table(index: Index, compiled: Callable[..., Any], table: Integers, margins: Margins) -> None:
    """Raise if the compiled function of a table has a fault."""
    few, plain = _with_few_clusters(table), as_python(index.function)
    try:
        value, what = _value_or_fault(compiled, _with_totals(table))
        where = table
        if not what:
            exact = [_with_totals(few.astype(np.float64)), _with_totals(few)]
            what, where = _difference(plain, compiled, _with_totals(few), exact), few
        if not what:
            what, where = _outside(value, index), table
    except Exception:  # the run that was asked for meets it again
        return
    _pass(index, what, f"the table {shown(where)}", margins)


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
    what, where = "", ""
    try:
        for cell in (every[k] for k in some):
            where = f"the cell (n_ij, row_i, column_j, n) = {cell}"
            what = _value_or_fault(compiled, cell)[1]
            what = what or _difference(as_python(index.function), compiled, cell, [cell])
            if what:
                break
        else:
            where = shown_cells(*cells)
            total = np.array([math.fsum(compiled(*cell) for cell in every)])
            linked = index.link(total, margins.row_totals, margins.column_totals) if index.link else total
            what = _outside(float(linked[0]), index)
    except Exception:  # the run that was asked for meets it again
        what = ""
    _pass(index, what, where, margins)


def _pass(index: Index, fault: str, where: str, margins: Margins) -> None:
    """Raise if a fault was found, else note that the function passed."""
    if fault:
        raise IndexEvaluationError(f"Index {index.name!r} failed on {where}: it {fault}.")
    _passed.add((index.function, margins.n.bit_length()))


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
