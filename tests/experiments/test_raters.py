"""The study of raters: its coefficients beside the package's and those of many items, and a tiny run."""

import numpy as np
import pytest

import chancecorr as cc
from experiments.coverage import raters
from tests.experiments.pages import rows_of


def compute(labels, rated, K):
    sums = raters.list_sums(labels, rated, K).sum(axis=0, keepdims=True)
    found = raters.compute_coefficients(sums, len(labels), K)
    return {model: float(values[0]) for model, values in found.items()}


@pytest.mark.parametrize("design", raters.DESIGNS, ids=str)
def test_coefficients_of_the_population_are_those_of_many_items(design):
    """The standard error of 300,000 items is at most 0.002; groups of ten items have up to twice that."""
    many = design._replace(n=300_000, groups=30_000 if design.groups else 0)
    labels, rated, _ = raters.draw_ratings(many, np.random.default_rng(1))
    found, truths = compute(labels, rated, len(design.shares)), raters.compute_truths(design)
    assert found == pytest.approx(truths, abs=0.01)


@pytest.mark.parametrize("design", [raters.DESIGNS[k] for k in (2, 5, 6)], ids=str)
def test_coefficients_are_those_of_the_package(design):
    for seed in range(3):
        labels, rated, _ = raters.draw_ratings(design, np.random.default_rng(seed))
        texts = np.where(rated, labels.astype(str), None).tolist()
        for model, value in compute(labels, rated, len(design.shares)).items():
            agreement = cc.comparison.agreement(texts, "cohen_kappa", model=model, missing="drop", n_tables=2)
            assert agreement.adjusted == pytest.approx(value, abs=1e-12)


def test_the_bootstrap_draws_items_or_groups():
    """Four equal groups have the same coefficients in each resample; single items do not."""
    labels, rated, _ = raters.draw_ratings(raters.DESIGNS[0], np.random.default_rng(0))
    sums = np.tile(raters.list_sums(labels, rated, 2), (4, 1))
    for groups, is_varied in ((np.repeat(np.arange(4), 30), False), (np.arange(120), True)):
        values = raters.resample(sums, groups, 3, 2, np.random.default_rng(0))
        assert all((drawn.std() > 0.01) == is_varied for drawn in (values["permutation"], values["uniform"]))


def test_a_tiny_run(tmp_path, monkeypatch):
    monkeypatch.setattr(raters, "DESIGNS", (raters.DESIGNS[0], raters.DESIGNS[6]))
    raters.main(["--samples", "2", "--folder", str(tmp_path)])
    rows = rows_of(tmp_path / "raters.csv")
    assert len(rows) == 2 * len(raters.MODELS) * 2
    assert {row["samples"] for row in rows} == {"2"}


def test_kept_results():
    """With 600 samples, the standard error of a coverage of 95 % is 0.9 %."""
    rows = rows_of(raters.HERE / "raters.csv")
    assert len(rows) == len(raters.DESIGNS) * len(raters.MODELS) * 2
    for row in rows:
        if row["method"] == "chancecorr":
            assert 0.935 < float(row["held"]) < 0.985
            assert float(row["none"]) == 0.0
