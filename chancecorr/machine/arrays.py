"""Types of the arrays that kernels take."""

from typing import Any

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

Whole = int | np.int64
"""A whole number, as Python or a kernel has it."""

AnyArray = npt.NDArray[Any]
"""Labels, or values, of any type."""
