"""Functions that are changed and run again, while the workers of loky live on."""

import importlib
import pickle
import subprocess
import sys
import textwrap

import cloudpickle
import pytest

from chancecorr.indices.registry import Index
from chancecorr.simulation.by_value import pickled_by_value

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
    """Also if the change is in a function that it calls. Pickled by name, all were 1.0."""
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
            run()
    """
    assert printed(program, tmp_path) == ["[1.0]", "[2.0]", "[4.0]"]


def test_a_function_whose_globals_cannot_be_pickled_goes_by_name(tmp_path, monkeypatch):
    (tmp_path / "own_module.py").write_text(
        "import threading\nLOCK = threading.Lock()\ndef mine(a, b):\n    with LOCK:\n        return 1.0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    mine = importlib.import_module("own_module").mine
    index = Index(name="mine", function=mine, needs="labels")
    assert pickle.loads(pickled_by_value(mine, [index])) is mine
    assert cloudpickle.list_registry_pickle_by_value() == set()
    del sys.modules["own_module"]
