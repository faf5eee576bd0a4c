"""Workers that evaluate blocks, threads for other work, and the progress bar; uses joblib and Dask.

A simulation calls `count_tables`, or `evaluate_in_blocks` if its model computes values from the numbers of
draws. All other parallel work calls `map_in_threads`.
"""

import collections
import contextlib
import functools
import itertools
import pickle
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from chancecorr.indices.calling import is_of_the_catalogue
from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.machine.arguments import ArgumentValueError, as_count, find_imported
from chancecorr.machine.kernel import read_clock
from chancecorr.machine.printing import is_watched
from chancecorr.sampling.task import (
    MOST_TABLES_A_BLOCK,
    ByValue,
    Evaluated,
    Tally,
    Task,
    combine,
    evaluate_block,
    expect_tables,
)

if TYPE_CHECKING:
    from chancecorr.sampling.checkpoint import Checkpoint


# forecast time of a block: short enough for Ctrl-C and the bar, long enough to hide joblib's cost
BLOCK_SECONDS = 0.1

# time without a worker after which a run ends; time between two checks
NO_WORKER_SECONDS, LOOK_SECONDS = 60.0, 1.0
PROGRESS_AFTER_SECONDS = 1.0
BLOCKS_OF_A_TASK = 10  # blocks that a worker of Dask evaluates together

T = TypeVar("T")
R = TypeVar("R")

# state of a thread of `map_in_threads`: `cancelled` is set when the caller has left
_thread_state = threading.local()


def count_tables(
    task: Task, tallies: dict[str, Tally], first: int, n_tables: int, *, block_size: int,
    n_jobs: int | None = None, progress: bool | None = None, checkpoint: "Checkpoint | None" = None,
    runs_alike: int = 1,
) -> None:  # fmt: skip
    """Add tables number ``first, ..., first + n_tables - 1`` to the tallies of a run, in blocks.

    `runs_alike` is the number of equal runs over which the time for compiling is shared.
    """

    def add(result: Evaluated) -> None:
        with checkpoint.adding(result.n_tables) if checkpoint else contextlib.nullcontext():
            combine(task, result, tallies)

    expect_tables(task, n_tables * runs_alike)
    evaluate_in_blocks(
        functools.partial(evaluate_block, task),
        add,
        range(first, first + n_tables),
        names=", ".join(repr(reduction.index.name) for reduction in task.reductions),
        size=block_size,
        is_timed=any(not is_of_the_catalogue(reduction.index.function) for reduction in task.reductions),
        n_jobs=n_jobs,
        progress=progress,
    )


def evaluate_in_blocks(
    evaluate: Callable[[int, int], R], take: Callable[[R], object], numbers: range, *, names: str, size: int,
    is_timed: bool = False, in_threads: bool = False, n_jobs: int | None = None,
    progress: bool | None = None, unit: str = "tables",
) -> None:  # fmt: skip
    """Pass ``evaluate(first, count)`` of each block to `take`, in the order of the blocks, with a bar.

    A block has `size` numbers. If `is_timed`, for a user's function, the first block is one number, and its
    time limits the size of the other blocks. Blocks are evaluated by joblib's workers.
    """
    cancelled = getattr(_thread_state, "cancelled", None)
    evaluated = _evaluate_blocks(evaluate, numbers, names, size, is_timed, in_threads, n_jobs)
    # Closed at once if the call ends early, as by Ctrl-C, so that no worker continues in vain.
    with show_progress(unit, numbers.stop, progress) as show, contextlib.closing(evaluated) as results:
        for stop, result in results:
            if cancelled is not None and cancelled.is_set():
                raise RuntimeError(f"The caller has left: these {unit} are not needed.")
            take(result)
            show(stop)


def count_tables_in_block(nanoseconds: float) -> int:
    """Count the tables of a block whose tables take `nanoseconds` each by forecast."""
    return min(max(int(1e9 * BLOCK_SECONDS / max(nanoseconds, 1.0)), 1), MOST_TABLES_A_BLOCK)


