"""Pearson's curve for the null distribution of T, and when to trust it."""

import math
from typing import Literal

import numpy as np

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.exact.laws.pearson import pearson_p_value
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.pair_sum import pair_sum_moments

PEARSON_ERRORS = ((1e-3, 0.03), (1e-4, 0.10), (1e-6, 0.25))
"""Down to which probability Pearson's curve keeps which relative error; see `pearson_p_value`."""

LARGEST_ATOM = 0.0025
"""Probability that the likeliest value of T may have for Pearson's curve to be trusted: the steps of T then
matter by about 1 % in a tail of 0.001."""

LEAST_TABLES = 500
TAIL_LEVELS = (0.5, 0.1, 0.01, 0.003)
"""Shares of the simulated tables at which the curve must agree with them."""


def pearson_tail(table: ContingencyTable, side: Literal["greater", "less"]) -> tuple[float, float]:
    """Probability by Pearson's curve of a T as large, "greater", or as small, "less"; its relative error."""
    p = pearson_p_value(pair_sum_moments(table.margins), table.sum_of_squares, side)
    if side == "greater":  # by experience, in 95 of 100 cases, and inf where there is none
        return p, next((error for least, error in PEARSON_ERRORS if p >= least), math.inf)
    return p, PEARSON_ERRORS[-1][1] if p > 0.01 else math.inf


def bears_out(null: NullDistribution, side: Literal["greater", "less"]) -> bool:
    """Whether simulated values of T show that Pearson's curve may speak for its distribution.

    T must be dense, no value of it having more than `LARGEST_ATOM`; and the curve must agree with the
    simulated tail, within four standard errors, from the middle to the last tables.
    """
    counts, m = null.counts, null.n_tables
    if counts is None or null.pair_sums is None or null.margins is None or m < LEAST_TABLES:
        return False
    # of a normal distribution on a grid: few tables are enough, while the most that share a T would be chance
    same = float(np.dot(counts, counts - 1.0)) / (m * (m - 1.0))
    if math.sqrt(2.0) * same > LARGEST_ATOM:
        return False
    order = np.argsort(null.pair_sums if side == "less" else -null.pair_sums)
    reached, moments = np.cumsum(counts[order]), pair_sum_moments(null.margins)
    for k in np.searchsorted(reached, np.array(TAIL_LEVELS) * m).tolist():
        share, T = int(reached[k]) / m, int(null.pair_sums[order[k]])
        error = math.sqrt(share * (1.0 - share) / m)
        if abs(pearson_p_value(moments, T, side) - share) > 4.0 * error:
            return False
    return True
