"""Which index to take for which question, and the dozen that most papers report.

`CHOICES` is what ``chancecorr recommend``, the page "Which index?" and the landing page show first; indices
of `COMMON` come first wherever the catalogue is listed.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from chancecorr.indices.display_names import display_name
from chancecorr.indices.registry import MEANT_BY_DEFAULT, Index, get_index, meant_by_default, squeezed
from chancecorr.show import TextTable

COMMON: Mapping[str, str] = MappingProxyType(
    {
        "rand": "adjusted Rand index (ARI), Hubert-Arabie",
        "mutual_information": "adjusted mutual information (AMI)",
        "nmi_sum": "normalized mutual information (NMI)",
        "v_measure": "V-measure",
        "homogeneity": "homogeneity score",
        "completeness": "completeness score",
        "fowlkes_mallows": "Fowlkes-Mallows index (FMI)",
        "jaccard": "Jaccard index",
        "bcubed_f": "B-cubed F1 (B3)",
        "purity": "purity score",
        "maximum_matching_accuracy": "clustering accuracy (ACC)",
        "variation_of_information": "variation of information (VI)",
        "element_centric_similarity": "element-centric similarity (ECS)",
    }
)
"""The indices that most papers report, and words for each and its adjusted score that people look for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """An answer to a question: an index, raw or adjusted, and the properties that the reason rests on."""

    question: str
    title: str
    call: str
    adjusted: bool = True
    why: str
    index: str
    proved: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()


CHOICES: tuple[Choice, ...] = (
    Choice(
        question="The usual score, as in papers",
        title="ARI, adjusted Rand index",
        call="rand",
        why="Counts pairs of objects; 0 by chance; rises with every perfect merge or split.",
        index="rand",
        proved=("constant_baseline", "symmetric", "monotone"),
    ),
    Choice(
        question="Clusters of very different sizes",
        title="AMI, mutual information",
        call="ami",
        why="Counts information; for unbalanced classes (Romano et al. 2016); 0 by chance.",
        index="mutual_information",
        proved=("constant_baseline", "symmetric"),
    ),
    Choice(
        question="Each object's cluster, on average",
        title="B-cubed F, adjusted",
        call="bcubed_f",
        why="Precision and recall of each object's cluster, over all objects; 0 by chance.",
        index="bcubed_f",
        proved=("constant_baseline", "symmetric"),
    ),
    Choice(
        question="Is each found cluster pure?",
        title="Purity, adjusted",
        call="purity",
        why="Objects in the largest class of their cluster; a split class costs nothing.",
        index="purity",
        proved=("constant_baseline",),
        refuted=("symmetric", "maximal_agreement"),
    ),
    Choice(
        question="What share is labelled right?",
        title="Accuracy, adjusted",
        call="clustering_accuracy",
        why="Clusters are matched one to one with the classes; 0 by chance.",
        index="maximum_matching_accuracy",
        proved=("constant_baseline", "symmetric"),
    ),
    Choice(
        question="A distance that is a metric",
        title="Variation of information",
        call="vi",
        adjusted=False,
        why="Raw, by `score`: corrected for chance it is no metric; 0 if all is equal.",
        index="variation_of_information",
        proved=("metric", "symmetric", "monotone"),
        refuted=("constant_baseline",),
    ),
)
"""Six questions and their answers; tests hold each to the properties that it rests on."""


def choice_lines() -> list[str]:
    """The choices as lines of a terminal of 80 columns: question, score and name, the reason below."""
    rows = [[each.question, each.title, each.call] for each in CHOICES]
    table = TextTable(columns=["question", "score", "in the call"], rows=rows, left=3)
    header, *lines = table.to_text().splitlines()
    reasons = (f"    {each.why}" for each in CHOICES)
    pairs = (line for both in zip(lines, reasons, strict=True) for line in both)
    return ["Which index? Its name is `index` of `adjust`, or what follows --index:", header, *pairs]


def common_first(names: Iterable[str]) -> list[str]:
    """Names of indices, those of `COMMON` first and in its order."""
    given = list(names)
    common = [name for name in COMMON if name in given]
    return common + [name for name in given if name not in COMMON]


def searched_text(index: Index) -> str:
    """All words under which an index is found, in lower case: names, names elsewhere, formula, source."""
    also = [names for names, (name, _, _) in MEANT_BY_DEFAULT.items() if name == index.name]
    texts = (index.name, *index.aliases, display_name(index.name), COMMON.get(index.name, ""), *also)
    return " ".join([*texts, index.known_as, index.formula, index.source]).lower()


def is_found(index: Index, pattern: str) -> bool:
    """Whether typed words are among those of an index; one of up to three letters is a whole word there."""
    text, typed = searched_text(index), pattern.lower().strip()
    if re.search(r"[()/^+=]", typed):
        return re.sub(r"\s", "", typed) in re.sub(r"\s", "", text)
    words = set(re.split(r"[\W_]+", text))
    return all(
        word in words if len(word) <= 3 and word.isalnum() else word in text or word.replace("-", "_") in text
        for word in typed.split()
    )


def called(pattern: str) -> str | None:
    """Name of the index of the catalogue that a text names, in any spelling; None unless it names one."""
    chosen = meant_by_default(pattern, to_adjust=True)
    if chosen is not None:
        return chosen[0]
    if not squeezed(pattern):
        return None
    try:
        return get_index(pattern).name
    except ValueError:
        return None
