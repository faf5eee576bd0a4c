"""What the two papers say of selection bias, held against our wins.

Romano, Bailey, Nguyen & Verspoor (2014), PMLR 32(2):1143-1151, and Romano, Nguyen, Bailey & Verspoor (2016),
Journal of Machine Learning Research 17(134). Their results are pictures, without a number to compare; what
can be held against ours are sentences, here in our words. The designs are those of the scripts that the
authors published with the papers; of the texts the abstracts were at hand.
"""

from collections.abc import Mapping
from typing import Any

import chancecorr as cc
from experiments.common.protocol import Claim, at_most, claim, fact
from experiments.selection_bias.wins import Preference, preference

CLOSE = 0.1
"""Distance from equal shares that passes for close to them; "close" has no number in the papers."""

SMALL_AND_PURE = ((8, 0, 0, 0), (0, 7, 0, 0), (0, 0, 7, 0), (2, 3, 3, 70))
SMALL_AND_MIXED = ((7, 1, 1, 1), (1, 7, 1, 1), (1, 1, 7, 1), (1, 1, 1, 67))
LARGE_AND_PURE = ((17, 0, 0, 0), (0, 17, 0, 0), (0, 0, 17, 0), (8, 8, 8, 25))
LARGE_AND_MIXED = ((20, 2, 1, 1), (2, 20, 2, 1), (1, 1, 20, 1), (2, 2, 2, 22))
"""Candidates in rows; the reference in columns, sizes 10, 10, 10, 70, then 25, 25, 25, 25 (2016, sec. 4)."""


def claims(papers: Mapping[str, Mapping[str, Any]]) -> list[Claim]:
    """The sentences with their verdicts, from the designs of the papers and their wins."""
    by_clusters = papers["Romano et al. 2014, section 4.1"]
    by_objects = papers["Romano et al. 2014, section 4.2"]
    by_order = papers["Romano et al. 2016, section 5.2"]
    mi = found(by_clusters, "mutual_information", "raw")
    ami, smi = (found(by_clusters, "nmi_sqrt", key) for key in ("adjusted", "standardized"))
    small, small_ami, small_smi = (
        found(by_objects, name, key)
        for name, key in (
            ("mutual_information", "raw"),
            ("nmi_sqrt", "adjusted"),
            ("nmi_sqrt", "standardized"),
        )
    )
    orders = {name: [found(by_order, name, key) for key in KEYS] for name in by_order["names"]}
    return [
        claim(
            "The mutual information tends to choose clusterings with more clusters (2014, abstract).",
            fact(
                mi.prefers == "many",
                f"prefers {mi.prefers}: mean {mi.mean:.1f} clusters, {mi.distance:.2f} from equal shares",
            ),
        ),
        claim(
            "It tends to choose clusterings of fewer objects (2014, abstract).",
            fact(
                small.prefers == "few",
                f"prefers {small.prefers}: mean {small.mean:.0f} objects, {small.distance:.2f} from equal"
                " shares",
            ),
        ),
        claim(
            "Standardising reduces both tendencies, beyond what adjusting does (2014, abstract).",
            fact(
                smi.distance < ami.distance < mi.distance
                and small_smi.distance < small_ami.distance < small.distance,
                f"distance of the wins from equal shares, by clusters: MI {mi.distance:.2f}, AMI"
                f" {ami.distance:.2f}, SMI {smi.distance:.2f}; by objects: MI {small.distance:.2f}, AMI"
                f" {small_ami.distance:.2f}, SMI {small_smi.distance:.2f}",
            ),
        ),
        claim(
            "Standardised, all numbers of clusters are chosen about equally often, for q = 1.001, 2 and 3 too"
            " (what the figures of 2014, section 4.1, and 2016, section 5.2, are made to show; the figures"
            " themselves were not at hand).",
            at_most(
                max(smi.distance, *(each[2].distance for each in orders.values())),
                CLOSE,
                f"SMI {smi.distance:.3f} from equal shares, p = {smi.p_value:.1g}; "
                + ", ".join(
                    f"{name} {each[2].distance:.3f}, p = {each[2].p_value:.1g}"
                    for name, each in orders.items()
                ),
            ),
        ),
        Claim(
            text="Which numbers of sets are preferred without standardising, for each q (figure of 2016,"
            " section 5.2).",
            word="not reachable",
            evidence="the figure was not at hand; ours: "
            + "; ".join(
                f"{name} prefers {each[0].prefers} ({each[0].distance:.2f}), adjusted {each[1].prefers}"
                f" ({each[1].distance:.2f})"
                for name, each in orders.items()
            ),
        ),
        guideline(),
    ]


KEYS = ("raw", "adjusted", "standardized")


def found(design: Mapping[str, Any], name: str, key: str) -> Preference:
    """What the wins of an index in a design show."""
    compared = design["objects"] if len(design["objects"]) > 1 else design["clusters"]
    return preference(compared, [int(count) for count in design["wins"][name][key].split()])


def guideline() -> Claim:
    """ARI for large equal clusters and AMI for small ones, on the paper's own pairs of tables.

    On both pairs AMI prefers the table with pure clusters, and ARI the other one. That ARI is right on the
    one and AMI on the other is the authors' opinion of what a user wants.
    """
    evidence, holds = [], True
    for words, pure, mixed in (
        ("10, 10, 10, 70", SMALL_AND_PURE, SMALL_AND_MIXED),
        ("25, 25, 25, 25", LARGE_AND_PURE, LARGE_AND_MIXED),
    ):
        ari = [cc.adjust_table(table, index="rand", method="analytic").adjusted for table in (pure, mixed)]
        ami = [cc.adjust_table(table, index="nmi_sum", method="analytic").adjusted for table in (pure, mixed)]
        holds &= ari[0] < ari[1] and ami[0] > ami[1]
        evidence.append(
            f"reference {words}: pure {ari[0]:.3f} ARI, {ami[0]:.3f} AMI; mixed {ari[1]:.3f} ARI,"
            f" {ami[1]:.3f} AMI"
        )
    return claim(
        "ARI for references with large clusters of equal sizes, AMI for unbalanced ones with small clusters"
        " (2016, abstract), because AMI rates pure clusters higher (its section 4).",
        fact(holds, "; ".join(evidence)),
    )
