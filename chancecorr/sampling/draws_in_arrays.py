"""Many tables drawn side by side by NumPy, for runs that are over before the kernels would be compiled.

A step is one cell of all tables, as in `kernels.side_by_side`: each table has its own stream, an attempt
takes two words, and what float64 decides clearly is decided here. The few others are left to the scalar draw,
so that the tables are the same, bit for bit. Of up to `LOG2_TABLE_LIMIT` objects, without clusters that are
dealt.
"""

from typing import Any

import numpy as np

from chancecorr.machine.arrays import Integers, Words
from chancecorr.machine.kernel import as_python
from chancecorr.sampling.kernels.draw import BINS, HEIGHT, LEFT, RECORD, STRIPS, WIDTH, draw_from
from chancecorr.sampling.kernels.logarithms import UNIT
from chancecorr.sampling.kernels.narrow import MAX_NARROW_MEAN, MIN_CLEAR_DISTANCE, MOST_STEPS
from chancecorr.sampling.kernels.side_by_side import CLEAR_OF_INTEGERS
from chancecorr.sampling.kernels.streams import open_stream, step
from chancecorr.sampling.kernels.workspace import ACCEPTED, REFUSED, UNCLEAR, Order, Workspace

NANOSECONDS_OF_A_DRAW = 2_000.0  # of one cell of one table, among thousands

TABLES_AT_A_TIME = 4_096  # whose numbers stay in the processor's caches

CLEAR_OF_SUMS = 1e-12
"""Distance of a sum of probabilities beyond which its rounding, some 1e-15, decides nothing."""

_12 = np.uint64(12)
_FIRST_BIN = np.int64(1024 << 2)


def draw_in_arrays(
    order: Order, work: Workspace, seed: np.uint64, first: int, lay_out: bool, out: Integers, sums: Integers
) -> None:
    """Tables ``first, first + 1, ...`` to `out`, or T to `sums`."""
    m = max(out.shape[0], sums.size)
    with np.errstate(all="ignore"):
        for start in range(0, m, TABLES_AT_A_TIME):
            part = slice(start, min(start + TABLES_AT_A_TIME, m))
            numbers: Any = np.arange(first + part.start, first + part.stop)
            words = np.array(as_python(open_stream)(seed, numbers))
            _draw_some(order, work, words, part, lay_out, out, sums)


def _draw_some(
    order: Order, work: Workspace, words: Words, part: slice, lay_out: bool, out: Integers, sums: Integers
) -> None:
    """Tables of some streams, of shape (4, m), into a part of the tables wanted, or of the sums."""
    m, K, Q = words.shape[1], order.rows.size, order.columns.size
    columns = np.repeat(order.columns[:, np.newaxis], m, axis=1)
    below = order.n
    for k in range(K):
        cells = columns
        if k < K - 1:
            population, draws = np.full(m, below), np.full(m, order.rows[k])
            below, cells = below - int(order.rows[k]), np.empty_like(columns)
            for q in range(Q - 1):
                cells[q] = _draw_cell(work, words, population, columns[q], draws)
                population -= columns[q]
                draws -= cells[q]
            cells[Q - 1] = draws
            columns -= cells
        if lay_out:
            out[part, order.row_offsets[k] + order.column_offsets] = cells.T
        else:
            sums[part] += (cells * cells).sum(axis=0)


def _draw_cell(
    work: Workspace, words: Words, population: Integers, good: Integers, draws: Integers
) -> Integers:
    """A hypergeometric number of each law, by the words of its stream."""
    values, left = np.empty_like(good), np.arange(good.size)
    next_word: Any = as_python(step)
    draw_one: Any = as_python(draw_from)
    while left.size:
        law = population[left], good[left], draws[left]
        word, *words[:, left] = next_word(*words[:, left])
        second, *words[:, left] = next_word(*words[:, left])
        a, b = (np.minimum(side, law[0] - side) for side in law[1:])
        x, state = np.empty_like(left), np.empty_like(left)
        is_narrow = a * b <= MAX_NARROW_MEAN * law[0]
        for some, attempt in ((is_narrow, _invert), (~is_narrow, _propose)):
            if some.any():
                laws = (side[some] for side in law)
                x[some], state[some] = attempt(work, word[some], second[some], *laws)
        for k in np.flatnonzero(state == UNCLEAR).tolist():
            stream, law_of_one = tuple(words[:, left[k]]), (side[k] for side in law)
            x[k], words[:, left[k]] = draw_one(
                word[k], second[k], *law_of_one, None, work.hat, work.factorials, stream
            )
        done = state != REFUSED
        values[left[done]] = x[done]
        left = left[~done]
    return values


