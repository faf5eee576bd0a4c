"""Workspace of the kernels of tables: lanes, decks of objects, the order of work, and how it is chosen.

In the lanes many tables stand side by side, kind by kind in a few flat arrays (`LaneArrays`), so that a step
of a draw is a loop without a branch. The objects of small clusters take labels from a deck without
replacement; the cells between large clusters are drawn from their laws (`kernels.tables`). Which clusters are
small decides the bits: the costs are constants, not measured at run time. See "The three stages", "Lanes" and
"The deck" in docs/explanation/derivations.md.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import inlined_kernel, register_module, shared_with_kernels
from chancecorr.sampling.kernels.logarithms import Log2Factorials
from chancecorr.sampling.kernels.streams import LANES as LANES
from chancecorr.sampling.kernels.streams import Steps

Integers32 = npt.NDArray[np.int32]
LaneCounts = npt.NDArray[np.uint32]  # numbers of objects, up to ``2**32``, shape (clusters, lanes)
VECTOR = 16
"""Loops run over whole multiples of this many lanes, so that none has a rest to be run without vectors; what
the lanes beyond the last table hold is harmless and never looked at."""

REFUSED, ACCEPTED, UNCLEAR = 0, 1, 2

# Where each kind of number begins in its array.
PHI, TAU, SQUARE, PLACE, EDGE, STEP, HEIGHTS, RATIO = (i * LANES for i in range(8))
FEWER_GOOD, FEWER_DRAWS, REST, CHANCE, LEFT_OF_PLACE, FOUND = (i * LANES for i in range(6))  # of narrow laws
DRAWS, POPULATION, GOOD, MODE, VALUE, STATE, NARROW_LAW, RECORDS, INSIDE = (i * LANES for i in range(9))
STATE_0, STATE_1, STATE_2, STATE_3, WORD, SECOND = (i * LANES for i in range(6))


class LaneArrays(NamedTuple):
    """Layout of the lanes: `LANES` numbers of each kind, one kind after the other.

    `square_bits` and `height_bits` are the float64 of the kinds `SQUARE` and `HEIGHTS` as whole numbers.
    """

    floats: Floats
    counts: Integers32
    words: Words
    square_bits: Words
    height_bits: Integers


def lane_arrays() -> LaneArrays:
    """Arrays for `LANES` lanes, zero."""
    floats = np.zeros(8 * LANES)
    return LaneArrays(
        floats,
        np.zeros(9 * LANES, dtype=np.int32),
        np.zeros(6 * LANES, dtype=np.uint64),
        floats[SQUARE : SQUARE + LANES].view(np.uint64),
        floats[HEIGHTS : HEIGHTS + LANES].view(np.int64),
    )


Labels = npt.NDArray[np.uint16] | npt.NDArray[np.uint32]  # 16 bits where n and the clusters allow
LABELS_PER_REPAIR = 8  # of an object dealt: a deck with more is repaired at their places, not copied anew


class Deck(NamedTuple):
    """Labels to be dealt, at least ``stored + 1``: the last of these is the label of the largest cluster."""

    fresh: Labels
    labels: Labels


def deck_of(totals: Integers, dtype: npt.DTypeLike) -> Deck:
    """Deck of ``totals[i]`` labels i, where the last total is the largest."""
    if totals.size == 1:
        fresh = np.zeros(1, dtype=dtype)
    else:
        fresh = np.repeat(np.arange(totals.size, dtype=dtype), np.append(totals[:-1], 1))
    return Deck(fresh, fresh.copy())


@inlined_kernel
def restore(
    fresh: Labels, labels: Labels, stored: Whole, dealt: Whole, stride: int, table: int, steps: Steps
) -> None:
    """Put the deck in order again, after `dealt` objects."""
    if dealt * LABELS_PER_REPAIR > stored:
        for i in range(stored):
            labels[i] = fresh[i]
        return
    for i in range(dealt):
        at = min(np.uint64(steps[i * stride + table]), np.uint64(stored))
        labels[at] = fresh[at]


@inlined_kernel
def take(labels: Labels, place: np.uint64, left: np.uint64, stored: np.uint64) -> np.uint64:
    """The label at this place, where the last of the `left` others moves to."""
    at = min(place, stored)
    label = labels[at]
    labels[at] = labels[min(left, stored)]
    return np.uint64(label)


@inlined_kernel
def deal_rows(
    row_totals: Integers, rows: int, row_places: Integers, column_places: Integers, total: Whole,
    labels: Labels, stored: np.uint64, stride: int, table: int, steps: Steps, cells: Labels,
) -> None:  # fmt: skip
    """Each object of the first `rows` rows takes a column; `cells` counts them."""
    left = np.uint64(total)
    step = np.uint64(table)
    for k in range(rows):
        place = np.uint64(row_places[k])
        for _ in range(row_totals[k]):
            left -= np.uint64(1)
            label = take(labels, np.uint64(steps[step]), left, stored)
            cells[place + np.uint64(column_places[label])] += 1
            step += np.uint64(stride)


@inlined_kernel
def deal_columns(
    left_of_columns: Integers, columns: int, row_places: Integers, column_places: Integers, first_row: int,
    total: Whole, labels: Labels, stored: np.uint64, stride: int, table: int, steps: Steps, cells: Labels,
    left_of_rows: Integers,
) -> Whole:  # fmt: skip
    """Each object left in the first `columns` columns takes a row from `first_row` on; how many there are."""
    left = np.uint64(total)
    step = np.uint64(table)
    for q in range(columns):
        place = column_places[q]
        for _ in range(left_of_columns[q]):
            left -= np.uint64(1)
            row = np.uint64(first_row) + take(labels, np.uint64(steps[step]), left, stored)
            left_of_rows[row] -= 1
            cells[np.uint64(row_places[row] + place)] += 1
            step += np.uint64(stride)
    return total - np.int64(left)


register_module(__name__)


class Order(NamedTuple):
    """Margins in the order of work, ascending: small clusters come first, the largest one last.

    Large are the rows from `small_rows` and the columns from `small_columns` on; where the largest total is
    one of a column, the order is `transposed`. Cell (k, q) of the work stands at ``row_places[k] +
    column_places[q]`` of the flat table of work, whose lines are in the order in which they were given, and
    at ``row_offsets[k] + column_offsets[q]`` of the table wanted.
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


