"""A block of tables in three steps: chunk (in a worker), combine and finalize (in the calling process).

NumPy's logarithms differ in the last bit between processors. A worker therefore returns T, A and B, or
compiled sums over cells; the calling process applies NumPy's functions to them.
"""

import functools
import math
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from chancecorr.exact.summary import merge_equal
from chancecorr.indices.evaluation import evaluate_varying_sums, shown
from chancecorr.indices.evaluation import expect_tables as expect_index
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling import permutation
from chancecorr.sampling.permutation import Sampler, draw_pair_sums, sum_squares
from chancecorr.sampling.sides import (
    RandomSides,
    draw_random_margins,
    draw_random_pair_sums,
    draw_random_tables,
    expect_random_tables,
    forecast_shape,
)
from chancecorr.tables.contingency import ManyMargins, Margins, list_cells

VALUE_AND_PAIR_SUM = np.dtype([("value", np.float64), ("pair_sum", np.int64)])
"""Data type of an index value with the T of its table, minus a constant."""

Values = npt.NDArray[Any]  # index values (float64), values of T (int64), or both (`VALUE_AND_PAIR_SUM`)
# distinct values in ascending order, and the number of times that each was seen
Counts = tuple[Values, Integers]
PAIR_SUM = "sum n_ij**2"  # key of T, which all indices of pairs share; with A and B if margins vary
Kept = dict[str, Counts | Values]  # by key: a tally, or the numbers of the m tables in order, shape (..., m)
MAX_VALUES, BYTES_PER_VALUE = 1 << 24, 400
"""Largest number of distinct values in a tally: more than the default number of tables; bytes for each value,
including the workspace of merging tallies and of computing moments."""

MOST_TABLES_A_BLOCK = 65_536


