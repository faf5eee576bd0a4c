"""Declares that pages may be read in parallel with `sphinx-mathjax-offline`, which touches none of them."""

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Load it, and declare both."""
    app.setup_extension("sphinx-mathjax-offline")
    found = app.extensions["sphinx-mathjax-offline"]
    found.parallel_read_safe = found.parallel_write_safe = True
    return {"parallel_read_safe": True, "parallel_write_safe": True}
