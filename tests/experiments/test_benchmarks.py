"""The benchmark scripts run, in a tiny form, and return what they promise; nothing is asserted on speed."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "experiments" / "benchmarks"
TINY = 0.002
RATIO = {"ratio", "ratio min", "ratio max"}


@pytest.fixture
def load():
    """Function that imports a script."""
    return lambda name: importlib.import_module(f"experiments.benchmarks.{name}")


PROMISED = {
    "sampling": {"shape", "n", "tables", "chancecorr, µs a table", "SciPy by", "SciPy, µs a table", *RATIO},
    "end_to_end": {"adjusted indices", "method", "tables", "chancecorr, ms", "permutations timed", *RATIO},
    "labels": {"labels", "n", "chancecorr, s", "scikit-learn, s", *RATIO},
    "prototypes": {"prototypes", "given as", "chancecorr, ms", "scikit-learn, ms", *RATIO},
    "startup": {"step", "processes", "statement, ms", "from the start, ms", "process, ms"},
    "memory": {"tables", "peak, MiB", "above the warmed interpreter, MiB", "seconds"},
    "workers": {"shape", "n", "tables", "1 thread, s", "2 threads, s", "speed-up"},
    "exact": set(),
    "tails": set(),
    "catalogue": {"index", "method", "s"},
    "models": {"model", "chancecorr, µs a comparison", "clusim, µs a comparison", *RATIO},
    "similarity": {"clusterings", "index", "permutations", "s", "above the warmed interpreter, MiB"},
}
ROWS = {
    "sampling": 5,
    "end_to_end": 3,
    "labels": 13,
    "prototypes": 6,
    "startup": 7,
    "memory": 4,
    "workers": 3,
    "exact": 13,
    "tails": 16,
    "catalogue": 8,
    "models": 5,
    "similarity": 7,
}
NOT_ALWAYS_POSITIVE = ("above", "difference", "fitted to", "seconds")


def assert_positive(row):
    for key, value in row.items():
        if not isinstance(value, str) and not key.startswith(NOT_ALWAYS_POSITIVE):
            assert value > 0 or (key == "tables" and value == 0), (key, row)


LONG = {"startup", "memory", "similarity"}  # start many processes, the first compile all kernels


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in PROMISED]
)
@pytest.mark.heavy
def test_script_measures_what_it_promises(load, name):
    rows = load(name).measure(scale=TINY)
    assert len(rows) == ROWS[name]
    for row in rows:
        assert set(row) >= PROMISED[name]
        assert_positive(row)
        if "ratio" in row:
            assert row["ratio min"] <= row["ratio"] <= row["ratio max"]
        if "seconds" in row:
            assert (row["seconds"] > 0) == (row["tables"] > 0)
    json.dumps(rows)


@pytest.mark.heavy
def test_cost_model_fits_and_judges(load):
    script = load("cost_model")
    rows = script.measure(scale=TINY)
    constants = [row for row in rows if "constant" in row]
    losses = [row for row in rows if "mean loss" in row]
    shapes = [row for row in rows if "chosen" in row]
    assert [row["constant"] for row in constants] == list(script.CONSTANTS)
    assert {(row["constants"], row["use"]) for row in losses} == {
        (which, use) for which in ("now", "fitted to both") for use in script.USES
    }
    assert len(shapes) >= 8
    for row in [*constants, *losses, *shapes]:
        assert_positive(row)
    for row in constants:
        assert all(value >= 0 for value in list(row.values())[1:])
    for row in losses:
        assert 1 <= row["mean loss"] <= row["worst loss"]


def test_cost_model_knows_the_forecast_of_the_package(load):
    script = load("cost_model")
    constants = [getattr(script.costs, name) for name in script.CONSTANTS]
    for _, row_totals, column_totals in script.grid():
        margins = script.cc.Margins(row_totals, column_totals)
        for method, found in script.features(margins).items():
            forecast = sum(x * constant for x, constant in zip(found, constants, strict=True))
            assert script.plan_sampler(margins, method).nanoseconds == pytest.approx(forecast, rel=1e-12)


def test_clusterings_of_the_end_to_end_benchmark(load):
    script = load("end_to_end")
    table = script.cc.contingency_table(*script.two_clusterings())
    assert table.row_totals.tolist() == table.column_totals.tolist() == [240, 240, 320]


def test_markdown_begins_a_new_table_where_the_keys_change(load):
    render = load("timing").markdown
    rows = [{"a": 1, "b": "x"}, {"a": 12_345, "b": "y"}, {"c": 0.123456}]
    assert render(rows).splitlines() == [
        "| a | b |",
        "| ---: | --- |",
        "| 1 | x |",
        "| 12,345 | y |",
        "",
        "| c |",
        "| ---: |",
        "| 0.123 |",
    ]


def test_report_holds_every_script_and_no_machine(load):
    script = load("run")
    others = {"__init__", "headline", "run", "timing"}
    assert {path.stem for path in FOLDER.glob("*.py")} == {*script.SCRIPTS, *others}
    report = script.render({name: [{"time": 1.5}] for name in script.SCRIPTS}, script.environment())
    assert "This file is generated" in report.splitlines()[2]
    for name in script.SCRIPTS:
        assert f"\n`{name}.py`. " in report
    assert str(ROOT) not in report
    assert "- numba: " in report


@pytest.mark.heavy
def test_script_prints_its_table():
    command = [sys.executable, "-m", "experiments.benchmarks.labels", "--scale", str(TINY)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("| labels | n | chancecorr, s |")
