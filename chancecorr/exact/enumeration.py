"""The whole law of ``T = sum n_ij**2`` under fixed margins, and of the tables themselves.

Two methods, chosen by a forecast of their time: dynamic programming over columns (n to about 100, or many
equal totals), and a depth-first enumeration of the free cells that leaves out improbable tables (few free
cells, n to a few thousand).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import as_count, one_of
from chancecorr.contingency import ContingencyTable, Margins, as_margins
from chancecorr.exact.dynamic_programming import ColumnPlan, deal_columns, pair_bounds, plan_columns
from chancecorr.exact.kernels.enumeration import add_pair_counts, list_tables, split_log_factorials
from chancecorr.exact.pair_sum import pair_sum_moments

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Method: TypeAlias = Literal["dynamic-programming", "enumeration"]
Part: TypeAlias = tuple[Floats, int, int, int]
Map: TypeAlias = Callable[[Callable[[int], Part], Iterable[int]], Iterable[Part]]

# Seconds on one thread, warm. Constants, and not measured at run time, since they choose the method.
SECONDS_PER_ADDITION = 1e-9
SECONDS_PER_TABLE = 1.8e-9
TABLES_PER_WALK = 22
SECONDS_ALWAYS = 2e-4
SECONDS_FOR_THE_WHOLE = 0.1
"""Dynamic programming, which loses nothing, is preferred to a faster enumeration up to here."""
SAFETY = 1e-6
"""Part of the allowed lost mass that the floor is set for: skewed margins lose more than the chi-square law
says, and what is lost lies up to 30 standard deviations out, where it weighs in the central moments."""
PARTS = 32
WORK_IN_PARTS = 1e7
"""Pieces by the value of the first cell, for threads, and the work from which there is more than one."""
WIDE = 1 << 17
REACH = 20.0
"""Values of T above which only those to so many standard deviations above the mean are laid out at first."""
WIDEST = 10_000_000
"""Values of T that may be laid out by the forecast (80 MB); four times as many if it proves too low."""


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
        1 minus their sum, at least 0; no probability of a set of values is wrong by more than this, rounding
        (1e-13) aside.
    method : {"dynamic-programming", "enumeration"}
        The first loses nothing.
    """

    values: Integers
    probabilities: Floats
    lost_mass: float
    method: Method

    def __repr__(self) -> str:
        """How many values, and what was lost."""
        lost = f"lost_mass={self.lost_mass:.2g}"
        return f"<PairSumLaw of {self.values.size} values, {lost}, method={self.method!r}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class LawForecast:
    """What the law would cost.

    Attributes
    ----------
    method : {"dynamic-programming", "enumeration"}
        The one to take.
    work : float
        Elementary steps: additions, or tables; inf when it cannot be done at all.
    seconds : float
        On one thread, by constants measured once.
    lost_mass : float
        Bound of the probability left out; 0 for dynamic programming.
    """

    method: Method
    work: float
    seconds: float
    lost_mass: float


class _CellPlan(NamedTuple):
    """How the enumeration would run: totals ascending, least pairs and their number, least probability."""

    rows: Integers
    columns: Integers
    low: int
    bins: int
    floor: float
    work: float


def forecast_pair_sum_law(
    margins: Margins | ContingencyTable,
    lost_mass: float = 1e-12,
    *,
    method: Method | Literal["auto"] = "auto",
) -> LawForecast:
    """What `pair_sum_law` would cost; takes a millisecond or so, also for margins far beyond it.

    Parameters
    ----------
    margins : Margins or ContingencyTable
        Row totals of shape (K,) and column totals of shape (Q,), equal sums.
    lost_mass : float, default 1e-12
        Probability that may be left out, in [0, 1).
    method : {"auto", "dynamic-programming", "enumeration"}
        ``"auto"`` takes the faster one, and dynamic programming where that takes less than 0.1 s.

    Returns
    -------
    LawForecast
        The method and its cost.

    Examples
    --------
    >>> forecast_pair_sum_law(Margins([240, 240, 320], [240, 240, 320])).method
    'enumeration'
    >>> forecast_pair_sum_law(Margins([10] * 6, [10] * 6)).method
    'dynamic-programming'
    """
    return _plan(as_margins(margins), lost_mass, method)[0]


