"""Scores of clusterings that are no partition: chance permutes the objects of the candidate."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chancecorr.arguments import Alternative, ArgumentValueError
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, PairIndex
from chancecorr.clusterings.indices import NAMED, PAIR_INDICES
from chancecorr.clusterings.indices.function import of_function
from chancecorr.clusterings.indices.pair_counts import pair_counting
from chancecorr.clusterings.kernels.pairs import fill_permutations
from chancecorr.clusterings.permuted import contracted, number_of_all, permuted_sums
from chancecorr.correction.affordable import LEAST_TABLES, note_of_fewer
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.distributions_made import analytic_null, exact_null, simulated_null
from chancecorr.correction.intervals.least import least_between
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, is_perfect
from chancecorr.correction.p_value import UNKNOWN as NO_TAIL
from chancecorr.correction.p_value import Tail, tail_from_count, tail_from_log, tail_from_p
from chancecorr.correction.request import Request
from chancecorr.correction.scores import AdjustedScore, score_from
from chancecorr.correction.tails import two_sided
from chancecorr.exact.laws.ties import rounding
from chancecorr.exact.moments.summary import UNKNOWN
from chancecorr.indices.registry import Index, index_to_adjust, is_one, is_registered
from chancecorr.kinds.kind import Known, Law
from chancecorr.machine.arrays import Floats
from chancecorr.simulation.task import Joint
from chancecorr.tables.grouping import read_groups

PERMUTATION_SECONDS = 1.0
"""Time of all permutations, by forecast, if neither their number nor a budget is given."""

PERMUTATIONS_OF_A_FUNCTION = 999
"""Permutations for a user's function, if neither their number nor a budget is given."""

MOST_NANOSECONDS_OF_A_PART = 2e6
"""Time of a permutation up to which an interval is shown without being asked for."""

MOST_PARTS = 50
"""Parts of the objects that are left out in turn for an interval."""

