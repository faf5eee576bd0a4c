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
    """P-value of each candidate's difference to the best, corrected by Holm; nan where there is no test."""
    p_values = [
        math.nan
        if k == best or math.isnan(each.scores[index].adjusted)
        else found[best].difference(each, index, level).p_value
        for k, each in enumerate(found)
    ]
    return holm(p_values)


def holm(p_values: npt.ArrayLike) -> Floats:
    """P-values by Holm (1979), https://www.jstor.org/stable/4615733: one false rejection is improbable."""
    return _stepwise(p_values, lambda p, m: np.maximum.accumulate(p * np.arange(m, 0, -1)))


def benjamini_hochberg(p_values: npt.ArrayLike) -> Floats:
    """P-values by Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x: few are false."""
    return _stepwise(p_values, lambda p, m: np.minimum.accumulate((p * m / np.arange(1, m + 1))[::-1])[::-1])


CORRECTIONS: Mapping[str | None, Callable[[npt.ArrayLike], Floats]] = MappingProxyType(
    {"holm": holm, "fdr_bh": benjamini_hochberg, None: lambda p_values: np.array(p_values, dtype=np.float64)}
)
"""By the names that they have in statsmodels."""


def _stepwise(p_values: npt.ArrayLike, corrected_in_order: Callable[[Floats, int], Floats]) -> Floats:
    """Correct the p-values that are not nan, in ascending order, and put each back in its place."""
    found = np.array(p_values, dtype=np.float64)
    order = np.argsort(found, kind="stable")
    order = order[: int((~np.isnan(found)).sum())]  # nan come last
    found[order] = np.minimum(corrected_in_order(found[order], order.size), 1.0)
    return found
