"""Means of functions of a cell over hypergeometric laws, summed from the mode outward.

Probabilities are computed by ratios of neighbours until they are negligible. For many numbers d of draws at
once, ``p(x | d) = alpha(x) beta(d - x) / sum_x alpha(x) beta(d - x)`` with ``alpha(x) = C(good, x) odds**x``
and ``beta(y) = C(rest, y) odds**y``. Lines (rows or columns) with similar totals need the same laws at a
crossing (column or row), so that numbers of draws are handled in blocks. See "Means of functions of a cell"
in docs/explanation/derivations.md.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.exact.kernels.hypergeometric import low_end, mode_of
from chancecorr.indices.calling import PHI, VALUES, VECTOR, declare_signature
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import forecast_kernel, kernel, shared_with_kernels

# a walk ends at counts with a smaller weight relative to the likeliest nonzero count
NEGLIGIBLE_WEIGHT = 1e-18
# smaller counts are never negligible: if phi is 0 at 1, the sum consists of the next counts
MAX_COUNT_ALWAYS_WALKED = 4


@kernel
def start(population: int, good: int, draws: int) -> tuple[int, float]:
    """Return the mode, and the probability relative to the mode's below which the walk ends."""
    mode = mode_of(population, good, draws)
    if mode > 0:
        return mode, NEGLIGIBLE_WEIGHT
    to_one = (float(good) * float(draws)) / (population - good - draws + 1.0)
    return mode, NEGLIGIBLE_WEIGHT * min(to_one, 1.0)


@kernel
def effective_range(population: int, good: int, draws: int) -> tuple[int, int]:
    """Return the first and the last count whose probability is not negligible."""
    mode, negligible = start(population, good, draws)
    G, D, R = float(good), float(draws), float(population - good - draws)
    high, p = mode, 1.0
    while high < min(good, draws):
        x = float(high)
        p *= ((G - x) * (D - x)) / ((x + 1.0) * (R + x + 1.0))
        if p < negligible and high >= MAX_COUNT_ALWAYS_WALKED:
            break
        high += 1
    low, p = mode, 1.0
    while low > low_end(population, good, draws):
        x = float(low)
        p *= (x * (R + x)) / ((G - x + 1.0) * (D - x + 1.0))
        if p < negligible:
            break
        low -= 1
    return low, high


@kernel
def mean_over_law(population: int, good: int, draws: int, values: Floats, first: int, last: int) -> float:
    """Return ``sum p(x) values[x - first] / sum p(x)`` over x from first to last, if not negligible."""
    mode, negligible = start(population, good, draws)
    mode = min(max(mode, first), last)
    G, D, R = float(good), float(draws), float(population - good - draws)
    weight, total = 1.0, values[mode - first]
    x, p = float(mode), 1.0
    for k in range(mode + 1 - first, last + 1 - first):
        p *= ((G - x) * (D - x)) / ((x + 1.0) * (R + x + 1.0))
        x += 1.0
        if p < negligible and x > MAX_COUNT_ALWAYS_WALKED:
            break
        weight += p
        total += p * values[k]
    x, p = float(mode), 1.0
    for k in range(mode - 1 - first, -1, -1):
        p *= (x * (R + x)) / ((G - x + 1.0) * (D - x + 1.0))
        x -= 1.0
        if p < negligible:
            break
        weight += p
        total += p * values[k]
    return float(total / weight)


_MEANS = "Array(float64, 2, 'C')"
_RANGES = "Array(int64, 2, 'C')"


@shared_with_kernels
def value_at(phi: Callable[..., Any], x: int, row_total: int, column_total: int, n: int) -> float:
    """Return ``phi(x, row_total, column_total, n)``, or 0 for an empty cell, whatever phi returns."""
    return phi(float(x), float(row_total), float(column_total), float(n)) if x > 0 else 0.0


