"""Ways to a p-value, each a function of one case: the rungs of the ladder in `correction.tails`."""

import functools
import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal, TypeAlias

import numpy as np

from chancecorr.correction.curves import PEARSON_ERRORS, bears_out, pearson_tail
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.nulls import null_distributions
from chancecorr.correction.p_value import (
    UNKNOWN,
    Tail,
    tail_from_count,
    tail_from_log,
    tail_from_p,
    tail_from_splitting,
)
from chancecorr.correction.question import Question
from chancecorr.correction.two_by_two import log_p_of_two_by_two
from chancecorr.exact.direction import direction_in_information
from chancecorr.exact.laws.closed import total_probability
from chancecorr.exact.laws.moment_bounds import log_bound_of_tail
from chancecorr.exact.laws.sparse import sparse_law
from chancecorr.exact.laws.splitting import SplitEstimate, split
from chancecorr.exact.laws.upper_tail import (
    RELATIVE_ERROR,
    log_upper_tail,
    log_upper_tail_of_information,
)
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds import kind_of
from chancecorr.kinds.methods import METHODS
from chancecorr.null.models import PERMUTATION
from chancecorr.null.permutation import pair_sums, plan_sampler
from chancecorr.null.seeding import RNG
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins

Side: TypeAlias = Literal["greater", "less"]
"""Whether the extreme values of an index are those of a large T, or of a small one."""

ROUNDING = 1e-12
"""Relative error of a p-value that is a sum of probabilities, none left out."""

GOOD = 1e-6
"""Relative error of an enumerated p-value below which nothing better is looked for."""

FAIR = PEARSON_ERRORS[-1][1]
"""Relative error up to which an enumerated distribution or Pearson's curve is taken, and beyond which a
p-value that includes the lost mass is called a bound."""

SMALL = 1e-3
"""P-values from which on tables are so few that it pays to try to enumerate them."""

MOVES = 10_000_000
"""Moves of tables that splitting makes in 3 s or so if T determines the index. If the index is evaluated
after each, its kind says how many."""

MOST_MOVES = 1e15

MOST_PAIR_SUMS, PAIR_SUMS_AT_ONCE = 2_000_000, 50_000
"""Tables of which T alone is simulated, before splitting, for a p-value that is not quite so small."""

FEW_CELLS, MOST_CELLS = 100, 20_000
"""Tables of more cells are moved less often, in proportion; beyond these splitting is not tried (80 MB)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What a small p-value may cost.

    Attributes
    ----------
    seconds : float
        Of an enumeration of the extreme tables, and of further values of T.
    splitting : float
        Share of the moves that take 3 s.
    n_indices : int
        Indices that share the evaluations, unless T determines them.
    least_evaluations : int
        Evaluations in 3 s of an index that is not compiled; with 0, splitting is not tried for it.
    least_moves : int
        With fewer, splitting is not tried.
    n_tables, steps : int, int or None
        Tables that splitting moves, and moves of each at a level.
    simulate : bool
        Whether tables are simulated to check Pearson's curve if the null distribution has none.
    """

    seconds: float
    splitting: float
    n_indices: int = 1
    least_evaluations: int = 0
    least_moves: int = 100_000
    n_tables: int = 500
    steps: int | None = None
    simulate: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """A p-value asked for: a question, a table, which values are extreme, and what may be spent."""

    question: Question
    table: ContingencyTable
    observed: float
    alternative: Side
    null: NullDistribution | None
    effort: Effort

    @cached_property
    def side(self) -> Side | None:
        """Whether the extreme values are those of a large or a small T; None if T does not determine it."""
        if self.question.asked.model.name != PERMUTATION.name or self.question.direction == 0:
            return None
        return "greater" if (self.alternative == "greater") == (self.question.direction > 0) else "less"

    @cached_property
    def simulated(self) -> NullDistribution | None:
        """Null distribution from simulated tables, if there is one or one may be made."""
        if self.null is not None or not self.effort.simulate:
            return self.null if self.null is not None and self.null.counts is not None else None
        asked = replace(self.question.asked, method=METHODS["monte-carlo"])
        question = Question(index=self.question.index, margins=self.question.margins, asked=asked)
        return null_distributions((question,))[question.name]


def read_off(case: Case) -> Tail:
    """P-value of the null distribution itself; ties are decided by T if the index rises or falls with it."""
    null, side, T = case.null, case.side, case.table.sum_of_squares
    assert null is not None
    if null.pair_sums is not None and side is not None:
        if null.values_from == "cumulants":
            return by_cumulants(case) or bounded(case) or UNKNOWN
        reached = null.pair_sums >= T if side == "greater" else null.pair_sums <= T
        if null.counts is not None:
            return tail_from_count(int(null.counts[reached].sum()), null.n_tables)
        p = min(1.0, total_probability(null.weights[reached]) + null.lost_mass)
    else:
        p = null.p_value(case.observed, case.alternative)
    source = null.values_from
    if math.isnan(p) or source is None:
        return replace(UNKNOWN, method=source)
    if null.counts is None:
        error = max(ROUNDING, null.lost_mass / p) if p > 0.0 else math.inf
        return tail_from_p(p, error, source, is_bound=error > FAIR)
    return tail_from_count(round(p * (null.n_tables + 1)) - 1, null.n_tables)


def enumerated(case: Case) -> Tail | None:
    """P-value of two clusters against two, or by enumeration of the extreme tables, if these are few."""
    index, table, seconds = case.question.index, case.table, case.effort.seconds
    if case.null is not None and read_off(case).p_value > SMALL:
        return None
    found = log_p_of_two_by_two(index, table, case.observed, case.alternative, case.side)
    if found is not None:
        return tail_from_log(*found, "exact")
    log_p, sign = None, 1 if case.alternative == "greater" else -1
    if case.side == "greater":
        log_p = _log_upper_tail(table.margins, table.sum_of_squares, seconds)
    elif direction_in_information(index, table.margins) == sign:
        log_p = _log_upper_tail_of_information(table, seconds)
    return None if log_p is None else tail_from_log(log_p, RELATIVE_ERROR, "exact")


