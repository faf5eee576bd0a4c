"""Machine code on disk: read only if it is whole and made of the kernels as they are now.

Numba's own cache looks at the file of the function alone, takes a damaged file for an error, and lets an
answer fail when the disk is full. The cache here is Numba's, with these three mended. It uses names that
Numba does not document (they are the same from 0.61 to 0.68); where they are missing,
`chancecorr.machine_code` takes Numba's cache as it is.
"""

import contextlib
import functools
import hashlib
import multiprocessing
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.serialize import dumps

from chancecorr.compiled import levels_to_the_caller
from chancecorr.kernel_sources import hash_of_kernels


class KernelCache(FunctionCache):
    """Numba's cache of one function: what is not fit to be loaded is compiled, kept or not kept.

    Parameters
    ----------
    function : function
        The function as it was written.

    Raises
    ------
    RuntimeError
        If Numba finds no folder that it may write to.

    Attributes
    ----------
    is_silent : bool
        Whether it was said already that machine code cannot be kept; one for all functions.
    """

    is_silent = False

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file = _CheckedFiles(
            self.cache_path,
            self._impl.filename_base,
            (self._impl.locator.get_source_stamp(), _hash_of_this_package()),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The function compiled for a signature; None where it is not kept, or the files are damaged."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # a damaged pickle may raise anything
            with contextlib.suppress(OSError):  # such a folder will not take new machine code: said then
                self.flush()  # type: ignore[no-untyped-call]
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the function compiled for a signature, or say once that it cannot be kept."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception as error:  # the answer does not depend on it
            if KernelCache.is_silent or multiprocessing.parent_process() is not None:  # workers say nothing
                return
            KernelCache.is_silent = True
            warnings.warn(
                f"chancecorr cannot keep machine code in the folder {self.cache_path} ({error}), and so"
                " compiles anew in every process. Make room there, or set the environment variable"
                " NUMBA_CACHE_DIR to another folder.",
                RuntimeWarning,
                stacklevel=levels_to_the_caller(),
            )


class _CheckedFiles(IndexDataCacheFile):
    """The two files of `KernelCache`: the machine code with a checksum of itself and of what it was made for.

    So machine code is also refused where the index names another file than its own, or where the disk took
    the new index of a changed kernel and not the new machine code.
    """

    def __init__(self, folder: str, name: str, stamp: object) -> None:
        super().__init__(cache_path=folder, filename_base=name, source_stamp=stamp)  # type: ignore[no-untyped-call]
        self._stamp = stamp

    def save(self, key: Any, data: Any) -> None:
        """Write an entry."""
        content = dumps(data)  # type: ignore[no-untyped-call]
        super().save(key, (self._checksum(key, content), content))  # type: ignore[no-untyped-call]

    def load(self, key: Any) -> Any:
        """Read an entry; None if there is none, ValueError or whatever pickles raise if it is damaged."""
        entry = super().load(key)  # type: ignore[no-untyped-call]
        if entry is None:
            return None
        checksum, content = entry
        if checksum != self._checksum(key, content):
            raise ValueError("The machine code is not what was written.")
        return pickle.loads(content)

    def _checksum(self, key: Any, content: bytes) -> bytes:
        return hashlib.sha256(repr((self._stamp, key)).encode() + content).digest()


@functools.cache
def _hash_of_this_package() -> str:
    """Hash of the kernels on disk, read at the first compilation: 8 ms."""
    return hash_of_kernels(Path(__file__).parent)
