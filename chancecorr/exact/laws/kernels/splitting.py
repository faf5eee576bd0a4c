"""Moves of a population of tables that keep the margins and the null law, within a level or without.

A move takes two rows i, k and two columns j, q, uniformly, and changes the four cells where they cross by d,
-d, -d, d. Given all other cells, ``n_ij`` is hypergeometric: ``n_ij + n_iq`` draws from the m objects of the
four cells, ``n_ij + n_kj`` of them good. A *heat-bath move* draws it anew from that law; far out in the tail
of an index this would nearly always lead back below the level, so half of the moves are *steps*, of plus or
minus 1, 2, 4, ... up to the standard deviation of that law, accepted by its ratio of probabilities. By steps
of 1 every table can be reached (Diaconis & Sturmfels 1998, doi:10.1214/aos/1030563990).
``T = sum n_ij**2`` grows by ``2 d (n_ij - n_iq - n_kj + n_kq) + 4 d**2``.

A move that would not stay above the level is not made. Both kinds of moves keep the null law, and so, with
this rule, its restriction to the tables above the level. The stream of a population lives on from call to
call as four words in an array, which a kernel reads at its start and writes at its end.
"""

import math

import numpy as np

from chancecorr.compiled import Booleans, Integers, Words, kernel
from chancecorr.null.kernels.hypergeometric import LogFactorials, draw_hypergeometric, log_weight
from chancecorr.null.kernels.streams import Stream, next_below, next_uniform, open_stream


@kernel
def start_stream(seed: np.uint64, number: int, out: Words) -> None:
    """Stream of this number, its four words into `out`."""
    save_stream(open_stream(seed, number), out)


@kernel
def save_stream(stream: Stream, out: Words) -> None:
    """Four words of a stream into `out`, from where another call goes on."""
    out[0], out[1], out[2], out[3] = stream


@kernel
def draw_pair(size: int, stream: Stream) -> tuple[np.int64, np.int64, Stream]:
    """Two different whole numbers in [0, size), size > 1; any ordered pair is as likely as any other."""
    first, stream = next_below(size, stream)
    second, stream = next_below(size - 1, stream)
    if second >= first:
        second += np.int64(1)
    return first, second, stream


@kernel
def draw_change(
    table: Integers, i: int, k: int, j: int, q: int, log_factorials: LogFactorials, stream: Stream
) -> tuple[int, Stream]:
    """Change d of ``n_ij`` and ``n_kq``, while ``n_iq`` and ``n_kj`` change by -d; 0 where there is none.

    Half of the moves are heat-bath moves; the others propose a step and take it by Metropolis' rule. The
    possible steps depend on the variance of the law only, and this on the totals of the four cells, which a
    move keeps: so the step back is as likely to be proposed as the step was.
    """
    x = int(table[i, j])
    good = x + table[k, j]
    draws = x + table[i, q]
    population = draws + table[k, j] + table[k, q]
    low = max(0, draws - (population - good))
    high = min(good, draws)
    if low == high:
        return 0, stream
    N, G, D = float(population), float(good), float(draws)
    variance = (G * D) * ((N - G) * (N - D)) / (N * N * (N - 1.0))
    lengths = 1
    while 4.0**lengths <= variance:
        lengths += 1
    number, stream = next_below(4 * lengths, stream)
    choice = int(number)  # one of 2 * lengths steps, or else a heat-bath move
    if choice >= 2 * lengths:
        drawn, stream = draw_hypergeometric(population, good, draws, log_factorials, stream)
        return drawn - x, stream
    d = 1 << (choice >> 1)
    if choice & 1:
        d = -d
    if x + d < low or x + d > high:
        return 0, stream
    gain = log_weight(x + d, population, good, draws, log_factorials) - log_weight(
        x, population, good, draws, log_factorials
    )
    u, stream = next_uniform(stream)
    return (d if math.log(u) <= gain else 0), stream


