"""Numba's options, and machine code on disk; imported only when something is compiled.

A kernel is compiled once and stored in the folder that `machine.compiling` chooses. Reading such a file
executes it. A file is read only if no user except this one, root and the owner of the package can have
written it, and if its hash shows that it is complete. The classes of Numba that this file uses are not
documented, but are the same from 0.61 to 0.68.
"""

import contextlib
import functools
import hashlib
import io
import multiprocessing
import os
import pickle
import stat
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.errors import NumbaWarning as NumbaWarning
from numba.extending import typeof_impl

from chancecorr.machine.arguments import count_levels_to_caller
from chancecorr.machine.compiling import get_full_name, list_code_folders
from chancecorr.machine.printing import is_watched

ANNOUNCEMENT = (
    "chancecorr compiles `{}` and the functions that it needs, once on this machine: a few seconds;"
    " `chancecorr compile` does it ahead of time."
)


def _make_timer() -> Any:
    """Make the timer of compilations, which announces the first one; None if this Numba has no events."""
    try:
        from numba.core import event

        class Compilations(event.TimingListener):
            """Timer of compilations."""

            announced = False

            def on_start(self, event: Any) -> None:
                """Start to measure, and announce the first compilation in a terminal or notebook."""
                super().on_start(event)  # type: ignore[no-untyped-call]
                function = event.data["dispatcher"].py_func
                if function.__module__.startswith("chancecorr.") and not self.announced:
                    self.announced = True
                    if is_watched() and multiprocessing.parent_process() is None:
                        print(ANNOUNCEMENT.format(function.__name__), file=sys.stderr, flush=True)

        timer = Compilations()  # type: ignore[no-untyped-call]
        event.register("numba:compile", timer)  # type: ignore[no-untyped-call]
        return timer
    except (ImportError, AttributeError):
        return None


seconds_to_load: list[float] = []  # seconds to import this module and to read machine code
timer = _make_timer()  # its `duration` is the time of all compilations in this process; None if unknown
CANNOT_COMPILE = NumbaError, UnsupportedBytecodeError  # errors for a function that Numba cannot compile
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""``fastmath`` stays off, because it may reorder sums and the same seed must give the same bits."""

# options of a kernel that only other kernels call
PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(
    function: Callable[..., Any], signature: str | None = None, *, inlined: bool = False, part: bool = False
) -> Any:
    """Compile a function with Numba, at once for a signature, else when called; not if Numba is disabled."""
    options = {**OPTIONS, "forceinline": inlined}
    if part:  # with another name, so that its machine code is stored separately
        code, where, defaults = function.__code__, function.__globals__, function.__defaults__
        copy = types.FunctionType(code, where, function.__name__, defaults, function.__closure__)
        copy.__module__, copy.__qualname__ = function.__module__, f"{function.__qualname__}_part"
        function, options = copy, {**options, **PART}
    dispatcher = numba.njit(**options)(function)
    if dispatcher is function:  # Numba is disabled: words of random streams wrap around, and NumPy would warn
        wraps_around = function.__module__.startswith("chancecorr.sampling.")
        return np.errstate(over="ignore")(function) if wraps_around else function
    try:
        dispatcher._cache = KeptCode(dispatcher.py_func)
    except Exception as error:  # a RuntimeError if Numba cannot write to any of its folders
        warn_of_nothing_kept(f" ({error})" if not isinstance(error, RuntimeError) else "")
    # Compile a part for integers and booleans, not again for each constant.
    template_for = getattr(dispatcher, "get_call_template", None)  # undocumented, the same from 0.61 to 0.68
    unliteral: Any = numba.types.unliteral
    if part and template_for is not None:
        dispatcher.get_call_template = lambda arguments, named: template_for(
            tuple(unliteral(argument) for argument in arguments), named
        )
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher


def register_kernels(kind: type) -> None:
    """Let compiled functions call objects of a class by their ``part``."""

    @typeof_impl.register(kind)
    def _(value: Any, context: Any) -> Any:
        """Return Numba's type of the machine code."""
        return numba.typeof(value.part)  # type: ignore[no-untyped-call]


SET_FOLDER = "Set the environment variable NUMBA_CACHE_DIR to a folder of your own."


class CodeFolder:
    """A folder for machine code, in Numba's protocol: the first of our folders that is writable."""

    def __init__(self, path: str) -> None:
        self._path = path

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "CodeFolder | None":
        """Return the folder for the machine code of a function, or None."""
        for folder in list_code_folders():
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                tempfile.TemporaryFile(dir=folder).close()
                return cls(str(folder))
        return None

    def ensure_cache_path(self) -> None:
        """Do nothing: the folder exists."""

    def get_cache_path(self) -> str:
        """Return the path of the folder."""
        return self._path

    def get_disambiguator(self) -> None:
        """Return None, because functions have different names."""

    def get_source_stamp(self) -> str:
        """Return the folder's name, which differs for other code."""
        return os.path.basename(self._path)


class Place(CompileResultCacheImpl):
    """Numba's access to machine code, in our folders."""

    _locator_classes = [CodeFolder]  # type: ignore[list-item]  # noqa: RUF012


