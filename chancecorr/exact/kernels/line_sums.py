"""Sums of phi along the lines of a table, rows or columns, given the count of one of their cells.

Given that the cell of line i and crossing l holds z objects, the cell of line i and another crossing j counts
those of ``a_i - z`` draws from the ``n - b_l`` objects outside crossing l which are among the ``b_j`` of
crossing j. Its law depends on ``b_l``, ``b_j`` and the number of draws alone: lines of similar totals ask for
the same laws, with values of phi of their own. So the draws that all lines ask for are laid out in blocks,
and the laws of a block, two short vectors (`chancecorr.exact.kernels.additive`), serve all its lines.
"""

from typing import NamedTuple

import numpy as np

from chancecorr.exact.kernels.additive import (
    effective_range,
    fill_laws,
    mean_over_law,
    most_draws,
    weigh_values,
)
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel


class Lines(NamedTuple):
    """Lines and the crossings they share cells with, of distinct totals above 0, ascending; see `first_draw`.

    Given the cell of line i and crossing l, from ``first_draw[i, l]`` to ``last_draw[i, l]`` objects of the
    line are elsewhere; the line's sums for these stand from ``start[i, l]`` on.
    """

    totals: Integers
    crossing_totals: Integers
    crossing_counts: Integers
    n: int
    first_draw: Integers
    last_draw: Integers
    start: Integers


class Blocks(NamedTuple):
    """Numbers of draws from `first` to `last`; crossing l has blocks ``start[l]`` to ``start[l + 1] - 1``."""

    first: Integers
    last: Integers
    start: Integers


class Ranges(NamedTuple):
    """Counts at which the cells of some crossings are needed, except for negligible probabilities.

    Of the draws of block q ``good_first[j, q] ... good_last[j, q]`` are in crossing j, ``rest_first ...
    rest_last`` outside; of line i phi is needed from ``first[j, i]`` to ``last[j, i]``, from ``start[j, i]``
    on, `size` in all.
    """

    good_first: Integers
    good_last: Integers
    rest_first: Integers
    rest_last: Integers
    first: Integers
    last: Integers
    start: Integers
    size: int


@kernel
def fill_windows(
    row_totals: Integers, column_totals: Integers, n: int, low: Integers, high: Integers
) -> None:
    """First and last count of every cell, except for negligible probabilities."""
    for i in range(row_totals.size):
        for j in range(column_totals.size):
            low[i, j], high[i, j] = effective_range(n, column_totals[j], row_totals[i])


@kernel
def with_more_room(numbers: Integers) -> Integers:
    """Numbers at the beginning of an array twice as long; a loop, since `np.append` compiles for a second."""
    out = np.empty(2 * numbers.size, np.int64)
    for k in range(numbers.size):
        out[k] = numbers[k]
    return out


@kernel
def lay_blocks(lines: Lines) -> Blocks:
    """Blocks of the draws that the lines ask for at each crossing, none of them twice."""
    room = 2 * lines.start.size
    first, last = np.empty(room, np.int64), np.empty(room, np.int64)
    start = np.zeros(lines.crossing_totals.size + 1, np.int64)
    size = 0
    for l in range(lines.crossing_totals.size):  # noqa: E741
        population = lines.n - lines.crossing_totals[l]
        beyond = limit = 0
        for i in range(lines.totals.size):
            draws, end = max(lines.first_draw[i, l], beyond), lines.last_draw[i, l] + 1
            while draws < end:
                if draws > beyond or draws >= limit:
                    if size == first.size:
                        first, last = with_more_room(first), with_more_room(last)
                    first[size], limit = draws, draws + most_draws(population, draws)
                    size += 1
                draws = beyond = min(end, limit)
                last[size - 1] = beyond - 1
        start[l + 1] = size
    return Blocks(first[:size].copy(), last[:size].copy(), start)


@kernel
def lay_ranges(begin: int, end: int, lines: Lines, blocks: Blocks) -> Ranges:
    """Counts at which the cells of the crossings `begin` to ``end - 1`` are needed."""
    # an array taken out of a tuple in an inner loop costs more than what is done with it there
    totals, first_draw, last_draw = lines.totals, lines.first_draw, lines.last_draw
    crossing_totals, crossing_counts = lines.crossing_totals, lines.crossing_counts
    block_first, block_last, block_start = blocks.first, blocks.last, blocks.start
    blocks_of_each = (end - begin, block_first.size)
    good_first, good_last = np.zeros(blocks_of_each, np.int64), np.full(blocks_of_each, -1, np.int64)
    rest_first, rest_last = np.zeros(blocks_of_each, np.int64), np.full(blocks_of_each, -1, np.int64)
    first = np.empty((end - begin, totals.size), np.int64)
    last, start = np.empty_like(first), np.empty_like(first)
    size = 0
    for j in range(begin, end):
        b, at = crossing_totals[j], j - begin
        for i in range(totals.size):
            first[at, i], last[at, i] = totals[i] - last_draw[i, j], totals[i] - first_draw[i, j]
        for l in range(crossing_totals.size):  # noqa: E741
            if other_crossings(j, l, crossing_counts) == 0:
                continue
            population = lines.n - crossing_totals[l]
            for q in range(block_start[l], block_start[l + 1]):
                least, most = block_first[q], block_last[q]
                low, high_at_least = effective_range(population, b, least)
                low_at_most, high = effective_range(population, b, most)
                rest_low, rest_high = least - high_at_least, most - low_at_most
                if high - low <= rest_high - rest_low:
                    rest_low, rest_high = least - high, most - low
                else:
                    low, high = least - rest_high, most - rest_low
                good_first[at, q], good_last[at, q] = low, high
                rest_first[at, q], rest_last[at, q] = rest_low, rest_high
                for i in range(totals.size):
                    if first_draw[i, l] <= most and last_draw[i, l] >= least:
                        first[at, i], last[at, i] = min(first[at, i], low), max(last[at, i], high)
        for i in range(totals.size):
            start[at, i] = size
            size += last[at, i] - first[at, i] + 1
    return Ranges(good_first, good_last, rest_first, rest_last, first, last, start, size)


