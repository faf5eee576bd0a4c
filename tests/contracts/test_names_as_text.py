"""Names of clusters, candidates, data sets and indices are text in all that is written, whatever they are."""

import csv
import io
import json
import re

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.cli.run import run
from chancecorr.comparison import agreement, agreement_by_cluster, compare_datasets, match_labels, stability
from chancecorr.machine.text_table import TextTable
from chancecorr.report import to_html as make_page
from tests.report.markup import read as read_page

NAMES = [
    "plain", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</td></table><b>",
    "&lt;b&gt;", "&amp;", "<!--", "a|b", "\\|", "|", "`code`", "``", "**bold**", "_slanted_",
    "snake_case", "~~gone~~", "[a](http://evil)", "![a](x.png)", "[a]: x", "https://evil.org",
    "www.evil.org", "me@evil.org", "# title", "- item", "1. item", "> quoted", "$\\foo$",
    "\\input{/etc/passwd}", '\\', "\\\\[1cm]", "*", "[1cm]", "a_b^c%d#e&f~g{h}", "^^5cinput x", "%",
    "a\n\\input x\n%", "a\r\\input y", "{", "}", "1e-20", "-3", "=1+1", "\t=1", "+1", "@SUM(1)",
    "\x1b[31mred\x1b]0;t\x07", "\u202eabc", "\u2028x", "\x00", "\ud800", "\x9bm", "{{7*7}}", "{% if %}",
    "a--b", "''quoted''",
]  # fmt: skip


def show(name):
    """The name as a reader sees it: what a terminal obeys or hides is written out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)


def codes(k, n=20):
    """Labels of n objects in four clusters, others for each k."""
    return np.random.default_rng(k).integers(0, 4, n)


def make_index(name):
    """An index of the user's own, a function of this name."""

    def agree(first, second):
        return float(np.mean(first == second))

    agree.__name__ = name
    return agree


CANDIDATES = {name: codes(k) for k, name in enumerate(NAMES)}
CONSTANT = dict.fromkeys(NAMES, np.zeros(20, dtype=int))  # each has a note: it cannot be adjusted
CLUSTERS = np.array(NAMES * 3, dtype=object)
OTHERS = np.roll(CLUSTERS, 7)
ROWS = np.array([np.roll(np.arange(20), k) for k in range(20)])
DATASETS = {name: (codes(k), {"a": codes(k + 1), "b": codes(k + 2)}) for k, name in enumerate(NAMES)}
FEW = dict(list(CANDIDATES.items())[1::3])
MAKERS = {
    "compare": lambda: [cc.compare(codes(99), CANDIDATES, ["rand", "jaccard"])],
    "compare, without scores": lambda: [cc.compare(codes(99), CONSTANT, "rand")],
    "pairwise": lambda: [cc.pairwise(CANDIDATES, "rand")],
    "pairwise, without scores": lambda: [cc.pairwise(CONSTANT, "rand")],
    "agreement": lambda: [agreement(FEW, "rand")],
    "stability": lambda: [stability({"a": CLUSTERS, "b": OTHERS}, "rand", reference=CLUSTERS)],
    "stability, runs": lambda: [stability(FEW, "rand")],
    "compare_datasets": lambda: [
        compare_datasets(DATASETS, "rand"),
        compare_datasets({k: (codes(k), FEW) for k in range(3)}, "rand"),
    ],
    "contributions": lambda: [agreement_by_cluster(CLUSTERS, OTHERS, "rand", side="true")],
    "contingency_table": lambda: (
        [cc.contingency_table(CLUSTERS, OTHERS)]
        + [cc.contingency_table([name, "a", "a"], ["b", name, name]) for name in NAMES if name != "a"]
    ),
    "match_labels": lambda: [match_labels(CLUSTERS, OTHERS)],
    "own indices": lambda: [
        cc.adjust(codes(1), codes(2), [make_index(name) for name in NAMES], n_tables=3, rng=1)
    ],
    "own draws": lambda: [
        cc.adjust(codes(1), codes(2), "rand", model=cc.Draws(ROWS, name=name, complete=True))
        for name in NAMES
    ],
    "adjust": lambda: [cc.adjust(CLUSTERS, OTHERS, ["rand", "jaccard"])],
}
MADE = {}


def make(maker):
    """Results of a kind, made once."""
    if maker not in MADE:
        MADE[maker] = MAKERS[maker]()
    return MADE[maker]


