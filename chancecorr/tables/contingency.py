"""Contingency tables of two clusterings: made from labels or counts, with their margins and pair counts."""

import functools
import numbers
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentError, ArgumentTypeError, ArgumentValueError, one_of
from chancecorr.machine.arrays import Booleans, Integers
from chancecorr.tables.addition import (
    ClusterNames,
    Part,
    add_parts,
    cells_above_zero,
    sum_of_parts,
)
from chancecorr.tables.crosstab import DENSE_CELLS, cross_tabulate
from chancecorr.tables.dataframes import index_difference
from chancecorr.tables.heat_map import table_html
from chancecorr.tables.labels import (
    EncodedLabels,
    Names,
    as_integer,
    as_objects,
    encode,
    is_hashable,
    names_with_singletons,
    noise_mask,
    with_article,
    with_singletons,
)
from chancecorr.tables.partitions import computed_sum, is_partitioned, paired_partitions

if TYPE_CHECKING:
    import pandas
    from scipy.sparse import csr_array

Labels = npt.NDArray[Any] | Callable[[], npt.NDArray[Any]] | None
"""Labels of the rows or the columns, or what finds them when they are asked for; None for 0..K-1."""

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
    >>> ContingencyTable([[2, 0], [1, 1]]).pair_counts
    PairCounts(a=1, b=1, c=2, d=2)
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
    row_labels, column_labels : array-like of shape (K,) and (Q,), optional
        What the clusters are called, each label once. Left out, those of a DataFrame if each occurs once,
        else ``0..K-1`` and ``0..Q-1``.

    Attributes
    ----------
    counts : ndarray or scipy.sparse.csr_array of int64, shape (K, Q)
        Read-only. Sparse if `counts` was, or if made by `contingency_table` with too many cells (see there).
    margins : Margins
        Row and column totals. Rows and columns of zeros are kept as given.

    Raises
    ------
    TypeError, ValueError
        If the counts are not such numbers, not two-dimensional, or sum to more than 3,037,000,499 objects; if
        labels are too few or too many, missing, unhashable, or the same.

    Notes
    -----
    Tables compare and hash by shape and content, dense or sparse, whatever the clusters are called.

    Tables of different objects add, ``first + second`` or ``sum(tables)``, by what their clusters are called:
    the sum has the labels of both, sorted if they were sorted in both, else those of the first before those
    that only the second has. It is sparse if ``K Q > max(4_000_000, 4 n)``. Tables of counts without labels
    add by position, if they are of one shape. An object that is a cluster of its own, by
    ``noise="singletons"``, is called by its position in its own table, so that of different tables two may be
    called the same; let `from_chunks` add such tables.

    Examples
    --------
    >>> table = ContingencyTable([[2, 0], [1, 3]])
    >>> table.row_totals, table.column_totals, table.n
    (array([2, 4]), array([3, 3]), 6)
    >>> table.pair_counts
    PairCounts(a=4, b=3, c=2, d=6)
    >>> ContingencyTable([[2, 0], [1, 3]], row_labels=["cat", "owl"])
    ContingencyTable([[2, 0], [1, 3]], row_labels=['cat', 'owl'])
    >>> contingency_table(["a", "b"], [0, 1]) + contingency_table(["b", "c"], [1, 1])
    ContingencyTable([[1, 0], [0, 2], [0, 1]], row_labels=['a', 'b', 'c'])
    """

    counts: "Integers | csr_array[np.int64]"
    margins: Margins
    _labels: tuple[Labels, Labels]

    def __init__(self, counts: Any, *, row_labels: Any = None, column_labels: Any = None) -> None:
        sparse = sys.modules.get("scipy.sparse")  # a sparse array exists only where this has been imported
        is_sparse = sparse is not None and sparse.issparse(counts)
        own = _whole_csr(counts) if is_sparse else _read_only(_whole_array("counts", counts, ndim=2))
        margins = Margins(own.sum(axis=1), own.sum(axis=0))
        object.__setattr__(self, "counts", own)
        object.__setattr__(self, "margins", margins)
        if row_labels is None and column_labels is None and not hasattr(counts, "columns"):
            object.__setattr__(self, "_labels", (None, None))
            return
        given = {"row_labels": row_labels, "column_labels": column_labels}
        named = [
            _labels_of_frame(counts, axis)
            if labels is None
            else _checked_labels(name, labels, own.shape[axis])
            for axis, (name, labels) in enumerate(given.items())
        ]
        object.__setattr__(self, "_labels", tuple(named))

    @property
    def row_labels(self) -> npt.NDArray[Any]:
        """What the row clusters are called, shape (K,): an array of numbers or texts, else of objects.

        Read-only. An object that is a cluster of its own by ``noise="singletons"`` is called by the noise
        label and its position, as in ``(-1, 17)``.
        """
        return self._labels_along(0)

    @property
    def column_labels(self) -> npt.NDArray[Any]:
        """What the column clusters are called, shape (Q,); see `row_labels`."""
        return self._labels_along(1)

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
        return cells_above_zero(self.counts)

    def dense_counts(self) -> Integers:
        """Dense array of the counts, whichever way they are held.

        Returns
        -------
        ndarray of int64, shape (K, Q)
            The counts themselves where they are dense, not a copy.
        """
        return self.counts if isinstance(self.counts, np.ndarray) else self.counts.toarray()

    @classmethod
    def from_chunks(
        cls,
        chunks: Iterable[tuple[Any, Any]],
        *,
        noise: Literal["keep", "drop", "singletons"] | None = None,
        noise_label: Hashable = -1,
        missing: Literal["raise", "drop"] = "raise",
        align: Literal["raise", "position"] = "raise",
    ) -> "ContingencyTable":
        """Contingency table of labels that come in chunks, of which one at a time is in memory.

        Parameters
        ----------
        chunks : iterable of (array-like, array-like)
            Labels of the reference and of the candidate, of the same objects, as `contingency_table` takes
            them.
        noise, noise_label, missing, align
            As `contingency_table` has them. With ``noise="singletons"`` a noise object is called by its
            position among the objects of all chunks.

        Returns
        -------
        ContingencyTable
            That of the chunks put end to end. Its labels are sorted if those of every chunk were; else they
            stand in order of appearance, chunk by chunk.

        Raises
        ------
        TypeError, ValueError
            If `contingency_table` would refuse a chunk; the error counts chunks from 0.

        Examples
        --------
        >>> ContingencyTable.from_chunks([(["b", "b"], [0, 1]), (["a"], [0])])
        ContingencyTable([[1, 0], [1, 1]], row_labels=['a', 'b'])
        """
        options = {"noise": noise, "noise_label": noise_label, "missing": missing, "align": align}
        check_reading(**options)
        try:
            pairs = iter(chunks)
        except TypeError:
            raise ArgumentTypeError(
                "chunks", f"must be an iterable of pairs of labels; got {with_article(chunks)}."
            ) from None
        return table_of_part(sum_of_parts(_parts_of_chunks(pairs, options)), noise_label)

    def to_frame(self, *, margins: bool = False) -> "pandas.DataFrame":
        """Counts as a pandas DataFrame, with the labels as its index and columns (needs pandas).

        Parameters
        ----------
        margins : bool, default False
            Whether totals are added, in a row and a column called "All", as `pandas.crosstab` does.

        Returns
        -------
        DataFrame
            Of shape (K, Q), or (K + 1, Q + 1). A sparse table gives one of sparse columns.

        Examples
        --------
        >>> contingency_table(["cat", "cat", "owl"], [3, 7, 7]).to_frame(margins=True)
        labels_pred  3  7  All
        labels_true
        cat          1  1    2
        owl          0  1    1
        All          1  2    3
        """
        import pandas

        counts, n = self.counts, self.n
        sides = {"labels_true": self.row_labels.tolist(), "labels_pred": self.column_labels.tolist()}
        if margins:
            for name, labels in sides.items():
                if "All" in labels:
                    raise ArgumentValueError(
                        "margins", f"must be False where a cluster is called 'All'; got one in `{name}`."
                    )
                labels.append("All")
            right = np.append(self.row_totals, n)[:, None]
            if isinstance(counts, np.ndarray):
                counts = np.hstack([np.vstack([counts, self.column_totals]), right])
            else:
                from scipy.sparse import csr_array, hstack, vstack

                above = vstack([counts, csr_array(self.column_totals[None, :])])
                counts = hstack([above, csr_array(right)], format="csr")
        index, columns = (_pandas_index(labels, name) for name, labels in sides.items())
        if isinstance(counts, np.ndarray):
            return pandas.DataFrame(counts, index=index, columns=columns, copy=True)
        return pandas.DataFrame.sparse.from_spmatrix(counts, index=index, columns=columns)

    def _labels_along(self, axis: int) -> npt.NDArray[Any]:
        labels = self._labels[axis]
        if labels is None:
            labels = np.arange(self.shape[axis])
        elif not isinstance(labels, np.ndarray):
            labels = labels()
        labels.flags.writeable = False
        return labels

    def __add__(self, other: "ContingencyTable") -> "ContingencyTable":
        """Table of the objects of both, whose clusters are those called the same."""
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return table_of_part(add_parts(_as_part(self), _as_part(other)), None)

    def __radd__(self, other: object) -> "ContingencyTable":
        """Table itself after 0, with which `sum` begins."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Whether the other holds the same numbers."""
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return self.shape == other.shape and all(map(np.array_equal, self.nonzero_cells, other.nonzero_cells))

    def __hash__(self) -> int:
        """Hash of the shape and the cells above zero."""
        return hash((self.shape, *(cells.tobytes() for cells in self.nonzero_cells)))

    def __repr__(self) -> str:
        """Small tables in full, with labels other than 0..K-1; larger ones by their shape."""
        if not (isinstance(self.counts, np.ndarray) and max(self.shape) <= 8):
            return f"<ContingencyTable of shape {self.shape}, n = {self.n}>"
        shown = [str(self.counts.tolist())]
        for name, labels in (("row_labels", self.row_labels), ("column_labels", self.column_labels)):
            if repr(labels.tolist()) != repr(
                list(range(labels.size))
            ):  # 0.0 and False are other labels than 0
                shown.append(f"{name}={labels.tolist()}")
        return f"ContingencyTable({', '.join(shown)})"

    def _repr_html_(self) -> str:
        """Heat map for a notebook; of a large table its largest clusters."""
        return table_html(self)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        """Pickle as the counts and the labels, so that a copy is read-only too."""
        if all(labels is None for labels in self._labels):
            return type(self), (self.counts,)
        labels = (
            labels if labels is None or isinstance(labels, np.ndarray) else labels()
            for labels in self._labels
        )
        return labelled_table, (self.counts, *labels)


