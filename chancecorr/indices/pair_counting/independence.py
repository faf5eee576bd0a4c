"""Pair-counting coefficients that compare a with ``P Q / N``, its value under independence.

The excess is ``a - P Q / N = D / N``. Most have no fixed value for equal clusterings: the score is adjusted
towards what either clustering has with itself.
"""

import functools
import math

import numpy as np

from chancecorr.indices.pair_counting.association import covariance
from chancecorr.indices.pair_counting.entry import CHOI, affine_index, pair_index
from chancecorr.machine.arrays import Floats

KUHNS = "Kuhns (1965), in Stevens, Giuliano & Heilprin (eds.), Statistical Association Methods, 33-39"

excess_index = functools.partial(affine_index, best=None)
"""Entry of an index that is affine in the excess, without a fixed value for equal clusterings."""


@excess_index(
    "N a / (P Q)",
    range=(0.0, math.inf),
    corrected_as="adjusted_rand",
    example=15 * 4 / (6 * 7),
    source="Forbes (1907), Bulletin of the Illinois State Laboratory of Natural History 7, 273-303",
)
def forbes_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both, relative to their number under independence."""
    return a / (a + b) * ((a + b + c + d) / (a + c))


@pair_index(
    "log(N a / (P Q))",
    range=(-math.inf, math.inf),
    best=None,
    example=math.log(15 * 4 / (6 * 7)),
    source=CHOI,
    known_as="Gilbert-Wells in pycm is another formula: twice the log of a hypergeometric probability",
    notes="Minus infinity where no pair is together in both.",
)
def gilbert_wells(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Logarithm of `forbes_1`: the pointwise mutual information of being together."""
    ratio = forbes_1(a, b, c, d)
    near_1 = np.log1p(covariance(a, b, c, d) / ((a + b) * (a + c)))
    return np.where(ratio > 0.5, near_1, np.log(ratio))