@kernel
def change(i: int, k: int, j: int, q: int, d: int, table: Integers) -> None:
    """``n_ij`` and ``n_kq`` grow by d, ``n_iq`` and ``n_kj`` fall by d."""
    table[i, j] += d
    table[i, q] -= d
    table[k, j] -= d
    table[k, q] += d


@kernel
def change_of_pair_sum(table: Integers, i: int, k: int, j: int, q: int, d: int) -> int:
    """``2 d (n_ij - n_iq - n_kj + n_kq) + 4 d**2``, what `change` would add to T."""
    return int(2 * d * (table[i, j] - table[i, q] - table[k, j] + table[k, q]) + 4 * d * d)


@kernel
def move_by_pair_sum(
    sign: int,
    level: int,
    steps: int,
    rows: Integers,
    columns: Integers,
    log_factorials: LogFactorials,
    tables: Integers,
    values: Integers,
    words: Words,
) -> None:
    """`steps` moves of each table, each made only if ``sign * T`` stays above the level.

    `values` holds ``sign * T``; moves are among the given rows and columns, at least two of each.
    """
    stream = (words[0], words[1], words[2], words[3])
    for t in range(tables.shape[0]):
        table = tables[t]
        value = values[t]
        for _ in range(steps):
            i, k, stream = draw_pair(rows.size, stream)
            j, q, stream = draw_pair(columns.size, stream)
            i, k, j, q = rows[i], rows[k], columns[j], columns[q]
            d, stream = draw_change(table, i, k, j, q, log_factorials, stream)
            moved = value + sign * change_of_pair_sum(table, i, k, j, q, d)
            if d != 0 and moved > level:
                change(i, k, j, q, d, table)
                value = moved
        values[t] = value
    save_stream(stream, words)


@kernel
def move_all(
    rows: Integers,
    columns: Integers,
    log_factorials: LogFactorials,
    tables: Integers,
    pair_sums: Integers,
    moves: Integers,
    words: Words,
) -> None:
    """One move of each table, listed in `moves` (m, 6) as i, k, j, q, d and the change of T.

    For an index that is evaluated outside the kernels: the moves that lead below the level are undone later.
    """
    stream = (words[0], words[1], words[2], words[3])
    for t in range(tables.shape[0]):
        i, k, stream = draw_pair(rows.size, stream)
        j, q, stream = draw_pair(columns.size, stream)
        i, k, j, q = rows[i], rows[k], columns[j], columns[q]
        d, stream = draw_change(tables[t], i, k, j, q, log_factorials, stream)
        moves[t, 0], moves[t, 1], moves[t, 2], moves[t, 3], moves[t, 4] = i, k, j, q, d
        moves[t, 5] = change_of_pair_sum(tables[t], i, k, j, q, d)
        pair_sums[t] += moves[t, 5]
        change(i, k, j, q, d, tables[t])
    save_stream(stream, words)


@kernel
def undo(moves: Integers, kept: Booleans, tables: Integers, pair_sums: Integers) -> None:
    """Tables that are not kept go back by the move of `move_all`."""
    for t in range(tables.shape[0]):
        if not kept[t]:
            change(moves[t, 0], moves[t, 1], moves[t, 2], moves[t, 3], -moves[t, 4], tables[t])
            pair_sums[t] -= moves[t, 5]


@kernel
def draw_parents(survives: Booleans, out: Integers, words: Words) -> None:
    """Whom each table becomes a copy of: a survivor of itself, any other of a survivor at random.

    The survivors are gone through in random order, again and again, so that their numbers of copies differ by
    at most one. At least one table survives.
    """
    stream = (words[0], words[1], words[2], words[3])
    survivors = np.flatnonzero(survives)
    turn = survivors.size
    for t in range(survives.size):
        if survives[t]:
            out[t] = t
            continue
        if turn == survivors.size:
            turn = 0
        step, stream = next_below(survivors.size - turn, stream)
        chosen = survivors[turn + step]
        survivors[turn + step] = survivors[turn]
        survivors[turn] = chosen
        turn += 1
        out[t] = chosen
    save_stream(stream, words)
