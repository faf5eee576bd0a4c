"""Tables with given margins, one after the other, free cell by free cell.

The free cells are those outside the last row and the last column, row by row. Given the cells before it a
cell is hypergeometric, so the product of these probabilities along a branch is the probability of the table.
Such a law is log-concave: it is walked from its mode both ways by the ratio of neighbouring probabilities,
and left where it falls to the floor, so that every table above the floor is met.
"""

import math

import numpy as np

from chancecorr.compiled import Floats, Integers, kernel
from chancecorr.null.kernels.hypergeometric import TABLE_LIMIT, log_scale, log_weight

SplitLogFactorials = Floats | None
"""``log(k!)`` as the sum of two columns, or None: then the saddle-point form is compiled in its place."""

_GRID = 2.0**24


def split_log_factorials(n: int) -> SplitLogFactorials:
    """``log(k!)`` for k up to n; None beyond `TABLE_LIMIT`."""
    if n > TABLE_LIMIT:
        return None
    out = np.empty((n + 1, 2))
    fill_split_log_factorials(out)
    return out


@kernel
def fill_split_log_factorials(out: Floats) -> None:
    """``out[k, 0] + out[k, 1] = log(k!)``, the first a multiple of 2**-24 so that sums of it are exact.

    In one float64, ``log(800!)`` is off by 5e-13, and that would be the error of every probability.
    """
    total = rest = 0.0
    for k in range(out.shape[0]):
        term = math.log(max(k, 1))
        following = total + term
        rest += term - (following - total)
        total = following
        high = math.floor(total * _GRID) / _GRID
        out[k, 0] = high
        out[k, 1] = (total - high) + rest


@kernel
def probability(x: int, population: int, good: int, draws: int, table: SplitLogFactorials) -> float:
    """Hypergeometric ``C(good, x) C(population - good, draws - x) / C(population, draws)``."""
    if low_end(population, good, draws) == high_end(good, draws):
        return 1.0
    if table is None:
        log_p = log_weight(x, population, good, draws, None) + log_scale(population, good, draws, None)
        return math.exp(log_p)
    places = (
        (population - good, population),
        (good, x),
        (draws, good - x),
        (population - draws, draws - x),
        (0, population - good - draws + x),
    )
    high = low = 0.0
    for plus, minus in places:
        p, m = np.uint64(plus), np.uint64(minus)
        high += table[p, 0] - table[m, 0]
        low += table[p, 1] - table[m, 1]
    return math.exp(high + low)


@kernel
def low_end(population: int, good: int, draws: int) -> int:
    """Least x of the hypergeometric law."""
    return max(0, draws - (population - good))


@kernel
def high_end(good: int, draws: int) -> int:
    """Largest x of the hypergeometric law."""
    return min(good, draws)


@kernel
def pairs(x: int) -> int:
    """``C(x, 2)``."""
    return x * (x - 1) // 2


@kernel
def walk_last_cell(
    start: int,
    p_start: float,
    floor: float,
    good: int,
    draws: int,
    other: int,
    index: int,
    out: Floats,
) -> tuple[int, int]:
    """Last free cell from x = `start` both ways; return the number of tables and the largest place.

    The corner of the table is ``x, draws - x`` above ``good - x, other - draws + x``; `index` is the place in
    `out` of its pairs at `start`, a quadratic in x. One step past an end has a factor 0, which stops.
    """
    size = np.uint64(out.size)
    slope = 4 * start + 2 - 2 * draws - good + other
    a, b, c, d = float(good - start), float(draws - start), start + 1.0, other - draws + start + 1.0
    p = p_start
    place = index
    step = slope
    tables = 0
    largest = index
    while p > floor:
        if np.uint64(place) < size:
            out[np.uint64(place)] += p
        largest = max(largest, place)
        tables += 1
        p *= (a * b) / (c * d)
        a -= 1.0
        b -= 1.0
        c += 1.0
        d += 1.0
        place += step
        step += 4
    a, b, c, d = float(start), float(other - draws + start), good - start + 1.0, draws - start + 1.0
    p = p_start * ((a * b) / (c * d))
    step = slope - 4
    place = index - step
    while p > floor:
        if np.uint64(place) < size:
            out[np.uint64(place)] += p
        largest = max(largest, place)
        tables += 1
        a -= 1.0
        b -= 1.0
        c += 1.0
        d += 1.0
        p *= (a * b) / (c * d)
        step -= 4
        place -= step
    return tables, largest


