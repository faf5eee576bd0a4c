"""Objects of many strata, shuffled within each."""

import numpy as np

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.streams import next_below, open_stream


@kernel
def add_shuffled(
    seed: np.uint64,
    first: int,
    rows: Integers,
    columns: Integers,
    ends: Integers,
    left: Integers,
    out: Integers,
) -> None:
    """Add to ``out[t]`` the objects of table number ``first + t``, their columns shuffled by strata.

    `left` has room for the columns that are not taken yet; each object takes one of them, and the last of
    these moves to its place, as in the shuffle of Fisher and Yates.
    """
    for t in range(out.shape[0]):
        stream = open_stream(seed, first + t)
        for k in range(columns.size):
            left[k] = columns[k]
        start = 0
        for end in ends:
            for k in range(end - 1, start - 1, -1):
                step, stream = next_below(k + 1 - start, stream)
                out[t, rows[k], left[start + step]] += 1
                left[start + step] = left[k]
            start = end
