"""Confidence intervals of the population's adjusted score, from scores without one object."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from chancecorr.chance.jackknife import SCORE_ROUNDING, LeaveOneOut, compute_jackknife_variance
from chancecorr.machine.arguments import as_level
from chancecorr.machine.arrays import Integers
from chancecorr.machine.printing import format_rounded

MIN_OBJECTS = 10  # fewest objects that have an interval. With five, it mostly reached over the whole range
MIN_GROUPS = 10  # fewest groups without a remark that the level is rough
MAX_BIAS_LEFT = 0.5  # of an estimate, in standard errors: an interval of 95 % then still holds 92 %


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Interval:
    """Confidence interval of what a sample of objects says about their population.

    Attributes
    ----------
    low, high : float
        Its ends; nan where they are not known, and `remark` says why.
    confidence : float
        Its level, in (0, 1).
    standard_error : float
        Of the estimate.
    remark : str
        What to know of this interval; mostly empty.
    """

    low: float
    high: float
    confidence: float
    standard_error: float
    remark: str = ""

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __repr__(self) -> str:
        ends = (format_rounded(end, self.standard_error, undefined="nan") for end in (self.low, self.high))
        remark = f", remark={self.remark!r}" if self.remark else ""
        return f"Interval({', '.join(ends)}, confidence={self.confidence:g}{remark})"


def make_interval(jackknife: LeaveOneOut, level: float) -> Interval:
    """Interval of the adjusted score of an infinite sample by the jackknife over objects, of variance v.

    Known biases are taken off the estimate that the interval is made from, see `leave_one_out`; where more
    may be left than `MAX_BIAS_LEFT` of the standard error, there is no interval. The ends come from laws that
    are not normal near 1 and near 0:

    - What is lost, ``y = 1 - score``, is a sum of what single objects cost, and these may be few. Its law is
      taken for a gamma law with mean y and variance v, and for the upper end of y with one costly object
      more: the interval for a weighted sum of Poisson counts of Fay & Feuer (1997), Statistics in Medicine
      16, 791-801. The costliest may be of a kind that the sample has none of. In perfect agreement, which
      has no variance, the lower end is what remains of it, a rule of three: ``-log(1 - level)`` disagreeing
      objects, each as costly.
    - Near 0 the score behaves like a sum of squares, the variance of which grows with the population's score.
      It is v0 at 0, that of the null distribution, and at least ``v0 + x sqrt(8 v0 / d)`` at a small x, with
      ``d = (K - 1) (Q - 1)``, as it is for d squares of equal variances. The upper end of the score is the
      largest x from which the estimate is no further than the quantile times this standard deviation.

    Where groups are left out, they are the independent draws, and the interval is by Student's t. What groups
    lose is skew, but its square root much less so: the lower end is taken on that scale.

    No interval reaches below the least score that the cluster sizes allow, see `bound_interval`, and with few
    objects there is none. `experiments/coverage` has how often intervals hold the score of the population.
    """
    remark = explain_unknown(jackknife)
    if remark:
        return make_unknown_interval(level, remark)
    spread = jackknife.variance
    above_least = (
        jackknife.grouped or jackknife.whole - jackknife.least > SCORE_ROUNDING
    )  # else the lower end is known
    if not jackknife.perfect and spread <= SCORE_ROUNDING**2 and above_least:
        return make_unknown_interval(level, explain_no_spread(jackknife))
    variance = spread + jackknife.error**2
    least, most = bound_interval(jackknife, level)
    low, high = cut(_find_ends(jackknife, variance, level), least, most)
    if jackknife.perfect:
        remark = "perfect agreement; lower limit by the rule of three"
    elif remark_on_few_groups(jackknife):
        remark = remark_on_few_groups(jackknife)
    elif least < jackknife.least - SCORE_ROUNDING and low < jackknife.least - SCORE_ROUNDING:
        remark = "about the least score that these cluster sizes allow; the lower end is by other sizes"
    elif not low - SCORE_ROUNDING <= jackknife.whole <= high + SCORE_ROUNDING:
        side = "below" if jackknife.whole < low else "above"
        bias = f"{jackknife.whole - jackknife.estimate:+.2g}"
        remark = f"the score of the sample is {side} it: in samples of this size its bias is about {bias}"
    error = math.sqrt(variance)
    return Interval(low=low, high=high, confidence=level, standard_error=error, remark=remark)


def _find_ends(jackknife: LeaveOneOut, variance: float, level: float) -> tuple[float, float]:
    """Ends about an estimate with this variance, by the laws in `make_interval`."""
    if jackknife.perfect:
        return jackknife.whole + math.log(1.0 - level) * jackknife.cost, jackknife.whole
    estimate, most = jackknife.estimate, find_t_quantile(level, jackknife.draws)
    reach = most * math.sqrt(variance)
    if jackknife.grouped:
        root = math.sqrt(max(1.0 - estimate, 0.0))
        low = 1.0 - (root + reach / (2.0 * root)) ** 2 if root > 0.0 else estimate - reach
        return low, estimate + reach
    if jackknife.whole >= 1.0:
        return estimate - reach, estimate + reach
    lost, cost = 1.0 - estimate if estimate < 1.0 else 1.0 - jackknife.whole, max(jackknife.cost, 0.0)
    low = high = 1.0 - lost
    if variance:
        from scipy.special import gammaincinv

        # what is lost has a gamma law, and for the lower end of the score that of one costly object more
        tail, more, of_more = 0.5 - level / 2.0, lost + cost, variance + cost**2
        low = 1.0 - float(of_more / more * gammaincinv(more**2 / of_more, 1.0 - tail))
        high = 1.0 - float(variance / lost * gammaincinv(lost**2 / variance, tail))
    return low, max(high, _find_end_above(1.0 - lost, jackknife, most))


def bound_interval(jackknife: LeaveOneOut, level: float) -> tuple[float, float]:
    """Scores that an interval may reach: from the least that the cluster sizes of the sample allow to 1.

    The population has other sizes. Where the sample scores about as low as it can, the interval reaches below
    its score by the sampling error of the least score, less what that of many objects is higher.
    """
    reach = 0.0
    if jackknife.least_error:
        reach = find_t_quantile(level, jackknife.draws) * jackknife.least_error - (
            jackknife.least_of_many - jackknife.least
        )
    reach = max(reach, 0.0)
    near = jackknife.whole - jackknife.least <= reach / 2.0
    least = min(jackknife.whole, jackknife.least, jackknife.whole - reach if near else math.inf)
    return least, max(1.0, jackknife.whole)


def cut(ends: tuple[float, float], least: float, greatest: float) -> tuple[float, float]:
    """Ends of an interval within what a score can be."""
    low, high = ends
    return min(max(low, least), greatest), max(min(high, greatest), least)


def remark_on_few_groups(jackknife: LeaveOneOut) -> str:
    """Remark on an interval by few groups; else empty."""
    few = jackknife.what == "groups" and jackknife.draws < MIN_GROUPS
    return f"by {jackknife.draws} groups only, so that the level is rough" if few else ""


def _find_end_above(estimate: float, jackknife: LeaveOneOut, most: float) -> float:
    """Largest score x from which the estimate is no further than `most` times its deviation there."""
    d, v = jackknife.squares, jackknife.null_variance
    if not (v > 0.0 and d > 0 and estimate < 1.0):
        return estimate
    slope = math.sqrt(8.0 * v / d)
    # the variance vanishes at 1, and its root is concave: there is one such x between the estimate and 1
    inside, outside = estimate, 1.0
    for _ in range(60):
        x = (inside + outside) / 2.0
        std = math.sqrt(v + slope * max(x, 0.0)) * (1.0 - x)
        inside, outside = (x, outside) if x - estimate <= most * std else (inside, x)
    return inside


def find_t_quantile(level: float, n: int) -> float:
    """Quantile of Student's t with ``n - 1`` degrees of freedom, on either side of the level."""
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, 0.5 + level / 2.0))


