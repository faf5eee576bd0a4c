"""How machine code is made: Numba's options in one place, and what is said while it compiles.

This imports Numba, and so it is itself imported inside functions only, where something is to be compiled.
"""

import contextlib
import multiprocessing
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba.core import event

from chancecorr.compiled import levels_to_the_caller
from chancecorr.printing import is_terminal


def _is_kept() -> bool:
    """Whether Numba finds a folder for machine code: beside the files, or under the user's home."""

    def probe() -> None:
        """Stand in for a kernel; never compiled."""

    try:
        numba.njit(cache=True)(probe)
    except RuntimeError:  # what Numba raises where it may write to none of its folders
        return False
    return True


OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""``nogil`` lets threads run kernels side by side; the error model divides as NumPy does, without a test for
zero in every loop. ``fastmath`` stays off: it may reorder sums, and the same seed must give the same bits."""

IS_KEPT = _is_kept()
"""Whether machine code stays on disk: wherever there is a folder for it."""


def compiled(function: Callable[..., Any], signature: str | None = None, *, inlined: bool = False) -> Any:
    """What Numba makes of a function of the package: with a signature at once, else call by call.

    Where compilation is switched off, by ``NUMBA_DISABLE_JIT=1``, that is the function itself.
    """
    dispatcher = numba.njit(forceinline=inlined, **OPTIONS)(function)
    if dispatcher is function:
        return function
    if IS_KEPT:
        _keep(dispatcher)
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher


def _keep(dispatcher: Any) -> None:
    """Let machine code stay on disk, by Numba's own rules where its names are not those of 0.61 to 0.68."""
    with contextlib.suppress(RuntimeError):  # a folder for other files of the package, and none for this one
        try:
            from chancecorr.kept_code import KernelCache

            dispatcher._cache = KernelCache(dispatcher.py_func)
        except (ImportError, AttributeError, TypeError, OSError):
            dispatcher.enable_caching()


class _Announcer(event.Listener):
    """Says once that chancecorr compiles: Numba tells it of what was not found on disk.

    A process that a worker pool has started says nothing, the one that the user has started does.
    """

    def __init__(self) -> None:
        self.silent = False

    def on_start(self, compilation: event.Event) -> None:
        """Numba begins to compile a function."""
        module = compilation.data["dispatcher"].py_func.__module__ or ""
        if self.silent or module.partition(".")[0] != "chancecorr":
            return
        self.silent = True
        if multiprocessing.parent_process() is not None:  # not known yet while a worker imports
            return
        if not IS_KEPT:
            warnings.warn(
                "chancecorr compiles anew in every process, for a few seconds: Numba finds no folder where it"
                " can keep machine code. Set the environment variable NUMBA_CACHE_DIR to one.",
                RuntimeWarning,
                stacklevel=levels_to_the_caller(),
            )
        elif is_terminal(sys.stderr):
            print("chancecorr: compiling once, for a few seconds", file=sys.stderr, flush=True)

    def on_end(self, compilation: event.Event) -> None:
        """Numba has compiled a function."""


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]

_TIMER = event.TimingListener()  # type: ignore[no-untyped-call]
event.register("numba:compile", _TIMER)  # type: ignore[no-untyped-call]


def seconds_compiling() -> float:
    """Seconds that this process has compiled for."""
    return float(_TIMER.duration) if _TIMER.done else 0.0
