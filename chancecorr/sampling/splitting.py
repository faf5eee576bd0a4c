"""Very small p-values of any index, by adaptive multilevel splitting.

Tables are drawn from the null distribution. The level rises to the median of their values; those not above it
are replaced by copies of those above, and all move at random above the level until they have forgotten where
they were. Again and again, until half of them reach the observed value: the p-value is the product of the
shares that survived. Source: Cérou & Guyader (2007), doi:10.1080/07362990601139628. The moves are Metropolis
steps of four cells: "Moves of a table within a level" in docs/explanation/derivations.md.
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
"""Number of the replicate that only finds out how many moves each level needs, and of the stream that moves
replicate 0; the initial tables have the numbers from 0 on."""

MOST_LEVELS, MOST_ROUNDS, MOST_SWEEPS = 5_000, 300, 32
"""Most levels, each of which halves the probability or so: to about 1e-1500; most rounds of moves that wait
for survivors of a level; most moves of a table at one level, for each row or column."""

T_QUANTILES = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
"""97.5 % quantiles of Student's t by the number of replicates; beyond 10 that of the last."""

INTERVAL_FACTOR = 1.25  # replicates are skewed: Student's t alone covered in 92 of 100 runs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SplitEstimate:
    """A p-value by multilevel splitting and how far it can be off."""

    p_value: float  # mean over the replicates; nan where the observed value is, or one of an initial table
    log10_p_value: float  # finite also where `p_value` underflows
    relative_error: float  # half the width of the 95 % interval, as a share of `p_value`; inf for a bound
    upper_bound: bool  # whether a replicate ended below the observed value: its last level then stands for it
    replicates: Floats  # shape (replicates,): decimal logarithm of each one's p-value


