"""The law of ``T = sum n_ij**2`` by a depth-first walk over free cells that leaves out improbable tables.

For large counts a table has the probability ``p exp(-q/2)``, with p that of the likeliest table and q a
quadratic form in the d free cells, which follows the chi-square law. The lost mass thus gives the radius R
of the ellipsoid of tables that are kept, and its volume ``R**d / (2**(d/2) Gamma(d/2 + 1) p)`` is their
number, or that of all tables by the estimate of Good (1976, doi:10.1214/aos/1176343649) if this is less. A
walk over the last free cell is a table of the ``d - 1`` others; a tabulation is a table in which the last two
rows are one.
"""

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from chancecorr.exact.bounds import pair_bounds
from chancecorr.exact.laws.dynamic_programming import over_budget
from chancecorr.exact.laws.kernels.enumeration import (
    TABLES_PER_STEP,
    TABLES_PER_TABULATION,
    TABLES_PER_WALK,
    add_pair_counts,
)
from chancecorr.exact.laws.symmetry import equal_ones_last, log_share_in_order, order_of_cells
from chancecorr.exact.laws.type_bounds import log_compositions
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.long_calls import in_background
from chancecorr.null.kernels.hypergeometric import log_factorials
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import pair_sum_moments

SHARE_OF_LOST_MASS = 1e-6
"""Share of the allowed lost mass for which the floor is set. Skewed margins lose more than the chi-square law
says, and what is lost lies up to 30 standard deviations out, where it weighs in the central moments."""

WORK_IN_BACKGROUND = 1e7
"""Forecast work from which Ctrl-C is looked for while a part is enumerated."""

WIDE_VALUES = 1 << 17
"""Numbers of pairs that are always laid out in full."""

REACH_IN_STDS = 20.0
"""Where there are more, those up to so many standard deviations above the mean are laid out at first."""

MOST_VALUES_LAID_OUT = 10_000_000
"""Numbers of pairs that may be laid out by the forecast (80 MB); four times as many if it proves too low. The
tabulated weights are no more than this, either."""


class CellPlan(NamedTuple):
    """How the enumeration would run."""

    rows: Integers  # totals above 0, in the order in which they are walked over
    columns: Integers
    low: int  # the first number of pairs that is laid out
    bins: int  # how many are
    floor: float  # tables with a probability up to this are left out
    work: float  # forecast of the time, in units of one table; inf when it cannot be done at all


def plan_cells(margins: Margins, lost_mass: float) -> CellPlan:
    """Plan with the rows in the order that takes less work: ascending, or equal ones last."""
    rows, columns = (np.sort(x[x > 0]) for x in (margins.row_totals, margins.column_totals))
    if (columns.size, columns.tolist()) < (rows.size, rows.tolist()):  # so that transposition changes nothing
        rows, columns = columns, rows
    low, high = pair_bounds(rows, columns)
    if low == high:  # T is constant
        return CellPlan(rows, columns, low, 1, 0.0, 1.0)
    bins = high - low + 1
    if (
        bins > WIDE_VALUES and rows[0] * (columns[0] / margins.n) >= 20
    ):  # with rare cells T can lie much further out
        moments = pair_sum_moments(margins)
        bins = min(
            bins,
            max(WIDE_VALUES, int((float(moments.mean) - margins.n) / 2 - low + REACH_IN_STDS * moments.std)),
        )
    plans = []
    regrouped = equal_ones_last(rows)
    for order in (rows,) if np.array_equal(rows, regrouped) else (rows, regrouped):
        log_floor, log_work = _log_floor_and_work(order, columns, lost_mass)
        fits = log_work < 600 and max(bins, order[-2]) <= MOST_VALUES_LAID_OUT
        work = math.exp(log_work) + bins if fits else math.inf
        plans.append(CellPlan(order, columns, low, bins, math.exp(log_floor), work))
    return min(plans, key=lambda plan: plan.work)


