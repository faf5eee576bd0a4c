"""Cross-classification of integer labels: arrays in, counts out."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import Integers, kernel

if TYPE_CHECKING:
    from scipy.sparse import csr_array


DENSE_CELLS = 4_000_000
"""A table of up to this many cells (32 MB), or of up to four per object, is held densely."""

DIRECT_CELLS = 65_536
"""A range of up to this many values, or of up to four per object, is used as an array's index."""


@kernel
def count_cells(x: npt.NDArray[Any], y: npt.NDArray[Any], low_x: int, low_y: int, cells: Integers) -> None:
    """``cells[x_i - low_x, y_i - low_y] += 1`` for every object i."""
    for i in range(x.size):
        cells[x[i] - low_x, y[i] - low_y] += 1


def cross_classify(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> "Integers | csr_array[np.int64]":
    """Table (K, Q) of the integer labels that occur, in ascending order; sparse when K Q is too large."""
    n = x.size
    if n == 0:
        return np.zeros((0, 0), dtype=np.int64)
    x, y = _kernel_types(x, y)
    low_x, low_y = int(x.min()), int(y.min())
    spans = int(x.max()) - low_x + 1, int(y.max()) - low_y + 1
    if spans[0] * spans[1] <= max(DIRECT_CELLS, 4 * n):
        cells = np.zeros(spans, dtype=np.int64)
        count_cells(x, y, low_x, low_y, cells)
        rows, columns = cells.any(axis=1), cells.any(axis=0)
        return cells if rows.all() and columns.all() else cells[np.ix_(rows, columns)]
    x, n_rows = relabel(x)
    y, n_columns = relabel(y)
    if n_rows * n_columns <= max(DENSE_CELLS, 4 * n):
        cells = np.zeros((n_rows, n_columns), dtype=np.int64)
        count_cells(*_kernel_types(x, y), 0, 0, cells)
        return cells
    from scipy.sparse import coo_array

    return coo_array((np.ones(n, dtype=np.int64), (x, y)), shape=(n_rows, n_columns)).tocsr()


def relabel(x: npt.NDArray[Any]) -> tuple[Integers, int]:
    """Ranks 0..K-1 of the labels among the K values that occur, and K."""
    if x.size == 0:
        return np.zeros(0, dtype=np.int64), 0
    low = int(x.min())
    span = int(x.max()) - low + 1
    if span > max(DIRECT_CELLS, 4 * x.size):  # a table of all values would not fit the cache, or the memory
        values, ranks = np.unique(x, return_inverse=True)
        return ranks.astype(np.int64, copy=False), values.size
    wide = x if x.dtype == np.uint64 else x.astype(np.int64)
    offsets = (wide - low).astype(np.int64, copy=False)
    present = np.zeros(span, dtype=np.bool_)
    present[offsets] = True
    rank = np.cumsum(present, dtype=np.int64) - 1
    return rank[offsets], int(rank[-1]) + 1


def _kernel_types(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Both as int32 or both as int64, contiguous and read-only: two machine codes serve every array."""
    narrow = all(np.can_cast(labels.dtype, np.int32) for labels in (x, y))
    views = []
    for labels in (x, y):
        if labels.dtype == np.uint64 and labels.max() > np.iinfo(np.int64).max:
            labels = relabel(labels)[0]
        view = np.ascontiguousarray(labels, dtype=np.int32 if narrow else np.int64).view()
        view.flags.writeable = False
        views.append(view)
    return views[0], views[1]
