"""What the site's page of a study says, as Markdown: counts, sentences, a finding read from its results."""

import re
from pathlib import Path

from experiments.common.kept import ROOT, read_json
from experiments.common.summary import NAME

WORDS = {
    "agrees": ("agrees", "agree"),
    "differs": ("differs", "differ"),
    "misprint": ("is a misprint", "are misprints"),
    "not reachable": ("cannot be reached", "cannot be reached"),
}
"""What a verdict is called of one, and of several."""

HEADING = "## What the text says"


def results(study: str, root: Path = ROOT) -> Path:
    """Folder of the results of a study."""
    return root / "experiments" / study / "results"


def counts(study: str, root: Path = ROOT) -> str:
    """How many printed numbers and sentences have which verdict, as one paragraph.

    Raises
    ------
    ValueError
        If the summary is not what was written.
    """
    found = _summary(study, root)
    parts = []
    for name, what in (("numbers", "printed numbers"), ("sentences", "sentences of the text")):
        total = sum(found[name].values())
        of_each = [(found[name][word], one, several) for word, (one, several) in WORDS.items()]
        told = ", ".join(f"{k:,} {one if k == 1 else several}" for k, one, several in of_each if k)
        parts.append(f"Of **{total:,} {what}** that were held against the simulation, {told}.")
    return " ".join(parts)


def finding(study: str, root: Path = ROOT) -> str:
    """The finding that the README's table has."""
    return str(_summary(study, root)["finding"])


def sentences(study: str, *verdicts: str, root: Path = ROOT) -> str:
    """A list of what the paper says that has one of these verdicts, and what was found.

    The verdicts are words such as ``"agrees"``; a misprint is said to be one.
    """
    lines = []
    for says, verdict, here in said(study, root):
        if verdict in verdicts:
            about = f" ({verdict})" if len(verdicts) > 1 else ""
            lines.append(f"- *{says}*{about}\n\n  {here}\n")
    return "\n".join(lines) or "None."


def said(study: str, root: Path = ROOT) -> list[tuple[str, str, str]]:
    """Sentence, verdict and evidence, from the table of the report.

    Raises
    ------
    ValueError
        If the report has no such table.
    """
    text = (results(study, root) / "README.md").read_text(encoding="utf-8")
    _, heading, after = text.partition(HEADING)
    rows = [line.strip("|").split(" | ") for line in _first_table(after)]
    if not heading or len(rows) < 3:
        raise ValueError(f"the report of {study!r} has no table below {HEADING!r}")
    names = [cell.strip() for cell in rows[0]]
    first = names.index("the paper says")
    cells = ([cell.strip() for cell in row] for row in rows[2:])
    return [(row[first], row[first + 1], " | ".join(row[first + 2 :])) for row in cells]


def _first_table(text: str) -> list[str]:
    """Lines of the first table of some Markdown."""
    lines = text.splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith("|")]
    if not starts:
        return []
    ends = [k for k in range(starts[0], len(lines)) if not lines[k].startswith("|")]
    return lines[starts[0] : ends[0] if ends else len(lines)]


def coverage(root: Path = ROOT) -> str:
    """The summary of the measured coverage of intervals, a paragraph each of scores, purity, differences."""
    text = (root / "experiments" / "coverage" / "results.md").read_text(encoding="utf-8")
    _, _, after = text.partition("## Summary\n")
    return re.split(r"^## ", after, maxsplit=1, flags=re.MULTILINE)[0].strip()


def _summary(study: str, root: Path) -> dict[str, dict[str, int]]:
    return read_json(results(study, root) / NAME)
