"""The plan of blocks, joblib, and the streaming reduction; the only file that knows joblib.

A block is a range of table numbers. What it yields depends on the seed and these numbers alone, and the
tallies of blocks add up exactly, so the workers, the blocks and the backend never show in the result.
"""

import dataclasses
import functools
import itertools
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import as_count
from chancecorr.indices.evaluation import (
    IndexEvaluationError,
    link_totals,
    shown,
    total_of_cells,
    value_of_table,
    values_of_pair_sums,
    values_of_tables,
    warn_if_not_compiled,
)
from chancecorr.indices.registry import Index
from chancecorr.null.kernels.pair_sum import sum_squares
from chancecorr.null.partitions import model_pair_sums, plan_model, sample_model_tables, values_of_pairs
from chancecorr.null.permutation import TableSampler, fill_tables, listed_tables, pair_sums
from chancecorr.simulation.tally import Counts, Tally, distinct, merged
from chancecorr.tables.contingency import ContingencyTable

BLOCK_SECONDS = 0.05
"""Aim for a block's work: short enough for Ctrl-C and the progress bar, long enough to hide joblib."""

LARGEST_BLOCK = 65_536
CELLS_AT_A_TIME = 1 << 20
"""Cells of tables laid out at a time within a block: 8 MB."""

BLOCKS_IN_A_LIST = 64
"""Blocks handed at a time to a backend that cannot return them one by one."""

PROGRESS_AFTER_SECONDS = 1.0

