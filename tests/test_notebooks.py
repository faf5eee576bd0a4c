"""Every notebook runs from top to bottom, and what it stores is clean."""

import re
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

from tests.shares import small_and_full

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


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_there_are_notebooks():
    assert "quickstart.ipynb" in {path.name for path in NOTEBOOKS}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("smaller", small_and_full(SMALLER, {}), ids=["small", "full"])
@pytest.mark.heavy
def test_runs(path, smaller):
    notebook = nbformat.read(path, as_version=4)
    if path.stem in smaller:
        (cell,) = (cell for cell in notebook.cells if smaller[path.stem][0] in cell.source)
        cell.source = cell.source.replace(*smaller[path.stem])
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
    client.km = ThisInterpreter()
    client.execute()
    assert not any(output.output_type == "error" for output in outputs(notebook))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_outputs_are_clean(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert any(cell.get("outputs") for cell in notebook.cells)
    for output in outputs(notebook):
        assert output.output_type != "error"
        assert not (output.output_type == "stream" and output.name == "stderr")
        assert not re.search(r"(^|[\s'\"])/(home|root|usr|tmp|Users)/", str(output.get("text", "")))
