"""Contingency tables of two clusterings: made from labels or counts, with their margins and pair counts."""

import numbers
import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, one_of
from chancecorr.compiled import Booleans, Integers
from chancecorr.tables.crosstab import cross_classify
from chancecorr.tables.dataframes import index_difference
from chancecorr.tables.labels import EncodedLabels, encode, is_hashable, singled_out, with_article

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_OBJECTS = 3_037_000_499
"""The largest n whose square, and so any sum of squared counts, fits in int64."""


class PairCounts(NamedTuple):
    """Numbers of unordered object pairs by where the pair is together, as Python integers.

    Attributes
    ----------
    a, b, c, d : int
        Pairs together in both clusterings, in the rows' only, in the columns' only, in neither; their sum is
        ``n (n - 1) / 2``.
    """

    a: int
    b: int
    c: int
    d: int


def twice_pair_counts(T: Any, A: Any, B: Any, n: int, unit: int = 1) -> tuple[Any, Any, Any, Any]:
    """Twice the pair counts a, b, c, d from the sums of squares T, A, B of cells, rows and columns.

    Of the ``n**2`` ordered pairs, self-pairs included, T are together in both clusterings, A in the rows, B
    in the columns. On whole numbers or int64 arrays; T may be in units of 1/`unit`, and then the result is.
    """
    return T - n * unit, A * unit - T, B * unit - T, (n * n - A - B) * unit + T


