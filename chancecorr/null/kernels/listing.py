"""Tables with many more cells than objects, drawn by shuffling: their non-empty cells, and their T.

The same tables as those of the kernels in `tables`, without K Q cells ever being laid out.
"""

import numpy as np

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.tables import throw_for_lanes
from chancecorr.null.kernels.workspace import Order, Workspace, open_lanes, restore, take


@kernel
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


@kernel
def sum_squares_sparsely(
    order: Order,
    work: Workspace,
    seed: np.uint64,
    first: int,
    counts: Integers,
    met: Integers,
    sums: Integers,
) -> None:
    """``T = sum n_ij**2`` of tables ``first, first + 1, ...``.

    `counts` (Q,), all 0 before and after, holds the cells of a row, and is emptied by way of the columns
    `met`.
    """
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
