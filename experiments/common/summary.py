"""A line about each study for the README: how much of a paper agrees, and a finding."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from experiments.common.kept import ROOT, read_json, write_json, write_whole
from experiments.common.report import markdown_table
from experiments.common.verdict import WORDS, Claim, Verdict

BEGIN, END = "<!-- studies: begin -->", "<!-- studies: end -->"
NAME = "summary.json"


def write_summary(
    folder: Path, *, title: str, verdicts: Iterable[Verdict], claims: Iterable[Claim], finding: str
) -> None:
    """Write what the README's table says of a study, into the folder of its results.

    Parameters
    ----------
    folder : Path
    title : str
        The paper, such as ``"Amorim & Cardoso (2014)"``.
    verdicts : iterable of Verdict
        On each printed number.
    claims : iterable of Claim
        On each sentence.
    finding : str
        One sentence, computed from the cells.
    """
    numbers, sentences = ([each.word for each in found] for found in (list(verdicts), list(claims)))
    summary = {
        "title": title,
        "numbers": {word: numbers.count(word) for word in WORDS},
        "sentences": {word: sentences.count(word) for word in WORDS},
        "finding": finding,
    }
    write_json(folder / NAME, summary)


def table_of_studies(studies: Sequence[str], root: Path = ROOT) -> list[str]:
    """Lines of the README's table, from the results that are there."""
    rows = []
    for study in studies:
        path = root / "experiments" / study / "results" / NAME
        if path.exists():
            found = read_json(path)
            link = f"[{found['title']}](experiments/{study}/results/README.md)"
            rows.append([link, _counts(found["numbers"]), _counts(found["sentences"]), found["finding"]])
    return markdown_table(["paper", "printed numbers", "sentences", "a finding"], rows)


def _counts(words: dict[str, int]) -> str:
    shown = {
        "agrees": "agree",
        "differs": "differ",
        "misprint": "misprints",
        "not reachable": "not reachable",
    }
    return ", ".join(f"{count:,} {shown[word]}" for word, count in words.items() if count) or "none"


def update_readme(studies: Sequence[str], root: Path = ROOT) -> None:
    """Write the table between its two marks in the README."""
    path = root / "README.md"
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    write_whole(path, "\n".join([f"{before}{BEGIN}", *table_of_studies(studies, root), f"{END}{after}"]))
