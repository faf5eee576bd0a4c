"""How two clusterings of any kind agree by an index, and what permutations of the objects do to it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from chancecorr.machine.arrays import Floats, Integers

Sums = Callable[[Integers], Floats]
"""From permutations, shape (m, n), or (m, 2, n) if both sides are permuted, to a sum for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An index of two clusterings, and its mean and variance when the objects of the second are permuted.

    Attributes
    ----------
    observed : float
        Value on the two clusterings.
    expected, variance : float
        Under permutations of the objects of the second; nan if they have to be sampled.
    error : float
        Bound of the error of `expected`, rounding aside.
    adjusted : float or None
        Adjusted score, if it is found more exactly than from the numbers above.
    sums : callable
        From permutations of shape (m, n) to m sums, of which the index is ``at_zero + slope * sum``; of shape
        (m, 2, n) if `both` sides are permuted, each on its own.
    nanoseconds : float
        Forecast of a permutation; nan if it is not known.

    Examples
    --------
    >>> import chancecorr, numpy
    >>> P, Q = chancecorr.Membership([[1, 0], [0, 1]]), chancecorr.Membership([[1, 0], [1, 0]])
    >>> chancecorr.get_index("fuzzy_rand").function(P, Q).observed
    0.0
    """

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