class Tally:
    """Sorted distinct values and their counts, whatever the order of the additions.

    NaN counts as one value and comes last; -0.0 counts as 0.0. If there are more than `most` distinct values
    with T, the tally drops T and merges equal values. If there are still more, it raises an error.
    """

    def __init__(self, counted: Counts | None = None, *, most: int = MAX_VALUES) -> None:
        self._most = most
        # each run: distinct values and their counts
        self._runs: list[Counts] = [] if counted is None else [counted]
        self._pending = 0 if counted is None else counted[0].size

    def add(self, values: Values, counts: Integers) -> None:
        """Add distinct values with their counts, as `count_distinct` returns them."""
        self._runs.append((values, counts))
        self._pending += values.size
        # Merging only when the pending values outnumber the merged ones keeps the whole cost O(m log m).
        before = self._runs[0][0].size
        if self._pending > max(before + min(before, self._most // 2), 1 << 16):
            self._merge()

    def result(self) -> Counts:
        """Return the distinct values in ascending order, and their counts."""
        if not self._runs:
            return np.empty(0), np.empty(0, dtype=np.int64)
        self._merge()
        return self._runs[0]

    def check(self, columns: int) -> None:
        """Raise if the values are not distinct and in ascending order, or a count is below 1."""
        for values, counts in self._runs:
            are_of_kind = values.dtype in (np.dtype(np.float64), np.dtype(np.int64), VALUE_AND_PAIR_SUM)
            if not are_of_kind or values.ndim != 1 or counts.shape != values.shape:
                raise ValueError("A tally must be values with their counts.")
            of_pairs = values.dtype.names is not None
            of_index = values["value"] if of_pairs else values
            before, after = of_index[:-1], of_index[1:]
            is_more = (after > before) | (np.isnan(after) & ~np.isnan(before))
            if of_pairs:  # one value may have several T
                is_more |= ~(after < before) & (np.diff(values["pair_sum"]) > 0)
            if not is_more.all() or (counts < 1).any():
                raise ValueError("A tally must have distinct values in ascending order, each with a count.")

    def _merge(self) -> None:
        """Merge all runs into one."""
        runs = self._runs
        values, counts = runs[0]
        if len(runs) > 1:
            if any(values.dtype == np.float64 for values, _ in runs):
                runs = [(x["value"] if x.dtype.names else x, counts) for x, counts in runs]
            values, counts = merge_equal(*(np.concatenate(parts) for parts in zip(*runs, strict=True)))
        if values.size > self._most and values.dtype.names:
            values, counts = merge_equal(values["value"], counts)
        if values.size > self._most:
            raise TooCostlyError(
                "n_tables",
                f"must be fewer: an index has more than {self._most:,} distinct values on the tables so far,"
                " and all are held. Ask for fewer tables, or give `Budget(bytes=)` more room.",
                "budget",
            )
        # One assignment: if Ctrl-C comes before it, no value is lost and none is counted twice.
        self._runs = [(values, counts)]
        self._pending = values.size


class Record(Tally):
    """The numbers of draws, one row for each draw, in the order of the draws; each count is 1."""

    def check(self, columns: int) -> None:
        """Raise if the numbers are not one row of `columns` numbers for each draw."""
        for values, counts in self._runs:
            is_row_each = values.shape == (counts.size, columns) and counts.ndim == 1
            if values.dtype != np.float64 or not is_row_each or (counts != 1).any():
                raise ValueError("A record must have one row of numbers for each draw.")

    def _merge(self) -> None:
        """Join all runs into one."""
        values, counts = (np.concatenate(parts) for parts in zip(*self._runs, strict=True))
        self._runs, self._pending = [(values, counts)], values.size


def count_distinct(values: Values) -> Counts:
    """Return the distinct values in ascending order with their counts."""
    distinct, counts = np.unique(values + 0, return_counts=True)
    return distinct, counts.astype(np.int64)


def count_distinct_pairs(values: Floats, pair_sums: Integers) -> Counts:
    """Return the distinct pairs of value and T in ascending order, and their counts."""
    both = np.empty(values.size, dtype=VALUE_AND_PAIR_SUM)
    both["value"], both["pair_sum"] = values + 0, pair_sums
    return merge_equal(both, np.ones(values.size, dtype=np.int64))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reduction:
    """How a block reduces its tables for an index; the index's kind decides."""

    index: Index
    key: str  # key of the tally, which indices may share; `PAIR_SUM` if only T is kept
    # function from tables (m, K, Q) to m numbers
    chunk: Callable[[Integers, Margins | ManyMargins], Floats] | None = None
    # function from rows, columns and counts of the non-empty cells of m tables, and the end of each table's
    # cells, to m numbers
    chunk_listed: Callable[[Integers, Integers, Integers, Integers, Margins | ManyMargins], Floats] | None = (
        None
    )
    listed_from: int = 0  # `chunk_listed` is faster than `chunk` for tables of at least this number of cells
    # function from these numbers to index values; None if the numbers are the index values
    finalize: Callable[[Values, Margins | ManyMargins], Floats] | None = None
    with_pair_sum: bool = False  # whether T is tallied with the numbers as a control variate


class Task(NamedTuple):
    """The part of a simulation that is the same for all blocks."""

    sampler: Sampler  # with the margins of the data
    seed: np.uint64
    reductions: tuple[Reduction, ...]
    sides: RandomSides | None = (
        None  # random sizes of the sides; None: all tables have the margins of the sampler
    )
    pair_sum_centre: int = 0  # subtracted from T if T is tallied with the values of an index
    most_values: int = MAX_VALUES  # largest number of distinct values in a tally


class ByValue:
    """A function of a block, pickled once by value, with all code that it calls in a notebook or script."""

    def __init__(self, function: Callable[[int, int], Any]) -> None:
        self._function, self._pickled = function, b""

    def __call__(self, first: int, count: int) -> Any:
        """Return the result of the block of `count` numbers, the first number being `first`."""
        return self._function(first, count)

    def __reduce__(self) -> tuple[Callable[[bytes], "ByValue"], tuple[bytes]]:
        import cloudpickle

        self._pickled = self._pickled or cloudpickle.dumps(self._function)
        return _load, (self._pickled,)


@functools.lru_cache(maxsize=4)
def _load(pickled: bytes) -> ByValue:
    """Load a function in a worker: one object for all blocks, so that its kernels compile once."""
    return ByValue(pickle.loads(pickled))


class Joint(NamedTuple):
    """Index values with their control variates, and the count of each pair, shape (v,) each."""

    values: Floats  # equal values may recur with different controls
    covariate: Floats | None  # T minus `Task.pair_sum_centre`, or the sum over cells before the `link`
    counts: Integers
    pair_sums: Integers | None = None  # T, if it determines the index
    excess: Floats | None = None  # value minus observed value before rounding, for models whose values tie


class Evaluated(NamedTuple):
    """The result of a block: its first table, its number of tables, and the kept numbers or tallies."""

    first: int
    n_tables: int
    kept: Kept


def evaluate_block(task: Task, first: int, n_tables: int) -> Evaluated:
    """Evaluate the tables of one block, in a worker."""
    reduce_tables = _reduce_fixed if task.sides is None else _reduce_varying
    return Evaluated(first, n_tables, reduce_tables(task, first, n_tables))


def _reduce_fixed(task: Task, first: int, n_tables: int) -> Kept:
    """Return the tallies of a block under a model with fixed margins."""
    # of several reductions with one key, the first
    reductions = {item.key: item for item in reversed(task.reductions)}
    others = {key: reduction for key, reduction in reductions.items() if key != PAIR_SUM}
    if not others:
        return {PAIR_SUM: count_distinct(draw_pair_sums(task.sampler, task.seed, first, n_tables))}
    numbers = {key: np.empty(n_tables) for key in others}
    sums = np.empty(n_tables, dtype=np.int64)
    if _is_listed(task):  # only the non-empty cells are used, never all K*Q cells
        for part, listed in permutation.draw_listed_tables(task.sampler, task.seed, first, n_tables):
            sums[part] = listed.sum_squares()
            for key, reduction in others.items():
                if reduction.chunk_listed is not None:
                    numbers[key][part] = reduction.chunk_listed(*listed, task.sampler.margins)
    else:
        K, Q = task.sampler.shape
        at_once = min(task.sampler.at_once, n_tables)  # the number of tables that fit into the cache
        room = np.zeros((at_once, K, Q), dtype=np.int64)
        for done in range(0, n_tables, at_once):
            part = slice(done, done + at_once)
            tables = room[: sums[part].size]
            permutation.draw_tables(task.sampler, task.seed, first + done, tables)
            sums[part] = sum_squares(tables)
            for key, reduction in others.items():
                if reduction.chunk is not None:
                    numbers[key][part] = reduction.chunk(tables, task.sampler.margins)
    kept: Kept = {
        key: count_distinct_pairs(values, sums - task.pair_sum_centre)
        if others[key].with_pair_sum
        else count_distinct(values)
        for key, values in numbers.items()
    }
    if PAIR_SUM in reductions:
        kept[PAIR_SUM] = count_distinct(sums)
    return kept


def _is_listed(task: Task) -> bool:
    """Return True if all indices accept lists of non-empty cells, and these are few."""
    cells = math.prod(task.sampler.shape)
    return task.sampler.sparse and all(
        reduction.chunk_listed and reduction.listed_from <= cells
        for reduction in task.reductions
        if reduction.key != PAIR_SUM
    )


def expect_tables(task: Task, n_tables: int) -> None:
    """Announce that `n_tables` tables will be drawn and evaluated, to decide whether to compile."""
    shape = task.sampler.shape
    listed = task.sampler.margins.n if _is_listed(task) else 0
    if task.sides is None:
        permutation.expect_tables(task.sampler, n_tables)
    else:
        expect_random_tables(task.sampler.margins, task.sides, n_tables)
        shape = forecast_shape(task.sampler.margins, task.sides)
    for reduction in task.reductions:
        if reduction.key != PAIR_SUM:
            expect_index(reduction.index, shape, n_tables, listed=listed)


def _reduce_varying(task: Task, first: int, n_tables: int) -> Kept:
    """Return the tallies, or the numbers of each table in order, under a model with random cluster sizes."""
    assert task.sides is not None
    what = task.sampler.margins, task.sides, n_tables, task.seed, first
    reductions = {item.key: item for item in task.reductions if item.key != PAIR_SUM}
    numbers = {key: np.empty(n_tables) for key in reductions}
    for places, margins, tables in draw_random_tables(*what) if reductions else ():
        for key, reduction in reductions.items():
            chunk, chunk_listed, cells = reduction.chunk, reduction.chunk_listed, math.prod(tables.shape)
            if not isinstance(tables, np.ndarray) and chunk_listed and reduction.listed_from <= cells:
                ends = np.array([0, tables.nnz])
                numbers[key][places] = chunk_listed(*list_cells(tables), ends, margins.select(0))
            elif chunk is not None:
                laid_out = tables if isinstance(tables, np.ndarray) else tables.toarray()[np.newaxis]
                numbers[key][places] = chunk(laid_out, margins)
    kept: Kept = {
        key: count_distinct(values) if reductions[key].finalize is None else values
        for key, values in numbers.items()
    }
    if any(reduction.key == PAIR_SUM for reduction in task.reductions):
        kept[PAIR_SUM] = np.array(draw_random_pair_sums(*what))
    return kept


def combine(task: Task, block: Evaluated, tallies: dict[str, Tally]) -> None:
    """Add the results of a block to the tallies of a run, in the calling process; create missing tallies."""
    kept = block.kept if task.sides is None else _finalize(task, block)
    for key, (values, counts) in cast(dict[str, Counts], kept).items():
        tallies.setdefault(key, Tally(most=task.most_values)).add(values, counts)


def _finalize(task: Task, block: Evaluated) -> dict[str, Counts]:
    """Return tallies of index values by name if margins vary; redraw the margins if indices need them."""
    values: dict[str, Floats] = {}
    tallies: dict[str, Counts] = {}
    by_margins = []
    for reduction in task.reductions:
        name, numbers = reduction.index.name, block.kept[reduction.key]
        if isinstance(numbers, tuple):
            tallies[name] = numbers
        elif reduction.key == PAIR_SUM and not reduction.index.with_totals:
            T, A, B = numbers
            values[name] = evaluate_varying_sums(reduction.index, T, A, B, task.sampler.margins.n)
        elif reduction.finalize is not None:
            values[name] = np.empty(block.n_tables)
            of_tables = numbers[0] if reduction.key == PAIR_SUM else numbers  # T is the first of T, A and B
            by_margins.append((values[name], reduction.finalize, of_tables))
    if by_margins:
        assert task.sides is not None
        what = task.sampler.margins, task.sides, block.n_tables, task.seed, block.first
        for places, margins in draw_random_margins(*what):
            for out, finalize, of_tables in by_margins:
                out[places] = finalize(of_tables[places], margins)
    return tallies | {name: count_distinct(of_index) for name, of_index in values.items()}


def find_first_table(task: Task, pair_sum: int, n_tables: int) -> str | None:
    """Return the first table with this T as text for a message, or None."""
    sampler = task.sampler
    for first in range(0, n_tables, MOST_TABLES_A_BLOCK):
        sums = draw_pair_sums(sampler, task.seed, first, min(MOST_TABLES_A_BLOCK, n_tables - first))
        places = np.flatnonzero(sums == pair_sum)
        if places.size:
            table = np.zeros((1, *sampler.shape), dtype=np.int64)
            permutation.draw_tables(sampler, task.seed, first + int(places[0]), table)
            return shown(table[0])
    return None
