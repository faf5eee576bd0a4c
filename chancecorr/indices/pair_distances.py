"""Pair-counting distances: functions of a, b, c, d that are least, mostly 0, for identical clusterings.

Differences of nearly equal products are written as sums: ``P Q - a**2 = a b + a c + b c``. The last are those
of Baulieu (1989, 1997), made as examples of axioms kept and broken, numbered as in abydos and pycm.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.indices.pair_entry import CHOI, count_index, distance, pair_index, ratio_index
from chancecorr.indices.registry import F
from chancecorr.machine.arrays import Floats


@distance(
    "b + c",
    range=(0.0, math.inf),
    affine=True,
    corrected_as="adjusted_rand",
    example=2 + 3,
    source="Mirkin & Chernyi (1970), Automation and Remote Control 31, 786-792",
    aliases=("equivalence_mismatch",),
    known_as="Squared Euclidean, Manhattan, Canberra or Hamming distance in Choi et al. (2010). Elsewhere the"
    " name means 2 (b + c), as in partitionComparison and mclustcomp, 2 (b + c) / n^2, or (b + c) / N: here"
    " `arabie_boorman`",
    notes="All four scales give the same adjusted score and the same p-value.",
)
def mirkin(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Number of pairs on which the clusterings disagree."""
    return b + c


ratio_index(
    "arabie_boorman",
    r"\frac{b + c}{N}",
    "Share of the pairs on which the clusterings disagree.",
    ((0, 1, 1, 0), (1, 1, 1, 1)),
    best=0.0,
    corrected_as="adjusted_rand",
    example=5 / 15,
    source="Arabie & Boorman (1973), Journal of Mathematical Psychology 10, 148-203",
    known_as="1 - Rand; BA-D in clue, mean Manhattan in Choi et al. (2010), hamming in SciPy",
)


