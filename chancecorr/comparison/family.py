"""Ranks of candidates, and p-values of many tests corrected for their number."""

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from chancecorr.comparison.shared import Evaluation
from chancecorr.correction.interval import added_variance
from chancecorr.machine.arrays import Floats
from chancecorr.null.seeding import make_generator

MOST_DRAWS, FEWEST_DRAWS, MOST_NUMBERS = 10_000, 1_000, 100_000_000
"""Simulated sets of scores for the largest of their differences, and numbers compared in all of them."""

OBJECTS_AT_A_TIME = 100_000
"""Objects whose parts in all scores are held together."""

MANY_DEGREES = 100
"""Degrees of freedom from which standard errors are taken for known."""

SAME_SCORES = 1e-12
"""Variance of a difference, as a share of those of the two scores, below which it is rounding."""


def ranks(adjusted: Sequence[float]) -> list[int | None]:
    """Rank of each adjusted score, 1 for the largest; equal ones share the smaller number, nan have none."""
    scores = np.array(adjusted)
    return [None if math.isnan(score) else 1 + int((scores > score).sum()) for score in adjusted]


def p_values_against_best(evaluations: Sequence[Evaluation], index: str, best: int, level: float) -> Floats:
    """P-value of each candidate's difference to the best, for all at once; nan where there is no test."""
    from scipy.special import stdtrit

    p_values = np.full(len(evaluations), math.nan)
    tested, statistics = [best], [0.0]
    draws = evaluations[best].without_one[index].draws
    for k, each in enumerate(evaluations):
        if k == best or math.isnan(each.scores[index].adjusted):
            continue
        difference = evaluations[best].difference(each, index, level)
        if not math.isnan(difference.p_value):
            n = evaluations[best].draws_in_common(each) - 1
            p = 1.0 if difference.interval.high < 0.0 else difference.p_value  # better, but for its bias
            tested.append(k)
            statistics.append(-float(stdtrit(n, p / 2.0)))
            draws = min(draws, n + 1)
    if len(tested) > 1:
        covariance = _covariance([evaluations[k] for k in tested], index)
        p_values[tested[1:]] = p_values_of_gaps(statistics, covariance, draws - 1)[1:]
    return p_values


def p_values_of_gaps(statistics: Sequence[float], covariance: Floats, degrees: int) -> Floats:
    """P-values of the gaps between the best of several scores, the first, and each of them, for all at once.

    The best was picked in the same data. If several are equally good, none of them is significantly worse
    with probability 1 - level: a gap is set against the largest difference, in standard errors, of any two of
    the scores (Tukey's range). Its distribution is simulated from their covariance, with the same draws each
    time; of few groups the standard errors vary with the draws, for each two scores on their own. After those
    that are significantly worse, the next gap is set against the range of the others, as in Westfall & Young
    (1993). A p-value is at most that of Bonferroni over all pairs, which also holds below what so many draws
    can tell.
    """
    from scipy.special import stdtr

    m = len(statistics)
    n_parts = degrees if degrees < MANY_DEGREES else 0
    n_draws = min(max(MOST_NUMBERS // (m**2 * max(n_parts, 1)), FEWEST_DRAWS), MOST_DRAWS)
    values, vectors = np.linalg.eigh(covariance)
    roots = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, values > SAME_SCORES * values.max(initial=0.0)]
    normal = make_generator(0).standard_normal((n_draws, 1 + n_parts, roots.shape[1]))
    order = np.append(0, 1 + np.argsort(statistics[1:], kind="stable"))  # the best, then the nearest ones
    largest, p_values = np.zeros(n_draws), np.ones(m)
    for k, new in enumerate(order[1:], start=1):
        p_values[new] = min(k * (k + 1) * float(stdtr(degrees, -statistics[new])), 1.0)  # of all pairs
        if p_values[new] * n_draws < 1.0:
            continue
        between = roots[order[:k]] - roots[new]
        squares = (between**2).sum(axis=1)
        between = between[squares > SAME_SCORES * (roots[new] ** 2).sum()]
        apart, *parts = np.moveaxis(normal @ between.T, 1, 0) ** 2  # of the scores, and of their errors
        apart = np.sqrt(apart / (np.mean(parts, axis=0) if n_parts else (between**2).sum(axis=1)))
        largest = np.maximum(largest, apart.max(axis=1, initial=0.0))
        if k > 1:  # of one pair, that of Student's t is exact
            reached = (1 + np.count_nonzero(largest >= statistics[new])) / (n_draws + 1)
            p_values[new] = min(p_values[new], reached)
    p_values[order[::-1]] = np.maximum.accumulate(p_values[order[::-1]])
    return p_values


def _covariance(evaluations: Sequence[Evaluation], index: str) -> Floats:
    """Covariance of scores by the jackknife over the objects, or groups, that they share."""
    covariance = np.diag([added_variance(each.without_one[index]) for each in evaluations])
    for start in range(0, evaluations[0].cells.size, OBJECTS_AT_A_TIME):
        parts = np.array(
            [each.influences(index, slice(start, start + OBJECTS_AT_A_TIME)) for each in evaluations]
        )
        covariance += parts @ parts.T
        if evaluations[0].groups is not None:
            break
    return covariance


def holm(p_values: npt.ArrayLike) -> Floats:
    """P-values by Holm (1979), https://www.jstor.org/stable/4615733: one false rejection is improbable."""
    return _stepwise(p_values, lambda p, m: np.maximum.accumulate(p * np.arange(m, 0, -1)))


def benjamini_hochberg(p_values: npt.ArrayLike) -> Floats:
    """P-values by Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x: few are false."""
    return _stepwise(p_values, lambda p, m: np.minimum.accumulate((p * m / np.arange(1, m + 1))[::-1])[::-1])


LOGARITHMS: Mapping[str | None, Callable[[npt.ArrayLike], Floats]] = MappingProxyType(
    {
        "holm": lambda logs: _stepwise(
            logs, lambda x, m: np.maximum.accumulate(x + np.log(np.arange(m, 0, -1))), 0.0
        ),
        "fdr_bh": lambda logs: _stepwise(
            logs,
            lambda x, m: np.minimum.accumulate((x - np.log(np.arange(1, m + 1) / m))[::-1])[::-1],
            0.0,
        ),
        None: lambda logs: np.array(logs, dtype=np.float64),
    }
)
"""The same corrections of logarithms of p-values, which are finite where a p-value is below all floats."""


CORRECTIONS: Mapping[str | None, Callable[[npt.ArrayLike], Floats]] = MappingProxyType(
    {"holm": holm, "fdr_bh": benjamini_hochberg, None: lambda p_values: np.array(p_values, dtype=np.float64)}
)
"""By the names that they have in statsmodels."""


def _stepwise(
    p_values: npt.ArrayLike, corrected_in_order: Callable[[Floats, int], Floats], largest: float = 1.0
) -> Floats:
    """Correct the p-values that are not nan, in ascending order, and put each back in its place."""
    found = np.array(p_values, dtype=np.float64)
    order = np.argsort(found, kind="stable")
    order = order[: int((~np.isnan(found)).sum())]  # nan come last
    found[order] = np.minimum(corrected_in_order(found[order], order.size), largest)
    return found
