"""Who evaluates the blocks: the only file that knows joblib."""

import contextlib
import functools
import itertools
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from chancecorr.arguments import ArgumentValueError, as_count
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.null.partitions import forecast_table
from chancecorr.simulation.progress import progress_over
from chancecorr.simulation.tally import Tally
from chancecorr.simulation.task import (
    MOST_TABLES_A_BLOCK,
    PAIR_SUM,
    Evaluated,
    Task,
    combine,
    evaluate_block,
)

if TYPE_CHECKING:
    from chancecorr.simulation.checkpoint import Checkpoint

BLOCK_SECONDS = 0.05
"""Aim for a block's work: short enough for Ctrl-C and the progress bar, long enough to hide joblib."""

GROWTH_OF_BLOCKS = 16
"""Largest ratio of the tables of a block to those of the one before."""

SIDE_BY_SIDE = 64
"""From this many tables on, the vectorised sampler is at full speed: ten times that of single draws."""

_thread_state = threading.local()
"""In a thread of `map_in_threads`, `cancelled` is an event that is set when nobody waits for results."""

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
    checkpoint: "Checkpoint | None" = None,
) -> None:
    """Add tables number ``first, ..., first + n_tables - 1`` to the tallies of a run, new or begun."""
    cancelled = getattr(_thread_state, "cancelled", None)
    # Closed at once if the call is left early, as at Ctrl-C, so that no worker goes on for nobody.
    evaluated = _evaluate_blocks(task, range(first, first + n_tables), block_size, n_jobs)
    with (
        progress_over("tables", first + n_tables, progress) as show,
        contextlib.closing(evaluated) as results,
    ):
        for result in results:
            if cancelled is not None and cancelled.is_set():
                raise RuntimeError("Nobody waits for these tables.")
            with checkpoint.adding(result.n_tables) if checkpoint else contextlib.nullcontext():
                combine(task, result, tallies)
            show(result.first + result.n_tables)


def tables_in_block(nanoseconds: float) -> int:
    """Tables, of `nanoseconds` each, in about `BLOCK_SECONDS`, or up to `SIDE_BY_SIDE` within a second."""
    in_a_second = 1e9 / max(nanoseconds, 1.0)
    size = max(int(BLOCK_SECONDS * in_a_second), min(SIDE_BY_SIDE, int(in_a_second)))
    return min(max(size, 1), MOST_TABLES_A_BLOCK)


def _evaluate_blocks(
    task: Task, numbers: range, block_size: int | None, n_jobs: int | None
) -> Generator[Evaluated]:
    """Results of blocks in the order of the table numbers, by joblib's workers if there are several."""
    evaluate, size = functools.partial(evaluate_block, task), block_size
    if size is None and task.model.keeps_margins:
        size = tables_in_block(task.sampler.nanoseconds)
    elif size is None:
        size = tables_in_block(forecast_table(task.sampler.margins, task.model))
    # the sampler's forecast gives the time of blocks that keep T alone
    is_timed = block_size is None and any(each.key != PAIR_SUM for each in task.reductions)
    if is_timed:
        largest = size
        for result, size in _time_blocks(evaluate, numbers, largest):  # noqa: B007  of the next block
            yield result
            numbers = numbers[result.n_tables :]
    blocks = _split(numbers, size)
    if len(numbers) <= size or not _has_workers(n_jobs):
        yield from itertools.starmap(evaluate, blocks)
        return
    import joblib

    from chancecorr.simulation import dask_client

    backend, _ = joblib.parallel.get_active_backend()
    names = [each.index.name for each in task.reductions]
    if type(backend).__name__ == "MultiprocessingBackend":
        raise ValueError(
            '`backend` of joblib must be one that notices a lost process; got "multiprocessing". Use "loky".'
        )
    if dask_client.is_dask(backend):
        # ten times the work, because Dask's scheduler spends about a millisecond on each block
        blocks = _split(numbers, 10 * size if is_timed else size)
        yield from dask_client.evaluate_on_cluster(backend, evaluate, blocks, names)
        return
    try:
        yield from _share_out(evaluate, blocks, n_jobs)
    except BrokenExecutor as error:
        reason = str(error).partition("\n")[0]  # of loky, which adds the exit codes of its processes
        raise IndexEvaluationError(
            f"Processes have failed with {', '.join(map(repr, names))}. {reason}"
        ) from error


