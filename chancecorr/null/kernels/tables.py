"""Tables under fixed margins, `LANES` at a time: a table's way through three stages.

A table's random words come from its own stream, in this order: places of the objects of small rows, places of
the objects of small columns, cells between large clusters. How many tables are drawn together never shows.
"""

from typing import NamedTuple

import numpy as np

from chancecorr.compiled import Floats, Integers, Words, inlined_kernel, kernel
from chancecorr.null.kernels import dice, lanes
from chancecorr.null.kernels.conditional import LaneCounts, draw_row, draw_row_in_lanes
from chancecorr.null.kernels.draw import LANES_LIMIT
from chancecorr.null.kernels.lanes import LANES, VECTOR, LaneArrays
from chancecorr.null.kernels.log2_factorials import LOG2_TABLE_LIMIT, Log2Factorials
from chancecorr.null.kernels.objects import Deck, Labels, deal_columns, deal_rows, restore
from chancecorr.null.kernels.streams import open_stream


class Order(NamedTuple):
    """Margins in the order of work, ascending: small clusters come first, the largest one last.

    Large are the rows from `small_rows` and the columns from `small_columns` on. Where the largest total is
    one of a column, the rows of work are the table's columns: then the order is `transposed`. Cell (k, q) of
    the work stands at ``row_places[k] + column_places[q]`` of the flat table of work, whose lines are in the
    order in which they were given, and at ``row_offsets[k] + column_offsets[q]`` of the table wanted.
    """

    n: int
    transposed: bool
    rows: Integers
    columns: Integers
    small_rows: int
    small_columns: int
    row_places: Integers
    column_places: Integers
    row_offsets: Integers
    column_offsets: Integers


class Workspace(NamedTuple):
    """What drawing needs beside the order: arrays for one thread, made once for many calls.

    `rows`, `columns` and `cells` hold a number a lane, shapes (K, LANES), (Q, LANES), (Q, LANES); `table`
    holds one table of work, all 0 between calls; `left_of_rows` and `left_of_columns` what is left of them.
    """

    hat: Floats
    factorials: Log2Factorials
    home: LaneArrays
    rest: LaneArrays
    origin: Integers
    looked_at: Integers
    rows: LaneCounts
    columns: LaneCounts
    cells: LaneCounts
    below: Integers
    squares: Integers
    words: Words
    row_steps: Labels
    column_steps: Labels
    column_deck: Deck
    row_deck: Deck
    table: Labels
    taken: Integers
    left_of_rows: Integers
    left_of_columns: Integers


@kernel
def open_lanes(seed: np.uint64, first: int, n: int, words: Words) -> None:
    """Streams of tables ``first, ..., first + n - 1`` into the lanes."""
    for b in range(n):
        stream = open_stream(seed, first + b)
        words[lanes.STATE_0 + b], words[lanes.STATE_1 + b] = stream[0], stream[1]
        words[lanes.STATE_2 + b], words[lanes.STATE_3 + b] = stream[2], stream[3]


@kernel
def throw_for_lanes(order: Order, work: Workspace, lane: int, n: int, in_rows: int, in_columns: int) -> None:
    """Steps of all objects of small rows and columns, for the tables of n lanes, at most `dice.TABLES`."""
    home, words = work.home.words, work.words
    for kind in range(4):
        for j in range(n):
            words[kind * dice.TABLES + j] = home[kind * LANES + lane + j]
    dice.throw(n, words, order.n, in_rows, work.row_steps)
    dice.throw(n, words, order.n - in_rows, in_columns, work.column_steps)
    for kind in range(4):
        for j in range(n):
            home[kind * LANES + lane + j] = words[kind * dice.TABLES + j]


@inlined_kernel
def lay_out_table(K: int, Q: int, transposed: bool, table: Labels, out: Integers) -> None:
    """The table of work into one that is wanted, and 0 in its place."""
    if transposed:
        for k in range(K):
            for q in range(Q):
                out[np.uint64(q * K + k)] = table[np.uint64(k * Q + q)]
    else:
        for i in range(K * Q):
            out[i] = table[i]
    table[:] = 0


