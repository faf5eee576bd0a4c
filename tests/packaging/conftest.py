"""The wheel and the sdist of ``dist/``, and the wheel installed where the user who runs it may not write."""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
WITH = ["pytest", "hypothesis"]
"""What the tests need that run beside the installed wheel."""


@pytest.fixture(scope="session")
def wheel():
    return only("*.whl")


@pytest.fixture(scope="session")
def sdist():
    return only("*.tar.gz")


def only(pattern):
    """The one file of ``dist/`` of this kind."""
    found = list(DIST.glob(pattern))
    assert len(found) == 1, f"`make dist` first; found {found}"
    return found[0]


@pytest.fixture(scope="session")
def place():
    """A temporary folder that every user may enter, with spaces and other letters than English ones."""
    folder = Path(tempfile.mkdtemp(prefix="chance corr é 测 "))
    folder.chmod(0o755)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", folder], check=True)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def unpacked(sdist, place):
    """The folder that the sdist holds."""
    with tarfile.open(sdist) as archive:
        archive.extractall(place / "sdist", filter="data")
    [folder] = (place / "sdist").iterdir()
    return folder


@dataclass(frozen=True)
class Installed:
    """The wheel in an environment of its own, and how to run what is in there.

    Attributes
    ----------
    python, command : Path
        The interpreter and the console script of the environment.
    tests : Path
        What the sdist holds besides the package.
    home, own : Path
        A home that may only be read, and a folder that the user may write to.
    as_user : tuple of str
        What a command begins with so that another user runs it, for root may write everywhere.
    is_root : bool
        Whether root runs it all the same, because another user cannot be had.
    """

    python: Path
    command: Path
    tests: Path
    home: Path
    own: Path
    as_user: tuple[str, ...]
    is_root: bool

    def run(self, *words, **variables):
        """A finished command, run in a folder without the package; a variable that is None is left out."""
        surroundings = {
            "PATH": "/usr/bin:/bin", "HOME": self.home, "TMPDIR": self.own, "LANG": "C.UTF-8",
            "PYTHONPYCACHEPREFIX": self.own / "bytecode",
        } | variables  # fmt: skip
        return subprocess.run(
            [*self.as_user, *map(str, words)],
            env={name: str(value) for name, value in surroundings.items() if value is not None},
            cwd=self.tests, capture_output=True, text=True, encoding="utf-8", timeout=500,
        )  # fmt: skip


@pytest.fixture(scope="session")
def installed(wheel, unpacked, place):
    environment, tests = place / "venv", place / "the tests"
    python = environment / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check",
         "--no-compile", "--constraint", ROOT / "constraints.txt", f"{wheel}[report]", *WITH],
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        check=True, timeout=500,
    )  # fmt: skip
    shutil.copytree(unpacked, tests)
    shutil.rmtree(tests / "chancecorr")
    home, own = place / "home", place / "own"
    home.mkdir()
    own.mkdir()
    own.chmod(0o777)
    for folder in (environment, tests, home):
        subprocess.run(["chmod", "-R", "a+rX,a-w", folder], check=True)
    is_root = os.geteuid() == 0
    as_user = next((words for words in other_users() if runs(words, python, own)), ()) if is_root else ()
    command = environment / "bin" / "chancecorr"
    return Installed(python, command, tests, home, own, as_user, is_root and not as_user)


def other_users() -> Iterator[tuple[str, ...]]:
    """Ways for root to run a command as the user ``nobody``.

    By the second one that user may read what others keep for themselves, for Python may be in root's home.
    """
    nobody = ("setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups")
    yield nobody
    yield (*nobody, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")


def runs(words, python, own):
    """Whether such a command starts programs that start Python, as a user who may not write beside it."""
    code = "import os, sys, typing; sys.exit(os.access(sys.prefix, os.W_OK) or os.geteuid() == 0)"
    try:
        command = [*words, "sh", "-c", 'exec "$0" -c "$1"', python, code]
        return subprocess.run(command, cwd=own, capture_output=True).returncode == 0
    except OSError:  # no such program
        return False
