"""The study of Amorim & Cardoso in small: units against plain calls, verdicts, claims, what is written."""

import csv
import json
import math
import re

import numpy as np
import pytest

import chancecorr as cc
from experiments import __main__ as door
from experiments.amorim_cardoso_2014 import claims, paper, report, study, tables, unit
from experiments.amorim_cardoso_2014.clusterers import EM_FAMILIES, THE_EM, THE_KMEANS
from experiments.amorim_cardoso_2014.scenarios import SCENARIOS, data_of, mixture_of
from experiments.common.mixtures import average_overlap, maximum_overlap
from experiments.common.runs import Outcome
from experiments.common.units import Clock
from tests.experiments.pages import assert_sections_stand_as_kept

SCENARIO = {scenario.name: scenario for scenario in SCENARIOS}
WELL = study.cell(SCENARIO["3-balanced-well"], THE_KMEANS, 2, simulate=1, p=1)


def records_of(cell, count):
    return [unit.evaluate(cell.inputs, replicate, 1, Clock()) for replicate in range(count)]


@pytest.fixture(scope="module")
def records():
    return json.loads(json.dumps(records_of(WELL, 2)))


@pytest.fixture(scope="module")
def six():
    """All six scenarios of three groups with both clusterers of the paper, five data sets each."""
    cells, found = [], {}
    for scenario in SCENARIOS:
        if scenario.groups == 3:
            for clusterer in (THE_KMEANS, THE_EM):
                cell = study.cell(scenario, clusterer, 5, simulate=1)
                cells.append(cell)
                found[cell.name] = records_of(cell, 5)
    return Outcome(cells=tuple(cells), records=found, seconds={}, seed=1)


@pytest.mark.parametrize("name", [each.name for each in SCENARIOS if each.groups != 3])
def test_stored_mixtures_have_the_overlaps_of_three_groups(name):
    """The average, and of four groups the largest one as near as it can be."""
    scenario = SCENARIO[name]
    stored, printed = mixture_of(scenario), paper.THREE_GROUPS[scenario.design, scenario.separation]
    assert average_overlap(stored) == pytest.approx(average_overlap(printed), abs=1e-7)
    if scenario.groups == 4:
        assert maximum_overlap(stored) == pytest.approx(maximum_overlap(printed), abs=1e-7)


def test_data_go_by_seed_scenario_and_number():
    mixture = mixture_of(SCENARIO["3-balanced-well"])
    objects, groups = data_of(mixture, 800, "3-balanced-well", 0, 1)
    assert (objects.shape, set(groups.tolist())) == ((800, 3), {0, 1, 2})
    assert np.array_equal(objects, data_of(mixture, 800, "3-balanced-well", 0, 1)[0])
    for name, dataset, seed in (("3-balanced-well", 1, 1), ("3-balanced-well", 0, 2), ("other", 0, 1)):
        assert not np.array_equal(objects, data_of(mixture, 800, name, dataset, seed)[0])


def test_units_are_what_plain_calls_give(records):
    for number, found in enumerate(records):
        table = cc.ContingencyTable(found["table"])
        assert table.n == 800
        for name in cc.PUBLISHED_INDICES:
            assert found["observed"][name] == cc.score_table(table, name)
            exact = cc.null_distribution(table.margins, name, method="exact")
            assert found["expected"][name] == pytest.approx(exact.mean, abs=1e-9)
            assert found["deviation"][name] == pytest.approx(exact.std, rel=1e-6)
            by_hand = (found["observed"][name] - exact.mean) / (1 - exact.mean)
            assert found["adjusted"][name] == pytest.approx(by_hand, abs=1e-8)
            if number < 1:
                assert abs(found["simulated"][name] - exact.mean) < 4.5 * exact.std / 17_000**0.5
        assert ("simulated" in found, "p" in found) == (number < 1, number < 1)


def test_the_p_value_is_that_of_every_one_of_the_nine_indices():
    """On a table whose law is short: 3 x 3 and 30 objects."""
    table = cc.ContingencyTable([[6, 2, 1], [3, 7, 1], [2, 1, 7]])
    p = math.exp(unit.p_value(table, np.random.default_rng(1)))
    for name in cc.PUBLISHED_INDICES:
        assert cc.adjust_table(table, index=name, method="exact").p_value == pytest.approx(p, rel=1e-9), name


