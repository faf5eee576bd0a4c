"""What every study writes alike: tables in Markdown and CSV, verdicts counted, a map of z, times.

No function here writes a sentence that is not computed from what it is given.
"""

import csv
import io
import json
import math
from collections.abc import Container, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from experiments.common.kept import LIBRARIES, write_whole
from experiments.common.protocol import SECOND_AXIS, Claim
from experiments.common.runs import Outcome
from experiments.common.verdict import LEVEL, WORDS, Verdict

Row = Mapping[str, Any]

COLOURS = {"blue": "#0072b2", "orange": "#d55e00", "green": "#009e73", "grey": "#777777"}
"""Colours that stay apart for colour-blind readers."""

LARGEST_Z = 6.0
"""Where the colours of a map of z end."""

PAGE_WIDTH = 7.3
"""Width of a picture in inches: 700 pixels, which the site shows as they are."""

SMALLEST_TEXT = 8.0
"""In points, at the width of the page."""

page_style = rc_context({
    "font.size": 8.5, "axes.titlesize": 9, "xtick.labelsize": 8, "ytick.labelsize": 8,
    "legend.fontsize": 8.5, "figure.titlesize": 9.5, "figure.labelsize": 8.5,
})  # fmt: skip
"""Decorates a function that draws: sizes of text for the width of the page."""


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a table."""
    return [
        "| " + " | ".join(header) + " |",
        "| " + " | ".join("---" for _ in header) + " |",
        *("| " + " | ".join(each.replace("|", "\\|") for each in row) + " |" for row in rows),
    ]


def section(*paragraphs: str | Sequence[str]) -> list[str]:
    """Lines of a page: sentences, headings, lines of tables and lists, with an empty line after each.

    A paragraph of nothing is left out.
    """
    blocks = ([each] if isinstance(each, str) else each for each in paragraphs if each)
    return [line for block in blocks for line in (*block, "")]


def pictures(title: str, names: Sequence[str], drawn: Container[str]) -> list[str]:
    """A heading and those of the pictures that were drawn; nothing without them."""
    shown = [image(title, name, drawn) for name in names if name in drawn]
    return section(f"## {title}", *shown) if shown else []


def image(title: str, name: str, drawn: Container[str]) -> str:
    """A picture on a page; nothing if it was not drawn."""
    return f"![{title}]({name})" if name in drawn else ""


def as_csv(rows: Sequence[Row]) -> str:
    """Rows as CSV; numbers in full, nan as an empty cell."""
    text = io.StringIO()
    if rows:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([_plain(value) for value in row.values()] for row in rows)
    return text.getvalue()


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(float(value))
    return value


def number(value: float, digits: int = 3) -> str:
    """Rounded; empty for nan, and no sign on a rounded 0."""
    if math.isnan(value):
        return ""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def beside(verdict: Verdict) -> str:
    """Ours, where a draw falls in 95 of 100, and the printed number; bold where they differ."""
    digits = verdict.printed.digits
    if verdict.word == "not reachable":
        return f"{number(verdict.ours, digits)} / {verdict.printed.text} (not reachable)".strip()
    interval = f"[{number(verdict.low, digits)}, {number(verdict.high, digits)}]"
    text = f"{number(verdict.ours, digits)} {interval} / {verdict.printed.text}"
    if verdict.word == "differs":
        return f"**{text}**"
    return f"{text} (misprint)" if verdict.word == "misprint" else text


def verdict_row(verdict: Verdict) -> Row:
    """A verdict as a row of a CSV file."""
    printed = verdict.printed
    return {
        "table": printed.table,
        "row": printed.row,
        "column": printed.column,
        "printed": printed.text,
        "ours": verdict.ours,
        "low": verdict.low,
        "high": verdict.high,
        "z": verdict.z,
        "p": verdict.p,
        "verdict": verdict.word,
        "remark": printed.remark,
        "reason": verdict.reason,
    }


def counts(groups: Mapping[str, Sequence[Verdict]]) -> list[str]:
    """A table of how many verdicts of each word there are, a row for each group, and the largest z."""
    used = {verdict.word for verdicts in groups.values() for verdict in verdicts}
    shown = [word for word in WORDS if word in used]
    rows = []
    for name, verdicts in groups.items():
        words = [verdict.word for verdict in verdicts]
        judged = [abs(each.z) for each in verdicts if each.word in ("agrees", "differs")]
        largest = f"{max(judged):.1f}" if judged else ""
        rows.append([name, str(len(words)), *(str(words.count(word)) for word in shown), largest])
    return markdown_table(["", "printed", *shown, "largest abs(z)"], rows)


def how_judged(size: str) -> list[str]:
    """What the words mean; `size` says how many replicates the paper had, such as ``"30 data sets"``."""
    return [
        f"A printed number is one draw of a study of {size}. Its law is found by resampling as many of ours,"
        f" and it *agrees* unless a draw falls as far out with a probability below {LEVEL:g} (two-sided, the"
        " rounding of the print allowed for on its side); z is its distance in standard deviations of that"
        " law. Brackets hold 95 of 100 such draws. A *misprint* contradicts other numbers of the paper."
    ]


def claims_table(claims: Iterable[Claim]) -> list[str]:
    """Sentences of the paper with their verdicts, by which rule, and the figures these rest on."""
    rows = []
    for each in claims:
        cause = f" Cause: {each.cause}." if each.cause else ""
        rows.append([each.text, _word(each), each.rule, each.evidence + cause])
    return [*markdown_table(["the paper says", "verdict", "rule", "here"], rows), "", PROTOCOL]


def claims_in_short(claims: Sequence[Claim]) -> list[str]:
    """How many sentences agree, and those that do not, without figures: these are in the appendix."""
    others = [[each.text, _word(each), each.rule] for each in claims if each.word != "agrees"]
    return section(
        "## What the text says",
        f"Of {len(claims)} sentences {len(claims) - len(others)} agree. The [appendix](appendix.md) has all"
        " with their figures; the others are:",
        markdown_table(["the paper says", "verdict", "rule"], others),
        PROTOCOL,
    )


def _word(claim: Claim) -> str:
    return f"{claim.word}, {claim.axis}" if claim.axis else claim.word


def write_pages(folder: Path, page: Sequence[Sequence[str]], appendix: Sequence[Sequence[str]]) -> None:
    """The page of a study and what stands behind it, from the lines of their sections."""
    head = [section("# Appendix", "What stands behind [the page of the study](README.md).")]
    for name, sections in (("README.md", page), ("appendix.md", [*head, *appendix])):
        lines = [line for lines in sections for line in lines]
        write_whole(folder / name, "\n".join(lines).rstrip() + "\n")


PROTOCOL = (
    f"{SECOND_AXIS} The words are those of [one protocol](../../../docs/studies/index.md#how-studies-judge)."
)


def opening(title: str, question: str, answer: Sequence[str], about: str) -> list[str]:
    """How a page of results begins: its question, what was found, and how it was made."""
    return section(f"# {title}", f"*{question}*", [f"- {each}" for each in answer if each], about)


def misprints(verdicts: Iterable[Verdict]) -> list[str]:
    """A line for each misprint, with its arithmetic."""
    return [
        f"- Table {each.printed.table}, {each.printed.row}, {each.printed.column}: printed"
        f" {each.printed.text}. {each.reason}"
        for each in verdicts
        if each.word == "misprint"
    ]


def times_page(outcome: Outcome) -> str:
    """How long the parts of the units took, and with which libraries; differs from run to run."""
    parts = outcome.seconds_by_part()
    whole = math.fsum(parts.values())
    units = sum(cell.replicates for cell in outcome.cells)
    rows = [[part, f"{seconds:.1f}", f"{100 * seconds / whole:.1f} %"] for part, seconds in parts.items()]
    lines = section(
        "# Times",
        f"Seconds of work of {units:,} units in {len(outcome.cells)} cells, added over the worker processes:",
        markdown_table(["part", "seconds", "share"], [*rows, ["all", f"{whole:.1f}", "100.0 %"]]),
        "Libraries: " + ", ".join(f"{name} {version(name)}" for name in LIBRARIES) + ".",
    )
    return "\n".join(lines)


def write_json(path: Path, value: Any) -> None:
    """JSON for people and machines."""
    write_whole(path, json.dumps(value, indent=1) + "\n")


def page_figure(height: float) -> Figure:
    """An empty figure of the page's width; `height` in inches."""
    return Figure(figsize=(PAGE_WIDTH, height), layout="constrained")


def save_picture(figure: Figure, path: Path) -> None:
    """Write a PNG without a date or a version in it; it appears when it is whole."""
    texts = (each for each in figure.findobj() if isinstance(each, Text) and each.get_text())
    small = [each.get_text() for each in texts if float(each.get_fontsize()) < SMALLEST_TEXT]
    if small or figure.get_figwidth() > PAGE_WIDTH:
        raise ValueError(
            f"A picture must be at most {PAGE_WIDTH} inches wide, its text at least {SMALLEST_TEXT:g} points;"
            f" got {figure.get_figwidth():.1f} inches, and smaller text {small[:3]}."
        )
    image = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(image, dpi=96, format="png", metadata={"Software": None})
    write_whole(path, image.getvalue())
