"""Moves of a table that keep its margins and the null law, each with its own way of being reversible.

Heat baths, steps and reflections change the four cells of two rows and two columns; an exchange swaps the
cells of two columns in some rows. Each kind is also applied to the transposed table. Steps of 1 alone reach
every table from every other (Diaconis & Sturmfels 1998, doi:10.1214/aos/1030563990). See "Moves of a table
within a level" in docs/explanation/derivations.md.
"""

import math
from typing import NamedTuple

import numpy as np

from chancecorr.exact.kernels.hypergeometric import (
    LogFactorials,
    high_end,
    log_binomial,
    log_factorial,
    log_weight,
    low_end,
)
from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import forecast_kernel, kernel
from chancecorr.sampling.kernels.draw import draw_hypergeometric
from chancecorr.sampling.kernels.logarithms import Log2Factorials
from chancecorr.sampling.kernels.streams import Stream, draw_below, draw_to_front, draw_uniform


class LookUps(NamedTuple):
    """Tables for draws and probabilities of hypergeometric laws."""

    log_factorials: LogFactorials
    hat: Floats
    log2_factorials: Log2Factorials


MAX_FEW_ROWS = 3  # half of the exchanges are in at most so many rows, the others in any number


@kernel
def draw_pair(size: int, stream: Stream) -> tuple[np.int64, np.int64, Stream]:
    """Two different whole numbers in [0, size), size > 1; any ordered pair is as likely as any other."""
    first, stream = draw_below(size, stream)
    second, stream = draw_below(size - 1, stream)
    if second >= first:
        second += np.int64(1)
    return first, second, stream