def test_cells_of_the_full_study():
    cells = {cell.name: cell for cell in study.full_cells()}
    assert len(cells) == 18 * 5 + 6 * 13 + 6
    for scenario in SCENARIOS:
        assert cells[f"{scenario.name}/{THE_KMEANS}"].replicates == 1_000
        assert cells[f"{scenario.name}/{THE_EM}"].replicates == 300
    of_three = [name for name in cells if name.startswith("3-") and name.split("/")[1] in EM_FAMILIES]
    assert len(of_three) == 6 * 14


def test_every_printed_number_gets_a_verdict(six):
    verdicts = tables.verdicts_of(six)
    assert set(verdicts) == {THE_KMEANS, THE_EM}
    found = {place for each in verdicts.values() for place in each}
    assert found == set(paper.PRINTED)
    misprints = [place for each in verdicts.values() for place, one in each.items() if one.word == "misprint"]
    assert misprints == list(paper.ARITHMETIC)


def test_a_wrong_correction_would_differ_from_the_print():
    """Negative control: expected values off by 0.02 are found in balanced, well separated groups."""
    cell = study.cell(SCENARIO["3-balanced-well"], THE_KMEANS, 40)
    right, wrong = records_of(cell, 40), []
    for each in right:
        wrong.append(each | {"expected": {name: x + 0.02 for name, x in each["expected"].items()}})
    words = []
    for found in (right, wrong):
        outcome = Outcome(cells=(cell,), records={cell.name: found}, seconds={}, seed=1)
        verdicts = tables.verdicts_of(outcome)[THE_KMEANS]
        words.append([each.word for place, each in verdicts.items() if place.quantity == "simulated"])
    assert words == [["agrees"] * 9, ["differs"] * 9]


def test_claims_are_computed_from_the_cells(six):
    found = {each.text: each for each in claims.claims_of(tables.rows_of(six))}
    assert set(found) == set(claims.CLAIMS)
    assert found["R and C are equal after adjustment"].word == "agrees"
    most_affected = found["GL is the most affected by correction"]
    assert most_affected.word == "differs"  # the print's own table 7: RR, .323 to .235
    assert most_affected.evidence.endswith("elsewhere russell_rao")
    assert found["correction is particularly essential for poorly separated clusters"].word == "agrees"
    assert found["for moderately separated clusters correction is minor"].word == "differs"
    assert "16,588 draws" in found["17,000 tables ensure averages with 99 % confidence"].evidence


def test_a_claim_can_fail(six):
    """With k-means and EM exchanged EM is no longer the better."""
    rows = tables.rows_of(six)
    other = {THE_EM: THE_KMEANS, THE_KMEANS: THE_EM}
    exchanged = [row | {"clusterer": other[row["clusterer"]]} for row in rows]
    better, worse = (
        int(re.search(r"most: (\d) of 6", each.rule)[1])
        for these in (rows, exchanged)
        for each in claims.claims_of(these)
        if each.text.startswith("EM is generally better")
    )
    assert better > 3 > worse == 6 - better


def test_overlaps_are_the_printed_ones_but_for_three_misprints():
    words = {place: verdict.word for place, verdict in report.overlap_verdicts().items()}
    misprints = {place for place, word in words.items() if word == "misprint"}
    assert misprints == {
        ("balanced", "moderate", "average"),
        ("unbalanced", "well", "average"),
        ("unbalanced", "well", "maximum"),
    }
    assert {word for place, word in words.items() if place not in misprints} == {"agrees"}


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_a_quick_run_through_the_door(tmp_path, capsys):
    """Two cells, then the same again from what is kept: the same files, but for the times."""
    arguments = ["amorim_cardoso_2014", "--only", "3-balanced-well/*", "--jobs", "1"]
    arguments += ["--cache", str(tmp_path / "kept"), "--folder"]
    for name in ("first", "second"):
        assert door.main([*arguments, str(tmp_path / name)]) == 0
    assert "amorim_cardoso_2014: 60 units in" in capsys.readouterr().out
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("first", "second")
    )
    assert set(first) == {
        "README.md", "appendix.md", "groups_3.md", "cells.csv", "verdicts.csv", "p_values.csv", "times.md",
        "summary.json", "map.png", "families.png", "observed_adjusted.png", "approximations.png",
        "null_law.png",
    }  # fmt: skip
    assert first == second
    assert_sections_stand_as_kept("amorim_cardoso_2014", tmp_path / "first")
    assert set(re.findall(r"!\[[^]]*\]\(([^)]*)\)", first["README.md"].decode())) <= set(first)
    rows = list(csv.DictReader(first["verdicts.csv"].decode().splitlines()))
    assert len(rows) == 3 * 52
    assert {row["clusterer"] for row in rows} == {THE_KMEANS, THE_EM, "em_lk_c"}
