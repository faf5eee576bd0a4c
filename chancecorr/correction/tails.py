"""P-values, however small: read from the null distribution, or computed separately if it ends too early.

One ladder serves `adjust` and `tail_probability`. Its rungs, in `correction.rungs`, are tried in order until
one is good enough: the free cell of two clusters against two, Pearson's curve for T, multilevel splitting if
a search is asked for, and last a proven bound from the exact moments of T.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from chancecorr.arguments import Alternative, ArgumentValueError, one_of
from chancecorr.budget import Budget, TooCostlyError, as_budget
from chancecorr.chance.methods import METHODS
from chancecorr.chance.null_distribution import NullDistribution, exact_null
from chancecorr.chance.options import request
from chancecorr.correction.p_value import UNKNOWN, Tail, tail_from_count, tail_from_log, tail_from_p
from chancecorr.correction.question import Question
from chancecorr.correction.rungs import (
    FAIR,
    GOOD,
    MOST_CELLS_MOVED,
    ROUNDING_OF_SUMS,
    Case,
    bounded,
    by_checked_curve,
    by_cumulants,
    by_curve,
    by_free_cell,
    by_splitting,
    read_off,
    supported_by_tables,
)
from chancecorr.exact.laws.sparse import CUMULANTS
from chancecorr.indices.registry import Index, get_index
from chancecorr.null.seeding import RNG
from chancecorr.tables.contingency import ContingencyTable, as_table

POOR = 0.75
"""Relative error of a p-value in `adjust` from simulated tables beyond which a better one is looked for: that
of 10 tables or so."""

ENUMERATION_SECONDS, ESTIMATION_SECONDS = 1.0, 60.0
"""Budgets of an enumeration and of an estimate in `tail_probability` if none is given."""

Rungs: TypeAlias = tuple[tuple[Callable[[Case], Tail | None], float], ...]
"""Ways to a p-value, each with the relative error that is good enough to leave it out."""

AT_NO_COST: Rungs = ((by_free_cell, GOOD), (supported_by_tables, GOOD), (bounded, math.inf))

SEARCH: Rungs = (*AT_NO_COST[:-1], (by_splitting, POOR), AT_NO_COST[-1])

WHY_NOT = {
    "auto": "the index is no function of T, and splitting lays out tables of at most"
    f" {MOST_CELLS_MOVED:,} cells",
    "exact": "no enumeration fits the budget",
    "splitting": f"it lays out tables of at most {MOST_CELLS_MOVED:,} cells",
    "cumulants": "its terms do not fall, because clusters are too few or too large",
    "pearson": "the curve ends before the observed T",
}


def tail_probability(
    table: Any,
    index: str | Index,
    *,
    alternative: Literal["greater", "less"] | None = None,
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
        The observed table; its margins are fixed.
    index : str or Index
        What measures agreement.
    alternative : {"greater", "less"}, optional
        Which values count as extreme; if left out, those that agree as well or better, as in `adjust`.
    method : {"auto", "exact", "cumulants", "pearson", "splitting"}
        ``"auto"``: the first of the four that is affordable and, at the size of the answer, within a quarter
        of it; if none is, a proven bound. ``"exact"``: by enumeration of all tables. ``"cumulants"``: the
        distribution of T from its factorial cumulants, if clusters are many and small.
    rng : None, int, SeedSequence or Generator
        For simulated tables and splitting.
    budget : float or Budget, optional
        Seconds or so that the enumeration of all tables may take, and splitting after it, by forecasts. Left
        out: 1 for the enumeration, 60 for splitting.
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
    one_of("alternative", alternative, (None, "greater", "less"))
    one_of("method", method, ("auto", "exact", "cumulants", "pearson", "splitting"))
    table, entry, seconds = as_table(table), get_index(index), as_budget(budget).seconds
    enumeration = METHODS["exact" if method == "exact" else "auto"]
    limit = seconds or (enumeration.law_seconds if method == "exact" else ENUMERATION_SECONDS)
    asked = replace(request({"rng": rng, "budget": budget}), method=replace(enumeration, law_seconds=limit))
    question = Question(index=entry, margins=table.margins, asked=asked)
    observed = question.value(table)
    if math.isnan(observed):
        return replace(UNKNOWN, method="exact")
    case = Case(
        question=question,
        table=table,
        observed=observed,
        alternative=alternative or ("greater" if entry.larger_is_better else "less"),
        seconds=ESTIMATION_SECONDS if seconds is None else seconds,
        n_tables=n_tables,
        steps=steps,
        simulate=True,
    )
    found = _by_method(case, method)
    if found is None:
        raise ArgumentValueError(
            "method", f"must be one that has an answer here; got {method!r}: {WHY_NOT[method]}."
        )
    return found


def tail_of_null(
    question: Question,
    table: ContingencyTable,
    observed: float,
    null: NullDistribution,
    alternative: Alternative,
    n_indices: int = 1,
) -> Tail:
    """Probability under chance of a value as extreme as this, from the null distribution or beyond it.

    The two-sided p-value is twice the smaller of the others, and so is known as well as that.
    """
    if alternative == "two-sided":
        return two_sided(lambda side: tail_of_null(question, table, observed, null, side, n_indices))
    method = question.asked.method
    case = Case(
        question=question,
        table=table,
        observed=observed,
        alternative=alternative,
        null=null,
        seconds=method.search_seconds,
        n_indices=n_indices,
    )
    permuted = question.asked.model.is_permutation
    if null.values_from is None:
        if not permuted:
            return UNKNOWN
        waits = not method.needs_moments and not null.note
        return (_from_margins(case) if waits else None) or bounded(case) or UNKNOWN
    found = read_off(case)
    if math.isnan(found.p_value) or not permuted or method.only_tables:
        return found
    if null.values_from == "cumulants":
        return found if found.relative_error <= FAIR else bounded(case) or found
    rungs = SEARCH if method.search_seconds else AT_NO_COST
    return _climbed(rungs, case, found, POOR if null.counts is not None else FAIR)


def needs_no_tables(question: Question, table: ContingencyTable) -> bool:
    """Whether a curve gives the p-value, or a proven bound says more of it than tables would."""
    asked = question.asked
    if asked.method.search_seconds or asked.checkpoint:
        return False
    if not asked.n_tables_is_limit or not question.settled:
        return False
    side: Alternative = asked.alternative or ("greater" if question.index.larger_is_better else "less")
    if side == "two-sided" or not asked.model.is_permutation:
        return False
    case = Case(question=question, table=table, observed=question.value(table), alternative=side)
    return _from_margins(case) is not None


def _from_margins(case: Case) -> Tail | None:
    """P-value by a bound or a curve, where they say more than the whole null distribution or tables would."""
    question = case.question
    found = bounded(case) if question.law_ends and _far_out(case) else None
    if found is not None and found.p_value < question.law_ends:
        return found
    if question.law is not None:
        return None
    found = bounded(case)
    says_more = found is not None and found.p_value * (question.asked.n_tables + 1) < 1.0
    return by_checked_curve(case) or (found if says_more else None)


def _far_out(case: Case) -> bool:
    """Whether a bound may be below what the law tells: by central moments it is at least ``z**-CUMULANTS``.

    It decides what is tried first. A p-value that the law does not tell is bounded after it.
    """
    moments = case.question.require_known().moments
    return not abs(case.observed - moments.mean) < moments.std * case.question.law_ends ** (-1 / CUMULANTS)


def _by_method(case: Case, method: str) -> Tail | None:
    """P-value by the method asked for; None if it has no answer."""
    question = case.question
    if method in ("cumulants", "pearson") and case.side is None:
        raise ArgumentValueError(
            "method",
            f"must be 'exact' or 'splitting' for index {question.name!r}, which is not an ascending or"
            f" descending function of T = sum n_ij**2 on these margins; got {method!r}.",
        )
    if method == "cumulants":
        return by_cumulants(case)
    if method == "pearson":
        curve = by_curve(case)
        return curve if curve.p_value > 0.0 else None
    if method == "splitting":
        return by_splitting(case)
    try:
        law = question.law
    except TooCostlyError:
        return by_free_cell(case)
    found = replace(UNKNOWN, relative_error=math.inf, upper=1.0)
    if law is not None:
        null = exact_null(question.name, question.margins, law, None)
        found = read_off(replace(case, null=null))
    if method == "auto":
        found = _climbed(SEARCH, case, found, FAIR)
    elif found.relative_error > GOOD:
        found = by_free_cell(case) or found
    return None if found.method is None else found


def _climbed(rungs: Rungs, case: Case, found: Tail, enough: float) -> Tail:
    """The best answer of the rungs; those after one that is good enough are left out."""
    for rung, least in rungs:
        if found.relative_error <= min(least, enough):
            continue
        further = rung(case)
        if further is not None:  # if neither has a relative error, the limits decide
            found = min(found, further, key=lambda tail: (tail.relative_error, tail.upper))
    return found


def two_sided(tail_of: Callable[[Literal["greater", "less"]], Tail]) -> Tail:
    """Twice the smaller of the p-values of the two sides."""
    one = min(tail_of("greater"), tail_of("less"), key=lambda tail: tail.p_value)
    return replace(
        one,
        p_value=min(1.0, 2.0 * one.p_value),
        log_p_value=min(0.0, one.log_p_value + math.log(2.0)),
        upper=min(1.0, 2.0 * one.upper),
    )


def bound_by_variance(null: NullDistribution, observed: float, side: Alternative) -> Tail:
    """Bound of the p-value by Cantelli (1928), from mean and variance."""
    if side == "two-sided":
        return two_sided(lambda each: bound_by_variance(null, observed, each))
    above = observed - null.mean if side == "greater" else null.mean - observed
    if not above > 0.0 or not null.variance > 0.0:
        return tail_from_p(1.0, math.inf, "bound", is_bound=True)
    return tail_from_log(-math.log1p(above * above / null.variance), math.inf, "bound", is_bound=True)


def tail_of_values(null: NullDistribution, observed: float, side: Alternative) -> Tail:
    """P-value from the values of a null distribution, listed or drawn; unknown if there are none."""
    if null.values_from is None or math.isnan(observed) or math.isnan(null.values[-1]):
        return UNKNOWN
    if side == "two-sided":
        return two_sided(lambda each: tail_of_values(null, observed, each))
    p = null.p_value(observed, side)
    if null.counts is None:
        return tail_from_p(p, ROUNDING_OF_SUMS if p > 0.0 else math.inf, "exact")
    return tail_from_count(round(p * (null.n_tables + 1)) - 1, null.n_tables)
