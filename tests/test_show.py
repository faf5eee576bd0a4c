"""A table of texts in all its forms: the same cells, a caption above, notes below, names never markup."""

from dataclasses import replace

from chancecorr.machine.text_table import TextTable

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
    lines = replace(TABLE, names={"a_b|<i>": "A_B|<I>", "c": "C"}).to_latex().splitlines()
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
