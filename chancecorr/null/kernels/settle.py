"""After an attempt for many tables: which lanes are done, are drawn one by one, or try again.

The result is that of the scalar draw in every case, bit for bit: a lane has its own stream, and neither the
number of lanes nor the width of the vectors shows.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.null.kernels import lanes as at
from chancecorr.null.kernels.draw import draw_from
from chancecorr.null.kernels.lanes import Integers32, keep_stream, stream_of
from chancecorr.null.kernels.log2_factorials import Beyond, Log2Factorials
from chancecorr.null.kernels.streams import Stream, next_word

FEWEST_IN_LANES = 3
"""Fewer draws than these are made one after the other: a round of a vector costs as much as four."""

_U = np.uint64


@inlined_kernel
def draw_lane(
    word: np.uint64, second: np.uint64, counts: Integers32, b: np.uint64, beyond: Beyond, hat: Floats,
    factorials: Log2Factorials, stream: Stream, to: np.uint64, lane_counts: Integers32, lane_words: Words,
) -> None:  # fmt: skip
    """Draw the law of place b one by one, for a lane."""
    population, good = np.int64(counts[_U(at.POPULATION) + b]), np.int64(counts[_U(at.GOOD) + b])
    draws = np.int64(counts[_U(at.DRAWS) + b])
    x, stream = draw_from(word, second, population, good, draws, beyond, hat, factorials, stream)
    lane_counts[_U(at.VALUE) + to] = x
    keep_stream(lane_words, to, stream)


@kernel
def settle(
    attempts: int, count: Whole, counts: Integers32, words: Words, lane_counts: Integers32,
    lane_words: Words, retry_counts: Integers32, retry_words: Words, retry_lanes: Integers,
    pending: Integers, beyond: Beyond, hat: Floats, factorials: Log2Factorials,
) -> Whole:  # fmt: skip
    """After an attempt: accepted draws are written back to their lane, unclear ones are drawn one by one.

    In the first attempt place b is lane b, later it is lane ``retry_lanes[b]``. The refused ones are put side
    by side into the arrays of the next attempt; return how many they are. A few are drawn one by one, too.
    """
    is_first = attempts == 0
    if is_first:  # most lanes are accepted and need nothing: the others are listed without a branch
        listed = _U(0)
        for lane in range(count):
            pending[listed] = lane
            listed += _U(counts[at.STATE + lane] != at.ACCEPTED)
        count = np.int64(listed)
    refused = _U(0)
    for i in range(count):
        b = _U(pending[i]) if is_first else _U(i)
        to = b if is_first else _U(retry_lanes[b])
        state = counts[_U(at.STATE) + b]
        if state == at.ACCEPTED:
            if not is_first:
                lane_counts[_U(at.VALUE) + to] = counts[_U(at.VALUE) + b]
                keep_stream(lane_words, to, stream_of(words, b))
        elif state == at.UNCLEAR:
            draw_lane(
                words[_U(at.WORD) + b], words[_U(at.SECOND) + b], counts, b, beyond, hat, factorials,
                stream_of(words, b), to, lane_counts, lane_words,
            )  # fmt: skip
        else:
            retry_counts[_U(at.POPULATION) + refused] = counts[_U(at.POPULATION) + b]
            retry_counts[_U(at.GOOD) + refused] = counts[_U(at.GOOD) + b]
            retry_counts[_U(at.DRAWS) + refused] = counts[_U(at.DRAWS) + b]
            keep_stream(retry_words, refused, stream_of(words, b))
            retry_lanes[refused] = np.int64(to)
            refused += _U(1)
    if refused >= FEWEST_IN_LANES:
        return np.int64(refused)
    for i in range(refused):
        b = _U(i)
        word, stream = next_word(stream_of(retry_words, b))
        second, stream = next_word(stream)
        to = _U(retry_lanes[b])
        draw_lane(word, second, retry_counts, b, beyond, hat, factorials, stream, to, lane_counts, lane_words)
    return np.int64(0)
