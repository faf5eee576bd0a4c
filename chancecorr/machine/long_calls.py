"""Compiled calls that may take seconds, made so that Ctrl-C is noticed meanwhile."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

import numpy as np

from chancecorr.machine.arrays import Floats, Integers

CALL_SECONDS = 0.1  # aim for a call on some of many tables

LOOK_SECONDS = 0.1
"""How often a wait is broken off to look for an interrupt, where the system does not do so by itself."""

MANY_CELLS = 50_000
"""Non-empty cells of one table beyond which a matching of its rows with its columns may take seconds."""

R = TypeVar("R")


def in_background(function: Callable[[], R], limit: Integers | None = None) -> R:
    """Call a function in a thread of its own while the main thread waits.

    Python handles signals in the main thread only, and not while that runs compiled code. After an interrupt
    the other thread goes on, and nobody reads what it returns: a `limit` of its work, shape (1,), becomes -1,
    at which it may stop. In other threads this is a plain call.
    """
    if threading.current_thread() is not threading.main_thread():
        return function()
    future: Future[R] = Future()

    def call() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=call, daemon=True).start()
    try:
        while not wait([future], LOOK_SECONDS).done:
            pass
    except BaseException:
        if limit is not None:
            limit[0] = -1
        raise
    return future.result()


def in_short_calls(evaluate: Callable[[Any], Floats], tables: Integers) -> Floats:
    """Values of ``evaluate(tables)``, one a table, by calls that take about `CALL_SECONDS` each."""
    values = np.empty(tables.shape[0])
    done, size = 0, 1
    while done < values.size:
        began = time.perf_counter()
        part = slice(done, min(done + size, values.size))
        values[part] = evaluate(tables[part])
        done, made = part.stop, part.stop - done
        size = max(1, int(CALL_SECONDS * made / max(time.perf_counter() - began, 1e-9)))
    return values