PERMUTATIONS_OF_A_PART = 199
"""Permutations for the mean without a part, those of all objects: what they have in common cancels."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """An index, two clusterings, and the request behind a score."""

    index: PairIndex
    P: Clustering
    Q: Clustering
    asked: Request

    @cached_property
    def agreement(self) -> Agreement:
        """How they agree, and the mean and variance by chance as far as they are known."""
        return self.index.agreement(self.P, self.Q)

    def costs_little(self, simulated: bool) -> bool:
        """Whether all parts can be left out in turn in no time."""
        return not simulated and self.agreement.nanoseconds < MOST_NANOSECONDS_OF_A_PART

    @property
    def best(self) -> float:
        """Value at which the adjusted score is 1."""
        return self.asked.best_or(self.index.best)

    @cached_property
    def null(self) -> NullDistribution:
        """Null distribution: of all permutations of few objects, else of as many as there is time for."""
        n_tables, note = self._plan
        n, found = self.P.n, self.agreement
        known = None if math.isnan(found.expected) or self.asked.method.only_tables else _known(found)
        if not n_tables:
            if n < 2:
                known = Known(UNKNOWN, 0.0)
            if known is None:
                raise ArgumentValueError(
                    "method",
                    f"must be 'auto' or 'monte-carlo' for index {self.index.name!r}, the mean of which is"
                    f" not known here; got {self.asked.method.name!r}.",
                )
            return _of(n, analytic_null(self.index.name, None, known, note=note))
        sums, are_all = self._sums
        values = np.where(self._above == 0.0, found.observed, found.at_zero + found.slope * sums)
        if are_all:
            known = None if known is None or math.isnan(known.moments.variance) else known
            law = Law(values, np.full(values.size, 1.0 / values.size), 0.0)
            return _of(n, exact_null(self.index.name, None, law, known))
        joint = Joint(values, None, np.ones(values.size, dtype=np.int64))
        null = simulated_null(self.index.name, None, joint, known, settled=known is not None, note=note)
        return _of(n, null)

    @property
    def _plan(self) -> tuple[int, str]:
        """Number of permutations, 0 for none, and what is to know of it."""
        asked, n = self.asked, self.P.n
        if asked.method.needs_moments or n < 2:
            return 0, ""
        if (total := number_of_all(n, self.agreement.both)) and not asked.method.only_tables:
            return total, ""
        if asked.method.needs_law:
            raise ArgumentValueError(
                "method", f"must be 'auto', 'analytic' or 'monte-carlo' for {n:,} objects; got 'exact'."
            )
        wanted = asked.n_tables
        if not asked.n_tables_is_limit:
            return wanted, ""
        seconds = PERMUTATION_SECONDS if asked.budget.seconds is None else asked.budget.seconds
        if math.isnan(self.agreement.nanoseconds):
            return min(wanted, PERMUTATIONS_OF_A_FUNCTION), ""
        fits = int(1e9 * seconds / self.agreement.nanoseconds)
        if fits >= wanted:
            return wanted, ""
        if fits < LEAST_TABLES and not math.isnan(self.agreement.expected):
            return 0, note_of_fewer(0, wanted, self.agreement.nanoseconds * 1e-9, "permutation")
        return max(fits, 1), note_of_fewer(max(fits, 1), wanted, what="permutation")

    @cached_property
    def _sums(self) -> tuple[Floats, bool]:
        """Sums under the permutations, and whether these are all."""
        asked, found = self.asked, self.agreement
        return permuted_sums(found.sums, self.P.n, self._plan[0], asked.seed, asked.n_jobs, both=found.both)

    @cached_property
    def _above(self) -> Floats:
        """Sums less that of the objects as they are, 0 if they differ by rounding alone."""
        sums = self._sums[0]
        above = sums - self.agreement.sums(np.arange(self.P.n)[np.newaxis])[0]
        spread = np.std(sums)
        if self.agreement.variance == 0.0 or spread <= 1e-12 * np.abs(sums).max(initial=0.0):
            return np.zeros(sums.size)
        return np.where(np.abs(above) <= 1e-9 * spread, 0.0, above) * self.agreement.slope

    def tail(self, null: NullDistribution, side: Alternative) -> Tail:
        """P-value from the permutations; without any the bound of Cantelli (1928) from mean and variance."""
        observed = self.agreement.observed
        if math.isnan(observed) or math.isnan(null.mean):
            return NO_TAIL
        if side == "two-sided":
            return two_sided(lambda each: self.tail(null, each))
        if null.values_from is not None:
            reached = int(np.count_nonzero(self._above >= 0.0 if side == "greater" else self._above <= 0.0))
            if null.counts is None:
                return tail_from_p(reached / self._above.size, 0.0, "exact")
            return tail_from_count(reached, null.n_tables)
        above = observed - null.mean if side == "greater" else null.mean - observed
        if not above > 0.0 or not null.variance > 0.0:
            return tail_from_p(1.0, math.inf, "bound", is_bound=True)
        return tail_from_log(-math.log1p(above * above / null.variance), math.inf, "bound", is_bound=True)

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: what was found of them is found anew."""
        return {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}

    def without_one(self, known: NullDistribution, groups: Any) -> LeaveOneOut:
        """Adjusted scores without one part of the objects each: without each object, if these are few."""
        n = self.P.n
        if groups is None:
            parts = np.arange(n) % MOST_PARTS
            fill_permutations(self.asked.seed, 0, order := np.empty((1, n), dtype=np.int64))
            parts = parts[order[0]] if n > MOST_PARTS else parts
        else:
            parts = read_groups(groups, n)
        whole = self._adjusted(self.agreement.observed, known.mean)
        without = np.array([self._without(np.flatnonzero(parts != k)) for k in range(int(parts.max()) + 1)])
        return LeaveOneOut(
            whole=whole,
            counts=np.ones(without.size, dtype=np.int64),
            without=without,
            estimate=whole,
            cost=1.0 / without.size,
            perfect=is_perfect(whole, without),
            grouped=True,
            what="objects" if groups is None else "groups",
            least=float(least_between(self.index.range, self.best, known.mean)),
        )

    def _without(self, kept: Any) -> float:
        """Adjusted score of some of the objects."""
        index = self.index if self.index.part is None else self.index.part(kept)
        found = index.agreement(self.P.part(kept), self.Q.part(kept))
        if not math.isnan(found.expected):
            return self._adjusted(found.observed, found.expected)
        permutations = np.empty((PERMUTATIONS_OF_A_PART, self.P.n), dtype=np.int64)
        fill_permutations(self.asked.seed, 0, permutations)
        sums = found.sums(contracted(permutations, kept))
        return self._adjusted(found.observed, found.at_zero + found.slope * float(sums.mean()))

    def _adjusted(self, observed: float, mean: float) -> float:
        """Observed value against its mean; nan where chance alone attains the best one."""
        room = self.best - mean
        return (observed - mean) / room if abs(room) > rounding(self.best, mean) else math.nan


