"""One hypergeometric draw, and the hat under which its proposals lie.

Each attempt takes two words of the stream: the strip, the side and the place in it; and the height. Let ``N'
= population + 2, G' = good + 1, D' = draws + 1``. The mode is the floor of ``xi = G' D' / N'``, and ``f(x) /
f(mode) <= hat((x + 1/2 - xi) / tau)`` for ``tau**2 = xi (N' - G') (N' - D') / N'**2``. The hat falls as tau
grows: the strips laid for ``tau_b <= tau`` serve all laws up to the next tau_b, four to each octave of
``tau**2``. The error is some 1e-15 in total variation for up to a million objects, and below 2e-13 for any
number. See "Tables under fixed margins" in docs/explanation/derivations.md.
"""

import functools
import math

import numpy as np

from chancecorr.machine.arrays import Floats, Whole
from chancecorr.machine.kernel import forecast_kernel, inlined_kernel, kernel
from chancecorr.sampling.kernels.logarithms import (
    LN_2,
    TABLE_BEYOND,
    UNIT,
    Beyond,
    Log2Factorials,
    add,
    divide,
    exp2,
    log,
    log1p,
    log2_factorial,
    multiply,
    two_product,
)
from chancecorr.sampling.kernels.streams import Stream, draw_word, unit_place

STRIP_BITS = 8
STRIPS = 1 << STRIP_BITS  # strips on each side of the centre, the last of them the tail
LEAST_SQUARE = 2.0
OCTAVES = 29
BINS = 4 * OCTAVES + 1  # `tau**2` from 2 to `2**30` in quarters of an octave; all above are in the last
RECORD = 4
LEFT, WIDTH, HEIGHT = 0, 1, 2
"""A strip begins at `LEFT`, in units of tau from the centre; a place in it is `WIDTH` times a number in
(0, ``2**52``); the tail has its rate in place of a width, and its height where it begins."""

EXTRA_HEIGHT = 1e-5  # the hat is higher by this factor: strips, heights and places are rounded
EXTRA_WIDTH = 1e-5  # the hat is wider by this part of a step of x: xi and tau are rounded, tau to 24 bits

AREAS = (
    1062, 948, 866, 804, 754, 680, 626, 584, 550, 500, 462, 434, 412, 378, 352, 332, 316, 292, 274,
    261, 250, 233, 221, 211, 204, 192, 183, 176, 171, 163, 157, 152, 148, 142, 138, 135, 132, 128,
    125, 123, 121, 118, 116, 114, 113, 111, 109, 108, 107, 106, 105, 104, 103, 102, 101, 101, 100,
    100, 99, 99, 98, 98, 98, 97, 97, 97, 96, 96, 96, 96, 96, 95, 95, 95, 95, 95, 95, 95, 95, 95, 94,
)  # fmt: skip
"""The least area of a bin's strips at which the tail is no larger, of 4,096 steps from 1.2 to 4 over STRIPS.

All bins from the last one on have its area. Bisection finds them, in fifty times the seconds. They are up to
2**-10 too large, which costs that share of extra rejections.
"""


@kernel
def exponent_outwards(u: float) -> float:
    """``(1 + u) log(1 + u) - u``, for u >= 0."""
    if u < 1e-3:
        return u * u * (0.5 - u * (1.0 / 6.0 - u * (1.0 / 12.0 - u / 20.0)))
    return (1.0 + u) * log1p(u) - u


@kernel
def exponent_inwards(u: float) -> float:
    """``(1 - u) log(1 - u) + u``, for 0 <= u < 1."""
    if u < 1e-3:
        return u * u * (0.5 + u * (1.0 / 6.0 + u * (1.0 / 12.0 + u / 20.0)))
    return (1.0 - u) * log1p(-u) + u


@kernel
def hat(z: float, tau: float) -> float:
    """Bound of ``f(x) / f(M)`` where ``x = floor(p)``, ``p = xi + z tau``."""
    square = tau * tau
    u = max(z - (0.5 + EXTRA_WIDTH) / tau, 0.0) / tau
    exponent = square * (exponent_outwards(u) - exponent_inwards(0.5 / square))
    return (exp2(-exponent / LN_2) if exponent > 0.0 else 1.0) * (1.0 + EXTRA_HEIGHT)


@kernel
def tail_rate(z: float, tau: float) -> float:
    """Rate of an exponential that touches the hat at z and stays above it beyond: its exponent is convex."""
    return tau * log1p((z - (0.5 + EXTRA_WIDTH) / tau) / tau)


