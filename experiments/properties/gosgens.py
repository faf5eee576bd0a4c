"""The tables of Gösgens, Tikhonov & Prokhorenkova (2021), cell by cell beside what was found here.

Where the printed page could not be seen, the cell says so: `REMEMBERED`. The lists of indices biased towards
more or fewer clusters, after Lei et al. (2017), are from the authors' code, which was read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import chancecorr as cc
from chancecorr.catalogue.details import Property

REMEMBERED = "not at hand, as remembered"
CODE = "github.com/MartijnGosgens/validation_indices, PairCountingIndices.py"

COLUMNS = {
    "maximal agreement": "maximal_agreement",
    "minimal agreement": "minimal_agreement",
    "symmetry": "symmetric",
    "distance": "metric",
    "linear complexity": "linear_complexity",
    "monotonicity": "monotone",
    "strong monotonicity": "strongly_monotone",
    "constant baseline": "constant_baseline",
    "asymptotic constant baseline": "asymptotic_constant_baseline",
}
"""Columns of the two tables, and the properties here."""

GENERAL = (
    "maximal agreement",
    "symmetry",
    "distance",
    "linear complexity",
    "monotonicity",
    "constant baseline",
)
PAIRS = (
    "maximal agreement", "minimal agreement", "symmetry", "distance", "linear complexity", "monotonicity",
    "strong monotonicity", "constant baseline", "asymptotic constant baseline",
)  # fmt: skip

PRINTED: Mapping[str, str] = {
    "NMI": "yes yes no yes yes no",
    "NMI_max": "yes yes yes yes no no",
    "FNMI": "yes no no yes no no",
    "VI": "yes yes yes yes yes no",
    "SMI": "no yes no no no yes",
    "FMeasure": "yes yes no yes no no",
    "BCubed": "yes yes no yes yes no",
    "AMI": "yes yes no no yes yes",
    "R": "yes yes yes yes yes yes yes no no",
    "AR": "yes no yes no yes yes no yes yes",
    "J": "yes no yes yes yes yes no no no",
    "W": "no no no no yes no no no no",
    "D": "yes no yes no yes yes no no no",
    "CC": "yes yes yes no yes yes yes yes yes",
    "S&S1": "yes yes yes no yes yes yes yes yes",
    "CD": "yes yes yes yes yes yes yes no yes",
}
"""Cells of each row, in the order of `GENERAL` for the first eight and of `PAIRS` for the others."""

HERE: Mapping[str, tuple[str, bool] | None] = {
    "NMI": ("nmi_sum", False),
    "NMI_max": ("nmi_max", False),
    "FNMI": ("fnmi", False),
    "VI": ("variation_of_information", False),
    "SMI": None,
    "FMeasure": ("purity_f", False),
    "BCubed": ("bcubed_f", False),
    "AMI": ("nmi_sum", True),
    "R": ("rand", False),
    "AR": ("adjusted_rand", False),
    "J": ("jaccard", False),
    "W": ("wallace_1", False),
    "D": ("czekanowski", False),
    "CC": ("phi", False),
    "S&S1": ("sokal_sneath_4", False),
    "CD": ("correlation_distance", False),
}
"""Index of the catalogue of each row, and whether its corrected score is meant; None where there is no
entry."""

BIAS: Mapping[str, tuple[str, ...]] = {
    "more": (
        "rand", "mirkin", "hamann", "minkowski", "gower_legendre", "rogers_tanimoto", "baulieu_1",
        "goodman_kruskal",
    ),
    "none": ("adjusted_rand", "phi", "sokal_sneath_4"),
    "fewer": (
        "baulieu_2", "peirce_1", "russell_rao", "kulczynski_2", "mcconnaughey", "jaccard", "wallace_1",
        "fowlkes_mallows", "czekanowski", "fager_mcgowan", "sokal_sneath_1", "sokal_sneath_5",
    ),
}  # fmt: skip
"""Indices by the number of clusters that they favour. Yule's of that code is in no catalogue: its formula,
(a d - b c) / (a b + c d), divides by other products than Yule's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A printed cell beside ours.

    Attributes
    ----------
    row, column : str
        As printed.
    printed : str
        ``"yes"`` or ``"no"``; for the direction of the bias ``"more"``, ``"none"`` or ``"fewer"``.
    read_from : str
        Where the printed value is from.
    index : str
        Name here; empty where there is none.
    found : str
        Status here, or the direction.
    verdict : {"agrees", "differs", "definition differs", "not settled", "no entry"}
        What comes of it.
    about : str
        The reason, or the counterexample.
    """

    row: str
    column: str
    printed: str
    read_from: str
    index: str
    found: str
    verdict: str
    about: str


def compared() -> Iterator[Compared]:
    """All cells of the two tables of properties."""
    for row, cells in PRINTED.items():
        columns = GENERAL if len(cells.split()) == len(GENERAL) else PAIRS
        here = HERE[row]
        for column, printed in zip(columns, cells.split(), strict=True):
            cell = {"row": row, "column": column, "printed": printed, "read_from": REMEMBERED}
            if here is None:
                yield Compared(**cell, index="", found="", verdict="no entry", about="")
                continue
            known = cc.catalogue.properties(here[0], adjusted=here[1])
            ours = known[COLUMNS[column]]
            verdict, about = judged(printed, ours, known)
            name = f"{here[0]}, corrected" if here[1] else here[0]
            yield Compared(**cell, index=name, found=ours.status, verdict=verdict, about=about)


def judged(printed: str, ours: Property, known: Mapping[str, Property]) -> tuple[str, str]:
    """Verdict on one cell, and why."""
    if ours.status in ("open", "not applicable"):
        return "not settled", ours.reason or f"no counterexample up to {ours.n_max} objects, and no reason"
    if (printed == "yes") == (ours.status == "proved"):
        return "agrees", ours.reason or shown(ours)
    weaker = known["weakly_monotone"]
    if ours.name == "monotone" and printed == "yes" and weaker.status == "proved":
        return "definition differs", f"{shown(ours)}; never worse, {weaker.reason.lower()}"
    if ours.name == "monotone" and weaker.status == "refuted":
        return "differs", f"it can fall: {shown(weaker)}"
    return "differs", ours.reason or shown(ours)


def shown(ours: Property) -> str:
    """A counterexample in a line."""
    example = ours.counterexample
    if example is None:
        return ""
    if "counts" in example:
        values = ", ".join(f"{value:.4g}" for value in example["values"])
        return f"(a, b, c, d) = {' and '.join(map(str, example['counts']))}: {values}"
    texts = example["clusterings"]
    return "; ".join(f"s({texts[i]}, {texts[j]}) = {value:.4g}" for i, j, value in example["scores"])


def bias_compared(directions: Mapping[str, str]) -> Iterator[Compared]:
    """The three lists of biased indices.

    `directions` are ours, by name, for references of equal cluster sizes.
    """
    for printed, names in BIAS.items():
        for name in names:
            found = directions[name]
            free = cc.catalogue.properties(name)["free_of_cluster_number"]
            about = free.reason if free.status == "proved" else f"the means differ: {shown(free)}"
            verdict = "agrees" if found == printed else "not settled" if found == "unknown" else "differs"
            yield Compared(
                row=name, column="number of clusters", printed=printed, read_from=CODE, index=name,
                found=found, verdict=verdict, about=about,
            )  # fmt: skip
