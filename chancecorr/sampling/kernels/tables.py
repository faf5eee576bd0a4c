"""Tables under fixed margins, drawn object by object or cell by cell.

Rows and columns come in ascending order. The objects of the first, small rows are dealt: each object draws a
label from a deck that holds the column of every object. The cells of the other rows are hypergeometric draws,
one after the other, given all cells drawn before. The last row is what is left, and needs no draw.

The deck is restored after each table, because a table depends only on the seed and its number.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import forecast_kernel, kernel
from chancecorr.sampling.kernels.hypergeometric import draw_hypergeometric
from chancecorr.sampling.kernels.streams import NANOSECONDS_OF_AN_OBJECT, draw_below, open_stream

Labels = npt.NDArray[np.int32]  # columns of objects, or positions in a deck

NANOSECONDS_OF_A_CELL = 14_500.0  # time to draw a cell in plain Python

SHARE_PUT_BACK = (
    4  # if at least one label in 4 was dealt, the whole deck is copied; else only the dealt labels
)


@kernel
def fill_deck(columns: Integers, first: int, Q: int, fresh: Labels, labels: Labels) -> None:
    """Fill both decks with the column of each object, from the Q totals at ``columns[first]`` and on."""
    place = 0
    for q in range(Q):
        for _ in range(columns[first + q]):
            fresh[place] = q
            labels[place] = q
            place += 1


@kernel
def restore_deck(dealt: int, fresh: Labels, labels: Labels, places: Labels) -> None:
    """Restore the labels at the positions of the first `dealt` objects."""
    if SHARE_PUT_BACK * dealt < labels.size:
        for i in range(dealt):
            labels[places[i]] = fresh[places[i]]
    else:
        for i in range(labels.size):
            labels[i] = fresh[i]


def forecast_table(K: int, Q: int, dealt_rows: int, dealt_objects: float) -> float:
    """Forecast the nanoseconds to draw a table in plain Python."""
    cells = max(K - 1 - dealt_rows, 0) * max(Q - 1, 0)
    return (
        5_000.0 + NANOSECONDS_OF_A_CELL * cells + NANOSECONDS_OF_AN_OBJECT * dealt_objects + 300.0 * (K + Q)
    )


def forecast_tables(
    K: int, Q: int, seed: Any, numbers: Integers, rows: Integers, columns: Any, offsets: Any, more: Any,
    dealt_rows: Integers, *rest: Any,
) -> float:  # fmt: skip
    """Forecast the nanoseconds that `draw_tables` takes in plain Python."""
    n_dealt = int(dealt_rows[0])
    return numbers.size * forecast_table(K, Q, n_dealt, float(rows[:n_dealt].sum()))


@forecast_kernel(forecast_tables)
def draw_tables(
    K: int, Q: int, seed: np.uint64, numbers: Integers, rows: Integers, columns: Integers,
    row_offsets: Integers, column_offsets: Integers, dealt_rows: Integers, fresh: Labels, labels: Labels,
    places: Labels, table: Integers, left: Integers, out: Integers,
) -> None:  # fmt: skip
    """Draw tables (K, Q) of these `numbers` into the zero rows of `out`.

    The position of cell (k, q) in a row of `out` is ``row_offsets[k] + column_offsets[q]``. The totals are
    the same for all tables, or each table has K and Q totals. The first `dealt_rows` rows of a table are
    dealt from decks of n labels; the decks are empty if no row is dealt. `table` is the result of
    `log_factorials`; `left`, shape (Q,), is workspace.
    """
    for t in range(numbers.size):
        own = t if dealt_rows.size > 1 else 0
        first_row, first = own * K, own * Q
        n_dealt = dealt_rows[own]
        if n_dealt > 0 and own == t:
            fill_deck(columns, first, Q, fresh, labels)
        stream, half = open_stream(seed, numbers[t]), np.uint64(0)
        below, dealt = np.int64(0), 0
        for q in range(Q):
            left[q] = columns[first + q]
            below += left[q]
        for k in range(first_row, first_row + n_dealt):
            base = row_offsets[k]
            for _ in range(rows[k]):
                place, half, stream = draw_below(np.uint64(below), half, stream)
                below -= 1
                q = labels[place]
                labels[place] = labels[np.uint64(below)]
                places[np.uint64(dealt)] = place
                dealt += 1
                left[np.uint64(q)] -= 1
                out[t, np.uint64(base + column_offsets[np.uint64(first + q)])] += 1
        if dealt > 0:
            restore_deck(dealt, fresh, labels, places)
        for k in range(first_row + n_dealt, first_row + K - 1):
            base, population, draws = row_offsets[k], below, rows[k]
            below -= draws
            for q in range(Q - 1):
                good = left[np.uint64(q)]
                x, stream = draw_hypergeometric(population, good, draws, table, stream)
                population -= good
                draws -= x
                left[np.uint64(q)] = good - x
                out[t, np.uint64(base + column_offsets[np.uint64(first + q)])] = x
            out[t, np.uint64(base + column_offsets[first + Q - 1])] = draws
            left[Q - 1] -= draws
        base = row_offsets[first_row + K - 1]
        for q in range(Q):
            out[t, np.uint64(base + column_offsets[first + q])] = left[q]


def forecast_lists(seed: Any, numbers: Integers, rows: Integers, row_ends: Integers, *rest: Any) -> float:
    """Forecast the nanoseconds that `list_cells` takes in plain Python."""
    return NANOSECONDS_OF_AN_OBJECT * numbers.size * float(rows.sum()) / max(row_ends.size - 1, 1)


@forecast_kernel(forecast_lists)
def list_cells(
    seed: np.uint64, numbers: Integers, rows: Integers, row_ends: Integers, columns: Integers,
    column_ends: Integers, fresh: Labels, labels: Labels, places: Labels, slots: Integers, left: Integers,
    cell_rows: Integers, cell_columns: Integers, cell_counts: Integers, ends: Integers,
) -> None:  # fmt: skip
    """List the non-empty cells of each table; the cells of table t end at ``ends[t + 1]``.

    The totals of the tables follow each other and end at ``row_ends[t + 1]`` and ``column_ends[t + 1]`` for
    table t, or all tables have the first totals. All rows except the last are dealt. ``slots[q]`` is the
    position of the current row's cell in column q; all entries are -1 before and after.
    """
    ends[0] = 0
    cells = 0
    for t in range(numbers.size):
        own = t if row_ends.size > 2 else 0
        first_row, last_row, first = row_ends[own], row_ends[own + 1] - 1, column_ends[own]
        Q = column_ends[own + 1] - first
        if own == t:
            fill_deck(columns, first, Q, fresh, labels)
        for q in range(Q):
            left[q] = columns[first + q]
        stream, half = open_stream(seed, numbers[t]), np.uint64(0)
        below, dealt = fresh.size, 0
        for k in range(first_row, last_row):
            start = cells
            for _ in range(rows[k]):
                place, half, stream = draw_below(np.uint64(below), half, stream)
                below -= 1
                label = np.int64(labels[place])
                labels[place] = labels[np.uint64(below)]
                places[dealt] = place
                dealt += 1
                left[label] -= 1
                slot = slots[label]
                if slot < 0:
                    slots[label] = cells
                    cell_rows[cells] = k - first_row
                    cell_columns[cells] = label
                    cell_counts[cells] = 1
                    cells += 1
                else:
                    cell_counts[slot] += 1
            for cell in range(start, cells):
                slots[cell_columns[cell]] = -1
        restore_deck(dealt, fresh, labels, places)
        for q in range(Q):
            if left[q] > 0:
                cell_rows[cells] = last_row - first_row
                cell_columns[cells] = q
                cell_counts[cells] = left[q]
                cells += 1
        ends[t + 1] = cells
