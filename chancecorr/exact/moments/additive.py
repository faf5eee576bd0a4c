"""Exact mean and variance of indices that are sums over cells, both margins fixed.

A cell is hypergeometric, so the mean of ``X = sum phi(n_ij)`` is a sum over cells; its variance is the
covariance of rows with columns (`variance`). Equal totals share their work. A phi that fails raises
IndexEvaluationError. Of the mutual information: Vinh, Epps & Bailey (2010), Journal of Machine Learning
Research 11, and, the variance, Romano et al. (2014).
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from chancecorr.exact.moments.kernels import additive as kernels
from chancecorr.exact.moments.summary import Moments
from chancecorr.exact.moments.variance import variance_of_sum
from chancecorr.indices.compiling import run_loop
from chancecorr.indices.evaluation import link_totals
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import Margins


class _Classes(NamedTuple):
    """Distinct totals above 0, how many clusters have each, and the number of objects."""

    row_totals: Integers
    row_counts: Integers
    column_totals: Integers
    column_counts: Integers
    n: int


def expected_cell_sum(index: Index, margins: Margins) -> float:
    """Mean of ``sum phi(n_ij, row_i, column_j, n)``, before any `link`; 0 for ``n = 0``."""
    return _mean_of_sum(_Sum(index.function, index), margins)


@dataclass(frozen=True, slots=True)
class _Sum:
    """Key of the caches: the indices that are functions of the same sum over cells share its moments."""

    function: Callable[..., Any]
    index: Index = field(compare=False)


@functools.lru_cache(maxsize=256)
def _mean_of_sum(cell_sum: _Sum, margins: Margins) -> float:
    index = cell_sum.index
    classes, total = _classes(margins), 0.0
    for start in range(0, max(classes.row_totals.size, 1), 256):  # K x Q means would not fit into memory
        block = slice(start, start + 256)
        cells = np.outer(classes.row_counts[block], classes.column_counts)
        with np.errstate(invalid="ignore"):  # a phi may be infinite, with both signs
            total += float((cells * _cell_means(index, classes, block)).sum())
    return total


def variance_cell_sum(index: Index, margins: Margins) -> float:
    """Variance of ``sum phi(n_ij, row_i, column_j, n)``, before any `link`; 0 if no more than rounding."""
    return _variance_of_sum(_Sum(index.function, index), margins)


@functools.lru_cache(maxsize=256)
def _variance_of_sum(cell_sum: _Sum, margins: Margins) -> float:
    classes = _classes(margins)
    means = _cell_means(cell_sum.index, classes)
    cells = np.outer(classes.row_counts, classes.column_counts)
    size = float((cells * abs(means)).sum())
    sides = (classes[:2], classes[2:4])
    constant = classes.n == 0 or any(totals[-1] == 1 or counts.sum() == 1 for totals, counts in sides)
    if constant and math.isfinite(size):
        return 0.0
    totals, counts = (classes.row_totals, classes.column_totals), (classes.row_counts, classes.column_counts)
    variance = variance_of_sum(cell_sum.index, totals, counts, classes.n, means)
    return 0.0 if variance <= (1e-14 * size) ** 2 else variance


def additive_moments(index: Index, margins: Margins, *, with_variance: bool = True) -> Moments:
    """Exact mean and, if wanted, variance of an index for which `is_additive` is True, else ValueError."""
    mean = expected_cell_sum(index, margins)
    slope = _slope(index, margins, mean)
    if slope is None:
        raise ValueError(
            f"`link` of index {index.name!r} must be affine in the sum over cells for exact moments;"
            f" it is not for {margins}. Use method='monte-carlo'."
        )
    linked = float(link_totals(index, np.array([mean]), margins)[0])
    if math.isnan(slope) or not with_variance:
        variance = math.nan
    else:
        variance = slope**2 * variance_cell_sum(index, margins)
    return Moments(mean=linked, variance=variance, skewness=math.nan, kurtosis=math.nan)


def is_additive(index: Index, margins: Margins) -> bool:
    """Whether the index is an affine function of a sum over cells for these margins; takes its mean."""
    return index.link is None or _slope(index, margins, expected_cell_sum(index, margins)) is not None


def expected_in_cells(index: Index, row_totals: Integers, column_totals: Integers, n: int) -> Floats:
    """Mean of phi in the cell of a row and a column with these totals, of n objects."""
    means = np.empty((row_totals.size, column_totals.size))
    run_loop(kernels.fill_cell_means, index, "a cell", row_totals, column_totals, n, means)
    return means


@functools.lru_cache(maxsize=256)
def forecast_mean(margins: Margins) -> float:
    """Seconds or so that `expected_cell_sum` takes, compiled."""
    rows, _, columns, _, n = _classes(margins)
    return seconds_of_cells(rows, columns, n)


def seconds_of_cells(row_totals: Integers, column_totals: Integers, n: int) -> float:
    """Seconds or so that `expected_in_cells` takes, compiled."""
    steps = 0.0
    for start in range(0, row_totals.size, 256):
        steps += float(_counts_walked(row_totals[start : start + 256], column_totals, n).sum())
    return 13e-9 * steps  # of a count of a cell, whose phi takes a logarithm


@functools.lru_cache(maxsize=256)
def forecast_variance_work(margins: Margins) -> float:
    """Steps that `variance_cell_sum` takes, of 0.1 to 1 ns each, within a factor of 4.

    ``sum_il s_il (sum_j s_ij + sum_k s_kl)`` over distinct totals, with s counts in a cell.
    """
    rows, _, columns, _, n = _classes(margins)
    if rows.size * columns.size > 1_000_000:  # a lower bound
        return 81.0 * rows.size * columns.size * (rows.size + columns.size)
    s = _counts_walked(rows, columns, n)
    return float((s.sum(axis=0) ** 2).sum() + (s.sum(axis=1) ** 2).sum())


def _classes(margins: Margins) -> _Classes:
    sides = (margins.row_totals, margins.column_totals)
    rows, columns = (np.unique(totals[totals > 0], return_counts=True) for totals in sides)
    return _Classes(*rows, *columns, margins.n)


def _counts_walked(rows: Integers, columns: Integers, n: int) -> Floats:
    """About how many counts of a cell have a probability that is not left out, shape (rows, columns)."""
    a, b = (np.minimum(totals, n - totals).astype(np.float64) for totals in (rows, columns))
    std = np.sqrt(np.outer(a * (n - a), b / max(n, 1) * (n - b))) / max(n, 1)
    return np.minimum(9.0 + 17.0 * std, 1.0 + np.minimum.outer(a, b))


def _cell_means(index: Index, classes: _Classes, block: slice = slice(None)) -> Floats:
    """Mean of phi in a cell, shape (distinct row totals in the block, distinct column totals)."""
    return expected_in_cells(index, classes.row_totals[block], classes.column_totals, classes.n)


def _slope(index: Index, margins: Margins, mean: float) -> float | None:
    """Slope of the `link`, by five sums from one extreme to the other; nan if it is, None if not affine."""
    if index.link is None:
        return 1.0
    ends = [mean, *_extreme_sums(_Sum(index.function, index), margins)]
    low, high = min(ends), max(ends)
    if not high - low > 1e-6 * max(abs(low), abs(high)):
        low, high = mean - 0.5 * (abs(mean) or 1.0), mean + 0.5 * (abs(mean) or 1.0)
    totals = low + (high - low) * np.array([0.0, 0.21, 0.47, 0.74, 1.0])
    values = link_totals(index, totals, margins)
    with np.errstate(all="ignore"):
        slope = float((values[-1] - values[0]) / (totals[-1] - totals[0]))
        errors = np.abs(values - values[0] - slope * (totals - totals[0]))
        return slope if np.isnan(values).all() or (errors <= 1e-9 * np.abs(values).max()).all() else None


@functools.lru_cache(maxsize=256)
def _extreme_sums(cell_sum: _Sum, margins: Margins) -> tuple[float, ...]:
    """Sums of two extreme tables; none without objects."""
    rows, columns = (-np.sort(-totals) for totals in (margins.row_totals, margins.column_totals))
    orders = (columns, columns[::-1].copy()) if margins.n else ()
    return tuple(
        run_loop(kernels.corner_sum, cell_sum.index, "a cell", rows, order, margins.n) for order in orders
    )
