"""Pair-counting distances: functions of a, b, c, d that are smallest, mostly 0, for identical clusterings.

Differences of nearly equal products are written as sums: ``P Q - a**2 = a b + a c + b c``. The last distances
are by Baulieu (1989, 1997), who made them as examples that satisfy or violate axioms; they are numbered as in
abydos and pycm.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.indices.entry import CHOI, count_index, distance, pair_index
from chancecorr.machine.arrays import Floats

# fmt: off

distance("mirkin", "b + c", lambda a, b, c, d: b + c,
    "Number of pairs on which the clusterings disagree.",
    range=(0.0, math.inf), affine=True, corrected_as="adjusted_rand", aliases=("equivalence_mismatch",),
    title="Mirkin distance",
    source="Mirkin & Chernyi (1970), Automation and Remote Control 31, 786-792",
    known_as="Squared Euclidean, Manhattan, Canberra or Hamming distance in Choi et al. (2010). Elsewhere"
    " the name means 2 (b + c), as in partitionComparison and mclustcomp, 2 (b + c) / n^2, or (b + c) / N:"
    " here `arabie_boorman`",
    notes="All four scales give the same adjusted score and the same p-value.")

pair_index("arabie_boorman", r"\frac{b + c}{N}", ((0, 1, 1, 0), (1, 1, 1, 1)),
    "Share of the pairs on which the clusterings disagree.",
    best=0.0, corrected_as="adjusted_rand",
    source="Arabie & Boorman (1973), Journal of Mathematical Psychology 10, 148-203",
    known_as="1 - Rand; BA-D in clue, mean Manhattan in Choi et al. (2010), hamming in SciPy")

distance("euclid", r"\sqrt{b + c}", lambda a, b, c, d: np.sqrt(b + c),
    "Euclidean distance of the two 0/1 vectors over pairs.",
    range=(0.0, math.inf),
    source=CHOI)

pair_index("bray_curtis", r"\frac{b + c}{2 a + b + c}", ((0, 1, 1, 0), (2, 1, 1, 0)),
    "Disagreeing pairs relative to the pairs together, counted in each clustering.",
    best=0.0, corrected_as="adjusted_rand", aliases=("adapted_rand_error",),
    source="Bray & Curtis (1957), doi:10.2307/1942268",
    known_as="dice in SciPy, Lance & Williams in SPSS and Choi et al. (2010); 1 - Czekanowski; adapted"
    " Rand error of scikit-image, which leaves out the pixels with label 0 in the reference")

pair_index("marczewski_steinhaus", r"\frac{b + c}{a + b + c}", ((0, 1, 1, 0), (1, 1, 1, 0)),
    "Of the pairs together in either, the share together in one only.",
    best=0.0, aliases=("jaccard_distance",), corrected_as="jaccard",
    source="Marczewski & Steinhaus (1958), Colloquium Mathematicum 6, 319-327",
    known_as="jaccard in SciPy; 1 - Jaccard")

distance("minkowski", r"\sqrt{\frac{b + c}{a + b}}", lambda a, b, c, d: np.sqrt((b + c) / (a + b)),
    "Euclidean distance of the vectors over pairs, relative to the length of the reference's.",
    range=(0.0, math.inf), symmetric=False, corrected_as="euclid",
    source="Jiang, Tang & Zhang (2004), IEEE Transactions on Knowledge and Data Engineering 16, 1370-1386",
    known_as="Minkowski measure or score; not the Minkowski distance of order p",
    notes="Infinite against a reference of singletons.")

pair_index("mcnemar", r"\frac{b - c}{\sqrt{b + c}}", lambda a, b, c, d: (b - c) / np.sqrt(b + c),
    "Difference of the discordant counts in standard deviations, if both are equally likely.",
    range=(-math.inf, math.inf), best=math.nan, attained=False, symmetric=False,
    source="McNemar (1947), doi:10.1007/BF02295996",
    notes="b - c = P - Q follows from the cluster sizes; 0 does not show agreement. clusterCrit"
    " computes (d - c) / sqrt(d + c), against McNemar, who compares the two discordant counts.")

distance("yule_distance", r"\frac{2 b c}{a d + b c}", lambda a, b, c, d: 2.0 * b * c / (a * d + b * c),
    "Twice the discordant products, relative to all.",
    range=(0.0, 2.0), corrected_as="goodman_kruskal",
    source=CHOI,
    known_as="yule in SciPy; 1 - Yule's Q")


def _correlation_distance(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    cosine = a * d - b * c
    sine = np.sqrt((a + b + c + d) * (b * c * (a + d) + a * d * (b + c)))
    return np.where((cosine == 0.0) & (sine == 0.0), np.nan, np.arctan2(sine, cosine) / np.pi)


distance("correlation_distance", r"\frac{\arccos\left(\frac{D}{\sqrt{P Q P' Q'}}\right)}{\pi}",
    _correlation_distance,
    "Angle between the centred vectors over pairs, in half turns.",
    source="Gösgens, Tikhonov & Prokhorenkova (2021), ICML, arXiv:1911.04773",
    known_as="CD in Gösgens et al. (2021); correlation in SciPy is 1 - phi")

distance("hellinger", r"2 \sqrt{1 - \frac{a}{\sqrt{P Q}}}",
    lambda a, b, c, d: 2.0 * np.sqrt(_one_less_fowlkes_mallows(a, b, c)),
    "Twice the square root of 1 less the Fowlkes-Mallows index.",
    range=(0.0, 2.0), corrected_as="chord",
    source=CHOI)

distance("chord", r"\sqrt{2 \left(1 - \frac{a}{\sqrt{P Q}}\right)}",
    lambda a, b, c, d: np.sqrt(2.0 * _one_less_fowlkes_mallows(a, b, c)),
    "Euclidean distance of the vectors over pairs, each of length 1.",
    range=(0.0, math.sqrt(2.0)),
    source="Orlóci (1967), Journal of Ecology 55, 193-206")


def _one_less_fowlkes_mallows(a: Floats, b: Floats, c: Floats) -> Floats:
    root = np.sqrt((a + b) * (a + c))
    return np.minimum((a * b + a * c + b * c) / (root * (root + a)), 1.0)


pair_index("vari", r"\frac{b + c}{4 N}", ((0, 1, 1, 0), (4, 4, 4, 4)),
    "A quarter of the share of pairs on which the clusterings disagree.",
    best=0.0, range=(0.0, 0.25), corrected_as="adjusted_rand",
    source=CHOI,
    known_as="variance in SPSS")

distance("shape_difference", r"\frac{N (b + c) - (b - c)^2}{N^2}",
    lambda a, b, c, d: (b + c) / (a + b + c + d) - ((b - c) / (a + b + c + d)) ** 2,
    "Variance over pairs of the difference of the two 0/1 vectors.",
    affine=True, corrected_as="maxwell_pilliner",
    source=CHOI,
    known_as="shape in SPSS; squared shape distance of Penrose (1952) over pairs; 1 - `baulieu_1`")

distance("size_difference", r"\frac{(b + c)^2}{N^2}", lambda a, b, c, d: ((b + c) / (a + b + c + d)) ** 2,
    "Squared share of the pairs on which the clusterings disagree.",
    source=CHOI,
    known_as="In SPSS, SAS and Penrose (1952) the size difference is (b - c)^2 / N^2, `baulieu_distance_8`",
    notes="As printed by Choi et al. (2010), the square of `arabie_boorman`. Size and shape are meant to"
    " add to (b + c) / N, which they do with (b - c)^2 only; that one follows from the cluster sizes alone.")

distance("pattern_difference", r"\frac{4 b c}{N^2}",
    lambda a, b, c, d: 4.0 * (b / (a + b + c + d)) * (c / (a + b + c + d)),
    "Product of the shares of pairs together in one clustering only, times 4.",
    source=CHOI,
    known_as="b c / N^2 in SPSS",
    notes="0 also where one clustering refines the other.")

distance("batagelj_bren", r"\frac{b c}{a d}", lambda a, b, c, d: (b / a) * (c / d),
    "Reciprocal of the odds ratio.",
    range=(0.0, math.inf),
    source="Batagelj & Bren (1995), Journal of Classification 12, 73-90",
    known_as="Q0 in Batagelj & Bren (1995); abydos divides by N to normalise",
    notes="0 also where one clustering refines the other.")

count_index("koppen_2", r"a + \frac{b + c}{2}", lambda a, b, c, d: a + (b + c) / 2.0,
    "Mean number of pairs together.",
    constant=True,
    source="Köppen (1870), in Goodman & Kruskal (1959), Journal of the American Statistical Association 54",
    known_as="Köppen II in abydos and pycm; Köppen I, in shares of the pairs, is Scott's pi",
    notes="(P + Q) / 2: the cluster sizes alone give it, so it says nothing of agreement.")


distance_of_1989 = functools.partial(distance, source="Baulieu (1989), Journal of Classification 6, 233-246")
NUMERALS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"]


def distance_of_1997(
    number: int, formula: str, function: Callable[..., Floats], about: str, **fields: Any
) -> None:
    """Register a distance of Baulieu (1997) by its number, which is also a Roman numeral in an alias."""
    numeral = NUMERALS[number - 1]
    fields = {
        "source": "Baulieu (1997), Journal of Classification 14, 159-170",
        "aliases": (f"baulieu_{numeral.lower()}",),
        "known_as": f"Baulieu {numeral} in abydos and pycm",
    } | fields
    distance(f"baulieu_distance_{number}", formula, function, about, **fields)


distance_of_1989("baulieu_distance_1", r"1 - \frac{a^2}{P Q}",
    lambda a, b, c, d: _one_less_squared_cosine(a, b, c),
    "1 less the squared Fowlkes-Mallows index.",
    corrected_as="sorgenfrei",
    known_as="Baulieu I in abydos and pycm, not `baulieu_1`; 1 - Sorgenfrei")


def _baulieu_distance_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    together, apart = _one_less_squared_cosine(a, b, c), _one_less_squared_cosine(d, b, c)
    return together + apart - together * apart


distance_of_1989("baulieu_distance_2", r"1 - \frac{a^2 d^2}{P Q P' Q'}", _baulieu_distance_2,
    "1 less the square of `sokal_sneath_5`.",
    known_as="Baulieu II in abydos and pycm is a^2 d^2 / (P Q P' Q'), a similarity; not `baulieu_2`")


def _one_less_squared_cosine(agree: Floats, b: Floats, c: Floats) -> Floats:
    """Return ``1 - x**2 / ((x + b) (x + c))`` without a difference of nearly equal numbers."""
    return (agree * b + agree * c + b * c) / ((agree + b) * (agree + c))


def _baulieu_distance_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    # N^2 - 4 (a d - b c), as a sum
    differing = b + c
    squared = (a - d) ** 2 + differing * (2.0 * (a + d) + differing) + 4.0 * b * c
    return 0.5 * squared / (a + b + c + d) ** 2


distance_of_1989("baulieu_distance_3", r"\frac{N^2 - 4 D}{2 N^2}", _baulieu_distance_3,
    "Covariance of the vectors over pairs, turned into a distance.",
    affine=True, attained=False, aliases=("baulieu_iii",),
    known_as="Baulieu III in abydos and pycm",
    notes="1/2 - 2 `baulieu_2`: identical clusterings have 0 only if half of all pairs are together.")

distance_of_1997(4,
    r"\frac{b + c - \left(a + \frac{1}{2}\right) \left(d + \frac{1}{2}\right) d k}{N}, \quad k = \exp(1)",
    lambda a, b, c, d: (b + c - (a + 0.5) * (d + 0.5) * d * math.e) / (a + b + c + d),
    "Disagreement less a product of the agreements.",
    range=(-math.inf, 1.0), best=-math.inf, attained=False,
    notes="k is any positive irrational number; e in abydos and pycm. Perfect agreement has no finite value.")

distance_of_1997(5, r"\frac{b + c + 1}{a + b + c + 1}", lambda a, b, c, d: (b + c + 1.0) / (a + b + c + 1.0),
    "`marczewski_steinhaus` with one more pair of disagreement.",
    attained=False,
    notes="1 / (a + 1) for identical clusterings: 0 in the limit only.")

distance_of_1997(6, r"\frac{b + c}{a + b + c + 1}", lambda a, b, c, d: (b + c) / (a + b + c + 1.0),
    "`marczewski_steinhaus` that stays below 1.")

distance_of_1997(7, r"\frac{b + c}{N + a (a - 4)^2}",
    lambda a, b, c, d: (b + c) / (a + b + c + d + a * (a - 4.0) ** 2),
    "`arabie_boorman` that does not fall throughout as a grows.")

distance_of_1997(8, r"\frac{(b - c)^2}{N^2}", lambda a, b, c, d: ((b - c) / (a + b + c + d)) ** 2,
    "Squared difference of the shares of pairs together.",
    affine=True, constant=True,
    known_as="Baulieu VIII in abydos and pycm; size difference in SPSS and SAS; not `size_difference` here",
    notes="b - c = P - Q: the cluster sizes alone give it, so it says nothing of agreement.")

distance_of_1997(9, r"\frac{b + 2 c}{a + b + 2 c + d}",
    lambda a, b, c, d: (b + 2.0 * c) / (a + b + 2.0 * c + d),
    "`arabie_boorman` with c at double weight.",
    symmetric=False)

distance_of_1997(10, r"\frac{b + c + \max(b, c)}{N + \max(b, c)}",
    lambda a, b, c, d: (b + c + np.maximum(b, c)) / (a + b + c + d + np.maximum(b, c)),
    "`arabie_boorman` with the larger of b and c at double weight.")

distance_of_1997(11, r"\frac{b + c}{b + c + d}", lambda a, b, c, d: (b + c) / (b + c + d),
    "Of the pairs apart in either, the share apart in one only.")

distance_of_1997(12, r"\frac{b + c}{a + b + c - 1}", lambda a, b, c, d: (b + c) / (a + b + c - 1.0),
    "`marczewski_steinhaus` with one pair of agreement less.",
    range=(0.0, math.inf), undefined=0.0,
    notes="0 at 0/0, where b + c = 0 and the clusterings are identical. Above 1 where a = 0; abydos then"
    " puts a = 1, pycm does not.")

distance_of_1997(13, r"\frac{b + c}{a + b + c + a (a - 4)^2}",
    lambda a, b, c, d: (b + c) / (a + b + c + a * (a - 4.0) ** 2),
    "`marczewski_steinhaus` that does not fall throughout as a grows.")

distance_of_1997(14, r"\frac{b + 2 c}{a + b + 2 c}", lambda a, b, c, d: (b + 2.0 * c) / (a + b + 2.0 * c),
    "`marczewski_steinhaus` with c at double weight.",
    symmetric=False,
    notes="1 - `tversky(1, 2)`.")

distance_of_1997(15, r"\frac{b + c + \max(b, c)}{a + b + c + \max(b, c)}",
    lambda a, b, c, d: (b + c + np.maximum(b, c)) / (a + b + c + np.maximum(b, c)),
    "`marczewski_steinhaus` with the larger of b and c at double weight.")
