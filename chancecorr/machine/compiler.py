"""Numba's options, and machine code on disk; imported inside functions, when something is to be compiled.

A kernel is compiled once and kept where `machine.compiling` says. Reading such a file executes it: it is read
only if nobody but this user, root and the owner of the package can have written it, and if its hash shows
that it is whole. The classes of Numba that this builds on are not documented, but the same from 0.61 to 0.68.
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
    "chancecorr compiles `{}` and what else is needed, once on this machine: a few seconds;"
    " `chancecorr compile` does it ahead of time."
)


def _make_timer() -> Any:
    """Timer of compilations, which announces the first to who looks on; None if this Numba has no events."""
    try:
        from numba.core import event

        class Compilations(event.TimingListener):
            """Seconds spent on compiling."""

            announced = False

            def on_start(self, event: Any) -> None:
                """Begin to count."""
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


seconds_to_load: list[float] = []  # seconds that it took to import this module, and to read machine code
timer = _make_timer()  # of all that this process compiles, by its `duration`; None if that is not known
CANNOT_COMPILE = NumbaError, UnsupportedBytecodeError  # errors for a function that Numba cannot compile
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""``fastmath`` stays off: it may reorder sums, and the same seed must give the same bits."""

PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # options of a kernel that only others call


def compiled(
    function: Callable[..., Any], signature: str | None = None, *, inlined: bool = False, part: bool = False
) -> Any:
    """Function compiled by Numba, with a signature at once, else at its calls; not if that is disabled."""
    options = {**OPTIONS, "forceinline": inlined}
    if part:  # by another name, under which its machine code is kept
        code, where, defaults = function.__code__, function.__globals__, function.__defaults__
        copy = types.FunctionType(code, where, function.__name__, defaults, function.__closure__)
        copy.__module__, copy.__qualname__ = function.__module__, f"{function.__qualname__}_part"
        function, options = copy, {**options, **PART}
    dispatcher = numba.njit(**options)(function)
    if dispatcher is function:  # words of random streams wrap around; NumPy warns of the like elsewhere
        wraps_around = function.__module__.startswith("chancecorr.sampling.")
        return np.errstate(over="ignore")(function) if wraps_around else function
    try:
        dispatcher._cache = KeptCode(dispatcher.py_func)
    except Exception as error:  # a RuntimeError if Numba may write to none of its folders
        warn_of_nothing_kept(f" ({error})" if not isinstance(error, RuntimeError) else "")
    # A part is compiled for whole numbers and truth values, not once more for each constant.
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
        """Numba's type of the machine code."""
        return numba.typeof(value.part)  # type: ignore[no-untyped-call]


SET_FOLDER = "Set the environment variable NUMBA_CACHE_DIR to a folder of your own."


class CodeFolder:
    """Numba's protocol of a folder for machine code: the first of ours that can be written to."""

    def __init__(self, path: str) -> None:
        self._path = path

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "CodeFolder | None":
        """Folder for the machine code of a function; None if there is none."""
        for folder in list_code_folders():
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                tempfile.TemporaryFile(dir=folder).close()
                return cls(str(folder))
        return None

    def ensure_cache_path(self) -> None:
        """Make the folder, which exists."""

    def get_cache_path(self) -> str:
        """Path of the folder."""
        return self._path

    def get_disambiguator(self) -> None:
        """Nothing: the names of functions differ."""

    def get_source_stamp(self) -> str:
        """What tells old code from new: the name of the folder."""
        return os.path.basename(self._path)


class Place(CompileResultCacheImpl):
    """Numba's way to machine code, in our folders."""

    _locator_classes = [CodeFolder]  # type: ignore[list-item]  # noqa: RUF012


