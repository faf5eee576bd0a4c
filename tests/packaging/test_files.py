"""What is in the wheel and in the sdist."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes

import pytest

from tests.packaging.conftest import ROOT

pytestmark = pytest.mark.slow

BUILT = ("docs/_build/", "docs/jupyter_execute/")
"""Where `make docs` writes."""

NOT_IN_THE_SDIST = (".ci/", ".github/", ".pre-commit-config.yaml", "experiments/data/sipu/")
"""Files that serve the repository alone, and data without a known licence."""

PLACE = re.compile(rb"(?<![\w.])/(?:home|root|Users|private|tmp|work|opt|mnt|builds)/[\w.-]")
"""How the path of a file on somebody's machine begins."""


@pytest.fixture(scope="module")
def tracked():
    """Files that Git knows."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs a Git checkout: its files are compared with those packed")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(listed.stdout.rstrip("\0").split("\0"))


def contents(path):
    """Name and content of each file of an archive; in an sdist names begin after its only folder."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(path) as archive:
        files = [member for member in archive if not member.isdir()]
        assert all(member.isfile() for member in files)
        return {member.name.partition("/")[2]: archive.extractfile(member).read() for member in files}


def packed(tracked):
    """Files that belong into the sdist."""
    return {name for name in tracked if not name.startswith(NOT_IN_THE_SDIST)}


def version():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_the_wheel_holds_the_files_of_the_package(wheel, tracked):
    files, about = contents(wheel), f"chancecorr-{version()}.dist-info"
    named = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
    of_package = {name for name in tracked if name.startswith("chancecorr/")}
    assert files.keys() == of_package | {f"{about}/{name}" for name in named}
    assert {"chancecorr/py.typed", "chancecorr/templates/style.css"} <= of_package
    for name in of_package:
        assert files[name] == (ROOT / name).read_bytes()


def test_the_sdist_holds_what_the_repository_holds(sdist, tracked):
    files = contents(sdist)
    assert files.keys() == packed(tracked) | {"PKG-INFO"}
    for name in files.keys() & tracked:
        assert files[name] == (ROOT / name).read_bytes()


def test_what_is_built_or_added_in_a_folder_without_git(tracked, tmp_path):
    """The built site stays out, a JSON file of the catalogue goes into both."""
    tree, made = tmp_path / "tree", tmp_path / "made"
    for name in tracked - {".gitignore"}:  # nothing is ignored there
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    data = "chancecorr/catalogue/added.json"
    for name in (f"{BUILT[0]}html/index.html", f"{BUILT[1]}page.ipynb", data):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("{}")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", made, tree]
    subprocess.run(command, check=True, capture_output=True)
    [sdist], [wheel] = made.glob("*.tar.gz"), made.glob("*.whl")
    assert contents(sdist).keys() - {"PKG-INFO"} == packed(tracked) - {".gitignore"} | {data}
    assert contents(wheel)[data] == b"{}"


@pytest.mark.parametrize("archive", ["wheel", "sdist"])
def test_nothing_tells_where_it_was_made(request, archive):
    files = contents(request.getfixturevalue(archive))
    for name, content in files.items():
        assert (PLACE.findall(content), f"{ROOT}/".encode() in content) == ([], False), name


def test_the_version_is_written_once(wheel, sdist):
    assert sdist.name == f"chancecorr-{version()}.tar.gz"
    files = contents(wheel)
    assert message_from_bytes(files[f"chancecorr-{version()}.dist-info/METADATA"])["Version"] == version()
    literal = re.compile(rb"""["']""" + re.escape(version()).encode() + rb"""["']""")
    assert [name for name in files if name.endswith(".py") and literal.search(files[name])] == []


def test_where_else_the_version_stands_it_is_the_same(wheel, sdist):
    files = contents(sdist)
    assert message_from_bytes(files["PKG-INFO"])["Version"] == version()
    assert f"\nversion: {version()}\n".encode() in files["CITATION.cff"]
    latest = re.search(rb"^## \[(.+?)\] - (\d{4}-\d\d-\d\d)$", files["CHANGELOG.md"], re.MULTILINE)
    assert latest[1].decode() == version()
    assert b"\ndate-released: " + latest[2] + b"\n" in files["CITATION.cff"]
