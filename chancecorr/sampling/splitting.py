"""Very small p-values of any index by adaptive multilevel splitting.

Tables are drawn from the null distribution. The level is raised to the median of their values. Tables that
are not above the level are replaced by copies of tables above it, and all tables are moved at random, staying
above the level, until they no longer resemble the tables before. This is repeated until half of the tables
reach the observed value: the p-value is the product of the shares of tables that survived. Source: Cérou &
Guyader (2007), doi:10.1080/07362990601139628. The moves are Metropolis steps of four cells: see "Moves of a
table within a level" in docs/explanation/derivations.md.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.exact.kernels.hypergeometric import LogFactorials, log_factorials, log_weight, low_end
from chancecorr.exact.summary import bound_tie
from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import forecast_kernel, kernel
from chancecorr.sampling.kernels.streams import Stream, draw_below, draw_uniform, open_stream
from chancecorr.sampling.permutation import TableSampler, draw_tables, plan_sampler
from chancecorr.sampling.seeding import RNG, make_generator, make_seed
from chancecorr.tables.contingency import Margins

NO_LEVEL = np.iinfo(np.int64).min

PILOT_REPLICATE, MOVE_STREAMS = 1 << 20, 1 << 62
"""Number of the pilot replicate, which only finds how many moves each level needs; number of the stream that
moves the tables of replicate 0. Initial tables have the numbers from 0 on."""

MOST_LEVELS, MOST_ROUNDS, MOST_SWEEPS = 5_000, 300, 32
"""Largest number of levels, to about 1e-1500 because each about halves the probability; of rounds of moves
to find survivors of a level; of moves of a table at one level, for each row or column."""

T_QUANTILES = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
"""97.5 % quantiles of Student's t by the number of replicates; above 10 the last one is used."""

INTERVAL_FACTOR = 1.25  # replicates are skewed: Student's t alone covered the p-value in 92 of 100 runs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SplitEstimate:
    """A p-value by multilevel splitting, and its error."""

    # mean over the replicates; nan if the observed value or the value of an initial table is nan
    p_value: float
    log10_p_value: float  # also finite if `p_value` underflows
    relative_error: float  # half the width of the 95 % interval, as a share of `p_value`; inf for a bound
    upper_bound: bool  # whether a replicate did not reach the observed value: its last level is used then
    replicates: Floats  # shape (replicates,): decimal logarithm of the p-value of each replicate


def split(
    margins: Margins, observed: float, side: Literal["greater", "less"] = "greater",
    values: Callable[[Integers], Floats] | None = None, *, n_tables: int = 1000, replicates: int = 10,
    most_moves: int = 200_000_000, rng: RNG = None,
) -> SplitEstimate:  # fmt: skip
    """Estimate the probability of a value at least as extreme as `observed`, however small.

    `values` computes an index on tables of shape (m, K, Q); the default is ``T = sum n_ij**2``. Each of the
    `replicates` (at least 2) has `n_tables` tables. The number of moves at each level is found in a pilot run
    with other tables: if the same tables decided when to stop, the moves would prefer some tables. If a
    replicate needs more than `most_moves` moves to reach `observed`, the result is an upper bound. If an
    initial table has the value nan, the result is nan.
    """
    rows, columns = np.flatnonzero(margins.row_totals), np.flatnonzero(margins.column_totals)
    run = _Run(
        seed=make_seed(rng),
        sign=1 if side == "greater" else -1,
        observed=observed,
        values=values,
        n_tables=n_tables,
        most_steps=most_moves // ((replicates + 1) * n_tables),
        fewest_steps=max(10, rows.size, columns.size),
        sampler=plan_sampler(margins),
        places=(rows, columns, log_factorials(margins.n)),
    )
    pilot = _climb(run, PILOT_REPLICATE)
    if math.isnan(pilot.log_p):
        return estimate_of(np.full(replicates, math.nan))
    if not pilot.reached:
        return estimate_of(np.array([pilot.log_p]), upper_bound=True)
    run = run._replace(schedule=pilot.schedule or [(0.0, run.fewest_steps)])
    ends = [_climb(run, replicate) for replicate in range(replicates)]
    logs = np.array([end.log_p for end in ends])
    if np.isnan(logs).any():
        return estimate_of(np.full(replicates, math.nan))
    return estimate_of(logs, upper_bound=not all(end.reached for end in ends))


