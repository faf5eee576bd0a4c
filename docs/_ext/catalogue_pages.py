"""Pages of the catalogue, made from the entries of the registry before Sphinx looks for its sources.

``reference/indices/NAME.md``, one an index, ``reference/catalogue.md`` and
``reference/same_once_corrected.md``. Examples and pictures are kept until the package changes, and a page is
written only where it changes, so that Sphinx reads again what did.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from catalogue_properties import read_properties
from catalogue_table import catalogue_page, classes_page
from catalogue_text import NAMES
from index_page import Computed, as_data, computed, from_data, index_page
from null_pictures import pictures

import chancecorr
from chancecorr.indices.registry import get_index

PACKAGE = Path(chancecorr.__file__).parent


def pages(cache: Path) -> dict[str, str]:
    """All pages by their place below ``reference``."""
    properties = read_properties(PACKAGE / "catalogue")
    found = {"catalogue.md": catalogue_page(properties), "same_once_corrected.md": classes_page()}
    for name, about in _computed(cache).items():
        found[f"indices/{name}.md"] = index_page(get_index(name), about, properties)
    return found


def write_pages(reference: Path, cache: Path) -> int:
    """Write what has changed, remove the pages of indices that are gone; how many files have changed."""
    wanted = {reference / place: text for place, text in pages(cache).items()}
    changed = [
        path
        for path, text in wanted.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    gone = [path for path in (reference / "indices").glob("*.md") if path not in wanted]
    (reference / "indices").mkdir(parents=True, exist_ok=True)
    for path in changed:
        path.write_text(wanted[path], encoding="utf-8")
    for path in gone:
        path.unlink()
    return len(changed) + len(gone)


def _computed(cache: Path) -> dict[str, Computed]:
    """What is computed for each page, from the cache unless the package, or what draws, has changed."""
    path = cache / f"{_hash()}.json"
    if path.is_file():
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {name: from_data(data) for name, data in kept.items()}
    found = {name: computed(get_index(name), pictures(get_index(name))) for name in NAMES}
    cache.mkdir(parents=True, exist_ok=True)
    for old in cache.glob("*.json"):
        old.unlink()
    path.write_text(json.dumps({name: as_data(each) for name, each in found.items()}), encoding="utf-8")
    return found


def _hash() -> str:
    """Of all Python files of the package, and of those here."""
    digest = hashlib.sha256()
    for path in sorted([*PACKAGE.rglob("*.py"), *Path(__file__).parent.glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _before_reading(app: Any) -> None:
    from sphinx.util import logging

    changed = write_pages(Path(app.srcdir) / "reference", Path(app.outdir).parent / "catalogue")
    logging.getLogger(__name__).info(f"catalogue: {len(NAMES)} indices, {changed} files have changed")


def _on_its_pages(app: Any, pagename: str, *_: Any) -> None:
    """The script and the style of the table, on the pages that have use for them."""
    if pagename == "reference/catalogue":
        app.add_js_file("catalogue.js", loading_method="defer")
    if pagename == "reference/catalogue" or pagename.startswith("reference/indices/"):
        app.add_css_file("catalogue.css")


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("builder-inited", _before_reading)
    app.connect("html-page-context", _on_its_pages)
    return {"version": chancecorr.__version__, "parallel_read_safe": True, "parallel_write_safe": True}
