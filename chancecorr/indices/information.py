"""Mutual information of the reference U and the candidate V, entropies, and functions of these.

Values are in nats. All entries use one sum over cells, the mutual information I. The cluster sizes determine
``H(U)`` and ``H(V)``, so that an index linear in I has an exact mean and variance. The adjusted mutual
information of the literature is `nmi_sum`, `nmi_sqrt`, `nmi_max` or `nmi_min`, corrected for chance.
"""

import functools
import math

import numpy as np

from chancecorr.indices.clusters import compute_excess
from chancecorr.indices.entry import (
    add_index,
    bound_information_change,
    check_positive,
    make_member,
    register_family,
)
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers

KVALSETH = "Kvålseth (1987), doi:10.1109/TSMC.1987.4309069"
ROSENBERG = "Rosenberg & Hirschberg (2007), EMNLP-CoNLL, 410-420"
SKIMAGE = "scikit-image's variation_of_information returns the splits and then the merges, in bits."
SHANNON = "Shannon (1948), doi:10.1002/j.1538-7305.1948.tb01338.x"


def information_of_cell(x: float, row: float, column: float, n: float) -> float:
    """Share of a cell in the mutual information: ``x/n log(n x / (row column))``."""
    excess = compute_excess(x, row, column, n) / (row * column)
    if excess > -0.5:
        return x / n * math.log1p(excess)
    return x / n * math.log((n / row) * (x / column))


MOST_BYTES_KEPT = 8192  # bytes of the cluster sizes of a clustering whose entropy is cached


def entropy(totals: Integers | Floats) -> float:
    """Return the entropy of cluster sizes, or of sums of weights, in nats; nan without objects."""
    words = np.asarray(totals, dtype=np.float64).tobytes()
    return _entropy(words) if len(words) <= MOST_BYTES_KEPT else _entropy.__wrapped__(words)


@functools.lru_cache(maxsize=1024)
def _entropy(words: bytes) -> float:
    """Return the entropy of 64-bit sizes; cached, because indices and pairs of clusterings share it."""
    totals = np.frombuffer(words, dtype=np.float64)
    sizes = totals[totals > 0]
    n = sizes.sum()
    return float((sizes / n * np.log1p((n - sizes) / sizes)).sum()) if n else math.nan


def share(part: Floats, whole: float | Floats) -> Floats:
    """Return ``part / whole``; nan if `whole` is 0, even if `part` has a rounding error."""
    return part / np.where(whole > 0.0, whole, math.nan)


# far above the rounding of sums over cells, far below the share of one object in any clustering
ROUNDING_OF_NATS = 1e-13


def subtract_nats(nats: float | Floats, other: float | Floats) -> Floats:
    """Return ``nats - other``, and 0 if the difference is only rounding."""
    left = nats - other
    return np.where(np.abs(left) <= ROUNDING_OF_NATS * np.maximum(np.abs(nats), 1.0), 0.0, left)


def _log(number: int) -> float:
    """Return the logarithm, nan for 0."""
    return math.log(number) if number else math.nan


def _count_most_clusters(rows: Integers, columns: Integers) -> int:
    """Return the larger number of clusters of the two clusterings."""
    return int(max(np.count_nonzero(rows), np.count_nonzero(columns)))


information_index = functools.partial(
    add_index,
    needs="cells",
    family="information",
    cell=information_of_cell,
    exchange=bound_information_change,
    symmetric=True,
)
"""Register a symmetric function of I and the cluster sizes, by default."""


# fmt: off

information_index("mutual_information",
    r"I = \sum_{i,j} \frac{n_{ij}}{n} \log\left(\frac{n n_{ij}}{n_i m_j}\right)",
    lambda mi, rows, columns: mi if rows.any() else np.full_like(mi, math.nan),
    "Nats of information in one clustering about the other.",
    aliases=("mutual_info",), range=(0.0, math.inf), best=None, corrected_as="nmi_sum",
    source=SHANNON,
    known_as="mutual_info_score in scikit-learn. MI is Mirkin's index in JuliaStats and tclust",
    notes="In nats; mclustcomp reports bits.")


