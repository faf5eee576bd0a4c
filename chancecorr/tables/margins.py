"""Margins of a contingency table, pair counts, and the check of whole numbers."""

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import AnyArray, Integers

MAX_OBJECTS = 3_037_000_499
"""The largest n whose square, and so any sum of squared counts, fits in int64."""


class PairCounts(NamedTuple):
    """Numbers of unordered object pairs by where the pair is together, as Python integers.

    Attributes
    ----------
    a, b, c, d : int
        Pairs together in both clusterings, in the rows' only, in the columns' only, in neither; their sum is
        ``n (n - 1) / 2``.

    Examples
    --------
    >>> from chancecorr import ContingencyTable
    >>> ContingencyTable([[2, 0], [1, 1]]).pair_counts
    PairCounts(a=1, b=1, c=2, d=2)
    """

    a: int
    b: int
    c: int
    d: int


def twice_pair_counts(T: Any, A: Any, B: Any, n: int, unit: int = 1) -> tuple[Any, Any, Any, Any]:
    """Twice the pair counts a, b, c, d from sums of squares T, A, B; T may be in units of 1/`unit`."""
    return T - n * unit, A * unit - T, B * unit - T, (n * n - A - B) * unit + T


def pair_counts_of(T: Any, A: Any, B: Any, n: int) -> PairCounts:
    """Pair counts from the sums of squares of cells, rows and columns, as numbers or arrays."""
    return PairCounts(*(twice // 2 for twice in twice_pair_counts(T, A, B, n)))


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Margins:
    """Cluster sizes of two clusterings of the same objects: the totals of a contingency table.

    Parameters
    ----------
    row_totals : array-like of shape (K,)
        Sizes of the row clusters, non-negative whole numbers.
    column_totals : array-like of shape (Q,)
        Sizes of the column clusters, with the same sum.

    Attributes
    ----------
    row_totals, column_totals : ndarray of int64
        Read-only copies of shapes (K,) and (Q,).
    n : int
        Number of objects, at most 3,037,000,499 so that sums of squares fit in int64.
    squares : tuple of int
        ``A = sum row_i**2`` and ``B = sum column_j**2``: ordered pairs together, self-pairs included.

    Raises
    ------
    TypeError, ValueError
        If the totals are not such numbers, not one-dimensional, too many objects, or differ in their sums.

    Notes
    -----
    Margins compare and hash by content; totals of zero and empty margins are allowed.

    Examples
    --------
    >>> margins = Margins([2, 6], [1, 3, 4])
    >>> margins, margins.n
    (Margins([2, 6], [1, 3, 4]), 8)
    """

    row_totals: Integers
    column_totals: Integers
    n: int
    squares: tuple[int, int]

    def __init__(self, row_totals: npt.ArrayLike, column_totals: npt.ArrayLike) -> None:
        rows = whole_array("row_totals", row_totals, ndim=1)
        columns = whole_array("column_totals", column_totals, ndim=1)
        sums = int(rows.sum()), int(columns.sum())
        if sums[0] != sums[1]:
            raise ArgumentValueError(
                "row_totals",
                f"and `column_totals` must have the same sum; got {sums[0]} and {sums[1]}.",
                "column_totals",
            )
        object.__setattr__(self, "row_totals", read_only(rows))
        object.__setattr__(self, "column_totals", read_only(columns))
        object.__setattr__(self, "n", sums[0])
        object.__setattr__(self, "squares", (int(np.dot(rows, rows)), int(np.dot(columns, columns))))

    def __eq__(self, other: object) -> bool:
        """Whether the other holds the same numbers."""
        if not isinstance(other, Margins):
            return NotImplemented
        return (
            self.row_totals.tobytes() == other.row_totals.tobytes()
            and self.column_totals.tobytes() == other.column_totals.tobytes()
        )

    def __hash__(self) -> int:
        """Hash of the totals."""
        return hash((self.row_totals.tobytes(), self.column_totals.tobytes()))

    def __repr__(self) -> str:
        """Totals, abbreviated beyond eight."""
        return f"Margins({_abbreviated(self.row_totals)}, {_abbreviated(self.column_totals)})"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Pickle as the totals, so that a copy is read-only too."""
        return type(self), (self.row_totals, self.column_totals)


def _abbreviated(totals: Integers) -> str:
    """Up to eight totals, or the first three and the last."""
    values = totals.tolist()
    if len(values) <= 8:
        return str(values)
    return f"[{', '.join(map(str, values[:3]))}, ..., {values[-1]}]"


def read_only(array: Integers) -> Integers:
    """Array itself, closed to changes."""
    array.flags.writeable = False
    return array


def whole_array(name: str, values: npt.ArrayLike, ndim: Literal[1, 2]) -> Integers:
    """Copy as int64, checked."""
    dimensions = {1: "one-dimensional", 2: "two-dimensional"}[ndim]
    try:
        array = np.asarray(values)
    except ValueError:
        raise ArgumentValueError(name, f"must be {dimensions}; got rows of different lengths.") from None
    if array.ndim != ndim:
        raise ArgumentValueError(name, f"must be {dimensions}; got shape {array.shape}.")

    def position(k: int) -> object:
        cell = tuple(map(int, np.unravel_index(k, array.shape)))
        return cell[0] if ndim == 1 else cell

    return whole_numbers(name, array.ravel(), position).reshape(array.shape)


def whole_numbers(name: str, values: AnyArray, position: Callable[[int], object]) -> Integers:
    """Copy as int64 of numbers that are whole, not negative, and of a sum that is not too large."""
    rule = "must hold non-negative whole numbers; got"
    if values.dtype.kind not in "biufO":
        kind = "strings" if values.dtype.kind in "UST" else f"dtype {values.dtype}"
        raise ArgumentTypeError(name, f"{rule} {kind}.")
    for k, value in enumerate(values if values.dtype.kind == "O" else ()):
        if not isinstance(value, numbers.Real | np.bool_):
            raise ArgumentTypeError(name, f"{rule} {value!r} at position {position(k)}.")
    with np.errstate(invalid="ignore"):
        wrong = np.logical_not((values >= 0) & (values % 1 == 0)) if values.dtype.kind in "fO" else values < 0
    if wrong.any():
        k = int(wrong.argmax())
        raise ArgumentValueError(name, f"{rule} {values[k : k + 1].tolist()[0]} at position {position(k)}.")
    if values.dtype.kind == "O":  # numbers of many types, which may be beyond all of NumPy's
        largest: float = sum(map(int, values))
    else:
        largest = float(values.sum(dtype=np.float64))  # exact in float64 up to 2**53
    if largest > MAX_OBJECTS:
        total = sum(map(int, values.tolist()))
        raise ArgumentValueError(name, f"must sum to at most {MAX_OBJECTS}; got {total}.")
    return values.astype(np.int64)
