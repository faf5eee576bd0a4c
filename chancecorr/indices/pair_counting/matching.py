"""Pair-counting similarities that count both kinds of agreement: pairs together in both, and in neither."""

import math

import numpy as np

from chancecorr.indices.pair_counting.entry import CHOI, affine_index, pair_index, ratio_index
from chancecorr.machine.arrays import Floats


@pair_index(
    "a + d",
    range=(0.0, math.inf),
    best=None,
    affine=True,
    corrected_as="adjusted_rand",
    example=10.0,
    source=CHOI,
)
def inner_product(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Number of pairs on which the clusterings agree."""
    return a + d


@affine_index(
    "d",
    range=(0.0, math.inf),
    best=None,
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
    "(a + d - b - c) / N",
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
    "(a + d / 2) / N",
    "Agreement with pairs apart in both at half weight.",
    ((2, 0, 0, 1), (2, 2, 2, 2)),
    attained=False,
    example=7 / 15,
    source="Faith (1983), doi:10.1007/BF00377169",
    notes="1 only where both clusterings are one cluster.",
)

ratio_index(
    "fleiss",
    "2 d / (2 d + b + c)",
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
    "a / (P + Q) + d / (P' + Q')",
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
    "(a / P + a / Q + d / P' + d / Q') / 4",
    example=(4 / 6 + 4 / 7 + 6 / 9 + 6 / 8) / 4,
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy",
    known_as="SS1 in Albatineh et al. (2006), SokalSneath1 in partitionComparison; Anderberg in some lists",
)
def sokal_sneath_4(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Arithmetic mean of the four conditional shares of agreement."""
    return 0.25 * (a / (a + b) + a / (a + c) + d / (c + d) + d / (b + d))


@affine_index(
    "a P' / (P N) + d P / (P' N)",
    symmetric=False,
    example=4 * 9 / (6 * 15) + 6 * 6 / (9 * 15),
    source="Clement (1976), doi:10.2466/pr0.1976.39.1.257",
)
def clement(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The two shares of agreement given the reference, each weighted by how rare its kind of pair is."""
    P, P_apart = a + b, c + d
    return (a / P * P_apart + d / P_apart * P) / (P + P_apart)


@pair_index(
    "(a / (a + b + c) + d / (b + c + d)) / 2",
    example=(4 / 9 + 6 / 11) / 2,
    source="Hawkins & Dotson (1975), in Ramp & Semb (eds.), Behavior Analysis, 359-376",
)
def hawkins_dotson(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Mean of the Jaccard indices of the pairs together and of the pairs apart."""
    return 0.5 * (a / (a + b + c) + d / (b + c + d))


@pair_index(
    "a (P' + Q') / (2 N (a + b + c)) + d (P + Q) / (2 N (b + c + d))",
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
    "(a + d) / (a + d + 2 (b + c))",
    "Agreement with disagreeing pairs at double weight.",
    ((1, 0, 0, 1), (1, 2, 2, 1)),
    example=10 / 20,
    source="Rogers & Tanimoto (1960), doi:10.1126/science.132.3434.1115",
)


@pair_index(
    "(a + d) / (b + c)",
    range=(0.0, math.inf),
    best=math.inf,
    example=10 / 5,
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy",
    known_as="SS3 in Choi et al. (2010); SS3 in Albatineh et al. (2006) is `sokal_sneath_5`",
    notes="Equals ``R / (1 - R)`` of the Rand index R: infinite for equal clusterings, so never adjusted.",
)
def sokal_sneath_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreeing pairs for each disagreeing one."""
    return (a + d) / (b + c)


@pair_index(
    "(sqrt(a d) + a) / (sqrt(a d) + a + b + c)",
    example=(math.sqrt(24) + 4) / (math.sqrt(24) + 9),
    source="Baroni-Urbani & Buser (1976), doi:10.2307/2412493",
)
def baroni_urbani_buser_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Like Jaccard, with the geometric mean of both agreements added to the pairs together."""
    agreement = np.sqrt(a) * np.sqrt(d) + a
    return agreement / (agreement + b + c)


@pair_index(
    "(sqrt(a d) + a - b - c) / (sqrt(a d) + a + b + c)",
    range=(-1.0, 1.0),
    corrected_as="baroni_urbani_buser_1",
    example=(math.sqrt(24) - 1) / (math.sqrt(24) + 9),
    source="Baroni-Urbani & Buser (1976), doi:10.2307/2412493",
    notes="Equals ``2 baroni_urbani_buser_1 - 1``.",
)
def baroni_urbani_buser_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """The first coefficient of the same authors stretched to -1 to 1."""
    agreement = np.sqrt(a) * np.sqrt(d) + a
    return (agreement - b - c) / (agreement + b + c)


@pair_index(
    "(a + d - 2 sqrt(b c)) / N",
    range=(-1.0, 1.0),
    example=(10 - 2 * math.sqrt(6)) / 15,
    source="Martín Andrés & Femia Marzo (2004), British Journal of Mathematical and Statistical Psychology"
    " 57, 1-19",
    known_as="Delta",
)
def andres_marzo(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreement less what guessing alone would give when b and c come from it."""
    return (a + d - 2.0 * np.sqrt(b) * np.sqrt(c)) / (a + b + c + d)


@pair_index(
    "(2 / pi) arcsin(sqrt((a + d) / N))",
    example=2 / math.pi * math.asin(math.sqrt(10 / 15)),
    source="Austin & Colwell (1977), doi:10.1099/00207713-27-3-204; Goodall (1967)",
    known_as="Goodall in pycm; Goodall has several other coefficients",
)
def austin_colwell(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Rand index on the angular scale, which evens out its variance."""
    return 2.0 / np.pi * np.arctan(np.sqrt((a + d) / (b + c)))
