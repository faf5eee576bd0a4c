"""Blocks of tables on a Dask cluster: the only file that knows distributed.

joblib's own Dask backend hears of results alone. Where every worker is gone, or an index ends all that come,
its call never returns. Here the blocks go straight to the client of that backend. Dask evaluates the blocks
of a lost worker again on another one; what no worker can evaluate ends in an error.
"""

import asyncio
import concurrent.futures
import contextlib
import functools
import itertools
import math
import pickle
import queue
import sys
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from chancecorr.indices.evaluation import IndexEvaluationError

NO_WORKER_SECONDS = 60.0
"""A run ends with an error when no worker has been ready for so long, and no block has come back."""

LOOK_SECONDS = 1.0
"""The scheduler is asked for its workers this often."""

TASK_SECONDS = 0.5
"""As many blocks make a task as take about this long: the scheduler spends about a millisecond on each."""

TASKS_PER_THREAD = 16
"""Tasks that wait for each thread. An adaptive cluster grows when five seconds of work wait for each."""

SMALL = 16_384
"""Bytes that go along with each task; what is larger goes once to each worker."""

Block = tuple[int, int]
"""Number of the first table, and how many there are."""

News = queue.SimpleQueue[tuple[str | None, Any]]
"""The key of a task with its result or the error in its place, or None with the threads of the workers."""

R = TypeVar("R")


def is_dask(backend: Any) -> bool:
    """Whether a backend of joblib has a client of Dask."""
    distributed = sys.modules.get("distributed")  # imported by whoever has made the client
    return distributed is not None and isinstance(getattr(backend, "client", None), distributed.Client)