def _split(numbers: range, size: int) -> Iterator[tuple[int, int]]:
    """Blocks of so many tables: the number of the first, and how many they are."""
    return ((first, min(size, numbers.stop - first)) for first in numbers[::size])


def _time_blocks(
    evaluate: Callable[[int, int], Evaluated], numbers: range, largest: int
) -> Iterator[tuple[Evaluated, int]]:
    """Results of the first blocks, and the size at which the next ones take `BLOCK_SECONDS`."""
    # A function may take a microsecond or a minute a table. The first tells nothing: it is compiled there.
    first, size, seconds = numbers.start, 1, 0.0
    while first < numbers.stop and seconds < 2 * BLOCK_SECONDS and size < largest:
        result = evaluate(first, min(size, numbers.stop - first))
        if first > numbers.start:
            seconds += result.seconds
            n_timed = first - numbers.start + result.n_tables - 1
            size = int(
                min(max(BLOCK_SECONDS * n_timed / max(seconds, 1e-9), 1.0), GROWTH_OF_BLOCKS * size, largest)
            )
        first += result.n_tables
        yield result, size


def _has_workers(n_jobs: int | None) -> bool:
    """Whether joblib is to be asked for workers: nothing has configured it if nothing has imported it."""
    return n_jobs != 1 and (n_jobs is not None or "joblib" in sys.modules)


def _share_out(
    function: Callable[..., R],
    calls: Iterable[tuple[Any, ...]],
    n_jobs: int | None,
    *,
    in_threads: bool = False,
) -> Generator[R]:
    """Results of ``function(*call)``, in the order of the calls, by as many workers as joblib gives.

    These are threads unless joblib is configured otherwise, and always with `in_threads`: then simulations
    inside the function notice when the reader has left early, as at Ctrl-C.
    """
    import joblib

    cancelled = threading.Event()

    def call_in_thread(*call: Any) -> R:
        before = getattr(_thread_state, "cancelled", None)
        _thread_state.cancelled = before or cancelled
        try:
            return function(*call)
        finally:
            _thread_state.cancelled = before

    rule = {"require": "sharedmem"} if in_threads else {"prefer": "threads"}
    called = joblib.delayed(call_in_thread if in_threads else function)
    results = joblib.Parallel(n_jobs=n_jobs, return_as="generator", **rule)(called(*call) for call in calls)
    try:
        # not `yield from`, which would close the results before joblib's warning of it is silenced
        for result in results:  # noqa: UP028
            yield result
    finally:
        cancelled.set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()


def map_in_threads(
    function: Callable[[T], R],
    items: Iterable[T],
    n_jobs: int | None,
    *,
    unit: str = "",
    progress: bool | None = False,
) -> list[R]:
    """Results for the items, in their order, by as many threads as joblib gives; a bar may count them."""
    items, results = list(items), []
    one_by_one: Generator[R] = (function(item) for item in items)
    if len(items) > 1 and _has_workers(n_jobs):
        one_by_one = _share_out(function, zip(items, strict=True), n_jobs, in_threads=True)
    with progress_over(unit, len(items), progress) as show, contextlib.closing(one_by_one):
        for result in one_by_one:
            results.append(result)
            show(len(results))
    return results


def as_jobs(n_jobs: int | None) -> int | None:
    """Check `n_jobs`: None, or a whole number other than 0, as joblib takes it."""
    if n_jobs is None:
        return None
    jobs = as_count("n_jobs", n_jobs, minimum=-(2**31))
    if jobs == 0:
        raise ArgumentValueError("n_jobs", "must be None or a whole number other than 0; got 0.")
    return jobs
