"""Differences of two candidates' adjusted scores: intervals and p-values that count the objects in common."""

import math
from dataclasses import dataclass

import numpy as np

from chancecorr.arguments import as_level
from chancecorr.correction.intervals.interval import (
    FEWEST_OBJECTS,
    Interval,
    cut,
    few_groups,
    not_known_by,
    quantile,
    range_of,
    unknown_interval,
    why_biased,
    why_unknown,
)
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, jackknife_variance
from chancecorr.correction.intervals.limits import ROUNDING
from chancecorr.machine.arrays import Integers
from chancecorr.printing import rounded

SAME = "the same clustering"
"""Remark on two candidates that differ in the names of their clusters at most."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Difference:
    """Adjusted score of one candidate less that of another, of the same objects against one reference.

    Attributes
    ----------
    difference : float
        Of the scores of the sample.
    interval : Interval
        Of the difference in the population.
    p_value : float
        Two-sided, of the hypothesis that the difference in the population is 0; nan where not known, and 1
        for the same clustering, which has no interval.
    """

    difference: float
    interval: Interval
    p_value: float

    def __repr__(self) -> str:
        """The difference and its ends to the digits that the standard error leaves, and the p-value."""
        interval = self.interval
        numbers = {
            name: rounded(number, interval.standard_error, undefined="nan")
            for name, number in (
                ("difference", self.difference),
                ("low", interval.low),
                ("high", interval.high),
            )
        }
        listed = ", ".join(f"{name}={number}" for name, number in numbers.items())
        remark = f", remark={interval.remark!r}" if interval.remark else ""
        return f"Difference({listed}, confidence={interval.confidence:g}, p_value={self.p_value:.2g}{remark})"


def difference_of(
    first: LeaveOneOut,
    second: LeaveOneOut,
    first_cells: Integers,
    second_cells: Integers,
    counts: Integers,
    level: float,
) -> Difference:
    """Difference of two adjusted scores by the jackknife over the objects that both have in common.

    What an object adds to a difference is the difference of what it adds to the scores. For each non-empty
    cell of the table of reference, first and second candidate there are the places of its two cells in
    `first` and in `second`, and its `counts`. The interval is symmetric about the difference of the two
    estimates, by Student's t; their biases cancel in part. A candidate in perfect agreement has no variance;
    among objects it counts as if one object disagreed, see `added_variance`.
    """
    as_level("confidence", level)
    difference = first.whole - second.whole
    without = first.without[first_cells] - second.without[second_cells]
    n = int(counts.sum())
    finite = math.isfinite(difference) and all(map(math.isfinite, without.tolist()))
    alike = finite and float(np.ptp(without)) <= ROUNDING
    if alike and abs(difference) <= ROUNDING and (first.what == "groups" or n >= FEWEST_OBJECTS):
        return _not_told_apart(first, second, level)
    variance = jackknife_variance(without, counts) + added_variance(first) + added_variance(second)
    if alike and first.what == "groups":
        variance += sum(each.cost**2 for each in (first, second) if each.perfect)
    error = math.sqrt(variance)
    if finite and n >= (FEWEST_OBJECTS if first.what == "objects" else 0):
        remark = why_biased(first.bias_left - second.bias_left, error, first)
    else:
        remark = why_unknown(first) or why_unknown(second)
    if alike and not error > ROUNDING:
        remark = remark or not_known_by(first)
    if remark:
        interval = unknown_interval(level, remark)
        return Difference(difference=difference, interval=interval, p_value=math.nan)
    centre = first.estimate - second.estimate
    reach = quantile(level, n) * error
    (lowest, highest), (least, most) = (range_of(each, level) for each in (first, second))
    low, high = cut((centre - reach, centre + reach), lowest - most, highest - least)
    interval = Interval(low=low, high=high, confidence=level, standard_error=error, remark=few_groups(first))
    return Difference(difference=difference, interval=interval, p_value=_p_value(centre, error, n))


def added_variance(jackknife: LeaveOneOut) -> float:
    """Variance of a score that the jackknife does not see: of its mean, and among objects that of one more.

    In perfect agreement no object disagrees. That of a group would be far too much: a group is a large share
    of the objects, and the other candidate's groups show how much groups differ.
    """
    unseen = jackknife.cost**2 if jackknife.perfect and jackknife.what == "objects" else 0.0
    return float(unseen + jackknife.error**2)


def the_same_clustering(level: float) -> Difference:
    """Difference of a clustering from itself: there is nothing to estimate."""
    return Difference(difference=0.0, interval=unknown_interval(level, SAME), p_value=1.0)


def _not_told_apart(first: LeaveOneOut, second: LeaveOneOut, level: float) -> Difference:
    """Difference of candidates that every draw is the same in: 0, and at most a rule of three away."""
    reach = -math.log(1.0 - level) * max(first.cost, second.cost)
    remark = (
        f"the candidates have the same score without any one of the {first.what}; limits by the rule of three"
    )
    interval = Interval(low=-reach, high=reach, confidence=level, standard_error=0.0, remark=remark)
    return Difference(difference=0.0, interval=interval, p_value=1.0)


def _p_value(difference: float, error: float, n: int) -> float:
    """Two-sided, by Student's t."""
    from scipy.special import stdtr

    return float(2.0 * stdtr(n - 1, -abs(difference) / error))
