"""Very small p-values of any index, by adaptive multilevel splitting.

N tables are drawn from the null law. The level rises to the median of their values; those not above it are
replaced by copies of those above, and all of them move at random without falling to the level, until they
have forgotten where they were (`move_until_mixed`), which makes them a sample of the null law given that
level. Again and again, until half of them reach the observed value: the p-value is the product of the shares
that survived. Source: Cérou & Guyader (2007), "Adaptive multilevel splitting for rare event analysis",
doi:10.1080/07362990601139628.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.exact.index_of_pair_sum import bound_pair_sum
from chancecorr.exact.kernels.hypergeometric import log_factorials
from chancecorr.exact.summary import bound_tie, scale_of
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.machine.arguments import as_count
from chancecorr.machine.arrays import Floats, Integers, Words
from chancecorr.sampling.kernels import moves as kernels
from chancecorr.sampling.kernels.draw import universal_hat
from chancecorr.sampling.kernels.logarithms import log2_factorials
from chancecorr.sampling.kernels.moves import LookUps
from chancecorr.sampling.kernels.streams import open_stream
from chancecorr.sampling.permutation import draw_tables, plan_sampler
from chancecorr.sampling.seeding import RNG, make_seed
from chancecorr.tables.contingency import Margins

LevelValues = npt.NDArray[Any]
"""Values whose levels rise: ``+-T`` as int64, or an index (negated for "less") as float64."""

NO_LEVEL = np.iinfo(np.int64).min

PILOT_REPLICATE, MOVE_STREAMS = 1 << 20, 1 << 62
"""Number of the replicate that only finds out how many moves each level needs, and of the stream that moves
replicate 0; the initial tables have the numbers from 0 on."""

MOST_SWEEPS_A_LEVEL, MAX_LATTICE = 32, 1 << 20
"""Most moves of a table at one level, for each row or column; most T at which a pair index is evaluated, to
see if "extreme" means "T past a value"."""

T_QUANTILES = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
"""97.5 % quantiles of Student's t by the number of replicates; beyond 10 that of the last."""

