"""A trial of a user's function: what its machine code gives is compared with what it gives as Python.

Machine code reads and writes beyond an array without a word, and whole numbers beyond 64 bits wrap around.
As Python the same function is slow, but NumPy checks its places, and its whole numbers can be of any size. So
it runs as Python first, on one table, before its machine code may run at all. What the catalogue ships is
tested and has no trial.
"""

import math
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from numbers import Real
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from chancecorr.compiled import Integers

LINES = 50_000
"""Lines of Python after which a run is given up: 10 ms or so."""

FEW = 4
"""Rows and columns of the smaller table on which a function is tried that takes longer than that."""

MOST_CELLS = 100
"""Cells of a table on which a function of a cell is tried: 4 ms or so."""

ROUNDING = 1e-6
"""How far two values may be apart, relative to the larger of them and 1. Sums in another order differ by much
less; whole numbers that wrapped around, or the number beyond an array, by much more."""


class Fault(NamedTuple):
    """What is wrong with a function, and the table or the cell where it showed."""

    where: Any
    what: str


class _TooLong(BaseException):
    """A run as Python took more than its lines; no Exception, so that no function catches it."""


def fault_of_table_function(
    plain: Callable[..., Any],
    compiled: Callable[..., Any],
    table: Integers,
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Fault | None:
    """What is wrong with a function of a table, or None; `bounds` are those of its values.

    A function that takes long as Python is tried on a table of few rows and columns, and then of few objects.

    Examples
    --------
    >>> def corner(table, row_totals, column_totals):
    ...     return table[2, 2]
    >>> fault_of_table_function(corner, corner, np.array([[3, 1], [2, 4]])).what
    'reads or writes beyond an array (IndexError: index 2 is out of bounds for axis 0 with size 2)'
    """
    for counts in _smaller_and_smaller(table):
        arrays = _with_totals(counts)
        exact = [_with_totals(counts.astype(object))]
        if np.finfo(np.longdouble).nmant >= 63:  # else it has less room for whole numbers than int64
            exact.append(_with_totals(counts.astype(np.longdouble)))
        try:
            what = _fault(plain, compiled, arrays, exact, "table", bounds)
        except _TooLong:
            continue
        return Fault(counts, what) if what else None
    return None


def fault_of_cell_function(
    plain: Callable[..., Any], compiled: Callable[..., Any], cells: Sequence[tuple[float, ...]]
) -> Fault | None:
    """The same for a function ``phi(n_ij, row_i, column_j, n)`` and these cells.

    Examples
    --------
    >>> drawn = iter([0.31, 0.42])
    >>> fault_of_cell_function(lambda x, row, column, n: next(drawn), abs, [(3.0, 4.0, 5.0, 10.0)]).what
    'gave 0.31 and 0.42 on the same cell'
    """
    for cell in cells:
        try:
            what = _fault(plain, compiled, cell, [], "cell", (-math.inf, math.inf))
        except _TooLong:
            return None
        if what:
            return Fault(cell, what)
    return None


def fault_of_range(value: float, bounds: tuple[float, float]) -> str | None:
    """What is wrong with a value that is outside its range by more than rounding; nan never is.

    Examples
    --------
    >>> fault_of_range(1.5, (0.0, 1.0)), fault_of_range(1.0 + 1e-15, (0.0, 1.0))
    ('gave 1.5, outside its `range` (0.0, 1.0)', None)
    """
    slack = ROUNDING * max(1.0, abs(value)) if math.isfinite(value) else 0.0
    if value < bounds[0] - slack or value > bounds[1] + slack:
        return f"gave {value:.9g}, outside its `range` {bounds}"
    return None


def _fault(
    plain: Callable[..., Any],
    compiled: Callable[..., Any],
    arguments: Sequence[Any],
    exact: Sequence[Sequence[Any]],
    noun: str,
    bounds: tuple[float, float],
) -> str | None:
    """What is wrong with a function on these arguments, or None; `exact` are the same without overflow.

    An error other than IndexError says nothing: the machine code raises as well, or has nan where Python's
    `math` raises. Nor does nan beside a number, such as the root of a zero that was rounded.
    """
    try:
        first, second = (_number(_within_lines(plain, arguments)) for _ in range(2))
    except IndexError as error:
        return f"reads or writes beyond an array (IndexError: {error})"
    except Exception:
        return None
    if not _same(first, second):
        return f"gave {first:.9g} and {second:.9g} on the same {noun}"
    try:
        with np.errstate(all="ignore"):
            found, again = (float(compiled(*arguments)) for _ in range(2))
    except Exception:  # the run that was asked for meets it again, and says so
        return None
    if not _same(found, again):
        return f"gave {found:.9g} and {again:.9g} on the same {noun}"
    if not _near(found, first):
        return f"gave {found:.9g} compiled, and {first:.9g} as Python"
    for numbers in exact:
        try:
            wanted = _number(_within_lines(plain, numbers))
        except Exception:  # not a function of such numbers
            continue
        if not _near(found, wanted) or (math.isnan(found) and not math.isnan(wanted)):
            return (
                f"gave {found:.9g} compiled, and {wanted:.9g} as Python with whole numbers of any size:"
                " beyond 64 bits they wrap around, so take floats"
            )
        break
    return fault_of_range(found, bounds)


def _within_lines(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """What a function of Python returns; `_TooLong` after so many lines, wherever they are."""
    left = LINES

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooLong
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments)
    finally:
        sys.settrace(before)


def _smaller_and_smaller(table: Integers) -> Iterator[Integers]:
    """The table; one of a few rows and columns, the last of which holds the rest; one of few objects.

    The second has all objects, since it is their number that makes whole numbers large.
    """
    yield table
    K, Q = (min(size, FEW) for size in table.shape)
    few = table[:K].copy()
    few[-1] += table[K:].sum(axis=0)
    few, rest = few[:, :Q].copy(), few[:, Q:].sum(axis=1)
    few[:, -1] += rest
    if few.shape != table.shape:
        yield few
    yield np.minimum(few, 9)


def _with_totals(counts: Any) -> tuple[Any, Any, Any]:
    """A table, its row totals and its column totals, as read-only arrays."""
    arrays = np.ascontiguousarray(counts), counts.sum(axis=1), counts.sum(axis=0)
    for array in arrays:
        array.flags.writeable = False
    return arrays


def _number(value: Any) -> float:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, Real | np.bool_):
        raise TypeError(f"expected a number, got {value!r}")
    return float(value)


def _same(x: float, y: float) -> bool:
    return x == y or (math.isnan(x) and math.isnan(y))


def _near(x: float, y: float) -> bool:
    """Whether two values differ by rounding alone, if at all, or one is nan."""
    if math.isnan(x) or math.isnan(y) or x == y:
        return True
    return abs(x - y) <= ROUNDING * max(1.0, abs(x), abs(y)) < math.inf
