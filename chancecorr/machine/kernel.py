"""Functions that run as Python while that takes less than compiling them, and as machine code from then on.

`kernel` decorates a function of arrays and numbers, `inlined_kernel` what loops call, `shared_with_kernels`
what Python calls, too. `machine.compiling` has the rule; both ways give the same bits. Nothing here imports
Numba, which takes longer than most answers.
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

LOOK_SECONDS = 0.1  # between two looks for an interrupt, where the system does not look by itself
NANOSECONDS_OF_A_NUMBER = 1_000.0  # of the arrays of a kernel, as Python, that says nothing else
F = TypeVar("F", bound=Callable[..., object])
R = TypeVar("R")


class Kernel:
    """A function that Numba compiles when that pays, for other kernels too; `py_func` is as written."""

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
        """Call the function as Python, a shared one always, or the compiled one."""
        if self._shared:
            return self.py_func(*arguments, **named)
        if not self._is_compiled and self.runs_as_python(1e-9 * self._forecast(*arguments, **named)):
            return self.call_as_python(*arguments, **named)
        return self.dispatcher(*arguments, **named)

    def runs_as_python(self, seconds: float) -> bool:
        """Return True if the function is to run as Python for another `seconds`."""
        if not self._is_compiled and compiling.runs_as_python(self.name, seconds):
            return True
        self._is_compiled = True
        return False

    def call_as_python(self, *arguments: Any, **named: Any) -> Any:
        """Call the function as Python, and count the seconds."""
        with compiling.count_seconds(self.name), np.errstate(all="ignore"):  # as machine code does
            return self.plain(*arguments, **named)

    @cached_property
    def dispatcher(self) -> Any:
        """The compiled function; as Python with ``NUMBA_DISABLE_JIT=1``, or without Numba."""
        if not compiling.has_numba():
            return self.call_as_python
        return import_compiler().compiled(self.py_func, inlined=self._inlined)

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The function as Python, which calls other kernels as Python, too."""
        return make_plain(self.py_func)

    @cached_property
    def part(self) -> Any:
        """The machine code as a part of other kernels, which Python cannot call: less to compile."""
        return import_compiler().compiled(self.py_func, inlined=self._inlined, part=True)

    @property
    def _numba_type_(self) -> Any:
        """Numba's typing protocol: lets a user's compiled function call a kernel."""
        return import_compiler().numba.typeof(self.part)

    def __reduce__(self) -> str:
        """Pickled by name, as a function is, and so without the machine code."""
        return self.py_func.__qualname__


_plain_globals: dict[str, dict[str, Any]] = {}  # by module: what its kernels read, other kernels as Python
_plain_lock = threading.RLock()


@functools.lru_cache(maxsize=1024)
def make_plain(function: Any) -> Callable[..., Any]:
    """A copy of a function that calls kernels as Python, also those of its closure."""
    module = function.__module__
    with _plain_lock:  # no other thread may see the names of a module before all are there
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
    """The module that imports Numba, which from then on knows kernels."""
    began = time.monotonic()
    from chancecorr.machine import compiler as machine_code

    machine_code.register_kernels(Kernel)
    machine_code.seconds_to_load.append(time.monotonic() - began)
    return machine_code


def forecast_numbers(*arguments: Any) -> float:
    """Nanoseconds that a kernel takes as Python which passes once over the numbers of its arrays."""
    return NANOSECONDS_OF_A_NUMBER * (1 + sum(getattr(argument, "size", 1) for argument in arguments))


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers, or as a part of another kernel; it passes over them once."""
    return cast(F, Kernel(function))


def forecast_kernel(forecast: Callable[..., float]) -> Callable[[F], F]:
    """Compile a function whose arguments `forecast` takes, and gives the nanoseconds of a call as Python."""
    return cast(Callable[[F], F], functools.partial(Kernel, forecast=forecast))


def call_taking(function: Callable[..., R], seconds: float) -> Callable[..., R]:
    """Return the function to call for a kernel whose calls take `seconds` as Python."""
    called = cast(Kernel, function)
    return called.call_as_python if called.runs_as_python(seconds) else called.dispatcher


def expect(function: Callable[..., object], seconds: float) -> None:
    """Tell the rule that calls of a kernel will take `seconds` as Python, before the first of them."""
    cast(Kernel, function).runs_as_python(seconds)


def pays(function: Callable[..., object], seconds: float) -> bool:
    """Return True if a kernel is compiled; if not, count the seconds of the way that is taken instead."""
    called = cast(Kernel, function)
    if called.runs_as_python(seconds):
        compiling.add_seconds(called.name, seconds)
        return False
    return True


def as_python(function: F) -> F:
    """A kernel as Python, which calls other kernels as Python, too."""
    return cast(F, cast(Kernel, function).plain)


def shared_with_kernels(function: F) -> F:
    """Leave a function of numbers to Python, and compile it into kernels that call it: both compute alike."""
    return cast(F, Kernel(function, inlined=True, shared=True))


def inlined_kernel(function: F) -> F:
    """Compile a function into the loops that call it: one that is not is called for each lane of a vector."""
    return cast(F, Kernel(function, inlined=True))


def read_clock() -> float:
    """Seconds of a monotonic clock, less those of compilation, and of loading Numba and machine code."""
    machine_code = sys.modules.get("chancecorr.machine.compiler")  # which imports Numba
    timer = getattr(machine_code, "timer", None)  # also while another thread imports it, None
    waited = timer.duration if timer is not None and timer.done else 0.0
    return time.monotonic() - waited - sum(getattr(machine_code, "seconds_to_load", ()))


def run_in_background(function: Callable[[], R], limit: Integers | None = None) -> R:
    """Call a function in a thread of its own while the main thread waits.

    Python handles signals in the main thread only, and not while that runs compiled code. After an interrupt
    a `limit` of the work, shape (1,), becomes -1, at which it may stop. In other threads it is a plain call.
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