def labelled_table(
    counts: "Integers | csr_array[np.int64]", row_labels: Labels, column_labels: Labels
) -> ContingencyTable:
    """Table with labels that need no check, since they were found by counting."""
    table = ContingencyTable(counts)
    object.__setattr__(table, "_labels", (row_labels, column_labels))
    return table


class LabelPair(NamedTuple):
    """Two clusterings of the same objects, read: codes of the objects that are kept, and their names.

    Attributes
    ----------
    codes : (ndarray, ndarray)
        Integers, equal for equal labels and in their order, of the reference and of the candidate.
    names : (callable, callable)
        From codes to labels.
    kept : ndarray of bool or None
        Which of the objects as given these are; None where they are all.
    alone : (ndarray of int64, ndarray of int64)
        Positions, among the objects as given, of those that are clusters of their own by
        ``noise="singletons"``; their codes are the last ones.
    """

    codes: tuple[npt.NDArray[Any], npt.NDArray[Any]]
    names: tuple[Names, Names]
    kept: Booleans | None
    alone: tuple[Integers, Integers]

    def table(self) -> ContingencyTable:
        """Contingency table of the codes, with the labels that they stand for: found only when asked for."""
        counts, rows, columns = cross_tabulate(*self.codes)
        row_names, column_names = self.names
        return labelled_table(counts, lambda: row_names(rows()), lambda: column_names(columns()))

    def part(self) -> Part:
        """Counts and names, to be added to those of other objects."""
        counts, *found = cross_tabulate(*self.codes)
        rows, columns = (
            ClusterNames(names(codes()[: size - alone.size]), alone)
            for names, codes, size, alone in zip(self.names, found, counts.shape, self.alone, strict=True)
        )
        return Part(counts, rows, columns, self.codes[0].size if self.kept is None else self.kept.size)


