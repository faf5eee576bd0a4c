"""The study of coverage: limits of adjusted scores, a tiny run, and a control that fails."""

import json

import numpy as np
import pytest

import chancecorr as cc
from experiments.coverage import run
from experiments.coverage.populations import Population, adjusted_limit, blurred, together
from experiments.coverage.simulate import coverage_of_scores

SHARES = blurred(np.array([0.5, 0.3, 0.2]), 0.4, 2)


@pytest.mark.parametrize("name", [*run.NAMES, "purity"])
def test_the_limit_is_that_of_large_tables(name):
    """Ten million objects in the very shares: what is left are terms of order 1/n and 1/sqrt(n)."""
    table = cc.ContingencyTable(np.rint(SHARES * 10_000_000).astype(int))
    options = {"method": "analytic"} if name != "purity" else {"n_tables": 50, "method": "monte-carlo"}
    adjusted = cc.adjust_table(table, index=name, rng=1, **options).adjusted
    assert adjusted == pytest.approx(adjusted_limit(name, SHARES), abs=1e-3 if name == "purity" else 1e-5)


def test_of_equal_clusters_the_limit_of_rand_is_the_square_of_what_is_not_mixed():
    for mixed in (1.0, 0.7, 0.1):
        limit = adjusted_limit("rand", blurred(np.full(4, 0.25), mixed))
        assert limit == pytest.approx((1.0 - mixed) ** 2, abs=1e-12)


def test_populations_are_shares():
    for population in [*run.populations(), *run.pairs_of_candidates()]:
        assert population.shares.sum() == pytest.approx(1.0)
        assert (population.shares >= 0.0).all()
    first, second = SHARES, blurred(np.array([0.5, 0.3, 0.2]), 0.1)
    both = Population(name="both", shares=together(first, second))
    assert both.of_candidate(0) == pytest.approx(first)
    assert both.of_candidate(1) == pytest.approx(second)


def test_a_tiny_run(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "SIZES", (60,))
    monkeypatch.setattr(run, "NAMES", ("rand",))
    run.main(["--samples", "2", "--only", "scores", "differences", "--folder", str(tmp_path)])
    found = json.loads((tmp_path / "results.json").read_text())
    assert [len(found[part]) for part in ("scores", "differences")] == [16, 4]
    assert "## Differences of two candidates" in (tmp_path / "results.md").read_text()


def test_intervals_hold_the_score_and_the_control_is_seen():
    """Of 150 samples, 95 % hold it but for 5 standard errors; those of the control are far wider."""
    population = Population(name="split", shares=blurred(np.array([0.4, 0.3, 0.2, 0.1]), 0.7, 2))
    ours, control = (
        coverage_of_scores(population, 1_000, 150, ("rand",), np.random.default_rng(1), fixed=fixed)[0]
        for fixed in (False, True)
    )
    assert abs(ours.held - 0.95) < 5 * 0.018
    assert control.width > 1.5 * ours.width
