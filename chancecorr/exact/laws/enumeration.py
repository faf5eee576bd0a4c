"""The whole law of ``T = sum n_ij**2`` under fixed margins, and of the tables themselves.

Closed forms where there are some, and a list of all tables where these are few and T has too wide a range, as
with hundreds of millions of objects in one cluster and a few elsewhere. Otherwise dynamic programming over
columns (n to some hundreds, or many equal totals), which counts its steps and stops where these exceed the
budget, because a forecast for skewed margins can be too low.
"""

import functools
import math
from dataclasses import dataclass, replace
from typing import Literal, SupportsIndex, TypeAlias

import numpy as np

from chancecorr.arguments import as_count
from chancecorr.budget import TooCostlyError
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.closed import LEAST, closed_pair_sums, distinct_values, has_closed_form
from chancecorr.exact.laws.dynamic_programming import ColumnPlan, deal_columns, over_budget, plan_columns
from chancecorr.exact.laws.kernels.enumeration import list_tables
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.kernels.hypergeometric import split_log_factorials
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins

Method: TypeAlias = Literal["closed-form", "dynamic-programming", "listing", "cumulants"]

# Seconds on one thread, warm. Constants, and not measured at run time, because they choose the method.
SECONDS_PER_ADDITION = 1e-9
SECONDS_ALWAYS = 2e-4
SAFETY = 2.0
"""How many times the budget may be spent, by the constants above, before the work is stopped."""

MOST_LISTED = 10_000
"""Tables up to which the law of T is found by listing them where T has too wide a range to be laid out."""

SECONDS_PER_LISTED_CELL = 2e-7
"""Of a table that is listed for the law of T: its probability is a product over its cells."""

