"""A comparison's numbers, and those of many data sets, are those that the report shows."""

import math
import re
from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.machine.printing import write_p_value
from chancecorr.report import collect_contents, rank, render_comparison, to_html
from tests.report.examples import datasets
from tests.report.markup import read

N = 90
RNG = np.random.default_rng(5)
TRUTH = np.arange(N) // 30


def moved(share):
    labels = TRUTH.copy()
    there = RNG.random(N) < share
    labels[there] = RNG.integers(0, 3, there.sum())
    return labels


CANDIDATES = {"a": moved(0.1), "b": moved(0.15), "c": moved(0.6), "one": np.zeros(N, dtype=int)}


@pytest.fixture(scope="module")
def comparison():
    return cc.compare(TRUTH, CANDIDATES, index=["rand", "jaccard", "fowlkes_mallows"], rng=1)


@pytest.fixture(scope="module")
def made(comparison):
    return collect_contents(comparison, reference="species", seed=1, command="chancecorr report")


def test_scores_are_those_of_the_comparison(comparison, made):
    assert [each.index for each in made.indices] == list(comparison.indices)
    for each in made.indices:
        for shown in each.scores:
            found = comparison[shown.candidate][each.index]
            assert (shown.rank, shown.among_best) == (found.rank, found.among_best)
            assert shown.score.remark == found.score.remark
            for name in ("observed", "expected", "adjusted", "z_score"):
                wanted = getattr(found.score, name)
                assert getattr(shown.score, name) == pytest.approx(wanted, nan_ok=True, abs=0)
            assert (shown.low, shown.high) == pytest.approx(tuple(found.interval), nan_ok=True, abs=0)


def test_differences_are_those_of_the_best_from_each_other(comparison, made):
    for each in made.indices:
        best, *others = [score.candidate for score in rank(each.scores) if score.rank is not None]
        assert [(shown.best, shown.other) for shown in each.differences] == [(best, name) for name in others]
        for shown in each.differences:
            found = comparison.difference(shown.best, shown.other, index=each.index)
            wanted = found.difference, found.interval.low, found.interval.high
            assert (shown.difference, shown.low, shown.high) == pytest.approx(wanted, abs=0, nan_ok=True)


def test_tables_and_sizes_are_those_of_the_labels(made):
    assert made.reference.sizes == [30, 30, 30]
    for table in made.tables:
        labels = CANDIDATES[table.candidate]
        columns = [labels == int(name) for name in table.column_names]
        assert table.counts.tolist() == [[((r == TRUTH) & each).sum() for each in columns] for r in range(3)]
        assert table.column_totals.tolist() == table.counts.sum(axis=0).tolist()


class TestMethod:
    def said(self, **options):
        made = collect_contents(cc.compare(TRUTH, CANDIDATES, **options))
        return " ".join(made.method), {each.split(" (")[0] for each in made.references}

    def test_simulation(self):
        said, cited = self.said(method="monte-carlo", n_tables=200, rng=1, correction="fdr_bh")
        assert "they were found from 200 simulated tables (Amorim & Cardoso, 2014)" in said
        assert "corrected over the candidates (Benjamini & Hochberg, 1995)" in said
        assert {"Amorim & Cardoso", "Benjamini & Hochberg", "Westfall & Young"} <= cited

    def test_formulas_without_p_values_and_intervals(self):
        said, cited = self.said(method="analytic", interval=None, correction=None)
        assert "they were found by formula from the cluster sizes." in said
        bounds = "P-values against chance, which take objects as exchangeable, were found as proven bounds"
        assert bounds in said
        assert not re.search("simulated|jackknife", said)
        assert cited == {"Hubert & Arabie", "Rand"}


def test_the_page_and_the_text_of_a_comparison_have_the_same_paragraphs_with_all_numbers(comparison, made):
    assert comparison.report().split("\n\n") == made.method
    number = r"(-?\d+(?:\.\d+)?)"
    texts = re.split(r"[^.]*, best first: ", made.method[-1])[1:]
    for text, index in zip(texts, comparison.indices, strict=True):
        *ranked, without = comparison.ranked(index)
        shown = re.findall(rf"(\w+) {number}, 95 % CI \[{number}, {number}\], (p [^;.]*\.\d+)", text)
        assert [name for name, *_ in shown] == [score.candidate for score in ranked]
        for (_, *numbers, p), score in zip(shown, ranked, strict=True):
            assert [*map(float, numbers)] == pytest.approx((score.adjusted, *score.interval), abs=0.005)
            assert p == write_p_value(score.p_corrected, score.p_is_bound)
        assert f"; {without.candidate} 0, p > .999." in text
    assert "seed 1." in cc.compare(TRUTH, CANDIDATES, "purity", rng=1, n_tables=50).report()


