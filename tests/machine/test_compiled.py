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


@pytest.fixture
def copied(tmp_path):
    """What a process needs to run a copy of the package, to be changed; without a home to keep anything in.

    In place of the home there is a file.
    """
    shutil.copytree(PACKAGE, tmp_path / "chancecorr", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "home").touch()
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    home = str(tmp_path / "home")
    return surroundings | {
        "PYTHONPATH": str(tmp_path), "HOME": home, "USERPROFILE": home, "LOCALAPPDATA": home,
        "XDG_CACHE_HOME": home, "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip


@pytest.fixture
def read_only(copied):
    """The same, and nothing can be kept beside the files, not even by root: files stand in the way."""
    package = Path(copied["PYTHONPATH"]) / "chancecorr"
    for folder in [package, *package.rglob("*/")]:
        if folder.is_dir():
            (folder / "__pycache__").touch()
    return copied


def run(code, surroundings, *options):
    return subprocess.run(
        [sys.executable, *options, "-c", code], env=surroundings, cwd="/", capture_output=True, text=True
    )


class TestNothingCanBeKept:
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


NOTEBOOK = f"import sys; sys.modules['ipykernel'] = sys; {SCORE}; {SCORE}"


@pytest.mark.parametrize(("quiet", "lines"), [("", 1), ("1", 0)])
def test_a_notebook_is_told_once_that_kernels_are_compiled(copied, tmp_path, quiet, lines):
    done = run(NOTEBOOK, copied | {"NUMBA_CACHE_DIR": str(tmp_path / "kept"), "CHANCECORR_QUIET": quiet})
    assert done.stdout.split() == ["0.5", "0.5"]
    assert done.stderr.splitlines() == ["chancecorr compiles its kernels, once: some seconds."] * lines
    kept = run(NOTEBOOK, copied | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")})
    assert (kept.stdout, kept.stderr) == (done.stdout, "")


@pytest.mark.skipif(os.name != "posix", reason="rights as on Unix")
@pytest.mark.parametrize("others", ["may write", "own it"])
def test_machine_code_that_others_may_have_written_is_not_read(copied, tmp_path, others):
    """A planted index file was executed at the next call."""
    kept = tmp_path / "kept"
    surroundings = copied | {"NUMBA_CACHE_DIR": str(kept)}
    assert run(SCORE, surroundings, "-W", "error").stdout == "0.5\n"
    for folder in [kept, *(path for path in kept.rglob("*") if path.is_dir())]:
        if others == "may write":
            folder.chmod(0o777)
        elif os.geteuid() == 0:
            os.chown(folder, 12345, 12345)
        else:
            pytest.skip("only root gives files away")
    for index in kept.rglob("*.nbi"):
        index.write_bytes(b"planted")  # what is read ends in an error
    done = run(SCORE, surroundings)
    assert done.stdout == "0.5\n"
    (warning,) = done.stderr.splitlines()
    assert "does not read the machine code in" in warning
    assert {path.read_bytes() for path in kept.rglob("*.nbi")} == {b"planted"}


COUNTED = f"""
from numba.core import event
with event.install_recorder("numba:compile") as recorded:
    {SCORE}
print(sum(compilation.is_start for _, compilation in recorded.buffer))
"""
"""Prints the answer and how many functions were compiled for it."""


def answer_and_compiled(surroundings):
    """What `COUNTED` prints in a new process, which says nothing else."""
    done = run(COUNTED, surroundings, "-W", "error")
    assert (done.returncode, done.stderr) == (0, "")
    answer, compiled = done.stdout.split()
    return float(answer), int(compiled)


class TestAChangedKernel:
    """Callers of a kernel hold its machine code, and are compiled anew with it."""

    @staticmethod
    def doubled(package):
        """Change what a kernel returns, on which that of another file depends."""
        maxima = package / "indices" / "kernels" / "maxima.py"
        before = maxima.read_text(encoding="utf-8")
        maxima.write_text(before.replace("return most\n", "return 2 * most\n"), encoding="utf-8")
        assert maxima.read_text(encoding="utf-8") != before

    @pytest.mark.parametrize(
        "place",
        [
            "beside the files",
            pytest.param("in the user's cache folder", marks=pytest.mark.long),
            pytest.param("by the variable", marks=pytest.mark.long),
        ],
    )
    def test_changes_the_answer(self, request, tmp_path, place):
        surroundings = request.getfixturevalue("copied" if place == "beside the files" else "read_only")
        if place == "in the user's cache folder":
            names = ("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME")
            surroundings = surroundings | dict.fromkeys(names, str(tmp_path / "kept"))
        elif place == "by the variable":
            surroundings = surroundings | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
        answer, compiled = answer_and_compiled(surroundings)
        assert answer == 0.5
        assert compiled > 1
        assert answer_and_compiled(surroundings) == (0.5, 0)
        kept = tmp_path / "chancecorr" if place == "beside the files" else tmp_path / "kept"
        assert list(kept.rglob("*.nbi"))
        self.doubled(tmp_path / "chancecorr")
        assert answer_and_compiled(surroundings) == (1.0, compiled)
        assert answer_and_compiled(surroundings) == (1.0, 0)


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
