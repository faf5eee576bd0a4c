"""Scores as numbers, under SciPy's names, and written out for papers and machines."""

import csv
import functools
import io
import json
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.machine.printing import write_p_value

TRUE = np.repeat([0, 1, 2], 50)
PRED = np.where(np.arange(150) % 5 == 0, 0, TRUE)


@functools.cache
def scores_of_three():
    return cc.adjust(TRUE, PRED, ["rand", "nmi_sum", "purity"], rng=1)


def test_order_and_differences_are_those_of_numbers():
    rand, nmi, purity = scores_of_three().values()
    assert sorted(scores_of_three().values())[-1] is purity
    assert max(scores_of_three().values()) is purity
    assert purity - rand == purity.adjusted - rand.adjusted
    assert (1.0 - rand, rand - 0.5) == (1.0 - rand.adjusted, rand.adjusted - 0.5)
    assert nmi > 0.5 > float(rand) - 0.5
    assert not rand < rand


def test_the_seed_gives_the_same_tables_again():
    both = cc.adjust(TRUE, PRED, ["clustering_accuracy", "rand"], rng=1)
    assert [score.seed for score in both.values()] == [1, None]  # of rand no tables
    drawn = cc.adjust(TRUE, PRED, "clustering_accuracy")
    assert f"seed={drawn.seed}" in repr(drawn)
    assert cc.adjust(TRUE, PRED, "clustering_accuracy", rng=drawn.seed).expected == drawn.expected
    assert json.loads(drawn.to_json())["seed"] == drawn.seed
    assert cc.adjust(TRUE, PRED, "clustering_accuracy", rng=np.random.default_rng(1)).seed is None


def test_json_holds_what_the_dictionary_does():
    found = json.loads(scores_of_three().to_json())
    assert found["purity"]["adjusted"] == scores_of_three()["purity"].adjusted
    rand = scores_of_three()["rand"]
    assert json.loads(rand.to_json())["p_value"] == rand.p_value
    undefined = json.loads(cc.adjust([0, 0, 0], [5, 5, 5]).to_json())
    assert undefined["adjusted"] is None  # not NaN, which is no JSON


def test_markdown_and_latex_have_the_printed_cells():
    _, *rows = scores_of_three().cells()
    lines = scores_of_three().to_markdown().splitlines()
    assert len(lines) == 7
    assert lines[-1].endswith("AMI (adjusted mutual information): column adjusted; NMI: column observed")
    assert [cell.strip() for cell in lines[2].strip("|").split("|")] == rows[0]
    latex = scores_of_three().to_latex()
    low, high = rows[0][4].split(" to ")
    p_of_rand = "$<10^{-16}$"
    for part in ("NMI (arithmetic mean): AMI & $", r"95 \% interval", f"${low}$ to ${high}$", p_of_rand):
        assert part in latex
    assert latex.count(r"\\") == 4
    assert r"\times 10^{" in cc.adjust_table(np.diag([9, 9, 9])).to_latex()  # 4e-12 or so
    assert len(scores_of_three()["rand"].to_latex().splitlines()) == 11


def test_the_table_has_six_columns_and_the_rest_if_it_is_wide():
    header, *rows = scores_of_three().cells()
    assert header == ["index", "observed", "expected", "adjusted", "95 % interval", "p"]
    for row in rows:
        low = scores_of_three()[row[0].partition(":")[0]].interval().low
        assert float(row[4].split(" to ")[0]) == pytest.approx(low, abs=0.005)
    wide, *_ = scores_of_three().cells(wide=True)
    assert [name for name in wide if name not in header] == ["std.err.", "z", "by"]
    assert scores_of_three().to_text(wide=True).splitlines()[0].split()[-1] == "by"
    indices = ["rand", "purity", "clustering_accuracy"]
    header, *known, unknown = cc.adjust(TRUE, PRED, indices, method="monte-carlo", rng=1).cells(wide=True)
    assert header[-2:] == ["analytic", "z.diff."]
    assert all(row[-2] != "" and abs(float(row[-1])) < 4.5 for row in known)
    assert unknown[-2:] == ["", ""]


