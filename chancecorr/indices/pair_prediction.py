"""Pair-counting coefficients of the odds ratio, of chi-square, of prediction, and with logarithms.

The odds ratio is ``(a d) / (b c)``. Coefficients of prediction tell how well one clustering predicts whether
the other joins a pair. Coefficients with logarithms add 1 to every count, which keeps them finite and makes
them depend on n.
"""

import functools
import math

import numpy as np

from chancecorr.indices.entry import CHOI, coefficient, pair_index, signed_index
from chancecorr.indices.pair_association import covariance, phi
from chancecorr.machine.arrays import Floats


def _contrast(x: Floats, y: Floats) -> Floats:
    """Return the difference of two numbers relative to their sum."""
    return (x - y) / (x + y)


# fmt: off

signed_index("yule_y", r"\frac{\sqrt{a d} - \sqrt{b c}}{\sqrt{a d} + \sqrt{b c}}",
    lambda a, b, c, d: _contrast(np.sqrt(a) * np.sqrt(d), np.sqrt(b) * np.sqrt(c)),
    "Yule's Q of the square roots of the pair counts.",
    aliases=("yule_colligation", "yules_y"),
    source="Yule (1912), doi:10.2307/2340126",
    known_as="Colligation; Yule's Q is `goodman_kruskal`",
    notes="YuleIndex in validation_indices divides D by a b + c d, not by a d + b c as Q does, so that it"
    " has other bounds and is 0/0 in other cases.")

signed_index("digby", r"\frac{(a d)^{0.75} - (b c)^{0.75}}{(a d)^{0.75} + (b c)^{0.75}}",
    lambda a, b, c, d: _contrast((a * d) ** 0.75, (b * c) ** 0.75),
    "Approximate tetrachoric correlation: Yule's Q of the odds ratio to the power 3/4.",
    source="Digby (1983), doi:10.2307/2531104")

signed_index("tetrachoric_cosine", r"\cos\left(\frac{\pi \sqrt{b c}}{\sqrt{a d} + \sqrt{b c}}\right)",
    lambda a, b, c, d: np.cos(
        np.pi * (np.sqrt(b) * np.sqrt(c)) / (np.sqrt(a) * np.sqrt(d) + np.sqrt(b) * np.sqrt(c))),
    "Approximate tetrachoric correlation: exact where either clustering joins half of the pairs.",
    aliases=("pearson_heron_2",),
    source="Pearson & Heron (1913), doi:10.2307/2331805",
    notes="The MATLAB script simbin puts 180 in the place of pi, in radians.")

pair_index("doolittle", r"\frac{D^2}{P Q P' Q'}", lambda a, b, c, d: phi(a, b, c, d) ** 2,
    "Squared correlation over the pairs.",
    source="Doolittle (1885), Bulletin of the Philosophical Society of Washington 7, 122-127",
    notes="The square of `phi`, so that agreement below chance counts like agreement above it.")

pair_index("pearson_1", r"\frac{N D^2}{P Q P' Q'}", lambda a, b, c, d: (a + b + c + d) * phi(a, b, c, d) ** 2,
    "Chi-square statistic of the 2 x 2 table of pair counts.",
    range=(0.0, math.inf), best=None, aliases=("pair_chi_square",), corrected_as="doolittle",
    source=f"Pearson (1900); {CHOI}")

pair_index("pearson_2", r"\sqrt{\frac{x}{N + x}}, \quad x = \frac{N D^2}{P Q P' Q'}",
    lambda a, b, c, d: np.sqrt(phi(a, b, c, d) ** 2 / (1.0 + phi(a, b, c, d) ** 2)),
    "Contingency coefficient of the 2 x 2 table of pair counts.",
    range=(0.0, math.sqrt(0.5)), best=math.sqrt(0.5), aliases=("pair_contingency_coefficient",),
    source=f"Pearson (1904), On the theory of contingency; {CHOI}",
    notes="Pearson III of Choi et al. (2010), sqrt(phi / (N + phi)), is this one with phi taken for"
    " chi-square: it is undefined wherever D < 0, and left out.")


