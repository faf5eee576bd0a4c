"""What is said of compiling, and what happens where machine code cannot be kept."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import chancecorr as cc
from chancecorr.machine.compiler import is_of_this_user

pytestmark = pytest.mark.slow  # all tests start processes that compile

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
    command, compiled = [sys.executable, *options, "-c", code], {"CHANCECORR_KERNELS": "compiled"}
    return subprocess.run(command, env=surroundings | compiled, cwd="/", capture_output=True, text=True)


def test_the_first_compilation_says_what_to_set_if_nothing_can_be_kept(read_only):
    of_cells = "import chancecorr as cc; print(cc.score_table([[2, 0], [0, 2]], 'nmi_sum'));"
    done = run(of_cells + SCORE, read_only)
    assert done.returncode == 0
    assert [float(line) for line in done.stdout.split()] == [1.0, 0.5]
    warning, *rest = done.stderr.splitlines()
    assert "RuntimeWarning: chancecorr compiles anew in every process" in warning
    assert warning.endswith("Set the environment variable NUMBA_CACHE_DIR to a folder of your own.")
    assert warning.startswith("<string>:1")  # where the user's call is
    assert rest == []


ANNOUNCED = (
    "chancecorr compiles `purity` and the functions that it needs, once on this machine: a few seconds;"
    " `chancecorr compile` does it ahead of time."
)
COUNTED = f"""
import sys
from numba.core import event
sys.modules["ipykernel"] = sys  # as in a notebook
with event.install_recorder("numba:compile") as recorded:
    {SCORE}
    {SCORE}
