"""The page of a report: well formed, whole in itself, no name taken for markup, and what it says."""

import re

import matplotlib
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.report import collect_contents, draw_svg, rank
from chancecorr.report import render_comparison as make_page
from tests.report.examples import NAMES, contents, hostile, undefined, without_intervals
from tests.report.markup import read

PAGES_MADE = {}


def page(made):
    """HTML of the contents, made once; they are kept, so that no others have their id."""
    if id(made) not in PAGES_MADE:
        PAGES_MADE[id(made)] = made, make_page(made)
    return PAGES_MADE[id(made)][1]


HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def usual():
    return contents()


PAGES = {
    "usual": contents,
    "one candidate": lambda: contents(1),
    "two candidates": lambda: contents(2, ("rand",)),
    "without intervals": without_intervals,
    "without scores": undefined,
    "hostile names": lambda: hostile(HOSTILE),
    "moments only": lambda: contents(3, method="analytic"),
}
LOADS = {"script", "iframe", "img", "object", "embed", "audio", "video", "base"}


@pytest.fixture(scope="module", params=PAGES)
def html(request):
    return page(PAGES[request.param]())


@pytest.mark.slow
def test_every_page_is_well_formed_and_loads_nothing(html):
    root = read(html)
    assert [element.name for element in root.children] == ["html"]
    assert root.children[0].attributes["lang"] == "en"
    for element in root.all():
        assert element.name not in LOADS
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name not in {"src", "srcset", "action", "data"}
            if name == "xmlns":
                assert (element.name, value) == ("svg", "http://www.w3.org/2000/svg")
            elif name == "xlink:href":
                assert value.startswith("#")
            elif name == "href" and element.name == "a":
                assert value.startswith(("#", "https://doi.org/"))
            elif name == "href":
                assert (element.name, value) == ("link", "data:,")
            else:
                assert not re.search(r"http|url\((?!#)", value or "")
    assert not re.search(r"@import|url\((?!#)", html)
    assert len(re.findall("http", html)) == html.count('href="https://doi.org/') + html.count("<svg xmlns=")
    assert not re.search(r"\b(nan|None|inf|Undefined)\b", root.all("body")[0].text)


@pytest.mark.slow
def test_every_page_can_be_read_by_ear_and_by_key(html):
    root = read(html)
    ids = {element.attributes.get("id") for element in root.all()}
    pictures = [element for element in root.all("svg") if "role" in element.attributes]
    assert pictures
    for picture in pictures:
        named = [each for each in picture.children if each.name in ("title", "desc")]
        assert picture.attributes["role"] == "img"
        assert [each.attributes["id"] for each in named] == picture.attributes["aria-labelledby"].split()
        assert all(each.text for each in named)
    for table in root.all("table"):
        assert table.all("caption")[0].text
        assert all(cell.attributes["scope"] in ("col", "row") for cell in table.all("th"))
        assert len({len(row.all("th", "td")) for row in table.all("tr")}) == 1
    for box in root.all("div"):
        if box.attributes.get("class") == "scroll":
            assert (box.attributes["tabindex"], box.attributes["role"]) == ("0", "region")
            assert box.attributes["aria-labelledby"] in ids
    for link in root.all("a"):
        if link.attributes["href"].startswith("#"):
            assert link.attributes["href"][1:] in ids


def test_names_are_text_everywhere():
    root = read(page(hostile(HOSTILE)))
    assert not root.all("script")
    assert HOSTILE in root.all("title")[0].text  # of the page
    body = root.all("body")[0]
    for place in ("h1", "desc", "caption", "figcaption", "td", "th", "pre", "li"):
        assert any(HOSTILE in element.text for element in body.all(place)), place


@pytest.mark.parametrize(
    "name", ['"><img src=x onerror=alert(1)>', "a & b", "</style><b>", "{{ 7 * 7 }}", "", "\u202eabc", "a\nb"]
)
def test_other_names_that_could_break_the_page(name):
    root = read(page(hostile(name)))
    assert not root.all("img")
    assert "49" not in root.all("h1")[0].text
    assert " ".join(name.split()) in root.all("h1")[0].text


def test_the_answer_stands_first(usual):
    header = read(page(usual)).all("header")[0]
    first = usual.indices[0]
    best = rank(first.scores)[0]
    assert header.all("h1")[0].text == f"{best.candidate} agrees best with species"
    said = header.all("p")
    assert f"{best.adjusted:.3f}" in said[1].text
    assert f"95 % interval {best.low:.3f} to {best.high:.3f}" in said[1].text
    level = [score.candidate for score in first.scores if score.among_best and score is not best]
    assert level
    assert sorted(element.text for element in said[2].all("b")) == sorted(level)
    assert f"The other {len(first.scores) - 1 - len(level)} agree significantly less." in said[2].text