def _stiles(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    N = a + b + c + d
    deviation = np.abs(covariance(a, b, c, d)) - 0.5 * N
    return np.log10(N * (deviation / ((a + b) * (a + c))) * (deviation / ((c + d) * (b + d))))


pair_index("stiles",
    r"\log_{10}\left(\frac{N \left(\lvert D \rvert - \frac{N}{2}\right)^2}{P Q P' Q'}\right)", _stiles,
    "Logarithm of the chi-square of the pairs, corrected for continuity.",
    range=(-math.inf, math.inf), best=None,
    source="Stiles (1961), doi:10.1145/321062.321074",
    notes="Where abs(D) < N / 2 the continuity correction overshoots: the value grows as D approaches 0.")


KENT_FOSTER = "Kent & Foster (1977), in Ciminero et al. (eds.), Handbook of Behavioral Assessment, 279-328"
GOODMAN_KRUSKAL = "Goodman & Kruskal (1954), doi:10.1080/01621459.1954.10501231"

pair_index("guttman_lambda_a", r"\frac{\max(a, c) + \max(b, d) - \max(P, P')}{N - \max(P, P')}",
    lambda a, b, c, d: _avoided_errors(a, b, c, d) / np.minimum(a + b, c + d),
    "Share of the errors about the reference that knowing the candidate avoids.",
    symmetric=False,
    source="Guttman (1941), in Horst (ed.), The Prediction of Personal Adjustment, 253-318",
    known_as="Goodman and Kruskal's lambda of the reference given the candidate")

pair_index("guttman_lambda_b", r"\frac{\max(a, b) + \max(c, d) - \max(Q, Q')}{N - \max(Q, Q')}",
    lambda a, b, c, d: _avoided_errors(a, c, b, d) / np.minimum(a + c, b + d),
    "Share of the errors about the candidate that knowing the reference avoids.",
    symmetric=False,
    source="Guttman (1941), in Horst (ed.), The Prediction of Personal Adjustment, 253-318",
    known_as="Goodman and Kruskal's lambda of the candidate given the reference")

pair_index("pair_lambda",
    r"\frac{x - y}{2 N - y}, \quad y = \max(P, P') + \max(Q, Q'), \quad x = \max(a, b) + \max(c, d) +"
    r" \max(a, c) + \max(b, d)",
    lambda a, b, c, d: (_avoided_errors(a, b, c, d) + _avoided_errors(a, c, b, d))
        / (np.minimum(a + b, c + d) + np.minimum(a + c, b + d)),
    "Share of the errors about either clustering that knowing the other avoids.",
    source=GOODMAN_KRUSKAL,
    known_as="Goodman-Kruskal lambda in Choi et al. (2010) and pycm. The lambda of the contingency table is"
    " `goodman_kruskal_lambda`")

pair_index("anderberg_d",
    r"\frac{x - y}{2 N}, \quad y = \max(P, P') + \max(Q, Q'), \quad x = \max(a, b) + \max(c, d) + \max(a,"
    r" c) + \max(b, d)",
    lambda a, b, c, d:
        (_avoided_errors(a, b, c, d) + _avoided_errors(a, c, b, d)) / (2.0 * (a + b + c + d)),
    "Errors about either clustering that knowing the other avoids, per pair.",
    range=(0.0, 0.5), best=None, corrected_as="pair_lambda",
    source="Anderberg (1973), Cluster Analysis for Applications",
    notes="pycm takes max(a + b, b + d) for max(a + c, b + d).")

coefficient("goodman_kruskal_lambda_r", r"\frac{2 \min(a, d) - b - c}{2 \min(a, d) + b + c}",
    lambda a, b, c, d: (2.0 * np.minimum(a, d) - b - c) / (2.0 * np.minimum(a, d) + b + c),
    "Agreement beyond guessing the more common kind of pair (together or apart) for all pairs.",
    corrected_as="adjusted_rand",
    source=GOODMAN_KRUSKAL,
    known_as="Goodman-Kruskal in Warrens (2008)",
    notes="The best blind guess is one class for both clusterings, with max(P + Q, P' + Q') / 2 right"
    " guesses. pycm takes the larger class of either clustering by itself, and is unbounded below.")

pair_index("ample", r"\left\lvert \frac{a}{P} - \frac{c}{P'} \right\rvert",
    lambda a, b, c, d: np.abs(covariance(a, b, c, d)) / ((a + b) * (c + d)),
    "Difference of the two rates at which the candidate joins pairs, by the reference.",
    symmetric=False,
    source="Dallmeier, Lindig & Zeller (2005), European Conference on Object-Oriented Programming, 528-550",
    known_as="AMPLE in Choi et al. (2010) is the ratio of the two rates",
    notes="The absolute value of `peirce_1`.")

pair_index("tarantula", r"\frac{\frac{a}{P}}{\frac{a}{P} + \frac{c}{P'}}",
    lambda a, b, c, d: a / (a + b) / (a / (a + b) + c / (c + d)),
    "Share of the first in the two rates at which the candidate joins pairs, by the reference.",
    symmetric=False,
    source="Jones & Harrold (2005), doi:10.1145/1101908.1101949",
    known_as="Tarantula in Choi et al. (2010) is the ratio of the two rates, x / (1 - x) of this one",
    notes="1 as soon as the candidate joins no pair that the reference keeps apart.")


def kent_foster_1(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Agreement on the pairs together in either, beyond chance within these."""
    product = b * c
    value = (0.0 - product) / (b * (a + b) + c * (a + c) + product)
    # not if b + c is 0: with best="mean" and unequal cluster sizes the formula is evaluated at b = -c
    return np.where((b == 0.0) & (c == 0.0) & (a > 0.0), 0.0, value)


pair_index("kent_foster_1", r"-\frac{b c}{b P + c Q + b c}", kent_foster_1,
    "Agreement on the pairs together in either, beyond chance within these.",
    range=(-1 / 3, 0.0), best=0.0,
    source=KENT_FOSTER,
    notes="``(J - E) / (1 - E)`` with the Jaccard index J and ``E = P Q / (a + b + c)^2`` for its expected"
    ' value; never positive. Where b = c = 0 < a it has its limit, 0. Its formula gives 1 for best="mean"'
    " with unequal cluster sizes, which no table reaches.")

pair_index("kent_foster_2", r"-\frac{b c}{b Q' + c P' + b c}", lambda a, b, c, d: kent_foster_1(d, b, c, a),
    "Agreement on the pairs apart in either, beyond chance within these.",
    range=(-1 / 3, 0.0), best=0.0,
    source=KENT_FOSTER,
    known_as="Some lists print b P' + c Q', which is not what the definition gives",
    notes="`kent_foster_1` with together and apart exchanged.")


def _avoided_errors(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Return the errors avoided by the candidate: ``max(a, c) + max(b, d) - max(P, P')``.

    If P' <= P, the informed guess differs from the blind guess where c > a or d > b, and gains c - a or d -
    b; if P' > P, it differs where a > c or b > d. The two gains differ by ``P - P'``, so the smaller one is
    right.
    """
    apart = np.maximum(c - a, 0.0) + np.maximum(d - b, 0.0)
    together = np.maximum(a - c, 0.0) + np.maximum(b - d, 0.0)
    fewer: Floats = np.minimum(apart, together)
    return fewer


logarithmic_index = functools.partial(pair_index, source="Consonni & Todeschini (2012), MATCH 68, 581-592")


logarithmic_index("consonni_todeschini_1", r"\frac{\log(1 + a + d)}{\log(1 + N)}",
    lambda a, b, c, d: np.log1p(a + d) / np.log1p(a + b + c + d),
    "Agreeing pairs relative to all pairs, in logarithms.")

logarithmic_index("consonni_todeschini_2", r"\frac{\log(1 + N) - \log(1 + b + c)}{\log(1 + N)}",
    lambda a, b, c, d: 1.0 - np.log1p(b + c) / np.log1p(a + b + c + d),
    "One less disagreeing pairs relative to all pairs, in logarithms.")

logarithmic_index("consonni_todeschini_3", r"\frac{\log(1 + a)}{\log(1 + N)}",
    lambda a, b, c, d: np.log1p(a) / np.log1p(a + b + c + d),
    "Pairs together in both relative to all pairs, in logarithms.",
    attained=False,
    notes="1 only where both clusterings are one cluster, like `russell_rao`.")

logarithmic_index("consonni_todeschini_4", r"\frac{\log(1 + a)}{\log(1 + a + b + c)}",
    lambda a, b, c, d: np.log1p(a) / np.log1p(a + b + c),
    "Pairs together in both relative to pairs together in either, in logarithms.")

logarithmic_index("consonni_todeschini_5",
    r"\frac{\log(1 + a d) - \log(1 + b c)}{\log\left(1 + \frac{N^2}{4}\right)}",
    lambda a, b, c, d: (np.log1p(a * d) - np.log1p(b * c))
        / np.log1p((a + b + c + d) * (a + b + c + d) / 4.0),
    "Logarithm of the odds ratio, 1 added to both products, relative to its largest value.",
    range=(-1.0, 1.0), best=None,
    notes="Identical clusterings have 1 only if half of all pairs are together.")
