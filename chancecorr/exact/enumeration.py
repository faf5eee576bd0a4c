"""The whole law of ``T = sum n_ij**2`` under fixed margins, and of the tables themselves.

Whoever needs the law of T enters at `shared_pair_sum_law`, which keeps it for all indices, and whoever needs
tables, at `table_law`.

Closed forms where there are some. Otherwise two methods, chosen by a forecast of their time: dynamic
programming over columns (n to about 100, or many equal totals; Mehta & Patel 1983,
doi:10.1080/01621459.1983.10477989), and a depth-first enumeration of the free
cells that leaves out improbable tables (few free cells, n to a few thousand). Both count their steps and stop
where these exceed the budget, because a forecast for skewed margins can be far too low.
"""

import functools
import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from chancecorr.budget import TooCostlyError
from chancecorr.exact.closed_laws import (
    LEAST_LOST_MASS,
    LOST_MASS,
    Method,
    PairSumLaw,
    closed_pair_sums,
    has_closed_form,
)
from chancecorr.exact.kernels.enumeration import list_tables
from chancecorr.exact.walks import (
    CellPlan,
    ColumnPlan,
    deal_columns,
    enumerate_pairs,
    over_budget,
    plan_cells,
    plan_columns,
)
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.kernels.hypergeometric import log_factorials
from chancecorr.tables.contingency import Margins

# Seconds on one thread, warm. Constants, and not measured at run time, because they choose the method.
SECONDS_PER_STEP = 1e-9  # an addition, or a table
SECONDS_ALWAYS = 2e-4
SAFETY = 2.0
"""How many times the budget may be spent, by the constants above, before the work is stopped."""
MOST_CELLS_LISTED = 125_000_000
"""Cells of all the tables that may be listed: 1 GB."""

