"""The rule that decides if a kernel runs in plain Python or compiled, and the folders for machine code.

A kernel runs in plain Python while its time in this process, with the forecast of this call, is below a fixed
limit: `SECONDS_AS_PYTHON`, or less if its machine code is on disk, because loading is faster than compiling.
Above the limit it is loaded or compiled. Nothing is learned from other processes. Results do not depend on
the rule, because both ways give the same bits. This file does not import Numba, which takes longer than most
answers.
"""

import contextlib
import functools
import math
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from chancecorr.machine.arguments import count_levels_to_caller

SECONDS_AS_PYTHON, SECONDS_TO_LOAD = (1.0, 0.5), (0.2, 0.02)
"""Seconds that a kernel may run in plain Python in a process, before and after Numba is imported.

The first is about the time to compile it; the second, for machine code on disk, half of the time to load it.
"""

IS_SWITCHED_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")  # compiling is disabled
FORCED = os.environ.get("CHANCECORR_KERNELS", "")  # "python" or "compiled": all kernels run in this way
if FORCED not in ("", "python", "compiled"):
    import multiprocessing

    if multiprocessing.parent_process() is None:  # warn only in the user's process, not in its workers
        warnings.warn(
            f"`CHANCECORR_KERNELS` must be python or compiled; got {FORCED!r}, which is ignored.",
            RuntimeWarning,
            stacklevel=1,
        )
_as_python = [0.0]  # seconds of all kernels together, in plain Python
_hurried: list[bool] = []  # not empty inside `compile_at_once`
# seconds in plain Python in this process, by kernel; infinite for compiled kernels
_spent: dict[str, float] = {}


def runs_as_python(name: str, seconds: float, *parts: str) -> bool:
    """Return True if a kernel runs in plain Python for another `seconds` (a forecast).

    `parts` are the names of the functions that are compiled for it; by default only its name.
    """
    if IS_SWITCHED_OFF or FORCED == "python":
        return True
    spent = _spent.get(name, 0.0) + seconds
    if spent < math.inf:
        is_little = spent < min(SECONDS_TO_LOAD) or spent < _find_limit(parts or (name,))
        if (is_little and FORCED != "compiled" and not _hurried) or not has_numba():
            return True
        _spent[name] = math.inf
    return False


def _find_limit(parts: tuple[str, ...]) -> float:
    """Return the seconds in plain Python after which these functions are compiled, or loaded from disk."""
    limits = SECONDS_TO_LOAD if all(map(is_on_disk, parts)) else SECONDS_AS_PYTHON
    return limits["numba" in sys.modules]


def add_seconds(name: str, seconds: float) -> None:
    """Add seconds that a kernel took in plain Python, or that another method took instead of the kernel."""
    _spent[name] = _spent.get(name, 0.0) + seconds
    _as_python[0] += seconds


def count_seconds_as_python() -> float:
    """Return the seconds that all kernels took in plain Python in this process."""
    return _as_python[0]


@contextlib.contextmanager
def count_seconds(name: str) -> Iterator[None]:
    """Count the processor time of a kernel that runs in plain Python in this context."""
    began = time.thread_time()
    yield
    add_seconds(name, time.thread_time() - began)


@contextlib.contextmanager
def compile_at_once() -> Iterator[None]:
    """Compile every kernel in this context, because plain Python has turned out to be too slow."""
    _hurried.append(True)
    try:
        yield
    finally:
        _hurried.pop()


@functools.cache
def has_numba() -> bool:
    """Return True if Numba can be imported; otherwise warn once that kernels run in plain Python."""
    try:
        import numba  # noqa: F401
    except ImportError:
        warnings.warn(
            "chancecorr cannot import Numba: to draw or list many tables takes about 100 times as long"
            " in Python. Install numba.",
            RuntimeWarning,
            stacklevel=count_levels_to_caller(),
        )
        return False
    return True


def get_full_name(function: Callable[..., object]) -> str:
    """Return the name of a function with its module: the key for its seconds and for its machine code."""
    return f"{function.__module__}.{function.__qualname__}"


_modules = {"chancecorr.machine.compiler", "chancecorr.machine.kernel"}


def register_module(module: str) -> None:
    """Register a module with kernels, or with constants that kernels use."""
    _modules.add(module)


def list_modules_of_kernels() -> list[str]:
    """Return the sorted names of the package's modules whose code goes into kernels."""
    return sorted(name for name in _modules if name.partition(".")[0] == "chancecorr")


def hash_of_kernels() -> str:
    """Return a hash of the names and files of `list_modules_of_kernels`, 16 hexadecimal digits.

    Numba's own cache checks only the file of a function, and not the files of the functions that it calls.
    """
    import hashlib
    import pkgutil

    digest = hashlib.sha256()
    for name in list_modules_of_kernels():
        package, _, module = name.rpartition(".")
        source = pkgutil.get_data(package, f"{module}.py") or b""  # this also reads from a zip archive
        digest.update(f"{name}\0".encode() + hashlib.sha256(source).digest())
    return digest.hexdigest()[:16]


@functools.cache
def list_code_folders() -> tuple[Path, ...]:
    """List folders for machine code; the first writable one is used.

    They are in the folder named by NUMBA_CACHE_DIR, or else in the user's cache folder or beside the package.
    Each environment, Python and version of the kernels has a separate folder.
    """
    import hashlib
    from importlib.util import find_spec

    numba = find_spec("numba")
    about = hash_of_kernels(), sys.version, numba.origin if numba else "", __file__
    name = f"kernels-{hashlib.sha256(repr(about).encode()).hexdigest()[:16]}"
    own = os.environ.get("NUMBA_CACHE_DIR")
    if own:
        return (Path(own) / name,)
    folder = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else ""
    if not folder:
        caches = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
        folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser(caches)
    # a user without a home has no folder
    of_user = [] if folder.startswith("~") else [Path(folder) / "chancecorr" / name]
    return (*of_user, Path(__file__).parents[1] / "__pycache__" / name)


def is_on_disk(name: str) -> bool:
    """Return True if the machine code of a kernel is on disk."""
    return any(os.path.exists(folder / f"{name}.nbi") for folder in list_code_folders())
