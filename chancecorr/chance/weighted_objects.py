"""The model for two partitions of weighted objects: chance permutes the candidate's labels, not the weights.

An index that is linear in the weighted pair counts is a constant plus ``sum X_ij V_s(i)s(j)`` with
``X_ij = w_i w_j (beta U_ij + gamma)``, as in `exact.pair_space`. Its mean and variance are exact.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.fixed_margins import PERMUTATION
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel, PartScores
from chancecorr.exact.index_of_pair_sum import evaluate_linear
from chancecorr.exact.pair_space import CANCELLED_SHARE, PairSpace, compute_permutation_moments
from chancecorr.exact.summary import (
    UNKNOWN,
    Known,
    Moments,
    bound_rounding,
    compute_adjusted_scores,
    score_index,
)
from chancecorr.indices.evaluation import evaluate_varying_pairs, evaluate_weighted, is_weightable
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CELL
from chancecorr.sampling.kernels.streams import add_shuffled
from chancecorr.sampling.task import Joint
from chancecorr.tables.crosstab import narrow_codes
from chancecorr.tables.objects import read_weights
from chancecorr.tables.reading import Objects

NUMBERS_AT_ONCE = 1 << 20
"""Most cells of the tables of a block, and objects shuffled in a block: about ten milliseconds."""

NANOSECONDS_SHUFFLED, NANOSECONDS_OF_A_TABLE = (
    3.0,
    3_000.0,
)  # per object, and for an index on a table
NANOSECONDS_OF_AN_OBJECT = 2_300.0  # per removed object, for an index linear in the pair counts


class WeightedObjects(NamedTuple):
    """Cluster numbers of the objects on both sides, from 0 on, and their weights; all of shape (n,)."""

    rows: Integers
    columns: Integers
    weights: Floats


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WeightedLabels(NullModel):
    """The model of two partitions of weighted objects."""

    objects: WeightedObjects

    @property
    def n(self) -> int:
        return int(self.objects.rows.size)

    @functools.cached_property
    def sums(self) -> tuple[float, float]:
        """Sums of the weights and of their squares."""
        return math.fsum(self.objects.weights), math.fsum(self.objects.weights**2)

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index or option does not support weights."""
        for index in indices:
            if not is_weightable(index):
                raise ArgumentValueError(
                    "index",
                    "must be a function of pair counts, or a function of a table that is independent of the"
                    f" unit of its weights, with `weights`; got {index.name!r}.",
                    "weights",
                )
        self.check_options()
        self.options.choose_best(0.0)  # raises, before the work

    def check_options(self) -> None:
        """Raise if the options have a model or a method that does not suit the weights."""
        if self.options.model != PERMUTATION:
            raise ArgumentValueError(
                "weights",
                f"must be None under model {self.name!r}: weights need 'permutation'.",
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Number of clusters on each side; for a named index, number of labels of both sides together."""
        assert self.margins is not None
        return self.margins.row_totals.size, self.margins.column_totals.size

    def observed(self, index: Index) -> float:
        table = np.zeros((1, *self.shape))
        np.add.at(table[0], (self.objects.rows, self.objects.columns), self.objects.weights)
        return float(self.evaluate(index, table)[0])

    def evaluate(self, index: Index, tables: Floats) -> Floats:
        """Return the values on tables of weights."""
        assert self.margins is not None
        sides = self.margins.row_totals, self.margins.column_totals
        is_trivial = [np.count_nonzero(totals) for totals in sides] in ([1, 1], [self.n, self.n])
        return evaluate_weighted(index, tables, *self.sums, is_trivial=is_trivial)

    def best(self, index: Index) -> float:
        if index.best is not None:
            return self.options.choose_best(index.best)
        sides = zip(self.objects[:2], self.shape, strict=True)
        sizes = [np.bincount(side, self.objects.weights, size) for side, size in sides]
        tables = [np.diag(of_side)[np.newaxis].astype(np.float64) for of_side in sizes]
        own = [self.evaluate(index, table)[0] for table in tables]
        return self.options.choose_best(float(own[0] + own[1]) / 2.0)

    def find_moments(self, index: Index) -> Known | None:
        """Return exact mean and variance of an index that is linear in the pair counts; else None."""
        moments = compute_weighted_moments(index, self.objects)
        return None if moments is None else Known(moments, 0.0)

    def _is_linear(self, index: Index) -> bool:
        """Return True if the index is linear in the pair counts, so that its moments are known."""
        return self.compute_once("moments", index, lambda: self.find_moments(index)) is not None

    def forecast(self, indices: Sequence[Index]) -> float:
        shape = self.shape
        of_table = NANOSECONDS_OF_A_TABLE + NANOSECONDS_PER_CELL * math.prod(shape)
        nanoseconds = NANOSECONDS_SHUFFLED * self.n + len(indices) * of_table
        whole = (index for index in indices if index.needs == "table")
        nanoseconds += sum(get_engine(index).nanoseconds(index, shape, self.n) for index in whole)
        return 1e-9 * nanoseconds

    def draw_values(self, indices: Sequence[Index], first: int, count: int) -> Floats:
        """Return values on tables of weights under random permutations of the candidate's labels."""
        rows, columns, weights = self.objects
        columns = narrow_codes(columns)  # shuffled in the cache: six times as fast for 1e6 objects
        tables, deck = np.zeros((count, *self.shape)), columns.copy()
        add_shuffled(self.options.seed, first, rows, columns, weights, np.array([self.n]), deck, tables)
        return np.array([self.evaluate(index, tables) for index in indices]).T

    def read_values(self, index: Index, numbers: Floats, counts: Integers) -> Joint:
        """Return the values; a value within rounding of the observed value is set equal to it."""
        # the index depends on shares of the total weight, which have the size of 1
        value = self.observed(index)
        slack = bound_rounding(max(abs(value), 0.0 if index.needs == "pairs" else 1.0))
        with np.errstate(invalid="ignore"):  # inf - inf
            return Joint(np.where(np.abs(numbers - value) <= slack, value, numbers), None, counts)

    def find_block_size(self, indices: Sequence[Index]) -> int:
        return max(1, NUMBERS_AT_ONCE // max(math.prod(self.shape), self.n))

    def compares_the_same(self) -> bool:
        rows, columns, _ = self.objects
        pairs = np.unique(rows * (columns.max() + 1) + columns).size
        return bool(np.unique(rows).size == np.unique(columns).size == pairs)

    def score_parts(self, index: Index, null: NullDistribution, groups: Any) -> PartScores:
        if groups is not None:
            raise ArgumentValueError("groups", "must be None for a score with `weights`.", "weights")
        if not self._is_linear(index):
            raise ArgumentValueError(
                "weights",
                f"must be None for an interval of index {index.name!r}: it is not linear in the pair counts.",
            )
        weights = self.objects.weights
        best = self.options.choose_best(index.best)
        constant = null.moments.std == 0.0
        whole = score_index(index, self.observed(index), self.best(index), null.mean, constant=constant)
        without = score_without_each(index, self.objects, best)
        cost = float(weights.max() / weights.sum())
        return PartScores(whole, without, math.nan if best is None else best, cost)

    def forecast_parts(self, index: Index, *, is_simulated: bool) -> float:
        """Return the forecast seconds of all jackknife scores, which are fast for a linear index."""
        return 1e-9 * NANOSECONDS_OF_AN_OBJECT * self.n if self._is_linear(index) else math.inf


def weigh_objects(weights: Any, objects: Objects) -> WeightedObjects:
    """Return rows, columns and weights (scaled to mean 1) of the kept objects."""
    rows, columns = objects.number()
    return WeightedObjects(rows, columns, read_weights(weights, rows, objects.names, objects.kept))


def compute_weighted_moments(index: Index, objects: WeightedObjects) -> Moments | None:
    """Return mean and variance of an index that is linear in the pair counts, in O(n); else None."""
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
    values = evaluate_linear(index, np.array([at_mean, at_none, at_none + both, at_none + candidate]), pairs)
    if values is None:
        return None
    mean, none, of_both, of_candidate = values.tolist()
    within = (of_both - none) / together if together > 0.0 else 0.0
    between = (of_candidate - none) / apart if apart > 0.0 else 0.0
    X = make_block_space(rows, weights, within, between)
    _, variance = compute_permutation_moments(X, make_block_space(columns, np.ones(n), 1.0, 0.0))
    return Moments(mean=mean, variance=variance, skewness=UNKNOWN.skewness, kurtosis=UNKNOWN.kurtosis)


def score_without_each(index: Index, objects: WeightedObjects, best: float | None) -> Floats:
    """Return the adjusted scores of a linear index after removing each object, in O(n)."""
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
        counts = tuple(np.maximum(count, 0.0) for count in (a, b, c, pairs - a - b - c))
        return evaluate_varying_pairs(index, counts, (one, one), 2)

    observed = at(both, together - both, candidate - both)
    mean = at(together * share, together * (1.0 - share), apart * share)
    none = np.zeros(n)
    top = best if best is not None else (at(together, none, none) + at(candidate, none, none)) / 2.0
    return np.asarray(compute_adjusted_scores(observed, top, mean))


def make_block_space(codes: Integers, weights: Floats, within: float, between: float) -> PairSpace:
    """Return the pair space of ``w_i w_j`` times `within` for two objects of one cluster, else `between`."""
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
        of_objects if of_objects > CANCELLED_SHARE * squares else 0.0,
        rest if n > 3 and rest > CANCELLED_SHARE * squares else 0.0,
    )


def _count_twice_pairs(weights: Floats, codes: Integers) -> float:
    """Return the sum of ``w_i w_j`` over the ordered pairs of two objects of one cluster."""
    return math.fsum(weights * (np.bincount(codes, weights)[codes] - weights))
