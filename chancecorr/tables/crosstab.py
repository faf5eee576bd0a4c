"""Cross-classification of integer labels: arrays in, counts out."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.machine.arrays import AnyArray, Booleans, Integers
from chancecorr.machine.kernel import kernel

if TYPE_CHECKING:
    from scipy.sparse import csr_array


LABELS_WITHOUT_KERNELS = 100_000
"""Up to this many labels NumPy does all the work, in a few milliseconds, so that a new process needs no Numba
for them, which takes longer to load."""

DENSE_CELLS = 4_000_000
"""A table of up to this many cells (32 MB), or of up to four per object, is held densely."""

DIRECT_CELLS = 65_536
"""A range of up to this many values, or of up to four per object, is used as an array's index."""


LABELS_SAMPLED = 1_000
"""Labels that the range of all is guessed from; a label beyond it costs one more reading."""

Range = tuple[int, int]
"""Smallest and largest label."""


FoundLabels = Callable[[], AnyArray]
"""Integer labels that occur, ascending, written out when they are asked for: most tables are never asked."""


class CrossClassification(NamedTuple):
    """Counts of shape (K, Q), and the labels of their rows and columns."""

    counts: "Integers | csr_array[np.int64]"
    rows: FoundLabels
    columns: FoundLabels


def cross_classify(x: AnyArray, y: AnyArray) -> "Integers | csr_array[np.int64]":
    """Table (K, Q) of the integer labels that occur, in ascending order; sparse when K Q is too large."""
    return cross_tabulate(x, y).counts


def cross_tabulate(x: AnyArray, y: AnyArray) -> CrossClassification:
    """`cross_classify` with the labels of the rows and columns, which the counting has found on its way."""
    n = x.size
    if n == 0:
        none = (functools.partial(np.zeros, 0, dtype=side.dtype) for side in (x, y))
        return CrossClassification(np.zeros((0, 0), dtype=np.int64), *none)
    counted = _count_few(x, y) if n <= LABELS_WITHOUT_KERNELS else _count_many(x, y)
    if counted is not None:
        cells, lows = counted
        rows, columns = (np.logical_or.reduce(cells, axis=axis) for axis in (1, 0))
        row_labels: FoundLabels = functools.partial(_labels_at, rows, lows[0], x.dtype)
        column_labels: FoundLabels = functools.partial(_labels_at, columns, lows[1], y.dtype)
        if not (rows.all() and columns.all()):
            cells = cells[np.ix_(rows, columns)]
        return CrossClassification(cells, row_labels, column_labels)
    x, n_rows, row_labels = numbered(x)
    y, n_columns, column_labels = numbered(y)
    if n_rows * n_columns <= max(DENSE_CELLS, 4 * n):
        cells = _by_bincount(x * n_columns + y, (n_rows, n_columns))
        return CrossClassification(cells, row_labels, column_labels)
    from scipy.sparse import coo_array

    sparse = coo_array((np.ones(n, dtype=np.int64), (x, y)), shape=(n_rows, n_columns)).tocsr()
    return CrossClassification(sparse, row_labels, column_labels)


def relabel(x: AnyArray) -> tuple[Integers, int]:
    """Ranks 0..K-1 of the labels among the K values that occur, and K."""
    return numbered(x)[:2]


def numbered(x: AnyArray) -> tuple[Integers, int, FoundLabels]:
    """Ranks 0..K-1 of the labels among the K values that occur, K, and these values."""
    if x.size == 0:
        return np.zeros(0, dtype=np.int64), 0, functools.partial(np.zeros, 0, dtype=x.dtype)
    low, high = _range(x)
    if high - low + 1 > _direct_cells(x.size):  # a table of all values would not fit the cache, or the memory
        values, ranks = np.unique(x, return_inverse=True)
        return ranks, values.size, lambda: values
    offsets = _offsets(x, low)
    present = np.zeros(high - low + 1, dtype=np.bool_)
    present[offsets] = True
    rank = np.cumsum(present, dtype=np.int64) - 1
    return rank[offsets], int(rank[-1]) + 1, functools.partial(_labels_at, present, low, x.dtype)


def _direct_cells(n: int) -> int:
    """Largest table, or range of one side, that is used as an array's index."""
    return max(DIRECT_CELLS, 4 * n)


def _range(labels: AnyArray) -> Range:
    return int(labels.min()), int(labels.max())


def _shape(ranges: tuple[Range, Range]) -> tuple[int, int]:
    """Numbers of rows and columns of a table over the ranges."""
    (low_x, high_x), (low_y, high_y) = ranges
    return high_x - low_x + 1, high_y - low_y + 1


def _offsets(labels: AnyArray, low: int) -> Integers:
    """Labels less the smallest, whatever their type: what goes beyond int64 on the way comes back."""
    offsets = _as_signed(labels).astype(np.int64)
    offsets -= _wrapped(low)
    return offsets


def _labels_at(occurs: Booleans, low: int, dtype: np.dtype[Any]) -> AnyArray:
    """Labels that occur, of all from the smallest on, in their type; the way back from `_offsets`."""
    return (np.flatnonzero(occurs) + _wrapped(low)).astype(dtype.newbyteorder("="))


def _wrapped(label: int) -> int:
    """Integer of 64 bits that `_as_signed` turns a label into."""
    return label if label < 2**63 else label - 2**64


