"""The whole law of ``T = sum n_ij**2`` under fixed margins, and of the tables themselves.

Closed forms where there are some. Otherwise two methods, chosen by a forecast of their time: dynamic
programming over columns (n to about 100, or many equal totals), and a depth-first enumeration of the free
cells that leaves out improbable tables (few free cells, n to a few thousand). Both count their steps and stop
where these exceed the budget, because a forecast for skewed margins can be far too low.
"""

import functools
import math
from dataclasses import dataclass, replace
from typing import Literal, SupportsIndex, TypeAlias

import numpy as np

from chancecorr.arguments import ArgumentValueError, as_count, one_of
from chancecorr.budget import TooCostlyError
from chancecorr.exact.laws.closed import LEAST_LOST_MASS, closed_pair_sums, has_closed_form
from chancecorr.exact.laws.dynamic_programming import ColumnPlan, deal_columns, over_budget, plan_columns
from chancecorr.exact.laws.kernels.enumeration import list_tables
from chancecorr.exact.laws.pruning import CellPlan, enumerate_pairs, plan_cells
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.kernels.hypergeometric import log_factorials
from chancecorr.tables.contingency import ContingencyTable, Margins, as_margins

Method: TypeAlias = Literal["closed-form", "dynamic-programming", "enumeration", "cumulants"]