def _evaluate_blocks(
    evaluate: Callable[[int, int], R], numbers: range, names: str, size: int, is_timed: bool,
    in_threads: bool, n_jobs: int | None,
) -> Generator[tuple[int, R]]:  # fmt: skip
    """Yield the results of blocks in order, each with its last number + 1; use joblib if it has workers."""
    if is_timed and len(numbers):
        began = read_clock()
        result = evaluate(numbers.start, 1)
        size = min(size, count_tables_in_block(1e9 * (read_clock() - began)))
        numbers = numbers[1:]
        yield numbers.start, result
    is_shared, is_dask = len(numbers) > size and _has_workers(n_jobs), False
    if is_shared and not in_threads:
        import joblib

        backend, _ = joblib.parallel.get_active_backend()
        if type(backend).__name__ == "MultiprocessingBackend":
            raise ValueError(
                '`backend` of joblib must be one that notices a lost process; got "multiprocessing".'
                ' Use "loky".'
            )
        distributed = find_imported("distributed")  # the user has imported it to make a client of Dask
        is_dask = distributed and isinstance(getattr(backend, "client", None), distributed.Client)
        if is_dask:  # Dask's scheduler spends about a millisecond on each block
            size *= BLOCKS_OF_A_TASK
    starts, called = numbers[::size], evaluate if in_threads else ByValue(evaluate)
    blocks = ((first, min(size, numbers.stop - first)) for first in starts)
    results: Generator[R] = (evaluate(*block) for block in blocks)
    if is_dask:
        results = evaluate_on_cluster(backend, called, blocks, names)
    elif is_shared:
        results = _share_out(called, blocks, n_jobs, in_threads=in_threads, names=names)
    with contextlib.closing(results):
        for first, result in zip(starts, results, strict=True):
            yield min(first + size, numbers.stop), result


def _has_workers(n_jobs: int | None) -> bool:
    """Return True if joblib may have several workers; without its import no user has configured it."""
    if n_jobs is not None or "joblib" not in sys.modules:
        return n_jobs not in (None, 1)
    import joblib

    backend, configured = joblib.parallel.get_active_backend()
    # Dask's backend needs no number of workers
    return configured not in (None, 1) or hasattr(backend, "client")


def _share_out(
    function: Callable[..., R], calls: Iterable[tuple[Any, ...]], n_jobs: int | None, *,
    in_threads: bool = False, names: str = "",
) -> Generator[R]:  # fmt: skip
    """Yield ``function(*call)`` in order, by joblib's workers; threads notice if the caller has left."""
    from concurrent.futures import BrokenExecutor

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
        # not `yield from`: it would close the results before joblib's warning about this is silenced
        for result in results:  # noqa: UP028
            yield result
    except BrokenExecutor as error:
        reason = str(error).partition("\n")[0]  # loky's message adds the exit codes of its processes
        raise IndexEvaluationError(f"Processes failed while they evaluated {names}. {reason}") from error
    finally:
        cancelled.set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()


def map_in_threads(
    function: Callable[[T], R], items: Iterable[T], n_jobs: int | None, *, unit: str = "",
    progress: bool | None = False,
) -> list[R]:  # fmt: skip
    """Return the function's result for each item, in order, computed by joblib's threads; show a bar."""
    items, results = list(items), []
    one_by_one: Generator[R] = (function(item) for item in items)
    if len(items) > 1 and _has_workers(n_jobs):
        one_by_one = _share_out(function, zip(items, strict=True), n_jobs, in_threads=True)
    with show_progress(unit, len(items), progress) as show, contextlib.closing(one_by_one):
        for result in one_by_one:
            results.append(result)
            show(len(results))
    return results


def as_jobs(n_jobs: int | None) -> int | None:
    """Check `n_jobs`: None, or a whole number other than 0, as for joblib."""
    if n_jobs is None:
        return None
    jobs = as_count("n_jobs", n_jobs, minimum=-(2**31))
    if jobs == 0:
        raise ArgumentValueError("n_jobs", "must be None or a whole number other than 0; got 0.")
    return jobs


SECONDS_BETWEEN_LINES = 10.0  # of progress, where stderr is not a terminal
_lines: list[bool] = []  # not empty inside `write_progress_lines`


@contextlib.contextmanager
def write_progress_lines() -> Iterator[None]:
    """Write progress in lines where stderr is not a terminal, as a command does."""
    _lines.append(True)
    try:
        yield
    finally:
        _lines.pop()


