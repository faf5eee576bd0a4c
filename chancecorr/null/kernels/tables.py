"""Tables under fixed margins: the ways through the three stages, each with the same random words.

A table's words come from its own stream, in this order: places of the objects of small rows, places of the
objects of small columns, cells between large clusters (those of many tables side by side: `conditional`). How
many tables are drawn together never shows.
"""

import numpy as np

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.conditional import draw_large_one_by_one
from chancecorr.null.kernels.dealing import Dealt, deal_small
from chancecorr.null.kernels.lanes import VECTOR, open_lanes
from chancecorr.null.kernels.log2_factorials import Beyond
from chancecorr.null.kernels.workspace import Order, Workspace


@kernel
def draw_singly(
    order: Order, work: Workspace, beyond: Beyond, dealt: Dealt, at_once: int, seed: np.uint64, first: int,
    lay_out: bool, out: Integers, sums: Integers,
) -> None:  # fmt: skip
    """Tables of any kind, their cells between large clusters one after the other.

    One at once: for few tables, more objects than lanes hold, and until `draw_side_by_side` is compiled; it
    takes far longer. `LANES` if all rows but one are small.
    """
    K, Q = order.rows.size, order.columns.size
    m = out.shape[0] if lay_out else sums.size
    has_small = order.small_rows > 0 or order.small_columns > 0
    for start in range(0, m, at_once):
        used = min(at_once, m - start)
        open_lanes(seed, first + start, (used + VECTOR - 1) & -VECTOR if used > 1 else 1, work.lanes.words)
        for b in range(used):
            work.squares[b] = 0
        if dealt is not None and has_small:
            deal_small(order, work, start, used, lay_out, out)
        else:
            for k in range(K):
                work.rows[k, 0] = order.rows[k]
            for q in range(Q):
                work.columns[q, 0] = order.columns[q]
        if not has_small or order.small_rows < K - 1:
            draw_large_one_by_one(order, work, beyond, start, used, lay_out, out)
        if not lay_out:
            for b in range(used):
                sums[start + b] = work.squares[b]
