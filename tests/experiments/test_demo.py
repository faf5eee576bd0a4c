"""The demo: what it prints, and what it needs."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.metrics import adjusted_rand_score

import chancecorr as cc
from experiments.common.data import load_dataset

DEMO = Path(__file__).resolve().parents[2] / "experiments" / "demo" / "demo.py"


@pytest.fixture(scope="module")
def demo():
    return runpy.run_path(str(DEMO))


def test_demo_prints_the_nine_adjusted_indices(demo, capsys):
    scores = demo["main"]()
    out = capsys.readouterr().out
    irises = load_dataset("iris")
    assert list(scores) == list(cc.PUBLISHED_INDICES)
    for name, score in scores.items():
        line = next(line for line in out.splitlines() if line.startswith(name))
        shown = float(line.removeprefix(name).removeprefix(": ARI").split()[3])
        assert abs(shown - score.adjusted) <= 0.05 * score.adjusted_monte_carlo_error  # two digits of it
    expected = adjusted_rand_score(irises.labels, demo["cluster"](irises.X))
    exact = cc.adjust(irises.labels, demo["cluster"](irises.X), index=["rand", "czekanowski"])
    for name in ("rand", "czekanowski"):
        assert exact[name].adjusted == pytest.approx(expected, rel=1e-12)
        assert abs(scores[name].adjusted - expected) < 4.5 * scores[name].adjusted_monte_carlo_error
        assert abs(scores[name].null.z_of_difference) < 4.5


@pytest.mark.slow
def test_demo_runs_from_anywhere_without_optional_packages(tmp_path):
    absent = ["sklearn", "matplotlib", "pandas", "pyarrow", "clusim", "distributed"]
    code = f"import runpy, sys; sys.modules.update(dict.fromkeys({absent}));"
    command = [sys.executable, "-c", f"{code} runpy.run_path({str(DEMO)!r}, run_name='__main__')"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.startswith("150 irises: species (rows) against k-means clusters (columns)")