INTERVAL_FACTOR = 1.25
"""Widens the interval: replicates are skewed, and Student's t alone covered in 92 of 100 runs."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SplitEstimate:
    """A p-value by multilevel splitting and how far it can be off."""

    p_value: float  # mean over the replicates; nan where the observed value is, or one of an initial table
    log10_p_value: float  # finite also where `p_value` underflows
    relative_error: float  # half the width of the 95 % interval, as a share of `p_value`; inf for a bound
    upper_bound: bool  # whether a replicate ended below the observed value: its last level then stands for it
    replicates: Floats  # shape (replicates,): decimal logarithm of each one's p-value


def split(
    values: Callable[[Integers], Floats], margins: Margins, observed: float, *,
    of_pair_sums: Callable[[Integers], Floats] | None = None, n_tables: int = 1000,
    steps: int | None = None, replicates: int = 10, most_moves: int = 200_000_000, rng: RNG = None,
    alternative: Literal["greater", "less"] = "greater",
) -> SplitEstimate:  # fmt: skip
    """Probability of an index at least as extreme as the observed one, however small, by splitting.

    `values` are those of the index on tables of shape (m, K, Q), `of_pair_sums`, if T determines it, those at
    T. In each of at least 2 `replicates` `n_tables` tables make `steps` moves at each level, or as many as a
    pilot finds to leave the values, and ``sum n_ij**3``, with a correlation below 1/2: counted on the tables
    themselves, they would prefer some. With fewer than a tenth of them above a level, those below move on.

    A replicate that does not reach `observed`, in 300 rounds, 5,000 levels or `most_moves` in all, makes the
    answer an upper bound. One of 1000 tables is off by some 10 to 40 %. It is nan where an initial table is.
    """
    n_tables = as_count("n_tables", n_tables, 2)
    steps = None if steps is None else as_count("steps", steps)
    seed, sign = make_seed(rng), 1 if alternative == "greater" else -1
    target = sign * float(observed)
    if math.isnan(target):
        return estimate_of(np.full(replicates, math.nan))
    plan = _Plan(margins, seed, n_tables, most_moves // ((replicates + 1) * n_tables))
    threshold = None if of_pair_sums is None else _find_threshold(of_pair_sums, margins, target, sign)

    def climb(replicate: int) -> _Climb:
        if threshold is not None:
            return _climb_pair_sums(plan, replicate, *threshold)
        return _climb_index(plan, replicate, values, target, sign)

    if steps is not None:
        plan.schedule = [(0.0, steps)]
    else:
        pilot = climb(PILOT_REPLICATE)
        if math.isnan(pilot.log_p):
            return estimate_of(np.full(replicates, math.nan))
        if not pilot.reached:
            return estimate_of(np.array([pilot.log_p]), upper_bound=True)
        plan.schedule = pilot.schedule or [(0.0, plan.fewest_steps)]
    ends = [climb(r) for r in range(replicates)]
    logs = np.array([end.log_p for end in ends])
    if np.isnan(logs).any():
        return estimate_of(np.full(replicates, math.nan))
    return estimate_of(logs, upper_bound=not all(end.reached for end in ends))


class _Climb(NamedTuple):
    """The end of a replicate."""

    reached: bool  # whether at the observed value
    log_p: float  # of the last level
    schedule: list[tuple[float, int]]  # levels, and the moves that each needed, where these were counted


class _Plan:
    """The part of a run that all replicates share."""

    def __init__(self, margins: Margins, seed: np.uint64, n_tables: int, most_steps: int) -> None:
        self.seed, self.n_tables, self.most_steps = seed, n_tables, most_steps
        self.schedule: list[tuple[float, int]] | None = None
        self.sampler = plan_sampler(margins)
        rows, columns = np.flatnonzero(margins.row_totals), np.flatnonzero(margins.column_totals)
        self.movable = min(rows.size, columns.size) > 1
        self.fewest_steps = max(10, rows.size, columns.size)
        n = margins.n
        look_ups = LookUps(log_factorials(n), universal_hat(n), log2_factorials(n))
        self.places: tuple[Integers, Integers, LookUps] = rows, columns, look_ups

    def steps_at(self, level: float) -> int:
        """Moves of each table at a level, by the schedule: what the levels next to it needed."""
        assert self.schedule
        place = bisect_left(self.schedule, (level, 0))
        return max(steps for _, steps in self.schedule[max(0, place - 1) : place + 1])

    def start(self, replicate: int) -> tuple[Integers, Integers, Words]:
        """Initial tables of a replicate, their T, and the stream of its moves."""
        tables = np.zeros((self.n_tables, *self.sampler.shape), dtype=np.int64)
        draw_tables(self.sampler, self.seed, replicate * self.n_tables, tables)
        words = np.array(open_stream(self.seed, MOVE_STREAMS + replicate), dtype=np.uint64)
        return tables, np.einsum("tij,tij->t", tables, tables), words


def _climb_pair_sums(plan: _Plan, replicate: int, sign: int, target: int) -> _Climb:
    """One replicate that follows ``sign * T``, all moves of a level in one compiled loop."""
    tables, pair_sums, words = plan.start(replicate)
    values = sign * pair_sums

    def move(level: int, steps: int) -> None:
        at_once = max(1, 500_000 // steps)  # tables in a call of 0.1 s, after which Ctrl-C is noticed
        for first in range(0, values.size, at_once):
            some = slice(first, first + at_once)
            kernels.move_tables(sign, level, steps, *plan.places, tables[some], values[some], words)

    return _climb(plan, values, tables, target, move, words)


def _climb_index(
    plan: _Plan, replicate: int, values_of: Callable[[Integers], Floats], target: float, sign: int
) -> _Climb:
    """One replicate that follows ``sign *`` the index, one move of the whole population at a time."""
    tables, ignored, words = plan.start(replicate)
    values = sign * values_of(tables)
    if np.isnan(values).any():
        return _Climb(reached=False, log_p=math.nan, schedule=[])

    def move(level: float, steps: int) -> None:
        for _ in range(steps):
            before = tables.copy()
            kernels.move_tables(1, NO_LEVEL, 1, *plan.places, tables, ignored, words)
            (changed,) = np.nonzero((tables != before).any(axis=(1, 2)))
            if not changed.size:
                continue
            moved = sign * values_of(tables[changed])
            kept = moved > level
            tables[changed[~kept]] = before[changed[~kept]]
            values[changed[kept]] = moved[kept]

    target -= bound_tie(target, values)
    return _climb(plan, values, tables, target, move, words)


def _climb(
    plan: _Plan, values: LevelValues, tables: Integers, target: float, move: Callable[[Any, int], None],
    words: Words,
) -> _Climb:  # fmt: skip
    """Raise the level to the target; `values` and `tables` change in place."""
    enough = max(2, values.size // 10)  # survivors; if there are fewer, rounds of moves add others
    parents = np.empty(values.size, dtype=np.int64)
    log_p, steps, left = 0.0, 0, plan.most_steps
    schedule: list[tuple[float, int]] = []
    passed: Any = np.iinfo(np.int64).min if values.dtype.kind == "i" else -math.inf
    for _ in range(5_000):  # levels, each of which halves the probability or so: to about 1e-1500
        median, level = _find_median_and_level(np.sort(values))
        if median >= target:
            log_p += math.log(np.count_nonzero(values >= target) / values.size)
            return _Climb(reached=True, log_p=log_p, schedule=schedule)
        if not plan.movable:
            break
        survivors = [(values[values > level], tables[values > level])]
        count, rounds = survivors[0][0].size, 1
        steps = max(steps, plan.fewest_steps)
        while count < enough and rounds < 300 and left > 0:
            move(passed, steps)
            left -= steps
            above = values > level
            if above.any():
                survivors.append((values[above], tables[above]))
                count += survivors[-1][0].size
            rounds += 1
        if not count or left <= 0:
            break
        # the last one ended the rounds: to count it too would, on average, give too large a share
        last = 1 if rounds > 1 and count >= enough else 0
        log_p += math.log((count - last) / (rounds * values.size - last))
        kernels.draw_parents(count, parents, words)
        values[:] = np.concatenate([part for part, _ in survivors])[parents]
        tables[:] = np.concatenate([part for _, part in survivors])[parents]
        passed = level
        if plan.schedule is None:
            least, most = max(steps // 2, plan.fewest_steps), MOST_SWEEPS_A_LEVEL * plan.fewest_steps
            steps = move_until_mixed(values, tables, partial(move, passed), least, most)
            schedule.append((passed, steps))
        else:
            steps = plan.steps_at(passed)
            move(passed, steps)
        left -= steps
    return _Climb(reached=False, log_p=log_p, schedule=schedule)


def _find_median_and_level(ordered: LevelValues) -> tuple[Any, Any]:
    """The lower median, and the next level: the median, or the value below if half are tied at the top."""
    median, below = ordered[(ordered.size - 1) // 2], ordered[ordered < ordered[-1]]
    return median, min(median, below[-1]) if below.size else ordered[-1]


def _find_threshold(
    of_pair_sums: Callable[[Integers], Floats], margins: Margins, target: float, sign: int
) -> tuple[int, int] | None:
    """``(s, t)`` where ``sign * index >= target`` means ``s * T >= t``; None when it means no such thing."""
    n, highest, lowest = margins.n, bound_pair_sum(margins)[1], margins.n
    sides = (margins.row_totals, margins.column_totals)
    for totals, others in (sides, sides[::-1]):  # T where each total is shared out evenly
        lowest = max(lowest, -(-int((totals**2).sum()) // max(int(np.count_nonzero(others)), 1)))
    lowest += (lowest - n) % 2
    if (highest - lowest) // 2 >= MAX_LATTICE:
        return None
    lattice = np.arange(lowest, highest + 1, 2)
    try:
        values = sign * of_pair_sums(lattice)
    except IndexEvaluationError:
        return None
    extreme = values >= target - bound_tie(target, values)
    if np.isnan(values).any() or not extreme.any():
        return None
    first, last = int(extreme.argmax()), extreme.size - 1 - int(extreme[::-1].argmax())
    if not extreme[first : last + 1].all():
        return None
    if last == extreme.size - 1:
        return 1, int(lattice[first])
    return (-1, -int(lattice[last])) if first == 0 else None


def estimate_of(logs: Floats, upper_bound: bool = False) -> SplitEstimate:
    """Make the estimate from the natural logarithms of the replicates' p-values."""
    top = float(logs.max())
    shares = np.exp(logs - top)
    mean, error = float(shares.mean()), math.inf
    if not upper_bound:
        width = INTERVAL_FACTOR * T_QUANTILES[min(shares.size, max(T_QUANTILES))]
        error = width * float(shares.std(ddof=1)) / math.sqrt(shares.size) / mean
    return SplitEstimate(
        p_value=math.exp(top) * mean,
        log10_p_value=(top + math.log(mean)) / math.log(10.0),
        relative_error=error,
        upper_bound=upper_bound,
        replicates=logs / math.log(10.0),
    )


def move_until_mixed(
    values: LevelValues, tables: Integers, move: Callable[[int], None], steps: int, most: int
) -> int:
    """Moves made until neither the value nor ``sum n_ij**3`` is correlated with what it was; about `most`."""
    before, made = _describe(values, tables), 0
    while True:
        move(steps)
        made += steps
        if made >= most or _correlate(before, _describe(values, tables)) < 0.5:
            return made
        steps = made


def _describe(values: LevelValues, tables: Integers) -> Floats:
    """Two features of tables that the order of rows and columns does not change, shape (2, m)."""
    cells = tables.reshape(tables.shape[0], -1).astype(np.float64)
    return np.array([values, (cells * cells * cells).sum(axis=1)], dtype=np.float64)


def _correlate(before: Floats, after: Floats) -> float:
    """Largest correlation of a feature with itself; 0 where none varies, as if the moves had mixed."""
    largest = 0.0
    for x, y in zip(before, after, strict=True):
        within = scale_of(np.concatenate([x, y]))
        x, y = x / within, y / within
        x, y = x - x.mean(), y - y.mean()
        scale = math.sqrt(float(x @ x) * float(y @ y))
        if 0.0 < scale < math.inf:
            largest = max(largest, float(x @ y) / scale)
    return largest
