"""The distances of Baulieu (1989, 1997), made as examples of axioms kept and broken.

Numbered I to XV as in abydos and pycm; in the papers they are coefficients 12, 13, 20 and 22 to 33. Not to be
confused with the similarities `baulieu_1` and `baulieu_2`.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chancecorr.indices.pair_counting.entry import distance
from chancecorr.indices.registry import F
from chancecorr.machine.arrays import Floats

distance_of_1989 = functools.partial(distance, source="Baulieu (1989), Journal of Classification 6, 233-246")
NUMERALS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"]


def distance_of_1997(number: int, formula: str, **about: Any) -> Callable[[F], F]:
    """Entry of a distance of Baulieu (1997) by its number, in Roman numerals in an alias and elsewhere."""
    numeral = NUMERALS[number - 1]
    named = {"aliases": (f"baulieu_{numeral.lower()}",), "known_as": f"Baulieu {numeral} in abydos and pycm"}
    source = "Baulieu (1997), Journal of Classification 14, 159-170"
    return distance(formula, source=source, **(named | about))


@distance_of_1989(
    "1 - a^2 / (P Q)",
    corrected_as="sorgenfrei",
    example=1 - 16 / 42,
    known_as="Baulieu I in abydos and pycm, not `baulieu_1`; 1 - Sorgenfrei",
)
def baulieu_distance_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """1 less the squared Fowlkes-Mallows index."""
    return _one_less_squared_cosine(a, b, c)


@distance_of_1989(
    "1 - a^2 d^2 / (P Q P' Q')",
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
    "(N^2 - 4 D) / (2 N^2)",
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
    "(b + c - (a + 1/2)(d + 1/2) d k) / N, k = exp(1)",
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
    "(b + c + 1) / (a + b + c + 1)",
    example=6 / 10,
    attained=False,
    notes="1 / (a + 1) for identical clusterings: 0 in the limit only.",
)
def baulieu_distance_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` with one more pair of disagreement."""
    return (b + c + 1.0) / (a + b + c + 1.0)


@distance_of_1997(6, "(b + c) / (a + b + c + 1)", example=5 / 10)
def baulieu_distance_6(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` that stays below 1."""
    return (b + c) / (a + b + c + 1.0)


@distance_of_1997(7, "(b + c) / (N + a (a - 4)^2)", example=5 / 15)
def baulieu_distance_7(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`arabie_boorman` that does not fall throughout as a grows."""
    return (b + c) / (a + b + c + d + a * (a - 4.0) ** 2)


@distance_of_1997(
    8,
    "(b - c)^2 / N^2",
    example=1 / 225,
    affine=True,
    constant=True,
    known_as="Baulieu VIII in abydos and pycm; size difference in SPSS and SAS; not `size_difference` here",
    notes="b - c = P - Q: the cluster sizes alone give it, so it says nothing of agreement.",
)
def baulieu_distance_8(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared difference of the shares of pairs together."""
    return ((b - c) / (a + b + c + d)) ** 2


@distance_of_1997(9, "(b + 2 c) / (a + b + 2 c + d)", example=8 / 18, symmetric=False)
def baulieu_distance_9(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`arabie_boorman` with c at double weight."""
    return (b + 2.0 * c) / (a + b + 2.0 * c + d)


@distance_of_1997(10, "(b + c + max(b, c)) / (N + max(b, c))", example=8 / 18)
def baulieu_distance_10(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`arabie_boorman` with the larger of b and c at double weight."""
    larger = np.maximum(b, c)
    return (b + c + larger) / (a + b + c + d + larger)


@distance_of_1997(11, "(b + c) / (b + c + d)", example=5 / 11)
def baulieu_distance_11(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Of the pairs apart in either, the share apart in one only."""
    return (b + c) / (b + c + d)


@distance_of_1997(
    12,
    "(b + c) / (a + b + c - 1)",
    example=5 / 8,
    range=(0.0, math.inf),
    undefined=0.0,
    notes=(
        "0 at 0/0, where b + c = 0 and the clusterings are identical. Above 1 where a = 0; abydos then puts"
        " a = 1, pycm does not."
    ),
)
def baulieu_distance_12(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` with one pair of agreement less."""
    return (b + c) / (a + b + c - 1.0)


@distance_of_1997(13, "(b + c) / (a + b + c + a (a - 4)^2)", example=5 / 9)
def baulieu_distance_13(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` that does not fall throughout as a grows."""
    return (b + c) / (a + b + c + a * (a - 4.0) ** 2)


@distance_of_1997(
    14, "(b + 2 c) / (a + b + 2 c)", example=8 / 12, symmetric=False, notes="1 - `tversky(1, 2)`."
)
def baulieu_distance_14(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` with c at double weight."""
    return (b + 2.0 * c) / (a + b + 2.0 * c)


@distance_of_1997(15, "(b + c + max(b, c)) / (a + b + c + max(b, c))", example=8 / 12)
def baulieu_distance_15(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """`marczewski_steinhaus` with the larger of b and c at double weight."""
    larger = np.maximum(b, c)
    return (b + c + larger) / (a + b + c + larger)