@inlined_kernel
def add_squares(table: Labels) -> np.int64:
    """Sum of the squares of the table of work, and 0 in its place."""
    total = np.int64(0)
    for i in range(table.size):
        cell = np.int64(table[i])
        total += cell * cell
    table[:] = 0
    return total


@kernel
def deal_small(order: Order, work: Workspace, used: int, lay_out: bool, out: Integers) -> None:
    """The objects of the small clusters of `used` tables; `rows` and `columns` are left with the others."""
    K, Q = order.rows.size, order.columns.size
    rows, columns, row_places, column_places = (
        order.rows,
        order.columns,
        order.row_places,
        order.column_places,
    )
    first_row, first_column = order.small_rows, order.small_columns
    table, taken, squares = work.table, work.taken, work.squares
    left_of_rows, left_of_columns = work.left_of_rows, work.left_of_columns
    row_steps, column_steps = work.row_steps, work.column_steps
    fresh_columns, column_labels = work.column_deck
    fresh_rows, row_labels = work.row_deck
    stored_columns, stored_rows = np.uint64(fresh_columns.size - 1), np.uint64(fresh_rows.size - 1)
    in_rows, in_columns = rows[:first_row].sum(), columns[:first_column].sum()
    together = dice.tables_together(used, in_rows + in_columns)
    for lane in range(0, used, together):
        throw_for_lanes(order, work, lane, together, in_rows, in_columns)
        for j in range(min(together, used - lane)):
            b = lane + j
            deal_rows(
                rows, first_row, row_places, column_places, order.n, column_labels, stored_columns,
                together, j, row_steps, table,
            )  # fmt: skip
            restore(fresh_columns, column_labels, in_rows, together, j, row_steps)
            taken[:] = 0
            for k in range(first_row):
                place = np.uint64(row_places[k])
                for q in range(Q):
                    taken[q] += table[place + np.uint64(q)]
            for q in range(Q):
                left_of_columns[q] = columns[q] - taken[column_places[q]]
            if first_row == K - 1:
                for q in range(Q):
                    table[row_places[K - 1] + column_places[q]] = left_of_columns[q]
            else:
                left_of_rows[:] = rows
                dealt = deal_columns(
                    left_of_columns, first_column, row_places, column_places, first_row, order.n - in_rows,
                    row_labels, stored_rows, together, j, column_steps, table, left_of_rows,
                )  # fmt: skip
                restore(fresh_rows, row_labels, dealt, together, j, column_steps)
                for k in range(first_row, K):
                    work.rows[k, b] = left_of_rows[k]
                for q in range(first_column, Q):
                    work.columns[q, b] = left_of_columns[q]
            if lay_out:
                lay_out_table(K, Q, order.transposed, table, out[b])
            else:
                squares[b] += add_squares(table)


@inlined_kernel
def keep_row(
    row: LaneCounts, first_column: int, begin: int, end: int, lay_out: bool, place: int,
    column_offsets: Integers, out: Integers, squares: Integers,
) -> None:  # fmt: skip
    """A row of some lanes, shape (Q, lanes), into the tables wanted or into the sums of squares."""
    if lay_out:
        for i in range(begin, end):
            lane = np.uint64(i)  # unsigned places need no test for those that count from the end
            for j in range(first_column, row.shape[0]):
                column = np.uint64(j)
                out[lane, np.uint64(place + column_offsets[column])] = row[column, lane]
    else:
        for q in range(first_column, row.shape[0]):
            for b in range(begin, end):
                cell = np.int64(row[q, b])
                squares[b] += cell * cell


