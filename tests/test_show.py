"""A table of texts in all its forms: the same cells, a caption above, notes below, names never markup."""

from dataclasses import replace

import pytest

from chancecorr.machine.text_table import TextTable, draw_bar

TABLE = TextTable(
    columns=["name", "score", "p"],
    rows=[["a_b|<i>", "0.50", "≤1.2e-05"], ["c", "–", "3e-20"]],
    caption="two names",
    notes=["c: not adjusted"],
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
    assert words.to_text().splitlines() == [
        "name     score  p",
        "a_b|<i>  0.50   ≤1.2e-05",
        "c        –      3e-20",
    ]


def test_markdown_has_paragraphs_around_the_table():
    caption, table, note = TABLE.to_markdown().split("\n\n")
    assert (caption, note) == ("two names", "c: not adjusted")
    assert table.splitlines() == [
        "| name | score | p |",
        "| :-- | --: | --: |",
        r"| a_b\|<i> | 0.50 | ≤1.2e-05 |",
        "| c | – | 3e-20 |",
    ]


def test_latex_has_comments_above_the_table():
    lines = TABLE.to_latex(str.upper).splitlines()
    assert lines[:3] == ["% two names", "% c: not adjusted", r"\begin{tabular}{lrr}"]
    assert lines[6:8] == [
        r"A\_B|<I> & $0.50$ & $\le 1.2 \times 10^{-5}$ \\",
        r"C & -- & $<10^{-16}$ \\",
    ]


def test_html_has_names_as_text_and_numbers_to_the_right():
    html = TABLE.to_html()
    assert html.startswith("<p>two names</p><table>")
    assert html.endswith("</table><p>c: not adjusted</p>")
    assert "a_b|&lt;i&gt;" in html
    assert html.count("text-align:right") == 6
    assert replace(TABLE, caption="", notes=()).to_html().startswith("<table>")


def test_cells_are_as_blue_as_they_are_near_to_1():
    html = TABLE.to_html(shades=[[1.0, 0.5], [float("nan"), -2.0]])
    assert [html.count(f",{depth});") for depth in ("0.50", "0.25", "0.00")] == [1, 1, 2]


@pytest.mark.parametrize("ends", [(0.5, 0.7, float("nan")), (0.5, 0.5, 0.5)])
def test_a_bar_without_a_way_is_not_drawn(ends):
    assert draw_bar(*ends, width=10, height=5) == ""
    assert draw_bar(0.0, 0.5, 1.0, width=10, height=5).count("<rect") == 2
