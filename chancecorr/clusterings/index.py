"""How two clusterings of any kind agree by an index, and what permutations of the objects do to it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from chancecorr.machine.arrays import Floats, Integers

Sums = Callable[[Integers], Floats]
"""From permutations, shape (m, n), or (m, 2, n) if both sides are permuted, to a sum for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An index of two clusterings, and its mean and variance when the objects of the second are permuted."""

    observed: float
    expected: float = math.nan  # nan if it has to be sampled
    variance: float = math.nan  # nan if it has to be sampled
    error: float = 0.0  # bound of the error of `expected`, rounding aside
    adjusted: float | None = None  # if it is found more exactly than from the numbers above
    sums: Sums  # the index is ``at_zero + slope * sum``
    at_zero: float = 0.0
    slope: float = 1.0
    nanoseconds: float = math.nan  # of a permutation, forecast; nan if not known
    both: bool = False  # whether the objects of both are permuted, each on their own