class _Run(NamedTuple):
    """The data and settings that all replicates share."""

    seed: np.uint64
    sign: int  # -1 if small values are extreme: then all values are multiplied by -1
    observed: float
    values: Callable[[Integers], Floats] | None
    n_tables: int
    most_steps: int  # largest number of steps of each table of a replicate, all levels together
    fewest_steps: int  # smallest number of steps of each table at a level
    sampler: TableSampler
    # rows and columns that are not empty, and log-factorials
    places: tuple[Integers, Integers, LogFactorials]
    # levels, and the number of moves that each needed; None in the pilot
    schedule: list[tuple[float, int]] | None = None


class _Climb(NamedTuple):
    """The result of one replicate."""

    reached: bool  # whether it reached the observed value
    log_p: float  # logarithm of the p-value of the last level
    schedule: list[tuple[float, int]]


class Population:
    """Tables of a replicate and their values times the sign (T as int64, or floats); both change in place."""

    def __init__(self, run: _Run, replicate: int) -> None:
        self.run = run
        self.tables = np.zeros((run.n_tables, *run.sampler.shape), dtype=np.int64)
        draw_tables(run.sampler, run.seed, replicate * run.n_tables, self.tables)
        self.values: npt.NDArray[Any] = self._evaluate(self.tables)
        self.words: Words = np.array([open_stream(run.seed, MOVE_STREAMS + replicate)], dtype=np.uint64)
        self.rng = make_generator(run.seed, replicate)

    def _evaluate(self, tables: Integers) -> npt.NDArray[Any]:
        """Return the values of these tables, times the sign."""
        values = self.run.values
        return self.run.sign * (np.einsum("tij,tij->t", tables, tables) if values is None else values(tables))

    def move(self, level: Any, steps: int) -> None:
        """Make `steps` moves of each table; undo each move after which the value is not above the level."""
        run = self.run
        if run.values is None:
            at_once = max(1, 500_000 // steps)  # tables in a call of 0.1 s, so that Ctrl-C soon interrupts
            for first in range(0, run.n_tables, at_once):
                some = slice(first, first + at_once)
                tables, values = self.tables[some], self.values[some]
                move_tables(run.sign, level, steps, *run.places, tables, values, self.words)
            return
        for _ in range(steps):
            tables, ignored = self.tables.copy(), np.zeros(run.n_tables, dtype=np.int64)
            move_tables(1, NO_LEVEL, 1, *run.places, tables, ignored, self.words)
            (changed,) = np.nonzero((tables != self.tables).any(axis=(1, 2)))
            if changed.size:
                values = self._evaluate(tables[changed])
                above = values > level
                self.tables[changed[above]] = tables[changed[above]]
                self.values[changed[above]] = values[above]

    def replace(self, values: npt.NDArray[Any], tables: Integers) -> None:
        """Replace all tables by copies of the given ones in random order, in equal numbers or 1 more."""
        parents = np.resize(self.rng.permutation(values.size), self.values.size)
        self.values[:], self.tables[:] = values[parents], tables[parents]

    def move_until_mixed(self, level: Any, steps: int, most: int) -> int:
        """Move until values and ``sum n_ij**3`` are uncorrelated with their start; return the moves made."""
        before, made = self._describe(), 0
        while True:
            self.move(level, steps)
            made += steps
            with np.errstate(all="ignore"):  # a feature with equal values counts as mixed
                alike = [np.corrcoef(x, y)[0, 1] for x, y in zip(before, self._describe(), strict=True)]
            if made >= most or not any(correlation >= 0.5 for correlation in alike):
                return made
            steps = made

    def _describe(self) -> tuple[Floats, Floats]:
        """Return two features of each table that do not depend on the order of rows and columns."""
        return self.values.astype(np.float64), (self.tables.astype(np.float64) ** 3).sum(axis=(1, 2))


def _climb(run: _Run, replicate: int) -> _Climb:
    """Raise the level to the observed value; use the schedule, or make it in the pilot."""
    population = Population(run, replicate)
    values, tables = population.values, population.tables
    target, passed = run.sign * run.observed, -math.inf if run.values else NO_LEVEL
    if math.isnan(target) or np.isnan(values).any():
        return _Climb(reached=False, log_p=math.nan, schedule=[])
    if run.values is not None:
        target -= bound_tie(target, values)
    enough = max(2, values.size // 10)  # number of survivors; if there are fewer, rounds of moves find more
    log_p, steps, left = 0.0, run.fewest_steps, run.most_steps
    schedule: list[tuple[float, int]] = []
    for _ in range(MOST_LEVELS):
        ordered = np.sort(values)
        median, below = ordered[(values.size - 1) // 2], ordered[ordered < ordered[-1]]
        if median >= target:
            log_p += math.log(np.count_nonzero(values >= target) / values.size)
            return _Climb(reached=True, log_p=log_p, schedule=schedule)
        # one value lower if half of the tables are tied at the largest value
        level = min(median, below[-1]) if below.size else ordered[-1]
        survivors = [(values[values > level], tables[values > level])]
        count, rounds = survivors[0][0].size, 1
        while count < enough and rounds < MOST_ROUNDS and left > 0 and min(map(len, run.places[:2])) > 1:
            population.move(passed, steps)
            left -= steps
            above = values > level
            if above.any():
                survivors.append((values[above], tables[above]))
                count += survivors[-1][0].size
            rounds += 1
        if not count or left <= 0:
            break
        # the last survivor ended the rounds: counting it would make the share too large on average
        last = 1 if rounds > 1 and count >= enough else 0
        log_p += math.log((count - last) / (rounds * values.size - last))
        population.replace(*map(np.concatenate, zip(*survivors, strict=True)))
        passed = level
        if run.schedule is None:
            least, most = max(steps // 2, run.fewest_steps), MOST_SWEEPS * run.fewest_steps
            steps = population.move_until_mixed(passed, least, most)
            schedule.append((passed, steps))
        else:
            # use the larger number of moves of the two neighbouring levels in the schedule
            place = bisect_left(run.schedule, (passed, 0))
            steps = max(needed for _, needed in run.schedule[max(0, place - 1) : place + 1])
            population.move(passed, steps)
        left -= steps
    return _Climb(reached=False, log_p=log_p, schedule=schedule)


def estimate_of(logs: Floats, upper_bound: bool = False) -> SplitEstimate:
    """Return the estimate from the natural logarithms of the replicates' p-values."""
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


@forecast_kernel(
    lambda sign, level, steps, rows, columns, factorials, tables, *rest: 4e4 * steps * tables.shape[0]
)
def move_tables(
    sign: int, level: int, steps: int, rows: Integers, columns: Integers, factorials: LogFactorials,
    tables: Integers, values: Integers, words: Words,
) -> None:  # fmt: skip
    """Make `steps` moves of each table; a move is made only if ``sign * T`` stays above the level."""
    stream = words[0]
    for t in range(tables.shape[0]):
        value = values[t]
        for _ in range(steps):
            value, stream = move_four_cells(sign, level, rows, columns, factorials, tables[t], value, stream)
        values[t] = value
    words[0] = stream


@kernel
def move_four_cells(
    sign: int, level: int, rows: Integers, columns: Integers, factorials: LogFactorials, table: Integers,
    value: int, stream: Stream,
) -> tuple[Whole, Stream]:  # fmt: skip
    """Add d, -d, -d, d to ``n_ij, n_iq, n_kj, n_kq`` in one Metropolis step; return ``sign * T`` after it."""
    first, second, stream = draw_pair(rows.size, stream)
    i, k = rows[first], rows[second]
    filled = 0  # number of columns with objects in row i or row k; no step changes it
    for column in columns:
        if table[i, column] + table[k, column] > 0:
            filled += 1
    if filled < 2:
        return value, stream
    first, second, stream = draw_pair(filled, stream)
    j = q = place = 0
    for column in columns:
        if table[i, column] + table[k, column] > 0:
            if place == first:
                j = column
            if place == second:
                q = column
            place += 1
    x = int(table[i, j])
    good, draws = x + table[k, j], x + table[i, q]
    population = draws + table[k, j] + table[k, q]
    low, high = low_end(population, good, draws), min(good, draws)
    scales = 0
    while 1 << scales < high - low and scales < 30:
        scales += 1
    half = np.uint64(0)
    scale, half, stream = draw_below(np.uint64(scales + 1), half, stream)
    step, half, stream = draw_below(np.uint64(1) << scale, half, stream)
    d = 1 + int(step)  # the step back is proposed with rows i and k exchanged
    moved = value + sign * (2 * d * (x - table[i, q] - table[k, j] + table[k, q]) + 4 * d * d)
    if x + d > high or moved <= level:
        return value, stream
    gain = log_weight(x + d, population, good, draws, factorials)
    gain -= log_weight(x, population, good, draws, factorials)
    u, stream = draw_uniform(stream)
    if math.log(u) > gain:
        return value, stream
    table[i, j] += d
    table[i, q] -= d
    table[k, j] -= d
    table[k, q] += d
    return moved, stream


@kernel
def draw_pair(size: int, stream: Stream) -> tuple[np.int64, np.int64, Stream]:
    """Draw an ordered pair of different integers in [0, size), size > 1, each pair equally likely."""
    place, half, stream = draw_below(np.uint64(size), np.uint64(0), stream)
    other, half, stream = draw_below(np.uint64(size - 1), half, stream)
    first, second = np.int64(place), np.int64(other)
    return first, second + np.int64(second >= first), stream
