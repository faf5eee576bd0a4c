"""The model for two partitions whose objects are matched at random within strata, such as batches or images.

Both clusterings keep their cluster sizes in each stratum, so that agreement due to the strata is expected by
chance. Some means are exact; everything else is sampled.

The table is a sum of independent tables ``N_s`` with means ``M_s``. With ``F_s = sum_t M_t - M_s`` and the
covariances C_s of the cells of N_s, ``Var T`` is ``sum_s Var(T_s + 2 <F_s, N_s>) + 2 (sum_{s,t} tr C_s C_t -
sum_s tr C_s**2)``; see docs/explanation/derivations.md.
"""

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from chancecorr.chance.fixed_margins import SampledTables
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.exact.additive import is_additive
from chancecorr.exact.closed_laws import compute_hypergeometric_law
from chancecorr.exact.index_of_pair_sum import bound_pair_sum, compute_affine_moments
from chancecorr.exact.summary import UNKNOWN, Known, Moments
from chancecorr.indices.calling import average_in_cell, run_loop
from chancecorr.indices.evaluation import link_totals
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CALL, NANOSECONDS_PER_STEP
from chancecorr.sampling.permutation import Sampler, plan_strata
from chancecorr.tables.contingency import Margins
from chancecorr.tables.objects import Strata, Stratum
from chancecorr.tables.pair_sum import PairSumMoments, compute_raw_moments

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_DENSE_CELLS = 4_000_000  # most cells for which the means of all cells are a dense array: 32 MB
STEPS_OF_A_PAIR = 100.0  # steps of about 1 ns that the variance takes for two strata
STRATA_AT_A_TIME = 256  # strata that are compared with all others together
RELATIVE_ROUNDING_OF_STD = 1e-14  # if the std of T over its mean is at most this, T is constant
NEGLIGIBLE_PROBABILITY = 1e-20  # smaller probabilities at the ends of a cell's distribution are left out


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WithinStrata(SampledTables):
    """The model of two partitions within strata: margins, table, and the cluster sizes of each stratum."""

    strata: Strata

    removes_from_cells: ClassVar[bool] = False

    @property
    def name(self) -> str:
        return f"{super().name} within strata"

    @property
    def about(self) -> str:
        return (
            "both clusterings keep their cluster sizes in each stratum and its objects are matched at random"
        )

    def find_moments(self, index: Index) -> Known | None:
        """Return mean and variance of an index affine in T, the mean of a sum over cells, else None."""
        limits = self.options.limits
        if index.affine:
            steps = limits.cell_steps
            return Known(compute_moments_in_strata(index, self.margins, self.strata, steps), 0.0)
        is_quick = limits.cell_steps and forecast_of_expected_sum(self.strata) <= limits.mean_seconds
        if index.needs != "cells" or not is_quick or not is_additive(index, self.margins):
            return None
        total = np.array([compute_sum_mean_in_strata(index, self.margins, self.strata)])
        mean = float(link_totals(index, total, self.margins)[0])
        return Known(replace(UNKNOWN, mean=mean), 0.0)

    def find_sampler(self) -> Sampler:
        """Return the sampler of sums of the strata's tables; it is made once."""
        return self.compute_once("sampler", None, lambda: plan_strata(self.margins, self.strata))

    def score_parts(self, index: Index, null: NullDistribution, groups: Any) -> NoReturn:
        """Raise, because no interval is known."""
        raise ArgumentValueError(
            "strata", "must be None for an interval: no interval is available with strata."
        )


def compute_moments_in_strata(index: Index, margins: Margins, strata: Strata, steps: float) -> Moments:
    """Return the mean of an index affine in T, and its variance if affordable in `steps`, else nan."""
    known = STEPS_OF_A_PAIR * float(len(strata)) ** 2 <= steps
    variance = compute_variance_in_strata(strata) if known else 1.0
    least, most = map(Fraction, bound_pair_sum(margins))  # the mean is between them, but rounded
    mean = min(max(Fraction(compute_mean_in_strata(strata)), least), most)
    of_sum = PairSumMoments(mean=mean, variance=Fraction(variance), third=Fraction(0), fourth=Fraction(0))
    moments = compute_affine_moments(index, margins, of_sum)
    return replace(UNKNOWN, mean=moments.mean, variance=moments.variance if known else math.nan)


