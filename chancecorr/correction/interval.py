"""Compute confidence intervals for the adjusted score of the population, by the jackknife."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chancecorr.correction.jackknife import SCORE_ROUNDING, LeaveOneOut, compute_jackknife_variance
from chancecorr.machine.arguments import ArgumentValueError, as_level, as_number, explain_call
from chancecorr.machine.arrays import Integers
from chancecorr.machine.printing import format_rounded

MIN_OBJECTS = 10  # with fewer objects no interval is given; with 5 it usually covered the whole range
MIN_GROUPS = 10  # with fewer groups a remark says that the level is approximate
MAX_BIAS_LEFT = 0.5  # uncorrected bias in standard errors: a 95 % interval then still covers 92 %


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Interval:
    """Confidence interval for a score in the population from which the objects are a sample.

    Attributes
    ----------
    low, high : float
        Limits of the interval; nan if they are unknown (`remark` says why).
    confidence : float
        Level of the interval, in (0, 1).
    standard_error : float
        Standard error of the estimate.
    remark : str
        Remark on this interval; usually empty.
    n_units : int or None
        Number of objects, groups, raters or runs that were removed one at a time; None without limits.
    units : {"objects", "groups", "raters", "runs"}
        Units that were removed one at a time; they are a sample from a population.
    """

    low: float
    high: float
    confidence: float
    standard_error: float
    remark: str = ""
    n_units: int | None = None
    units: Literal["objects", "groups", "raters", "runs"] = "objects"

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __repr__(self) -> str:
        ends = (format_rounded(end, self.standard_error, undefined="nan") for end in (self.low, self.high))
        remark = f", remark={self.remark!r}" if self.remark else ""
        return f"Interval({', '.join(ends)}, confidence={self.confidence:g}{remark})"


def make_interval(jackknife: LeaveOneOut, level: float) -> Interval:
    """Return the interval for the adjusted score of an infinite sample, by the jackknife.

    The interval is built around an estimate from which known biases are subtracted, see `leave_one_out`. If
    the bias that remains may exceed `MAX_BIAS_LEFT` standard errors, no interval is given. Near 1 and near 0
    the limits come from distributions that are not normal; v is the jackknife variance:

    - The loss ``y = 1 - score`` is a sum of the costs of single objects, and the objects that cost something
      may be few. Its distribution is approximated by a gamma distribution with mean y and variance v; the
      upper limit of y uses one more costly object. This is the interval of Fay & Feuer (1997), Statistics in
      Medicine 16, 791-801, for a weighted sum of Poisson counts. The costliest object may be of a kind that
      is not in the sample. In perfect agreement the variance is 0, and only this additional cost remains for
      the lower limit of the score, a rule of three: ``-log(1 - level)`` disagreeing objects of this cost.
    - Near 0 the score behaves like a sum of squares, whose variance grows with the score x of the population.
      At x = 0 it is v0, the variance of the null distribution; at a small x it is at least
      ``v0 + x sqrt(8 v0 / d)`` with ``d = (K - 1) (Q - 1)``, as for d squares of equal variances. The upper
      limit of the score is the largest x whose distance to the estimate is at most the quantile times this
      standard deviation. An index that compares labels by name is linear in the counts: its variance at a
      small x is taken as at least v0.

    If groups are left out instead of objects, the groups are the independent draws, and the interval uses
    Student's t. The loss of a group has a skewed distribution, but its square root is much less skewed: the
    lower limit is computed on the square root scale.

    An interval never extends below the lowest score that the cluster sizes allow, see `bound_interval`. With
    few objects no interval is given. `experiments/coverage` measures the coverage of the intervals.
    """
    remark = explain_unknown(jackknife)
    if remark:
        return make_unknown_interval(level, remark)
    spread = jackknife.variance
    above_least = (
        jackknife.grouped or jackknife.whole - jackknife.least > SCORE_ROUNDING
    )  # otherwise the lower limit is known
    if not jackknife.perfect and spread <= SCORE_ROUNDING**2 and above_least:
        return make_unknown_interval(level, explain_no_spread(jackknife))
    variance = spread + jackknife.error**2
    least, most = bound_interval(jackknife, level)
    low, high = cut(_find_ends(jackknife, variance, level), least, most)
    if jackknife.perfect:
        remark = "perfect agreement; lower limit by the rule of three"
    elif of_groups := remark_on_few_groups(jackknife):
        remark = of_groups
    elif least < jackknife.least - SCORE_ROUNDING and low < jackknife.least - SCORE_ROUNDING:
        remark = "near the lowest score for these cluster sizes; the lower limit allows for other sizes"
    elif not low - SCORE_ROUNDING <= jackknife.whole <= high + SCORE_ROUNDING:
        side = "below" if jackknife.whole < low else "above"
        bias = f"{jackknife.whole - jackknife.estimate:+.2g}"
        remark = f"the observed score is {side} it: in samples of this size its bias is about {bias}"
    return Interval(
        low=low, high=high, confidence=level, standard_error=math.sqrt(variance), remark=remark,
        n_units=jackknife.draws, units=jackknife.what,
    )  # fmt: skip


def _find_ends(jackknife: LeaveOneOut, variance: float, level: float) -> tuple[float, float]:
    """Return the limits around an estimate with this variance, as `make_interval` explains."""
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

        # gamma distribution of the loss; for the lower limit of the score, with one more costly object
        tail, more, of_more = 0.5 - level / 2.0, lost + cost, variance + cost**2
        low = 1.0 - float(of_more / more * gammaincinv(more**2 / of_more, 1.0 - tail))
        high = 1.0 - float(variance / lost * gammaincinv(lost**2 / variance, tail))
    return low, max(high, _find_end_above(1.0 - lost, jackknife, most))


def bound_interval(jackknife: LeaveOneOut, level: float) -> tuple[float, float]:
    """Return the lowest and the highest score that an interval may contain.

    The highest score is 1, the lowest is the lowest score that the cluster sizes of the sample allow. But the
    population has other sizes. If the sample scores about as low as possible, the interval extends further
    below by the sampling error of the lowest score, less the amount by which the lowest score of many objects
    is higher.
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
    """Return the limits of an interval, cut to the possible scores."""
    low, high = ends
    return min(max(low, least), greatest), max(min(high, greatest), least)


