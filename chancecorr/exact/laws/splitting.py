"""Very small p-values of any index, by adaptive multilevel splitting.

N tables are drawn from the null law. The level rises to the median of their values; those not above it are
replaced by copies of those above, and all of them move at random without falling to the level, which makes
them a sample of the null law given that level. Again and again, until half of them reach the observed value:
the p-value is the product of the shares that survived. Source: Cérou & Guyader (2007), "Adaptive multilevel
splitting for rare event analysis", doi:10.1080/07362990601139628.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import as_count, one_of
from chancecorr.compiled import Floats, Integers, Words
from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.kernels import splitting as kernels
from chancecorr.exact.laws.ties import tie_slack
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.null.kernels.hypergeometric import LogFactorials
from chancecorr.null.permutation import fill_tables, log_factorials, plan_sampler
from chancecorr.null.seeding import RNG, seed_from
from chancecorr.tables.contingency import Margins

Values = npt.NDArray[Any]
"""What the levels go by: ``+-T`` as int64, or an index (negated for "less") as float64."""

MOST_LEVELS = 5_000
"""Where a replicate gives up; each level halves the probability or so, so that it is then near 1e-1500."""

MOST_STALLED_ROUNDS = 20
"""Rounds of moves in which no table rises above a value that all have, before a replicate gives up."""

MOVE_STREAMS = 1 << 62
"""Number of the stream that moves replicate 0; the initial tables have the numbers from 0 on."""

LARGEST_LATTICE = 1 << 20
"""Most values of T at which a ``"pairs"`` index is evaluated, to see if "extreme" means "T past a value"."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SplitEstimate:
    """A p-value by multilevel splitting and how far it can be off.

    Attributes
    ----------
    p_value : float
        Mean over the replicates; in [0, 1], and 0 only where it underflows: see `log10_p_value`. nan where
        the observed value is nan, or the index of an initial table.
    log10_p_value : float
        Its decimal logarithm, finite also where `p_value` underflows.
    relative_error : float
        Standard error of `p_value`, estimated from the replicates, divided by `p_value`; inf for a bound.
    upper_bound : bool
        Whether no replicate reached the observed value: then `p_value` is that of the levels they did reach,
        an estimate too, and the one asked for is smaller or 0.
    replicates : ndarray of float64, shape (replicates,)
        Decimal logarithm of each replicate's p-value; -inf for one that stopped short where others did not.
    """

    p_value: float
    log10_p_value: float
    relative_error: float
    upper_bound: bool
    replicates: Floats

    def __repr__(self) -> str:
        """P-value, from its logarithm where it underflows, and relative error."""
        p = f"{self.p_value:.3g}" if self.p_value != 0.0 else f"10**{self.log10_p_value:.2f}"
        if self.upper_bound:
            return f"SplitEstimate(p_value<={p})"
        return f"SplitEstimate(p_value={p}, relative_error={self.relative_error:.2g})"


