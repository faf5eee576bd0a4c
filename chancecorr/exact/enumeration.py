"""The whole null distribution of ``T = sum n_ij**2``, or of the tables, under fixed margins.

Closed forms are used where they exist. Otherwise the method with the shorter forecast is used; it counts its
steps and stops beyond the budget. *Dynamic programming* deals column after column. A state is the remaining
row totals; each state has the law of the pairs dealt so far: Mehta & Patel (1983),
doi:10.1080/01621459.1983.10477989. *Enumeration* visits table after table in a depth-first walk that leaves
out improbable tables. Its forecast counts tables within a radius given by the chi-square law; Good (1976),
doi:10.1214/aos/1176343649, counts all tables. See "Enumerating the distribution of T" in
docs/explanation/derivations.md.
"""

import math
import weakref
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from chancecorr.exact.closed_laws import (
    LEAST_LOST_MASS,
    LOST_MASS,
    LawMethod,
    PairSumLaw,
    has_closed_form,
    list_closed_pair_sums,
)
from chancecorr.exact.index_of_pair_sum import bound_pairs, pack_squares, spread_pairs
from chancecorr.exact.kernels import dynamic_programming as dealing
from chancecorr.exact.kernels import enumeration as walks
from chancecorr.exact.kernels.hypergeometric import log_binomial, log_factorials
from chancecorr.exact.tail_bounds import log_compositions
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_STEP, TooCostlyError
from chancecorr.machine.kept import keep_recent
from chancecorr.machine.kernel import call_taking, run_in_background
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import compute_pair_sum_moments

# Seconds on one thread, after compiling. They are constants, not measured at run time, because they choose
# the method.
SECONDS_ALWAYS = 2e-4
NANOSECONDS_OF_A_TABLE_AS_PYTHON = 500.0  # time of a walk per table; short walks run in plain Python
# a walk with a shorter forecast may run in plain Python (a second); beyond this work it is repeated in
# machine code
FEW_TABLES_WALKED = 2_000_000
NANOSECONDS_OF_A_STEP_IN_ARRAYS = 6.0  # time of an addition by NumPy
MAX_BUDGETS_SPENT = 2.0  # work is stopped after this multiple of the budget, by the constants above
MOST_CELLS_LISTED = 125_000_000  # cells of all tables that may be listed: 1 GB
MOST_SECONDS = 60.0  # longest forecast of a law that is enumerated without a budget
# objects of a row whose possible cells are counted, to see that there are too many tables to list
MOST_OBJECTS_COUNTED = 100_000
FEW_TABLES = 1_000  # tables are first counted up to this number, perhaps in plain Python
MAX_COUNT_TABLE = 2_000_000  # entries of the table that numbers the states (16 MB, 5 ms)
# numbers in the laws of all states after a column; two such arrays are held (320 MB each)
MAX_LAYER = 40_000_000
STEPS_PER_COLUMN, STEPS_PER_ROW, FREE_ROWS = 110, 25, 8
"""Time of one column of one state, without its additions, in units of one addition; further time of each row
beyond `FREE_ROWS`."""

# above this forecast, a column or a walk runs in a thread, so that Ctrl-C interrupts it
WORK_IN_BACKGROUND = 1e7
# the floor is set to lose this share of the lost mass; skewed margins lose more, far from the mean
SHARE_OF_LOST_MASS = 1e-6
MAX_VALUES_AT_FIRST = 1 << 17  # this number of values is always laid out in full
REACH_IN_STDS = 20.0  # more values are first laid out up to this number of standard deviations above the mean
# by the forecast (80 MB); four times this number if the forecast is too low
MOST_VALUES_LAID_OUT = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnPlan:
    """A plan of the dynamic programming over columns."""

    totals: Integers  # row totals, descending
    columns: Integers  # column totals in the order in which columns are dealt: ascending
    # numbers of states; they give a state's number (see the module of the kernels)
    counts: Floats
    # bounds of the pairs in the first j columns, j = 0, ..., Q
    lows: Integers
    highs: Integers
    states: Integers  # number of states after j columns
    work: float  # forecast of the time in additions


class CellPlan(NamedTuple):
    """A plan of the enumeration of tables."""

    rows: Integers  # row totals above 0, in the order of the walk
    columns: Integers
    low: int  # smallest number of pairs that is laid out
    bins: int  # how many numbers of pairs are laid out
    floor: float  # tables whose probability is at most this are left out
    work: float  # forecast of the time in tables; inf if the enumeration is impossible


