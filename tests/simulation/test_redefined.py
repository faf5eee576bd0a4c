"""Functions that are changed and run again, while the workers of loky live on."""

import subprocess
import sys
import textwrap

import pytest

LIKE_A_NOTEBOOK = """
import joblib
import chancecorr as cc

def run(n_tables=100_000):
    with joblib.parallel_config(backend="loky"):
        law = cc.null_distribution(cc.Margins([30, 30, 40], [20, 45, 35]), "mine", method="monte-carlo",
                                   n_tables=n_tables, rng=1, n_jobs=2)
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
            run({20_000 if needs == "labels" else 100_000})  # enough to be shared out
    """
    assert printed(program, tmp_path) == ["[1.0]", "[2.0]"]
