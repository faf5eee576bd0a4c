"""Mean and variance of pair-counting indices of weighted objects that exchange the candidate's labels.

Weights w and reference clusters stay with the objects. With U and V the co-membership of the reference and
of the candidate, the weighted pair counts are sums of ``w_i w_j`` over the pairs i < j that both, one or
neither has together. An index that is linear in them is ``constant + sum X_ij V_s(i)s(j)`` for the matching
s, where ``X_ij = w_i w_j (beta U_ij + gamma)``: a sum whose moments `pair_space` has.
"""

import math
from typing import NamedTuple

import numpy as np

from chancecorr.exact.adjusted_score import compute_adjusted_scores
from chancecorr.exact.moments.models import linear_at
from chancecorr.exact.moments.pair_space import PairSpace, permutation_moments
from chancecorr.exact.moments.summary import UNKNOWN, Moments
from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers

CANCELLED = 1e-13
"""Share of terms that cancel below which nothing is left of them but rounding."""


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
    pairs = _twice_pairs(weights, np.zeros(n, dtype=np.int64)) / 2.0
    together = _twice_pairs(weights, rows) / 2.0
    apart, share = pairs - together, _twice_pairs(np.ones(n), columns) / (n * (n - 1))
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
    pairs, together, candidate, both = (_pairs_without(weights, each) for each in (one, rows, columns, cells))
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


def _pairs_without(weights: Floats, codes: Integers) -> Floats:
    """Sum of ``w_i w_j`` over the pairs of one cluster, without each object in turn."""
    own = weights * (np.bincount(codes, weights)[codes] - weights)
    return math.fsum(own) / 2.0 - own


def block_space(codes: Integers, weights: Floats, within: float, between: float) -> PairSpace:
    """Pair space of ``w_i w_j`` times `within` for objects of one cluster, else times `between`."""
    n = codes.size
    of_clusters = np.bincount(codes, weights)
    sums = (within - between) * (of_clusters[codes] - weights) + between * (math.fsum(weights) - weights)
    row_sums = weights * sums
    total = math.fsum(row_sums) / 2.0
    if n < 3:
        return PairSpace(n, total, 0.0, 0.0)
    squares_within = _twice_pairs(weights**2, codes) / 2.0
    squares_of_all = _twice_pairs(weights**2, np.zeros(n, dtype=np.int64)) / 2.0
    squares = (within**2 - between**2) * squares_within + between**2 * squares_of_all
    of_objects = math.fsum((row_sums - row_sums.mean()) ** 2) / (n - 2)
    rest = squares - total**2 / math.comb(n, 2) - of_objects
    return PairSpace(
        n,
        total,
        of_objects if of_objects > CANCELLED * squares else 0.0,
        rest if n > 3 and rest > CANCELLED * squares else 0.0,
    )


def _twice_pairs(weights: Floats, codes: Integers) -> float:
    """Sum of ``w_i w_j`` over the ordered pairs of two objects of one cluster."""
    return math.fsum(weights * (np.bincount(codes, weights)[codes] - weights))