def compute_mean_in_strata(strata: Strata) -> float:
    """Return the mean of T."""
    n = strata.sizes.astype(np.float64)
    rows, columns = (  # ``sum r (n - r)`` of each stratum
        np.asarray(n**2 - side.astype(np.float64).power(2).sum(axis=1)).ravel()
        for side in (strata.rows, strata.columns)
    )
    of_means = _sum_squared_means(strata)
    return of_means + float((rows * columns / (n**2 * np.maximum(n - 1.0, 1.0))).sum())


def compute_variance_in_strata(strata: Strata) -> float:
    """Return the variance of T; 0 if it is within rounding."""
    shared = tuple(np.diff(side.tocsc().indptr) > 1 for side in (strata.rows, strata.columns))
    of_shared = [
        side.multiply(is_shared).tocsr()
        for side, is_shared in zip((strata.rows, strata.columns), shared, strict=True)
    ]
    means = _average_cells(of_shared[0], of_shared[1], strata.sizes)
    alone = [_compute_variance_alone(stratum, means, shared) for stratum in strata if stratum.margins.n > 1]
    n = strata.sizes.astype(np.float64)
    scale, total = np.divide(1.0, n**2 * (n - 1.0), out=np.zeros_like(n), where=n > 1.0), 0.0
    for first in range(0, n.size, STRATA_AT_A_TIME):
        part = slice(first, first + STRATA_AT_A_TIME)
        traces = _compute_traces(strata.rows, n, part) * _compute_traces(strata.columns, n, part)
        traces[np.arange(traces.shape[0]), np.arange(first, first + traces.shape[0])] = 0.0
        total += float((scale[part, np.newaxis] * traces * scale).sum())
    variance = math.fsum(alone) + 2.0 * total
    return variance if variance > (RELATIVE_ROUNDING_OF_STD * compute_mean_in_strata(strata)) ** 2 else 0.0


def compute_sum_mean_in_strata(index: Index, margins: Margins, strata: Strata) -> float:
    """Return the mean of a sum over cells; each cell is a sum of independent hypergeometric counts."""
    n, total = margins.n, 0.0
    for (i, j), (first, p) in compute_laws_of_cells(strata, NEGLIGIBLE_PROBABILITY).items():
        counts = np.arange(first, first + p.size)
        totals = float(margins.row_totals[i]), float(margins.column_totals[j])
        total += run_loop(average_in_cell, index, "a cell", counts, p / p.sum(), *totals, float(n))
    return total


def compute_laws_of_cells(
    strata: Iterable[Stratum], negligible: float = 0.0
) -> dict[tuple[int, int], tuple[int, Floats]]:
    """Return the distribution of each cell, as its first value and the probabilities from this value on.

    A cell is a sum of independent hypergeometric counts, one for each stratum. Probabilities up to
    `negligible` times the largest are left out at both ends. Cells that are always 0 are not listed.
    """
    law, laws = functools.cache(compute_hypergeometric_law), dict[tuple[int, int], tuple[int, Floats]]()
    for within, rows, columns in strata:
        for i, row_total in zip(rows.tolist(), within.row_totals.tolist(), strict=True):
            for j, column_total in zip(columns.tolist(), within.column_totals.tolist(), strict=True):
                x, p = law(within.n, row_total, column_total)
                cell_law = _trim(int(x[0]), p, negligible)
                if (i, j) in laws:  # the sum of two independent counts
                    (first, p), (other_first, other_p) = laws[i, j], cell_law
                    cell_law = _trim(first + other_first, np.convolve(p, other_p), negligible)
                laws[i, j] = cell_law
    return laws


def forecast_of_expected_sum(strata: Strata) -> float:
    """Return the approximate seconds that `compute_sum_mean_in_strata` takes."""
    laws = float((np.diff(strata.rows.indptr) * np.diff(strata.columns.indptr)).sum())
    widths = float(np.sqrt(strata.sizes.astype(np.float64) * strata.sizes.sum()).sum())
    return 1e-9 * (NANOSECONDS_PER_CALL * laws + 50.0 * NANOSECONDS_PER_STEP * widths)