@kernel
def draw_large(order: Order, work: Workspace, used: int, lay_out: bool, out: Integers) -> None:
    """The cells between large clusters of `used` tables, side by side."""
    K, Q = order.rows.size, order.columns.size
    first_row, first_column = order.small_rows, order.small_columns
    row_offsets, column_offsets = order.row_offsets, order.column_offsets
    home, rest, origin, looked_at = work.home, work.rest, work.origin, work.looked_at
    rows, columns, cells, below, squares = work.rows, work.columns, work.cells, work.below, work.squares
    hat, factorials = work.hat, work.factorials
    n = (used + VECTOR - 1) & -VECTOR
    by_table = order.n <= LOG2_TABLE_LIMIT
    counts = home.counts
    for b in range(used, n):  # lanes that nobody reads do the first table's work: no look-up goes astray
        for k in range(first_row, K):
            rows[k, b] = rows[k, 0]
        for q in range(first_column, Q):
            columns[q, b] = columns[q, 0]
    below[:] = 0
    for k in range(first_row, K):
        for b in range(n):
            below[b] += np.int64(rows[k, b])
    for k in range(first_row, K - 1):
        for b in range(n):
            total = np.int64(rows[k, b])
            counts[lanes.DRAWS + b] = np.int32(total)
            counts[lanes.POPULATION + b] = np.int32(below[b])
            below[b] -= total
        draw_row_in_lanes(
            n, by_table, columns, first_column, home, rest, origin, looked_at, hat, factorials, cells
        )
        keep_row(cells, first_column, 0, used, lay_out, row_offsets[k], column_offsets, out, squares)
    keep_row(columns, first_column, 0, used, lay_out, row_offsets[K - 1], column_offsets, out, squares)


@kernel
def draw_large_one_by_one(order: Order, work: Workspace, used: int, lay_out: bool, out: Integers) -> None:
    """The same tables, bit for bit, one after the other: for a few, or too many objects for a lane."""
    K = order.rows.size
    first_row, first_column = order.small_rows, order.small_columns
    row_offsets, column_offsets = order.row_offsets, order.column_offsets
    rows, columns, cells, squares = work.rows, work.columns, work.cells, work.squares
    hat, factorials = work.hat, work.factorials
    words = work.home.words
    for b in range(used):
        stream = (
            words[lanes.STATE_0 + b], words[lanes.STATE_1 + b],
            words[lanes.STATE_2 + b], words[lanes.STATE_3 + b],
        )  # fmt: skip
        population = np.int64(0)
        for k in range(first_row, K):
            population += np.int64(rows[k, b])
        for k in range(first_row, K - 1):
            total = np.int64(rows[k, b])
            stream = draw_row(b, total, population, columns, first_column, hat, factorials, cells, stream)
            population -= total
            keep_row(cells, first_column, b, b + 1, lay_out, row_offsets[k], column_offsets, out, squares)
        keep_row(columns, first_column, b, b + 1, lay_out, row_offsets[K - 1], column_offsets, out, squares)


@kernel
def draw_tables(
    order: Order, work: Workspace, seed: np.uint64, first: int, lay_out: bool, out: Integers, sums: Integers
) -> None:
    """Tables ``first, first + 1, ...`` into the rows of `out`, or ``T = sum n_ij**2`` of them into `sums`.

    There is at least one row and one column, and none of the totals is negative.
    """
    K, Q = order.rows.size, order.columns.size
    m = out.shape[0] if lay_out else sums.size
    dealt = order.small_rows > 0 or order.small_columns > 0
    for start in range(0, m, LANES):
        used = min(LANES, m - start)
        part = out[start : start + used]
        open_lanes(seed, first + start, (used + VECTOR - 1) & -VECTOR if used > 1 else 1, work.home.words)
        work.squares[:used] = 0
        if dealt:
            deal_small(order, work, used, lay_out, part)
        else:
            for k in range(K):
                work.rows[k, :used] = order.rows[k]
            for q in range(Q):
                work.columns[q, :used] = order.columns[q]
        if order.small_rows < K - 1 or not dealt:
            if used >= lanes.FEWEST_IN_LANES and order.n < LANES_LIMIT:
                draw_large(order, work, used, lay_out, part)
            else:
                draw_large_one_by_one(order, work, used, lay_out, part)
        if not lay_out:
            sums[start : start + used] = work.squares[:used]
