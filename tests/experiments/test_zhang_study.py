"""The study of Zhang, Wong & Shen in small: formulas against loops and fractions, claims, what is written."""

import csv
import itertools
import json
import re
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from experiments import __main__ as door
from experiments.common.runs import Outcome
from experiments.common.units import Clock
from experiments.zhang_wong_shen_2012 import (
    clusterings,
    datasets,
    ensembles,
    exact,
    held,
    paper,
    report,
    study,
    sums,
    tables,
    unit,
)
from tests.experiments.pages import assert_sections_stand_as_kept

SETS = ("UCI-iris", "UCI-wine")


def rng(seed=1):
    return np.random.default_rng(seed)


def two_ensembles(n=40, seed=1):
    return tuple(ensembles.random_partitions(n, sizes, rng(seed)) for sizes in ([2, 5, 3, 3], [4, 2, 6]))


def by_pairs(P, Q):
    """Eq. 14 as printed, from consensus matrices in fractions."""
    n = P.shape[1]
    t0 = t1 = t2 = Fraction(0)
    for i, j in itertools.permutations(range(n), 2):
        p = Fraction(int((P[:, i] == P[:, j]).sum()), len(P))
        q = Fraction(int((Q[:, i] == Q[:, j]).sum()), len(Q))
        t0, t1, t2 = t0 + p * q / 2, t1 + p / 2, t2 + q / 2
    t3 = 2 * t1 * t2 / (n * (n - 1))
    return (t0 - t3) / ((t1 + t2) / 2 - t3)


# Sums over pairs


def test_sums_of_tables_are_those_of_pairs():
    P, Q = two_ensembles()
    for one, other in ((P, Q), (P, Q[:1]), (P, P)):
        found = sums.sums_of_tables(one, other).adjusted(40)
        assert found == by_pairs(one, other)
        whole = cc.ensembles.arimm(cc.ensembles.consensus_matrix(one), cc.ensembles.consensus_matrix(other))
        assert float(found) == pytest.approx(whole, abs=1e-12)


# Fractions


def test_proposition_1_in_fractions():
    found = exact.equal_indices(4, rng())
    assert found["pairs"] == 15**2
    assert found["undefined"] == 2  # all apart twice, all together twice
    assert found["equal"] == 15**2 - 2
    assert found["largest difference"] < 1e-12


def test_the_worked_example_and_its_misprint():
    """0.25 - 1 / 12 over 0.5 - 1 / 12; as printed 0.125 - 1 / 48 over 0.25 - 1 / 48."""
    assert exact.self_of(paper.MATRIX_2_MEANT) == Fraction(2, 5)
    assert exact.self_of(paper.MATRIX_2) == Fraction(5, 11)
    assert exact.self_of(paper.MATRIX_1) == 1
    with pytest.raises(ValueError, match="must be symmetric"):
        cc.ensembles.arimm(paper.MATRIX_2, paper.MATRIX_2)


# Data sets


def test_every_set_of_table_2_is_loaded_or_said_to_be_missing():
    assert set(datasets.AVAILABLE) | set(datasets.MISSING) == set(paper.DATA_SETS)
    verdicts = tables.size_verdicts(1)
    assert len(verdicts) == 24
    words = {place: verdict.word for place, verdict in verdicts.items()}
    assert {place[0] for place, word in words.items() if word == "not reachable"} == {"UCI-pima"}
    assert {word for place, word in words.items() if place[0] != "UCI-pima"} == {"agrees"}


# Claims


@pytest.fixture(scope="module")
def outcome():
    """All experiments on few objects and two data sets."""
    cells = (
        study.exact_cell(3),
        *(study.limit_cell(N, 30) for N in (40, 80, 160)),
        *(study.curve_cell(N, L, range(2, 8), 10) for N in (60, 120, 240) for L in (3, 12)),
        *(
            study.clustering_cell(name, clusters, sets=1, clusterings=51, trials=2)
            for name in SETS
            for clusters in clusterings.RECIPES
        ),
        *(study.similarity_cell(name, 1) for name in SETS),
    )
    records = {
        cell.name: [
            json.loads(json.dumps(unit.evaluate(cell.inputs, replicate, 1, Clock())))
            for replicate in range(cell.replicates)
        ]
        for cell in cells
    }
    return Outcome(cells=cells, records=records, seconds={}, seed=1)


