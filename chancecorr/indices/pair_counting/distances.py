"""Pair-counting distances: functions of a, b, c, d that are least, mostly 0, for identical clusterings.

Differences of nearly equal products are written as sums: ``P Q - a**2 = a b + a c + b c``,
``P Q P' Q' - D**2 = N (b c (a + d) + a d (b + c))``.
"""

import math

import numpy as np

from chancecorr.indices.pair_counting.entry import CHOI, distance, pair_index, ratio_index
from chancecorr.machine.arrays import Floats


@distance(
    "b + c",
    range=(0.0, math.inf),
    affine=True,
    corrected_as="adjusted_rand",
    example=2 + 3,
    source="Mirkin & Chernyi (1970), Automation and Remote Control 31, 786-792",
    aliases=("equivalence_mismatch",),
    known_as=(
        "Squared Euclidean, Manhattan, Canberra or Hamming distance in Choi et al. (2010). Elsewhere the name"
        " means 2 (b + c), as in partitionComparison and mclustcomp, 2 (b + c) / n^2, or (b + c) / N: here"
        " `arabie_boorman`"
    ),
    notes="All four scales give the same adjusted score and the same p-value.",
)
def mirkin(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Number of pairs on which the clusterings disagree."""
    return b + c


ratio_index(
    "arabie_boorman",
    "(b + c) / N",
    "Share of the pairs on which the clusterings disagree.",
    ((0, 1, 1, 0), (1, 1, 1, 1)),
    best=0.0,
    corrected_as="adjusted_rand",
    example=5 / 15,
    source="Arabie & Boorman (1973), Journal of Mathematical Psychology 10, 148-203",
    known_as="1 - Rand; BA-D in clue, mean Manhattan in Choi et al. (2010), hamming in SciPy",
)


@distance("sqrt(b + c)", range=(0.0, math.inf), example=math.sqrt(5), source=CHOI)
def euclid(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Euclidean distance of the two 0/1 vectors over pairs."""
    return np.sqrt(b + c)


ratio_index(
    "bray_curtis",
    "(b + c) / (2 a + b + c)",
    "Disagreement relative to the pairs together, each clustering counting its own.",
    ((0, 1, 1, 0), (2, 1, 1, 0)),
    best=0.0,
    corrected_as="adjusted_rand",
    example=5 / 13,
    aliases=("adapted_rand_error",),
    source="Bray & Curtis (1957), doi:10.2307/1942268",
    known_as="dice in SciPy, Lance & Williams in SPSS and Choi et al. (2010); 1 - Czekanowski; adapted Rand"
    " error of scikit-image, which leaves out the pixels with label 0 in the reference",
)

ratio_index(
    "marczewski_steinhaus",
    "(b + c) / (a + b + c)",
    "Of the pairs together in either, the share together in one only.",
    ((0, 1, 1, 0), (1, 1, 1, 0)),
    best=0.0,
    aliases=("jaccard_distance",),
    corrected_as="jaccard",
    example=5 / 9,
    source="Marczewski & Steinhaus (1958), Colloquium Mathematicum 6, 319-327",
    known_as="jaccard in SciPy; 1 - Jaccard",
)


@distance(
    "sqrt((b + c) / (a + b))",
    range=(0.0, math.inf),
    symmetric=False,
    corrected_as="euclid",
    example=math.sqrt(5 / 6),
    source="Jiang, Tang & Zhang (2004), IEEE Transactions on Knowledge and Data Engineering 16, 1370-1386",
    known_as="Minkowski measure or score; not the Minkowski distance of order p",
    notes="Infinite against a reference of singletons.",
)
def minkowski(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Euclidean distance of the vectors over pairs, relative to the length of the reference's."""
    return np.sqrt((b + c) / (a + b))


@pair_index(
    "(b - c) / sqrt(b + c)",
    range=(-math.inf, math.inf),
    best=math.nan,
    attained=False,
    symmetric=False,
    example=-1 / math.sqrt(5),
    source="McNemar (1947), doi:10.1007/BF02295996",
    notes=(
        "b - c = P - Q is known from the cluster sizes, and 0 is no sign of agreement. clusterCrit computes"
        " (d - c) / sqrt(d + c), against McNemar, who compares the two discordant counts."
    ),
)
def mcnemar(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Difference of the discordant counts in its standard deviations, were each as likely as the other."""
    return (b - c) / np.sqrt(b + c)


@distance(
    "2 b c / (a d + b c)",
    range=(0.0, 2.0),
    corrected_as="goodman_kruskal",
    example=12 / 30,
    source=CHOI,
    known_as="yule in SciPy; 1 - Yule's Q",
)
def yule_distance(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Twice the discordant products, relative to all."""
    return 2.0 * b * c / (a * d + b * c)


@distance(
    "arccos(D / sqrt(P Q P' Q')) / pi",
    example=math.acos(18 / math.sqrt(6 * 7 * 9 * 8)) / math.pi,
    source="Gösgens, Tikhonov & Prokhorenkova (2021), ICML, arXiv:1911.04773",
    known_as="CD in Gösgens et al. (2021); correlation in SciPy is 1 - phi",
)
def correlation_distance(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Angle between the centred vectors over pairs, in half turns."""
    cosine = a * d - b * c
    sine = np.sqrt((a + b + c + d) * (b * c * (a + d) + a * d * (b + c)))
    return np.where((cosine == 0.0) & (sine == 0.0), np.nan, np.arctan2(sine, cosine) / np.pi)


@distance(
    "2 sqrt(1 - a / sqrt(P Q))",
    range=(0.0, 2.0),
    corrected_as="chord",
    example=2 * math.sqrt(1 - 4 / math.sqrt(42)),
    source=CHOI,
)
def hellinger(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Twice the square root of 1 less the Fowlkes-Mallows index."""
    return 2.0 * np.sqrt(_one_less_fowlkes_mallows(a, b, c))


@distance(
    "sqrt(2 (1 - a / sqrt(P Q)))",
    range=(0.0, math.sqrt(2.0)),
    example=math.sqrt(2 * (1 - 4 / math.sqrt(42))),
    source="Orlóci (1967), Journal of Ecology 55, 193-206",
)
def chord(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Euclidean distance of the vectors over pairs, each of length 1."""
    return np.sqrt(2.0 * _one_less_fowlkes_mallows(a, b, c))


def _one_less_fowlkes_mallows(a: Floats, b: Floats, c: Floats) -> Floats:
    root = np.sqrt((a + b) * (a + c))
    return np.minimum((a * b + a * c + b * c) / (root * (root + a)), 1.0)


ratio_index(
    "vari",
    "(b + c) / (4 N)",
    "A quarter of the share of pairs on which the clusterings disagree.",
    ((0, 1, 1, 0), (4, 4, 4, 4)),
    best=0.0,
    range=(0.0, 0.25),
    corrected_as="adjusted_rand",
    example=5 / 60,
    source=CHOI,
    known_as="variance in SPSS",
)


@distance(
    "(N (b + c) - (b - c)^2) / N^2",
    affine=True,
    corrected_as="maxwell_pilliner",
    example=(15 * 5 - 1) / 225,
    source=CHOI,
    known_as="shape in SPSS; squared shape distance of Penrose (1952) over pairs; 1 - `baulieu_1`",
)
def shape_difference(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Variance over pairs of the difference of the two 0/1 vectors."""
    n_pairs = a + b + c + d
    return (b + c) / n_pairs - ((b - c) / n_pairs) ** 2


@distance(
    "(b + c)^2 / N^2",
    example=25 / 225,
    source=CHOI,
    known_as="In SPSS, SAS and Penrose (1952) the size difference is (b - c)^2 / N^2, `baulieu_distance_8`",
    notes=(
        "As printed by Choi et al. (2010), the square of `arabie_boorman`. Size and shape are meant to add to"
        " (b + c) / N, which they do with (b - c)^2 only; that one follows from the cluster sizes alone."
    ),
)
def size_difference(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared share of the pairs on which the clusterings disagree."""
    return ((b + c) / (a + b + c + d)) ** 2


@distance(
    "4 b c / N^2",
    example=24 / 225,
    source=CHOI,
    known_as="b c / N^2 in SPSS",
    notes="0 also where one clustering refines the other.",
)
def pattern_difference(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Product of the shares of pairs together in one clustering only, times 4."""
    n_pairs = a + b + c + d
    return 4.0 * (b / n_pairs) * (c / n_pairs)


@distance(
    "b c / (a d)",
    range=(0.0, math.inf),
    example=6 / 24,
    source="Batagelj & Bren (1995), Journal of Classification 12, 73-90",
    known_as="Q0 in Batagelj & Bren (1995); abydos divides by N to normalise",
    notes="0 also where one clustering refines the other.",
)
def batagelj_bren(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Reciprocal of the odds ratio."""
    return (b / a) * (c / d)


@pair_index(
    "a + (b + c) / 2",
    range=(0.0, math.inf),
    best=None,
    affine=True,
    constant=True,
    example=4 + 5 / 2,
    source="Köppen (1870), in Goodman & Kruskal (1959), Journal of the American Statistical Association 54",
    known_as="Köppen II in abydos and pycm; Köppen I, in shares of the pairs, is Scott's pi",
    notes="(P + Q) / 2: the cluster sizes alone give it, so it says nothing of agreement.",
)
def koppen_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Mean number of pairs together."""
    return a + (b + c) / 2.0
