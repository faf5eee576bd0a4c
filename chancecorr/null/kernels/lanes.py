"""The same draw for many tables side by side: an attempt for all, one more for those refused, and so on.

A lane is a table. The numbers of all lanes stand one after the other, kind by kind, in a few flat arrays
(`LaneArrays`), and each step of an attempt is a loop over lanes without a branch, which the compiler turns
into vector instructions. Look-ups stand in loops of their own: together with stores they would keep a loop
from being vectorised. What a loop cannot decide, about one lane in 200, goes to the scalar draw of `draw`,
and the result is that of the scalar draw in every case, bit for bit: a lane has its own stream, and neither
the number of lanes nor the width of the vectors shows.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import Floats, Integers, Whole, Words, kernel
from chancecorr.null.kernels.draw import draw_from
from chancecorr.null.kernels.hat import BINS, HEIGHT, LEFT, RECORD, STRIPS, WIDTH
from chancecorr.null.kernels.log2_factorials import UNIT, Log2Factorials
from chancecorr.null.kernels.ratio import CLEAR, near_log2_ratio
from chancecorr.null.kernels.streams import next_word, open_stream

Integers32 = npt.NDArray[np.int32]

LaneCounts = npt.NDArray[np.uint32]
"""Numbers of objects, up to ``2**32``, shape (clusters, lanes)."""

LANES = 256
"""Tables side by side. Fewer fill the vectors less well once most lanes are settled; more leave the cache."""

FEWEST_IN_LANES = 3
"""Fewer draws than these are made one after the other: a round of a vector costs as much as four."""

VECTOR = 16
"""Loops run over whole multiples of this many lanes, so that none has a rest to be run without vectors; what
the lanes beyond the last table hold is harmless and never looked at."""

CLEAR_OF_INTEGERS = 0.5 - 2.0**-30
"""A proposal nearer to a whole number than ``2**-30`` is rounded down exactly, by the scalar draw."""

FARTHEST = 2.0**30
"""Steps from the mode that fit into 32 bits. Those of a tail, made without its logarithm, are set aside."""

# log2(1 + m) = m + m (1 - m) (C0 + C1 m + C2 m**2 + C3 m**3), error 2e-5 for m in [0, 1]
_C0, _C1, _C2, _C3 = 0.441835872119, -0.266536280313, 0.147018770468, -0.044243741326

REFUSED, ACCEPTED, UNCLEAR = 0, 1, 2

# Where each kind of number begins in its array.
PHI, TAU, SQUARE, PLACE, EDGE, STEP, HEIGHTS, RATIO = (i * LANES for i in range(8))
DRAWS, POPULATION, GOOD, MODE, VALUE, STATE, BIN, RECORDS, INSIDE = (i * LANES for i in range(9))
STATE_0, STATE_1, STATE_2, STATE_3, WORD, SECOND = (i * LANES for i in range(6))

_U = np.uint64
_STRIP = _U(STRIPS - 1)
_SIGN = _U(STRIPS)
_12, _17, _19, _23, _41, _45, _50 = _U(12), _U(17), _U(19), _U(23), _U(41), _U(45), _U(50)
_BIN_OF_ONE = np.int64(1023 << 2)
_MANTISSA = np.int64((1 << 52) - 1)
_BITS_OF_ONE = np.int64(1023 << 52)


class LaneArrays(NamedTuple):
    """What the lanes hold: `LANES` numbers of each kind, one kind after the other.

    `square_bits` and `height_bits` are the float64 of the kinds `SQUARE` and `HEIGHTS`, read as whole
    numbers.
    """

    floats: Floats
    counts: Integers32
    words: Words
    square_bits: Words
    height_bits: Integers


def lane_arrays() -> LaneArrays:
    """Arrays for `LANES` lanes, zero."""
    floats = np.zeros(8 * LANES)
    return LaneArrays(
        floats,
        np.zeros(9 * LANES, dtype=np.int32),
        np.zeros(6 * LANES, dtype=np.uint64),
        floats[SQUARE : SQUARE + LANES].view(np.uint64),
        floats[HEIGHTS : HEIGHTS + LANES].view(np.int64),
    )


@kernel
def attempt(
    n: Whole, by_table: bool, floats: Floats, counts: Integers32, words: Words, square_bits: Words,
    height_bits: Integers, hat: Floats, factorials: Log2Factorials,
) -> None:  # fmt: skip
    """One attempt for each of the first n lanes, a multiple of `VECTOR`: into `VALUE` and `STATE`.

    One kernel, though it is long: to hand over all these arrays takes as long as a vector's attempt.
    """
    for b in range(n):
        g = np.float64(counts[GOOD + b]) + 1.0
        d = np.float64(counts[DRAWS + b]) + 1.0
        size = np.float64(counts[POPULATION + b]) + 2.0
        inverse = 1.0 / size
        xi = g * d * inverse
        square = xi * (size - g) * (size - d) * inverse * inverse
        mode = np.int32(xi)
        counts[MODE + b] = mode
        floats[PHI + b] = xi - np.float64(mode)
        floats[SQUARE + b] = square
        floats[TAU + b] = np.float64(np.sqrt(np.float32(square)))
    for b in range(n):  # xoshiro256++, twice
        s0, s1, s2, s3 = words[STATE_0 + b], words[STATE_1 + b], words[STATE_2 + b], words[STATE_3 + b]
        total = s0 + s3
        words[WORD + b] = ((total << _23) | (total >> _41)) + s0
        shifted = s1 << _17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << _45) | (s3 >> _19)
        total = s0 + s3
        words[SECOND + b] = ((total << _23) | (total >> _41)) + s0
        shifted = s1 << _17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << _45) | (s3 >> _19)
        words[STATE_0 + b], words[STATE_1 + b], words[STATE_2 + b], words[STATE_3 + b] = s0, s1, s2, s3
    for b in range(n):  # the bin is the exponent of tau**2 and two bits of its mantissa
        word = words[WORD + b]
        number = np.int64(square_bits[b] >> _50) - _BIN_OF_ONE
        number = min(max(number, np.int64(-1)), np.int64(BINS - 1))
        counts[BIN + b] = np.int32(number)
        counts[RECORDS + b] = max(np.int32(number), np.int32(0)) * np.int32(STRIPS) + np.int32(word & _STRIP)
        place = np.float64(np.int64(word >> _12)) + 0.5
        floats[PLACE + b] = place if (word & _SIGN) == _U(0) else -place
    for b in range(n):
        record = _U(np.uint32(counts[RECORDS + b])) * _U(RECORD)
        floats[EDGE + b] = hat[record + _U(LEFT)]
        floats[STEP + b] = hat[record + _U(WIDTH)]
        floats[HEIGHTS + b] = hat[record + _U(HEIGHT)]
    for b in range(n):
        place = floats[PLACE + b]
        left = floats[EDGE + b]
        position = floats[PHI + b] + floats[TAU + b] * (
            (left if place >= 0.0 else -left) + floats[STEP + b] * place
        )
        whole = np.floor(position)
        x = counts[MODE + b] + np.int32(min(max(whole, -FARTHEST), FARTHEST))
        good, draws = counts[GOOD + b], counts[DRAWS + b]
        low = max(np.int32(good + draws - counts[POPULATION + b]), np.int32(0))
        high = min(good, draws)
        inside = min(max(x, low), high)
        unclear = (abs((position - whole) - 0.5) >= CLEAR_OF_INTEGERS) | (counts[BIN + b] < 0)
        unclear |= (counts[RECORDS + b] & np.int32(STRIPS - 1)) == np.int32(STRIPS - 1)
        state = np.int32(UNCLEAR) if unclear else np.int32(x == inside)
        single = low == high
        counts[INSIDE + b] = inside
        counts[VALUE + b] = low if single else x
        counts[STATE + b] = np.int32(UNCLEAR + 1) if single else state
    if by_table:  # log2 f(x) / f(mode) in fixed point, by eight look-ups
        for b in range(n):
            good, draws, mode, x = counts[GOOD + b], counts[DRAWS + b], counts[MODE + b], counts[INSIDE + b]
            rest = counts[POPULATION + b] - good - draws
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
            floats[RATIO + b] = np.float64(np.int64(difference)) * UNIT
    else:  # nearly, without a table; a lane with too small a cell, or too far out, is made unclear
        for b in range(n):
            mode = counts[MODE + b]
            floats[RATIO + b], near = near_log2_ratio(
                np.float64(counts[INSIDE + b] - mode), np.float64(mode), floats[PHI + b],
                np.float64(counts[POPULATION + b]), np.float64(counts[GOOD + b]),
                np.float64(counts[DRAWS + b]),
            )  # fmt: skip
            state = counts[STATE + b]
            counts[STATE + b] = np.int32(UNCLEAR) if (state == ACCEPTED) & (not near) else state
    for b in range(n):
        floats[HEIGHTS + b] *= (np.float64(np.int64(words[SECOND + b] >> _12)) + 0.5) * 2.0**-52
    for b in range(n):
        bits = height_bits[b]
        m = np.float64(bits & _MANTISSA) * 2.0**-52
        log2_height = np.float64(bits - _BITS_OF_ONE) * UNIT + m * (1.0 - m) * (
            _C0 + m * (_C1 + m * (_C2 + m * _C3))
        )
        gap = floats[RATIO + b] - log2_height
        verdict = np.int32(UNCLEAR) if abs(gap) < CLEAR else np.int32(gap > 0.0)
        state = counts[STATE + b]
        state = verdict if state == ACCEPTED else state
        counts[STATE + b] = np.int32(ACCEPTED) if state > UNCLEAR else state


@kernel
def settle(
    attempts: int, count: Whole, counts: Integers32, words: Words, home_counts: Integers32, home_words: Words,
    rest_counts: Integers32, rest_words: Words, origin: Integers, looked_at: Integers, hat: Floats,
    factorials: Log2Factorials,
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
            np.int64(rest_counts[_U(DRAWS) + b]), hat, factorials, stream,
        )  # fmt: skip
        home_counts[_U(VALUE) + to] = x
        home_words[_U(STATE_0) + to], home_words[_U(STATE_1) + to] = stream[0], stream[1]
        home_words[_U(STATE_2) + to], home_words[_U(STATE_3) + to] = stream[2], stream[3]
    return np.int64(0)


@kernel
def open_lanes(seed: np.uint64, first: int, n: int, words: Words) -> None:
    """Streams of tables ``first, ..., first + n - 1`` into the lanes."""
    for b in range(n):
        stream = open_stream(seed, first + b)
        words[STATE_0 + b], words[STATE_1 + b] = stream[0], stream[1]
        words[STATE_2 + b], words[STATE_3 + b] = stream[2], stream[3]
