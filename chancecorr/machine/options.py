"""Numba's options in one place.

This imports Numba, and so it is itself imported inside functions only, when something is to be compiled.
"""

import contextlib
import functools
import multiprocessing
import os
import sys
import types
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.errors import NumbaWarning as NumbaWarning
from numba.extending import typeof_impl

from chancecorr.machine.kept_code import keep
from chancecorr.printing import is_watched


@functools.cache
def _announce_once() -> None:
    """Say why nothing is seen to happen for some seconds."""
    if is_watched() and multiprocessing.parent_process() is None:
        print("chancecorr compiles its kernels, once: seconds, up to a minute.", file=sys.stderr, flush=True)


def _listening() -> Any:
    """Timer of compilations, which announces the first; None if this Numba has no such events."""
    try:
        from numba.core import event

        class Compilations(event.TimingListener):
            """Seconds spent on compiling; a kernel of the package is announced to somebody who looks on."""

            def on_start(self, event: Any) -> None:
                """Begin to count."""
                super().on_start(event)  # type: ignore[no-untyped-call]
                if event.data["dispatcher"].py_func.__module__.startswith("chancecorr."):
                    _announce_once()

        timer = Compilations()  # type: ignore[no-untyped-call]
        event.register("numba:compile", timer)  # type: ignore[no-untyped-call]
        return timer
    except (ImportError, AttributeError):
        return None


_timer = _listening()

CANNOT_COMPILE = NumbaError, UnsupportedBytecodeError
"""Errors of Numba for a function that it cannot compile; the second is no kind of the first."""

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""``nogil`` lets threads run kernels side by side; the error model divides as NumPy does, without a test for
zero in every loop. ``fastmath`` stays off: it may reorder sums, and the same seed must give the same bits."""


PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""What a kernel that only others call is compiled without: the conversion of arguments from Python and C."""


def compiled(
    function: Callable[..., Any], signature: str | None = None, *, inlined: bool = False, part: bool = False
) -> Any:
    """Function of the package compiled by Numba: with a signature at once, else at its calls.

    With ``NUMBA_DISABLE_JIT=1`` it runs as Python.
    """
    options = {**OPTIONS, "forceinline": inlined}
    if part:
        function, options = _copy(function), {**options, **PART}
    dispatcher = numba.njit(**options)(function)
    if dispatcher is function:  # words of random streams wrap around; NumPy warns of the like elsewhere
        wraps_around = function.__module__.startswith("chancecorr.null.kernels.")
        return np.errstate(over="ignore")(function) if wraps_around else function
    keep(dispatcher)
    if part:
        _take_constants_as_numbers(dispatcher)
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher


def is_at_hand(dispatcher: Any) -> bool:
    """Whether a function has machine code in this process or on disk, or runs as Python."""
    if getattr(dispatcher, "overloads", None) != {}:
        return True
    with contextlib.suppress(AttributeError):  # undocumented names, the same from 0.61 to 0.68
        return os.path.exists(dispatcher._cache._cache_file._index_path)
    return False


def _take_constants_as_numbers(dispatcher: Any) -> None:
    """Compile a part for whole numbers and truth values, not once more for each constant."""
    template_for = getattr(dispatcher, "get_call_template", None)  # undocumented, the same from 0.61 to 0.68
    unliteral: Any = numba.types.unliteral
    if template_for is not None:
        dispatcher.get_call_template = lambda arguments, named: template_for(
            tuple(unliteral(argument) for argument in arguments), named
        )


def _copy(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function by another name, under which its machine code is kept."""
    code, where, defaults = function.__code__, function.__globals__, function.__defaults__
    copy = types.FunctionType(code, where, function.__name__, defaults, function.__closure__)
    copy.__module__, copy.__qualname__ = function.__module__, f"{function.__qualname__}_part"
    return copy


def callable_from_kernels(kind: type) -> None:
    """Let compiled functions call objects of a class by their ``part``."""

    @typeof_impl.register(kind)
    def _(value: Any, context: Any) -> Any:
        """Numba's type of the machine code."""
        return numba.typeof(value.part)  # type: ignore[no-untyped-call]


def seconds_compiling() -> float:
    """Seconds that this process has compiled for, as far as it is known."""
    return float(_timer.duration) if _timer is not None and _timer.done else 0.0
