"""The benchmark scripts run, in a tiny form, and return what they promise; nothing is asserted on speed."""

import importlib
import json
import math

import pytest

from experiments.benchmarks import first_minutes, run, timing

pytest.importorskip("sklearn")

TINY = 0.002
RATIO = {"chancecorr", "ratio", "ratio min", "ratio max"}
PROMISED = {
    "tables": {"shape", "n", "SciPy by", "SciPy", "R", *RATIO},
    "adjusting": {"question", "peer", "peer, ms", *RATIO},
    "labels": {"labels", "n", "peer", "peer, s", *RATIO},
    "files": {"labels", "n", "counted by", "s", "MiB", "s / s of chancecorr by path"},
    "startup": {"step", "statement, ms", "from the start, ms"},
    "compiling": {"kernel", "to compile, s", "units"},
    "first_minutes": {
        "state",
        "calls",
        "median, s",
        "worst, s",
        "worst call",
        "calls over the limit",
        "unit, s",
    },
    "workers": {"index", "shape", "tables", "1 thread, s", "2 threads, s", "Dask, 2 workers, s"},
}
LONG = {"startup", "files", "workers", "compiling"}  # start many processes, or compile all kernels


SCRIPTS = [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in PROMISED]


@pytest.mark.slow
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


def test_first_minutes_are_judged_by_units_and_by_the_peer():
    seconds = [[7.0, 1.0, 2.0], [1.0, 0.5, 0.9], [3.0, 0.4, 0.6]]
    good = [first_minutes.Process(taken) for taken in seconds]
    judged = first_minutes.judge_calls(
        2.0, {"good": good, "ended": [first_minutes.Process([1.0], "over 9 s"), *good[1:]]}
    )
    first, later_first, later, peer = judged.values()
    assert first == {"good": (7.0, pytest.approx(7.0 / (6 * 2.0 + 3 * 0.5))), "ended": (math.inf, math.inf)}
    assert later_first["good"] == (1.0, pytest.approx(1.0 / (1.5 * 2.0 + 2 * 0.5)))
    assert later["good"] == (0.9, pytest.approx(0.9 / (0.3 * 2.0 + 1.2 * 0.5)))
    assert peer["good"][0] == 0.5
    states = first_minutes.summarize_states(2.0, {"good": good})
    assert [row["calls over the limit"] for row in states] == [0, 0, 0, 0]
    assert states[0]["worst call"] == "good"
    line = run.write_first_minutes(states)
    assert (
        "three calls 7 s (7 s); first call of the next process 1 s (1 s), imports included; its later" in line
    )
    assert run.EXAMPLE not in line
    (*_, of_readme) = run.write_first_minutes(
        first_minutes.summarize_states(2.0, {run.EXAMPLE: good, "other": good})
    ).partition("the first example of this README takes ")
    assert of_readme.startswith(
        "7 s in a new installation, 1 s as the first call of a later process and 0.9 s"
    )
    kept = run.read_json(run.KEPT)
    assert f"- {line}\n" in run.write_figures(
        {**kept["results"], "first_minutes": states}, kept["environment"]
    )


def test_first_minutes_have_forty_calls_that_python_can_read():
    calls = list(first_minutes.list_calls())
    assert len({call.name for call in calls}) == len(calls) == 40
    for call in calls:
        for program in first_minutes.write_programs(call):
            compile(program, call.name, "exec")


@pytest.mark.slow
def test_a_process_of_the_first_minutes_is_ended_and_its_seconds_are_kept(tmp_path):
    code = "import time; print(1.5, flush=True); time.sleep(60)"
    assert first_minutes.run_python(code, tmp_path, run.ROOT, 5.0) == (["1.5"], "over 5 s")
    assert first_minutes.run_python("print(2.5); import nothing_of_this_name", tmp_path, run.ROOT, 60.0) == (
        ["2.5"],
        "fails",
    )


def test_pages_have_the_results():
    kept = run.read_json(run.KEPT)
    assert run.format_results(kept) == run.KEPT.read_text(encoding="utf-8")
    for page in run.PAGES:
        text = page.read_text(encoding="utf-8")
        assert run.fill_in(text, kept) == text
    other = {**kept, "results": {**kept["results"], "files": [{"s": 7.125}]}}
    assert "| 7.12 |" in run.fill_in(run.PAGES[1].read_text(encoding="utf-8"), other)