def pair_sum_law(
    margins: Margins | ContingencyTable,
    *,
    lost_mass: float = 1e-12,
    budget: float = 5.0,
    method: Method | Literal["auto"] = "auto",
    run: Map = map,
) -> PairSumLaw:
    """Whole law of ``T = sum(n_ij**2)`` over the tables with these margins.

    Parameters
    ----------
    margins : Margins or ContingencyTable
        Row totals of shape (K,) and column totals of shape (Q,), equal sums.
    lost_mass : float, default 1e-12
        Probability that may be left out, in [0, 1); 0 leaves out nothing.
    budget : float, default 5.0
        Seconds that the forecast may reach.
    method : {"auto", "dynamic-programming", "enumeration"}
        As in `forecast_pair_sum_law`.
    run : callable, default map
        Evaluates a function on a few numbers, in their order: `map`, or one that does it in threads. The
        function releases the GIL, and the law has the same bits either way.

    Returns
    -------
    PairSumLaw
        Values, probabilities, and how much was lost.

    Raises
    ------
    ValueError
        If the forecast exceeds the budget.

    Notes
    -----
    Source: dynamic programming as Mehta & Patel (1983, doi:10.1080/01621459.1983.10477989); enumeration by
    conditional hypergeometric probabilities. Null model: both margins fixed.

    Examples
    --------
    >>> law = pair_sum_law(Margins([3, 2], [3, 2]))
    >>> law.values, law.probabilities.round(12)
    (array([ 7,  9, 13]), array([0.6, 0.3, 0.1]))
    """
    margins = as_margins(margins)
    forecast, cells, columns = _plan(margins, lost_mass, method)
    if not forecast.seconds <= budget:
        raise _over_budget(budget, f"{forecast.seconds:.3g} s by {forecast.method}")
    if cells.bins == 1:
        low, law = cells.low, np.ones(1)
    elif columns is not None:
        low, (law, _) = 0, deal_columns(columns)
    else:
        low, law = cells.low, _enumerate(cells, lost_mass, budget, run)[0]
    found = np.flatnonzero(law)
    probabilities = law[found]
    return PairSumLaw(
        values=margins.n + 2 * (low + found),
        probabilities=probabilities,
        lost_mass=max(0.0, 1.0 - math.fsum(probabilities)),
        method=forecast.method,
    )


def table_law(margins: Margins | ContingencyTable, limit: SupportsIndex) -> tuple[Integers, Floats]:
    """Every table with these margins, and its probability.

    Parameters
    ----------
    margins : Margins or ContingencyTable
        Row totals of shape (K,) and column totals of shape (Q,), equal sums.
    limit : int
        Largest number of tables, at least 1.

    Returns
    -------
    tables : ndarray of int64, shape (m, K, Q)
        In the order of their cells, read row by row.
    probabilities : ndarray of float64, shape (m,)
        ``prod a_i! prod b_j! / (n! prod n_ij!)``; they sum to 1.

    Raises
    ------
    ValueError
        If there are more tables than `limit`.

    Notes
    -----
    The tables are counted before they are laid out. Null model: both margins fixed.

    Examples
    --------
    >>> tables, probabilities = table_law(Margins([1, 2], [1, 2]), limit=10)
    >>> tables.tolist(), probabilities.round(12).tolist()
    ([[[0, 1], [1, 1]], [[1, 0], [0, 2]]], [0.666666666667, 0.333333333333])
    """
    margins = as_margins(margins)
    limit = as_count("limit", limit)
    shape = margins.row_totals.size, margins.column_totals.size
    if margins.n == 0:
        return np.zeros((1, *shape), dtype=np.int64), np.ones(1)
    kept = tuple(np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals))
    rows, columns = margins.row_totals[kept[0]], margins.column_totals[kept[1]]
    free = (rows.size - 1) * (columns.size - 1)
    workspace = np.empty_like(columns), np.empty((3, free + 1), dtype=np.int64), np.empty(free + 1)
    nothing = np.empty((0, 1, 1), dtype=np.int64), np.empty(0)
    m = list_tables(rows, columns, None, limit, *workspace, *nothing)
    if m > limit:
        raise ValueError(
            f"`margins` must have at most {limit} tables; got {m} or more. Raise `limit` or sample."
        )
    tables, probabilities = np.empty((m, rows.size, columns.size), dtype=np.int64), np.empty(m)
    list_tables(rows, columns, split_log_factorials(margins.n), limit, *workspace, tables, probabilities)
    if tables.shape[1:] == shape:
        return tables, probabilities
    out = np.zeros((m, *shape), dtype=np.int64)
    out[:, kept[0][:, None], kept[1]] = tables
    return out, probabilities


