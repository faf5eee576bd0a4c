"""What a process made by `os.fork` needs from the one it is a copy of.

The child has a copy of one thread, the one that called `os.fork`. A lock that another thread held stays
locked there for ever, and so does a module that another thread was importing. Locks of this package are a
`Lock`, which the child gets anew. Other packages' locks and imports are waited for before the fork: the child
needs what they protect in one piece. `multiprocessing` forks where nothing else is set.
"""

import logging  # noqa: F401, whose lock is taken before a fork as well: see below
import os
import sys
import threading
import time
import weakref
from types import TracebackType
from typing import Any

IMPORTED_LATE = frozenset(
    {"chancecorr", "numba", "llvmlite", "numpy", "scipy", "joblib", "cloudpickle", "distributed", "rich"}
)
"""Packages that a call may import in whatever thread it runs. An import of another package is left alone: it
may go on for as long as a program runs."""


PATIENCE = 30.0
"""Seconds that a fork waits at most. Names without documentation tell what to wait for, of importlib, Numba
and llvmlite; where they are missing, it does not wait."""


class Lock:
    """A lock as `threading.Lock`, by ``with``, that nobody holds in a process that was just forked.

    It is for what is right at any moment: the child may find what the lock protects not yet made, and makes
    it. No thread may fork while it holds one.
    """

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _locks.add(self)

    def __enter__(self) -> None:
        """Wait for the lock, and hold it."""
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back."""
        self._lock.release()


_locks: weakref.WeakSet[Lock] = weakref.WeakSet()
_held = threading.local()
"""In a thread that forks, `locks`: those of other packages that it holds meanwhile."""


def _wait_for_others() -> None:
    """Wait for imports that have begun, and for the compiler; nobody compiles until the process is forked."""
    _held.locks = []
    deadline = time.monotonic() + PATIENCE
    while any(map(_is_being_imported, list(sys.modules.items()))) and time.monotonic() < deadline:
        time.sleep(0.002)
    compiler = getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", None)
    # LLVM's is taken without the compiler's as well, where machine code is given back.
    llvm = getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None)
    for owner in (compiler, llvm):
        lock: Any = getattr(owner, "_lock", None)
        if hasattr(lock, "acquire") and lock.acquire(timeout=max(deadline - time.monotonic(), 0.0)):
            _held.locks.append(lock)


def _is_being_imported(named: tuple[str, Any]) -> bool:
    name, module = named
    if name.partition(".")[0] not in IMPORTED_LATE:
        return False
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


def _go_on() -> None:
    while _held.locks:
        _held.locks.pop().release()


def _begin_child() -> None:
    _go_on()
    for lock in _locks:
        lock._lock = threading.Lock()


if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    # The last registered comes first: `logging`, which the import of Numba needs, is locked after the wait.
    os.register_at_fork(before=_wait_for_others, after_in_parent=_go_on, after_in_child=_begin_child)