@pair_index(
    "N (a - 0.5)^2 / (P Q)",
    range=(0.0, math.inf),
    best=None,
    example=15 * 3.5**2 / (6 * 7),
    source="Fossum & Kaskey (1966), Optimization and Standardization of Information Retrieval Language",
)
def fossum(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared number of pairs together in both, corrected for continuity, relative to independence."""
    return (a + b + c + d) * ((a - 0.5) / (a + b)) * ((a - 0.5) / (a + c))


@pair_index(
    "(N a - P Q) / (N a + P Q)",
    range=(-1.0, 1.0),
    best=None,
    example=18 / (15 * 4 + 6 * 7),
    source="Tarwid (1960), Ekologia Polska B 6, 115-130",
)
def tarwid(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess of the pairs together in both over independence, relative to their sum."""
    return covariance(a, b, c, d) / ((a + b + c + d) * a + (a + b) * (a + c))


@pair_index(
    "(N a - P Q) / (N (a + b + c) - P Q)",
    range=(-1 / 3, 1.0),
    aliases=("gilbert_skill_score",),
    example=18 / (15 * 9 - 6 * 7),
    source="Gilbert (1884), American Meteorological Journal 1, 166-172",
    known_as="Equitable threat score",
    notes="The Jaccard index with ``P Q / N``, the expected value of a, subtracted from numerator and"
    " denominator. This is not the Jaccard index adjusted for chance: its own expected value is not 0.",
)
def gilbert(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Jaccard index without the pairs that would be together in both under independence."""
    D = covariance(a, b, c, d)
    return D / (D + (b + c) * (a + b + c + d))


@excess_index(
    "D / sqrt(N P Q)",
    range=(-math.inf, math.inf),
    example=18 / math.sqrt(15 * 6 * 7),
    source="Dennis (1965), in Stevens, Giuliano & Heilprin (eds.), Statistical Association Methods, 61-148",
)
def dennis(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to the square root of the expected count."""
    return covariance(a, b, c, d) / np.sqrt((a + b + c + d) * (a + b) * (a + c))


@excess_index(
    "N^2 (N a - P Q) / (P Q P' Q')",
    range=(-math.inf, math.inf),
    corrected_as="maxwell_pilliner",
    example=225 * 18 / (6 * 7 * 9 * 8),
    source="Eyraud (1936), Annales de l'Université de Lyon A 1, 30-47",
    known_as="pycm and others print (a - P Q) / (P Q P' Q')",
    notes="Without N the numerator mixes a count with a product of two, and is negative even for equal"
    " clusterings when P > 1.",
)
def eyraud(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance over the pairs relative to the product of the variances, in shares of pairs."""
    N = a + b + c + d
    return covariance(a, b, c, d) / ((a + b) * (a + c)) * (N / (c + d)) * (N / (b + d))


@excess_index(
    "D / (P Q P' Q')",
    range=(-0.25, 0.5),
    corrected_as="maxwell_pilliner",
    example=18 / (6 * 7 * 9 * 8),
    source="Albatineh, Niewiadomska-Bugaj & Mihalko (2006), doi:10.1007/s00357-006-0017-z",
    known_as="Pearson in Albatineh et al. (2006) and partitionComparison, Phi in clusterCrit; the correlation"
    " is `phi`",
    notes="No square root, so near 0 for many objects. clusim's pearson_correlation is this one, although its"
    " documentation has it from -1 to 1.",
)
def pearson_a(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance over the pairs relative to the product of the variances, in counts of pairs."""
    return covariance(a, b, c, d) / ((a + b) * (a + c)) / ((c + d) * (b + d))


@excess_index(
    "D / N^2",
    range=(-0.25, 0.25),
    aliases=("dispersion",),
    corrected_as="maxwell_pilliner",
    example=18 / 225,
    source="Baulieu (1989), Journal of Classification 6, 233-246",
    known_as="Baulieu II in pycm, a^2 d^2 / (P Q P' Q'), is the square of `sokal_sneath_5`",
)
def baulieu_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance, over the pairs, of being together in the one and in the other."""
    return covariance(a, b, c, d) / (a + b + c + d) ** 2


@affine_index(
    "(N^2 - N (b + c) + (b - c)^2) / N^2",
    corrected_as="maxwell_pilliner",
    example=(225 - 15 * 5 + 1) / 225,
    source="Baulieu (1989), Journal of Classification 6, 233-246",
    notes="partitionComparison documents this formula but computes (b + c)^2 for (b - c)^2."
    " One cluster against singletons has 1 too.",
)
def baulieu_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreement, with disagreement forgiven as far as the cluster sizes force it."""
    N = a + b + c + d
    return 1.0 - (b + c) / N + ((b - c) / N) ** 2


@excess_index(
    "2 D / N^2",
    range=(-0.5, 0.5),
    corrected_as="maxwell_pilliner",
    example=36 / 225,
    source=KUHNS,
    notes="Twice `baulieu_2`.",
)
def kuhns_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to half the pairs."""
    return 2.0 * covariance(a, b, c, d) / (a + b + c + d) ** 2


@excess_index("D / (N max(P, Q))", range=(-0.5, 1.0), example=18 / (15 * 7), source=KUHNS)
def kuhns_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to the coarser clustering's pairs together."""
    return covariance(a, b, c, d) / ((a + b + c + d) * (a + np.maximum(b, c)))


@pair_index(
    "D / (N (1 - a / (2 a + b + c)) (2 a + b + c - P Q / N))",
    range=(-1 / 3, 1.0),
    best=None,
    example=18 / 15 / ((1 - 4 / 13) * (13 - 42 / 15)),
    source=KUHNS,
)
def kuhns_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Jaccard index less what it would be under independence."""
    N, joined = a + b + c + d, 2.0 * a + b + c
    return covariance(a, b, c, d) / ((joined - a) / joined * (joined * N - (a + b) * (a + c)))


@excess_index("D / (N min(P, Q))", range=(-1.0, 1.0), example=18 / (15 * 6), source=KUHNS)
def kuhns_4(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to the finer clustering's pairs together."""
    return covariance(a, b, c, d) / ((a + b + c + d) * (a + np.minimum(b, c)))


@affine_index(
    "D / max(P P', Q Q')",
    range=(-1.0, 1.0),
    example=18 / (7 * 8),
    source=KUHNS,
    notes="`peirce_1` or `peirce_2`, whichever has the smaller absolute value.",
)
def kuhns_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance over the pairs relative to the larger variance."""
    return covariance(a, b, c, d) / np.maximum((a + b) * (c + d), (a + c) * (b + d))


@affine_index(
    "D / min(P P', Q Q')",
    range=(-1.0, 1.0),
    example=18 / (6 * 9),
    source=KUHNS,
    notes="`peirce_1` or `peirce_2`, whichever has the larger absolute value.",
)
def kuhns_6(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance over the pairs relative to the smaller variance."""
    return covariance(a, b, c, d) / np.minimum((a + b) * (c + d), (a + c) * (b + d))


@excess_index(
    "D / (N sqrt(P Q))",
    range=(-0.5, 1.0),
    corrected_as="dennis",
    example=18 / (15 * math.sqrt(6 * 7)),
    source=KUHNS,
    notes="`dennis` divided by sqrt(N).",
)
def kuhns_7(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to the geometric mean of the pairs together."""
    return covariance(a, b, c, d) / ((a + b + c + d) * np.sqrt((a + b) * (a + c)))