def split(
    margins: Margins, observed: float, side: Literal["greater", "less"] = "greater",
    values: Callable[[Integers], Floats] | None = None, *, n_tables: int = 1000, replicates: int = 10,
    most_moves: int = 200_000_000, rng: RNG = None,
) -> SplitEstimate:  # fmt: skip
    """Probability of a value at least as extreme as the observed one, however small, by splitting.

    `values` are those of an index on tables of shape (m, K, Q); without it they are ``T = sum n_ij**2``. In
    each of at least 2 `replicates` `n_tables` tables move at each level as often as a pilot finds that it
    takes: counted on the tables themselves, moves would prefer some. A replicate that does not reach
    `observed` in `most_moves` in all makes the answer an upper bound; an initial table that is nan makes it
    nan.
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
    """What all replicates share."""

    seed: np.uint64
    sign: int  # -1 if small values are extreme: then all values are negated
    observed: float
    values: Callable[[Integers], Floats] | None
    n_tables: int
    most_steps: int  # of each table of a replicate, at all levels
    fewest_steps: int  # of each table at a level
    sampler: TableSampler
    places: tuple[Integers, Integers, LogFactorials]  # rows and columns that are not empty
    schedule: list[tuple[float, int]] | None = None  # levels, and the moves that each needed; None in a pilot


class _Climb(NamedTuple):
    """The end of a replicate."""

    reached: bool  # whether at the observed value
    log_p: float  # of the last level
    schedule: list[tuple[float, int]]


class Population:
    """Tables of a replicate and, times the sign, their values, T as int64 or floats; both change in place."""

    def __init__(self, run: _Run, replicate: int) -> None:
        self.run = run
        self.tables = np.zeros((run.n_tables, *run.sampler.shape), dtype=np.int64)
        draw_tables(run.sampler, run.seed, replicate * run.n_tables, self.tables)
        self.values: npt.NDArray[Any] = self._evaluate(self.tables)
        self.words: Words = np.array([open_stream(run.seed, MOVE_STREAMS + replicate)], dtype=np.uint64)
        self.rng = make_generator(run.seed, replicate)

    def _evaluate(self, tables: Integers) -> npt.NDArray[Any]:
        """Values of these tables, times the sign."""
        values = self.run.values
        return self.run.sign * (np.einsum("tij,tij->t", tables, tables) if values is None else values(tables))

    def move(self, level: Any, steps: int) -> None:
        """Make `steps` moves of each table, but none that would not stay above the level."""
        run = self.run
        if run.values is None:
            at_once = max(1, 500_000 // steps)  # tables in a call of 0.1 s, after which Ctrl-C is noticed
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
        """Become copies of these tables in random order, each as often as any other, or once more."""
        parents = np.resize(self.rng.permutation(values.size), self.values.size)
        self.values[:], self.tables[:] = values[parents], tables[parents]

    def move_until_mixed(self, level: Any, steps: int, most: int) -> int:
        """Moves made until neither value nor ``sum n_ij**3`` is correlated with what it was; about `most`."""
        before, made = self._describe(), 0
        while True:
            self.move(level, steps)
            made += steps
            with np.errstate(all="ignore"):  # a feature that does not vary counts as mixed
                alike = [np.corrcoef(x, y)[0, 1] for x, y in zip(before, self._describe(), strict=True)]
            if made >= most or not any(correlation >= 0.5 for correlation in alike):
                return made
            steps = made

    def _describe(self) -> tuple[Floats, Floats]:
        """Two features of tables that the order of rows and columns does not change."""
        return self.values.astype(np.float64), (self.tables.astype(np.float64) ** 3).sum(axis=(1, 2))


def _climb(run: _Run, replicate: int) -> _Climb:
    """Raise the level to the observed value, by the schedule or in a pilot that makes it."""
    population = Population(run, replicate)
    values, tables = population.values, population.tables
    target, passed = run.sign * run.observed, -math.inf if run.values else NO_LEVEL
    if math.isnan(target) or np.isnan(values).any():
        return _Climb(reached=False, log_p=math.nan, schedule=[])
    if run.values is not None:
        target -= bound_tie(target, values)
    enough = max(2, values.size // 10)  # survivors; if there are fewer, rounds of moves add others
    log_p, steps, left = 0.0, run.fewest_steps, run.most_steps
    schedule: list[tuple[float, int]] = []
    for _ in range(MOST_LEVELS):
        ordered = np.sort(values)
        median, below = ordered[(values.size - 1) // 2], ordered[ordered < ordered[-1]]
        if median >= target:
            log_p += math.log(np.count_nonzero(values >= target) / values.size)
            return _Climb(reached=True, log_p=log_p, schedule=schedule)
        level = min(median, below[-1]) if below.size else ordered[-1]  # below it if half are tied at the top
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
        # the last one ended the rounds: to count it too would, on average, give too large a share
        last = 1 if rounds > 1 and count >= enough else 0
        log_p += math.log((count - last) / (rounds * values.size - last))
        population.replace(*map(np.concatenate, zip(*survivors, strict=True)))
        passed = level
        if run.schedule is None:
            least, most = max(steps // 2, run.fewest_steps), MOST_SWEEPS * run.fewest_steps
            steps = population.move_until_mixed(passed, least, most)
            schedule.append((passed, steps))
        else:
            place = bisect_left(run.schedule, (passed, 0))  # as many as the levels next to it needed
            steps = max(needed for _, needed in run.schedule[max(0, place - 1) : place + 1])
            population.move(passed, steps)
        left -= steps
    return _Climb(reached=False, log_p=log_p, schedule=schedule)


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


@forecast_kernel(
    lambda sign, level, steps, rows, columns, factorials, tables, *rest: 4e4 * steps * tables.shape[0]
)
def move_tables(
    sign: int, level: int, steps: int, rows: Integers, columns: Integers, factorials: LogFactorials,
    tables: Integers, values: Integers, words: Words,
) -> None:  # fmt: skip
    """`steps` moves of each table, each made only if `values`, ``sign * T``, stay above the level."""
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
    """One Metropolis step of ``n_ij, n_iq, n_kj, n_kq`` by d, -d, -d, d; ``sign * T`` after it."""
    first, second, stream = draw_pair(rows.size, stream)
    i, k = rows[first], rows[second]
    filled = 0  # columns that are not empty in both rows, which no step changes
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
    d = 1 + int(step)  # the way back is that of the other cell, i and k exchanged
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
    """Two different whole numbers in [0, size), size > 1; any ordered pair is as likely as any other."""
    place, half, stream = draw_below(np.uint64(size), np.uint64(0), stream)
    other, half, stream = draw_below(np.uint64(size - 1), half, stream)
    first, second = np.int64(place), np.int64(other)
    return first, second + np.int64(second >= first), stream
