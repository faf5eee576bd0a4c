"""What a block of tables is asked, and what it gives back: distinct values with their counts.

A block is a range of table numbers. What it yields depends on the seed and these numbers alone, and the
tallies of blocks add up exactly, so the workers, the blocks and the backend never show in the result.

NumPy has other logarithms for other processors, which differ in the last bit. So a worker keeps whole numbers
where they tell an index, or its sum over cells, which is compiled; functions that work on arrays are called
by the process that asked.
"""

import functools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np

from chancecorr.indices.evaluation import shown
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.kernels.lanes import LANES
from chancecorr.null.kernels.pair_sum import sum_squares
from chancecorr.null.models import Model
from chancecorr.null.partitions import model_pair_sums, model_tables, sample_model_margins
from chancecorr.null.permutation import (
    TableSampler,
    fill_tables,
    listed_tables,
    pair_sums,
    workspace,
)
from chancecorr.simulation.digest import Digests, check_digests, digests_by_name
from chancecorr.simulation.tally import MOST_VALUES, Counts, Values, distinct, distinct_pairs
from chancecorr.tables.contingency import ContingencyTable, Margins

CELLS_IN_CACHE = 40_960
"""Cells of tables laid out at a time within a block: 320 KB, which a second-level cache holds."""

MOST_CELLS = 1 << 24
"""Cells laid out so that as many tables as are drawn side by side have room: 128 MB. One by one, tables of a
million cells take five times as long."""

LARGEST_BLOCK = 65_536

PAIR_SUM = "sum n_ij**2"
"""Key of ``T = sum n_ij**2``, which serves all indices that need pairs, with A and B where margins vary."""

Kept = dict[str, Counts | Values]
"""What a worker keeps of a block, by key: a tally, or numbers of the m tables in order, shape (..., m)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reduction:
    """What a block keeps of its tables for an index; the index's kind says what, and reads it again.

    Attributes
    ----------
    index : Index
        Whose values are wanted in the end.
    key : str
        Name of the tally; indices that can share one have the same.
    of_tables : callable or None
        ``of_tables(tables, margins)``: a number for each of the tables (m, K, Q) with these margins. None
        where T is all that is kept.
    of_cells : callable or None
        ``of_cells(rows, columns, counts, margins)``: the same of one table given as its non-empty cells,
        where the index can be had from them.
    of_table : callable or None
        ``of_table(table)``: a number for one ContingencyTable, for models in which margins vary. None where
        T, A and B are kept.
    of_sums : callable or None
        ``of_sums(T, A, B, n)``: values from sums of squares, where they tell the index under such models.
    of_kept : callable or None
        ``of_kept(numbers, margins)``: values from T, or from the numbers of `of_table`, of tables with these
        margins, under such models. None where `of_table` gives the values.
    beside_pair_sum : bool
        Whether the numbers are tallied together with T, which then serves as a control variate.
    """

    index: Index
    key: str
    of_tables: Callable[[Integers, Margins], Floats] | None = None
    of_cells: Callable[[Integers, Integers, Integers, Margins], float] | None = None
    of_table: Callable[[ContingencyTable], float] | None = None
    of_sums: Callable[[Integers, Integers, Integers, int], Floats] | None = None
    of_kept: Callable[[Values, Margins], Floats] | None = None
    beside_pair_sum: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """What every block of a simulation has in common.

    The sampler serves a model that keeps the margins. T is counted from `pair_sum_centre` where it is tallied
    beside the values of an index. Tallies hold so many distinct values as they are; see `Tally`. A worker's
    task has the digests of the functions that it must find in its modules.
    """

    sampler: TableSampler
    seed: np.uint64
    reductions: tuple[Reduction, ...]
    model: Model
    pair_sum_centre: int = 0
    most_values: int = MOST_VALUES
    digests: Digests = ()

    def __reduce__(self) -> tuple[Callable[[bytes], "Task"], tuple[bytes]]:
        """Functions are pickled by value where they have no module."""
        import cloudpickle

        fields = {name: getattr(self, name) for name in self.__slots__}
        fields["digests"] = digests_by_name(each.index for each in self.reductions)
        return _load_task, (cloudpickle.dumps(fields),)


@functools.lru_cache(maxsize=16)
def _load_task(pickled: bytes) -> Task:
    """Task in a worker, one object for all blocks, so that its functions are compiled once."""
    import cloudpickle

    return Task(**cloudpickle.loads(pickled))


class Joint(NamedTuple):
    """Index values, each with what may serve as its control variate, and how often the two were seen.

    Attributes
    ----------
    values : ndarray of float64, shape (v,)
        Values of the index; equal ones may recur beside different controls.
    beside : ndarray of float64, shape (v,), or None
        T less `Task.pair_sum_centre`, or the sum over cells before the `link`; None where not tallied.
    counts : ndarray of int64, shape (v,)
        Numbers of tables.
    rounding : float
        No value is off by more, as far as the index ascends or descends within the step of a tally; 0 where
        they are as they were.
    pair_sums : ndarray of int64, shape (v,), or None
        T, if the index rises or falls strictly with it.
    """

    values: Floats
    beside: Floats | None
    counts: Integers
    rounding: float = 0.0
    pair_sums: Integers | None = None


class Evaluated(NamedTuple):
    """What a block gave.

    Attributes
    ----------
    first : int
        Number of the first table.
    kept : dict
        What is kept of the tables, by key.
    n_tables : int
        Tables that were evaluated.
    seconds : float
        Time that it took, in the process that did it.
    """

    first: int
    kept: Kept
    n_tables: int
    seconds: float


def evaluate_block(task: Task, first: int, n_tables: int, seconds: float = math.inf) -> Evaluated:
    """What is kept of the tables of one block; what a worker runs.

    The block ends after its first tables where these take so many seconds, save where T alone is kept: its
    time the sampler knows. At least one table is evaluated.
    """
    check_digests(task.digests)
    clock = _Clock(seconds)
    evaluate = _evaluate_fixed if task.model.keeps_margins else _evaluate_varying
    kept, done = evaluate(task, first, n_tables, clock)
    return Evaluated(first, kept, done, clock.seconds)


def is_only_sampled(task: Task) -> bool:
    """Whether blocks keep sums of squares alone, so that the sampler's forecast tells their time."""
    if task.model.keeps_margins:
        return all(each.of_tables is None for each in task.reductions)
    return all(each.key == PAIR_SUM for each in task.reductions)


