"""Who evaluates the blocks: the only file that knows joblib."""

import contextlib
import functools
import itertools
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from chancecorr.arguments import ArgumentValueError, as_count
from chancecorr.null.partitions import forecast_table
from chancecorr.simulation.progress import progress_over
from chancecorr.simulation.tally import Counts, Tally
from chancecorr.simulation.task import LARGEST_BLOCK, Task, evaluate_block

BLOCK_SECONDS = 0.05
"""Aim for a block's work: short enough for Ctrl-C and the progress bar, long enough to hide joblib."""

BLOCKS_IN_A_LIST = 64
"""Blocks handed at a time to a backend that cannot return them one by one."""

T = TypeVar("T")
R = TypeVar("R")


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
    """Add tables number ``first, ..., first + n_tables - 1`` to the tallies of a run; missing ones are made.

    An `n_jobs` of None means 1 unless `joblib.parallel_config` says otherwise. The tables of a block, left
    out about `BLOCK_SECONDS` of work, never change the result. A `progress` of None shows the bar on a
    terminal when the work takes longer than a second.
    """
    size = min(block_size or _block_size(task), n_tables)
    names = [each.index.name for each in task.reductions]
    # Closed at once where the call is left early, as at Ctrl-C, so that no worker goes on for nobody.
    with contextlib.closing(
        _run(functools.partial(evaluate_block, task), first, n_tables, size, n_jobs, names)
    ) as results:
        for result in _with_progress(results, first, n_tables, size, progress):
            for key, (values, counts) in result.items():
                tallies.setdefault(key, Tally()).add(values, counts)


def _block_size(task: Task) -> int:
    """Tables in about `BLOCK_SECONDS` of work by the sampler's forecast, at most `LARGEST_BLOCK`."""
    nanoseconds = task.sampler.nanoseconds
    if not task.model.keeps_margins:
        nanoseconds = forecast_table(task.sampler.margins, task.model)
    size = int(BLOCK_SECONDS * 1e9 / max(nanoseconds, 1.0))
    return min(max(size, 1), LARGEST_BLOCK)


def _run(
    evaluate: Callable[[int, int], dict[str, Counts]],
    first: int,
    n_tables: int,
    size: int,
    n_jobs: int | None,
    names: Sequence[str],
) -> Generator[dict[str, Counts]]:
    """Results of the blocks, in their order, or as they come from as many workers as joblib gives."""
    blocks = ((first + start, min(size, n_tables - start)) for start in range(0, n_tables, size))
    # Where nothing has imported joblib, nothing has configured it, and None means one worker.
    if n_tables > size and (n_jobs is not None or "joblib" in sys.modules):
        import joblib

        from chancecorr.simulation.dask_client import evaluate_on_cluster, is_dask  # it imports asyncio

        backend, _ = joblib.parallel.get_active_backend()
        if n_jobs != 1 and is_dask(backend):
            yield from evaluate_on_cluster(backend, evaluate, blocks, names)
            return
        jobs = joblib.effective_n_jobs(n_jobs)
        # Ray's backend is derived from this one, and is another.
        if jobs > 1 and type(backend) is joblib.parallel.BACKENDS.get("multiprocessing"):
            from chancecorr.simulation.process_pool import evaluate_in_processes

            yield from evaluate_in_processes(evaluate, blocks, jobs, names)
            return
        if jobs > 1:
            calls = (joblib.delayed(evaluate)(*block) for block in blocks)
            try:
                parallel = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
            except ValueError:  # a backend that returns lists only, such as Ray's
                while batch := list(itertools.islice(calls, BLOCKS_IN_A_LIST)):
                    yield from joblib.Parallel(n_jobs=n_jobs)(batch)
            else:
                yield from _closed_quietly(parallel(calls))
            return
    for block in blocks:
        yield evaluate(*block)


def _closed_quietly(results: Generator[dict[str, Counts]]) -> Iterator[dict[str, Counts]]:
    """The results as they come; where the reader leaves early, as at Ctrl-C, joblib need not warn of it."""
    try:
        # not `yield from`, which would close the results before the warning is silenced
        for result in results:  # noqa: UP028
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()


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


def map_with_progress(
    function: Callable[[T], R],
    items: Sequence[T],
    *,
    unit: str,
    n_jobs: int | None,
    progress: bool | None,
) -> list[R]:
    """Results for the items, in their order, by as many threads as joblib gives; a bar counts them."""
    lock, done = threading.Lock(), 0

    def counted(place: int) -> R:
        nonlocal done
        result = function(items[place])
        with lock:
            done += 1
            show(done)
        return result

    with progress_over(unit, len(items), progress) as show:
        return list(map_in_threads(n_jobs)(counted, range(len(items))))


def _with_progress(
    results: Iterable[dict[str, Counts]], first: int, n_tables: int, size: int, progress: bool | None
) -> Iterator[dict[str, Counts]]:
    """The results as they come, with a bar that starts at the tables that were counted before."""
    with progress_over("tables", first + n_tables, progress) as show:
        for block, result in enumerate(results, start=1):
            show(first + min(block * size, n_tables))
            yield result


def as_jobs(n_jobs: int | None) -> int | None:
    """Check `n_jobs`: None, or a whole number other than 0, as joblib takes it."""
    if n_jobs is None:
        return None
    jobs = as_count("n_jobs", n_jobs, minimum=-(2**31))
    if jobs == 0:
        raise ArgumentValueError("n_jobs", "must be None or a whole number other than 0; got 0.")
    return jobs
