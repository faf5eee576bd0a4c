"""Mutual information of the reference U and the candidate V, entropies, and what is made of these.

In nats; all entries share one sum over cells, that of I. The cluster sizes fix ``H(U)`` and ``H(V)``, so that
an index linear in I has an exact mean and variance. The adjusted mutual information of the literature is
`nmi_sum`, `nmi_sqrt`, `nmi_max` or `nmi_min` corrected for chance. The worked example is ``((2, 1), (0,
3))``.
"""

import functools
import math

import numpy as np

from chancecorr.indices.clusters import excess_over_independence
from chancecorr.indices.entry import EXAMPLE_TABLE, above_zero, entry, family_entry, information, member
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers

EXAMPLE_I = math.log(2) / 6 + math.log(1.5) / 2  # cells 2, 1, 3: 1/3 log 2 + 1/6 log(1/2) + 1/2 log 1.5
EXAMPLE_H_U = math.log(2)  # 3 and 3 of 6
EXAMPLE_H_V = math.log(3) / 3 + 2 / 3 * math.log(1.5)  # 2 and 4 of 6

KVALSETH = "Kvålseth (1987), doi:10.1109/TSMC.1987.4309069"
ROSENBERG = "Rosenberg & Hirschberg (2007), EMNLP-CoNLL, 410-420"
SKIMAGE = "scikit-image's variation_of_information returns the splits and then the merges, in bits."
SHANNON = "Shannon (1948), doi:10.1002/j.1538-7305.1948.tb01338.x"


def information_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in the mutual information: ``x/n log(n x / (row column))``."""
    excess = excess_over_independence(x, row, column, n) / (row * column)
    if excess > -0.5:
        return x / n * math.log1p(excess)
    return x / n * math.log((n / row) * (x / column))


MOST_BYTES_KEPT = 8192
"""Bytes of the sizes of a clustering whose entropy is kept."""


def entropy(totals: Integers | Floats) -> float:
    """Entropy of cluster sizes, or of sums of weights, in nats; nan without objects."""
    words = np.asarray(totals, dtype=np.float64).tobytes()
    return _entropy(words) if len(words) <= MOST_BYTES_KEPT else _entropy.__wrapped__(words)


@functools.lru_cache(maxsize=1024)
def _entropy(words: bytes) -> float:
    """Entropy of sizes of 64 bits, of which several indices, and many pairs, ask the same."""
    totals = np.frombuffer(words, dtype=np.float64)
    sizes = totals[totals > 0]
    n = sizes.sum()
    return float((sizes / n * np.log1p((n - sizes) / sizes)).sum()) if n else math.nan


def share(part: Floats, whole: float) -> Floats:
    """``part / whole``; nan where `whole` is 0, whatever rounding left in `part`."""
    return part / (whole if whole > 0.0 else math.nan)


information_index = functools.partial(
    entry, needs="cells", family="information", cell=information_of_cell, exchange=information, symmetric=True
)
"""Entry of a symmetric function of I and the cluster sizes, unless it says otherwise."""


@information_index(
    r"I = \sum_{i,j} \frac{n_{ij}}{n} \log\left(\frac{n n_{ij}}{n_i m_j}\right)",
    aliases=("mutual_info",),
    range=(0.0, math.inf),
    best=None,
    corrected_as="nmi_sum",
    example=EXAMPLE_I,
    source=SHANNON,
    known_as="mutual_info_score in scikit-learn. MI is Mirkin's index in JuliaStats and tclust",
    notes="In nats; mclustcomp reports bits.",
)
def mutual_information(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Nats of information in one clustering about the other."""
    return mi if rows.any() else np.full_like(mi, math.nan)


