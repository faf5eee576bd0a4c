"""Blocks of tables in processes of the standard library, for joblib's backend ``"multiprocessing"``.

joblib gives the work to a `multiprocessing.Pool`. When one of its processes is killed, the pool starts
another and never says that a block is lost: the call waits for ever. To watch the processes would not do,
because one that is killed while it holds the lock of a queue stops all others. A `ProcessPoolExecutor` has
the same processes and reports the loss of one.
"""

import collections
import functools
import pickle
import signal
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from chancecorr.indices.evaluation import IndexEvaluationError

BLOCKS_PER_PROCESS = 4
"""Blocks that are out for each process: one is evaluated, the others wait, or their results do."""

R = TypeVar("R")


def evaluate_in_processes(
    evaluate: Callable[[int, int], R],
    blocks: Iterable[tuple[int, int]],
    n_processes: int,
    names: Sequence[str],
) -> Generator[R]:
    """Results of the blocks in their order; IndexEvaluationError with the names where a process is lost."""
    import cloudpickle

    waiting: collections.deque[Future[R]] = collections.deque()
    pool = ProcessPoolExecutor(n_processes, initializer=_begin, initargs=(cloudpickle.dumps(evaluate),))
    complete = False
    try:
        for block in blocks:
            waiting.append(pool.submit(_evaluate_block, *block))
            if len(waiting) >= BLOCKS_PER_PROCESS * n_processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        complete = True
    except BrokenProcessPool as error:
        raise IndexEvaluationError(
            f"A process was lost while it evaluated {', '.join(map(repr, names))}. An index that ends its"
            " process does this, and so does the system when memory runs out."
        ) from error
    finally:
        pool.shutdown(wait=complete, cancel_futures=True)


_pickled = b""
"""What the blocks of this process are evaluated by; set as the process begins."""


def _begin(pickled: bytes) -> None:
    global _pickled
    _pickled = pickled
    signal.signal(
        signal.SIGINT, signal.SIG_DFL
    )  # Ctrl-C, which all processes receive, ends it without a word


def _evaluate_block(first: int, n_tables: int) -> Any:
    return _unpickled(_pickled)(first, n_tables)


@functools.lru_cache(maxsize=1)
def _unpickled(pickled: bytes) -> Callable[[int, int], Any]:
    evaluate: Callable[[int, int], Any] = pickle.loads(pickled)
    return evaluate
