"""P-values, however small: read from the null distribution, or computed separately if it ends too early.

Two clusters against two: sums of hypergeometric probabilities (`correction.two_by_two`). An index that
rises or falls with T, if clusters are many and small: the law from factorial cumulants
(`exact.laws.sparse`), as far out as its error allows. If it rises or falls with T or the mutual
information: the tables with so large a value may be few, and are enumerated (`exact.laws.upper_tail`); if
they are too many, Pearson's curve for T, but only if simulated tables agree with it. Then, for any index,
multilevel splitting, and last, for T, a proven bound from its exact moments (`exact.laws.moment_bounds`).
"""

import functools
import math
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from chancecorr.arguments import Alternative, ArgumentValueError, one_of
from chancecorr.budget import DEFAULT_SECONDS, Budget, TooCostlyError, as_budget
from chancecorr.correction.curves import (
    PEARSON_ERRORS,
    bears_out,
    pearson_tail,
)
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
from chancecorr.correction.request import Request, request
from chancecorr.correction.two_by_two import log_p_of_two_by_two
from chancecorr.exact.direction import direction_in_information
from chancecorr.exact.laws.closed import total_probability
from chancecorr.exact.laws.enumeration import PairSumLaw, forecast_pair_sum_law
from chancecorr.exact.laws.moment_bounds import log_bound_of_tail
from chancecorr.exact.laws.shared import MOST_SECONDS, shared_pair_sum_law
from chancecorr.exact.laws.sparse import sparse_law
from chancecorr.exact.laws.splitting import SplitEstimate, split
from chancecorr.exact.laws.ties import extreme
from chancecorr.exact.laws.upper_tail import (
    RELATIVE_ERROR,
    log_upper_tail,
    log_upper_tail_of_information,
)
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds import kind_of
from chancecorr.null.models import PERMUTATION
from chancecorr.null.permutation import pair_sums, plan_sampler
from chancecorr.null.seeding import RNG
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins, as_table

Side: TypeAlias = Literal["greater", "less"]
"""Whether the extreme values of an index are those of a large T, or of a small one."""

ROUNDING = 1e-12
"""Relative error of a p-value that is a sum of probabilities, none left out."""

GOOD = 1e-6
"""Relative error of an enumerated p-value below which nothing better is looked for."""

FAIR = PEARSON_ERRORS[-1][1]
"""Relative error up to which an enumerated law or Pearson's curve is taken, and beyond which a p-value that
includes the lost mass is called a bound."""

POOR = 0.75
"""Relative error of a p-value from simulated tables beyond which splitting takes over: of 10 tables or so."""

SMALL = 1e-3
"""P-values from which on tables are so few that it pays to try to enumerate them."""

TAIL_SECONDS = 0.5
"""Budget in `adjust` of the enumeration of the upper tail, and of further tables."""

MOVES = 10_000_000
"""Moves of tables that splitting may make in a call of `adjust` where T tells the index: 3 s or so, for all
such indices together. Where the index is evaluated after each, its kind says how many; they share them."""

MOVES_SECONDS = 3.0

MOST_MOVES = 1e15

SLOW_EVALUATIONS = 30_000
"""Evaluations in that time of an index that is not compiled, where splitting was asked for."""

ENUMERATION_SECONDS = 1.0
"""Budget of an enumeration in `tail_probability`, where none is given."""

TABLES = 500
"""Number of tables that splitting moves in `adjust`."""

MOST_PAIR_SUMS, PAIR_SUMS_AT_ONCE = 2_000_000, 50_000
"""Tables of which T alone is simulated, before splitting, for a p-value that is not quite so small."""

FEW_CELLS, MOST_CELLS = 100, 20_000
"""Tables of more cells are moved less often, in proportion; beyond these splitting is not tried (80 MB)."""

LEAST_MOVES = 100_000
"""Where fewer may be made, splitting is not tried."""

WHY_NOT = {
    "auto": f"the index is no function of T, and splitting lays out tables of at most {MOST_CELLS:,} cells",
    "splitting": f"it lays out tables of at most {MOST_CELLS:,} cells",
    "cumulants": "its terms do not fall, since clusters are too few or too large",
    "pearson": "the curve ends before the observed T",
}

