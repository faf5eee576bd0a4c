"""The draw of `kernels.draw` for many tables side by side, and what follows an attempt at it.

Look-ups stand in loops of their own: together with stores they would keep a loop from being vectorised. What
a loop cannot decide is left to the scalar draw, whose bits the result has.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.sampling.kernels import draw
from chancecorr.sampling.kernels import workspace as at
from chancecorr.sampling.kernels.draw import draw_from, near_log2_ratio
from chancecorr.sampling.kernels.logarithms import LN_2, UNIT, Beyond, Log2Factorials
from chancecorr.sampling.kernels.streams import Stream, draw_word, keep_stream, step, stream_of
from chancecorr.sampling.kernels.workspace import Integers32, LaneArrays

CLEAR_OF_INTEGERS = 0.5 - 2.0**-30  # proposals nearer to a whole number are rounded down by the scalar draw
FARTHEST = 2.0**30  # steps from the mode that fit into 32 bits; those of a tail are set aside

# log2(1 + m) = m + m (1 - m) (C0 + C1 m + C2 m**2 + C3 m**3), error 2e-5 for m in [0, 1]
_C0, _C1, _C2, _C3 = 0.441835872119, -0.266536280313, 0.147018770468, -0.044243741326

_U = np.uint64
_STRIP = _U(draw.STRIPS - 1)
_SIGN = _U(draw.STRIPS)
_12, _50 = _U(12), _U(50)
_FIRST_BIN = np.int64(1024 << 2)
_MANTISSA = np.int64((1 << 52) - 1)
_BITS_OF_ONE = np.int64(1023 << 52)


LEAST_REST = 32.0  # objects in the largest cell from which on Stirling's series with one term is near


@inlined_kernel
def near_log1p(x: float) -> float:
    """``log(1 + x)`` for x in [-1/2, 3/4], relative error below 2e-8: the series of artanh."""
    q = x / (2.0 + x)
    w = q * q
    series = 1 / 3 + w * (1 / 5 + w * (1 / 7 + w * (1 / 9 + w * (1 / 11 + w * (1 / 13)))))
    return 2.0 * q * (1.0 + w * series)


@inlined_kernel
def near_exp(t: float) -> float:
    """``exp(t)`` for t in [-32, 0], relative error below 4e-8: the 256th power of a short series."""
    t *= 2.0**-8
    power = 1.0 + t * (1.0 + t * (1 / 2 + t * (1 / 6 + t * (1 / 24 + t * (1 / 120 + t * (1 / 720))))))
    for _ in range(8):
        power *= power
    return power


@inlined_kernel
def near_log_chance_of_none(population: float, x: float, y: float) -> float:
    """Logarithm of `chance_of_none` by its formula, error below 2e-6 if the largest cell is not too small."""
    population = max(population, 1.0)  # 0 where no object is left, and then this is not looked at
    rest = max(population - x - y, 1.0)
    inverse = 1.0 / population
    return (
        (rest + 0.5) * near_log1p(x * y * inverse / rest)
        + y * near_log1p(-x * inverse)
        + x * near_log1p(-y * inverse)
        + (1.0 / (population - x) - inverse + 1.0 / (population - y) - 1.0 / rest) * (1.0 / 12.0)
    )


@inlined_kernel
def invert(
    n: Whole, by_table: bool, beyond: Beyond, floats: Floats, counts: Integers32, words: Words,
    factorials: Log2Factorials,
) -> None:  # fmt: skip
    """Draws from the narrow laws among the first n lanes into `VALUE`, and whether they are clear."""
    for b in range(n):
        population, good, draws = counts[at.POPULATION + b], counts[at.GOOD + b], counts[at.DRAWS + b]
        floats[at.FEWER_GOOD + b] = min(good, population - good)
        floats[at.FEWER_DRAWS + b] = min(draws, population - draws)
        floats[at.REST + b] = np.float64(population) - floats[at.FEWER_GOOD + b] - floats[at.FEWER_DRAWS + b]
    if beyond is not None and not by_table:
        for b in range(n):
            floats[at.CHANCE + b] = near_log_chance_of_none(
                np.float64(counts[at.POPULATION + b]), floats[at.FEWER_GOOD + b], floats[at.FEWER_DRAWS + b]
            )
    else:
        for b in range(n):
            population, good, draws = counts[at.POPULATION + b], counts[at.GOOD + b], counts[at.DRAWS + b]
            x, y = min(good, population - good), min(draws, population - draws)
            difference = (
                factorials[np.uint32(population - x)]
                + factorials[np.uint32(population - y)]
                - factorials[np.uint32(population)]
                - factorials[np.uint32(population - x - y)]
            )
            floats[at.CHANCE + b] = np.float64(np.int64(difference)) * (UNIT * LN_2)
    for b in range(n):
        none = (
            near_exp(floats[at.CHANCE + b])
            if floats[at.FEWER_GOOD + b] * floats[at.FEWER_DRAWS + b] > 0.0
            else 1.0
        )
        left = (np.float64(np.int64(words[at.WORD + b] >> _12)) + 0.5) * 2.0**-52 - none
        narrow = counts[at.NARROW_LAW + b] != 0
        floats[at.CHANCE + b] = none
        floats[at.LEFT_OF_PLACE + b] = left if narrow else 0.0
        floats[at.FOUND + b] = 0.0
        clear = (abs(left) > draw.MAX_ERROR_OF_SUMS) & (
            by_table | (floats[at.REST + b] >= LEAST_REST) | (none == 1.0)
        )
        state = np.int32(at.ACCEPTED) if clear else np.int32(at.UNCLEAR)
        counts[at.STATE + b] = state if narrow else counts[at.STATE + b]
    for term in range(draw.MOST_STEPS):
        going = 0
        for b in range(n):
            going += int(floats[at.LEFT_OF_PLACE + b] > 0.0)
        if going * 32 <= n:  # so few lanes are left to the scalar draw
            break
        k = np.float64(term)
        for b in range(n):
            left = floats[at.LEFT_OF_PLACE + b]
            chance = floats[at.CHANCE + b] * (
                (floats[at.FEWER_GOOD + b] - k)
                * (floats[at.FEWER_DRAWS + b] - k)
                / ((k + 1.0) * (floats[at.REST + b] + k + 1.0))
            )
            rest = left - chance
            state = counts[at.STATE + b]
            counts[at.STATE + b] = (
                np.int32(at.UNCLEAR) if (left > 0.0) & (abs(rest) < draw.MAX_ERROR_OF_SUMS) else state
            )
            floats[at.CHANCE + b] = chance
            floats[at.FOUND + b] += 1.0 if left > 0.0 else 0.0
            floats[at.LEFT_OF_PLACE + b] = rest if left > 0.0 else left
    for b in range(n):
        population, good, draws = counts[at.POPULATION + b], counts[at.GOOD + b], counts[at.DRAWS + b]
        x = np.int32(floats[at.FOUND + b])
        fewer_good, fewer_draws = good > population - good, draws > population - draws
        if_fewer_good = good + draws - population + x if fewer_draws else draws - x
        value = if_fewer_good if fewer_good else (good - x if fewer_draws else x)
        state = np.int32(at.UNCLEAR) if floats[at.LEFT_OF_PLACE + b] > 0.0 else counts[at.STATE + b]
        narrow = counts[at.NARROW_LAW + b] != 0
        counts[at.STATE + b] = state if narrow else counts[at.STATE + b]
        counts[at.VALUE + b] = value if narrow else counts[at.VALUE + b]


@inlined_kernel
def propose(
    n: Whole, by_table: bool, beyond: Beyond, lanes: LaneArrays, hat: Floats, factorials: Log2Factorials
) -> None:
    """Proposals below the hat, and their verdicts; `invert` overwrites those of narrow laws."""
    floats, counts, words, _, height_bits = lanes
    for b in range(n):
        record = _U(np.uint32(counts[at.RECORDS + b])) * _U(draw.RECORD)
        floats[at.EDGE + b] = hat[record + _U(draw.LEFT)]
        floats[at.STEP + b] = hat[record + _U(draw.WIDTH)]
        floats[at.HEIGHTS + b] = hat[record + _U(draw.HEIGHT)]
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
        unclear |= (counts[at.RECORDS + b] & np.int32(draw.STRIPS - 1)) == np.int32(draw.STRIPS - 1)
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
        verdict = np.int32(at.UNCLEAR) if abs(gap) < draw.MIN_CLEAR_DISTANCE else np.int32(gap > 0.0)
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
        counts[at.NARROW_LAW + b] = np.int32(least <= draw.MAX_NARROW_MEAN * np.float64(population))
    for b in range(n):
        s0, s1, s2, s3 = stream_of(words, b)
        words[at.WORD + b], s0, s1, s2, s3 = step(s0, s1, s2, s3)
        words[at.SECOND + b], s0, s1, s2, s3 = step(s0, s1, s2, s3)
        keep_stream(words, b, (s0, s1, s2, s3))
    for b in range(n):  # the bin is the exponent of tau**2 and two bits of its mantissa
        word = words[at.WORD + b]
        number = np.int64(square_bits[b] >> _50) - _FIRST_BIN
        number = min(max(number, np.int64(0)), np.int64(draw.BINS - 1))
        counts[at.RECORDS + b] = np.int32(number) * np.int32(draw.STRIPS) + np.int32(word & _STRIP)
        place = np.float64(np.int64(word >> _12)) + 0.5
        floats[at.PLACE + b] = place if (word & _SIGN) == _U(0) else -place
    narrow = 0
    for b in range(n):
        narrow += int(counts[at.NARROW_LAW + b])
    if narrow < n:
        propose(n, by_table, beyond, lanes, hat, factorials)
    if narrow > 0:
        invert(n, by_table, beyond, floats, counts, words, factorials)


FEWEST_IN_LANES = 3  # a round of a vector costs as much as four draws made one after the other


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
