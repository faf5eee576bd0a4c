"""Whether a kernel runs as Python or as machine code: what it took as Python, and what compiling it takes.

The seconds that each kernel has taken as Python stand in a JSON file beside Numba's machine code, named by a
hash of the kernels, so that somebody who runs a script every minute is compiled for soon.
"""

import atexit
import contextlib
import functools
import json
import math
import os
import pkgutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from chancecorr.machine.arguments import count_levels_to_caller
from chancecorr.machine.printing import open_replacement

SECONDS_TO_LOAD = 0.4  # seconds that it takes to import Numba, and to load machine code from disk
LEAST_SECONDS_KEPT = 0.02  # as Python, below which a process writes nothing: writing takes a millisecond
IS_SWITCHED_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")  # nothing is compiled
FORCED = os.environ.get("CHANCECORR_KERNELS", "")  # "python" or "compiled": how all kernels run
SECONDS_TO_LEARN = 0.01  # seconds as Python from which on they count for more than their forecast
_added: dict[str, float] = {}  # seconds as Python in this process, by kernel; infinite if it was compiled
_forecast: dict[str, float] = {}  # seconds that were forecast for them
_of_thread = threading.local()  # `times`, of `count_times_ahead`; 1 if left out


def runs_as_python(name: str, seconds: float, *parts: str, times: float = 1.0) -> bool:
    """Whether a kernel runs as Python once more, by a forecast in seconds; `parts` are compiled for it.

    What it has taken in this process corrects the forecast. Once something is known of that, all of as many
    `times` the work that lie ahead count.
    """
    if IS_SWITCHED_OFF or FORCED == "python":
        return True
    if FORCED != "compiled":
        spent, compiling = find_seconds(name), sum(map(find_seconds_to_compile, parts or (name,)))
        has_compiler = "chancecorr.machine.compiler" in sys.modules
        if math.isinf(spent) and not (has_compiler or math.isinf(_added.get(name, 0.0))):
            spent, compiling = sum(_added.values()), 0.0  # there is machine code on disk
        compiling += 0.0 if has_compiler else SECONDS_TO_LOAD
        told, taken = _forecast.get(name, 0.0), _added.get(name, 0.0)
        ahead = seconds * (times if told else 1.0)
        if spent + ahead * (taken + SECONDS_TO_LEARN) / (told + SECONDS_TO_LEARN) <= compiling:
            _forecast[name] = told + seconds
            return True
    if not has_numba():
        return True
    _read_kept()  # at the end of the process the file is written, also after `chancecorr compile`
    _added[name] = math.inf
    return False


@functools.cache
def has_numba() -> bool:
    """Whether Numba can be imported; without it all kernels run as Python, which a warning says once."""
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
    """Name of a function with its module, by which its seconds are kept."""
    return f"{function.__module__}.{function.__qualname__}"


def find_seconds_to_compile(name: str) -> float:
    """Seconds that compiling a kernel takes if nothing is compiled; 1 if that is not known."""
    return _read_seconds_to_compile().get(name.removeprefix("chancecorr."), 1.0)


@functools.cache
def _read_seconds_to_compile() -> dict[str, float]:
    """Seconds of processor time by kernel, which experiments/benchmarks/compiling.py has measured."""
    return dict(json.loads(pkgutil.get_data("chancecorr.machine", "seconds_to_compile.json") or "{}"))


def find_seconds(name: str) -> float:
    """Seconds that a kernel has taken as Python so far; infinite if it has been compiled."""
    return _read_kept().get(name, 0.0) + _added.get(name, 0.0)


def add_seconds(name: str, seconds: float) -> None:
    """Count seconds that a kernel has taken as Python, or that a slower way took in its place."""
    _added[name] = _added.get(name, 0.0) + seconds


def count_times_ahead() -> float:
    """Count how many times the tables of this call the thread is to draw, with these."""
    return getattr(_of_thread, "times", 1.0)


@contextlib.contextmanager
def first_of(times: float) -> Iterator[None]:
    """Context of the first of so many times as many tables that the thread draws, also within another one."""
    before = count_times_ahead()
    _of_thread.times = before * times
    try:
        yield
    finally:
        _of_thread.times = before


@contextlib.contextmanager
def count_seconds(name: str) -> Iterator[None]:
    """Context in which a kernel runs as Python; the seconds are those of the processor."""
    began = time.thread_time()
    yield
    add_seconds(name, time.thread_time() - began)


@functools.cache
def _read_kept() -> dict[str, float]:
    """Seconds as Python of the processes before, by kernel."""
    atexit.register(_keep, os.getpid())
    return _read_file()


def _read_file() -> dict[str, float]:
    """Seconds as Python that are kept; none if there is no such file, or a damaged one."""
    try:
        kept = json.loads(_find_file().read_text(encoding="utf-8"))
        return {str(name): float(seconds) for name, seconds in kept.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _keep(process: int) -> None:
    """Write what this process has added to what is kept, unless it is little, or a child of the process."""
    if os.getpid() != process or sum(_added.values()) < LEAST_SECONDS_KEPT:
        return
    kept = _read_file()  # once more: other processes may have written it
    kept |= {name: kept.get(name, 0.0) + added for name, added in _added.items()}
    with contextlib.suppress(OSError):
        _find_file().parent.mkdir(parents=True, exist_ok=True)
        with open_replacement(_find_file()) as file:
            file.write(json.dumps(kept).encode())


@functools.cache
def _find_file() -> Path:
    """Where the seconds are kept: in the folder that NUMBA_CACHE_DIR names, or the user's for such files."""
    from chancecorr.machine.kernel import hash_of_kernels

    folder = os.environ.get("NUMBA_CACHE_DIR")
    if not folder and sys.platform == "win32":
        folder = os.environ.get("LOCALAPPDATA")
    if not folder:
        caches = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
        folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser(caches)
    if folder.startswith("~"):  # a user without a home
        raise OSError("There is no folder for caches.")
    return Path(folder) / "chancecorr" / f"{hash_of_kernels()}.json"
