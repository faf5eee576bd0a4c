"""A population of tables that moves within a level, and is drawn anew from those that have passed it.

A move that would not stay above the level is not made. All moves keep the null law, and so, with this rule,
its restriction to the tables above the level. The stream of a population lives on from call to call as four
words in an array, which a kernel reads at its start and writes at its end.
"""

import numpy as np

from chancecorr.exact.laws.kernels.moves import LookUps, move
from chancecorr.machine.arrays import Integers, Words
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.streams import Stream, draw_to_front, open_stream


@kernel
def start_stream(seed: np.uint64, number: int, out: Words) -> None:
    """Stream of this number, its four words into `out`."""
    save_stream(open_stream(seed, number), out)


@kernel
def save_stream(stream: Stream, out: Words) -> None:
    """Four words of a stream into `out`, from where another call goes on."""
    out[0], out[1], out[2], out[3] = stream


@kernel
def move_tables(
    sign: int,
    level: int,
    steps: int,
    rows: Integers,
    columns: Integers,
    look_ups: LookUps,
    tables: Integers,
    values: Integers,
    words: Words,
) -> None:
    """`steps` moves of each table, each made only if ``sign * T`` stays above the level.

    `values` holds ``sign * T``; moves are among the given rows and columns, at least two of each, whose order
    changes.
    """
    stream = (words[0], words[1], words[2], words[3])
    for t in range(tables.shape[0]):
        table = tables[t]
        value = values[t]
        for _ in range(steps):
            value, stream = move(table, rows, columns, look_ups, sign, level, value, stream)
        values[t] = value
    save_stream(stream, words)


@kernel
def draw_parents(survivors: int, out: Integers, words: Words) -> None:
    """Whose copy each table becomes: numbers in [0, survivors).

    The survivors are gone through in random order, again and again, so that their numbers of copies differ by
    at most one. There is at least one.
    """
    stream = (words[0], words[1], words[2], words[3])
    order = np.arange(survivors)
    turn = 0
    for t in range(out.size):
        if turn == survivors:
            turn = 0
        out[t], stream = draw_to_front(order, turn, survivors, stream)
        turn += 1
    save_stream(stream, words)
