"""Functions that are changed and run again, while the workers of loky live on."""

import importlib
import subprocess
import sys
import textwrap

import pytest

from chancecorr.indices.evaluation import IndexEvaluationError
from chancecorr.indices.registry import Index
from chancecorr.simulation.digest import check_digests, digests_by_name

LIKE_A_NOTEBOOK = """
import joblib
import chancecorr as cc

def run():
    with joblib.parallel_config(backend="loky"):
        law = cc.null_distribution(cc.Margins([30, 30, 40], [20, 45, 35]), "mine", method="monte-carlo",
                                   n_tables=100_000, rng=1, n_jobs=2)
    print(law.values.tolist(), flush=True)
"""


def printed(program, folder):
    command = [sys.executable, "-c", LIKE_A_NOTEBOOK + textwrap.dedent(program)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False, cwd=folder)
    assert found.stderr == ""
    return found.stdout.split()


@pytest.mark.heavy
@pytest.mark.parametrize("needs", ["labels", "table"])
def test_cells_of_a_notebook_that_are_run_again(tmp_path, needs):
    program = f"""
        CELL = '''
        def helper():
            return {{0}}

        def mine({"a, b" if needs == "labels" else "table, rows, columns"}):
            return {"helper()" if needs == "labels" else "{0}"}

        cc.register_index("mine", mine, needs={needs!r}, replace=True)
        '''
        for value in (1.0, 2.0):
            exec(__import__("textwrap").dedent(CELL).format(value), globals())
            run()
    """
    assert printed(program, tmp_path) == ["[1.0]", "[2.0]"]


@pytest.mark.heavy
def test_a_module_that_is_changed_and_reloaded(tmp_path):
    """Also where the change is in what the function calls. Without a look at digests, all were 1.0."""
    program = """
        import importlib, pathlib, sys

        sys.dont_write_bytecode = True
        FILE = pathlib.Path("of_the_user.py")
        for k, (helper, own) in enumerate(((1.0, 0.0), (1.0, 1.0), (3.0, 1.0))):
            # of another size each: else Python takes bytecode of the same second for that of this file
            FILE.write_text("#" * k + "\\n" f"def helper():\\n    return {helper}\\n\\n"
                            f"def mine(a, b):\\n    return helper() + {own}\\n")
            importlib.invalidate_caches()
            module = importlib.import_module("of_the_user")
            module = importlib.reload(module)
            cc.register_index("mine", module.mine, needs="labels", replace=True)
            try:
                run()
            except cc.IndexEvaluationError as error:
                print("another-version" if "Start the workers anew" in str(error) else error)
    """
    first, second, third = printed(program, tmp_path)
    assert (first, second) == ("[1.0]", "another-version")
    assert third in ("another-version", "[4.0]")  # of workers that were started anew after the error


class TestDigests:
    @pytest.fixture
    def module(self, tmp_path, monkeypatch):
        file = tmp_path / "own_module.py"
        file.write_text("def mine(a, b, power=2):\n    return 1.0 if power in {1, 2} else 0.0\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        import own_module

        yield file, own_module
        del sys.modules["own_module"]

    def test_a_comment_or_another_line_is_no_other_version(self, module):
        file, found = module
        digests = digests_by_name([Index(name="mine", function=found.mine, needs="labels")])
        assert [each[:2] for each in digests] == [("own_module", "mine")]
        file.write_text("# more\n\n" + file.read_text())
        importlib.reload(found)
        check_digests(digests)

    def test_another_version_is_an_error(self, module):
        file, found = module
        digests = digests_by_name([Index(name="mine", function=found.mine, needs="labels")])
        file.write_text(file.read_text().replace("1.0", "3.0") + "\n")
        importlib.reload(found)
        with pytest.raises(
            IndexEvaluationError, match=r"another version of the function 'mine' .*'own_module'"
        ):
            check_digests(digests)

    def test_a_cache_that_one_process_has_filled_is_no_other_version(self, module):
        file, found = module
        file.write_text("CACHE = {}\n\ndef mine(a, b):\n    return CACHE.setdefault(1, 2.0)\n")
        importlib.reload(found)
        digests = digests_by_name([Index(name="mine", function=found.mine, needs="labels")])
        found.mine(1, 2)
        check_digests(digests)

    def test_functions_that_are_pickled_by_value_have_none(self):
        assert digests_by_name([Index(name="mine", function=lambda a, b: 1.0, needs="labels")]) == ()
