"""Types of the arrays that kernels take, views that may not be written to, and attributes computed once.

`cached_property` is that of `functools` without the lock that in Python 3.11 serves all objects of a class:
threads would wait for each other's simulations, and a forked child for a thread that it does not have.
"""

import functools
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arguments import ArgumentValueError

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


def refuse_masked(argument: str, values: Any) -> None:
    """Raise if entries of an array are masked: without the mask it would hold whatever lies below."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        count = int(np.ma.getmaskarray(values).sum())
        rule = f"must have a value in each entry; got {count:,} masked"
        raise ArgumentValueError(argument, f"{rule}. Leave these out, or fill them by `.filled`.")


if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  named as the other
        """Property that is kept among the attributes of its object; two threads may both compute it."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """The value, computed at the first use."""
            if instance is None:
                return self
            if self.attrname not in instance.__dict__:
                instance.__dict__[self.attrname] = self.func(instance)
            return instance.__dict__[self.attrname]