def table_of_part(part: Part | None, noise_label: Hashable) -> ContingencyTable:
    """Table of added parts; the empty one where there are none."""
    if part is None:
        return contingency_table([], [])
    sides = (_with_alone(names, noise_label) for names in (part.rows, part.columns))
    return labelled_table(part.counts, *sides)


def _with_alone(names: ClusterNames, noise_label: Hashable) -> Labels:
    """Labels of the clusters, and after them of the noise objects that are clusters of their own."""
    labels, alone = names
    if labels is None or not alone.size:
        return labels
    return lambda: as_objects([*labels.tolist(), *((noise_label, k) for k in alone.tolist())])


def _as_part(table: ContingencyTable) -> Part:
    """Counts and names of a table, in which every cluster is what it is called."""
    none = np.zeros(0, dtype=np.int64)
    # The clusters of a table of mere counts have places, and are not those called 0, 1, 2, ... elsewhere.
    rows, columns = (
        ClusterNames(None if found is None else labels, none)
        for found, labels in zip(table._labels, (table.row_labels, table.column_labels), strict=True)
    )
    return Part(table.counts, rows, columns, 0)


def _parts_of_chunks(chunks: Iterator[Any], options: dict[str, Any]) -> Iterator[Part]:
    """Parts of the chunks, in turn."""
    k = first = 0
    for chunk in chunks:  # `enumerate` would hold on to the last one
        try:
            labels_true, labels_pred = chunk
        except (TypeError, ValueError):
            raise ArgumentTypeError(
                "chunks", f"must hold pairs of labels; got {with_article(chunk)} as chunk {k}."
            ) from None
        part = part_of_chunk(labels_true, labels_pred, options, f"chunk {k}, from object {first} on,")
        k, first = k + 1, first + part.objects
        yield part
        del chunk, labels_true, labels_pred, part  # before the next one is made


