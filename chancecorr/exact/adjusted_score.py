"""The adjusted score, of one index or of many: the only place where its formula and its rule of 0/0 stand."""

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.exact.laws.ties import rounding

Undefined = Literal["nan", "one", "zero"]
"""Value in place of an adjusted score that is not defined."""


def compute_adjusted_score(observed: float, best: float, mean: float, *, constant: bool = False) -> float:
    """``(observed - mean) / (best - mean)``: nan where the divisor is rounding, 0 if it is constant."""
    room = best - mean
    if not abs(room) > rounding(best, mean, constant=constant) or not math.isfinite(best):
        return math.nan
    if constant and abs(observed - mean) <= rounding(observed, mean, constant=True):
        return 0.0
    return (observed - mean) / room


def compute_adjusted_scores(observed: npt.ArrayLike, best: npt.ArrayLike, mean: npt.ArrayLike) -> Any:
    """Adjusted scores elementwise, by the same rule."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.vectorize(compute_adjusted_score, otypes=[np.float64])(observed, best, mean)


def score_index(
    index: Any,
    observed: float,
    best: float,
    mean: float,
    *,
    constant: bool = False,
    exactly: float | None = None,
) -> float:
    """Adjusted score of an index; nan if the cluster sizes give it, or chance beats a best value of theirs.

    A score that is known `exactly` is taken as it is, unless the index is undefined or `constant`. If the
    best value depends on the clusterings, a larger mean would make the sign wrong; models in which sizes vary
    have tables with more clusters.
    """
    if exactly is not None and not constant and math.isfinite(observed - mean):
        return exactly
    if index.constant or (index.best is None and best < mean):
        return math.nan
    return compute_adjusted_score(observed, best, mean, constant=constant)


def fill_undefined(adjusted: float, undefined: Undefined, *, is_same: bool) -> float:
    """An adjusted score or, for nan, its stand-in: "one" is 0 unless the two clusterings are the same."""
    if not math.isnan(adjusted) or undefined == "nan":
        return adjusted
    return 1.0 if undefined == "one" and is_same else 0.0
