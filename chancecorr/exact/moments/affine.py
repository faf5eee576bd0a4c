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
from chancecorr.tables.pair_sum import PairSumMoments


def affine_moments(index: Index, margins: Margins, moments: PairSumMoments) -> Moments:
    """Exact mean, variance and shape of an L index, rounded once; nan where it is 0/0 for these margins."""
    # where T can be: further out, pair counts of a billion objects cancel in the index itself
    lowest, highest = pair_sum_range(margins)
    halfway = Fraction(lowest + highest, 2)
    with calling(index, "pair counts at the mean of T, or at its ends"):
        found = values_at(index, margins, (moments.mean, lowest, halfway, highest))
    mean, at_lowest, at_halfway, at_highest = found.tolist()
    if highest == lowest or moments.variance == 0 or math.isnan(mean):
        variance = math.nan if math.isnan(mean) else 0.0
        return Moments(mean=mean, variance=variance, skewness=math.nan, kurtosis=math.nan)
    apart = abs(at_halfway - (at_lowest + at_highest) / 2)
    # beyond a million objects what looks like a curve may be the rounding of pair counts
    if margins.n < 1_000_000 and not apart <= 1e-9 * max(abs(at_lowest), abs(at_highest)):
        raise ValueError(
            f"`affine` must be False for index {index.name!r}: for these margins it is {at_lowest:.6g},"
            f" {at_halfway:.6g} and {at_highest:.6g} at equally spaced T."
        )
    slope = (at_highest - at_lowest) / (highest - lowest)
    return Moments(
        mean=mean,
        variance=(slope * moments.std) ** 2,
        skewness=math.copysign(1.0, slope) * moments.skewness,
        kurtosis=moments.kurtosis,
    )