def scores_of_clusterings(P: Clustering, Q: Clustering, index: Any, asked: Request) -> list[AdjustedScore]:
    """Adjusted scores of two clusterings, of kinds that need not be partitions."""
    if not asked.model.is_permutation or asked.model.strata is not None:
        raise ArgumentValueError(
            "model", f"must be 'permutation' for clusterings that are no labels; got {asked.model.name!r}."
        )
    return [_score(Source(index=each, P=P, Q=Q, asked=asked)) for each in as_indices(index, P, Q, asked)]


def as_indices(index: Any, P: Clustering, Q: Clustering, asked: Request) -> list[PairIndex]:
    """Indices that are asked for, each of which takes clusterings of these kinds."""
    if asked.checkpoint is not None or asked.precision is not None:
        raise ArgumentValueError(
            "method", "must have no checkpoint and no precision for clusterings that are no labels."
        )
    index = _default(P, Q) if isinstance(index, str) and index == "rand" else index
    return [_as_index(each, P, Q) for each in listed(index)]


def _default(P: Clustering, Q: Clustering) -> str:
    """The index that stands for `rand`, which is that of `adjust` if none is named."""
    words = {P.word, Q.word}
    if words <= {"labels", "membership", "similarity"}:
        return "rand"
    return "omega" if words <= {"labels", "cover"} else "correlation"


def listed(index: Any) -> list[Any]:
    """Indices that are asked for, one or several."""
    return list(index) if isinstance(index, Sequence) and not is_one(index) else [index]


def is_of_pairs(index: Any) -> bool:
    """Whether an index, or one of several, is of clusterings of any kind, and not in the catalogue."""
    named = (isinstance(each, str) and each in NAMED and not is_registered(each) for each in listed(index))
    return any(named) or any(isinstance(each, PairIndex) for each in listed(index))


def _as_index(given: Any, P: Clustering, Q: Clustering) -> PairIndex:
    """Index by name, of the catalogue if it counts pairs, or a user's function; for these kinds."""
    if isinstance(given, str) and given in NAMED:
        found = NAMED[given]
    elif isinstance(given, PairIndex):
        found = given
    elif callable(given) and not isinstance(given, Index):
        found = of_function(given)
    else:
        found = _of_catalogue(index_to_adjust(given)[0])
    for side in (P, Q):
        if found.takes and side.word not in found.takes:
            raise ArgumentValueError(
                "index",
                f"must take a {side.word}; {found.name!r} takes {', '.join(found.takes)}."
                f" Others: {', '.join(_taking(side.word))}.",
            )
    return found


def _of_catalogue(entry: Index) -> PairIndex:
    """An index of the catalogue that counts pairs, or is defined for other kinds too."""
    if entry.name in NAMED:
        return NAMED[entry.name]
    if entry.needs != "pairs" or entry.with_totals:
        raise ArgumentValueError(
            "index",
            f"must count pairs, be a function of two clusterings, or one of {', '.join(PAIR_INDICES)}, for"
            f" clusterings that are no labels; got {entry.name!r}.",
        )
    return pair_counting(entry)


def _taking(word: str) -> list[str]:
    """Names of indices that take a kind of clustering."""
    own = [each.name for each in PAIR_INDICES.values() if not each.takes or word in each.takes]
    return [*own, *(["rand and all that count pairs"] if word in ("membership", "similarity") else [])]


def _score(source: Source) -> AdjustedScore:
    """Adjusted score of one index."""
    null, observed, best = source.null, source.agreement.observed, source.best
    side = source.asked.alternative or ("greater" if source.index.larger_is_better else "less")
    adjusted = source._adjusted(observed, null.mean)
    exactly = source.agreement.adjusted
    if exactly is not None and source.asked.best is None and null.mean_from != "monte-carlo":
        adjusted = exactly if math.isfinite(adjusted) else adjusted
    values = observed, best, adjusted
    return score_from(source.index.name, values, null, source.tail(null, side), source)


def _known(found: Agreement) -> Known:
    """Moments that are known without permutations."""
    return Known(dataclasses.replace(UNKNOWN, mean=found.expected, variance=found.variance), found.error)


def _of(n: int, null: NullDistribution) -> NullDistribution:
    """Null distribution of n objects without cluster sizes."""
    return dataclasses.replace(null, objects=n)