@contextlib.contextmanager
def show_progress(unit: str, total: int, progress: bool | None) -> Iterator[Callable[[int], None]]:
    """Yield a function that shows progress on stderr: if `progress`, or for a long run in a terminal.

    In a command whose stderr is not a terminal, it writes a line every ten seconds.
    """
    is_open = sys.stderr is not None and not getattr(sys.stderr, "closed", False)
    began = told = time.monotonic()
    bar: Any = None

    def show(done: int) -> None:
        nonlocal bar, told
        is_long = time.monotonic() - began > PROGRESS_AFTER_SECONDS
        if bar is None and is_open and (progress or (progress is None and is_long and is_watched())):
            from importlib.util import find_spec

            from rich import progress as rich
            from rich.console import Console

            kinds = (rich.BarColumn, rich.MofNCompleteColumn, rich.TimeRemainingColumn)
            # In a notebook, rich draws with ipywidgets, or warns if they are missing.
            console = Console(stderr=True, force_jupyter=None if find_spec("ipywidgets") else False)
            columns = rich.TextColumn(unit), *(kind() for kind in kinds)
            bar = rich.Progress(*columns, console=console, transient=not progress)
            bar.add_task(unit, total=total)
            bar.start()
        if bar is not None:
            bar.update(0, completed=done)
        elif is_open and progress is None and _lines and time.monotonic() - told >= SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            print(f"{told - began:.0f} s: {done:,} of {total:,} {unit}", file=sys.stderr, flush=True)

    try:
        show(0)
        yield show
    finally:
        if bar is not None:
            bar.stop()


def evaluate_on_cluster(
    backend: Any, evaluate: Callable[[int, int], R], blocks: Iterable[tuple[int, int]], names: str
) -> Generator[R]:
    """Yield the results of the blocks in order, computed by all workers of a Dask client.

    joblib's backend for Dask is not used because it waits for ever when all workers are lost.
    """
    import asyncio
    import concurrent.futures

    import cloudpickle
    import distributed

    client, blocks = backend.client, iter(blocks)
    submit = functools.partial(client.submit, **{**getattr(backend, "submit_kwargs", {}), "pure": False})
    # A task, not scattered data: Dask computes it again when all workers that have it are lost.
    pickled = submit(bytes, cloudpickle.dumps(evaluate))
    waiting: collections.deque[Any] = collections.deque()
    try:
        while True:
            # 16 blocks for each thread: an adaptive cluster grows when five seconds of work wait for each
            # thread
            room = 16 * max(sum(client.nthreads().values()), 1)
            more = itertools.islice(blocks, max(room - len(waiting), 0))
            waiting += [submit(_evaluate_block, pickled, *block) for block in more]
            if not waiting:
                return
            _wait_for(waiting[0], client)
            done = list(itertools.takewhile(distributed.Future.done, waiting))
            yield from client.gather(done)
            for _ in done:
                waiting.popleft()
    except distributed.KilledWorker as error:
        raise IndexEvaluationError(
            f"{error.allowed_failures + 1} Dask workers were lost while they evaluated {names}. An index that"
            " ends its process does this, and so does an index that needs more memory than a worker has."
        ) from error
    except (asyncio.CancelledError, concurrent.futures.CancelledError, OSError) as error:
        if isinstance(error, TimeoutError) or any(future.status == "error" for future in waiting):
            raise  # raised by the function, such as for a file that is not found
        raise ConnectionError("The Dask scheduler is lost, or the work on it was cancelled.") from error
    finally:
        for future in waiting:
            future.release()  # unlike `client.cancel`, it does not wait for the scheduler


def _evaluate_block(pickled: bytes, first: int, n_tables: int) -> Any:
    """Return the result of one block, in a worker."""
    return pickle.loads(pickled)(first, n_tables)


def _wait_for(future: Any, client: Any) -> None:
    """Wait for a result as long as there are workers."""
    import distributed

    alive = time.monotonic()
    while True:
        try:
            distributed.wait(future, timeout=LOOK_SECONDS)
            return
        except TimeoutError:
            if client.scheduler is None:  # it was closed in this very moment
                raise ConnectionError from None
            alive = time.monotonic() if client.nthreads() else alive
            if time.monotonic() - alive > NO_WORKER_SECONDS:
                raise TimeoutError(
                    f"`client` must have workers; the scheduler {client.scheduler.address} has had none"
                    f" for {NO_WORKER_SECONDS:g} seconds. Start workers."
                ) from None
