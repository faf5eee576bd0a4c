"""Code of pages is executed by the build, except commands that install and make; errors shown are raised."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.browser import built_site

nbformat = pytest.importorskip("nbformat")

ROOT = Path(__file__).resolve().parents[2]
EXECUTED = ROOT / "docs" / "_build" / "jupyter_execute"
"""The folder to which `make docs` writes the pages with their outputs."""

FENCE = re.compile(
    r"^(?P<marks>`{3,}|~{3,})(?P<kind>[^\n`]*)\n(?P<text>.*?)^(?P=marks)\s*$", re.MULTILINE | re.DOTALL
)
LANGUAGES = {"python", "pycon", "python3", "ipython", "ipython3", "py", "bash", "console", "shell", "sh"}
NOT_RUN = ("python -m pip install ", "export ", "make ", "python -m experiments.")


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "docs/*.md"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    return listed or [str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("[!_]*/*.md")]


def not_executed(text):
    """Lines of code in fences that no build runs, but for those that install and make."""
    return [
        line
        for fence in FENCE.finditer(text)
        if fence["kind"].strip().strip("{}") in LANGUAGES or fence["kind"].startswith("{code-block}")
        for line in fence["text"].splitlines()
        if line.strip() and not line.startswith(NOT_RUN)
    ]


@pytest.mark.parametrize("page", pages())
def test_no_code_but_in_cells(page):
    assert not_executed((ROOT / page).read_text(encoding="utf-8")) == []


def list_faults(notebook):
    """Cells that were not executed, that should raise an error and do not, or that show another failure."""
    faults = []
    for cell in notebook.cells:
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        outputs = cell.get("outputs", [])
        printed = "".join(output.text for output in outputs if output.output_type == "stream")
        raises = "raises-exception" in cell.metadata.get("tags", [])
        if (
            not cell.execution_count
            or raises != any(output.output_type == "error" for output in outputs)
            or ("exit code $?" in cell.source) != bool(re.search(r"^exit code [1-9]", printed, re.MULTILINE))
        ):
            faults.append(cell.source)
    return faults


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in pages() if "{code-cell}" in (ROOT / page).read_text()])
def test_cells_are_executed_and_refusals_are_raised(page):
    executed = EXECUTED / Path(page).relative_to("docs").with_suffix(".ipynb")
    if not executed.is_file():
        pytest.skip(built_site.MISSING)
    assert list_faults(nbformat.read(executed, as_version=4)) == []


def test_list_faults():
    new = nbformat.v4.new_code_cell
    error = nbformat.v4.new_output("error", ename="ValueError", evalue="", traceback=[])
    refused = nbformat.v4.new_output("stream", text="`index` must ...\nexit code 2\n")
    answered = nbformat.v4.new_output("stream", text="exit code 0\n")
    tags = {"tags": ["raises-exception"]}
    command = '! chancecorr adjust a b; echo "exit code $?"'
    right = [
        new("1 + 1", execution_count=1),
        new("cc.adjust(a)", execution_count=2, metadata=tags, outputs=[error]),
        new(command, execution_count=3, outputs=[refused]),
    ]
    wrong = [
        new("not executed"),
        new("an error", execution_count=4, outputs=[error]),
        new("no error", execution_count=5, metadata=tags),
        new(command, execution_count=6, outputs=[answered]),
    ]
    assert list_faults(nbformat.v4.new_notebook(cells=right)) == []
    assert list_faults(nbformat.v4.new_notebook(cells=wrong)) == [cell.source for cell in wrong]


def test_what_is_found():
    fences = ("python\nimport chancecorr", "sh\nmake docs\nchancecorr indices", "{code-cell}\n1 + 1")
    text = "".join(f"```{fence}\n```\n" for fence in fences)
    assert not_executed(text) == ["import chancecorr", "chancecorr indices"]
