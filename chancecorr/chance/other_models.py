"""Exact means where chance is not the exchange of all objects: random partitions, strata, weighted objects.

Each of these models meets this file for moments; permuted objects of one table do not. See
docs/explanation/derivations.md.

- Random partitions: of the N pairs of objects ``N p q`` are together in both on average, p and q being the
  chances that two objects are together on either side; the cell of a row of size s and a column of size r is
  hypergeometric. Vinh, Epps & Bailey (2010); Gates & Ahn (2017), arXiv:1701.06508; Sundqvist, Chiquet &
  Rigaill (2023).
- Strata: the table is a sum of independent tables ``N_s`` with means ``M_s``, and with ``F_s = sum_t M_t -
  M_s`` and the covariances C_s of the cells of N_s ``Var T`` is ``sum_s Var(T_s + 2 <F_s, N_s>) + 2
  (sum_{s,t} tr C_s C_t - sum_s tr C_s**2)``.
- Weighted objects: an index that is linear in the weighted pair counts is a constant and ``sum X_ij
  V_s(i)s(j)`` with ``X_ij = w_i w_j (beta U_ij + gamma)``, as in `pair_space`.
"""

import functools
import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chancecorr.exact.additive import expected_in_cells
from chancecorr.exact.closed_laws import hypergeometric_law
from chancecorr.exact.index_of_pair_sum import affine_moments, infinite_mean
from chancecorr.exact.pair_space import CANCELLED, PairSpace, permutation_moments
from chancecorr.exact.summary import UNKNOWN, Moments, compute_adjusted_scores
from chancecorr.indices.calling import mean_in_a_cell, run_loop
from chancecorr.indices.evaluation import link_totals, total_of_cells, values_of_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.models import MOST_OBJECTS, Model, Side
from chancecorr.sampling.seeding import make_generator
from chancecorr.tables.contingency import Margins
from chancecorr.tables.objects import Strata, Stratum
from chancecorr.tables.pair_sum import PairSumMoments, raw_moments

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MOST_PAIRS_OF_SIZES = 10_000_000
"""Pairs of a row's and a column's size over which an exact mean of a cell is taken."""


def expected_linear(index: Index, margins: Margins, model: Model) -> float | None:
    """Mean of a ``"pairs"`` index that is linear in the pair counts; None for others, and below 2 objects."""
    n = margins.n
    if n < 2:
        return None
    N = n * (n - 1) // 2
    if linear_at(index, np.empty((0, 4)), N) is None:
        return None
    p, q = (side.chance_together(totals, n) for side, totals in _pair_sides(margins, model))
    expected = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    found = linear_at(index, np.array([[float(N * share) for share in expected]]), N)
    return None if found is None else float(found[0])


def linear_at(index: Index, counts: Floats, pairs: float) -> Floats | None:
    """Values of a ``"pairs"`` index at rows of pair counts, not whole, with this sum; None if not linear."""
    shares = make_generator(0).dirichlet([0.5] * 4, 256)
    corners = np.eye(4) * 0.6 + 0.1
    found = _evaluate_at_counts(index, np.vstack([corners, shares]) * pairs)
    # a share is a mean of the corners with weights that sum to 1
    wanted = np.linalg.solve(corners.T, shares.T).T @ found[:4]
    if not (np.abs(wanted - found[4:]) <= 1e-11 * np.abs(found).max()).all():
        return None
    return _evaluate_at_counts(index, counts)


def undefined_mean_under(index: Index, margins: Margins, model: Model) -> float | None:
    """Nan if an index is infinite on the most or the least even sizes of a model, None if not known."""
    n = margins.n
    if not 2 <= n <= MOST_OBJECTS:
        return None
    for rows in model.rows.extreme_sizes(margins.row_totals, n):
        for columns in model.columns.extreme_sizes(margins.column_totals, n):
            mean = infinite_mean(index, Margins(rows, columns))
            if mean is not None and math.isinf(mean):
                return math.nan
    return None