PAIR_SUM = "sum n_ij**2"
"""Key of the tally of ``T = sum n_ij**2``, which serves all indices that need pairs."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """What every block of a simulation has in common.

    Attributes
    ----------
    sampler : TableSampler
        How tables are drawn.
    seed : numpy.uint64
        Key of the tables' streams.
    indices : tuple of Index
        What is evaluated on every table. Those that need pairs share one tally, of T.
    model : str
        What is random: see `chancecorr.null.partitions.MODELS`.
    pair_sum_centre : int or None
        Where T is counted from when it serves as a control variate: the values of ``"table"`` and
        ``"labels"`` indices are then tallied together with ``T - pair_sum_centre``.
    """

    sampler: TableSampler
    seed: np.uint64
    indices: tuple[Index, ...]
    model: str = "permutation"
    pair_sum_centre: int | None = None

    def __reduce__(self) -> tuple[Callable[[bytes], "Task"], tuple[bytes]]:
        """Pickle functions by value where they have no module; a worker unpickles and compiles them once."""
        import cloudpickle

        fields = (self.sampler, self.seed, self.indices, self.model, self.pair_sum_centre)
        return _load_task, (cloudpickle.dumps(fields),)


@functools.lru_cache(maxsize=16)
def _load_task(pickled: bytes) -> Task:
    import cloudpickle

    sampler, seed, indices, model, centre = cloudpickle.loads(pickled)
    return Task(sampler=sampler, seed=seed, indices=indices, model=model, pair_sum_centre=centre)


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

    values: npt.NDArray[np.float64]
    beside: npt.NDArray[np.float64] | None
    counts: npt.NDArray[np.int64]


def simulate(
    task: Task,
    n_tables: int,
    *,
    n_jobs: int | None = None,
    block_size: int | None = None,
    progress: bool | None = None,
) -> dict[str, Counts]:
    """Distinct index values with their counts over tables number ``0, ..., n_tables - 1``.

    Parameters
    ----------
    task : Task
        Sampler, seed and indices.
    n_tables : int
        How many tables.
    n_jobs : int, optional
        As in joblib; None means 1 unless `joblib.parallel_config` says otherwise.
    block_size : int, optional
        Tables in a block; left out, about `BLOCK_SECONDS` of work. It never changes the result.
    progress : bool, optional
        Show a progress bar on stderr; None shows it on a terminal when the work takes longer than a second.

    Returns
    -------
    dict
        By index name, ``(values, counts)``, values ascending.

    Raises
    ------
    IndexEvaluationError
        If an index raises or returns something other than a number.
    """
    tallies: dict[str, Tally] = {}
    count_tables(task, tallies, 0, n_tables, n_jobs=n_jobs, block_size=block_size, progress=progress)
    return {
        name: merged(found.values, found.counts) for name, found in joint(task, tallies, n_tables).items()
    }


def count_tables(
    task: Task,
    tallies: dict[str, Tally],
    first: int,
    n_tables: int,
    *,
    n_jobs: int | None = None,
    block_size: int | None = None,
    progress: bool | None = None,
) -> None:
    """Add tables number ``first, ..., first + n_tables - 1`` to the tallies of a run; as `simulate`."""
    for index in task.indices:
        warn_if_not_compiled(index)
    size = min(block_size or _block_size(task), n_tables)
    results = _run(functools.partial(evaluate_block, task), first, n_tables, size, n_jobs)
    for result in _with_progress(results, first, n_tables, size, progress):
        for name, (values, counts) in result.items():
            tallies.setdefault(name, Tally()).add(values, counts)


def evaluate_block(task: Task, first: int, n_tables: int) -> dict[str, Counts]:
    """Distinct values with their counts over one block; what a worker runs."""
    if task.model != "permutation":
        return _evaluate_model(task, first, n_tables)
    sampler, seed = task.sampler, task.seed
    others = [
        _before_link(index)
        for index in task.indices
        if index.needs != "pairs" and _tally_of(task, index) == index.name
    ]
    with_pairs = any(index.needs == "pairs" for index in task.indices)
    if not others:
        return {PAIR_SUM: distinct(pair_sums(sampler, seed, first, n_tables))}
    beside_pair_sum = {index.name for index in others if _is_beside_pair_sum(task, index)}
    listed = sampler.sparse and all(index.needs == "cells" for index in others)
    evaluate = _evaluate_listed if listed else _evaluate_laid_out
    values, sums = evaluate(task, others, with_pairs or bool(beside_pair_sum), first, n_tables)
    result = {}
    for name, found in values.items():
        if name in beside_pair_sum:
            both = np.empty(n_tables, dtype=np.complex128)
            both.real, both.imag = found, sums - (task.pair_sum_centre or 0)
            result[name] = distinct(both)
        else:
            result[name] = distinct(found)
    if with_pairs:
        result[PAIR_SUM] = distinct(sums)
    return result


def _before_link(index: Index) -> Index:
    """An index as it is tallied: a sum over cells before its link, which is for the distinct ones only."""
    if index.needs != "cells":
        return index
    return dataclasses.replace(index, link=None, best=None, undefined=math.nan)


def _evaluate_laid_out(
    task: Task, others: list[Index], with_pairs: bool, first: int, n_tables: int
) -> tuple[dict[str, npt.NDArray[np.float64]], npt.NDArray[np.int64]]:
    """Index values on tables laid out as arrays, as many at a time as stay in the cache."""
    K, Q = task.sampler.shape
    chunk = max(1, CELLS_AT_A_TIME // max(K * Q, 1))
    values = {index.name: np.empty(n_tables) for index in others}
    sums = np.empty(n_tables if with_pairs else 0, dtype=np.int64)
    for start in range(0, n_tables, chunk):
        part = slice(start, min(start + chunk, n_tables))
        tables = np.zeros((part.stop - part.start, K, Q), dtype=np.int64)
        fill_tables(task.sampler, task.seed, first + start, tables)
        if with_pairs:
            sum_squares(tables.reshape(tables.shape[0], K * Q), sums[part])
        for index in others:
            values[index.name][part] = values_of_tables(index, tables, task.sampler.margins)
    return values, sums


def _evaluate_listed(
    task: Task, others: list[Index], with_pairs: bool, first: int, n_tables: int
) -> tuple[dict[str, npt.NDArray[np.float64]], npt.NDArray[np.int64]]:
    """Index values on tables given as lists of their non-empty cells, never touching K*Q cells."""
    margins = task.sampler.margins
    totals = {index.name: np.empty(n_tables) for index in others}
    sums = np.empty(n_tables if with_pairs else 0, dtype=np.int64)
    for t, cells in enumerate(listed_tables(task.sampler, task.seed, first, n_tables)):
        if with_pairs:
            sums[t] = (cells[2] ** 2).sum()
        for index in others:
            totals[index.name][t] = total_of_cells(index, *cells, margins)
    return totals, sums


def _evaluate_model(task: Task, first: int, n_tables: int) -> dict[str, Counts]:
    """Index values under a model in which cluster sizes vary, so that T alone does not tell a pair index."""
    margins = task.sampler.margins
    by_sums = [index for index in task.indices if index.needs == "pairs" and not index.with_totals]
    others = [index for index in task.indices if index not in by_sums]
    values = {index.name: np.empty(n_tables) for index in others}
    if by_sums:
        sums = model_pair_sums(margins, task.model, task.seed, first, n_tables)
        for index in by_sums:
            values[index.name] = values_of_pairs(index, *sums, margins.n)
    if others:
        for t, table in enumerate(sample_model_tables(margins, task.model, n_tables, task.seed, first)):
            cross_classification = ContingencyTable(table)
            for index in others:
                values[index.name][t] = value_of_table(index, cross_classification)
    return {name: distinct(found) for name, found in values.items()}


def _block_size(task: Task) -> int:
    """Tables in about `BLOCK_SECONDS` of work by the sampler's forecast, at most `LARGEST_BLOCK`."""
    nanoseconds = task.sampler.nanoseconds
    if task.model != "permutation":
        nanoseconds = plan_model(task.sampler.margins, task.model).nanoseconds
    size = int(BLOCK_SECONDS * 1e9 / max(nanoseconds, 1.0))
    return min(max(size, 1), LARGEST_BLOCK)


