"""Which index to take: for a question, with what is needed, and the dozen that most papers report.

`CHOICES` is what ``chancecorr recommend``, the page "Which index?" and the landing page show first; indices
of `COMMON` come first wherever the catalogue is listed.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from chancecorr.catalogue.details import Property, corrected_classes, properties, property_definitions
from chancecorr.indices.display_names import display_name
from chancecorr.indices.registry import (
    FAMILIES,
    MEANT_BY_DEFAULT,
    Index,
    get_index,
    list_indices,
    meant_by_default,
    squeezed,
)
from chancecorr.machine.arguments import ArgumentValueError, did_you_mean, one_of, yes_or_no
from chancecorr.machine.text_table import TextTable

COMMON = {
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
"""The indices that most papers report, and words for each and its adjusted score that people look for."""

MOST_SHOWN = 20  # indices that a table shows; `found` has all


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to a question: an index, its name in the call, raw or adjusted, and the reason."""

    question: str
    title: str
    call: str
    index: str
    adjusted: bool = True
    why: str = ""


CHOICES = (
    Choice("The usual score, as in papers", "ARI, adjusted Rand index", "rand", "rand",
           why="Counts pairs of objects; 0 by chance; rises with every perfect merge or split."),
    Choice("Clusters of very different sizes", "AMI, mutual information", "ami", "mutual_information",
           why="Counts information; for unbalanced classes (Romano et al. 2016); 0 by chance."),
    Choice("Each object's cluster, on average", "B-cubed F, adjusted", "bcubed_f", "bcubed_f",
           why="Precision and recall of each object's cluster, over all objects; 0 by chance."),
    Choice("Is each found cluster pure?", "Purity, adjusted", "purity", "purity",
           why="Objects in the largest class of their cluster; a split class costs nothing."),
    Choice("What share is labelled right?", "Accuracy, adjusted", "clustering_accuracy",
           "maximum_matching_accuracy", why="Clusters are matched one to one with the classes; 0 by chance."),
    Choice("A distance that is a metric", "Variation of information", "vi", "variation_of_information",
           adjusted=False, why="Raw, by `score`: corrected for chance it is no metric; 0 if all is equal."),
)  # fmt: skip
"""Six questions and their answers; tests hold each to the properties that its reason rests on."""


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
    return sorted(names, key=lambda name: [*COMMON, name].index(name))


def searched_text(index: Index) -> str:
    """All words under which an index is found, in lower case: names, names elsewhere, source."""
    also = [names for names, (name, _, _) in MEANT_BY_DEFAULT.items() if name == index.name]
    texts = (index.name, *index.aliases, display_name(index.name), COMMON.get(index.name, ""), *also)
    return " ".join([*texts, index.known_as, index.source]).lower()


