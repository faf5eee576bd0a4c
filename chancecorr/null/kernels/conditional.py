"""The cells between large clusters, each from its hypergeometric law given the cells before it.

Row by row: given those before it, the cell (k, q) counts how many of the `draws` objects that row k still
needs are among the `good` ones left in column q, of the `population` left in the columns from q on. The last
column takes the rest of the row, the last row the rest of the columns.

Cost: (K-1)(Q-1) draws, whatever n. Source: Patefield (1981, doi:10.2307/2346669) for the order of work.
"""

import numpy as np

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.null.kernels import lanes as at
from chancecorr.null.kernels.attempt import attempt
from chancecorr.null.kernels.dealing import Dealt, deal_small
from chancecorr.null.kernels.draw import draw_hypergeometric
from chancecorr.null.kernels.lanes import LaneCounts, open_lanes, stream_of
from chancecorr.null.kernels.log2_factorials import LOG2_TABLE_LIMIT, Beyond
from chancecorr.null.kernels.settle import settle
from chancecorr.null.kernels.workspace import Order, Workspace


@inlined_kernel
def keep_row(
    row: LaneCounts, first_column: int, Q: int, start: int, begin: int, end: int, lay_out: bool, place: int,
    column_offsets: Integers, out: Integers, squares: Integers,
) -> None:  # fmt: skip
    """A row of some lanes, Q of its first axis, into the tables wanted or into the sums of squares."""
    if lay_out:
        for i in range(begin, end):
            lane = np.uint64(i)  # unsigned places need no test for those that count from the end
            for j in range(first_column, Q):
                column = np.uint64(j)
                out[np.uint64(start) + lane, np.uint64(place + column_offsets[column])] = row[column, lane]
    else:
        for q in range(first_column, Q):
            for b in range(begin, end):
                cell = np.int64(row[q, b])
                squares[b] += cell * cell


@kernel
def draw_side_by_side(
    order: Order, work: Workspace, beyond: Beyond, dealt: Dealt, seed: np.uint64, first: int, lay_out: bool,
    out: Integers, sums: Integers,
) -> None:  # fmt: skip
    """Tables with several large clusters on each side: ``first, first + 1, ...`` to `out`, or T to `sums`."""
    K, Q = order.rows.size, order.columns.size
    first_row, first_column = order.small_rows, order.small_columns
    row_offsets, column_offsets = order.row_offsets, order.column_offsets
    rows, columns, cells, below, squares = work.rows, work.columns, work.cells, work.below, work.squares
    floats, counts, words, square_bits, height_bits = work.lanes
    retry_floats, retry_counts, retry_words, retry_square_bits, retry_height_bits = work.retry
    retry_lanes, pending, hat, factorials = work.retry_lanes, work.pending, work.hat, work.factorials
    by_table = order.n <= LOG2_TABLE_LIMIT
    m = out.shape[0] if lay_out else sums.size
    for start in range(0, m, at.LANES):
        used = min(at.LANES, m - start)
        n = (used + at.VECTOR - 1) & -at.VECTOR
        open_lanes(seed, first + start, n, words)
        for b in range(used):
            squares[b] = 0
        if dealt is not None:
            deal_small(order, work, start, used, lay_out, out)
        else:
            for k in range(K):
                for b in range(used):
                    rows[k, b] = order.rows[k]
            for q in range(Q):
                for b in range(used):
                    columns[q, b] = order.columns[q]
        for b in range(used, n):  # lanes that nobody reads do the first table's work: no look-up goes astray
            for k in range(first_row, K):
                rows[k, b] = rows[k, 0]
            for q in range(first_column, Q):
                columns[q, b] = columns[q, 0]
        for b in range(n):
            below[b] = 0
        for k in range(first_row, K):
            for b in range(n):
                below[b] += np.int64(rows[k, b])
        for k in range(first_row, K - 1):
            for b in range(n):
                total = np.int64(rows[k, b])
                counts[at.DRAWS + b] = np.int32(total)
                counts[at.POPULATION + b] = np.int32(below[b])
                below[b] -= total
            for q in range(first_column, Q - 1):
                for b in range(n):
                    counts[at.GOOD + b] = np.int32(columns[q, b])
                attempt(n, by_table, beyond, floats, counts, words, square_bits, height_bits, hat, factorials)
                attempts = 0
                count = settle(
                    attempts, n, counts, words, counts, words, retry_counts, retry_words, retry_lanes,
                    pending, beyond, hat, factorials,
                )  # fmt: skip
                while count > 0:
                    attempts += 1
                    attempt(
                        (count + at.VECTOR - 1) & -at.VECTOR, by_table, beyond, retry_floats, retry_counts,
                        retry_words, retry_square_bits, retry_height_bits, hat, factorials,
                    )  # fmt: skip
                    count = settle(
                        attempts, count, retry_counts, retry_words, counts, words, retry_counts,
                        retry_words, retry_lanes, pending, beyond, hat, factorials,
                    )  # fmt: skip
                for b in range(n):
                    x = counts[at.VALUE + b]
                    counts[at.POPULATION + b] -= counts[at.GOOD + b]
                    counts[at.DRAWS + b] -= x
                    columns[q, b] -= np.uint32(x)
                    cells[q, b] = np.uint32(x)
            for b in range(n):
                left = np.uint32(counts[at.DRAWS + b])
                cells[Q - 1, b] = left
                columns[Q - 1, b] -= left
            keep_row(
                cells, first_column, Q, start, 0, used, lay_out, row_offsets[k], column_offsets, out, squares
            )
        keep_row(
            columns, first_column, Q, start, 0, used, lay_out,
            row_offsets[K - 1], column_offsets, out, squares,
        )  # fmt: skip
        if not lay_out:
            for b in range(used):
                sums[start + b] = squares[b]


@kernel
def draw_large_one_by_one(
    order: Order, work: Workspace, beyond: Beyond, start: int, used: int, lay_out: bool, out: Integers
) -> None:
    """The tables of `draw_side_by_side`, one by one: for a few, or too many objects for a lane."""
    K, Q = order.rows.size, order.columns.size
    first_row, first_column = order.small_rows, order.small_columns
    row_offsets, column_offsets = order.row_offsets, order.column_offsets
    rows, columns, cells, squares = work.rows, work.columns, work.cells, work.squares
    hat, factorials, words = work.hat, work.factorials, work.lanes.words
    for b in range(used):
        stream = stream_of(words, b)
        below = np.int64(0)
        for k in range(first_row, K):
            below += np.int64(rows[k, b])
        for k in range(first_row, K - 1):
            population, draws = below, np.int64(rows[k, b])
            below -= draws
            for q in range(first_column, Q - 1):
                good = np.int64(columns[q, b])
                x, stream = draw_hypergeometric(population, good, draws, beyond, hat, factorials, stream)
                population -= good
                draws -= x
                columns[q, b] = good - x
                cells[q, b] = x
            cells[Q - 1, b] = draws
            columns[Q - 1, b] -= np.uint32(draws)
            keep_row(
                cells, first_column, Q, start, b, b + 1, lay_out, row_offsets[k], column_offsets, out, squares
            )
        keep_row(
            columns, first_column, Q, start, b, b + 1, lay_out,
            row_offsets[K - 1], column_offsets, out, squares,
        )  # fmt: skip
