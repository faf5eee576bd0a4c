"""What an index of two clusterings of any kind is: how they agree, and the mean over permutations."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PairIndex:
    """An index of two clusterings that need not be partitions.

    Attributes
    ----------
    name : str
        What results call it.
    source : str
        The work that it is from: authors, year, where to find it.
    takes : tuple of str
        Kinds of clusterings: "labels", "membership", "cover", "tree", "similarity"; all if empty.
    agreement : callable
        From two clusterings of the same objects to an `Agreement`: the observed value, what is known of its
        null distribution, and its values under permutations.
    best : float
        Value at perfect agreement.
    aliases : tuple of str
        Other names.
    larger_is_better : bool
        Whether larger values mean more agreement.
    range : (float, float)
        Smallest and largest value. A value outside is an error.
    constant : bool
        Whether the sizes of the clusters alone determine the value.
    part : callable, optional
        From objects to the index of these alone, if it knows objects, as one of a graph does.

    Examples
    --------
    >>> from chancecorr.clusterings import PAIR_INDICES
    >>> PAIR_INDICES["omega"].takes
    ('labels', 'cover')
    """

    name: str
    source: str
    takes: tuple[str, ...]
    agreement: Callable[[Any, Any], Agreement]
    best: float = 1.0
    aliases: tuple[str, ...] = ()
    larger_is_better: bool = True
    range: tuple[float, float] = (-math.inf, math.inf)
    constant: bool = False
    part: Callable[[Integers], "PairIndex"] | None = None