@kernel
def add_pair_counts(
    row_totals: Integers,
    column_totals: Integers,
    table: SplitLogFactorials,
    first_low: int,
    first_high: int,
    floor: float,
    lowest: int,
    remaining: Integers,
    whole: Integers,
    real: Floats,
    out: Floats,
) -> tuple[int, int, int]:
    """Add to ``out[sum C(n_ij, 2) - lowest]`` the probability of each table, for a range of the first cell.

    Branches below `floor` are left out. `remaining` (Q,), `whole` (5, d) and `real` (3, d), d free cells, are
    workspace. Return the numbers of tables and of walks, and the largest place met, which may lie past `out`.
    """
    last_row = row_totals.size - 1
    last_column = column_totals.size - 1
    last_cell = last_row * last_column - 1
    value, mode, left, population, so_far = whole[0], whole[1], whole[2], whole[3], whole[4]
    p_branch, p_mode, p_value = real[0], real[1], real[2]
    remaining[:] = column_totals
    tables = walks = 0
    largest = -1
    cell = 0
    left[0], population[0], so_far[0], p_branch[0] = row_totals[0], row_totals.sum(), 0, 1.0
    entering = True
    while cell >= 0:
        row, column = cell // last_column, cell % last_column
        good = remaining[column]
        draws, size = left[cell], population[cell]
        if entering:
            low, high = low_end(size, good, draws), high_end(good, draws)
            start = (good + 1) * (draws + 1) // (size + 2)
            if cell == 0:
                low, high = max(low, first_low), min(high, first_high)
                if low > high:
                    break
            start = min(max(start, low), high)
            p = p_branch[cell] * probability(start, size, good, draws, table)
            if cell == last_cell:
                other = size - good
                index = so_far[cell] + pairs(start) + pairs(draws - start)
                index += pairs(good - start) + pairs(other - draws + start) - lowest
                found, place = walk_last_cell(start, p, floor, good, draws, other, index, out)
                tables += found
                walks += 1
                largest = max(largest, place)
                cell -= 1
                entering = False
                continue
            if p <= floor:
                cell -= 1
                entering = False
                continue
            mode[cell] = value[cell] = start
            p_mode[cell] = p_value[cell] = p
        else:
            x, p = value[cell], p_value[cell]
            good += x
            if column == last_column - 1:
                remaining[last_column] += draws - x
            low, high = low_end(size, good, draws), high_end(good, draws)
            if cell == 0:
                low, high = max(low, first_low), min(high, first_high)
            upwards = x >= mode[cell]
            if upwards:
                p = 0.0 if x == high else p * (float(good - x) * float(draws - x))
                p /= (x + 1.0) * (size - good - draws + x + 1.0)
                x += 1
                if p <= floor:
                    upwards = False
                    x, p = mode[cell], p_mode[cell]
            if not upwards:
                p = 0.0 if x == low else p * (float(x) * float(size - good - draws + x))
                p /= (good - x + 1.0) * (draws - x + 1.0)
                x -= 1
                if p <= floor:
                    remaining[column] = good
                    cell -= 1
                    continue
            value[cell], p_value[cell] = x, p
        x = value[cell]
        remaining[column] = good - x
        done = so_far[cell] + pairs(x)
        if row == last_row - 1:
            done += pairs(good - x)
        if column == last_column - 1:
            remaining[last_column] -= draws - x
            done += pairs(draws - x)
            left[cell + 1] = row_totals[row + 1]
            population[cell + 1] = remaining.sum()
        else:
            left[cell + 1] = draws - x
            population[cell + 1] = size - good
        so_far[cell + 1] = done
        p_branch[cell + 1] = p_value[cell]
        cell += 1
        entering = True
    return tables, walks, largest


@kernel
def list_tables(
    row_totals: Integers,
    column_totals: Integers,
    table: SplitLogFactorials,
    limit: int,
    remaining: Integers,
    whole: Integers,
    real: Floats,
    tables: Integers,
    probabilities: Floats,
) -> int:
    """Every table in the order of its cells, row by row; return how many, or ``limit + 1`` if there are more.

    `remaining` (Q,), `whole` (3, d + 1) and `real` (d + 1,), d free cells, are workspace. `tables` (m, K, Q)
    and `probabilities` (m,) are filled as far as they reach: of length 0 they make this a count.
    """
    last_row = row_totals.size - 1
    last_column = column_totals.size - 1
    free = last_row * last_column
    value, left, population = whole[0], whole[1], whole[2]
    remaining[:] = column_totals
    real[0] = 1.0
    left[0], population[0] = row_totals[0], row_totals.sum()
    found = cell = 0
    entering = True
    while cell >= 0:
        if cell == free:
            if found < probabilities.size:
                out = tables[found]
                for k in range(last_row):
                    out[k, last_column] = row_totals[k]
                    for q in range(last_column):
                        out[k, q] = value[k * last_column + q]
                        out[k, last_column] -= out[k, q]
                out[last_row] = remaining if last_column else column_totals - out[:last_row].sum()
                probabilities[found] = real[cell]
            found += 1
            if found > limit:
                return found
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
        if x > high_end(good, draws):
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
            left[cell], population[cell] = row_totals[row + 1], remaining.sum()
    return found
