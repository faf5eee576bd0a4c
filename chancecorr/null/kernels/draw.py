"""One hypergeometric draw: proposals under the hat, until one is accepted.

``x`` of the ``draws`` taken without replacement from ``population`` objects are among the ``good`` ones::

    f(x) = C(good, x) C(population - good, draws - x) / C(population, draws)

Each attempt takes two words of the stream: the strip, the side and the place in it; and the height. The
proposal is exactly the floor of a real number, and the height is compared with f(x) / f(mode) to the last bit
of a float64, so that a draw's distance in total variation from its law is some 1e-15 for up to a million
objects, and below 2e-13 for any number of them (`docs/hypergeometric_hat.md`).

`lanes` makes the same draws for many tables at a time; what it cannot settle it hands over to `draw_from`.
"""

import math

import numpy as np

from chancecorr.machine.arrays import Floats, Whole
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.double_double import add, divide, multiply, two_product
from chancecorr.null.kernels.elementary import exp2, log
from chancecorr.null.kernels.hat import BINS, HEIGHT, LEFT, RECORD, STRIPS, WIDTH
from chancecorr.null.kernels.log2_factorials import TABLE_BEYOND, Beyond, Log2Factorials
from chancecorr.null.kernels.narrow import draw_narrow, is_narrow
from chancecorr.null.kernels.ratio import CLEAR, exact_log2_ratio, near_log2_ratio
from chancecorr.null.kernels.streams import Stream, next_word, unit_place

LANES_LIMIT = 1 << 31
"""Populations below it fit into 32 bits, and their xi is known to 1e-6 without special care."""

_STRIP = np.uint64(STRIPS - 1)
_SIGN = np.uint64(STRIPS)
_12 = np.uint64(12)


@kernel
def centre_and_scale(population: Whole, good: Whole, draws: Whole) -> tuple[int, float, float]:
    """Mode, ``xi - mode`` and ``tau**2`` of a law, as `hat` defines them."""
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
            if height <= exp2(ratio - CLEAR):
                return True
            if height >= exp2(ratio + CLEAR):
                return False
    return height <= exp2(exact_log2_ratio(x, mode, population, good, draws, beyond, factorials))


@kernel
def draw_from(
    word: np.uint64,
    second: np.uint64,
    population: Whole,
    good: Whole,
    draws: Whole,
    beyond: Beyond,
    hat: Floats,
    factorials: Log2Factorials,
    stream: Stream,
) -> tuple[Whole, Stream]:
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
        word, stream = next_word(stream)
        second, stream = next_word(stream)


@kernel
def draw_hypergeometric(
    population: Whole, good: Whole, draws: Whole, beyond: Beyond, hat: Floats, factorials: Log2Factorials,
    stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """One draw: two words of the stream, and two more for each proposal that is refused."""
    word, stream = next_word(stream)
    second, stream = next_word(stream)
    return draw_from(word, second, population, good, draws, beyond, hat, factorials, stream)
