"""The draw of `kernels.draw` for many tables side by side, and what follows an attempt at it.

Look-ups stand in loops of their own: together with stores they would keep a loop from being vectorised. What
a loop cannot decide, about one lane in 200, is left to the scalar draw. A lane has its own stream: the result
is that of the scalar draw, bit for bit, whatever the number of lanes and the width of the vectors.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.sampling.kernels import workspace as at
from chancecorr.sampling.kernels.draw import BINS, HEIGHT, LEFT, RECORD, STRIPS, WIDTH, draw_from
from chancecorr.sampling.kernels.logarithms import UNIT, Beyond, Log2Factorials
from chancecorr.sampling.kernels.narrow import MAX_NARROW_MEAN, MIN_CLEAR_DISTANCE, invert, near_log2_ratio
from chancecorr.sampling.kernels.streams import Stream, draw_word, keep_stream, step, stream_of
from chancecorr.sampling.kernels.workspace import Integers32, LaneArrays

CLEAR_OF_INTEGERS = 0.5 - 2.0**-30
"""A proposal nearer to a whole number than ``2**-30`` is rounded down exactly, by the scalar draw."""

FARTHEST = 2.0**30
"""Steps from the mode that fit into 32 bits. Those of a tail, made without its logarithm, are set aside."""

# log2(1 + m) = m + m (1 - m) (C0 + C1 m + C2 m**2 + C3 m**3), error 2e-5 for m in [0, 1]
_C0, _C1, _C2, _C3 = 0.441835872119, -0.266536280313, 0.147018770468, -0.044243741326

_U = np.uint64
_STRIP = _U(STRIPS - 1)
_SIGN = _U(STRIPS)
_12, _50 = _U(12), _U(50)
_FIRST_BIN = np.int64(1024 << 2)
_MANTISSA = np.int64((1 << 52) - 1)
_BITS_OF_ONE = np.int64(1023 << 52)


@inlined_kernel
def propose(
    n: Whole, by_table: bool, beyond: Beyond, lanes: LaneArrays, hat: Floats, factorials: Log2Factorials
) -> None:
    """Proposals below the hat, and their verdicts; `invert` overwrites those of narrow laws."""
    floats, counts, words, _, height_bits = lanes
    for b in range(n):
        record = _U(np.uint32(counts[at.RECORDS + b])) * _U(RECORD)
        floats[at.EDGE + b] = hat[record + _U(LEFT)]
        floats[at.STEP + b] = hat[record + _U(WIDTH)]
        floats[at.HEIGHTS + b] = hat[record + _U(HEIGHT)]
    for b in range(n):
        place = floats[at.PLACE + b]
        left = floats[at.EDGE + b]
        position = floats[at.PHI + b] + floats[at.TAU + b] * (
            (left if place >= 0.0 else -left) + floats[at.STEP + b] * place
        )
        whole = np.floor(position)
        x = counts[at.MODE + b] + np.int32(min(max(whole, -FARTHEST), FARTHEST))
        good, draws = counts[at.GOOD + b], counts[at.DRAWS + b]
        low = max(np.int32(good + draws - counts[at.POPULATION + b]), np.int32(0))
        high = min(good, draws)
        inside = min(max(x, low), high)
        unclear = abs((position - whole) - 0.5) >= CLEAR_OF_INTEGERS
        unclear |= (counts[at.RECORDS + b] & np.int32(STRIPS - 1)) == np.int32(STRIPS - 1)
        state = np.int32(at.UNCLEAR) if unclear else np.int32(x == inside)
        counts[at.INSIDE + b] = inside
        counts[at.VALUE + b] = x
        counts[at.STATE + b] = state
    if beyond is not None and not by_table:  # a lane with too small a cell, or too far out, is made unclear
        for b in range(n):
            mode = counts[at.MODE + b]
            floats[at.RATIO + b], near = near_log2_ratio(
                np.float64(counts[at.INSIDE + b] - mode), np.float64(mode), floats[at.PHI + b],
                np.float64(counts[at.POPULATION + b]), np.float64(counts[at.GOOD + b]),
                np.float64(counts[at.DRAWS + b]),
            )  # fmt: skip
            state = counts[at.STATE + b]
            counts[at.STATE + b] = np.int32(at.UNCLEAR) if (state == at.ACCEPTED) & (not near) else state
    else:  # log2 f(x) / f(mode) in fixed point, by eight look-ups
        for b in range(n):
            good, draws = counts[at.GOOD + b], counts[at.DRAWS + b]
            mode, x = counts[at.MODE + b], counts[at.INSIDE + b]
            rest = counts[at.POPULATION + b] - good - draws
            difference = (
                factorials[np.uint32(mode)]
                + factorials[np.uint32(good - mode)]
                + factorials[np.uint32(draws - mode)]
                + factorials[np.uint32(rest + mode)]
                - factorials[np.uint32(x)]
                - factorials[np.uint32(good - x)]
                - factorials[np.uint32(draws - x)]
                - factorials[np.uint32(rest + x)]
            )
            floats[at.RATIO + b] = np.float64(np.int64(difference)) * UNIT
    for b in range(n):
        floats[at.HEIGHTS + b] *= (np.float64(np.int64(words[at.SECOND + b] >> _12)) + 0.5) * 2.0**-52
    for b in range(n):
        bits = height_bits[b]
        m = np.float64(bits & _MANTISSA) * 2.0**-52
        log2_height = np.float64(bits - _BITS_OF_ONE) * UNIT + m * (1.0 - m) * (
            _C0 + m * (_C1 + m * (_C2 + m * _C3))
        )
        gap = floats[at.RATIO + b] - log2_height
        verdict = np.int32(at.UNCLEAR) if abs(gap) < MIN_CLEAR_DISTANCE else np.int32(gap > 0.0)
        state = counts[at.STATE + b]
        counts[at.STATE + b] = verdict if state == at.ACCEPTED else state


@kernel
def attempt(
    n: Whole, by_table: bool, beyond: Beyond, lanes: LaneArrays, hat: Floats, factorials: Log2Factorials
) -> None:
    """One attempt for each of the first n lanes, a multiple of `VECTOR`: into `VALUE` and `STATE`.

    One kernel, though it is long: to hand over all these arrays takes as long as a vector's attempt.
    """
    floats, counts, words, square_bits, _ = lanes
    for b in range(n):
        g = np.float64(counts[at.GOOD + b]) + 1.0
        d = np.float64(counts[at.DRAWS + b]) + 1.0
        size = np.float64(counts[at.POPULATION + b]) + 2.0
        inverse = 1.0 / size
        xi = g * d * inverse
        square = xi * (size - g) * (size - d) * inverse * inverse
        mode = np.int32(xi)
        counts[at.MODE + b] = mode
        floats[at.PHI + b] = xi - np.float64(mode)
        floats[at.SQUARE + b] = square
        floats[at.TAU + b] = np.float64(np.sqrt(np.float32(square)))
        population, good, draws = counts[at.POPULATION + b], counts[at.GOOD + b], counts[at.DRAWS + b]
        least = np.float64(min(good, population - good)) * np.float64(min(draws, population - draws))
        counts[at.NARROW_LAW + b] = np.int32(least <= MAX_NARROW_MEAN * np.float64(population))
    for b in range(n):
        s0, s1, s2, s3 = stream_of(words, b)
        words[at.WORD + b], s0, s1, s2, s3 = step(s0, s1, s2, s3)
        words[at.SECOND + b], s0, s1, s2, s3 = step(s0, s1, s2, s3)
        keep_stream(words, b, (s0, s1, s2, s3))
    for b in range(n):  # the bin is the exponent of tau**2 and two bits of its mantissa
        word = words[at.WORD + b]
        number = np.int64(square_bits[b] >> _50) - _FIRST_BIN
        number = min(max(number, np.int64(0)), np.int64(BINS - 1))
        counts[at.RECORDS + b] = np.int32(number) * np.int32(STRIPS) + np.int32(word & _STRIP)
        place = np.float64(np.int64(word >> _12)) + 0.5
        floats[at.PLACE + b] = place if (word & _SIGN) == _U(0) else -place
    narrow = 0
    for b in range(n):
        narrow += int(counts[at.NARROW_LAW + b])
    if narrow < n:
        propose(n, by_table, beyond, lanes, hat, factorials)
    if narrow > 0:
        invert(n, by_table, beyond, floats, counts, words, factorials)


FEWEST_IN_LANES = 3
"""Fewer draws than these are made one after the other: a round of a vector costs as much as four."""


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
    is_first: bool, count: Whole, tried: LaneArrays, lanes: LaneArrays, retry: LaneArrays,
    retry_lanes: Integers, pending: Integers, beyond: Beyond, hat: Floats, factorials: Log2Factorials,
) -> Whole:  # fmt: skip
    """After an attempt: accepted draws are written back to their lane, unclear ones are drawn one by one.

    In the first attempt place b is lane b, later it is lane ``retry_lanes[b]``. The refused ones are put side
    by side into the arrays of the next attempt; return how many they are. A few are drawn one by one, too.
    """
    counts, words, retry_counts, retry_words = tried.counts, tried.words, retry.counts, retry.words
    lane_counts, lane_words = lanes.counts, lanes.words
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
        word, stream = draw_word(stream_of(retry_words, b))
        second, stream = draw_word(stream)
        to = _U(retry_lanes[b])
        draw_lane(word, second, retry_counts, b, beyond, hat, factorials, stream, to, lane_counts, lane_words)
    return np.int64(0)
