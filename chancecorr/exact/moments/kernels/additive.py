"""Means and covariances of sums over cells, from hypergeometric laws walked from their modes outwards.

A cell is hypergeometric: of ``draws`` objects in its row (or column), taken from a ``population``, it counts
those among the ``good`` ones of its column (or row). Such a law falls off from its mode on both sides, and
neighbouring probabilities have the ratio ::

    p(x + 1) / p(x) = (good - x) (draws - x) / ((x + 1) (rest + x + 1)),    rest = population - good - draws

So a sum over the law starts at the mode with the weight 1, walks up and then down by this ratio until the
weights are negligible, and is divided by the sum of the weights. A walk from an end of the law would start at
a probability that may underflow. There are no log-factorials, whose size costs digits: 2e-9 of the mean of
mutual information at a million objects.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.compiled import Floats, Integers, kernel, shared_with_kernels
from chancecorr.indices.loops import CELL_SIGNATURE

NEGLIGIBLE = 1e-18
"""A walk ends where a probability is so much smaller than that of the likeliest non-empty cell. An empty cell
adds nothing to the sum, so that its probability, if it is the largest, must not set the measure."""

ALWAYS_WALKED = 4
"""Counts up to this one are never negligible: where phi is 0 at 1, the sum consists of the next counts."""


@kernel
def start(population: int, good: int, draws: int) -> tuple[int, float]:
    """Mode of the law, and the probability, relative to the mode's, below which the walk ends.

    Where the mode is the empty cell, the likeliest non-empty one is 1, of probability `to_one`.
    """
    low = max(0, draws - (population - good))
    high = min(good, draws)
    mode = int((good + 1.0) * (draws + 1.0) / (population + 2.0))
    mode = min(max(mode, low), high)
    if mode > 0:
        return mode, NEGLIGIBLE
    to_one = (float(good) * float(draws)) / (population - good - draws + 1.0)
    return mode, NEGLIGIBLE * min(to_one, 1.0)


@kernel
def effective_range(population: int, good: int, draws: int) -> tuple[int, int]:
    """First and last count whose probability is not negligible."""
    mode, negligible = start(population, good, draws)
    G, D, R = float(good), float(draws), float(population - good - draws)
    last = min(good, draws)
    high, p = mode, 1.0
    while high < last:
        x = float(high)
        p *= ((G - x) * (D - x)) / ((x + 1.0) * (R + x + 1.0))
        if p < negligible and high >= ALWAYS_WALKED:
            break
        high += 1
    first = max(0, draws - (population - good))
    low, p = mode, 1.0
    while low > first:
        x = float(low)
        p *= (x * (R + x)) / ((G - x + 1.0) * (D - x + 1.0))
        if p < negligible:
            break
        low -= 1
    return low, high


@kernel
def mean_over_law(population: int, good: int, draws: int, values: Floats, first: int, last: int) -> float:
    """``sum p(x) values[x - first] / sum p(x)``, x from first to last and not negligible.

    Past an end of the support the ratio has a factor 0, so that a range that is too wide does no harm.
    """
    mode, negligible = start(population, good, draws)
    mode = min(max(mode, first), last)
    G, D, R = float(good), float(draws), float(population - good - draws)
    weight, total = 1.0, values[mode - first]
    x, p = float(mode), 1.0
    for k in range(mode + 1 - first, last + 1 - first):
        p *= ((G - x) * (D - x)) / ((x + 1.0) * (R + x + 1.0))
        x += 1.0
        if p < negligible and x > ALWAYS_WALKED:
            break
        weight += p
        total += p * values[k]
    x, p = float(mode), 1.0
    for k in range(mode - 1 - first, -1, -1):
        p *= (x * (R + x)) / ((G - x + 1.0) * (D - x + 1.0))
        x -= 1.0
        if p < negligible:
            break
        weight += p
        total += p * values[k]
    return float(total / weight)


@kernel
def add_conditional_means(
    population: int, good: int, draws: int, factor: int, values: Floats, first: int, last: int, out: Floats
) -> None:
    """``out[k] += factor E values[x - first]``, with ``draws - k`` draws for each k.

    That is another cell of a row, where the cell that is given holds k objects more than its least count.
    """
    for k in range(out.size):
        out[k] += factor * mean_over_law(population, good, draws - k, values, first, last)


@shared_with_kernels
def fill_values(
    phi: Callable[..., Any],
    first: int,
    last: int,
    row_total: int,
    column_total: int,
    n: int,
    shift: float,
    out: Floats,
) -> None:
    """``out[x - first] = phi(x, row_total, column_total, n) - shift``, the phi of an empty cell being 0."""
    for x in range(first, last + 1):
        value = 0.0
        if x > 0:
            value = phi(float(x), float(row_total), float(column_total), float(n))
        out[x - first] = value - shift


def fill_cell_means(
    phi: Callable[..., Any], row_totals: Integers, column_totals: Integers, n: int, out: Floats
) -> None:
    """``out[i, j] = E phi(n_ij, row_totals[i], column_totals[j], n)``, the cell hypergeometric."""
    values = np.empty(64)
    for i in range(row_totals.size):
        row_total = row_totals[i]
        for j in range(column_totals.size):
            column_total = column_totals[j]
            first, last = effective_range(n, column_total, row_total)
            if last - first >= values.size:
                values = np.empty(2 * (last - first + 1))
            fill_values(phi, first, last, row_total, column_total, n, 0.0, values)
            out[i, j] = mean_over_law(n, column_total, row_total, values, first, last)


def covariance_of_row(
    phi: Callable[..., Any],
    psi: Callable[..., Any],
    i: int,
    row_totals: Integers,
    row_counts: Integers,
    column_totals: Integers,
    column_counts: Integers,
    n: int,
    phi_means: Floats,
    psi_means: Floats,
) -> float:
    """``sum_l E (rho_il - E rho_il) (gamma_il - E gamma_il)`` for one row of size ``row_totals[i]``.

    ``rho_il`` is the sum of phi over row i and ``gamma_il`` that of psi over column l, both given ``n_il``;
    their product is averaged over the law of ``n_il``. Totals are distinct, `row_counts` and `column_counts`
    say how many clusters have each. Column l is one of those of its size, so that row i has one fewer other
    cell in columns of that size. The means are subtracted from phi and psi before anything is summed, since
    the covariance is small beside the products of the sums.
    """
    values = np.empty(64)
    row_total = row_totals[i]
    covariance = 0.0
    for l in range(column_totals.size):  # noqa: E741
        column_total = column_totals[l]
        low, high = effective_range(n, column_total, row_total)
        rho, gamma = np.empty(high - low + 1), np.empty(high - low + 1)
        fill_values(phi, low, high, row_total, column_total, n, phi_means[i, l], rho)
        fill_values(psi, low, high, row_total, column_total, n, psi_means[i, l], gamma)
        left = n - column_total  # given n_il, the rest of row i is drawn from outside column l
        for j in range(column_totals.size):
            others = column_counts[j] - (1 if j == l else 0)
            if others > 0:
                good = column_totals[j]
                first = effective_range(left, good, row_total - high)[0]
                last = effective_range(left, good, row_total - low)[1]
                if last - first >= values.size:
                    values = np.empty(2 * (last - first + 1))
                fill_values(phi, first, last, row_total, good, n, phi_means[i, j], values)
                add_conditional_means(left, good, row_total - low, others, values, first, last, rho)
        left = n - row_total
        for k in range(row_totals.size):
            others = row_counts[k] - (1 if k == i else 0)
            if others > 0:
                good = row_totals[k]
                first = effective_range(left, good, column_total - high)[0]
                last = effective_range(left, good, column_total - low)[1]
                if last - first >= values.size:
                    values = np.empty(2 * (last - first + 1))
                fill_values(psi, first, last, good, column_total, n, psi_means[k, l], values)
                add_conditional_means(left, good, column_total - low, others, values, first, last, gamma)
        for z in range(rho.size):
            rho[z] *= gamma[z]
        covariance += column_counts[l] * mean_over_law(n, column_total, row_total, rho, low, high)
    return float(row_counts[i] * covariance)


def corner_sum(phi: Callable[..., Any], row_totals: Integers, column_totals: Integers, n: int) -> float:
    """``sum phi`` of the table filled from its first cell on, each cell as full as the totals allow."""
    total = 0.0
    i = j = 0
    row_left, column_left = row_totals[0], column_totals[0]
    while True:
        count = min(row_left, column_left)
        if count > 0:
            total += phi(float(count), float(row_totals[i]), float(column_totals[j]), float(n))
        row_left -= count
        column_left -= count
        if row_left == 0:
            i += 1
            if i == row_totals.size:
                return total
            row_left = row_totals[i]
        else:
            j += 1
            column_left = column_totals[j]


# Numba's types as text, which does not import Numba.
_PHI = f"FunctionType({CELL_SIGNATURE})"
_TOTALS = "Array(int64, 1, 'C')"
_FOUR_TOTALS = ", ".join([_TOTALS] * 4)
_MEANS = "Array(float64, 2, 'C')"
_SIGNATURES = {
    fill_cell_means: f"void({_PHI}, {_TOTALS}, {_TOTALS}, int64, {_MEANS})",
    covariance_of_row: f"float64({_PHI}, {_PHI}, int64, {_FOUR_TOTALS}, int64, {_MEANS}, {_MEANS})",
    corner_sum: f"float64({_PHI}, {_TOTALS}, {_TOTALS}, int64)",
}


@functools.cache
def compiled_loop(loop: Callable[..., Any]) -> Callable[..., Any]:
    """One of the three loops above that call phi, compiled at its first use."""
    from chancecorr.machine_code import compiled

    function: Callable[..., Any] = compiled(loop, _SIGNATURES[loop])
    return function