@declare_signature(
    f"void({PHI}, {VECTOR}, {VECTOR}, int64, {_MEANS})",
    lambda rows, columns, n, out: out.size * (20.0 + 8.0 * math.sqrt(n)),
)
def fill_cell_means(
    phi: Callable[..., Any], row_totals: Integers, column_totals: Integers, n: int, out: Floats
) -> None:
    """Write ``out[i, j] = E phi(n_ij, row_totals[i], column_totals[j], n)`` over the hypergeometric law."""
    values = np.empty(64)
    for i in range(row_totals.size):
        row_total = row_totals[i]
        for j in range(column_totals.size):
            column_total = column_totals[j]
            first, last = effective_range(n, column_total, row_total)
            if last - first >= values.size:
                values = np.empty(2 * (last - first + 1))
            for x in range(first, last + 1):
                values[x - first] = value_at(phi, x, row_total, column_total, n)
            out[i, j] = mean_over_law(n, column_total, row_total, values, first, last)


@declare_signature(
    f"void({PHI}, boolean, {VECTOR}, {VECTOR}, int64, {_MEANS}, {_RANGES}, {_RANGES}, {VALUES})",
    lambda *arguments: arguments[-1].size,
)
def fill_line_values(
    phi: Callable[..., Any], lines_are_rows: bool, line_totals: Integers, crossing_totals: Integers, n: int,
    means: Floats, first: Integers, last: Integers, values: Floats,
) -> None:  # fmt: skip
    """Write phi minus its mean for counts ``first[j, i]`` to ``last[j, i]``, crossing j by crossing."""
    at = 0
    for j in range(crossing_totals.size):
        for i in range(line_totals.size):
            row_total = line_totals[i] if lines_are_rows else crossing_totals[j]
            column_total = crossing_totals[j] if lines_are_rows else line_totals[i]
            least, most = max(row_total + column_total - n, 0), min(row_total, column_total)
            for x in range(first[j, i], last[j, i] + 1):
                values[at] = 0.0
                if least <= x <= most:
                    values[at] = value_at(phi, x, row_total, column_total, n) - means[j, i]
                at += 1


@declare_signature(
    f"float64({PHI}, {VECTOR}, {VECTOR}, int64)", lambda rows, columns, n: rows.size + columns.size
)
def corner_sum(phi: Callable[..., Any], row_totals: Integers, column_totals: Integers, n: int) -> float:
    """Return ``sum phi`` of the table filled from its first cell on, each cell as full as possible."""
    total = 0.0
    i = j = 0
    row_left, column_left = row_totals[0], column_totals[0]
    while True:
        count = min(row_left, column_left)
        if count > 0:
            total += phi(float(count), float(row_totals[i]), float(column_totals[j]), float(n))
        row_left -= count
        column_left -= count
        if row_left == 0:
            i += 1
            if i == row_totals.size:
                return total
            row_left = row_totals[i]
        else:
            j += 1
            column_left = column_totals[j]


FIRST_DRAW, LAST_DRAW, SUMS_FROM = range(3)  # indices of the spans of lines
GOOD_FROM, GOOD_TO, REST_FROM, REST_TO = range(4)  # indices of the ranges of blocks
FEWEST_DRAWS = 64  # for this many numbers of draws, the odds of the middle one can always be used


@kernel
def most_draws(population: int, draws: int) -> int:
    """Count the numbers of draws, starting with `draws`, that can share one value of the odds."""
    return FEWEST_DRAWS + int(4.0 * math.sqrt(float(draws) * (population - draws) / max(population, 1)))