def _log_floor_and_work(rows: Integers, columns: Integers, lost_mass: float) -> tuple[float, float]:
    """Floor and work, as at the head of this module."""
    from scipy.special import chdtri  # a quarter of a second, were it imported with the package

    K, Q = rows.size, columns.size
    n, d = int(rows.sum()), (K - 1) * (Q - 1)
    log_p = _log_likeliest(rows, columns)
    log_floor = log_p - 0.5 * float(chdtri(d, lost_mass * SHARE_OF_LOST_MASS)) if lost_mass else -math.inf
    # the law of the last free cell, given the others, has the variance 1 / sum(1 / corner), where `corner`
    # holds the expected counts of it and the cells it fixes
    corner = rows[-2:, None] * (columns[-2:] / n)
    log_p_walks = min(0.0, log_p + 0.5 * math.log(2 * math.pi / float((1 / corner).sum())))
    log_all = _log_tables(rows, columns)
    log_tables = min(_log_volume(d, log_p, log_floor), log_all)
    # of all tables about 1 + row / 4 are on a walk
    log_walks = min(
        _log_volume(d - 1, log_p_walks, log_floor), log_tables, log_all - math.log1p(rows[-2] / 4)
    )
    merged = np.append(rows[:-2], rows[-2:].sum())
    log_outer = min(
        _log_volume(d - Q + 1, _log_likeliest(merged, columns), log_floor), _log_tables(merged, columns)
    )
    # R and the mean height of a ball's projection on a diameter, which is the density of a cell at its middle
    log_radius = 0.5 * math.log(2) + (log_tables + math.lgamma(0.5 * d + 1.0) + log_p) / d
    log_height = math.lgamma(0.5 * d + 1.0) - math.lgamma(0.5 * d + 0.5) - 0.5 * math.log(math.pi)
    log_share = log_share_in_order(rows, columns, math.exp(log_height - log_radius))
    # the order within the last two rows leaves out tables, but no tabulation
    log_outer += math.log(2) if K > 2 and rows[-1] == rows[-2] else 0.0
    parts = (
        log_tables,
        log_walks + math.log(TABLES_PER_WALK + TABLES_PER_STEP),
        min(log_outer, log_walks) + math.log(TABLES_PER_TABULATION),
    )
    return log_floor, float(np.logaddexp.reduce(parts)) + log_share


def _log_likeliest(rows: Integers, columns: Integers) -> float:
    """Log of the probability of the likeliest table, by the covariance matrix of the free cells."""
    n, K, Q = int(rows.sum()), rows.size, columns.size
    d = (K - 1) * (Q - 1)
    log_det = (Q - 1) * np.log(rows / n).sum() + (K - 1) * np.log(columns / n).sum()
    log_det += d * (math.log(n) - math.log(1 - 1 / n))
    return min(0.0, -0.5 * (d * math.log(2 * math.pi) + float(log_det)))


def _log_tables(rows: Integers, columns: Integers) -> float:
    """Log of the number of tables, by Good's estimate."""
    K, Q = rows.size, columns.size
    found = sum(log_compositions(x, Q) for x in rows.tolist()) + sum(
        log_compositions(x, K) for x in columns.tolist()
    )
    return found - log_compositions(int(rows.sum()), K * Q)


def _log_volume(d: int, log_p: float, log_floor: float) -> float:
    """Log of the number of lattice points where a normal law in d dimensions is above the floor."""
    if d == 0:
        return 0.0
    return max(0.0, 0.5 * d * math.log(log_p - log_floor) - math.lgamma(0.5 * d + 1.0) - log_p)


def _workspace(plan: CellPlan, bins: int) -> tuple[Integers, Integers, Floats, Integers, Floats, Floats]:
    """Workspace of `add_pair_counts`."""
    d = (plan.rows.size - 1) * (plan.columns.size - 1)
    return (
        np.empty_like(plan.columns),
        np.empty((6, d), dtype=np.int64),
        np.empty((4, d)),
        np.empty((3, 2), dtype=np.int64),
        np.empty((3, int(plan.rows[-2]) + 3)),
        np.zeros(bins),
    )


def enumerate_pairs(plan: CellPlan, lost_mass: float, most_work: float) -> tuple[Floats, int, int]:
    """Probabilities of the numbers of pairs from `low` on, the work in tables, and the largest place met."""
    bins, floor, spent = plan.bins, plan.floor, 0
    table = log_factorials(int(plan.rows.sum()))
    order = np.array(order_of_cells(plan.rows, plan.columns))
    # an attempt that meets more pairs than are laid out, or loses too much, is made again
    for attempt in range(8):
        law, limit = np.zeros(bins), np.array([int(min(most_work, 1e18)) - spent])
        walk = partial(
            add_pair_counts, plan.rows, plan.columns, order, table, floor, plan.low, limit,
            *_workspace(plan, bins), law,
        )  # fmt: skip
        work, largest = in_background(walk, limit) if plan.work > WORK_IN_BACKGROUND else walk()
        spent += work
        if spent > most_work:
            raise over_budget("more tables than were forecast")
        if largest >= 4 * MOST_VALUES_LAID_OUT:
            raise over_budget(f"{largest:.3g} values of T")
        if largest >= bins:
            bins = largest + 1
        elif attempt == 7 or 1.0 - float(law.sum()) <= max(lost_mass, 1e-12):
            break
        else:
            floor *= 1e-6
    return law, spent, largest