def count_dealt_objects(order: Order) -> int:
    """Objects of small clusters, at most: some may be in a small row and in a small column."""
    return int(order.rows[: order.small_rows].sum() + order.columns[: order.small_columns].sum())


class Workspace(NamedTuple):
    """Arrays that one thread draws tables with, made once for many calls.

    `rows`, `columns` and `cells` hold a number a lane, shapes (K, LANES), (Q, LANES), (Q, LANES); `table` one
    table of work, all 0 between calls; `row_steps` and `column_steps` the steps of `together` tables.
    """

    hat: Floats
    factorials: Log2Factorials
    lanes: LaneArrays
    retry: LaneArrays
    retry_lanes: Integers
    pending: Integers
    rows: LaneCounts
    columns: LaneCounts
    cells: LaneCounts
    below: Integers
    squares: Integers
    words: Words
    together: int
    row_steps: Labels
    column_steps: Labels
    column_deck: Deck
    row_deck: Deck
    table: Labels
    taken: Integers
    left_of_rows: Integers
    left_of_columns: Integers


# Nanoseconds on one thread, constants of the method since they decide the bits of a table.
NANOSECONDS_PER_DRAW = 12.0  # of a cell of a table, or of an object that is dealt
NANOSECONDS_PER_OBJECT = 1.35
NANOSECONDS_PER_OBJECT_OF_MANY = 3.5
NANOSECONDS_PER_OBJECT_FROM_AFAR = 30.0
NANOSECONDS_PER_COPIED_LABEL = 0.3
NANOSECONDS_PER_DEALT_TABLE = 110.0

MANY_OBJECTS = 65_535  # beyond which labels and counts take 32 bits, and a deck leaves the cache
LABELS_FROM_AFAR = 1 << 19  # labels of a deck beyond which each of its objects waits for memory
MOST_LABELS = 1 << 26  # labels that may be laid out for objects to be dealt: 256 MB