def joint_entropy(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Nats in both clusterings together."""
    return entropy(rows) + entropy(columns) - mi


information_index("joint_entropy",
    r"H(U, V) = -\sum_{i,j} \frac{n_{ij}}{n} \log\left(\frac{n_{ij}}{n}\right)", joint_entropy,
    "Nats in both clusterings together.",
    range=(0.0, math.inf), best=0.0, attained=False,
    source=SHANNON,
    notes="Identical clusterings have H(U): the least with these cluster sizes, and 0 for one cluster only.")

information_index("conditional_entropy_1", r"H(U \mid V) = H(U) - I",
    lambda mi, rows, columns: subtract_nats(entropy(rows), mi),
    "Nats of the reference that the candidate leaves open.",
    range=(0.0, math.inf), best=0.0, symmetric=False, corrected_as="homogeneity",
    aliases=("vi_merge", "vi_under_segmentation"),
    source=SHANNON,
    known_as="one half of the split variation of information: false merges, under-segmentation",
    notes=SKIMAGE)

information_index("conditional_entropy_2", r"H(V \mid U) = H(V) - I",
    lambda mi, rows, columns: subtract_nats(entropy(columns), mi),
    "Nats of the candidate that the reference leaves open.",
    range=(0.0, math.inf), best=0.0, symmetric=False, corrected_as="completeness",
    aliases=("vi_split", "vi_over_segmentation"),
    source=SHANNON,
    known_as="one half of the split variation of information: false splits, over-segmentation",
    notes=SKIMAGE)


def nmi_sum(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Mutual information relative to the mean of the entropies."""
    return share(2.0 * mi, entropy(rows) + entropy(columns))


information_index("nmi_sum", r"\frac{2 I}{H(U) + H(V)}", nmi_sum,
    "Mutual information relative to the mean of the entropies.",
    aliases=("nmi_arithmetic", "symmetric_uncertainty", "danon"),
    title="NMI (arithmetic mean)",
    source=KVALSETH,
    known_as="NMI of Fred & Jain (2003), Danon et al. (2005); Theil's symmetric uncertainty coefficient",
    notes="Equal to v_measure. Corrected for chance: AMI with the arithmetic mean.")

information_index("nmi_sqrt", r"\frac{I}{\sqrt{H(U) H(V)}}",
    lambda mi, rows, columns: share(mi, math.sqrt(entropy(rows) * entropy(columns))),
    "Mutual information relative to the geometric mean of the entropies.",
    aliases=("nmi_geometric",), undefined=0.0,
    title="NMI (geometric mean)",
    source="Strehl & Ghosh (2002), Journal of Machine Learning Research 3, 583-617",
    notes="0 where one of two different clusterings is a single cluster, as in scikit-learn.")

information_index("nmi_max", r"\frac{I}{\max(H(U), H(V))}",
    lambda mi, rows, columns: share(mi, max(entropy(rows), entropy(columns))),
    "Mutual information relative to the larger entropy.",
    title="NMI (maximum)",
    source=KVALSETH,
    notes="Corrected for chance: the AMI that Vinh, Epps & Bailey (2010) recommend.")

information_index("nmi_min", r"\frac{I}{\min(H(U), H(V))}",
    lambda mi, rows, columns: share(mi, min(entropy(rows), entropy(columns))),
    "Mutual information relative to the smaller entropy.",
    undefined=0.0,
    title="NMI (minimum)",
    source=KVALSETH,
    notes="1 wherever one clustering refines the other; 0 where one of two different clusterings is a"
    " single cluster, as in scikit-learn.")

information_index("nmi_joint", r"\frac{I}{H(U, V)}",
    lambda mi, rows, columns: share(mi, joint_entropy(mi, rows, columns)),
    "Mutual information relative to the joint entropy.",
    title="NMI (joint entropy)",
    source="Yao (2003), doi:10.1007/978-3-540-36212-8_6",
    notes="1 - nvi_joint. Not linear in I.")

information_index("homogeneity", r"\frac{I}{H(U)}", lambda mi, rows, columns: share(mi, entropy(rows)),
    "Share of the reference's entropy that the candidate explains.",
    aliases=("uncertainty_coefficient_1", "asymmetric_nmi"), symmetric=False, undefined=1.0,
    source=ROSENBERG,
    known_as="Theil's uncertainty coefficient of U given V; NMI normalised by the truth",
    notes="1 where the reference is a single cluster, by definition.")

information_index("completeness", r"\frac{I}{H(V)}", lambda mi, rows, columns: share(mi, entropy(columns)),
    "Share of the candidate's entropy that the reference explains.",
    aliases=("uncertainty_coefficient_2",), symmetric=False, undefined=1.0,
    source=ROSENBERG,
    known_as="Theil's uncertainty coefficient of V given U",
    notes="1 where the candidate is a single cluster, by definition.")

information_index("v_measure", r"\frac{2 h c}{h + c}, \quad h = \frac{I}{H(U)}, \quad c = \frac{I}{H(V)}",
    lambda mi, rows, columns: _weighted_v(mi, rows, columns, 1.0),
    "Harmonic mean of homogeneity and completeness.",
    corrected_as="nmi_sum",
    title="V-measure",
    source=ROSENBERG,
    notes="Equal to nmi_sum, and listed under both names.")


def _weighted_v(mi: Floats, rows: Integers, columns: Integers, beta: float) -> Floats:
    """Harmonic mean of homogeneity (weight 1) and completeness (weight beta); linear in I."""
    return share((1.0 + beta) * mi, entropy(rows) + beta * entropy(columns))


@register_family(2.0)
def v_beta(beta: float) -> Index:
    """V-measure in which completeness weighs beta times as much as homogeneity."""
    beta = check_positive("beta", beta)
    return make_member("v_beta", {r"\beta": beta},
        r"\frac{(1 + \beta) h c}{\beta h + c}, \quad h = \frac{I}{H(U)}, \quad c = \frac{I}{H(V)}",
        function=information_of_cell, link=functools.partial(_weighted_v, beta=beta),
        needs="cells", family="information", exchange=bound_information_change,
        symmetric=beta == 1.0, corrected_as="nmi_sum" if beta == 1.0 else "",
        source=ROSENBERG,
        notes="beta above 1 weighs completeness more. Unlike the beta of F-beta it is not squared.")

information_index("fnmi",
    r"\frac{2 I \exp\left(-\frac{\left\lvert K - K' \right\rvert}{K}\right)}{H(U) + H(V)}, \quad K \text{"
    r" and } K' \text{ the numbers of clusters of } U \text{ and } V",
    lambda mi, rows, columns: nmi_sum(mi, rows, columns) * math.exp(
        -abs(np.count_nonzero(rows) - np.count_nonzero(columns)) / (np.count_nonzero(rows) or 1)),
    "NMI discounted for a number of clusters other than the reference's.",
    aliases=("fair_nmi",), symmetric=False,
    source="Amelio & Pizzuti (2017), Computational Intelligence 33, 579-601",
    known_as="scaled NMI; FairNMI in validation_indices, which divides by exp(abs(K - K') / K)")


MEILA = "Meilă (2007), doi:10.1016/j.jmva.2006.11.013"
VINH = "Vinh, Epps & Bailey (2010), Journal of Machine Learning Research 11, 2837-2854"

distance = functools.partial(information_index, best=0.0)  # register a distance made of I and the entropies


def variation_of_information(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Nats lost and gained on the way from one clustering to the other."""
    return entropy(rows) + entropy(columns) - 2.0 * mi


distance("variation_of_information", r"H(U \mid V) + H(V \mid U) = H(U) + H(V) - 2 I",
    variation_of_information,
    "Nats lost and gained on the way from one clustering to the other.",
    aliases=("vi", "voi"), range=(0.0, math.inf), corrected_as="nmi_sum",
    source=MEILA,
    notes="A metric. In nats; mclustcomp reports bits.")

distance("vi_over_log_n", r"\frac{H(U) + H(V) - 2 I}{\log n}",
    lambda mi, rows, columns: share(variation_of_information(mi, rows, columns), _log(int(rows.sum()))),
    "Variation of information relative to its largest value for n objects.",
    corrected_as="nmi_sum",
    source=MEILA,
    notes="1 for one cluster against singletons.")

distance("vi_over_log_k",
    r"\frac{H(U) + H(V) - 2 I}{2 \log(\max(K, K'))}, \quad K \text{ and } K' \text{ the numbers of"
    r" clusters of } U \text{ and } V",
    lambda mi, rows, columns:
        share(variation_of_information(mi, rows, columns), 2.0 * _log(_count_most_clusters(rows, columns))),
    "Variation of information relative to its largest value for these numbers of clusters.",
    corrected_as="nmi_sum",
    source=MEILA,
    notes="The bound is reached by independent clusterings with equal sizes only, so for n >= max(K, K')^2.")

distance("vi_over_bound",
    r"\frac{H(U) + H(V) - 2 I}{\min(\log n, 2 \log(\max(K, K')))}, \quad K \text{ and } K' \text{ the"
    r" numbers of clusters of } U \text{ and } V",
    lambda mi, rows, columns: share(variation_of_information(mi, rows, columns),
        min(_log(int(rows.sum())), 2.0 * _log(_count_most_clusters(rows, columns)))),
    "Variation of information relative to the smaller of its two upper bounds.",
    corrected_as="nmi_sum",
    source=MEILA,
    known_as="VI over its upper bound in ELKI, which takes the smaller of the two bounds")

distance("nvi_joint", r"1 - \frac{I}{H(U, V)}",
    lambda mi, rows, columns:
        share(variation_of_information(mi, rows, columns), joint_entropy(mi, rows, columns)),
    "Variation of information relative to the joint entropy.",
    aliases=("rajski_distance",), corrected_as="nmi_joint",
    source="Rajski (1961), Information and Control 4, 371-377",
    known_as="NVI in Vinh, Epps & Bailey (2010) and aricode; d_joint; BA-E in R's clue",
    notes="A metric; VI / H(U,V). 1 - nmi_joint. Not linear in I.")

distance("nvi_sum", r"\frac{H(U) + H(V) - 2 I}{H(U) + H(V)}",
    lambda mi, rows, columns:
        share(variation_of_information(mi, rows, columns), entropy(rows) + entropy(columns)),
    "Variation of information relative to the sum of the entropies.",
    corrected_as="nmi_sum",
    source="Wu, Xiong & Chen (2009), KDD, 877-886",
    known_as="NVI in Rezaei & Fränti (2016); Powers' entropy in ELKI",
    notes="1 - nmi_sum.")

distance("nvi_shares", r"\frac{\frac{H(U \mid V)}{H(U)} + \frac{H(V \mid U)}{H(V)}}{2}",
    lambda mi, rows, columns:
        (share(entropy(rows) - mi, entropy(rows)) + share(entropy(columns) - mi, entropy(columns))) / 2.0,
    "Mean of the shares of the entropies that stay open.",
    source="Lancichinetti, Fortunato & Kertész (2009), doi:10.1088/1367-2630/11/3/033015, there for covers",
    known_as="NVI in mclustcomp; clusim's normalized vi is 1 minus this",
    notes="nan where one of two different clusterings is a single cluster; mclustcomp gives 1 there.")

distance("nvi_reference",
    r"\begin{cases} \frac{H(U) + H(V) - 2 I}{H(U)} & \text{if } H(U) > 0 \\ H(V) & \text{otherwise}"
    r" \end{cases}",
    lambda mi, rows, columns: variation_of_information(mi, rows, columns) / (entropy(rows) or 1.0),
    "Variation of information relative to the entropy of the reference.",
    range=(0.0, math.inf), symmetric=False, corrected_as="nmi_sum",
    source="Reichart & Rappoport (2009), CoNLL, 165-173",
    known_as="NVI in Reichart & Rappoport (2009)",
    notes="1 for a candidate of one cluster; above 1 for worse ones.")


def information_distance(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """The larger of the two conditional entropies."""
    return max(entropy(rows), entropy(columns)) - mi


distance("information_distance", r"\max(H(U), H(V)) - I", information_distance,
    "The larger of the two conditional entropies.",
    aliases=("id",), range=(0.0, math.inf), corrected_as="nmi_max",
    source=VINH,
    known_as="D_max in Vinh, Epps & Bailey (2010), ID in aricode",
    notes="A metric, in nats.")

distance("nid", r"1 - \frac{I}{\max(H(U), H(V))}",
    lambda mi, rows, columns:
        share(information_distance(mi, rows, columns), max(entropy(rows), entropy(columns))),
    "The larger of the two conditional entropies, relative to the larger entropy.",
    aliases=("normalized_information_distance",), corrected_as="nmi_max",
    source=VINH,
    known_as="d_max in Vinh, Epps & Bailey (2010), NID in aricode",
    notes="A metric; 1 - nmi_max.")
