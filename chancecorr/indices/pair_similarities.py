"""Pair-counting similarities: a against b and c, with d beside a, or without it.

First the nine of Amorim & Cardoso (2014, doi:10.5220/0004868301640170): their SoS is `sokal_sneath_5` here,
their SS2 is `sokal_sneath_1`, their GK is `goodman_kruskal`. Then those without d, and those with both.
"""

import math

import numpy as np

from chancecorr.indices.pair_entry import (
    CHOI,
    affine_index,
    coefficient,
    count_index,
    odds_index,
    pair_index,
    ratio_index,
    signed_index,
)
from chancecorr.machine.arrays import Floats

PUBLISHED_INDICES = (
    "rand",
    "russell_rao",
    "gower_legendre",
    "jaccard",
    "czekanowski",
    "goodman_kruskal",
    "sokal_sneath_5",
    "sokal_sneath_1",
    "fowlkes_mallows",
)
"""The nine of Amorim & Cardoso (2014), in the order of their tables."""


ratio_index(
    "rand",
    r"\frac{a + d}{a + b + c + d}",
    "Share of the pairs on which the clusterings agree.",
    ((1, 0, 0, 1), (1, 1, 1, 1)),
    aliases=("ri", "simple_matching", "sokal_michener"),
    corrected_as="adjusted_rand",
    example=10 / 15,
    source="Rand (1971), doi:10.1080/01621459.1971.10482356",
)

ratio_index(
    "russell_rao",
    r"\frac{a}{a + b + c + d}",
    "Share of the pairs that are together in both.",
    ((1, 0, 0, 0), (1, 1, 1, 1)),
    aliases=("russel_rao",),
    attained=False,
    example=4 / 15,
    source="Russell & Rao (1940), Journal of Malaria Institute India 3, 153-178",
)

ratio_index(
    "gower_legendre",
    r"\frac{a + d}{a + d + \frac{b + c}{2}}",
    "Agreement with disagreeing pairs at half weight; ``2 R / (1 + R)`` of the Rand index R.",
    ((2, 0, 0, 2), (2, 1, 1, 2)),
    example=10 / 12.5,
    source="Gower & Legendre (1986), doi:10.1007/BF01896809",
)

ratio_index(
    "jaccard",
    r"\frac{a}{a + b + c}",
    "Of the pairs together in either, the share together in both.",
    ((1, 0, 0, 0), (1, 1, 1, 0)),
    aliases=("tanimoto",),
    example=4 / 9,
    source="Jaccard (1908), Bulletin de la Société Vaudoise des Sciences Naturelles 44, 223-270",
)

ratio_index(
    "czekanowski",
    r"\frac{2 a}{2 a + b + c}",
    "Harmonic mean of pair precision and pair recall.",
    ((2, 0, 0, 0), (2, 1, 1, 0)),
    aliases=("dice", "sorensen", "czekanowski_dice", "sorensen_dice", "pair_f1", "pairwise_f1"),
    corrected_as="adjusted_rand",
    example=8 / 13,
    source="Czekanowski (1932), Anthropologischer Anzeiger 9, 227-249",
)


