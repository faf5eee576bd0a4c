"""Pearson's curve for the law of T, and when to trust it."""

import math
from typing import Literal

import numpy as np

from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.question import Question
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.pearson import pearson_p_value
from chancecorr.exact.laws.ties import extreme, tie_slack
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.pair_sum import pair_sum_moments

PEARSON_ERRORS = ((1e-3, 0.03), (1e-4, 0.10), (1e-6, 0.25))
"""Down to which probability Pearson's curve keeps which relative error; see `pearson_p_value`."""

LARGEST_ATOM = 0.0025
"""Share of the simulated tables that one value of T may have for Pearson's curve to be trusted: the steps of
T then matter by about 1 % in a tail of 0.001."""

LEAST_TABLES = 2_000
TAIL_LEVELS = (0.5, 0.1, 0.01, 0.003)
"""Shares of the simulated tables at which the curve must agree with them."""


def pearson_tail(table: ContingencyTable, side: Literal["greater", "less"]) -> tuple[float, float]:
    """Probability by Pearson's curve of a T as large, "greater", or as small, "less"; its relative error.

    The error is by experience, in 95 of 100 cases, and inf where there is none.
    """
    p = pearson_p_value(pair_sum_moments(table.margins), table.sum_of_squares, side)
    if side == "greater":
        return p, next((error for least, error in PEARSON_ERRORS if p >= least), math.inf)
    return p, PEARSON_ERRORS[-1][1] if p > 0.01 else math.inf


def bears_out(null: NullDistribution, question: Question, table: ContingencyTable, alternative: str) -> bool:
    """Whether simulated values show that Pearson's curve may speak for the law of T.

    The curve is continuous, and knows four moments only. So T must be dense, no value of it having more than
    `LARGEST_ATOM` of the tables; and the curve must agree with the simulated tail, within four standard
    errors, from the middle to the last tables.
    """
    counts, m = null.counts, null.n_tables
    if counts is None or m < LEAST_TABLES or counts.max() > LARGEST_ATOM * m:
        return False
    levels = np.array(TAIL_LEVELS)
    values = null.quantile(1.0 - levels if alternative == "greater" else levels)
    moments = pair_sum_moments(table.margins)
    upper = (alternative == "greater") == (question.direction > 0)
    for value, T in zip(values.tolist(), pair_sums_at(question, values).tolist(), strict=True):
        share = int(counts[extreme(null.values, value, alternative)].sum()) / m
        error = math.sqrt(share * (1.0 - share) / m)
        if abs(pearson_p_value(moments, T, "greater" if upper else "less") - share) > 4.0 * error:
            return False
    return True


def pair_sums_at(question: Question, values: Floats) -> Integers:
    """T where an index that ascends or descends with it has these values, by bisection."""
    low, high = pair_sum_range(question.margins)
    sign = question.direction
    below = np.full(values.shape, low)
    above = np.full(values.shape, high)
    slack = tie_slack(0.0, values)
    while (below < above).any():
        middle = below + (above - below) // 4 * 2
        reached = (
            sign * values_of_pair_sums(question.index, middle, question.margins) >= sign * values - slack
        )
        above, below = np.where(reached, middle, above), np.where(reached, below, middle + 2)
    return above
