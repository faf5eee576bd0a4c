"""Draws from narrow hypergeometric laws, one by one and side by side, and the ratios that all draws compare.

Of the four cells of the 2 x 2 table, that of the smaller row and the smaller column can be 0: a law in which
its mean is small is drawn by inversion from 0. In lanes that is done with near values, and what they do not
make clear is left to `draw_narrow`.

The ratio is ``log2 f(x) / f(mode)``: exactly, by the log-factorials of the cells ``x, good - x, draws - x,
rest + x`` in fixed point; or nearly. Let ``e_i`` be the cells that the margins plus one, one and two have in
independence (see `kernels.draw`), and ``y_i = e_i +- s`` the four cells plus 1/2, ``s = x + 1/2 - xi``. Since
``log Gamma(y + 1/2) = y log y - y + log sqrt(2 pi) + c(y)``, ``c(y) = -1/(24 y) + 7/(2880 y**3) - ...``, and
``e_1 e_4 = e_2 e_3``, everything that is large cancels::

    log f(x) = constant - sum_i (y_i log(y_i / e_i) + c(y_i))
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Whole, Words
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.sampling.kernels import workspace as at
from chancecorr.sampling.kernels.logarithms import (
    LN_2,
    UNIT,
    Beyond,
    Log2Factorials,
    exp2,
    log1p,
    log2_factorial,
)
from chancecorr.sampling.kernels.streams import Stream, draw_word, unit_place
from chancecorr.sampling.kernels.workspace import Integers32

LEAST_CELL, LEAST_U, LARGEST_U = 2.5, -0.8, 4.0
"""Least y for which two terms of c(y) are near enough (the third is 8e-6), and range of ``u = s / e`` in
which the polynomial below is: ``abs(u / (2 + u)) <= 2/3``."""

# (artanh(q) / q - 1) / q**2 as a polynomial of q**2 up to 0.45, by interpolation at Chebyshev's points; error
# 2.6e-7, which y q**3 multiplies: below 1e-5 where f(x) / f(mode) is above 2**-60.
_A0, _A1, _A2, _A3 = 0.33333348, 0.19996773, 0.14397999, 0.09677125
_A4, _A5, _A6 = 0.1753848, -0.16404942, 0.36119918

LOG2_E = 1.4426950408889634

MIN_CLEAR_DISTANCE = 2e-4
"""Two logarithms to the base 2 that are farther apart than this are compared by near values of them."""


@kernel
def exact_log2_ratio(
    x: Whole, mode: Whole, population: Whole, good: Whole, draws: Whole, beyond: Beyond,
    factorials: Log2Factorials,
) -> float:  # fmt: skip
    """``log2 f(x) / f(mode)`` to ``2**-50``, as long as it is above ``-2**11``."""
    rest = population - good - draws
    difference = (
        log2_factorial(mode, beyond, factorials)
        + log2_factorial(good - mode, beyond, factorials)
        + log2_factorial(draws - mode, beyond, factorials)
        + log2_factorial(rest + mode, beyond, factorials)
        - log2_factorial(x, beyond, factorials)
        - log2_factorial(good - x, beyond, factorials)
        - log2_factorial(draws - x, beyond, factorials)
        - log2_factorial(rest + x, beyond, factorials)
    )
    return np.float64(np.int64(difference)) * UNIT


@inlined_kernel
def surprise(e: float, one_over_e: float, s: float) -> float:
    """``y log(y / e) + c(y)`` for ``y = e + s``, nearly; for y from `LEAST_CELL` on."""
    u = s * one_over_e
    y = e + s
    both = 1.0 / ((2.0 + u) * y)
    q = u * (both * y)
    w = q * q
    series = _A0 + w * (_A1 + w * (_A2 + w * (_A3 + w * (_A4 + w * (_A5 + w * _A6)))))
    one_over_y = (2.0 + u) * both
    return 2.0 * y * q * (1.0 + w * series) - one_over_y * (
        1.0 / 24.0 - one_over_y * one_over_y * (7.0 / 2880.0)
    )


@inlined_kernel
def surprise_at_mode(one_over_e: float, s: float) -> float:
    """`surprise` less s, for ``abs(s) <= 1/2`` and y from `LEAST_CELL` on, by a few terms of its series."""
    u = s * one_over_e
    one_over_y = one_over_e * (1.0 - u * (1.0 - u * (1.0 - u * (1.0 - u))))
    return s * u * (0.5 - u * (1.0 / 6.0 - u * (1.0 / 12.0 - u * (1.0 / 20.0)))) - one_over_y * (
        1.0 / 24.0 - one_over_y * one_over_y * (7.0 / 2880.0)
    )


@inlined_kernel
def near_log2_ratio(
    steps: float, mode: float, phi: float, population: float, good: float, draws: float
) -> tuple[float, bool]:
    """``log2 f(mode + steps) / f(mode)`` to 5e-5, and whether it is that near; ``phi = xi - mode``."""
    g, d, size = good + 1.0, draws + 1.0, population + 2.0
    e1 = mode + phi
    e2 = g - e1
    e3 = d - e1
    e4 = size - g - d + e1
    r1, r2, r3, r4 = 1.0 / e1, 1.0 / e2, 1.0 / e3, 1.0 / e4
    at_mode = 0.5 - phi
    s = steps + at_mode
    total = (
        surprise_at_mode(r1, at_mode)
        + surprise_at_mode(r2, -at_mode)
        + surprise_at_mode(r3, -at_mode)
        + surprise_at_mode(r4, at_mode)
        - (surprise(e1, r1, s) + surprise(e2, r2, -s) + surprise(e3, r3, -s) + surprise(e4, r4, s))
    )
    below, above = min(s, at_mode), max(s, at_mode)
    least = min(min(e1, e4) + below, min(e2, e3) - above)
    shrinks = min(min(s * r1, s * r4), min(-s * r2, -s * r3))
    grows = max(max(s * r1, s * r4), max(-s * r2, -s * r3))
    near = (least >= LEAST_CELL) & (shrinks >= LEAST_U) & (grows <= LARGEST_U)
    return LOG2_E * total, near


MAX_NARROW_MEAN = 12  # of the smallest cell, up to which sums from 0 take less time than proposals
MAX_ERROR_OF_SUMS = 1e-5  # largest distance of approximate sums of probabilities from the exact ones
LEAST_REST = 32.0  # objects in the largest cell from which on Stirling's series with one term is near
MOST_STEPS = 64  # of an inversion

_12 = np.uint64(12)


@kernel
def is_narrow(population: Whole, good: Whole, draws: Whole) -> bool:
    """Whether the smallest cell has a mean of at most `NARROW`; so it is where there is one value only."""
    return bool(min(good, population - good) * min(draws, population - draws) <= MAX_NARROW_MEAN * population)


@kernel
def chance_of_none(
    population: Whole, a: Whole, b: Whole, beyond: Beyond, factorials: Log2Factorials
) -> float:
    """``C(population - a, b) / C(population, b)``: that a objects and b others have none in common.

    Beyond the table by Stirling's series, of which three terms of the size of the small mean are left.
    """
    if beyond is None or population < factorials.size:
        difference = (
            factorials[np.uint64(population - a)]
            + factorials[np.uint64(population - b)]
            - factorials[np.uint64(population)]
            - factorials[np.uint64(population - a - b)]
        )
        return exp2(np.float64(np.int64(difference)) * UNIT)
    n, x, y = np.float64(population), np.float64(a), np.float64(b)
    rest = n - x - y
    total = (rest + 0.5) * log1p(x * y / (n * rest)) + y * log1p(-x / n) + x * log1p(-y / n)
    total += (1.0 / (n - x) - 1.0 / n + 1.0 / (n - y) - 1.0 / rest) / 12.0
    return exp2(total * LOG2_E)


@kernel
def draw_narrow(
    population: Whole, good: Whole, draws: Whole, beyond: Beyond, factorials: Log2Factorials,
    word: np.uint64, stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """One draw. Should the probabilities sum to a little less than 1, the next word decides."""
    fewer_good, fewer_draws = 2 * good > population, 2 * draws > population
    a = population - good if fewer_good else good
    b = population - draws if fewer_draws else draws
    x = 0
    if a > 0 and b > 0:
        first = chance_of_none(population, a, b, beyond, factorials)
        most = min(a, b)
        while True:
            u = unit_place(word) - first
            p = first
            x = 0
            while u > 0.0 and x < most:
                p *= (np.float64(a - x) * np.float64(b - x)) / (
                    np.float64(x + 1) * np.float64(population - a - b + x + 1)
                )
                x += 1
                u -= p
            if u <= 0.0:
                break
            word, stream = draw_word(stream)
    if fewer_good and fewer_draws:
        return good + draws - population + x, stream
    if fewer_good:
        return draws - x, stream
    return (good - x if fewer_draws else x), stream


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
        clear = (abs(left) > MAX_ERROR_OF_SUMS) & (
            by_table | (floats[at.REST + b] >= LEAST_REST) | (none == 1.0)
        )
        state = np.int32(at.ACCEPTED) if clear else np.int32(at.UNCLEAR)
        counts[at.STATE + b] = state if narrow else counts[at.STATE + b]
    for step in range(MOST_STEPS):
        going = 0
        for b in range(n):
            going += int(floats[at.LEFT_OF_PLACE + b] > 0.0)
        if going * 32 <= n:  # so few lanes are left to the scalar draw
            break
        k = np.float64(step)
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
                np.int32(at.UNCLEAR) if (left > 0.0) & (abs(rest) < MAX_ERROR_OF_SUMS) else state
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
