"""A trial of a user's function: its machine code gives the same value twice, and gives it as Python as well.

Whole numbers beyond 64 bits wrap around in machine code. So the function runs once as Python, on floats, on a
table of few rows and columns that has all objects, because many objects make large numbers. The functions of
the catalogue are tested, and have no trial.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arrays import Integers

FEW = 4
"""Rows and columns, or cells, on which a function runs as Python."""

ROUNDING = 1e-6
"""How far two values may be apart, relative to the larger of them and 1. Sums in another order differ by much
less; whole numbers that wrapped around, or the number beyond an array, by much more."""


class Fault(NamedTuple):
    """What is wrong with a function, and the table or the cell that shows it."""

    where: Any
    what: str


def fault_of_table_function(
    plain: Callable[..., Any], compiled: Callable[..., Any], table: Integers, bounds: tuple[float, float]
) -> Fault | None:
    """What is wrong with a function of a table whose values have these bounds, or None."""
    found = _values(compiled, _with_totals(table))
    if not _same(*found):
        return Fault(table, f"gave {found[0]:.9g} and {found[1]:.9g} on the same table")
    few = _with_few_clusters(table)
    exact = [_with_totals(few.astype(np.float64)), _with_totals(few)]
    what = _difference(plain, compiled, _with_totals(few), exact)
    if what:
        return Fault(few, what)
    outside = fault_of_range(found[0], bounds)
    return Fault(table, outside) if outside else None


def fault_of_cell_function(
    plain: Callable[..., Any], compiled: Callable[..., Any], cells: Sequence[tuple[float, ...]]
) -> Fault | None:
    """What is wrong with a function ``phi(n_ij, row_i, column_j, n)`` on these cells, or None."""
    for cell in cells:
        found = _values(compiled, cell)
        if not _same(*found):
            return Fault(cell, f"gave {found[0]:.9g} and {found[1]:.9g} on the same cell")
        what = _difference(plain, compiled, cell, [cell])
        if what:
            return Fault(cell, what)
    return None


def fault_of_range(value: float, bounds: tuple[float, float]) -> str | None:
    """What is wrong with a value that is outside its range by more than rounding; nan never is."""
    slack = ROUNDING * max(1.0, abs(value)) if math.isfinite(value) else 0.0
    if value < bounds[0] - slack or value > bounds[1] + slack:
        return f"gave {value:.9g}, outside its `range` {bounds}"
    return None


def _values(compiled: Callable[..., Any], arguments: Sequence[Any]) -> tuple[float, float]:
    """Two values of a compiled function on the same arguments."""
    with np.errstate(all="ignore"):
        return float(compiled(*arguments)), float(compiled(*arguments))


def _difference(
    plain: Callable[..., Any], compiled: Callable[..., Any], arguments: Sequence[Any], exact: Sequence[Any]
) -> str | None:
    """How a compiled value differs from Python's on the first of the `exact` arguments that Python takes."""
    for numbers in exact:
        try:
            with np.errstate(all="ignore"):
                found, wanted = float(compiled(*arguments)), float(plain(*numbers))
        except Exception:  # not a function of such numbers, or one that raises as machine code, too
            continue
        if abs(found - wanted) <= ROUNDING * max(1.0, abs(found), abs(wanted)) < math.inf:
            return None
        if _same(found, wanted) or math.isnan(wanted):
            return None
        return (
            f"gave {found:.9g} compiled, and {wanted:.9g} as Python on floats; whole numbers beyond 64 bits"
            " wrap around, so take floats"
        )
    return None


def _with_few_clusters(table: Integers) -> Integers:
    """A table of at most `FEW` rows and columns, the last of which hold the objects of all others."""
    K, Q = (min(size, FEW) for size in table.shape)
    few = table[:K].copy()
    few[-1] += table[K:].sum(axis=0)
    few, rest = few[:, :Q].copy(), few[:, Q:].sum(axis=1)
    few[:, -1] += rest
    return few


def _with_totals(counts: Any) -> tuple[Any, Any, Any]:
    """A table, its row totals and its column totals, as read-only arrays."""
    arrays = np.ascontiguousarray(counts), counts.sum(axis=1), counts.sum(axis=0)
    for array in arrays:
        array.flags.writeable = False
    return arrays


def _same(x: float, y: float) -> bool:
    """Whether two values are equal, or both nan."""
    return x == y or (math.isnan(x) and math.isnan(y))
