"""Numba's cache of machine code, which is valid as long as no kernel of the package has changed.

It uses names that Numba does not document, the same from 0.61 to 0.68: `chancecorr.machine.options` takes
Numba's own cache if one is missing.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from numba.core.caching import FunctionCache

from chancecorr.machine.sources import hash_of_kernels


class KernelCache(FunctionCache):
    """Numba's cache of one function; a RuntimeError if Numba finds no folder that it may write to."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._cache_file._source_stamp = self._cache_file._source_stamp, _hash_of_this_package()

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the function compiled for a signature, unless the disk is full."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError:
            with contextlib.suppress(OSError):  # the index may name machine code that is not written
                self.flush()  # type: ignore[no-untyped-call]


@functools.cache
def _hash_of_this_package() -> str:
    """Hash of the kernels on disk, read at the first compilation: 2 ms."""
    return hash_of_kernels()