def _part_of_partition(labels_true: Any, labels_pred: Any, *, options: dict[str, Any], number: int) -> Part:
    """Part of one partition of Dask."""
    return part_of_chunk(labels_true, labels_pred, options, f"partition {number}")


def part_of_chunk(labels_true: Any, labels_pred: Any, options: dict[str, Any], chunk: str) -> Part:
    """Part of one chunk; what is wrong with its labels is said of that chunk."""
    try:
        return read_labels(labels_true, labels_pred, **options).part()
    except ArgumentError as error:
        raise type(error)(
            error.argument, f"of {chunk} {error.text}", *error.others, remedy=error.remedy
        ) from None


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
        are matched by position. Two Dask arrays or columns of Dask frames are counted partition by partition.
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
        order of first appearance if they cannot be sorted; what they are called is in `row_labels` and
        `column_labels`. Counts are sparse if ``K Q > max(4_000_000, 4 n)``.

    Raises
    ------
    TypeError, ValueError
        If a side is not one-dimensional, holds missing or unhashable labels, or the two differ in length or
        in their pandas indexes.

    Examples
    --------
    >>> contingency_table(["a", "a", "b", "b"], [0, 0, 0, 1])
    ContingencyTable([[2, 0], [1, 1]], row_labels=['a', 'b'])
    >>> contingency_table([0, 0, 1, 1], [0, -1, 1, -1], noise="singletons")
    ContingencyTable([[1, 0, 1, 0], [0, 1, 0, 1]], column_labels=[0, 1, (-1, 1), (-1, 3)])
    """
    options = {"noise": noise, "noise_label": noise_label, "missing": missing, "align": align}
    if is_partitioned(labels_true) and is_partitioned(labels_pred):
        check_reading(**options)
        count = functools.partial(_part_of_partition, options=options)
        total = computed_sum(paired_partitions(labels_true, labels_pred), count, add_parts)
        return table_of_part(total, noise_label)
    sides = labels_true, labels_pred
    if noise == "drop" and all(isinstance(each, np.ndarray) and each.dtype.kind in "iub" for each in sides):
        table = read_labels(*sides, **{**options, "noise": None}).table()
        if isinstance(table.counts, np.ndarray) and table.counts.size <= DENSE_CELLS:
            return _without_label(table, as_integer(noise_label))
    return read_labels(labels_true, labels_pred, **options).table()


def _without_label(table: ContingencyTable, label: int | None) -> ContingencyTable:
    """Table of integer labels without those objects that have this one: no array of all others is made."""
    if label is None:
        return table
    rows, columns = (~noise_mask(labels, label) for labels in (table.row_labels, table.column_labels))
    counts = table.dense_counts()[np.ix_(rows, columns)]
    found = counts.any(axis=1), counts.any(axis=0)
    labels = table.row_labels[rows][found[0]], table.column_labels[columns][found[1]]
    return labelled_table(counts[np.ix_(*found)], *labels)


def read_labels(
    labels_true: Any, labels_pred: Any, *, noise: Any, noise_label: Hashable, missing: Any, align: Any
) -> LabelPair:
    """Two clusterings as codes, by the rules of `contingency_table`.

    Examples
    --------
    >>> as_given = {"noise": None, "noise_label": -1, "missing": "raise", "align": "raise"}
    >>> read_labels(["b", "a", "b"], [7, 7, 9], **as_given).codes
    (array([1, 0, 1]), array([7, 7, 9]))
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
    codes, names = [side.codes for side in sides.values()], [side.names for side in sides.values()]
    kept = ~functools.reduce(np.logical_or, left_out) if left_out else None
    alone = [np.zeros(0, dtype=np.int64)] * 2
    if kept is not None:
        codes = [each[kept] for each in codes]
    if noise == "singletons":
        for k, side in enumerate(sides.values()):
            codes[k], known, objects = with_singletons(codes[k], side.noise_code)
            if kept is not None:
                objects = np.flatnonzero(kept)[objects]
            names[k] = names_with_singletons(side.names, known, objects, noise_label)
            alone[k] = objects
    return LabelPair((codes[0], codes[1]), (names[0], names[1]), kept, (alone[0], alone[1]))


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
        masks.append(noise_mask(side.codes, side.noise_code))
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


