"""What a clustering of any kind is, two kinds, and how two clusterings agree by an index."""

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

OBJECTS_A_TILE = 1024  # side of a tile: 8 MB as float64, of which up to a dozen are held at a time
MAX_FLOAT32_ROUNDING = 1e-6  # how far mirrored values may differ, and values leave [0, 1]

Placed = tuple[slice, slice, Floats]  # rows, columns and values of a tile


def list_spans(n: int) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the tiles on and above the diagonal of a matrix over n objects."""
    starts = range(0, n, OBJECTS_A_TILE)
    parts = [slice(start, min(start + OBJECTS_A_TILE, n)) for start in starts]
    return itertools.combinations_with_replacement(parts, 2)


def select_pairs(rows: slice, columns: slice, tile: Floats) -> Floats:
    """Values of a tile for the pairs i < j."""
    return tile[np.triu(np.ones(tile.shape, dtype=np.bool_), 1)] if rows == columns else tile.ravel()


def require_square(name: str, matrix: Any) -> Any:
    """Matrix itself if it gives tiles, else as an array; square."""
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
    """Raise where a value is none of what they must be; the first value is at position `start`."""
    if not good.all():
        i, j = map(int, np.unravel_index(int(good.argmin()), good.shape))
        got = f"{values[i, j]} at position {(start[0] + i, start[1] + j)}"
        raise ArgumentValueError(name, f"must hold {what}; got {got}.{advice}")


class Clustering(ABC):
    """A clustering of n objects: one file for each kind, listed in `reading`."""

    __slots__ = ()
    word: ClassVar[str]  # for messages, and for `Index.takes`

    @property
    def plain(self) -> Any:
        """What a user's function is given: labels, memberships, a linkage or a matrix."""
        return getattr(self, fields(self)[0].name)  # type: ignore[arg-type]

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.plain.shape[0])

    def tiles(self) -> Iterator[Placed]:
        """Tiles of the matrix over pairs, on and above the diagonal, which does not count."""
        gathered = self.gather()
        for rows, columns in list_spans(self.n):
            out = np.empty((rows.stop - rows.start, columns.stop - columns.start))
            fill_block(gathered, rows.start, np.arange(columns.start, columns.stop), out)
            yield rows, columns, out

    @abstractmethod
    def gather(self) -> Gathered:
        """Arrays by which compiled loops find similarities of any two objects."""

    @abstractmethod
    def part(self, objects: Integers) -> "Clustering":
        """These objects, in this order: some of them, or a permutation of all."""


@dataclass(frozen=True, slots=True)
class Partition(Clustering):
    """Objects in one cluster each, numbered from 0 without a gap."""

    codes: Integers
    word: ClassVar[str] = "labels"

    def tiles(self) -> Iterator[Placed]:
        """1 where two objects are together, else 0."""
        for rows, columns in list_spans(self.n):
            yield rows, columns, 1.0 * (self.codes[rows, np.newaxis] == self.codes[columns])

    def gather(self) -> Gathered:
        """The labels."""
        return Gathered(EQUAL_LABELS, codes=self.codes)

    def part(self, objects: Integers) -> "Partition":
        """These objects, in this order."""
        return Partition(np.unique(self.codes[objects], return_inverse=True)[1])


