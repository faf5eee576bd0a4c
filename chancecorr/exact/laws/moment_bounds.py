"""Proven bounds of a tail of T from its exact moments: for the values that nothing else reaches.

With ``t = abs(T - E T)`` and the central moments ``m_r`` of T, whatever its law ::

    P(T as extreme on that side) <= m_2 / (m_2 + t**2)                 Cantelli (1928)
                                 <= m_r / t**r,  r even                Markov's inequality

and in the upper tail, a = (T - n) / 2 being the pairs together in both clusterings ::

    P(a >= k) <= E C(a, r) / C(k, r),  r = 1, 2, ..., k                 Markov's inequality

The last one is sharp if clusters are many and small, the others if they are few and large. All moments are
fractions, so that the smallest bound is one, up to the rounding of its logarithm.
"""

import functools
import math
from fractions import Fraction

from chancecorr.exact.laws.sparse import CUMULANTS, binomial_moments
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import central_moments, pair_sum_mean


@functools.lru_cache(maxsize=32)
def log_bound_of_tail(margins: Margins, pair_sum: int, side: str) -> float:
    """Log of a bound of P(T >= pair_sum), or of P(T <= pair_sum) if the side is "less"; at most 0."""
    upper = side == "greater"
    t = (pair_sum - pair_sum_mean(margins)) * (1 if upper else -1)
    bounds = [Fraction(1)]
    if t > 0:
        central = [Fraction(1), *central_moments(margins, CUMULANTS)]
        bounds += [
            central[2] / (central[2] + t * t),
            *(central[r] / t**r for r in range(2, CUMULANTS + 1, 2)),
        ]
    if upper:
        k, moments = (pair_sum - margins.n) // 2, binomial_moments(margins)
        bounds += [moments[r] / math.comb(k, r) for r in range(1, min(k, CUMULANTS) + 1)]
    least = min(bounds)
    return math.log(least.numerator) - math.log(least.denominator) if least else -math.inf
