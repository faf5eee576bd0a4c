"""Many tables drawn side by side by NumPy, for runs that are over before the kernels would be compiled.

The stages are those of `kernels.tables`, with one stream a table, for up to `LOG2_TABLE_LIMIT` objects. What
float64 decides clearly is decided here, and the rest left to the scalar draw, so that the bits are the same.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, Words
from chancecorr.machine.kernel import as_python
from chancecorr.sampling.kernels import draw
from chancecorr.sampling.kernels import workspace as at
from chancecorr.sampling.kernels.draw import draw_from, universal_hat
from chancecorr.sampling.kernels.logarithms import UNIT, Log2Factorials, log2_factorials
from chancecorr.sampling.kernels.side_by_side import CLEAR_OF_INTEGERS
from chancecorr.sampling.kernels.streams import FOUR_DICE_LIMIT, open_stream, step, throw_pair
from chancecorr.sampling.kernels.workspace import Order, Workspace

# Of one table, among thousands: of a cell that is drawn, and of an object of a small cluster.
NANOSECONDS_OF_A_DRAW, NANOSECONDS_OF_A_DEAL = 800.0, 40.0

MOST_TABLES, MOST_NUMBERS = 4_096, 1 << 21  # tables at a time, and their cells or labels, in the caches
CLEAR_OF_SUMS = 1e-12  # distance of a sum of probabilities beyond which its rounding decides nothing
_12, _32, _LOW_32 = np.uint64(12), np.uint64(32), np.uint64(0xFFFFFFFF)
_FIRST_BIN = np.int64(1024 << 2)


class LookUps(NamedTuple):
    """What cells are drawn with."""

    hat: Floats
    factorials: Log2Factorials


def draw_in_arrays(
    order: Order, work: Workspace, seed: np.uint64, first: int, lay_out: bool, out: Integers, sums: Integers
) -> None:
    """Tables ``first, first + 1, ...`` to `out`, or T to `sums`."""
    m, K, Q = max(out.shape[0], sums.size), order.rows.size, order.columns.size
    places = (order.row_offsets[:, np.newaxis] + order.column_offsets).ravel()
    look_ups = LookUps(work.hat, work.factorials)
    at_a_time = _count_at_a_time(K * Q, order.n if at.count_dealt_objects(order) else 0)
    for start in range(0, m, at_a_time):
        part = slice(start, min(start + at_a_time, m))
        numbers = np.arange(first + part.start, first + part.stop)
        sides = (np.repeat(side[:, np.newaxis], numbers.size, axis=1) for side in (order.rows, order.columns))
        tables = _draw_some((order.small_rows, order.small_columns), seed, numbers, look_ups, *sides)
        if lay_out:
            out[part, places] = tables.reshape(K * Q, -1).T
        else:
            sums[part] = (tables * tables).sum(axis=(0, 1))


def draw_each_in_arrays(
    n: int, rows: Integers, columns: Integers, orders: Sequence[Integers], seed: np.uint64, numbers: Integers,
    out: Integers,
) -> None:  # fmt: skip
    """Tables of these numbers to `out`, of m margins (m, K) and (m, Q) of n objects.

    The totals are ascending, and `orders`, of the same shapes, are the lines of the table where they stand.
    """
    (K, Q), (of_rows, of_columns) = (rows.shape[1], columns.shape[1]), orders
    look_ups = LookUps(universal_hat(n), log2_factorials(n))
    transposed = columns[:, -1] > rows[:, -1]
    sides = zip(transposed.tolist(), rows.tolist(), columns.tolist(), strict=True)
    kinds = [_find_kind(turned, *((q, k) if turned else (k, q)), n) for turned, k, q in sides]
    distinct, kind_of = np.unique(np.array(kinds), axis=0, return_inverse=True)
    for kind, (turned, small_rows, small_columns, _) in enumerate(distinct.tolist()):
        alike = np.flatnonzero(kind_of.ravel() == kind)
        at_a_time = _count_at_a_time(K * Q, n if small_rows or small_columns else 0)
        for some in (alike[start : start + at_a_time] for start in range(0, alike.size, at_a_time)):
            of_work = (columns[some].T, rows[some].T) if turned else (rows[some].T, columns[some].T)
            small = small_rows, small_columns
            tables = _draw_some(small, seed, numbers[some], look_ups, *map(np.array, of_work))
            tables = tables.swapaxes(0, 1) if turned else tables
            places = of_rows[some].T[:, np.newaxis] * Q + of_columns[some].T
            out[some, places] = tables


def _find_kind(turned: bool, rows: list[int], columns: list[int], n: int) -> tuple[bool, int, int, bool]:
    """What is alike in tables that are drawn together: sides, numbers of small clusters, dice of a word."""
    small_rows, small_columns = at.choose_small(rows, columns, n)
    return turned, small_rows, small_columns, n - sum(rows[:small_rows]) <= FOUR_DICE_LIMIT


def _count_at_a_time(cells: int, labels: int) -> int:
    """Tables of so many cells and labels that are drawn at a time."""
    return max(8, min(MOST_TABLES, MOST_NUMBERS // max(cells, labels)))


def _draw_some(
    small: tuple[int, int], seed: np.uint64, numbers: Integers, look_ups: LookUps, rows: Integers,
    columns: Integers,
) -> Integers:  # fmt: skip
    """Tables of these numbers, shape (K, Q, m) in the order of work; `rows` and `columns` are overwritten."""
    (K, m), Q, (first_row, first_column) = rows.shape, columns.shape[0], small
    tables = np.zeros((K, Q, m), dtype=np.int64)
    with np.errstate(all="ignore"):
        words = np.array(as_python(open_stream)(seed, numbers))  # type: ignore[arg-type]  # of arrays
        if first_row or first_column:
            _deal_small(small, rows, columns, words, tables)
        below = rows[first_row:].sum(axis=0)
        for k in range(first_row, K - 1):
            cells, population, draws = tables[k], below.copy(), rows[k]
            below -= draws
            for q in range(first_column, Q - 1):
                cells[q] = _draw_cell(look_ups, words, population, columns[q], draws)
                population -= columns[q]
                draws -= cells[q]
            cells[Q - 1] = draws
            columns[first_column:] -= cells[first_column:]
    tables[K - 1, first_column:] = columns[first_column:]
    return tables


def _deal_small(
    small: tuple[int, int], rows: Integers, columns: Integers, words: Words, tables: Integers
) -> None:
    """The objects of the small clusters of all tables; `rows` and `columns` are left with the others."""
    first_row, first_column = small
    n, in_rows, in_columns = (
        rows.sum(axis=0),
        rows[:first_row].sum(axis=0),
        columns[:first_column].sum(axis=0),
    )
    for row, column, lanes in _deal(n, in_rows, rows[:first_row], columns, words):
        tables[row, column, lanes] += 1
    columns -= tables[:first_row].sum(axis=0)
    # objects of small columns may be in small rows: fewer are dealt than dice are thrown
    for column, row, lanes in _deal(n - in_rows, in_columns, columns[:first_column], rows[first_row:], words):
        tables[first_row + row, column, lanes] += 1
        rows[first_row + row, lanes] -= 1


def _deal(
    bound: Integers, thrown: Integers, totals: Integers, of_deck: Integers, words: Words
) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Clusters of the i-th objects, by these totals, the labels that they take of a deck, and the tables."""
    if not thrown.any():
        return
    lanes, dealt, stored = np.arange(bound.size), totals.sum(axis=0), of_deck[:-1].sum(axis=0)
    labels = _list_labels(of_deck, int(stored.max(initial=0)) + 1)
    clusters = _list_labels(totals, int(dealt.max(initial=0)))
    for i, place in enumerate(_throw(words, bound, thrown)):
        used = lanes[i < dealt]
        if used.size:
            spot, last = np.minimum(place[used].astype(np.int64), stored[used]), bound[used] - (i + 1)
            taken = labels[spot, used]
            labels[spot, used] = labels[np.minimum(last, stored[used]), used]
            yield clusters[i, used], taken, used


