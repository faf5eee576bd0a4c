"""Proven bounds of tail probabilities of T, or of an index, without its null distribution.

They give a p-value when no drawn table reaches the observed value: bounds by exchanges (Azuma 1967, McDiarmid
1989), by central moments (Cantelli 1928), by binomial moments, and by the information of a table (Stirling;
purity by Fano 1961). See "Bounds of tails" in docs/explanation/derivations.md.
"""

import math
from fractions import Fraction

import numpy as np

from chancecorr.exact.closed_laws import CUMULANTS, compute_binomial_moments
from chancecorr.machine.kept import keep_recent
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import compute_central_moments, compute_pair_sum_mean


def bound_log_tail_by_exchanges(distance: float, n: int, change: float, n_tables: int = 0) -> float:
    """Return the log of a bound of ``P(X - mean >= distance)``, mean exact or from `n_tables`; at most 0."""
    if not distance > 0.0 or n < 2:
        return 0.0
    if not change > 0.0:
        return -math.inf
    a = distance / (change * math.sqrt((n - 1) / 2.0))
    if not n_tables:
        return -a * a
    least = a * math.sqrt(n_tables) / (1.0 + math.sqrt(n_tables))
    return min(0.0, math.log(2.0) - least * least)


@keep_recent
def bound_log_tail(margins: Margins, pair_sum: int, side: str) -> float:
    """Return the log of a bound of P(T >= pair_sum), or P(T <= pair_sum) for the side "less"; at most 0."""
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
    """Return the log of a bound of ``P(I >= information)``, in nats; at most 0."""
    rows, columns = (np.sort(totals[totals > 0]) for totals in (margins.row_totals, margins.column_totals))
    n = margins.n
    if n < 1:
        return 0.0
    # number of ways to divide all totals of a side, except the largest, among the clusters of the other side
    ways = min(
        sum(log_compositions(total, others.size) for total in totals[:-1].tolist())
        for totals, others in ((rows, columns), (columns, rows))
    )
    corrections = -0.5 * math.log(2.0 * math.pi * n)
    for totals in (rows, columns):
        corrections += float((0.5 * np.log(2.0 * math.pi * totals) + 1.0 / (12.0 * totals)).sum())
    return min(0.0, ways + corrections - n * information)


def bound_log_tail_of_share(margins: Margins, share: float, side: int) -> float:
    """Log of a bound of P(the largest cells of columns (`side` 0) or rows (1) hold at least this share)."""
    totals = (margins.row_totals, margins.column_totals)[side]
    p, wrong = totals[totals > 0] / margins.n, 1.0 - share
    if not 0.0 < share <= 1.0 or p.size < 2 or wrong >= 1.0 - 1.0 / p.size:
        return 0.0
    left = wrong * math.log(p.size - 1) if wrong > 0.0 else 0.0
    left -= sum(x * math.log(x) for x in (wrong, share) if x > 0.0)
    return bound_log_tail_of_information(margins, max(0.0, -float((p * np.log(p)).sum()) - left))


def log_compositions(total: int, parts: int) -> float:
    """Return the log of the number of ways to write `total` as an ordered sum of `parts` numbers."""
    return math.lgamma(total + parts) - math.lgamma(parts) - math.lgamma(total + 1)
