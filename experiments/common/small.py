"""A study whose numbers take seconds: what is judged is computed, and written on a page of one layout."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from experiments.common import report
from experiments.common.kept import write_whole
from experiments.common.protocol import Claim
from experiments.common.runs import Outcome
from experiments.common.summary import write_summary
from experiments.common.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a study comes to.

    Attributes
    ----------
    numbers : mapping
        Verdicts on printed numbers, in groups.
    claims, answer : sequence of Claim, sequence of str
        What was found; the first sentence goes into the table of studies.
    sections : iterable of str
        Lines of the page behind the tables of verdicts.
    pictures : mapping
        By the name of the file.
    rows : mapping
        Tables for machines, by the name of the file.
    """

    numbers: Mapping[str, Sequence[Verdict]] = field(default_factory=dict)
    claims: Sequence[Claim] = ()
    answer: Sequence[str] = ()
    sections: Iterable[str] = ()
    pictures: Mapping[str, Figure] = field(default_factory=dict)
    rows: Mapping[str, Sequence[report.Row]] = field(default_factory=dict)


def writer(
    title: str, question: str, about: str, judge: Callable[[Outcome], Judged]
) -> Callable[[Outcome, Path], None]:
    """What writes the results of such a study: `title` is the paper, `about` how it was made."""

    def write(outcome: Outcome, folder: Path) -> None:
        found = judge(outcome)
        for name, figure in found.pictures.items():
            report.save_picture(figure, folder / name)
        for name, rows in found.rows.items():
            write_whole(folder / name, report.as_csv(rows))
        lines = report.opening(f"{title}, reproduced", question, found.answer, about)
        for name, verdicts in found.numbers.items():
            lines += [f"## Printed numbers: {name}", "", *_numbers(verdicts), ""]
        if found.claims:
            lines += ["## What the text says", "", *report.claims_table(found.claims), ""]
        lines += found.sections
        write_whole(folder / "README.md", "\n".join(lines).rstrip() + "\n")
        write_summary(folder, title=title, verdicts=found.numbers, claims=found.claims, answer=found.answer)

    return write


def _numbers(verdicts: Sequence[Verdict]) -> list[str]:
    """Each printed number with ours; more digits of ours than are printed."""
    rows = [
        [
            each.printed.row,
            each.printed.column,
            each.printed.text,
            f"{each.ours:.12g}",
            each.word,
            each.reason,
        ]
        for each in verdicts
    ]
    return report.markdown_table(["", "", "printed", "ours", "verdict", ""], rows)
