"""Mean, variance and shape of a law, from its values with weights."""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from chancecorr.machine.arrays import Floats, Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Mean, variance, skewness and excess kurtosis of a law; the last two as in SciPy, 0 for a normal law."""

    mean: float
    variance: float
    skewness: float
    kurtosis: float

    @property
    def std(self) -> float:
        """Standard deviation."""
        return math.sqrt(self.variance) if self.variance >= 0 else math.nan


UNKNOWN = Moments(mean=math.nan, variance=math.nan, skewness=math.nan, kurtosis=math.nan)
"""Moments of which nothing is known, or that are undefined."""


def sample_moments(values: Floats, counts: Integers) -> Moments:
    """Moments of a sample, as values with counts: the unbiased variance, and plain ratios for the shape."""
    m = int(counts.sum())
    moments = law_moments(values, counts / max(m, 1))
    unbiased = moments.variance * m / (m - 1) if m > 1 else math.nan
    return dataclasses.replace(moments, variance=unbiased)


def law_moments(values: Floats, weights: Floats) -> Moments:
    """Moments of a law, given as distinct values with weights; the weights are made to sum to 1."""
    if values.size == 0:
        return UNKNOWN
    scale = scale_of(values)
    if scale != 1.0:
        found = law_moments(values / scale, weights)
        return dataclasses.replace(found, mean=found.mean * scale, variance=found.variance * scale * scale)
    with np.errstate(invalid="ignore", over="ignore"):
        infinite = values[~np.isfinite(values)]
        if infinite.size:  # not by the weights: float64 holds none below 1e-324
            return dataclasses.replace(UNKNOWN, mean=float(infinite.sum()))
        # Two passes; NumPy's pairwise sums depend on the arrays alone, not on threads as BLAS products may.
        weights = weights / weights.sum()
        first = float((weights * values).sum())
        if not math.isfinite(first):
            return dataclasses.replace(UNKNOWN, mean=first)
        deviations = values - first
        shift = float((weights * deviations).sum())
        mean = first + shift
        deviations = deviations - shift
        squares = deviations * deviations
        weighted = weights * squares
        second = float(weighted.sum())
        third, fourth = float((weighted * deviations).sum()), float((weighted * squares).sum())
    if values.size == 1:
        return Moments(mean=float(values[0]), variance=0.0, skewness=math.nan, kurtosis=math.nan)
    if second == 0.0:
        return Moments(mean=mean, variance=0.0, skewness=math.nan, kurtosis=math.nan)
    std = math.sqrt(second)  # powers of a small variance underflow: divided by step by step
    return Moments(
        mean=mean, variance=second, skewness=third / second / std, kurtosis=fourth / second / second - 3.0
    )


def scale_of(values: Floats) -> float:
    """1, or a power of two to divide values by whose fourth powers float64 does not hold."""
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max(initial=0.0))
    if largest == 0.0 or 1e-60 < largest < 1e60:
        return 1.0
    return math.ldexp(1.0, min(max(math.frexp(largest)[1], -1000), 1000))
