"""Array types of the kernels, read-only views, and attributes that are computed once.

`cached_property` is the one in `functools` without its lock, which in Python 3.11 is shared by all objects of
a class. With the lock, threads would wait for each other's simulations, and a forked child for a thread that
it does not have.
"""

import functools
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arguments import ArgumentValueError

Integers = npt.NDArray[np.int64]  # counts, totals, values of T, and positions in arrays
Floats = npt.NDArray[np.float64]  # values of indices, probabilities and moments
Booleans = npt.NDArray[np.bool_]  # masks
Words = npt.NDArray[np.uint64]  # packed states and random bits
Whole = int | np.int64  # a whole number in Python or in a kernel
AnyArray = npt.NDArray[Any]  # labels, or values, of any type


def read_only(array: Any) -> Any:
    """Return a read-only view of an array; return other objects unchanged."""
    if isinstance(array, np.ndarray):
        array = array.view()
        array.flags.writeable = False
    return array


def refuse_masked(argument: str, values: Any) -> None:
    """Raise if entries of an array are masked: without the mask, arbitrary values would be used."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        count = int(np.ma.getmaskarray(values).sum())
        rule = f"must have a value in each entry; got {count:,} masked"
        raise ArgumentValueError(argument, f"{rule}. Leave these out, or fill them with `.filled`.")


if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  named as the other
        """Property whose value is stored among the object's attributes; two threads may both compute it."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """Return the value; compute it at the first use."""
            if instance is None:
                return self
            if self.attrname not in instance.__dict__:
                instance.__dict__[self.attrname] = self.func(instance)
            return instance.__dict__[self.attrname]
