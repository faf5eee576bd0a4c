"""Functions that run in plain Python while that is faster than compiling, and as machine code afterwards.

`kernel` decorates a function of arrays and numbers, `inlined_kernel` a function that loops call, and
`shared_with_kernels` a function that Python calls, too. The rule is in `machine.compiling`; both ways give
the same bits. This file does not import Numba, which takes longer than most answers.
"""

import functools
import sys
import threading
import time
import types
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from chancecorr.machine import compiling
from chancecorr.machine.arrays import Integers, cached_property

LOOK_SECONDS = 0.1  # seconds between two checks for an interrupt, on systems that do not interrupt a wait
NANOSECONDS_OF_A_NUMBER = 1_000.0  # default forecast in plain Python, for each number in the arguments
F = TypeVar("F", bound=Callable[..., object])
R = TypeVar("R")


class Kernel:
    """A function that Numba compiles when that pays, also into other kernels; `py_func` is the original."""

    def __init__(
        self, function: Callable[..., Any], *, inlined: bool = False, shared: bool = False,
        forecast: Callable[..., float] | None = None,
    ) -> None:  # fmt: skip
        functools.update_wrapper(self, function)
        self.py_func, self._inlined, self._shared = function, inlined, shared
        self._forecast = forecast or forecast_numbers
        self.name = compiling.get_full_name(function)
        self._is_compiled = compiling.IS_SWITCHED_OFF
        compiling.register_module(function.__module__)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function in plain Python (always if it is shared) or compiled."""
        if self._shared:
            return self.py_func(*arguments, **named)
        if not self._is_compiled and self.runs_as_python(1e-9 * self._forecast(*arguments, **named)):
            return self.call_as_python(*arguments, **named)
        return self.dispatcher(*arguments, **named)

    def runs_as_python(self, seconds: float) -> bool:
        """Return True if the function runs in plain Python for another `seconds`."""
        if not self._is_compiled and compiling.runs_as_python(self.name, seconds):
            return True
        self._is_compiled = True
        return False

    def call_as_python(self, *arguments: Any, **named: Any) -> Any:
        """Call the function in plain Python, and count the seconds."""
        # compiled code ignores floating-point errors
        with compiling.count_seconds(self.name), np.errstate(all="ignore"):
            return self.plain(*arguments, **named)

    @cached_property
    def dispatcher(self) -> Any:
        """The compiled function; plain Python with ``NUMBA_DISABLE_JIT=1`` or without Numba."""
        if not compiling.has_numba():
            return self.call_as_python
        return import_compiler().compiled(self.py_func, inlined=self._inlined)

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The function in plain Python, which calls other kernels in plain Python, too."""
        return make_plain(self.py_func)

    @cached_property
    def part(self) -> Any:
        """The machine code for other kernels; Python cannot call it, so that less is compiled."""
        return import_compiler().compiled(self.py_func, inlined=self._inlined, part=True)

    @property
    def _numba_type_(self) -> Any:
        """Return the type in Numba's protocol, so that a user's compiled function can call a kernel."""
        return import_compiler().numba.typeof(self.part)

    def __reduce__(self) -> str:
        """Pickle by name, like a function, and so without machine code."""
        return self.py_func.__qualname__


# by module: names used by its kernels, other kernels in plain Python
_plain_globals: dict[str, dict[str, Any]] = {}
_plain_lock = threading.RLock()


@functools.lru_cache(maxsize=1024)
def make_plain(function: Any) -> Callable[..., Any]:
    """Copy a function so that it calls kernels in plain Python, also kernels in its closure."""
    module = function.__module__
    with _plain_lock:  # other threads must not see a module's names before all are there
        if module not in _plain_globals:
            where = _plain_globals[module] = dict(function.__globals__)
            kernels = [(name, value) for name, value in where.items() if isinstance(value, Kernel)]
            where.update((name, value.plain) for name, value in kernels)
        contents = (cell.cell_contents for cell in function.__closure__ or ())
        cells = tuple(types.CellType(x.plain if isinstance(x, Kernel) else x) for x in contents)
    code, name, defaults = function.__code__, function.__name__, function.__defaults__
    return types.FunctionType(code, _plain_globals[module], name, defaults, cells or None)


@functools.cache
def import_compiler() -> Any:
    """Import and return the module that uses Numba, and register kernels with Numba."""
    began = time.monotonic()
    from chancecorr.machine import compiler as machine_code

    machine_code.register_kernels(Kernel)
    machine_code.seconds_to_load.append(time.monotonic() - began)
    return machine_code


def forecast_numbers(*arguments: Any) -> float:
    """Forecast the nanoseconds in plain Python of a kernel that passes once over its arrays."""
    return NANOSECONDS_OF_A_NUMBER * (1 + sum(getattr(argument, "size", 1) for argument in arguments))


def kernel(function: F) -> F:
    """Decorate a function of arrays and numbers as a kernel that passes once over its arrays."""
    return cast(F, Kernel(function))


def forecast_kernel(forecast: Callable[..., float]) -> Callable[[F], F]:
    """Decorate a kernel; `forecast` takes its arguments and returns a call's nanoseconds in plain Python."""
    return cast(Callable[[F], F], functools.partial(Kernel, forecast=forecast))


def call_taking(function: Callable[..., R], seconds: float) -> Callable[..., R]:
    """Return the function to call for a kernel whose calls take `seconds` in plain Python."""
    called = cast(Kernel, function)
    return called.call_as_python if called.runs_as_python(seconds) else called.dispatcher


def expect(function: Callable[..., object], seconds: float) -> None:
    """Announce that calls of a kernel will take `seconds` in plain Python, to decide whether to compile."""
    cast(Kernel, function).runs_as_python(seconds)


def is_worth_compiling(function: Callable[..., object], seconds: float) -> bool:
    """Return True if a kernel is compiled; if not, count the seconds of the method used instead."""
    called = cast(Kernel, function)
    if called.runs_as_python(seconds):
        compiling.add_seconds(called.name, seconds)
        return False
    return True


def as_python(function: F) -> F:
    """Return a kernel in plain Python, which calls other kernels in plain Python, too."""
    return cast(F, cast(Kernel, function).plain)


def shared_with_kernels(function: F) -> F:
    """Run a function of numbers in plain Python, and compile it into the kernels that call it."""
    return cast(F, Kernel(function, inlined=True, shared=True))


def inlined_kernel(function: F) -> F:
    """Compile a function into the loops that call it, so that a compiler can vectorise the loops."""
    return cast(F, Kernel(function, inlined=True))


def read_clock() -> float:
    """Return a monotonic clock in seconds without the time for compiling and for loading machine code."""
    machine_code = sys.modules.get("chancecorr.machine.compiler")  # the module that imports Numba
    timer = getattr(machine_code, "timer", None)  # None also while another thread imports it
    waited = timer.duration if timer is not None and timer.done else 0.0
    return time.monotonic() - waited - sum(getattr(machine_code, "seconds_to_load", ()))


def run_in_background(function: Callable[[], R], limit: Integers | None = None) -> R:
    """Call a function in a new thread while the main thread waits.

    Python handles signals only in the main thread, and not while this thread runs compiled code. After an
    interrupt `limit`, shape (1,), becomes -1, so that the function may stop. In other threads the function is
    called directly.
    """
    if threading.current_thread() is not threading.main_thread():
        return function()
    from concurrent.futures import Future, wait

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