def by_cumulants(case: Case) -> Tail | None:
    """P-value from factorial cumulants; None if clusters are too few or too large for them."""
    law = sparse_law(case.table.margins)
    if law is None or case.side is None:
        return None
    p, error = law.tail(case.table.sum_of_squares, case.side)
    return tail_from_p(p, error, "cumulants") if p > 0.0 else None


def by_curve(case: Case) -> Tail:
    """P-value by Pearson's curve for T, for an index that rises or falls with it."""
    assert case.side is not None
    return tail_from_p(*pearson_tail(case.table, case.side), "pearson")


def supported_by_tables(case: Case) -> Tail | None:
    """P-value by Pearson's curve if simulated tables agree with it."""
    if case.side is None or not by_curve(case).relative_error <= FAIR or case.simulated is None:
        return None
    agrees = bears_out(case.simulated, case.question, case.table, case.alternative)
    return by_curve(case) if agrees else None


def counted_again(case: Case) -> Tail | None:
    """P-value from more tables than anything else needs, because T alone comes fast."""
    if case.side is None or case.null is None or case.null.counts is None:
        return None
    sign, seed = 1 if case.side == "greater" else -1, int(case.question.asked.seed)
    return _count_pair_sums(case.table.margins, case.table.sum_of_squares, sign, seed, case.effort.seconds)


def by_splitting(case: Case) -> Tail | None:
    """P-value by multilevel splitting; None if tables are too large, or too few moves are allowed."""
    question, effort, cells = case.question, case.effort, math.prod(case.table.shape)
    moves: float = MOVES
    if case.side is None:
        moves = max(question.kind.evaluations(question.index), effort.least_evaluations) // effort.n_indices
    moves *= effort.splitting * min(1.0, FEW_CELLS / max(cells, 1))
    moves = int(max(min(moves, MOST_MOVES), 1.0))
    if cells > MOST_CELLS or moves < effort.least_moves:
        return None
    options = {"n_tables": effort.n_tables, "most_moves": moves}
    if effort.steps is not None:
        options["steps"] = effort.steps
    seed, table = int(question.asked.seed), case.table
    if case.side is not None:
        return _split_pair_sum(table.margins, table.sum_of_squares, case.side, seed, **options)
    return tail_from_splitting(
        split_p_value(
            question.index, table.margins, case.observed, alternative=case.alternative, rng=seed, **options
        )
    )


def bounded(case: Case) -> Tail | None:
    """Proven bound from the moments of T, for an index that rises or falls with it."""
    if case.side is None:
        return None
    log_p = log_bound_of_tail(case.table.margins, case.table.sum_of_squares, case.side)
    return tail_from_log(log_p, math.inf, "moments", is_bound=True)


def split_p_value(
    index: str | Index,
    margins: Margins,
    observed: float,
    *,
    alternative: Side = "greater",
    rng: RNG = None,
    **effort: int,
) -> SplitEstimate:
    """Tail of any index by multilevel splitting: `exact.laws.splitting.split` of its values.

    `effort` are the ``n_tables``, ``steps``, ``replicates`` and ``most_moves`` of that function. If T
    determines the index, splitting follows T alone.
    """
    entry, margins = get_index(index), as_margins(margins)
    kind = kind_of(entry)
    kind.prepare(entry)
    of_pair_sums = partial(values_of_pair_sums, entry, margins=margins) if kind.goes_by_pair_sum else None
    return split(
        lambda tables: kind.values(entry, tables, margins),
        margins,
        observed,
        of_pair_sums=of_pair_sums,
        alternative=alternative,
        rng=rng,
        **effort,
    )


@functools.lru_cache(maxsize=16)
def _log_upper_tail(margins: Margins, pair_sum: int, budget: float) -> float | None:
    """Cached: all indices that rise or fall with T share it."""
    return log_upper_tail(margins, pair_sum, budget=budget)


@functools.lru_cache(maxsize=16)
def _log_upper_tail_of_information(table: ContingencyTable, budget: float) -> float | None:
    """Cached: all indices that rise or fall with the mutual information share it."""
    return log_upper_tail_of_information(table, budget=budget)


@functools.lru_cache(maxsize=16)
def _count_pair_sums(margins: Margins, pair_sum: int, sign: int, seed: int, seconds: float) -> Tail:
    """Cached: all indices that rise or fall with T share it."""
    sampler = plan_sampler(margins)
    m = min(MOST_PAIR_SUMS, int(1e9 * seconds / max(sampler.nanoseconds, 1.0)))
    reached = 0
    for start in range(0, m, PAIR_SUMS_AT_ONCE):
        found = pair_sums(sampler, np.uint64(seed), start, min(PAIR_SUMS_AT_ONCE, m - start))
        reached += int(np.count_nonzero(sign * found >= sign * pair_sum))
    return tail_from_count(reached, m)


@functools.lru_cache(maxsize=16)
def _split_pair_sum(margins: Margins, pair_sum: int, side: Side, seed: int, **effort: int) -> Tail:
    """Cached: all indices that rise or fall with T share it."""
    estimate = split(
        lambda tables: np.einsum("tij,tij->t", tables, tables).astype(np.float64),
        margins,
        pair_sum,
        of_pair_sums=lambda T: T.astype(np.float64),
        alternative=side,
        rng=seed,
        **effort,
    )
    return tail_from_splitting(estimate)
