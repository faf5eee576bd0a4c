"""Scores of clusterings that are no partition: chance permutes the objects of the candidate."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancecorr.arguments import Alternative, ArgumentValueError
from chancecorr.budget import DEFAULT_SECONDS
from chancecorr.chance.engine import Known, Law
from chancecorr.chance.null_distribution import NullDistribution, analytic_null, exact_null, simulated_null
from chancecorr.chance.options import Request, require_no_settings
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, PairIndex
from chancecorr.clusterings.indices import NAMED, PAIR_INDICES
from chancecorr.clusterings.indices.function import of_function
from chancecorr.clusterings.indices.pair_counts import pair_counting
from chancecorr.clusterings.kernels.pairs import fill_permutations
from chancecorr.clusterings.permuted import contracted, number_of_all, permuted_sums
from chancecorr.correction.affordable import (
    FEWEST_TABLES,
    LEAST_TABLES,
    draw_in_time,
    note_of_fewer,
    read_clock,
    require_draws,
)
from chancecorr.correction.intervals.least import least_between
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, is_perfect
from chancecorr.correction.p_value import UNKNOWN as NO_TAIL
from chancecorr.correction.p_value import Tail, tail_from_count, tail_from_p
from chancecorr.correction.scores import AdjustedScore, score_from
from chancecorr.correction.tails import bound_by_variance, two_sided
from chancecorr.exact.adjusted_score import compute_adjusted_score
from chancecorr.exact.laws.ties import rounding
from chancecorr.exact.moments.summary import UNKNOWN
from chancecorr.indices.registry import Index, each_once, index_to_adjust, is_registered, list_names
from chancecorr.machine.arrays import Floats
from chancecorr.machine.cached import cached_property
from chancecorr.simulation.task import Joint
from chancecorr.tables.grouping import read_groups

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
        return self._timed[0]

    @cached_property
    def _timed(self) -> tuple[Agreement, float, float]:
        """The agreement, the seconds that it took, and those of a permutation, by forecast or measured."""
        start = read_clock()
        agreement = self.index.agreement(self.P, self.Q)
        spent = read_clock() - start
        return agreement, spent, spent if math.isnan(agreement.nanoseconds) else 1e-9 * agreement.nanoseconds

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
        if n_tables and (drawn := self._values[0].size) < n_tables:
            if math.isnan(found.expected) or self.asked.method.only_tables:
                of_one, spent = max(self._values[3] / max(drawn, 1), self._timed[2]), self._timed[1]
                require_draws(self.index.name, drawn, self.asked, of_one, "permutation", spent=spent)
            n_tables = drawn if drawn >= FEWEST_TABLES else 0
            is_own = math.isnan(found.nanoseconds)
            wanted = min(self.asked.n_tables, PERMUTATIONS_OF_A_FUNCTION) if is_own else self.asked.n_tables
            note = note_of_fewer(n_tables, wanted, what="permutation")
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
        values, _, are_all, _ = self._values
        if are_all:
            known = None if known is None or math.isnan(known.moments.variance) else known
            law = Law(values, np.full(values.size, 1.0 / values.size), 0.0)
            return _of(n, exact_null(self.index.name, None, law, known))
        joint = Joint(values, None, np.ones(values.size, dtype=np.int64))
        null = simulated_null(
            self.index.name,
            None,
            joint,
            known,
            settled=known is not None,
            note=note,
            what="permutations",
        )
        return _of(n, null)

    @property
    def _plan(self) -> tuple[int, str]:
        """Number of permutations, 0 for none, and what is to know of it."""
        asked, n = self.asked, self.P.n
        if asked.method.needs_moments or n < 2:
            return 0, ""
        _, spent, of_one = self._timed
        limit = asked.budget.seconds
        allowed = DEFAULT_SECONDS if limit is None else max(limit - spent, 0.0)
        total = number_of_all(n, self.agreement.both)
        in_time = limit is None or asked.method.needs_law or total * of_one <= allowed
        if total and in_time and not asked.method.only_tables:
            return total, ""
        if asked.method.needs_law:
            raise ArgumentValueError(
                "method", f"must be 'auto', 'analytic' or 'monte-carlo' for {n:,} objects; got 'exact'."
            )
        wanted = asked.n_tables
        if not asked.n_tables_is_limit:
            return wanted, ""
        if math.isnan(self.agreement.nanoseconds):
            return min(wanted, PERMUTATIONS_OF_A_FUNCTION), ""
        if allowed >= wanted * of_one:
            return wanted, ""
        fits = int(allowed / of_one)
        if fits < LEAST_TABLES and not (math.isnan(self.agreement.expected) or asked.method.only_tables):
            return 0, note_of_fewer(0, wanted, of_one, "permutation")
        require_draws(self.index.name, fits, asked, of_one, "permutation", spent=spent)
        return fits, note_of_fewer(fits, wanted, what="permutation")

    @cached_property
    def _values(self) -> tuple[Floats, Floats, bool, float]:
        """Values under permutations, what they are above the observed one, if these are all, and seconds.

        A value that differs from the observed one by rounding alone is the observed one.
        """
        asked, found = self.asked, self.agreement
        n, (wanted, _) = self.P.n, self._plan
        are_all = wanted == number_of_all(n, found.both) and not asked.method.only_tables

        def draw(first: int | None, count: int) -> Floats:
            of = found.sums, n, count, asked.seed, asked.n_jobs
            return permuted_sums(*of, both=found.both, first=first)[0]

        start = read_clock()
        if are_all:
            sums = draw(None, wanted)
        else:
            parts = draw_in_time(draw, wanted, asked, self._timed[2], self._timed[1])
            sums = np.concatenate(parts or [np.zeros(0)])
        seconds = read_clock() - start
        values = found.at_zero + found.slope * sums
        here = found.sums(np.arange(n)[np.newaxis])[0]
        with np.errstate(invalid="ignore"):  # infinite values of a user's function
            above = (sums - here) * found.slope
        spread = float(np.std(above[np.isfinite(above)])) if np.isfinite(above).any() else 0.0
        largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
        # a known variance tells sums that vary from those that do not, however little it is
        same = np.abs(above) <= max(1e-9 * spread, rounding(largest) if math.isnan(found.variance) else 0.0)
        same |= (sums == here) | (found.variance == 0.0)
        return np.where(same, found.observed, values), np.where(same, 0.0, above), are_all, seconds

    def tail(self, null: NullDistribution, side: Alternative) -> Tail:
        """P-value from the permutations; without any a bound from mean and variance."""
        observed = self.agreement.observed
        if math.isnan(observed) or math.isnan(null.mean):
            return NO_TAIL
        if side == "two-sided":
            return two_sided(lambda each: self.tail(null, each))
        if null.values_from is not None:
            excess = self._values[1]
            reached = int(np.count_nonzero(excess >= 0.0 if side == "greater" else excess <= 0.0))
            if null.counts is None:
                return tail_from_p(reached / excess.size, 0.0, "exact")
            return tail_from_count(reached, null.n_tables)
        return bound_by_variance(null, observed, side)

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
        whole = compute_adjusted_score(self.agreement.observed, self.best, known.mean)
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
            return compute_adjusted_score(found.observed, self.best, found.expected)
        permutations = np.empty((PERMUTATIONS_OF_A_PART, self.P.n), dtype=np.int64)
        fill_permutations(self.asked.seed, 0, permutations)
        sums = found.sums(contracted(permutations, kept))
        sampled = found.at_zero + found.slope * float(sums.mean())
        return compute_adjusted_score(found.observed, self.best, sampled)


def scores_of_clusterings(P: Clustering, Q: Clustering, index: Any, asked: Request) -> list[AdjustedScore]:
    """Adjusted scores of two clusterings, of kinds that need not be partitions."""
    if not asked.model.is_permutation or asked.model.strata is not None:
        raise ArgumentValueError(
            "model", f"must be 'permutation' for clusterings that are no labels; got {asked.model.name!r}."
        )
    indices = as_indices(index, P, Q, asked)
    asked = asked.split_budget(len(indices))
    return [_score(Source(index=each, P=P, Q=Q, asked=asked)) for each in indices]


def as_indices(index: Any, P: Clustering, Q: Clustering, asked: Request) -> list[PairIndex]:
    """Indices that are asked for, each of which takes clusterings of these kinds."""
    require_no_settings(asked, "clusterings that are no labels")
    index = _default(P, Q) if index is None else index
    return list(each_once([_as_index(each, P, Q) for each in listed(index)], lambda _: False))


def _default(P: Clustering, Q: Clustering) -> str:
    """The index of `adjust` if none is named."""
    words = {P.word, Q.word}
    if words <= {"labels", "membership", "similarity"}:
        return "rand"
    return "omega" if words <= {"labels", "cover"} else "correlation"


def listed(index: Any) -> list[Any]:
    """Indices that are asked for, one or several."""
    return [index] if isinstance(index, PairIndex) else list_names(index)


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
    adjusted = compute_adjusted_score(observed, best, null.mean, constant=null.variance == 0.0)
    exactly = source.agreement.adjusted
    if exactly is not None and source.asked.best is None and null.mean_from != "monte-carlo":
        adjusted = exactly if math.isfinite(adjusted) else adjusted
    values = observed, best, adjusted
    return score_from(source.index, values, null, source.tail(null, side), source.asked, source)


def _known(found: Agreement) -> Known:
    """Moments that are known without permutations."""
    return Known(dataclasses.replace(UNKNOWN, mean=found.expected, variance=found.variance), found.error)


def _of(n: int, null: NullDistribution) -> NullDistribution:
    """Null distribution of n objects without cluster sizes."""
    return dataclasses.replace(null, objects=n)