TAIL_METHODS = ("auto", "exact", "cumulants", "pearson", "splitting")


def tail_probability(
    table: Any,
    index: str | Index,
    *,
    alternative: Literal["greater", "less"] = "greater",
    method: Literal["auto", "exact", "cumulants", "pearson", "splitting"] = "auto",
    rng: RNG = None,
    budget: float | Budget | None = None,
    n_tables: int = 1000,
    steps: int | None = None,
) -> Tail:
    """Probability that chance gives an index at least as extreme as this table does, however small.

    Parameters
    ----------
    table : ContingencyTable or array-like of shape (K, Q)
        The table in hand; its margins are fixed.
    index : str or Index
        What measures agreement.
    alternative : {"greater", "less"}
        Which values count as extreme.
    method : {"auto", "exact", "cumulants", "pearson", "splitting"}
        ``"auto"``: the first of the four that is affordable and, at the size of the answer, within a quarter
        of it; if none is, a proven bound. ``"exact"``: the enumerated law of T, or of the tables in the tail
        alone. ``"cumulants"``: the law of T from its factorial cumulants, if clusters are many and small.
    rng : None, int, SeedSequence or Generator
        For splitting.
    budget : float or Budget, optional
        Seconds or so that the enumerations, of the whole law and of the tail alone, may each take, and
        splitting after them, by forecasts. Left out: 1 for each enumeration, 60 for splitting.
    n_tables, steps
        Of splitting: tables, and moves of each at a level; see `exact.laws.splitting.split`.

    Returns
    -------
    Tail
        Probability, its logarithm, relative error, method.

    Raises
    ------
    ValueError
        If a method that was asked for has no answer here.

    Examples
    --------
    >>> tail = tail_probability(ContingencyTable([[4, 0, 1], [0, 5, 0], [1, 0, 4]]), "rand")
    >>> tail.method, round(tail.p_value, 6)
    ('exact', 0.000603)
    """
    one_of("alternative", alternative, ("greater", "less"))
    one_of("method", method, TAIL_METHODS)
    table, entry = as_table(table), get_index(index)
    observed = kind_of(entry).value(entry, table)
    if math.isnan(observed):
        return replace(UNKNOWN, method="exact")
    side = _side_of_pair_sum(entry, table.margins, alternative)
    seconds = as_budget(budget).seconds
    if method in ("auto", "exact"):
        limit = ENUMERATION_SECONDS if seconds is None else seconds
        found = _enumerated(table, entry, observed, alternative, side, limit, required=method == "exact")
        if found is not None:
            return found
    if method in ("cumulants", "pearson") and side is None:
        raise ArgumentValueError(
            "method",
            f"must be 'exact' or 'splitting' for index {entry.name!r}, which is not an ascending or"
            f" descending function of T = sum n_ij**2 on these margins; got {method!r}.",
        )
    if method in ("auto", "cumulants") and side is not None:
        found = _by_cumulants(table, side)
        if found is not None and (found.relative_error <= FAIR or method == "cumulants"):
            return found
    if method in ("auto", "pearson") and side is not None:
        curve = _by_curve(table, side)
        if method == "pearson" and curve.p_value > 0.0:
            return curve
        if curve.relative_error <= FAIR and bears_out(_sampled(entry, table, rng), entry, table, alternative):
            return curve
    too_large = math.prod(table.shape) > MOST_CELLS
    if method == "auto" and too_large and side is not None:
        return _bounded(table, side)
    if method in ("cumulants", "pearson") or too_large:
        raise ArgumentValueError(
            "method", f"must be one that has an answer here; got {method!r}: {WHY_NOT[method]}."
        )
    effort = {} if steps is None else {"steps": steps}
    moves = MOVES if side is not None else max(kind_of(entry).evaluations(entry), SLOW_EVALUATIONS)
    rounds = (DEFAULT_SECONDS if seconds is None else seconds) / MOVES_SECONDS
    effort["most_moves"] = int(min(max(moves * rounds, 1.0), MOST_MOVES))
    estimate = split_p_value(
        entry, table.margins, observed, rng=rng, alternative=alternative, n_tables=n_tables, **effort
    )
    return tail_from_splitting(estimate)