def expected_sum(index: Index, margins: Margins, model: Model) -> float | None:
    """Mean of a sum over cells whose `link` is a line, n alone deciding which; None for others."""
    n = margins.n
    line = _find_line_of_link(index, n)
    if line is None:
        return None
    sides = (side.cluster_of_an_object(totals, n) for side, totals in _pair_sides(margins, model))
    (row_sizes, p), (column_sizes, q) = sides
    if row_sizes.size * column_sizes.size > MOST_PAIRS_OF_SIZES:
        raise TooCostlyError(
            "margins", f"must have fewer sizes under the model {model.name!r}. Sample instead."
        )
    means = expected_in_cells(index, row_sizes, column_sizes, n)
    return line[0] + line[1] * float((n * p / row_sizes) @ means @ (n * q / column_sizes))


def linear_with_itself(index: Index, margins: Margins, model: Model) -> float | None:
    """Mean of a linear ``"pairs"`` index of a random clustering with itself, over both sides; else None."""
    n, N = margins.n, margins.n * (margins.n - 1) // 2
    together = [side.chance_together(totals, n) for side, totals in _pair_sides(margins, model)]
    counts = [[float(N * p), 0.0, 0.0, float(N * (1 - p))] for p in together]
    found = linear_at(index, np.array(counts), N)
    return None if found is None else float(found.mean())


def sum_with_itself(index: Index, margins: Margins, model: Model) -> float | None:
    """Mean as in `linear_with_itself` of a sum over cells; None unless its `link` is one line."""
    n, line, means = margins.n, _find_line_of_link(index, margins.n), []
    if line is None:
        return None
    for side, totals in _pair_sides(margins, model):
        sizes, p = side.cluster_of_an_object(totals, n)
        cell = np.zeros(1, dtype=np.int64)
        alone = [  # a cluster against itself
            total_of_cells(index, cell, cell, np.array([s]), Margins([s, n - s], [s, n - s]))
            for s in sizes.tolist()
        ]
        means.append(float(np.sum(n * p / sizes * alone)))
    return line[0] + line[1] * (means[0] + means[1]) / 2


