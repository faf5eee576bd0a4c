"""Proven bounds of the upper tail of the mutual information: probability of a table times number of tables.

With Stirling's bounds ``k! = s(k) (k / e)**k``, ``1 <= s(k) <= sqrt(2 pi k) exp(1 / (12 k))`` and s(0) = 1,
the probability of a table under fixed margins is ::

    prod r_i! prod c_j! / (n! prod n_ij!)  <=  exp(-n I) prod s(r_i) prod s(c_j) / sqrt(2 pi n)

I being its mutual information in nats. Each table whose information is t or more has at most that with t for
I. A row of r objects can be filled in at most ``C(r + Q - 1, Q - 1)`` ways, all rows but one: the method of
types (Csiszar & Koerner 1981).
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


def _log_ways(totals: Integers, parts: int) -> float:
    """Log of a bound of the number of ways to cut all totals but the largest into so many parts."""
    return sum(log_compositions(total, parts) for total in totals[:-1].tolist())


def log_compositions(total: int, parts: int) -> float:
    """Log of the number of ways to write a total as an ordered sum of so many parts."""
    return math.lgamma(total + parts) - math.lgamma(parts) - math.lgamma(total + 1)


def _log_stirling(totals: Integers) -> float:
    """Sum of ``log s(k)`` by its upper bound."""
    return float((0.5 * np.log(2.0 * math.pi * totals) + 1.0 / (12.0 * totals)).sum())
