"""The rule that says whether a kernel runs as Python or as machine code, and where machine code is kept.

A kernel runs as Python while this process has spent, and this call is forecast to spend, less than a fixed
time on it as Python: `SECONDS_AS_PYTHON`, or less where its machine code is on disk, because loading takes
less than compiling. Beyond that it is compiled, or loaded. Nothing is learned from other processes, and no
result hangs on it: both ways give the same bits. Nothing here imports Numba, which takes longer than most
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
"""Seconds that a kernel may take as Python in a process, before and after Numba is imported.

That is about what it takes to compile it, or, if its machine code is on disk, half of what it takes to load.
"""

IS_SWITCHED_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")  # nothing is compiled
FORCED = os.environ.get("CHANCECORR_KERNELS", "")  # "python" or "compiled": how all kernels run
if FORCED not in ("", "python", "compiled"):
    import multiprocessing

    if multiprocessing.parent_process() is None:  # its workers need not say so again
        warnings.warn(
            f"`CHANCECORR_KERNELS` must be python or compiled; got {FORCED!r}, which is ignored.",
            RuntimeWarning,
            stacklevel=1,
        )
_as_python = [0.0]  # seconds of all kernels together
_hurried: list[bool] = []  # not empty within `compile_at_once`
_spent: dict[str, float] = {}  # seconds as Python in this process, by kernel; infinite once it is compiled


def runs_as_python(name: str, seconds: float, *parts: str) -> bool:
    """Return True if a kernel is to run as Python for another `seconds`, a forecast.

    `parts` are the names of the functions that are compiled for it; left out, its own.
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
    """Find the seconds as Python after which these functions are compiled, or loaded from disk."""
    limits = SECONDS_TO_LOAD if all(map(is_on_disk, parts)) else SECONDS_AS_PYTHON
    return limits["numba" in sys.modules]


def add_seconds(name: str, seconds: float) -> None:
    """Count seconds that a kernel took as Python, or that another way took instead of it."""
    _spent[name] = _spent.get(name, 0.0) + seconds
    _as_python[0] += seconds


def count_seconds_as_python() -> float:
    """Count the seconds that all kernels together took as Python in this process."""
    return _as_python[0]


@contextlib.contextmanager
def count_seconds(name: str) -> Iterator[None]:
    """Context in which a kernel runs as Python: its processor time is counted."""
    began = time.thread_time()
    yield
    add_seconds(name, time.thread_time() - began)


@contextlib.contextmanager
def compile_at_once() -> Iterator[None]:
    """Context in which every kernel is compiled: a clock has found out that as Python they are too slow."""
    _hurried.append(True)
    try:
        yield
    finally:
        _hurried.pop()


@functools.cache
def has_numba() -> bool:
    """Return True if Numba can be imported; if not, warn once that all kernels run as Python."""
    try:
        import numba  # noqa: F401
    except ImportError:
        warnings.warn(
            "chancecorr cannot import Numba: what draws many tables, or lists all, runs as Python, about 100"
            " times as long. Install numba.",
            RuntimeWarning,
            stacklevel=count_levels_to_caller(),
        )
        return False
    return True


def get_full_name(function: Callable[..., object]) -> str:
    """Return the name of a function with its module: the key of its seconds and of its machine code."""
    return f"{function.__module__}.{function.__qualname__}"


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


@functools.cache
def list_code_folders() -> tuple[Path, ...]:
    """Folders for machine code, the first that can be written to is taken.

    They are in the folder that NUMBA_CACHE_DIR names, or else in the user's cache folder or beside the
    package. Each environment, Python and state of the kernels has its own.
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
    of_user = [] if folder.startswith("~") else [Path(folder) / "chancecorr" / name]  # a user without a home
    return (*of_user, Path(__file__).parents[1] / "__pycache__" / name)


def is_on_disk(name: str) -> bool:
    """Return True if there is machine code of a kernel."""
    return any(os.path.exists(folder / f"{name}.nbi") for folder in list_code_folders())
