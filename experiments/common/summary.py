"""A line about each study for the page of studies: how much of a paper agrees, and a finding."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.common.kept import ROOT, read_json, write_json, write_whole
from experiments.common.protocol import MEANINGS, SECOND_AXIS, Claim, counted, share_found
from experiments.common.report import markdown_table
from experiments.common.verdict import Verdict

BEGIN, END = "<!-- studies: begin -->", "<!-- studies: end -->"
NAME = "summary.json"
PAGE = Path("docs", "studies", "index.md")


def write_summary(
    folder: Path,
    *,
    title: str,
    verdicts: Mapping[str, Iterable[Verdict]],
    claims: Iterable[Claim],
    answer: Sequence[str],
) -> None:
    """Write what the table of studies and the site say of a study, into the folder of its results.

    `title` is the paper; verdicts are on each printed number, once, in groups whose names say what was chosen
    with the print in view; the first sentence of the answer is the one of the table of studies.
    """
    claims = list(claims)
    summary = {
        "title": title,
        "numbers": {name: counted(each.word for each in group) for name, group in verdicts.items()},
        "sentences": counted(each.word for each in claims),
        "answer": [sentence for sentence in answer if sentence],
        "claims": [
            {"text": each.text, "word": each.word, "axis": each.axis, "rule": each.rule,
             "evidence": each.evidence, "cause": each.cause}
            for each in claims
        ],
    }  # fmt: skip
    write_json(folder / NAME, summary)


def table_of_studies(studies: Sequence[str], root: Path = ROOT) -> list[str]:
    """Lines of the table of studies, from the results that are there."""
    rows = []
    for study in studies:
        path = root / "experiments" / study / "results" / NAME
        if path.exists():
            found = read_json(path)
            link = f"{{doc}}`{found['title']} <generated/{study}/report>`"
            numbers = "; ".join(f"{name}: {in_words(words)}" for name, words in found["numbers"].items())
            finding = re.split(r"(?<=\.) (?=[A-Z])", "".join(found["answer"][:1]))[0]
            rows.append([link, numbers or "none", in_words(found["sentences"]), finding])
    return markdown_table(["paper", "printed numbers", "sentences", "a finding"], rows)


def in_words(words: Mapping[str, int]) -> str:
    """Counts of verdicts as text."""
    plural = {"agrees": "agree", "differs": "differ"}
    shown = (f"{count:,} {plural.get(word, word)}" for word, count in words.items() if count)
    return ", ".join(shown) or "none"


def update_page(studies: Sequence[str], root: Path = ROOT) -> None:
    """Write the table between its two marks on the page of studies."""
    path = root / PAGE
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    write_whole(path, "\n".join([f"{before}{BEGIN}", *table_of_studies(studies, root), f"{END}{after}"]))


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
    where = f"[verdict](index.md#how-studies-judge); {{doc}}`the report <generated/{study}/report>`"
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
