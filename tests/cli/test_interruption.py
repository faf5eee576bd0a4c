"""Ctrl-C on the command line: one line and exit code 130 in every phase, and soon."""

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.cli import commands
from tests.interruption import HEARS_INTERRUPTS, interrupted, interrupted_process, telling

LAW = ["null", "--rows", "52,53,54,55", "--columns", "52,54,54,54", "--index", "jaccard", "--method", "exact"]

PHASES = {
    "read": ("cli.columns", "_rows", ["adjust", "{large}:a", "{large}:b"]),
    "law": ("exact.laws.dynamic_programming", "deal_column", LAW),
    "pairwise": ("simulation.workers", "evaluate_block", ["pairwise", "--data", "{small}"]),
    "compare": ("simulation.workers", "evaluate_block", ["compare", "a", "--data", "{small}"]),
    "report": ("simulation.workers", "evaluate_block", ["report", "a", "--data", "{small}", "-o", "-"]),
}
"""What is called when the phase begins, and a command that would take minutes from there on."""

ENDLESS = ["--method", "monte-carlo", "--index", "variation_of_information", "--n-tables", "1000000000"]

SOON = 15.0
"""Seconds in which the process must end; it takes 1 or so where the machine has nothing else to do."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "large.csv").write_text("a,b\n" + "0,1\n1,0\n" * 2_000_000)
    (folder / "small.csv").write_text("a,b,c,d\n" + "0,1,2,0\n1,1,0,2\n2,0,1,0\n" * 20)
    return {name: str(folder / f"{name}.csv") for name in ("large", "small")}


COMMAND = """
import sys
import chancecorr.cli.commands as cli
sys.exit(cli.run())
"""


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("phase", "jobs"),
    [("read", "1"), ("law", "1"), ("pairwise", "2"), ("compare", "1"), ("compare", "2"), ("report", "1")],
)
def test_in_every_phase(files, phase, jobs, record_property):
    module, name, command = PHASES[phase]
    command = [word.format_map(files) for word in command]
    command += [*(ENDLESS if name == "evaluate_block" else []), "--jobs", jobs]
    code, out, err, seconds = interrupted(telling(f"chancecorr.{module}", name) + COMMAND, arguments=command)
    assert (code, out, err) == (130, "", "Interrupted.\n")
    record_property("seconds_to_the_end", seconds)
    assert seconds < SOON


@pytest.mark.heavy
@pytest.mark.parametrize("script", [False, True])
def test_while_the_package_is_imported(tmp_path, script, record_property):
    (tmp_path / "numpy.py").write_text(HEARS_NOTHING)
    if script:  # as an installation makes it
        path = tmp_path / "chancecorr"
        path.write_text("import sys\nfrom chancecorr.cli.commands import run\nsys.exit(run())\n")
        command = [sys.executable, str(path), "indices"]
    else:
        command = [sys.executable, "-m", "chancecorr", "indices"]
    # an interrupt that the test's own process ignores is ignored by what it starts
    (tmp_path / "sitecustomize.py").write_text(HEARS_INTERRUPTS)
    places = os.pathsep.join([str(tmp_path), str(Path(cc.__file__).parents[1])])
    found = interrupted_process(command, env=os.environ | {"PYTHONPATH": places})
    assert found[:3] == (130, "", "Interrupted.\n")
    record_property("seconds_to_the_end", found[3])
    assert found[3] < SOON


HEARS_NOTHING = """
import time
print("begun", flush=True)
time.sleep(120)
"""


@pytest.mark.heavy
def test_a_library_that_is_imported_raises(tmp_path):
    """Only what was started as the command line ends without an exception."""
    (tmp_path / "numpy.py").write_text(HEARS_NOTHING)
    code = f"""{HEARS_INTERRUPTS}
try:
    import chancecorr
except KeyboardInterrupt:
    print("raised")
"""
    places = os.pathsep.join([str(tmp_path), str(Path(cc.__file__).parents[1])])
    found = interrupted_process([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": places})
    assert found[:3] == (0, "raised\n", "")


@pytest.mark.heavy
@pytest.mark.parametrize("phase", ["compiled", "lost"])
def test_what_does_not_hear_of_it_is_ended(phase, record_property):
    """A function that swallows the interrupt, as a callback of a compiler does, or hears of it too late."""
    program = f"""
import sys, time
import chancecorr.cli.commands as cli

class Deaf:
    def __del__(self):
        print("begun", flush=True)
        time.sleep(60)

def late(*_, **__):
    print("begun", flush=True)
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        time.sleep(60)

def lost(*_, **__):
    thing = Deaf()
    del thing
    time.sleep(60)

cli.main.main = {"late" if phase == "compiled" else "lost"}
sys.exit(cli.run(["indices"]))
"""
    code, out, err, seconds = interrupted(program)
    assert (code, out, err) == (130, "", "Interrupted.\n")
    record_property("seconds_to_the_end", seconds)
    assert seconds < SOON


@pytest.mark.parametrize("error", [TypeError("missing a required argument: 'sig'"), AttributeError("x")])
def test_an_error_in_the_place_of_the_interrupt_is_one(monkeypatch, capsys, error):
    """As Numba's compiler raised it where the interrupt came in the middle of it."""

    def interrupted_within(*_, **__):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise error

    monkeypatch.setattr(commands.main, "main", interrupted_within)
    assert commands.run(["indices"]) == 130
    assert capsys.readouterr() == ("", "Interrupted.\n")