class LawPlan(NamedTuple):
    """The cheapest method for the law of T, and its forecast cost."""

    method: LawMethod  # the cheapest method
    seconds: float  # forecast on one thread, by constants measured once; inf if the law cannot be computed
    cells: CellPlan | None = None  # for an enumeration
    columns: ColumnPlan | None = None  # for dynamic programming if that is the method


@keep_recent
def forecast_pair_sum_law(margins: Margins) -> LawPlan:
    """Forecast the cost of `compute_pair_sum_law`; cached without the plan over columns of up to 16 MB."""
    return _choose_plan(margins, LOST_MASS, "auto")._replace(columns=None)


def _choose_plan(margins: Margins, lost_mass: float, method: LawMethod | Literal["auto"]) -> LawPlan:
    """Return the plan of a method; for "auto" dynamic programming below 0.1 s, else the faster plan."""
    if method == "auto" and has_closed_form(margins):
        return LawPlan("closed-form", SECONDS_ALWAYS)
    cells = plan_cells(margins, lost_mass)
    seconds = SECONDS_ALWAYS + 1e-9 * NANOSECONDS_PER_STEP * cells.work
    by_cells = LawPlan("enumeration", seconds, cells)
    if method == "enumeration":
        return by_cells
    if cells.bins == 1:
        return by_cells._replace(method="dynamic-programming")
    sides = (cells.rows, cells.columns), (cells.columns, cells.rows)
    plans = (plan for plan in (plan_rows(*side) for side in sides) if plan is not None)
    columns = min(plans, key=lambda plan: plan.work, default=None)
    steps = math.inf if columns is None else columns.work
    seconds = SECONDS_ALWAYS + 1e-9 * NANOSECONDS_PER_STEP * steps
    if method == "auto" and (columns is None or seconds > max(0.1, by_cells.seconds)):
        return by_cells
    return LawPlan("dynamic-programming", seconds, cells, columns)  # this method loses no mass


def compute_pair_sum_law(
    margins: Margins, *, lost_mass: float = LOST_MASS, budget: float = 5.0,
    method: LawMethod | Literal["auto"] = "auto",
) -> PairSumLaw:  # fmt: skip
    """Compute the whole law of ``T = sum(n_ij**2)``; raise TooCostlyError beyond the budget."""
    plan = _choose_plan(margins, lost_mass, method)
    if not plan.seconds <= budget and plan.method != "closed-form":
        raise describe_excess(f"a forecast of {plan.seconds:.3g} s by {plan.method}")
    most = MAX_BUDGETS_SPENT * budget * 1e9 / NANOSECONDS_PER_STEP
    lost, cells, closed = LEAST_LOST_MASS, plan.cells, None
    if cells is None:
        closed = list_closed_pair_sums(margins)
    elif cells.bins == 1:
        low, law, lost = cells.low, np.ones(1), 0.0
    elif plan.columns is not None:
        # the sum differs from 1 only by rounding, in proportion to each term
        low, law = 0, deal_all_columns(plan.columns, most)
    else:
        low, law = cells.low, enumerate_pairs(cells, lost_mass, most)
        lost = max(0.0, 1.0 - math.fsum(law))
    if closed is None:
        places = np.flatnonzero(law)
        closed = margins.n + 2 * (low + places), law[places]
    values, probabilities = closed
    return PairSumLaw(values=values, probabilities=probabilities, lost_mass=lost, method=plan.method)


def get_pair_sum_law(margins: Margins, seconds: float = MOST_SECONDS) -> PairSumLaw:
    """Return the law of T, cached for all indices; raise TooCostlyError if it takes more than `seconds`."""
    law = _laws_in_use.get((margins, seconds)) or _find_law_or_refusal(margins, seconds)
    # a copy of the error, which does not hold the frames of earlier calls
    if isinstance(law, TooCostlyError):
        raise TooCostlyError(law.argument, law.text)
    _laws_in_use[margins, seconds] = law
    return law


_laws_in_use: weakref.WeakValueDictionary[tuple[Margins, float], PairSumLaw]
_laws_in_use = weakref.WeakValueDictionary()  # also laws that are too large for the cache


