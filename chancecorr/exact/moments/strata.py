"""Mean and variance of ``T = sum n_ij**2`` where objects are exchanged within strata, and means of cell sums.

The table is a sum of independent tables, one of each stratum: ``N = sum_s N_s`` with means ``M_s = r_s c_s' /
n_s`` and ``M = sum_s M_s``. Hence ::

    T = sum_s |N_s|**2 + 2 sum_{s<t} <N_s, N_t>

and ``E T = |M|**2 + sum_s (sum of the variances of the cells of N_s)``. With all strata but s at their means,
T is ``T_s + 2 <M - M_s, N_s>`` and a constant. What is left are products of two centred tables, which are
uncorrelated with all this and with one another, so that ::

    Var T = sum_s Var(T_s + 2 <F_s, N_s>) + 2 (sum_{s,t} tr C_s C_t - sum_s tr C_s**2),     F_s = M - M_s

with the covariances ``C_s = A_s (x) B_s / (n_s**2 (n_s - 1))``, where ``A_s = n_s diag(r_s) - r_s r_s'`` and
B_s is the same of the columns. With F doubly centred by r and c, a random matching of n objects has ::

    Var <F, N> = sum r_i c_j F_ij**2 / (n - 1)                                  (Hoeffding 1951)
    Cov(<F, N>, T) = 2 sum F_ij r_i**2 c_j**2 / ((n - 1) (n - 2))

The last is from the law of T given that an object of row i has column j: the margins less one object, and
``2 n'_ij + 1`` more.
"""

import functools
import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from chancecorr.exact.laws.closed import hypergeometric_law
from chancecorr.exact.moments.affine import affine_moments
from chancecorr.exact.moments.summary import UNKNOWN, Moments
from chancecorr.indices.compiling import run_loop
from chancecorr.indices.loops import mean_in_a_cell
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats
from chancecorr.tables.contingency import Margins
from chancecorr.tables.objects import Strata, Stratum
from chancecorr.tables.pair_sum import PairSumMoments, raw_moments

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE_CELLS = 4_000_000
"""Cells up to which the means of all cells are an array: 32 MB."""

STEPS_OF_A_PAIR = 100.0
"""Of two strata, for the variance; steps of 1 ns or so."""

STRATA_AT_A_TIME = 256
"""Strata that are set against all others at a time."""

SECONDS_OF_A_LAW, SECONDS_OF_A_CONVOLUTION = 4e-5, 5e-8
"""Of the law of a cell of one stratum; and of its convolution with those of the strata before, for each
``sqrt(n_s n)`` of all cells together: laws are as wide as the roots of their means."""

ROUNDING = 1e-14
"""Standard deviation of T, relative to its mean, up to which T is constant."""

NEGLIGIBLE = 1e-20
"""Probability below which the ends of the law of a cell are left out."""


def affine_moments_in_strata(index: Index, margins: Margins, strata: Strata, steps: float) -> Moments:
    """Mean of an index that is affine in T, and its variance if that takes no more steps; else nan."""
    known = STEPS_OF_A_PAIR * float(len(strata)) ** 2 <= steps
    mean, variance = pair_sum_mean(strata), pair_sum_variance(strata) if known else 1.0
    of_sum = PairSumMoments(
        mean=Fraction(mean), variance=Fraction(variance), third=Fraction(0), fourth=Fraction(0)
    )
    found = affine_moments(index, margins, of_sum)
    return replace(UNKNOWN, mean=found.mean, variance=found.variance if known else math.nan)


def pair_sum_mean(strata: Strata) -> float:
    """Mean of T."""
    means = _cell_means(strata)
    squares = means if isinstance(means, np.ndarray) else means.data
    n, (rows, columns) = strata.sizes.astype(np.float64), _spreads(strata)
    return float((squares**2).sum()) + float((rows * columns / (n**2 * np.maximum(n - 1.0, 1.0))).sum())


def pair_sum_variance(strata: Strata) -> float:
    """Variance of T, 0 if it is no more than rounding."""
    means = _cell_means(strata)
    alone = [_variance_alone(each, means) for each in strata if each.margins.n > 1]
    variance = math.fsum(alone) + _variance_of_products(strata)
    return variance if variance > (ROUNDING * pair_sum_mean(strata)) ** 2 else 0.0


