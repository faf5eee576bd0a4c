"""A table of texts in all its forms: the same cells, a caption above, notes below, names never markup."""

import re
import sys
from dataclasses import replace

import pytest

from chancecorr.machine.notes import Note
from chancecorr.machine.text_table import TextTable
from chancecorr.sampling.workers import show_progress

ROWS = [["a_b|<i>", "0.50", "≤1.2e-05"], ["c", "–", "3e-20"]]
TABLE = TextTable(
    columns=["name", "score", "p"],
    rows=ROWS,
    caption="two names",
    notes=[Note("not adjusted", "not adjusted", "c")],
)


def test_plain_text_has_columns_below_each_other():
    assert TABLE.to_text().splitlines() == [
        "two names",
        "name     score         p",
        "a_b|<i>   0.50  ≤1.2e-05",
        "c            –     3e-20",
        "c: not adjusted",
    ]
    words = replace(TABLE, left=3, caption="", notes=())
    below = ["name     score  p", "a_b|<i>  0.50   ≤1.2e-05", "c        –      3e-20"]
    assert words.to_text().splitlines() == below


def test_markdown_has_paragraphs_around_the_table():
    caption, table, note = TABLE.to_markdown().split("\n\n")
    assert (caption, note) == ("two names", "c: not adjusted")
    assert table.splitlines() == [
        "| name | score | p |",
        "| :-- | --: | --: |",
        r"| a_b\|&lt;i&gt; | 0.50 | ≤1.2e-05 |",
        "| c | – | 3e-20 |",
    ]


def test_latex_has_its_caption_above_and_its_notes_below():
    lines = TABLE.to_latex({"a_b|<i>": "A_B|<I>", "c": "C"}).splitlines()
    assert lines[:4] == [r"\begin{table}", r"\caption{two names}", r"\centering", r"\begin{tabular}{lrr}"]
    assert lines[-2:] == [r"\par{\footnotesize c: not adjusted}", r"\end{table}"]
    assert lines[7] == r"A\_B|<I> & $0.50$ & $\le 1.2 \times 10^{-5}$ \\"
    assert lines[8] == r"C & -- & $<10^{-16}$ \\"


def test_html_has_names_as_text_and_numbers_to_the_right():
    html = TABLE.to_html()
    assert html.startswith("<p>two names</p><table>")
    assert html.endswith("</table><p>c: not adjusted</p>")
    assert "a_b|&lt;i&gt;" in html
    assert html.count("text-align:right") == 6
    assert replace(TABLE, caption="", notes=()).to_html().startswith("<table>")


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_a_terminal_gets_lines_that_fit_and_every_number_below_its_name(columns, monkeypatch):
    names = [f"clustering {k}" for k in range(9)]
    rows = [[name, *(f"{i}.{j}" for j in range(9))] for i, name in enumerate(names)]
    notes = ["adjusted scores of every two clusterings, in as many lines as a terminal of this width needs"]
    table = TextTable(columns=["", *names], rows=rows, caption=" ".join(names), notes=notes)
    whole = table.to_text()
    monkeypatch.setenv("COLUMNS", str(columns))
    assert table.to_text() == whole  # a file, a pipe and a notebook have no width
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    lines = table.to_text().splitlines()
    assert max(map(len, lines)) <= columns
    assert " ".join(" ".join(lines).split()).startswith(table.caption)
    assert " ".join(" ".join(lines).split()).endswith(notes[0])
    seen = {}
    for line in lines:
        if line.startswith(" " * 14):  # names of columns end where their numbers do
            ends = {match.end(): match.group() for match in re.finditer(r"clustering \d", line)}
        elif match := re.fullmatch(r"(clustering \d)((?: +\d\.\d)+)", line):
            for number in re.finditer(r"\d\.\d", line):
                seen[match.group(1), ends[number.end()]] = number.group()
    assert seen == {(row[0], name): text for row in rows for name, text in zip(names, row[1:], strict=True)}


@pytest.mark.filterwarnings("error")
def test_a_notebook_without_ipywidgets_gets_no_warning(monkeypatch):
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with show_progress("tables", 2, True) as show:
        show(2)
