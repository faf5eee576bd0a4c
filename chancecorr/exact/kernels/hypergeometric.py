"""Probabilities of the hypergeometric distribution, for exact laws and for the moves of splitting.

``p(x) = C(good, x) C(population - good, draws - x) / C(population, draws)``, and ``p(x + 1) / p(x) = (good -
x) (draws - x) / ((x + 1) (population - good - draws + x + 1))``. Up to `TABLE_LIMIT` objects, logarithms come
from a table of log-factorials, which is fast. Beyond, they come from the saddle-point form of Loader (2000,
"Fast and accurate computation of binomial probabilities"), whose error does not grow with the population.
"""

import math

import numpy as np

from chancecorr.machine.arrays import Floats
from chancecorr.machine.kept import keep_recent
from chancecorr.machine.kernel import forecast_kernel, kernel

LogFactorials = Floats
"""``log(k!)`` for k up to n as the sum of two columns, for probabilities accurate to 1e-15; or `NO_TABLE`,
for the saddle-point form. Numba chooses the form by the number of dimensions and compiles only one; with None
it would compile both."""

NO_TABLE = np.empty(0)
TABLE_LIMIT = 1_000_000  # largest population whose log-factorials are in a table (16 MB)
_GRID = 2.0**24

_HALF_LOG_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_SMALL_STIRLING_ERRORS = np.array(
    [0.0]
    + [
        math.log(math.factorial(k)) - ((k + 0.5) * math.log(k) - k + 0.5 * math.log(2.0 * math.pi))
        for k in range(1, 16)
    ]
)


@kernel
def stirling_error(k: int) -> float:
    """Return ``log(k!) - log(sqrt(2 pi k) (k/e)**k)``; 0 for k = 0."""
    if k < 16:
        return float(_SMALL_STIRLING_ERRORS[k])
    square = 1.0 / (float(k) * float(k))
    series = 1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0)
    return (1.0 / 12.0 - square * (1.0 / 360.0 - square * series)) / k


@kernel
def deviance(x: float, mean: float) -> float:
    """Return ``x log(x / mean) + mean - x``; near the mean by the series of artanh."""
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


@forecast_kernel(lambda *_: 10_000.0)
def log_binomial(x: int, trials: int, p: float, q: float) -> float:
    """Return ``log(C(trials, x) p**x q**(trials - x))``, ``q = 1 - p``, by Loader's saddle-point form."""
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
def log_factorial(k: int, table: Floats) -> float:
    """Return ``log(k!)``; k is unsigned, so that Numba does not test for negative positions."""
    return float(table[np.uint64(k), 0] + table[np.uint64(k), 1])


@forecast_kernel(lambda *_: 20_000.0)
def log_weight(x: int, population: int, good: int, draws: int, table: LogFactorials) -> float:
    """Return the part of ``log p(x)`` that depends on x; with and without table it differs by a constant."""
    rest = population - good - draws
    if table.ndim == 1:
        p, q = draws / population, (population - draws) / population
        return log_binomial(x, good, p, q) + log_binomial(draws - x, population - good, p, q)
    taken = log_factorial(x, table) + log_factorial(good - x, table)
    return -(taken + log_factorial(draws - x, table) + log_factorial(rest + x, table))


@forecast_kernel(lambda *_: 10_000.0)
def log_scale(population: int, good: int, draws: int) -> float:
    """Return the part of ``log p(x)`` that does not depend on x, for `log_weight` without a table."""
    return -log_binomial(draws, population, draws / population, (population - draws) / population)


@keep_recent
def log_factorials(n: int) -> LogFactorials:
    """Return ``log(k!)`` for k up to n, or `NO_TABLE` if n is above `TABLE_LIMIT`."""
    if n > TABLE_LIMIT:
        return NO_TABLE
    out = np.empty((n + 1, 2))
    fill_log_factorials(out)
    return out


@forecast_kernel(lambda out: 800.0 * out.size)
def fill_log_factorials(out: Floats) -> None:
    """Write ``out[k, 0] + out[k, 1] = log(k!)``; the first is a multiple of 2**-24, so that sums are exact.

    In one float64 ``log(800!)`` has an error of 5e-13, and every probability would have the same error.
    """
    total = rest = 0.0
    for k in range(out.shape[0]):
        term = math.log(max(k, 1))
        following = total + term
        rest += term - (following - total)
        total = following
        high = math.floor(total * _GRID) / _GRID
        out[k, 0] = high
        out[k, 1] = (total - high) + rest


@kernel
def probability(x: int, population: int, good: int, draws: int, table: LogFactorials) -> float:
    """Return ``C(good, x) C(population - good, draws - x) / C(population, draws)``."""
    if low_end(population, good, draws) == min(good, draws):
        return 1.0
    if table.ndim == 1:
        return math.exp(log_weight(x, population, good, draws, table) + log_scale(population, good, draws))
    # five quotients of factorials whose numerator and denominator are of similar size
    places = (
        (population - good, population),
        (good, x),
        (draws, good - x),
        (population - draws, draws - x),
        (0, population - good - draws + x),
    )
    high = low = 0.0
    for plus, minus in places:
        p, m = np.uint64(plus), np.uint64(minus)  # unsigned: no test for negative positions
        high += table[p, 0] - table[m, 0]
        low += table[p, 1] - table[m, 1]
    return math.exp(high + low)


@kernel
def low_end(population: int, good: int, draws: int) -> int:
    """Return the smallest x of the hypergeometric law."""
    return max(0, draws - (population - good))


@kernel
def mode_of(population: int, good: int, draws: int) -> int:
    """Return the most probable x of the hypergeometric law."""
    x = int((good + 1.0) * (draws + 1.0) / (population + 2.0))
    return min(max(x, low_end(population, good, draws)), min(good, draws))
