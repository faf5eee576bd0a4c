"""Tables of weighted objects, the columns shuffled among them."""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.streams import next_below, open_stream


@kernel
def fill_weighted(
    seed: np.uint64,
    first: int,
    rows: Integers,
    columns: Integers,
    weights: Floats,
    left: Integers,
    out: Floats,
) -> None:
    """Tables number ``first, first + 1, ...`` into `out`: each object takes a column, and adds its weight.

    `left` has room for the columns that are not taken yet, the last of which moves to the place of one that
    is, as in the shuffle of Fisher and Yates.
    """
    out[:] = 0.0
    for t in range(out.shape[0]):
        stream = open_stream(seed, first + t)
        for k in range(columns.size):
            left[k] = columns[k]
        for k in range(columns.size - 1, -1, -1):
            step, stream = next_below(k + 1, stream)
            out[t, rows[k], left[step]] += weights[k]
            left[step] = left[k]
