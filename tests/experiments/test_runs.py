"""The frame of all studies: what a kept unit goes by, damage, kills, workers that end with their parent."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from experiments import __main__ as door
from experiments.common import kept, runs
from experiments.common.runs import Cell, Study
from experiments.common.units import generator
from tests.experiments import toy
from tests.processes import wait_until

ROOT = Path(__file__).resolve().parents[2]
CELLS = (
    Cell(name="a", inputs={"name": "a"}, replicates=25),
    Cell(name="b", inputs={"name": "b"}, replicates=3),
)


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "log.txt"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    return folder, runs.run(toy.evaluate, CELLS, seed=1, jobs=1, folder=folder)


@pytest.mark.parametrize("change", ["inputs", "replicate", "seed", "sources"])
def test_a_change_of_anything_evaluates_again(whole, change, monkeypatch):
    folder, _ = whole
    made_from = kept.fingerprint(toy.evaluate)
    assert kept.load(folder, kept.key_of([made_from, CELLS[0].inputs, 0, 1])) is not None
    other = {
        "inputs": [made_from, {"name": "a", "more": 1}, 0, 1],
        "replicate": [made_from, CELLS[0].inputs, 25, 1],
        "seed": [made_from, CELLS[0].inputs, 0, 2],
        "sources": ["0" * 64, CELLS[0].inputs, 0, 1],
    }[change]
    assert kept.load(folder, kept.key_of(other)) is None


def test_the_key_follows_imports(tmp_path, monkeypatch):
    """A constant in a module that is imported by a module that is imported, inside a function."""
    package = tmp_path / "some_study"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "unit.py").write_text("from some_study import middle\nimport math\n\ndef evaluate(): ...\n")
    (package / "middle.py").write_text("def f():\n    from some_study.deep import X\n    return X\n")
    (package / "deep.py").write_text("X = 10\n")
    (package / "report.py").write_text("TITLE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = kept.imported("some_study.unit", "some_study")
    assert list(found) == ["some_study", "some_study.deep", "some_study.middle", "some_study.unit"]


def test_every_source_and_version_is_in_the_fingerprint(monkeypatch):
    from experiments.common import data

    before = kept.fingerprint(data.load_dataset)
    assert before == kept.fingerprint(data.load_dataset)
    assert before != kept.fingerprint(data.list_datasets)
    monkeypatch.setattr(kept, "version", lambda name: "0" if name == "numpy" else "1")
    assert kept.fingerprint(data.load_dataset) != before
    monkeypatch.undo()
    real = Path.read_bytes
    for changed in ("iris.csv", "data.py"):
        with monkeypatch.context() as patch:
            patch.setattr(
                Path, "read_bytes", lambda path, name=changed: real(path) + b"\n" * (path.name == name)
            )
            assert kept.fingerprint(data.load_dataset) != before, changed


def program(folder, seconds, jobs=2):
    return textwrap.dedent(f"""
        from pathlib import Path
        from experiments.common.runs import Cell, run
        from tests.experiments import toy

        if __name__ == "__main__":
            cells = [Cell(name="slow", inputs={{"name": "slow", "seconds": {seconds}}}, replicates=60)]
            run(toy.evaluate, cells, seed=3, jobs={jobs}, folder=Path({str(folder)!r}))
    """)


def children(pid):
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processes from /proc")
def test_workers_end_with_a_parent_that_is_killed_and_the_next_run_ends_the_same(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(program(tmp_path / "kept", 0.05))
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, script], env=environment, cwd=tmp_path) as process:
        wait_until(lambda: (tmp_path / "kept").is_dir() and len(files(tmp_path / "kept")) >= 3, process)
        workers = children(process.pid)
        os.kill(process.pid, signal.SIGKILL)
    assert len(workers) >= 2
    deadline = time.monotonic() + 10.0
    while any(alive(pid) for pid in workers):
        assert time.monotonic() < deadline, "a worker goes on without its parent"
        time.sleep(0.05)
    assert len(files(tmp_path / "kept")) < 60
    cells = [Cell(name="slow", inputs={"name": "slow", "seconds": 0.05}, replicates=60)]
    resumed = runs.run(toy.evaluate, cells, seed=3, jobs=1, folder=tmp_path / "kept")
    expected = [generator(3, "slow", replicate).random(3).tolist() for replicate in range(60)]
    assert [record["values"] for record in resumed.records["slow"]] == expected


def test_only_a_full_run_with_its_own_seed_goes_beside_the_study():
    cells = {"full": CELLS, "quick": CELLS[:1]}
    toys = Study(name="toy", title="A toy", evaluate=toy.evaluate, **cells, write=lambda *_: None, seed=5)
    assert door.folder_of(toys, full=True, only=None, seed=5) == door.HERE / "toy" / "results"
    for partly in ({"full": False}, {"only": ["a"]}, {"seed": 6}):
        arguments = {"full": True, "only": None, "seed": 5} | partly
        assert door.folder_of(toys, **arguments) == ROOT / "build" / "toy"


@pytest.mark.long
def test_a_study_that_is_killed_at_any_moment_ends_with_the_same_files(tmp_path):
    """SIGKILL to the whole group amid the units, at four moments; the times aside, which differ."""
    command = [sys.executable, "-m", "experiments", "amorim_cardoso_2014", "--only", "3-balanced-well/*"]
    command += ["--cache"]

    def contents(folder):
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "times.md"}

    whole = [*command, str(tmp_path / "whole"), "--folder", str(tmp_path / "expected"), "--jobs", "1"]
    subprocess.run(whole, cwd=ROOT, check=True, capture_output=True)
    kept_units = tmp_path / "kept" / "amorim_cardoso_2014"
    killed = [*command, str(tmp_path / "kept"), "--folder", str(tmp_path / "found"), "--jobs", "2"]
    for count in (1, 12, 30, 55):
        with subprocess.Popen(killed, cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL) as process:
            wait_until(lambda least=count: kept_units.is_dir() and len(files(kept_units)) >= least, process)
            os.killpg(process.pid, signal.SIGKILL)
    found, expected = tmp_path / "found", contents(tmp_path / "expected")
    assert not found.exists() or set(contents(found)) < set(expected)
    subprocess.run(killed, cwd=ROOT, check=True, capture_output=True)
    assert contents(found) == expected
