"""Resolve references to names of chancecorr from any page; attributes lead to the page of their class.

A reference without a target is a warning, and so ends a build with ``-W``.
"""

from typing import Any

from docutils import nodes
from sphinx.util import logging
from sphinx.util.nodes import make_refnode


def link_own_name(app: Any, env: Any, node: Any, content: Any) -> nodes.Node | None:
    """Return a link to the page with the name, or its class; warn if a name of chancecorr has no page."""
    if node.get("refdomain") != "py":
        return None
    objects = env.get_domain("py").objects
    target = node["reftarget"].removeprefix("chancecorr.")
    for name in (target, target.rpartition(".")[0]):
        for full in objects if name else ():
            if full == f"chancecorr.{name}" or full.endswith(f".{name}"):
                page = objects[full]
                return make_refnode(app.builder, node["refdoc"], page.docname, page.node_id, content, full)
    if node["reftarget"].startswith("chancecorr."):
        logging.getLogger(__name__).warning(
            "no page has %r", node["reftarget"], location=node, type="chancecorr"
        )
    return None


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("missing-reference", link_own_name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
