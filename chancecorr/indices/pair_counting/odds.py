"""Pair-counting coefficients of the odds ratio ``(a d) / (b c)`` and of the chi-square of the pairs.

The pairs are not independent: their chi-square has no chi-square law.
"""

import math

import numpy as np

from chancecorr.indices.pair_counting.association import covariance, phi
from chancecorr.indices.pair_counting.entry import CHOI, pair_index
from chancecorr.machine.arrays import Floats


@pair_index(
    "(sqrt(a d) - sqrt(b c)) / (sqrt(a d) + sqrt(b c))",
    range=(-1.0, 1.0),
    aliases=("yule_colligation", "yules_y"),
    example=(math.sqrt(24) - math.sqrt(6)) / (math.sqrt(24) + math.sqrt(6)),
    source="Yule (1912), doi:10.2307/2340126",
    known_as="Colligation; Yule's Q is `goodman_kruskal`",
    notes="YuleIndex in validation_indices divides D by a b + c d, not by a d + b c as Q does, so that it has"
    " other bounds and is 0/0 in other cases.",
)
def yule_y(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Yule's Q of the square roots of the pair counts."""
    agreeing: Floats = np.sqrt(a) * np.sqrt(d)
    differing: Floats = np.sqrt(b) * np.sqrt(c)
    return (agreeing - differing) / (agreeing + differing)


@pair_index(
    "((a d)^0.75 - (b c)^0.75) / ((a d)^0.75 + (b c)^0.75)",
    range=(-1.0, 1.0),
    example=(24**0.75 - 6**0.75) / (24**0.75 + 6**0.75),
    source="Digby (1983), doi:10.2307/2531104",
)
def digby(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Approximate tetrachoric correlation: Yule's Q of the odds ratio to the power 3/4."""
    agreeing: Floats = (a * d) ** 0.75
    differing: Floats = (b * c) ** 0.75
    return (agreeing - differing) / (agreeing + differing)


@pair_index(
    "cos(pi sqrt(b c) / (sqrt(a d) + sqrt(b c)))",
    range=(-1.0, 1.0),
    aliases=("pearson_heron_2",),
    example=math.cos(math.pi * math.sqrt(6) / (math.sqrt(24) + math.sqrt(6))),
    source="Pearson & Heron (1913), doi:10.2307/2331805",
    notes="The MATLAB script simbin puts 180 in the place of pi, in radians.",
)
def tetrachoric_cosine(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Approximate tetrachoric correlation: exact where either clustering joins half of the pairs."""
    differing: Floats = np.sqrt(b) * np.sqrt(c)
    angle: Floats = np.pi * differing / (np.sqrt(a) * np.sqrt(d) + differing)
    return np.cos(angle)


@pair_index(
    "D^2 / (P Q P' Q')",
    example=18**2 / (6 * 7 * 9 * 8),
    source="Doolittle (1885), Bulletin of the Philosophical Society of Washington 7, 122-127",
    notes="The square of `phi`, so that agreement below chance counts like agreement above it.",
)
def doolittle(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared correlation over the pairs."""
    return phi(a, b, c, d) ** 2


@pair_index(
    "N D^2 / (P Q P' Q')",
    range=(0.0, math.inf),
    best=None,
    aliases=("pair_chi_square",),
    corrected_as="doolittle",
    example=15 * 18**2 / (6 * 7 * 9 * 8),
    source=f"Pearson (1900); {CHOI}",
)
def pearson_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Chi-square statistic of the 2 x 2 table of pair counts."""
    return (a + b + c + d) * phi(a, b, c, d) ** 2


@pair_index(
    "sqrt(x / (N + x)), x = N D^2 / (P Q P' Q')",
    range=(0.0, math.sqrt(0.5)),
    best=math.sqrt(0.5),
    aliases=("pair_contingency_coefficient",),
    example=math.sqrt(15 * 18**2 / (6 * 7 * 9 * 8) / (15 + 15 * 18**2 / (6 * 7 * 9 * 8))),
    source=f"Pearson (1904), On the theory of contingency; {CHOI}",
    notes="Pearson III of Choi et al. (2010), sqrt(phi / (N + phi)), is this one with phi taken for"
    " chi-square: it is undefined wherever D < 0, and left out.",
)
def pearson_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Contingency coefficient of the 2 x 2 table of pair counts."""
    square = phi(a, b, c, d) ** 2
    return np.sqrt(square / (1.0 + square))


@pair_index(
    "log10(N (abs(D) - N / 2)^2 / (P Q P' Q'))",
    range=(-math.inf, math.inf),
    best=None,
    example=math.log10(15 * (18 - 7.5) ** 2 / (6 * 7 * 9 * 8)),
    source="Stiles (1961), doi:10.1145/321062.321074",
    notes="Where abs(D) < N / 2 the continuity correction overshoots: the value grows as D approaches 0.",
)
def stiles(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Logarithm of the chi-square of the pairs, corrected for continuity."""
    N = a + b + c + d
    deviation = np.abs(covariance(a, b, c, d)) - 0.5 * N
    return np.log10(N * (deviation / ((a + b) * (a + c))) * (deviation / ((c + d) * (b + d))))