@dataclass(frozen=True, slots=True, eq=False)
class Similarity(Clustering):
    """How alike the objects of each pair are, in a matrix.

    Parameters
    ----------
    matrix : array-like of shape (n, n)
        Symmetric, such as a consensus matrix or a kernel; in memory, or whatever gives tiles by
        ``matrix[i:j, k:l]``. The diagonal does not count.
    distance : bool, default False
        Whether the numbers are distances: indices of degrees in [0, 1], such as those that count pairs, take
        ``1 - d`` and refuse distances above 1; the correlation takes ``-d``.
    name : str
        What messages call it.
    bounded : bool
        Whether numbers outside [0, 1] are refused, and a distance counts as 1 - d.

    Raises
    ------
    ValueError, TypeError
        If it is not square; of a matrix that is not symmetric when its tiles are read.

    Examples
    --------
    >>> Similarity([[1, 0.5], [0.5, 1]]).n
    2
    """

    matrix: Any
    distance: bool = False
    name: str = "matrix"  # of the argument, for messages
    bounded: bool = False  # whether the numbers are degrees in [0, 1]
    index: Any = field(default=None, init=False, repr=False)  # of a data frame
    word: ClassVar[str] = "similarity"

    def __post_init__(self) -> None:
        """Check the shape."""
        if hasattr(self.matrix, "columns"):  # a data frame
            object.__setattr__(self, "index", self.matrix.index)
        object.__setattr__(self, "matrix", require_square(self.name, self.matrix))

    def tiles(self) -> Iterator[Placed]:
        """Tiles, each compared with its mirror image."""
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
        """One tile as float64, its values finite, or in [0, 1] if they have to be."""
        values = np.asarray(self.matrix[rows, columns])
        if values.dtype.kind not in "biuf":
            kind = f"dtype {values.dtype}" if values.ndim == 2 else name_kind(self.matrix)
            raise ArgumentTypeError(self.name, f"must be an array of real numbers; got {kind}.")
        tile: Floats = values.astype(np.float64, copy=False)
        low, high = tile.min(), tile.max()  # nan if one value is
        if not self.bounded:
            if not np.isfinite(high - low):
                got = f"{low} and {high} among them"
                raise ArgumentValueError(self.name, f"must hold finite numbers; got {got}.")
            return tile
        if not (low >= -MAX_FLOAT32_ROUNDING and high <= 1.0 + MAX_FLOAT32_ROUNDING):
            inside = (tile >= -MAX_FLOAT32_ROUNDING) & (tile <= 1.0 + MAX_FLOAT32_ROUNDING)
            advice = " Scale them, or take index 'correlation' of `adjust`, which is for any numbers."
            start = rows.start, columns.start
            require_everywhere(self.name, "numbers in [0, 1]", inside, tile, start, advice)
        return tile.clip(0.0, 1.0) if low < 0.0 or high > 1.0 else tile

    def gather(self) -> Gathered:
        """The whole matrix, in memory as float64, or as a memory map that is float64 already."""
        whole = np.ascontiguousarray(np.asarray(self.matrix[:, :]), dtype=np.float64)
        return Gathered(MATRIX, matrix=self._orient(whole.clip(0.0, 1.0) if self.bounded else whole))

    def _orient(self, values: Floats) -> Floats:
        """How much the objects are together: similarities themselves, 1 - d of bounded distances, or -d."""
        return (float(self.bounded) - values) if self.distance else values

    def part(self, objects: Integers) -> "Similarity":
        """These objects, in this order."""
        return replace(self, matrix=np.asarray(self.matrix[:, :])[np.ix_(objects, objects)])


index_of_clusterings = partial(Index, needs="clusterings", family=OF_CLUSTERINGS, range=(0.0, 1.0))


def generalize_entry(index: Index, **fields: Any) -> Index:
    """The entry, for clusterings of other kinds, of an index of the catalogue."""
    return index_of_clusterings(
        name=index.name, source=index.source, best=index.best, range=index.range, constant=index.constant,
        symmetric=index.symmetric, is_distance=not index.larger_is_better, **fields,
    )  # fmt: skip


Sums = Callable[[Integers], Floats]  # from permutations, shape (m, n), to m sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An index of two clusterings, and its mean and variance when the objects of the second are permuted.

    Parameters
    ----------
    observed : float
        Value on the two clusterings.
    best : float
        Value at perfect agreement, if the `best` of the index is None: it depends on the clusterings.
    expected, variance : float
        Under permutations of the objects of the second; nan if they have to be sampled.
    error : float
        Bound of the error of `expected`, rounding aside.
    adjusted : float or None
        Adjusted score, if it is found more exactly than from the numbers above.
    sums : callable
        From permutations of shape (m, n) to m sums, of which the index is ``at_zero + slope * sum``.
    at_zero, slope : float
        How the index follows from a sum.
    nanoseconds : float
        Forecast of a permutation; nan if it is not known.
    seconds : float
        What it took to find how they agree; nan if nobody looked at the clock.

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
    """Agreement of fewer than two objects."""
    return Agreement(
        observed=math.nan,
        expected=math.nan,
        sums=lambda permutations: np.full(len(permutations), math.nan),
        nanoseconds=1.0,
    )
