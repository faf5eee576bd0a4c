"""Means that are infinite or undefined because the index is so on some table, however improbable that is.

An enumeration leaves out improbable tables, and float64 holds no probability below 1e-308. So it is asked of
the margins whether a table with a given T exists. Beyond a few cheap answers that is NP-hard, and the mean is
then unknown (nan).
"""

import functools
import math
from bisect import insort

import numpy as np

from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.enumeration import PairSumLaw
from chancecorr.exact.moments.smoothness import values_over_range
from chancecorr.exact.moments.summary import Moments, law_moments
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.models import MOST_OBJECTS, Model
from chancecorr.tables.contingency import Margins

MOST_CLUSTERS = 200
"""Clusters on both sides together up to which a table is filled greedily: 10 ms."""

LEAST_LOG_PROBABILITY = -650.0
"""Log of a probability that float64 holds, and its products with factors near 1 on the way to it."""


def moments_where_infinite(index: Index, margins: Margins) -> Moments | None:
    """Moments of an index that is infinite or nan on some table with these margins; None if none is known.

    The mean is then infinite or nan, whatever the probability of the table, and the other moments are nan.
    """
    try:
        sums, values = places_not_finite(index, margins)
    except IndexEvaluationError:
        return None
    values = values[[has_table(margins, T) is True for T in sums.tolist()]]
    return law_moments(values, np.ones(values.size)) if values.size else None


def undefined_mean_under(index: Index, margins: Margins, model: Model) -> float | None:
    """Nan if an index is infinite on some table under a model, where the sizes are the most or least even.

    Its mean is then infinite, or undefined if the index is 0/0 on another table; which of the two is not
    looked for. None if it is not infinite there, and beyond `MOST_OBJECTS`.
    """
    n = margins.n
    if not 2 <= n <= MOST_OBJECTS:
        return None
    for rows in model.rows.extreme_sizes(margins.row_totals, n):
        for columns in model.columns.extreme_sizes(margins.column_totals, n):
            found = moments_where_infinite(index, Margins(rows, columns))
            if found is not None and math.isinf(found.mean):
                return math.nan
    return None


def places_not_finite(index: Index, margins: Margins) -> tuple[Integers, Floats]:
    """Values of T, of those of `values_over_range`, where the index is infinite or nan, and the index there.

    None if it is nan throughout, because it is undefined for all tables then.
    """
    sums, values = values_over_range(index, margins)
    found = ~np.isfinite(values) & ~np.isnan(values).all()
    return sums[found], values[found]


def left_out(index: Index, margins: Margins, listed: Integers) -> tuple[Integers, Floats, bool]:
    """T that is not `listed` where an index is infinite or nan, the index there, and whether these are all.

    They are not known to be all if `has_table` has no answer. At least one T is listed, in ascending order.
    """
    sums, values = places_not_finite(index, margins)
    missing = listed[np.searchsorted(listed, sums).clip(max=listed.size - 1)] != sums
    sums, values = sums[missing], values[missing]
    found = [has_table(margins, T) for T in sums.tolist()]
    there = np.array([each is True for each in found], dtype=bool)
    return sums[there], values[there], None not in found


def holds_every_value(law: PairSumLaw, margins: Margins) -> bool:
    """Whether a law lists each T that any table has, however improbable.

    It does if its method leaves none out, and float64 rounds no probability to 0. No table has less than
    ``prod column_j! / n!``, because ``prod_i row_i! / prod_ij n_ij!`` is 1 or more, nor less than
    ``prod row_i! / n!``.
    """
    if law.method in ("enumeration", "cumulants"):
        return False
    factorials = (sum(math.lgamma(x + 1) for x in totals) for totals in _nonzero_totals(margins))
    return max(factorials) - math.lgamma(margins.n + 1) > LEAST_LOG_PROBABILITY


@functools.lru_cache(maxsize=256)
def has_table(margins: Margins, T: int) -> bool | None:
    """Whether some table with these margins has ``sum(n_ij**2) == T``; None if that is not known.

    It is known outside the bounds of T, for the wrong parity, for the T of a table that is filled greedily,
    and where pair counts vanish:

    - ``T = n``: no pair is together in both. A table of zeros and ones exists if and only if, for each k, the
      k largest rows hold no more than ``sum_j min(column_j, k)`` (Gale 1957, doi:10.2140/pjm.1957.7.1073;
      Ryser 1957, doi:10.4153/CJM-1957-044-3).
    - ``T = A = B`` with ``A = sum row**2`` and ``B = sum column**2``: no pair is together in one only. The
      clusterings are then the same, and the row totals are the column totals in some order.
    """
    low, high = pair_sum_range(margins)
    if not low <= T <= high or (T - low) % 2:
        return False
    if low == high:
        return True
    rows, columns = _nonzero_totals(margins)
    if margins.squares == (T, T):
        return rows == columns
    if margins.n == T:
        # sum_j min(column_j, k) = sum over i up to k of the number of columns that hold i or more
        holding = len(columns) - np.searchsorted(np.array(columns), np.arange(1, len(rows) + 1))
        return bool((np.cumsum(rows[::-1]) <= np.cumsum(holding)).all())
    if len(rows) + len(columns) <= MOST_CLUSTERS and _greedy_pair_sum(rows, columns) == T:
        return True
    return None


def _nonzero_totals(margins: Margins) -> tuple[list[int], list[int]]:
    """Row and column totals above 0, ascending."""
    rows, columns = margins.row_totals, margins.column_totals
    return sorted(rows[rows > 0].tolist()), sorted(columns[columns > 0].tolist())


def _greedy_pair_sum(rows: list[int], columns: list[int]) -> int:
    """T of the table whose largest cell left is always filled; a total on both sides fills a cell alone."""
    rows, columns, T = rows.copy(), columns.copy(), 0
    while rows:
        m = min(rows[-1], columns[-1])
        alike = m in rows and m in columns
        T += m * m
        for totals in (rows, columns):
            total = totals.pop(totals.index(m) if alike else -1)
            if total > m:
                insort(totals, total - m)
    return T
