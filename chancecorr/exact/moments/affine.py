"""Closed-form moments of the L family: pair-counting indices that are affine in ``T = sum n_ij**2``.

With the margins fixed such an index is ``alpha + beta T`` (Albatineh, Niewiadomska-Bugaj & Mihalko 2006,
doi:10.1007/s00357-006-0017-z), so its moments follow from those of T: the mean is the index at the expected
pair counts, the variance ``beta**2 Var T``, and the shape is that of T, mirrored when beta < 0.
"""

import math
from fractions import Fraction

import numpy as np

from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.moments.smoothness import pair_counts_at, values_at
from chancecorr.exact.moments.summary import Moments
from chancecorr.indices.calling import calling
from chancecorr.indices.evaluation import values_of_pair_counts
from chancecorr.indices.registry import Index
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import PairSumMoments

_EPS = float(np.finfo(np.float64).eps)


def affine_moments(index: Index, margins: Margins, moments: PairSumMoments) -> Moments:
    """Exact mean, variance and shape of an L index from those of T, rounded once to float64.

    All are nan where the index is 0/0 for these margins. Where T is constant the variance is 0 and the shape
    nan. An index that is registered as affine and is not raises ValueError.
    """
    # where T can be: further out, pair counts of a billion objects cancel in the index itself
    lowest, highest = map(Fraction, pair_sum_range(margins))
    halfway = (lowest + highest) / 2
    with calling(index, "pair counts at the mean of T, or at its ends"):
        found = values_at(index, margins, (moments.mean, lowest, halfway, highest))
    mean, at_lowest, at_halfway, at_highest = found.tolist()
    if highest == lowest or moments.variance == 0 or math.isnan(mean):
        variance = math.nan if math.isnan(mean) else 0.0
        return Moments(mean=mean, variance=variance, skewness=math.nan, kurtosis=math.nan)
    tolerance = 1e-9 * max(abs(at_lowest), abs(at_highest))
    apart = abs(at_halfway - (at_lowest + at_highest) / 2)
    # what looks like a curve may be the rounding of large pair counts, which shows on a small scale as well
    if not (apart <= tolerance or apart <= 16.0 * _roughness(index, margins, lowest, highest)):
        raise ValueError(
            f"`affine` must be False for index {index.name!r}: for these margins it is {at_lowest:.6g},"
            f" {at_halfway:.6g} and {at_highest:.6g} at equally spaced T."
        )
    slope = (at_highest - at_lowest) / float(highest - lowest)
    return Moments(
        mean=mean,
        variance=(slope * moments.std) ** 2,
        skewness=math.copysign(1.0, slope) * moments.skewness,
        kurtosis=moments.kurtosis,
    )


def _roughness(index: Index, margins: Margins, lowest: Fraction, highest: Fraction) -> float:
    """What rounding makes of the index: what shows on a small scale, and what an eps of a count does.

    The former is the largest second difference between points a thousandth of the range apart. Of a curve it
    is a millionth of that between the ends and the middle; of rounding, as large as any. The parts are a
    prime number, because pair counts that are multiples of round numbers may all be rounded alike.
    """
    points = [
        lowest + (highest - lowest) * Fraction(i, 1009)
        for i in (*range(8), *range(500, 508), *range(1002, 1010))
    ]
    counts = pair_counts_at(points, *margins.squares, margins.n)
    values = values_of_pair_counts(index, tuple(each.copy() for each in counts), margins)
    found = float(np.abs(np.diff(values.reshape(3, 8), n=2, axis=1)).max())
    for k in range(4):
        beside = [each * (1.0 + _EPS) if k == j else each.copy() for j, each in enumerate(counts)]
        found = max(found, float(np.abs(values_of_pair_counts(index, beside, margins) - values).max()))
    return found
