"""The designs of Romano et al. (2014, 2016)."""

from collections.abc import Mapping
from typing import Any

PAPERS: Mapping[str, Mapping[str, Any]] = {
    "Romano et al. 2014, section 4.1": {
        "objects": [500],
        "reference_clusters": 10,
        "clusters": [2, 6, 10, 14, 18, 22],
        "names": ["mutual_information", "nmi_sqrt", "nmi_max", "nmi_sum", "rand"],
    },
    "Romano et al. 2014, section 4.2": {
        "objects": [20, 40, 60, 80, 100],
        "reference_clusters": 4,
        "clusters": [4],
        "names": ["mutual_information", "nmi_sqrt", "rand"],
    },
    "Romano et al. 2016, section 5.2": {
        "objects": [100],
        "reference_clusters": 4,
        "clusters": list(range(2, 11)),
        "names": ["nmi_q(1.001)", "nmi_q(2)", "nmi_q(3)"],
    },
}
"""Designs of the scripts that the authors published with these sections.

Every object of the reference is in each of `reference_clusters` with equal chances, anew in each trial.
"""
