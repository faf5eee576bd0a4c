"""Blocks of tables on a Dask cluster: the only file that knows distributed.

joblib's own Dask backend waits for ever when every worker is gone. Here the blocks go to the client of that
backend, and Dask evaluates the blocks of a lost worker again on another one.
"""

import asyncio
import collections
import concurrent.futures
import functools
import itertools
import pickle
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, TypeVar

from chancecorr.arguments import imported
from chancecorr.indices.evaluation import IndexEvaluationError

NO_WORKER_SECONDS = 60.0
"""A run ends with an error when there has been no worker for so long."""

LOOK_SECONDS = 1.0
"""Pause between two looks at the workers."""

R = TypeVar("R")


def is_dask(backend: Any) -> bool:
    """Whether a backend of joblib has a client of Dask."""
    distributed = imported("distributed")  # imported by whoever has made the client
    return distributed is not None and isinstance(getattr(backend, "client", None), distributed.Client)


def evaluate_on_cluster(
    backend: Any, evaluate: Callable[[int, int], R], blocks: Iterable[tuple[int, int]], names: Sequence[str]
) -> Generator[R]:
    """Results of ``evaluate(first, n_tables)`` for the blocks, in order, from all workers of a client."""
    import cloudpickle
    import distributed

    client, blocks = backend.client, iter(blocks)
    submit = functools.partial(client.submit, **{**getattr(backend, "submit_kwargs", {}), "pure": False})
    # A task, not scattered data: Dask makes it again when all workers that have it are lost.
    pickled = submit(bytes, cloudpickle.dumps(evaluate))
    waiting: collections.deque[Any] = collections.deque()
    try:
        while True:
            # 16 for each thread: an adaptive cluster grows when five seconds of work wait for each
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


def _evaluate_block(pickled: bytes, first: int, n_tables: int) -> Any:
    """Result of one block; what a worker runs."""
    return pickle.loads(pickled)(first, n_tables)


def _wait_for(future: Any, client: Any) -> None:
    """Wait for a result, while there are workers."""
    import distributed

    alive = time.monotonic()
    while True:
        try:
            distributed.wait(future, timeout=LOOK_SECONDS)  # type: ignore[no-untyped-call]
            return
        except TimeoutError:
            alive = time.monotonic() if client.nthreads() else alive
            if time.monotonic() - alive > NO_WORKER_SECONDS:
                raise TimeoutError(
                    f"`client` must have workers; the scheduler {client.scheduler.address} has had none"
                    f" for {NO_WORKER_SECONDS:g} seconds. Start workers."
                ) from None
