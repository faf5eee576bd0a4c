"""The number of tables for a wanted precision, and control variates that reduce it.

The rule of Chow & Robbins (1965), doi:10.1214/aoms/1177700156, continues until ``m >= z**2 (s**2 + 1/m) /
h**2``. Control variates are powers of T, or of the index's sum over cells, minus their exact means. The
intercept of the regression of the index on the control variates estimates the expected index, with the
variance of the residuals in place of the variance of the index.
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
MIN_DRAWS_OF_A_MEAN = 20  # fewest draws for a mean, if the user did not ask for fewer
MOST_TABLES, BATCH_TABLES = 10_000_000, 1_000
"""Largest number of tables for a wanted precision if `n_tables` is not given; number of tables in a batch:
the precision is checked only after a whole batch."""

NORMAL_QUANTILE = 2.5758293035489004  # half-width of a 99 % interval in standard errors
MIN_REDUCTION, TABLES_PER_CONTROL = 1.05, 10
"""Controls are kept if they reduce the variance of the mean by more than this factor; tables needed per
control, because the bias of the regression is of the order of controls per table."""

UNSEEN_TABLES = 3.0  # 95 % upper limit: up to 3 of m tables may have values that the sample does not show
MAX_ROUNDING_OF_A_CONTROL = 1e-12  # largest error of a control's exact mean, relative to its size


def count_tables_for(std: float, precision: float) -> int:
    """Count the tables for a half-width `precision` of the mean's interval, if `std` is known."""
    root = min(NORMAL_QUANTILE * std / precision, 1e9)  # a larger root could overflow when squared
    return max(1, math.ceil(root**2))


def count_tables_needed(variance: float, width: float, variance_reduction: float, precision: float) -> float:
    """Number of tables at which the rule stops: ``m = c (variance + width**2 / m)``; 0 if unknown."""
    if not math.isfinite(variance):
        return 0.0
    root = NORMAL_QUANTILE / (math.sqrt(variance_reduction) * precision)
    half = 0.5 * root * root * variance
    return half + math.hypot(half, root * width)


def bound_variance(variance: float, kurtosis: float, m: int) -> float:
    """Return the upper end of the 99 % interval of the variance, estimated from m values."""
    if not kurtosis > -2.0 or not math.isfinite(kurtosis):
        return variance
    return variance * (1.0 + NORMAL_QUANTILE * math.sqrt((kurtosis + 2.0) / m))


def plan_next_look(m: int, needed: float) -> int:
    """Return the number of tables at the next check: where the rule would stop, but at most 2 m."""
    return BATCH_TABLES * math.ceil(min(2.0 * m, needed) / BATCH_TABLES)


class ControlledMean(NamedTuple):
    """The mean of a sample, corrected by control variates if they help."""

    mean: float
    standard_error: float  # with controls, at least the rounding error of the values
    variance_reduction: float  # squared standard error of the plain mean over the squared `standard_error`


class PowerControls(NamedTuple):
    """Control variates ``u, u**2, ...`` of ``u = (x - shift) / scale``, minus their exact means."""

    shift: float  # exact mean of x
    scale: float  # standard deviation of x, or another positive number
    means: tuple[float, ...]  # exact mean of each power

    def columns(self, x: Floats) -> list[Floats]:
        """Return the controls at each x; each has expected value 0."""
        u = (x - self.shift) / self.scale
        return [u**power - mean for power, mean in enumerate(self.means, start=1)]


def find_pair_sum_centre(moments: PairSumMoments) -> int:
    """Return the integer part of T's mean, which is subtracted from T in control variates."""
    return math.floor(moments.mean)


def make_pair_sum_controls(moments: PairSumMoments, powers: int) -> PowerControls | None:
    """Return the first `powers` powers of T (at most 4), minus the centre, or None if T is constant."""
    if moments.variance == 0:
        return None
    means = (0.0, 1.0, moments.skewness, moments.kurtosis + 3.0)
    return PowerControls(
        shift=float(moments.mean - find_pair_sum_centre(moments)), scale=moments.std, means=means[:powers]
    )


def make_cell_sum_controls(index: Index, margins: Margins, *, with_variance: bool) -> PowerControls | None:
    """Return the cell sum and, if affordable, its square as controls; None if constant or without a mean."""
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
    """Compute the mean of a sample by regression on controls with mean 0, if they reduce the error.

    Let the columns q be centred on the sample and orthogonal, with exact means e and slopes b. The intercept
    is ``mean + sum(b e)``, with variance ``s**2 (1/m + sum(e**2 / |q|**2))``. Two cases would give too small
    an error. If the values are `determined` by T, the sample underestimates the rest of a smooth function of
    T after four powers: then the error is at least the change by the last control. If the number of distinct
    values of the controls is at most the number of parameters (at most twice this number for values that are
    not `determined`), the residuals are zero or too small: then the error is at least the change by an unseen
    value of probability 3/m, if unseen values are possible.
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
    for sweep in range(2):  # the second sweep corrects rounding errors of the first
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
    """Orthogonalise the controls to 1 and to each other; return them with squared norms and exact means.

    A control can be a linear combination of other controls on the sample. If the sample shows all values of
    the controls, its exact mean is the same combination of their exact means. The second result is True if
    there are such controls and their exact means agree.
    """
    columns: list[tuple[Floats, float, float]] = []
    differences: list[float] = []
    for control in controls:
        q, exact = control, 0.0
        size = float((counts * q * q).sum())
        for _ in range(2):  # the second pass corrects rounding errors of the first
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