def _run(
    evaluate: Callable[[int, int], dict[str, Counts]],
    first: int,
    n_tables: int,
    size: int,
    n_jobs: int | None,
) -> Iterator[dict[str, Counts]]:
    """Results of the blocks, in their order, from as many workers as joblib gives."""
    blocks = ((first + start, min(size, n_tables - start)) for start in range(0, n_tables, size))
    # Where nothing has imported joblib, nothing has configured it, and None means one worker.
    if n_tables > size and (n_jobs is not None or "joblib" in sys.modules):
        import joblib

        if joblib.effective_n_jobs(n_jobs) > 1:
            calls = (joblib.delayed(evaluate)(*block) for block in blocks)
            try:
                parallel = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
            except ValueError:  # a backend that returns lists only, such as multiprocessing
                while batch := list(itertools.islice(calls, BLOCKS_IN_A_LIST)):
                    yield from joblib.Parallel(n_jobs=n_jobs)(batch)
            else:
                yield from parallel(calls)
            return
    for block in blocks:
        yield evaluate(*block)


def map_in_threads(n_jobs: int | None) -> Callable[[Callable[[int], Any], Iterable[int]], Iterable[Any]]:
    """A `map` that keeps the order and shares the work among as many threads as joblib gives."""
    if n_jobs is None and "joblib" not in sys.modules:
        return map

    def run(function: Callable[[int], Any], numbers: Iterable[int]) -> Iterable[Any]:
        numbers = list(numbers)
        if len(numbers) < 2:
            return map(function, numbers)
        import joblib

        results: list[Any] = joblib.Parallel(n_jobs=n_jobs, require="sharedmem")(
            map(joblib.delayed(function), numbers)
        )
        return results

    return run


def _with_progress(
    results: Iterable[dict[str, Counts]], first: int, n_tables: int, size: int, progress: bool | None
) -> Iterator[dict[str, Counts]]:
    """The results as they come, with a bar on stderr when the work is long or `progress` is True.

    The bar starts at the tables that were counted before.
    """
    if progress is False:
        yield from results
        return
    began = time.monotonic()
    bar: Any = None
    try:
        for block, result in enumerate(results, start=1):
            if bar is None and (progress or time.monotonic() - began > PROGRESS_AFTER_SECONDS):
                shown = bool(progress) or sys.stderr.isatty()
                bar = _progress_bar(first + n_tables, shown=shown, keep=bool(progress))
            if bar is not None:
                bar.update(0, completed=first + min(block * size, n_tables))
            yield result
    finally:
        if bar is not None:
            bar.stop()


def _progress_bar(total: int, *, shown: bool, keep: bool) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("tables"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=not keep,
        disable=not shown,
    )
    bar.add_task("tables", total=total)
    bar.start()
    return bar


def joint(task: Task, tallies: dict[str, Tally], n_tables: int) -> dict[str, Joint]:
    """From the tallies of a run to the values of each index beside its control variate, with counts."""
    margins, centre = task.sampler.margins, task.pair_sum_centre
    found = {}
    for index in task.indices:
        key = _tally_of(task, index)
        seen, counts = tallies[key].result()
        if key == PAIR_SUM:
            sums = seen.astype(np.int64, copy=False)
            try:
                values = values_of_pair_sums(index, sums, margins)
            except IndexEvaluationError as error:
                raise _with_table(error, task, n_tables) from error
            beside = None if centre is None else (sums - centre).astype(np.float64)
        elif index.needs == "cells" and task.model == "permutation":
            values, beside = link_totals(index, seen, margins), seen
        elif _is_beside_pair_sum(task, index):
            values, beside = seen.real, seen.imag
        else:
            values, beside = seen, None
        found[index.name] = Joint(values=values, beside=beside, counts=counts)
    return found


def _tally_of(task: Task, index: Index) -> str:
    """Key of the tally that serves an index: that of T, its own, or of the first with its sum over cells."""
    if task.model != "permutation" or index.needs in ("table", "labels"):
        return index.name
    if index.needs == "pairs":
        return PAIR_SUM
    return next(
        other.name for other in task.indices if other.needs == "cells" and other.function is index.function
    )


def _is_beside_pair_sum(task: Task, index: Index) -> bool:
    """Whether the values of an index are tallied together with T."""
    return task.pair_sum_centre is not None and index.needs in ("table", "labels")


def _with_table(error: IndexEvaluationError, task: Task, n_tables: int) -> IndexEvaluationError:
    """The error with the first table that it happened on, found again by its T."""
    if error.pair_sum is None:
        return error
    sampler = task.sampler
    for first in range(0, n_tables, LARGEST_BLOCK):
        sums = pair_sums(sampler, task.seed, first, min(LARGEST_BLOCK, n_tables - first))
        places = np.flatnonzero(sums == error.pair_sum)
        if places.size:
            table = np.zeros((1, *sampler.shape), dtype=np.int64)
            fill_tables(sampler, task.seed, first + int(places[0]), table)
            return IndexEvaluationError(f"{error} The table: {shown(table[0])}.")
    return error


def as_jobs(n_jobs: int | None) -> int | None:
    """Check `n_jobs`: None, or a whole number other than 0, as joblib takes it."""
    if n_jobs is None:
        return None
    jobs = as_count("n_jobs", n_jobs, minimum=-(2**31))
    if jobs == 0:
        raise ValueError("`n_jobs` must be None or a whole number other than 0; got 0.")
    return jobs
