"""What can be asked of an index: the properties that are proved or refuted, and what else is known of it."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from chancecorr.catalogue.properties import Property, properties, property_definitions
from chancecorr.indices.registry import Index, get_index

FAIR_DISTANCE = 0.1
"""Share of the trials that an index may decide otherwise than a fair picker, for ``"unbiased_selection"``."""

UNBIASED = "unbiased_selection"
"""The need that is measured; all others are properties with a proof or a counterexample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Whether an index has what is needed.

    Attributes
    ----------
    need : str
        What was asked.
    status : {"proved", "measured", "refuted", "open", "not applicable"}
        The first two mean that it has it; measured is what a simulation shows.
    reason : str
        Why, in words; a counterexample where there is one. May be empty.
    """

    need: str
    status: str
    reason: str

    @property
    def holds(self) -> bool:
        """Whether the index has it."""
        return self.status in ("proved", "measured")

    @property
    def may_hold(self) -> bool:
        """Whether it has it, or nobody knows."""
        return self.holds or self.status == "open"


def needs() -> Mapping[str, str]:
    """What can be asked, and what it means, one sentence each.

    Examples
    --------
    >>> needs()["symmetric"]
    's(U, V) = s(V, U) for all U and V.'
    """
    stated = {key: each["statement"] for key, each in property_definitions().items()}
    fair = (
        "Of random candidates with 2 to 22 clusters, it prefers no number of clusters: it decides no more"
        f" than {FAIR_DISTANCE:.0%} of the trials otherwise than a fair picker."
    )
    return MappingProxyType(stated | {UNBIASED: fair})


def answer(need: str, index: str, *, adjusted: bool) -> Answer:
    """Whether an index of the catalogue, raw or corrected for chance, has what is needed."""
    entry = get_index(index)
    if need == UNBIASED:
        status, reason = _unbiased_selection(entry, adjusted)
    else:
        known = properties(entry, adjusted=adjusted)[need]
        status, reason = known.status, in_words(known)
    return Answer(need=need, status=status, reason=reason)


_MEANS = ("constant_baseline", "constant_baseline_given_reference", "free_of_cluster_number")
"""Properties whose counterexamples have means in place of scores."""


def in_words(known: Property) -> str:
    """Reason of a property, or its counterexample."""
    example = known.counterexample
    if example is None:
        return known.reason
    if "counts" in example:
        pairs = zip(example["counts"], example["values"], strict=True)
        text = "pair counts " + ", ".join(f"({', '.join(f'{x:g}' for x in c)}): {v:.4g}" for c, v in pairs)
    else:
        letters = ["U", "V", "W", "X"]
        named = ", ".join(
            f"{x} = {labels}" for x, labels in zip(letters, example["clusterings"], strict=False)
        )
        form = "mean over the sizes of ({}, {}) {:.4g}" if known.name in _MEANS else "s({}, {}) = {:.4g}"
        text = f"{named}: " + ", ".join(
            form.format(letters[i], letters[j], x) for i, j, x in example["scores"]
        )
    return f"{text}. {known.reason}" if known.reason else text


def _unbiased_selection(entry: Index, adjusted: bool) -> tuple[str, str]:
    if entry.constant:
        return "not applicable", "the cluster sizes alone give the value"
    found = selection_bias().get(entry.name)
    if found is None or entry.family == "user":
        return "open", "it was not measured"
    key = "adjusted" if adjusted else "raw"
    both = {"balanced": found[key], "unbalanced": found["unbalanced"][key]}
    if None in both.values():
        return "not applicable", "it has no score to pick by"
    if any(each["adjusted"] and not each["standardized"] for each in (found, found["unbalanced"])):
        return "not applicable", "it did not vary where this was measured"
    fair = all(each["distance"] <= FAIR_DISTANCE for each in both.values())
    words = ", ".join(
        f"{each['distance']:.2f} from fair"
        + ("" if each["prefers"] == "none" else f" (prefers {each['prefers']})")
        + f" with a{'n' if name[0] == 'u' else ''} {name} reference"
        for name, each in both.items()
    )
    return ("measured" if fair else "refuted"), words


@functools.cache
def selection_bias() -> Mapping[str, Any]:
    """What each index prefers among random candidates; ``"about"`` says how that was measured."""
    text = Path(__file__).with_name("selection_bias.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))
