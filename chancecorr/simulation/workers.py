"""Who evaluates the blocks: the only file that knows joblib."""

import contextlib
import functools
import itertools
import math
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from typing import Any, TypeVar

from chancecorr.arguments import ArgumentValueError, as_count
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.null.partitions import forecast_table
from chancecorr.simulation.blocks import Blocks
from chancecorr.simulation.checkpoint import Checkpoint
from chancecorr.simulation.progress import progress_over
from chancecorr.simulation.tally import Tally
from chancecorr.simulation.task import (
    LARGEST_BLOCK,
    Evaluated,
    Task,
    combine,
    evaluate_block,
    is_only_sampled,
)

BLOCK_SECONDS = 0.05
"""Aim for a block's work: short enough for Ctrl-C and the progress bar, long enough to hide joblib."""

SIDE_BY_SIDE = 64
"""From this many tables on, the vectorised sampler is at full speed: ten times that of single draws."""

MOST_SECONDS = 1.0
"""For a block of `SIDE_BY_SIDE` tables, by their forecast."""

DASK_BLOCKS = 10
"""Times the work of a block on Dask, whose scheduler spends about a millisecond on each."""

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
    checkpoint: Checkpoint | None = None,
) -> None:
    """Add tables number ``first, ..., first + n_tables - 1`` to the tallies of a run; missing ones are made.

    The `block_size`, chosen for blocks of about `BLOCK_SECONDS` if None, never changes the result. The
    tallies are those of the checkpoint, if there is one.
    """
    largest, is_known = block_size or _block_size(task), block_size is not None or is_only_sampled(task)
    blocks = Blocks(
        first=first,
        left=n_tables,
        size=largest if is_known else 1,
        largest=largest,
        seconds=BLOCK_SECONDS if block_size is None else math.inf,
        is_known=is_known,
    )
    names = [each.index.name for each in task.reductions]
    cancelled = getattr(_thread_state, "cancelled", None)
    # Closed at once if the call is left early, as at Ctrl-C, so that no worker goes on for nobody.
    with contextlib.closing(_run(functools.partial(evaluate_block, task), blocks, n_jobs, names)) as results:
        for result in _with_progress(results, first, n_tables, progress):
            if cancelled is not None and cancelled.is_set():
                raise RuntimeError("Nobody waits for these tables.")
            with checkpoint.adding(result.n_tables) if checkpoint else contextlib.nullcontext():
                combine(task, result, tallies)


def _block_size(task: Task) -> int:
    """Tables in a block by the forecast of the sampler."""
    if task.model.keeps_margins:
        return tables_in_block(task.sampler.nanoseconds)
    return tables_in_block(forecast_table(task.sampler.margins, task.model))


def tables_in_block(nanoseconds: float) -> int:
    """Tables, of `nanoseconds` each, in about `BLOCK_SECONDS` of work, at most `LARGEST_BLOCK`.

    More if these are few: up to `SIDE_BY_SIDE`, which are drawn at the speed of many.
    """
    size = int(BLOCK_SECONDS * 1e9 / max(nanoseconds, 1.0))
    size = max(size, min(SIDE_BY_SIDE, int(MOST_SECONDS * 1e9 / max(nanoseconds, 1.0))))
    return min(max(size, 1), LARGEST_BLOCK)


def _run(
    evaluate: Callable[[int, int], Evaluated], blocks: Blocks, n_jobs: int | None, names: Sequence[str]
) -> Generator[Evaluated]:
    """Results of the blocks in their order, by joblib's workers once the time of a table is known."""
    # If nothing has imported joblib, nothing has configured it, and None means one worker.
    is_shared = n_jobs != 1 and (n_jobs is not None or "joblib" in sys.modules)
    if "joblib" in sys.modules and is_shared:
        _check_backend()
    here = itertools.starmap(evaluate, blocks)
    while blocks.left and not blocks.is_known:
        yield _learnt(next(here), blocks)
    if is_shared and blocks.left > blocks.size:
        for result in _shared_out(evaluate, blocks, n_jobs, names):
            yield _learnt(result, blocks)
    for result in here:
        yield _learnt(result, blocks)


def _learnt(result: Evaluated, blocks: Blocks) -> Evaluated:
    """The result, of whose time the blocks that are still to be made have learnt."""
    blocks.learn(result.n_tables, result.seconds)
    return result


def _shared_out(
    evaluate: Callable[[int, int], Evaluated], blocks: Blocks, n_jobs: int | None, names: Sequence[str]
) -> Iterator[Evaluated]:
    """Results of the blocks by the workers of joblib's active backend; none if it has one worker alone."""
    import joblib

    from chancecorr.simulation import dask_client

    backend, _ = joblib.parallel.get_active_backend()
    if dask_client.is_dask(backend):
        if math.isfinite(blocks.seconds):
            blocks.largest, blocks.seconds = DASK_BLOCKS * blocks.largest, DASK_BLOCKS * blocks.seconds
        yield from dask_client.evaluate_on_cluster(backend, evaluate, blocks, names)
    elif joblib.effective_n_jobs(n_jobs) > 1:
        calls = (joblib.delayed(evaluate)(*block) for block in blocks)
        parallel = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
        try:
            yield from _closed_quietly(parallel(calls))
        except BrokenExecutor as error:
            reason = str(error).partition("\n")[0]  # of loky, which adds the exit codes of its processes
            raise IndexEvaluationError(
                f"Processes have failed with {', '.join(map(repr, names))}. {reason}"
            ) from error


def _check_backend() -> None:
    """Refuse joblib's backend ``"multiprocessing"``, which waits for ever after the loss of a process."""
    import joblib

    backend, _ = joblib.parallel.get_active_backend()
    if type(backend).__name__ == "MultiprocessingBackend":
        raise ValueError(
            '`backend` of joblib must be one that notices a lost process; got "multiprocessing". Use "loky".'
        )


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
    """A `map` that keeps the order and shares the work among as many threads as joblib gives.

    If the call ends early, as at Ctrl-C, the other threads count no more than a block of tables.
    """
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
    results: Iterable[Evaluated], first: int, n_tables: int, progress: bool | None
) -> Iterator[Evaluated]:
    """The results as they come, with a bar that starts at the tables that were counted before."""
    done = first
    with progress_over("tables", first + n_tables, progress) as show:
        for result in results:
            done += result.n_tables
            show(done)
            yield result


def as_jobs(n_jobs: int | None) -> int | None:
    """Check `n_jobs`: None, or a whole number other than 0, as joblib takes it."""
    if n_jobs is None:
        return None
    jobs = as_count("n_jobs", n_jobs, minimum=-(2**31))
    if jobs == 0:
        raise ArgumentValueError("n_jobs", "must be None or a whole number other than 0; got 0.")
    return jobs
