"""Hypergeometric laws for many numbers of draws at once: a convolution of two binomial laws.

A draw of d objects holds x of the `good` ones and ``d - x`` of the `rest`. With any ``odds`` above 0 ::

    p(x | d) = alpha(x) beta(d - x) / sum_x alpha(x) beta(d - x)
    alpha(x) = C(good, x) odds**x,    beta(y) = C(rest, y) odds**y

So two short vectors hold the laws for all d of a block, and ``sum_x alpha(x) v(x) beta(d - x)`` is a
convolution, which a processor does eight numbers at a time. With the odds of a draw in the middle of the
block, d to N - d, both vectors are binomial laws near their modes, which neither overflow nor vanish.
"""

import math

from chancecorr.machine.arrays import Floats
from chancecorr.machine.kernel import kernel


@kernel
def most_draws(population: int, draws: int) -> int:
    """How many numbers of draws from this one on go well with the odds of the one in their middle.

    A binomial law of this mean has the standard deviation ``sqrt(draws (population - draws) / population)``;
    four of them and 64 more keep either vector above 1e-100 of its largest entry where it is needed.
    """
    return 64 + int(4.0 * math.sqrt(float(draws) * (population - draws) / max(population, 1)))


@kernel
def fill_binomial(total: int, odds: float, first: int, out: Floats) -> None:
    """``out[t] = C(total, x) odds**x`` at ``x = first + t``, relative to that in the middle."""
    last = first + out.size - 1
    middle = min(max(first + out.size // 2, first, 0), last, total)
    out[middle - first] = 1.0
    T, x, p = float(total), float(middle), 1.0
    for t in range(middle + 1 - first, out.size):
        p *= (T - x) / (x + 1.0) * odds
        x += 1.0
        out[t] = p
    x, p = float(middle), 1.0
    for t in range(middle - 1 - first, -1, -1):
        p *= x / ((T - x + 1.0) * odds)
        x -= 1.0
        out[t] = p


@kernel
def convolve(short: Floats, long: Floats, out: Floats) -> None:
    """``out[k] = sum_t short[t] long[k + short.size - 1 - t]``, long as long as the other two, less 1.

    Four terms at a time, so that `out` is read and written a quarter as often: half the time.
    """
    m, left = out.size, short.size
    for k in range(m):
        out[k] = 0.0
    while left >= 4:
        s0, s1, s2, s3 = short[-left], short[1 - left], short[2 - left], short[3 - left]
        left -= 4
        window = long[left : left + m + 3]
        for k in range(m):
            out[k] += (s0 * window[k + 3] + s1 * window[k + 2]) + (s2 * window[k + 1] + s3 * window[k])
    while left > 0:
        s0 = short[-left]
        left -= 1
        window = long[left : left + m]
        for k in range(m):
            out[k] += s0 * window[k]


@kernel
def fill_laws(
    population: int,
    good_total: int,
    draws: int,
    good_first: int,
    rest_first: int,
    good: Floats,
    rest: Floats,
    weights: Floats,
) -> None:
    """Alpha from `good_first` on, beta from `rest_first` on, and ``sum_x alpha(x) beta(d - x)`` for each d.

    These d are `draws` and the next, as many as there are `weights`. The longer of alpha and beta has
    ``weights.size - 1`` entries more than the shorter one.
    """
    middle = draws + 0.5 * (weights.size - 1)
    odds = (middle + 0.5) / (population - middle + 0.5)
    fill_binomial(good_total, odds, good_first, good)
    fill_binomial(population - good_total, odds, rest_first, rest)
    if good.size <= rest.size:
        convolve(good, rest, weights)
    else:
        convolve(rest, good, weights)


@kernel
def weigh_values(good: Floats, rest: Floats, values: Floats, begin: int, work: Floats, out: Floats) -> None:
    """``sum_x alpha(x) values(x) beta(d - x)`` for some d in a row, `begin` of them left out before these."""
    if good.size <= rest.size:
        weighted = work[: good.size]
        for t in range(weighted.size):
            weighted[t] = good[t] * values[t]
        convolve(weighted, rest[begin : begin + out.size + good.size - 1], out)
    else:
        weighted = work[: out.size + rest.size - 1]
        for t in range(weighted.size):
            weighted[t] = good[begin + t] * values[begin + t]
        convolve(rest, weighted, out)
