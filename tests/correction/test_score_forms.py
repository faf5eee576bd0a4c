"""Scores as numbers, under SciPy's names, and written out for papers and machines."""

import functools
import json

import numpy as np
import pytest

import chancecorr as cc

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
    assert scores_of_three()["purity"].seed == 1
    assert scores_of_three()["rand"].seed is None  # no tables
    drawn = cc.adjust(TRUE, PRED, "purity")
    assert f"seed={drawn.seed}" in repr(drawn)
    assert cc.adjust(TRUE, PRED, "purity", rng=drawn.seed).expected == drawn.expected
    assert json.loads(drawn.to_json())["seed"] == drawn.seed
    assert cc.adjust(TRUE, PRED, "purity", rng=np.random.default_rng(1)).seed is None


def test_json_holds_what_the_dictionary_does():
    found = json.loads(scores_of_three().to_json())
    assert found["purity"]["adjusted"] == scores_of_three()["purity"].adjusted
    alone = json.loads(scores_of_three()["rand"].to_json())
    assert alone["p_value"] == scores_of_three()["rand"].p_value
    undefined = json.loads(cc.adjust([0, 0, 0], [5, 5, 5]).to_json())
    assert undefined["adjusted"] is None  # not NaN, which is no JSON


def test_markdown_and_latex_have_the_printed_cells():
    _, *rows = scores_of_three().cells()
    lines = scores_of_three().to_markdown().splitlines()
    assert len(lines) == 5
    assert [cell.strip() for cell in lines[2].strip("|").split("|")] == rows[0]
    latex = scores_of_three().to_latex()
    assert "NMI (arithmetic mean) & $" in latex
    assert r"95 \% interval" in latex
    low, high = rows[0][4].split(" to ")
    assert f"${low}$ to ${high}$" in latex
    assert latex.count(r"\\") == 4
    assert "$<10^{-16}$" in latex  # the p-value of rand
    assert r"\times 10^{" in cc.adjust_table(np.diag([9, 9, 9])).to_latex()  # 4e-12 or so
    assert len(scores_of_three()["rand"].to_latex().splitlines()) == 7


def test_the_table_has_six_columns_and_the_rest_if_it_is_wide():
    header, *rows = scores_of_three().cells()
    assert header == ["index", "observed", "expected", "adjusted", "95 % interval", "p"]
    assert [scores_of_three()[row[0]].interval().low for row in rows] == pytest.approx(
        [float(row[4].split(" to ")[0]) for row in rows], abs=0.005
    )
    wide, *_ = scores_of_three().cells(wide=True)
    assert [name for name in wide if name not in header] == ["std.err.", "z", "by"]
    assert scores_of_three().to_text(wide=True).splitlines()[0].split()[-1] == "by"
    drawn = cc.adjust(TRUE, PRED, ["rand", "purity"], method="monte-carlo", rng=1)
    header, rand, purity = drawn.cells(wide=True)
    assert header[-2:] == ["analytic", "z.diff."]
    assert (rand[-2] != "", purity[-2:]) == (True, ["", ""])


def test_why_there_is_no_interval_is_said():
    scores = cc.adjust(np.arange(40) // 2, np.arange(40) // 3, ["rand", "nmi_sum"], n_tables=200)
    assert scores.cells()[2][4] == "–"
    assert any(line.startswith("nmi_sum: interval: ") for line in scores.remarks())


def test_summary_is_a_sentence_with_the_interval():
    text = scores_of_three()["purity"].summary()
    interval = scores_of_three()["purity"].interval()
    assert text.startswith("Purity of 150 objects: 0.86667, where 0.38")
    assert f"95 % interval {interval.low:.3f} to {interval.high:.3f}" in text
    assert "p ≤" in text
    assert "not adjusted" in cc.adjust([0, 0, 0], [5, 5, 5]).summary()