def evaluate_on_cluster(
    backend: Any, evaluate: Callable[[int, int], R], blocks: Iterable[Block], names: Sequence[str]
) -> Generator[R]:
    """Results of the blocks as they come, in any order, from all workers that there are or will be.

    Parameters
    ----------
    backend : joblib.parallel.ParallelBackendBase
        That of Dask. Its client, its `wait_for_workers_timeout` and what it hands to `submit` are used.
    evaluate : callable
        ``evaluate(first, n_tables)``; it is pickled.
    blocks : iterable of (int, int)
        Taken as the work goes on.
    names : sequence of str
        Of the indices, for errors.

    Raises
    ------
    IndexEvaluationError
        As the index raises it on a worker, and when a block has ended more workers than Dask allows
        (``distributed.scheduler.allowed-failures``).
    TimeoutError
        If no worker has been ready for `NO_WORKER_SECONDS`, or for the `wait_for_workers_timeout` of the
        backend if that is longer.
    ConnectionError
        If the scheduler is lost, or something else has cancelled the work.
    """
    import cloudpickle

    client, blocks = backend.client, iter(blocks)
    run, numbers = uuid.uuid4().hex, itertools.count()
    waiting: dict[str, tuple[Any, list[Block]]] = {}
    news: News = queue.SimpleQueue()
    watch = _Watch(client, news, max(NO_WORKER_SECONDS, backend.wait_for_workers_timeout or 0.0), names)

    def submit(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        return client.submit(function, *arguments, **{**backend.submit_kwargs, "key": f"{name}-{run}"})

    pickled, together = cloudpickle.dumps(evaluate), 1
    # A task, not scattered data: when all workers that have it are lost, Dask makes it again.
    shared = pickled if len(pickled) <= SMALL else submit("indices", bytes, pickled)
    try:
        with _thread_of_a_worker_given_back():
            while True:
                while len(waiting) < TASKS_PER_THREAD * watch.threads:
                    part = list(itertools.islice(blocks, together))
                    if not part:
                        break
                    future = submit(f"tables-{next(numbers)}", _evaluate_blocks, shared, part)
                    waiting[future.key] = future, part
                    client.loop.add_callback(_tell_result, future, news)
                if not waiting:
                    return
                came = watch.next_result()
                if came is None:
                    continue
                key, result = came
                part = waiting[key][1]
                if isinstance(result, BaseException):
                    _raise_in_our_words(result, client, part, names)
                del waiting[key]
                seconds, results = result
                together = max(1, min(2 * together, int(TASK_SECONDS * len(part) / max(seconds, 1e-6))))
                yield from results
    finally:
        for future, _ in waiting.values():
            future.release()  # which does not wait for the scheduler, as `client.cancel` may


def _evaluate_blocks(pickled: bytes, blocks: Sequence[Block]) -> tuple[float, list[Any]]:
    """Seconds that some blocks took, and their results; what a worker runs."""
    evaluate = _unpickled(pickled)
    began = time.perf_counter()
    results = [evaluate(*block) for block in blocks]
    return time.perf_counter() - began, results


@functools.lru_cache(maxsize=16)
def _unpickled(pickled: bytes) -> Callable[[int, int], Any]:
    evaluate: Callable[[int, int], Any] = pickle.loads(pickled)
    return evaluate


class _Watch:
    """Waits for results and looks at the workers meanwhile; gives up where there is nothing to wait for."""

    def __init__(self, client: Any, news: News, patience: float, names: Sequence[str]) -> None:
        self._client, self._news, self._patience, self._names = client, news, patience, names
        self._scheduler = f"the Dask scheduler {client.scheduler.address}"
        self._all: dict[str, int] = {}
        self._ready: dict[str, int] = {}
        self._most = self._lost = self._lost_in_turn = 0
        self._asked = self._answered = -math.inf

    @property
    def threads(self) -> int:
        """Threads of the workers when last looked at, at least 1."""
        return max(sum(self._all.values()), 1)

    def next_result(self) -> tuple[str, Any] | None:
        """Key and result of the next task that ends; None where more threads have come before."""
        began = alive = time.monotonic()
        while True:
            if time.monotonic() - self._asked > LOOK_SECONDS:
                self._asked = time.monotonic()
                self._client.loop.add_callback(_tell_workers, self._client, self._news)
            key = found = None
            with contextlib.suppress(queue.Empty):
                key, found = self._news.get(timeout=LOOK_SECONDS)
            if key is not None:
                self._lost_in_turn = 0
                return key, found
            if found is not None:
                before, self._answered = self.threads, time.monotonic()
                self._look_at(*found)
                if self._ready:
                    alive = self._answered
                if self.threads > before:
                    return None
            if time.monotonic() - alive > self._patience:
                raise TimeoutError(self._why(answered=self._answered > began))

    def _look_at(self, threads: dict[str, int], ready: dict[str, int]) -> None:
        """Note who is there, and raise where one worker after another is lost with no result in between.

        Dask raises that by itself once a task has lost more workers than it may. But that takes as many for
        each of several tasks, and a nanny whose worker is lost while it starts does not start another.
        """
        import dask

        lost = len(self._all.keys() - threads.keys())
        self._lost += lost
        self._lost_in_turn += lost
        self._all, self._ready, self._most = threads, ready, max(self._most, len(threads))
        if self._lost_in_turn > max(dask.config.get("distributed.scheduler.allowed-failures"), self._most):
            raise IndexEvaluationError(_lost_workers(self._lost_in_turn, self._names))

    def _why(self, *, answered: bool) -> str:
        since = f"For {self._patience:g} seconds"
        if not answered:
            return f"{since} {self._scheduler} has not answered."
        if self._all:
            what = (
                f"none of the {len(self._all)} workers of {self._scheduler} has taken work: they are paused,"
                " as Dask does with workers that are short of memory. Free memory there, or start"
            )
        else:
            what = f"{self._scheduler} has had no worker. Start"
        wait = f'joblib.parallel_config(backend="dask", wait_for_workers_timeout={2 * self._patience:g})'
        blame = f" {_lost_workers(self._lost, self._names)}" if self._lost else ""
        return f"{since} {what} workers, or wait longer by {wait}.{blame}"


async def _tell_result(future: Any, news: News) -> None:
    try:
        result = await future
    except BaseException as error:  # that of a cancelled future need not be an Exception
        result = error
    news.put((future.key, result))


async def _tell_workers(client: Any, news: News) -> None:
    with contextlib.suppress(Exception):  # which is no answer, and the watch knows what that means
        news.put((None, (await client.scheduler.ncores(), await client.scheduler.ncores_running())))


def _raise_in_our_words(
    error: BaseException, client: Any, part: Sequence[Block], names: Sequence[str]
) -> NoReturn:
    """Raise the error of a task: an index's own as it is, those of Dask with what they mean."""
    import distributed

    if isinstance(error, distributed.KilledWorker):
        tables = f" The last tables: number {part[0][0]} to {sum(part[-1]) - 1}."
        raise IndexEvaluationError(_lost_workers(error.allowed_failures + 1, names) + tables) from error
    if isinstance(error, asyncio.CancelledError | concurrent.futures.CancelledError):
        if client.status == "running":
            raise ConnectionError("Something else has cancelled the work on the Dask cluster.") from error
        raise ConnectionError("The Dask scheduler is lost, or its client was closed meanwhile.") from error
    raise error


def _lost_workers(number: int, names: Sequence[str]) -> str:
    workers = "worker was" if number == 1 else "workers were"
    which = f"{'index' if len(names) == 1 else 'the indices'} {', '.join(map(repr, names))}"
    return (
        f"{number} Dask {workers} lost during the evaluation of {which}. An index that ends its process does"
        " this, or one that needs more memory than a worker has."
    )


@contextlib.contextmanager
def _thread_of_a_worker_given_back() -> Iterator[None]:
    """Within a task of Dask: the thread may do blocks meanwhile, else all threads might wait for blocks."""
    import distributed
    from distributed.utils import thread_state  # type: ignore[attr-defined]

    if not hasattr(thread_state, "execution_state"):
        yield
        return
    distributed.secede()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        distributed.rejoin()  # type: ignore[no-untyped-call]
