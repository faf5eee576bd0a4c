"""The wheel installed beside its dependencies, run by a user who may not write there."""

import json
import sys
from pathlib import Path

import pytest

from tests.packaging.test_files import version

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="users and what they may write are others there"),
]

X, Y = "001122", "001112"
GOLDEN = "tests/golden/test_golden.py"
SMOKE = [
    "tests/cli/test_output.py", "tests/report/test_from_comparison.py",
    "tests/report/test_page.py::test_every_page_is_well_formed_and_loads_nothing[moments only]",
    f"{GOLDEN}::test_public_names", f"{GOLDEN}::test_keywords_and_defaults", f"{GOLDEN}::test_attributes",
]  # fmt: skip
"""Tests that compile few kernels; a checkout runs all."""


def test_nothing_may_be_written_there(installed):
    if installed.is_root:
        pytest.skip("root may write everywhere, and there is no setpriv or nobody to run the tests as")
    for folder in (installed.python.parents[1], installed.tests, installed.home):
        done = installed.run(installed.python, "-c", f"open({str(folder / 'written')!r}, 'w')")
        assert "PermissionError" in done.stderr
    done = installed.run(installed.python, "-c", f"open({str(installed.own / 'written')!r}, 'w')")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("has_home", [True, False])
def test_the_import_is_that_of_the_wheel_and_says_nothing(installed, has_home):
    code = "import chancecorr; print(chancecorr.__file__); print(chancecorr.__version__)"
    home = {} if has_home else {"HOME": None}
    done = installed.run(installed.python, "-W", "error", "-c", code, **home)
    assert (done.returncode, done.stderr) == (0, "")
    path, number = done.stdout.splitlines()
    assert Path(path).is_relative_to(installed.python.parents[1])
    assert "site-packages" in path
    assert number == version()


def test_an_answer_that_is_compiled_in_memory_comes_with_one_line(installed):
    if installed.is_root:
        pytest.skip("root keeps machine code beside the package")
    code = f"import chancecorr as cc; print(cc.adjust([*{X!r}], [*{Y!r}], index='jaccard').adjusted)"
    done = installed.run(installed.python, "-c", code, CHANCECORR_KERNELS="compiled")
    assert done.returncode == 0
    assert float(done.stdout) == pytest.approx(19 / 64, rel=1e-12)  # of 2/5, and 11/75 over all permutations
    [line] = done.stderr.splitlines()
    assert "RuntimeWarning: chancecorr compiles anew in every process" in line


def test_the_console_script(installed):
    done = installed.run(installed.command, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"chancecorr, version {version()}\n"
    labels = installed.own / "labels é.csv"
    labels.write_text("true,pred\n" + "".join(f"{x},{y}\n" for x, y in zip(X, Y, strict=True)))
    words = ["adjust", "true", "pred", "--data", labels, "--index", "rand", "--json"]
    done = installed.run(installed.command, *words, NUMBA_CACHE_DIR=installed.own / "machine code")
    assert (done.returncode, done.stderr) == (0, "6 objects, 3 x 3, header in line 1\n")
    [score] = json.loads(done.stdout)["scores"]
    assert score["adjusted"] == pytest.approx(4 / 9, rel=1e-12)


def test_tests_of_the_sdist_pass(installed):
    done = installed.run(
        installed.python, "-m", "pytest", "-q", "-m", "not slow and not long", *SMOKE,
        NUMBA_CACHE_DIR=installed.own / "machine code",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert "failed" not in done.stdout