# Seconds on one thread, warm. Constants, and not measured at run time, because they choose the method.
SECONDS_PER_ADDITION = 1e-9
SECONDS_PER_TABLE = 1e-9
SECONDS_ALWAYS = 2e-4
SAFETY = 2.0
"""How many times the budget may be spent, by the constants above, before the work is stopped."""
MOST_CELLS_LISTED = 125_000_000
"""Cells of all the tables that may be listed: 1 GB."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSumLaw:
    """Null law of ``T = sum(n_ij**2)``.

    The lost mass is what an enumeration left out, 1 minus the sum of the probabilities, at least 0; else
    1e-300, so that a tail is never exactly 0. No probability of a set of values is wrong by more than this,
    and a relative 1e-12 of rounding.
    """

    values: Integers  # shape (v,): distinct values of T, ascending
    probabilities: Floats  # shape (v,): above 0
    lost_mass: float
    method: Method  # the first two lose nothing; for the last see `chancecorr.exact.laws.sparse`

    def __repr__(self) -> str:
        """How many values, and what was lost."""
        lost = f"lost_mass={self.lost_mass:.2g}"
        return f"<PairSumLaw of {self.values.size} values, {lost}, method={self.method!r}>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LawPlan:
    """How the law would be found, and what it would cost."""

    method: Method  # the one to take
    work: float  # elementary steps: additions, or tables; inf when it cannot be done at all
    seconds: float  # on one thread, by constants measured once
    cells: CellPlan | None = None  # for an enumeration
    columns: ColumnPlan | None = None  # for dynamic programming, if that is taken


def forecast_pair_sum_law(
    margins: Margins | ContingencyTable,
    lost_mass: float = 1e-12,
    *,
    method: Method | Literal["auto"] = "auto",
) -> LawPlan:
    """Forecast of the cost of `pair_sum_law`; takes a millisecond or so, also for margins far beyond it.

    `lost_mass` is the probability that may be left out, in [0, 1). The method ``"auto"`` takes the faster
    one, and dynamic programming if that takes less than 0.1 s.
    """
    return _forecast(_checked(margins, lost_mass, method), lost_mass, method)


@functools.lru_cache(maxsize=32)
def _forecast(margins: Margins, lost_mass: float, method: Method | Literal["auto"]) -> LawPlan:
    """Cached by margins, without the plan over columns of up to 16 MB: called once per index."""
    return replace(_plan(margins, lost_mass, method), columns=None)


def _checked(margins: Margins | ContingencyTable, lost_mass: float, method: str) -> Margins:
    """The margins, if the arguments are valid."""
    one_of("method", method, ["auto", "dynamic-programming", "enumeration"])
    if not 0.0 <= lost_mass < 1.0:
        raise ArgumentValueError("lost_mass", f"must be in [0, 1); got {lost_mass}.")
    return as_margins(margins)


def _plan(margins: Margins, lost_mass: float, method: Method | Literal["auto"]) -> LawPlan:
    """The cheapest plan, or that of a method."""
    if method == "auto" and has_closed_form(margins):
        return LawPlan(method="closed-form", work=0.0, seconds=SECONDS_ALWAYS)
    cells = plan_cells(margins, lost_mass)
    by_cells = LawPlan(
        method="enumeration",
        work=cells.work,
        seconds=SECONDS_ALWAYS + SECONDS_PER_TABLE * cells.work,
        cells=cells,
    )
    if method == "enumeration":
        return by_cells
    if cells.bins == 1:
        return replace(by_cells, method="dynamic-programming")
    columns = plan_columns(cells.rows, cells.columns)
    work = math.inf if columns is None else columns.work
    seconds = SECONDS_ALWAYS + SECONDS_PER_ADDITION * work
    by_columns = LawPlan(
        method="dynamic-programming", work=work, seconds=seconds, cells=cells, columns=columns
    )
    if method != "auto":
        return by_columns
    # up to 0.1 s dynamic programming, which loses nothing, is preferred to a faster enumeration
    slow = columns is None or seconds > max(0.1, by_cells.seconds)
    return by_cells if slow else by_columns


def pair_sum_law(
    margins: Margins | ContingencyTable,
    *,
    lost_mass: float = 1e-12,
    budget: float = 5.0,
    method: Method | Literal["auto"] = "auto",
) -> PairSumLaw:
    """Whole law of ``T = sum(n_ij**2)`` over the tables with these margins.

    `lost_mass` and `method` are as in `forecast_pair_sum_law`; a lost mass of 0 leaves out nothing. The
    `budget` is in seconds: the forecast must not exceed it, nor the work as it is done, in steps of known
    cost, twice as much; else ValueError.

    Notes
    -----
    Source: dynamic programming as Mehta & Patel (1983, doi:10.1080/01621459.1983.10477989); enumeration by
    conditional hypergeometric probabilities. Null model: both margins fixed.
    """
    margins = _checked(margins, lost_mass, method)
    plan = _plan(margins, lost_mass, method)
    if not plan.seconds <= budget and plan.method != "closed-form":
        raise over_budget(f"a forecast of {plan.seconds:.3g} s by {plan.method}")
    lost, cells, closed = LEAST_LOST_MASS, plan.cells, None
    if cells is None:
        closed = closed_pair_sums(margins)
    elif cells.bins == 1:
        low, law, lost = cells.low, np.ones(1), 0.0
    elif plan.columns is not None:
        # what dynamic programming lacks to 1 is rounding, of each term in its own proportion
        low, (law, _) = 0, deal_columns(plan.columns, most_work=SAFETY * budget / SECONDS_PER_ADDITION)
    else:
        most = SAFETY * budget / SECONDS_PER_TABLE
        low, law = cells.low, enumerate_pairs(cells, lost_mass, most)[0]
        lost = max(0.0, 1.0 - math.fsum(law))
    if closed is None:
        found = np.flatnonzero(law)
        closed = margins.n + 2 * (low + found), law[found]
    values, probabilities = closed
    return PairSumLaw(values=values, probabilities=probabilities, lost_mass=lost, method=plan.method)


def table_law(margins: Margins | ContingencyTable, limit: SupportsIndex) -> tuple[Integers, Floats]:
    """Every table with these margins, and its probability.

    Tables of shape (m, K, Q) in the order of their cells, read row by row, and
    ``prod a_i! prod b_j! / (n! prod n_ij!)``, which sum to 1. They are counted before they are laid out, and
    more than `limit` raise ValueError, as do more than fill `MOST_CELLS_LISTED`. The count ends at once where
    ``(K - 1) (Q - 1) + 1`` exceeds the limit, K and Q being the clusters that hold objects: there are at
    least as many tables.
    """
    margins = as_margins(margins)
    limit = as_count("limit", limit)
    shape = margins.row_totals.size, margins.column_totals.size
    if margins.n == 0:
        return np.zeros((1, *shape), dtype=np.int64), np.ones(1)
    most = min(limit, MOST_CELLS_LISTED // math.prod(shape))
    found = _count_tables(margins, most)
    if found > most:
        rule, instead = f"at most {limit} tables", "Raise `limit` or sample."
        if most < limit:
            cells = f"{shape[0]} x {shape[1]} cells, {MOST_CELLS_LISTED} in all"
            rule, instead = f"at most {most} tables of {cells}", "Sample."
        raise TooCostlyError("margins", f"must have {rule}; got {most + 1} or more. {instead}")
    m = int(found)
    kept = tuple(np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals))
    rows, columns = margins.row_totals[kept[0]], margins.column_totals[kept[1]]
    workspace = _workspace(rows, columns)
    tables, probabilities = np.empty((m, rows.size, columns.size), dtype=np.int64), np.empty(m)
    list_tables(rows, columns, log_factorials(margins.n), limit, *workspace, tables, probabilities)
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
    m = list_tables(rows, columns, log_factorials(margins.n), most, *_workspace(rows, columns), *nothing)
    return math.inf if m > most else m


def _workspace(rows: Integers, columns: Integers) -> tuple[Integers, Integers, Floats]:
    """Workspace of `list_tables`."""
    places = (rows.size - 1) * (columns.size - 1) + 1
    return np.empty_like(columns), np.empty((3, places), dtype=np.int64), np.empty(places)
