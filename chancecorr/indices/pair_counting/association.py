"""Pair-counting coefficients of association: ``D = a d - b c``, scaled so that equal clusterings have 1.

D is N^2 times the covariance, over the N pairs, of being together in the reference and in the candidate:
``D = a N - P Q``. Its mean over tables with fixed margins is 0: where such a coefficient is affine, it is its
own adjusted form.
"""

import functools
import math

import numpy as np

from chancecorr.indices.pair_counting.entry import affine_index, pair_index
from chancecorr.machine.arrays import Floats

coefficient = functools.partial(affine_index, range=(-1.0, 1.0))
"""Entry of a coefficient from -1 to 1 that is affine in T."""


def covariance(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """``D = a d - b c``."""
    return a * d - b * c


@affine_index(
    "2 D / (P Q' + Q P')",
    range=(-0.5, 1.0),
    aliases=("ari", "hubert_arabie", "pair_kappa", "arandi"),
    example=36 / (6 * 8 + 7 * 9),
    source="Hubert & Arabie (1985), doi:10.1007/BF01908075; bound: Chacón & Rastrojo (2022)",
    known_as="Cohen's kappa over the pairs",
    notes="`rand` and `czekanowski` adjusted for chance, in closed form. clusim has 0 where both are"
    " one cluster or both are singletons.",
    twice_best_pair_sum=lambda A, B: A + B,
)
def adjusted_rand(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Rand index adjusted for chance."""
    return 2.0 * covariance(a, b, c, d) / ((a + b) * (b + d) + (a + c) * (c + d))


@affine_index(
    "(a / P - Q / N) / (1 - Q / N)",
    range=(-math.inf, 1.0),
    symmetric=False,
    example=(4 / 6 - 7 / 15) / (8 / 15),
    source="Severiano et al. (2011), doi:10.1128/JCM.00624-11",
    notes="Pair recall adjusted for chance, ``D / (P Q')``.",
    twice_best_pair_sum=lambda A, B: 2 * A,
)
def adjusted_wallace_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs of the reference that the candidate keeps, adjusted for chance."""
    return covariance(a, b, c, d) / ((a + b) * (b + d))


@affine_index(
    "(a / Q - P / N) / (1 - P / N)",
    range=(-math.inf, 1.0),
    aliases=("benini_1",),
    symmetric=False,
    example=(4 / 7 - 6 / 15) / (9 / 15),
    source="Severiano et al. (2011), doi:10.1128/JCM.00624-11; Benini (1901), Principii di Demografia",
    notes="Pair precision adjusted for chance; Benini's ``D / (Q P')``.",
    twice_best_pair_sum=lambda A, B: 2 * B,
)
def adjusted_wallace_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs of the candidate that are right, adjusted for chance."""
    return covariance(a, b, c, d) / ((a + c) * (c + d))


@affine_index(
    "D (P Q' + Q P') / (2 P Q P' Q')",
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
    "D / min(P Q', Q P')",
    range=(-math.inf, 1.0),
    aliases=("benini_2", "forbes_2"),
    example=18 / 48,
    source="Loevinger (1947), doi:10.1037/h0093565",
    notes="`simpson` adjusted for chance. 1 as soon as one clustering refines the other.",
    twice_best_pair_sum=lambda A, B: 2 * min(A, B),
)
def loevinger(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """D relative to its value if the finer clustering refined the other."""
    return covariance(a, b, c, d) / np.minimum((a + b) * (b + d), (a + c) * (c + d))


@pair_index(
    "D / min(P Q', Q P') if D >= 0; D / min(P Q, P' Q') otherwise",
    range=(-1.0, 1.0),
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


@pair_index(
    "sqrt(2) D / sqrt(D^2 + P Q P' Q')",
    range=(-1.0, 1.0),
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
    "D / sqrt(P Q P' Q')",
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
    "D / (P P')",
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
    "D / (Q Q')",
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
    "2 D / (P P' + Q Q')",
    example=36 / (6 * 9 + 7 * 8),
    source="Maxwell & Pilliner (1968), doi:10.1111/j.2044-8317.1968.tb00401.x",
)
def maxwell_pilliner(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Covariance over the pairs relative to the mean of the two variances."""
    return 2.0 * covariance(a, b, c, d) / ((a + b) * (c + d) + (a + c) * (b + d))


@pair_index(
    "4 D / (P P' + Q Q' + 2 D)",
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
    "(4 a d - (b + c)^2) / ((P + Q) (P' + Q'))",
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
    "(a / sqrt(P Q) - sqrt(P Q) / N) / (1 - sqrt(P Q) / N)",
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


@pair_index(
    "4 D / ((a + d)^2 + (b + c)^2)",
    range=(-1.0, 1.0),
    best=None,
    aliases=("mcewen_michael", "cole_3"),
    example=72 / (100 + 25),
    source="Michael (1920), doi:10.2307/2255213",
    notes="Identical clusterings have 1 only if half of all pairs are together.",
)
def michael(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """D relative to the squares of agreement and disagreement."""
    return 4.0 * covariance(a, b, c, d) / ((a + d) ** 2 + (b + c) ** 2)
