"""How two clusterings of any kind agree by an index, and what permutations of the objects do to it."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from chancecorr.indices.index import OF_CLUSTERINGS, Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.kernels.streams import fill_permutations
from chancecorr.simulation.workers import map_in_threads

index_of_clusterings = partial(Index, needs="clusterings", family=OF_CLUSTERINGS, range=(0.0, 1.0))
"""Entry of an index of clusterings of any kind, from 0 to 1 unless it says otherwise."""

Sums = Callable[[Integers], Floats]
"""From permutations, shape (m, n), or (m, 2, n) if both sides are permuted, to a sum for each."""


MOST_OBJECTS_ENUMERATED, MOST_IF_BOTH = 8, 5
"""Objects of which all permutations are taken, 40,320 at most, and all pairs of permutations, 14,400."""

NUMBERS_AT_ONCE = 1 << 18
"""Numbers in a block of permutations: 2 MB, and few passes over a matrix that is read from disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An index of two clusterings, and its mean and variance when the objects of the second are permuted.

    Parameters
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
        (m, 2, n) if `both`.
    at_zero, slope : float
        How the index follows from a sum.
    nanoseconds : float
        Forecast of a permutation; nan if it is not known.
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
    expected: float = math.nan
    variance: float = math.nan
    error: float = 0.0
    adjusted: float | None = None
    sums: Sums
    at_zero: float = 0.0
    slope: float = 1.0
    nanoseconds: float = math.nan
    both: bool = False


def no_agreement() -> Agreement:
    """Agreement of fewer than two objects."""
    return Agreement(
        observed=math.nan,
        expected=math.nan,
        sums=lambda permutations: np.full(len(permutations), math.nan),
        nanoseconds=1.0,
    )


def number_of_all(n: int, both: bool) -> int:
    """Number of all permutations of few objects, or pairs of permutations; 0 if they are too many."""
    if n > (MOST_IF_BOTH if both else MOST_OBJECTS_ENUMERATED):
        return 0
    return math.factorial(n) ** (2 if both else 1)


def permuted_sums(
    sums: Sums,
    n: int,
    n_permutations: int,
    seed: np.uint64,
    n_jobs: int | None,
    *,
    both: bool = False,
    first: int | None = None,
) -> tuple[Floats, bool]:
    """Sums for all permutations of few objects, else for random ones from `first` on; and whether all."""
    sides = 2 if both else 1
    if first is None and (total := number_of_all(n, both)):
        one_by_one = itertools.permutations(range(n))
        everything = np.array(list(itertools.product(one_by_one, repeat=sides)), dtype=np.int64)
        return sums(everything.reshape((total, 2, n) if both else (total, n))), True
    size = max(32, NUMBERS_AT_ONCE // (sides * n))  # permutations in a block, however many objects there are

    start = first or 0
    stop = start + n_permutations

    def of_block(begin: int) -> Floats:
        count = min(size, stop - begin)
        permutations = np.empty((sides * count, n), dtype=np.int64)
        fill_permutations(seed, sides * begin, permutations)
        return sums(permutations.reshape((count, 2, n) if both else (count, n)))

    blocks = map_in_threads(of_block, range(start, stop, size), n_jobs)
    return np.concatenate(blocks) if blocks else np.empty(0), False


def contracted(permutations: Integers, kept: Integers) -> Integers:
    """Permutations of the objects that are kept, uniform too: the others are taken out of their cycles."""
    number = np.full(permutations.shape[1], -1, dtype=np.int64)
    number[kept] = np.arange(kept.size)
    images = permutations[:, kept]
    while (gone := number[images] < 0).any():
        images = np.where(gone, np.take_along_axis(permutations, images, axis=1), images)
    return np.asarray(number[images])
