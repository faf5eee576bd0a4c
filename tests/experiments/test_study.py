"""The study in small: bits, resumption after a kill, tables against plain loops, and what is written."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import chancecorr as cc
from experiments.amorim_cardoso_2014 import paper, report, tables
from experiments.amorim_cardoso_2014.clusterers import CLUSTERERS, DESCRIPTIONS
from experiments.amorim_cardoso_2014.scenarios import OBJECTS, SCENARIOS, data_of, mixture_of
from experiments.amorim_cardoso_2014.study import run, seconds_of_correction
from tests.processes import wait_until

pytestmark = pytest.mark.heavy
ROOT = Path(__file__).resolve().parents[2]
SMALL = [scenario for scenario in SCENARIOS if scenario.name in ("3-balanced-well", "3-unbalanced-poor")]
COMMAND = [
    sys.executable, "-m", "experiments.amorim_cardoso_2014",
    "--scenario", "3-balanced-well", "3-unbalanced-poor",
    "--clusterer", "kmeans_spss", "em_mixmod", "--datasets", "4", "--seed", "7",
]  # fmt: skip
FILES = {
    "README.md", "groups_3.md", "agreement.csv", "expectations.csv", "mixtures.json", "overlaps.csv",
    "tables.csv", "approximations.png", "null_laws.png", "observed_adjusted.png",
}  # fmt: skip


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    cache = tmp_path_factory.mktemp("kept")
    found = run(SMALL, ["kmeans_spss", "em_mixmod"], datasets=4, seed=7, jobs=1, cache=cache)
    return [unit for unit, _ in found]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Results of a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    return contents(study(folder, "--jobs", "1"))


def study(folder, *options):
    arguments = [*COMMAND, "--folder", str(folder / "results"), "--cache", str(folder / "kept"), *options]
    subprocess.run(arguments, cwd=ROOT, check=True, capture_output=True)
    return folder / "results"


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_eighteen_scenarios():
    assert len({scenario.name for scenario in SCENARIOS}) == 18
    slow = [scenario for scenario in SCENARIOS if scenario.groups == 4][1:]
    quick = [scenario for scenario in SCENARIOS if scenario not in slow]
    for scenario in quick:
        mixture = mixture_of(scenario)
        assert mixture.means.shape == (scenario.groups, scenario.groups)
        assert scenario.n == OBJECTS[scenario.groups]
        assert mixture.weights.sum() == pytest.approx(1.0)


def test_data_go_by_seed_scenario_and_number():
    first, second = SMALL
    objects, groups = data_of(first, 0, seed=1)
    assert objects.shape == (800, 3)
    assert set(groups.tolist()) == {0, 1, 2}
    again, _ = data_of(first, 0, seed=1)
    assert np.array_equal(objects, again)
    for other in (data_of(first, 1, seed=1), data_of(first, 0, seed=2), data_of(second, 0, seed=1)):
        assert not np.array_equal(objects[:5], other[0][:5])


def test_units_are_what_plain_calls_give(units):
    assert len(units) == 16
    for unit in units[::5]:
        table = cc.ContingencyTable(unit.table)
        assert table.n == 800
        for name in cc.PUBLISHED_INDICES:
            assert unit.observed[name] == cc.score_table(table, name)
            exact = cc.null_distribution(table.margins, name, method="exact")
            assert unit.exact[name] == pytest.approx(exact.mean, abs=1e-9)
            assert abs(unit.simulated[name] - exact.mean) < 4.5 * exact.std / 17_000**0.5
            by_hand = (unit.observed[name] - unit.simulated[name]) / (1 - unit.simulated[name])
            assert unit.adjusted[name] == pytest.approx(by_hand, rel=1e-12)


def test_rand_and_czekanowski_are_equal_after_adjustment(units):
    found = tables.claims(units, tables.expectations(units))
    assert found["largest |R - C| adjusted by exact means"] < 1e-12
    assert found["largest |simulated - closed form|, single data sets"] < 5e-4
    assert 0.0 < found["largest |E[GK]|"] < 1e-3


def test_means_and_verdicts(units):
    rows = tables.agreement(units)
    chosen = [unit for unit in units if (unit.scenario, unit.clusterer) == ("3-balanced-well", "kmeans_spss")]
    (row,) = (
        row
        for row in rows
        if (row["design"], row["clusterer"], row["index"]) == ("balanced", "kmeans_spss", "jaccard")
    )
    values = [unit.observed["jaccard"] for unit in chosen]
    assert row["observed"] == pytest.approx(sum(values) / 4)
    assert row["observed cv"] == pytest.approx(np.std(values, ddof=1) / np.mean(values))
    assert row["paper observed"] == paper.AGREEMENT["km"]["balanced"]["well"]["jaccard"][0]
    assert tables.verdict(0.0004, 0.0) == "agrees"
    assert tables.verdict(0.0006, 0.0) == "differs"
    assert tables.verdict(-0.0034, 0.001) == "agrees"
    assert tables.verdict(float("nan"), 0.1) == ""


def test_a_wrong_sampler_would_differ_from_the_printed_expectations(units):
    """Negative control: expectations off by 0.01 are found."""
    import dataclasses

    wrong = [
        dataclasses.replace(unit, simulated={name: value + 0.01 for name, value in unit.simulated.items()})
        for unit in units
        if unit.scenario == "3-balanced-well"
    ]
    verdicts = [
        row["simulated verdict"] for row in tables.expectations(wrong) if row["clusterer"] == "kmeans_spss"
    ]
    assert verdicts.count("differs") == 9


def test_seconds_of_correction_are_few(units):
    assert 0.0 < seconds_of_correction(units) < 30.0


def test_kinds_of_clusterers():
    assert set(tables.KIND) == {*CLUSTERERS, "em_from_groups"} == set(DESCRIPTIONS)
    assert set(tables.KIND.values()) == {"em", "km"}


def test_what_is_written(whole):
    assert set(whole) == FILES
    for name, parts in (
        ("README.md", ("## Overlaps", "k-means from one start", "## Misprints", "(groups_3.md)")),
        ("groups_3.md", ("## em_mixmod", "## kmeans_spss", "(table 4)", "(table 7)")),
    ):
        for part in parts:
            assert part in whole[name].decode()
    rows = list(csv.DictReader(whole["tables.csv"].decode().splitlines()))
    assert len(rows) == 16
    assert sum(int(x) for row in rows[0]["table"].split(";") for x in row.split()) == 800
    assert set(json.loads(whole["mixtures.json"])) == {"3-balanced-well", "3-unbalanced-poor"}


def test_same_bits_from_two_workers(whole, tmp_path):
    assert contents(study(tmp_path, "--jobs", "2")) == whole


@pytest.mark.long
def test_killed_and_run_again_ends_with_the_same_bits(whole, tmp_path):
    """SIGKILL to the whole group in the midst of the units and of the writing, then once to the end."""
    results, kept = tmp_path / "results", tmp_path / "kept"
    arguments = [
        *COMMAND,
        "--jobs",
        "2",
        "--folder",
        str(results),
        "--cache",
        str(kept),
    ]

    def units_kept():
        return len(list(kept.rglob("output.pkl")))

    events = [lambda: units_kept() >= 1, lambda: units_kept() >= 9, lambda: results.is_dir()]
    for event in events:
        process = subprocess.Popen(
            arguments, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            wait_until(event, process)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert set(contents(results)) < FILES
    assert contents(study(tmp_path, "--jobs", "2")) == whole


def test_an_unknown_scenario_is_named():
    arguments = [*COMMAND[:3], "--scenario", "5-balanced-poor"]
    result = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode != 0
    assert "must be one of" in result.stderr
    assert "'5-balanced-poor'" in result.stderr


def test_numbers_in_text():
    assert report.as_csv([{"a": 1.5, "b": float("nan"), "c": "x"}]) == "a,b,c\n1.5,,x\n"
