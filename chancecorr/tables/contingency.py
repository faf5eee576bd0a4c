"""Contingency tables of two clusterings: counts and the labels of the clusters."""

import numbers
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, find_imported, import_pandas
from chancecorr.machine.arrays import AnyArray, Integers, refuse_masked
from chancecorr.tables.dataframes import find_frame_labels, find_name, name_axes
from chancecorr.tables.labels import Categories, are_numbers, encode, refuse_missing
from chancecorr.tables.totals import find_totals

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from scipy.sparse import csr_array

MAX_OBJECTS = 3_037_000_499  # the largest n whose square, and so any sum of squared counts, fits in int64


class PairCounts(NamedTuple):
    """The four pair counts of two clusterings.

    Attributes
    ----------
    a, b, c, d : int
        Pairs together in both clusterings, only in the row clustering, only in the column clustering, in
        neither.

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


def double_pair_counts(T: Any, A: Any, B: Any, n: int, unit: int = 1) -> tuple[Any, Any, Any, Any]:
    """Return twice the pair counts a, b, c, d from sums of squares T, A, B; T may be in units of 1/`unit`."""
    return T - n * unit, A * unit - T, B * unit - T, (n * n - A - B) * unit + T


def compute_pair_counts(T: Any, A: Any, B: Any, n: int) -> PairCounts:
    """Compute the pair counts from the sums of squares of cells, rows and columns, as numbers or arrays."""
    return PairCounts(*(twice // 2 for twice in double_pair_counts(T, A, B, n)))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Margins:
    """Cluster sizes of two clusterings of the same objects, compared and hashed by content.

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
        If the totals are not non-negative whole numbers, not one-dimensional, sum to too many objects, or
        have different sums.

    Examples
    --------
    >>> margins = Margins([2, 6], [1, 3, 4])
    >>> margins, margins.n
    (Margins([2, 6], [1, 3, 4]), 8)
    """

    row_totals: Integers = field(compare=False)
    column_totals: Integers = field(compare=False)
    n: int = field(compare=False)
    squares: tuple[int, int] = field(compare=False)
    _content: tuple[bytes, bytes]  # by which margins compare and hash

    def __init__(self, row_totals: npt.ArrayLike, column_totals: npt.ArrayLike) -> None:
        rows = read_counts("row_totals", row_totals, ndim=1)
        columns = read_counts("column_totals", column_totals, ndim=1)
        sums = int(rows.sum()), int(columns.sum())
        if sums[0] != sums[1]:
            raise ArgumentValueError(
                "row_totals",
                f"and `column_totals` must have the same sum; got {sums[0]} and {sums[1]}.",
                "column_totals",
            )
        self._hold(rows, columns, sums[0])

    def _hold(self, rows: Integers, columns: Integers, n: int) -> None:
        """Store checked totals, and the values computed from them."""
        squares = int(np.dot(rows, rows)), int(np.dot(columns, columns))
        values = rows, columns, n, squares, (rows.tobytes(), columns.tobytes())
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        texts = []
        for totals in (self.row_totals.tolist(), self.column_totals.tolist()):
            first = ", ".join(map(str, totals[:3]))
            texts.append(str(totals) if len(totals) <= 8 else f"[{first}, ..., {totals[-1]}]")
        return f"Margins({', '.join(texts)})"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Pickle as the totals, so that a copy is read-only too."""
        return type(self), (self.row_totals, self.column_totals)


class ManyMargins(NamedTuple):
    """Margins of m tables with the same shape and number of objects; they are already checked."""

    row_totals: Integers  # (m, K); (K,) for one table
    column_totals: Integers  # (m, Q); (Q,) for one table
    n: int

    @property
    def squares(self) -> tuple[Any, Any]:
        """``A`` and ``B`` as in `Margins`, of shape (m,)."""
        return (self.row_totals**2).sum(axis=-1), (self.column_totals**2).sum(axis=-1)

    def select(self, places: int | slice | Integers) -> "ManyMargins":
        """Return the margins of some tables, or of one table."""
        return ManyMargins(self.row_totals[places], self.column_totals[places], self.n)