def remark_on_few_groups(jackknife: LeaveOneOut) -> str:
    """Return a remark on an interval from few groups, or few raters; otherwise empty."""
    few = jackknife.what != "objects" and jackknife.draws < MIN_GROUPS
    return f"only {jackknife.draws} {jackknife.what}, so that the level is approximate" if few else ""


def _find_end_above(estimate: float, jackknife: LeaveOneOut, most: float) -> float:
    """Return the largest score x within `most` standard deviations (under x) of the estimate."""
    d, v = jackknife.squares, jackknife.null_variance
    if not (v > 0.0 and d > 0 and estimate < 1.0):
        return estimate
    slope = math.sqrt(8.0 * v / d)
    # the variance is 0 at 1, and its root is concave: exactly one such x is between the estimate and 1
    inside, outside = estimate, 1.0
    for _ in range(60):
        x = (inside + outside) / 2.0
        std = math.sqrt(v + slope * max(x, 0.0)) * (1.0 - x)
        inside, outside = (x, outside) if x - estimate <= most * std else (inside, x)
    return inside


def find_t_quantile(level: float, n: int) -> float:
    """Return the two-sided quantile of Student's t for this level, with ``n - 1`` degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, 0.5 + level / 2.0))


@explain_call
def plan(interval: Interval, width: float) -> int:
    """Return how many objects an interval of a given width takes, by the interval of a pilot study.

    Parameters
    ----------
    interval : Interval
        Of a score, as ``score.interval()``; of a difference, as
        ``comparison.difference("a", "b").interval``; or of raters. With groups, the number of groups is
        planned, and with `interval_over_raters` the number of raters.
    width : float
        Wanted distance of the two limits, above 0, at the level of the pilot's interval.

    Returns
    -------
    int
        Number of objects, groups, raters or runs such as in the pilot study.

    Raises
    ------
    ValueError
        If the pilot's interval is unknown, or its standard error is 0.

    Notes
    -----
    The standard error falls with the square root of the number of objects. The width is ``2 t`` standard
    errors, with the quantile t of Student's distribution. The standard error of a pilot study of n objects
    has itself a relative error of about ``1 / sqrt(2 n)``, and twice as much in the planned number.

    Examples
    --------
    >>> import chancecorr
    >>> gold, judge = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2] * 4, [0, 0, 1, 1, 1, 1, 2, 2, 2, 0] * 4
    >>> pilot = chancecorr.adjust(gold, judge, "cohen_kappa").interval()
    >>> round(plan(pilot, width=0.05) / plan(pilot, width=0.1), 1)
    4.0
    """
    if not 0.0 < (width := as_number("width", width)) < math.inf:
        raise ArgumentValueError("width", f"must be above 0; got {width!r}.")
    if not interval.n_units or not interval.standard_error > 0.0:
        rule = f"must have limits and a standard error above 0; got {interval!r}"
        raise ArgumentValueError("interval", f"{rule}. Try a larger pilot study.")
    needed = 2
    for _ in range(100):  # the quantile depends on the number: it converges within a few steps
        reach = find_t_quantile(interval.confidence, needed) * interval.standard_error
        needed, before = max(2, math.ceil(interval.n_units * (2.0 * reach / width) ** 2)), needed
        if needed == before:
            break
    return needed


def make_unknown_interval(level: float, remark: str) -> Interval:
    """Return an interval with nan as limits; the remark says why."""
    return Interval(low=math.nan, high=math.nan, confidence=level, standard_error=math.nan, remark=remark)


def explain_unknown(jackknife: LeaveOneOut) -> str:
    """Return the reason why the jackknife gives no interval; empty if it gives one."""
    if not math.isfinite(jackknife.whole):
        return "there is no adjusted score"
    if jackknife.null_variance == 0.0 and abs(jackknife.whole) <= SCORE_ROUNDING:
        return "every table with these cluster sizes has the same value"
    if not jackknife.draws:
        return "no object is left"
    if jackknife.what == "objects" and jackknife.draws < MIN_OBJECTS:
        return f"too few objects: {jackknife.draws}, and an interval needs {MIN_OBJECTS}"
    missing = int(jackknife.counts[~np.isfinite(jackknife.without)].sum())
    if missing:
        of_all = f"{missing} of the {jackknife.draws} {jackknife.what}"
        return f"{of_all} cannot be removed: the adjusted score would be undefined"
    if jackknife.bias_left and not jackknife.perfect:
        error = math.sqrt(jackknife.variance + jackknife.error**2)
        return explain_bias(jackknife.bias_left, error, jackknife)
    return ""


def explain_bias(bias_left: float, error: float, jackknife: LeaveOneOut) -> str:
    """Return the reason why the remaining bias prevents an interval; empty if it does not."""
    if abs(bias_left) <= MAX_BIAS_LEFT * error:
        return ""
    remark = "in samples of this size the bias of the score is uncertain"
    times = abs(bias_left) / error if error > 0.0 else math.inf
    if math.isfinite(times):  # the bias falls as the number of objects grows, and the error as its root
        enough = float(f"{jackknife.draws * (times / MAX_BIAS_LEFT) ** 2:.1g}")
        remark += f" ({times:.2g} standard errors; {MAX_BIAS_LEFT:g} allowed);"
        remark += f" about {enough:,.0f} {jackknife.what} may be enough"
    return f"{remark}; 'rand' has no such bias"


def explain_no_spread(jackknife: LeaveOneOut) -> str:
    """Return a remark on a score or a difference whose jackknife values are all equal."""
    return f"it is the same without any one of the {jackknife.what}, so that its variance is not known"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Difference:
    """Difference of two candidates' adjusted scores, on the same objects and with the same reference.

    Attributes
    ----------
    difference : float
        Difference of the observed scores.
    interval : Interval
        Interval for the difference in the population.
    p_value : float
        Two-sided p-value for the null hypothesis that the difference in the population is 0; nan if unknown.
        1 for two equal clusterings, without an interval.
    is_same : bool
        True if the candidates are the same clustering, up to the names of clusters.
    """

    difference: float
    interval: Interval
    p_value: float
    is_same: bool = False

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
    """Return the difference of two adjusted scores, by the jackknife over the objects that both share.

    Each non-empty cell of the three-way table (reference, first and second candidate) has one entry in each
    array: the positions of its cells in `first` and in `second`, and its number of objects in `counts`. The
    interval uses Student's t and is symmetric about the difference of the two estimates.
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
        low=low, high=high, confidence=level, standard_error=error, remark=remark_on_few_groups(first),
        n_units=n, units=first.what,
    )  # fmt: skip
    p_value = float(2.0 * stdtr(n - 1, -abs(centre) / error))
    return Difference(difference=difference, interval=interval, p_value=p_value)


def find_unseen_variance(jackknife: LeaveOneOut) -> float:
    """Return the variance that the jackknife misses: of a simulated mean; of one object if perfect."""
    # a whole group would be far too much, and the other candidate's groups show how much groups differ
    unseen = jackknife.cost**2 if jackknife.perfect and jackknife.what == "objects" else 0.0
    return float(unseen + jackknife.error**2)


def make_difference_of_same(level: float) -> Difference:
    """Return the difference of a clustering from itself: 0, without an interval."""
    unknown = make_unknown_interval(level, "the same clustering")
    return Difference(difference=0.0, interval=unknown, p_value=1.0, is_same=True)