def test_no_candidate_has_a_score():
    made = collect_contents(cc.compare(CANDIDATES["one"], {"one": CANDIDATES["one"]}))
    assert math.isnan(made.indices[0].scores[0].adjusted)
    assert read(render_comparison(made)).all("h1")[0].text == "No candidate has a score"


def test_to_html_returns_the_page_or_writes_it(comparison, tmp_path):
    text = to_html(comparison)
    assert to_html(comparison, tmp_path / "page.html") is None
    assert (tmp_path / "page.html").read_bytes().decode() == text


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_nothing_is_written_without_what_it_needs(comparison, tmp_path, monkeypatch, missing):
    def find_version(package):
        if package == missing:
            raise PackageNotFoundError(package)
        return "1.0"

    monkeypatch.setattr("chancecorr.report.version", find_version)
    monkeypatch.setitem(__import__("sys").modules, missing, None)
    with pytest.raises(ImportError, match=r"^A report needs .*pip install 'chancecorr\[report\]'"):
        to_html(comparison, tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_objects_that_one_candidate_leaves_out_are_named_and_not_counted_in_its_table():
    noisy = np.where(np.arange(N) < 12, -1, CANDIDATES["a"])
    shown = collect_contents(cc.compare(TRUTH, {"noisy": noisy, "b": CANDIDATES["b"]}, noise="drop"))
    assert shown.reference.sizes == [30, 30, 30]
    assert [table.n for table in shown.tables] == [N - 12, N]
    assert [*map(str, shown.notes)] == ["noisy: 12 of 90 objects are left out: 12 as noise"]
    page = read(render_comparison(shown))
    assert str(shown.notes[0]) in page.all("header")[0].text
    assert shown.method[-1].endswith("For noisy, 12 of 90 objects are left out: 12 as noise.")
    last_rows = [table.all("tr")[-1] for table in page.all("table")[-3:-1]]
    assert [row.all("td")[-1].text for row in last_rows] == ["78", "90"]
    kept = collect_contents(cc.compare(TRUTH, {"noisy": noisy}))
    assert str(kept.notes[0]).startswith("label -1 occurs 12 times in noisy and counts as a cluster")


def test_differences_and_tests_are_those_of_the_scores():
    scores = datasets()
    page = to_html(scores, reference="species")
    apart = scores.difference("good", "poor")
    assert f'<th scope="row">poor</th><td class="right">{apart.difference:.3f}</td>' in page
    assert f"{apart.low:.3f} to {apart.high:.3f}" in page
    assert "All others agree significantly less." in page
    assert f"are more than {scores.rank_test().critical_difference:.2f} apart" in page
    assert "Demšar, 2006" in page


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a&b", "‮x"])
def test_names_are_text(name):
    page = to_html(datasets(names=(name, "b"), shares=(0.8, 0.1)), reference=name)
    assert "<script>" not in page
    assert "‮" not in page
    read(page)  # raises if markup is broken


COVERS = {
    "x": [{0, 1}, {1, 2, 3}, {4, 5, 6}],
    "y": [{0, 1, 2}, {2, 3}, {4, 5}, {5, 6}],
    "parts": [0, 0, 0, 1, 1, 1, 1],
}


@pytest.mark.parametrize("index", [["omega", "onmi_max"], ["rand"], ["average_f1"]])
def test_candidates_that_are_no_labels_have_a_page_without_tables(index):
    comparison = cc.compare([{0, 1, 2}, {2, 3}, {4, 5, 6}], COVERS, index, rng=1)
    contents = collect_contents(comparison, seed=1)
    assert contents.tables == []
    for each in contents.indices:
        wanted = {name: comparison[name][each.index].adjusted for name in COVERS}
        assert {score.candidate: score.adjusted for score in each.scores} == wanted
    html = to_html(comparison)
    assert read(html)
    assert not re.search("Which clusters meet|What was compared|None", html)
    assert "mean of the index over permutations of the objects" in html
    assert "no intervals, no tests between candidates" in html
    assert "Which clusters meet" in to_html(cc.compare(TRUTH, CANDIDATES, rng=1))
