"""Tables with given margins, one after the other, free cell by free cell.

The walk is depth-first, in a loop with a stack. For the law of T the values of a cell are tried from the mode
upwards and then downwards; a direction ends at the first branch at or below the floor. The tables that differ
only in the last two rows, with totals a and ``m - a``, are added up by tabulated weights ``w_r(x) = C(r, x)
(a / (m - a))**x`` of the columns. See "The walk over the cells" in docs/explanation/derivations.md.
"""

import math
from typing import NamedTuple

import numpy as np

from chancecorr.exact.kernels.hypergeometric import LogFactorials, low_end, mode_of, probability
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import forecast_kernel, kernel


@kernel
def fill_weights(
    remainder: int, start: int, row: int, others: int, least: float, span: Integers, out: Floats
) -> None:
    """Write ``out[x + 1] = w(x) / w(start)`` for all x about the start with more than `least`; 0 beside."""
    odds = row / others
    x, weight = start, 1.0
    while weight > least:  # beyond the largest x the weight is 0
        out[x + 1] = weight
        weight = weight * (odds * (remainder - x) / (x + 1.0)) if x < row else 0.0
        x += 1
    out[x + 1] = 0.0
    span[1] = x - 1
    x, weight = start, 1.0
    while weight > least:
        out[x + 1] = weight
        weight *= x / (odds * (remainder - x + 1.0))
        x -= 1
    out[x + 1] = 0.0
    span[0] = x + 1


@kernel
def is_tabulated(spans: Integers, x: int, both: int) -> bool:
    """Return True if x, ``both - x`` and `both` have tabulated weights."""
    for k, place in enumerate((x, both - x, both)):
        if place < spans[k, 0] or place > spans[k, 1]:
            return False
    return True


