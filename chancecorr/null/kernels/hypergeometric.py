"""One draw from the hypergeometric distribution, and its probabilities.

``x`` of the ``draws`` taken without replacement from ``population`` objects are among the ``good`` ones::

    p(x) = C(good, x) C(population - good, draws - x) / C(population, draws)
    p(x + 1) / p(x) = (good - x) (draws - x) / ((x + 1) (population - good - draws + x + 1))

A narrow law is inverted from its mode outwards; a wide one is drawn by ratio of uniforms (Stadlober 1990,
doi:10.1016/0377-0427(90)90349-5), in a time that does not grow with its width. Both need ``log p`` only: from
a table of log-factorials up to `TABLE_LIMIT` objects (fast), beyond it from the saddle-point form of Loader
(2000, "Fast and accurate computation of binomial probabilities"), whose error does not grow with the
population.
"""

import math

import numpy as np

from chancecorr.compiled import Floats, kernel
from chancecorr.null.kernels.streams import Stream, next_uniform

LogFactorials = Floats | None
"""``log(k!)`` for k up to n, or None: Numba compiles a kernel anew for None, with the saddle-point form."""

TABLE_LIMIT = 1_000_000
"""Largest population whose log-factorials are kept in a table (8 MB)."""

INVERSION_LIMIT = 9.0
"""Variance below which inversion beats ratio of uniforms."""

RATIO_SLOPE = 2.0 * math.sqrt(2.0 / math.e)
RATIO_OFFSET = 3.0 - 2.0 * math.sqrt(3.0 / math.e)
"""The hat of ratio of uniforms is ``RATIO_SLOPE sqrt(variance + 1/2) + RATIO_OFFSET`` wide."""

_HALF_LOG_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_SMALL_STIRLING_ERRORS = np.array(
    [0.0]
    + [
        math.log(math.factorial(k)) - ((k + 0.5) * math.log(k) - k + 0.5 * math.log(2.0 * math.pi))
        for k in range(1, 16)
    ]
)


@kernel
def fill_log_factorials(out: Floats) -> None:
    """``out[k] = log(k!)``."""
    for k in range(out.size):
        out[k] = math.lgamma(k + 1.0)


@kernel
def stirling_error(k: int) -> float:
    """``log(k!) - log(sqrt(2 pi k) (k/e)**k)``; 0 for k = 0."""
    if k < 16:
        return float(_SMALL_STIRLING_ERRORS[k])
    square = 1.0 / (float(k) * float(k))
    series = 1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0)
    return (1.0 / 12.0 - square * (1.0 / 360.0 - square * series)) / k


@kernel
def deviance(x: float, mean: float) -> float:
    """``x log(x / mean) + mean - x``, without cancellation where x is near the mean.

    There the logarithm is ``2 artanh(v)``, ``v = (x - mean) / (x + mean)``, and its power series is summed
    until a term no longer changes the sum.
    """
    difference = x - mean
    if abs(difference) >= 0.1 * (x + mean):
        return x * math.log(x / mean) - difference
    ratio = difference / (x + mean)
    square = ratio * ratio
    total = difference * ratio
    term = 2.0 * x * ratio
    divisor = 1.0
    while True:
        term *= square
        divisor += 2.0
        following = total + term / divisor
        if following == total:
            return total
        total = following


@kernel
def log_binomial(x: int, trials: int, p: float, q: float) -> float:
    """``log(C(trials, x) p**x q**(trials - x))`` with ``q = 1 - p``, by Loader's saddle-point form."""
    if x == 0:
        return trials * (math.log1p(-p) if p < 0.5 else math.log(q))
    if x == trials:
        return trials * (math.log1p(-q) if q < 0.5 else math.log(p))
    rest = trials - x
    return (
        stirling_error(trials)
        - stirling_error(x)
        - stirling_error(rest)
        - deviance(float(x), trials * p)
        - deviance(float(rest), trials * q)
        + 0.5 * math.log(trials / (float(x) * float(rest)))
        - _HALF_LOG_TWO_PI
    )


@kernel
def log_weight(x: int, population: int, good: int, draws: int, log_factorials: LogFactorials) -> float:
    """Part of ``log p(x)`` that depends on x.

    A place in an array is unsigned where it is known not to be negative: Numba then leaves out the test for
    places that count from the end.
    """
    if log_factorials is None:
        p = draws / population
        q = (population - draws) / population
        return log_binomial(x, good, p, q) + log_binomial(draws - x, population - good, p, q)
    return -float(
        log_factorials[np.uint64(x)]
        + log_factorials[np.uint64(good - x)]
        + log_factorials[np.uint64(draws - x)]
        + log_factorials[np.uint64(population - good - draws + x)]
    )


