"""After an attempt for many tables: who is done, who is drawn one by one, who tries again.

The result is that of the scalar draw in every case, bit for bit: a lane has its own stream, and neither the
number of lanes nor the width of the vectors shows.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.draw import draw_from
from chancecorr.null.kernels.lanes import (
    ACCEPTED,
    DRAWS,
    GOOD,
    POPULATION,
    SECOND,
    STATE,
    STATE_0,
    STATE_1,
    STATE_2,
    STATE_3,
    UNCLEAR,
    VALUE,
    WORD,
    Integers32,
)
from chancecorr.null.kernels.log2_factorials import Beyond, Log2Factorials
from chancecorr.null.kernels.streams import next_word

FEWEST_IN_LANES = 3
"""Fewer draws than these are made one after the other: a round of a vector costs as much as four."""

_U = np.uint64


@kernel
def settle(
    attempts: int, count: Whole, counts: Integers32, words: Words, home_counts: Integers32, home_words: Words,
    rest_counts: Integers32, rest_words: Words, origin: Integers, looked_at: Integers, beyond: Beyond,
    hat: Floats, factorials: Log2Factorials,
) -> Whole:  # fmt: skip
    """After an attempt: what is accepted goes home, what is unclear is drawn one by one.

    Before any other `attempts` lane b is at home, later it came from lane ``origin[b]``. The refused ones are
    put side by side into the arrays of the rest; return how many they are. A few are drawn one by one, too.
    """
    at_home = attempts == 0
    if at_home:  # most lanes are accepted and need nothing: the others are listed without a branch
        listed = _U(0)
        for lane in range(count):
            looked_at[listed] = lane
            listed += _U(counts[STATE + lane] != ACCEPTED)
        count = np.int64(listed)
    refused = _U(0)
    for i in range(count):
        b = _U(looked_at[i]) if at_home else _U(i)
        to = b if at_home else _U(origin[b])
        state = counts[_U(STATE) + b]
        if state == ACCEPTED:
            if not at_home:
                home_counts[_U(VALUE) + to] = counts[_U(VALUE) + b]
                home_words[_U(STATE_0) + to] = words[_U(STATE_0) + b]
                home_words[_U(STATE_1) + to] = words[_U(STATE_1) + b]
                home_words[_U(STATE_2) + to] = words[_U(STATE_2) + b]
                home_words[_U(STATE_3) + to] = words[_U(STATE_3) + b]
        elif state == UNCLEAR:
            stream = (
                words[_U(STATE_0) + b],
                words[_U(STATE_1) + b],
                words[_U(STATE_2) + b],
                words[_U(STATE_3) + b],
            )
            x, stream = draw_from(
                words[_U(WORD) + b],
                words[_U(SECOND) + b],
                np.int64(counts[_U(POPULATION) + b]),
                np.int64(counts[_U(GOOD) + b]),
                np.int64(counts[_U(DRAWS) + b]),
                beyond,
                hat,
                factorials,
                stream,
            )
            home_counts[_U(VALUE) + to] = x
            home_words[_U(STATE_0) + to] = stream[0]
            home_words[_U(STATE_1) + to] = stream[1]
            home_words[_U(STATE_2) + to] = stream[2]
            home_words[_U(STATE_3) + to] = stream[3]
        else:
            rest_counts[_U(POPULATION) + refused] = counts[_U(POPULATION) + b]
            rest_counts[_U(GOOD) + refused] = counts[_U(GOOD) + b]
            rest_counts[_U(DRAWS) + refused] = counts[_U(DRAWS) + b]
            rest_words[_U(STATE_0) + refused] = words[_U(STATE_0) + b]
            rest_words[_U(STATE_1) + refused] = words[_U(STATE_1) + b]
            rest_words[_U(STATE_2) + refused] = words[_U(STATE_2) + b]
            rest_words[_U(STATE_3) + refused] = words[_U(STATE_3) + b]
            origin[refused] = np.int64(to)
            refused += _U(1)
    if refused >= FEWEST_IN_LANES:
        return np.int64(refused)
    for i in range(refused):
        b = _U(i)
        to = _U(origin[b])
        stream = (
            rest_words[_U(STATE_0) + b], rest_words[_U(STATE_1) + b],
            rest_words[_U(STATE_2) + b], rest_words[_U(STATE_3) + b],
        )  # fmt: skip
        word, stream = next_word(stream)
        second, stream = next_word(stream)
        x, stream = draw_from(
            word, second, np.int64(rest_counts[_U(POPULATION) + b]), np.int64(rest_counts[_U(GOOD) + b]),
            np.int64(rest_counts[_U(DRAWS) + b]), beyond, hat, factorials, stream,
        )  # fmt: skip
        home_counts[_U(VALUE) + to] = x
        home_words[_U(STATE_0) + to], home_words[_U(STATE_1) + to] = stream[0], stream[1]
        home_words[_U(STATE_2) + to], home_words[_U(STATE_3) + to] = stream[2], stream[3]
    return np.int64(0)
