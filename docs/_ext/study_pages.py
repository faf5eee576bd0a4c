"""Reports, pictures and notebooks that lie elsewhere in the repository, brought into the site.

A report goes to ``docs/studies/generated/STUDY/``, with its pictures and files of numbers, and a notebook to
``docs/notebooks/generated/``, where it is executed. Links are rewritten to where a file is on the site; what
is not there is named, not linked. A link to a file that does not exist ends the build.
"""

import os
import re
from pathlib import Path
from typing import Any

from sphinx.errors import ExtensionError

STUDIES = (
    "amorim_cardoso_2014", "rajasekhara_pujari_2010", "zhang_wong_shen_2012", "franti_rezaei_2016",
    "rand_index_blog", "gates_ahn_2017", "lei_2017", "selection_bias", "null_ranking",
)  # fmt: skip
REPORTS = {name: f"experiments/{name}/results" for name in STUDIES} | {"coverage": "experiments/coverage"}
"""Where the report of each study lies: Markdown, with its files beside it."""

PICTURES = {".png", ".svg"}
NUMBERS = {".csv", ".json"}
LARGEST = 2_000_000
"""Bytes of a file of numbers that the site still carries."""

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
NAMED_FILE = re.compile(r"(?<![`\w])`([\w-]+\.(?:csv|json))`(?!`)")
ELSEWHERE = ("http://", "https://", "mailto:", "#")


def rewritten(text: str, source: Path, places: dict[Path, Path], target: Path, root: Path) -> str:
    """Markdown of the file `source`, with links that hold from the file `target`.

    `places` says where on the site a file of the repository is.
    """

    def link(found: re.Match[str]) -> str:
        picture, words, address = found.groups()
        if address.startswith(ELSEWHERE):
            return found[0]
        path, _, anchor = address.partition("#")
        file = (source.parent / path).resolve()
        if not file.exists():
            raise ExtensionError(f"{source.relative_to(root)} links to {address}, which does not exist")
        if file not in places:
            if picture:
                raise ExtensionError(f"{source.relative_to(root)} shows {address}, which is not on the site")
            name = f"`{file.relative_to(root)}`"
            return name if words.strip("`") in (path, name) else f"{words} ({name})"
        there = Path(os.path.relpath(places[file], target.parent)).as_posix()
        return f"{picture}[{words}]({there}{'#' if anchor else ''}{anchor})"

    def named(found: re.Match[str]) -> str:
        file = (source.parent / found[1]).resolve()
        if file not in places:
            return found[0]
        return f"{{download}}`{found[1]} <{Path(os.path.relpath(places[file], target.parent)).as_posix()}>`"

    return NAMED_FILE.sub(named, LINK.sub(link, text))


def files_of(folder: Path) -> dict[Path, str]:
    """Files of a report that go to the site, and what they are called there."""
    pages = {path: path.name for path in sorted(folder.glob("*.md"))}
    if folder / "README.md" in pages:
        pages[folder / "README.md"] = "report.md"
    others = {
        path: path.name
        for path in sorted(folder.iterdir())
        if path.suffix in PICTURES or (path.suffix in NUMBERS and path.stat().st_size <= LARGEST)
    }
    return pages | others


def placed(root: Path, docs: Path) -> dict[Path, Path]:
    """Where on the site the files of all reports, the notebooks and the pages are."""
    places = {path.resolve(): path.resolve() for path in docs.rglob("*.md") if "generated" not in path.parts}
    places[root / "CONTRIBUTING.md"] = docs / "contributing.md"
    places[root / "CHANGELOG.md"] = docs / "changelog.md"
    for study, folder in REPORTS.items():
        there = docs / "studies" / "generated" / study
        places |= {path: there / name for path, name in files_of(root / folder).items()}
    there = docs / "notebooks" / "generated"
    places |= {path: there / path.name for path in sorted((root / "notebooks").glob("*.ipynb"))}
    return places


def write(path: Path, content: bytes) -> None:
    """Write a file unless it is as it should be, so that Sphinx does not read it again."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def bring(root: Path, docs: Path) -> list[Path]:
    """Write all generated files, take away those that nothing stands behind any more, and name them."""
    places = placed(root, docs)
    brought = {file: target for file, target in places.items() if "generated" in target.parts}
    for file, target in brought.items():
        content = file.read_bytes()
        if target.suffix == ".md":
            content = rewritten(content.decode(), file, places, target, root).encode()
        write(target, content)
    wanted = set(brought.values())
    for folder in (docs / "studies" / "generated", docs / "notebooks" / "generated"):
        for path in folder.rglob("*"):
            if path.is_file() and path not in wanted:
                path.unlink()
    return sorted(wanted)


def on_builder(app: Any) -> None:
    """Before the pages are looked for."""
    docs = Path(app.srcdir).resolve()
    bring(docs.parent, docs)


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", on_builder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