def split(
    values: Callable[[Integers], Floats],
    margins: Margins,
    observed: float,
    *,
    of_pair_sums: Callable[[Integers], Floats] | None = None,
    n_tables: int = 1000,
    steps: int = 30,
    replicates: int = 10,
    rng: RNG = None,
    alternative: Literal["greater", "less"] = "greater",
) -> SplitEstimate:
    """Probability of an index at least as extreme as the observed one, however small, by splitting.

    `values` are those of the index on tables of shape (m, K, Q) with these margins; `of_pair_sums`, where T
    tells the index, those at T, and then only T is followed. Of each of at least 2 `replicates`, independent
    runs, `n_tables` tables, at least 2, make `steps` moves at each level. A move changes four cells: 30 serve
    tables up to 10 x 10; for 30 x 30 take 300. Fewer than 10 replicates make `relative_error` itself
    uncertain. Replicate r of a seed is the same whatever `replicates`. An argument out of its range raises
    ValueError.

    One replicate is off by 12 % at 1e-4 and 17 % at 1e-8 (standard deviation, 1000 tables of 800 objects),
    the mean of ten by a third of that. Where no replicate reaches `observed`, the answer is an upper bound,
    marked as such; never a silent 0.

    Notes
    -----
    A replicate stops short of `observed` when no table rises for 20 rounds of moves, or after 5,000 levels.
    It counts as 0 where others arrive. Where none does, either no table has such a value, or too few of those
    at the last level have: so it is with perfect agreement of many objects. Values within 100
    roundings of `observed` are ties, and ties count. A table on which the index is nan ranks below all
    others, but where an initial one is of that kind the answer is nan. The relative error is honest as long
    as the moves mix: where doubling `steps` changes the answer, they did not. Null model: both margins fixed.
    """
    one_of("alternative", alternative, ("greater", "less"))
    n_tables, steps = as_count("n_tables", n_tables, 2), as_count("steps", steps)
    replicates = as_count("replicates", replicates, 2)
    seed, sign = seed_from(rng), 1 if alternative == "greater" else -1
    target = sign * float(observed)
    if math.isnan(target):
        return _estimate(np.full(replicates, math.nan))
    plan = _Plan(margins, seed, n_tables, steps)
    threshold = None if of_pair_sums is None else _pair_sum_threshold(of_pair_sums, margins, target, sign)
    logs = np.full(replicates, -math.inf)
    ends = []
    for r in range(replicates):
        if threshold is not None:
            end = _climb_pair_sums(plan, r, *threshold)
        else:
            end = _climb_index(plan, r, values, target, sign)
        if math.isnan(end.log_p):
            return _estimate(np.full(replicates, math.nan))
        ends.append(end)
        if end.reached:
            logs[r] = end.log_p
    if not any(end.reached for end in ends):
        return _estimate(np.array([end.log_p for end in ends]), upper_bound=True)
    return _estimate(logs)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Climb:
    """Where a replicate ended: whether at the observed value, and the log of its last level's p-value."""

    reached: bool
    log_p: float


class _Plan:
    """What the replicates have in common."""

    def __init__(self, margins: Margins, seed: np.uint64, n_tables: int, steps: int) -> None:
        self.margins, self.seed, self.n_tables, self.steps = margins, seed, n_tables, steps
        self.sampler = plan_sampler(margins)
        self.rows = np.flatnonzero(margins.row_totals)
        self.columns = np.flatnonzero(margins.column_totals)
        self.movable = min(self.rows.size, self.columns.size) > 1
        self.log_factorials: LogFactorials = log_factorials(margins.n)

    def start(self, replicate: int) -> tuple[Integers, Integers, Words]:
        """Initial tables of a replicate, their T, and the stream of its moves."""
        tables = np.zeros((self.n_tables, *self.sampler.shape), dtype=np.int64)
        fill_tables(self.sampler, self.seed, replicate * self.n_tables, tables)
        words = np.empty(4, dtype=np.uint64)
        kernels.start_stream(self.seed, MOVE_STREAMS + replicate, words)
        return tables, np.einsum("tij,tij->t", tables, tables), words


def _climb_pair_sums(plan: _Plan, replicate: int, sign: int, target: int) -> _Climb:
    """One replicate that follows ``sign * T``, all moves of a level in one compiled loop."""
    tables, pair_sums, words = plan.start(replicate)
    values = sign * pair_sums

    def move(level: int) -> None:
        where = (plan.rows, plan.columns, plan.log_factorials)
        kernels.move_by_pair_sum(sign, level, plan.steps, *where, tables, values, words)

    return _climb(values, (tables,), target, move if plan.movable else None, words)


