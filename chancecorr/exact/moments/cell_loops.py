"""Loops over cells that call the phi of an index: compiled where Numba can, as Python elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.exact.moments.kernels import additive as kernels
from chancecorr.indices.evaluation import IndexEvaluationError, compiled_cell
from chancecorr.indices.registry import Index


def run_loop(loop: Callable[..., Any], index: Index, *arguments: Any) -> Any:
    """Call a loop with the phi of an index; IndexEvaluationError where phi fails on a cell."""
    phi = compiled_cell(index)
    try:
        with np.errstate(all="ignore"):
            if phi is None:
                return loop(index.function, *arguments)
            return kernels.compiled_loop(loop)(phi, *arguments)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise IndexEvaluationError(f"Index {index.name!r} failed on a cell: {reason}.") from error
