"""Variance of a sum over the cells of a table, both margins fixed.

Write ``X = sum phi(n_ij)`` as the sum of its rows and as that of its columns. Given the cell ``n_il = z``
that they share, row i and column l are independent, hence ::

    Var(X) = sum_il sum_z P(n_il = z) (rho_il(z) - E rho_il) (gamma_il(z) - E gamma_il)
    rho_il(z)   = phi_il(z) + sum_{j != l} E phi_ij(HG(n - b_l, b_j, a_i - z))    row i, given n_il = z
    gamma_il(z) = phi_il(z) + sum_{k != i} E phi_kl(HG(n - a_i, a_k, b_l - z))    column l, given n_il = z

with ``HG(population, good, draws)`` hypergeometric. The cell means are subtracted from phi before anything is
summed, because the variance is small beside the products of the sums. Rows and columns of equal totals share
their work, and those of similar ones the laws (`kernels.line_sums`).
"""

import math

import numpy as np

from chancecorr.exact.moments.kernels.additive import fill_line_values
from chancecorr.exact.moments.kernels.line_sums import (
    Lines,
    add_crossings,
    fill_windows,
    lay_blocks,
    lay_ranges,
    sum_of_products,
)
from chancecorr.indices.compiling import run_loop
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers

NEGLIGIBLE_SHARE = 2e-14
"""A variance so small beside the absolute values that it is the sum of is 0 except for rounding."""

CROSSINGS_AT_A_TIME = 32
"""The values of phi in all cells would not fit into memory."""


def variance_of_sum(
    index: Index, totals: tuple[Integers, Integers], counts: tuple[Integers, Integers], n: int, means: Floats
) -> float:
    """Variance of the sum over cells of an index, before any `link`; 0 where it is rounding.

    `totals` are the distinct ones above 0 of rows and of columns, ascending, `counts` how many clusters have
    each, `means` those of phi in the cell of a row and a column, shape (row totals, column totals).
    """
    low, high = (np.empty((totals[0].size, totals[1].size), dtype=np.int64) for _ in range(2))
    fill_windows(*totals, n, low, high)
    rows = _lines(totals[0], totals[1], counts[1], n, low, high)
    columns = _lines(totals[1], totals[0], counts[0], n, low.T, high.T)
    with np.errstate(all="ignore"):
        row_sums = _conditional_sums(index, rows, means.T.copy(), are_rows=True)
        column_sums = _conditional_sums(index, columns, means.copy(), are_rows=False)
        variance, absolute = sum_of_products(rows, columns, row_sums, column_sums)
    return 0.0 if abs(variance) <= NEGLIGIBLE_SHARE * absolute < math.inf else float(variance)


def _lines(
    totals: Integers,
    crossing_totals: Integers,
    crossing_counts: Integers,
    n: int,
    low: Integers,
    high: Integers,
) -> Lines:
    """Lines of these totals, whose cells hold `low` to `high` objects, of shape (lines, crossings)."""
    sizes = np.ascontiguousarray(high - low + 1)
    start = (np.cumsum(sizes) - sizes.ravel()).reshape(sizes.shape)
    first, last = (np.ascontiguousarray(totals[:, np.newaxis] - counts) for counts in (high, low))
    return Lines(totals, crossing_totals, crossing_counts, n, first, last, start)


def _conditional_sums(index: Index, lines: Lines, means: Floats, *, are_rows: bool) -> Floats:
    """Mean of phi's sum over a line less that sum's mean, given each count of each of its cells."""
    sums = np.zeros(int((lines.last_draw - lines.first_draw + 1).sum()))
    blocks = lay_blocks(lines)
    for begin in range(0, lines.crossing_totals.size, CROSSINGS_AT_A_TIME):
        end = min(begin + CROSSINGS_AT_A_TIME, lines.crossing_totals.size)
        ranges = lay_ranges(begin, end, lines, blocks)
        values = np.empty(ranges.size)
        crossings, counts = lines.crossing_totals[begin:end], (ranges.first, ranges.last)
        table = (are_rows, lines.totals, crossings, lines.n, means[begin:end], *counts, values)
        run_loop(fill_line_values, index, "a cell", *table)
        add_crossings(begin, end, lines, blocks, ranges, values, sums)
    return sums
