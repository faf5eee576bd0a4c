"""Null distribution of a, the pairs together in both clusterings, if clusters are many and small.

This is entity resolution, deduplication, or any two clusterings into thousands of small clusters. With the
margins fixed, T = n + 2 a. a is a sum of rare, weakly dependent indicators, one for each pair of the
reference, with ::

    G(z) = E z**a = exp(sum_r c_r (z - 1)**r),     c_r = (r-th factorial cumulant of a) / r!

The c_r follow in fractions from the exact moments of T. Cut after c_R, G is the exponential of a polynomial
``sum_j d_j z**j``, and ``k p_k = sum_j j d_j p_(k-j)``: a signed compound Poisson law, as in Kornya (1983),
Transactions of the Society of Actuaries 35, 823-858.

Error. On a circle ``abs(z) = s`` let ``delta(z) = sum_(r > R) c_r (z - 1)**r``. By Cauchy's formula, with s >
1 for an upper and s < 1 for a lower tail ::

    abs(error of P(a >= k)) <= mean of  abs(G_R(z)) (exp(abs(delta)) - 1) s**(1 - k) / abs(z - 1)

and with ``s**-k`` for P(a <= k); the smallest of some s is taken, and s = 1 bounds the error of every tail.
delta is estimated by a geometric series that goes on from the last term with the largest ratio of the last
terms. If that ratio is 1 or more, the cut generating function must be negligible; else the error is infinite,
and the law not used.
"""

import functools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from chancecorr.exact.laws.closed import PairSumLaw
from chancecorr.exact.laws.ties import EPSILON
from chancecorr.machine.arrays import Floats
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import raw_moments

CUMULANTS = 12
"""Number of factorial cumulants: about 5 ms."""

SUM_ROUNDING = 1e-12
"""Relative error of a sum of probabilities."""

ANGLES = np.pi * (np.arange(256) + 0.5) / 256
"""Places on a half circle; the other half has the complex conjugates."""