def test_why_there_is_no_interval_is_said():
    scores = cc.adjust(np.arange(40) // 2, np.arange(40) // 3, ["rand", "nmi_sum"], n_tables=200)
    assert scores.cells()[2][4] == "–"
    assert any(str(note).startswith("nmi_sum: interval: ") for note in scores.notes)


def test_summary_is_a_sentence_with_the_interval():
    text = scores_of_three()["purity"].summary()
    interval = scores_of_three()["purity"].interval()
    assert text.startswith("Purity of 150 objects: 0.86667, where 0.38")
    assert f"95 % CI [{interval.low:.3f}, {interval.high:.3f}], p < .001." in text
    assert "not adjusted" in cc.adjust([0, 0, 0], [5, 5, 5]).summary()


@pytest.mark.parametrize(
    ("p_value", "is_bound", "text"),
    [
        (0.0009999, False, "p < .001"),
        (0.001, False, "p = .001"),
        (0.04349, False, "p = .043"),
        (0.04301, True, "p ≤ .044"),  # a bound is never rounded down
        (0.043, True, "p ≤ .043"),
        (1e-300, True, "p < .001"),
        (1.0, False, "p > .999"),
        (0.99951, True, "p ≤ 1"),
        (float("nan"), False, "p not known"),
    ],
)
def test_p_values_in_a_text_are_those_of_the_apa(p_value, is_bound, text):
    assert write_p_value(p_value, is_bound) == text


def test_a_report_says_what_a_reader_needs_to_repeat_and_to_judge_the_number():
    names = np.array(["a", "b", "c"], object)[TRUE]
    names[:2] = None
    score = cc.adjust(names, PRED, "purity", n_tables=300, method="monte-carlo", rng=7, missing="drop")
    method, numbers = score.report(0.9).split("\n\n")
    for part in (
        "two clusterings of 148 objects (3 and 3 clusters)", "one index, Purity (Zhao & Karypis, 2001)",
        "both clusterings keep their cluster sizes", "from 300 simulated tables (Amorim & Cardoso, 2014)",
        "at the level of 90 %", f"chancecorr {cc.__version__}, seed 7.",
    ):  # fmt: skip
        assert part in method
    low, high = score.interval(0.9)
    assert f"90 % CI [{low:.3f}, {high:.3f}], p = .003." in numbers  # 1 / 301
    assert "2 of 150 objects are left out: 2 without a label in the reference." in numbers
    several = cc.adjust(TRUE, PRED, ["rand", "jaccard"]).report(groups=np.arange(150) % 12)
    assert "2 indices, Rand index (Rand, 1971) and Jaccard index (Jaccard, 1908)" in several
    assert "over the 12 groups of objects (Efron" in several
    donors = pytest.importorskip("pandas").Series(np.arange(150) % 12, name="donor")
    assert "over the 12 groups of objects (donor)" in cc.adjust(TRUE, PRED).report(groups=donors)
    assert "seed" not in several


def test_no_interval_is_reported_where_there_is_none():
    covers = [cc.Cover([{1, 2, 3}, {3, 4, 5, 6}]), cc.Cover([{1, 2}, {3, 4, 5, 6}])]
    assert "nterval" not in cc.adjust(*covers).report()
    with pytest.raises(ValueError, match="`groups`"):
        cc.adjust(TRUE, PRED).report(groups=np.zeros(150))
    own = cc.adjust(TRUE, PRED, lambda first, second: float((first == second).mean()), n_tables=20)
    assert "one index, Lambda, corrected" in own.report()  # no source is known


def test_exports_hold_0_for_a_mean_that_is_0_up_to_rounding():
    score = cc.adjust(TRUE, PRED, ["ari", "rand"])
    assert next(csv.DictReader(io.StringIO(score.to_csv())))["expected"] == "0.0"
    compared = cc.compare(TRUE, {"a": PRED}, "ari")
    assert compared.to_dict()["scores"][0]["expected"] == 0.0
    assert score["rand"].to_dict()["expected"] == score["rand"].expected


def test_a_function_that_returns_nan_is_named_as_the_reason():
    score = cc.adjust(TRUE, PRED, lambda first, second: math.nan, n_tables=20)
    assert score.remark == "the function returned nan"
    assert "0/0" in cc.adjust([0, 0, 0], [0, 0, 1], "phi").remark  # an index of the catalogue is a formula


def test_more_tables_than_a_century_allows_are_refused():
    with pytest.raises(ValueError, match=r"`n_tables` must be smaller: .* take about .* days"):
        cc.adjust(TRUE, PRED, "purity", method="monte-carlo", n_tables=10**18)
    limited = cc.adjust(TRUE, PRED, "purity", method="monte-carlo", n_tables=10**18, budget=0.1, rng=1)
    assert 100 < limited.n_tables < 10**9


def test_a_name_of_a_column_without_a_frame_says_how_to_pass_it():
    for given in ({"strata": "batch"}, {"labels_true": "a"}):
        with pytest.raises(TypeError, match=r"Pass a column itself, as `frame\['name'\]`"):
            cc.adjust(**{"labels_true": TRUE, "labels_pred": PRED} | given)
