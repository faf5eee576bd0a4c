"""Indices of many pairs of clusterings that are sums over cells, 100 times as fast as one by one.

The mean of phi in a cell depends on its two totals: one matrix, over all sizes of clusters, serves all pairs.
The table of a pair is counted and summed in one loop. What remains to be done pair by pair is the `link`,
on both sums and on five others, which show whether it is affine; if not, the index at the mean sum is not its
mean, and the pair is left out.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from chancecorr.exact.moments.additive import expected_in_cells, seconds_of_cells
from chancecorr.indices import loops
from chancecorr.indices.calling import calling
from chancecorr.indices.compiling import run_loop
from chancecorr.indices.evaluation import with_undefined
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Booleans, Floats, Integers

MOST_CELLS_COUNTED = 4_000_000
"""Cells of the largest table that is counted in an array, and of the matrix of means."""

BETWEEN = np.array([0.0, 0.21, 0.47, 0.74, 1.0])
"""Where, from the least to the largest sum, a `link` is looked at."""


def scores_of_sums(
    index: Index, codes: npt.NDArray[np.integer], sizes: Sequence[Integers], pairs: tuple[Integers, Integers],
    seconds: float,
) -> tuple[Floats, Floats, Booleans] | None:  # fmt: skip
    """Values and means of the pairs, and of which both are known; None if that is too costly."""
    rows, columns = pairs
    different, place = np.unique(np.concatenate(sizes), return_inverse=True)
    if max(different.size, max(each.size for each in sizes)) ** 2 > MOST_CELLS_COUNTED:
        return None
    n = codes.shape[1]
    if seconds_of_cells(different, different, n) > seconds:
        return None
    means = expected_in_cells(index, different, different, n)
    if not np.isfinite(means).all():
        return None
    starts = np.concatenate([[0], np.cumsum([each.size for each in sizes])])
    counts = np.zeros((len(sizes), different.size))
    np.add.at(counts, (np.repeat(np.arange(len(sizes)), np.diff(starts)), place), 1.0)
    sums = np.empty((rows.size, 2))
    sums[:, 1] = np.einsum("ps,ps->p", (counts @ means)[rows], counts[columns])
    observed = np.empty(rows.size)
    totals = np.concatenate(sizes).astype(np.int64)
    run_loop(
        loops.sums_of_pairs, index, "a pair", codes.astype(np.int64), totals, starts, rows, columns, observed
    )
    sums[:, 0] = observed
    return _linked(index, sums, sizes, rows, columns, n)


def _linked(
    index: Index, sums: Floats, sizes: Sequence[Integers], rows: Integers, columns: Integers, n: int
) -> tuple[Floats, Floats, Booleans]:
    """Index values of two sums of each pair, and of which the `link` is affine between all sums there are."""
    low, high = min(0.0, float(sums.min())), max(0.0, float(sums.max()))
    others = low + (high - low) * BETWEEN
    squares = np.array([np.dot(each, each) for each in sizes])[:, np.newaxis]
    values = np.empty((rows.size, 2 + others.size))
    values[:, :2], values[:, 2:] = sums, others
    if index.link is not None:
        with calling(index, "the cell sums of a pair (its `link`)"):
            for k, (i, j) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
                values[k] = index.link(values[k].copy(), sizes[i], sizes[j])
    at = values[:, 2:]
    with np.errstate(all="ignore"):
        straight = at[:, :1] + (at[:, -1:] - at[:, :1]) * BETWEEN
        affine = (abs(at - straight) <= 1e-9 * abs(at).max(axis=1, keepdims=True)).all(axis=1)
    values = with_undefined(index, values[:, :2], (squares[rows], squares[columns]), n)
    return values[:, 0], values[:, 1], affine | np.isnan(at).all(axis=1)