@distance(r"\sqrt{b + c}", range=(0.0, math.inf), example=math.sqrt(5), source=CHOI)
def euclid(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Euclidean distance of the two 0/1 vectors over pairs."""
    return np.sqrt(b + c)


ratio_index(
    "bray_curtis",
    r"\frac{b + c}{2 a + b + c}",
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
    r"\frac{b + c}{a + b + c}",
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
    r"\sqrt{\frac{b + c}{a + b}}",
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
    r"\frac{b - c}{\sqrt{b + c}}",
    range=(-math.inf, math.inf),
    best=math.nan,
    attained=False,
    symmetric=False,
    example=-1 / math.sqrt(5),
    source="McNemar (1947), doi:10.1007/BF02295996",
    notes="b - c = P - Q is known from the cluster sizes, and 0 is no sign of agreement. clusterCrit computes"
    " (d - c) / sqrt(d + c), against McNemar, who compares the two discordant counts.",
)
def mcnemar(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Difference of the discordant counts in its standard deviations, were each as likely as the other."""
    return (b - c) / np.sqrt(b + c)


@distance(
    r"\frac{2 b c}{a d + b c}",
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
    r"\frac{\arccos\left(\frac{D}{\sqrt{P Q P' Q'}}\right)}{\pi}",
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
    r"2 \sqrt{1 - \frac{a}{\sqrt{P Q}}}",
    range=(0.0, 2.0),
    corrected_as="chord",
    example=2 * math.sqrt(1 - 4 / math.sqrt(42)),
    source=CHOI,
)
def hellinger(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Twice the square root of 1 less the Fowlkes-Mallows index."""
    return 2.0 * np.sqrt(_one_less_fowlkes_mallows(a, b, c))


@distance(
    r"\sqrt{2 \left(1 - \frac{a}{\sqrt{P Q}}\right)}",
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
    r"\frac{b + c}{4 N}",
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
    r"\frac{N (b + c) - (b - c)^2}{N^2}",
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
    r"\frac{(b + c)^2}{N^2}",
    example=25 / 225,
    source=CHOI,
    known_as="In SPSS, SAS and Penrose (1952) the size difference is (b - c)^2 / N^2, `baulieu_distance_8`",
    notes="As printed by Choi et al. (2010), the square of `arabie_boorman`. Size and shape are meant to add"
    " to (b + c) / N, which they do with (b - c)^2 only; that one follows from the cluster sizes alone.",
)
def size_difference(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared share of the pairs on which the clusterings disagree."""
    return ((b + c) / (a + b + c + d)) ** 2


@distance(
    r"\frac{4 b c}{N^2}",
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
    r"\frac{b c}{a d}",
    range=(0.0, math.inf),
    example=6 / 24,
    source="Batagelj & Bren (1995), Journal of Classification 12, 73-90",
    known_as="Q0 in Batagelj & Bren (1995); abydos divides by N to normalise",
    notes="0 also where one clustering refines the other.",
)
def batagelj_bren(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Reciprocal of the odds ratio."""
    return (b / a) * (c / d)


@count_index(
    r"a + \frac{b + c}{2}",
    constant=True,
    example=4 + 5 / 2,
    source="Köppen (1870), in Goodman & Kruskal (1959), Journal of the American Statistical Association 54",
    known_as="Köppen II in abydos and pycm; Köppen I, in shares of the pairs, is Scott's pi",
    notes="(P + Q) / 2: the cluster sizes alone give it, so it says nothing of agreement.",
)
def koppen_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Mean number of pairs together."""
    return a + (b + c) / 2.0


distance_of_1989 = functools.partial(distance, source="Baulieu (1989), Journal of Classification 6, 233-246")
NUMERALS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"]


def distance_of_1997(number: int, formula: str, **about: Any) -> Callable[[F], F]:
    """Entry of a distance of Baulieu (1997) by its number, in Roman numerals in an alias and elsewhere."""
    numeral = NUMERALS[number - 1]
    named = {"aliases": (f"baulieu_{numeral.lower()}",), "known_as": f"Baulieu {numeral} in abydos and pycm"}
    source = "Baulieu (1997), Journal of Classification 14, 159-170"
    return distance(formula, source=source, **(named | about))


@distance_of_1989(
    r"1 - \frac{a^2}{P Q}",
    corrected_as="sorgenfrei",
    example=1 - 16 / 42,
    known_as="Baulieu I in abydos and pycm, not `baulieu_1`; 1 - Sorgenfrei",
)
def baulieu_distance_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """1 less the squared Fowlkes-Mallows index."""
    return _one_less_squared_cosine(a, b, c)


@distance_of_1989(
    r"1 - \frac{a^2 d^2}{P Q P' Q'}",
    example=1 - 24**2 / (6 * 7 * 9 * 8),
    known_as="Baulieu II in abydos and pycm is a^2 d^2 / (P Q P' Q'), a similarity; not `baulieu_2`",
)
def baulieu_distance_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """1 less the square of `sokal_sneath_5`."""
    together, apart = _one_less_squared_cosine(a, b, c), _one_less_squared_cosine(d, b, c)
    return together + apart - together * apart


def _one_less_squared_cosine(agree: Floats, b: Floats, c: Floats) -> Floats:
    """``1 - x**2 / ((x + b) (x + c))`` without the difference."""
    return (agree * b + agree * c + b * c) / ((agree + b) * (agree + c))


@distance_of_1989(
    r"\frac{N^2 - 4 D}{2 N^2}",
    example=(225 - 72) / 450,
    affine=True,
    attained=False,
    aliases=("baulieu_iii",),
    notes="1/2 - 2 `baulieu_2`: identical clusterings have 0 only if half of all pairs are together.",
    known_as="Baulieu III in abydos and pycm",
)
def baulieu_distance_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance of the vectors over pairs, turned into a distance."""
    # N^2 - 4 (a d - b c), as a sum
    differing = b + c
    squared = (a - d) ** 2 + differing * (2.0 * (a + d) + differing) + 4.0 * b * c
    return 0.5 * squared / (a + b + c + d) ** 2


@distance_of_1997(
    4,
    r"\frac{b + c - \left(a + \frac{1}{2}\right) \left(d + \frac{1}{2}\right) d k}{N}, "
    r"\quad k = \exp(1)",
    example=(2 + 3 - 4.5 * 6.5 * 6 * math.e) / 15,
    range=(-math.inf, 1.0),
    best=-math.inf,
    attained=False,
    notes="k is any positive irrational number; e in abydos and pycm. Perfect agreement has no finite value.",
)
def baulieu_distance_4(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Disagreement less a product of the agreements."""
    return (b + c - (a + 0.5) * (d + 0.5) * d * math.e) / (a + b + c + d)


@distance_of_1997(
    5,
    r"\frac{b + c + 1}{a + b + c + 1}",
    example=6 / 10,
    attained=False,
    notes="1 / (a + 1) for identical clusterings: 0 in the limit only.",
)
def baulieu_distance_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` with one more pair of disagreement."""
    return (b + c + 1.0) / (a + b + c + 1.0)


@distance_of_1997(6, r"\frac{b + c}{a + b + c + 1}", example=5 / 10)
def baulieu_distance_6(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` that stays below 1."""
    return (b + c) / (a + b + c + 1.0)


@distance_of_1997(7, r"\frac{b + c}{N + a (a - 4)^2}", example=5 / 15)
def baulieu_distance_7(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`arabie_boorman` that does not fall throughout as a grows."""
    return (b + c) / (a + b + c + d + a * (a - 4.0) ** 2)


@distance_of_1997(
    8,
    r"\frac{(b - c)^2}{N^2}",
    example=1 / 225,
    affine=True,
    constant=True,
    known_as="Baulieu VIII in abydos and pycm; size difference in SPSS and SAS; not `size_difference` here",
    notes="b - c = P - Q: the cluster sizes alone give it, so it says nothing of agreement.",
)
def baulieu_distance_8(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared difference of the shares of pairs together."""
    return ((b - c) / (a + b + c + d)) ** 2


@distance_of_1997(9, r"\frac{b + 2 c}{a + b + 2 c + d}", example=8 / 18, symmetric=False)
def baulieu_distance_9(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`arabie_boorman` with c at double weight."""
    return (b + 2.0 * c) / (a + b + 2.0 * c + d)


@distance_of_1997(10, r"\frac{b + c + \max(b, c)}{N + \max(b, c)}", example=8 / 18)
def baulieu_distance_10(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`arabie_boorman` with the larger of b and c at double weight."""
    larger = np.maximum(b, c)
    return (b + c + larger) / (a + b + c + d + larger)


@distance_of_1997(11, r"\frac{b + c}{b + c + d}", example=5 / 11)
def baulieu_distance_11(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Of the pairs apart in either, the share apart in one only."""
    return (b + c) / (b + c + d)


@distance_of_1997(
    12,
    r"\frac{b + c}{a + b + c - 1}",
    example=5 / 8,
    range=(0.0, math.inf),
    undefined=0.0,
    notes="0 at 0/0, where b + c = 0 and the clusterings are identical. Above 1 where a = 0; abydos then puts"
    " a = 1, pycm does not.",
)
def baulieu_distance_12(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` with one pair of agreement less."""
    return (b + c) / (a + b + c - 1.0)


@distance_of_1997(13, r"\frac{b + c}{a + b + c + a (a - 4)^2}", example=5 / 9)
def baulieu_distance_13(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` that does not fall throughout as a grows."""
    return (b + c) / (a + b + c + a * (a - 4.0) ** 2)


@distance_of_1997(
    14, r"\frac{b + 2 c}{a + b + 2 c}", example=8 / 12, symmetric=False, notes="1 - `tversky(1, 2)`."
)
def baulieu_distance_14(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` with c at double weight."""
    return (b + 2.0 * c) / (a + b + 2.0 * c)


@distance_of_1997(15, r"\frac{b + c + \max(b, c)}{a + b + c + \max(b, c)}", example=8 / 12)
def baulieu_distance_15(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` with the larger of b and c at double weight."""
    larger = np.maximum(b, c)
    return (b + c + larger) / (a + b + c + larger)
