"""Functions that become machine code at their first call, and the hash of the files that they come from.

A reader meets this file through the decorators: `kernel` for a function of arrays and numbers,
`inlined_kernel` for what loops call, `shared_with_kernels` for what Python's code calls, too. Nothing here
imports Numba, which takes longer than most answers: the first call of a kernel does, by `compiler.py`.

The cache and checkpoints carry `hash_of_kernels`: Numba's own looks at the file of a function alone, though
the machine code contains the functions that it calls, too.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from chancecorr.machine.arrays import cached_property

SECONDS_SPARED = 0.5
"""Seconds of a slower way in one process after which a kernel is compiled that takes several."""

F = TypeVar("F", bound=Callable[..., object])


class Kernel:
    """A function that Numba compiles at its first call, for other kernels too; `py_func` is as written."""

    def __init__(self, function: Callable[..., Any], *, inlined: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.py_func, self._inlined, self.spared = function, inlined, 0.0
        goes_into_kernels(function.__module__)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the compiled function."""
        return self.dispatcher(*arguments, **named)

    @cached_property
    def dispatcher(self) -> Any:
        """The compiled function; the function itself with ``NUMBA_DISABLE_JIT=1``."""
        return compiler().compiled(self.py_func, inlined=self._inlined)

    @cached_property
    def part(self) -> Any:
        """The machine code as a part of other kernels, which Python cannot call: less to compile."""
        return compiler().compiled(self.py_func, inlined=self._inlined, part=True)

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
    from chancecorr.machine import compiler as machine_code

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


_modules = {"chancecorr.machine.compiler", "chancecorr.machine.kernel"}


def goes_into_kernels(module: str) -> None:
    """Register a module that holds kernels, or constants that they read."""
    _modules.add(module)


def modules_of_kernels() -> list[str]:
    """Names of the modules of this package that go into kernels, sorted."""
    return sorted(name for name in _modules if name.partition(".")[0] == "chancecorr")


def hash_of_kernels() -> str:
    """Hash of the names and contents of `modules_of_kernels` on disk, 16 hexadecimal digits."""
    import hashlib
    import pkgutil

    digest = hashlib.sha256()
    for name in modules_of_kernels():
        package, _, module = name.rpartition(".")
        source = pkgutil.get_data(package, f"{module}.py") or b""  # also from a zip archive
        digest.update(f"{name}\0".encode() + hashlib.sha256(source).digest())
    return digest.hexdigest()[:16]