def pair_counts_of(T: Any, A: Any, B: Any, n: int) -> PairCounts:
    """Pair counts where the sums of squares of cells, rows and columns are given, as numbers or arrays.

    Examples
    --------
    >>> pair_counts_of(6, 12, 12, 6)
    PairCounts(a=0, b=3, c=3, d=9)
    """
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

    def __init__(self, row_totals: npt.ArrayLike, column_totals: npt.ArrayLike) -> None:
        rows = _whole_array("row_totals", row_totals, ndim=1)
        columns = _whole_array("column_totals", column_totals, ndim=1)
        sums = int(rows.sum()), int(columns.sum())
        if sums[0] != sums[1]:
            raise ArgumentValueError(
                "row_totals",
                f"and `column_totals` must have the same sum; got {sums[0]} and {sums[1]}.",
                "column_totals",
            )
        object.__setattr__(self, "row_totals", _read_only(rows))
        object.__setattr__(self, "column_totals", _read_only(columns))

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.row_totals.sum())

    @property
    def squares(self) -> tuple[int, int]:
        """``A = sum row_i**2`` and ``B = sum column_j**2``: ordered pairs together, self-pairs included."""
        return int(np.dot(self.row_totals, self.row_totals)), int(
            np.dot(self.column_totals, self.column_totals)
        )

    def __eq__(self, other: object) -> bool:
        """Whether the other holds the same numbers."""
        if not isinstance(other, Margins):
            return NotImplemented
        return np.array_equal(self.row_totals, other.row_totals) and np.array_equal(
            self.column_totals, other.column_totals
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


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class ContingencyTable:
    """How many objects lie in row cluster i and in column cluster j.

    Parameters
    ----------
    counts : array-like, DataFrame or scipy.sparse array of shape (K, Q)
        Non-negative whole numbers. A copy is kept, so that later changes of the caller's array do not matter.

    Attributes
    ----------
    counts : ndarray or scipy.sparse.csr_array of int64, shape (K, Q)
        Read-only. Sparse if `counts` was, or if made by `contingency_table` with too many cells (see there).
    margins : Margins
        Row and column totals. Rows and columns of zeros are kept as given.

    Raises
    ------
    TypeError, ValueError
        If the counts are not such numbers, not two-dimensional, or sum to more than 3,037,000,499 objects.

    Notes
    -----
    Tables compare and hash by shape and content, dense or sparse.

    Examples
    --------
    >>> table = ContingencyTable([[2, 0], [1, 3]])
    >>> table.row_totals, table.column_totals, table.n
    (array([2, 4]), array([3, 3]), 6)
    >>> table.pair_counts
    PairCounts(a=4, b=3, c=2, d=6)
    """

    counts: "Integers | csr_array[np.int64]"
    margins: Margins

    def __init__(self, counts: Any) -> None:
        sparse = sys.modules.get("scipy.sparse")  # a sparse array exists only where this has been imported
        is_sparse = sparse is not None and sparse.issparse(counts)
        own = _whole_csr(counts) if is_sparse else _read_only(_whole_array("counts", counts, ndim=2))
        margins = Margins(own.sum(axis=1), own.sum(axis=0))
        object.__setattr__(self, "counts", own)
        object.__setattr__(self, "margins", margins)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows K and of columns Q."""
        return self.row_totals.size, self.column_totals.size

    @property
    def row_totals(self) -> Integers:
        """Sizes of the row clusters, shape (K,)."""
        return self.margins.row_totals

    @property
    def column_totals(self) -> Integers:
        """Sizes of the column clusters, shape (Q,)."""
        return self.margins.column_totals

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.margins.n

    @property
    def sum_of_squares(self) -> int:
        """``T = sum(n_ij**2)``: ordered object pairs together in both clusterings, self-pairs included."""
        cells = self.counts.ravel() if isinstance(self.counts, np.ndarray) else self.counts.data
        return int(np.dot(cells, cells))

    @property
    def pair_counts(self) -> PairCounts:
        """Object pairs together in both clusterings, in one, in neither, from T and the totals' squares."""
        return pair_counts_of(self.sum_of_squares, *self.margins.squares, self.n)

    @property
    def nonzero_cells(self) -> tuple[Integers, Integers, Integers]:
        """Row numbers, column numbers and counts of the cells above zero, row by row; shape (cells,)."""
        if isinstance(self.counts, np.ndarray):
            rows, columns = np.nonzero(self.counts)
            return rows, columns, self.counts[rows, columns]
        rows = np.repeat(np.arange(self.shape[0]), np.diff(self.counts.indptr))
        return rows, self.counts.indices.astype(np.int64), self.counts.data

    def dense_counts(self) -> Integers:
        """Dense array of the counts, shape (K, Q), whichever way they are held."""
        return self.counts if isinstance(self.counts, np.ndarray) else self.counts.toarray()

    def __eq__(self, other: object) -> bool:
        """Whether the other holds the same numbers."""
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return self.shape == other.shape and all(map(np.array_equal, self.nonzero_cells, other.nonzero_cells))

    def __hash__(self) -> int:
        """Hash of the shape and the cells above zero."""
        return hash((self.shape, *(cells.tobytes() for cells in self.nonzero_cells)))

    def __repr__(self) -> str:
        """Small tables in full, larger ones by their shape."""
        if isinstance(self.counts, np.ndarray) and max(self.shape) <= 8:
            return f"ContingencyTable({self.counts.tolist()})"
        return f"<ContingencyTable of shape {self.shape}, n = {self.n}>"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Pickle as the counts, so that a copy is read-only too."""
        return type(self), (self.counts,)


def contingency_table(
    labels_true: Any,
    labels_pred: Any,
    *,
    noise: Literal["keep", "drop", "singletons"] | None = None,
    noise_label: Hashable = -1,
    missing: Literal["raise", "drop"] = "raise",
    align: Literal["raise", "position"] = "raise",
) -> ContingencyTable:
    """Contingency table of two clusterings of the same objects.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        One hashable label per object: the reference (rows) and the candidate (columns). Arrays, lists, pandas
        Series and Categoricals, polars Series, Arrow arrays; labels that differ are never made one. Objects
        are matched by position.
    noise : {None, "keep", "drop", "singletons"}, default None
        What a noise label means: a cluster like any other (None or "keep"); an object to leave out if it is
        noise on either side ("drop"); a cluster of its own for each such object, after the others
        ("singletons").
    noise_label : hashable, default -1
        The label of noise, by default that of DBSCAN and HDBSCAN in scikit-learn and hdbscan. A side in which
        it does not occur has no noise.
    missing : {"raise", "drop"}, default "raise"
        Whether None, NaN, NaT and pandas.NA are refused, or the object left out if missing on either side.
    align : {"raise", "position"}, default "raise"
        Whether two pandas Series are refused if their indexes differ, or matched by position all the same.

    Returns
    -------
    ContingencyTable
        Rows and columns are the labels that occur, in sorted order (Categoricals: category order), or in
        order of first appearance if they cannot be sorted. Counts are sparse if
        ``K Q > max(4_000_000, 4 n)``.

    Raises
    ------
    TypeError, ValueError
        If a side is not one-dimensional, holds missing or unhashable labels, or the two differ in length or
        in their pandas indexes.

    Examples
    --------
    >>> contingency_table(["a", "a", "b", "b"], [0, 0, 0, 1])
    ContingencyTable([[2, 0], [1, 1]])
    >>> contingency_table([0, 0, 1, 1], [0, -1, 1, -1], noise="singletons")
    ContingencyTable([[1, 0, 1, 0], [0, 1, 0, 1]])
    """
    check_reading(noise, noise_label, missing, align)
    sides = {
        "labels_true": encode("labels_true", labels_true, noise_label),
        "labels_pred": encode("labels_pred", labels_pred, noise_label),
    }
    lengths = [side.codes.size for side in sides.values()]
    if lengths[0] != lengths[1]:
        raise ArgumentValueError(
            "labels_pred",
            f"must have the same length as `labels_true`; got {lengths[1]} and {lengths[0]}.",
            "labels_true",
        )
    if align == "raise":
        check_indexes("labels_true", labels_true, "labels_pred", labels_pred)
    left_out = [
        mask
        for name, side in sides.items()
        for mask in masks_left_out(name, side, noise=noise, missing=missing)
    ]
    kept = [side.codes for side in sides.values()]
    if left_out:
        keep = ~np.logical_or.reduce(left_out)
        kept = [codes[keep] for codes in kept]
    if noise == "singletons":
        kept = [singled_out(codes, side.noise_code) for codes, side in zip(kept, sides.values(), strict=True)]
    return ContingencyTable(cross_classify(*kept))


def check_reading(noise: object, noise_label: object, missing: object, align: object) -> None:
    """Raise unless these are what `contingency_table` takes by their names."""
    one_of("noise", noise, [None, "keep", "drop", "singletons"])
    one_of("missing", missing, ["raise", "drop"])
    one_of("align", align, ["raise", "position"])
    if not is_hashable(noise_label):
        raise ArgumentTypeError("noise_label", f"must be hashable; got {with_article(noise_label)}.")


def check_indexes(first_name: str, first: Any, name: str, labels: Any) -> None:
    """Raise if labels, of as many objects as the first ones, have another pandas index than these."""
    difference = index_difference(first, labels)
    if difference:
        raise ArgumentValueError(
            name,
            f"must have the index of `{first_name}`; got {difference}. Match the objects first, as by"
            f" `{first_name}.align({name}, join='inner')`.",
            first_name,
            remedy=("align", "position", "match them by position"),
        )


def masks_left_out(
    name: str, side: EncodedLabels, *, noise: str | None, missing: Literal["raise", "drop"]
) -> list[Booleans]:
    """Which objects a side leaves out, a mask for each reason: no label, and noise if that is dropped.

    Examples
    --------
    >>> side = encode("labels", [0, None, -1], -1)
    >>> masks_left_out("labels", side, noise="drop", missing="drop")
    [array([False,  True, False]), array([False, False,  True])]
    """
    masks = []
    if side.missing is not None:
        if missing == "raise":
            position = int(side.missing.argmax())
            raise ArgumentValueError(
                name,
                f"must not hold missing labels; got {side.labels[position]} at position {position}.",
                remedy=("missing", "drop", "leave such objects out"),
            )
        masks.append(side.missing)
    if noise == "drop" and side.noise_code is not None:
        masks.append(side.codes == side.noise_code)
    return masks


def as_margins(margins: "Margins | ContingencyTable") -> Margins:
    """Margins as they are, or those of a table."""
    if isinstance(margins, ContingencyTable):
        return margins.margins
    if not isinstance(margins, Margins):
        raise ArgumentTypeError(
            "margins", f"must be a Margins or a ContingencyTable; got {type(margins).__name__}."
        )
    return margins


def as_table(table: Any) -> ContingencyTable:
    """The table, or one made of counts."""
    return table if isinstance(table, ContingencyTable) else ContingencyTable(table)


def _abbreviated(totals: Integers) -> str:
    """Up to eight totals, or the first three and the last."""
    values = totals.tolist()
    if len(values) <= 8:
        return str(values)
    return f"[{', '.join(map(str, values[:3]))}, ..., {values[-1]}]"


def _read_only(array: Integers) -> Integers:
    """Array itself, closed to changes."""
    array.flags.writeable = False
    return array


def _whole_array(name: str, values: npt.ArrayLike, ndim: Literal[1, 2]) -> Integers:
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

    return _whole_numbers(name, array.ravel(), position).reshape(array.shape)


def _whole_csr(counts: Any) -> "csr_array[np.int64]":
    """Copy as a read-only csr_array of int64 in canonical form, without stored zeros, checked."""
    from scipy.sparse import csr_array

    if counts.ndim != 2:
        raise ArgumentValueError("counts", f"must be two-dimensional; got shape {counts.shape}.")
    own = csr_array(counts, copy=True)
    own.sum_duplicates()
    rows, columns = own.tocoo().coords
    own.data = _whole_numbers("counts", own.data, lambda k: (int(rows[k]), int(columns[k])))
    own.eliminate_zeros()
    for part in (own.data, own.indices, own.indptr):
        part.flags.writeable = False
    return own


def _whole_numbers(name: str, values: npt.NDArray[Any], position: Callable[[int], object]) -> Integers:
    """Copy as int64 of numbers that are whole, not negative, and of a sum that is not too large."""
    rule = "must hold non-negative whole numbers; got"
    if values.dtype.kind not in "biufO":
        kind = "strings" if values.dtype.kind in "UST" else f"dtype {values.dtype}"
        raise ArgumentTypeError(name, f"{rule} {kind}.")
    if values.dtype.kind == "O":
        for k, value in enumerate(values):
            if not isinstance(value, numbers.Real | np.bool_):
                raise ArgumentTypeError(name, f"{rule} {value!r} at position {position(k)}.")
    wrong = values < 0
    if values.dtype.kind in "fO":
        with np.errstate(invalid="ignore"):
            wrong = np.logical_not((values >= 0) & (values % 1 == 0))  # NaN included
    if wrong.any():
        k = int(wrong.argmax())
        raise ArgumentValueError(name, f"{rule} {values[k : k + 1].tolist()[0]} at position {position(k)}.")
    if max(values.max(initial=0), values.sum(dtype=np.float64)) > MAX_OBJECTS:  # exact in float64 up to 2**53
        total = sum(map(int, values.tolist()))
        raise ArgumentValueError(name, f"must sum to at most {MAX_OBJECTS}; got {total}.")
    return values.astype(np.int64)
