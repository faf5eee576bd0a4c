"""Proven bounds of the upper tail of the mutual information: probability of a table times number of tables.

With Stirling's bounds ``k! = s(k) (k / e)**k``, ``1 <= s(k) <= sqrt(2 pi k) exp(1 / (12 k))`` and s(0) = 1,
the probability of a table under fixed margins is ::

    prod r_i! prod c_j! / (n! prod n_ij!)  <=  exp(-n I) prod s(r_i) prod s(c_j) / sqrt(2 pi n)

I being its mutual information in nats. Each table whose information is t or more has at most that with t for
I. A row of r objects can be filled in at most ``C(r + Q - 1, Q - 1)`` ways, all rows but one: the method of
types (Csiszar & Koerner 1981).

Purity follows: to name the largest row of each column is wrong for a share ``e = 1 - purity`` of the objects,
so that by Fano's inequality (1961) the columns leave no more than ``h(e) + e log(K - 1)`` of the entropy of
the rows, h being the entropy of two shares, and the rest is information. It rises with e up to
``e = 1 - 1 / K``.
"""

import math

import numpy as np

from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import Margins


def log_bound_of_information(margins: Margins, information: float) -> float:
    """Log of a bound of ``P(I >= information)``, in nats; at most 0."""
    rows, columns = (np.sort(each[each > 0]) for each in (margins.row_totals, margins.column_totals))
    n = margins.n
    if n < 1:
        return 0.0
    ways = min(_log_ways(rows, columns.size), _log_ways(columns, rows.size))
    corrections = _log_stirling(rows) + _log_stirling(columns) - 0.5 * math.log(2.0 * math.pi * n)
    return min(0.0, ways + corrections - n * information)


def log_bound_of_share(margins: Margins, share: float, side: int) -> float:
    """Log of a bound of P(largest cells of the columns, `side` 0, or rows, 1, hold this share or more)."""
    totals = (margins.row_totals, margins.column_totals)[side]
    p, wrong = totals[totals > 0] / margins.n, 1.0 - share
    if not 0.0 < share <= 1.0 or p.size < 2 or wrong >= 1.0 - 1.0 / p.size:
        return 0.0
    left = wrong * math.log(p.size - 1) if wrong > 0.0 else 0.0
    left -= sum(x * math.log(x) for x in (wrong, share) if x > 0.0)
    return log_bound_of_information(margins, max(0.0, -float((p * np.log(p)).sum()) - left))


def _log_ways(totals: Integers, parts: int) -> float:
    """Log of a bound of the number of ways to cut all totals but the largest into so many parts."""
    return sum(log_compositions(total, parts) for total in totals[:-1].tolist())


def log_compositions(total: int, parts: int) -> float:
    """Log of the number of ways to write a total as an ordered sum of so many parts."""
    return math.lgamma(total + parts) - math.lgamma(parts) - math.lgamma(total + 1)


def _log_stirling(totals: Integers) -> float:
    """Sum of ``log s(k)`` by its upper bound."""
    return float((0.5 * np.log(2.0 * math.pi * totals) + 1.0 / (12.0 * totals)).sum())
