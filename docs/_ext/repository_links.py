"""Links of pages that are read in the repository too, where these files lie elsewhere than on the site."""

import re
from typing import Any

PLACES = {
    "../CONTRIBUTING.md": "/contributing.md",
    "../CHANGELOG.md": "/changelog.md",
    "../CATALOGUE.md": "/reference/catalogue.md",
}
LINK = re.compile(r"\]\((" + "|".join(map(re.escape, PLACES)) + r")(#[^)]*)?\)")
INDEX = re.compile(r"\]\(\.\./CATALOGUE\.md#([a-z0-9_]+)\)")
"""A link to the row of an index, which has a page of its own here."""


def on_site(app: Any, page: str, source: list[str]) -> None:
    """The page with links to where the site has what they point to."""
    source[0] = INDEX.sub(r"](/reference/indices/\1.md)", source[0])
    source[0] = LINK.sub(lambda found: f"]({PLACES[found[1]]}{found[2] or ''})", source[0])


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("source-read", on_site)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
