"""P-values, however small: read from the null distribution, or computed separately if it ends too early.

One ladder serves `adjust` and `tail_probability`. Its methods, in `correction.p_value_methods`, are tried
in order until one is good enough: the free cell of two clusters against two, Pearson's curve for T,
multilevel splitting if a search is asked for, and last a proven bound from exact moments.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from chancecorr.arguments import Alternative, ArgumentValueError, one_of
from chancecorr.budget import Budget, TooCostlyError, as_budget
from chancecorr.chance.fixed_margins import FixedMargins
from chancecorr.chance.methods import METHODS
from chancecorr.chance.null_distribution import NullDistribution, exact_null
from chancecorr.chance.null_model import NullModel, Side
from chancecorr.chance.options import read_options
from chancecorr.correction.p_value_methods import (
    FAIR,
    GOOD,
    MOST_CELLS_MOVED,
    UNKNOWN,
    Tail,
    TailRequest,
    bound_p_value,
    read_p_value,
    use_checked_curve,
    use_cumulants,
    use_curve,
    use_free_cell,
    use_splitting,
    use_supported_curve,
)
from chancecorr.exact.closed_laws import CUMULANTS
from chancecorr.indices.registry import Index, get_index
from chancecorr.null.seeding import RNG
from chancecorr.tables.contingency import as_table

POOR = 0.75
"""Relative error of a p-value in `adjust` from simulated tables beyond which a better one is looked for: that
of 10 tables or so."""

ENUMERATION_SECONDS, ESTIMATION_SECONDS = 1.0, 60.0
"""Budgets of an enumeration and of an estimate in `tail_probability` if none is given."""

Methods: TypeAlias = tuple[tuple[Callable[[TailRequest], Tail | None], float], ...]
"""Methods, each with the relative error that is good enough to leave it out."""

AT_NO_COST: Methods = ((use_free_cell, GOOD), (use_supported_curve, GOOD), (bound_p_value, math.inf))

SEARCH: Methods = (*AT_NO_COST[:-1], (use_splitting, POOR), AT_NO_COST[-1])

WHY_NOT = {
    "auto": "the index is no function of T, and splitting lays out tables of at most"
    f" {MOST_CELLS_MOVED:,} cells",
    "exact": "no enumeration fits the budget",
    "splitting": f"it lays out tables of at most {MOST_CELLS_MOVED:,} cells",
    "cumulants": "its terms do not fall, because clusters are too few or too large",
    "pearson": "the curve ends before the observed T",
}


def find_p_value(
    model: NullModel,
    index: Index,
    observed: float,
    null: NullDistribution,
    alternative: Alternative | None = None,
    n_indices: int = 1,
) -> Tail:
    """Probability under chance of a value as extreme as this, from the null distribution or beyond it.

    The two-sided p-value is twice the smaller of the others, and so is known as well as that. So many
    indices share the budget of a search.
    """
    if alternative == "two-sided":
        sides: Sequence[Side] = ("greater", "less")
        tails = [find_p_value(model, index, observed, null, side, n_indices) for side in sides]
        return double(min(tails, key=lambda tail: tail.p_value))
    method = model.options.method
    request = TailRequest(
        model=model,
        index=index,
        observed=observed,
        alternative=alternative or ("greater" if index.larger_is_better else "less"),
        null=null,
        seconds=method.search_seconds,
        n_indices=n_indices,
    )
    if math.isnan(observed):
        return UNKNOWN if null.values_from is None else replace(UNKNOWN, method=null.values_from)
    if null.values_from is None:
        beyond = None if method.needs_moments else find_beyond_law(request)
        return beyond or bound_p_value(request) or UNKNOWN
    tail = read_p_value(request)
    if math.isnan(tail.p_value) or not model.keeps_margins or method.only_tables:
        return tail
    if null.values_from == "cumulants":
        return tail if tail.relative_error <= FAIR else bound_p_value(request) or tail
    methods = SEARCH if method.search_seconds else AT_NO_COST
    return _improve(methods, request, tail, POOR if null.counts is not None else FAIR)


def double(tail: Tail) -> Tail:
    """Two-sided p-value from the smaller one of the two sides."""
    return replace(
        tail,
        p_value=min(1.0, 2.0 * tail.p_value),
        log_p_value=min(0.0, tail.log_p_value + math.log(2.0)),
        upper=min(1.0, 2.0 * tail.upper),
    )


def needs_no_law(model: NullModel, index: Index) -> bool:
    """Whether a curve gives the p-value of the data, or a bound says more of it than draws would."""
    options = model.options
    if options.method.search_seconds or options.checkpoint or options.alternative == "two-sided":
        return False
    if not model.keeps_margins or not options.n_tables_is_limit or not model.knows_mean(index):
        return False
    side: Side = options.alternative or ("greater" if index.larger_is_better else "less")
    request = TailRequest(model=model, index=index, observed=model.observed(index), alternative=side)
    return find_beyond_law(request) is not None


def find_beyond_law(request: TailRequest) -> Tail | None:
    """P-value by a bound or a curve, where they say more than the whole null distribution or draws would."""
    model, index = request.model, request.index
    if not model.keeps_margins:
        return None
    resolution = model.law_resolution(index)
    bound = bound_p_value(request) if resolution and _is_far_out(request, resolution) else None
    if bound is not None and bound.p_value < resolution:
        return bound
    if model.law(index) is not None:
        return None
    bound = bound_p_value(request)
    says_more = bound is not None and bound.p_value * (model.options.n_tables + 1) < 1.0
    return use_checked_curve(request) or (bound if says_more else None)


def _is_far_out(request: TailRequest, resolution: float) -> bool:
    """Whether a bound may be below what the law tells: by central moments it is at least ``z**-CUMULANTS``.

    It decides what is tried first. A p-value that the law does not tell is bounded after it.
    """
    known = request.model.moments(request.index)
    if known is None:
        return False
    moments = known.moments
    return not abs(request.observed - moments.mean) < moments.std * resolution ** (-1 / CUMULANTS)


def _improve(methods: Methods, request: TailRequest, tail: Tail, enough: float) -> Tail:
    """The best answer of the methods; those after one that is good enough are left out."""
    for method, least in methods:
        if tail.relative_error <= min(least, enough):
            continue
        further = method(request)
        if further is not None:  # if neither has a relative error, the limits decide
            tail = min(tail, further, key=lambda one: (one.relative_error, one.upper))
    return tail


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
        Of splitting: tables, and moves of each at a level; see `exact.splitting.split`.

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
    >>> tail = tail_probability([[4, 0, 1], [0, 5, 0], [1, 0, 4]], "rand")
    >>> tail.method, round(tail.p_value, 6)
    ('exact', 0.000603)
    """
    one_of("alternative", alternative, (None, "greater", "less"))
    one_of("method", method, ("auto", "exact", "cumulants", "pearson", "splitting"))
    table, entry, seconds = as_table(table), get_index(index), as_budget(budget).seconds
    enumeration = METHODS["exact" if method == "exact" else "auto"]
    limit = seconds or (enumeration.law_seconds if method == "exact" else ENUMERATION_SECONDS)
    options = replace(read_options(rng=rng, budget=budget), method=replace(enumeration, law_seconds=limit))
    model = FixedMargins(margins=table.margins, table=table, options=options)
    observed = model.observed(entry)
    if math.isnan(observed):
        return replace(UNKNOWN, method="exact")
    request = TailRequest(
        model=model,
        index=entry,
        observed=observed,
        alternative=alternative or ("greater" if entry.larger_is_better else "less"),
        seconds=ESTIMATION_SECONDS if seconds is None else seconds,
        n_tables=n_tables,
        steps=steps,
        simulate=True,
    )
    tail = _use_method(request, method)
    if tail is None:
        raise ArgumentValueError(
            "method", f"must be one that has an answer here; got {method!r}: {WHY_NOT[method]}."
        )
    return tail


def _use_method(request: TailRequest, method: str) -> Tail | None:
    """P-value by the method asked for; None if it has no answer."""
    model, index = request.model, request.index
    if method in ("cumulants", "pearson") and request.side is None:
        raise ArgumentValueError(
            "method",
            f"must be 'exact' or 'splitting' for index {index.name!r}, which is not an ascending or"
            f" descending function of T = sum n_ij**2 on these margins; got {method!r}.",
        )
    if method == "cumulants":
        return use_cumulants(request)
    if method == "pearson":
        curve = use_curve(request)
        return curve if curve.p_value > 0.0 else None
    if method == "splitting":
        return use_splitting(request)
    try:
        law = model.law(index)
    except TooCostlyError:
        return use_free_cell(request)
    tail = replace(UNKNOWN, relative_error=math.inf, upper=1.0)
    if law is not None:
        null = exact_null(index.name, model.margins, law, None)
        tail = read_p_value(replace(request, null=null))
    if method == "auto":
        tail = _improve(SEARCH, request, tail, FAIR)
    elif tail.relative_error > GOOD:
        tail = use_free_cell(request) or tail
    return None if tail.method is None else tail
