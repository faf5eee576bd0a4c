"""One design of the papers' scripts: who wins among random candidates."""

from collections.abc import Mapping
from typing import Any

from experiments.common.units import Clock, Inputs, Record
from experiments.selection_bias.random_sizes import contests_of_sums


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """Wins by index and score, as text; inputs: a row of `designs.PAPERS`, ``trials`` and ``number``."""
    with clock("contests"):
        wins = contests_of_sums(
            inputs["names"],
            objects=inputs["objects"],
            reference_clusters=inputs["reference_clusters"],
            clusters=inputs["clusters"],
            trials=inputs["trials"],
            seed=seed + inputs["number"],
        )
    return {
        index: {key: " ".join(map(str, each)) for key, each in both.items()} for index, both in wins.items()
    }


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