def _propose(
    work: Workspace, word: Words, second: Words, population: Integers, good: Integers, draws: Integers
) -> tuple[Integers, Integers]:
    """Proposals below the hat, and whether they are accepted."""
    g, d, size = good + 1.0, draws + 1.0, population + 2.0
    inverse = 1.0 / size
    xi = g * d * inverse
    square = xi * (size - g) * (size - d) * inverse * inverse
    mode = xi.astype(np.int64)
    tau = np.sqrt(square.astype(np.float32)).astype(np.float64)
    number = np.clip((square.view(np.uint64) >> np.uint64(50)).astype(np.int64) - _FIRST_BIN, 0, BINS - 1)
    strip = (word & np.uint64(STRIPS - 1)).astype(np.int64)
    record = RECORD * (number * STRIPS + strip)
    sign = np.where(word & np.uint64(STRIPS), -1.0, 1.0)
    place = (word >> _12).astype(np.float64) + 0.5
    left, width = work.hat[record + LEFT], work.hat[record + WIDTH]
    position = (xi - mode) + tau * (sign * left + width * (sign * place))
    whole = np.floor(position)
    x = mode + np.clip(whole, -(2.0**31), 2.0**31).astype(np.int64)
    inside = np.clip(x, np.maximum(0, draws + good - population), np.minimum(good, draws))
    rest, table = population - good - draws, work.factorials
    difference = table[mode] + table[good - mode] + table[draws - mode] + table[rest + mode]
    difference -= table[inside] + table[good - inside] + table[draws - inside] + table[rest + inside]
    height = work.hat[record + HEIGHT] * (((second >> _12).astype(np.float64) + 0.5) * 2.0**-52)
    gap = difference.view(np.int64) * UNIT - np.log2(height)
    state = np.where(np.abs(gap) < MIN_CLEAR_DISTANCE, UNCLEAR, np.where(gap > 0.0, ACCEPTED, REFUSED))
    state[x != inside] = REFUSED
    state[(np.abs((position - whole) - 0.5) >= CLEAR_OF_INTEGERS) | (strip == STRIPS - 1)] = UNCLEAR
    return x, state


def _invert(
    work: Workspace, word: Words, _: Any, population: Integers, good: Integers, draws: Integers
) -> tuple[Integers, Integers]:
    """Draws from narrow laws by inversion from 0, and whether they are clear."""
    table = work.factorials
    a, b = (np.minimum(side, population - side) for side in (good, draws))
    rest = population - a - b
    difference = table[population - a] + table[population - b] - table[population] - table[rest]
    p = np.exp2(difference.view(np.int64) * UNIT)
    left = ((word >> _12).astype(np.float64) + 0.5) * 2.0**-52 - p
    x, state = np.zeros_like(a), np.where(np.abs(left) < CLEAR_OF_SUMS, UNCLEAR, ACCEPTED)
    for k in range(MOST_STEPS):
        going = left > 0.0
        if not going.any():
            break
        p = p * ((a - k) * 1.0 * (b - k)) / ((k + 1.0) * (rest + k + 1.0))
        x += going
        left = np.where(going, left - p, left)
        state[going & (np.abs(left) < CLEAR_OF_SUMS)] = UNCLEAR
    state[left > 0.0] = UNCLEAR
    fewer_good, fewer_draws = 2 * good > population, 2 * draws > population
    of_both = good + draws - population + x
    return np.where(
        fewer_good, np.where(fewer_draws, of_both, draws - x), np.where(fewer_draws, good - x, x)
    ), state
