"""Every notebook runs from top to bottom for the site, its output is clean, and it stores nothing."""

import re
from pathlib import Path

import pytest

from tests.browser import built_site

nbformat = pytest.importorskip("nbformat")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EXECUTED = ROOT / "docs" / "_build" / "jupyter_execute" / "notebooks" / "generated"
"""Where `make docs`, which an error in a cell ends, leaves them with their outputs."""


def outputs(notebook):
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_there_are_notebooks():
    assert "quickstart.ipynb" in {path.name for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.slow
def test_what_it_prints_for_the_site_is_clean(path):
    """All cells were executed; no output is an error, a warning, or names a folder of this machine."""
    if not (EXECUTED / path.name).is_file():
        pytest.skip(built_site.MISSING)
    notebook = nbformat.read(EXECUTED / path.name, as_version=4)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    assert outputs(notebook)
    for output in outputs(notebook):
        assert output.output_type != "error"
        assert not (output.output_type == "stream" and output.name == "stderr"), output.text
        shown = str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", ""))
        assert not re.search(r"(^|[\s'\"])/(home|root|usr|tmp|Users)/", shown), shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_is_stored(path):
    """Outputs are made when the site is built, so that they are never of another version."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert outputs(notebook) == []
    assert all(cell.get("execution_count") is None for cell in notebook.cells)