class _Clock:
    """The time since a block was begun, and what is left of the time that it may take."""

    def __init__(self, limit: float) -> None:
        self._began, self._limit = time.perf_counter(), limit
        self._last = self._began

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._began

    @property
    def is_over(self) -> bool:
        return self.seconds >= self._limit

    def tables(self, n_tables: int, most: int) -> int:
        """How many tables to evaluate next, after so many since this was asked last; 0 where time is over."""
        if math.isinf(self._limit):
            return most
        now = time.perf_counter()
        left, took = self._limit - (now - self._began), now - self._last
        self._last = now
        if not n_tables:
            return 1
        return max(1, min(most, int(left * n_tables / max(took, 1e-9)))) if left > 0 else 0


def _evaluate_fixed(task: Task, first: int, n_tables: int, clock: _Clock) -> tuple[Kept, int]:
    """Values, and how many tables they are of, under a model in which all tables have the same margins."""
    kept = {each.key: each for each in reversed(task.reductions)}  # of those that share a tally, the first
    others = [each for each in kept.values() if each.of_tables is not None]
    if not others:
        return {PAIR_SUM: distinct(pair_sums(task.sampler, task.seed, first, n_tables))}, n_tables
    with_pair_sums = len(others) < len(kept) or any(each.beside_pair_sum for each in others)
    listed = task.sampler.sparse and all(each.of_cells is not None for each in others)
    evaluate = _evaluate_listed if listed else _evaluate_laid_out
    values, sums, done = evaluate(task, others, with_pair_sums, first, n_tables, clock)
    sums = sums[:done]
    result: Kept = {}
    for each in others:
        found = values[each.key][:done]
        result[each.key] = (
            distinct_pairs(found, sums - task.pair_sum_centre) if each.beside_pair_sum else distinct(found)
        )
    if len(others) < len(kept):
        result[PAIR_SUM] = distinct(sums)
    return result, done


