"""Cached results for later calls with the same arguments, in less than 50 MB together.

`functools.lru_cache` limits only the number of results, and 32 results for a million clusters fill a
gigabyte.
"""

import functools
import sys
import threading
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, cast

import numpy as np

MOST_BYTES_KEPT = 48_000_000  # for arguments and results of all functions together
MOST_BYTES_OF_ONE = 24_000_000  # for one result with its arguments: a larger result is not cached

F = TypeVar("F", bound=Callable[..., Any])

_kept: dict[tuple[Any, ...], tuple[Any, int]] = {}  # results and their bytes, the latest last
_bytes_kept = [0]  # bytes of all results
_lock = threading.Lock()  # never waited for: in a forked child the thread that holds it may not exist


def keep_recent(function: F) -> F:
    """Cache a function's results for hashable arguments, until later results need the space."""

    @functools.wraps(function)
    def find_or_compute(*arguments: Any) -> Any:
        key = function, *arguments
        found = _kept.get(key)
        if found is None:
            result = function(*arguments)
            found = result, count_bytes((arguments, result))
        if found[1] <= MOST_BYTES_OF_ONE and _lock.acquire(blocking=False):
            try:
                _bytes_kept[0] += found[1] - _kept.pop(key, (None, 0))[1]
                _kept[key] = found
                while _bytes_kept[0] > MOST_BYTES_KEPT:
                    _bytes_kept[0] -= _kept.pop(next(iter(_kept)))[1]
            finally:
                _lock.release()
        return found[0]

    find_or_compute.cache_clear = functools.partial(forget, function)  # type: ignore[attr-defined]
    return cast(F, find_or_compute)


def forget(function: Callable[..., Any]) -> None:
    """Remove the results of a function from the cache."""
    with _lock:
        for key in [key for key in _kept if key[0] is function]:
            _bytes_kept[0] -= _kept.pop(key)[1]


def count_bytes(value: Any) -> int:
    """Count the bytes of arrays, texts and numbers, also inside containers and dataclasses."""
    size = sys.getsizeof(value)
    if isinstance(value, np.ndarray):
        return size if value.base is None else size + value.nbytes
    if isinstance(value, tuple | list):
        return size + sum(map(count_bytes, value))
    if isinstance(value, dict):
        return size + sum(count_bytes(part) for item in value.items() for part in item)
    return size + sum(count_bytes(getattr(value, name, None)) for name in list_fields(value.__class__))


@functools.cache
def list_fields(kind: Any) -> tuple[str, ...]:
    """List the names of a dataclass's fields; empty for other classes."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
