"""Means that are infinite, or undefined, since the index is so on some table, however improbable that is."""

import math

import numpy as np

from chancecorr.exact.laws.attained import is_attained
from chancecorr.exact.moments.smoothness import values_over_range
from chancecorr.exact.moments.summary import Moments, law_moments
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.models import MOST_OBJECTS, Model
from chancecorr.tables.contingency import Margins


def moments_where_infinite(index: Index, margins: Margins) -> Moments | None:
    """Moments of an index that is infinite or nan on some table with these margins; None where none is known.

    The mean is then infinite or nan, whatever the probability of the table, and the other moments are nan.

    Examples
    --------
    >>> from chancecorr.indices.pair_counting.agreement import kulczynski_1
    >>> index = Index(name="kulczynski_1", function=kulczynski_1, needs="pairs")
    >>> moments_where_infinite(index, Margins([240, 240, 320], [240, 240, 320])).mean
    inf
    >>> moments_where_infinite(index, Margins([240, 240, 320], [400, 400]))
    """
    try:
        sums, values = places_not_finite(index, margins)
    except IndexEvaluationError:
        return None
    attained = np.array([is_attained(margins, T) is True for T in sums.tolist()], dtype=bool)
    if not attained.any():
        return None
    values = values[attained]
    return law_moments(values, np.ones(values.size))


def undefined_mean_under(index: Index, margins: Margins, model: Model) -> float | None:
    """Nan if an index is infinite on some table under a model, where the sizes are the most or least even.

    Its mean is then infinite, or undefined if the index is 0/0 on another table; which of the two is not
    looked for. None if it is not infinite there, and beyond `MOST_OBJECTS`.

    Examples
    --------
    >>> from chancecorr.indices.pair_counting.baulieu import baulieu_distance_12
    >>> from chancecorr.null.models import get_model
    >>> index = Index(name="baulieu_distance_12", function=baulieu_distance_12, needs="pairs")
    >>> undefined_mean_under(index, Margins([240, 240, 320], [400, 400]), get_model("all-partitions"))
    nan
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

    None where it is nan throughout, as it is undefined for all tables then.
    """
    sums, values = values_over_range(index, margins)
    found = ~np.isfinite(values) & ~np.isnan(values).all()
    return sums[found], values[found]


def left_out(index: Index, margins: Margins, listed: Integers) -> tuple[Integers, Floats, bool]:
    """T that is not `listed` where an index is infinite or nan, the index there, and if these are all.

    They are not known to be all where it cannot be told whether there is such a table. Values of T are listed
    in ascending order, one at least: there may be a million of them, so that each is looked up among them.
    """
    sums, values = places_not_finite(index, margins)
    missing = listed[np.searchsorted(listed, sums).clip(max=listed.size - 1)] != sums
    sums, values = sums[missing], values[missing]
    attained = [is_attained(margins, T) for T in sums.tolist()]
    there = np.array([each is True for each in attained], dtype=bool)
    return sums[there], values[there], None not in attained
