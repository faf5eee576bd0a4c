"""How two clusterings of any kind agree by an index, and what permutations of the objects do to it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from chancecorr.indices.index import OF_CLUSTERINGS, Index
from chancecorr.machine.arrays import Floats, Integers

index_of_clusterings = partial(Index, needs="clusterings", family=OF_CLUSTERINGS, range=(0.0, 1.0))
Sums = Callable[[Integers], Floats]  # from permutations, (m, n), or (m, 2, n) if both are permuted, to m sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An index of two clusterings, and its mean and variance when the objects of the second are permuted.

    Parameters
    ----------
    observed : float
        Value on the two clusterings.
    best : float
        Value at perfect agreement, if the `best` of the index is None: it depends on the clusterings.
    expected, variance : float
        Under permutations of the objects of the second; nan if they have to be sampled.
    error : float
        Bound of the error of `expected`, rounding aside.
    adjusted : float or None
        Adjusted score, if it is found more exactly than from the numbers above.
    sums : callable
        From permutations of shape (m, n) to m sums, of which the index is ``at_zero + slope * sum``; of shape
        (m, 2, n) if `both`.
    at_zero, slope : float
        How the index follows from a sum.
    nanoseconds : float
        Forecast of a permutation; nan if it is not known.
    seconds : float
        What it took to find how they agree; nan if nobody looked at the clock.
    both : bool
        Whether the objects of both sides are permuted, each on their own.

    Examples
    --------
    >>> import chancecorr, numpy
    >>> P, Q = chancecorr.Membership([[1, 0], [0, 1]]), chancecorr.Membership([[1, 0], [1, 0]])
    >>> chancecorr.get_index("fuzzy_rand").function(P, Q).observed
    0.0
    """

    observed: float
    best: float = math.nan
    expected: float = math.nan
    variance: float = math.nan
    error: float = 0.0
    adjusted: float | None = None
    sums: Sums
    at_zero: float = 0.0
    slope: float = 1.0
    nanoseconds: float = math.nan
    seconds: float = math.nan
    both: bool = False


def leave_undefined() -> Agreement:
    """Agreement of fewer than two objects."""
    return Agreement(
        observed=math.nan,
        expected=math.nan,
        sums=lambda permutations: np.full(len(permutations), math.nan),
        nanoseconds=1.0,
    )