def tables_at_once(cells: int) -> int:
    """How many tables of so many cells are laid out at a time within a block."""
    cells = max(cells, 1)
    return max(1, CELLS_IN_CACHE // cells, min(LANES, MOST_CELLS // cells))


def _evaluate_laid_out(
    task: Task, reductions: list[Reduction], with_pair_sums: bool, first: int, n_tables: int, clock: _Clock
) -> tuple[dict[str, Floats], Integers, int]:
    """Numbers of tables laid out as arrays, as many at a time as stay in the cache, T, and their number."""
    K, Q = task.sampler.shape
    chunk = tables_at_once(K * Q)
    values = {each.key: np.empty(n_tables) for each in reductions}
    sums = np.empty(n_tables if with_pair_sums else 0, dtype=np.int64)
    room = np.zeros((min(chunk, n_tables), K, Q), dtype=np.int64)
    work = workspace(task.sampler)
    done = last = 0
    while done < n_tables and (last := clock.tables(last, min(chunk, n_tables - done))):
        part = slice(done, done + last)
        tables = room[:last]
        fill_tables(task.sampler, task.seed, first + done, tables, work)
        if with_pair_sums:
            sum_squares(tables.reshape(tables.shape[0], K * Q), sums[part])
        for each in reductions:
            if each.of_tables is not None:
                values[each.key][part] = each.of_tables(tables, task.sampler.margins)
        done += last
    return values, sums, done


def _evaluate_listed(
    task: Task, reductions: list[Reduction], with_pair_sums: bool, first: int, n_tables: int, clock: _Clock
) -> tuple[dict[str, Floats], Integers, int]:
    """Numbers of tables listed by their non-empty cells, never touching K*Q cells, T, and their number."""
    values = {each.key: np.empty(n_tables) for each in reductions}
    sums = np.empty(n_tables if with_pair_sums else 0, dtype=np.int64)
    done = 0
    for t, cells in enumerate(listed_tables(task.sampler, task.seed, first, n_tables)):
        if with_pair_sums:
            sums[t] = (cells[2] ** 2).sum()
        for each in reductions:
            if each.of_cells is not None:
                values[each.key][t] = each.of_cells(*cells, task.sampler.margins)
        done = t + 1
        if clock.is_over:
            break
    return values, sums, done


def _evaluate_varying(task: Task, first: int, n_tables: int, clock: _Clock) -> tuple[Kept, int]:
    """Numbers of tables under a model in which cluster sizes vary, so that T alone tells no pair index.

    Those that are not the values yet are in the order of the tables.
    """
    margins, model = task.sampler.margins, task.model
    reductions = {each.key: each for each in reversed(task.reductions)}
    result: Kept = {}
    of_table = {key: each.of_table for key, each in reductions.items() if each.of_table is not None}
    done = n_tables
    if of_table:
        numbers = {key: np.empty(n_tables) for key in of_table}
        for t, table in enumerate(model_tables(margins, model, n_tables, task.seed, first)):
            for key, number in of_table.items():
                numbers[key][t] = number(table)
            done = t + 1
            if clock.is_over:
                break
        for key, found in numbers.items():
            found = found[:done]
            result[key] = distinct(found) if reductions[key].of_kept is None else found
    if PAIR_SUM in reductions:
        result[PAIR_SUM] = np.array(model_pair_sums(margins, model, task.seed, first, done))
    return result, done


def tallies_of_block(task: Task, first: int, n_tables: int, kept: Kept) -> dict[str, Counts]:
    """Distinct values with their counts, by key, from what a worker kept; what the process that asked runs.

    Where margins vary they are index values, by the name of the index: the cluster sizes are drawn again for
    the indices that need them.
    """
    if task.model.keeps_margins:
        return cast(dict[str, Counts], kept)
    margins = task.sampler.margins
    values, by_margins, result = {}, [], {}
    for each in task.reductions:
        found = kept[each.key]
        if isinstance(found, tuple):
            result[each.index.name] = found
        elif each.of_sums is not None:
            T, A, B = found
            values[each.index.name] = each.of_sums(T, A, B, margins.n)
        elif each.of_kept is not None:
            values[each.index.name] = np.empty(n_tables)
            numbers = found[0] if each.key == PAIR_SUM else found  # T, of T, A and B
            by_margins.append((each.index.name, each.of_kept, numbers))
    if by_margins:
        sizes = sample_model_margins(margins, task.model, n_tables, task.seed, first)
        for t, drawn in enumerate(sizes):
            for name, of_kept, numbers in by_margins:
                values[name][t] = of_kept(numbers[t : t + 1], drawn)[0]
    return result | {name: distinct(found) for name, found in values.items()}


def first_table_with(task: Task, pair_sum: int, n_tables: int) -> str | None:
    """The first of the tables with this T, as text for a message."""
    sampler = task.sampler
    for first in range(0, n_tables, LARGEST_BLOCK):
        sums = pair_sums(sampler, task.seed, first, min(LARGEST_BLOCK, n_tables - first))
        places = np.flatnonzero(sums == pair_sum)
        if places.size:
            table = np.zeros((1, *sampler.shape), dtype=np.int64)
            fill_tables(sampler, task.seed, first + int(places[0]), table)
            return shown(table[0])
    return None