def split_p_value(
    index: str | Index,
    margins: Margins,
    observed: float,
    *,
    alternative: Literal["greater", "less"] = "greater",
    rng: RNG = None,
    **effort: int,
) -> SplitEstimate:
    """Tail of any index by multilevel splitting: `exact.laws.splitting.split` of its values.

    `observed` is the index on the table in hand; `effort` are the ``n_tables``, ``steps`` and ``replicates``
    of that function. An index that needs pairs is followed by T alone.

    Examples
    --------
    >>> import chancecorr
    >>> margins = Margins([240, 240, 320], [240, 240, 320])
    >>> observed = (78302 - 800) / 2 / 319600  # T = 78302, whose exact p-value is 9.87e-9
    >>> estimate = split_p_value("russell_rao", margins, observed, rng=1, n_tables=200)
    >>> 0.5e-8 < estimate.p_value < 1.5e-8, 0.0 < estimate.relative_error < 0.5
    (True, True)
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


def tail_of_null(
    index: Index,
    table: ContingencyTable,
    observed: float,
    null: NullDistribution,
    asked: Request,
    alternative: Alternative,
    n_indices: int = 1,
) -> Tail:
    """Probability under chance of a value as extreme: off the null distribution, or beyond it.

    `n_indices` is the number of indices that share the budget. The two-sided p-value is twice the smaller of
    the others, and so is known as well as that.
    """
    permuted = null.model == PERMUTATION.name
    if alternative == "two-sided":
        sides: tuple[Alternative, Alternative] = ("greater", "less")
        both = [tail_of_null(index, table, observed, null, asked, side, n_indices) for side in sides]
        one = min(both, key=lambda tail: tail.p_value)
        return replace(
            one,
            p_value=min(1.0, 2.0 * one.p_value),
            log_p_value=min(0.0, one.log_p_value + math.log(2.0)),
            upper=min(1.0, 2.0 * one.upper),
        )
    side = _side_of_pair_sum(index, table.margins, alternative) if permuted else None
    if null.values_from is None:
        return UNKNOWN if side is None or not null.note else _bounded(table, side)
    found = _read_off(null, table, observed, alternative, side)
    if found.relative_error <= GOOD or math.isnan(found.p_value) or not permuted or asked.method.only_tables:
        return found
    if null.values_from == "cumulants" and side is not None:
        return found if found.relative_error <= FAIR else _bounded(table, side)
    if asked.tail == "bound":
        return found
    if found.p_value <= SMALL:
        enumerated = _enumerated_tail(index, table, observed, alternative, asked.budget.part(TAIL_SECONDS))
        if enumerated is not None:
            return enumerated
    if side is not None and null.counts is not None:
        curve = _by_curve(table, side)
        if curve.relative_error < found.relative_error and bears_out(null, index, table, alternative):
            return curve
    if found.relative_error <= (POOR if null.counts is not None else FAIR):
        return found
    if side is not None:
        sign = 1 if side == "greater" else -1
        if null.counts is not None:
            seconds = asked.budget.part(TAIL_SECONDS)
            more = _count_pair_sums(table.margins, table.sum_of_squares, sign, int(asked.seed), seconds)
            if more.relative_error <= POOR:
                return more
        moves = _moves(table, _within(MOVES, asked))
        if moves < LEAST_MOVES:
            return _better(found, _bounded(table, side))
        further = _split_pair_sum(table.margins, table.sum_of_squares, sign, int(asked.seed), moves)
    else:
        moves = _moves(table, _within(kind_of(index).evaluations(index), asked) // n_indices)
        if moves < LEAST_MOVES:
            return found
        effort = {"n_tables": TABLES, "most_moves": moves}
        estimate = split_p_value(
            index, table.margins, observed, alternative=alternative, rng=int(asked.seed), **effort
        )
        further = tail_from_splitting(estimate)
    if side is not None and math.isinf(further.relative_error):
        further = _better(further, _bounded(table, side))
    return _better(found, further)


def _better(found: Tail, further: Tail) -> Tail:
    """The second if its relative error is known, or if its limit is the smaller one; else the first."""
    if math.isfinite(further.relative_error) or further.upper < found.upper:
        return further
    return found


def _read_off(
    null: NullDistribution,
    table: ContingencyTable,
    observed: float,
    alternative: Alternative,
    side: Side | None,
) -> Tail:
    """P-value of the null distribution itself; ties by T if the index rises or falls with it."""
    if null.pair_sums is not None and side is not None:
        T = table.sum_of_squares
        if null.values_from == "cumulants":
            return _by_cumulants(table, side) or _bounded(table, side)
        reached = null.pair_sums >= T if side == "greater" else null.pair_sums <= T
        if null.counts is not None:
            return tail_from_count(int(null.counts[reached].sum()), null.n_tables)
        p = min(1.0, total_probability(null.weights[reached]) + null.lost_mass)
    else:
        p = null.p_value(observed, alternative)
    source = null.values_from
    if math.isnan(p) or source is None:
        return replace(UNKNOWN, method=source)
    if null.counts is None:
        error = max(ROUNDING, null.lost_mass / p) if p > 0.0 else math.inf
        return tail_from_p(p, error, source, is_bound=error > FAIR)
    return tail_from_count(round(p * (null.n_tables + 1)) - 1, null.n_tables)


def _by_cumulants(table: ContingencyTable, side: Side) -> Tail | None:
    """P-value from factorial cumulants; None if clusters are too few or too large for them."""
    law = sparse_law(table.margins)
    if law is None:
        return None
    p, error = law.tail(table.sum_of_squares, side)
    return tail_from_p(p, error, "cumulants") if p > 0.0 else None


def _bounded(table: ContingencyTable, side: Side) -> Tail:
    """Proven bound from the moments of T."""
    log_p = log_bound_of_tail(table.margins, table.sum_of_squares, side)
    return tail_from_log(log_p, math.inf, "moments", is_bound=True)


def _side_of_pair_sum(index: Index, margins: Margins, alternative: str) -> Side | None:
    """Whether the extreme values are those of a large T, or of a small one; None where T does not tell."""
    direction = kind_of(index).direction(index, margins)
    if direction == 0:
        return None
    return "greater" if (alternative == "greater") == (direction > 0) else "less"


def _within(moves: int, asked: Request) -> int:
    """Moves that a budget has room for, of those that take `MOVES_SECONDS`."""
    return int(moves * asked.budget.part(MOVES_SECONDS) / MOVES_SECONDS)


def _moves(table: ContingencyTable, of_few_cells: int) -> int:
    """Moves that splitting may make of a table; 0 where it has too many cells."""
    cells = math.prod(table.shape)
    return 0 if cells > MOST_CELLS else int(of_few_cells * min(1.0, FEW_CELLS / max(cells, 1)))


def _enumerated_tail(
    index: Index, table: ContingencyTable, observed: float, alternative: str, budget: float
) -> Tail | None:
    """P-value of two clusters against two, or where the extreme tables are few, those of much agreement."""
    side = _side_of_pair_sum(index, table.margins, alternative)
    found = log_p_of_two_by_two(index, table, observed, alternative, side)
    if found is not None:
        return tail_from_log(*found, "exact")
    log_p = None
    if side == "greater":
        log_p = _log_upper_tail(table.margins, table.sum_of_squares, budget)
    elif direction_in_information(index, table.margins) == (1 if alternative == "greater" else -1):
        log_p = _log_upper_tail_of_information(table, budget)
    return None if log_p is None else tail_from_log(log_p, RELATIVE_ERROR, "exact")


@functools.lru_cache(maxsize=16)
def _log_upper_tail(margins: Margins, pair_sum: int, budget: float) -> float | None:
    """The same for all indices that rise or fall with T."""
    return log_upper_tail(margins, pair_sum, budget=budget)


@functools.lru_cache(maxsize=16)
def _log_upper_tail_of_information(table: ContingencyTable, budget: float) -> float | None:
    """The same for all indices that rise or fall with the mutual information."""
    return log_upper_tail_of_information(table, budget=budget)


@functools.lru_cache(maxsize=16)
def _count_pair_sums(margins: Margins, pair_sum: int, sign: int, seed: int, seconds: float) -> Tail:
    """From more tables than anything else needs, since T alone comes fast; for all indices that go with T."""
    sampler = plan_sampler(margins)
    m = min(MOST_PAIR_SUMS, int(1e9 * seconds / max(sampler.nanoseconds, 1.0)))
    reached = 0
    for start in range(0, m, PAIR_SUMS_AT_ONCE):
        found = pair_sums(sampler, np.uint64(seed), start, min(PAIR_SUMS_AT_ONCE, m - start))
        reached += int(np.count_nonzero(sign * found >= sign * pair_sum))
    return tail_from_count(reached, m)


@functools.lru_cache(maxsize=16)
def _split_pair_sum(margins: Margins, pair_sum: int, sign: int, seed: int, moves: int) -> Tail:
    """The same for all indices that rise or fall with T."""
    estimate = split(
        lambda tables: np.einsum("tij,tij->t", tables, tables).astype(np.float64),
        margins,
        pair_sum,
        of_pair_sums=lambda T: T.astype(np.float64),
        alternative="greater" if sign > 0 else "less",
        rng=seed,
        n_tables=TABLES,
        most_moves=moves,
    )
    return tail_from_splitting(estimate)


def _by_curve(table: ContingencyTable, side: Side) -> Tail:
    p, error = pearson_tail(table, side)
    return tail_from_p(p, error, "pearson")


def _sampled(index: Index, table: ContingencyTable, rng: RNG) -> NullDistribution:
    """Null distribution from 17,000 simulated tables."""
    asked = request({"method": "monte-carlo", "rng": rng})
    return null_distributions(table.margins, (index,), asked)[index.name]


def _enumerated(
    table: ContingencyTable,
    index: Index,
    observed: float,
    alternative: str,
    side: Side | None,
    budget: float,
    *,
    required: bool,
) -> Tail | None:
    """Tail of the enumerated law of T, or the enumerated tail, where one is affordable and good enough."""
    law, refusal = None, None
    seconds = MOST_SECONDS if required else budget
    if not kind_of(index).goes_by_pair_sum:
        tail = _enumerated_tail(index, table, observed, alternative, seconds)
        if tail is not None:
            return tail
        if required:
            raise ArgumentValueError(
                "method",
                f"must be 'splitting' for index {index.name!r}, which needs {index.needs!r}; got 'exact'.",
            )
        return None
    if required or forecast_pair_sum_law(table.margins).seconds <= budget:
        try:
            law = shared_pair_sum_law(table.margins, seconds=seconds)
        except TooCostlyError as error:
            refusal = error
    found = None if law is None else _off_law(law, table, index, observed, alternative, side)
    if found is not None and found.relative_error <= GOOD:
        return found
    tail = _enumerated_tail(index, table, observed, alternative, seconds)
    if tail is not None:
        return tail
    if required and found is None:
        assert refusal is not None
        raise refusal
    return found if found is not None and (required or found.relative_error <= FAIR) else None


def _off_law(
    law: PairSumLaw,
    table: ContingencyTable,
    index: Index,
    observed: float,
    alternative: str,
    side: str | None,
) -> Tail:
    """Tail of the law of T, by T itself where it tells what is extreme."""
    T = table.sum_of_squares
    if side is not None:
        reached = law.values >= T if side == "greater" else law.values <= T
    else:
        reached = extreme(values_of_pair_sums(index, law.values, table.margins), observed, alternative)
    p = total_probability(law.probabilities[reached]) + law.lost_mass
    error = max(ROUNDING, law.lost_mass / p)
    return tail_from_p(p, error, "exact", is_bound=error > FAIR)
