"""Blocks of tables on a Dask cluster: the only file that knows distributed.

joblib's own Dask backend waits for ever when every worker is gone. Here the blocks go to the client of that
backend. Dask evaluates the blocks of a lost worker again on another one.
"""

import asyncio
import collections
import concurrent.futures
import functools
import itertools
import pickle
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, TypeVar

from chancecorr.indices.evaluation import IndexEvaluationError

NO_WORKER_SECONDS = 60.0
"""A run ends with an error when there has been no worker for so long."""

LOOK_SECONDS = 1.0
"""Between two looks at the workers."""

BLOCKS_PER_THREAD = 16
"""Blocks submitted for each thread. An adaptive cluster grows when five seconds of work wait for each."""

R = TypeVar("R")


def is_dask(backend: Any) -> bool:
    """Whether a backend of joblib has a client of Dask."""
    distributed = sys.modules.get("distributed")  # imported by whoever has made the client
    return distributed is not None and isinstance(getattr(backend, "client", None), distributed.Client)


def evaluate_on_cluster(
    backend: Any, evaluate: Callable[[int, int], R], blocks: Iterable[tuple[int, int]], names: Sequence[str]
) -> Generator[R]:
    """Results of ``evaluate(first, n_tables)`` for the blocks, in their order, from all workers of a client.

    Raises
    ------
    IndexEvaluationError
        As the index with one of the `names` raises it on a worker, and when a block has ended more workers
        than Dask allows (``distributed.scheduler.allowed-failures``).
    TimeoutError
        If there has been no worker for `NO_WORKER_SECONDS`, or the backend's `wait_for_workers_timeout`.
    ConnectionError
        If the scheduler is lost, or the work was cancelled.
    """
    import cloudpickle
    import distributed

    client, blocks = backend.client, iter(blocks)
    submit = functools.partial(client.submit, **{**getattr(backend, "submit_kwargs", {}), "pure": False})
    patience = max(NO_WORKER_SECONDS, getattr(backend, "wait_for_workers_timeout", None) or 0.0)
    # A task, not scattered data: Dask makes it again when all workers that have it are lost.
    pickled = submit(bytes, cloudpickle.dumps(evaluate))
    waiting: collections.deque[Any] = collections.deque()
    n_threads, looked, alive = 1, 0.0, time.monotonic()
    is_task = _leaves_its_thread()
    try:
        while True:
            if time.monotonic() - looked > LOOK_SECONDS:
                n_threads, looked = sum(client.nthreads().values()), time.monotonic()
                alive = looked if n_threads else alive
            room = max(BLOCKS_PER_THREAD * max(n_threads, 1) - len(waiting), 0)
            waiting += [submit(_evaluate_block, pickled, *block) for block in itertools.islice(blocks, room)]
            if not waiting:
                return
            try:
                distributed.wait(waiting[0], timeout=LOOK_SECONDS)  # type: ignore[no-untyped-call]
            except TimeoutError:
                if time.monotonic() - alive > patience:
                    raise TimeoutError(
                        f"`client` must have workers; the scheduler {client.scheduler.address} has had none"
                        f" for {patience:g} seconds. Start workers."
                    ) from None
                continue
            done = list(itertools.takewhile(distributed.Future.done, waiting))
            yield from client.gather(done)
            for _ in done:
                waiting.popleft()
    except distributed.KilledWorker as error:
        raise IndexEvaluationError(
            f"{error.allowed_failures + 1} Dask workers were lost while they evaluated"
            f" {', '.join(map(repr, names))}. An index that ends its process does this, or one that needs"
            " more memory than a worker has."
        ) from error
    except (asyncio.CancelledError, concurrent.futures.CancelledError, OSError) as error:
        if isinstance(error, TimeoutError):
            raise
        raise ConnectionError("The Dask scheduler is lost, or the work on it was cancelled.") from error
    finally:
        for future in waiting:
            future.release()  # which does not wait for the scheduler, as `client.cancel` may
        if is_task:
            distributed.rejoin()  # type: ignore[no-untyped-call]


def _evaluate_block(pickled: bytes, first: int, n_tables: int) -> Any:
    """Result of one block; what a worker runs."""
    return _unpickled(pickled)(first, n_tables)


@functools.lru_cache(maxsize=16)
def _unpickled(pickled: bytes) -> Callable[[int, int], Any]:
    evaluate: Callable[[int, int], Any] = pickle.loads(pickled)
    return evaluate


def _leaves_its_thread() -> bool:
    """Whether this runs in a task of Dask; then its thread may evaluate blocks meanwhile."""
    import distributed

    try:
        distributed.secede()  # type: ignore[no-untyped-call]
    except ValueError:  # there is no worker here
        return False
    return True
