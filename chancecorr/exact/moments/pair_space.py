"""Exact mean and variance of sums over pairs under random permutations of the objects.

A symmetric matrix X without its diagonal is a vector over the pairs of n objects. It is the sum of three
parts at right angles: its mean; ``u_i + u_j``, what each object adds; and the rest. Permutations of the
objects leave each part in a space of its own, of 1, n - 1 and n (n - 3) / 2 dimensions, and none of these
holds a smaller space that they leave alone. Hence (Schur's lemma) the sum ``G = sum X_ij Y_s(i)s(j)`` over
i < j has, under random permutations s, ::

    E G            = sum X sum Y / C(n, 2)
    Cov(G, G')     = <X1, X1'> <Y1, Y1'> / (n - 1)  +  <X2, X2'> <Y2, Y2'> / (n (n - 3) / 2)

with X1 the part of the objects and X2 the rest, for G of X and Y and G' of X' and Y'. For G' = G this is the
variance of Mantel (1967) and Hubert & Schultz (1976), doi:10.1111/j.2044-8317.1976.tb00714.x, whose
formula is a difference of far larger numbers; here it is a sum of numbers that are not negative.
"""

import math
from typing import NamedTuple


class PairSpace(NamedTuple):
    """A matrix over the pairs of n objects: its sum, and the squared lengths of its parts at right angles."""

    n: int
    total: float
    of_objects: float
    rest: float


def permutation_moments(P: PairSpace, Q: PairSpace) -> tuple[float, float]:
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