def _find_line_of_link(index: Index, n: int) -> tuple[float, float] | None:
    """Intercept and slope of a link that is one line for all cluster sizes, tried at some of them."""
    if n < 2:
        return None
    sizes = ([n], [n - 1, 1], [(n + 1) // 2, n // 2], [1] * min(n, 7) + [n - 7] * (n > 7))
    totals = np.array([0.0, 0.31, 1.0])
    lines = np.array(
        [link_totals(index, totals, Margins(rows, columns)) for rows in sizes for columns in sizes]
    )
    first, _, last = lines[0].tolist()
    wanted = first + totals * (last - first)
    if not (np.abs(lines - wanted) <= 1e-12 * np.abs(wanted).max()).all():
        return None
    return first, last - first


def _evaluate_at_counts(index: Index, counts: Floats) -> Floats:
    """Values of a ``"pairs"`` index at rows of pair counts that need not be whole."""
    nothing = np.zeros(len(counts), dtype=np.int64)
    return values_of_varying_pairs(index, tuple(counts.T.copy()), (nothing, nothing), 2)


def _pair_sides(margins: Margins, model: Model) -> tuple[tuple[Side, Integers], tuple[Side, Integers]]:
    """Each side with its totals, of few objects: refused is what exact recursions cannot serve in time."""
    sides = (model.rows, margins.row_totals), (model.columns, margins.column_totals)
    for side, totals in sides:
        most = side.most_objects(totals)
        if most is not None and margins.n > most:
            raise TooCostlyError(
                "margins",
                f"must hold at most {most} objects for exact expectations under the model {model.name!r};"
                f" got {margins.n}. Sample instead.",
            )
    return sides


DENSE_CELLS = 4_000_000
"""Cells up to which the means of all cells are an array: 32 MB."""

STEPS_OF_A_PAIR = 100.0
"""Of two strata, for the variance; steps of 1 ns or so."""

STRATA_AT_A_TIME = 256
"""Strata that are set against all others at a time."""

SECONDS_OF_A_LAW, SECONDS_OF_A_CONVOLUTION = 4e-5, 5e-8
"""Of the law of a cell of one stratum; of its convolution with those before, for each ``sqrt(n_s n)``."""

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
    means = _average_cells(strata)
    squares = means if isinstance(means, np.ndarray) else means.data
    n = strata.sizes.astype(np.float64)
    rows, columns = (  # ``sum r (n - r)`` of each stratum
        np.asarray(n**2 - side.astype(np.float64).power(2).sum(axis=1)).ravel()
        for side in (strata.rows, strata.columns)
    )
    return float((squares**2).sum()) + float((rows * columns / (n**2 * np.maximum(n - 1.0, 1.0))).sum())


def pair_sum_variance(strata: Strata) -> float:
    """Variance of T, 0 if it is no more than rounding."""
    means = _average_cells(strata)
    alone = [_compute_variance_alone(each, means) for each in strata if each.margins.n > 1]
    n = strata.sizes.astype(np.float64)
    scale, total = np.divide(1.0, n**2 * (n - 1.0), out=np.zeros_like(n), where=n > 1.0), 0.0
    for first in range(0, n.size, STRATA_AT_A_TIME):
        part = slice(first, first + STRATA_AT_A_TIME)
        traces = _compute_traces(strata.rows, n, part) * _compute_traces(strata.columns, n, part)
        traces[np.arange(traces.shape[0]), np.arange(first, first + traces.shape[0])] = 0.0
        total += float((scale[part, np.newaxis] * traces * scale).sum())
    variance = math.fsum(alone) + 2.0 * total
    return variance if variance > (ROUNDING * pair_sum_mean(strata)) ** 2 else 0.0


def expected_sum_in_strata(index: Index, margins: Margins, strata: Strata) -> float:
    """Mean of ``sum phi(n_ij, row_i, column_j, n)``: a cell is a sum of independent hypergeometric counts."""
    n, total, law = margins.n, 0.0, functools.cache(hypergeometric_law)
    laws: dict[tuple[int, int], tuple[int, Floats]] = {}
    for within, rows, columns in strata:
        for i, row_total in zip(rows.tolist(), within.row_totals.tolist(), strict=True):
            for j, column_total in zip(columns.tolist(), within.column_totals.tolist(), strict=True):
                x, p = law(within.n, row_total, column_total)
                found = _trim(int(x[0]), p)
                if (i, j) in laws:  # of the sum of two independent counts
                    (first, p), (other_first, other_p) = laws[i, j], found
                    found = _trim(first + other_first, np.convolve(p, other_p))
                laws[i, j] = found
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


def _trim(first: int, p: Floats) -> tuple[int, Floats]:
    """A law without its negligible ends."""
    kept = np.flatnonzero(p > NEGLIGIBLE * p.max())
    return first + int(kept[0]), p[kept[0] : kept[-1] + 1]


def _average_cells(strata: Strata) -> "Floats | csr_array":
    """Mean of each cell, shape (K, Q); sparse if the cells are many."""
    scaled = strata.rows.multiply(1.0 / strata.sizes[:, np.newaxis]).tocsr()
    means = scaled.T @ strata.columns
    return means.toarray() if math.prod(means.shape) <= DENSE_CELLS else means.tocsr()


def _compute_variance_alone(stratum: Stratum, means: "Floats | csr_array") -> float:
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


def _compute_traces(side: "csr_array", n: Floats, part: slice) -> Floats:
    """``tr A_s A_t`` of the strata s in the part and all t."""
    r = side.astype(np.float64)
    squares = r.power(2)
    products = (r[part] @ r.T).toarray()
    own, others = (r[part] @ squares.T).toarray(), (squares[part] @ r.T).toarray()
    of_part = n[part, np.newaxis]
    traces: Floats = of_part * n * products - of_part * own - n * others + products**2
    return traces


class WeightedObjects(NamedTuple):
    """Clusters of the objects, numbers from 0 on, and their weights; all of shape (n,)."""

    rows: Integers
    columns: Integers
    weights: Floats


def weighted_moments(index: Index, objects: WeightedObjects) -> Moments | None:
    """Mean and variance of an index that is linear in the pair counts, in O(n); None for others."""
    rows, columns, weights = objects
    n = rows.size
    if n < 2 or index.needs != "pairs":
        return None
    pairs = _count_twice_pairs(weights, np.zeros(n, dtype=np.int64)) / 2.0
    together = _count_twice_pairs(weights, rows) / 2.0
    apart, share = pairs - together, _count_twice_pairs(np.ones(n), columns) / (n * (n - 1))
    at_none = np.array([0.0, together, 0.0, apart])  # no two objects together in the candidate
    at_mean = np.array([together * share, together * (1 - share), apart * share, apart * (1 - share)])
    both, candidate = np.array([together, -together, 0.0, 0.0]), np.array([0.0, 0.0, apart, -apart])
    found = linear_at(index, np.array([at_mean, at_none, at_none + both, at_none + candidate]), pairs)
    if found is None:
        return None
    mean, none, of_both, of_candidate = found.tolist()
    within = (of_both - none) / together if together > 0.0 else 0.0
    between = (of_candidate - none) / apart if apart > 0.0 else 0.0
    X = block_space(rows, weights, within, between)
    _, variance = permutation_moments(X, block_space(columns, np.ones(n), 1.0, 0.0))
    return Moments(mean=mean, variance=variance, skewness=UNKNOWN.skewness, kurtosis=UNKNOWN.kurtosis)


def scores_without_each(index: Index, objects: WeightedObjects, best: float | None) -> Floats:
    """Adjusted scores without each object in turn, of a linear index, in O(n); `best` as of `Index`."""
    rows, columns, weights = objects
    n, one = rows.size, np.zeros(rows.size, dtype=np.int64)
    if n < 3:
        return np.full(n, math.nan)
    cells = rows * (int(columns.max()) + 1) + columns
    sums = (weights * (np.bincount(x, weights)[x] - weights) for x in (one, rows, columns, cells))
    pairs, together, candidate, both = (math.fsum(own) / 2.0 - own for own in sums)
    sizes = np.bincount(columns)
    share = (float((sizes * (sizes - 1)).sum()) - 2.0 * (sizes[columns] - 1)) / ((n - 1) * (n - 2))
    apart = pairs - together

    def at(a: Floats, b: Floats, c: Floats) -> Floats:
        counts = tuple(np.maximum(each, 0.0) for each in (a, b, c, pairs - a - b - c))
        return values_of_varying_pairs(index, counts, (one, one), 2)

    observed = at(both, together - both, candidate - both)
    mean = at(together * share, together * (1.0 - share), apart * share)
    none = np.zeros(n)
    top = best if best is not None else (at(together, none, none) + at(candidate, none, none)) / 2.0
    return np.asarray(compute_adjusted_scores(observed, top, mean))


def block_space(codes: Integers, weights: Floats, within: float, between: float) -> PairSpace:
    """Pair space of ``w_i w_j`` times `within` for objects of one cluster, else times `between`."""
    n = codes.size
    of_clusters = np.bincount(codes, weights)
    sums = (within - between) * (of_clusters[codes] - weights) + between * (math.fsum(weights) - weights)
    row_sums = weights * sums
    total = math.fsum(row_sums) / 2.0
    if n < 3:
        return PairSpace(n, total, 0.0, 0.0)
    squares_within = _count_twice_pairs(weights**2, codes) / 2.0
    squares_of_all = _count_twice_pairs(weights**2, np.zeros(n, dtype=np.int64)) / 2.0
    squares = (within**2 - between**2) * squares_within + between**2 * squares_of_all
    of_objects = math.fsum((row_sums - row_sums.mean()) ** 2) / (n - 2)
    rest = squares - total**2 / math.comb(n, 2) - of_objects
    return PairSpace(
        n,
        total,
        of_objects if of_objects > CANCELLED * squares else 0.0,
        rest if n > 3 and rest > CANCELLED * squares else 0.0,
    )


def _count_twice_pairs(weights: Floats, codes: Integers) -> float:
    """Sum of ``w_i w_j`` over the ordered pairs of two objects of one cluster."""
    return math.fsum(weights * (np.bincount(codes, weights)[codes] - weights))
