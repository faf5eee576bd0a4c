"""Cross-classification of integer labels: arrays in, counts out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.machine.arrays import AnyArray, Integers
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


class CrossClassification(NamedTuple):
    """Counts of shape (K, Q), the integer labels that occur, ascending, and the totals if they are known."""

    counts: "Integers | csr_array[np.int64]"
    rows: AnyArray
    columns: AnyArray
    totals: tuple[Integers, Integers] | None = None


def cross_classify(x: AnyArray, y: AnyArray) -> "Integers | csr_array[np.int64]":
    """Table (K, Q) of the integer labels that occur, in ascending order; sparse when K Q is too large."""
    return cross_tabulate(x, y).counts


def cross_tabulate(x: AnyArray, y: AnyArray) -> CrossClassification:
    """`cross_classify` with the labels of the rows and columns, which the counting has found on its way."""
    n = x.size
    if n == 0:
        none = np.zeros((0, 0), dtype=np.int64)
        return CrossClassification(none, np.zeros(0, dtype=x.dtype), np.zeros(0, dtype=y.dtype))
    counted = _count_few(x, y) if n <= LABELS_WITHOUT_KERNELS else _count_many(x, y)
    if counted is not None:
        cells, low_x, low_y = counted
        rows, columns = cells.sum(axis=1), cells.sum(axis=0)
        labels = _find_labels(rows, low_x, x.dtype), _find_labels(columns, low_y, y.dtype)
        if not (rows.all() and columns.all()):
            cells = cells[np.ix_(rows > 0, columns > 0)]
            rows, columns = rows[rows > 0], columns[columns > 0]
        return CrossClassification(cells, *labels, (rows, columns))
    x, n_rows, rows = numbered(x)
    y, n_columns, columns = numbered(y)
    if n_rows * n_columns <= max(DENSE_CELLS, 4 * n):
        cells = np.bincount(x * n_columns + y, minlength=n_rows * n_columns).astype(np.int64, copy=False)
        table = cells.reshape(n_rows, n_columns)
        return CrossClassification(table, rows, columns)
    from scipy.sparse import coo_array

    sparse = coo_array((np.ones(n, dtype=np.int64), (x, y)), shape=(n_rows, n_columns)).tocsr()
    return CrossClassification(sparse, rows, columns)


def add_frequencies(x: AnyArray, y: AnyArray, frequencies: Integers) -> CrossClassification:
    """`cross_tabulate` of objects each of which was seen so many times; those never seen are not there."""
    seen = frequencies > 0
    (ranks_x, n_rows, rows), (ranks_y, n_columns, columns) = numbered(x[seen]), numbered(y[seen])
    is_dense = n_rows * n_columns <= max(DENSE_CELLS, 4 * x.size)
    counts = add_cells(ranks_x, ranks_y, frequencies[seen], (n_rows, n_columns), is_dense)
    return CrossClassification(counts, rows, columns)


def add_cells(
    rows: Integers, columns: Integers, counts: Integers, shape: tuple[int, int], is_dense: bool
) -> "Integers | csr_array[np.int64]":
    """Counts of a table given as cells, of which several may be in one place."""
    if is_dense:
        total = np.zeros(shape, dtype=np.int64)
        np.add.at(total, (rows, columns), counts)
        return total
    from scipy.sparse import coo_array

    return coo_array((counts, (rows, columns)), shape=shape).tocsr()


def relabel(x: AnyArray) -> tuple[Integers, int]:
    """Ranks 0..K-1 of the labels among the K values that occur, and K."""
    return numbered(x)[:2]


def in_few_bytes(codes: AnyArray) -> AnyArray:
    """A copy of whole numbers in the smallest type that has them all."""
    if codes.dtype.kind == "b" or not codes.size:
        return codes.copy()
    low, high = (np.min_scalar_type(int(end)) for end in (codes.min(), codes.max()))
    wide = np.promote_types(low, high)
    return codes.astype(wide if wide.kind in "iu" else codes.dtype)


def numbered(x: AnyArray) -> tuple[Integers, int, AnyArray]:
    """Ranks 0..K-1 of the labels among the K values that occur, K, and these values."""
    if x.size == 0:
        return np.zeros(0, dtype=np.int64), 0, np.zeros(0, dtype=x.dtype)
    low, high = int(x.min()), int(x.max())
    if (
        high - low >= max(DIRECT_CELLS, 4 * x.size) or high >= 2**63
    ):  # more values than the cache, or int64, has
        values, ranks = np.unique(x, return_inverse=True)
        return ranks, values.size, values
    offsets = x.astype(np.int64)
    offsets -= low
    present = np.zeros(high - low + 1, dtype=np.bool_)
    present[offsets] = True
    rank = np.cumsum(present, dtype=np.int64) - 1
    return rank[offsets], int(rank[-1]) + 1, _find_labels(present, low, x.dtype)


def _find_labels(occurs: AnyArray, low: int, dtype: np.dtype[Any]) -> AnyArray:
    """Labels that occur, of all from the smallest on, in their type; an unsigned one has none below 0."""
    return (np.flatnonzero(occurs) + low).astype(dtype.newbyteorder("="))


def _count_few(x: AnyArray, y: AnyArray) -> tuple[Integers, int, int] | None:
    """Table over the ranges of the labels, and the smallest ones; None if it would have too many cells."""
    low_x, high_x, low_y, high_y = int(x.min()), int(x.max()), int(y.min()), int(y.max())
    width = high_y - low_y + 1
    size = (high_x - low_x + 1) * width
    if size > max(DIRECT_CELLS, 4 * x.size) or max(high_x, high_y) >= 2**63:
        return None
    places = x.astype(np.int64)
    places -= low_x
    places *= width
    np.add(
        places, y, out=places, dtype=np.int64, casting="unsafe"
    )  # which makes no second array of this size
    places -= low_y
    cells = np.bincount(places, minlength=size).astype(np.int64, copy=False)
    return cells.reshape(-1, width), low_x, low_y


def _count_many(x: AnyArray, y: AnyArray) -> tuple[Integers, int, int] | None:
    """`_count_few` by a kernel, over the range of a sample, which is widened at the first label beyond it."""
    most = max(DIRECT_CELLS, 4 * x.size)
    views = _as_signed(x), _as_signed(y)
    step = x.size // LABELS_SAMPLED + 1
    lows, highs = zip(*((int(side[::step].min()), int(side[::step].max())) for side in views), strict=True)
    cells, done, before = np.zeros((0, 0), dtype=np.int64), 0, lows
    while True:
        shape = highs[0] - lows[0] + 1, highs[1] - lows[1] + 1
        if shape[0] * shape[1] > most:
            return None
        counted, cells = cells, np.zeros(shape, dtype=np.int64)
        top, left = before[0] - lows[0], before[1] - lows[1]
        cells[top : top + counted.shape[0], left : left + counted.shape[1]] = counted
        done += _add_from(done, *views, lows, highs, cells)
        if done == x.size:
            break
        before = lows
        lows = tuple(min(low, int(side[done:].min())) for low, side in zip(lows, views, strict=True))
        highs = tuple(max(high, int(side[done:].max())) for high, side in zip(highs, views, strict=True))
    for side, low, high in zip((x, y), lows, highs, strict=True):
        if side.dtype.kind == "u" and low < 0 <= high:  # labels of 2**63 and more went below the others
            return None
    return cells, lows[0], lows[1]


def _as_signed(labels: AnyArray) -> AnyArray:
    """Labels of a type that int64 holds, by a view: those of 2**63 and more are negative then."""
    if labels.dtype.kind == "b":
        return labels.view(np.uint8)
    if labels.dtype.kind == "u" and labels.dtype.itemsize == 8:
        return labels.view(np.dtype(np.int64).newbyteorder(labels.dtype.byteorder))
    return labels


def _add_from(
    start: int, x: AnyArray, y: AnyArray, lows: Sequence[int], highs: Sequence[int], cells: Integers
) -> int:
    """Count the objects from `start` on into the cells, up to a label out of range; how many these were."""
    common = np.result_type(x, y).newbyteorder("=")  # seven machine codes serve all types
    rest_x, rest_y = (np.require(side[start:], common, ["C", "A"]).view() for side in (x, y))
    rest_x.flags.writeable = rest_y.flags.writeable = False
    # 256 labels at a time are few enough for the processor to read ahead while it counts
    places = np.empty(256, dtype=np.uint32 if cells.size <= 2**32 else np.uint64)
    counts = np.uint32 if x.size < 2**32 else np.int64
    n_lanes = 4 if cells.size <= 2048 else 1  # four copies of so many cells fit the L1 cache of 32 KB
    lanes = np.zeros((n_lanes, cells.size), dtype=counts)
    with np.errstate(over="ignore"):  # places of labels out of range, where kernels are not compiled
        added = count_in_range(rest_x, rest_y, lows[0], highs[0], lows[1], highs[1], places, lanes)
    cells += lanes.sum(axis=0, dtype=np.int64).reshape(cells.shape)
    return int(added)


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
