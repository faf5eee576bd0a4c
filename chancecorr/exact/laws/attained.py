"""Whether some table with given margins has a given ``T = sum(n_ij**2)``, where that can be told.

An enumeration leaves out improbable tables, and float64 knows no probability below 1e-308. Where an index is
infinite on such a table, its mean is infinite all the same, so that the mean hangs on whether there is one.
"""

import functools
import math

import numpy as np

from chancecorr.exact.bounds import largest_sum_of_squares, pair_sum_range
from chancecorr.exact.laws.enumeration import PairSumLaw
from chancecorr.exact.laws.largest import greedy_pair_sum, largest_pair_sum, nonzero_totals
from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import Margins

SEARCH = 10_000
"""Intermediate margins that the search for the largest T may look at: about 0.1 s, once for these margins."""

MOST_CLUSTERS = 200
"""Clusters on both sides together up to which a table of the largest T is looked for."""

NEVER_ROUNDED_TO_ZERO = -650.0
"""Log of a probability that float64 holds, and its products with factors near 1 on the way to it."""


@functools.lru_cache(maxsize=256)
def is_attained(margins: Margins, T: int) -> bool | None:
    """Whether some table with these margins has this T; None where that is not told.

    It is told outside the bounds of T and of the wrong parity, and at the places where pair counts vanish:

    - ``T = n``: no pair is together in both. A table of zeros and ones exists if and only if, for each k, the
      k largest rows hold no more than ``sum_j min(column_j, k)`` (Gale 1957, doi:10.2140/pjm.1957.7.1073;
      Ryser 1957, doi:10.4153/CJM-1957-044-3).
    - ``T = A = B`` with ``A = sum row**2`` and ``B = sum column**2``: no pair is together in one only. The
      clusterings are then the same, and the row totals are the column totals in some order.
    - the upper bound of T, where a table made greedily reaches it or the search for the largest T ends soon.

    Examples
    --------
    >>> is_attained(Margins([3, 2, 1], [1, 2, 3]), 14), is_attained(Margins([3, 3], [4, 2]), 18)
    (True, False)
    """
    low, high = pair_sum_range(margins)
    if not low <= T <= high or (T - low) % 2:
        return False
    if low == high:
        return True
    rows, columns = nonzero_totals(margins)
    if margins.squares == (T, T):
        return rows == columns
    if margins.n == T:
        return _fits_zeros_and_ones(np.array(rows[::-1]), np.array(columns))
    if len(rows) + len(columns) > MOST_CLUSTERS:
        return None
    if greedy_pair_sum(rows, columns) == T:
        return True
    if largest_sum_of_squares(rows, columns) == T:
        try:
            return largest_pair_sum(margins, SEARCH) == T
        except ValueError:  # a search that takes too long
            return None
    return None


def _fits_zeros_and_ones(rows: Integers, columns: Integers) -> bool:
    """The condition of Gale and Ryser; rows descending, columns ascending."""
    # sum_j min(column_j, k) = sum over i up to k of the number of columns that hold i or more
    holding = columns.size - np.searchsorted(columns, np.arange(1, rows.size + 1))
    return bool((np.cumsum(rows) <= np.cumsum(holding)).all())


def holds_every_value(law: PairSumLaw, margins: Margins) -> bool:
    """Whether a law lists each T that any table has, however improbable.

    It does if its method leaves none out, and the least probability is none that float64 rounds to 0. No
    table has less than ``prod column_j! / n!``, since ``prod_i row_i! / prod_ij n_ij!`` is 1 or more, nor
    less than ``prod row_i! / n!``.
    """
    if law.method in ("enumeration", "cumulants"):
        return False
    factorials = (sum(math.lgamma(x + 1) for x in totals) for totals in nonzero_totals(margins))
    return max(factorials) - math.lgamma(margins.n + 1) > NEVER_ROUNDED_TO_ZERO
