"""Counts of pairs that are together to a degree in two matrices, and the adjusted Rand index of them."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from chancecorr.machine.arrays import Floats


class PairDegrees(NamedTuple):
    """Pair counts of two partitions in which a pair may be together to a degree, summed over the pairs."""

    a: float  # sum P Q
    b: float  # sum P (1 - Q)
    c: float  # sum (1 - P) Q
    d: float  # sum (1 - P) (1 - Q)


def degree_sums(p: Floats, q: Floats) -> list[float]:
    """The four sums over some of the pairs."""
    p_apart, q_apart = 1.0 - p, 1.0 - q
    return [np.sum(x * y) for x in (p, p_apart) for y in (q, q_apart)]


def pair_degrees(sums: Iterable[list[float]]) -> PairDegrees:
    """The four sums over all pairs."""
    return PairDegrees(*map(math.fsum, np.array(list(sums)).reshape(-1, 4).T))


def adjusted_rand(degrees: PairDegrees) -> float:
    """Adjusted Rand index; 1.0 if all pairs are together, or all apart, on both sides; nan without pairs."""
    a, b, c, d = degrees
    scale = (a + b) * (b + d) + (a + c) * (c + d)
    if scale == 0.0:
        return 1.0 if a + d > 0.0 else math.nan
    return 2.0 * (a * d - b * c) / scale
