"""The first three lines of an index's page: what it rewards, when to take it, and its names elsewhere."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from catalogue_text import code, escaped, list_of, paragraph

from chancecorr.catalogue.details import equivalents
from chancecorr.catalogue.recommendations import CHOICES, COMMON
from chancecorr.indices.registry import Index

PAGE = Path(__file__).resolve().parents[1] / "howto" / "coming_from.md"
"""Names of functions of other packages, and the indices that they are."""

REWARDS: Mapping[str, str] = {
    "rand": "Pairs of objects that both clusterings treat alike: together in both, or apart in both.",
    "mutual_information": "Clusters that tell the class of their objects, in nats of information.",
    "nmi_sum": "The mutual information, as a share of the mean of the two entropies.",
    "v_measure": "Homogeneity and completeness at once: their harmonic mean, the same number as nmi_sum.",
    "homogeneity": "Clusters of a single class; to split a class costs nothing.",
    "completeness": "Classes in a single cluster; to merge classes costs nothing.",
    "fowlkes_mallows": "Pairs together in both: the geometric mean of the precision and the recall of pairs.",
    "jaccard": "Pairs together in both, among those together in at least one.",
    "bcubed_f": "Objects whose cluster has the same members in both, on average over the objects.",
    "purity": "Objects in the largest class of their cluster; to split a class costs nothing.",
    "maximum_matching_accuracy": "Objects in the class that their cluster is matched with, one to one.",
    "variation_of_information": "A small distance: information of each clustering that the other lacks.",
    "element_centric_similarity": "Objects whose clusters in both have the same members, to the same share.",
}
"""What the common indices reward; the others say what they measure."""

WHEN: Mapping[str, str] = {
    "nmi_sum": "To compare with papers that report NMI. Raw, it rises with the number of clusters.",
    "v_measure": "To compare with papers that report it. Raw, it rises with the number of clusters.",
    "homogeneity": "With completeness, to see whether clusters are mixed or too fine.",
    "completeness": "With homogeneity, to see whether classes are torn apart or merged.",
    "fowlkes_mallows": "If pairs that are apart in both clusterings should not count.",
    "jaccard": "If pairs that are apart in both clusterings should not count.",
    "element_centric_similarity": "If you want to see for which objects two clusterings differ.",
}
"""When to take a common index that is no answer of the page on which index to take."""


def three_lines(index: Index, summary: str) -> str:
    """The lines, as a list in Markdown."""
    lines = {
        "What it rewards" if index.name in COMMON else "What it measures": escaped(
            REWARDS.get(index.name, summary)
        ),
        "When to take it": _when(index),
        "Elsewhere": _elsewhere(index),
    }
    return "\n".join(f"- **{title}**: {text}" for title, text in lines.items())


def _when(index: Index) -> str:
    """From the six questions, or from what is the same once corrected."""
    for each in CHOICES:
        if each.index == index.name:
            ends = each.question.endswith("?")
            return (
                f"{each.question} {each.why}"
                if ends
                else f"{each.question}: {each.why[0].lower()}{each.why[1:]}"
            )
    if index.name in WHEN:
        return WHEN[index.name]
    others = equivalents(index)
    common = [name for name in others if name in COMMON]
    if common:
        return f"Adjusted, it is the same as {list_of(common)}: take that one, unless a paper reports this."
    papers = (
        "To compare with work that reports it; [which index?](/explanation/which_index.md) has six others."
    )
    return f"Adjusted, it is the same as {list_of(others)}. {papers}" if others else papers


def _elsewhere(index: Index) -> str:
    """Functions of other packages that compute it, and other names in the literature."""
    found = [
        f"{code(name)} in {package}" for package, name, here, _ in names_elsewhere() if here == index.name
    ]
    texts = [", ".join(found)] if found else []
    if index.known_as:
        texts.append(paragraph(index.known_as, but=index.name))
    return (
        "; ".join(texts)
        or "scikit-learn, mclust, aricode, clusim, igraph, pycm and others have no function for it."
    )


def names_elsewhere() -> Iterator[tuple[str, str, str, str]]:
    """Package, name there, index here and call, from the page on other packages."""
    package = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or len(cells) != 4 or cells[0] in ("package", "---"):
            continue
        package = cells[0].partition(",")[0] or package
        there, here, calls = (re.findall(r"`([^`]+)`", cell) for cell in cells[1:])
        for k, name in enumerate(there):
            yield package, name.strip('"'), here[min(k, len(here) - 1)], calls[min(k, len(calls) - 1)]
