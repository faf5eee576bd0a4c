"""The nine pair-counting indices of Amorim & Cardoso (2014, doi:10.5220/0004868301640170).

Names clash in the literature: their SoS is `sokal_sneath_5` here, their SS2 is `sokal_sneath_1`, their GK is
`goodman_kruskal`.
"""

import math

import numpy as np

from chancecorr.indices.pair_counting.entry import affine_index, pair_index, ratio_index
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
    "(a + d) / (a + b + c + d)",
    "Share of the pairs on which the clusterings agree.",
    ((1, 0, 0, 1), (1, 1, 1, 1)),
    aliases=("ri", "simple_matching", "sokal_michener"),
    corrected_as="adjusted_rand",
    example=10 / 15,
    source="Rand (1971), doi:10.1080/01621459.1971.10482356",
)

ratio_index(
    "russell_rao",
    "a / (a + b + c + d)",
    "Share of the pairs that are together in both.",
    ((1, 0, 0, 0), (1, 1, 1, 1)),
    aliases=("russel_rao",),
    attained=False,
    example=4 / 15,
    source="Russell & Rao (1940), Journal of Malaria Institute India 3, 153-178",
)

ratio_index(
    "gower_legendre",
    "(a + d) / (a + d + (b + c) / 2)",
    "Agreement with disagreeing pairs at half weight; ``2 R / (1 + R)`` of the Rand index R.",
    ((2, 0, 0, 2), (2, 1, 1, 2)),
    example=10 / 12.5,
    source="Gower & Legendre (1986), doi:10.1007/BF01896809",
)

ratio_index(
    "jaccard",
    "a / (a + b + c)",
    "Of the pairs together in either, the share together in both.",
    ((1, 0, 0, 0), (1, 1, 1, 0)),
    aliases=("tanimoto",),
    example=4 / 9,
    source="Jaccard (1908), Bulletin de la Société Vaudoise des Sciences Naturelles 44, 223-270",
)

ratio_index(
    "czekanowski",
    "2 a / (2 a + b + c)",
    "Harmonic mean of pair precision and pair recall.",
    ((2, 0, 0, 0), (2, 1, 1, 0)),
    aliases=("dice", "sorensen", "czekanowski_dice", "sorensen_dice", "pair_f1", "pairwise_f1"),
    corrected_as="adjusted_rand",
    example=8 / 13,
    source="Czekanowski (1932), Anthropologischer Anzeiger 9, 227-249",
)


@pair_index(
    "(a d - b c) / (a d + b c)",
    aliases=("yule_q", "yules_q", "goodman_kruskal_gamma"),
    range=(-1.0, 1.0),
    example=(24 - 6) / (24 + 6),
    source="Goodman & Kruskal (1954), doi:10.1080/01621459.1954.10501231",
)
def goodman_kruskal(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Concordant less discordant, relative to both."""
    return (a * d - b * c) / (a * d + b * c)


@pair_index(
    "a d / sqrt((a + b)(a + c)(d + b)(d + c))",
    aliases=("ochiai_2",),
    example=24 / math.sqrt(6 * 7 * 8 * 9),
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy; SoS in Amorim & Cardoso (2014)",
)
def sokal_sneath_5(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Geometric mean of the four conditional shares of agreement, two for a and two for d."""
    return (a / np.sqrt((a + b) * (a + c))) * (d / np.sqrt((d + b) * (d + c)))


ratio_index(
    "sokal_sneath_1",
    "a / (a + 2 (b + c))",
    "Like Jaccard, with disagreeing pairs at double weight.",
    ((1, 0, 0, 0), (1, 2, 2, 0)),
    aliases=("anderberg",),
    example=4 / 14,
    source="Sokal & Sneath (1963), Principles of Numerical Taxonomy; SS2 in Amorim & Cardoso (2014)",
)


@affine_index(
    "a / sqrt((a + b)(a + c))",
    aliases=("ochiai", "cosine", "fmi", "fm", "folkes_mallows"),
    notes="scikit-learn has 0 at 0/0, also for singletons against singletons, which have 1 here.",
    corrected_as="adjusted_fowlkes_mallows",
    example=4 / math.sqrt(6 * 7),
    source="Fowlkes & Mallows (1983), doi:10.1080/01621459.1983.10478008",
)
def fowlkes_mallows(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Geometric mean of pair precision and pair recall."""
    return a / np.sqrt((a + b) * (a + c))