@shared_with_kernels
def cost_of_object(n: Whole, labels: Whole) -> float:
    """Nanoseconds to deal one of n objects from a deck of so many labels."""
    if labels > LABELS_FROM_AFAR:
        return NANOSECONDS_PER_OBJECT_FROM_AFAR
    return NANOSECONDS_PER_OBJECT if n <= MANY_OBJECTS else NANOSECONDS_PER_OBJECT_OF_MANY


@shared_with_kernels
def is_transposed(rows: Integers, columns: Integers) -> bool:
    """Whether the largest total of all, whose cells cost nothing, is one of a column; both are ascending."""
    return bool(columns[columns.size - 1] > rows[rows.size - 1])


def cost_of(rows: Integers, columns: Integers, n: int, small_rows: int, small_columns: int) -> float:
    """Nanoseconds of a table with so many of the rows and the columns, both in ascending order, small."""
    K, Q = rows.size, columns.size
    objects = rows[:small_rows].sum()
    share = (n - objects) / max(n, 1)
    dealt = share * columns[:small_columns].sum()
    # a deck is repaired where its objects were dealt, or copied anew where that is less (`restore`)
    cost = cost_of_object(n, n - columns[Q - 1]) * objects
    cost += cost_of_object(n, n - objects - rows[K - 1]) * dealt
    cost += NANOSECONDS_PER_DEALT_TABLE * (small_rows + small_columns > 0)
    cost += NANOSECONDS_PER_DRAW * ((K - small_rows - 1) * (Q - small_columns - 1))
    cost += NANOSECONDS_PER_COPIED_LABEL * min(LABELS_PER_REPAIR * objects, n - columns[Q - 1])
    cost += NANOSECONDS_PER_COPIED_LABEL * min(LABELS_PER_REPAIR * dealt, n - objects - rows[K - 1])
    return float(cost)


@shared_with_kernels
def choose_small(rows: Integers | list[int], columns: Integers | list[int], n: int) -> tuple[int, int]:
    """Choose how many of the rows and of the columns, both in ascending order, are small.

    A column is small if its objects cost less than a draw in each large row but one.
    """
    K, Q = len(rows), len(columns)
    best_rows = best_columns = 0
    if n - columns[Q - 1] > MOST_LABELS or n - rows[K - 1] > MOST_LABELS:
        return best_rows, best_columns
    if 4 * n < K * Q:  # tables with many more cells than objects are never laid out on the way
        return K - 1, best_columns
    best = NANOSECONDS_PER_DRAW * ((K - 1) * (Q - 1))
    per_object, near = cost_of_object(n, n - columns[Q - 1]), cost_of_object(n, 0)
    stored_columns, stored_rows = n - columns[Q - 1], n - rows[K - 1]
    objects = 0
    small_columns = Q - 1
    in_small_columns = stored_columns
    for small_rows in range(K):
        if small_rows > 0:
            objects += rows[small_rows - 1]
        share = (n - objects) / max(n, 1)
        per_column = NANOSECONDS_PER_DRAW * (K - small_rows - 1)
        is_near = stored_rows - objects <= LABELS_FROM_AFAR
        per_object_left = near if is_near else NANOSECONDS_PER_OBJECT_FROM_AFAR
        while small_columns > 0 and (
            small_rows == K - 1 or per_object_left * share * columns[small_columns - 1] >= per_column
        ):
            small_columns -= 1
            in_small_columns -= columns[small_columns]
        cost = NANOSECONDS_PER_DEALT_TABLE * (small_rows + small_columns > 0)
        cost += per_object * objects + per_object_left * share * in_small_columns
        cost += per_column * (Q - 1 - small_columns)
        cost += NANOSECONDS_PER_COPIED_LABEL * min(LABELS_PER_REPAIR * objects, stored_columns)
        cost += NANOSECONDS_PER_COPIED_LABEL * min(
            LABELS_PER_REPAIR * share * in_small_columns, 1.0 * (stored_rows - objects)
        )
        if cost <= best:  # of equal costs that with the most small rows: they are dealt faster than columns
            best_rows, best_columns, best = small_rows, small_columns, cost
        if small_columns == 0 and per_object * rows[small_rows] > NANOSECONDS_PER_DRAW * (Q - 1) + 1.0:
            break  # the objects of this row, and of all after it, cost more than all its draws
    return best_rows, best_columns