MOST_NUMBERS = 125_000_000
"""Cells of all the tables that may be listed: 1 GB."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSumLaw:
    """Null law of ``T = sum(n_ij**2)``.

    Attributes
    ----------
    values : ndarray of int64, shape (v,)
        Distinct values of T, ascending.
    probabilities : ndarray of float64, shape (v,)
        Of these values, above 0.
    lost_mass : float
        Probability of the tables left out; 1e-300 if none is, so that a tail is never exactly 0, and 0 if T
        is constant. No probability of a set of values is wrong by more than this, and a relative 1e-12 of
        rounding.
    method : {"closed-form", "dynamic-programming", "listing", "cumulants"}
        The first three lose nothing; for the last see `chancecorr.exact.laws.sparse`.
    """

    values: Integers
    probabilities: Floats
    lost_mass: float
    method: Method

    def __repr__(self) -> str:
        """How many values, and what was lost."""
        lost = f"lost_mass={self.lost_mass:.2g}"
        return f"<PairSumLaw of {self.values.size} values, {lost}, method={self.method!r}>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LawPlan:
    """How the law would be found, and what it would cost."""

    method: Method  # the one to take
    work: float  # elementary steps: additions, or cells of tables; inf when it cannot be done at all
    seconds: float  # on one thread, by constants measured once
    columns: ColumnPlan | None = None  # for dynamic programming


def forecast_pair_sum_law(margins: Margins | ContingencyTable) -> LawPlan:
    """What `pair_sum_law` would cost; takes a millisecond or so, also for margins far beyond it."""
    return _forecast(as_margins(margins))


@functools.lru_cache(maxsize=32)
def _forecast(margins: Margins) -> LawPlan:
    """Cached by margins, without the plan over columns of up to 16 MB: called once per index."""
    return replace(_plan(margins), columns=None)


def _plan(margins: Margins) -> LawPlan:
    """Closed form, dynamic programming, or, where T has too wide a range for it, a list of few tables."""
    if has_closed_form(margins):
        return LawPlan(method="closed-form", work=0.0, seconds=SECONDS_ALWAYS)
    rows, columns = (np.sort(x[x > 0]) for x in (margins.row_totals, margins.column_totals))
    if is_constant(margins):
        return LawPlan(method="dynamic-programming", work=1.0, seconds=SECONDS_ALWAYS)
    plan = plan_columns(rows, columns)
    if plan is not None:
        seconds = SECONDS_ALWAYS + SECONDS_PER_ADDITION * plan.work
        return LawPlan(method="dynamic-programming", work=plan.work, seconds=seconds, columns=plan)
    listed = _count_tables(margins, MOST_LISTED) * rows.size * columns.size
    return LawPlan(method="listing", work=listed, seconds=SECONDS_ALWAYS + SECONDS_PER_LISTED_CELL * listed)


def is_constant(margins: Margins) -> bool:
    """Whether all tables have the same T."""
    low, high = pair_sum_range(margins)
    return low == high


def pair_sum_law(margins: Margins | ContingencyTable, *, budget: float = 5.0) -> PairSumLaw:
    """Whole law of ``T = sum(n_ij**2)`` over the tables with these margins.

    The `budget` is in seconds: the forecast must not exceed it, nor the work as it is done, in steps of known
    cost, twice as much; else ValueError.

    Notes
    -----
    Source: dynamic programming as Mehta & Patel (1983, doi:10.1080/01621459.1983.10477989). Null model: both
    margins fixed.
    """
    margins = as_margins(margins)
    plan = _plan(margins)
    if not plan.seconds <= budget and plan.method != "closed-form":
        raise over_budget(f"a forecast of {plan.seconds:.3g} s")
    lost = LEAST  # what dynamic programming lacks to 1 is rounding, of each term in its own proportion
    if is_constant(margins):
        values, probabilities, lost = np.array([pair_sum_range(margins)[0]]), np.ones(1), 0.0
    elif plan.columns is not None:
        law, _ = deal_columns(plan.columns, most_work=SAFETY * budget / SECONDS_PER_ADDITION)
        pairs = np.flatnonzero(law)
        values, probabilities = margins.n + 2 * pairs, law[pairs]
    else:
        values, probabilities = closed_pair_sums(margins) or _listed_pair_sums(margins)
    return PairSumLaw(values=values, probabilities=probabilities, lost_mass=lost, method=plan.method)


def _listed_pair_sums(margins: Margins) -> tuple[Integers, Floats]:
    """Values of T and their probabilities, by listing all tables."""
    tables, each = table_law(margins, MOST_LISTED)
    return distinct_values(np.einsum("tij,tij->t", tables, tables), each)


def table_law(margins: Margins | ContingencyTable, limit: SupportsIndex) -> tuple[Integers, Floats]:
    """Every table with these margins, and its probability.

    Tables of shape (m, K, Q) in the order of their cells, read row by row, and
    ``prod a_i! prod b_j! / (n! prod n_ij!)``, which sum to 1. They are counted before they are laid out, and
    more than `limit` raise ValueError, as do more than fill `MOST_NUMBERS`. The count ends at once where
    ``(K - 1) (Q - 1) + 1`` exceeds the limit, K and Q being the clusters that hold objects: there are at
    least as many tables.
    """
    margins = as_margins(margins)
    limit = as_count("limit", limit)
    shape = margins.row_totals.size, margins.column_totals.size
    if margins.n == 0:
        return np.zeros((1, *shape), dtype=np.int64), np.ones(1)
    most = min(limit, MOST_NUMBERS // math.prod(shape))
    found = _count_tables(margins, most)
    if found > most:
        raise _too_many_tables(limit, most, shape)
    m = int(found)
    kept = tuple(np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals))
    rows, columns = margins.row_totals[kept[0]], margins.column_totals[kept[1]]
    workspace = _workspace(rows, columns)
    tables, probabilities = np.empty((m, rows.size, columns.size), dtype=np.int64), np.empty(m)
    list_tables(rows, columns, split_log_factorials(margins.n), limit, *workspace, tables, probabilities)
    if tables.shape[1:] == shape:
        return tables, probabilities
    out = np.zeros((m, *shape), dtype=np.int64)
    out[:, kept[0][:, None], kept[1]] = tables
    return out, probabilities


def _count_tables(margins: Margins, most: int) -> float:
    """Number of tables with these margins of one object or more; inf where there are more than `most`."""
    rows, columns = (totals[totals > 0] for totals in (margins.row_totals, margins.column_totals))
    # The real tables with these margins are a polytope of dimension (K - 1) (Q - 1), and its vertices, of
    # which there are more than dimensions, are whole numbers.
    if (rows.size - 1) * (columns.size - 1) >= most:
        return math.inf
    nothing = np.empty((0, 1, 1), dtype=np.int64), np.empty(0)
    m = list_tables(rows, columns, None, most, *_workspace(rows, columns), *nothing)
    return math.inf if m > most else m


def _workspace(rows: Integers, columns: Integers) -> tuple[Integers, Integers, Floats]:
    """Workspace of `list_tables`."""
    places = (rows.size - 1) * (columns.size - 1) + 1
    return np.empty_like(columns), np.empty((3, places), dtype=np.int64), np.empty(places)


def _too_many_tables(limit: int, most: int, shape: tuple[int, int]) -> TooCostlyError:
    """Refusal by the limit that was asked for, or by the memory."""
    if most == limit:
        rule, instead = f"at most {limit} tables", "Raise `limit` or sample."
    else:
        rule = f"at most {most} tables of {shape[0]} x {shape[1]} cells, which fill {MOST_NUMBERS} numbers"
        instead = "Sample."
    return TooCostlyError("margins", f"must have {rule}; got {most + 1} or more. {instead}")
