"""The base class of clusterings, two kinds of clusterings, and the agreement of two clusterings."""

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from chancecorr.clusterings.pair_kernels import EQUAL_LABELS, MATRIX, Gathered, fill_block
from chancecorr.indices.index import OF_CLUSTERINGS, Index
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, name_kind
from chancecorr.machine.arrays import Booleans, Floats, Integers, refuse_masked
from chancecorr.machine.notes import Note

OBJECTS_A_TILE = 1024  # side of a tile: 8 MB as float64; up to a dozen tiles are held at a time
MOST_OBJECTS_CHECKED = 500  # of a matrix that is checked when it is made, not when it is read
MAX_FLOAT32_ROUNDING = 1e-6  # tolerance for asymmetry, and for values outside [0, 1]

Placed = tuple[slice, slice, Floats]  # rows, columns and values of a tile


def list_spans(n: int) -> Iterator[tuple[slice, slice]]:
    """List rows and columns of the tiles on and above the diagonal of a matrix over n objects."""
    starts = range(0, n, OBJECTS_A_TILE)
    parts = [slice(start, min(start + OBJECTS_A_TILE, n)) for start in starts]
    return itertools.combinations_with_replacement(parts, 2)


def select_pairs(rows: slice, columns: slice, tile: Floats) -> Floats:
    """Return the values of a tile for the pairs i < j."""
    return tile[np.triu(np.ones(tile.shape, dtype=np.bool_), 1)] if rows == columns else tile.ravel()


def require_square(name: str, matrix: Any) -> Any:
    """Return the matrix if it gives tiles, else as an array; raise if it is not square."""
    refuse_masked(name, matrix)
    if not (hasattr(matrix, "shape") and hasattr(matrix, "dtype")):  # lists, data frames
        try:
            matrix = np.asarray(matrix)
        except ValueError:
            raise ArgumentValueError(name, "must be square; got rows of different lengths.") from None
    shape = tuple(matrix.shape)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ArgumentValueError(name, f"must be square; got shape {shape}.")
    return matrix


def require_everywhere(
    name: str, what: str, good: Booleans, values: Floats, start: tuple[int, int] = (0, 0), advice: str = ""
) -> None:
    """Raise if a value is not good; the position of the first value is `start`."""
    if not good.all():
        i, j = map(int, np.unravel_index(int(good.argmin()), good.shape))
        got = f"{values[i, j]} at position {(start[0] + i, start[1] + j)}"
        raise ArgumentValueError(name, f"must hold {what}; got {got}.{advice}")


class Kind(ABC):
    """A clustering other than a vector of labels; its class says all that is special about the kind."""

    __slots__ = ()
    word: ClassVar[str]  # for messages, and for `Index.takes`
    default_indices: ClassVar[tuple[str, ...]] = ("correlation",)  # the best one first
    has_objects: ClassVar[bool] = True  # False if the rows and the columns of a matrix are clustered


class Clustering(Kind):
    """A clustering of n objects: one file for each kind; the reader recognises its class."""

    __slots__ = ()
    objects: Any = None  # names of the objects: an index, a tuple if they have no order, or None
    has_degrees: ClassVar[bool] = False  # True if similarities are in [0, 1], so that pairs can be counted
    may_lack_objects: ClassVar[bool] = False  # True if it may lack objects that the other side names

    @property
    def plain(self) -> Any:
        """The argument of a user's function: labels, memberships, a linkage or a matrix."""
        return getattr(self, fields(self)[0].name)  # type: ignore[arg-type]

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.plain.shape[0])

    def tiles(self) -> Iterator[Placed]:
        """Yield tiles of the matrix over pairs, on and above the diagonal; the diagonal is ignored."""
        gathered = self.gather()
        for rows, columns in list_spans(self.n):
            out = np.empty((rows.stop - rows.start, columns.stop - columns.start))
            fill_block(gathered, rows.start, np.arange(columns.start, columns.stop), out)
            yield rows, columns, out

    @abstractmethod
    def gather(self) -> Gathered:
        """Return the arrays from which compiled loops read the similarity of any two objects."""

    @abstractmethod
    def part(self, objects: Integers) -> "Clustering":
        """Return the clustering of these objects, in this order: some objects, or a permutation of all.

        If the clustering may lack objects, -1 is an object that it lacks.
        """

    def find_clustered(self) -> Booleans:
        """Return the mask of the objects that are in a cluster."""
        return np.ones(self.n, dtype=np.bool_)

    def place_missing(self, missing: str, kept: Booleans) -> "Clustering":
        """Return the clustering of the kept objects, or place each object in no cluster in a separate one."""
        return self.part(np.flatnonzero(kept))

    def list_notes(self) -> list[Note]:
        """List notes on how the clustering was read."""
        return []

    def explain_size(self, n: int) -> str:
        """Explain why the clustering does not have n objects, in a sentence; empty if it is not known."""
        return ""