@keep_recent
def _find_law_or_refusal(margins: Margins, seconds: float) -> PairSumLaw | TooCostlyError:
    """Return the law, or the error that the budget is too small; both are cached."""
    try:
        law = compute_pair_sum_law(margins, budget=seconds)
    except TooCostlyError as refusal:
        return refusal.with_traceback(None)
    if law.method == "enumeration":  # its lost mass is known only to the rounding of its sum
        return replace(law, lost_mass=max(law.lost_mass, LOST_MASS))
    return law


def list_table_law(margins: Margins, limit: int) -> tuple[Integers, Floats]:
    """List all tables with these margins, shape (m, K, Q), ordered by cells, with their probabilities."""
    shape = margins.row_totals.size, margins.column_totals.size
    if margins.n == 0:
        return np.zeros((1, *shape), dtype=np.int64), np.ones(1)
    most = min(limit, MOST_CELLS_LISTED // math.prod(shape))
    kept = tuple(np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals))
    rows, columns = margins.row_totals[kept[0]], margins.column_totals[kept[1]]
    # The real tables with these margins are a polytope of dimension (K - 1) (Q - 1). Its vertices are integer
    # tables, and their number is above the dimension.
    m, places = most + 1, (rows.size - 1) * (columns.size - 1) + 1
    sides = (rows, columns), (columns, rows)
    if places <= most and not any(
        are_more_rows(int(np.minimum(side, margins.n - side).max()), others, most) for side, others in sides
    ):
        logs = log_factorials(margins.n)
        workspace = np.empty_like(columns), np.empty((3, places), dtype=np.int64), np.empty(places)
        nothing = np.empty((0, 1, 1), dtype=np.int64), np.empty(0)
        m = walks.list_tables(rows, columns, logs, min(most, FEW_TABLES), *workspace, *nothing)
        if FEW_TABLES < m <= most:  # for this many tables, machine code counts
            m = walks.list_tables(rows, columns, logs, most, *workspace, *nothing)
    if m > most:
        rule = f"must have at most {most:,} tables of {shape[0]} x {shape[1]} cells to be listed"
        raise TooCostlyError("margins", f"{rule}; they have more. Use method='auto' or 'monte-carlo'.")
    tables, probabilities = np.empty((m, rows.size, columns.size), dtype=np.int64), np.empty(m)
    walks.list_tables(rows, columns, logs, m, *workspace, tables, probabilities)
    if tables.shape[1:] == shape:
        return tables, probabilities
    out = np.zeros((m, *shape), dtype=np.int64)
    out[:, kept[0][:, None], kept[1]] = tables
    return out, probabilities


def are_more_rows(total: int, columns: Integers, most: int) -> bool:
    """Return True if more than `most` rows have this total, each row being a row of some table."""
    # the objects outside the row can be chosen in equally many ways
    total = min(total, int(columns.sum()) - total)
    if total > MOST_OBJECTS_COUNTED:
        return False
    ways = np.zeros(total + 1, dtype=np.int64)
    ways[0] = 1
    for column in columns.tolist():  # put 0, 1, ..., `column` objects into one more cell
        sums = np.cumsum(ways)
        ways = sums.copy()
        ways[column + 1 :] -= sums[: max(total - column, 0)]
        np.minimum(ways, most + 1, out=ways)
        if ways[total] > most:
            return True
    return False


def plan_rows(row_totals: Integers, column_totals: Integers) -> ColumnPlan | None:
    """Plan with the row totals above 0 as states; None if there are too many states to number."""
    totals, columns = np.sort(row_totals)[::-1].copy(), np.sort(column_totals)
    n = int(totals.sum())
    shape = (totals.size + 1, int(totals[0]) + 2, n + 1)
    if math.prod(shape) > MAX_COUNT_TABLE:
        return None
    counts = np.zeros(shape)  # in NumPy, because a kernel would be compiled even if no column is dealt
    counts[-1, :, 0] = 1.0  # zero rows have one state, with sum 0
    for i in range(totals.size - 1, -1, -1):
        total, rest = int(totals[i]), int(totals[i:].sum())
        # with remainder r of row i: counts[i + 1, r + 1], shifted to the right by r entries. The entries
        # shifted in from the row before are 0, because fewer objects are left there.
        shifted = as_strided(counts[i + 1, 1:], (total + 1, rest + 1), (counts.strides[1] - 8, 8))
        np.cumsum(shifted, axis=0, out=counts[i, 1 : total + 2, : rest + 1])
        counts[i, total + 2 :] = counts[i, total + 1]
    most = (np.array(pack_squares(columns.tolist(), totals.tolist())) - columns) // 2
    lows, highs = (
        np.concatenate(([0], np.cumsum(part))) for part in (spread_pairs(columns, totals.size), most)
    )
    left = n - np.concatenate(([0], np.cumsum(columns)))
    states = counts[0, -1, left]
    if float((states * (highs - lows + 1))[:-1].max()) > MAX_LAYER:
        return None
    # On average a state occurs with half of the possible numbers of pairs: measured, from the third column
    # on. Before the second column a state nearly always has one number of pairs.
    spans = 0.5 * (highs - lows)[:-1]
    spans[:2] = 1.0
    spans += count_steps_per_column(totals.size)
    # number of states before each column times the number of columns that a state allows
    transitions = np.empty(columns.size)
    ways = np.empty(int(columns.max()) + 1)
    dealing.count_transitions(columns, counts, np.empty_like(totals), ways, transitions)
    return ColumnPlan(
        totals=totals, columns=columns, counts=counts, lows=lows, highs=highs,
        states=states.astype(np.int64), work=float((transitions * spans).sum()),
    )  # fmt: skip


