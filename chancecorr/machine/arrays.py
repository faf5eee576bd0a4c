"""Types of the arrays that kernels take, and arrays that may not be written to."""

from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]  # counts, totals, values of T and places in arrays
Floats = npt.NDArray[np.float64]  # values of indices, probabilities and moments
Booleans = npt.NDArray[np.bool_]  # masks
Words = npt.NDArray[np.uint64]  # packed states and random bits
Whole = int | np.int64  # a whole number, as Python or a kernel has it
AnyArray = npt.NDArray[Any]  # labels, or values, of any type


def read_only(array: Any) -> Any:
    """A view of an array that may not be written to; anything else as it is."""
    if isinstance(array, np.ndarray):
        array = array.view()
        array.flags.writeable = False
    return array
