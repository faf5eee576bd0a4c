"""Tails of T and of an index without a law: proven bounds, and an approximation by Pearson's curves.

A p-value meets this file where no law is listed and no drawn table reaches the observed value: bounds by
exchanges (Azuma 1967, McDiarmid 1989), by central moments (Cantelli 1928), by binomial moments, by the
information of a table (Stirling; purity by Fano 1961), and the curves of Pearson (1895), type IV as in
Heinrich (2004). See "Bounds of tails" and "Pearson's curves" in docs/explanation/derivations.md.
"""

import functools
import math
from fractions import Fraction
from typing import Literal

import numpy as np

from chancecorr.exact.closed_laws import CUMULANTS, compute_binomial_moments
from chancecorr.machine.arrays import Floats
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import PairSumMoments, compute_central_moments, compute_pair_sum_mean


def bound_log_tail_by_exchanges(distance: float, n: int, change: float, n_tables: int = 0) -> float:
    """Log of a bound of ``P(X - E X >= distance)``, the mean exact or of so many tables; at most 0."""
    if not distance > 0.0 or n < 2:
        return 0.0
    if not change > 0.0:
        return -math.inf
    a = distance / (change * math.sqrt((n - 1) / 2.0))
    if not n_tables:
        return -a * a
    least = a * math.sqrt(n_tables) / (1.0 + math.sqrt(n_tables))
    return min(0.0, math.log(2.0) - least * least)


@functools.lru_cache(maxsize=32)
def bound_log_tail(margins: Margins, pair_sum: int, side: str) -> float:
    """Log of a bound of P(T >= pair_sum), or of P(T <= pair_sum) if the side is "less"; at most 0."""
    upper = side == "greater"
    t = (pair_sum - compute_pair_sum_mean(margins)) * (1 if upper else -1)
    bounds = [Fraction(1)]
    if t > 0:
        central = [Fraction(1), *compute_central_moments(margins, CUMULANTS)]
        bounds += [central[2] / (central[2] + t * t)]
        bounds += [central[r] / t**r for r in range(2, CUMULANTS + 1, 2)]
    if upper:
        k, moments = (pair_sum - margins.n) // 2, compute_binomial_moments(margins)
        bounds += [moments[r] / math.comb(k, r) for r in range(1, min(k, CUMULANTS) + 1)]
    least = min(bounds)
    return math.log(least.numerator) - math.log(least.denominator) if least else -math.inf


def bound_log_tail_of_information(margins: Margins, information: float) -> float:
    """Log of a bound of ``P(I >= information)``, in nats; at most 0."""
    rows, columns = (np.sort(totals[totals > 0]) for totals in (margins.row_totals, margins.column_totals))
    n = margins.n
    if n < 1:
        return 0.0
    # ways to cut all totals of a side but the largest into as many parts as the other side has
    ways = min(
        sum(log_compositions(total, others.size) for total in totals[:-1].tolist())
        for totals, others in ((rows, columns), (columns, rows))
    )
    corrections = -0.5 * math.log(2.0 * math.pi * n)
    for totals in (rows, columns):
        corrections += float((0.5 * np.log(2.0 * math.pi * totals) + 1.0 / (12.0 * totals)).sum())
    return min(0.0, ways + corrections - n * information)


def bound_log_tail_of_share(margins: Margins, share: float, side: int) -> float:
    """Log of a bound of P(largest cells of the columns, `side` 0, or rows, 1, hold this share or more)."""
    totals = (margins.row_totals, margins.column_totals)[side]
    p, wrong = totals[totals > 0] / margins.n, 1.0 - share
    if not 0.0 < share <= 1.0 or p.size < 2 or wrong >= 1.0 - 1.0 / p.size:
        return 0.0
    left = wrong * math.log(p.size - 1) if wrong > 0.0 else 0.0
    left -= sum(x * math.log(x) for x in (wrong, share) if x > 0.0)
    return bound_log_tail_of_information(margins, max(0.0, -float((p * np.log(p)).sum()) - left))


def log_compositions(total: int, parts: int) -> float:
    """Log of the number of ways to write a total as an ordered sum of so many parts."""
    return math.lgamma(total + parts) - math.lgamma(parts) - math.lgamma(total + 1)


MAX_DISTANCE_FROM_LIMIT = Fraction(1, 10**9)
"""Distance of ``1 / r`` from 0, or of kappa from 1, below which the limiting curve is taken, III or V."""


def compute_pearson_p_value(
    moments: PairSumMoments, T: int, side: Literal["greater", "less"] = "greater"
) -> float:
    """Probability of a T as large as this, "greater", or as small, "less", by the Pearson curve for T.

    0 where the curve ends short of T or underflows. Upper tails are off by 2 to 3 % at 1e-3, 10 % at 1e-4, a
    quarter at 1e-6 and a factor of 2 at 1e-8, lower ones by 1 to 7 % at 0.01, once by 37 %.
    """
    upper = side == "greater"
    boundary = int(T) - 1 if upper else int(T) + 1  # half a step: T is even exactly when n is
    if moments.variance == 0:
        return float(moments.mean >= boundary if upper else moments.mean <= boundary)
    z = float((boundary - moments.mean) / Fraction(moments.std))
    if moments.third < 0:
        z, upper = -z, not upper
    b1 = moments.third**2 / moments.variance**3
    b2 = moments.fourth / moments.variance**2
    if b2 < b1 + 1:
        raise ValueError(
            "`moments` must be those of a law, whose kurtosis is at least 1 + skewness**2;"
            f" got kurtosis {float(b2):.6g} and skewness {moments.skewness:.6g}."
        )
    return standard_tail(b1, b2, z, upper)