def test_every_score_is_in_the_leaderboard(usual):
    root = read(page(usual))
    for number, each in enumerate(usual.indices, 1):
        captions = {t.all("caption")[0].attributes["id"]: t for t in root.all("table")}
        table = captions[f"scores-{number}"]
        rows = [[cell.text for cell in row.all("th", "td")] for row in table.all("tr")[1:]]
        assert [row[0] for row in rows] == [score.candidate for score in rank(each.scores)]
        for row, score in zip(rows, rank(each.scores), strict=True):
            assert float(row[2].replace("−", "-")) == pytest.approx(score.adjusted, abs=5.1e-4)
            said = "best" if score.rank == 1 else "not significant" if score.among_best else "significant"
            assert row[4] == said


def test_pictures_show_the_numbers(usual):
    titles = [each for each in read(page(usual)).all("title") if "id" in each.attributes]
    pictures = {each.attributes["id"]: each.parent for each in titles}
    for number, each in enumerate(usual.indices, 1):
        plot = pictures[f"forest-{number}-title"]
        for score in each.scores:
            assert f"{score.candidate}: {score.adjusted:.3f}".replace("-0", "−0") in plot.all("desc")[0].text
        shown = [text.text for text in plot.all("text")]
        short = [score.candidate for score in rank(each.scores) if len(score.candidate) <= 28]
        assert [name for name in shown if name in NAMES] == short
        for place, score in enumerate(rank(each.scores), 1):
            law = pictures[f"law-{number}-{place}-title"]
            assert f"observed {score.observed:.4g}" in [text.text for text in law.all("text")]
            assert f"observed {score.observed:.4f}" in law.all("desc")[0].text


def test_a_picture_is_the_same_each_time_whatever_the_settings(usual):
    def draw(name):
        how = (lambda ax: ax.plot([0, 1], [1, 0], "o-", label="a")), name
        return draw_svg(*how, "A title", "what it shows", 150.0, 20.0, 5.0)

    before = draw("one")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        assert draw("one") == before
        assert matplotlib.rcParams["font.size"] == 30
    assert not re.search(r"\d{4}-\d\d-\d\d|#000000|#0072b2", before)
    ids = [set(re.findall('id="([mp][0-9a-f]+)"', each)) for each in (before, draw("two"))]
    assert ids[0].isdisjoint(ids[1])


def test_one_candidate_is_not_called_the_best():
    body = read(page(contents(1))).all("body")[0].text
    assert "k-means, 3 clusters against species" in body
    assert not re.search(r"agrees? best|significant|Differences", body)


def test_scores_that_are_undefined_come_with_their_remarks():
    made = undefined()
    root = read(page(made))
    remarks = {score.score.remark for each in made.indices for score in each.scores if score.score.remark}
    assert remarks
    for remark in remarks:
        assert any(remark in element.text for element in root.all("p")), remark
    assert any("no score" in element.text for element in root.all("desc"))
    assert root.all("h1")[0].text.endswith("agrees best with species")


def test_large_tables_are_cut_to_their_largest_clusters():
    html = page(contents(2, ("rand",), n=20_000, clusters=200, method="analytic"))
    assert len(html.encode()) < 400_000
    assert "Shown: the 20 largest of 200 rows" in html
    for table in read(html).all("table"):
        assert len(table.all("tr")) <= 22


def test_counts_and_totals_are_in_the_tables(usual):
    tables = [each for each in read(page(usual)).all("table") if each.attributes.get("class") == "counts"]
    for shown, wanted in zip(tables, usual.tables, strict=True):
        rows = [[cell.text for cell in row.all("th", "td")] for row in shown.all("tr")]
        assert rows[0] == ["Cluster", *wanted.column_names, "Total"]
        parts = rows[1:-1], wanted.row_names, wanted.counts, wanted.row_totals
        for row, name, counts, total in zip(*parts, strict=True):
            assert row == [name, *(str(count) if count else "" for count in counts), str(total)]
        assert rows[-1] == ["Total", *map(str, wanted.column_totals), "150"]


@pytest.mark.parametrize(
    ("names", "indices", "title"),
    [
        (["coarse", "fine"], ["rand", "homogeneity"], "by Rand index; by Homogeneity fine does"),
        (
            ["coarse", "fine", "also"],
            ["rand", "jaccard", "homogeneity"],
            "by Rand index and Jaccard index; by Homogeneity fine and also do",
        ),
    ],
)
def test_one_winner_is_named_only_if_all_indices_agree(names, indices, title):
    known = {"coarse": np.repeat([0, 1], [30, 60]), "fine": np.arange(90) // 5, "also": np.arange(90) // 5}
    board = cc.compare(np.repeat([0, 1, 2], 30), {name: known[name] for name in names}, index=indices)
    (heading,) = read(page(collect_contents(board, reference="species"))).all("h1")
    assert heading.text == f"coarse agrees best with species {title}"