print(sum(compilation.is_start for _, compilation in recorded.buffer))
"""
"""Prints the answer twice, and how many functions were compiled for it."""


def answer_compiled_and_stderr(surroundings, *options):
    """What `COUNTED` prints in a new process, and the lines on stderr."""
    done = run(COUNTED, surroundings, *options)
    assert done.returncode == 0, done.stderr
    answer, again, compiled = done.stdout.split()
    assert again == answer
    return float(answer), int(compiled), done.stderr.splitlines()


def doubled(package):
    """Change what a kernel returns, on which that of another file depends."""
    maxima = package / "indices" / "clusters.py"
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
def test_machine_code_is_read_until_a_kernel_changes_or_others_may_have_written_it(request, tmp_path, place):
    """Callers of a kernel hold its machine code, and are compiled anew with it.

    Compiling is announced once, in a notebook. A planted index file was executed at the next call.
    """
    surroundings = request.getfixturevalue("copied" if place == "beside the files" else "read_only")
    kept = tmp_path / ("chancecorr" if place == "beside the files" else "kept")
    if place == "in the user's cache folder":
        names = ("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME")
        surroundings = surroundings | dict.fromkeys(names, str(kept))
    elif place == "by the variable":
        surroundings = surroundings | {"NUMBA_CACHE_DIR": str(kept)}
    strict = "-W", "error"
    answer, compiled, said = answer_compiled_and_stderr(surroundings | {"CHANCECORR_QUIET": "1"}, *strict)
    assert (answer, said) == (0.5, [])
    assert compiled > 1
    doubled(tmp_path / "chancecorr")
    assert answer_compiled_and_stderr(surroundings, *strict) == (1.0, compiled, [ANNOUNCED])
    assert answer_compiled_and_stderr(surroundings, *strict) == (1.0, 0, [])
    if os.name == "posix":  # rights as on Unix
        indices = list(kept.rglob("*.nbi"))
        for folder in {index.parent for index in indices}:
            refused_of_another_owner(folder)
            folder.chmod(0o777)
        for index in indices:
            index.write_bytes(b"planted")  # what is read ends in an error
        answer, anew, said = answer_compiled_and_stderr(surroundings)
        assert (answer, anew, len(said)) == (1.0, compiled, 2)
        assert ANNOUNCED in said
        assert any("does not read the machine code in" in line for line in said)
        assert {index.read_bytes() for index in kept.rglob("*.nbi")} == {b"planted"}


def refused_of_another_owner(folder):
    """Only root gives files away."""
    assert is_of_this_user(folder.stat())
    if os.geteuid() == 0:
        os.chown(folder, 12345, 12345)
        assert not is_of_this_user(folder.stat())
        os.chown(folder, 0, 0)


def test_machine_code_of_a_family_from_several_processes_is_not_mixed_up(tmp_path):
    """A second process compiles and keeps another member before it reads the first."""
    kept = tmp_path / "kept"
    shutil.copytree(os.environ["NUMBA_CACHE_DIR"], kept)  # all else is compiled
    surroundings = os.environ | {"NUMBA_CACHE_DIR": str(kept), "PYTHONPATH": str(PACKAGE.parent)}

    def scores(*orders):
        names = [f"tsallis_mutual_information({q})" for q in orders]
        code = f"import chancecorr as cc; [print(cc.score_table([[2, 1], [0, 3]], x)) for x in {names}]"
        done = run(code, surroundings)
        assert (done.returncode, done.stderr) == (0, "")
        return [float(line) for line in done.stdout.split()]

    def expected(q):
        """I_q of the table, from its definition."""
        sides_and_cells = (3, 3), (2, 4), (2, 1, 3)
        entropies = [(1 - sum((x / 6) ** q for x in sizes)) / (q - 1) for sizes in sides_and_cells]
        return entropies[0] + entropies[1] - entropies[2]

    one, other = 3.0625, 0.6875  # of which no other test has machine code
    before = len(list(kept.rglob("*.nbc")))
    assert scores(one) == pytest.approx([expected(one)], rel=1e-12)
    assert len(list(kept.rglob("*.nbc"))) > before
    both = other, one, other
    assert scores(*both) == pytest.approx([expected(q) for q in both], rel=1e-12)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Folder with the machine code of a score, and what a process needs to read it."""
    folder = tmp_path_factory.mktemp("kept")
    surroundings = os.environ | {"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(PACKAGE.parent)}
    assert run(SCORE, surroundings).stdout == "0.5\n"
    return folder


def answer_with(folder, code=SCORE):
    """What a process prints that keeps its machine code in a folder, and its warnings."""
    done = run(code, os.environ | {"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(PACKAGE.parent)})
    assert done.returncode == 0, done.stderr
    return float(done.stdout), [line for line in done.stderr.splitlines() if "Warning" in line]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize(
    ("of_folder", "of_files"),
    [
        ((0, 12345, 0o775), (0, 0, 0o644)),
        ((0, 12345, 0o2770), (0, 0, 0o644)),
        ((0, 0, 0o755), (1234, 0, 0o644)),
        ((0, 0, 0o755), (0, 12345, 0o664)),
        ((0, 0, 0o755), (0, 0, 0o666)),
        ((1234, 0, 0o755), (0, 0, 0o644)),
    ],
)
def test_machine_code_that_others_may_have_written_is_not_executed(kept, tmp_path, of_folder, of_files):
    """Owner, group and mode of the folder, and of its files, which leave a trace if they are executed."""
    folder, trace = tmp_path / "folder", tmp_path / "executed"
    shutil.copytree(kept, folder)
    for index in folder.rglob("*.nbi"):
        index.write_bytes(f"cos\nsystem\n(S'touch {trace}'\ntR.".encode())  # as a pickle
        os.chown(index, *of_files[:2])
        index.chmod(of_files[2])
        os.chown(index.parent, *of_folder[:2])
        index.parent.chmod(of_folder[2])
    value, warnings = answer_with(folder)
    assert value == 0.5
    assert not trace.exists()
    (warning,) = warnings
    assert "does not read the machine code in" in warning


def test_damaged_machine_code_is_compiled_anew(kept, tmp_path):
    """One warning, and none in the next process; the end of each file is cut off, or a bit has turned."""
    for k, damage in enumerate((lambda data: data[:-7], lambda data: flipped(data, 0.5), lambda data: b"")):
        for ending in ("nbi", "nbc"):
            folder = tmp_path / f"{k}{ending}"
            shutil.copytree(kept, folder)
            for file in folder.rglob(f"*.{ending}"):
                file.write_bytes(damage(file.read_bytes()))
            value, warnings = answer_with(folder)
            assert (value, len(warnings)) == (0.5, 1)
            assert re.search("cannot read the machine code.*delete the folder", warnings[0])
            assert answer_with(folder) == (0.5, [])


def flipped(data, place):
    k = int(len(data) * place)
    return data[:k] + bytes([data[k] ^ 0x10]) + data[k + 1 :]


@pytest.mark.skipif(os.name != "posix", reason="limits of file size are of Unix")
def test_machine_code_that_finds_no_room_costs_one_warning(tmp_path):
    """A limit of file size has the same effect as a full disk: an error while a file is written."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000));"
    ignored = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    value, warnings = answer_with(tmp_path, limit + ignored + SCORE)
    assert (value, len(warnings)) == (0.5, 1)
    assert re.search("machine code cannot be kept in.*File too large", warnings[0])
    assert not list(tmp_path.rglob("*.tmp.*"))


def test_a_package_in_a_zip_archive_compiles(tmp_path):
    shutil.make_archive(str(tmp_path / "packed"), "zip", PACKAGE.parent, "chancecorr")
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    home, packed = str(tmp_path), str(tmp_path / "packed.zip")
    places = {"HOME": home, "XDG_CACHE_HOME": home, "PYTHONPATH": packed}
    first, second = (run(SCORE + "; print(cc.__file__)", surroundings | places) for _ in range(2))
    for done in (first, second):
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.split() == ["0.5", str(tmp_path / "packed.zip" / "chancecorr" / "__init__.py")]
    assert list(tmp_path.rglob("*.nbi"))