def _checked_labels(name: str, labels: Any, size: int) -> npt.NDArray[Any]:
    """Labels as an array, one for each cluster."""
    encoded = encode(name, labels, None)
    if encoded.codes.size != size:
        side = "rows" if name == "row_labels" else "columns"
        raise ArgumentValueError(
            name, f"must hold one label for each of the {size} {side}; got {encoded.codes.size}."
        )
    if encoded.missing is not None:
        position = int(encoded.missing.argmax())
        raise ArgumentValueError(
            name, f"must not hold missing labels; got {encoded.labels[position]} at position {position}."
        )
    found = encoded.names(encoded.codes).copy()
    codes, occurrences = np.unique(encoded.codes, return_counts=True)
    if (occurrences > 1).any():
        position = int((encoded.codes == codes[occurrences > 1][0]).argmax())
        raise ArgumentValueError(name, f"must hold every label once; got {found.tolist()[position]!r} again.")
    return found


def _labels_of_frame(counts: Any, axis: int) -> npt.NDArray[Any] | None:
    """Labels along an axis of a DataFrame; None where it has no labels that are all different."""
    labels = getattr(counts, ("index", "columns")[axis], None)
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(labels, pandas.Index) or not labels.is_unique or labels.hasnans:
        return None
    return _checked_labels(("row_labels", "column_labels")[axis], labels, labels.size)


def _pandas_index(labels: list[Any], name: str) -> "pandas.Index":
    """Labels as pandas keeps them; as objects where it has no type for them, as for half a surrogate pair."""
    import pandas

    try:
        return pandas.Index(labels, name=name, tupleize_cols=False)
    except (UnicodeEncodeError, NotImplementedError):  # the second of numbers of 16 bits
        return pandas.Index(labels, name=name, tupleize_cols=False, dtype=object)


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
    if values.dtype.kind in "fO":
        with np.errstate(invalid="ignore"):
            wrong = np.logical_not((values >= 0) & (values % 1 == 0))  # NaN included
    else:
        wrong = values < 0
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