def make_unknown_interval(level: float, remark: str) -> Interval:
    """No interval, and why."""
    return Interval(low=math.nan, high=math.nan, confidence=level, standard_error=math.nan, remark=remark)


def explain_unknown(jackknife: LeaveOneOut) -> str:
    """Why a jackknife has no answer; empty where it has one."""
    if not math.isfinite(jackknife.whole):
        return "there is no adjusted score"
    if jackknife.null_variance == 0.0 and abs(jackknife.whole) <= SCORE_ROUNDING:
        return "every table with these cluster sizes has the same value"
    if not jackknife.draws:
        return "there is no object"
    if jackknife.what == "objects" and jackknife.draws < MIN_OBJECTS:
        return f"too few objects: {jackknife.draws}, and an interval takes {MIN_OBJECTS}"
    missing = int(jackknife.counts[~np.isfinite(jackknife.without)].sum())
    if missing:
        return (
            f"there is no adjusted score without one of {missing} of the {jackknife.draws} {jackknife.what}"
        )
    if jackknife.bias_left and not jackknife.perfect:
        error = math.sqrt(jackknife.variance + jackknife.error**2)
        return explain_bias(jackknife.bias_left, error, jackknife)
    return ""


def explain_bias(bias_left: float, error: float, jackknife: LeaveOneOut) -> str:
    """Why an estimate of which so much bias may be left has no interval; empty where it has one."""
    if abs(bias_left) <= MAX_BIAS_LEFT * error:
        return ""
    remark = "in samples of this size the score has a bias that is not known well enough"
    times = abs(bias_left) / error if error > 0.0 else math.inf
    if math.isfinite(times):  # the bias falls as the number of objects grows, and the error as its root
        enough = float(f"{jackknife.draws * (times / MAX_BIAS_LEFT) ** 2:.1g}")
        remark += f": to {times:.2g} standard errors, not {MAX_BIAS_LEFT:g};"
        remark += f" some {enough:,.0f} {jackknife.what} may do"
    return f"{remark}; 'rand' has none"