def standard_tail(b1: Fraction, b2: Fraction, z: float, upper: bool) -> float:
    """Tail beyond z of the curve of mean 0, variance 1, skewness ``sqrt(b1)``, kurtosis b2, to 1e-12."""
    from scipy.special import gammainc, gammaincc, ndtr

    excess = b2 - b1 - 1
    if excess == 0:
        # the upper value has probability p, with ``sqrt(b1) = (1 - 2 p) / sqrt(p (1 - p))``
        b = float(b1)
        p = 2.0 / (4.0 + b + math.sqrt(b * (4.0 + b)))
        low, high = -math.sqrt(p / (1.0 - p)), math.sqrt((1.0 - p) / p)
        if upper:
            return 1.0 if z <= low else p if z <= high else 0.0
        return 1.0 if z >= high else 1.0 - p if z >= low else 0.0
    D = 6 + 3 * b1 - 2 * b2
    if abs(D) <= MAX_DISTANCE_FROM_LIMIT * 6 * excess:
        if b1 < Fraction(1, 10**15):  # the shape is above 4e15
            return float(ndtr(-z if upper else z))
        shape = float(4 / b1)
        x = max(0.0, shape + math.sqrt(shape) * z)
        return float(gammaincc(shape, x) if upper else gammainc(shape, x))
    r = 6 * excess / D
    kappa = b1 * (b2 + 3) ** 2 / (4 * (3 * b1 - 4 * b2) * D)
    if D < 0 and abs(kappa - 1) <= MAX_DISTANCE_FROM_LIMIT:  # ``1 / x`` has a gamma law
        shape = float(1 - r)
        x = (1.0 + z / math.sqrt(shape - 2.0)) / (shape - 1.0)
        if x <= 0.0:
            return float(upper)
        return float(gammainc(shape, 1.0 / x) if upper else gammaincc(shape, 1.0 / x))
    if D > 0 or kappa > 1:
        return _tail_of_beta(r, kappa, z, upper)
    return _tail_of_type_four(r, b1, z, upper)


def _tail_of_beta(r: Fraction, kappa: Fraction, z: float, upper: bool) -> float:
    """Type I, of shapes ``r/2 (1 -+ h)``, or VI, of ``-r/2 (h - 1)`` and ``1 - r``."""
    from scipy.special import betainc, betaincc

    h = math.sqrt(kappa / (kappa - 1))
    first = float(r / 2 / (1 - kappa)) / (1.0 + h)  # without cancellation as h nears 1
    if r > 0:
        second, both = float(r / 2) * (1.0 + h), float(r)
        x = first / both + math.sqrt(first * second / (both + 1.0)) / both * z
        x = min(max(x, 0.0), 1.0)
        return float(betaincc(first, second, x) if upper else betainc(first, second, x))
    second = float(1 - r)  # ``x / (1 + x)`` has a beta law
    mean = first / (second - 1.0)
    x = mean + math.sqrt(mean * (mean + 1.0) / (second - 2.0)) * z
    if x <= 0.0:
        return float(upper)
    y = 1.0 / (1.0 + x)
    return float(betainc(second, first, y) if upper else betaincc(second, first, y))


def _tail_of_type_four(r: Fraction, b1: Fraction, z: float, upper: bool) -> float:
    """Type IV: log-concave in ``phi``, which falls from pi to 0 as x grows; Gauss-Legendre in log form."""
    power = -r
    q = 16 * (power - 1) - b1 * (power - 2) ** 2
    scale = math.sqrt(q) / 4.0
    location = -float(power - 2) * math.sqrt(b1) / 4.0
    exponent, nu = float(power), float(power * (power - 2)) * math.sqrt(b1 / q)
    boundary = math.atan2(scale, z - location)
    right = _integrate_log(0.0, boundary, exponent, nu)
    left = _integrate_log(boundary, math.pi, exponent, nu)
    wanted, other = (right, left) if upper else (left, right)
    return math.exp(wanted - float(np.logaddexp(wanted, other)))


def _integrate_log(low: float, high: float, exponent: float, nu: float) -> float:
    """``log`` of the integral of ``sin(phi)**exponent * exp(-nu phi)`` from low to high, within [0, pi]."""

    def log_density(phi: Floats) -> Floats:
        return exponent * np.log(np.sin(phi)) - nu * phi

    peak = min(max(math.atan2(exponent, nu), low), high)
    top = float(log_density(np.array(peak)))
    nodes, weights = np.polynomial.legendre.leggauss(100)  # an error below 1e-13
    total = 0.0
    for end in (low, high):
        near, far = 0.0, 1.0  # shares of the way from the peak to the end
        for _ in range(60):
            middle = (near + far) / 2.0
            # down to exp(-45), 3e-20, of the largest density
            if top - float(log_density(np.array(peak + middle * (end - peak)))) < 45.0:
                near = middle
            else:
                far = middle
        width = abs(far * (end - peak))
        phi = peak + far * (end - peak) * (nodes + 1.0) / 2.0
        total += width / 2.0 * float(weights @ np.exp(log_density(phi) - top))
    return top + math.log(total)
