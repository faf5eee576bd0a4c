"""The benchmark scripts run, in a tiny form, and return what they promise; nothing is asserted on speed."""

import importlib
import json

import pytest

from experiments.benchmarks import run, timing

pytest.importorskip("sklearn")

TINY = 0.002
RATIO = {"chancecorr", "ratio", "ratio min", "ratio max"}
PROMISED = {
    "tables": {"shape", "n", "SciPy by", "SciPy", "R", *RATIO},
    "adjusting": {"question", "peer", "peer, ms", *RATIO},
    "labels": {"labels", "n", "peer", "peer, s", *RATIO},
    "files": {"labels", "n", "counted by", "s", "MiB", "s / s of chancecorr by path"},
    "startup": {"step", "statement, ms", "from the start, ms"},
    "compiling": {"kernel", "machine codes", "to compile, s", "as Python, s", "forecast, s"},
    "workers": {"index", "shape", "tables", "1 thread, s", "2 threads, s", "Dask, 2 workers, s"},
}
LONG = {"startup", "files", "workers", "compiling"}  # start many processes, or compile all kernels


SCRIPTS = [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in PROMISED]


@pytest.mark.heavy
@pytest.mark.parametrize("name", SCRIPTS)
def test_script_measures_what_it_promises(name, monkeypatch, capsys):
    script = importlib.import_module(f"experiments.benchmarks.{name}")
    if name == "tables":
        monkeypatch.setattr(script, "SHAPES", [([400, 400], 1_000), ([80] * 10, 1_000)])
    monkeypatch.setattr("sys.argv", [name, "--scale", str(TINY), "--json"])
    timing.run(script.measure)
    rows = json.loads(capsys.readouterr().out)
    for row in rows[:-1] if name == "tables" else rows:
        assert set(row) >= PROMISED[name]
        if "ratio" in row:
            assert 0 < row["ratio min"] <= row["ratio"] <= row["ratio max"]
    assert timing.format_markdown(rows).startswith(f"| {next(iter(rows[0]))} |")
    assert set(PROMISED) == set(run.SCRIPTS)


def test_pages_have_the_results():
    kept = run.read_json(run.KEPT)
    assert run.format_results(kept) == run.KEPT.read_text(encoding="utf-8")
    for page in run.PAGES:
        text = page.read_text(encoding="utf-8")
        assert run.fill_in(text, kept) == text
    other = {**kept, "results": {**kept["results"], "files": [{"s": 7.125}]}}
    assert "| 7.12 |" in run.fill_in(run.PAGES[1].read_text(encoding="utf-8"), other)
