"""Exact mean and variance of sums over pairs of objects under random permutations of the objects.

A symmetric matrix X over the pairs of n objects has three parts at right angles: its mean; ``u_i + u_j``,
what each object adds; and the rest. ``G = sum X_ij Y_s(i)s(j)`` over i < j has mean ``sum X sum Y / C(n, 2)``
and variance ``|X1|**2 |Y1|**2 / (n - 1) + |X2|**2 |Y2|**2 / (n (n - 3) / 2)``, X1 the part of the objects and
X2 the rest: a sum of numbers that are not negative, where the formula of Mantel (1967) is a difference of far
larger ones. Sums with weights ``w(u, v)`` follow from A, ``w(1, 0) - w(0, 0)``, B, ``w(0, 1) - w(0, 0)``, and
C, ``w(1, 1) + w(0, 0) - w(1, 0) - w(0, 1)``. See "Sums over pairs of objects" in
docs/explanation/derivations.md.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from chancecorr.machine.arrays import Floats, Integers


class PairSpace(NamedTuple):
    """A matrix over the pairs of n objects: its sum, and the squared lengths of its parts at right angles."""

    n: int
    total: float
    of_objects: float
    rest: float


def compute_permutation_moments(P: PairSpace, Q: PairSpace) -> tuple[float, float]:
    """Mean and variance of ``sum_{i<j} X_ij Y_s(i)s(j)``; nan for ``n < 2``."""
    n = P.n
    if n < 2:
        return math.nan, math.nan
    variance = 0.0
    if n > 2:
        variance += P.of_objects * Q.of_objects / (n - 1)
    if n > 3:
        variance += P.rest * Q.rest / (n * (n - 3) / 2.0)
    return P.total * Q.total / math.comb(n, 2), variance


CANCELLED_SHARE = 1e-13  # share of the squares below which what is left of a difference is rounding


class WeightSums:
    """Pair space of a matrix listed pair by pair; other pairs have one value, with `more` if together."""

    def __init__(
        self, n: int, elsewhere: float = 0.0, more: float = 0.0, codes: Integers | None = None
    ) -> None:
        self._n, self._elsewhere, self._more, self._codes = n, elsewhere, more, codes
        others = np.zeros(n) if codes is None else np.bincount(codes)[codes] - 1.0
        self._rows = more * others
        self._squares = more**2 * math.fsum(others) / 2.0

    def add(self, first: Integers, second: Integers, values: Floats) -> None:
        """Add pairs, none of which has been added before."""
        above = values - self._elsewhere
        if self._codes is not None:
            base = self._more * (self._codes[first] == self._codes[second])
            above -= base
            self._squares += 2.0 * float(base @ above)
        for ends in (first, second):
            self._rows += np.bincount(ends, above, minlength=self._n)
        self._squares += float(above @ above)

    def space(self) -> PairSpace:
        """Pair space of the matrix."""
        n, above = self._n, math.fsum(self._rows) / 2.0
        total = above + self._elsewhere * math.comb(n, 2)
        if n < 3:
            return PairSpace(n, total, 0.0, 0.0)
        rows = self._rows - 2.0 * above / n
        of_objects = math.fsum(rows * rows) / (n - 2)
        rest = self._squares - above**2 / math.comb(n, 2) - of_objects
        has_rest = n > 3 and rest > CANCELLED_SHARE * self._squares
        return PairSpace(n, total, of_objects, rest if has_rest else 0.0)


def make_partition_space(sizes: Integers) -> PairSpace:
    """Pair space of the 0/1 matrix of which objects are together, from the sizes of the clusters."""
    n, pairs, of_rows = int(sizes.sum()), 0, 0
    for size, clusters in _measure_parts(sizes):
        pairs += clusters * math.comb(size, 2)
        of_rows += clusters * size * (size - 1) ** 2
    if n < 3:
        return PairSpace(n, float(pairs), 0.0, 0.0)
    of_objects = (of_rows - Fraction(4 * pairs**2, n)) / (n - 2)
    rest = pairs - Fraction(pairs**2, math.comb(n, 2)) - of_objects
    return PairSpace(n, float(pairs), float(of_objects), float(rest) if n > 3 else 0.0)


def compute_both_permuted_moments(
    of_first: PairSpace, of_second: PairSpace, of_both: PairSpace, sizes: tuple[Integers, Integers]
) -> tuple[float, float]:
    """Mean, less ``sum w(0, 0)``, and variance of S if both clusterings are permuted on their own."""
    n = of_both.n
    if n < 2:
        return math.nan, math.nan
    first, second = map(make_partition_space, sizes)
    p, q = (compute_share_together(sizes_of_side) for sizes_of_side in sizes)
    mean = p * of_first.total + q * of_second.total - p * q * of_both.total
    both = (of_first, first), (of_second, second)
    variance = sum(compute_permutation_moments(*pair)[1] for pair in both)
    products = [x * y for x, y in zip(*map(_compute_pair_covariances, sizes), strict=True)]
    same, sharing, apart = products
    # the eigenvalues, on the three parts of the pair space, of the matrix with these entries
    of_mean = same + 2 * (n - 2) * sharing + math.comb(n - 2, 2) * apart
    variance += of_both.total**2 / math.comb(n, 2) * float(of_mean)
    variance += of_both.of_objects * float(same + (n - 4) * sharing - (n - 3) * apart)
    variance += of_both.rest * float(same - 2 * sharing + apart)
    return mean, variance


def compute_share_together(sizes: Integers) -> float:
    """Share of the pairs of objects that are together."""
    n = int(sizes.sum())
    return sum(clusters * math.comb(size, 2) for size, clusters in _measure_parts(sizes)) / math.comb(n, 2)


def _measure_parts(sizes: Integers) -> list[tuple[int, int]]:
    """Distinct sizes and how many clusters have them, as Python integers."""
    values, counts = np.unique(sizes, return_counts=True)
    return list(zip(values.tolist(), counts.tolist(), strict=True))


def _compute_pair_covariances(sizes: Integers) -> list[Fraction]:
    """Covariances of u of two pairs of objects that are one, share an object, and are apart."""
    n, parts = int(sizes.sum()), _measure_parts(sizes)
    two, three, four = (sum(k * math.perm(size, m) for size, k in parts) for m in (2, 3, 4))
    apart = two**2 - sum(k * math.perm(size, 2) ** 2 for size, k in parts) + four
    p = Fraction(two, math.perm(n, 2))
    return [
        p * (1 - p),
        Fraction(three, math.perm(n, 3)) - p**2 if n > 2 else Fraction(0),
        Fraction(apart, math.perm(n, 4)) - p**2 if n > 3 else Fraction(0),
    ]
