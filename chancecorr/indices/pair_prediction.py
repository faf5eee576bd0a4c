"""Pair-counting coefficients of the odds ratio, of the chi-square of the pairs, of prediction, in logarithms.

The odds ratio is ``(a d) / (b c)``. Coefficients of prediction say how well one clustering tells whether the
other joins a pair. Those in logarithms add 1 to every count, which keeps them finite and lets n matter.
"""

import functools
import math

import numpy as np

from chancecorr.indices.pair_association import covariance, phi
from chancecorr.indices.pair_entry import CHOI, coefficient, pair_index, signed_index
from chancecorr.machine.arrays import Floats


@signed_index(
    r"\frac{\sqrt{a d} - \sqrt{b c}}{\sqrt{a d} + \sqrt{b c}}",
    aliases=("yule_colligation", "yules_y"),
    example=(math.sqrt(24) - math.sqrt(6)) / (math.sqrt(24) + math.sqrt(6)),
    source="Yule (1912), doi:10.2307/2340126",
    known_as="Colligation; Yule's Q is `goodman_kruskal`",
    notes="YuleIndex in validation_indices divides D by a b + c d, not by a d + b c as Q does, so that it has"
    " other bounds and is 0/0 in other cases.",
)
def yule_y(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Yule's Q of the square roots of the pair counts."""
    agreeing: Floats = np.sqrt(a) * np.sqrt(d)
    differing: Floats = np.sqrt(b) * np.sqrt(c)
    return (agreeing - differing) / (agreeing + differing)


@signed_index(
    r"\frac{(a d)^{0.75} - (b c)^{0.75}}{(a d)^{0.75} + (b c)^{0.75}}",
    example=(24**0.75 - 6**0.75) / (24**0.75 + 6**0.75),
    source="Digby (1983), doi:10.2307/2531104",
)
def digby(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Approximate tetrachoric correlation: Yule's Q of the odds ratio to the power 3/4."""
    agreeing: Floats = (a * d) ** 0.75
    differing: Floats = (b * c) ** 0.75
    return (agreeing - differing) / (agreeing + differing)


@signed_index(
    r"\cos\left(\frac{\pi \sqrt{b c}}{\sqrt{a d} + \sqrt{b c}}\right)",
    aliases=("pearson_heron_2",),
    example=math.cos(math.pi * math.sqrt(6) / (math.sqrt(24) + math.sqrt(6))),
    source="Pearson & Heron (1913), doi:10.2307/2331805",
    notes="The MATLAB script simbin puts 180 in the place of pi, in radians.",
)
def tetrachoric_cosine(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Approximate tetrachoric correlation: exact where either clustering joins half of the pairs."""
    differing: Floats = np.sqrt(b) * np.sqrt(c)
    angle: Floats = np.pi * differing / (np.sqrt(a) * np.sqrt(d) + differing)
    return np.cos(angle)


@pair_index(
    r"\frac{D^2}{P Q P' Q'}",
    example=18**2 / (6 * 7 * 9 * 8),
    source="Doolittle (1885), Bulletin of the Philosophical Society of Washington 7, 122-127",
    notes="The square of `phi`, so that agreement below chance counts like agreement above it.",
)
def doolittle(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Squared correlation over the pairs."""
    return phi(a, b, c, d) ** 2


@pair_index(
    r"\frac{N D^2}{P Q P' Q'}",
    range=(0.0, math.inf),
    best=None,
    aliases=("pair_chi_square",),
    corrected_as="doolittle",
    example=15 * 18**2 / (6 * 7 * 9 * 8),
    source=f"Pearson (1900); {CHOI}",
)
def pearson_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Chi-square statistic of the 2 x 2 table of pair counts."""
    return (a + b + c + d) * phi(a, b, c, d) ** 2


@pair_index(
    r"\sqrt{\frac{x}{N + x}}, \quad x = \frac{N D^2}{P Q P' Q'}",
    range=(0.0, math.sqrt(0.5)),
    best=math.sqrt(0.5),
    aliases=("pair_contingency_coefficient",),
    example=math.sqrt(15 * 18**2 / (6 * 7 * 9 * 8) / (15 + 15 * 18**2 / (6 * 7 * 9 * 8))),
    source=f"Pearson (1904), On the theory of contingency; {CHOI}",
    notes="Pearson III of Choi et al. (2010), sqrt(phi / (N + phi)), is this one with phi taken for"
    " chi-square: it is undefined wherever D < 0, and left out.",
)
def pearson_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Contingency coefficient of the 2 x 2 table of pair counts."""
    square = phi(a, b, c, d) ** 2
    return np.sqrt(square / (1.0 + square))


@pair_index(
    r"\log_{10}\left(\frac{N \left(\lvert D \rvert - \frac{N}{2}\right)^2}{P Q P' Q'}\right)",
    range=(-math.inf, math.inf),
    best=None,
    example=math.log10(15 * (18 - 7.5) ** 2 / (6 * 7 * 9 * 8)),
    source="Stiles (1961), doi:10.1145/321062.321074",
    notes="Where abs(D) < N / 2 the continuity correction overshoots: the value grows as D approaches 0.",
)
def stiles(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Logarithm of the chi-square of the pairs, corrected for continuity."""
    N = a + b + c + d
    deviation = np.abs(covariance(a, b, c, d)) - 0.5 * N
    return np.log10(N * (deviation / ((a + b) * (a + c))) * (deviation / ((c + d) * (b + d))))


KENT_FOSTER = "Kent & Foster (1977), in Ciminero et al. (eds.), Handbook of Behavioral Assessment, 279-328"
GOODMAN_KRUSKAL = "Goodman & Kruskal (1954), doi:10.1080/01621459.1954.10501231"


@pair_index(
    r"\frac{\max(a, c) + \max(b, d) - \max(P, P')}{N - \max(P, P')}",
    symmetric=False,
    example=(4 + 6 - 9) / (15 - 9),
    source="Guttman (1941), in Horst (ed.), The Prediction of Personal Adjustment, 253-318",
    known_as="Goodman and Kruskal's lambda of the reference given the candidate",
)
def guttman_lambda_a(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Share of the errors about the reference that knowing the candidate avoids."""
    share: Floats = _avoided_errors(a, b, c, d) / np.minimum(a + b, c + d)
    return share


@pair_index(
    r"\frac{\max(a, b) + \max(c, d) - \max(Q, Q')}{N - \max(Q, Q')}",
    symmetric=False,
    example=(4 + 6 - 8) / (15 - 8),
    source="Guttman (1941), in Horst (ed.), The Prediction of Personal Adjustment, 253-318",
    known_as="Goodman and Kruskal's lambda of the candidate given the reference",
)
def guttman_lambda_b(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Share of the errors about the candidate that knowing the reference avoids."""
    return guttman_lambda_a(a, c, b, d)


@pair_index(
    r"\frac{x - y}{2 N - y}, \quad y = \max(P, P') + \max(Q, Q'), "
    r"\quad x = \max(a, b) + \max(c, d) + \max(a, c) + \max(b, d)",
    example=(20 - 17) / (30 - 17),
    source=GOODMAN_KRUSKAL,
    known_as="Goodman-Kruskal lambda in Choi et al. (2010) and pycm. That of the contingency table is"
    " `goodman_kruskal_lambda`",
)
def pair_lambda(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Share of the errors about either clustering that knowing the other avoids."""
    avoided = _avoided_errors(a, b, c, d) + _avoided_errors(a, c, b, d)
    share: Floats = avoided / (np.minimum(a + b, c + d) + np.minimum(a + c, b + d))
    return share


@pair_index(
    r"\frac{x - y}{2 N}, \quad y = \max(P, P') + \max(Q, Q'), "
    r"\quad x = \max(a, b) + \max(c, d) + \max(a, c) + \max(b, d)",
    range=(0.0, 0.5),
    best=None,
    corrected_as="pair_lambda",
    example=(20 - 17) / 30,
    source="Anderberg (1973), Cluster Analysis for Applications",
    notes="pycm takes max(a + b, b + d) for max(a + c, b + d).",
)
def anderberg_d(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Errors about either clustering that knowing the other avoids, per pair."""
    avoided = _avoided_errors(a, b, c, d) + _avoided_errors(a, c, b, d)
    return avoided / (2.0 * (a + b + c + d))


@coefficient(
    r"\frac{2 \min(a, d) - b - c}{2 \min(a, d) + b + c}",
    corrected_as="adjusted_rand",
    example=(8 - 5) / (8 + 5),
    source=GOODMAN_KRUSKAL,
    known_as="Goodman-Kruskal in Warrens (2008)",
    notes="The best blind guess is one class for both clusterings, with max(P + Q, P' + Q') / 2 right"
    " guesses. pycm takes the larger class of either clustering by itself, and is unbounded below.",
)
def goodman_kruskal_lambda_r(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreement beyond that of guessing the one kind of pair that is more common."""
    fewer = 2.0 * np.minimum(a, d)
    return (fewer - b - c) / (fewer + b + c)


@pair_index(
    r"\left\lvert \frac{a}{P} - \frac{c}{P'} \right\rvert",
    symmetric=False,
    example=4 / 6 - 3 / 9,
    source="Dallmeier, Lindig & Zeller (2005), European Conference on Object-Oriented Programming, 528-550",
    known_as="AMPLE in Choi et al. (2010) is the ratio of the two rates",
    notes="The absolute value of `peirce_1`.",
)
def ample(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Difference of the two rates at which the candidate joins pairs, by the reference."""
    return np.abs(covariance(a, b, c, d)) / ((a + b) * (c + d))


@pair_index(
    r"\frac{\frac{a}{P}}{\frac{a}{P} + \frac{c}{P'}}",
    symmetric=False,
    example=4 / 6 / (4 / 6 + 3 / 9),
    source="Jones & Harrold (2005), doi:10.1145/1101908.1101949",
    known_as="Tarantula in Choi et al. (2010) is the ratio of the two rates, x / (1 - x) of this one",
    notes="1 as soon as the candidate joins no pair that the reference keeps apart.",
)
def tarantula(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Share of the first in the two rates at which the candidate joins pairs, by the reference."""
    together, apart = a / (a + b), c / (c + d)
    return together / (together + apart)


@pair_index(
    r"-\frac{b c}{b P + c Q + b c}",
    range=(-1 / 3, 0.0),
    best=0.0,
    example=-6 / (12 + 21 + 6),
    source=KENT_FOSTER,
    notes="``(J - E) / (1 - E)`` with the Jaccard index J and ``E = P Q / (a + b + c)^2`` for its expected"
    ' value; never positive. Where b = c = 0 < a it has its limit, 0. Its formula gives 1 for best="mean"'
    " with unequal cluster sizes, which no table reaches.",
)
def kent_foster_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreement on the pairs together in either, beyond chance within these."""
    product = b * c
    value = (0.0 - product) / (b * (a + b) + c * (a + c) + product)
    # not where b + c is 0: with best="mean" and unequal cluster sizes the formula is asked at b = -c
    return np.where((b == 0.0) & (c == 0.0) & (a > 0.0), 0.0, value)


@pair_index(
    r"-\frac{b c}{b Q' + c P' + b c}",
    range=(-1 / 3, 0.0),
    best=0.0,
    example=-6 / (16 + 27 + 6),
    source=KENT_FOSTER,
    known_as="Some lists print b P' + c Q', which is not what the definition gives",
    notes="`kent_foster_1` with together and apart exchanged.",
)
def kent_foster_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreement on the pairs apart in either, beyond chance within these."""
    return kent_foster_1(d, b, c, a)


def _avoided_errors(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Errors about the reference that knowing the candidate avoids: ``max(a, c) + max(b, d) - max(P, P')``.

    Where P' <= P the second guess differs from the first where c > a or d > b, and gains so much there; else
    where a > c or b > d. The two gains differ by ``P - P'``, so that the smaller one is meant.
    """
    apart = np.maximum(c - a, 0.0) + np.maximum(d - b, 0.0)
    together = np.maximum(a - c, 0.0) + np.maximum(b - d, 0.0)
    fewer: Floats = np.minimum(apart, together)
    return fewer


logarithmic_index = functools.partial(pair_index, source="Consonni & Todeschini (2012), MATCH 68, 581-592")


@logarithmic_index(r"\frac{\log(1 + a + d)}{\log(1 + N)}", example=math.log(11) / math.log(16))
def consonni_todeschini_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreeing pairs relative to all pairs, in logarithms."""
    return np.log1p(a + d) / np.log1p(a + b + c + d)


@logarithmic_index(
    r"\frac{\log(1 + N) - \log(1 + b + c)}{\log(1 + N)}", example=(math.log(16) - math.log(6)) / math.log(16)
)
def consonni_todeschini_2(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """One less disagreeing pairs relative to all pairs, in logarithms."""
    return 1.0 - np.log1p(b + c) / np.log1p(a + b + c + d)


@logarithmic_index(
    r"\frac{\log(1 + a)}{\log(1 + N)}",
    attained=False,
    example=math.log(5) / math.log(16),
    notes="1 only where both clusterings are one cluster, like `russell_rao`.",
)
def consonni_todeschini_3(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both relative to all pairs, in logarithms."""
    return np.log1p(a) / np.log1p(a + b + c + d)


@logarithmic_index(r"\frac{\log(1 + a)}{\log(1 + a + b + c)}", example=math.log(5) / math.log(10))
def consonni_todeschini_4(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Pairs together in both relative to pairs together in either, in logarithms."""
    return np.log1p(a) / np.log1p(a + b + c)


@logarithmic_index(
    r"\frac{\log(1 + a d) - \log(1 + b c)}{\log\left(1 + \frac{N^2}{4}\right)}",
    range=(-1.0, 1.0),
    best=None,
    example=(math.log(25) - math.log(7)) / math.log(1 + 225 / 4),
    notes="Identical clusterings have 1 only if half of all pairs are together.",
)
def consonni_todeschini_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Logarithm of the odds ratio, 1 added to both products, relative to its largest value."""
    N = a + b + c + d
    return (np.log1p(a * d) - np.log1p(b * c)) / np.log1p(N * N / 4.0)
