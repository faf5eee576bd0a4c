"""The study of Rajasekhara & Pujari in small: Table 1 by hand, units against plain calls, the fit."""

import json
import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import chancecorr as cc
from experiments import __main__ as door
from experiments.common.data import load_dataset
from experiments.common.runs import Outcome
from experiments.common.units import Clock, generator
from experiments.rajasekhara_pujari_2010 import claims, printed, readings, study, sweep, tables, unit
from experiments.rajasekhara_pujari_2010.printed import COLUMNS, FIRST, TABLE_1, TABLE_2
from tests.experiments.pages import assert_sections_stand_as_kept, rows_of
from tests.naive import pair_counts

LENSES = study.cell("lenses", 3, expected=2, last=6)


@pytest.fixture(scope="module")
def lenses():
    units = [unit.evaluate(LENSES.inputs, replicate, 1, Clock()) for replicate in range(3)]
    records = json.loads(json.dumps(units))
    return Outcome(cells=(LENSES,), records={LENSES.name: records}, seconds={LENSES.name: {}}, seed=1)


def by_hand(column, first, second):
    """The paper's formulas in fractions, Jaccard's with v11 for v00."""
    v11, v10, v01, v00 = pair_counts(first, second)
    t1, t2, pairs = v11 + v10, v11 + v01, 28
    t3 = Fraction(t1 * t2, pairs)
    if column == "rand":
        return Fraction(v00 + v11, pairs)
    if column == "jaccard":
        return Fraction(v11, v11 + v01 + v10)
    if column == "adjusted_rand":
        return (v11 - t3) / (Fraction(t1 + t2, 2) - t3)
    if column == "wallace":
        return v11 / math.sqrt(t1 * t2)
    if column == "nmi":
        return nmi_by_hand(first, second)
    return irm_by_hand(first, second)


def groups(labels):
    return [{i for i, label in enumerate(labels) if label == each} for each in sorted(set(labels))]


def irm_by_hand(first, second):
    left = {(0, i): len(group) for i, group in enumerate(groups(first))}
    left |= {(1, j): len(group) for j, group in enumerate(groups(second))}
    places = product(enumerate(groups(first)), enumerate(groups(second)))
    similarities = {(i, j): Fraction(len(a & b), len(a | b)) for (i, a), (j, b) in places}
    total = Fraction(0)
    for i, j in sorted(similarities, key=lambda pair: -similarities[pair]):
        credit = min(left[0, i], left[1, j])
        left[0, i] -= credit
        left[1, j] -= credit
        total += credit * similarities[i, j]
    return total / 8


def nmi_by_hand(first, second):
    """As the paper prints it: I over the sum of n_i log(n_i / n), which is n times the entropies."""
    a, b = groups(first), groups(second)
    cells = [(len(x & y), len(x) * len(y)) for x in a for y in b if x & y]
    information = sum(n / 8 * math.log(8 * n / product) for n, product in cells)
    return -information / sum(len(x) * math.log(len(x) / 8) for x in a + b)


@pytest.mark.parametrize(("column", "pair"), TABLE_1)
def test_table_1_by_hand(column, pair):
    first, second = (tables.labels_of(name) for name in pair.split(", "))
    wanted = float(by_hand(column, first, second))
    assert tables.value_of_table_1(column, pair) == pytest.approx(wanted, rel=1e-12)


def test_verdicts_on_table_1():
    verdicts = tables.table_1()
    assert sum(verdict.word == "agrees" for verdict in verdicts.values()) == 8
    assert {key for key, verdict in verdicts.items() if verdict.word == "misprint"} == {
        ("wallace", "P1, P2"), ("wallace", "P1, P3"), ("rand", "P1, P3"), ("nmi", "P1, P2"),
    }  # fmt: skip
    cut = {key for key, verdict in verdicts.items() if verdict.reason.startswith("cut off")}
    assert cut == {("rand", "P1, P2"), ("adjusted_rand", "P1, P3"), ("nmi", "P1, P3")}


