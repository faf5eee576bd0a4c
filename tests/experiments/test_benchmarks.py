"""The benchmark scripts run, in a tiny form, and return what they promise; nothing is asserted on speed."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from chancecorr.sampling.kernels.workspace import cost_of
from experiments.benchmarks import growth

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
    "sampling": {"shape", "n", "use", "chancecorr, µs a table", "SciPy by", "SciPy, µs a table", *RATIO},
    "end_to_end": {"adjusted indices", "method", "tables", "chancecorr, ms", "permutations timed", *RATIO},
    "compare": {"candidates", "indices", "n", "chancecorr, s", "adjust, s", *RATIO},
    "labels": {"labels", "n", "chancecorr, s", "scikit-learn, s", *RATIO},
    "chunked": {"labels", "n", "counted by", "s", "above the imports, MiB", "s / s of path"},
    "pairwise": {"index", "clusterings", "n", "pairwise, s", "scikit-learn in a loop, s", *RATIO},
    "prototypes": {"prototypes", "given as", "chancecorr, ms", "scikit-learn, ms", *RATIO},
    "startup": {"step", "processes", "statement, ms", "from the start, ms", "process, ms"},
    "memory": {"tables", "peak, MiB", "above the warmed interpreter, MiB", "seconds"},
    "workers": {"shape", "n", "tables", "1 thread, s", "2 threads, s", "speed-up"},
    "dask_cluster": {"index", "shape", "tables", "1 thread, tables/s", "Dask, tables/s"},
    "exact": set(),
    "tails": set(),
    "matchings": {"objects", "clusters a side", "weights", "chancecorr, s", "SciPy, s", *RATIO},
    "catalogue": {"index", "method", "s"},
    "models": {"model", "chancecorr, µs a comparison", "clusim, µs a comparison", *RATIO},
    "growth": {"function", "grows with", "from", "to", "exponent of time", "exponent of memory", "surprise"},
    "similarity": {"clusterings", "index", "permutations", "s", "above the warmed interpreter, MiB"},
}
ROWS = {
    "sampling": 6,
    "end_to_end": 3,
    "compare": 2,
    "labels": 13,
    "chunked": 16,
    "pairwise": 6,
    "prototypes": 6,
    "startup": 7,
    "memory": 4,
    "workers": 3,
    "dask_cluster": 4,
    "exact": 14,
    "tails": 16,
    "matchings": 9,
    "catalogue": 8,
    "models": 5,
    "similarity": 7,
    "growth": len(growth.cases()),
}
NOT_ALWAYS_POSITIVE = (
    "above",
    "difference",
    "exponent",
    "fitted to",
    "seconds",
    "R,",
    "R /",
)  # R has a slow clock


def assert_positive(row):
    for key, value in row.items():
        if not isinstance(value, str) and not key.startswith(NOT_ALWAYS_POSITIVE):
            assert value > 0 or (key == "tables" and value == 0), (key, row)


LONG = {
    "startup",
    "memory",
    "chunked",
    "similarity",
    "growth",
    "dask_cluster",
}  # start many processes, the first compile all kernels


SMALLER = {
    "sampling": {"SHAPES": [([400, 400], 1_000), ([80] * 10, 1_000)]},
    "models": {"CLUSIM_SAMPLES": 10},
}
"""Constants of a script that take long, and smaller ones."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in PROMISED]
)
@pytest.mark.heavy
def test_script_measures_what_it_promises(load, name, monkeypatch):
    script = load(name)
    for constant, value in SMALLER.get(name, {}).items():
        monkeypatch.setattr(script, constant, value)
    rows = script.measure(scale=TINY)
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
def test_cost_model_fits_and_judges(load, monkeypatch):
    script = load("cost_model")
    few = [case for case in script.grid() if sum(case[1]) <= 2_000][::6]
    monkeypatch.setattr(script, "grid", lambda: few)
    rows = script.measure(scale=TINY)
    constants = [row for row in rows if "constant" in row]
    losses = [row for row in rows if "mean loss" in row]
    shapes = [row for row in rows if "divisions tried" in row]
    assert [row["constant"] for row in constants] == [*script.CONSTANTS, *script.FURTHER]
    assert {(row["constants"], row["use"]) for row in losses} == {
        (which, use) for which in ("now", "fitted to both", "with more constants") for use in script.USES
    }
    assert len(shapes) == len(few)
    for row in [*losses, *shapes]:
        assert_positive(row)
    for row in constants:
        assert all(value >= 0 for value in list(row.values())[1:])
    for row in losses:
        assert 1 <= row["mean loss"] <= row["worst loss"]
    for row in shapes:
        assert all(row[f"loss, {use}"] >= 1 for use in script.USES)


