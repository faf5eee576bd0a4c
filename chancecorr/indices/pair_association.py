"""Pair-counting coefficients of association: ``D = a d - b c``, scaled.

D is N^2 times the covariance, over the N pairs, of being together in the reference and in the candidate. Its
mean over tables with fixed margins is 0, so that an index proportional to D with best value 1 equals its
adjusted score. The indices after `michael` scale the excess ``a - P Q / N = D / N`` over independence; most
have no fixed value for equal clusterings.
"""

import functools
import math

import numpy as np

from chancecorr.indices.entry import CHOI, affine_index, coefficient, pair_index, signed_index
from chancecorr.machine.arrays import Floats


def covariance(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """``D = a d - b c``."""
    return a * d - b * c


# fmt: off

affine_index("adjusted_rand", r"\frac{2 D}{P Q' + Q P'}",
    lambda a, b, c, d: 2.0 * covariance(a, b, c, d) / ((a + b) * (b + d) + (a + c) * (c + d)),
    "Rand index adjusted for chance.",
    range=(-0.5, 1.0), twice_best_pair_sum=lambda A, B: A + B,
    aliases=("ari", "hubert_arabie", "pair_kappa", "arandi"),
    title="Adjusted Rand index",
    source="Hubert & Arabie (1985), doi:10.1007/BF01908075; bound: Chacón & Rastrojo (2022)",
    known_as="Cohen's kappa over the pairs",
    notes="`rand` and `czekanowski` adjusted for chance, in closed form. clusim has 0 where both are one"
    " cluster or both are singletons.")

affine_index("adjusted_wallace_1", r"\frac{\frac{a}{P} - \frac{Q}{N}}{1 - \frac{Q}{N}}",
    lambda a, b, c, d: covariance(a, b, c, d) / ((a + b) * (b + d)),
    "Pairs of the reference that the candidate keeps, adjusted for chance.",
    range=(-math.inf, 1.0), symmetric=False, twice_best_pair_sum=lambda A, B: 2 * A,
    source="Severiano et al. (2011), doi:10.1128/JCM.00624-11",
    notes="Pair recall adjusted for chance, ``D / (P Q')``.")

affine_index("adjusted_wallace_2", r"\frac{\frac{a}{Q} - \frac{P}{N}}{1 - \frac{P}{N}}",
    lambda a, b, c, d: covariance(a, b, c, d) / ((a + c) * (c + d)),
    "Pairs of the candidate that are right, adjusted for chance.",
    range=(-math.inf, 1.0), aliases=("benini_1",), symmetric=False,
    twice_best_pair_sum=lambda A, B: 2 * B,
    source="Severiano et al. (2011), doi:10.1128/JCM.00624-11; Benini (1901), Principii di Demografia",
    notes="Pair precision adjusted for chance; Benini's ``D / (Q P')``.")

affine_index("fleiss_1975", r"\frac{D (P Q' + Q P')}{2 P Q P' Q'}",
    lambda a, b, c, d: 0.5 * covariance(a, b, c, d) * (1.0 / ((a + b) * (b + d)) + 1.0 / ((a + c) * (c + d))),
    "Arithmetic mean of adjusted pair recall and adjusted pair precision.",
    range=(-math.inf, 1.0),
    source="Fleiss (1975), doi:10.2307/2529549",
    known_as="Fleiss in Warrens (2008); `fleiss` here is by Fleiss, Levin & Paik",
    notes="Mean of `adjusted_wallace_1` and `adjusted_wallace_2`, whose harmonic mean is `adjusted_rand`.")

affine_index("loevinger", r"\frac{D}{\min(P Q', Q P')}",
    lambda a, b, c, d: covariance(a, b, c, d) / np.minimum((a + b) * (b + d), (a + c) * (c + d)),
    "D relative to its value if the finer clustering refined the other.",
    range=(-math.inf, 1.0), aliases=("benini_2", "forbes_2"),
    twice_best_pair_sum=lambda A, B: 2 * min(A, B),
    source="Loevinger (1947), doi:10.1037/h0093565",
    notes="`simpson` adjusted for chance. 1 as soon as one clustering refines the other.")

signed_index("cole",
    r"\begin{cases} \frac{D}{\min(P Q', Q P')} & \text{if } D \ge 0 \\ \frac{D}{\min(P Q, P' Q')} &"
    r" \text{otherwise} \end{cases}",
    lambda a, b, c, d: covariance(a, b, c, d) / np.where(covariance(a, b, c, d) >= 0.0,
        np.minimum((a + b) * (b + d), (a + c) * (c + d)), np.minimum((a + b) * (a + c), (c + d) * (b + d))),
    "D relative to the furthest from 0 that P and Q allow on its side.",
    aliases=("cole_7",),
    source="Cole (1949), doi:10.2307/1932444",
    notes="Piecewise linear in D, with another slope on each side of 0, so that its expected value is not 0.")

signed_index("cole_5", r"\frac{\sqrt{2} D}{\sqrt{D^2 + P Q P' Q'}}",
    lambda a, b, c, d: phi(a, b, c, d) * np.sqrt(2.0 / (phi(a, b, c, d) ** 2 + 1.0)),
    "Contingency coefficient of the pairs with the sign of D, relative to its largest value.",
    source="Cole (1949), doi:10.2307/1932444",
    known_as="Cole in Choi et al. (2010), who print a minus sign under the root",
    notes="`pearson_2` with the sign of D, rescaled to -1 to 1.")


def phi(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pearson correlation, over the pairs, of being together in the one and in the other."""
    deviations: Floats = np.sqrt((a + b) * (a + c)) * np.sqrt((c + d) * (b + d))
    return covariance(a, b, c, d) / deviations


coefficient("phi", r"\frac{D}{\sqrt{P Q P' Q'}}", phi,
    "Pearson correlation, over the pairs, of being together in the one and in the other.",
    aliases=("hubert_gamma", "pearson_heron_1"),
    source="Pearson (1900), doi:10.1098/rsta.1900.0022; over the pairs, Hubert's normalized Gamma",
    known_as="Gamma in Albatineh et al. (2006), Hubert in clusterCrit, Pearson in validation_indices; Phi"
    " in clusterCrit is `pearson_a`")

coefficient("peirce_1", r"\frac{D}{P P'}", lambda a, b, c, d: covariance(a, b, c, d) / ((a + b) * (c + d)),
    "Share of the reference's pairs that the candidate joins, less its share of the other pairs.",
    symmetric=False,
    source="Peirce (1884), doi:10.1126/science.ns-4.93.453-a",
    known_as="Peirce in Albatineh et al. (2006); Youden's J, the reference being the truth",
    notes="Pair recall plus the share of pairs kept apart, less 1.")

coefficient("peirce_2", r"\frac{D}{Q Q'}", lambda a, b, c, d: covariance(a, b, c, d) / ((a + c) * (b + d)),
    "Share of the candidate's pairs that the reference joins, less its share of the other pairs.",
    symmetric=False,
    source="Peirce (1884), doi:10.1126/science.ns-4.93.453-a",
    notes="Choi et al. (2010) print (a b + b c) / (a b + 2 b c + c d), which is 0/0 for equal clusterings:"
    " a misprint, not an index.")

coefficient("maxwell_pilliner", r"\frac{2 D}{P P' + Q Q'}",
    lambda a, b, c, d: 2.0 * covariance(a, b, c, d) / ((a + b) * (c + d) + (a + c) * (b + d)),
    "Covariance over the pairs relative to the mean of the two variances.",
    source="Maxwell & Pilliner (1968), doi:10.1111/j.2044-8317.1968.tb00401.x")

pair_index("kuder_richardson", r"\frac{4 D}{P P' + Q Q' + 2 D}",
    lambda a, b, c, d: 4.0 * covariance(a, b, c, d)
        / ((a + b) * (c + d) + (a + c) * (b + d) + 2.0 * covariance(a, b, c, d)),
    "Reliability (KR-20) of a test of two items, the clusterings, taken by the pairs.",
    range=(-math.inf, 1.0),
    source="Kuder & Richardson (1937), doi:10.1007/BF02288391",
    notes="``2 r / (1 + r)`` with r the index `maxwell_pilliner`: the Spearman-Brown formula for two items.")

coefficient("scott_pi", r"\frac{4 a d - (b + c)^2}{(P + Q) (P' + Q')}",
    lambda a, b, c, d: (4.0 * a * d - (b + c) ** 2) / ((2.0 * a + (b + c)) * (2.0 * d + (b + c))),
    "Agreement beyond what two equally fine clusterings would have by chance.",
    corrected_as="adjusted_rand", aliases=("koppen_1",),
    source="Scott (1955), Public Opinion Quarterly 19, 321-325",
    known_as="Koppen I, whose formula in shares of pairs is the same; pycm applies it to counts",
    notes="Like `adjusted_rand`, with both clusterings expected to join the mean of P and Q pairs.")


def _adjusted_fowlkes_mallows(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    P, Q, P_apart, Q_apart = a + b, a + c, c + d, b + d
    N, root = a + b + c + d, np.sqrt(P * Q)
    # N - root is (N^2 - P Q) / (N + root), without a difference of large numbers
    room = 0.5 * (P_apart * (N + Q) + Q_apart * (N + P)) / (N + root)
    return covariance(a, b, c, d) / (root * room)


coefficient("adjusted_fowlkes_mallows",
    r"\frac{\frac{a}{\sqrt{P Q}} - \frac{\sqrt{P Q}}{N}}{1 - \frac{\sqrt{P Q}}{N}}",
    _adjusted_fowlkes_mallows,
    "Fowlkes-Mallows index adjusted for chance.",
    aliases=("afm",),
    source="Hubert & Arabie (1985), doi:10.1007/BF01908075, equation 4")

signed_index("michael", r"\frac{4 D}{(a + d)^2 + (b + c)^2}",
    lambda a, b, c, d: 4.0 * covariance(a, b, c, d) / ((a + d) ** 2 + (b + c) ** 2),
    "D relative to the squares of agreement and disagreement.",
    best=None, aliases=("mcewen_michael", "cole_3"),
    source="Michael (1920), doi:10.2307/2255213",
    notes="Identical clusterings have 1 only if half of all pairs are together.")


KUHNS = "Kuhns (1965), in Stevens, Giuliano & Heilprin (eds.), Statistical Association Methods, 33-39"

excess_index = functools.partial(affine_index, best=None)
"""Register an index affine in the excess, without a fixed value for equal clusterings."""


def forbes_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both, relative to their number under independence."""
    return a / (a + b) * ((a + b + c + d) / (a + c))


excess_index("forbes_1", r"\frac{N a}{P Q}", forbes_1,
    "Pairs together in both, relative to their number under independence.",
    range=(0.0, math.inf), corrected_as="adjusted_rand",
    source="Forbes (1907), Bulletin of the Illinois State Laboratory of Natural History 7, 273-303")

pair_index("gilbert_wells", r"\log\left(\frac{N a}{P Q}\right)",
    lambda a, b, c, d: np.where(forbes_1(a, b, c, d) > 0.5,
        np.log1p(covariance(a, b, c, d) / ((a + b) * (a + c))), np.log(forbes_1(a, b, c, d))),
    "Logarithm of `forbes_1`: the pointwise mutual information of being together.",
    range=(-math.inf, math.inf), best=None,
    source=CHOI,
    known_as="Gilbert-Wells in pycm is another formula: twice the log of a hypergeometric probability",
    notes="Minus infinity where no pair is together in both.")

pair_index("fossum", r"\frac{N (a - 0.5)^2}{P Q}",
    lambda a, b, c, d: (a + b + c + d) * ((a - 0.5) / (a + b)) * ((a - 0.5) / (a + c)),
    "Squared number of pairs together in both, corrected for continuity, relative to independence.",
    range=(0.0, math.inf), best=None,
    source="Fossum & Kaskey (1966), Optimization and Standardization of Information Retrieval Language")

signed_index("tarwid", r"\frac{N a - P Q}{N a + P Q}",
    lambda a, b, c, d: covariance(a, b, c, d) / ((a + b + c + d) * a + (a + b) * (a + c)),
    "Excess of the pairs together in both over independence, relative to their sum.",
    best=None,
    source="Tarwid (1960), Ekologia Polska B 6, 115-130")

pair_index("gilbert", r"\frac{N a - P Q}{N (a + b + c) - P Q}",
    lambda a, b, c, d: covariance(a, b, c, d) / (covariance(a, b, c, d) + (b + c) * (a + b + c + d)),
    "Jaccard index without the pairs that would be together in both under independence.",
    range=(-1 / 3, 1.0), aliases=("gilbert_skill_score",),
    source="Gilbert (1884), American Meteorological Journal 1, 166-172",
    known_as="Equitable threat score",
    notes="The Jaccard index with ``P Q / N``, the expected value of a, subtracted from numerator and"
    " denominator. This is not the Jaccard index adjusted for chance: its expected value is not 0.")

excess_index("dennis", r"\frac{D}{\sqrt{N P Q}}",
    lambda a, b, c, d: covariance(a, b, c, d) / np.sqrt((a + b + c + d) * (a + b) * (a + c)),
    "Excess relative to the square root of the expected count.",
    range=(-math.inf, math.inf),
    source="Dennis (1965), in Stevens, Giuliano & Heilprin (eds.), Statistical Association Methods, 61-148")

excess_index("eyraud", r"\frac{N^2 (N a - P Q)}{P Q P' Q'}",
    lambda a, b, c, d: covariance(a, b, c, d) / ((a + b) * (a + c))
        * ((a + b + c + d) / (c + d)) * ((a + b + c + d) / (b + d)),
    "Covariance over the pairs relative to the product of the variances, in shares of pairs.",
    range=(-math.inf, math.inf), corrected_as="maxwell_pilliner",
    source="Eyraud (1936), Annales de l'Université de Lyon A 1, 30-47",
    known_as="pycm and others print (a - P Q) / (P Q P' Q')",
    notes="Without N the numerator mixes a count with a product of two, and is negative even for equal"
    " clusterings when P > 1.")

excess_index("pearson_a", r"\frac{D}{P Q P' Q'}",
    lambda a, b, c, d: covariance(a, b, c, d) / ((a + b) * (a + c)) / ((c + d) * (b + d)),
    "Covariance over the pairs relative to the product of the variances, in counts of pairs.",
    range=(-0.25, 0.5), corrected_as="maxwell_pilliner",
    source="Albatineh, Niewiadomska-Bugaj & Mihalko (2006), doi:10.1007/s00357-006-0017-z",
    known_as="Pearson in Albatineh et al. (2006) and partitionComparison, Phi in clusterCrit; the"
    " correlation is `phi`",
    notes="No square root, so near 0 for many objects. clusim's pearson_correlation is this one, although"
    " its documentation has it from -1 to 1.")

excess_index("baulieu_2", r"\frac{D}{N^2}", lambda a, b, c, d: covariance(a, b, c, d) / (a + b + c + d) ** 2,
    "Covariance, over the pairs, of being together in the one and in the other.",
    range=(-0.25, 0.25), aliases=("dispersion",), corrected_as="maxwell_pilliner",
    source="Baulieu (1989), Journal of Classification 6, 233-246",
    known_as="Baulieu II in pycm, a^2 d^2 / (P Q P' Q'), is the square of `sokal_sneath_5`")

affine_index("baulieu_1", r"\frac{N^2 - N (b + c) + (b - c)^2}{N^2}",
    lambda a, b, c, d: 1.0 - (b + c) / (a + b + c + d) + ((b - c) / (a + b + c + d)) ** 2,
    "Agreement, with disagreement forgiven as far as the cluster sizes force it.",
    corrected_as="maxwell_pilliner",
    source="Baulieu (1989), Journal of Classification 6, 233-246",
    notes="partitionComparison documents this formula but computes (b + c)^2 for (b - c)^2. One cluster"
    " against singletons has 1 too.")

excess_index("kuhns_1", r"\frac{2 D}{N^2}",
    lambda a, b, c, d: 2.0 * covariance(a, b, c, d) / (a + b + c + d) ** 2,
    "Excess relative to half the pairs.",
    range=(-0.5, 0.5), corrected_as="maxwell_pilliner",
    source=KUHNS,
    notes="Twice `baulieu_2`.")

excess_index("kuhns_2", r"\frac{D}{N \max(P, Q)}",
    lambda a, b, c, d: covariance(a, b, c, d) / ((a + b + c + d) * (a + np.maximum(b, c))),
    "Excess relative to the coarser clustering's pairs together.",
    range=(-0.5, 1.0),
    source=KUHNS)


def _kuhns_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    N, joined = a + b + c + d, 2.0 * a + b + c
    return covariance(a, b, c, d) / ((joined - a) / joined * (joined * N - (a + b) * (a + c)))


pair_index("kuhns_3",
    r"\frac{D}{N \left(1 - \frac{a}{2 a + b + c}\right) \left(2 a + b + c - \frac{P Q}{N}\right)}", _kuhns_3,
    "Jaccard index less what it would be under independence.",
    range=(-1 / 3, 1.0), best=None,
    source=KUHNS)

excess_index("kuhns_4", r"\frac{D}{N \min(P, Q)}",
    lambda a, b, c, d: covariance(a, b, c, d) / ((a + b + c + d) * (a + np.minimum(b, c))),
    "Excess relative to the finer clustering's pairs together.",
    range=(-1.0, 1.0),
    source=KUHNS)

affine_index("kuhns_5", r"\frac{D}{\max(P P', Q Q')}",
    lambda a, b, c, d: covariance(a, b, c, d) / np.maximum((a + b) * (c + d), (a + c) * (b + d)),
    "Covariance over the pairs relative to the larger variance.",
    range=(-1.0, 1.0),
    source=KUHNS,
    notes="`peirce_1` or `peirce_2`, whichever has the smaller absolute value.")

coefficient("kuhns_6", r"\frac{D}{\min(P P', Q Q')}",
    lambda a, b, c, d: covariance(a, b, c, d) / np.minimum((a + b) * (c + d), (a + c) * (b + d)),
    "Covariance over the pairs relative to the smaller variance.",
    source=KUHNS,
    notes="`peirce_1` or `peirce_2`, whichever has the larger absolute value.")

excess_index("kuhns_7", r"\frac{D}{N \sqrt{P Q}}",
    lambda a, b, c, d: covariance(a, b, c, d) / ((a + b + c + d) * np.sqrt((a + b) * (a + c))),
    "Excess relative to the geometric mean of the pairs together.",
    range=(-0.5, 1.0), corrected_as="dennis",
    source=KUHNS,
    notes="`dennis` divided by sqrt(N).")
