"""Every notebook runs from top to bottom, what it prints is clean, and it stores nothing."""

import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SMALLER = {"embedding_leaderboard": ("range(12)", "range(2)")}
"""What a notebook has, and what the ordinary run has in its place."""


class ThisInterpreter(KernelManager):
    """A kernel in the interpreter that runs the tests, whatever is installed elsewhere."""

    @property
    def kernel_spec(self):
        return KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], language="python"
        )


@pytest.fixture(scope="module")
def kernel():
    """A kernel for all notebooks, one after another: imports take most of the time."""
    manager = ThisInterpreter()
    manager.start_kernel(cwd=str(FOLDER), env={**os.environ, "CHANCECORR_QUIET": "1"})  # as for the site
    yield manager
    manager.shutdown_kernel(now=True)


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def execute(notebook, kernel):
    """Run all cells as a user would; no output is an error, a warning, or names a folder of this machine."""
    client = NotebookClient(notebook, km=kernel, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
    try:
        client.execute()
    finally:
        client.kc.stop_channels()
    for output in outputs(notebook):
        assert output.output_type != "error"
        assert not (output.output_type == "stream" and output.name == "stderr"), output.text
        shown = str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", ""))
        assert not re.search(r"(^|[\s'\"])/(home|root|usr|tmp|Users)/", shown), shown


def test_there_are_notebooks():
    assert "quickstart.ipynb" in {path.name for path in NOTEBOOKS}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.heavy
def test_runs_in_small(path, kernel):
    notebook = nbformat.read(path, as_version=4)
    if path.stem in SMALLER:
        (cell,) = (cell for cell in notebook.cells if SMALLER[path.stem][0] in cell.source)
        cell.source = cell.source.replace(*SMALLER[path.stem])
    notebook.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))  # forgets all names of the one before
    execute(notebook, kernel)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_is_stored(path):
    """Outputs are made when the site is built, so that they are never of another version."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert outputs(notebook) == []
    assert all(cell.get("execution_count") is None for cell in notebook.cells)