def expected_sum_in_strata(index: Index, margins: Margins, strata: Strata) -> float:
    """Mean of ``sum phi(n_ij, row_i, column_j, n)``: a cell is a sum of independent hypergeometric counts."""
    n, total, law = margins.n, 0.0, functools.cache(_law_of_a_cell)
    laws: dict[tuple[int, int], tuple[int, Floats]] = {}
    for within, rows, columns in strata:
        for i, row_total in zip(rows.tolist(), within.row_totals.tolist(), strict=True):
            for j, column_total in zip(columns.tolist(), within.column_totals.tolist(), strict=True):
                found = law(within.n, row_total, column_total)
                laws[i, j] = _sum_of(laws[i, j], found) if (i, j) in laws else found
    for (i, j), (first, p) in laws.items():
        counts = np.arange(first, first + p.size)
        totals = float(margins.row_totals[i]), float(margins.column_totals[j])
        total += run_loop(mean_in_a_cell, index, "a cell", counts, p / p.sum(), *totals, float(n))
    return total


def forecast_of_expected_sum(strata: Strata) -> float:
    """Seconds or so that `expected_sum_in_strata` takes."""
    laws = float((np.diff(strata.rows.indptr) * np.diff(strata.columns.indptr)).sum())
    widths = float(np.sqrt(strata.sizes.astype(np.float64) * strata.sizes.sum()).sum())
    return SECONDS_OF_A_LAW * laws + SECONDS_OF_A_CONVOLUTION * widths


def _law_of_a_cell(population: int, good: int, draws: int) -> tuple[int, Floats]:
    """First count, and the probabilities from there on, of a hypergeometric law."""
    x, p = hypergeometric_law(population, good, draws)
    return _trimmed(int(x[0]), p)


def _sum_of(x: tuple[int, Floats], y: tuple[int, Floats]) -> tuple[int, Floats]:
    """Law of the sum of two independent counts."""
    return _trimmed(x[0] + y[0], np.convolve(x[1], y[1]))


def _trimmed(first: int, p: Floats) -> tuple[int, Floats]:
    """A law without its negligible ends."""
    kept = np.flatnonzero(p > NEGLIGIBLE * p.max())
    return first + int(kept[0]), p[kept[0] : kept[-1] + 1]


def _cell_means(strata: Strata) -> "Floats | csr_array":
    """Mean of each cell, shape (K, Q); sparse if the cells are many."""
    scaled = strata.rows.multiply(1.0 / strata.sizes[:, np.newaxis]).tocsr()
    means = scaled.T @ strata.columns
    return means.toarray() if math.prod(means.shape) <= DENSE_CELLS else means.tocsr()


def _spreads(strata: Strata) -> tuple[Floats, Floats]:
    """``sum r (n - r)`` of each stratum, of rows and of columns."""
    rows, columns = (
        np.asarray(
            strata.sizes.astype(np.float64) ** 2 - side.astype(np.float64).power(2).sum(axis=1)
        ).ravel()
        for side in (strata.rows, strata.columns)
    )
    return rows, columns


def _variance_alone(stratum: Stratum, means: "Floats | csr_array") -> float:
    """Variance of ``T_s + 2 <M - M_s, N_s>``, of two objects or more."""
    margins, rows, columns = stratum
    n, r, c = margins.n, *(side.astype(np.float64) for side in (margins.row_totals, margins.column_totals))
    mean, second = raw_moments(margins, 2)
    F = means[rows][:, columns]
    F = (F if isinstance(F, np.ndarray) else F.toarray()) - np.outer(r, c) / n
    F = F - (F @ c / n)[:, np.newaxis] - (r @ F) / n + r @ F @ c / n**2
    of_linear = float((np.outer(r, c) * F**2).sum()) / (n - 1)
    with_linear = 2.0 * float(r**2 @ F @ c**2) / ((n - 1) * (n - 2)) if n > 2 else 0.0
    return float(second - mean**2) + 4.0 * (of_linear + with_linear)


def _variance_of_products(strata: Strata) -> float:
    """``2 (sum_{s,t} tr C_s C_t - sum_s tr C_s**2)``."""
    n = strata.sizes.astype(np.float64)
    scale, total = np.divide(1.0, n**2 * (n - 1.0), out=np.zeros_like(n), where=n > 1.0), 0.0
    for first in range(0, n.size, STRATA_AT_A_TIME):
        part = slice(first, first + STRATA_AT_A_TIME)
        traces = _traces(strata.rows, n, part) * _traces(strata.columns, n, part)
        traces[np.arange(traces.shape[0]), np.arange(first, first + traces.shape[0])] = 0.0
        total += float((scale[part, np.newaxis] * traces * scale).sum())
    return 2.0 * total


def _traces(side: "csr_array", n: Floats, part: slice) -> Floats:
    """``tr A_s A_t`` of the strata s in the part and all t."""
    r = side.astype(np.float64)
    squares = r.power(2)
    products = (r[part] @ r.T).toarray()
    own, others = (r[part] @ squares.T).toarray(), (squares[part] @ r.T).toarray()
    of_part = n[part, np.newaxis]
    traces: Floats = of_part * n * products - of_part * own - n * others + products**2
    return traces