@kernel
def walk_last_cell(
    start: int, both: int, factor: float, floor: float, good: int, other: int, index: int, weights: Floats,
    other_weights: Floats, out: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Try the last free cell from x = `start` both ways; return the number of tables and the largest place.

    The cells are ``x, both - x`` above ``good - x, other - both + x``. `place` changes by `step`, which
    changes by 4.
    """
    # as an unsigned word, a negative place is larger than any size: one comparison tests both ends
    size = np.uint64(out.size)
    slope = 4 * start + 2 - 2 * both - good + other
    x, y = start + 1, both - start + 1  # places in the tables, which begin at -1
    place, step = index, slope
    p = factor * weights[np.uint64(x)] * other_weights[np.uint64(y)]
    while p > floor:
        if np.uint64(place) < size:
            out[np.uint64(place)] += p
        x += 1
        y -= 1
        place += step
        step += 4
        p = factor * weights[np.uint64(x)] * other_weights[np.uint64(y)]
    tables = x - start - 1
    largest = place - step + 4 if tables else -1
    step = slope - 4
    place = index - step
    x, y = start, both - start + 2
    p = factor * weights[np.uint64(x)] * other_weights[np.uint64(y)]
    while p > floor:
        if np.uint64(place) < size:
            out[np.uint64(place)] += p
        x -= 1
        y += 1
        step -= 4
        place -= step
        p = factor * weights[np.uint64(x)] * other_weights[np.uint64(y)]
    if x < start:
        tables += start - x
        largest = max(largest, place + step)
    return tables, largest


# costs of the parts of a walk, in units of the time of one table
TABLES_PER_STEP = 16  # a step from cell to cell, forward or back
TABLES_PER_WALK = 10  # a walk over the last free cell, without its tables and without the step to it
TABLES_PER_TABULATION = 400  # a tabulation of the weights of the last two rows
TINY = float(np.finfo(np.float64).tiny)
WORK_BETWEEN_ADDITIONS = 100_000  # sums of recent probabilities are added to the law after at least this work


@kernel
def pairs(x: int) -> int:
    """Return ``C(x, 2)``."""
    return x * (x - 1) // 2


@kernel
def next_value(
    x: int, p: float, mode: int, p_mode: float, low: int, high: int, size: int, good: int, draws: int,
    floor: float,
) -> tuple[int, float]:  # fmt: skip
    """Return the value to try after x and its branch's probability, which is <= floor if none is left."""
    rest = size - good - draws
    if x >= mode:
        p = 0.0 if x == high else p * (float(good - x) * float(draws - x))
        p /= (x + 1.0) * (rest + x + 1.0)
        if p > floor:
            return x + 1, p
        x, p = mode, p_mode  # the upward direction is finished: continue below the mode
    p = 0.0 if x == low else p * (float(x) * float(rest + x))
    p /= (good - x + 1.0) * (draws - x + 1.0)
    return x - 1, p


@kernel
def copy_and_sum(source: Integers, out: Integers) -> int:
    """Copy integers and return their sum; a loop, because compiling NumPy's error texts takes seconds."""
    total = 0
    for k in range(source.size):
        out[k] = source[k]
        total += source[k]
    return total


@kernel
def add_recent(recent: Floats, out: Floats) -> None:
    """Add the recent sums to the law, and reset them to 0."""
    for k in range(out.size):
        out[k] += recent[k]
        recent[k] = 0.0


@kernel
def tabulate(
    good: int, size: int, a: int, b: int, least: float, made: Floats, table: LogFactorials, spans: Integers,
    weights: Floats,
) -> float:  # fmt: skip
    """Tabulate the weights of the last columns unless already `made`; return the start's probability."""
    first, both = good * a // (a + b), size * a // (a + b)  # means of the cells, rounded down
    if size != made[0] or least < made[1]:
        made[0], made[1] = size, least
        fill_weights(size, both, a, b, least, spans[2], weights[2])
    fill_weights(good, first, a, b, least, spans[0], weights[0])
    fill_weights(size - good, both - first, a, b, least, spans[1], weights[1])
    return probability(first, size, good, both, table)


class TableWalk(NamedTuple):
    """The input of a walk over all tables; `order` (5, d) is the result of `enumeration.order_of_cells`."""

    row_totals: Integers
    column_totals: Integers
    order: Integers
    table: LogFactorials
    floor: float
    lowest: int


class WalkRoom(NamedTuple):
    """Workspace of a walk over d free cells.

    For each cell, `whole` (6, d) has its value, its mode, what is left of its row, its population, the pairs
    before it, and the number of equal cells in a run; `real` (4, d) has the probability of the branch before
    it, at its mode and at its value, and the number of tables that each table stands for. `recent`, as long
    as the law, is added to the law from time to time: if millions of equal numbers were added one by one, all
    would be rounded in the same direction.
    """

    remaining: Integers
    whole: Integers
    real: Floats
    spans: Integers
    weights: Floats
    recent: Floats


@forecast_kernel(lambda *_: math.inf)
def add_pair_counts(walk: TableWalk, room: WalkRoom, most_work: Integers, out: Floats) -> tuple[int, int]:
    """Add each table's probability to ``out[sum C(n_ij, 2) - lowest]``; return work and largest place.

    The walk stops beyond `most_work`, shape (1,), which another thread may lower.
    """
    row_totals, column_totals, order, table = walk.row_totals, walk.column_totals, walk.order, walk.table
    floor, lowest, remaining, whole, real = walk.floor, walk.lowest, room.remaining, room.whole, room.real
    spans, weights, recent = room.spans, room.weights, room.recent
    last_row, last_column = row_totals.size - 1, column_totals.size - 1
    last_cell = last_row * last_column - 1
    rows, columns, place_in_group, following, after = order[0], order[1], order[2], order[3], order[4]
    value, mode, left, population, so_far, run = whole[0], whole[1], whole[2], whole[3], whole[4], whole[5]
    p_branch, p_mode, p_value, times = real[0], real[1], real[2], real[3]
    a, b = row_totals[last_row - 1], row_totals[last_row]
    n = copy_and_sum(column_totals, remaining)
    largest = -1
    work = cell = 0
    left[0], population[0], so_far[0], p_branch[0], times[0] = row_totals[0], n, 0, 1.0, 1.0
    entering, tabulated = True, False
    work_at_addition = max(WORK_BETWEEN_ADDITIONS, 16 * out.size)
    scale, made = 1.0, np.array([-1.0, 1.0])
    while cell >= 0:
        if work > most_work[0]:
            return work, largest
        if work > work_at_addition:
            work_at_addition = work + max(WORK_BETWEEN_ADDITIONS, 16 * out.size)
            add_recent(recent, out)
        row, column = rows[cell], columns[cell]
        good = remaining[column]
        draws, size = left[cell], population[cell]
        if cell == last_cell:  # try all values of the last free cell at once
            work += TABLES_PER_WALK
            if not tabulated:
                # A table whose weight is at most `least` is not above the floor. Its probability is at most
                # the weight times the probability of the rows before, divided by P(a) > 1 / (m + 1) for m
                # objects with chance a / m.
                least = max(floor / (p_branch[cell - column] * (a + b + 1.0)), TINY)
                scale = tabulate(good, size, a, b, least, made, table, spans, weights)
                work += TABLES_PER_TABULATION
                tabulated = True
            x = mode_of(size, good, draws)
            if is_tabulated(spans, x, draws):
                other = size - good
                factor = times[cell] * (p_branch[cell] * scale / weights[2, draws + 1])
                index = so_far[cell] + pairs(x) + pairs(draws - x)
                index += pairs(good - x) + pairs(other - draws + x) - lowest
                steps, place = walk_last_cell(
                    x, draws, factor, times[cell] * floor, good, other, index, weights[0], weights[1], recent
                )
                work += steps
                largest = max(largest, place)
            cell -= 1
            entering = False
            continue
        work += TABLES_PER_STEP
        if not entering:
            good += value[cell]
            if column == last_column - 1:
                remaining[last_column] += draws - value[cell]
        # the cell before in the same group, if this is not the group's first
        before = cell - 1 if row == 0 else cell - last_column
        # objects for this cell, the later cells of the group, and the cells after the group
        shared = draws if row == 0 else good
        place = place_in_group[cell]
        low = low_end(size, good, draws)
        if following[cell] > 0:  # later cells of the group are at most as large as this one
            low = max(low, -((after[cell] - shared) // (following[cell] + 1)))
        high = min(min(good, draws), value[before] if place > 1 else draws)
        if low > high:  # no value in this order
            x, p = low, 0.0
        elif entering:
            x = min(max(mode_of(size, good, draws), low), high)
            p = p_branch[cell] * probability(x, size, good, draws, table)
            mode[cell], p_mode[cell] = x, p
        else:
            x, p = next_value(
                value[cell], p_value[cell], mode[cell], p_mode[cell], low, high, size, good, draws, floor
            )
        if p <= floor:
            remaining[column] = good
            cell -= 1
            entering = False
            continue
        value[cell], p_value[cell] = x, p
        run[cell] = run[before] + 1 if place > 1 and x == value[before] else 1
        so_many = times[cell] * place / run[cell]
        remaining[column] = good - x
        ends_row, ends_column = column == last_column - 1, row == last_row - 1
        if following[cell] > 0 and (ends_row if row == 0 else ends_column):
            # the fixed cell beside or below this one is the last of its group
            so_many *= (place + 1) / (run[cell] + 1 if shared - x == x else 1)
        # the rest of the column goes into the last row, and the rest of the row into the last column
        done = so_far[cell] + pairs(x) + (pairs(good - x) if ends_column else 0)
        if ends_row:
            done += pairs(draws - x)
            remaining[last_column] -= draws - x
            draws, size = row_totals[row + 1], population[cell - column] - row_totals[row]
            tabulated = False
        else:
            draws, size = draws - x, size - good
        cell += 1
        left[cell], population[cell] = draws, size
        so_far[cell], p_branch[cell], times[cell] = done, p, so_many
        entering = True
    add_recent(recent, out)
    return work, largest


@forecast_kernel(lambda rows, columns, table, limit, *rest: 500.0 * rows.size * columns.size * limit)
def list_tables(
    row_totals: Integers, column_totals: Integers, table: LogFactorials, limit: int, remaining: Integers,
    whole: Integers, real: Floats, tables: Integers, probabilities: Floats,
) -> int:  # fmt: skip
    """List all tables in the order of their cells, row by row; return their number, at most ``limit + 1``.

    For each free cell and for the whole table, `whole` (3, d + 1) has its value, what is left of its row, and
    its population; `real` has the probability of the branch before it. If `tables` is empty, the tables are
    only counted.
    """
    last_row = row_totals.size - 1
    last_column = column_totals.size - 1
    free = last_row * last_column
    value, left, population = whole[0], whole[1], whole[2]
    real[0] = 1.0
    left[0], population[0] = row_totals[0], copy_and_sum(column_totals, remaining)
    listed = cell = 0
    entering = True
    while cell >= 0:
        if cell == free:
            if listed < probabilities.size:
                out = tables[listed]
                copy_and_sum(column_totals, out[last_row])
                for k in range(last_row):
                    out[k, last_column] = row_totals[k]
                    for q in range(last_column):
                        out[k, q] = value[k * last_column + q]
                        out[k, last_column] -= out[k, q]
                    for q in range(last_column + 1):
                        out[last_row, q] -= out[k, q]
                probabilities[listed] = real[cell]
            listed += 1
            if listed > limit:
                return listed
            cell -= 1
            entering = False
            continue
        row, column = cell // last_column, cell % last_column
        draws, size = left[cell], population[cell]
        if entering:
            good = remaining[column]
            x = low_end(size, good, draws)
        else:
            good = remaining[column] + value[cell]
            if column == last_column - 1:
                remaining[last_column] += draws - value[cell]
            x = value[cell] + 1
        if x > min(good, draws):
            remaining[column] = good
            cell -= 1
            entering = False
            continue
        value[cell] = x
        remaining[column] = good - x
        if probabilities.size:
            real[cell + 1] = real[cell] * probability(x, size, good, draws, table)
        cell += 1
        entering = True
        if column < last_column - 1:
            left[cell], population[cell] = draws - x, size - good
        else:
            remaining[last_column] -= draws - x
            left[cell], population[cell] = (
                row_totals[row + 1],
                population[cell - last_column] - row_totals[row],
            )
    return listed