@signed_index(
    r"\frac{a d - b c}{a d + b c}",
    aliases=("yule_q", "yules_q", "goodman_kruskal_gamma"),
    example=(24 - 6) / (24 + 6),
    source="Goodman & Kruskal (1954), doi:10.1080/01621459.1954.10501231",
)
def goodman_kruskal(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Concordant less discordant, relative to both."""
    return (a * d - b * c) / (a * d + b * c)


@pair_index(
    r"\frac{a d}{\sqrt{(a + b) (a + c) (d + b) (d + c)}}",
    aliases=("ochiai_2",),
    example=24 / math.sqrt(6 * 7 * 8 * 9),
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy; SoS in Amorim & Cardoso (2014)",
)
def sokal_sneath_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Geometric mean of the four conditional shares of agreement, two for a and two for d."""
    return (a / np.sqrt((a + b) * (a + c))) * (d / np.sqrt((d + b) * (d + c)))


ratio_index(
    "sokal_sneath_1",
    r"\frac{a}{a + 2 (b + c)}",
    "Like Jaccard, with disagreeing pairs at double weight.",
    ((1, 0, 0, 0), (1, 2, 2, 0)),
    aliases=("anderberg",),
    example=4 / 14,
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy; SS2 in Amorim & Cardoso (2014)",
)


@affine_index(
    r"\frac{a}{\sqrt{(a + b) (a + c)}}",
    aliases=("ochiai", "cosine", "fmi", "fm", "folkes_mallows"),
    notes="scikit-learn has 0 at 0/0, also for singletons against singletons, which have 1 here.",
    corrected_as="adjusted_fowlkes_mallows",
    example=4 / math.sqrt(6 * 7),
    source="Fowlkes & Mallows (1983), doi:10.1080/01621459.1983.10478008",
)
def fowlkes_mallows(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Geometric mean of pair precision and pair recall."""
    return a / np.sqrt((a + b) * (a + c))


@affine_index("a", range=(0.0, math.inf), best=None, corrected_as="adjusted_rand", example=4.0, source=CHOI)
def intersection(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Number of pairs that are together in both."""
    return a


ratio_index(
    "wallace_1",
    r"\frac{a}{P}",
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
    r"\frac{a}{Q}",
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
    r"\frac{\frac{a}{P} + \frac{a}{Q}}{2}",
    example=(4 / 6 + 4 / 7) / 2,
    source="Kulczynski (1927), Bulletin International de l'Académie Polonaise des Sciences B, II, 57-203",
    known_as="Kulczynski in Albatineh et al. (2006) and clusterCrit; Driver-Kroeber in Choi et al. (2010)",
)
def kulczynski_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Arithmetic mean of pair recall and pair precision."""
    return 0.5 * (a / (a + b) + a / (a + c))


@affine_index(
    r"\frac{a}{P} + \frac{a}{Q}",
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


@coefficient(
    r"\frac{a^2 - b c}{P Q}",
    corrected_as="kulczynski_2",
    example=(16 - 6) / (6 * 7),
    source="McConnaughey (1964), Marine Research in Indonesia 7, 1-40",
    notes="Equals ``2 kulczynski_2 - 1``.",
)
def mcconnaughey(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pair recall plus pair precision, less 1."""
    return (a * a - b * c) / ((a + b) * (a + c))


@pair_index(
    r"\frac{a^2}{P Q}",
    example=16 / (6 * 7),
    source="Sorgenfrei (1958), doi:10.34194/raekke2.v79.6868",
    notes="The square of `fowlkes_mallows`.",
)
def sorgenfrei(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pair recall times pair precision."""
    return a / (a + b) * (a / (a + c))


@affine_index(
    r"\frac{a}{\min(P, Q)}",
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
    r"\frac{a}{\max(P, Q)}",
    aliases=("min_wallace",),
    example=4 / 7,
    source="Braun-Blanquet (1932), Plant Sociology",
)
def braun_blanquet(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The smaller of pair recall and pair precision."""
    return a / (a + np.maximum(b, c))


ratio_index(
    "van_der_maarel",
    r"\frac{2 a - b - c}{2 a + b + c}",
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
    r"\frac{3 a}{3 a + b + c}",
    "Like Jaccard, with pairs together in both at triple weight.",
    ((3, 0, 0, 0), (3, 1, 1, 0)),
    example=12 / 17,
    source=CHOI,
)


@odds_index(
    r"\frac{a}{b + c}",
    aliases=("southwood",),
    example=4 / 5,
    source="Kulczynski (1927), Bulletin International de l'Académie Polonaise des Sciences B, II, 57-203",
    notes="Equals ``J / (1 - J)`` of the Jaccard index J: infinite for equal clusterings, so never adjusted."
    " clusim returns 1 there.",
)
def kulczynski_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both for each pair together in one only."""
    return a / (b + c)


@odds_index(
    r"\frac{2 a}{a b + a c + 2 b c}",
    example=8 / (8 + 12 + 12),
    source="Mountford (1962), in Murphy (ed.), Progress in Soil Zoology, 43-50",
    notes="Infinite for equal clusterings, so never adjusted.",
)
def mountford(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """First approximation to the index alpha of a logarithmic series."""
    return 2.0 * a / (a * b + a * c + 2.0 * b * c)


@affine_index(
    r"\frac{a}{\sqrt{P Q}} - \frac{1}{2 \sqrt{P}}",
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


@count_index("a + d", corrected_as="adjusted_rand", example=10.0, source=CHOI)
def inner_product(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Number of pairs on which the clusterings agree."""
    return a + d


@count_index(
    "d",
    corrected_as="adjusted_rand",
    example=6.0,
    source="Li, Ogihara & Ma (2004), ACM International Conference on Information and Knowledge Management",
    notes="Despite its name it grows with agreement: with the cluster sizes fixed, d = a + N - P - Q.",
)
def partition_difference(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Number of pairs that are apart in both."""
    return d


ratio_index(
    "hamann",
    r"\frac{a + d - b - c}{N}",
    "Share of the pairs on which the clusterings agree, less the share on which they do not.",
    ((1, -1, -1, 1), (1, 1, 1, 1)),
    range=(-1.0, 1.0),
    aliases=("holley_guilford_g", "bennett_s"),
    corrected_as="adjusted_rand",
    example=5 / 15,
    source="Hamann (1961), Willdenowia 2, 639-768",
    known_as="Hubert in Albatineh et al. (2006); Hubert in clusterCrit is `phi`",
    notes="Equals ``2 rand - 1``.",
)

ratio_index(
    "faith",
    r"\frac{a + \frac{d}{2}}{N}",
    "Agreement with pairs apart in both at half weight.",
    ((2, 0, 0, 1), (2, 2, 2, 2)),
    attained=False,
    example=7 / 15,
    source="Faith (1983), doi:10.1007/BF00377169",
    notes="1 only where both clusterings are one cluster.",
)

ratio_index(
    "fleiss",
    r"\frac{2 d}{2 d + b + c}",
    "Harmonic mean of the two conditional shares of pairs apart in both.",
    ((0, 0, 0, 2), (0, 1, 1, 2)),
    aliases=("fleiss_levin_paik",),
    corrected_as="adjusted_rand",
    example=12 / 17,
    source="Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, chapter 18",
    known_as="Fleiss in Warrens (2008) is `fleiss_1975`",
    notes="`czekanowski` with together and apart exchanged.",
)


@affine_index(
    r"\frac{a}{P + Q} + \frac{d}{P' + Q'}",
    corrected_as="adjusted_rand",
    example=4 / 13 + 6 / 17,
    aliases=("blanc",),
    source="Rogot & Goldberg (1966), doi:10.1016/0021-9681(66)90032-4",
    known_as="BLANC of Recasens & Hovy (2011) in coreference: the mean F over links and non-links.",
    notes="The CoNLL scorer leaves out a kind of link that neither clustering has, here 0/0.",
)
def rogot_goldberg(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Mean of `czekanowski` over the pairs together and the pairs apart."""
    return a / (2.0 * a + b + c) + d / (2.0 * d + b + c)


@affine_index(
    r"\frac{\frac{a}{P} + \frac{a}{Q} + \frac{d}{P'} + \frac{d}{Q'}}{4}",
    example=(4 / 6 + 4 / 7 + 6 / 9 + 6 / 8) / 4,
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy",
    known_as="SS1 in Albatineh et al. (2006), SokalSneath1 in partitionComparison; Anderberg in some lists",
)
def sokal_sneath_4(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Arithmetic mean of the four conditional shares of agreement."""
    return 0.25 * (a / (a + b) + a / (a + c) + d / (c + d) + d / (b + d))


@affine_index(
    r"\frac{a P'}{P N} + \frac{d P}{P' N}",
    symmetric=False,
    example=4 * 9 / (6 * 15) + 6 * 6 / (9 * 15),
    source="Clement (1976), doi:10.2466/pr0.1976.39.1.257",
)
def clement(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The two shares of agreement given the reference, each weighted by how rare its kind of pair is."""
    P, P_apart = a + b, c + d
    return (a / P * P_apart + d / P_apart * P) / (P + P_apart)


@pair_index(
    r"\frac{\frac{a}{a + b + c} + \frac{d}{b + c + d}}{2}",
    example=(4 / 9 + 6 / 11) / 2,
    source="Hawkins & Dotson (1975), in Ramp & Semb (eds.), Behavior Analysis, 359-376",
)
def hawkins_dotson(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Mean of the Jaccard indices of the pairs together and of the pairs apart."""
    return 0.5 * (a / (a + b + c) + d / (b + c + d))


@pair_index(
    r"\frac{a (P' + Q')}{2 N (a + b + c)} + \frac{d (P + Q)}{2 N (b + c + d)}",
    example=4 * 17 / (30 * 9) + 6 * 13 / (30 * 11),
    source="Harris & Lahey (1978), doi:10.1901/jaba.1978.11-523",
)
def harris_lahey(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The two Jaccard indices of `hawkins_dotson`, each weighted by how rare its kind of pair is."""
    differing = b + c
    together = a / (a + differing) * (2.0 * d + differing)
    apart = d / (differing + d) * (2.0 * a + differing)
    return 0.5 * (together + apart) / (a + differing + d)


ratio_index(
    "rogers_tanimoto",
    r"\frac{a + d}{a + d + 2 (b + c)}",
    "Agreement with disagreeing pairs at double weight.",
    ((1, 0, 0, 1), (1, 2, 2, 1)),
    example=10 / 20,
    source="Rogers & Tanimoto (1960), doi:10.1126/science.132.3434.1115",
)


@odds_index(
    r"\frac{a + d}{b + c}",
    example=10 / 5,
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy",
    known_as="SS3 in Choi et al. (2010); SS3 in Albatineh et al. (2006) is `sokal_sneath_5`",
    notes="Equals ``R / (1 - R)`` of the Rand index R: infinite for equal clusterings, so never adjusted.",
)
def sokal_sneath_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreeing pairs for each disagreeing one."""
    return (a + d) / (b + c)


@pair_index(
    r"\frac{\sqrt{a d} + a}{\sqrt{a d} + a + b + c}",
    example=(math.sqrt(24) + 4) / (math.sqrt(24) + 9),
    source="Baroni-Urbani & Buser (1976), doi:10.2307/2412493",
)
def baroni_urbani_buser_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Like Jaccard, with the geometric mean of both agreements added to the pairs together."""
    agreement = np.sqrt(a) * np.sqrt(d) + a
    return agreement / (agreement + b + c)


@signed_index(
    r"\frac{\sqrt{a d} + a - b - c}{\sqrt{a d} + a + b + c}",
    corrected_as="baroni_urbani_buser_1",
    example=(math.sqrt(24) - 1) / (math.sqrt(24) + 9),
    source="Baroni-Urbani & Buser (1976), doi:10.2307/2412493",
    notes="Equals ``2 baroni_urbani_buser_1 - 1``.",
)
def baroni_urbani_buser_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The first coefficient of the same authors stretched to -1 to 1."""
    agreement = np.sqrt(a) * np.sqrt(d) + a
    return (agreement - b - c) / (agreement + b + c)


@signed_index(
    r"\frac{a + d - 2 \sqrt{b c}}{N}",
    example=(10 - 2 * math.sqrt(6)) / 15,
    source="Martín Andrés & Femia Marzo (2004), British Journal of Mathematical and Statistical Psychology"
    " 57, 1-19",
    known_as="Delta",
)
def andres_marzo(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreement less what guessing alone would give when b and c come from it."""
    return (a + d - 2.0 * np.sqrt(b) * np.sqrt(c)) / (a + b + c + d)


@pair_index(
    r"\frac{2}{\pi} \arcsin\left(\sqrt{\frac{a + d}{N}}\right)",
    example=2 / math.pi * math.asin(math.sqrt(10 / 15)),
    source="Austin & Colwell (1977), doi:10.1099/00207713-27-3-204; Goodall (1967)",
    known_as="Goodall in pycm; Goodall has several other coefficients",
)
def austin_colwell(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Rand index on the angular scale, which evens out its variance."""
    return 2.0 / np.pi * np.arctan(np.sqrt((a + d) / (b + c)))
