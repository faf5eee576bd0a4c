"""Who evaluates the blocks: the only file that knows joblib."""

import contextlib
import functools
import itertools
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
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
"""In a thread of `map_in_threads`, `cancelled`: an event, set when nobody waits for its results any more."""

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
    with (
        progress_over("tables", first + n_tables, progress) as show,
        contextlib.closing(_run(task, range(first, first + n_tables), block_size, n_jobs)) as results,
    ):
        for result in results:
            if cancelled is not None and cancelled.is_set():
                raise RuntimeError("Nobody waits for these tables.")
            with checkpoint.adding(result.n_tables) if checkpoint else contextlib.nullcontext():
                combine(task, result, tallies)
            show(result.first + result.n_tables)


def _block_size(task: Task) -> int:
    """Tables in a block by the forecast of the sampler."""
    if task.model.keeps_margins:
        return tables_in_block(task.sampler.nanoseconds)
    return tables_in_block(forecast_table(task.sampler.margins, task.model))


def tables_in_block(nanoseconds: float) -> int:
    """Tables, of `nanoseconds` each, in about `BLOCK_SECONDS`, or up to `SIDE_BY_SIDE` within a second."""
    in_a_second = 1e9 / max(nanoseconds, 1.0)
    size = max(int(BLOCK_SECONDS * in_a_second), min(SIDE_BY_SIDE, int(in_a_second)))
    return min(max(size, 1), MOST_TABLES_A_BLOCK)


def _run(task: Task, numbers: range, block_size: int | None, n_jobs: int | None) -> Generator[Evaluated]:
    """Results of blocks in the order of the table numbers, by joblib's workers if there are several."""
    evaluate, size = functools.partial(evaluate_block, task), block_size or _block_size(task)
    # If nothing has imported joblib, nothing has configured it, and None means one worker.
    is_shared = n_jobs != 1 and (n_jobs is not None or "joblib" in sys.modules)
    # the sampler's forecast gives the time of blocks that keep T alone
    is_timed = block_size is None and any(each.key != PAIR_SUM for each in task.reductions)
    if is_timed:
        largest = size
        for result, size in _measured(evaluate, numbers, largest):  # noqa: B007  of the next block
            yield result
            numbers = numbers[result.n_tables :]
    if is_shared and len(numbers) > size:
        names = [each.index.name for each in task.reductions]
        for result in _shared_out(evaluate, numbers, size, is_timed, n_jobs, names):
            yield result
            numbers = numbers[result.n_tables :]
    yield from itertools.starmap(evaluate, _blocks(numbers, size))


def _blocks(numbers: range, size: int) -> Iterator[tuple[int, int]]:
    """Blocks of so many tables: the number of the first, and how many they are."""
    return ((first, min(size, numbers.stop - first)) for first in numbers[::size])


def _measured(
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


def _shared_out(
    evaluate: Callable[[int, int], Evaluated],
    numbers: range,
    size: int,
    is_timed: bool,
    n_jobs: int | None,
    names: Sequence[str],
) -> Iterator[Evaluated]:
    """Results of the blocks by the workers of joblib's active backend; none if it has one worker alone."""
    from concurrent.futures import BrokenExecutor

    import joblib

    from chancecorr.simulation import dask_client

    backend, _ = joblib.parallel.get_active_backend()
    if type(backend).__name__ == "MultiprocessingBackend":
        raise ValueError(
            '`backend` of joblib must be one that notices a lost process; got "multiprocessing". Use "loky".'
        )
    if dask_client.is_dask(backend):
        # ten times the work, because Dask's scheduler spends about a millisecond on each block
        blocks = _blocks(numbers, 10 * size if is_timed else size)
        yield from dask_client.evaluate_on_cluster(backend, evaluate, blocks, names)
    elif joblib.effective_n_jobs(n_jobs) > 1:
        calls = (joblib.delayed(evaluate)(*block) for block in _blocks(numbers, size))
        parallel = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
        try:
            yield from _closed_quietly(parallel(calls))
        except BrokenExecutor as error:
            reason = str(error).partition("\n")[0]  # of loky, which adds the exit codes of its processes
            raise IndexEvaluationError(
                f"Processes have failed with {', '.join(map(repr, names))}. {reason}"
            ) from error


def _closed_quietly(results: Generator[Evaluated]) -> Iterator[Evaluated]:
    """The results as they come; if the reader leaves early, as at Ctrl-C, without joblib's warning of it."""
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

        cancelled = threading.Event()

        def cancellable(number: int) -> Any:
            before = getattr(_thread_state, "cancelled", None)
            _thread_state.cancelled = before or cancelled
            try:
                return function(number)
            finally:
                _thread_state.cancelled = before

        try:
            return list(
                joblib.Parallel(n_jobs=n_jobs, require="sharedmem")(map(joblib.delayed(cancellable), numbers))
            )
        except BaseException:
            cancelled.set()
            raise

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
    lock, numbers = threading.Lock(), itertools.count(1)

    def counted(place: int) -> R:
        result = function(items[place])
        with lock:
            show(next(numbers))
        return result

    with progress_over(unit, len(items), progress) as show:
        return list(map_in_threads(n_jobs)(counted, range(len(items))))


def as_jobs(n_jobs: int | None) -> int | None:
    """Check `n_jobs`: None, or a whole number other than 0, as joblib takes it."""
    if n_jobs is None:
        return None
    jobs = as_count("n_jobs", n_jobs, minimum=-(2**31))
    if jobs == 0:
        raise ArgumentValueError("n_jobs", "must be None or a whole number other than 0; got 0.")
    return jobs