@pytest.fixture
def two_sets(monkeypatch):
    monkeypatch.setattr(held, "AVAILABLE", SETS)


def changed(outcome, experiment, change):
    """An outcome with records of an experiment changed."""
    records = dict(outcome.records)
    for cell, found in tables.units_of(outcome, experiment):
        records[cell.name] = [change(json.loads(json.dumps(record))) for record in found]
    return Outcome(cells=outcome.cells, records=records, seconds={}, seed=1)


def words(outcome):
    return {each.name: each.claim.word for each in report.findings_of(outcome)}


@pytest.mark.heavy
@pytest.mark.usefixtures("two_sets")
def test_claims_are_computed_from_the_cells(outcome):
    found = words(outcome)
    assert len(found) == len(report.CLAIMS)
    for name in (
        "proposition 1", "proposition 2", "proposition 3", "sub-matrices", "uncertainty",
        "upper bound", "ANMI grows", "ARImp near 0", "ARImp by truth", "diagonals",
    ):  # fmt: skip
        assert found[name] == "agrees", name
    for name in ("lower bound", "a constant", "only ARImm"):
        assert found[name] == "differs", name
    assert [name for name, word in found.items() if word == "misprint"] == [
        "eq. 7", "eq. 21", "proof 3", "eq. 30", "eq. 35, second line"
    ]  # fmt: skip
    assert (
        found["overlapping subsets"] == found["eq. 29"] == "not reachable"
    )  # no such experiment, no such cell


@pytest.mark.heavy
@pytest.mark.usefixtures("two_sets")
def test_claims_can_fail(outcome):
    def biased(record):
        return record | {"ARImp": [value + 0.1 for value in record["ARImp"]]}

    def falling(record):
        return record | {"ANMI": record["ANMI"][::-1]}

    def unequal(record):
        return record | {"proposition 1": record["proposition 1"] | {"equal": 3}}

    def shifted(record):
        return record | {"ARImp": record["ARImp"] + 0.1}

    def reversed_truth(record):
        for choice in record.values():
            choice["ARImp"] = {scale: values[::-1] for scale, values in choice["ARImp"].items()}
        return record

    for name, experiment, change in (
        ("ARImp near 0", "curves", biased),
        ("ANMI grows", "curves", falling),
        ("proposition 1", "exact", unequal),
        ("proposition 2", "limits", shifted),
        ("ARImp by truth", "similarities", reversed_truth),
    ):
        assert words(outcome)[name] == "agrees"
        assert words(changed(outcome, experiment, change))[name] == "differs", name


@pytest.mark.long
def test_a_quick_run_through_the_door(tmp_path, capsys):
    """All experiments, then the same again from what is kept: the same files, but for the times."""
    for package in ("pymetis", "mtkahypar", "distributed"):
        pytest.importorskip(package, reason="an extra is not installed")
    arguments = [
        "zhang_wong_shen_2012", "--quick", "--jobs", "2", "--cache", str(tmp_path / "kept"), "--folder",
    ]  # fmt: skip
    for name in ("first", "second"):
        assert door.main([*arguments, str(tmp_path / name)]) == 0
    assert "zhang_wong_shen_2012: 130 units in" in capsys.readouterr().out
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("first", "second")
    )
    assert first == second
    page = first["README.md"].decode()
    assert_sections_stand_as_kept("zhang_wong_shen_2012", tmp_path / "first")
    shown = set(re.findall(r"!\[[^]]*\]\(([^)]*)\)", page))
    assert shown == {name for name in first if name.endswith(".png")}
    rows = list(csv.DictReader(first["distributed.csv"].decode().splitlines()))
    assert {row["equal"] for row in rows} == {"True"}


def test_cells_of_the_full_study():
    names = [cell.name for cell in study.STUDY.full]
    assert len(names) == len(set(names)) == 2 + 14 + 12 + 7 + 1 + 7
    assert {cell.name for cell in study.STUDY.quick} <= set(names)
    assert study.STUDY.seed == 2012
