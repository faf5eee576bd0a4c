"""One hat over all hypergeometric laws: a bound that depends on a single number, cut into equal strips.

`docs/hypergeometric_hat.md` proves it. With ``N = population, G = good, D = draws`` let::

    N' = N + 2,  G' = G + 1,  D' = D + 1
    xi = G' D' / N'                        where f(x) / f(x - 1), continued to real x, is 1
    tau**2 = xi (N' - G') (N' - D') / N'**2
    M = floor(xi)                          the mode

Then ``f(x) / f(M) <= hat((x + 1/2 - xi) / tau)`` in the sense used below, with a hat that depends on tau
alone, and falls as tau grows: the strips laid for ``tau_b <= tau`` serve all laws up to the next tau_b, four
to each octave of ``tau**2``. The proposal is a real number under the hat, rounded down. The tail is
exponential.

A proposal costs the choice of a strip and one multiplication; from 0.73 (tau = 2) by 0.88 (tau = 6) to 0.99
(tau = 128) of them are accepted, where ratio of uniforms accepts 0.67 to 0.73.
"""

import functools
import math

import numpy as np

from chancecorr.machine.arrays import Floats
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.elementary import LN_2, exp2, log1p

STRIP_BITS = 8
STRIPS = 1 << STRIP_BITS
"""Strips on each side of the centre, the last of them the tail."""

LEAST_SQUARE = 2.0
OCTAVES = 29
BINS = 4 * OCTAVES + 1
"""``tau**2`` from 2 to ``2**30`` in steps of a quarter of an octave, all above in the last bin."""

RECORD = 4
LEFT, WIDTH, HEIGHT = 0, 1, 2
"""A strip begins at `LEFT`, in units of tau from the centre; a place in it is `WIDTH` times a number in
(0, ``2**52``); the tail has its rate in place of a width, and its height where it begins."""

EXTRA_HEIGHT = 1e-5
"""The hat is higher by this factor: strips and heights are rounded, and `WIDTH` times a place too."""

EXTRA_WIDTH = 1e-5
"""The hat is wider by this part of a step of x: xi and tau are rounded, tau to 24 bits."""

CLOSE = 2.0**-10
"""Relative tolerance of the bisection for the strip area; costs that share of extra rejections."""


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
    """Left edges of strips of this area each; by how much the tail's area exceeds it, as a part of it.

    Where the hat comes to an end before the strips do, the area is much too large: -1.
    """
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
def fill_strips(number: int, edges: Floats, records: Floats) -> None:
    """Records of the strips of one bin: any area will do at which the tail is not larger than the strips.

    `edges` is workspace, shape (STRIPS,).
    """
    tau = math.sqrt(LEAST_SQUARE * 2.0 ** (number // 4) * (1.0 + 0.25 * (number % 4)))
    too_small, area = 1.2 / STRIPS, 4.0 / STRIPS
    while area - too_small > CLOSE * too_small:
        middle = 0.5 * (too_small + area)
        if lay_strips(middle, tau, edges) > 0.0:
            too_small = middle
        else:
            area = middle
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
    return _strips_of_bins(min(BINS, 4 * max((n + 2) // 32, 1).bit_length()))


@functools.cache
def _strips_of_bins(bins: int) -> Floats:
    """The strips of the first bins, 0.3 ms each, and zeros for the others."""
    strips = np.zeros((BINS, STRIPS * RECORD))
    edges = np.empty(STRIPS)
    for number in range(bins):
        fill_strips(number, edges, strips[number])
    return strips.ravel()