def _list_labels(totals: Integers, size: int) -> Integers:
    """Cluster of each object of all tables, shape (size, m); the last cluster takes all that is left."""
    counts = totals.copy()
    if not counts.size or not size:
        return np.zeros((size, totals.shape[1]), dtype=np.int64)
    counts[-1] = size - counts[:-1].sum(axis=0)
    labels = np.repeat(np.tile(np.arange(len(totals)), totals.shape[1]), counts.T.ravel())
    return labels.reshape(-1, size).T.copy()


def _throw(words: Words, bound: Integers, count: Integers) -> Iterator[Words]:
    """Number in ``[0, bound - i)`` of each table, for its first `count` places i, as `streams.throw` does."""
    # all bounds are up to `FOUR_DICE_LIMIT`, or all beyond it
    next_word: Any = as_python(step)
    throw_again: Any = as_python(throw_pair)
    size = 4 if bound.max(initial=0) <= FOUR_DICE_LIMIT else 2
    one = np.ones(bound.size, dtype=np.uint64)
    for place in range(0, int(count.max(initial=0)), size):
        going = place < count
        word, *others = next_word(*words)
        words[:, going] = np.array(others)[:, going]
        b = [np.maximum(bound - (place + i), 1).astype(np.uint64) for i in range(size)]
        dice: list[Words] = []
        for half, (b1, b2) in enumerate(
            ((b[0], b[1]), (b[2], b[3])) if size == 4 else ((b[0], one), (b[1], one))
        ):
            bits = word >> _32 if half else word & _LOW_32
            scaled = bits * b1
            first, scaled = scaled >> _32, (scaled & _LOW_32) * b2
            second = scaled >> _32
            for j in np.flatnonzero(going & ((scaled & _LOW_32) < b1 * b2)).tolist():
                first[j], second[j], words[:, j] = throw_again(bits[j], b1[j], b2[j], tuple(words[:, j]))
            dice += [first, second] if size == 4 else [first]
        yield from dice


