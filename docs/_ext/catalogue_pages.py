"""Pages of the catalogue, made from the entries of the registry before Sphinx looks for its sources.

``reference/indices/NAME.md`` for each index, ``reference/catalogue.md`` and
``reference/same_once_corrected.md``. The directive ``which-index`` is the table of six questions.
"""

from pathlib import Path
from typing import Any

from catalogue_table import write_catalogue_page, write_classes_page
from catalogue_text import NAMES, write_choices
from docutils import nodes
from index_page import write_index_page
from sphinx.util.docutils import SphinxDirective

from chancecorr.indices.registry import get_index


def write_pages(reference: Path) -> None:
    """Write the pages that have changed, and remove the pages of removed indices."""
    pages = {reference / "indices" / f"{name}.md": write_index_page(get_index(name)) for name in NAMES}
    pages[reference / "catalogue.md"] = write_catalogue_page()
    pages[reference / "same_once_corrected.md"] = write_classes_page()
    (reference / "indices").mkdir(parents=True, exist_ok=True)
    for path, text in pages.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in set((reference / "indices").glob("*.md")) - set(pages):
        path.unlink()


class WhichIndex(SphinxDirective):
    """The table of questions, in a box with its class; its text is for readers of the Markdown file."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Nodes of the table."""
        return [
            nodes.container(
                "", *self.parse_text_to_nodes(write_choices(with_links=True)), classes=["which-index"]
            )
        ]


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("which-index", WhichIndex)
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir) / "reference"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