RADII_TRIED = 24
"""Radii that are tried for a tail."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SparseLaw:
    """Null distribution of the number of pairs together in both clusterings, from its factorial cumulants."""

    n: int  # number of objects; ``T = n + 2 a``
    c: Floats  # shape (CUMULANTS,): factorial cumulants of a over r!, r = 1, 2, ...
    growth: float  # estimated ratio of those that are cut off
    probabilities: Floats  # shape (k,): of a = 0, 1, ...
    rounding: Floats  # shape (k,): bounds of their errors from rounding
    error: float  # estimated bound of the error of every tail probability

    @property
    def law(self) -> PairSumLaw:
        """The law of T; its lost mass is the error of a tail probability."""
        T = self.n + 2 * np.arange(self.probabilities.size, dtype=np.int64)
        return PairSumLaw(
            values=T, probabilities=self.probabilities, lost_mass=self.error, method="cumulants"
        )

    def tail(self, pair_sum: int, side: str) -> tuple[float, float]:
        """P(T >= pair_sum) if the side is "greater", else P(T <= pair_sum), and its relative error.

        The error is inf beyond the probabilities that are listed.
        """
        k = (pair_sum - self.n) // 2
        reached = slice(k, None) if side == "greater" else slice(0, k + 1)
        p = math.fsum(self.probabilities[reached])
        if not (0 <= k < self.probabilities.size and p > 0.0):
            return p, math.inf
        beyond = self.probabilities[-1] if side == "greater" else 0.0  # falls at least by half from there on
        cut_off = min(self.error, _error_of_tail(self.c, self.growth, k, side))
        return p, float(cut_off + math.fsum(self.rounding[reached]) + beyond) / p + SUM_ROUNDING


@functools.lru_cache(maxsize=16)
def sparse_law(margins: Margins) -> SparseLaw | None:
    """Law of a from its factorial cumulants; None if the mean is above 600 or the error above 1e-5."""
    n, (A, B) = margins.n, margins.squares
    mean = (A - n) * (B - n) / (2 * n * (n - 1)) if n > 1 else 0.0
    if not 0.0 < mean <= 600.0:  # exp(-600) is still a float of full precision
        return None
    c = np.array([float(x) for x in factorial_cumulants(binomial_moments(margins))[1:]])
    sizes = np.abs(c[-5:])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = sizes[1:] / sizes[:-1]
    growth = float(ratios[np.isfinite(ratios)].max(initial=0.0))  # of the last four, but those over 0
    error = _error_of_circle(c, growth, 1.0)
    if not error <= 1e-5:  # of a tail probability; simulating 17,000 tables leaves 4e-3
        return None
    p, rounding = _probabilities(c)
    error = max(error, SUM_ROUNDING)
    return SparseLaw(n=margins.n, c=c, growth=growth, probabilities=p, rounding=rounding, error=error)


def binomial_moments(margins: Margins, order: int = CUMULANTS) -> list[Fraction]:
    """``E C(a, r)``, r = 0, ..., order: factorial moments over r!, from the moments of ``T - n = 2 a``."""
    powers = [Fraction(1), *(x / 2**m for m, x in enumerate(raw_moments(margins, order), start=1))]
    found, stirling = [Fraction(1)], [1]  # of the first kind, signed: x (x - 1) ... in powers of x
    for r in range(1, order + 1):
        stirling = [shifted - (r - 1) * x for shifted, x in zip([0, *stirling], [*stirling, 0], strict=True)]
        moment = sum((s * x for s, x in zip(stirling, powers, strict=False)), Fraction(0))
        found.append(moment / math.factorial(r))
    return found


def factorial_cumulants(moments: list[Fraction]) -> list[Fraction]:
    """``c_r`` with ``log sum_r b_r u**r = sum_r c_r u**r``; from ``r b_r = sum_j j c_j b_(r-j)``."""
    c = [Fraction(0)]
    for r in range(1, len(moments)):
        known = sum((j * c[j] * moments[r - j] for j in range(1, r)), Fraction(0))
        c.append(moments[r] - known / r)
    return c


def _probabilities(c: Floats) -> tuple[Floats, Floats]:
    """Probabilities of a = 0, 1, ... with these cumulants, and bounds of what rounding does to them."""
    exact = [Fraction(x) for x in c.tolist()]
    d = [
        float(sum(math.comb(r, j) * (-1) ** (r - j) * x for r, x in enumerate(exact, start=1)))
        for j in range(c.size + 1)
    ]
    mode = max(c[0], 0.0)
    p, error = [math.exp(d[0])], [math.exp(d[0]) * EPSILON * (abs(d[0]) + 2.0)]
    while p[-1] > 1e-60 or len(p) <= mode:
        k = len(p)
        orders = range(1, min(c.size, k) + 1)
        terms = [j * d[j] * p[k - j] / k for j in orders]
        error.append(
            sum(j * abs(d[j]) * error[k - j] / k for j in orders) + 8.0 * EPSILON * sum(map(abs, terms))
        )
        p.append(math.fsum(terms))
    if p[-1] <= 0.0:
        p, error = p[:-1], error[:-1]
    return np.array(p), np.array(error)


def _error_of_tail(c: Floats, growth: float, k: int, side: str) -> float:
    """Bound of the error of P(a >= k) or P(a <= k), the least over some circles."""
    if side == "greater":
        far = max(4.0 * k / c[0], 2.0)
        radii, power = np.geomspace(1.0 + 1.0 / (k + 1.0), far, RADII_TRIED), 1 - k
    else:
        near = min(0.25 * (k + 1.0) / c[0], 0.5)
        radii, power = np.geomspace(near, 1.0 - 1.0 / (k + 2.0), RADII_TRIED), -k
    errors = [_error_of_circle(c, growth, s, power) for s in radii.tolist()]
    return min(errors)


def _error_of_circle(c: Floats, growth: float, s: float, power: int = 0) -> float:
    """Mean of ``abs(G_R) (exp(abs(delta)) - 1) s**power / abs(z - 1)`` over the circle with radius s."""
    w = s * np.exp(1j * ANGLES) - 1.0
    size = np.abs(w)
    log_G = np.polynomial.polynomial.polyval(w, np.append(0.0, c)).real + power * math.log(s)
    ratio = growth * size
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        delta = 2.0 * abs(c[-1]) * size**c.size * ratio / (1.0 - ratio)  # twice the estimate, for safety
        # where the terms do not fall, the generating function is taken as 100 times its cut form
        factor = np.where(ratio < 1.0, np.expm1(delta), 100.0)
        return float(np.mean(np.exp(log_G) * factor / size))
