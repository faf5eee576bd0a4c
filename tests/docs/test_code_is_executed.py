"""Code on the site was run: it stands in cells, which the build executes, but for what installs and makes."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

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


def test_what_is_found():
    fences = ("python\nimport chancecorr", "sh\nmake docs\nchancecorr indices", "{code-cell}\n1 + 1")
    text = "".join(f"```{fence}\n```\n" for fence in fences)
    assert not_executed(text) == ["import chancecorr", "chancecorr indices"]
