"""What the site's page of a study says, as Markdown: its answer, counts, sentences, read from its summary."""

from pathlib import Path
from typing import Any

from experiments.common.kept import ROOT, read_json
from experiments.common.protocol import MEANINGS, SECOND_AXIS, share_found
from experiments.common.report import markdown_table
from experiments.common.summary import NAME, in_words


def summary(study: str, root: Path = ROOT) -> dict[str, Any]:
    """What the study wrote of itself."""
    return read_json(root / "experiments" / study / "results" / NAME)


def answer(study: str, root: Path = ROOT) -> str:
    """What was found, a list."""
    return "\n".join(f"- {sentence}" for sentence in summary(study, root)["answer"])


def counts(study: str, root: Path = ROOT) -> str:
    """How many printed numbers and sentences have which verdict."""
    found = summary(study, root)
    lines = [f"- {name}: {in_words(words)}." for name, words in found["numbers"].items()]
    if found["sentences"]:
        lines.append(f"- Sentences of the text: {in_words(found['sentences'])}.")
    where = f"{{doc}}`verdict <protocol>`; {{doc}}`the report <generated/{study}/report>`"
    about = f"Printed numbers and sentences, by {where} has the rule and the evidence of each:"
    return about + "\n\n" + "\n".join(lines)


IN_SHORT = ("undecided", "possible", "consistent", "agrees")
"""Verdicts whose sentences stand on the site's page without their evidence, which the report has."""


def sentences(study: str, *, agree: bool, root: Path = ROOT) -> str:
    """What the paper says, by verdict: what agrees or can be so, or all else with what was found instead."""
    lines = []
    for word in MEANINGS:
        claims = [each for each in summary(study, root)["claims"] if each["word"] == word]
        if claims and agree == (word in IN_SHORT and word != "undecided"):
            lines += [f"**{word.capitalize()}**\n", *(_sentence(each) for each in claims), ""]
    return "\n".join(lines) or "None."


def _sentence(claim: dict[str, str]) -> str:
    """A sentence of a list; with evidence and cause unless its verdict is `IN_SHORT`."""
    about = f" ({claim['axis']})" if claim["axis"] else ""
    if claim["word"] in IN_SHORT:
        return f"- *{claim['text']}*{about}"
    cause = f" Cause: {claim['cause']}" if claim["cause"] else ""
    return f"- *{claim['text']}*{about}: {claim['evidence'].rstrip('.')}.{cause}"


def protocol() -> str:
    """The words of all verdicts and what they mean."""
    return "\n".join([*(f"- **{word}**: {text}" for word, text in MEANINGS.items()), "", SECOND_AXIS])


def power_of_most(numbers: tuple[int, ...] = (7, 10, 20, 50, 300)) -> str:
    """For a sentence about most cases: how many must agree, and of how many it must be true to be found."""
    found = {n: share_found(n) for n in numbers}
    rows = [[str(n), str(enough), f"{100 * share:.0f} %"] for n, (enough, share) in found.items()]
    header = ["cases", "agrees from", "share of all cases for which it agrees with a probability of 0.8"]
    return "\n".join(markdown_table(header, rows))
