"""Machine code of an index's function, if Numba can compile it; else it runs as Python, after one warning."""

import functools
import warnings
from collections.abc import Callable
from typing import Any

from chancecorr.arguments import levels_to_the_caller
from chancecorr.indices import loops
from chancecorr.indices.calling import as_python, calling, returning_a_number
from chancecorr.indices.index import Index
from chancecorr.indices.trial import is_of_the_catalogue
from chancecorr.machine.kernel import compiler


def compiled_table(index: Index) -> Callable[..., Any] | None:
    """Function of a ``"table"`` index compiled for its loop, or None when Numba cannot."""
    return _compile(index.function, loops.TABLE_SIGNATURE)[0]


def compiled_cell(index: Index) -> Callable[..., Any] | None:
    """Function of a ``"cells"`` index compiled for its loop, or None when Numba cannot."""
    return _compile(index.function, loops.CELL_SIGNATURE)[0]


def run_loop(loop: Callable[..., Any], index: Index, where: str | Callable[[], str], *arguments: Any) -> Any:
    """Call one of the `loops` over cells with the phi of an index, as machine code where Numba can."""
    phi = compiled_cell(index)
    with calling(index, where):
        if phi is None:
            return loop(returning_a_number(index.function), *arguments)
        return loops.compiled_loop(loop)(phi, *arguments)


def warn_if_not_compiled(index: Index, signature: Any) -> None:
    """Warn once that an index runs as Python, and why; called by the user's thread, not in workers."""
    compiled, reason = _compile(index.function, signature)
    if compiled is None:
        _warn_once(index.name, reason)


@functools.cache
def _warn_once(name: str, reason: str) -> None:
    """Warn that an index runs as Python."""
    warnings.warn(
        f"Index {name!r} could not be compiled and runs as Python, far slower. Numba says: {reason[:300]}",
        RuntimeWarning,
        stacklevel=levels_to_the_caller(),
    )


@functools.lru_cache(maxsize=512)
def _compile(function: Callable[..., Any], signature: Any) -> tuple[Callable[..., Any] | None, str]:
    # The catalogue's own are kept on disk. A user's may have no file, or globals that change between runs. It
    # has checks of bounds, and takes 1.2 to 1.5 times as long: reading out of bounds would end the process.
    machine, plain = compiler(), as_python(function)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", machine.NumbaWarning)
            if is_of_the_catalogue(function):
                return machine.compiled(plain, signature), ""
            return machine.numba.njit(signature, nogil=True, boundscheck=True)(plain), ""
    except (*machine.CANNOT_COMPILE, TypeError, NotImplementedError, AttributeError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return None, f"{type(error).__name__}: {' '.join(lines[:2])}"
