"""A value set against what chance gives and what is best: the formula of every adjusted score."""

import math

from chancecorr.exact.laws.ties import EPSILON
from chancecorr.indices.registry import Index


def set_against(index: Index, observed: float, best: float, mean: float, constant: bool) -> float:
    """``(observed - mean) / (best - mean)``; nan where the divisor is made of rounding, or not finite."""
    room = best - mean
    if index.constant or not abs(room) > rounding(best, mean, constant=constant) or not math.isfinite(best):
        return math.nan
    return (observed - mean) / room


def rounding(*values: float, constant: bool = False) -> float:
    """What differences of these numbers may be made of by rounding.

    1,000 units in the last place. Where an index is constant, the numbers are either the same, or apart by
    far more than 1e-10 of their size or of 1: what is 0 may then be a difference of entropies.
    """
    size = max(map(abs, values))
    return 1e-10 * max(size, 1.0) if constant else 1000.0 * EPSILON * size
