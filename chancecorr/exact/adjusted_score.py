"""The adjusted score, of one index or of many: the only place where its formula and its rule of 0/0 stand."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.exact.laws.ties import rounding


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