def _draw_cell(
    look_ups: LookUps, words: Words, population: Integers, good: Integers, draws: Integers
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
        is_narrow = a * b <= draw.MAX_NARROW_MEAN * law[0]
        for some, attempt in ((is_narrow, _invert), (~is_narrow, _propose)):
            if some.any():
                laws = (side[some] for side in law)
                x[some], state[some] = attempt(look_ups, word[some], second[some], *laws)
        for k in np.flatnonzero(state == at.UNCLEAR).tolist():
            stream, law_of_one = tuple(words[:, left[k]]), (side[k] for side in law)
            x[k], words[:, left[k]] = draw_one(
                word[k], second[k], *law_of_one, None, look_ups.hat, look_ups.factorials, stream
            )
        done = state != at.REFUSED
        values[left[done]] = x[done]
        left = left[~done]
    return values


def _propose(
    look_ups: LookUps, word: Words, second: Words, population: Integers, good: Integers, draws: Integers
) -> tuple[Integers, Integers]:
    """Proposals below the hat, and whether they are accepted."""
    g, d, size = good + 1.0, draws + 1.0, population + 2.0
    inverse = 1.0 / size
    xi = g * d * inverse
    square = xi * (size - g) * (size - d) * inverse * inverse
    mode = xi.astype(np.int64)
    tau = np.sqrt(square.astype(np.float32)).astype(np.float64)
    number = np.clip(
        (square.view(np.uint64) >> np.uint64(50)).astype(np.int64) - _FIRST_BIN, 0, draw.BINS - 1
    )
    strip = (word & np.uint64(draw.STRIPS - 1)).astype(np.int64)
    record = draw.RECORD * (number * draw.STRIPS + strip)
    sign = np.where(word & np.uint64(draw.STRIPS), -1.0, 1.0)
    place = (word >> _12).astype(np.float64) + 0.5
    left, width = look_ups.hat[record + draw.LEFT], look_ups.hat[record + draw.WIDTH]
    position = (xi - mode) + tau * (sign * left + width * (sign * place))
    whole = np.floor(position)
    x = mode + np.clip(whole, -(2.0**31), 2.0**31).astype(np.int64)
    inside = np.clip(x, np.maximum(0, draws + good - population), np.minimum(good, draws))
    rest, table = population - good - draws, look_ups.factorials
    difference = table[mode] + table[good - mode] + table[draws - mode] + table[rest + mode]
    difference -= table[inside] + table[good - inside] + table[draws - inside] + table[rest + inside]
    height = look_ups.hat[record + draw.HEIGHT] * (((second >> _12).astype(np.float64) + 0.5) * 2.0**-52)
    gap = difference.view(np.int64) * UNIT - np.log2(height)
    state = np.where(
        np.abs(gap) < draw.MIN_CLEAR_DISTANCE,
        at.UNCLEAR,
        np.where(gap > 0.0, at.ACCEPTED, at.REFUSED),
    )
    state[x != inside] = at.REFUSED
    state[(np.abs((position - whole) - 0.5) >= CLEAR_OF_INTEGERS) | (strip == draw.STRIPS - 1)] = at.UNCLEAR
    return x, state


def _invert(
    look_ups: LookUps, word: Words, _: Any, population: Integers, good: Integers, draws: Integers
) -> tuple[Integers, Integers]:
    """Draws from narrow laws by inversion from 0, and whether they are clear."""
    table = look_ups.factorials
    a, b = (np.minimum(side, population - side) for side in (good, draws))
    rest = population - a - b
    difference = table[population - a] + table[population - b] - table[population] - table[rest]
    p = np.exp2(difference.view(np.int64) * UNIT)
    left = ((word >> _12).astype(np.float64) + 0.5) * 2.0**-52 - p
    x, state = np.zeros_like(a), np.where(np.abs(left) < CLEAR_OF_SUMS, at.UNCLEAR, at.ACCEPTED)
    for k in range(draw.MOST_STEPS):
        going = left > 0.0
        if not going.any():
            break
        p = p * ((a - k) * 1.0 * (b - k)) / ((k + 1.0) * (rest + k + 1.0))
        x += going
        left = np.where(going, left - p, left)
        state[going & (np.abs(left) < CLEAR_OF_SUMS)] = at.UNCLEAR
    state[left > 0.0] = at.UNCLEAR
    fewer_good, fewer_draws = 2 * good > population, 2 * draws > population
    of_both = good + draws - population + x
    return np.where(
        fewer_good, np.where(fewer_draws, of_both, draws - x), np.where(fewer_draws, good - x, x)
    ), state