def _count_few(x: AnyArray, y: AnyArray) -> tuple[Integers, tuple[int, int]] | None:
    """Table over the ranges of the labels, and the smallest ones; None if it would have too many cells."""
    ranges = _range(x), _range(y)
    shape = _shape(ranges)
    if shape[0] * shape[1] > _direct_cells(x.size):
        return None
    places = _offsets(x, ranges[0][0])
    places *= shape[1]
    places += _as_signed(y)  # in place: a second array of this size costs more than its sums
    places -= _wrapped(ranges[1][0])
    return _by_bincount(places, shape), (ranges[0][0], ranges[1][0])


def _by_bincount(places: Integers, shape: tuple[int, int]) -> Integers:
    return np.bincount(places, minlength=shape[0] * shape[1]).astype(np.int64, copy=False).reshape(shape)


def _count_many(x: AnyArray, y: AnyArray) -> tuple[Integers, tuple[int, int]] | None:
    """`_count_few` by a kernel, over the range of a sample, which is widened at the first label beyond it."""
    most = _direct_cells(x.size)
    views = _as_signed(x), _as_signed(y)
    step = x.size // LABELS_SAMPLED + 1
    ranges = _range(views[0][::step]), _range(views[1][::step])
    shape = _shape(ranges)
    if shape[0] * shape[1] > most:
        return None
    cells = np.zeros(shape, dtype=np.int64)
    done = _add_from(0, *views, ranges, cells)
    if done < x.size:
        (low_x, high_x), (low_y, high_y) = ranges
        rest_x, rest_y = _range(views[0][done:]), _range(views[1][done:])
        ranges = (
            (min(low_x, rest_x[0]), max(high_x, rest_x[1])),
            (min(low_y, rest_y[0]), max(high_y, rest_y[1])),
        )
        shape = _shape(ranges)
        if shape[0] * shape[1] > most:
            return None
        known, cells = cells, np.zeros(shape, dtype=np.int64)
        top, left = low_x - ranges[0][0], low_y - ranges[1][0]
        cells[top : top + known.shape[0], left : left + known.shape[1]] = known
        _add_from(done, *views, ranges, cells)
    for side, (low, high) in zip((x, y), ranges, strict=True):
        if side.dtype.kind == "u" and low < 0 <= high:  # labels of 2**63 and more went below the others
            return None
    return cells, (ranges[0][0], ranges[1][0])


def _as_signed(labels: AnyArray) -> AnyArray:
    """Labels of a type that int64 holds, by a view: those of 2**63 and more are negative then."""
    if labels.dtype.kind == "b":
        return labels.view(np.uint8)
    if labels.dtype.kind == "u" and labels.dtype.itemsize == 8:
        return labels.view(np.dtype(np.int64).newbyteorder(labels.dtype.byteorder))
    return labels


def _add_from(start: int, x: AnyArray, y: AnyArray, ranges: tuple[Range, Range], cells: Integers) -> int:
    """Count the objects from `start` on into the cells, up to a label out of range; how far that went."""
    common = np.result_type(x, y).newbyteorder("=")  # seven machine codes serve all types
    rest_x, rest_y = (np.require(side[start:], common, ["C", "A"]).view() for side in (x, y))
    rest_x.flags.writeable = rest_y.flags.writeable = False
    # 256 labels at a time are few enough for the processor to read ahead while it counts
    places = np.empty(256, dtype=np.uint32 if cells.size <= 2**32 else np.uint64)
    counts = np.uint32 if x.size < 2**32 else np.int64
    n_lanes = 4 if cells.size <= 2048 else 1  # four copies of so many cells fit the L1 cache of 32 KB
    lanes = np.zeros((n_lanes, cells.size), dtype=counts)
    with np.errstate(over="ignore"):  # places of labels out of range, where kernels are not compiled
        added = count_in_range(rest_x, rest_y, *ranges[0], *ranges[1], places, lanes)
    cells += lanes.sum(axis=0, dtype=np.int64).reshape(cells.shape)
    return start + added


@kernel
def count_in_range(
    x: AnyArray,
    y: AnyArray,
    low_x: int,
    high_x: int,
    low_y: int,
    high_y: int,
    places: AnyArray,
    lanes: AnyArray,
) -> int:
    """``lanes[., (x_i - low_x) (high_y - low_y + 1) + y_i - low_y] += 1`` for objects i; how many these were.

    Stops before the first chunk, of the size of `places`, that holds a label out of range. A chunk is so
    short that the processor already reads the next one while it counts this one: the time is that of reading.
    Four lanes, where there are four, spare an increment the wait for the one before it on the same cell.
    """
    columns = high_y - low_y + 1
    second, third, fourth = min(1, lanes.shape[0] - 1), min(2, lanes.shape[0] - 1), lanes.shape[0] - 1
    for start in range(0, x.size, places.size):
        size = min(places.size, x.size - start)
        part_x, part_y = x[start : start + size], y[start : start + size]
        least_x: Any = low_x
        most_x: Any = low_x
        least_y: Any = low_y
        most_y: Any = low_y
        for i in range(size):
            a, b = np.int64(part_x[i]), np.int64(part_y[i])
            least_x, most_x = min(least_x, a), max(most_x, a)
            least_y, most_y = min(least_y, b), max(most_y, b)
            places[i] = (a - low_x) * columns + (b - low_y)
        if least_x < low_x or most_x > high_x or least_y < low_y or most_y > high_y:
            return start
        whole = size - size % 4
        for i in range(0, whole, 4):
            lanes[0, places[i]] += 1
            lanes[second, places[i + 1]] += 1
            lanes[third, places[i + 2]] += 1
            lanes[fourth, places[i + 3]] += 1
        for i in range(whole, size):
            lanes[0, places[i]] += 1
    return x.size