@kernel
def fill_binomial(total: int, odds: float, first: int, out: Floats) -> None:
    """Write ``out[t] = C(total, x) odds**x`` at ``x = first + t``, relative to the middle entry."""
    last = first + out.size - 1
    middle = min(max(first + out.size // 2, first, 0), last, total)
    out[middle - first] = 1.0
    T, x, p = float(total), float(middle), 1.0
    for t in range(middle + 1 - first, out.size):
        p *= (T - x) / (x + 1.0) * odds
        x += 1.0
        out[t] = p
    x, p = float(middle), 1.0
    for t in range(middle - 1 - first, -1, -1):
        p *= x / ((T - x + 1.0) * odds)
        x -= 1.0
        out[t] = p


@forecast_kernel(lambda short, long, out: 150.0 * short.size * out.size)
def convolve(short: Floats, long: Floats, out: Floats) -> None:
    """Write ``out[k] = sum_t short[t] long[k + short.size - 1 - t]``; long has out.size + short.size - 1."""
    m, left = out.size, short.size
    for k in range(m):
        out[k] = 0.0
    while left >= 4:
        s0, s1, s2, s3 = short[-left], short[1 - left], short[2 - left], short[3 - left]
        left -= 4
        window = long[left : left + m + 3]
        for k in range(m):
            out[k] += (s0 * window[k + 3] + s1 * window[k + 2]) + (s2 * window[k + 1] + s3 * window[k])
    while left > 0:
        s0 = short[-left]
        left -= 1
        window = long[left : left + m]
        for k in range(m):
            out[k] += s0 * window[k]


@kernel
def fill_laws(
    population: int, good_total: int, draws: int, good_first: int, rest_first: int, good: Floats,
    rest: Floats, weights: Floats,
) -> None:  # fmt: skip
    """Write alpha from `good_first`, beta from `rest_first`, and ``sum_x alpha(x) beta(d - x)`` of each d."""
    middle = draws + 0.5 * (weights.size - 1)
    odds = (middle + 0.5) / (population - middle + 0.5)
    fill_binomial(good_total, odds, good_first, good)
    fill_binomial(population - good_total, odds, rest_first, rest)
    if good.size <= rest.size:
        convolve(good, rest, weights)
    else:
        convolve(rest, good, weights)


@kernel
def weigh_values(good: Floats, rest: Floats, values: Floats, begin: int, work: Floats, out: Floats) -> None:
    """Write ``sum_x alpha(x) values(x) beta(d - x)`` for consecutive d, skipping the first `begin`."""
    if good.size <= rest.size:
        weighted = work[: good.size]
        for t in range(weighted.size):
            weighted[t] = good[t] * values[t]
        convolve(weighted, rest[begin : begin + out.size + good.size - 1], out)
    else:
        weighted = work[: out.size + rest.size - 1]
        for t in range(weighted.size):
            weighted[t] = good[begin + t] * values[begin + t]
        convolve(rest, weighted, out)


@forecast_kernel(lambda *sides_and_ends: 50_000.0 * sides_and_ends[-1].size)
def fill_windows(
    row_totals: Integers, column_totals: Integers, n: int, low: Integers, high: Integers
) -> None:
    """Write the first and last count of each cell, without negligible probabilities."""
    for i in range(row_totals.size):
        for j in range(column_totals.size):
            low[i, j], high[i, j] = effective_range(n, column_totals[j], row_totals[i])


@forecast_kernel(lambda populations, goods, draws, low, high: 25_000.0 * low.size)
def fill_ranges(
    populations: Integers, goods: Integers, draws: Integers, low: Integers, high: Integers
) -> None:
    """Write the range ``low[j, q] ... high[j, q]`` of ``goods[j]`` in ``draws[q]``; empty if impossible."""
    for j in range(goods.size):
        for q in range(draws.size):
            low[j, q], high[j, q] = 0, -1
            if goods[j] <= populations[q]:
                low[j, q], high[j, q] = effective_range(populations[q], goods[j], draws[q])


@forecast_kernel(lambda crossing_totals, n, spans, *rest: 7_000.0 * spans.size)
def lay_blocks(
    crossing_totals: Integers, n: int, spans: Integers, first: Integers, last: Integers, start: Integers
) -> None:
    """Lay out blocks of draws, `first` to `last`, that cover once what the lines need at each crossing.

    Crossing l has blocks ``start[l]`` to ``start[l + 1] - 1``. For `spans` see `additive.Lines`.
    """
    size = 0
    for l in range(crossing_totals.size):  # noqa: E741
        population = n - crossing_totals[l]
        beyond = limit = 0
        for i in range(spans.shape[1]):
            draws, end = spans[FIRST_DRAW, i, l], spans[LAST_DRAW, i, l] + 1
            if draws < beyond:
                draws = beyond
            while draws < end:
                if draws > beyond or draws >= limit:
                    first[size], limit = draws, draws + most_draws(population, draws)
                    size += 1
                draws = beyond = end if end < limit else limit
                last[size - 1] = beyond - 1
        start[l + 1] = size


@forecast_kernel(lambda *arguments: 500.0 * arguments[-1].size * arguments[-3].size / arguments[1].size)
def add_crossings(
    begin: int, totals: Integers, crossing_totals: Integers, crossing_counts: Integers, n: int,
    spans: Integers, blocks: Integers, block_start: Integers, ranges: Integers, value_first: Integers,
    value_start: Integers, values: Floats, work: Floats, sums: Floats,
) -> None:  # fmt: skip
    """Add the sums of phi over the crossings from `begin` on to the lines' sums.

    `work` has five rows, as long as the longest range. `blocks` has the first and the last draws of each
    block. For the other arrays see `additive.Lines`, `lay_blocks`, and `additive._lay_ranges`.
    """
    good_work, rest_work, weights_work, means_work, values_work = work[0], work[1], work[2], work[3], work[4]
    for at in range(value_first.shape[0]):
        j = begin + at
        for i in range(totals.size):  # totals of the line of the given cell
            value_at = value_start[at, i] + totals[i] - value_first[at, i]
            add_to = spans[SUMS_FROM, i, j] - spans[FIRST_DRAW, i, j]
            for draws in range(spans[FIRST_DRAW, i, j], spans[LAST_DRAW, i, j] + 1):
                sums[add_to + draws] += values[value_at - draws]
        for l in range(crossing_totals.size):  # noqa: E741
            others = crossing_counts[j] - (1 if j == l else 0)  # crossings of the j-th total besides this one
            if others == 0:
                continue
            for q in range(block_start[l], block_start[l + 1]):
                least, most = blocks[0, q], blocks[1, q]
                good_first, rest_first = ranges[GOOD_FROM, at, q], ranges[REST_FROM, at, q]
                good = good_work[: ranges[GOOD_TO, at, q] - good_first + 1]
                rest = rest_work[: ranges[REST_TO, at, q] - rest_first + 1]
                weights = weights_work[: most - least + 1]
                b = crossing_totals[j]
                fill_laws(n - crossing_totals[l], b, least, good_first, rest_first, good, rest, weights)
                for i in range(totals.size):
                    draws, end = spans[FIRST_DRAW, i, l], spans[LAST_DRAW, i, l] + 1
                    if draws < least:
                        draws = least
                    if end > most + 1:
                        end = most + 1
                    if end <= draws:
                        continue
                    means = means_work[: end - draws]
                    value_at = value_start[at, i] + good_first - value_first[at, i]
                    values_of_line = values[value_at : value_at + good.size]
                    weigh_values(good, rest, values_of_line, draws - least, values_work, means)
                    add_to = spans[SUMS_FROM, i, l] - spans[FIRST_DRAW, i, l] + draws
                    for k in range(end - draws):
                        sums[add_to + k] += others * means[k] / weights[draws - least + k]


@forecast_kernel(lambda totals, *rest: 3_000.0 * rest[-3].size)
def sum_of_products(
    totals: Integers, crossing_totals: Integers, counts: Integers, crossing_counts: Integers, n: int,
    spans: Integers, crossing_spans: Integers, row_sums: Floats, column_sums: Floats, products: Floats,
) -> tuple[float, float]:  # fmt: skip
    """Return ``sum_il E (row i's sum) (column l's sum)`` over the common cell; also of absolute values.

    `products` is workspace, as long as the longest line of draws.
    """
    total = absolute = 0.0
    for i in range(totals.size):
        a = totals[i]
        for l in range(crossing_totals.size):  # noqa: E741
            b = crossing_totals[l]
            low, high = a - spans[LAST_DRAW, i, l], a - spans[FIRST_DRAW, i, l]
            in_row, in_column = spans[SUMS_FROM, i, l] + high, crossing_spans[SUMS_FROM, l, i] + high
            cells = counts[i] * crossing_counts[l]
            for x in range(low, high + 1):
                products[x - low] = row_sums[in_row - x] * column_sums[in_column - x]
            for is_absolute in range(2):
                mean = cells * mean_over_law(n, b, a, products, low, high)
                if is_absolute:
                    absolute += mean
                else:
                    total += mean
                    for k in range(high - low + 1):
                        products[k] = abs(products[k])
    return total, absolute