@information_index(
    r"H(U, V) = -\sum_{i,j} \frac{n_{ij}}{n} \log\left(\frac{n_{ij}}{n}\right)",
    range=(0.0, math.inf),
    best=0.0,
    attained=False,
    example=EXAMPLE_H_U + EXAMPLE_H_V - EXAMPLE_I,
    source=SHANNON,
    notes="Identical clusterings have H(U): the least with these cluster sizes, and 0 for one cluster only.",
)
def joint_entropy(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Nats in both clusterings together."""
    return entropy(rows) + entropy(columns) - mi


@information_index(
    r"H(U \mid V) = H(U) - I",
    range=(0.0, math.inf),
    best=0.0,
    symmetric=False,
    corrected_as="homogeneity",
    example=EXAMPLE_H_U - EXAMPLE_I,
    source=SHANNON,
    aliases=("vi_merge", "vi_under_segmentation"),
    known_as="one half of the split variation of information: false merges, under-segmentation",
    notes=SKIMAGE,
)
def conditional_entropy_1(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Nats of the reference that the candidate leaves open."""
    return entropy(rows) - mi


@information_index(
    r"H(V \mid U) = H(V) - I",
    range=(0.0, math.inf),
    best=0.0,
    symmetric=False,
    corrected_as="completeness",
    example=EXAMPLE_H_V - EXAMPLE_I,
    source=SHANNON,
    aliases=("vi_split", "vi_over_segmentation"),
    known_as="one half of the split variation of information: false splits, over-segmentation",
    notes=SKIMAGE,
)
def conditional_entropy_2(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Nats of the candidate that the reference leaves open."""
    return entropy(columns) - mi


@information_index(
    r"\frac{2 I}{H(U) + H(V)}",
    aliases=("nmi_arithmetic", "symmetric_uncertainty", "danon"),
    example=2 * EXAMPLE_I / (EXAMPLE_H_U + EXAMPLE_H_V),
    source=KVALSETH,
    known_as="NMI of Fred & Jain (2003), Danon et al. (2005); Theil's symmetric uncertainty coefficient",
    notes="Equal to v_measure. Corrected for chance: AMI with the arithmetic mean.",
)
def nmi_sum(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Mutual information relative to the mean of the entropies."""
    return share(2.0 * mi, entropy(rows) + entropy(columns))


@information_index(
    r"\frac{I}{\sqrt{H(U) H(V)}}",
    aliases=("nmi_geometric",),
    undefined=0.0,
    example=EXAMPLE_I / math.sqrt(EXAMPLE_H_U * EXAMPLE_H_V),
    source="Strehl & Ghosh (2002), Journal of Machine Learning Research 3, 583-617",
    notes="0 where one of two different clusterings is a single cluster, as in scikit-learn.",
)
def nmi_sqrt(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Mutual information relative to the geometric mean of the entropies."""
    return share(mi, math.sqrt(entropy(rows) * entropy(columns)))


@information_index(
    r"\frac{I}{\max(H(U), H(V))}",
    example=EXAMPLE_I / EXAMPLE_H_U,
    source=KVALSETH,
    notes="Corrected for chance: the AMI that Vinh, Epps & Bailey (2010) recommend.",
)
def nmi_max(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Mutual information relative to the larger entropy."""
    return share(mi, max(entropy(rows), entropy(columns)))


@information_index(
    r"\frac{I}{\min(H(U), H(V))}",
    undefined=0.0,
    example=EXAMPLE_I / EXAMPLE_H_V,
    source=KVALSETH,
    notes="1 wherever one clustering refines the other; 0 where one of two different clusterings is a single"
    " cluster, as in scikit-learn.",
)
def nmi_min(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Mutual information relative to the smaller entropy."""
    return share(mi, min(entropy(rows), entropy(columns)))


@information_index(
    r"\frac{I}{H(U, V)}",
    example=EXAMPLE_I / (EXAMPLE_H_U + EXAMPLE_H_V - EXAMPLE_I),
    source="Yao (2003), doi:10.1007/978-3-540-36212-8_6",
    notes="1 - nvi_joint. Not linear in I.",
)
def nmi_joint(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Mutual information relative to the joint entropy."""
    joint = joint_entropy(mi, rows, columns)
    return mi / np.where(joint > 0.0, joint, math.nan)


@information_index(
    r"\frac{I}{H(U)}",
    aliases=("uncertainty_coefficient_1", "asymmetric_nmi"),
    symmetric=False,
    undefined=1.0,
    example=EXAMPLE_I / EXAMPLE_H_U,
    source=ROSENBERG,
    known_as="Theil's uncertainty coefficient of U given V; NMI normalised by the truth",
    notes="1 where the reference is a single cluster, by definition.",
)
def homogeneity(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Share of the reference's entropy that the candidate explains."""
    return share(mi, entropy(rows))


@information_index(
    r"\frac{I}{H(V)}",
    aliases=("uncertainty_coefficient_2",),
    symmetric=False,
    undefined=1.0,
    example=EXAMPLE_I / EXAMPLE_H_V,
    source=ROSENBERG,
    known_as="Theil's uncertainty coefficient of V given U",
    notes="1 where the candidate is a single cluster, by definition.",
)
def completeness(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Share of the candidate's entropy that the reference explains."""
    return share(mi, entropy(columns))


@information_index(
    r"\frac{2 h c}{h + c}, \quad h = \frac{I}{H(U)}, \quad c = \frac{I}{H(V)}",
    corrected_as="nmi_sum",
    example=2 * EXAMPLE_I / (EXAMPLE_H_U + EXAMPLE_H_V),
    source=ROSENBERG,
    notes="Equal to nmi_sum, and listed under both names.",
)
def v_measure(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Harmonic mean of homogeneity and completeness."""
    return _weighted_v(mi, rows, columns, 1.0)


def _weighted_v(mi: Floats, rows: Integers, columns: Integers, beta: float) -> Floats:
    """Harmonic mean of homogeneity (weight 1) and completeness (weight beta); linear in I."""
    return share((1.0 + beta) * mi, entropy(rows) + beta * entropy(columns))


@family_entry(2.0)
def v_beta(beta: float) -> Index:
    """V-measure in which completeness weighs beta times as much as homogeneity."""
    beta = above_zero("beta", beta)
    example = (1 + beta) * EXAMPLE_I / (EXAMPLE_H_U + beta * EXAMPLE_H_V)
    return member(
        "v_beta",
        {r"\beta": beta},
        r"\frac{(1 + \beta) h c}{\beta h + c}, \quad h = \frac{I}{H(U)}, \quad c = \frac{I}{H(V)}",
        function=information_of_cell,
        exchange=information,
        needs="cells",
        family="information",
        source=ROSENBERG,
        symmetric=beta == 1.0,
        corrected_as="nmi_sum" if beta == 1.0 else "",
        link=functools.partial(_weighted_v, beta=beta),
        example=(EXAMPLE_TABLE, example),
        notes="beta above 1 weighs completeness more. Unlike the beta of F-beta it is not squared.",
    )


@information_index(
    r"\frac{2 I \exp\left(-\frac{\left\lvert K - K' \right\rvert}{K}\right)}{H(U) + H(V)}, "
    r"\quad K \text{ and } K' \text{ the numbers of clusters of } U \text{ and } V",
    aliases=("fair_nmi",),
    symmetric=False,
    example=2 * EXAMPLE_I / (EXAMPLE_H_U + EXAMPLE_H_V),
    source="Amelio & Pizzuti (2017), Computational Intelligence 33, 579-601",
    known_as="scaled NMI; FairNMI in validation_indices, which divides by exp(abs(K - K') / K)",
)
def fnmi(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """NMI discounted for a number of clusters other than the reference's."""
    K, Q = int(np.count_nonzero(rows)), int(np.count_nonzero(columns))
    return nmi_sum(mi, rows, columns) * math.exp(-abs(K - Q) / max(K, 1))


EXAMPLE_VI = EXAMPLE_H_U + EXAMPLE_H_V - 2 * EXAMPLE_I

MEILA = "Meilă (2007), doi:10.1016/j.jmva.2006.11.013"
VINH = "Vinh, Epps & Bailey (2010), Journal of Machine Learning Research 11, 2837-2854"

distance = functools.partial(information_index, best=0.0)
"""Entry of a distance made of I and the entropies."""


@distance(
    r"H(U \mid V) + H(V \mid U) = H(U) + H(V) - 2 I",
    aliases=("vi", "voi"),
    range=(0.0, math.inf),
    corrected_as="nmi_sum",
    example=EXAMPLE_VI,
    source=MEILA,
    notes="A metric. In nats; mclustcomp reports bits.",
)
def variation_of_information(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Nats lost and gained on the way from one clustering to the other."""
    return entropy(rows) + entropy(columns) - 2.0 * mi


@distance(
    r"\frac{H(U) + H(V) - 2 I}{\log n}",
    corrected_as="nmi_sum",
    example=EXAMPLE_VI / math.log(6),
    source=MEILA,
    notes="1 for one cluster against singletons.",
)
def vi_over_log_n(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Variation of information relative to its largest value for n objects."""
    n = int(rows.sum())
    return share(variation_of_information(mi, rows, columns), math.log(n) if n else math.nan)


@distance(
    r"\frac{H(U) + H(V) - 2 I}{2 \log(\max(K, K'))}, "
    r"\quad K \text{ and } K' \text{ the numbers of clusters of } U \text{ and } V",
    corrected_as="nmi_sum",
    example=EXAMPLE_VI / (2 * math.log(2)),
    source=MEILA,
    notes="The bound is reached by independent clusterings with equal sizes only, so for n >= max(K, K')^2.",
)
def vi_over_log_k(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Variation of information relative to its largest value for so many clusters."""
    return share(variation_of_information(mi, rows, columns), 2.0 * _log_clusters(rows, columns))


@distance(
    r"\frac{H(U) + H(V) - 2 I}{\min(\log n, 2 \log(\max(K, K')))}, "
    r"\quad K \text{ and } K' \text{ the numbers of clusters of } U \text{ and } V",
    corrected_as="nmi_sum",
    example=EXAMPLE_VI / (2 * math.log(2)),  # 2 log 2 = log 4 < log 6
    source=MEILA,
    known_as="VI over its upper bound in ELKI, which takes the smaller of the two bounds",
)
def vi_over_bound(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Variation of information relative to the smaller of its two upper bounds."""
    n = int(rows.sum())
    bound = min(math.log(n), 2.0 * _log_clusters(rows, columns)) if n else math.nan
    return share(variation_of_information(mi, rows, columns), bound)


def _log_clusters(rows: Integers, columns: Integers) -> float:
    clusters = max(np.count_nonzero(rows), np.count_nonzero(columns))
    return math.log(clusters) if clusters else math.nan


@distance(
    r"1 - \frac{I}{H(U, V)}",
    aliases=("rajski_distance",),
    corrected_as="nmi_joint",
    example=1 - EXAMPLE_I / (EXAMPLE_H_U + EXAMPLE_H_V - EXAMPLE_I),
    source="Rajski (1961), Information and Control 4, 371-377",
    known_as="NVI in Vinh, Epps & Bailey (2010) and aricode; d_joint; BA-E in R's clue",
    notes="A metric; VI / H(U,V). 1 - nmi_joint. Not linear in I.",
)
def nvi_joint(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Variation of information relative to the joint entropy."""
    joint = joint_entropy(mi, rows, columns)
    return variation_of_information(mi, rows, columns) / np.where(joint > 0.0, joint, math.nan)


@distance(
    r"\frac{H(U) + H(V) - 2 I}{H(U) + H(V)}",
    corrected_as="nmi_sum",
    example=EXAMPLE_VI / (EXAMPLE_H_U + EXAMPLE_H_V),
    source="Wu, Xiong & Chen (2009), KDD, 877-886",
    known_as="NVI in Rezaei & Fränti (2016); Powers' entropy in ELKI",
    notes="1 - nmi_sum.",
)
def nvi_sum(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Variation of information relative to the sum of the entropies."""
    return share(variation_of_information(mi, rows, columns), entropy(rows) + entropy(columns))


@distance(
    r"\frac{\frac{H(U \mid V)}{H(U)} + \frac{H(V \mid U)}{H(V)}}{2}",
    example=1 - (EXAMPLE_I / EXAMPLE_H_U + EXAMPLE_I / EXAMPLE_H_V) / 2,
    source="Lancichinetti, Fortunato & Kertész (2009), doi:10.1088/1367-2630/11/3/033015, there for covers",
    known_as="NVI in mclustcomp; clusim's normalized vi is 1 minus this",
    notes="nan where one of two different clusterings is a single cluster; mclustcomp gives 1 there.",
)
def nvi_shares(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Mean of the shares of the entropies that stay open."""
    open_rows = share(entropy(rows) - mi, entropy(rows))
    return (open_rows + share(entropy(columns) - mi, entropy(columns))) / 2.0


@distance(
    r"\begin{cases} \frac{H(U) + H(V) - 2 I}{H(U)} & \text{if } H(U) > 0 \\"
    r" H(V) & \text{otherwise} \end{cases}",
    range=(0.0, math.inf),
    symmetric=False,
    corrected_as="nmi_sum",
    example=EXAMPLE_VI / EXAMPLE_H_U,
    source="Reichart & Rappoport (2009), CoNLL, 165-173",
    known_as="NVI in Reichart & Rappoport (2009)",
    notes="1 for a candidate of one cluster; above 1 for worse ones.",
)
def nvi_reference(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Variation of information relative to the entropy of the reference."""
    return variation_of_information(mi, rows, columns) / (entropy(rows) or 1.0)


@distance(
    r"\max(H(U), H(V)) - I",
    aliases=("id",),
    range=(0.0, math.inf),
    corrected_as="nmi_max",
    example=EXAMPLE_H_U - EXAMPLE_I,
    source=VINH,
    known_as="D_max in Vinh, Epps & Bailey (2010), ID in aricode",
    notes="A metric, in nats.",
)
def information_distance(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """The larger of the two conditional entropies."""
    return max(entropy(rows), entropy(columns)) - mi


@distance(
    r"1 - \frac{I}{\max(H(U), H(V))}",
    aliases=("normalized_information_distance",),
    corrected_as="nmi_max",
    example=1 - EXAMPLE_I / EXAMPLE_H_U,
    source=VINH,
    known_as="d_max in Vinh, Epps & Bailey (2010), NID in aricode",
    notes="A metric; 1 - nmi_max.",
)
def nid(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """The larger of the two conditional entropies, relative to the larger entropy."""
    return share(information_distance(mi, rows, columns), max(entropy(rows), entropy(columns)))