def _plan(
    margins: Margins, lost_mass: float, method: Method | Literal["auto"]
) -> tuple[LawForecast, _CellPlan, ColumnPlan | None]:
    """Forecast and plans; the second plan is None where the enumeration is taken."""
    one_of("method", method, ["auto", "dynamic-programming", "enumeration"])
    if not 0.0 <= lost_mass < 1.0:
        raise ValueError(f"`lost_mass` must be in [0, 1); got {lost_mass}.")
    cells = _plan_cells(margins, lost_mass)
    seconds = SECONDS_ALWAYS + SECONDS_PER_TABLE * cells.work
    by_cells = LawForecast(method="enumeration", work=cells.work, seconds=seconds, lost_mass=lost_mass)
    if method == "enumeration":
        return by_cells, cells, None
    if cells.bins == 1:
        return replace(by_cells, method="dynamic-programming", lost_mass=0.0), cells, None
    columns = plan_columns(cells.rows, cells.columns)
    work = math.inf if columns is None else columns.work
    seconds = SECONDS_ALWAYS + SECONDS_PER_ADDITION * work
    by_columns = LawForecast(method="dynamic-programming", work=work, seconds=seconds, lost_mass=0.0)
    slow = seconds > max(SECONDS_FOR_THE_WHOLE, by_cells.seconds) or columns is None
    if method == "auto" and slow:
        return by_cells, cells, None
    return by_columns, cells, columns


def _plan_cells(margins: Margins, lost_mass: float) -> _CellPlan:
    """Bounds of the pairs, the floor, and the tables above it, were log probabilities a quadratic form.

    With d free cells, p the probability of the likeliest table and R the radius beyond which the lost mass
    lies: ``R**d / (2**(d/2) Gamma(d/2 + 1) p)``; or, where that is less, all tables by the estimate of Good
    (1976, doi:10.1214/aos/1176343649).
    """
    from scipy.special import chdtri  # a quarter of a second, were it imported with the package

    rows, columns = (np.sort(x[x > 0]) for x in (margins.row_totals, margins.column_totals))
    if (columns.size, columns.tolist()) < (rows.size, rows.tolist()):
        rows, columns = columns, rows
    n, K, Q = margins.n, rows.size, columns.size
    low, high = pair_bounds(rows, columns)
    if low == high:  # T is constant
        return _CellPlan(rows, columns, low, 1, 0.0, 1.0)
    d = (K - 1) * (Q - 1)
    log_det = (Q - 1) * np.log(rows / n).sum() + (K - 1) * np.log(columns / n).sum()
    log_det += ((Q - 1) * (K - 1)) * (math.log(n) - math.log(1 - 1 / n))
    log_p = min(0.0, -0.5 * (d * math.log(2 * math.pi) + float(log_det)))
    log_floor = log_p - 0.5 * float(chdtri(d, lost_mass * SAFETY)) if lost_mass else -math.inf
    corner = rows[-2:, None] * (columns[-2:] / n)
    log_p_walks = min(0.0, log_p + 0.5 * math.log(2 * math.pi / float((1 / corner).sum())))
    log_all = sum(_log_choices(x, Q) for x in rows.tolist()) + sum(
        _log_choices(x, K) for x in columns.tolist()
    )
    log_all -= _log_choices(n, K * Q)
    log_tables = min(_log_volume(d, log_p, log_floor), log_all)
    log_walks = min(
        _log_volume(d - 1, log_p_walks, log_floor), log_tables, log_all - math.log1p(rows[-2] / 4)
    )
    log_work = float(np.logaddexp(log_tables, log_walks + math.log(TABLES_PER_WALK)))
    bins = high - low + 1
    if bins > WIDE and rows[0] * (columns[0] / n) >= 20:  # no rare cell: nothing is far out
        moments = pair_sum_moments(margins)
        bins = min(bins, max(WIDE, int((float(moments.mean) - n) / 2 - low + REACH * moments.std)))
    work = math.exp(log_work) + bins if log_work < 600 and bins <= WIDEST else math.inf
    return _CellPlan(rows, columns, low, bins, math.exp(log_floor), work)