@kernel
def longest_range(first: Integers, last: Integers) -> int:
    """Length of the longest of these ranges."""
    longest = 0
    for at in range(first.shape[0]):
        for q in range(first.shape[1]):
            longest = max(longest, last[at, q] - first[at, q] + 1)
    return longest


@kernel
def other_crossings(j: int, l: int, crossing_counts: Integers) -> int:  # noqa: E741
    """How many crossings of the j-th total there are besides one of the l-th."""
    return int(crossing_counts[j] - (1 if j == l else 0))


@kernel
def add_crossings(
    begin: int, end: int, lines: Lines, blocks: Blocks, ranges: Ranges, values: Floats, sums: Floats
) -> None:
    """Add what the lines have in the crossings `begin` to ``end - 1``, from the values of phi there."""
    totals, first_draw, last_draw = lines.totals, lines.first_draw, lines.last_draw
    crossing_totals, crossing_counts, line_start = lines.crossing_totals, lines.crossing_counts, lines.start
    block_first, block_last, block_start = blocks.first, blocks.last, blocks.start
    good_first, good_last = ranges.good_first, ranges.good_last
    rest_first, rest_last = ranges.rest_first, ranges.rest_last
    value_first, value_start = ranges.first, ranges.start
    good_room, rest_room = longest_range(good_first, good_last), longest_range(rest_first, rest_last)
    good_work, rest_work, work = np.empty(good_room), np.empty(rest_room), np.empty(max(good_room, rest_room))
    weights_work, means_work = np.empty_like(work), np.empty_like(work)
    for j in range(begin, end):
        at = j - begin
        for i in range(totals.size):  # in the cell that is given
            value_at = value_start[at, i] + totals[i] - value_first[at, i]
            for draws in range(first_draw[i, j], last_draw[i, j] + 1):
                sums[line_start[i, j] + draws - first_draw[i, j]] += values[value_at - draws]
        for l in range(crossing_totals.size):  # noqa: E741
            others = other_crossings(j, l, crossing_counts)
            if others == 0:
                continue
            for q in range(block_start[l], block_start[l + 1]):
                least, most = block_first[q], block_last[q]
                good = good_work[: good_last[at, q] - good_first[at, q] + 1]
                rest = rest_work[: rest_last[at, q] - rest_first[at, q] + 1]
                weights = weights_work[: most - least + 1]
                left, b = lines.n - crossing_totals[l], crossing_totals[j]
                fill_laws(left, b, least, good_first[at, q], rest_first[at, q], good, rest, weights)
                for i in range(totals.size):
                    draws = max(least, first_draw[i, l])
                    size = min(most, last_draw[i, l]) + 1 - draws
                    if size <= 0:
                        continue
                    means = means_work[:size]
                    value_at = value_start[at, i] + good_first[at, q] - value_first[at, i]
                    values_of_line = values[value_at : value_at + good.size]
                    weigh_values(good, rest, values_of_line, draws - least, work, means)
                    add_to = line_start[i, l] + draws - first_draw[i, l]
                    for k in range(size):
                        sums[add_to + k] += others * means[k] / weights[draws - least + k]


@kernel
def sum_of_products(
    rows: Lines, columns: Lines, row_sums: Floats, column_sums: Floats
) -> tuple[float, float]:
    """``sum_il E (row i's sum) (column l's sum)`` over the law of the common cell; and of absolute values."""
    total = absolute = 0.0
    products = np.empty(0)
    for i in range(rows.totals.size):
        a = rows.totals[i]
        for l in range(columns.totals.size):  # noqa: E741
            b = columns.totals[l]
            low, high = a - rows.last_draw[i, l], a - rows.first_draw[i, l]
            if high - low >= products.size:
                products = np.empty(2 * (high - low + 1))
            in_row, in_column = rows.start[i, l] + high, columns.start[l, i] + high
            for x in range(low, high + 1):
                products[x - low] = row_sums[in_row - x] * column_sums[in_column - x]
            cells = columns.crossing_counts[i] * rows.crossing_counts[l]
            total += cells * mean_over_law(rows.n, b, a, products, low, high)
            for k in range(high - low + 1):
                products[k] = abs(products[k])
            absolute += cells * mean_over_law(rows.n, b, a, products, low, high)
    return total, absolute