SideNames = tuple[str | None, str | None]  # names of the row clustering and the column clustering
CategoriesOfSides = tuple[Categories | None, Categories | None]


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class ContingencyTable:
    """Contingency table: the number of objects in row cluster i and column cluster j.

    Two tables are equal if their counts are equal.

    Parameters
    ----------
    counts : array-like, DataFrame or scipy.sparse array of shape (K, Q)
        Non-negative whole numbers; the table keeps a copy.
    row_labels, column_labels : array-like of shape (K,) and (Q,), optional
        Names of the clusters, each name once. By default the labels of a DataFrame if each label occurs once,
        else ``0..K-1`` and ``0..Q-1``.

    Attributes
    ----------
    counts : ndarray or scipy.sparse.csr_array of int64, shape (K, Q)
        Read-only. Sparse if `counts` was, or if `contingency_table` found too many cells.
    margins : Margins
        Row and column totals.
    sum_of_squares : int
        ``T = sum(n_ij**2)``: ordered object pairs together in both clusterings, self-pairs included.
    row_labels, column_labels : ndarray of shape (K,) and (Q,)
        Read-only names of the clusters; ``(-1, 17)`` is a cluster with the noise object 17 alone.
    side_names : tuple of str or None
        Names of the row clustering and the column clustering, from Series or from a DataFrame's axes.
    categories : tuple
        For each side, all labels that it may have and whether they are ordered, from a pandas Categorical or
        from names of the clusters that are given in order; else None.

    Raises
    ------
    TypeError, ValueError
        If the counts are not non-negative whole numbers, not two-dimensional, or sum to more than
        3,037,000,499 objects; if labels are too few or too many, missing, unhashable, or repeated; if the
        last row or column holds totals: it is the sum of all others and its name says so, or both are sums
        and have no names.

    Examples
    --------
    >>> table = ContingencyTable([[2, 0], [1, 3]], row_labels=["cat", "owl"])
    >>> table
    ContingencyTable([[2, 0], [1, 3]], row_labels=['cat', 'owl'])
    >>> table.row_totals, table.column_totals, table.pair_counts
    (array([2, 4]), array([3, 3]), PairCounts(a=4, b=3, c=2, d=6))
    """

    counts: "Integers | csr_array[np.int64]"
    margins: Margins
    sum_of_squares: int
    row_labels: AnyArray
    column_labels: AnyArray
    side_names: SideNames
    categories: CategoriesOfSides

    def __init__(self, counts: Any, *, row_labels: object = None, column_labels: object = None) -> None:
        sparse = find_imported("scipy.sparse")  # a sparse array exists only if this has been imported
        is_sparse = sparse is not None and sparse.issparse(counts)
        own = _read_sparse(counts) if is_sparse else read_counts("counts", counts, ndim=2)
        axes = getattr(counts, "index", None), getattr(counts, "columns", None)
        side_names = find_name(axes[0]), find_name(axes[1])
        named, totals = [np.arange(size) for size in own.shape], (own.sum(axis=1), own.sum(axis=0))
        categories: list[Categories | None] = [None, None]
        for axis, of_frame in enumerate(find_frame_labels(counts)):
            given = (row_labels, column_labels)[axis]
            labels = of_frame if given is None else given
            if labels is not None:
                named[axis], categories[axis] = _read_cluster_labels(axis, labels, own.shape[axis])
        self._hold(own, totals, (named[0], named[1]), side_names, (categories[0], categories[1]))
        given_names = (
            None if given is None else side.tolist()
            for given, side in zip((row_labels, column_labels), named, strict=True)
        )
        _refuse_totals(counts, own, totals, [*given_names])

    def _hold(
        self,
        counts: "Integers | csr_array[np.int64]",
        totals: tuple[Integers, Integers],
        labels: tuple[AnyArray, AnyArray],
        side_names: SideNames,
        categories: CategoriesOfSides,
    ) -> None:
        """Store counts that are checked except for their sum, and the values computed from them."""
        n = int(totals[0].sum())
        if n > MAX_OBJECTS:
            raise ArgumentValueError("counts", f"must sum to at most {MAX_OBJECTS}; got {n}.")
        margins = object.__new__(Margins)
        for side in (*totals, *labels):
            side.flags.writeable = False
        margins._hold(*totals, n)
        cells: Any = counts if isinstance(counts, np.ndarray) else counts.data
        values = counts, margins, int(np.vdot(cells, cells)), *labels, side_names, categories
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows K and of columns Q."""
        return self.margins.row_totals.size, self.margins.column_totals.size

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
    def pair_counts(self) -> PairCounts:
        """The pair counts: object pairs together in both clusterings, in one, in neither."""
        return compute_pair_counts(self.sum_of_squares, *self.margins.squares, self.n)

    @property
    def nonzero_cells(self) -> tuple[Integers, Integers, Integers]:
        """Row numbers, column numbers and counts of the cells above zero, row by row; shape (cells,)."""
        return list_cells(self.counts)

    def totals_of_cells(self) -> list[tuple[int, int]]:
        """Return the row and column total of each cell above zero, in the order of `nonzero_cells`."""
        rows, columns, _ = self.nonzero_cells
        totals = self.margins.row_totals[rows], self.margins.column_totals[columns]
        return list(zip(*(side.tolist() for side in totals), strict=True))

    def dense_counts(self) -> Integers:
        """Return the counts as a dense array of shape (K, Q); it is not a copy if the counts are dense."""
        return self.counts if isinstance(self.counts, np.ndarray) else self.counts.toarray()

    def to_frame(self) -> "pandas.DataFrame":
        """Return the counts as a pandas DataFrame of shape (K, Q), with the labels as its axes.

        The DataFrame is sparse if the counts are sparse.

        Examples
        --------
        >>> from chancecorr import contingency_table
        >>> contingency_table(["cat", "cat", "owl"], [3, 7, 7]).to_frame()
        labels_pred  3  7
        labels_true
        cat          1  1
        owl          0  1
        """
        pandas = import_pandas()
        sides = {"labels_true": self.row_labels, "labels_pred": self.column_labels}
        index, columns = (
            pandas.Index(labels.tolist(), name=name, tupleize_cols=False) for name, labels in sides.items()
        )
        if isinstance(self.counts, np.ndarray):
            return pandas.DataFrame(self.counts, index=index, columns=columns, copy=True)
        return pandas.DataFrame.sparse.from_spmatrix(self.counts, index=index, columns=columns)

    def plot(
        self, *, ax: Any = None, color: Any = None, figsize: tuple[float, float] | None = None
    ) -> "Axes":
        """Draw a heat map of the counts.

        Parameters
        ----------
        ax, color, figsize
            As in `chancecorr.plotting.plot_table`, which draws it.

        Returns
        -------
        matplotlib Axes
            As from `chancecorr.plotting.plot_table`.
        """
        from chancecorr.tables.picture import plot_table

        return plot_table(self, ax=ax, color=color, figsize=figsize)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return self.shape == other.shape and all(map(np.array_equal, self.nonzero_cells, other.nonzero_cells))

    def __hash__(self) -> int:
        return hash((self.shape, *(cells.tobytes() for cells in self.nonzero_cells)))

    def __repr__(self) -> str:
        if not (isinstance(self.counts, np.ndarray) and max(self.shape) <= 8):
            return f"<ContingencyTable of shape {self.shape}, n = {self.n}>"
        shown = [str(self.counts.tolist())]
        for name, labels in (("row_labels", self.row_labels), ("column_labels", self.column_labels)):
            if repr(labels.tolist()) != repr(list(range(labels.size))):  # 0.0 and False are not 0
                shown.append(f"{name}={labels.tolist()}")
        return f"ContingencyTable({', '.join(shown)})"

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        """Pickle as the counts and the labels, so that a copy is read-only too."""
        labels = self.row_labels, self.column_labels
        return make_table, (self.counts, *labels, self.side_names, None, self.categories)


def _refuse_totals(given: Any, counts: Any, totals: tuple[Integers, Integers], labels: list[Any]) -> None:
    """Raise if the last row or column holds totals."""
    names = [own if mine is None else mine for own, mine in zip(name_axes(given), labels, strict=True)]
    are_totals, got = find_totals(counts, totals, (names[0], names[1]))
    if not got:
        return
    rows, columns = (":-1" if is_total else ":" for is_total in are_totals)
    source = "counts" if hasattr(given, "shape") else "np.asarray(counts)"
    way = f"`{source}{'.iloc' * hasattr(given, 'iloc')}[{rows}, {columns}]`"
    rule = f"must not hold totals; got {got}. Pass {way}."
    if None in names and all(are_totals):
        rule += " If these are clusters, pass `ContingencyTable(counts, row_labels=..., column_labels=...)`."
    raise ArgumentValueError("counts", rule)


def make_table(
    counts: "Integers | csr_array[np.int64]",
    row_labels: AnyArray,
    column_labels: AnyArray,
    side_names: SideNames = (None, None),
    totals: tuple[Integers, Integers] | None = None,
    categories: CategoriesOfSides = (None, None),
) -> ContingencyTable:
    """Make a table from counts and labels that were found by counting, without checks."""
    if isinstance(counts, np.ndarray):
        counts.flags.writeable = False
    else:
        counts, totals = _read_sparse(counts), None
    table = object.__new__(ContingencyTable)
    rows, columns = (counts.sum(axis=1), counts.sum(axis=0)) if totals is None else totals
    table._hold(counts, (rows, columns), (row_labels, column_labels), side_names, categories)
    return table


def count_table(counts: "Integers | csr_array[np.int64]") -> ContingencyTable:
    """Make a table with numbered clusters from counts that were found by counting, without checks."""
    rows, columns = (np.arange(size) for size in counts.shape)
    return make_table(counts, rows, columns)


def list_cells(counts: "Integers | csr_array[np.int64]") -> tuple[Integers, Integers, Integers]:
    """List row numbers, column numbers and counts of the cells above zero, row by row."""
    if isinstance(counts, np.ndarray):
        places = np.flatnonzero(counts)  # not `np.nonzero`: Numba would compile the loops again for views
        return *np.divmod(places, max(counts.shape[1], 1)), counts.ravel()[places]
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return rows, counts.indices.astype(np.int64), counts.data


def as_margins(margins: "Margins | ContingencyTable | tuple[Any, Any]") -> Margins:
    """Return margins unchanged, or make them from a table or from a pair of totals."""
    if isinstance(margins, ContingencyTable):
        return margins.margins
    if isinstance(margins, tuple) and len(margins) == 2:
        return Margins(*margins)
    if not isinstance(margins, Margins):
        raise ArgumentTypeError(
            "margins",
            "must be a Margins, a ContingencyTable, or a pair of row and column totals such as"
            f" ([10, 10], [5, 15]); got {type(margins).__name__}.",
        )
    return margins


def as_table(table: object) -> ContingencyTable:
    """Return a table unchanged, or make it from counts."""
    return table if isinstance(table, ContingencyTable) else ContingencyTable(table)


def _read_cluster_labels(axis: int, labels: object, size: int) -> tuple[AnyArray, Categories | None]:
    """Return the labels of clusters as an array, and as a scale in this order; None if they are numbers."""
    name, what = (("row_labels", "rows"), ("column_labels", "columns"))[axis]
    encoded = encode(name, labels)
    if encoded.codes.size != size:
        rule = f"must hold one label for each of the {size} {what}; got {encoded.codes.size}."
        raise ArgumentValueError(name, rule)
    refuse_missing(name, encoded)
    own = encoded.names(encoded.codes).copy()
    codes, occurrences = np.unique(encoded.codes, return_counts=True)
    if (occurrences > 1).any():
        position = int((encoded.codes == codes[occurrences > 1][0]).argmax())
        raise ArgumentValueError(name, f"must hold every label once; got {own.tolist()[position]!r} again.")
    declared = encoded.categories
    if declared is None or not declared.is_ordered:
        declared = None if are_numbers(own) else Categories(own, True)
    return own, declared


def _read_sparse(counts: Any) -> "csr_array[np.int64]":
    """Check sparse counts, and copy them to a read-only csr_array of int64 without stored zeros."""
    from scipy.sparse import csr_array

    if counts.ndim != 2:
        raise ArgumentValueError("counts", f"must be two-dimensional; got shape {counts.shape}.")
    own = csr_array(counts, copy=True)
    own.sum_duplicates()
    rows, columns = own.tocoo().coords
    own.data = _check_whole_numbers("counts", own.data, lambda k: (int(rows[k]), int(columns[k])))
    own.eliminate_zeros()
    for part in (own.data, own.indices, own.indptr):
        part.flags.writeable = False
    return own


def read_counts(name: str, values: npt.ArrayLike, ndim: Literal[1, 2]) -> Integers:
    """Check counts or totals, and return a read-only copy as int64."""
    dimensions = {1: "one-dimensional", 2: "two-dimensional"}[ndim]
    refuse_masked(name, values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise ArgumentValueError(name, f"must be {dimensions}; got rows of different lengths.") from None
    if array.ndim != ndim:
        way_out = " `adjust` compares two label vectors." if ndim == 2 and array.ndim == 1 else ""
        raise ArgumentValueError(name, f"must be {dimensions}; got shape {array.shape}.{way_out}")

    def position(k: int) -> object:
        cell = tuple(map(int, np.unravel_index(k, array.shape)))
        return cell[0] if ndim == 1 else cell

    own = _check_whole_numbers(name, array.ravel(), position).reshape(array.shape)
    own.flags.writeable = False
    return own


def _check_whole_numbers(name: str, values: AnyArray, position: Callable[[int], object]) -> Integers:
    """Check that numbers are whole, not negative, and have a sum that fits; return a copy as int64."""
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
    if values.dtype.kind == "O":  # numbers of many types, possibly larger than NumPy's types allow
        largest: float = sum(map(int, values))
    else:
        largest = float(values.sum(dtype=np.float64))  # exact in float64 up to 2**53
    if largest > MAX_OBJECTS:
        total = sum(map(int, values.tolist()))
        raise ArgumentValueError(name, f"must sum to at most {MAX_OBJECTS}; got {total}.")
    return values.astype(np.int64)