def test_cost_model_knows_the_forecast_of_the_package(load):
    script = load("cost_model")
    for _, row_totals, column_totals in script.grid():
        sampler = script.plan_sampler(script.cc.Margins(row_totals, column_totals))
        divisions = script.divisions_of(sampler)
        assert script.planned(sampler) in divisions
        for division in divisions:
            order = script.divided(sampler, division).order
            forecast = cost_of(order.rows, order.columns, order.n, order.small_rows, order.small_columns)
            assert script.features(sampler, division) @ script.constants_now() == pytest.approx(
                forecast, rel=1e-12
            )


def test_every_division_of_the_cost_model_keeps_the_margins(load):
    script = load("cost_model")
    margins = script.cc.Margins([1, 2, 30, 67], [4, 5, 11, 80])
    sampler = script.plan_sampler(margins)
    for division in [(0, 0), (3, 0), (2, 0), (0, 2), (2, 2)]:
        out = np.zeros((300, *sampler.shape), dtype=np.int64)
        script.draw_tables(script.divided(sampler, division), np.uint64(1), 0, out)
        assert (out.sum(axis=2) == margins.row_totals).all(), division
        assert (out.sum(axis=1) == margins.column_totals).all(), division


@pytest.mark.heavy
def test_a_peer_without_an_answer_is_ended(load):
    with load("peers").scipy_in_a_child() as scipy:
        assert scipy.seconds([2, 6], [1, 3, 4], 10, "patefield", 60.0) > 0
        assert scipy.seconds([10**6] * 40, [10**6] * 40, 100_000, "boyett", 0.01) is None
        assert scipy.seconds([2, 6], [1, 3, 4], 10, "boyett", 60.0) > 0


def test_growth_has_every_function_that_takes_data(load):
    script = load("growth")
    met = {case.function.partition(",")[0] for case in script.cases()}
    without_data = {
        "check_index", "cite", "equivalents", "get_index", "list_indices", "properties",
        "recommend", "register_index", "unregister_index",
    }  # fmt: skip
    rooms = ("tables", "indices", "comparison", "ensembles", "prototypes", "catalogue")
    functions = {
        name
        for place in (script.cc, *(getattr(script.cc, room) for room in rooms))
        for name in place.__all__
        if callable(getattr(place, name)) and not isinstance(getattr(place, name), type)
    }
    assert functions - without_data <= met


def test_the_page_of_scale_is_that_of_the_results(load):
    script = load("scale_page")
    results = json.loads((script.HERE / "results.json").read_text(encoding="utf-8"))["results"]
    text = (script.DOCS / "scale.md").read_text(encoding="utf-8")
    assert script.page(text, results) == text, "run python -m experiments.benchmarks.scale_page"
    other = {**results, "chunked": [{**row, "s": 7.125} for row in results["chunked"]]}
    assert "| 7.12 |" in script.page(text, other) or "| 7.13 |" in script.page(text, other)
    with pytest.raises(ValueError, match="one pair of marks of chunked; got 0"):
        script.page(text.replace("<!-- chunked: end -->", ""), results)


def test_report_holds_every_script_and_no_machine(load):
    script = load("run")
    others = {"__init__", "growth_inputs", "headline", "instructions", "peers", "run", "scale_page", "timing"}
    assert {path.stem for path in FOLDER.glob("*.py")} == {*script.SCRIPTS, *others}
    report = script.render({name: [{"time": 1.5}] for name in script.SCRIPTS}, script.environment())
    assert "This file is generated" in report.splitlines()[2]
    for name in script.SCRIPTS:
        assert f"\n`{name}.py`. " in report
    assert str(ROOT) not in report
    assert "- numba: " in report


@pytest.mark.heavy
def test_script_prints_its_table(load, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["labels", "--scale", str(TINY)])
    load("labels").main()
    assert capsys.readouterr().out.startswith("| labels | n | chancecorr, s |")