@pytest.mark.parametrize("order", ["given", "sorted"])
def test_units_are_what_plain_calls_give(lenses, order):
    dataset = load_dataset("lenses")
    classes = dataset.labels if order == "given" else np.sort(dataset.labels)
    names = printed.REGISTERED | {"accuracy": "maximum_matching_accuracy"}
    for replicate, found in enumerate(lenses.records[LENSES.name]):
        stream = generator(1, "clustering", "lenses", "raw", "distinct", replicate)
        clusters = sweep.clusterings(dataset.X, range(2, 7), "distinct", stream)
        for at, labels in enumerate(clusters):
            assert np.unique(labels).size == at + 2
            for name, index in names.items():
                plain = cc.score(classes, labels, index=index)
                assert found[order][name][at] == pytest.approx(plain, rel=1e-12, abs=1e-15), name
            pairs = cc.contingency_table(classes, labels).pair_counts
            as_printed = pairs.a / (pairs.b + pairs.c + pairs.d)
            assert found[order]["jaccard as printed"][at] == pytest.approx(as_printed, rel=1e-12)


def test_expected_values_are_those_of_the_exact_law(lenses):
    """Within five standard errors of the mean over the random tables; exactly where no table is drawn."""
    dataset = load_dataset("lenses")
    found = lenses.records[LENSES.name][0]["expected"]
    stream = generator(1, "clustering", "lenses", "raw", "distinct", 0)
    clusters = sweep.clusterings(dataset.X, range(2, 7), "distinct", stream)
    for at, labels in enumerate(clusters[:3]):
        margins = cc.contingency_table(labels, dataset.labels).margins
        for name, index in (unit.SIMULATED | unit.ANALYTIC).items():
            law = cc.null_distribution(margins, index, method="exact")
            error = 5.0 * law.std / math.sqrt(study.N_TABLES) if name in unit.SIMULATED else 1e-9
            assert found[name][at] == pytest.approx(law.mean, abs=error), name
    assert set(found["adjusted_rand"]) == {0.0}
    assert "expected" not in lenses.records[LENSES.name][2]


def planted(dataset, right, last, numbers=range(11, 32)):
    """Readings of a row: by one order its sums up to `last` are the printed ones, by others half of them."""
    cell = study.reading(dataset, "raw", "distinct", "stay", 2, 31)
    orders = {}
    for order in ("given", "blocks 1 0", "permuted 0", "permuted 1"):
        share = (1.0 if order == right else 0.5) / (last - FIRST[dataset] + 1)
        orders[order] = {c: [0.3 - share * TABLE_2[dataset, c].value] * len(numbers) for c in COLUMNS}
        orders[order]["accuracy"] = [0.3] * len(numbers)
    return Outcome(cells=(cell,), records={cell.name: [orders, orders]}, seconds={}, seed=1)


@pytest.mark.parametrize(("right", "explained"), [("blocks 1 0", True), ("permuted 1", False)])
def test_a_reading_that_is_planted_is_found_and_one_at_random_explains_nothing(right, explained):
    outcome = planted("heart", right, 28)
    found = readings.best_readings(outcome)["heart"]
    at_random = readings.best_readings(outcome, at_random=True)["heart"]
    assert found.tried == at_random.tried == 2 * len(readings.ENDS)
    best = found if explained else at_random
    assert (best.order, best.last, best.error) == (right, 28, pytest.approx(0.0, abs=1e-9))
    assert readings.is_explained(found, at_random) == explained
    if explained:
        assert {each.word for each in readings.verdicts_of(outcome, found).values()} == {"agrees"}


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_a_quick_run(tmp_path, capsys):
    arguments = ["rajasekhara_pujari_2010", "--jobs", "1", "--only", "lenses", "iris", "*/raw/distinct/*"]
    folders = ["--folder", str(tmp_path / "results"), "--cache", str(tmp_path / "kept")]
    assert door.main([*arguments, *folders]) == 0
    assert "units in" in capsys.readouterr().out
    assert_sections_stand_as_kept("rajasekhara_pujari_2010", tmp_path / "results")
    page = "".join((tmp_path / "results" / name).read_text() for name in ("README.md", "appendix.md"))
    for heading in (
        "Table 1",
        "Table 2, as stated",
        "What the text says",
        "Corrected for chance",
        "Misprints",
    ):
        assert f"## {heading}" in page
    assert "nan" not in page
    summary = json.loads((tmp_path / "results" / "summary.json").read_text())
    assert sum(sum(each.values()) for each in summary["numbers"].values()) == 12 + 2 * 6
    assert sum(summary["sentences"].values()) == len(claims.CLAIMS)
    assert any("IRM, said to be" in sentence for sentence in summary["answer"])
    rows = rows_of(tmp_path / "results" / "verdicts.csv")
    assert len(rows) == 12 + 3 * 6  # lenses by its nearest reading as well
    for name in ("map.png", "deviations.png", "correction.png", "irm_by_chance.png"):
        assert (tmp_path / "results" / name).stat().st_size > 5_000
