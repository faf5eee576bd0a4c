"""Ranks of candidates, and p-values of many tests corrected for their number."""

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from chancecorr.comparison.shared import Evaluation
from chancecorr.machine.arrays import Floats


def ranks(adjusted: Sequence[float]) -> list[int | None]:
    """Rank of each adjusted score, 1 for the largest; equal ones share the smaller number, nan have none."""
    scores = np.array(adjusted)
    return [None if math.isnan(score) else 1 + int((scores > score).sum()) for score in adjusted]


def p_values_against_best(found: Sequence[Evaluation], index: str, best: int, level: float) -> Floats:
    """P-value of each candidate's difference to that at place `best`, corrected by Holm.

    nan for the best itself, and if there is no test because a score is undefined; these do not count for the
    correction.
    """
    p_values = [
        math.nan
        if k == best or math.isnan(each.scores[index].adjusted)
        else found[best].difference(each, index, level).p_value
        for k, each in enumerate(found)
    ]
    return holm(p_values)


def holm(p_values: npt.ArrayLike) -> Floats:
    """P-values corrected so that one false rejection or more has at most the probability of the level.

    The k-th smallest of m, k from 1, is multiplied by ``m - k + 1``, and none is left below a smaller one's;
    nan do not count as tests. Valid however the tests depend on each other: Holm (1979),
    https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(12).tolist()
    [0.03, 0.06, 0.06]
    """
    return _stepwise(p_values, lambda p, m: np.maximum.accumulate(p * np.arange(m, 0, -1)))


def benjamini_hochberg(p_values: npt.ArrayLike) -> Floats:
    """P-values corrected so that a share of the rejections of at most the level is expected to be false.

    The k-th smallest of m, k from 1, is multiplied by ``m / k``, and none is left above a larger one's; nan
    do not count as tests. Valid for independent tests and for tests that depend on each other positively:
    Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x; Benjamini & Yekutieli (2001),
    doi:10.1214/aos/1013699998.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(12).tolist()
    [0.03, 0.04, 0.04]
    """
    return _stepwise(p_values, lambda p, m: np.minimum.accumulate((p * m / np.arange(1, m + 1))[::-1])[::-1])


def uncorrected(p_values: npt.ArrayLike) -> Floats:
    """P-values as they are."""
    return np.array(p_values, dtype=np.float64)


CORRECTIONS: Mapping[str | None, Callable[[npt.ArrayLike], Floats]] = MappingProxyType(
    {"holm": holm, "fdr_bh": benjamini_hochberg, None: uncorrected}
)
"""By the names that they have in statsmodels."""


def _stepwise(p_values: npt.ArrayLike, corrected_in_order: Callable[[Floats, int], Floats]) -> Floats:
    """Correct the p-values that are not nan, in ascending order, and put each back in its place."""
    found = np.array(p_values, dtype=np.float64)
    order = np.argsort(found, kind="stable")
    order = order[: int((~np.isnan(found)).sum())]  # nan come last
    found[order] = np.minimum(corrected_in_order(found[order], order.size), 1.0)
    return found
