"""The whole law of ``T = sum n_ij**2``, column after column.

A state is what is left of the row totals, sorted: rows with equal remainders are alike, and so are states
that differ in the order of the rows. With every state goes the law of the pairs ``sum C(n_ij, 2)`` of the
columns dealt so far, ``T = n + 2 pairs``. A column (k_1, ..., k_K) of total b leads from the state r to r - k
with probability ``prod C(r_i, k_i) / C(sum r, b)``; the last column is what is left. Mehta & Patel (1983,
doi:10.1080/01621459.1983.10477989) call it the network algorithm.
"""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.lib.stride_tricks import as_strided

from chancecorr.budget import TooCostlyError
from chancecorr.exact.bounds import packed_squares, spread_pairs
from chancecorr.exact.laws.kernels.dynamic_programming import (
    count_transitions,
    deal_column,
    deal_rest,
    fill_binomials,
)
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.long_calls import in_background
from chancecorr.null.kernels.hypergeometric import log_binomial

LARGEST_COUNT_TABLE = 2_000_000
"""Entries of the table that numbers the states; beyond it no plan is made (16 MB, 5 ms)."""

LARGEST_LAYER = 40_000_000
"""Numbers in the laws of all states of a stage, of which two are held (320 MB each)."""

STEPS_PER_COLUMN, STEPS_PER_ROW, FREE_ROWS = 110, 25, 8
"""Time of one column of one state, without its additions, in additions; of each row beyond `FREE_ROWS`."""

WORK_IN_BACKGROUND = 1e7
"""Forecast work from which Ctrl-C is looked for while a column is dealt."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnPlan:
    """How the law would be found."""

    totals: Integers  # of the rows, descending
    columns: Integers  # totals in the order in which they are dealt, ascending
    counts: Floats  # numbers of states, by which the states are numbered: see the module of the kernels
    # bounds of the pairs in the first j columns, j = 0, ..., Q
    lows: Integers
    highs: Integers
    states: Integers  # number of states after j columns
    work: float  # forecast of the time, in units of one addition


def plan_columns(row_totals: Integers, column_totals: Integers) -> ColumnPlan | None:
    """Cheaper plan, with the rows or the columns as states; None when there are too many states to number."""
    sides = (row_totals, column_totals), (column_totals, row_totals)
    plans = [plan for plan in (plan_rows(*side) for side in sides) if plan is not None]
    return min(plans, key=lambda plan: plan.work, default=None)


def plan_rows(row_totals: Integers, column_totals: Integers) -> ColumnPlan | None:
    """Plan with the rows as states, totals above 0; None when there are too many states to number."""
    totals, columns = _descending(row_totals), _descending(column_totals)[::-1].copy()
    n = int(totals.sum())
    shape = (totals.size + 1, int(totals[0]) + 2, n + 1)
    if math.prod(shape) > LARGEST_COUNT_TABLE:
        return None
    counts = _count_states(totals, shape)
    most = (np.array(packed_squares(columns.tolist(), totals.tolist())) - columns) // 2
    lows, highs = (
        np.concatenate(([0], np.cumsum(part))) for part in (spread_pairs(columns, totals.size), most)
    )
    left = n - np.concatenate(([0], np.cumsum(columns)))
    states = counts[0, -1, left]
    if float((states * (highs - lows + 1))[:-1].max()) > LARGEST_LAYER:
        return None
    # Half of the numbers of pairs of a stage occur with one state: measured, from the third column on. Before
    # the second column a state is nearly always reached by one number of pairs only.
    spans = 0.5 * (highs - lows)[:-1]
    spans[:2] = 1.0
    spans += steps_per_column(totals.size)
    transitions = np.empty(columns.size)  # states before each column times the columns that a state allows
    count_transitions(columns, counts, np.empty_like(totals), np.empty(int(columns.max()) + 1), transitions)
    return ColumnPlan(
        totals=totals,
        columns=columns,
        counts=counts,
        lows=lows,
        highs=highs,
        states=states.astype(np.int64),
        work=float((transitions * spans).sum()),
    )


def _count_states(totals: Integers, shape: tuple[int, int, int]) -> Floats:
    """Table of counts at the head of the module of the kernels, for descending totals."""
    counts = np.zeros(shape)  # by NumPy: a kernel would be compiled even where no column is dealt
    counts[-1, :, 0] = 1.0  # of no rows there is one state, with sum 0
    left = 0
    for i in range(totals.size - 1, -1, -1):
        total = int(totals[i])
        left += total
        # with remainder r of row i: counts[i + 1, r + 1], shifted to the right by r places. What comes in
        # from the row before is 0, because fewer objects are left there.
        shifted = as_strided(counts[i + 1, 1:], (total + 1, left + 1), (counts.strides[1] - 8, 8))
        np.cumsum(shifted, axis=0, out=counts[i, 1 : total + 2, : left + 1])
        counts[i, total + 2 :] = counts[i, total + 1]
    return counts


def deal_columns(plan: ColumnPlan, most_work: float = math.inf) -> tuple[Floats, int]:
    """Probabilities of 0, 1, ... pairs, and the work, in the unit of the forecast; at most `most_work`."""
    totals, K = plan.totals, plan.totals.size
    workspace = np.empty((10, K), dtype=np.int64)
    weights = np.empty(K)
    left = int(totals.sum())
    law = np.ones((1, 1))  # law[r, t]: probability of state r and of lows[j] + t pairs
    spans = np.array([[0, 1]], dtype=np.int64)  # where each row of it is not 0
    work, steps = 0, steps_per_column(K)
    for j, column in enumerate(plan.columns[:-1].tolist()):
        p = column / left
        binomials = np.zeros((int(totals[0]) + 1, min(column, int(totals[0])) + 1))
        fill_binomials(p, (left - column) / left, binomials)
        scale = math.exp(-log_binomial(column, left, p, (left - column) / left))
        states = int(plan.states[j + 1])
        low = int(plan.lows[j + 1])
        following = np.zeros((states, int(plan.highs[j + 1]) - low + 1))
        following_spans = np.zeros((states, 2), dtype=np.int64)
        offset = int(plan.lows[j]) - low
        limit = np.array([int(min(most_work - work, 1e18))])
        deal = partial(
            deal_column, plan.counts, left, column, binomials, scale, offset, steps, limit, law, spans,
            workspace, weights, following, following_spans,
        )  # fmt: skip
        work += in_background(deal, limit) if plan.work > WORK_IN_BACKGROUND else deal()
        if work > most_work:
            raise over_budget("more columns than were forecast")
        law, spans, left = following, following_spans, left - column
    lowest = int(plan.lows[-2])
    out = np.zeros(int(plan.highs[-1]) + 1)
    deal_rest(plan.counts, left, law, spans, lowest, workspace[0], out)
    return out, work


def steps_per_column(rows: int) -> int:
    """Time of one column of one state of so many rows, without its additions, in additions."""
    return STEPS_PER_COLUMN + STEPS_PER_ROW * max(0, rows - FREE_ROWS)


def over_budget(found: str) -> TooCostlyError:
    """Refusal, with what is possible instead."""
    return TooCostlyError(
        "margins",
        f"must have a law of T within the budget; got {found}. Use method='analytic' or 'monte-carlo'.",
    )


def _descending(totals: Integers) -> Integers:
    """Totals above 0, the largest first."""
    return np.sort(totals[totals > 0])[::-1].copy()
