"""Pair-counting similarities in logarithms: the coefficients of Consonni and Todeschini.

Adding 1 to every count keeps the logarithms finite; it also lets n matter.
"""

import functools
import math

import numpy as np

from chancecorr.indices.pair_counting.entry import pair_index
from chancecorr.machine.arrays import Floats

logarithmic_index = functools.partial(pair_index, source="Consonni & Todeschini (2012), MATCH 68, 581-592")


@logarithmic_index("log(1 + a + d) / log(1 + N)", example=math.log(11) / math.log(16))
def consonni_todeschini_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreeing pairs relative to all pairs, in logarithms."""
    return np.log1p(a + d) / np.log1p(a + b + c + d)


@logarithmic_index(
    "(log(1 + N) - log(1 + b + c)) / log(1 + N)", example=(math.log(16) - math.log(6)) / math.log(16)
)
def consonni_todeschini_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """One less disagreeing pairs relative to all pairs, in logarithms."""
    return 1.0 - np.log1p(b + c) / np.log1p(a + b + c + d)


@logarithmic_index(
    "log(1 + a) / log(1 + N)",
    attained=False,
    example=math.log(5) / math.log(16),
    notes="1 only where both clusterings are one cluster, like `russell_rao`.",
)
def consonni_todeschini_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both relative to all pairs, in logarithms."""
    return np.log1p(a) / np.log1p(a + b + c + d)


@logarithmic_index("log(1 + a) / log(1 + a + b + c)", example=math.log(5) / math.log(10))
def consonni_todeschini_4(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both relative to pairs together in either, in logarithms."""
    return np.log1p(a) / np.log1p(a + b + c)


@logarithmic_index(
    "(log(1 + a d) - log(1 + b c)) / log(1 + N^2 / 4)",
    range=(-1.0, 1.0),
    best=None,
    example=(math.log(25) - math.log(7)) / math.log(1 + 225 / 4),
    notes="Identical clusterings have 1 only if half of all pairs are together.",
)
def consonni_todeschini_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Logarithm of the odds ratio, 1 added to both products, relative to its largest value."""
    N = a + b + c + d
    return (np.log1p(a * d) - np.log1p(b * c)) / np.log1p(N * N / 4.0)
