"""A line about each study for the README: how much of a paper agrees, and a finding."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from experiments.common.kept import ROOT, read_json, write_json, write_whole
from experiments.common.protocol import Claim, counted
from experiments.common.report import markdown_table
from experiments.common.verdict import Verdict

BEGIN, END = "<!-- studies: begin -->", "<!-- studies: end -->"
NAME = "summary.json"


def write_summary(
    folder: Path,
    *,
    title: str,
    verdicts: Mapping[str, Iterable[Verdict]],
    claims: Iterable[Claim],
    answer: Sequence[str],
) -> None:
    """Write what the README's table and the site say of a study, into the folder of its results.

    Parameters
    ----------
    folder : Path
    title : str
        The paper, such as ``"Amorim & Cardoso (2014)"``.
    verdicts : mapping
        On each printed number, once, in groups; a group's name says what was chosen with the print in view.
    claims : iterable of Claim
        On each sentence.
    answer : sequence of str
        What was found, computed from the cells; the first sentence is the one of the README's table.
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
    """Lines of the README's table, from the results that are there."""
    rows = []
    for study in studies:
        path = root / "experiments" / study / "results" / NAME
        if path.exists():
            found = read_json(path)
            link = f"[{found['title']}](experiments/{study}/results/README.md)"
            numbers = "; ".join(f"{name}: {in_words(words)}" for name, words in found["numbers"].items())
            finding = re.split(r"(?<=\.) (?=[A-Z])", "".join(found["answer"][:1]))[0]
            rows.append([link, numbers or "none", in_words(found["sentences"]), finding])
    return markdown_table(["paper", "printed numbers", "sentences", "a finding"], rows)


def in_words(words: Mapping[str, int]) -> str:
    """Counts of verdicts as text."""
    plural = {"agrees": "agree", "differs": "differ"}
    shown = (f"{count:,} {plural.get(word, word)}" for word, count in words.items() if count)
    return ", ".join(shown) or "none"


def update_readme(studies: Sequence[str], root: Path = ROOT) -> None:
    """Write the table between its two marks in the README."""
    path = root / "README.md"
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    write_whole(path, "\n".join([f"{before}{BEGIN}", *table_of_studies(studies, root), f"{END}{after}"]))