def write(maker, *methods):
    """What methods of results write, as far as the results have them."""
    for result in make(maker):
        for method in methods:
            if hasattr(result, method):
                yield getattr(result, method)()


def list_parts(maker):
    """Results, and the results for one candidate and index that they hold."""
    for result in make(maker):
        yield result
        if maker in ("compare", "compare, without scores", "own indices", "adjust"):
            yield from (result[name] for name in result)


def check_plain(text, allowed="\n"):
    """Nothing in a text steers a terminal, hides or turns a line round."""
    assert {c for c in text if not c.isprintable()} <= {*allowed}


@pytest.mark.parametrize("maker", MAKERS)
def test_text_steers_no_terminal(maker):
    for text in write(maker, "__repr__", "__str__", "to_text", "report"):
        check_plain(text)
    for part in list_parts(maker):
        check_plain(repr(part))
        check_plain(f"{part}")


TAGS = {
    "table", "thead", "tbody", "tr", "th", "td", "p", "div", "strong", "span", "svg", "rect", "line", "title",
}  # fmt: skip


@pytest.mark.parametrize("maker", MAKERS)
def test_html_has_names_as_text(maker):
    for page in write(maker, "to_html", "_repr_html_"):
        check_plain(page)
        elements = read_page(page).all()
        assert {element.name for element in elements} <= TAGS
        for element in elements:
            assert not any(name.startswith("on") or name in ("src", "href") for name in element.attributes)


@pytest.mark.parametrize("maker", MAKERS)
def test_csv_has_no_formula(maker):
    for text in write(maker, "to_csv"):
        check_plain(text)
        for row in csv.reader(io.StringIO(text)):
            for cell in row:
                is_number = re.fullmatch(r"-?([\d.]+(e[+-]?\d+)?|inf|nan)", cell)
                assert is_number or not cell.strip().startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("maker", MAKERS)
def test_json_holds_the_names_themselves(maker):
    for text in write(maker, "to_json"):
        check_plain(text, "")
        json.loads(text)


CONTROL_WORDS = {
    "begin", "end", "toprule", "midrule", "bottomrule", "textbackslash", "textasciicircum", "textasciitilde",
    "le", "times",
}  # fmt: skip
AS_SET = {"textbackslash": "\\", "textasciicircum": "^", "textasciitilde": "~"}


def read_tex(text):
    """Rows of cells of a table as TeX reads it; each control sequence must be known, also around it."""
    rows, cell, row, depth, in_formula = [], "", [], 0, False
    before, begin, rest = text.partition(r"\begin{tabular}")
    inside, end, after = rest.partition(r"\end{tabular}")
    if "table}" in before:
        around = re.findall(
            r"^\\caption\{(.*)\}$|^\\par\{\\footnotesize (.*)\}$", before + after, re.MULTILINE
        )
        assert (before + after).count("\n\\") == 2 + len(around)
        for pair in around:
            read_tex("\\begin{tabular}{l}\n" + "".join(pair) + " \\\\\n\\end{tabular}")
    whole, place = begin + inside + end, 0
    while place < len(whole):
        here = whole[place]
        place += 1
        if here == "\\":
            word = re.match("[A-Za-z]+|.", whole[place:])[0]
            place += len(word)
            if word == "\\":
                rows.append([*row, cell])
                row, cell = [], ""
                assert whole[place : place + 1] == "\n", "the end of a row has a name behind it"
                assert not whole[place:].lstrip().startswith(("[", "*")), "a name is an option"
            elif word in ("begin", "end"):
                place += re.match(r"\{tabular\}(\{l[lr]*\})?", whole[place:]).end()
            elif word in ("toprule", "midrule", "bottomrule"):
                assert not whole[place:].lstrip().startswith(("[", "*"))
            elif len(word) == 1:
                assert word in "&%$#_{}"
                cell += word
            else:
                assert word in CONTROL_WORDS
                cell += AS_SET.get(word, "")
                assert in_formula or whole[place : place + 2] == "{}", "a control word swallows what follows"
        elif here == "$":
            in_formula = not in_formula
        elif here == "&":
            row, cell = [*row, cell], ""
        elif here in "{}":
            cell += "\0" * (here == "}")  # nothing that is seen, between characters that are set apart
            depth += 1 if here == "{" else -1
            assert depth >= 0
        else:
            assert here not in "%#~"
            assert here not in "_^" or in_formula
            cell += here
    assert depth == 0
    assert not in_formula
    return [[cell.replace("--", "–").replace("\0", "").strip() for cell in row] for row in rows]


