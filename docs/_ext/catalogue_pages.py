"""Pages of the catalogue, made from the entries of the registry before Sphinx looks for its sources.

``reference/indices/NAME.md``, one an index, ``reference/catalogue.md`` and
``reference/same_once_corrected.md``. What takes long, examples and pictures, is kept under a hash of all that
it is made from. A page is written only where it changes, so that Sphinx reads again what did.
"""

import hashlib
import inspect
import json
from pathlib import Path
from typing import Any

from catalogue_properties import read_properties
from catalogue_table import catalogue_page, classes_page
from catalogue_text import NAMES
from index_page import TABLE, Computed, as_data, computed, from_data, index_page
from null_pictures import MARGINS, SEED, pictures

import chancecorr
from chancecorr.indices.registry import Index, get_index
from chancecorr.kernel_sources import hash_of_kernels

PACKAGE = Path(chancecorr.__file__).parent


def pages(cache: Path) -> dict[str, str]:
    """All pages by their place below ``reference``."""
    properties = read_properties(PACKAGE / "catalogue")
    kernels = hash_of_kernels(PACKAGE)
    found = {
        "catalogue.md": catalogue_page(properties),
        "same_once_corrected.md": classes_page(),
    }
    for name in NAMES:
        index = get_index(name)
        found[f"indices/{name}.md"] = index_page(index, _kept(index, kernels, cache), properties)
    return found


def write_pages(reference: Path, cache: Path) -> int:
    """Write what has changed, remove the pages of indices that are gone; how many files have changed."""
    wanted = {reference / place: text for place, text in pages(cache).items()}
    changed = 0
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            changed += 1
    for path in (reference / "indices").glob("*.md"):
        if path not in wanted:
            path.unlink()
            changed += 1
    return changed


def _kept(index: Index, kernels: str, cache: Path) -> Computed:
    """What is computed for the page of an index, from the cache where nothing has changed."""
    path = cache / f"{index.name}-{_hash(index, kernels)}.json"
    if path.is_file():
        return from_data(json.loads(path.read_text(encoding="utf-8")))
    found = computed(index, pictures(index))
    cache.mkdir(parents=True, exist_ok=True)
    for old in cache.glob(f"{index.name}-????????????????.json"):
        old.unlink()
    path.write_text(json.dumps(as_data(found)), encoding="utf-8")
    return found


def _hash(index: Index, kernels: str) -> str:
    """Of the entry, the functions it names, all kernels, what is drawn and how."""
    parts = [chancecorr.__version__, kernels, repr((TABLE, MARGINS, SEED))]
    parts += [repr(getattr(index, name)) for name in ("name", "needs", "range", "best", "affine", "example")]
    for function in (index.function, index.link, index.make):
        if function is not None:
            parts.append(inspect.getsource(inspect.getmodule(function) or function))
    for module in ("null_pictures.py", "index_page.py"):
        parts.append(Path(__file__).with_name(module).read_text(encoding="utf-8"))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _before_reading(app: Any) -> None:
    changed = write_pages(Path(app.srcdir) / "reference", Path(app.outdir).parent / "catalogue")
    from sphinx.util import logging

    logging.getLogger(__name__).info(f"catalogue: {len(NAMES)} indices, {changed} files written")


def _on_its_pages(app: Any, pagename: str, *_: Any) -> None:
    """The script and the style of the table, on the pages that have use for them."""
    if pagename == "reference/catalogue":
        app.add_js_file("catalogue.js", loading_method="defer")
    if pagename == "reference/catalogue" or pagename.startswith("reference/indices/"):
        app.add_css_file("catalogue.css")


def setup(app: Any) -> dict[str, Any]:
    """Connect to Sphinx."""
    app.connect("builder-inited", _before_reading)
    app.connect("html-page-context", _on_its_pages)
    return {"version": chancecorr.__version__, "parallel_read_safe": True, "parallel_write_safe": True}
