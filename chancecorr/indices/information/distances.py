"""Distances made of entropies: variation of information, information distance, and their normalisations.

Notation and worked example as in `information`; all share its sum over cells. "NVI" stands for four different
normalisations in the literature: `nvi_joint`, `nvi_sum`, `nvi_shares` and `nvi_reference`.
"""

import functools
import math

import numpy as np

from chancecorr.indices.information.shared_information import (
    EXAMPLE_H_U,
    EXAMPLE_H_V,
    EXAMPLE_I,
    entropy,
    information_index,
    joint_entropy,
    share,
)
from chancecorr.machine.arrays import Floats, Integers

EXAMPLE_VI = EXAMPLE_H_U + EXAMPLE_H_V - 2 * EXAMPLE_I

MEILA = "Meilă (2007), doi:10.1016/j.jmva.2006.11.013"
VINH = "Vinh, Epps & Bailey (2010), Journal of Machine Learning Research 11, 2837-2854"

distance = functools.partial(information_index, best=0.0)
"""Entry of a distance made of I and the entropies."""


@distance(
    "H(U|V) + H(V|U) = H(U) + H(V) - 2 I",
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
    "(H(U) + H(V) - 2 I) / log(n)",
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
    "(H(U) + H(V) - 2 I) / (2 log(max(K, K'))), K and K' the numbers of clusters of U and V",
    corrected_as="nmi_sum",
    example=EXAMPLE_VI / (2 * math.log(2)),
    source=MEILA,
    notes="The bound is reached by independent clusterings with equal sizes only, so for n >= max(K, K')^2.",
)
def vi_over_log_k(mi: Floats, rows: Integers, columns: Integers) -> Floats:
    """Variation of information relative to its largest value for so many clusters."""
    return share(variation_of_information(mi, rows, columns), 2.0 * _log_clusters(rows, columns))


@distance(
    "(H(U) + H(V) - 2 I) / min(log(n), 2 log(max(K, K'))), K and K' the numbers of clusters of U and V",
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
    "1 - I / H(U,V)",
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
    "(H(U) + H(V) - 2 I) / (H(U) + H(V))",
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
    "(H(U|V) / H(U) + H(V|U) / H(V)) / 2",
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
    "(H(U) + H(V) - 2 I) / H(U) if H(U) > 0; H(V) otherwise",
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
    "max(H(U), H(V)) - I",
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
    "1 - I / max(H(U), H(V))",
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