def deal_all_columns(plan: ColumnPlan, most_work: float) -> Floats:
    """Return the probabilities of 0, 1, ... pairs; raise above `most_work` in units of the forecast."""
    totals, K = plan.totals, plan.totals.size
    workspace = np.empty((10, K), dtype=np.int64)
    weights = np.empty(K)
    left = int(totals.sum())
    law = np.ones((1, 1))  # law[r, t]: probability of state r with lows[j] + t pairs
    spans = np.array([[0, 1]], dtype=np.int64)  # range of nonzero entries of each row of `law`
    work, steps = 0, count_steps_per_column(K)
    seconds_in_arrays = 1e-9 * NANOSECONDS_OF_A_STEP_IN_ARRAYS * plan.work / plan.columns.size
    for j, column in enumerate(plan.columns[:-1].tolist()):
        p = column / left
        binomials = np.zeros((int(totals[0]) + 1, min(column, int(totals[0])) + 1))
        dealing.fill_binomials(p, (left - column) / left, binomials)
        scale = math.exp(-log_binomial(column, left, p, (left - column) / left))
        states = int(plan.states[j + 1])
        low = int(plan.lows[j + 1])
        following = np.zeros((states, int(plan.highs[j + 1]) - low + 1))
        following_spans = np.zeros((states, 2), dtype=np.int64)
        offset = int(plan.lows[j]) - low
        limit = np.array([int(min(most_work - work, 1e18))])
        of_column = dealing.DealtColumn(plan.counts, left, column, binomials, scale, offset, steps)
        laws = law, spans, following, following_spans
        deal = partial(
            call_taking(dealing.deal_column, seconds_in_arrays), of_column, workspace, weights, limit, *laws
        )
        work += run_in_background(deal, limit) if plan.work > WORK_IN_BACKGROUND else deal()
        if work > most_work:
            raise describe_excess("more columns than were forecast")
        law, spans, left = following, following_spans, left - column
    lowest = int(plan.lows[-2])
    out = np.zeros(int(plan.highs[-1]) + 1)
    dealing.deal_rest(plan.counts, left, law, spans, lowest, workspace[0], out)
    return out


def count_steps_per_column(rows: int) -> int:
    """Return the time of one column of one state with `rows` rows, without its additions, in additions."""
    return STEPS_PER_COLUMN + STEPS_PER_ROW * max(0, rows - FREE_ROWS)


def describe_excess(excess: str) -> TooCostlyError:
    """Return the error that the law of T exceeds the budget, with what is possible instead."""
    return TooCostlyError(
        "margins",
        f"must have a law of T within the budget; got {excess}. Use method='analytic' or 'monte-carlo'.",
    )