MOST_SECONDS = 60.0
"""Forecast beyond which no law is enumerated, unless a budget says so."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LawPlan:
    """How the law would be found, and what it would cost."""

    method: Method  # the one to take
    work: float  # elementary steps: additions, or tables; inf when it cannot be done at all
    seconds: float  # on one thread, by constants measured once
    cells: CellPlan | None = None  # for an enumeration
    columns: ColumnPlan | None = None  # for dynamic programming, if that is taken


@functools.lru_cache(maxsize=32)
def forecast_pair_sum_law(
    margins: Margins, lost_mass: float = LOST_MASS, *, method: Method | Literal["auto"] = "auto"
) -> LawPlan:
    """Forecast of the cost of `pair_sum_law`, kept without the plan over columns of up to 16 MB."""
    return replace(_choose_plan(margins, lost_mass, method), columns=None)


def _choose_plan(margins: Margins, lost_mass: float, method: Method | Literal["auto"]) -> LawPlan:
    """The faster plan, dynamic programming if that takes less than 0.1 s, or the plan of a method."""
    if method == "auto" and has_closed_form(margins):
        return LawPlan(method="closed-form", work=0.0, seconds=SECONDS_ALWAYS)
    cells = plan_cells(margins, lost_mass)
    by_cells = LawPlan(
        method="enumeration",
        work=cells.work,
        seconds=SECONDS_ALWAYS + SECONDS_PER_STEP * cells.work,
        cells=cells,
    )
    if method == "enumeration":
        return by_cells
    if cells.bins == 1:
        return replace(by_cells, method="dynamic-programming")
    columns = plan_columns(cells.rows, cells.columns)
    work = math.inf if columns is None else columns.work
    seconds = SECONDS_ALWAYS + SECONDS_PER_STEP * work
    by_columns = LawPlan(
        method="dynamic-programming", work=work, seconds=seconds, cells=cells, columns=columns
    )
    if method != "auto":
        return by_columns
    # dynamic programming loses nothing
    slow = columns is None or seconds > max(0.1, by_cells.seconds)
    return by_cells if slow else by_columns


def pair_sum_law(
    margins: Margins, *, lost_mass: float = LOST_MASS, budget: float = 5.0,
    method: Method | Literal["auto"] = "auto",
) -> PairSumLaw:  # fmt: skip
    """Whole law of ``T = sum(n_ij**2)`` with these margins, or TooCostlyError beyond the budget."""
    plan = _choose_plan(margins, lost_mass, method)
    if not plan.seconds <= budget and plan.method != "closed-form":
        raise over_budget(f"a forecast of {plan.seconds:.3g} s by {plan.method}")
    lost, cells, closed = LEAST_LOST_MASS, plan.cells, None
    if cells is None:
        closed = closed_pair_sums(margins)
    elif cells.bins == 1:
        low, law, lost = cells.low, np.ones(1), 0.0
    elif plan.columns is not None:
        # what dynamic programming lacks to 1 is rounding, of each term in its own proportion
        low, (law, _) = 0, deal_columns(plan.columns, most_work=SAFETY * budget / SECONDS_PER_STEP)
    else:
        most = SAFETY * budget / SECONDS_PER_STEP
        low, law = cells.low, enumerate_pairs(cells, lost_mass, most)[0]
        lost = max(0.0, 1.0 - math.fsum(law))
    if closed is None:
        found = np.flatnonzero(law)
        closed = margins.n + 2 * (low + found), law[found]
    values, probabilities = closed
    return PairSumLaw(values=values, probabilities=probabilities, lost_mass=lost, method=plan.method)


def shared_pair_sum_law(margins: Margins, seconds: float = MOST_SECONDS) -> PairSumLaw:
    """Law of T for these margins, kept for all indices, within so many seconds or TooCostlyError."""
    found = _find_law_or_refusal(margins, seconds)
    if isinstance(found, TooCostlyError):
        raise found
    return found


@functools.lru_cache(maxsize=16)
def _find_law_or_refusal(margins: Margins, seconds: float) -> PairSumLaw | TooCostlyError:
    """Law, or that the budget is too small, either of which is kept."""
    try:
        law = pair_sum_law(margins, budget=seconds)
    except TooCostlyError as refusal:
        return refusal
    if law.method == "enumeration":  # its lost mass is not known more closely than the rounding of its sum
        return replace(law, lost_mass=max(law.lost_mass, LOST_MASS))
    return law


def table_law(margins: Margins, limit: int) -> tuple[Integers, Floats]:
    """Every table with these margins, shape (m, K, Q), in the order of their cells; and its probability."""
    shape = margins.row_totals.size, margins.column_totals.size
    if margins.n == 0:
        return np.zeros((1, *shape), dtype=np.int64), np.ones(1)
    most = min(limit, MOST_CELLS_LISTED // math.prod(shape))
    kept = tuple(np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals))
    rows, columns = margins.row_totals[kept[0]], margins.column_totals[kept[1]]
    logs, places = log_factorials(margins.n), (rows.size - 1) * (columns.size - 1) + 1
    workspace = np.empty_like(columns), np.empty((3, places), dtype=np.int64), np.empty(places)
    # The real tables with these margins are a polytope of dimension (K - 1) (Q - 1), and its vertices, of
    # which there are more than dimensions, are whole numbers.
    m = most + 1
    if places <= most:
        nothing = np.empty((0, 1, 1), dtype=np.int64), np.empty(0)
        m = list_tables(rows, columns, logs, most, *workspace, *nothing)
    if m > most:
        rule, instead = f"at most {limit} tables", "Raise `limit` or sample."
        if most < limit:
            cells = f"{shape[0]} x {shape[1]} cells, {MOST_CELLS_LISTED} in all"
            rule, instead = f"at most {most} tables of {cells}", "Sample."
        raise TooCostlyError("margins", f"must have {rule}; got {most + 1} or more. {instead}")
    tables, probabilities = np.empty((m, rows.size, columns.size), dtype=np.int64), np.empty(m)
    list_tables(rows, columns, logs, limit, *workspace, tables, probabilities)
    if tables.shape[1:] == shape:
        return tables, probabilities
    out = np.zeros((m, *shape), dtype=np.int64)
    out[:, kept[0][:, None], kept[1]] = tables
    return out, probabilities
