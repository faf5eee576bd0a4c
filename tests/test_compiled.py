"""What is said of compiling, and what happens where machine code cannot be kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import chancecorr as cc

pytestmark = pytest.mark.heavy  # all tests start processes that compile

PACKAGE = Path(cc.__file__).parent
SCORE = "import chancecorr as cc; print(cc.score([0, 0, 1, 1], [0, 0, 1, 1], 'purity') / 2)"
"""Compiles a loop over the cells of a table."""
ANNOUNCED = "chancecorr: compiling once, for a few seconds"


@pytest.fixture
def read_only(tmp_path):
    """A copy of the package in which nothing can be kept, not even by root, and no home to keep it in.

    In place of every folder that Numba could write to there is a file.
    """
    shutil.copytree(PACKAGE, tmp_path / "chancecorr", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [tmp_path / "chancecorr", *(tmp_path / "chancecorr").rglob("*/")]:
        if folder.is_dir():
            (folder / "__pycache__").touch()
    (tmp_path / "home").touch()
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    home = str(tmp_path / "home")
    return surroundings | {
        "PYTHONPATH": str(tmp_path), "HOME": home, "USERPROFILE": home, "LOCALAPPDATA": home,
        "XDG_CACHE_HOME": home, "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip


def run(code, surroundings, *options):
    return subprocess.run(
        [sys.executable, *options, "-c", code], env=surroundings, cwd="/", capture_output=True, text=True
    )


class TestNothingCanBeKept:
    def test_the_import_says_nothing(self, read_only):
        done = run("import chancecorr; print(chancecorr.__file__)", read_only)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.strip().startswith(read_only["PYTHONPATH"])

    def test_the_first_compilation_says_what_to_set(self, read_only):
        of_cells = "import chancecorr as cc; print(cc.score_table([[2, 0], [0, 2]], 'nmi_sum'));"
        done = run(of_cells + SCORE, read_only)
        assert done.returncode == 0
        assert [float(line) for line in done.stdout.split()] == [1.0, 0.5]
        warning, *rest = done.stderr.splitlines()
        assert "RuntimeWarning: chancecorr compiles anew in every process" in warning
        assert warning.endswith("Set the environment variable NUMBA_CACHE_DIR to one.")
        assert warning.startswith("<string>:1")  # where the user's call is
        assert rest == []

    def test_with_the_variable_set_code_is_kept_and_nothing_said(self, read_only, tmp_path):
        kept = tmp_path / "kept"
        done = run(SCORE, read_only | {"NUMBA_CACHE_DIR": str(kept)}, "-W", "error")
        assert (done.returncode, done.stderr, float(done.stdout)) == (0, "", 0.5)
        assert list(kept.rglob("*.nbi"))


@pytest.fixture
def terminal():
    """The two ends of a terminal: one to read, one to give to a process."""
    pty = pytest.importorskip("pty", reason="no terminals of this kind on Windows")
    ends = pty.openpty()
    yield ends
    for end in ends:
        os.close(end)


def lines_on(terminal, code, kept):
    """What a process writes to a terminal as its stderr, with machine code in the folder `kept`."""
    master, slave = terminal
    surroundings = os.environ | {"NUMBA_CACHE_DIR": str(kept)}
    subprocess.run(
        [sys.executable, "-c", code], env=surroundings, stderr=slave, check=True, cwd=PACKAGE.parent
    )
    os.write(slave, b"end")
    written = b""
    while not written.endswith(b"end"):
        written += os.read(master, 10_000)
    return written.decode().removesuffix("end").splitlines()


WORKER = """
import multiprocessing
import chancecorr as cc
if __name__ == "__main__":
    spawn = multiprocessing.get_context("spawn")
    process = spawn.Process(target=cc.score, args=([0, 0, 1], [0, 1, 1], 'purity'))
    process.start()
    process.join()
    assert process.exitcode == 0
"""


class TestCompiling:
    def test_said_once_on_a_terminal_and_not_when_it_is_kept(self, terminal, tmp_path):
        assert lines_on(terminal, "import chancecorr", tmp_path) == []
        assert lines_on(terminal, SCORE, tmp_path) == [ANNOUNCED]
        assert lines_on(terminal, SCORE, tmp_path) == []

    def test_not_said_where_nobody_reads(self, tmp_path):
        done = run(SCORE, os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(PACKAGE.parent)})
        assert (done.returncode, done.stderr) == (0, "")
        assert list(tmp_path.rglob("*.nbi"))

    def test_not_said_by_a_worker(self, terminal, tmp_path):
        assert lines_on(terminal, WORKER, tmp_path) == []
        assert list(tmp_path.rglob("*.nbi"))

    def test_nothing_is_said_of_the_users_own_kernels(self, terminal, tmp_path):
        own = "import chancecorr, numba; numba.njit(lambda x: x)(1)"
        assert lines_on(terminal, own, tmp_path) == []


class TestMembersOfAFamily:
    def test_machine_code_from_several_processes_is_not_mixed_up(self, tmp_path):
        """Values of two members, each compiled by a process of its own, in a third that finds both kept."""
        surroundings = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(PACKAGE.parent)}

        def scores(*names):
            code = f"import chancecorr as cc; [print(cc.score_table([[2, 1], [0, 3]], x)) for x in {names}]"
            done = run(code, surroundings)
            assert (done.returncode, done.stderr) == (0, "")
            return [float(line) for line in done.stdout.split()]

        def expected(q):
            """I_q of the table, from its definition."""
            entropies = [
                (1 - sum((x / 6) ** q for x in sizes)) / (q - 1) for sizes in ((3, 3), (2, 4), (2, 1, 3))
            ]
            return entropies[0] + entropies[1] - entropies[2]

        scores("tsallis_mutual_information(1.5)")  # which compiles all else as well
        scores("tsallis_mutual_information(3)")
        scores("tsallis_mutual_information(0.5)")
        together = scores(*[f"tsallis_mutual_information({q})" for q in (3, 0.5, 3, 1.5)])
        assert together == pytest.approx([expected(q) for q in (3, 0.5, 3, 1.5)], rel=1e-12)