def _climb_index(
    plan: _Plan, replicate: int, values_of: Callable[[Integers], Floats], target: float, sign: int
) -> _Climb:
    """One replicate that follows ``sign *`` the index, one move of the whole population at a time."""
    tables, pair_sums, words = plan.start(replicate)

    values = sign * values_of(tables)
    if np.isnan(values).any():
        return _Climb(reached=False, log_p=math.nan)
    moves = np.empty((plan.n_tables, 6), dtype=np.int64)

    def move(level: float) -> None:
        where = (plan.rows, plan.columns, plan.log_factorials)
        for _ in range(plan.steps):
            kernels.move_all(*where, tables, pair_sums, moves, words)
            moved = sign * values_of(tables)
            kept = moved > level
            kernels.undo(moves, kept, tables, pair_sums)
            values[kept] = moved[kept]

    target -= tie_slack(target, values)
    return _climb(values, (tables, pair_sums), target, move if plan.movable else None, words)


def _climb(
    values: Values,
    followers: tuple[Integers, ...],
    target: float,
    move: Callable[[Any], None] | None,
    words: Words,
) -> _Climb:
    """Raise the level to the target; `values` and its followers (tables, ...) change in place.

    The level is the lower median, and only what lies above it survives: else each level would
    overestimate its share by 1 / N. Where more than half are tied at the top, the level is the next value
    below; where all are, there is none, and the tables only move.
    """
    log_p, levels, stalled = 0.0, 0, 0
    parents = np.empty(values.size, dtype=np.int64)
    level: Any = np.iinfo(np.int64).min if values.dtype.kind == "i" else -math.inf
    while True:
        ordered = np.sort(values)
        median, largest = ordered[(ordered.size - 1) // 2], ordered[-1]
        if median >= target:
            return _Climb(
                reached=True, log_p=log_p + math.log(np.count_nonzero(values >= target) / values.size)
            )
        below = ordered[: np.searchsorted(ordered, largest)]
        stalled = 0 if below.size else stalled + 1
        if move is None or stalled > MOST_STALLED_ROUNDS or levels == MOST_LEVELS:
            return _Climb(reached=False, log_p=log_p)
        if below.size:
            level = min(median, below[-1])
            survives = values > level
            log_p += math.log(np.count_nonzero(survives) / values.size)
            levels += 1
            kernels.draw_parents(survives, parents, words)
            for array in (values, *followers):
                array[:] = array[parents]
        move(level)


def _pair_sum_threshold(
    of_pair_sums: Callable[[Integers], Floats], margins: Margins, target: float, sign: int
) -> tuple[int, int] | None:
    """``(s, t)`` where ``sign * index >= target`` means ``s * T >= t``; None when it means no such thing."""
    n, highest, lowest = margins.n, pair_sum_range(margins)[1], margins.n
    sides = (margins.row_totals, margins.column_totals)
    for totals, others in (sides, sides[::-1]):  # T where each total is shared out evenly
        lowest = max(lowest, -(-int((totals**2).sum()) // max(int(np.count_nonzero(others)), 1)))
    lowest += (lowest - n) % 2
    if (highest - lowest) // 2 >= LARGEST_LATTICE:
        return None
    lattice = np.arange(lowest, highest + 1, 2)
    try:
        values = sign * of_pair_sums(lattice)
    except IndexEvaluationError:
        return None
    extreme = values >= target - tie_slack(target, values)
    if np.isnan(values).any() or not extreme.any():
        return None
    first, last = int(extreme.argmax()), extreme.size - 1 - int(extreme[::-1].argmax())
    if not extreme[first : last + 1].all():
        return None
    if last == extreme.size - 1:
        return 1, int(lattice[first])
    return (-1, -int(lattice[last])) if first == 0 else None


def _estimate(logs: Floats, upper_bound: bool = False) -> SplitEstimate:
    """From the natural logarithms of the replicates' p-values."""
    top = float(logs.max())
    shares = np.exp(logs - top)
    mean = float(shares.mean())
    return SplitEstimate(
        p_value=math.exp(top) * mean,
        log10_p_value=(top + math.log(mean)) / math.log(10.0),
        relative_error=math.inf if upper_bound else float(shares.std(ddof=1)) / math.sqrt(shares.size) / mean,
        upper_bound=upper_bound,
        replicates=logs / math.log(10.0),
    )
