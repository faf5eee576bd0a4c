"""Summary of a null distribution: moments, extreme and tied values, and the adjusted score.

A law is given as values with weights, which are probabilities or counts. An index is constant if its values
or their standard deviation do not exceed the `rounding` of the terms of its formula. Only this file has the
formula of the adjusted score and its rule for 0/0, for one index and for many.
"""

import dataclasses
import functools
import math
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import AnyArray, Booleans, Floats, Integers

EPSILON = float(np.finfo(np.float64).eps)
ROUNDING_OF_SUMS = 1e-12  # relative error of a p-value that is the sum of all its probabilities


def bound_rounding(*sizes: Any, constant: bool = False) -> Any:
    """Bound the rounding of differences of such terms: 1,000 units in the last place, elementwise."""
    # For constant indices, two numbers are either equal or differ by far more than 1e-10 of their size or of
    # 1. Zero may then be a difference of entropies with a rounding error.
    size = functools.reduce(np.maximum, map(np.abs, sizes))
    return 1e-10 * np.maximum(size, 1.0) if constant else 1000.0 * EPSILON * size


def bound_tie(observed: float, values: Floats) -> float:
    """Return the largest difference that counts as a tie: 100 roundings of the largest finite number."""
    finite = values[np.isfinite(values)]
    scale = max(abs(observed) if math.isfinite(observed) else 0.0, float(np.abs(finite).max(initial=0.0)))
    return 100.0 * EPSILON * scale


def find_extreme(values: Floats, observed: float, alternative: str) -> Booleans:
    """Find the values at least as extreme as `observed` on the "greater" or "less" side; ties count."""
    slack = bound_tie(observed, values)
    return values >= observed - slack if alternative == "greater" else values <= observed + slack


def sum_probabilities(p: Floats) -> float:
    """Return the sum of probabilities, rounded once; terms below 1e-40 of the largest do not change it."""
    # if numbers have all sizes from 1e-300 on, `math.fsum` takes ten times as long
    return math.fsum(p[p > 1e-40 * p.max(initial=0.0)])


Undefined = Literal["nan", "one", "zero"]  # value that replaces an undefined adjusted score


def compute_adjusted_score(observed: float, best: float, mean: float, *, constant: bool = False) -> float:
    """Return ``(observed - mean) / (best - mean)``; nan if the divisor is rounding, 0 if constant."""
    room = best - mean
    if not abs(room) > bound_rounding(best, mean, constant=constant) or not math.isfinite(best):
        return math.nan
    if constant and abs(observed - mean) <= bound_rounding(observed, mean, constant=True):
        return 0.0
    return (observed - mean) / room


def compute_adjusted_scores(observed: npt.ArrayLike, best: npt.ArrayLike, mean: npt.ArrayLike) -> Any:
    """Return adjusted scores elementwise, by the same rule as `compute_adjusted_score`."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.vectorize(compute_adjusted_score, otypes=[np.float64])(observed, best, mean)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Mean, variance, skewness and excess kurtosis of a law; as in SciPy, a normal law has shape 0, 0."""

    mean: float
    variance: float
    skewness: float
    kurtosis: float
    std: float = field(init=False)

    def __post_init__(self) -> None:
        """Compute the standard deviation."""
        std = math.sqrt(self.variance) if self.variance >= 0 else math.nan
        object.__setattr__(self, "std", std)


UNKNOWN = Moments(mean=math.nan, variance=math.nan, skewness=math.nan, kurtosis=math.nan)
"""Moments that are unknown or undefined."""


class Known(NamedTuple):
    """Moments from the margins alone, with bounds or estimates of the errors of mean and variance."""

    moments: Moments
    error: float
    relative_error_of_variance: float = 0.0


def merge_equal(values: AnyArray, counts: Integers) -> tuple[AnyArray, Integers]:
    """Return the distinct values in ascending order, with summed counts."""
    names = values.dtype.names
    if names:
        order = np.lexsort([values[name] for name in reversed(names)])
    else:
        values = values + 0
        order = np.argsort(values, kind="stable")  # fast if sorted runs follow each other
    values, counts = values[order], counts[order]
    del order
    new = np.zeros(values.size, dtype=np.bool_)
    new[:1] = True
    for column in [values[name] for name in names] if names else [values]:
        new[1:] |= (column[1:] != column[:-1]) & ~(np.isnan(column[1:]) & np.isnan(column[:-1]))
    places = np.flatnonzero(new)
    return values[places], np.add.reduceat(counts, places) if places.size else counts