@kernel
def draw_change(
    x: int, low: int, high: int, population: int, good: int, draws: int,
    look_ups: LookUps, stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """Change of a cell with the value x, hypergeometric on [low, high]: heat bath, step or reflection."""
    N, G, D = float(population), float(good), float(draws)
    variance = (G * D) * ((N - G) * (N - D)) / (N * N * (N - 1.0))
    lengths = 1
    while 4.0**lengths <= variance:
        lengths += 1
    number, stream = draw_below(4 * lengths + 2, stream)
    choice = int(number)  # the reflection, one of 2 * lengths steps, or else a heat-bath move
    if choice > 2 * lengths:
        drawn, stream = draw_hypergeometric(
            population, good, draws, True, look_ups.hat, look_ups.log2_factorials, stream
        )
        return drawn - x, stream
    if choice == 0:
        d = low + high - 2 * x
    else:
        d = 1 << ((choice - 1) >> 1)
        if choice & 1:
            d = -d
    if d == 0 or x + d < low or x + d > high:
        return 0, stream
    gain = log_weight(x + d, population, good, draws, look_ups.log_factorials) - log_weight(
        x, population, good, draws, look_ups.log_factorials
    )
    u, stream = draw_uniform(stream)
    return (d if math.log(u) <= gain else 0), stream


@kernel
def move_four_cells(
    table: Integers, rows: Integers, columns: Integers, look_ups: LookUps,
    sign: int, level: int, value: int, stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """A heat-bath move, step or reflection, made if it leads above the level; ``sign * T`` after it."""
    first, second, stream = draw_pair(rows.size, stream)
    i, k = rows[first], rows[second]
    filled = 0
    for q in columns:
        if table[i, q] + table[k, q] > 0:
            filled += 1
    if filled < 2:
        return value, stream
    first, second, stream = draw_pair(filled, stream)
    j = q = place = 0
    for column in columns:
        if table[i, column] + table[k, column] > 0:
            if place == first:
                j = column
            if place == second:
                q = column
            place += 1
    x = int(table[i, j])
    good = x + table[k, j]
    draws = x + table[i, q]
    population = draws + table[k, j] + table[k, q]
    low, high = low_end(population, good, draws), high_end(good, draws)
    if low == high:
        return value, stream
    d, stream = draw_change(x, low, high, population, good, draws, look_ups, stream)
    moved = value + sign * (2 * d * (x - table[i, q] - table[k, j] + table[k, q]) + 4 * d * d)
    if d == 0 or moved <= level:
        return value, stream
    table[i, j] += d
    table[i, q] -= d
    table[k, j] -= d
    table[k, q] += d
    return moved, stream


@kernel
def exchange(
    table: Integers, rows: Integers, columns: Integers, look_ups: LookUps,
    sign: int, level: int, value: int, stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """Two columns exchange their cells in some rows, one more row makes up for it; ``sign * T`` after it."""
    first, second, stream = draw_pair(columns.size, stream)
    j, q = columns[first], columns[second]
    most = rows.size - 1
    few, stream = draw_below(2, stream)
    exchanged, stream = draw_below(min(most, MAX_FEW_ROWS) if few == 1 else most, stream)
    exchanged += 1
    surplus = 0  # of column j, once the exchange is done, is -surplus
    for place in range(exchanged + 1):
        row, stream = draw_to_front(rows, place, rows.size, stream)
        if place < exchanged:
            surplus += table[row, j] - table[row, q]
    row = rows[exchanged]
    x, y = int(table[row, j]), int(table[row, q])
    if x + surplus < 0 or y - surplus < 0:
        return value, stream
    moved = value + sign * 2 * surplus * (x - y + surplus)
    if moved <= level:
        return value, stream
    if surplus != 0:
        gain = _log_choices(x + surplus, y - surplus, look_ups.log_factorials) - _log_choices(
            x, y, look_ups.log_factorials
        )
        u, stream = draw_uniform(stream)
        if math.log(u) > gain:
            return value, stream
    for place in range(exchanged):
        other = rows[place]
        table[other, j], table[other, q] = table[other, q], table[other, j]
    table[row, j] += surplus
    table[row, q] -= surplus
    return moved, stream


@kernel
def _log_choices(x: int, y: int, log_factorials: LogFactorials) -> float:
    """``-log(x! y!)``, up to what depends on x + y only."""
    if log_factorials.ndim == 1:
        return log_binomial(x, x + y, 0.5, 0.5) if x + y > 0 else 0.0
    return -(log_factorial(x, log_factorials) + log_factorial(y, log_factorials))


@kernel
def move(
    table: Integers, rows: Integers, columns: Integers, look_ups: LookUps,
    sign: int, level: int, value: int, stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """One move of any kind, made only if ``sign * T``, now `value`, stays above the level; its value then."""
    kind, stream = draw_below(8, stream)  # one move in four is an exchange
    if kind == 0:
        return exchange(table, rows, columns, look_ups, sign, level, value, stream)
    if kind == 1:
        return exchange(table.T, columns, rows, look_ups, sign, level, value, stream)
    if kind & 1:
        return move_four_cells(table.T, columns, rows, look_ups, sign, level, value, stream)
    return move_four_cells(table, rows, columns, look_ups, sign, level, value, stream)


@forecast_kernel(
    lambda sign, level, steps, rows, columns, look_ups, tables, *rest: 6e4 * steps * tables.shape[0]
)
def move_tables(
    sign: int, level: int, steps: int, rows: Integers, columns: Integers, look_ups: LookUps,
    tables: Integers, values: Integers, words: Words,
) -> None:  # fmt: skip
    """`steps` moves of each table, each made only if ``sign * T`` stays above the level."""
    stream = (words[0], words[1], words[2], words[3])
    for t in range(tables.shape[0]):
        table = tables[t]
        value = values[t]
        for _ in range(steps):
            value, stream = move(table, rows, columns, look_ups, sign, level, value, stream)
        values[t] = value
    words[0], words[1], words[2], words[3] = stream


@forecast_kernel(lambda survivors, out, words: 4_000.0 * (survivors + out.size))
def draw_parents(survivors: int, out: Integers, words: Words) -> None:
    """Whose copy each table becomes, in [0, survivors): all in random order, again and again."""
    stream = (words[0], words[1], words[2], words[3])
    order = np.arange(survivors)
    turn = 0
    for t in range(out.size):
        if turn == survivors:
            turn = 0
        out[t], stream = draw_to_front(order, turn, survivors, stream)
        turn += 1
    words[0], words[1], words[2], words[3] = stream