class Files(IndexDataCacheFile):
    """Index and machine code of a function; each file begins with the SHA-256 of its content."""

    def __init__(self, folder: str, name: str, stamp: Any) -> None:
        super().__init__(folder, name, stamp)  # type: ignore[no-untyped-call]
        # First, because an index of other kernels may name classes that no longer exist.
        self._version = self._version, stamp

    def save(self, key: Any, data: Any) -> None:
        """Store machine code, but not in a folder to which other users may write."""
        if is_own_folder(self._cache_path):
            super().save(key, data)  # type: ignore[no-untyped-call]

    def _load_index(self) -> dict[Any, str]:
        """Return the file names by signature, if the index is complete and of this Numba and package."""

        def parse(file: io.BytesIO) -> dict[Any, str]:
            if pickle.load(file) != self._version:
                return {}
            overloads: dict[Any, str] = pickle.loads(_read_whole(file))[1]
            return overloads

        return self._read(self._index_path, parse) or {}

    def _load_data(self, name: str) -> Any:
        """Read the machine code with this name; None if it cannot be read."""
        path = self._data_path(name)  # type: ignore[no-untyped-call]
        return self._read(path, lambda file: pickle.loads(_read_whole(file)))

    def _read(self, path: str, parse: Callable[[io.BytesIO], Any]) -> Any:
        """Read a file; None if it does not exist, or, with a warning, if it must not or cannot be read."""
        try:
            # before opening: another user could replace the file by a pipe
            if is_own_folder(self._cache_path):
                with open(path, "rb") as file:
                    if is_of_this_user(os.fstat(file.fileno())):
                        return parse(io.BytesIO(file.read()))
            elif not os.path.lexists(path):
                return None
        except FileNotFoundError:
            return None
        except Exception:
            warn_once(
                f"cannot read the machine code in {path!r} and compiles anew. If this recurs, delete"
                f" the folder {self._cache_path!r}."
            )
            return None
        warn_once(
            f"does not read the machine code in {path!r}, which others may have written, and compiles anew."
            f" Remove their write permission for the file and its folder, or delete both. {SET_FOLDER}"
        )
        return None

    def _dump(self, held: Any) -> bytes:
        """Return the bytes of the file: the hash and the pickled content."""
        data: bytes = super()._dump(held)  # type: ignore[no-untyped-call]
        return hashlib.sha256(data).digest() + data


class KeptCode(FunctionCache):
    """Stored machine code of a function, valid until a kernel of the package changes."""

    _impl_class = Place

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = Files(self._cache_path, get_full_name(function), stamp)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Load machine code from disk if it is there, and count the seconds."""
        began = time.monotonic()
        loaded = super().load_overload(signature, target_context)  # type: ignore[no-untyped-call]
        if not getattr(timer, "_depth", 0):  # otherwise they are counted as part of a compilation
            seconds_to_load.append(time.monotonic() - began)
        return loaded

    def save_overload(self, signature: Any, data: Any) -> None:
        """Store machine code if possible."""
        try:
            super().save_overload(signature, data)  # type: ignore[no-untyped-call]
        except Exception as error:
            warn_of_nothing_kept(f" in {self._cache_path!r} ({error})")


def is_own_folder(path: str) -> bool:
    """Return True if only users in `list_trusted` can have made the folder, a link to it, or its files."""
    link = os.lstat(path)
    is_planted = stat.S_ISLNK(link.st_mode) and hasattr(os, "getuid") and link.st_uid not in list_trusted()
    return not is_planted and is_of_this_user(os.stat(path))


def list_trusted() -> set[int]:
    """Return the users whose files are read: this user, root and the owner of the package."""
    return {os.getuid(), 0, _find_owner()}


def is_of_this_user(about: os.stat_result) -> bool:
    """Return True if only this user, root and the package's owner can have written a file or folder."""
    if not hasattr(os, "getuid"):
        return True
    if about.st_uid not in list_trusted() or about.st_mode & stat.S_IWOTH:
        return False
    if not about.st_mode & stat.S_IWGRP:
        return True
    import grp
    import pwd

    try:  # a group that contains only this user, or root
        group, user = grp.getgrgid(about.st_gid), pwd.getpwuid(os.getuid())
    except KeyError:
        return False
    return group.gr_name in {user.pw_name, "root"} and set(group.gr_mem) <= {user.pw_name, "root"}


@functools.cache
def _find_owner() -> int:
    """Return the user who installed the package: the owner of its first file found, or of a zip archive."""
    path = __file__
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return os.stat(path).st_uid


def _read_whole(file: io.BytesIO) -> bytes:
    """Read the content after its SHA-256; raise if the hash differs."""
    digest, data = file.read(32), file.read()
    if hashlib.sha256(data).digest() != digest:
        raise ValueError("The file is damaged.")
    return data


def warn_of_nothing_kept(where: str) -> None:
    """Warn that machine code cannot be stored; only in the user's process, not in workers."""
    if multiprocessing.parent_process() is None:
        what = "compiles anew in every process, for a few seconds: machine code cannot be kept"
        warn_once(f"{what}{where}. {SET_FOLDER}")


_warned: set[str] = set()


def warn_once(what: str) -> None:
    """Warn about the first file only, for each kind of warning."""
    kind = what.split("'")[0].split("(")[0]
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(f"chancecorr {what}", RuntimeWarning, stacklevel=count_levels_to_caller())
