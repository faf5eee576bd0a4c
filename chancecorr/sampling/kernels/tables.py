"""Tables under fixed margins: the ways through the three stages, each with the same random words.

A table's words come from its own stream: places of the objects of small rows, places of the objects of small
columns (`deal_small`), cells between large clusters (Patefield 1981, doi:10.2307/2346669). How many tables
are drawn together never shows. Of tables with many more cells than objects only the non-empty cells are
listed, or T is found (`list_cells`, `sum_squares_sparsely`).
"""

from typing import Any

import numpy as np

from chancecorr.machine.arrays import Integers, Whole
from chancecorr.machine.kernel import forecast_kernel, inlined_kernel, kernel
from chancecorr.sampling.kernels import workspace as at
from chancecorr.sampling.kernels.draw import draw_hypergeometric
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT, Beyond
from chancecorr.sampling.kernels.side_by_side import attempt, settle
from chancecorr.sampling.kernels.streams import LANES, TABLES_TOGETHER, open_lanes, stream_of, throw
from chancecorr.sampling.kernels.workspace import Order, Workspace, deal_columns, deal_rows, restore, take

# As Python; a deal is one of an object of a small cluster.
NANOSECONDS_OF_A_TABLE, NANOSECONDS_OF_A_DRAW = 15_000.0, 60_000.0
NANOSECONDS_OF_A_DEAL, NANOSECONDS_OF_A_CELL = 2_500.0, 300.0


def forecast_tables(order: Order, *rest: Any) -> float:
    """Nanoseconds that tables take as Python, which go into the last array but one, or T into the last."""
    n_tables = max(rest[-2].shape[0], rest[-1].size)
    large = (order.rows.size - 1 - order.small_rows) * (order.columns.size - 1 - order.small_columns)
    cells = NANOSECONDS_OF_A_CELL * order.rows.size * order.columns.size
    dealt = NANOSECONDS_OF_A_DEAL * at.count_dealt_objects(order)
    return float(n_tables * (NANOSECONDS_OF_A_TABLE + NANOSECONDS_OF_A_DRAW * max(large, 0) + dealt + cells))


@kernel
def throw_for_lanes(
    order: Order, work: Workspace, lane: int, n: int, in_rows: Whole, in_columns: Whole
) -> None:
    """Steps of all objects of small rows and columns, for the tables of n lanes."""
    home, words = work.lanes.words, work.words
    for kind in range(4):
        for j in range(n):
            words[kind * TABLES_TOGETHER + j] = home[kind * LANES + lane + j]
    throw(n, words, order.n, in_rows, work.row_steps)
    throw(n, words, order.n - in_rows, in_columns, work.column_steps)
    for kind in range(4):
        for j in range(n):
            home[kind * LANES + lane + j] = words[kind * TABLES_TOGETHER + j]


@kernel
def sum_of_first(totals: Integers, clusters: int) -> np.int64:
    """Objects in the first clusters."""
    total = np.int64(0)
    for i in range(clusters):
        total += totals[i]
    return total


@inlined_kernel
def lay_out_table(K: int, Q: int, transposed: bool, table: at.Labels, t: int, out: Integers) -> None:
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
def add_squares(cells: int, table: at.Labels) -> np.int64:
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
    rows, columns = order.rows, order.columns
    row_places, column_places = order.row_places, order.column_places
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


