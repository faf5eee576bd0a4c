"""The study of kappa's intervals: its formulas, its intervals beside those of `compare`, and a tiny run."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import chancecorr as cc
from experiments.coverage import kappa
from tests.experiments.pages import rows_of

DESIGN_OF = {(design.name, design.n, design.groups): design for design in kappa.DESIGNS}


def draw(design, seed=0):
    reference, first, second, groups = kappa.draw_items(design, np.random.default_rng(seed))
    return reference, first, second, groups if design.groups else None


def count(reference, rater, K):
    table = np.zeros((K, K))
    np.add.at(table, (reference, rater), 1)
    return table


@pytest.mark.parametrize("design", kappa.DESIGNS, ids=str)
def test_kappa_of_the_population_is_that_of_many_items(design):
    """The error of a million items is below 0.0015; groups have ten times the variance."""
    many = design._replace(n=1_000_000, groups=100_000 if design.groups else 0)
    reference, first, second, _ = draw(many, 4)
    scores = [cohen_kappa_score(reference, rater) for rater in (first, second)]
    truths = kappa.compute_truths(design)
    limit = 5 * 0.0015 * (3 if design.groups else 1)
    assert scores[0] == pytest.approx(truths["kappa"], abs=limit)
    assert scores[0] - scores[1] == pytest.approx(truths["difference"], abs=1.5 * limit)


def test_the_standard_error_is_the_published_formula():
    """Fleiss, Cohen & Everitt (1969), written as sums over cells; and the slope of kappa in each cell."""
    reference, first, _, _ = draw(kappa.DESIGNS[7])
    table = count(reference, first, 3)
    p, n = table / table.sum(), table.sum()
    rows, columns, score = p.sum(axis=1), p.sum(axis=0), float(kappa.compute_kappa(table))
    assert score == pytest.approx(cohen_kappa_score(reference, first), rel=1e-12)
    expected = rows @ columns
    inner = sum(p[i, i] * (1 - (rows[i] + columns[i]) * (1 - score)) ** 2 for i in range(3))
    outer = sum(p[i, j] * (columns[i] + rows[j]) ** 2 for i in range(3) for j in range(3) if i != j)
    published = inner + (1 - score) ** 2 * outer - (score - expected * (1 - score)) ** 2
    influence = kappa.compute_influence(table)[reference, first]
    assert influence.var() / n == pytest.approx(published / n / (1 - expected) ** 2, rel=1e-10)
    step = 1e-6
    for cell in np.ndindex(3, 3):
        moved = (1 - step) * p
        moved[cell] += step
        slope = (float(kappa.compute_kappa(moved)) - score) / step
        assert kappa.compute_influence(table)[cell] - influence.mean() == pytest.approx(slope, abs=1e-4)


@pytest.mark.parametrize("design", [kappa.DESIGNS[k] for k in (0, 3, 7, 9)], ids=str)
def test_intervals_are_what_compare_gives(design):
    for seed in range(3):
        reference, first, second, groups = draw(design, seed)
        found = kappa.make_intervals(design, np.random.default_rng(seed))
        comparison = cc.compare(
            reference, {"first": first, "second": second}, "cohen_kappa", groups=groups, correction=None
        )
        difference = comparison.difference("first", "second").interval
        assert found["kappa", "chancecorr"] == pytest.approx([*comparison["first"].interval], abs=1e-9)
        assert found["difference", "chancecorr"] == pytest.approx([*difference], abs=1e-9)


def test_the_bootstrap_draws_items_or_groups():
    """The standard error of 999 resamples beside the formula, to five of its errors; and equal groups."""
    design = kappa.DESIGNS[7]
    reference, first, second, _ = draw(design)
    cube = np.zeros((1, 3, 3, 3))
    np.add.at(cube, (0, reference, first, second), 1)
    drawn, _ = kappa.resample_kappas(cube, np.random.default_rng(0))
    influence = kappa.compute_influence(cube[0].sum(axis=2))[reference, first]
    assert drawn.std() == pytest.approx(influence.std() / np.sqrt(design.n), rel=5 / np.sqrt(2 * 999) + 0.02)
    alike = np.repeat(cube, 4, axis=0)  # four equal groups have the same kappa in each resample
    assert kappa.resample_kappas(alike, np.random.default_rng(0))[0].std() < 1e-12


def test_a_tiny_run(tmp_path, monkeypatch):
    monkeypatch.setattr(kappa, "DESIGNS", (kappa.DESIGNS[0], kappa.DESIGNS[9]))
    kappa.main(["--samples", "4", "--folder", str(tmp_path)])
    rows = rows_of(tmp_path / "kappa.csv")
    assert len(rows) == 2 * 2 * 3
    assert {row["samples"] for row in rows} == {"4", "2"}


def test_kept_results():
    """Intervals of this package hold both values in all designs; the formula that ignores groups does not."""
    rows = rows_of(kappa.HERE / "kappa.csv")
    assert len(rows) == len(kappa.DESIGNS) * 2 * 3
    for row in rows:
        held, grouped = float(row["held"]), row["groups"] != "0"
        design = DESIGN_OF[row["categories"], int(row["n"]), int(row["groups"])]
        assert float(row["truth"]) == pytest.approx(kappa.compute_truths(design)[row["of"]], abs=1e-6)
        if row["method"] == "chancecorr":
            assert 0.93 < held < 0.98
            assert float(row["none"]) < 0.01
        elif row["method"] == "normal" and grouped:
            assert held < 0.86
