"""The objects of the small clusters of some tables, from the steps that are thrown for them."""

import numpy as np

from chancecorr.machine.arrays import Integers, Whole
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.null.kernels import dice
from chancecorr.null.kernels.lanes import LANES
from chancecorr.null.kernels.objects import Labels, deal_columns, deal_rows, restore
from chancecorr.null.kernels.workspace import Order, Workspace

Dealt = bool | None
"""None where no cluster is small, else True: what deals them is compiled where it is needed only."""


@kernel
def throw_for_lanes(
    order: Order, work: Workspace, lane: int, n: int, in_rows: Whole, in_columns: Whole
) -> None:
    """Steps of all objects of small rows and columns, for the tables of n lanes."""
    home, words = work.lanes.words, work.words
    for kind in range(4):
        for j in range(n):
            words[kind * dice.TABLES_TOGETHER + j] = home[kind * LANES + lane + j]
    dice.throw(n, words, order.n, in_rows, work.row_steps)
    dice.throw(n, words, order.n - in_rows, in_columns, work.column_steps)
    for kind in range(4):
        for j in range(n):
            home[kind * LANES + lane + j] = words[kind * dice.TABLES_TOGETHER + j]


@kernel
def sum_of_first(totals: Integers, clusters: int) -> np.int64:
    """Objects in the first clusters."""
    total = np.int64(0)
    for i in range(clusters):
        total += totals[i]
    return total


@inlined_kernel
def lay_out_table(K: int, Q: int, transposed: bool, table: Labels, t: int, out: Integers) -> None:
    """The table of work into row t of those that are wanted, and 0 in its place."""
    if transposed:
        for k in range(K):
            for q in range(Q):
                out[t, np.uint64(q * K + k)] = table[np.uint64(k * Q + q)]
    else:
        for i in range(K * Q):
            out[t, i] = table[i]
    for i in range(K * Q):
        table[i] = 0


@inlined_kernel
def add_squares(cells: int, table: Labels) -> np.int64:
    """Sum of the squares of the table of work, and 0 in its place."""
    total = np.int64(0)
    for i in range(cells):
        cell = np.int64(table[i])
        total += cell * cell
    for i in range(cells):
        table[i] = 0
    return total


@kernel
def deal_small(order: Order, work: Workspace, start: int, used: int, lay_out: bool, out: Integers) -> None:
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
    in_rows, in_columns = sum_of_first(rows, first_row), sum_of_first(columns, first_column)
    stored_columns, stored_rows = order.n - columns[Q - 1], order.n - in_rows - rows[K - 1]
    together = work.together if used > 1 else 1
    for lane in range(0, used, together):
        throw_for_lanes(order, work, lane, together, in_rows, in_columns)
        for j in range(min(together, used - lane)):
            b = lane + j
            deal_rows(
                rows, first_row, row_places, column_places, order.n, column_labels, np.uint64(stored_columns),
                together, j, row_steps, table,
            )  # fmt: skip
            restore(fresh_columns, column_labels, stored_columns, in_rows, together, j, row_steps)
            for q in range(Q):
                taken[q] = 0
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
                for k in range(first_row, K):
                    left_of_rows[k] = rows[k]
                dealt = deal_columns(
                    left_of_columns, first_column, row_places, column_places, first_row, order.n - in_rows,
                    row_labels, np.uint64(stored_rows), together, j, column_steps, table, left_of_rows,
                )  # fmt: skip
                restore(fresh_rows, row_labels, stored_rows, dealt, together, j, column_steps)
                for k in range(first_row, K):
                    work.rows[k, b] = left_of_rows[k]
                for q in range(first_column, Q):
                    work.columns[q, b] = left_of_columns[q]
            if lay_out:
                lay_out_table(K, Q, order.transposed, table, start + b, out)
            else:
                squares[b] += add_squares(K * Q, table)