@pytest.mark.parametrize("maker", MAKERS)
def test_latex_has_no_command_of_a_name(maker):
    for text in write(maker, "to_latex"):
        check_plain(text)
        for table in text.split("\n\n"):
            header, *rows = read_tex(table)
            assert {*map(len, rows)} == {len(header)}


def test_latex_sets_each_name_as_it_is():
    for left in (1, 2):
        table = TextTable(
            columns=["", *NAMES][: left + 1],
            rows=[[name, name, name] for name in NAMES],
            left=left,
            notes=NAMES,
        )
        rows = read_tex(table.to_latex())[1:]
        assert [row[0] for row in rows] == [show(name).strip() for name in NAMES]
        assert all(row[0] == row[1] or (left == 1 and row[1] in ("-3", "<10^-16")) for row in rows)
    candidates = read_tex(make("compare")[0].to_latex().split("\n\n")[0])[1:]
    assert {row[0] for row in candidates} == {show(name).strip() for name in NAMES}


def render(text):
    """Kinds of the parts of a Markdown text, and the text that a reader sees."""
    markdown_it = pytest.importorskip("markdown_it", reason="needs a reader of Markdown")
    reader = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = reader.parse(text)
    parts = [part for token in tokens for part in token.children or []]
    lines = ["".join(part.content for part in token.children) for token in tokens if token.children]
    return {token.type for token in tokens} | {part.type for part in parts}, lines


BLOCKS = {"inline", "text", "text_special", "paragraph_open", "paragraph_close"}


@pytest.mark.parametrize("maker", MAKERS)
def test_markdown_has_no_markup_of_a_name(maker):
    for text in write(maker, "to_markdown"):
        check_plain(text)
        plain = re.sub(r"\\[!-/:-@\[-`{-~]|&(amp|lt|gt);", "", text)  # without what stands for itself
        assert not {*plain} & {*"<>`*[]~$@\\&"}
        assert not re.search(r"://|www\.", plain)
        kinds, _ = render(text)
        assert {
            kind for kind in kinds - BLOCKS if not re.match("(table|thead|tbody|tr|th|td)_", kind)
        } == set()


def test_markdown_shows_each_name_as_it_is():
    table = TextTable(columns=["", "b"], rows=[[name, "1"] for name in NAMES], notes=NAMES)
    _, lines = render(table.to_markdown())
    shown = [show(name).strip() for name in NAMES]
    assert lines[:2] == ["b", shown[0]] or lines[1:3] == ["b", shown[0]]
    assert [line for line in lines if line not in ("", "b", "1")] == [*shown, *shown]


@pytest.mark.slow
def test_a_page_of_a_report_has_names_as_text():
    page = make_page(
        cc.compare(CLUSTERS, {name: np.roll(CLUSTERS, k) for k, name in enumerate(NAMES[:50])}, "rand")
    )
    check_plain(page)
    page.encode()
    for element in read_page(page).all():
        assert element.name not in ("script", "img", "iframe")
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name != "src"
            assert name not in ("href", "xlink:href") or value.startswith(("#", "data:,", "https://doi.org/"))


IN_FILES = [name for name in NAMES if "\0" not in name and name.isprintable() | name.isascii()]


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_commands_write_names_as_text(form, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = [name for name in IN_FILES if name.strip() and name != "t"]
    for file, header in (("names.csv", ["t", *names]), ("\x1b[31m<b>.csv", ["t", *names])):
        with open(file, "w", newline="", encoding="utf-8") as opened:
            writer = csv.writer(opened)
            writer.writerow(header)
            writer.writerows(
                [names[k % 7], *(names[(k + j) % 3] for j in range(len(names)))] for k in range(20)
            )
        typed = [
            ["compare", "t", "--data", file],
            ["pairwise", "--data", file],
            ["adjust", "t", names[1], "--data", file],
            ["adjust", "t", "\x1b[31m\u202e", "--data", file],
            ["adjust", f"{file}:t", f"{file}:{names[5]}", "--index", "\x1b[31m"],
        ]
        for command in typed:
            code = run([*command, *form])
            out, err = capsys.readouterr()
            assert code in (0, 2)
            check_plain(out)
            check_plain(err)
            if form == ["--json"] and code == 0:
                json.loads(out)