@kernel
def lay_strips(area: float, tau: float, edges: Floats) -> float:
    """Left edges of strips of this area; by how much the tail exceeds it; -1 if it is far too large."""
    edges[0] = 0.0
    for strip in range(STRIPS - 1):
        height = hat(edges[strip], tau)
        if height < 1e-30:
            return -1.0
        edges[strip + 1] = edges[strip] + area / height
    rate = tail_rate(edges[STRIPS - 1], tau)
    if rate <= 0.0:
        return 1.0
    return hat(edges[STRIPS - 1], tau) / (rate * area) - 1.0


@kernel
def find_area(number: int) -> float:
    """Area of each strip of a bin, by the halves of the interval in which it lies."""
    below = AREAS[min(number, len(AREAS) - 1)] - 1
    too_small, area = 1.2 / STRIPS, 4.0 / STRIPS
    for step in range(11, -1, -1):
        if below >> step & 1:
            too_small = 0.5 * (too_small + area)
        else:
            area = 0.5 * (too_small + area)
    return area


@forecast_kernel(lambda *_: 8e5)
def fill_strips(number: int, edges: Floats, records: Floats) -> None:
    """Records of a bin's strips; `edges` (STRIPS,) is room."""
    tau = math.sqrt(LEAST_SQUARE * 2.0 ** (number // 4) * (1.0 + 0.25 * (number % 4)))
    area = find_area(number)
    lay_strips(area, tau, edges)
    for strip in range(STRIPS - 1):
        width = edges[strip + 1] - edges[strip]
        records[RECORD * strip + LEFT] = edges[strip]
        records[RECORD * strip + WIDTH] = width * 2.0**-52
        records[RECORD * strip + HEIGHT] = area / width
    rate = tail_rate(edges[STRIPS - 1], tau)
    tail = RECORD * (STRIPS - 1)
    records[tail + LEFT] = edges[STRIPS - 1]
    records[tail + WIDTH] = rate
    records[tail + HEIGHT] = area * rate


def universal_hat(n: int) -> Floats:
    """The hat's strips, of all bins that a law of n objects can be in: ``tau**2 <= (n + 2) / 16``."""
    return _lay_strips(min(BINS, 4 * max((n + 2) // 32, 1).bit_length()))


@functools.cache
def _lay_strips(bins: int) -> Floats:
    """The strips of the first bins, and zeros for the others."""
    strips = np.zeros((BINS, STRIPS * RECORD))
    edges = np.empty(STRIPS)
    for number in range(bins):
        fill_strips(number, edges, strips[number])
    return strips.ravel()


LANES_LIMIT = 1 << 31  # populations below it fit into 32 bits, and their xi is known to 1e-6
_STRIP = np.uint64(STRIPS - 1)
_SIGN = np.uint64(STRIPS)
_12 = np.uint64(12)


@kernel
def centre_and_scale(population: Whole, good: Whole, draws: Whole) -> tuple[int, float, float]:
    """Mode, ``xi - mode`` and ``tau**2`` of a law, as the hat defines them."""
    g, d, size = good + 1.0, draws + 1.0, population + 2.0
    inverse = 1.0 / size
    xi = g * d * inverse
    square = xi * (size - g) * (size - d) * inverse * inverse
    if population < LANES_LIMIT:
        mode = int(xi)
        return mode, xi - mode, square
    product, product_low = two_product(g, d)
    high, low = divide(product, product_low, size, 0.0)
    whole = np.floor(high)
    if high == whole and low < 0.0:
        whole -= 1.0
    return int(whole), (high - whole) + low, square


@kernel
def bin_of(square: float) -> int:
    """Bin of the hat for this ``tau**2``, at least `LEAST_SQUARE`."""
    mantissa, exponent = math.frexp(square)
    return min(4 * (exponent - 2) + int(8.0 * mantissa - 4.0), BINS - 1)


@kernel
def exact_floor(phi: float, tau: float, left: float, width: float, place: float, negative: bool) -> float:
    """``floor(phi + tau z)`` with ``z = +-(left + width place)``, all of them taken as real numbers."""
    high, low = two_product(width, place)
    high, low = add(high, low, left, 0.0)
    high, low = multiply(high, low, tau, 0.0)
    if negative:
        high, low = -high, -low
    high, low = add(high, low, phi, 0.0)
    whole = math.floor(high)
    return whole - 1.0 if high == whole and low < 0.0 else whole


LEAST_CELL, LEAST_U, LARGEST_U = 2.5, -0.8, 4.0
"""Least y for which two terms of c(y) are near enough (the third is 8e-6), and range of ``u = s / e`` in
which the polynomial below is: ``abs(u / (2 + u)) <= 2/3``."""

# (artanh(q) / q - 1) / q**2 as a polynomial of q**2 up to 0.45, by interpolation at Chebyshev's points; error
# 2.6e-7, which y q**3 multiplies: below 1e-5 where f(x) / f(mode) is above 2**-60.
_A0, _A1, _A2, _A3 = 0.33333348, 0.19996773, 0.14397999, 0.09677125
_A4, _A5, _A6 = 0.1753848, -0.16404942, 0.36119918

LOG2_E = 1.4426950408889634

MIN_CLEAR_DISTANCE = 2e-4  # of logarithms to the base 2, beyond which near values compare them


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
MOST_STEPS = 64  # of an inversion


@kernel
def is_narrow(population: Whole, good: Whole, draws: Whole) -> bool:
    """Whether the smallest cell has a mean of at most `NARROW`; so it is where there is one value only."""
    return bool(min(good, population - good) * min(draws, population - draws) <= MAX_NARROW_MEAN * population)


@kernel
def chance_of_none(
    population: Whole, a: Whole, b: Whole, beyond: Beyond, factorials: Log2Factorials
) -> float:
    """``C(population - a, b) / C(population, b)``, beyond the table by what is left of Stirling's series."""
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


@kernel
def is_under(
    height: float, x: Whole, mode: Whole, phi: float, population: Whole, good: Whole, draws: Whole,
    beyond: Beyond, factorials: Log2Factorials,
) -> bool:  # fmt: skip
    """Whether ``height <= f(x) / f(mode)``; of many objects, where look-ups are slow, by the near ratio."""
    if beyond is not None and population >= TABLE_BEYOND:
        ratio, near = near_log2_ratio(
            np.float64(x - mode), np.float64(mode), phi, np.float64(population), np.float64(good),
            np.float64(draws),
        )  # fmt: skip
        if near:
            if height <= exp2(ratio - MIN_CLEAR_DISTANCE):
                return True
            if height >= exp2(ratio + MIN_CLEAR_DISTANCE):
                return False
    return height <= exp2(exact_log2_ratio(x, mode, population, good, draws, beyond, factorials))


@kernel
def draw_from(
    word: np.uint64, second: np.uint64, population: Whole, good: Whole, draws: Whole, beyond: Beyond,
    hat: Floats, factorials: Log2Factorials, stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """One draw whose first attempt has these two words."""
    if is_narrow(population, good, draws):
        return draw_narrow(population, good, draws, beyond, factorials, word, stream)
    low, high = max(0, draws + good - population), min(good, draws)
    mode, phi, square = centre_and_scale(population, good, draws)
    number = bin_of(square)
    tau = np.float64(np.sqrt(np.float32(square)))
    while True:
        strip = word & _STRIP
        record = np.uint64(RECORD) * (np.uint64(number * STRIPS) + strip)
        left, width = hat[record + np.uint64(LEFT)], hat[record + np.uint64(WIDTH)]
        height = hat[record + np.uint64(HEIGHT)] * unit_place(second)
        negative = (word & _SIGN) != np.uint64(0)
        if strip == _STRIP:
            u = unit_place(word)
            height *= u
            step = exact_floor(phi, tau, left - log(u) / width, 0.0, 0.0, negative)
        else:
            step = exact_floor(phi, tau, left, width, np.float64(np.int64(word >> _12)) + 0.5, negative)
        x = mode + int(step)
        if low <= x <= high and is_under(height, x, mode, phi, population, good, draws, beyond, factorials):
            return x, stream
        word, stream = draw_word(stream)
        second, stream = draw_word(stream)


@kernel
def draw_hypergeometric(
    population: Whole, good: Whole, draws: Whole, beyond: Beyond, hat: Floats, factorials: Log2Factorials,
    stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """One draw: two words of the stream, and two more for each proposal that is refused."""
    word, stream = draw_word(stream)
    second, stream = draw_word(stream)
    return draw_from(word, second, population, good, draws, beyond, hat, factorials, stream)
