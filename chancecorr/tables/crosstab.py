"""Cross-classification of integer labels: arrays in, counts out."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.machine.arrays import AnyArray, Integers

if TYPE_CHECKING:
    from scipy.sparse import csr_array


LABELS_AT_A_TIME = 1 << 16
"""Labels that are counted together, in arrays of 512 KB that the cache holds."""

DENSE_CELLS = 4_000_000
"""A table of up to this many cells (32 MB), or of up to four per object, is held densely."""

DIRECT_CELLS = 65_536
"""A range of up to this many values, or of up to four per object, is used as an array's index."""


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
    counted = _count_directly(x, y)
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
    is_dense = n_rows * n_columns <= max(DENSE_CELLS, 4 * n)
    counts = add_cells(x, y, np.ones(n, dtype=np.int64), (n_rows, n_columns), is_dense)
    return CrossClassification(counts, rows, columns)


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
    # more values than the cache, or int64, has
    if high - low >= max(DIRECT_CELLS, 4 * x.size) or high >= 2**63:
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


def _count_directly(x: AnyArray, y: AnyArray) -> tuple[Integers, int, int] | None:
    """Table over the ranges of the labels, and the smallest ones; None if it would have too many cells."""
    low_x, high_x, low_y, high_y = int(x.min()), int(x.max()), int(y.min()), int(y.max())
    width = high_y - low_y + 1
    size = (high_x - low_x + 1) * width
    if size > max(DIRECT_CELLS, 4 * x.size) or max(high_x, high_y) >= 2**63:
        return None
    cells = np.zeros(size, dtype=np.int64)
    step = max(LABELS_AT_A_TIME, size)
    for start in range(0, x.size, step):
        places = x[start : start + step].astype(np.int64)
        places -= low_x
        places *= width
        # which makes no second array of this size
        np.add(places, y[start : start + step], out=places, dtype=np.int64, casting="unsafe")
        places -= low_y
        cells += np.bincount(places, minlength=size)
    return cells.reshape(-1, width), low_x, low_y