@inlined_kernel
def keep_row(
    row: at.LaneCounts, first_column: int, Q: int, start: int, begin: int, end: int, lay_out: bool,
    place: int, column_offsets: Integers, out: Integers, squares: Integers,
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


@forecast_kernel(forecast_tables)
def draw_side_by_side(
    order: Order, work: Workspace, beyond: Beyond, seed: np.uint64, first: int, lay_out: bool, out: Integers,
    sums: Integers,
) -> None:  # fmt: skip
    """Tables with several large clusters on each side: ``first, first + 1, ...`` to `out`, or T to `sums`."""
    K, Q = order.rows.size, order.columns.size
    first_row, first_column = order.small_rows, order.small_columns
    row_offsets, column_offsets = order.row_offsets, order.column_offsets
    rows, columns, cells, below, squares = work.rows, work.columns, work.cells, work.below, work.squares
    lanes, retry, hat, factorials = work.lanes, work.retry, work.hat, work.factorials
    counts, retry_lanes, pending = lanes.counts, work.retry_lanes, work.pending
    by_table = order.n <= LOG2_TABLE_LIMIT
    m = out.shape[0] if lay_out else sums.size
    for start in range(0, m, at.LANES):
        used = min(at.LANES, m - start)
        n = (used + at.VECTOR - 1) & -at.VECTOR
        open_lanes(seed, first + start, n, lanes.words)
        for b in range(used):
            squares[b] = 0
        if first_row > 0 or first_column > 0:
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
                attempt(n, by_table, beyond, lanes, hat, factorials)
                count = settle(True, n, lanes, lanes, retry, retry_lanes, pending, beyond, hat, factorials)
                while count > 0:
                    attempt((count + at.VECTOR - 1) & -at.VECTOR, by_table, beyond, retry, hat, factorials)
                    count = settle(
                        False, count, retry, lanes, retry, retry_lanes, pending, beyond, hat, factorials
                    )
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
            place = row_offsets[k]
            keep_row(cells, first_column, Q, start, 0, used, lay_out, place, column_offsets, out, squares)
        place = row_offsets[K - 1]
        keep_row(columns, first_column, Q, start, 0, used, lay_out, place, column_offsets, out, squares)
        if not lay_out:
            for b in range(used):
                sums[start + b] = squares[b]


@kernel
def draw_large_one_by_one(
    order: Order, work: Workspace, start: int, used: int, lay_out: bool, out: Integers
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
                x, stream = draw_hypergeometric(population, good, draws, True, hat, factorials, stream)
                population -= good
                draws -= x
                columns[q, b] = good - x
                cells[q, b] = x
            cells[Q - 1, b] = draws
            columns[Q - 1, b] -= np.uint32(draws)
            place = row_offsets[k]
            keep_row(cells, first_column, Q, start, b, b + 1, lay_out, place, column_offsets, out, squares)
        place = row_offsets[K - 1]
        keep_row(columns, first_column, Q, start, b, b + 1, lay_out, place, column_offsets, out, squares)


@forecast_kernel(forecast_tables)
def draw_singly(
    order: Order, work: Workspace, at_once: int, seed: np.uint64, first: int, lay_out: bool, out: Integers,
    sums: Integers,
) -> None:  # fmt: skip
    """Tables of any kind, their cells between large clusters one after the other.

    One at once, which takes far longer, or `LANES` if all rows but one are small.
    """
    K, Q = order.rows.size, order.columns.size
    m = out.shape[0] if lay_out else sums.size
    has_small = order.small_rows > 0 or order.small_columns > 0
    for start in range(0, m, at_once):
        used = min(at_once, m - start)
        open_lanes(
            seed, first + start, (used + at.VECTOR - 1) & -at.VECTOR if used > 1 else 1, work.lanes.words
        )
        for b in range(used):
            work.squares[b] = 0
        if has_small:
            deal_small(order, work, start, used, lay_out, out)
        else:
            for k in range(K):
                work.rows[k, 0] = order.rows[k]
            for q in range(Q):
                work.columns[q, 0] = order.columns[q]
        if not has_small or order.small_rows < K - 1:
            draw_large_one_by_one(order, work, start, used, lay_out, out)
        if not lay_out:
            for b in range(used):
                sums[start + b] = work.squares[b]


@forecast_kernel(lambda tables, out: NANOSECONDS_OF_A_CELL * tables.size)
def sum_squares(tables: Integers, out: Integers) -> None:
    """``out[t] = sum(tables[t]**2)`` over the cells of the flat table t."""
    for t in range(out.size):
        total = 0
        for cell in tables[t]:
            total += cell * cell
        out[t] = total


@forecast_kernel(lambda order, *rest: NANOSECONDS_OF_A_DEAL * order.n)
def list_cells(
    order: Order, work: Workspace, seed: np.uint64, number: int, slots: Integers,
    cell_rows: Integers, cell_columns: Integers, cell_counts: Integers,
) -> int:  # fmt: skip
    """Non-empty cells of table `number`, in the order of work; return how many there are.

    `slots` (Q,), all -1 before and after, says which of the listed cells is that of a column in this row.
    """
    K, Q = order.rows.size, order.columns.size
    in_rows = order.n - order.rows[K - 1]
    open_lanes(seed, number, 1, work.lanes.words)
    throw_for_lanes(order, work, 0, 1, in_rows, 0)
    fresh, labels = work.column_deck
    stored = np.uint64(order.n - order.columns[Q - 1])
    left_of_columns = work.left_of_columns
    for q in range(Q):
        left_of_columns[q] = order.columns[q]
    left = np.uint64(order.n)
    step = np.uint64(0)
    cells = 0
    for k in range(K - 1):
        start = cells
        for _ in range(order.rows[k]):
            left -= np.uint64(1)
            column = np.int64(take(labels, np.uint64(work.row_steps[step]), left, stored))
            step += np.uint64(1)
            left_of_columns[column] -= 1
            slot = slots[column]
            if slot < 0:
                slots[column] = cells
                cell_rows[cells] = k
                cell_columns[cells] = column
                cell_counts[cells] = 1
                cells += 1
            else:
                cell_counts[slot] += 1
        for cell in range(start, cells):
            slots[cell_columns[cell]] = -1
    restore(fresh, labels, np.int64(stored), in_rows, 1, 0, work.row_steps)
    for q in range(Q):
        if left_of_columns[q] > 0:
            cell_rows[cells] = K - 1
            cell_columns[cells] = q
            cell_counts[cells] = left_of_columns[q]
            cells += 1
    return cells


@forecast_kernel(lambda order, *rest: NANOSECONDS_OF_A_DEAL * order.n * rest[-1].size)
def sum_squares_sparsely(
    order: Order, work: Workspace, seed: np.uint64, first: int, counts: Integers, met: Integers,
    sums: Integers,
) -> None:  # fmt: skip
    """T of tables ``first, ...``; `counts` (Q,) of a row, all 0 again after it by the columns `met`."""
    K, Q = order.rows.size, order.columns.size
    rows, columns, left_of_columns, steps = order.rows, order.columns, work.left_of_columns, work.row_steps
    fresh, labels = work.column_deck
    stored = np.uint64(order.n - columns[Q - 1])
    in_rows = order.n - rows[K - 1]
    together = work.together if sums.size > 1 else 1
    for start in range(0, sums.size, together):
        open_lanes(seed, first + start, together, work.lanes.words)
        throw_for_lanes(order, work, 0, together, in_rows, 0)
        for table in range(min(together, sums.size - start)):
            for q in range(Q):
                left_of_columns[q] = columns[q]
            left = np.uint64(order.n)
            step = np.uint64(table)
            total = 0
            for k in range(K - 1):
                for i in range(rows[k]):
                    left -= np.uint64(1)
                    label = take(labels, np.uint64(steps[step]), left, stored)
                    step += np.uint64(together)
                    count = counts[label]
                    total += 2 * count + 1
                    counts[label] = count + 1
                    met[i] = label
                for i in range(rows[k]):
                    label = met[i]
                    left_of_columns[label] -= counts[label]
                    counts[label] = 0  # a column that is met again has nothing left to take
            restore(fresh, labels, np.int64(stored), in_rows, together, table, steps)
            for q in range(Q):
                total += left_of_columns[q] * left_of_columns[q]
            sums[start + table] = total
