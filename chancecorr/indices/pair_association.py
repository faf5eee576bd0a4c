"""Pair-counting coefficients of association: ``D = a d - b c``, scaled.

D is N^2 times the covariance, over the N pairs, of being together in the reference and in the candidate; its
mean over tables with fixed margins is 0, so that an affine one is its own adjusted form. Those after
`michael` scale the excess ``a - P Q / N = D / N`` over independence, and most have no fixed value for equal
clusterings.
"""

import functools
import math

import numpy as np

from chancecorr.indices.pair_entry import CHOI, affine_index, coefficient, pair_index, signed_index
from chancecorr.machine.arrays import Floats


def covariance(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """``D = a d - b c``."""
    return a * d - b * c


@affine_index(
    r"\frac{2 D}{P Q' + Q P'}",
    range=(-0.5, 1.0),
    aliases=("ari", "hubert_arabie", "pair_kappa", "arandi"),
    example=36 / (6 * 8 + 7 * 9),
    source="Hubert & Arabie (1985), doi:10.1007/BF01908075; bound: Chacón & Rastrojo (2022)",
    known_as="Cohen's kappa over the pairs",
    notes="`rand` and `czekanowski` adjusted for chance, in closed form. clusim has 0 where both are"
    " one cluster or both are singletons.",
)
def adjusted_rand(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Rand index adjusted for chance."""
    return 2.0 * covariance(a, b, c, d) / ((a + b) * (b + d) + (a + c) * (c + d))


@affine_index(
    r"\frac{\frac{a}{P} - \frac{Q}{N}}{1 - \frac{Q}{N}}",
    range=(-math.inf, 1.0),
    symmetric=False,
    example=(4 / 6 - 7 / 15) / (8 / 15),
    source="Severiano et al. (2011), doi:10.1128/JCM.00624-11",
    notes="Pair recall adjusted for chance, ``D / (P Q')``.",
)
def adjusted_wallace_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs of the reference that the candidate keeps, adjusted for chance."""
    return covariance(a, b, c, d) / ((a + b) * (b + d))


@affine_index(
    r"\frac{\frac{a}{Q} - \frac{P}{N}}{1 - \frac{P}{N}}",
    range=(-math.inf, 1.0),
    aliases=("benini_1",),
    symmetric=False,
    example=(4 / 7 - 6 / 15) / (9 / 15),
    source="Severiano et al. (2011), doi:10.1128/JCM.00624-11; Benini (1901), Principii di Demografia",
    notes="Pair precision adjusted for chance; Benini's ``D / (Q P')``.",
)
def adjusted_wallace_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs of the candidate that are right, adjusted for chance."""
    return covariance(a, b, c, d) / ((a + c) * (c + d))


@affine_index(
    r"\frac{D (P Q' + Q P')}{2 P Q P' Q'}",
    range=(-math.inf, 1.0),
    example=18 * (6 * 8 + 7 * 9) / (2 * 6 * 7 * 9 * 8),
    source="Fleiss (1975), doi:10.2307/2529549",
    known_as="Fleiss in Warrens (2008); `fleiss` here is that of Fleiss, Levin & Paik",
    notes="Mean of `adjusted_wallace_1` and `adjusted_wallace_2`, whose harmonic mean is `adjusted_rand`.",
)
def fleiss_1975(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Arithmetic mean of adjusted pair recall and adjusted pair precision."""
    return 0.5 * covariance(a, b, c, d) * (1.0 / ((a + b) * (b + d)) + 1.0 / ((a + c) * (c + d)))


@affine_index(
    r"\frac{D}{\min(P Q', Q P')}",
    range=(-math.inf, 1.0),
    aliases=("benini_2", "forbes_2"),
    example=18 / 48,
    source="Loevinger (1947), doi:10.1037/h0093565",
    notes="`simpson` adjusted for chance. 1 as soon as one clustering refines the other.",
)
def loevinger(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """D relative to its value if the finer clustering refined the other."""
    return covariance(a, b, c, d) / np.minimum((a + b) * (b + d), (a + c) * (c + d))


@signed_index(
    r"\begin{cases} \frac{D}{\min(P Q', Q P')} & \text{if } D \ge 0 \\"
    r" \frac{D}{\min(P Q, P' Q')} & \text{otherwise} \end{cases}",
    aliases=("cole_7",),
    example=18 / 48,
    source="Cole (1949), doi:10.2307/1932444",
    notes="Piecewise linear in D, with another slope on each side of 0, so that its expected value is not 0.",
)
def cole(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """D relative to the furthest from 0 that P and Q allow on its side."""
    D = covariance(a, b, c, d)
    above = np.minimum((a + b) * (b + d), (a + c) * (c + d))
    below = np.minimum((a + b) * (a + c), (c + d) * (b + d))
    return D / np.where(D >= 0.0, above, below)


@signed_index(
    r"\frac{\sqrt{2} D}{\sqrt{D^2 + P Q P' Q'}}",
    example=math.sqrt(2) * 18 / math.sqrt(18**2 + 6 * 7 * 9 * 8),
    source="Cole (1949), doi:10.2307/1932444",
    known_as="Cole in Choi et al. (2010), who print a minus sign under the root",
    notes="`pearson_2` with the sign of D, rescaled to -1 to 1.",
)
def cole_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Contingency coefficient of the pairs with the sign of D, relative to its largest value."""
    correlation = phi(a, b, c, d)
    return correlation * np.sqrt(2.0 / (correlation**2 + 1.0))


@coefficient(
    r"\frac{D}{\sqrt{P Q P' Q'}}",
    aliases=("hubert_gamma", "matthews", "pearson_heron_1", "mcc", "matthews_correlation"),
    example=18 / math.sqrt(6 * 7 * 9 * 8),
    source="Pearson (1900), doi:10.1098/rsta.1900.0022; over the pairs, Hubert's normalized Gamma",
    known_as="Gamma in Albatineh et al. (2006), Hubert in clusterCrit, Pearson in validation_indices; Phi in"
    " clusterCrit is `pearson_a`",
)
def phi(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pearson correlation, over the pairs, of being together in the one and in the other."""
    deviations: Floats = np.sqrt((a + b) * (a + c)) * np.sqrt((c + d) * (b + d))
    return covariance(a, b, c, d) / deviations


@coefficient(
    r"\frac{D}{P P'}",
    symmetric=False,
    example=18 / (6 * 9),
    source="Peirce (1884), doi:10.1126/science.ns-4.93.453-a",
    known_as="Peirce in Albatineh et al. (2006); Youden's J, the reference being the truth",
    notes="Pair recall plus the share of pairs kept apart, less 1.",
)
def peirce_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Share of the reference's pairs that the candidate joins, less its share of the other pairs."""
    return covariance(a, b, c, d) / ((a + b) * (c + d))


@coefficient(
    r"\frac{D}{Q Q'}",
    symmetric=False,
    example=18 / (7 * 8),
    source="Peirce (1884), doi:10.1126/science.ns-4.93.453-a",
    notes="Choi et al. (2010) print (a b + b c) / (a b + 2 b c + c d), which is 0/0 for equal clusterings: a"
    " misprint, not an index.",
)
def peirce_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Share of the candidate's pairs that the reference joins, less its share of the other pairs."""
    return covariance(a, b, c, d) / ((a + c) * (b + d))


@coefficient(
    r"\frac{2 D}{P P' + Q Q'}",
    example=36 / (6 * 9 + 7 * 8),
    source="Maxwell & Pilliner (1968), doi:10.1111/j.2044-8317.1968.tb00401.x",
)
def maxwell_pilliner(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance over the pairs relative to the mean of the two variances."""
    return 2.0 * covariance(a, b, c, d) / ((a + b) * (c + d) + (a + c) * (b + d))


@pair_index(
    r"\frac{4 D}{P P' + Q Q' + 2 D}",
    range=(-math.inf, 1.0),
    example=72 / (6 * 9 + 7 * 8 + 36),
    source="Kuder & Richardson (1937), doi:10.1007/BF02288391",
    notes="``2 r / (1 + r)`` with r the index `maxwell_pilliner`: the Spearman-Brown formula for two items.",
)
def kuder_richardson(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Reliability (KR-20) of a test of two items, the clusterings, taken by the pairs."""
    D = covariance(a, b, c, d)
    return 4.0 * D / ((a + b) * (c + d) + (a + c) * (b + d) + 2.0 * D)


@coefficient(
    r"\frac{4 a d - (b + c)^2}{(P + Q) (P' + Q')}",
    corrected_as="adjusted_rand",
    example=(96 - 25) / (13 * 17),
    source="Scott (1955), Public Opinion Quarterly 19, 321-325",
    aliases=("koppen_1",),
    known_as="Koppen I, whose formula in shares of pairs is the same; pycm applies it to counts",
    notes="Like `adjusted_rand`, with both clusterings expected to join the mean of P and Q pairs.",
)
def scott_pi(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreement beyond what two equally fine clusterings would have by chance."""
    differing = b + c
    return (4.0 * a * d - differing**2) / ((2.0 * a + differing) * (2.0 * d + differing))


@coefficient(
    r"\frac{\frac{a}{\sqrt{P Q}} - \frac{\sqrt{P Q}}{N}}{1 - \frac{\sqrt{P Q}}{N}}",
    aliases=("afm",),
    example=(4 / math.sqrt(42) - math.sqrt(42) / 15) / (1 - math.sqrt(42) / 15),
    source="Hubert & Arabie (1985), doi:10.1007/BF01908075, equation 4",
)
def adjusted_fowlkes_mallows(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Fowlkes-Mallows index adjusted for chance."""
    P, Q, P_apart, Q_apart = a + b, a + c, c + d, b + d
    N, root = a + b + c + d, np.sqrt(P * Q)
    # N - root is (N^2 - P Q) / (N + root), without the difference
    room = 0.5 * (P_apart * (N + Q) + Q_apart * (N + P)) / (N + root)
    return covariance(a, b, c, d) / (root * room)


@signed_index(
    r"\frac{4 D}{(a + d)^2 + (b + c)^2}",
    best=None,
    aliases=("mcewen_michael", "cole_3"),
    example=72 / (100 + 25),
    source="Michael (1920), doi:10.2307/2255213",
    notes="Identical clusterings have 1 only if half of all pairs are together.",
)
def michael(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """D relative to the squares of agreement and disagreement."""
    return 4.0 * covariance(a, b, c, d) / ((a + d) ** 2 + (b + c) ** 2)


KUHNS = "Kuhns (1965), in Stevens, Giuliano & Heilprin (eds.), Statistical Association Methods, 33-39"

excess_index = functools.partial(affine_index, best=None)
"""Entry of an index that is affine in the excess, without a fixed value for equal clusterings."""


@excess_index(
    r"\frac{N a}{P Q}",
    range=(0.0, math.inf),
    corrected_as="adjusted_rand",
    example=15 * 4 / (6 * 7),
    source="Forbes (1907), Bulletin of the Illinois State Laboratory of Natural History 7, 273-303",
)
def forbes_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both, relative to their number under independence."""
    return a / (a + b) * ((a + b + c + d) / (a + c))


@pair_index(
    r"\log\left(\frac{N a}{P Q}\right)",
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
    r"\frac{N (a - 0.5)^2}{P Q}",
    range=(0.0, math.inf),
    best=None,
    example=15 * 3.5**2 / (6 * 7),
    source="Fossum & Kaskey (1966), Optimization and Standardization of Information Retrieval Language",
)
def fossum(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared number of pairs together in both, corrected for continuity, relative to independence."""
    return (a + b + c + d) * ((a - 0.5) / (a + b)) * ((a - 0.5) / (a + c))


@signed_index(
    r"\frac{N a - P Q}{N a + P Q}",
    best=None,
    example=18 / (15 * 4 + 6 * 7),
    source="Tarwid (1960), Ekologia Polska B 6, 115-130",
)
def tarwid(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess of the pairs together in both over independence, relative to their sum."""
    return covariance(a, b, c, d) / ((a + b + c + d) * a + (a + b) * (a + c))


@pair_index(
    r"\frac{N a - P Q}{N (a + b + c) - P Q}",
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
    r"\frac{D}{\sqrt{N P Q}}",
    range=(-math.inf, math.inf),
    example=18 / math.sqrt(15 * 6 * 7),
    source="Dennis (1965), in Stevens, Giuliano & Heilprin (eds.), Statistical Association Methods, 61-148",
)
def dennis(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to the square root of the expected count."""
    return covariance(a, b, c, d) / np.sqrt((a + b + c + d) * (a + b) * (a + c))


@excess_index(
    r"\frac{N^2 (N a - P Q)}{P Q P' Q'}",
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
    r"\frac{D}{P Q P' Q'}",
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
    r"\frac{D}{N^2}",
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
    r"\frac{N^2 - N (b + c) + (b - c)^2}{N^2}",
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
    r"\frac{2 D}{N^2}",
    range=(-0.5, 0.5),
    corrected_as="maxwell_pilliner",
    example=36 / 225,
    source=KUHNS,
    notes="Twice `baulieu_2`.",
)
def kuhns_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to half the pairs."""
    return 2.0 * covariance(a, b, c, d) / (a + b + c + d) ** 2


@excess_index(r"\frac{D}{N \max(P, Q)}", range=(-0.5, 1.0), example=18 / (15 * 7), source=KUHNS)
def kuhns_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to the coarser clustering's pairs together."""
    return covariance(a, b, c, d) / ((a + b + c + d) * (a + np.maximum(b, c)))


@pair_index(
    r"\frac{D}{N \left(1 - \frac{a}{2 a + b + c}\right) \left(2 a + b + c - \frac{P Q}{N}\right)}",
    range=(-1 / 3, 1.0),
    best=None,
    example=18 / 15 / ((1 - 4 / 13) * (13 - 42 / 15)),
    source=KUHNS,
)
def kuhns_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Jaccard index less what it would be under independence."""
    N, joined = a + b + c + d, 2.0 * a + b + c
    return covariance(a, b, c, d) / ((joined - a) / joined * (joined * N - (a + b) * (a + c)))


@excess_index(r"\frac{D}{N \min(P, Q)}", range=(-1.0, 1.0), example=18 / (15 * 6), source=KUHNS)
def kuhns_4(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to the finer clustering's pairs together."""
    return covariance(a, b, c, d) / ((a + b + c + d) * (a + np.minimum(b, c)))


@affine_index(
    r"\frac{D}{\max(P P', Q Q')}",
    range=(-1.0, 1.0),
    example=18 / (7 * 8),
    source=KUHNS,
    notes="`peirce_1` or `peirce_2`, whichever has the smaller absolute value.",
)
def kuhns_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance over the pairs relative to the larger variance."""
    return covariance(a, b, c, d) / np.maximum((a + b) * (c + d), (a + c) * (b + d))


@coefficient(
    r"\frac{D}{\min(P P', Q Q')}",
    example=18 / (6 * 9),
    source=KUHNS,
    notes="`peirce_1` or `peirce_2`, whichever has the larger absolute value.",
)
def kuhns_6(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance over the pairs relative to the smaller variance."""
    return covariance(a, b, c, d) / np.minimum((a + b) * (c + d), (a + c) * (b + d))


@excess_index(
    r"\frac{D}{N \sqrt{P Q}}",
    range=(-0.5, 1.0),
    corrected_as="dennis",
    example=18 / (15 * math.sqrt(6 * 7)),
    source=KUHNS,
    notes="`dennis` divided by sqrt(N).",
)
def kuhns_7(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Excess relative to the geometric mean of the pairs together."""
    return covariance(a, b, c, d) / ((a + b + c + d) * np.sqrt((a + b) * (a + c)))
