"""Ways to a p-value, each a function of one case: the rungs of the ladder in `correction.tails`."""

import functools
import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from chancecorr.chance.engines import engine_of
from chancecorr.chance.methods import METHODS
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.options import request
from chancecorr.correction.affordable import plan_tables
from chancecorr.correction.curves import LEAST_TABLES, PEARSON_ERRORS, bears_out, pearson_tail
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
from chancecorr.exact.laws.closed import total_probability
from chancecorr.exact.laws.exchange_bounds import log_bound_by_exchanges
from chancecorr.exact.laws.moment_bounds import log_bound_of_tail
from chancecorr.exact.laws.sparse import sparse_law
from chancecorr.exact.laws.split_estimate import SplitEstimate
from chancecorr.exact.laws.splitting import split
from chancecorr.exact.laws.ties import EPSILON, extreme
from chancecorr.exact.laws.two_by_two import free_cell, log_probabilities, log_tail_of_pair_sum, tables_with
from chancecorr.exact.laws.type_bounds import log_bound_of_information, log_bound_of_share
from chancecorr.indices.evaluation import link_totals, total_of_cells, values_of_pair_sums
from chancecorr.indices.information.shared_information import information_of_cell
from chancecorr.indices.registry import Index, get_index
from chancecorr.machine.cached import cached_property
from chancecorr.null.seeding import RNG
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins

Side: TypeAlias = Literal["greater", "less"]
"""Whether the extreme values of an index are those of a large T, or of a small one."""

ROUNDING_OF_SUMS = 1e-12
"""Relative error of a p-value that is a sum of probabilities, none left out."""

GOOD = 1e-6
"""Relative error of an enumerated p-value below which nothing better is looked for."""

FAIR = PEARSON_ERRORS[-1][1]
"""Relative error up to which an enumerated distribution or Pearson's curve is taken, and beyond which a
p-value that includes the lost mass is called a bound."""

SMALL_ERROR = PEARSON_ERRORS[0][1]
"""Relative error up to which Pearson's curve stands for tables that take long."""

AT_ONCE_SECONDS, CHECK_SECONDS = 0.05, 0.03
"""Forecast up to which all tables are drawn, and that of the tables which check a curve instead of them."""

MOST_TABLES_OF_A_CHECK = 2_000

MOST_FREE_CELLS = 100_000
"""Tables of two clusters against two that are evaluated for one p-value."""

ROUNDINGS = 16.0
"""Units in the last place of the ``log p`` of a free cell by which it may be off; six were seen."""

MOVES_IN_TIME, MOVES_SECONDS = 10_000_000, 3.0
"""Moves of tables that splitting makes in so many seconds or so if T determines the index. If the index is
evaluated after each, its kind says how many."""

FEWEST_EVALUATIONS = 30_000
"""Moves in the same time of an index that is not compiled."""

MOST_MOVES = 1e15

FEW_CELLS_MOVED, MOST_CELLS_MOVED = 100, 20_000
"""Tables of more cells are moved less often, in proportion; beyond these splitting is not tried (80 MB)."""


SHARES = {"purity": (0,), "inverse_purity": (1,), "maximum_matching_accuracy": (0, 1)}
"""Indices that are at most the share of objects in the largest cells of the columns (0), or of the rows."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """A p-value asked for: a question, a table, which values are extreme, and what may be spent."""

    question: Question
    table: ContingencyTable
    observed: float
    alternative: Side
    null: NullDistribution | None = None
    seconds: float = 0.0  # of splitting, by a forecast
    n_indices: int = 1  # that share them, unless T determines them
    n_tables: int = 500  # that splitting moves, each so many `steps` at a level
    steps: int | None = None
    simulate: bool = False  # whether tables are drawn to check Pearson's curve if `null` has none

    @cached_property
    def side(self) -> Side | None:
        """Whether the extreme values are those of a large or a small T; None if T does not determine it."""
        if not self.question.asked.model.is_permutation or self.question.direction == 0:
            return None
        return "greater" if (self.alternative == "greater") == (self.question.direction > 0) else "less"

    @cached_property
    def simulated(self) -> NullDistribution | None:
        """Null distribution from simulated tables, if there is one or one may be made."""
        if self.null is not None or not self.simulate:
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
        error = max(ROUNDING_OF_SUMS, null.lost_mass / p) if p > 0.0 else math.inf
        return tail_from_p(p, error, source, is_bound=error > FAIR)
    return tail_from_count(round(p * (null.n_tables + 1)) - 1, null.n_tables)


def by_free_cell(case: Case) -> Tail | None:
    """P-value of two clusters against two, however small; None if T does not tell and values are too many."""
    cell, question = free_cell(case.table.margins), case.question
    if cell is None:
        return None
    if case.side is not None:
        x = int(case.table.dense_counts()[cell.rows[0], cell.columns[0]])
        log_p = log_tail_of_pair_sum(cell, x, case.side)
    elif cell.high - cell.low < min(MOST_FREE_CELLS, question.kind.evaluations(question.index)):
        all_x = np.arange(cell.low, cell.high + 1)
        values = question.kind.values(question.index, tables_with(cell, all_x), question.margins)
        reached = all_x[extreme(values, case.observed, case.alternative)]
        log_p = float(np.logaddexp.reduce(log_probabilities(cell, reached)))
    else:
        return None
    return tail_from_log(log_p, ROUNDING_OF_SUMS + ROUNDINGS * EPSILON * abs(log_p), "exact")


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
    return by_curve(case) if bears_out(case.simulated, case.side) else None


def by_checked_curve(case: Case) -> Tail | None:
    """P-value by Pearson's curve, checked on few tables; None if these take too long, or all are quick."""
    question = case.question
    if case.side is None:
        return None
    plan = plan_tables((question,))
    if plan.seconds * plan.n_tables <= AT_ONCE_SECONDS:
        return None
    curve = by_curve(case)
    if curve.relative_error > SMALL_ERROR:
        return None
    fits = int(CHECK_SECONDS / plan.seconds)
    few = min(max(fits, LEAST_TABLES), MOST_TABLES_OF_A_CHECK)
    if plan.seconds * few > plan.allowed:
        return None
    return curve if bears_out(_few_tables(question.margins, few, question.asked.seed), case.side) else None


