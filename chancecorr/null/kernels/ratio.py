"""``log2 f(x) / f(mode)`` of a hypergeometric law: exactly, and nearly.

With the numbers of objects as cells of a 2 x 2 table, ``x, good - x, draws - x, rest + x``, f(x) is one over
the product of their factorials. Exactly: by the log-factorials in fixed point. Nearly: let ``e_i`` be the
cells that the margins plus one, one and two have in independence (see `hat`), and ``y_i = e_i +- s`` the four
cells plus 1/2, ``s = x + 1/2 - xi``. Since ``log Gamma(y + 1/2) = y log y - y + log sqrt(2 pi) + c(y)``,
``c(y) = -1/(24 y) + 7/(2880 y**3) - ...``, and since ``e_1 e_4 = e_2 e_3``, everything that is large
cancels::

    log f(x) = constant - sum_i (y_i log(y_i / e_i) + c(y_i))
"""

import numpy as np

from chancecorr.machine.arrays import Whole
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.null.kernels.log2_factorials import UNIT, Beyond, Log2Factorials, log2_factorial

LEAST_CELL = 2.5
"""Least y for which two terms of c(y) are near enough: the third is ``31 / (40320 y**5)``, 8e-6."""

LEAST_U, LARGEST_U = -0.8, 4.0
"""Range of ``u = s / e`` in which the polynomial below is near enough: ``abs(u / (2 + u)) <= 2/3``."""

# (artanh(q) / q - 1) / q**2 as a polynomial of q**2 up to 0.45, by interpolation at Chebyshev's points; error
# 2.6e-7, which y q**3 multiplies: below 1e-5 where f(x) / f(mode) is above 2**-60.
_A0, _A1, _A2, _A3 = 0.33333348, 0.19996773, 0.14397999, 0.09677125
_A4, _A5, _A6 = 0.1753848, -0.16404942, 0.36119918

LOG2_E = 1.4426950408889634

CLEAR = 2e-4
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
