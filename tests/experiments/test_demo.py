"""The demo: its data, and what it prints."""

import runpy
from pathlib import Path

import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

import chancecorr as cc

DEMO = Path(__file__).resolve().parents[2] / "experiments" / "demo" / "demo.py"


@pytest.fixture(scope="module")
def demo():
    return runpy.run_path(str(DEMO))


def test_data_are_fishers_irises(demo):
    measurements, species = demo["read_iris"]()
    bunch = load_iris()
    assert [str(bunch.target_names[label]) for label in bunch.target] == species
    assert (measurements == bunch.data).all()


def test_demo_prints_the_nine_adjusted_indices(demo, capsys):
    scores = demo["main"]()
    out = capsys.readouterr().out
    measurements, species = demo["read_iris"]()
    assert list(scores) == list(cc.PUBLISHED_INDICES)
    for name, score in scores.items():
        line = next(line for line in out.splitlines() if line.startswith(name))
        assert f"{score.adjusted:.4f}" in line
    expected = adjusted_rand_score(species, demo["cluster"](measurements))
    exact = cc.adjust(species, demo["cluster"](measurements), index=["rand", "czekanowski"])
    assert exact["rand"].adjusted == pytest.approx(expected, rel=1e-12)
    assert exact["czekanowski"].adjusted == pytest.approx(expected, rel=1e-12)
    for name in ("rand", "czekanowski"):
        assert abs(scores[name].adjusted - expected) < 4.5 * scores[name].adjusted_standard_error
        assert abs(scores[name].null.z_of_difference) < 4.5
