"""The model for two clusterings of any kind: chance permutes the objects of the candidate.

With up to eight objects, all permutations are used. Mean and variance are exact for indices that compare pair
by pair; for other indices they are estimated from random permutations.
"""

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from chancecorr.chance.engines import Law
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel, PartScores
from chancecorr.clusterings.clustering import Agreement, Clustering, Sums
from chancecorr.exact.summary import UNKNOWN, Known, bound_rounding, compute_adjusted_score
from chancecorr.indices.calling import explain_failure
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentError
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.machine.kernel import read_clock
from chancecorr.sampling.kernels.streams import fill_permutations
from chancecorr.sampling.task import Joint
from chancecorr.tables.names import ObjectNames
from chancecorr.tables.objects import read_groups

MOST_ENUMERATED, MOST_PERMUTATIONS = 8, 40_320
"""Largest number of objects for which all permutations are used, and their number."""

NUMBERS_AT_ONCE = 1 << 18
"""Numbers in a block of permutations: 2 MB, so that a matrix on disk is read only a few times."""

PERMUTATIONS_OF_A_FUNCTION = 999  # default for a user's function, without `n_tables` and a budget
MAX_NANOSECONDS_OF_A_PART = 2e6  # slower permutations make an interval take longer than the score
MOST_PARTS = 50  # parts of the objects that are left out in turn for an interval
PERMUTATIONS_OF_A_PART = 199  # taken from the permutations of all objects, so that common errors cancel


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ObjectModel(NullModel):
    """Base class of models of two clusterings of any kind; their agreement by an index is computed once."""

    P: Clustering
    Q: Clustering
    objects: ObjectNames | None = None  # names of all objects, including the left-out ones
    kept: Booleans | None = None  # mask of the objects that the clusterings have; None: all

    draw_word: ClassVar[str] = "permutation"

    @property
    def n(self) -> int:
        return self.P.n

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if the values of all indices on the data take longer than the budget."""
        what = f"the values of {', '.join(repr(index.name) for index in indices)} for {self.n:,} objects"
        costs = [index.cost(self.P, self.Q) for index in indices if index.cost is not None]
        for _, size in costs:
            self.options.budget.check_bytes("index", what, size)
        self.options.budget.check_seconds(what, 1e-9 * sum(nanoseconds for nanoseconds, _ in costs))

    def agree(self, index: Index) -> Agreement:
        """Return the agreement of the clusterings by the index, with mean and variance by chance if known."""

        def compute() -> Agreement:
            start = read_clock()
            try:
                agreement = index.function(self.P, self.Q)
                if not isinstance(agreement, Agreement):
                    raise TypeError(f"expected an Agreement, got {agreement!r}")
            except (ArgumentError, IndexEvaluationError):
                raise
            except Exception as error:  # of a user's function
                raise explain_failure(index, "two clusterings", error) from error
            return replace(agreement, seconds=read_clock() - start)

        return self.compute_once("agreement", index, compute)

    def observed(self, index: Index) -> float:
        return self.agree(index).observed

    def best(self, index: Index) -> float:
        return self.options.choose_best(self.agree(index).best if index.best is None else index.best)

    def forecast(self, indices: Sequence[Index]) -> float:
        """Return the seconds of a permutation; with a budget, a user's function is timed."""
        own = 0.0 if self.options.budget.seconds is None else 1.0
        known = map(self.agree, indices)
        return sum(own * x.seconds if math.isnan(x.nanoseconds) else 1e-9 * x.nanoseconds for x in known)

    def seconds_spent(self, indices: Sequence[Index]) -> float:
        return sum(self.agree(index).seconds for index in indices)

    def read_values(self, index: Index, sums: Floats, counts: Integers) -> Joint:
        """Return index values from sums over pairs; a value within rounding of the observed one equals it."""
        agreement = self.agree(index)
        here = agreement.sums(np.arange(self.n)[np.newaxis])[0]
        with np.errstate(invalid="ignore"):  # infinite slope (0/0), or a user's values
            values = agreement.at_zero + agreement.slope * sums
            above = (sums - here) * agreement.slope
        spread = math.sqrt(agreement.variance) if agreement.variance > 0.0 else 0.0
        if math.isnan(agreement.variance) and np.isfinite(above).any():
            spread = float(np.std(above[np.isfinite(above)]))
        ends = [abs(end) for end in index.range if math.isfinite(end)]  # terms that may cancel near 0
        largest = np.abs(values[np.isfinite(values)]).max(initial=max(ends, default=0.0))
        # a known variance says if the sums vary, however small the variance is
        slack = max(1e-9 * spread, bound_rounding(largest) if math.isnan(agreement.variance) else 0.0)
        same = (np.abs(above) <= slack) | (sums == here) | (agreement.variance == 0.0)
        values, excess = np.where(same, agreement.observed, values), np.where(same, 0.0, above)
        return Joint(values, None, counts, excess=excess)

    def compares_the_same(self) -> bool:
        return np.array_equal(self.P.plain, self.Q.plain)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PermutedObjects(ObjectModel):
    """The permutation model of two clusterings of any kind: the objects of the candidate are permuted."""

    def find_moments(self, index: Index) -> Known | None:
        """Return exact mean and variance from sums over pairs; None if they have to be sampled."""
        agreement = self.agree(index)
        if self.n < 2:
            return Known(UNKNOWN, 0.0)
        if math.isnan(agreement.expected):
            return None
        moments = replace(UNKNOWN, mean=agreement.expected, variance=agreement.variance)
        return Known(moments, agreement.error)

    def law(self, index: Index) -> Law | None:
        """Return the values under all permutations; None if the objects are too many."""
        options, agreement = self.options, self.agree(index)
        if self.n < 2:  # without a pair of objects
            return Law(np.array([math.nan]), np.ones(1), 0.0)
        total = math.factorial(self.n) if self.n <= MOST_ENUMERATED else 0
        seconds = total * self.forecast((index,))
        left = options.budget.find_seconds_left(self.seconds_spent((index,)))
        if 0 < total <= MOST_PERMUTATIONS and (options.method.needs_law or seconds <= left):
            sums = sum_all_permuted(agreement.sums, self.n)
            joint = self.read_values(index, sums, np.ones(sums.size, dtype=np.int64))
            return Law(joint.values, np.full(sums.size, 1.0 / sums.size), 0.0, excess=joint.excess)
        return None

    def most_draws(self, indices: Sequence[Index]) -> int:
        """Return the largest number of permutations by default; it is smaller for a user's function."""
        most = self.options.n_tables
        return min(most, PERMUTATIONS_OF_A_FUNCTION) if self.calls_user(indices) else most

    def calls_user(self, indices: Sequence[Index]) -> bool:
        return any(math.isnan(self.agree(index).nanoseconds) for index in indices)

    def draw_values(self, indices: Sequence[Index], first: int, count: int) -> Floats:
        """Return sums over pairs under random permutations, which all indices share."""
        known, seed = map(self.agree, indices), self.options.seed
        return np.array([sum_permuted(x.sums, self.n, seed, first, count) for x in known]).T

    def find_block_size(self, indices: Sequence[Index]) -> int:
        return count_permutations_in_block(self.n)

    def exact_score(self, index: Index) -> float | None:
        """Return the adjusted score if the index has a more exact formula for it, or None."""
        options = self.options
        is_other = options.best is not None or options.method.only_tables
        return None if is_other else self.agree(index).adjusted

    def score_parts(self, index: Index, null: NullDistribution, groups: Any) -> PartScores:
        """Return the adjusted scores after removing each part of the objects; few objects: each object."""
        n, best = self.n, self.best(index)
        if groups is None:
            parts = np.arange(n) % MOST_PARTS
            fill_permutations(self.options.seed, 0, order := np.empty((1, n), dtype=np.int64))
            parts = parts[order[0]] if n > MOST_PARTS else parts
        else:
            parts = read_groups(groups, self.objects or ObjectNames(range(n)), self.kept)
        whole = compute_adjusted_score(self.observed(index), best, null.mean)
        score_without = functools.partial(self._score_part, index, best)
        without = np.array([score_without(np.flatnonzero(parts != k)) for k in range(int(parts.max()) + 1)])
        return PartScores(whole, without, best, 1.0 / without.size)

    def _score_part(self, index: Index, best: float, kept: Integers) -> float:
        """Return the adjusted score of the kept objects; nan with fewer than two objects."""
        if kept.size < 2:
            return math.nan
        of_part = index if index.part is None else index.part(kept)
        agreement = of_part.function(self.P.part(kept), self.Q.part(kept))
        best = agreement.best if index.best is None and self.options.best is None else best
        mean = agreement.expected
        if math.isnan(mean):
            permutations = np.empty((PERMUTATIONS_OF_A_PART, self.n), dtype=np.int64)
            fill_permutations(self.options.seed, 0, permutations)
            mean = agreement.at_zero + agreement.slope * float(
                agreement.sums(contract_permutations(permutations, kept)).mean()
            )
        return compute_adjusted_score(agreement.observed, best, mean)

    def forecast_parts(self, index: Index, *, is_simulated: bool) -> float:
        agreement = self.agree(index)
        is_short = not is_simulated and agreement.nanoseconds < MAX_NANOSECONDS_OF_A_PART
        return MOST_PARTS * agreement.seconds if is_short else math.inf


def sum_all_permuted(sums: Sums, n: int) -> Floats:
    """Return the sums for all permutations of few objects."""
    return sums(np.array(list(itertools.permutations(range(n))), dtype=np.int64))


def sum_permuted(sums: Sums, n: int, seed: np.uint64, first: int, count: int) -> Floats:
    """Return the sums for random permutations number ``first, first + 1, ...``."""
    permutations = np.empty((count, n), dtype=np.int64)
    fill_permutations(seed, first, permutations)
    return sums(permutations)


def count_permutations_in_block(n: int) -> int:
    """Return the number of permutations in a block, at least 32, so that the data are read few times."""
    return max(32, NUMBERS_AT_ONCE // n)


def contract_permutations(permutations: Integers, kept: Integers) -> Integers:
    """Return uniform permutations of the kept objects: other objects are removed from their cycles."""
    number = np.full(permutations.shape[1], -1, dtype=np.int64)
    number[kept] = np.arange(kept.size)
    images = permutations[:, kept]
    while (gone := number[images] < 0).any():
        images = np.where(gone, np.take_along_axis(permutations, images, axis=1), images)
    return np.asarray(number[images])
