"""The least adjusted score that given cluster sizes allow: no interval reaches below it.

The bound is exact where all tables were listed, and proven by bounds of T where the index rises or falls with
T. Of other indices it follows from their range. The adjusted Rand index is never below -1/2.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.chance.fixed_margins import FixedMargins
from chancecorr.chance.methods import AUTO
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.options import Options
from chancecorr.exact.closed_laws import LEAST_LOST_MASS, free_cell
from chancecorr.exact.index_of_pair_sum import pair_sum_range
from chancecorr.exact.summary import compute_adjusted_scores
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import Margins

FEW_OBJECTS = 30
"""Objects up to which the distribution of T is enumerated for its least value, in 10 ms."""

MANY_TIMES, MOST_OBJECTS = 1_000, 10**9
"""Times that the objects are taken for many of them, and how many that may be at most."""

LEAST_ADJUSTED_RAND = -0.5
"""Chacón & Rastrojo (2022), Advances in Data Analysis and Classification, doi:10.1007/s11634-022-00491-w."""


def least_between(ends: Iterable[float], best: npt.ArrayLike, mean: npt.ArrayLike) -> Any:
    """Least adjusted score of values between two ends; -inf where none is known."""
    least = np.minimum(*(compute_adjusted_scores(end, best, mean) for end in ends))
    return np.where(np.isnan(least), -math.inf, least)[()]


def least_score(
    index: Index, options: Options, ends: Iterable[float], best: npt.ArrayLike, mean: npt.ArrayLike
) -> Any:
    """Least adjusted score of two partitions by an index whose values lie between two ends."""
    least = least_between(ends, best, mean)
    is_rand = (index.corrected_as or index.name) == "adjusted_rand"
    if is_rand and options.best is None and options.model.is_permutation:
        return np.maximum(least, LEAST_ADJUSTED_RAND)
    return least


def ends_of_values(index: Index, margins: Margins, *, is_monotone: bool) -> tuple[float, float]:
    """Bounds of the values of an index on all tables with these margins; closer if it is monotone in T."""
    low, high = index.range
    if not is_monotone:
        return low, high
    at_ends = values_of_pair_sums(index, np.array(_pair_sums_between(margins)), margins)
    return max(low, float(at_ends.min())), min(high, float(at_ends.max()))  # nan, of 0/0, leaves the range


def _pair_sums_between(margins: Margins) -> tuple[int, int]:
    """Bounds of T; of two clusters against two, where one cell determines the others, the least T itself."""
    low, high = pair_sum_range(margins)
    cell = free_cell(margins)
    if cell is None:
        return low, high
    x = min(max((2 * cell.r + 2 * cell.c - cell.n + 2) // 4, cell.low), cell.high)  # T is a parabola in x
    others = x, cell.r - x, cell.c - x, cell.n - cell.r - cell.c + x
    return sum(count * count for count in others), high


def least_of(model: FixedMargins, index: Index, null: NullDistribution) -> float:
    """Least adjusted score of all tables with the margins of the model."""
    values = null.values if null.values_from == "exact" else np.empty(0)
    if not values.size and model.direction(index) and model.n <= FEW_OBJECTS:
        law = model.law(index)
        values = values if law is None else law.values
    ends = ends_of_values(index, model.margins, is_monotone=bool(model.direction(index)))
    if values.size and not null.lost_mass > LEAST_LOST_MASS:
        ends = float(np.nanmin(values)), float(np.nanmax(values))
    return float(least_score(index, model.options, ends, model.best(index), null.mean))


def least_with(model: FixedMargins, index: Index, margins: Margins) -> float:
    """Least adjusted score with other margins, by a mean from these; -inf where there is none."""
    options = model.options
    other = model.on(margins, options=replace(options, method=AUTO.within(options.budget)))
    mean = other.mean(index)
    # what rises with T on the data is taken to rise on margins that differ by an object or a group
    ends = ends_of_values(index, margins, is_monotone=bool(model.direction(index)))
    return float(least_score(index, options, ends, other.best(index), math.nan if mean is None else mean))


def least_of_many(model: FixedMargins, index: Index) -> float:
    """Least adjusted score of many objects with the same shares in the clusters; of few it is lower.

    Of few, pairs of an object with itself are a share of the pairs that are together, and no agreement.
    """
    times = max(1, min(MANY_TIMES, MOST_OBJECTS // max(model.n, 1)))
    rows, columns = model.margins.row_totals, model.margins.column_totals
    return least_with(model, index, Margins(rows * times, columns * times))