def compute_sample_moments(values: Floats, counts: Integers) -> Moments:
    """Return moments of a sample of values with counts: unbiased variance, plain ratios for the shape."""
    m = int(counts.sum())
    moments = compute_law_moments(values, counts / max(m, 1))
    unbiased = moments.variance * m / (m - 1) if m > 1 else math.nan
    return dataclasses.replace(moments, variance=unbiased)


def compute_law_moments(values: Floats, weights: Floats) -> Moments:
    """Return moments of a law of distinct values with weights; weights are scaled to sum to 1."""
    if values.size == 0:
        return UNKNOWN
    scale = scale_of(values)
    if scale != 1.0:
        scaled = compute_law_moments(values / scale, weights)
        return dataclasses.replace(scaled, mean=scaled.mean * scale, variance=scaled.variance * scale * scale)
    with np.errstate(invalid="ignore", over="ignore"):
        infinite = values[~np.isfinite(values)]
        if infinite.size:  # whatever the weights, because float64 has no probabilities below 1e-324
            return dataclasses.replace(UNKNOWN, mean=float(infinite.sum()))
        # Two passes. NumPy's pairwise sums depend only on the arrays; BLAS products may also depend on
        # threads.
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
    if values.size == 1 or second == 0.0:
        mean = float(values[0]) if values.size == 1 else mean
        return Moments(mean=mean, variance=0.0, skewness=math.nan, kurtosis=math.nan)
    # powers of a small variance underflow, so divide by the standard deviation step by step
    std = math.sqrt(second)
    return Moments(
        mean=mean, variance=second, skewness=third / second / std, kurtosis=fourth / second / second - 3.0
    )


def scale_of(values: Floats) -> float:
    """Return 1, or a power of two by which to divide values whose fourth powers exceed float64's range."""
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max(initial=0.0))
    if largest == 0.0 or 1e-60 < largest < 1e60:
        return 1.0
    return math.ldexp(1.0, min(max(math.frexp(largest)[1], -1000), 1000))


def score_index(
    index: Any, observed: float, best: float, mean: float, *, constant: bool = False,
    exactly: float | None = None,
) -> float:  # fmt: skip
    """Return the adjusted score; nan if the margins fix the index, or chance beats the data's best value.

    A score known `exactly` is returned unchanged if the index is defined and not `constant`. If the best
    value depends on the clusterings, a larger mean would give the score the wrong sign: it is nan.
    """
    if exactly is not None and not constant and math.isfinite(observed - mean):
        return exactly
    if index.constant or (index.best is None and best < mean):
        return math.nan
    return compute_adjusted_score(observed, best, mean, constant=constant)


def fill_undefined(adjusted: float, undefined: Undefined, *, is_same: bool) -> float:
    """Return `adjusted`, or for nan the value of `undefined`: "one" gives 0 for different clusterings."""
    if not math.isnan(adjusted) or undefined == "nan":
        return adjusted
    return 1.0 if undefined == "one" and is_same else 0.0


UNITS_IN_THE_LAST_PLACE = 16.0  # rounding by which equal values of an index may differ between tables


def merge_rounded_values(values: Floats, probabilities: Floats) -> tuple[Floats, Floats]:
    """Merge values that differ only by rounding into the likeliest one, and add their probabilities."""
    order = np.argsort(values, kind="stable")
    values, probabilities = values[order], probabilities[order]
    finite = np.isfinite(values)
    slack = UNITS_IN_THE_LAST_PLACE * EPSILON * float(np.abs(values[finite]).max(initial=0.0))
    with np.errstate(invalid="ignore"):  # inf - inf
        new = np.append(True, ~(np.diff(values) <= slack) & (values[1:] != values[:-1]))[: values.size]
    starts = np.flatnonzero(new)
    if starts.size == values.size:
        return values, probabilities
    group = np.cumsum(new) - 1
    likeliest = np.lexsort((-probabilities, group))[starts]
    return values[likeliest], np.add.reduceat(probabilities, starts)
