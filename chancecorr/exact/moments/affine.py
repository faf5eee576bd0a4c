"""Closed-form moments of the L family: pair-counting indices that are affine in ``T = sum n_ij**2``.

With the margins fixed such an index is ``alpha + beta T`` (Albatineh, Niewiadomska-Bugaj & Mihalko 2006,
doi:10.1007/s00357-006-0017-z), so its moments follow from those of T: the mean is the index at the expected
pair counts, the variance ``beta**2 Var T``, and the shape is that of T, mirrored when beta < 0.
"""

import math
from fractions import Fraction

from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.moments.smoothness import values_at
from chancecorr.exact.moments.summary import Moments
from chancecorr.indices.calling import calling
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import PairSumMoments, pair_sum_mean


def affine_mean(index: Index, margins: Margins) -> float:
    """Exact mean of an L index alone, rounded once; nan where it is 0/0 for these margins."""
    return _mean_and_slope(index, margins, pair_sum_mean(margins))[0]


def affine_moments(index: Index, margins: Margins, moments: PairSumMoments) -> Moments:
    """Exact mean, variance and shape of an L index, rounded once; nan where it is 0/0 for these margins."""
    mean, slope = _mean_and_slope(index, margins, moments.mean)
    if moments.variance == 0 or math.isnan(slope):
        variance = math.nan if math.isnan(mean) else 0.0
        return Moments(mean=mean, variance=variance, skewness=math.nan, kurtosis=math.nan)
    return Moments(
        mean=mean,
        variance=(slope * moments.std) ** 2,
        skewness=math.copysign(1.0, slope) * moments.skewness,
        kurtosis=moments.kurtosis,
    )


def _mean_and_slope(index: Index, margins: Margins, mean: Fraction) -> tuple[float, float]:
    """The index at the mean of T, and what a step of T adds to it; nan if T is constant or the index 0/0."""
    # where T can be: further out, pair counts of a billion objects cancel in the index itself
    lowest, highest = pair_sum_range(margins)
    halfway = Fraction(lowest + highest, 2)
    with calling(index, "pair counts at the mean of T, or at its ends"):
        found = values_at(index, margins, (mean, lowest, halfway, highest))
    at_mean, at_lowest, at_halfway, at_highest = found.tolist()
    if highest == lowest or math.isnan(at_mean):
        return at_mean, math.nan
    apart = abs(at_halfway - (at_lowest + at_highest) / 2)
    # beyond a million objects what looks like a curve may be the rounding of pair counts
    if margins.n < 1_000_000 and not apart <= 1e-9 * max(abs(at_lowest), abs(at_highest)):
        raise ValueError(
            f"`affine` must be False for index {index.name!r}: for these margins it is {at_lowest:.6g},"
            f" {at_halfway:.6g} and {at_highest:.6g} at equally spaced T."
        )
    return at_mean, (at_highest - at_lowest) / (highest - lowest)