@dataclass(frozen=True, slots=True)
class Partition(Clustering):
    """A partition, with clusters numbered from 0 without a gap."""

    codes: Integers
    word: ClassVar[str] = "labels"
    default_indices: ClassVar[tuple[str, ...]] = ("rand", "omega", "correlation")
    has_degrees: ClassVar[bool] = True

    def tiles(self) -> Iterator[Placed]:
        """Yield tiles with 1 if two objects are together, else 0."""
        for rows, columns in list_spans(self.n):
            yield rows, columns, 1.0 * (self.codes[rows, np.newaxis] == self.codes[columns])

    def gather(self) -> Gathered:
        """Return the labels."""
        return Gathered(EQUAL_LABELS, codes=self.codes)

    def part(self, objects: Integers) -> "Partition":
        """Return the partition of these objects, in this order."""
        return Partition(np.unique(self.codes[objects], return_inverse=True)[1])


@dataclass(frozen=True, slots=True, eq=False)
class Similarity(Clustering):
    """A matrix of similarities or distances of objects.

    Parameters
    ----------
    matrix : array-like of shape (n, n)
        Symmetric, such as a consensus matrix or a kernel; in memory, or any object that gives tiles by
        ``matrix[i:j, k:l]``. The diagonal is ignored.
    distance : bool, default False
        True if the numbers are distances. Indices of degrees in [0, 1], such as pair-counting indices, use
        ``1 - d`` and raise an error for distances above 1; the correlation uses ``-d``.
    name : str
        Name in messages.
    bounded : bool
        If True, numbers outside [0, 1] raise an error, and a distance counts as 1 - d.

    Raises
    ------
    ValueError, TypeError
        If the matrix is not square, or not symmetric. Matrices of more than 500 objects, or not in memory,
        are compared with their mirror images when they are read.

    Examples
    --------
    >>> Similarity([[1, 0.5], [0.5, 1]]).n
    2
    """

    matrix: Any
    distance: bool = False
    name: str = "matrix"  # of the argument, for messages
    bounded: bool = False  # True if the numbers are degrees in [0, 1]
    objects: Any = field(default=None, init=False, repr=False)  # index of a data frame
    word: ClassVar[str] = "similarity"
    default_indices: ClassVar[tuple[str, ...]] = ("rand", "correlation")
    has_degrees: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the shape."""
        if hasattr(self.matrix, "columns"):  # a data frame
            object.__setattr__(self, "objects", self.matrix.index)
        object.__setattr__(self, "matrix", require_square(self.name, self.matrix))
        if isinstance(self.matrix, np.ndarray) and self.n <= MOST_OBJECTS_CHECKED:
            for _ in self.tiles():  # which compares a matrix with its mirror image
                pass

    def tiles(self) -> Iterator[Placed]:
        """Yield tiles, after comparing each with its mirror image."""
        for rows, columns in list_spans(self.n):
            tile = self._read(rows, columns)
            mirror = (tile if rows == columns else self._read(columns, rows)).T
            difference = np.abs(tile - mirror)
            if difference.max() > MAX_FLOAT32_ROUNDING:
                i, j = map(int, np.unravel_index(int(difference.argmax()), tile.shape))
                row, column = rows.start + i, columns.start + j
                raise ArgumentValueError(
                    self.name,
                    f"must be symmetric; got {tile[i, j]} at position {(row, column)} and {mirror[i, j]}"
                    f" at position {(column, row)}.",
                )
            yield rows, columns, self._orient(tile)

    def _read(self, rows: slice, columns: slice) -> Floats:
        """Read a tile as float64; raise if values are not finite, or not in [0, 1] with `bounded`."""
        values = np.asarray(self.matrix[rows, columns])
        if values.dtype.kind not in "biuf":
            kind = f"dtype {values.dtype}" if values.ndim == 2 else name_kind(self.matrix)
            raise ArgumentTypeError(self.name, f"must be an array of real numbers; got {kind}.")
        tile: Floats = values.astype(np.float64, copy=False)
        low, high = tile.min(), tile.max()  # nan if a value is nan
        if not self.bounded:
            if not np.isfinite(high - low):
                got = f"{low} and {high} among them"
                raise ArgumentValueError(self.name, f"must hold finite numbers; got {got}.")
            return tile
        if not (low >= -MAX_FLOAT32_ROUNDING and high <= 1.0 + MAX_FLOAT32_ROUNDING):
            inside = (tile >= -MAX_FLOAT32_ROUNDING) & (tile <= 1.0 + MAX_FLOAT32_ROUNDING)
            advice = " Scale them, or use index 'correlation' of `adjust`, which takes any numbers."
            start = rows.start, columns.start
            require_everywhere(self.name, "numbers in [0, 1]", inside, tile, start, advice)
        return tile.clip(0.0, 1.0) if low < 0.0 or high > 1.0 else tile

    def gather(self) -> Gathered:
        """Return the whole matrix as float64, in memory, or as a memory map if it is float64 already."""
        whole = np.ascontiguousarray(np.asarray(self.matrix[:, :]), dtype=np.float64)
        return Gathered(MATRIX, matrix=self._orient(whole.clip(0.0, 1.0) if self.bounded else whole))

    def _orient(self, values: Floats) -> Floats:
        """Return the degrees to which objects are together: similarities, 1 - d if bounded, or -d."""
        return (float(self.bounded) - values) if self.distance else values

    def part(self, objects: Integers) -> "Similarity":
        """Return the similarities of these objects, in this order."""
        return replace(self, matrix=np.asarray(self.matrix[:, :])[np.ix_(objects, objects)])


index_of_clusterings = partial(Index, needs="clusterings", family=OF_CLUSTERINGS, range=(0.0, 1.0))


def generalize_entry(index: Index, **fields: Any) -> Index:
    """Make the entry of a catalogue index for clusterings of other kinds."""
    return index_of_clusterings(
        name=index.name, source=index.source, best=index.best, range=index.range, constant=index.constant,
        symmetric=index.symmetric, is_distance=not index.larger_is_better, **fields,
    )  # fmt: skip


Sums = Callable[[Integers], Floats]  # from permutations, shape (m, n), to m sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The value of an index on two clusterings, with mean and variance under permutations of the second.

    Parameters
    ----------
    observed : float
        Value on the two clusterings.
    best : float
        Value at perfect agreement, if it depends on the clusterings and the `best` of the index is None.
    expected, variance : float
        Mean and variance under permutations of the second clustering's objects; nan if they must be sampled.
    error : float
        Bound of the error of `expected`, without rounding.
    adjusted : float or None
        Adjusted score, if it can be computed more exactly than from the numbers above.
    sums : callable
        Function from permutations of shape (m, n) to m sums; the index is ``at_zero + slope * sum``.
    at_zero, slope : float
        Coefficients of the index as a function of a sum.
    nanoseconds : float
        Forecast time of a permutation; nan if unknown.
    seconds : float
        Time that computing the agreement took; nan if not measured.

    Examples
    --------
    >>> import chancecorr, numpy
    >>> P, Q = chancecorr.Membership([[1, 0], [0, 1]]), chancecorr.Membership([[1, 0], [1, 0]])
    >>> chancecorr.get_index("fuzzy_rand").function(P, Q).observed
    0.0
    """

    observed: float
    best: float = math.nan
    expected: float = math.nan
    variance: float = math.nan
    error: float = 0.0
    adjusted: float | None = None
    sums: Sums
    at_zero: float = 0.0
    slope: float = 1.0
    nanoseconds: float = math.nan
    seconds: float = math.nan


def leave_undefined() -> Agreement:
    """Return the undefined agreement of fewer than two objects."""
    return Agreement(
        observed=math.nan,
        expected=math.nan,
        sums=lambda permutations: np.full(len(permutations), math.nan),
        nanoseconds=1.0,
    )
