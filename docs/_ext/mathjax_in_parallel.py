"""Says that pages may be read in parallel beside `sphinx-mathjax-offline`, which touches none and does not say so."""

from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("sphinx-mathjax-offline")
    safe: dict[str, Any] = {"parallel_read_safe": True, "parallel_write_safe": True}
    app.extensions["sphinx-mathjax-offline"].parallel_read_safe = True
    app.extensions["sphinx-mathjax-offline"].parallel_write_safe = True
    return safe
