"""Locks that nobody holds in a process that was just forked."""

import os
import threading
import weakref


class Lock:
    """A lock for ``with``, which a forked child gets anew: of the parent's threads it has one alone."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _locks.add(self)

    def __enter__(self) -> None:
        """Wait for the lock, and hold it."""
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        """Give it back."""
        self._lock.release()


_locks: weakref.WeakSet[Lock] = weakref.WeakSet()


def _renew() -> None:
    for lock in _locks:
        lock._lock = threading.Lock()


if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=_renew)
