"""Copy reports, pictures and notebooks from the repository into the site.

A report goes to ``docs/studies/generated/STUDY/``, with its pictures and files of numbers, and a notebook to
``docs/notebooks/generated/``, where it is executed. Links are rewritten to the files on the site; a file that
is not on the site is named without a link. A link to a file that does not exist ends the build.
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
REPORTS = {name: f"experiments/{name}/results" for name in STUDIES}
"""Folder of each study's report: Markdown, with its files beside it."""

CARRIED = {".md", ".png", ".svg", ".csv", ".json"}
MAX_BYTES = 2_000_000
"""Largest size of a file of numbers on the site."""

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
NAMED_FILE = re.compile(r"(?<![`\w])`([\w-]+\.(?:csv|json))`(?!`)")
ELSEWHERE = ("http://", "https://", "mailto:", "#")

ROOT_PAGES = {"CONTRIBUTING": "/project", "CHANGELOG": "/project", "CATALOGUE": "/reference/catalogue"}
"""Pages that are also read in the repository, with their places on the site."""


def bring_pages(root: Path, docs: Path) -> list[Path]:
    """Write all generated files, remove outdated ones, and list them."""
    places = _place_files(root, docs)
    brought = {file: target for file, target in places.items() if "generated" in target.parts}
    for file, target in brought.items():
        content = file.read_bytes()
        if target.suffix == ".md":
            content = rewrite_links(content.decode(), file, places, target, root).encode()
        if not target.exists() or target.read_bytes() != content:  # so that Sphinx reads only new files
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    wanted = set(brought.values())
    for folder in (docs / "studies" / "generated", docs / "notebooks" / "generated"):
        for path in folder.rglob("*"):
            if path.is_file() and path not in wanted:
                path.unlink()
    return sorted(wanted)


def _place_files(root: Path, docs: Path) -> dict[Path, Path]:
    """Find the places on the site of all report files, notebooks and pages."""
    places = {path.resolve(): path.resolve() for path in docs.rglob("*.md") if "generated" not in path.parts}
    places |= {root / f"{page}.md": docs / f"{place[1:]}.md" for page, place in ROOT_PAGES.items()}
    for study, folder in REPORTS.items():
        for path in sorted((root / folder).iterdir()):
            if path.suffix in CARRIED and path.stat().st_size <= MAX_BYTES:
                name = "report.md" if path.name == "README.md" else path.name
                places[path] = docs / "studies" / "generated" / study / name
    there = docs / "notebooks" / "generated"
    return places | {path: there / path.name for path in sorted((root / "notebooks").glob("*.ipynb"))}


def rewrite_links(text: str, source: Path, places: dict[Path, Path], target: Path, root: Path) -> str:
    """Rewrite the links in the Markdown of the file `source` for the file `target`.

    `places` has the place on the site of each file of the repository.
    """

    def find_way(file: Path) -> str:
        return Path(os.path.relpath(places[file], target.parent)).as_posix()

    def rewrite_link(match: re.Match[str]) -> str:
        picture, words, address = match.groups()
        if address.startswith(ELSEWHERE):
            return match[0]
        path, sign, anchor = address.partition("#")
        file = (source.parent / path).resolve()
        if not file.exists():
            raise ExtensionError(f"{source.relative_to(root)} links to {address}, which does not exist")
        if file in places:
            return f"{picture}[{words}]({find_way(file)}{sign}{anchor})"
        if picture:
            raise ExtensionError(f"{source.relative_to(root)} shows {address}, which is not on the site")
        name = f"`{file.relative_to(root)}`"
        return name if words.strip("`") in (path, name) else f"{words} ({name})"

    def rewrite_name(match: re.Match[str]) -> str:
        file = (source.parent / match[1]).resolve()
        return f"{{download}}`{match[1]} <{find_way(file)}>`" if file in places else match[0]

    return NAMED_FILE.sub(rewrite_name, LINK.sub(rewrite_link, text))


def link_root_pages(app: Any, page: str, source: list[str]) -> None:
    """Rewrite links in a page that is also read in the repository to places on the site."""
    source[0] = re.sub(r"\]\(\.\./CATALOGUE\.md#([a-z0-9_]+)\)", r"](/reference/indices/\1.md)", source[0])
    for name, place in ROOT_PAGES.items():
        source[0] = source[0].replace(f"](../{name}.md", f"]({place}.md")


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    docs = Path(app.srcdir).resolve()
    app.connect("builder-inited", lambda _: bring_pages(docs.parent, docs))
    app.connect("source-read", link_root_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