def _trim(first: int, p: Floats, negligible: float) -> tuple[int, Floats]:
    """Return a distribution without its ends of negligible probability, relative to the largest."""
    kept = np.flatnonzero(p > negligible * p.max())
    return first + int(kept[0]), p[kept[0] : kept[-1] + 1]


def _average_cells(rows: "csr_array", columns: "csr_array", sizes: Integers) -> "Floats | csr_array":
    """Return the mean of each cell, shape (K, Q); sparse if the cells are many."""
    means = rows.multiply(1.0 / sizes[:, np.newaxis]).tocsr().T @ columns
    return means.toarray() if math.prod(means.shape) <= MAX_DENSE_CELLS else means.tocsr()


def _sum_squared_means(strata: Strata) -> float:
    """Return the sum of the squared means of all cells, from the cells or from all pairs of strata.

    The sum is ``sum_{s,t} <r_s, r_t> <c_s, c_t> / (n_s n_t)``. Products of strata are fewer than cells if
    most clusters are within one stratum.
    """
    sides = strata.rows, strata.columns
    cells = float(np.prod([np.diff(side.indptr) for side in sides], axis=0, dtype=np.float64).sum())
    products = sum(float((np.diff(side.tocsc().indptr).astype(np.float64) ** 2).sum()) for side in sides)
    if products < cells:
        shares = strata.rows.multiply(1.0 / strata.sizes[:, np.newaxis]).tocsr()
        of_pairs = (shares @ shares.T).multiply(strata.columns @ strata.columns.T)
        return float(of_pairs.sum())
    means = _average_cells(*sides, strata.sizes)
    return float(((means if isinstance(means, np.ndarray) else means.data) ** 2).sum())


def _compute_variance_alone(
    stratum: Stratum, means: "Floats | csr_array", shared: tuple[Booleans, ...]
) -> float:
    """Return the variance of ``T_s + 2 <M - M_s, N_s>``; the stratum has at least two objects.

    ``M - M_s`` is 0 except in the clusters that other strata share, so that all others count as one.
    """
    margins, rows, columns = stratum
    in_rows, in_columns = shared[0][rows], shared[1][columns]
    n = margins.n
    r, r_squared = _join_unshared(margins.row_totals, in_rows)
    c, c_squared = _join_unshared(margins.column_totals, in_columns)
    mean, second = compute_raw_moments(margins, 2)
    of_shared = means[rows[in_rows]][:, columns[in_columns]]
    F = np.zeros((r.size, c.size))
    F[:-1, :-1] = of_shared if isinstance(of_shared, np.ndarray) else of_shared.toarray()
    F[:-1, :-1] -= np.outer(r[:-1], c[:-1]) / n
    F = F - (F @ c / n)[:, np.newaxis] - (r @ F) / n + r @ F @ c / n**2
    of_linear = float((np.outer(r, c) * F**2).sum()) / (n - 1)
    with_linear = 2.0 * float(r_squared @ F @ c_squared) / ((n - 1) * (n - 2)) if n > 2 else 0.0
    return float(second - mean**2) + 4.0 * (of_linear + with_linear)


def _join_unshared(sizes: Integers, is_shared: Booleans) -> tuple[Floats, Floats]:
    """Return the sizes of the shared clusters and the sum of the others; the same for their squares."""
    own, others = sizes[is_shared].astype(np.float64), sizes[~is_shared].astype(np.float64)
    return np.append(own, others.sum()), np.append(own**2, (others**2).sum())


def _compute_traces(side: "csr_array", n: Floats, part: slice) -> Floats:
    """Return ``tr A_s A_t`` for the strata s in the part and all t."""
    r = side.astype(np.float64)
    squares = r.power(2)
    products = (r[part] @ r.T).toarray()
    own, others = (r[part] @ squares.T).toarray(), (squares[part] @ r.T).toarray()
    of_part = n[part, np.newaxis]
    traces: Floats = of_part * n * products - of_part * own - n * others + products**2
    return traces
