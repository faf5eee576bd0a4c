"""Pair-counting similarities that never look at d: pairs together in both against pairs together in one."""

import math

import numpy as np

from chancecorr.indices.pair_counting.entry import CHOI, affine_index, pair_index, ratio_index
from chancecorr.machine.arrays import Floats


@affine_index("a", range=(0.0, math.inf), best=None, corrected_as="adjusted_rand", example=4.0, source=CHOI)
def intersection(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Number of pairs that are together in both."""
    return a


ratio_index(
    "wallace_1",
    "a / P",
    "Of the pairs together in the reference, the share together in the candidate.",
    ((1, 0, 0, 0), (1, 1, 0, 0)),
    aliases=("pair_recall", "pairwise_recall"),
    corrected_as="adjusted_wallace_1",
    example=4 / 6,
    source="Wallace (1983), Journal of the American Statistical Association 78, 569-576",
    known_as="Asymmetric Dice coefficient of the reference",
    notes="Pairs of the reference that the candidate keeps: pair recall, the reference being given first.",
)

ratio_index(
    "wallace_2",
    "a / Q",
    "Of the pairs together in the candidate, the share together in the reference.",
    ((1, 0, 0, 0), (1, 0, 1, 0)),
    aliases=("pair_precision", "pairwise_precision"),
    corrected_as="adjusted_wallace_2",
    example=4 / 7,
    source="Wallace (1983), Journal of the American Statistical Association 78, 569-576",
    known_as="Asymmetric Dice coefficient of the candidate",
    notes="Pairs of the candidate that are right: pair precision, the reference being given first.",
)


@affine_index(
    "(a / P + a / Q) / 2",
    example=(4 / 6 + 4 / 7) / 2,
    source="Kulczynski (1927), Bulletin International de l'Académie Polonaise des Sciences B, II, 57-203",
    known_as="Kulczynski in Albatineh et al. (2006) and clusterCrit; Driver-Kroeber in Choi et al. (2010)",
)
def kulczynski_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Arithmetic mean of pair recall and pair precision."""
    return 0.5 * (a / (a + b) + a / (a + c))


@affine_index(
    "a / P + a / Q",
    range=(0.0, 2.0),
    best=2.0,
    corrected_as="kulczynski_2",
    example=4 / 6 + 4 / 7,
    source="Johnson (1967), doi:10.1007/BF02289588",
    notes="Twice `kulczynski_2`.",
)
def johnson(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pair recall plus pair precision."""
    return a / (a + b) + a / (a + c)


@affine_index(
    "(a^2 - b c) / (P Q)",
    range=(-1.0, 1.0),
    corrected_as="kulczynski_2",
    example=(16 - 6) / (6 * 7),
    source="McConnaughey (1964), Marine Research in Indonesia 7, 1-40",
    notes="Equals ``2 kulczynski_2 - 1``.",
)
def mcconnaughey(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pair recall plus pair precision, less 1."""
    return (a * a - b * c) / ((a + b) * (a + c))


@pair_index(
    "a^2 / (P Q)",
    example=16 / (6 * 7),
    source="Sorgenfrei (1958), doi:10.34194/raekke2.v79.6868",
    notes="The square of `fowlkes_mallows`.",
)
def sorgenfrei(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pair recall times pair precision."""
    return a / (a + b) * (a / (a + c))


@affine_index(
    "a / min(P, Q)",
    aliases=("overlap_coefficient", "szymkiewicz_simpson"),
    corrected_as="loevinger",
    example=4 / 6,
    source="Simpson (1943), doi:10.2475/ajs.241.1.1",
    notes="1 as soon as one clustering refines the other.",
)
def simpson(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The larger of pair recall and pair precision."""
    return a / (a + np.minimum(b, c))


@affine_index(
    "a / max(P, Q)",
    aliases=("min_wallace",),
    example=4 / 7,
    source="Braun-Blanquet (1932), Plant Sociology",
    twice_best_pair_sum=lambda A, B: 2 * max(A, B),
)
def braun_blanquet(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The smaller of pair recall and pair precision."""
    return a / (a + np.maximum(b, c))


ratio_index(
    "van_der_maarel",
    "(2 a - b - c) / (2 a + b + c)",
    "Pairs together in both less those together in one, relative to their sum, each clustering counted.",
    ((2, -1, -1, 0), (2, 1, 1, 0)),
    range=(-1.0, 1.0),
    corrected_as="adjusted_rand",
    example=3 / 13,
    source="Van der Maarel (1969), Vegetatio 19, 21-46",
    notes="Equals ``2 czekanowski - 1``.",
)

ratio_index(
    "three_w_jaccard",
    "3 a / (3 a + b + c)",
    "Like Jaccard, with pairs together in both at triple weight.",
    ((3, 0, 0, 0), (3, 1, 1, 0)),
    example=12 / 17,
    source=CHOI,
)


@pair_index(
    "a / (b + c)",
    range=(0.0, math.inf),
    best=math.inf,
    aliases=("southwood",),
    example=4 / 5,
    source="Kulczynski (1927), Bulletin International de l'Académie Polonaise des Sciences B, II, 57-203",
    notes="Equals ``J / (1 - J)`` of the Jaccard index J: infinite for equal clusterings, so never adjusted."
    " clusim returns 1 there.",
)
def kulczynski_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both for each pair together in one only."""
    return a / (b + c)


@pair_index(
    "2 a / (a b + a c + 2 b c)",
    range=(0.0, math.inf),
    best=math.inf,
    example=8 / (8 + 12 + 12),
    source="Mountford (1962), in Murphy (ed.), Progress in Soil Zoology, 43-50",
    notes="Infinite for equal clusterings, so never adjusted.",
)
def mountford(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """First approximation to the index alpha of a logarithmic series."""
    return 2.0 * a / (a * b + a * c + 2.0 * b * c)


@affine_index(
    "a / sqrt(P Q) - 1 / (2 sqrt(P))",
    range=(-0.5, 1.0),
    best=None,
    symmetric=False,
    example=4 / math.sqrt(6 * 7) - 1 / (2 * math.sqrt(6)),
    source="Fager & McGowan (1963), doi:10.1126/science.140.3566.453; P as in Albatineh et al. (2006)",
    known_as="pycm takes max(P, Q) under the second root; Choi et al. (2010) subtract sqrt(max(P, Q)) / 2",
    notes="Identical clusterings have ``1 - 1 / (2 sqrt(P))``.",
)
def fager_mcgowan(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Geometric mean of pair recall and pair precision, less a correction for few pairs."""
    return a / np.sqrt((a + b) * (a + c)) - 0.5 / np.sqrt(a + b)
