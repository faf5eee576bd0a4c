"""Exact mean of ``R = sum_i max_j n_ij`` under fixed margins, which gives the mean of purity.

A row of r of n objects takes ``x_j`` objects from the column with total ``m_j``. The cells of the row follow
the law of independent binomial counts ``B(m_j, r / n)`` given that their sum is r, because under both laws
the probability of a row is proportional to ``prod C(m_j, x_j)``. So ``P(max_j x_j <= k)`` is the probability
that all counts are at most k and have the sum r, divided by the probability of the sum r. Both are
coefficients of a product of polynomials, found from its values at roots of unity. The mean of the maximum is
the sum of ``1 - P(max_j x_j <= k)`` over k = 0, 1, ...
"""

import math

import numpy as np

from chancecorr.exact.closed_laws import compute_binomial_law
from chancecorr.indices.index import Index
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kept import keep_recent
from chancecorr.tables.contingency import Margins

STDS_OF_A_SUM, MORE_POINTS = 10.0, 40
"""Number of roots of unity, in standard deviations of the sum, plus a constant: sums that differ by this
number are not distinguished."""

NANOSECONDS_OF_A_POINT = 25.0  # time to evaluate a polynomial, for each column
MOST_POINTS = 4_000_000  # numbers that are held at a time: 64 MB
ROUNDING = 1e-11  # relative error of a mean: ten times the largest observed
MOST_BEND = 1e-9  # relative deviation up to which a formula counts as a straight line


def forecast_maxima(margins: Margins) -> float:
    """Forecast the seconds of `compute_mean_maxima` for both sides."""
    steps = 0.0
    for rows, columns in _list_sides(margins):
        for r in np.unique(rows).tolist():
            points, first, last = _plan(r, columns, margins.n)
            steps += columns.size * (last - first + 1) * points
    return 1e-4 + 1e-9 * NANOSECONDS_OF_A_POINT * steps


@keep_recent
def compute_mean_maxima(margins: Margins) -> tuple[float, float]:
    """Return the means of ``sum_i max_j n_ij`` and of ``sum_j max_i n_ij``."""
    means = []
    for rows, columns in _list_sides(margins):
        sizes, counts = np.unique(rows, return_counts=True)
        of_sizes = [compute_mean_maximum(r, columns, margins.n) for r in sizes.tolist()]
        mean = math.fsum(np.array(of_sizes) * counts)
        whole = round(mean)  # a constant sum is an integer, so that its score is 0/0 or 0
        means.append(float(whole) if abs(mean - whole) <= ROUNDING * whole else mean)
    return means[0], means[1]


def _list_sides(margins: Margins) -> list[tuple[Integers, Integers]]:
    """Return the totals above 0 of (rows, columns) and of (columns, rows)."""
    rows, columns = (side[side > 0] for side in (margins.row_totals, margins.column_totals))
    return [(rows, columns), (columns, rows)]


def _plan(r: int, columns: Integers, n: int) -> tuple[int, int, int]:
    """Return the number of roots of unity, the smallest possible maximum k, and an upper bound of it."""
    points = math.ceil(STDS_OF_A_SUM * math.sqrt(r * (1.0 - r / n))) + MORE_POINTS
    largest = float(columns.max())
    # a binomial count exceeds it with probability 1e-25
    last = largest * r / n + 12.0 * math.sqrt(largest * r / n) + 40.0
    return points, -(-r // columns.size), min(r, int(largest), math.ceil(last))


def compute_mean_maximum(r: int, columns: Integers, n: int) -> float:
    """Return the mean of the largest cell of a row of r objects; column totals above 0 have the sum n.

    The relative error is below 1e-12.
    """
    points, first, last = _plan(r, columns, n)
    if first >= last:
        return float(min(last, r))
    half = points // 2 + 1  # the other values are complex conjugates
    sizes, counts = np.unique(columns, return_counts=True)
    below = np.empty(last - first)  # P(all at most k, and sum r) for k = first, ..., last - 1
    total = 0.0
    at_a_time = max(1, MOST_POINTS // (last - first + 1))
    for start in range(0, half, at_a_time):
        at = np.arange(start, min(start + at_a_time, half))
        products, whole = np.ones((last - first, at.size), dtype=complex), np.ones(at.size, dtype=complex)
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
            x, p = compute_binomial_law(size, r, n)
            terms = p[:, np.newaxis] * np.exp((2j * np.pi / points) * (x[:, np.newaxis] * at % points))
            whole *= terms.sum(axis=0) ** count
            sums = np.zeros((last - first, at.size), dtype=complex)
            is_low = x <= first
            sums[0] = terms[is_low].sum(axis=0)
            later = terms[(x > first) & (x < last)]
            places = x[(x > first) & (x < last)] - first
            sums[places] = later
            products *= np.cumsum(sums, axis=0) ** count
        turned = np.exp((-2j * np.pi / points) * (r * at % points))
        weights = np.where((at == 0) | (2 * at == points), 1.0, 2.0)
        part = ((products * turned).real * weights).sum(axis=1)
        below = part if start == 0 else below + part
        total += float(((whole * turned).real * weights).sum())
    return first + float((1.0 - below / total).sum())


def compute_mean_of_maxima(index: Index, margins: Margins) -> float | None:
    """Return the mean of an index that is linear in the two sums of maxima, or None."""
    if index.of_maxima is None or not margins.n:
        return None
    n, formula, totals = float(margins.n), index.of_maxima, (margins.row_totals, margins.column_totals)
    with np.errstate(all="ignore"):
        low, right, up, far = (
            float(formula(R, C, *totals))
            for R, C in ((0.5 * n, 0.5 * n), (n, 0.5 * n), (0.5 * n, n), (0.9 * n, 0.8 * n))
        )
    wanted = low + 0.8 * (right - low) + 0.6 * (up - low)  # if it is 0/0, nan differs from it
    if not abs(far - wanted) <= MOST_BEND * max(abs(low), abs(right), abs(up)):
        return None
    R, C = compute_mean_maxima(margins)
    return float(formula(R, C, *totals))
