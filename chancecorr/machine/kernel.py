"""Functions that become machine code at their first call.

Numba takes longer to import than most answers take. Nothing here imports it: the first call of a kernel does,
by `chancecorr.machine.options`, where Numba's options stand.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from chancecorr.machine.sources import goes_into_kernels

SECONDS_SPARED = 0.5
"""Seconds of a slower way in one process after which a kernel is compiled that takes several."""

F = TypeVar("F", bound=Callable[..., object])


class Kernel:
    """A function that Numba compiles at its first call, for other kernels too; `py_func` is as written."""

    def __init__(self, function: Callable[..., Any], *, inlined: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._inlined = inlined
        self._dispatcher: Any = None
        self._part: Any = None
        self.spared = 0.0
        goes_into_kernels(function.__module__)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the compiled function."""
        return (self._dispatcher or self.dispatcher)(*arguments, **named)

    @property
    def dispatcher(self) -> Any:
        """The compiled function; the function itself with ``NUMBA_DISABLE_JIT=1``."""
        if self._dispatcher is None:
            self._dispatcher = compiler().compiled(self.py_func, inlined=self._inlined)
        return self._dispatcher

    @property
    def part(self) -> Any:
        """The machine code as a part of other kernels, which Python cannot call: less to compile."""
        if self._part is None:
            self._part = compiler().compiled(self.py_func, inlined=self._inlined, part=True)
        return self._part

    @property
    def _numba_type_(self) -> Any:
        """Numba's typing protocol: lets a user's compiled function call a kernel."""
        return compiler().numba.typeof(self.part)

    def __reduce__(self) -> str:
        """Pickled by name, as a function is, and so without the machine code."""
        return self.py_func.__qualname__


@functools.cache
def compiler() -> Any:
    """The module that imports Numba, which from then on knows kernels."""
    from chancecorr.machine import options as machine_code

    machine_code.callable_from_kernels(Kernel)
    return machine_code


class Shared(Kernel):
    """A function that kernels call as machine code, and Python's code as Python."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function without Numba."""
        return self.py_func(*arguments, **named)


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers at its first call."""
    return cast(F, Kernel(function))


def pays(function: Callable[..., object], seconds: float) -> bool:
    """Whether to call a kernel, not a way that takes so much longer: if compiled, or once that adds up."""
    called = cast(Kernel, function)
    if compiler().is_at_hand(called.dispatcher):
        return True
    called.spared += seconds
    return called.spared > SECONDS_SPARED


def shared_with_kernels(function: F) -> F:
    """Leave a function of numbers to Python, and compile it into kernels that call it: both compute alike."""
    return cast(F, Shared(function))


def inlined_kernel(function: F) -> F:
    """Compile a function into the loops that call it: one that is not is called for each lane of a vector."""
    return cast(F, Kernel(function, inlined=True))
