"""The one place where Numba's options and the types of arrays stand, and where compiling is spoken of."""

import multiprocessing
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba.core import event

Integers = npt.NDArray[np.int64]
"""Counts, totals, values of T and places in arrays."""

Floats = npt.NDArray[np.float64]
"""Values of indices, probabilities and moments."""

Booleans = npt.NDArray[np.bool_]
"""Masks."""

Words = npt.NDArray[np.uint64]
"""Unsigned 64-bit words: packed states and random bits."""

Whole = int | np.int64
"""A whole number, as Python or a kernel has it."""

F = TypeVar("F", bound=Callable[..., object])


def _is_kept() -> bool:
    """Whether Numba finds a folder for machine code: beside the files, or under the user's home."""

    def probe() -> None:
        """Stand in for a kernel; never compiled."""

    try:
        numba.njit(cache=True)(probe)
    except RuntimeError:  # what Numba raises where it may write to none of its folders
        return False
    return True


OPTIONS: dict[str, Any] = {"nogil": True, "cache": _is_kept(), "error_model": "numpy"}
"""``nogil`` lets threads run kernels side by side; ``cache`` keeps the machine code on disk, where there is a
folder for it; the error model divides as NumPy does, without a test for zero in every loop. ``fastmath``
stays off: it may reorder sums, and the same seed must give the same bits."""


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers at its first call."""
    compiled: F = numba.njit(**OPTIONS)(function)
    return compiled


def inlined_kernel(function: F) -> F:
    """Compile a function into the loops that call it: one that is not is called for each lane of a vector."""
    compiled: F = numba.njit(forceinline=True, **OPTIONS)(function)
    return compiled


def levels_to_the_caller() -> int:
    """How many calls up the first frame outside the package is, as `warnings.warn` counts."""
    level, frame = 1, sys._getframe(1)
    inside = ("chancecorr", "numba", "contextlib")
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in inside:
        level, frame = level + 1, frame.f_back
    return level


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
        if not OPTIONS["cache"]:
            warnings.warn(
                "chancecorr compiles anew in every process, for a few seconds: Numba finds no folder where it"
                " can keep machine code. Set the environment variable NUMBA_CACHE_DIR to one.",
                RuntimeWarning,
                stacklevel=levels_to_the_caller(),
            )
        elif sys.stderr is not None and sys.stderr.isatty():
            print("chancecorr: compiling once, for a few seconds", file=sys.stderr, flush=True)

    def on_end(self, compilation: event.Event) -> None:
        """Numba has compiled a function."""


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]