def by_splitting(case: Case) -> Tail | None:
    """P-value by multilevel splitting; None if tables are too large."""
    question, cells = case.question, math.prod(case.table.shape)
    moves: float = MOVES_IN_TIME
    if case.side is None:
        moves = max(question.kind.evaluations(question.index), FEWEST_EVALUATIONS) // case.n_indices
    moves *= case.seconds / MOVES_SECONDS * min(1.0, FEW_CELLS_MOVED / max(cells, 1))
    if cells > MOST_CELLS_MOVED:
        return None
    options = {"n_tables": case.n_tables, "most_moves": int(max(min(moves, MOST_MOVES), 1.0))}
    if case.steps is not None:
        options["steps"] = case.steps
    seed, table = int(question.asked.seed), case.table
    if case.side is not None:
        return _split_pair_sum(table.margins, table.sum_of_squares, case.side, seed, **options)
    return tail_from_splitting(
        split_p_value(
            question.index, table.margins, case.observed, alternative=case.alternative, rng=seed, **options
        )
    )


def bounded(case: Case) -> Tail | None:
    """Proven bound: from moments of T if the index rises or falls with it, else from exchanges of objects."""
    if case.side is not None:
        log_p = log_bound_of_tail(case.table.margins, case.table.sum_of_squares, case.side)
        return tail_from_log(log_p, math.inf, "bound", is_bound=True)
    question, null = case.question, case.null
    change = question.kind.largest_change(question.index, question.margins)
    if change is None:
        return None
    if question.settled:
        known = question.require_known()
        mean, slack, n_tables = known.moments.mean, known.error, 0
    elif null is not None and null.simulated is not None:
        mean, slack, n_tables = null.simulated.mean, null.rounding, null.n_tables
    else:
        return None
    distance = (case.observed - mean if case.alternative == "greater" else mean - case.observed) - slack
    log_p = log_bound_by_exchanges(distance, case.table.n, change, n_tables)
    if case.alternative == "greater" and question.index.family != "user":
        shares = [
            log_bound_of_share(question.margins, case.observed - ROUNDING_OF_SUMS, side)
            for side in SHARES.get(question.index.name, ())
        ]
        log_p = min([log_p, *shares])
    if question.index.function is information_of_cell and distance > 0.0:  # it is linear in the information
        information = total_of_cells(question.index, *case.table.nonzero_cells, question.margins)
        rises = float(np.diff(link_totals(question.index, np.array([0.0, 1.0]), question.margins))[0])
        if (rises > 0.0) == (case.alternative == "greater"):
            log_p = min(log_p, log_bound_of_information(question.margins, information - ROUNDING_OF_SUMS))
    return tail_from_log(log_p, math.inf, "bound", is_bound=True)


def split_p_value(
    index: str | Index,
    margins: Margins,
    observed: float,
    *,
    alternative: Side = "greater",
    rng: RNG = None,
    **effort: int,
) -> SplitEstimate:
    """Tail of any index by multilevel splitting; if T determines the index, splitting follows T alone."""
    entry, margins = get_index(index), as_margins(margins)
    kind = engine_of(entry)
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
def _few_tables(margins: Margins, n_tables: int, seed: int) -> NullDistribution:
    """Cached: all indices that rise or fall with T share it."""
    asked = request({"rng": seed, "n_tables": n_tables, "method": "monte-carlo"})
    question = Question(index=get_index("rand"), margins=margins, asked=asked)
    return null_distributions((question,))[question.name]


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