class Files(IndexDataCacheFile):
    """Index and machine code of a function, each behind the SHA-256 of what it holds."""

    def __init__(self, folder: str, name: str, stamp: Any) -> None:
        super().__init__(folder, name, stamp)  # type: ignore[no-untyped-call]
        # Before anything else is read: an index of other kernels may name classes that are no more.
        self._version = self._version, stamp

    def save(self, key: Any, data: Any) -> None:
        """Keep machine code, unless others may write to the folder."""
        if is_own_folder(self._cache_path):
            super().save(key, data)  # type: ignore[no-untyped-call]

    def _load_index(self) -> dict[Any, str]:
        """Names of the files by signature, if there is a whole index of this Numba and of these kernels."""

        def parse(file: io.BytesIO) -> dict[Any, str]:
            if pickle.load(file) != self._version:
                return {}
            overloads: dict[Any, str] = pickle.loads(_read_whole(file))[1]
            return overloads

        return self._read(self._index_path, parse) or {}

    def _load_data(self, name: str) -> Any:
        """Read what is kept under this name; None if it cannot be read."""
        path = self._data_path(name)  # type: ignore[no-untyped-call]
        return self._read(path, lambda file: pickle.loads(_read_whole(file)))

    def _read(self, path: str, parse: Callable[[io.BytesIO], Any]) -> Any:
        """Read a file; None if it is not there, or with a warning if it must not or cannot be read."""
        try:
            if is_own_folder(self._cache_path):  # before the file is opened, which others could make a pipe
                with open(path, "rb") as file:
                    if is_of_this_user(os.fstat(file.fileno())):
                        return parse(io.BytesIO(file.read()))
            elif not os.path.lexists(path):
                return None
        except FileNotFoundError:
            return None
        except Exception:
            warn_once(
                f"cannot read the machine code in {path!r} and compiles anew. If this is said again, delete"
                f" the folder {self._cache_path!r}."
            )
            return None
        warn_once(
            f"does not read the machine code in {path!r}, which others may have written, and compiles anew."
            f" Take away their rights to the file and its folder, or delete them. {SET_FOLDER}"
        )
        return None

    def _dump(self, held: Any) -> bytes:
        """Bytes to be written: the hash, and what is held."""
        data: bytes = super()._dump(held)  # type: ignore[no-untyped-call]
        return hashlib.sha256(data).digest() + data


class KeptCode(FunctionCache):
    """Machine code of a function, valid as long as no kernel of the package has changed."""

    _impl_class = Place

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = Files(self._cache_path, get_full_name(function), stamp)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Machine code from disk, if there is any, and count the seconds."""
        began = time.monotonic()
        loaded = super().load_overload(signature, target_context)  # type: ignore[no-untyped-call]
        if not getattr(timer, "_depth", 0):  # else they are among those of a compilation
            seconds_to_load.append(time.monotonic() - began)
        return loaded

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep machine code if that is possible."""
        try:
            super().save_overload(signature, data)  # type: ignore[no-untyped-call]
        except Exception as error:
            warn_of_nothing_kept(f" in {self._cache_path!r} ({error})")


def is_own_folder(path: str) -> bool:
    """Return True if nobody but `list_trusted` can have made a folder, a link to it, or what is in it."""
    link = os.lstat(path)
    is_planted = stat.S_ISLNK(link.st_mode) and hasattr(os, "getuid") and link.st_uid not in list_trusted()
    return not is_planted and is_of_this_user(os.stat(path))


def list_trusted() -> set[int]:
    """Users whose files are read: this user, root and the owner of the package."""
    return {os.getuid(), 0, _find_owner()}


def is_of_this_user(about: os.stat_result) -> bool:
    """Whether none but this user, root and the owner of the package can have written a file or folder."""
    if not hasattr(os, "getuid"):
        return True
    if about.st_uid not in list_trusted() or about.st_mode & stat.S_IWOTH:
        return False
    if not about.st_mode & stat.S_IWGRP:
        return True
    import grp
    import pwd

    try:  # a group of this user alone, or of root
        group, user = grp.getgrgid(about.st_gid), pwd.getpwuid(os.getuid())
    except KeyError:
        return False
    return group.gr_name in {user.pw_name, "root"} and set(group.gr_mem) <= {user.pw_name, "root"}


@functools.cache
def _find_owner() -> int:
    """User who has installed it, by the first file that is found: a zip archive is one."""
    path = __file__
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return os.stat(path).st_uid


def _read_whole(file: io.BytesIO) -> bytes:
    """Read what stands behind its SHA-256, and raise if that is another."""
    digest, data = file.read(32), file.read()
    if hashlib.sha256(data).digest() != digest:
        raise ValueError("The file is damaged.")
    return data


def warn_of_nothing_kept(where: str) -> None:
    """Warn that machine code cannot be kept: in the process that the user has started, not in workers."""
    if multiprocessing.parent_process() is None:
        what = "compiles anew in every process, for a few seconds: machine code cannot be kept"
        warn_once(f"{what}{where}. {SET_FOLDER}")


_warned: set[str] = set()


def warn_once(what: str) -> None:
    """Warn of the first file, and of no other in the same words."""
    kind = what.split("'")[0].split("(")[0]
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(f"chancecorr {what}", RuntimeWarning, stacklevel=count_levels_to_caller())