def order_of_cells(rows: Integers, columns: Integers) -> Integers:
    """Order the cells along the first row, and down the first column, within groups of equal totals.

    A walk visits only tables in which the cells of a group do not increase; each stands for the tables with
    the cells in other orders. Shape (5, d): row and column of each free cell, its position in its group (from
    1), the number of later cells in the group, and the total of the rows or columns after the group. A table
    of two rows has no groups.
    """
    shape = rows.size - 1, columns.size - 1
    place, following = np.ones(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    after = np.zeros(shape, dtype=np.int64)
    if rows.size > 2:
        for line, totals in ((np.s_[0, :], columns), (np.s_[1:, 0], rows[1:])):
            starts = np.flatnonzero(np.diff(totals, prepend=0))
            sizes = np.diff(starts, append=totals.size)
            places = np.arange(totals.size) - np.repeat(starts, sizes) + 1
            afters = totals.sum() - np.repeat(np.cumsum(totals)[starts + sizes - 1], sizes)
            # the last cell is fixed by the others
            place[line], after[line] = places[:-1], afters[:-1]
            following[line] = (np.repeat(sizes, sizes) - places)[:-1]
    return np.stack([*np.indices(shape), place, following, after]).reshape(5, -1)


def log_share_in_order(rows: Integers, columns: Integers, density: float) -> float:
    """Return the log of the share of ordered tables: ``C(m + g - 1, g)`` of ``m**g`` per group of g cells."""
    n = int(rows.sum())
    log_share = 0.0
    for totals, total in ((columns, int(rows[0])), (rows[1:], int(columns[0]))) if rows.size > 2 else ():
        sizes, counts = np.unique(totals, return_counts=True)
        for size, g in zip(sizes[counts > 1].tolist(), counts[counts > 1].tolist(), strict=True):
            m = max(1.0, math.sqrt(2 * total * (n - total) * size / (n * (n - 1))) / density)
            log_share += math.lgamma(m + g) - math.lgamma(m) - math.lgamma(g + 1) - g * math.log(m)
    return log_share


def plan_cells(margins: Margins, lost_mass: float) -> CellPlan:
    """Plan the enumeration of tables cell by cell, with the order of rows that takes less work."""
    rows, columns = (np.sort(x[x > 0]) for x in (margins.row_totals, margins.column_totals))
    # so that the transposed table has the same plan
    if (columns.size, columns.tolist()) < (rows.size, rows.tolist()):
        rows, columns = columns, rows
    low, high = bound_pairs(rows, columns)
    if low == high:  # T is constant
        return CellPlan(rows, columns, low, 1, 0.0, 1.0)
    bins = high - low + 1
    # with rare cells, T has a long tail
    if bins > MAX_VALUES_AT_FIRST and rows[0] * (columns[0] / margins.n) >= 20:
        moments = compute_pair_sum_moments(margins)
        reach = (float(moments.mean) - margins.n) / 2 - low + REACH_IN_STDS * moments.std
        bins = min(bins, max(MAX_VALUES_AT_FIRST, int(reach)))
    plans = []
    values, counts = np.unique(rows, return_counts=True)
    # the first row belongs to no group of rows; its total is the rarest
    by_count = np.lexsort((values, counts))
    regrouped = np.repeat(values[by_count], counts[by_count])
    for order in (rows,) if np.array_equal(rows, regrouped) else (rows, regrouped):
        log_floor, log_work = _forecast_floor_and_work(order, columns, lost_mass)
        fits = log_work < 600 and max(bins, order[-2]) <= MOST_VALUES_LAID_OUT
        work = math.exp(log_work) + bins if fits else math.inf
        plans.append(CellPlan(order, columns, low, bins, math.exp(log_floor), work))
    return min(plans, key=lambda plan: plan.work)


def _forecast_floor_and_work(rows: Integers, columns: Integers, lost_mass: float) -> tuple[float, float]:
    """Forecast the logs of the floor and of the work, as described at the head of this module."""
    from scipy.special import chdtri  # this import takes a quarter of a second

    K, Q = rows.size, columns.size
    n, d = int(rows.sum()), (K - 1) * (Q - 1)
    log_p = _find_log_likeliest(rows, columns)
    log_floor = log_p - 0.5 * float(chdtri(d, lost_mass * SHARE_OF_LOST_MASS)) if lost_mass else -math.inf
    # given the others, the last free cell has the variance 1 / sum(1 / corner), where `corner` holds the
    # expected counts of it and of the cells that it fixes
    corner = rows[-2:, None] * (columns[-2:] / n)
    log_p_walks = min(0.0, log_p + 0.5 * math.log(2 * math.pi / float((1 / corner).sum())))
    log_all = _count_log_tables(rows, columns)
    log_tables = min(_count_log_points(d, log_p, log_floor), log_all)
    # a walk visits about 1 + row / 4 tables
    log_walks = min(
        _count_log_points(d - 1, log_p_walks, log_floor), log_tables, log_all - math.log1p(rows[-2] / 4)
    )
    merged = np.append(rows[:-2], rows[-2:].sum())
    log_outer = min(
        _count_log_points(d - Q + 1, _find_log_likeliest(merged, columns), log_floor),
        _count_log_tables(merged, columns),
    )
    # R and the mean height of a ball's projection on a diameter, which is the density of a cell at its middle
    log_radius = 0.5 * math.log(2) + (log_tables + math.lgamma(0.5 * d + 1.0) + log_p) / d
    log_height = math.lgamma(0.5 * d + 1.0) - math.lgamma(0.5 * d + 0.5) - 0.5 * math.log(math.pi)
    log_share = log_share_in_order(rows, columns, math.exp(log_height - log_radius))
    # the order within the last two rows leaves out tables, but no tabulation
    log_outer += math.log(2) if K > 2 and rows[-1] == rows[-2] else 0.0
    parts = (
        log_tables,
        log_walks + math.log(walks.TABLES_PER_WALK + walks.TABLES_PER_STEP),
        min(log_outer, log_walks) + math.log(walks.TABLES_PER_TABULATION),
    )
    return log_floor, float(np.logaddexp.reduce(parts)) + log_share


def _find_log_likeliest(rows: Integers, columns: Integers) -> float:
    """Return the log probability of the likeliest table, by the covariance matrix of the free cells."""
    n, K, Q = int(rows.sum()), rows.size, columns.size
    d = (K - 1) * (Q - 1)
    log_det = (Q - 1) * np.log(rows / n).sum() + (K - 1) * np.log(columns / n).sum()
    log_det += d * (math.log(n) - math.log(1 - 1 / n))
    return min(0.0, -0.5 * (d * math.log(2 * math.pi) + float(log_det)))


def _count_log_tables(rows: Integers, columns: Integers) -> float:
    """Return the log of the number of tables, by Good's estimate."""
    K, Q = rows.size, columns.size
    sides = (rows, Q), (columns, K)
    total = sum(sum(log_compositions(x, parts) for x in totals.tolist()) for totals, parts in sides)
    return total - log_compositions(int(rows.sum()), K * Q)


def _count_log_points(d: int, log_p: float, log_floor: float) -> float:
    """Return the log number of lattice points where a normal density in d dimensions is above the floor."""
    if d == 0:
        return 0.0
    return max(0.0, 0.5 * d * math.log(log_p - log_floor) - math.lgamma(0.5 * d + 1.0) - log_p)


def enumerate_pairs(plan: CellPlan, lost_mass: float, most_work: float) -> Floats:
    """Return the probabilities of the numbers of pairs from `low` on; raise beyond `most_work` tables."""
    bins, floor, spent = plan.bins, plan.floor, 0
    most = min(most_work, FEW_TABLES_WALKED if plan.work < FEW_TABLES_WALKED else 1e18)
    table, d = log_factorials(int(plan.rows.sum())), (plan.rows.size - 1) * (plan.columns.size - 1)
    order = order_of_cells(plan.rows, plan.columns)
    # an attempt that meets more pairs than are laid out, or loses too much mass, is repeated
    for attempt in range(8):
        law, limit = np.zeros(bins), np.array([int(most) - spent])
        room = walks.WalkRoom(
            remaining=np.empty_like(plan.columns),
            whole=np.empty((6, d), dtype=np.int64),
            real=np.empty((4, d)),
            spans=np.empty((3, 2), dtype=np.int64),
            weights=np.empty((3, int(plan.rows[-2]) + 3)),
            recent=np.zeros(bins),
        )
        of_plan = walks.TableWalk(plan.rows, plan.columns, order, table, floor, plan.low)
        add = call_taking(walks.add_pair_counts, 1e-9 * NANOSECONDS_OF_A_TABLE_AS_PYTHON * plan.work)
        walk = partial(add, of_plan, room, limit, law)
        work, largest = run_in_background(walk, limit) if plan.work > WORK_IN_BACKGROUND else walk()
        spent += work
        if most < spent <= most_work:  # more tables than forecast: repeat in machine code
            return enumerate_pairs(plan._replace(work=math.inf), lost_mass, most_work)
        if spent > most_work:
            raise describe_excess("more tables than were forecast")
        if largest >= 4 * MOST_VALUES_LAID_OUT:
            raise describe_excess(f"{largest:.3g} values of T")
        if largest >= bins:
            bins = largest + 1
        elif attempt == 7 or 1.0 - float(law.sum()) <= max(lost_mass, 1e-12):
            break
        else:
            floor *= 1e-6
    return law
