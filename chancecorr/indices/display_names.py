"""Names of indices as a text or an axis has them: ``"Rand index"`` for `rand`."""

from collections.abc import Mapping
from types import MappingProxyType

DISPLAY_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "adjusted_rand": "Adjusted Rand index",
        "bcubed_f": "B-cubed F",
        "bcubed_precision": "B-cubed precision",
        "bcubed_recall": "B-cubed recall",
        "ceaf_e": "CEAF-e",
        "centroid_index": "Centroid index",
        "conll": "CoNLL score",
        "cramer_v": "Cramér's V",
        "czekanowski": "Czekanowski (pair F1)",
        "fowlkes_mallows": "Fowlkes–Mallows index",
        "goodman_kruskal": "Goodman–Kruskal",
        "irm": "IRM",
        "jaccard": "Jaccard index",
        "lea": "LEA",
        "lea_precision": "LEA precision",
        "lea_recall": "LEA recall",
        "maximum_matching_accuracy": "Matching accuracy",
        "mirkin": "Mirkin distance",
        "muc": "MUC",
        "muc_precision": "MUC precision",
        "muc_recall": "MUC recall",
        "nid": "NID",
        "nmi_joint": "NMI (joint entropy)",
        "nmi_max": "NMI (maximum)",
        "nmi_min": "NMI (minimum)",
        "nmi_sqrt": "NMI (geometric mean)",
        "nmi_sum": "NMI (arithmetic mean)",
        "rand": "Rand index",
        "reduced_nmi": "Reduced NMI",
        "russell_rao": "Russell–Rao",
        "v_measure": "V-measure",
        "van_dongen": "van Dongen distance",
    }
)
"""Display names that are not the key with its first letter in upper case."""


def display_name(name: str) -> str:
    """Name of an index for readers, as ``"Variation of information"``."""
    words = name.replace("_", " ")
    return DISPLAY_NAMES.get(name) or words[:1].upper() + words[1:]
