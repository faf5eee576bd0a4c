"""The lowest versions that pyproject.toml admits, as a constraints file: what ``make lowest`` tests with.

``python experiments/common/lowest_versions.py`` prints it; nothing but the standard library is needed.
"""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

TOOLS = (
    "ruff", "mypy", "nbformat", "ipykernel",
    "sphinx", "pydata-sphinx-theme", "numpydoc", "myst-nb", "sphinx-copybutton", "sphinx-design",
    "sphinx-mathjax-offline",
)  # fmt: skip
"""Tools of the developers, of which a low version says nothing about the package."""


def requirements(text: str) -> list[str]:
    """Requirements of the package and its extras in the text of a pyproject.toml, each once."""
    project = tomllib.loads(text)["project"]
    extras = project.get("optional-dependencies", {}).values()
    return sorted({*project["dependencies"], *(wanted for extra in extras for wanted in extra)})


def lowest(text: str) -> list[str]:
    """A line ``name==version`` for each requirement ``name>=version``."""
    bounded = [wanted.split(">=") for wanted in requirements(text) if ">=" in wanted]
    return [f"{name}=={version}" for name, version in bounded if name not in TOOLS]


if __name__ == "__main__":
    print("\n".join(lowest((ROOT / "pyproject.toml").read_text(encoding="utf-8"))))
