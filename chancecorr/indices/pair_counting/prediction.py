"""Pair-counting coefficients of prediction: how well one clustering says whether the other joins a pair.

Those that compare two rates do not see the direction: pairs apart where the other has them together predict
as well as pairs together.
"""

import numpy as np

from chancecorr.indices.pair_counting.association import covariance
from chancecorr.indices.pair_counting.entry import affine_index, pair_index
from chancecorr.machine.arrays import Floats

KENT_FOSTER = "Kent & Foster (1977), in Ciminero et al. (eds.), Handbook of Behavioral Assessment, 279-328"
GOODMAN_KRUSKAL = "Goodman & Kruskal (1954), doi:10.1080/01621459.1954.10501231"


@pair_index(
    "(max(a, c) + max(b, d) - max(P, P')) / (N - max(P, P'))",
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
    "(max(a, b) + max(c, d) - max(Q, Q')) / (N - max(Q, Q'))",
    symmetric=False,
    example=(4 + 6 - 8) / (15 - 8),
    source="Guttman (1941), in Horst (ed.), The Prediction of Personal Adjustment, 253-318",
    known_as="Goodman and Kruskal's lambda of the candidate given the reference",
)
def guttman_lambda_b(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Share of the errors about the candidate that knowing the reference avoids."""
    return guttman_lambda_a(a, c, b, d)


@pair_index(
    "(x - y) / (2 N - y), y = max(P, P') + max(Q, Q'), x = max(a, b) + max(c, d) + max(a, c) + max(b, d)",
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
    "(x - y) / (2 N), y = max(P, P') + max(Q, Q'), x = max(a, b) + max(c, d) + max(a, c) + max(b, d)",
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


@affine_index(
    "(2 min(a, d) - b - c) / (2 min(a, d) + b + c)",
    range=(-1.0, 1.0),
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
    "abs(a / P - c / P')",
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
    "a / P / (a / P + c / P')",
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
    "-b c / (b P + c Q + b c)",
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
    "-b c / (b Q' + c P' + b c)",
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