def explain_no_spread(jackknife: LeaveOneOut) -> str:
    """Remark on a score or a difference that has no spread from which a variance could be estimated."""
    return f"it is the same without any one of the {jackknife.what}, so that its variance is not known"


SAME_CLUSTERING = "the same clustering"  # remark on two that differ in the names of their clusters at most


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
        interval = self.interval
        numbers = {"difference": self.difference, "low": interval.low, "high": interval.high}
        listed = ", ".join(
            f"{name}={format_rounded(number, interval.standard_error, undefined='nan')}"
            for name, number in numbers.items()
        )
        remark = f", remark={interval.remark!r}" if interval.remark else ""
        return f"Difference({listed}, confidence={interval.confidence:g}, p_value={self.p_value:.2g}{remark})"


def compute_difference(
    first: LeaveOneOut, second: LeaveOneOut, first_cells: Integers, second_cells: Integers,
    counts: Integers, level: float,
) -> Difference:  # fmt: skip
    """Difference of two adjusted scores by the jackknife over the objects that both have in common.

    For each non-empty cell of the table of reference, first and second candidate there are the places of its
    two cells in `first` and in `second`, and its `counts`. The interval is by Student's t, symmetric about
    the difference of the two estimates.
    """
    from scipy.special import stdtr

    as_level("confidence", level)
    difference = first.whole - second.whole
    without = first.without[first_cells] - second.without[second_cells]
    n = int(counts.sum())
    finite = math.isfinite(difference) and all(map(math.isfinite, without.tolist()))
    alike = finite and float(np.ptp(without)) <= SCORE_ROUNDING
    if alike and abs(difference) <= SCORE_ROUNDING and (first.what == "groups" or n >= MIN_OBJECTS):
        reach = -math.log(1.0 - level) * max(first.cost, second.cost)
        remark = f"the candidates have the same score without any one of the {first.what};"
        remark += " limits by the rule of three"
        interval = Interval(low=-reach, high=reach, confidence=level, standard_error=0.0, remark=remark)
        return Difference(difference=0.0, interval=interval, p_value=1.0)
    variance = compute_jackknife_variance(without, counts)
    variance += find_unseen_variance(first) + find_unseen_variance(second)
    if alike and first.what == "groups":
        variance += sum(jackknife.cost**2 for jackknife in (first, second) if jackknife.perfect)
    error = math.sqrt(variance)
    if finite and n >= (MIN_OBJECTS if first.what == "objects" else 0):
        remark = explain_bias(first.bias_left - second.bias_left, error, first)
    else:
        remark = explain_unknown(first) or explain_unknown(second)
    if alike and not error > SCORE_ROUNDING:
        remark = remark or explain_no_spread(first)
    if remark:
        interval = make_unknown_interval(level, remark)
        return Difference(difference=difference, interval=interval, p_value=math.nan)
    centre = first.estimate - second.estimate
    reach = find_t_quantile(level, n) * error
    (lowest, highest), (least, most) = (bound_interval(jackknife, level) for jackknife in (first, second))
    low, high = cut((centre - reach, centre + reach), lowest - most, highest - least)
    interval = Interval(
        low=low, high=high, confidence=level, standard_error=error, remark=remark_on_few_groups(first)
    )
    p_value = float(2.0 * stdtr(n - 1, -abs(centre) / error))
    return Difference(difference=difference, interval=interval, p_value=p_value)


def find_unseen_variance(jackknife: LeaveOneOut) -> float:
    """Variance that the jackknife does not see: of a simulated mean, in perfect agreement of one object."""
    # that of a group would be far too much, and the other candidate's groups show how much groups differ
    unseen = jackknife.cost**2 if jackknife.perfect and jackknife.what == "objects" else 0.0
    return float(unseen + jackknife.error**2)


def make_difference_of_same(level: float) -> Difference:
    """Difference of a clustering from itself: there is nothing to estimate."""
    return Difference(difference=0.0, interval=make_unknown_interval(level, SAME_CLUSTERING), p_value=1.0)
