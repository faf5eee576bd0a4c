"""Exact mean and variance of sums over pairs of objects under random permutations of the objects.

A symmetric matrix X over the pairs of n objects is the sum of three orthogonal parts: its mean; ``u_i +
u_j``, the contributions of the objects; and the rest. ``G = sum X_ij Y_s(i)s(j)`` over i < j has mean ``sum X
sum Y / C(n, 2)`` and variance ``|X1|**2 |Y1|**2 / (n - 1) + |X2|**2 |Y2|**2 / (n (n - 3) / 2)``, where X1 is
the part of the objects and X2 is the rest. This is a sum of nonnegative numbers; the formula of Mantel (1967)
is a difference of far larger numbers. See "Sums over pairs of objects" in docs/explanation/derivations.md.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from chancecorr.machine.arrays import Floats, Integers


class PairSpace(NamedTuple):
    """A matrix over the pairs of n objects: its sum, and the squared norms of its orthogonal parts."""

    n: int
    total: float
    of_objects: float
    rest: float


def compute_permutation_moments(P: PairSpace, Q: PairSpace) -> tuple[float, float]:
    """Return mean and variance of ``sum_{i<j} X_ij Y_s(i)s(j)``; nan for ``n < 2``."""
    n = P.n
    if n < 2:
        return math.nan, math.nan
    variance = 0.0
    if n > 2:
        variance += P.of_objects * Q.of_objects / (n - 1)
    if n > 3:
        variance += P.rest * Q.rest / (n * (n - 3) / 2.0)
    return P.total * Q.total / math.comb(n, 2), variance


def compute_variance_of_equals(n: int, P: Floats, Q: Floats) -> float:
    """Return the variance of the number of pairs with equal values on both sides under permutations.

    ``P[k, i]`` and ``Q[k, i]`` are the numbers of pairs of object i with the value k, for the values that
    both sides have. The number is a sum over k of sums over pairs of two matrices of 0 and 1; the covariance
    of two such sums has the inner products of their orthogonal parts in place of squared norms.
    """
    of_objects, of_rest = [], []
    for counts in (P, Q):
        totals = counts.sum(axis=1) / 2.0
        centred = counts - 2.0 * totals[:, np.newaxis] / n
        products = centred @ centred.T / max(n - 2, 1)
        of_objects.append(products)
        of_rest.append(np.diag(totals) - np.outer(totals, totals) / math.comb(n, 2) - products)
    variance = 0.0
    if n > 2:
        variance += float((of_objects[0] * of_objects[1]).sum()) / (n - 1)
    if n > 3:
        variance += float((of_rest[0] * of_rest[1]).sum()) / (n * (n - 3) / 2.0)
    return max(variance, 0.0)


CANCELLED_SHARE = 1e-13  # a difference below this share of the squares is rounding error


def find_listed_space(n: int, first: Integers, second: Integers, values: Floats) -> PairSpace:
    """Return the pair space of a matrix that is 0 except for the listed pairs, each listed once."""
    ends = np.concatenate([first, second])
    rows = np.bincount(ends, np.tile(values, 2), n)
    total, squares = math.fsum(rows) / 2.0, float(values @ values)
    if n < 3:
        return PairSpace(n, total, 0.0, 0.0)
    centred = rows - 2.0 * total / n
    of_objects = math.fsum(centred * centred) / (n - 2)
    rest = squares - total**2 / math.comb(n, 2) - of_objects
    return PairSpace(n, total, of_objects, rest if n > 3 and rest > CANCELLED_SHARE * squares else 0.0)


def make_partition_space(sizes: Integers) -> PairSpace:
    """Return the pair space of the 0/1 matrix of objects in one cluster, from the cluster sizes."""
    n, pairs, of_rows = int(sizes.sum()), 0, 0
    values, counts = np.unique(sizes, return_counts=True)
    # Python's integers do not overflow
    for size, clusters in zip(values.tolist(), counts.tolist(), strict=True):
        pairs += clusters * math.comb(size, 2)
        of_rows += clusters * size * (size - 1) ** 2
    if n < 3:
        return PairSpace(n, float(pairs), 0.0, 0.0)
    of_objects = (of_rows - Fraction(4 * pairs**2, n)) / (n - 2)
    rest = pairs - Fraction(pairs**2, math.comb(n, 2)) - of_objects
    return PairSpace(n, float(pairs), float(of_objects), float(rest) if n > 3 else 0.0)
