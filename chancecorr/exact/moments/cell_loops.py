"""Loops over cells that call the phi of an index: compiled where Numba can, as Python elsewhere."""

from collections.abc import Callable
from typing import Any

from chancecorr.exact.moments.kernels.additive import compiled_loop
from chancecorr.indices.calling import calling
from chancecorr.indices.compiling import compiled_cell
from chancecorr.indices.registry import Index


def run_loop(loop: Callable[..., Any], index: Index, *arguments: Any) -> Any:
    """Call a loop with the phi of an index."""
    phi = compiled_cell(index)
    with calling(index, "a cell"):
        if phi is None:
            return loop(index.function, *arguments)
        return compiled_loop(loop)(phi, *arguments)
