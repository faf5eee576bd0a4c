"""Functions that become machine code at their first call, the hash of their files, and long calls of them.

`kernel` decorates a function of arrays and numbers, `inlined_kernel` what loops call, `shared_with_kernels`
what Python calls, too. Nothing here imports Numba, which takes longer than most answers.
"""

import contextlib
import functools
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, cached_property

SECONDS_SPARED = 0.5  # of a slower way in one process, after which a kernel is compiled that takes several
CALL_SECONDS = 0.1  # that a call on some of many tables should take
LOOK_SECONDS = 0.1  # between two looks for an interrupt, where the system does not look by itself

F = TypeVar("F", bound=Callable[..., object])
R = TypeVar("R")


class Kernel:
    """A function that Numba compiles at its first call, for other kernels too; `py_func` is as written."""

    def __init__(self, function: Callable[..., Any], *, inlined: bool = False, shared: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.py_func, self._inlined, self.spared = function, inlined, 0.0
        self._as_python = function if shared else None  # what Python calls
        register_module(function.__module__)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the compiled function, or a shared one as Python."""
        return (self._as_python or self.dispatcher)(*arguments, **named)

    @cached_property
    def dispatcher(self) -> Any:
        """The compiled function; the function itself with ``NUMBA_DISABLE_JIT=1``."""
        return import_compiler().compiled(self.py_func, inlined=self._inlined)

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


@functools.cache
def import_compiler() -> Any:
    """The module that imports Numba, which from then on knows kernels."""
    from chancecorr.machine import compiler as machine_code

    machine_code.register_kernels(Kernel)
    return machine_code


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers at its first call."""
    return cast(F, Kernel(function))


def pays(function: Callable[..., object], seconds: float) -> bool:
    """Whether to call a kernel, not a way that takes so much longer: if compiled, or once that adds up."""
    called = cast(Kernel, function)
    if is_at_hand(called.dispatcher):
        return True
    called.spared += seconds
    return called.spared > SECONDS_SPARED


def is_at_hand(dispatcher: Any) -> bool:
    """Whether a function has machine code in this process or on disk, or runs as Python."""
    if getattr(dispatcher, "overloads", None) != {}:
        return True
    with contextlib.suppress(AttributeError):  # undocumented names, the same from 0.61 to 0.68
        return os.path.exists(dispatcher._cache._cache_file._index_path)
    return False


def shared_with_kernels(function: F) -> F:
    """Leave a function of numbers to Python, and compile it into kernels that call it: both compute alike."""
    return cast(F, Kernel(function, inlined=True, shared=True))


def inlined_kernel(function: F) -> F:
    """Compile a function into the loops that call it: one that is not is called for each lane of a vector."""
    return cast(F, Kernel(function, inlined=True))


_modules = {"chancecorr.machine.compiler", "chancecorr.machine.kernel"}


def register_module(module: str) -> None:
    """Register a module that holds kernels, or constants that they read."""
    _modules.add(module)


def list_modules_of_kernels() -> list[str]:
    """Names of the modules of this package that go into kernels, sorted."""
    return sorted(name for name in _modules if name.partition(".")[0] == "chancecorr")


def hash_of_kernels() -> str:
    """Hash of the names and contents of `list_modules_of_kernels` on disk, 16 hexadecimal digits.

    Numba's own cache looks at the file of a function alone, not at those of the functions that it calls.
    """
    import hashlib
    import pkgutil

    digest = hashlib.sha256()
    for name in list_modules_of_kernels():
        package, _, module = name.rpartition(".")
        source = pkgutil.get_data(package, f"{module}.py") or b""  # also from a zip archive
        digest.update(f"{name}\0".encode() + hashlib.sha256(source).digest())
    return digest.hexdigest()[:16]


def read_clock() -> float:
    """Seconds of a monotonic clock, less those of compilation."""
    machine_code = sys.modules.get("chancecorr.machine.compiler")  # which imports Numba
    timer = getattr(machine_code, "timer", None)  # also while another thread imports it, None
    return time.monotonic() - (timer.duration if timer is not None and timer.done else 0.0)


def run_in_background(function: Callable[[], R], limit: Integers | None = None) -> R:
    """Call a function in a thread of its own while the main thread waits.

    Python handles signals in the main thread only, and not while that runs compiled code. After an interrupt
    the other thread goes on, and nobody reads what it returns: a `limit` of its work, shape (1,), becomes -1,
    at which it may stop. In other threads this is a plain call.
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


def run_in_short_calls(evaluate: Callable[[Any], Floats], tables: Integers) -> Floats:
    """Values of ``evaluate(tables)``, one a table, by calls that take about `CALL_SECONDS` each."""
    values = np.empty(tables.shape[0])
    done, size = 0, 1
    while done < values.size:
        began = read_clock()
        part = slice(done, min(done + size, values.size))
        values[part] = evaluate(tables[part])
        done, made = part.stop, part.stop - done
        size = max(1, int(CALL_SECONDS * made / max(read_clock() - began, 1e-9)))
    return values