def is_found(index: Index, pattern: str) -> bool:
    """Whether typed words are among those of an index; one of up to three letters is a whole word there."""
    text, typed = searched_text(index), pattern.lower()
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommended:
    """An index that has what is needed, raw or corrected; see the example of `Recommendation`.

    Attributes
    ----------
    index : str
        Name from `list_indices`.
    adjusted : bool
        Whether the score corrected for chance is meant.
    answers : tuple of Property
        What is known of each need, in the order in which they were asked.
    equivalents : tuple of str
        Other indices that have the same corrected score; empty where the raw index is meant.
    """

    index: str
    adjusted: bool
    answers: tuple[Property, ...]
    equivalents: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name, with a word that says whether it is corrected."""
        return f"{self.index}, {'adjusted' if self.adjusted else 'raw'}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recommendation:
    """Indices with all properties asked for, shown as a short table.

    Attributes
    ----------
    needs : tuple of str
        What was asked.
    found : tuple of Recommended
        Those with the fewest open needs first, then common indices; one of each corrected score.
    asked : int
        How many were looked at, raw and corrected, each class of equal corrected scores once.

    Examples
    --------
    >>> found = recommend("metric")
    >>> {"mirkin, raw", "van_dongen, raw"} <= set(found.names), "nmi_sum, raw" in found.names
    (True, False)
    """

    needs: tuple[str, ...]
    found: tuple[Recommended, ...]
    asked: int

    def __len__(self) -> int:
        """How many were found."""
        return len(self.found)

    @property
    def names(self) -> tuple[str, ...]:
        """The recommendations, by name."""
        return tuple(each.name for each in self.found)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON.

        Returns
        -------
        dict
            What was asked, how many were looked at, and each that was found with its answers.
        """
        found = [
            {
                "index": each.index,
                "adjusted": each.adjusted,
                "answers": {x.name: {"status": x.status, "reason": x.reason} for x in each.answers},
                "equivalents": list(each.equivalents),
            }
            for each in self.found
        ]
        return {"needs": list(self.needs), "asked": self.asked, "found": found}

    def table(self) -> TextTable:
        """What was found, a row for each, or what can be asked for, where nothing was.

        Returns
        -------
        TextTable
            With a caption that says how many rows it has.
        """
        if not self.needs:
            rows = [[need, each["statement"]] for need, each in property_definitions().items()]
            return TextTable(columns=["need", "meaning"], rows=rows, caption=f"{len(rows)} needs", left=2)
        caption = f"{len(self.found)} of {self.asked} have " + ", ".join(self.needs)
        columns, rows = ["index", *self.needs, "same once corrected"], []
        for each in self.found:
            same, more = ", ".join(each.equivalents[:2]), len(each.equivalents) - 2
            same += f" and {more} more" if more > 0 else ""
            rows.append([each.name, *(one.status for one in each.answers), same])
        return TextTable(columns=columns, rows=rows, caption=caption, left=len(columns))

    def __repr__(self) -> str:
        """A short table; if nothing was asked, six questions with their index, and what can be asked."""
        if not self.needs:
            return "\n".join([*choice_lines(), "", self.table().to_text()])
        table, more = self.table(), len(self.found) - MOST_SHOWN
        notes = [f"... and {more} more"] if more > 0 else []
        return replace(table, rows=table.rows[:MOST_SHOWN], notes=notes).to_text()


def recommend(
    *wanted: str, adjusted: bool | None = None, open_counts: bool = False, family: str | None = None
) -> Recommendation:
    """Indices with all properties asked for, raw or corrected for chance, with the evidence for each.

    Parameters
    ----------
    *wanted : str
        What is needed: keys of the properties that the catalogue proves or refutes, such as ``"monotone"``.
        With none, the result shows an index for each of six questions, and what can be asked.
    adjusted : bool, optional
        Scores corrected for chance alone, or raw indices alone; left out, both.
    open_counts : bool
        Whether an index also counts where something is open: neither proved nor refuted.
    family : str, optional
        Indices of one family; see `list_indices`.

    Returns
    -------
    Recommendation
        A short table; `properties` lists the missing properties of any index, and why. The statements are
        those of Gösgens, Tikhonov & Prokhorenkova (2021), PMLR 139, and others.

    Raises
    ------
    ValueError
        If there is no such need, or no such family.

    Examples
    --------
    >>> recommend("symmetric", "constant_baseline", "monotone", adjusted=True).names[0]
    'rand, adjusted'
    """
    known = property_definitions()
    for need in wanted:
        if need not in known:
            listed = ", ".join(map(repr, known))
            raise ArgumentValueError(
                "need", f"must be one of {listed}; got {need!r}.{did_you_mean(need, known)}"
            )
    yes_or_no("adjusted", adjusted)
    if family is not None:
        one_of("family", family, FAMILIES[:-1])
    families = FAMILIES[:-1] if family is None else (family,)
    looked_at: list[tuple[str, bool, tuple[str, ...]]] = []
    if adjusted is not True:
        looked_at += [(name, False, ()) for each in families for name in list_indices(each)]
    if adjusted is not False:
        for name, members in corrected_classes(families).items():
            first = common_first([name if name in members else members[0], *members])[0]
            looked_at.append((first, True, tuple(member for member in members if member != first)))
    found = []
    for index, form, equal in looked_at if wanted else []:
        answers = tuple(properties(index, adjusted=form)[need] for need in wanted)
        if all(one or (open_counts and one.status == "open") for one in answers):
            found.append(Recommended(index=index, adjusted=form, answers=answers, equivalents=equal))
    found.sort(key=lambda each: ([*COMMON, each.index].index(each.index), each.index, each.adjusted))
    found.sort(key=lambda each: sum(not one for one in each.answers))
    return Recommendation(needs=tuple(wanted), found=tuple(found), asked=len(looked_at))