@kernel
def log_scale(population: int, good: int, draws: int, log_factorials: LogFactorials) -> float:
    """Part of ``log p(x)`` that does not depend on x."""
    if log_factorials is None:
        p = draws / population
        q = (population - draws) / population
        return -log_binomial(draws, population, p, q)
    return float(
        log_factorials[np.uint64(good)]
        + log_factorials[np.uint64(population - good)]
        + log_factorials[np.uint64(draws)]
        + log_factorials[np.uint64(population - draws)]
        - log_factorials[np.uint64(population)]
    )


@kernel
def draw_by_inversion(
    mode: int, population: int, good: int, draws: int, log_factorials: LogFactorials, stream: Stream
) -> tuple[int, Stream]:
    """Invert the cumulative law from the mode, one step up, one step down, by the ratio of probabilities.

    A uniform number less the probabilities met so far falls to 0 at the answer. The likeliest values come
    first, so that the walk is about as long as the law is wide. A step past an end of the support has a
    factor 0, which makes all further probabilities on that side 0. Should both tails be exhausted, the
    probabilities have summed to less than 1 by rounding: then a new number is drawn.
    """
    p_mode = math.exp(
        log_weight(mode, population, good, draws, log_factorials)
        + log_scale(population, good, draws, log_factorials)
    )
    negligible = 1e-18 * p_mode
    while True:
        u, stream = next_uniform(stream)
        u -= p_mode
        if u <= 0.0:
            return mode, stream
        # the factors of the ratio at the upper and the lower end of what was walked
        p_up = p_down = p_mode
        good_up = good_down = float(good - mode)
        draws_up = draws_down = float(draws - mode)
        taken_up = taken_down = float(mode)
        rest_up = rest_down = float(population - good - draws + mode)
        step = 0
        while p_up + p_down > negligible:
            step += 1
            taken_up += 1.0
            rest_up += 1.0
            p_up *= (good_up * draws_up) / (taken_up * rest_up)
            good_up -= 1.0
            draws_up -= 1.0
            u -= p_up
            if u <= 0.0:
                return mode + step, stream
            good_down += 1.0
            draws_down += 1.0
            p_down *= (taken_down * rest_down) / (good_down * draws_down)
            taken_down -= 1.0
            rest_down -= 1.0
            u -= p_down
            if u <= 0.0:
                return mode - step, stream


@kernel
def accepted(u: float, t: float) -> bool:
    """Whether ``u**2 <= exp(t)``, with ``t = log(p(x) / p(mode))``: the test of ratio of uniforms.

    Bounds of the logarithm, ``u - 1/u <= 2 log u <= u (4 - u) - 3`` for u up to 1, decide most cases.
    """
    if u * (4.0 - u) - 3.0 <= t:
        return True
    return u * (u - t) < 1.0 and 2.0 * math.log(u) <= t


@kernel
def draw_by_ratio(
    mode: int,
    mean: float,
    variance: float,
    population: int,
    good: int,
    draws: int,
    log_factorials: LogFactorials,
    stream: Stream,
) -> tuple[int, Stream]:
    """Ratio of uniforms: places under Stadlober's table mountain hat, rounded down, until one is accepted."""
    low = max(0, draws - (population - good))
    high = min(good, draws)
    centre = mean + 0.5
    width = RATIO_SLOPE * math.sqrt(variance + 0.5) + RATIO_OFFSET
    log_mode = log_weight(mode, population, good, draws, log_factorials)
    while True:
        u, stream = next_uniform(stream)
        v, stream = next_uniform(stream)
        position = centre + width * (v - 0.5) / u
        if position < low or position >= high + 1.0:
            continue
        x = int(position)
        if accepted(u, log_weight(x, population, good, draws, log_factorials) - log_mode):
            return x, stream


@kernel
def draw_hypergeometric(
    population: int, good: int, draws: int, log_factorials: LogFactorials, stream: Stream
) -> tuple[int, Stream]:
    """One hypergeometric draw; a law of a single value takes nothing from the stream."""
    low = max(0, draws - (population - good))
    high = min(good, draws)
    if low == high:
        return low, stream
    N, G, D = float(population), float(good), float(draws)
    mean = G * D / N
    variance = (G * D) * ((N - G) * (N - D)) / (N * N * (N - 1.0))
    mode = min(max(int((G + 1.0) * (D + 1.0) / (N + 2.0)), low), high)
    if variance < INVERSION_LIMIT:
        return draw_by_inversion(mode, population, good, draws, log_factorials, stream)
    return draw_by_ratio(mode, mean, variance, population, good, draws, log_factorials, stream)
