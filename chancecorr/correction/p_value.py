"""Find p-values, however small: from the null distribution, or by other methods if it ends too early.

The methods, in `correction.p_value_methods`, are tried in this order until the p-value is accurate enough:
the free cell of two clusters against two, multilevel splitting if a search is requested, and last a proven
bound from exact moments.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel, Side
from chancecorr.correction.p_value_methods import (
    MAX_RELATIVE_ERROR,
    MIN_ERROR_TO_IMPROVE,
    ROUNDING_OF_SUMS,
    UNKNOWN_TAIL,
    Tail,
    bound_p_value,
    tail_from_count,
    tail_from_p,
    use_cumulants,
    use_free_cell,
    use_splitting,
)
from chancecorr.exact.closed_laws import CUMULANTS
from chancecorr.exact.summary import sum_probabilities
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import Alternative
from chancecorr.tables.contingency import ContingencyTable, Margins

MAX_ERROR_OF_TABLES = 0.75  # relative error of a sampled p-value: about that from 10 extreme tables


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TailRequest:
    """The input of a p-value: model, index, observed value, alternative, and seconds for a search."""

    model: NullModel
    index: Index
    observed: float
    alternative: Side
    null: NullDistribution | None = None
    seconds: float = 0.0  # forecast seconds that splitting may take
    n_indices: int = 1  # number of indices that share these seconds, if T does not determine them

    @property
    def table(self) -> ContingencyTable:
        """The contingency table of the data."""
        assert self.model.table is not None
        return self.model.table

    @property
    def margins(self) -> Margins:
        """The margins of the data; all tables under chance have these margins."""
        assert self.model.margins is not None
        return self.model.margins

    @property
    def side(self) -> Side | None:
        """The side with the extreme values of T; None if T does not determine the index."""
        direction = self.model.direction(self.index) if self.model.keeps_margins else 0
        if direction == 0:
            return None
        return "greater" if (self.alternative == "greater") == (direction > 0) else "less"


def find_p_value(
    model: NullModel, index: Index, observed: float, null: NullDistribution, alternative: Alternative,
    n_indices: int = 1,
) -> Tail:  # fmt: skip
    """Return the p-value of `observed`; `n_indices` is the number of indices that share the search budget."""
    if alternative == "two-sided":
        sides: Sequence[Side] = ("greater", "less")
        tails = [find_p_value(model, index, observed, null, side, n_indices) for side in sides]
        of_sides = [
            tail for tail in tails if not math.isnan(tail.p_value)
        ]  # a bound may exist for one side only
        if not of_sides:
            return tails[0]
        tail = min(of_sides, key=lambda tail: tail.p_value)
        return replace(
            tail,
            p_value=min(1.0, 2.0 * tail.p_value),
            log_p_value=min(0.0, tail.log_p_value + math.log(2.0)),
            upper=min(1.0, 2.0 * tail.upper),
        )
    method = model.options.method
    request = TailRequest(
        model=model, index=index, observed=observed, alternative=alternative, null=null,
        seconds=method.search_seconds, n_indices=n_indices,
    )  # fmt: skip
    if math.isnan(observed):
        return replace(UNKNOWN_TAIL, method=null.values_from)
    if null.values_from is None:
        beyond = None if method.needs_moments else find_beyond_law(request)
        return beyond or bound_p_value(request) or UNKNOWN_TAIL
    tail = read_p_value(request)
    if math.isnan(tail.p_value) or not model.keeps_margins or method.only_tables:
        return tail
    if null.values_from == "cumulants":
        return tail if tail.relative_error <= MAX_RELATIVE_ERROR else bound_p_value(request) or tail
    enough = MAX_ERROR_OF_TABLES if null.counts is not None else MAX_RELATIVE_ERROR
    ladder: list[tuple[Callable[[TailRequest], Tail | None], float]]
    ladder = [(use_free_cell, MIN_ERROR_TO_IMPROVE), (bound_p_value, math.inf)]
    if method.search_seconds:
        ladder.insert(1, (use_splitting, MAX_ERROR_OF_TABLES))
    for use, good in ladder:  # until the relative error is small enough
        if tail.relative_error <= min(good, enough):
            continue
        further = use(request)
        if further is not None:  # without relative errors, the smaller upper limit wins
            tail = min(tail, further, key=lambda one: (one.relative_error, one.upper))
    return tail


def read_p_value(request: TailRequest) -> Tail:
    """Return the p-value from the null distribution; T decides ties if the index is monotone in T."""
    null = request.null
    assert null is not None
    find_excess = request.model.find_excess
    excess = None if find_excess is None else find_excess(request.index)
    if excess is not None and not math.isnan(null.values[-1]):
        if null.counts is not None:
            excess = excess[: null.n_tables]  # without the draw at which `stop_after` stopped
        beyond = excess >= 0.0 if request.alternative == "greater" else excess <= 0.0
        m = int(np.count_nonzero(beyond))
        if null.counts is None:
            return tail_from_p(m / excess.size, 0.0, "exact")
        return tail_from_count(m, null.n_tables)
    side = None if null.pair_sums is None else request.side
    if null.pair_sums is not None and side is not None:
        assert request.model.table is not None
        T = request.model.table.sum_of_squares
        if null.values_from == "cumulants":
            return use_cumulants(request) or bound_p_value(request) or UNKNOWN_TAIL
        reached = null.pair_sums >= T if side == "greater" else null.pair_sums <= T
        if null.counts is not None:
            return tail_from_count(int(null.counts[reached].sum()), null.n_tables)
        p = min(1.0, sum_probabilities(null.weights[reached]) + null.lost_mass)
    else:
        p = null.p_value(request.observed, request.alternative)
    source = null.values_from
    if math.isnan(p) or source is None:
        return replace(UNKNOWN_TAIL, method=source)
    if null.counts is None:
        error = max(ROUNDING_OF_SUMS, null.lost_mass / p) if p > 0.0 else math.inf
        return tail_from_p(p, error, source, is_bound=error > MAX_RELATIVE_ERROR)
    return tail_from_count(round(p * (null.n_tables + 1)) - 1, null.n_tables)


def needs_no_law(model: NullModel, index: Index) -> bool:
    """Return True if a proven bound of the p-value is below the resolution of the draws."""
    options = model.options
    if options.method.search_seconds or options.checkpoint or options.alternative == "two-sided":
        return False
    if not options.n_tables_is_limit:
        return False
    side: Side = options.alternative or index.better_side
    request = TailRequest(model=model, index=index, observed=model.observed(index), alternative=side)
    return find_beyond_law(request) is not None


def find_beyond_law(request: TailRequest) -> Tail | None:
    """Return a proven bound of the p-value if it is below the resolution of the null distribution."""
    model, index = request.model, request.index
    if not model.keeps_margins:
        return None
    resolution = model.law_resolution(index)
    known = model.moments(index) if resolution else None
    # a bound by central moments is at least ``z**-CUMULANTS``: compute it only if it can be below
    if known is not None and not abs(request.observed - known.moments.mean) < (
        known.moments.std * resolution ** (-1 / CUMULANTS)
    ):
        bound = bound_p_value(request)
        if bound is not None and bound.p_value < resolution:
            return bound
    if model.law(index) is not None:
        return None
    bound = bound_p_value(request)
    says_more = bound is not None and bound.p_value * (model.options.n_tables + 1) < 1.0
    return bound if says_more else None
