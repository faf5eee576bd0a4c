"""The one place where Numba's options and the types of arrays stand."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
"""Counts, totals, values of T and places in arrays."""

Floats = npt.NDArray[np.float64]
"""Values of indices, probabilities and moments."""

Booleans = npt.NDArray[np.bool_]
"""Masks."""

Words = npt.NDArray[np.uint64]
"""Unsigned 64-bit words: packed states and random bits."""

F = TypeVar("F", bound=Callable[..., object])

OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy"}
"""``nogil`` lets threads run kernels side by side; ``cache`` keeps the machine code on disk; the error model
divides as NumPy does, without a test for zero in every loop. ``fastmath`` stays off: it may reorder sums, and
the same seed must give the same bits."""


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers at its first call."""
    compiled: F = numba.njit(**OPTIONS)(function)
    return compiled
