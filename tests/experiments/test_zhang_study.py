"""The study of Zhang, Wong & Shen in small: formulas against loops and fractions, claims, what is written."""

import csv
import itertools
import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from experiments import __main__ as door
from experiments.common.runs import Outcome
from experiments.common.units import Clock
from experiments.zhang_wong_shen_2012 import (
    chance,
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
from tests.ensembles.test_consensus import naive_arimm
from tests.experiments.pages import assert_sections_stand_as_kept

SETS = ("UCI-iris", "UCI-wine")


def rng(seed=1):
    return np.random.default_rng(seed)


def by_pairs(P, Q):
    """Eq. 14 as printed, from consensus matrices in fractions."""
    shares = (np.equal(each[:, :, None], each[:, None]).sum(axis=0).tolist() for each in (P, Q))
    return naive_arimm(
        *(
            [[Fraction(x, len(each)) for x in row] for row in M]
            for M, each in zip(shares, (P, Q), strict=True)
        )
    )


def test_sums_of_tables_are_those_of_pairs():
    P, Q = (ensembles.random_partitions(40, sizes, rng()) for sizes in ([2, 5, 3, 3], [4, 2, 6]))
    for one, other in ((P, Q), (P, Q[:1]), (P, P)):
        found = sums.sums_of_tables(one, other).adjusted(40)
        assert found == by_pairs(one, other)
        whole = cc.ensembles.arimm(cc.ensembles.consensus_matrix(one), cc.ensembles.consensus_matrix(other))
        assert float(found) == pytest.approx(whole, abs=1e-12)


def test_proposition_1_in_fractions():
    found = exact.equal_indices(4, rng())
    assert (found["pairs"], found["equal"]) == (15**2, 15**2 - 2)
    assert found["undefined"] == 2  # all apart twice, all together twice
    assert found["largest difference"] < 1e-12


def test_the_worked_example_and_its_misprint():
    """0.25 - 1 / 12 over 0.5 - 1 / 12; as printed 0.125 - 1 / 48 over 0.25 - 1 / 48."""
    assert exact.self_of(paper.MATRIX_2_MEANT) == Fraction(2, 5)
    assert exact.self_of(paper.MATRIX_2) == Fraction(5, 11)
    assert exact.self_of(paper.MATRIX_1) == 1
    with pytest.raises(ValueError, match="must be symmetric"):
        cc.ensembles.arimm(paper.MATRIX_2, paper.MATRIX_2)


def test_every_set_of_table_2_is_loaded_or_said_to_be_missing():
    assert set(datasets.AVAILABLE) | set(datasets.MISSING) == set(paper.DATA_SETS)
    verdicts = tables.size_verdicts(1)
    assert len(verdicts) == 24
    words = {place: verdict.word for place, verdict in verdicts.items()}
    assert {place[0] for place, word in words.items() if word == "not reachable"} == {"UCI-pima"}
    assert {word for place, word in words.items() if place[0] != "UCI-pima"} == {"agrees"}


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
    units = {cell.name: [(cell.inputs, k, 1, Clock()) for k in range(cell.replicates)] for cell in cells}
    records = {
        name: [json.loads(json.dumps(unit.evaluate(*each))) for each in every]
        for name, every in units.items()
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


@pytest.mark.slow
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
    assert found["overlapping subsets"] == found["eq. 29"] == "not reachable"  # no experiment, no cell


@pytest.mark.slow
@pytest.mark.usefixtures("two_sets")
def test_claims_can_fail(outcome):
    def reverse_truth(each):
        for choice in each.values():
            choice["ARImp"] = {scale: values[::-1] for scale, values in choice["ARImp"].items()}
        return each

    for name, experiment, change in (
        ("ARImp near 0", "curves", lambda each: each | {"ARImp": [x + 0.1 for x in each["ARImp"]]}),
        ("ANMI grows", "curves", lambda each: each | {"ANMI": each["ANMI"][::-1]}),
        (
            "proposition 1",
            "exact",
            lambda each: each | {"proposition 1": each["proposition 1"] | {"equal": 3}},
        ),
        ("proposition 2", "limits", lambda each: each | {"ARImp": each["ARImp"] + 0.1}),
        ("ARImp by truth", "similarities", reverse_truth),
    ):
        assert words(outcome)[name] == "agrees"
        assert words(changed(outcome, experiment, change))[name] == "differs", name


@pytest.mark.long
def test_a_quick_run_through_the_door(tmp_path, capsys):
    """All experiments, then the same again from what is kept: the same files, but for the times."""
    for package in ("pymetis", "mtkahypar", "distributed"):
        pytest.importorskip(package, reason="an extra is not installed")
    kept = str(tmp_path / "kept")
    arguments = ["zhang_wong_shen_2012", "--quick", "--jobs", "2", "--cache", kept, "--folder"]
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


def naive_frobenius_similarity(P, Q):
    cells = zip(itertools.chain(*P), itertools.chain(*Q), strict=True)
    return 1 - math.sqrt(sum((Fraction(p) - Fraction(q)) ** 2 for p, q in cells)) / len(P) ** 2


def naive_kernel_alignment(P, Q):
    def trace(A, B):
        n = len(A)
        return sum(Fraction(A[i][j]) * Fraction(B[i][j]) for i in range(n) for j in range(n))

    return trace(P, Q) / math.sqrt(trace(P, P) * trace(Q, Q))


def naive_scaled_mantel_statistic(P, Q):
    """Equations 10 and 11 as printed, with standard deviations of divisor d - 1."""
    pairs = list(itertools.combinations(range(len(P)), 2))
    d = len(pairs)
    sides = [[Fraction(M[i][j]) for i, j in pairs] for M in (P, Q)]
    means = [sum(side) / d for side in sides]
    deviations = [[value - mean for value in side] for side, mean in zip(sides, means, strict=True)]
    std = [math.sqrt(sum(x * x for x in side) / (d - 1)) for side in deviations]
    statistic = sum(float(x) / std[0] * float(y) / std[1] for x, y in zip(*deviations, strict=True)) / (d - 1)
    return (1 + statistic) / 2


def test_measures_of_two_matrices_are_those_of_the_text():
    rng = np.random.default_rng(4)
    for n in (3, 5, 11):
        P, Q = (np.triu(each) + np.triu(each, 1).T for each in rng.random((2, n, n)))
        for name, naive in NAIVE.items():
            value = chance.compare_matrices(P, Q)[name]
            assert value == pytest.approx(float(naive(P.tolist(), Q.tolist())), rel=1e-12), name


NAIVE = {
    "NSF": naive_frobenius_similarity,
    "KAS": naive_kernel_alignment,
    "sSMS": naive_scaled_mantel_statistic,
}


def test_normalised_mutual_information_of_many():
    """Against the catalogue's, pair by pair."""
    partitions, one = np.random.default_rng(2).integers(0, 4, (6, 30)), np.array([[0] * 30])
    wanted = [[cc.score(P, Q, "nmi_sqrt") for Q in partitions[:3]] for P in partitions]
    assert sums.compute_nmi(partitions, partitions[:3]) == pytest.approx(np.array(wanted), rel=1e-12)
    assert not sums.compute_nmi(one, partitions).any()  # of a single cluster
