"""What a block of tables is asked, and what it gives back: distinct values with their counts.

A block is a range of table numbers. What it yields depends on the seed and these numbers alone, and the
tallies of blocks add up exactly, so the workers, the blocks and the backend never show in the result.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from chancecorr.compiled import Floats, Integers
from chancecorr.indices.evaluation import shown
from chancecorr.indices.registry import Index
from chancecorr.null.kernels.lanes import LANES
from chancecorr.null.kernels.pair_sum import sum_squares
from chancecorr.null.models import Model
from chancecorr.null.partitions import model_pair_sums, model_tables
from chancecorr.null.permutation import (
    TableSampler,
    fill_tables,
    listed_tables,
    pair_sums,
    workspace,
)
from chancecorr.simulation.tally import Counts, distinct, distinct_pairs
from chancecorr.tables.contingency import ContingencyTable, Margins

CELLS_IN_CACHE = 40_960
"""Cells of tables laid out at a time within a block: 320 KB, which a second-level cache holds."""

MOST_CELLS = 1 << 20
"""Cells laid out so that as many tables as are drawn side by side have room: 8 MB."""

LARGEST_BLOCK = 65_536

PAIR_SUM = "sum n_ij**2"
"""Key of the tally of ``T = sum n_ij**2``, which serves all indices that need pairs."""


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
    of_table : callable
        ``of_table(table)``: value of the index on one ContingencyTable, for models in which margins vary.
    of_sums : callable or None
        ``of_sums(T, A, B, n)``: values from sums of squares, where they tell the index under such models.
    beside_pair_sum : bool
        Whether the numbers are tallied together with T, which then serves as a control variate.
    """

    index: Index
    key: str
    of_tables: Callable[[Integers, Margins], Floats] | None = None
    of_cells: Callable[[Integers, Integers, Integers, Margins], float] | None = None
    of_table: Callable[[ContingencyTable], float]
    of_sums: Callable[[Integers, Integers, Integers, int], Floats] | None = None
    beside_pair_sum: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """What every block of a simulation has in common.

    The sampler serves a model that keeps the margins. T is counted from `pair_sum_centre` where it is tallied
    beside the values of an index.
    """

    sampler: TableSampler
    seed: np.uint64
    reductions: tuple[Reduction, ...]
    model: Model
    pair_sum_centre: int = 0

    def __reduce__(self) -> tuple[Callable[[bytes], "Task"], tuple[bytes]]:
        """Pickle functions by value where they have no module; a worker unpickles and compiles them once."""
        import cloudpickle

        fields = {name: getattr(self, name) for name in self.__slots__}
        return _load_task, (cloudpickle.dumps(fields),)


@functools.lru_cache(maxsize=16)
def _load_task(pickled: bytes) -> Task:
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
    """

    values: Floats
    beside: Floats | None
    counts: Integers


def evaluate_block(task: Task, first: int, n_tables: int) -> dict[str, Counts]:
    """Distinct values with their counts over one block, by key; what a worker runs."""
    if not task.model.keeps_margins:
        return _evaluate_varying(task, first, n_tables)
    kept = {each.key: each for each in reversed(task.reductions)}  # of those that share a tally, the first
    others = [each for each in kept.values() if each.of_tables is not None]
    if not others:
        return {PAIR_SUM: distinct(pair_sums(task.sampler, task.seed, first, n_tables))}
    with_pair_sums = len(others) < len(kept) or any(each.beside_pair_sum for each in others)
    listed = task.sampler.sparse and all(each.of_cells is not None for each in others)
    evaluate = _evaluate_listed if listed else _evaluate_laid_out
    values, sums = evaluate(task, others, with_pair_sums, first, n_tables)
    result = {}
    for each in others:
        found = values[each.key]
        result[each.key] = (
            distinct_pairs(found, sums - task.pair_sum_centre) if each.beside_pair_sum else distinct(found)
        )
    if len(others) < len(kept):
        result[PAIR_SUM] = distinct(sums)
    return result


def _evaluate_laid_out(
    task: Task, reductions: list[Reduction], with_pair_sums: bool, first: int, n_tables: int
) -> tuple[dict[str, Floats], Integers]:
    """Numbers of tables laid out as arrays, as many at a time as stay in the cache, and T."""
    K, Q = task.sampler.shape
    cells = max(K * Q, 1)
    chunk = max(1, CELLS_IN_CACHE // cells, min(LANES, MOST_CELLS // cells))
    values = {each.key: np.empty(n_tables) for each in reductions}
    sums = np.empty(n_tables if with_pair_sums else 0, dtype=np.int64)
    room = np.zeros((min(chunk, n_tables), K, Q), dtype=np.int64)
    work = workspace(task.sampler)
    for start in range(0, n_tables, chunk):
        part = slice(start, min(start + chunk, n_tables))
        tables = room[: part.stop - part.start]
        fill_tables(task.sampler, task.seed, first + start, tables, work)
        if with_pair_sums:
            sum_squares(tables.reshape(tables.shape[0], K * Q), sums[part])
        for each in reductions:
            if each.of_tables is not None:
                values[each.key][part] = each.of_tables(tables, task.sampler.margins)
    return values, sums


def _evaluate_listed(
    task: Task, reductions: list[Reduction], with_pair_sums: bool, first: int, n_tables: int
) -> tuple[dict[str, Floats], Integers]:
    """Numbers of tables given as lists of their non-empty cells, never touching K*Q cells, and T."""
    values = {each.key: np.empty(n_tables) for each in reductions}
    sums = np.empty(n_tables if with_pair_sums else 0, dtype=np.int64)
    for t, cells in enumerate(listed_tables(task.sampler, task.seed, first, n_tables)):
        if with_pair_sums:
            sums[t] = (cells[2] ** 2).sum()
        for each in reductions:
            if each.of_cells is not None:
                values[each.key][t] = each.of_cells(*cells, task.sampler.margins)
    return values, sums


def _evaluate_varying(task: Task, first: int, n_tables: int) -> dict[str, Counts]:
    """Index values under a model in which cluster sizes vary, so that T alone does not tell a pair index."""
    margins, n = task.sampler.margins, task.sampler.margins.n
    values = {}
    others = []
    sums = None
    for each in task.reductions:
        if each.of_sums is None:
            others.append(each)
            values[each.index.name] = np.empty(n_tables)
        else:
            sums = sums or model_pair_sums(margins, task.model, task.seed, first, n_tables)
            values[each.index.name] = each.of_sums(*sums, n)
    if others:
        for t, table in enumerate(model_tables(margins, task.model, n_tables, task.seed, first)):
            for each in others:
                values[each.index.name][t] = each.of_table(table)
    return {name: distinct(found) for name, found in values.items()}


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
