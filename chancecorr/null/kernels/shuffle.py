"""A table by shuffling the column labels of the objects, row by row; dense and sparse output.

The objects stand row after row, and their column labels are put into random order: at each place a label is
chosen among those not used yet (Fisher and Yates), and counted in the cell of its row and column. The last
row is not shuffled, since it takes what is left of the columns.

Cost: one bounded random integer per object outside the last row, whatever K and Q. All three kernels take the
same numbers from the stream, so a table is the same in each. The label array starts afresh for every table:
shuffled on, it would make a table depend on the one before.
"""

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import Integers, kernel
from chancecorr.null.kernels.streams import next_below, open_stream

Labels = npt.NDArray[np.int32]
"""A column label per object, in half the memory of int64."""


@kernel
def fill_tables(
    row_totals: Integers,
    column_totals: Integers,
    row_offsets: Integers,
    column_offsets: Integers,
    column_labels: Labels,
    seed: np.uint64,
    first: int,
    remaining: Integers,
    labels: Labels,
    out: Integers,
) -> None:
    """Tables ``first, first + 1, ...`` into the rows of `out`, zero before.

    Cell (k, q) stands at ``row_offsets[k] + column_offsets[q]``. `column_labels` holds the column of each
    object, `labels` those of one table as far as they are shuffled, `remaining` what is left of each column.
    """
    last_row = row_totals.size - 1
    n = labels.size
    for t in range(out.shape[0]):
        table = out[t]
        if last_row < 0 or column_totals.size == 0:
            continue
        stream = open_stream(seed, first + t)
        remaining[:] = column_totals
        labels[:] = column_labels
        position = 0
        for k in range(last_row):
            offset = row_offsets[k]
            for _ in range(row_totals[k]):
                step, stream = next_below(n - position, stream)
                label = labels[position + step]
                # half an exchange: the label that was chosen is counted here and never looked at again
                labels[position + step] = labels[position]
                position += 1
                remaining[label] -= 1
                table[offset + column_offsets[label]] += 1
        for q in range(column_totals.size):
            table[row_offsets[last_row] + column_offsets[q]] = remaining[q]


@kernel
def draw_cells(
    row_totals: Integers,
    column_totals: Integers,
    column_labels: Labels,
    seed: np.uint64,
    table_number: int,
    remaining: Integers,
    labels: Labels,
    slots: Integers,
    cell_rows: Integers,
    cell_columns: Integers,
    cell_counts: Integers,
) -> int:
    """Non-zero cells of one table, row by row, into the three cell arrays; return how many there are.

    `slots` (one per column, all -1 before and after) says which of the listed cells is that of the column in
    the current row, so that K x Q cells are never laid out.
    """
    last_row = row_totals.size - 1
    if last_row < 0:
        return 0
    n = labels.size
    stream = open_stream(seed, table_number)
    remaining[:] = column_totals
    labels[:] = column_labels
    position = 0
    cells = 0
    for k in range(last_row):
        start = cells
        for _ in range(row_totals[k]):
            step, stream = next_below(n - position, stream)
            label = labels[position + step]
            labels[position + step] = labels[position]
            position += 1
            remaining[label] -= 1
            slot = slots[label]
            if slot < 0:
                slots[label] = cells
                cell_rows[cells] = k
                cell_columns[cells] = label
                cell_counts[cells] = 1
                cells += 1
            else:
                cell_counts[slot] += 1
        for cell in range(start, cells):
            slots[cell_columns[cell]] = -1
    for q in range(column_totals.size):
        if remaining[q] > 0:
            cell_rows[cells] = last_row
            cell_columns[cells] = q
            cell_counts[cells] = remaining[q]
            cells += 1
    return cells


@kernel
def fill_pair_sums(
    row_totals: Integers,
    column_totals: Integers,
    column_labels: Labels,
    seed: np.uint64,
    first: int,
    remaining: Integers,
    labels: Labels,
    counts: Integers,
    out: Integers,
) -> None:
    """``T = sum n_ij**2`` of tables ``first, first + 1, ...``, never touching K*Q cells.

    A cell that grows from x to ``x + 1`` adds ``2 x + 1`` to T. `counts` (one per column, all 0 before and
    after) holds the cells of the current row. It is emptied by going through the row's labels again, which
    takes as long as the row has objects, not columns; hence the full exchange of labels, which keeps them.
    """
    last_row = row_totals.size - 1
    n = labels.size
    for t in range(out.size):
        total = 0
        if last_row >= 0:
            stream = open_stream(seed, first + t)
            remaining[:] = column_totals
            labels[:] = column_labels
            position = 0
            for k in range(last_row):
                start = position
                for _ in range(row_totals[k]):
                    step, stream = next_below(n - position, stream)
                    label = labels[position + step]
                    labels[position + step] = labels[position]
                    labels[position] = label
                    position += 1
                    total += 2 * counts[label] + 1
                    counts[label] += 1
                # a label that occurs again finds its count at 0 already
                for place in range(start, position):
                    label = labels[place]
                    remaining[label] -= counts[label]
                    counts[label] = 0
            for q in range(column_totals.size):
                total += remaining[q] * remaining[q]
        out[t] = total