def _log_volume(d: int, log_p: float, log_floor: float) -> float:
    """Log of the number of lattice points where a normal law in d dimensions is above the floor."""
    if d == 0:
        return 0.0
    return max(0.0, 0.5 * d * math.log(log_p - log_floor) - math.lgamma(0.5 * d + 1.0) - log_p)


def _log_choices(total: int, parts: int) -> float:
    """Log of the number of ways to write a total as an ordered sum of so many parts."""
    return math.lgamma(total + parts) - math.lgamma(parts) - math.lgamma(total + 1)


def _enumerate(plan: _CellPlan, lost_mass: float, budget: float, run: Map) -> Part:
    """Probabilities of the pairs from `low` on, tables and walks met, and the largest place.

    Once more with more values, or a lower floor, where an attempt falls short. The parts are the same whoever
    evaluates them, and are added in their order.
    """
    rows, columns, low, bins, floor, work = plan
    n, d = int(rows.sum()), (rows.size - 1) * (columns.size - 1)
    table = split_log_factorials(n)
    ends = [0, n + 1]
    if d > 1 and work > WORK_IN_PARTS and bins <= WIDE:
        mean = rows[0] * columns[0] / n
        reach = 8.0 * math.sqrt(mean * (1 - rows[0] / n) * (1 - columns[0] / n))
        inner = np.unique(np.linspace(mean - reach, mean + reach, PARTS - 1).astype(np.int64).clip(1, n))
        ends = [0, *inner.tolist(), n + 1]

    def evaluate(part: int) -> Part:
        out = np.zeros(bins)
        first, last = ends[part], ends[part + 1] - 1
        remaining, whole, real = np.empty_like(columns), np.empty((5, d), dtype=np.int64), np.empty((3, d))
        found = add_pair_counts(
            rows, columns, table, first, last, floor, low, remaining, whole, real, out
        )  # fmt: skip
        return out, *found

    for attempt in range(8):
        parts = list(run(evaluate, range(len(ends) - 1)))
        law, tables, walks, largest = parts[0]
        for part in parts[1:]:
            law += part[0]
            tables, walks, largest = tables + part[1], walks + part[2], max(largest, part[3])
        if largest >= 4 * WIDEST:
            raise _over_budget(budget, f"{largest:.3g} values of T")
        if largest >= bins:
            bins = largest + 1
        elif attempt == 7 or 1.0 - float(law.sum()) <= max(lost_mass, 1e-12):
            break
        else:
            floor *= 1e-6
    return law, tables, walks, largest


def _over_budget(budget: float, forecast: str) -> ValueError:
    """Refusal, with what is possible instead."""
    return ValueError(
        f"`margins` must have a law of T within a budget of {budget:g} s; got a forecast of {forecast}. "
        "Use method='analytic' or 'monte-carlo'."
    )
