"""The directive ``which-index``: six questions and the index for each, from the catalogue."""

from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from chancecorr.catalogue.recommendations import CHOICES

HEADER = "| your question | index, and its name in the call | why |"


def table() -> str:
    """The choices as a table in Markdown, each index with a link to its page."""
    rows = (
        f"| {each.question} | [{each.title}](/reference/indices/{each.index}.md)"
        f' `{"adjust" if each.adjusted else "score"}(..., index="{each.call}")` | {each.why} |'
        for each in CHOICES
    )
    return "\n".join([HEADER, "| --- | --- | --- |", *rows])


class WhichIndex(SphinxDirective):
    """The table, in a box with a class of its own."""

    def run(self) -> list[nodes.Node]:
        """Nodes of the table."""
        box = nodes.container(classes=["which-index"])
        box += self.parse_text_to_nodes(table())
        return [box]


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("which-index", WhichIndex)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
