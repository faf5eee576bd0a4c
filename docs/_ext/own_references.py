"""References to names of chancecorr: from any page, also to attributes, on the page of their class.

One that leads nowhere is a warning, and so ends a build with ``-W``.
"""

import importlib
from typing import Any

from docutils import nodes
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

import chancecorr

LOGGER = logging.getLogger(__name__)
ROOMS = ("tables", "indices", "correction", "comparison", "ensembles", "prototypes", "catalogue", "plotting")
OWN = {
    name: f"chancecorr.{room}.{name}"
    for room in ROOMS
    for name in importlib.import_module(f"chancecorr.{room}").__all__
} | {name: f"chancecorr.{name}" for name in chancecorr.__all__}
"""Full names of all public names."""


def is_own(target: str) -> bool:
    """Whether a target can only be a name of chancecorr.

    Examples
    --------
    >>> is_own("chancecorr.adjust"), is_own("adjust"), is_own("AdjustedScore.interval"), is_own("n_tables")
    (True, True, True, False)
    """
    return target.startswith("chancecorr.") or target.partition(".")[0] in OWN


def full_names(target: str) -> list[str]:
    """What a target may stand for: a public name, or the class that an attribute is one of.

    Examples
    --------
    >>> full_names("NullDistribution.weights")
    ['chancecorr.correction.NullDistribution.weights', 'chancecorr.correction.NullDistribution']
    """
    name = target.removeprefix("chancecorr.")
    room, _, inside = name.partition(".")
    if room in ROOMS and inside:
        name = inside
    first, dot, _ = name.partition(".")
    there = OWN.get(first, f"chancecorr.{first}")
    return [there + name[len(first) :], *([there] if dot else [])]


def on_missing(app: Any, env: Any, node: Any, content: Any) -> nodes.Node | None:
    """A link to the page that has the name; a warning if none has."""
    target = node["reftarget"]
    if node.get("refdomain") != "py" or not is_own(target):
        return None
    objects = env.get_domain("py").objects
    for name in full_names(target):
        if name in objects:
            page = objects[name]
            return make_refnode(app.builder, node["refdoc"], page.docname, page.node_id, content, name)
    LOGGER.warning("no page has %r", target, location=node, type="chancecorr", subtype="ref")
    return None


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("missing-reference", on_missing)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
