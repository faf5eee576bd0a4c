"""Means that are infinite because the index is so on some table, however improbable that is.

Whether a table with a given T exists is NP-hard in general. It is known of the T of equal clusterings and of
clusterings without a common pair; elsewhere nothing is said.
"""

import math

import numpy as np

from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.closed import PairSumLaw
from chancecorr.exact.moments.smoothness import values_over_range
from chancecorr.indices.evaluation import IndexEvaluationError, values_of_pair_sums
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.models import MOST_OBJECTS, Model
from chancecorr.tables.contingency import Margins


def infinite_mean(index: Index, margins: Margins) -> float | None:
    """Mean of an index that is infinite or nan on a table known to exist; None if none is known."""
    ends = _ends(margins)
    try:
        values = values_of_pair_sums(index, ends, margins) if ends.size else np.empty(0)
    except IndexEvaluationError:
        return None
    found = values[~np.isfinite(values)]
    return float(found.sum()) if found.size else None


def undefined_mean_under(index: Index, margins: Margins, model: Model) -> float | None:
    """Nan if an index is infinite on the most or the least even sizes of a model, None if not known."""
    n = margins.n
    if not 2 <= n <= MOST_OBJECTS:
        return None
    for rows in model.rows.extreme_sizes(margins.row_totals, n):
        for columns in model.columns.extreme_sizes(margins.column_totals, n):
            mean = infinite_mean(index, Margins(rows, columns))
            if mean is not None and math.isinf(mean):
                return math.nan
    return None


def not_listed(index: Index, margins: Margins, law: PairSumLaw) -> tuple[Integers, Floats, bool]:
    """T that a law leaves out and some table has, the index there, and whether it is finite at all others.

    A law leaves out what float64 rounds to 0, which is nothing if the least probable table is above that: no
    table has less than ``prod column_j! / n!``, nor less than ``prod row_i! / n!``.
    """
    none = np.empty(0, dtype=np.int64), np.empty(0), True
    if index.affine:
        return none
    least = max(sum(math.lgamma(x + 1) for x in side) for side in _nonzero_totals(margins))
    leaves_out = law.method in ("cumulants", "enumeration")
    # -650: the log of a probability that float64 holds, with the products on the way to it
    if not leaves_out and least - math.lgamma(margins.n + 1) > -650.0:
        return none
    sums, values = values_over_range(index, margins)
    settled = [margins.n, *{margins.squares[0]} & {margins.squares[1]}]  # by `_ends`
    known = np.isin(sums, law.values) | np.isin(sums, settled) | np.isfinite(values)
    ends = np.setdiff1d(_ends(margins), law.values)
    at_ends = values_of_pair_sums(index, ends, margins) if ends.size else np.empty(0)
    infinite = ~np.isfinite(at_ends)
    return ends[infinite], at_ends[infinite], bool(known.all() or np.isnan(values).all())


def _ends(margins: Margins) -> Integers:
    """T of clusterings without a common pair (Gale 1957, Ryser 1957), and of equal ones, if there are any."""
    low, high = pair_sum_range(margins)
    rows, columns = _nonzero_totals(margins)
    # sum_j min(column_j, k) = sum over i up to k of the number of columns that hold i or more
    holding = len(columns) - np.searchsorted(np.array(columns), np.arange(1, len(rows) + 1))
    found = [low] if low == margins.n and (np.cumsum(rows[::-1]) <= np.cumsum(holding)).all() else []
    return np.array(found + [high] * (rows == columns), dtype=np.int64)


def _nonzero_totals(margins: Margins) -> tuple[list[int], list[int]]:
    """Row and column totals above 0, ascending."""
    rows, columns = margins.row_totals, margins.column_totals
    return sorted(rows[rows > 0].tolist()), sorted(columns[columns > 0].tolist())
