"""How many tables a precision takes, and control variates that make it cheaper.

Chow & Robbins (1965), doi:10.1214/aoms/1177700156: go on until ``m >= z**2 (s**2 + 1/m) / h**2``. Control
variates are powers of T, or of the index's own sum over cells, less their exact means: the intercept of the
regression on these estimates the expected index with the residual variance in place of the variance.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chancecorr.exact.additive import compute_cell_sum_mean, compute_cell_sum_variance
from chancecorr.exact.summary import EPSILON, compute_sample_moments
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import PairSumMoments

PUBLISHED_TABLES = 17_000  # tables drawn by Amorim & Cardoso (2014), after Agresti, Wackerly & Boyett (1979)
MIN_DRAWS_OF_A_MEAN = 20  # fewest draws that a mean is taken from, unless fewer were asked for
MOST_TABLES, BATCH_TABLES = 10_000_000, 1_000
"""Tables at which a wanted precision is given up, unless `n_tables` says otherwise; and of the batches after
which alone the sample is looked at."""

NORMAL_QUANTILE = 2.5758293035489004  # half-width of an interval of 99 % in standard errors
MIN_REDUCTION, TABLES_PER_CONTROL = 1.05, 10
"""Controls are kept when they cut the variance of the mean by more than this factor; tables for each, because
the bias of the regression is of order 1 over their ratio."""

UNSEEN_TABLES = 3.0  # among m, of values that the sample does not show: their 95 % limit
MAX_ROUNDING_OF_A_CONTROL = 1e-12  # of its exact mean, in root mean squares


def count_tables_for(std: float, precision: float) -> int:
    """Tables whose mean has an interval of half-width `precision`, the standard deviation being known."""
    root = min(NORMAL_QUANTILE * std / precision, 1e9)  # beyond it the square may overflow
    return max(1, math.ceil(root**2))


def count_tables_needed(variance: float, width: float, variance_reduction: float, precision: float) -> float:
    """Tables at which the rule stops by this variance: ``m = c (variance + width**2 / m)``; 0 if unknown."""
    if not math.isfinite(variance):
        return 0.0
    root = NORMAL_QUANTILE / (math.sqrt(variance_reduction) * precision)
    half = 0.5 * root * root * variance
    return half + math.hypot(half, root * width)


def bound_variance(variance: float, kurtosis: float, m: int) -> float:
    """Upper end of the 99 % interval for the variance behind that of m values: rare ones may be missing."""
    if not kurtosis > -2.0 or not math.isfinite(kurtosis):
        return variance
    return variance * (1.0 + NORMAL_QUANTILE * math.sqrt((kurtosis + 2.0) / m))


def plan_next_look(m: int, needed: float) -> int:
    """Number of tables after which to look again: the one at which the rule would stop, at most doubled."""
    return BATCH_TABLES * math.ceil(min(2.0 * m, needed) / BATCH_TABLES)


class ControlledMean(NamedTuple):
    """Mean of a sample, corrected by its control variates, or the plain mean."""

    mean: float
    standard_error: float  # not below the rounding of the values if there are controls
    variance_reduction: float  # squared standard error of the plain mean over that of `mean`


class PowerControls(NamedTuple):
    """Powers ``u, u**2, ...`` of ``u = (x - shift) / scale``, less their exact means."""

    shift: float  # exact mean of x
    scale: float  # its standard deviation, or another positive number
    means: tuple[float, ...]  # of each power

    def columns(self, x: Floats) -> list[Floats]:
        """The controls at each x, with expected value 0."""
        u = (x - self.shift) / self.scale
        return [u**power - mean for power, mean in enumerate(self.means, start=1)]


def find_pair_sum_centre(moments: PairSumMoments) -> int:
    """Find the number from which T is counted as a control variate: the whole part of its mean."""
    return math.floor(moments.mean)


def make_pair_sum_controls(moments: PairSumMoments, powers: int) -> PowerControls | None:
    """Powers of T, counted from `find_pair_sum_centre`, up to this one, at most 4; None if T is constant."""
    if moments.variance == 0:
        return None
    means = (0.0, 1.0, moments.skewness, moments.kurtosis + 3.0)
    return PowerControls(
        shift=float(moments.mean - find_pair_sum_centre(moments)), scale=moments.std, means=means[:powers]
    )


def make_cell_sum_controls(index: Index, margins: Margins, *, with_variance: bool) -> PowerControls | None:
    """Sum over cells before its `link`, and its square if affordable; None if constant or without a mean."""
    mean = compute_cell_sum_mean(index, margins)
    if not math.isfinite(mean):
        return None
    if not with_variance:
        return PowerControls(mean, abs(mean) or 1.0, (0.0,))
    variance = compute_cell_sum_variance(index, margins)
    if not (variance > 0.0 and math.isfinite(variance)):
        return None
    return PowerControls(mean, math.sqrt(variance), (0.0, 1.0))


def compute_controlled_mean(
    values: Floats, counts: Integers, controls: Sequence[Floats], *, determined: bool = False
) -> ControlledMean:
    """Mean of a sample, regressed on control variates whose expected values are 0, if these pay.

    With orthogonal sample-centred columns q of exact mean e and slopes b the intercept is ``mean + sum(b
    e)``, of variance ``s**2 (1/m + sum(e**2 / |q|**2))``. What four powers leave of a smooth function of T a
    sample understates: for values `determined` by T the error is at least what the last control changed. As
    many parameters as distinct values of the controls leave no residual, and half as many of values that the
    controls do not determine little: then the error is at least what a value that the sample does not show,
    of probability 3/m, would change, unless there is none.
    """
    plain = compute_sample_moments(values, counts)
    m, k = int(counts.sum()), len(controls)
    squared_error = plain.variance / m if m else math.nan
    plain_error = math.sqrt(squared_error) if squared_error >= 0.0 else math.nan
    unchanged = ControlledMean(plain.mean, plain_error, 1.0)
    if not (k and m > max(TABLES_PER_CONTROL * k, k + 1) and 0.0 < squared_error < math.inf):
        return unchanged
    residuals, mean, last_change = values - plain.mean, plain.mean, 0.0
    columns, is_complete = _orthogonalize(controls, counts, m)
    leverage = 1.0 / m
    for _, norm, exact in columns:
        leverage += exact**2 / norm
    for sweep in range(2):  # the second takes off what the first lost to rounding
        for q, norm, exact in columns:
            slope = float((counts * residuals * q).sum()) / norm
            residuals, mean = residuals - slope * q, mean + slope * exact
            if sweep == 0:
                last_change = abs(slope * exact)
        offset = float((counts * residuals).sum()) / m
        residuals, mean = residuals - offset, mean + offset
    left = float((counts * residuals**2).sum()) / (m - len(columns) - 1)
    rounding = 4.0 * EPSILON * float(np.abs(values).max())
    error = max(math.sqrt(left * leverage), rounding)
    if determined and len(columns) > 1:
        error = max(error, last_change)
    parameters = len(columns) + 1
    if not is_complete and np.unique(controls[0]).size <= (1 if determined else 2) * parameters:
        error = max(error, UNSEEN_TABLES / m * float(np.ptp(values)))
    reduction = squared_error / error**2 if error**2 > 0.0 else math.inf
    if not reduction > MIN_REDUCTION:
        return unchanged
    return ControlledMean(mean, error, reduction)


def _orthogonalize(
    controls: Sequence[Floats], counts: Integers, m: int
) -> tuple[list[tuple[Floats, float, float]], bool]:
    """Controls made orthogonal to 1 and to each other, their squared lengths, and their exact means.

    A control that is a sum of others on the sample has the exact mean of that sum if the sample shows all
    values of the controls. The second result is True if there are such controls, and they have these means.
    """
    columns: list[tuple[Floats, float, float]] = []
    differences: list[float] = []
    for control in controls:
        q, exact = control, 0.0
        size = float((counts * q * q).sum())
        for _ in range(2):  # the second time takes off what the first lost to rounding
            offset = float((counts * q).sum()) / m
            q, exact = q - offset, exact - offset
            for other, norm, other_exact in columns:
                slope = float((counts * q * other).sum()) / norm
                q, exact = q - slope * other, exact - slope * other_exact
        norm = float((counts * q * q).sum())
        if norm > 1e-14 * size:
            columns.append((q, norm, exact))
        else:
            differences.append(abs(exact) / math.sqrt(size / m) if size > 0.0 else math.inf)
    return columns, bool(differences) and max(differences) < MAX_ROUNDING_OF_A_CONTROL
