"""A comparison of clusterings as one page of HTML that loads no other file."""

import os

from chancecorr.comparison.comparison import Comparison
from chancecorr.printing import replacing
from chancecorr.report.from_comparison import contents_of
from chancecorr.report.page import page


def to_html(
    comparison: Comparison,
    path: str | os.PathLike[str] | None = None,
    *,
    reference: str = "the reference",
    seed: int | None = None,
    command: str = "",
) -> str | None:
    """A report as one page of HTML that loads no other file (needs Jinja2).

    The best candidates with their intervals, forest plots, null distributions, contingency tables,
    differences, and paragraphs on the method that a paper may take over.

    Parameters
    ----------
    comparison : Comparison
        From `chancecorr.compare`.
    path : str or path-like, optional
        Where to write the page; left out, it is returned.
    reference : str
        What the reference is called.
    seed : int, optional
        The seed that was given as `rng`, shown if random numbers were drawn.
    command : str
        The command that made the report, to be shown.

    Returns
    -------
    str or None
        The page, or None where it was written to `path`.

    Raises
    ------
    ImportError
        If Jinja2 is missing: ``pip install 'chancecorr[report]'``.

    Examples
    --------
    >>> from chancecorr import compare
    >>> from chancecorr.report import to_html
    >>> comparison = compare([0, 0, 0, 1, 1, 1], {"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 2, 2]})
    >>> to_html(comparison, reference="species")[:15]
    '<!DOCTYPE html>'
    """
    html = page(contents_of(comparison, reference=reference, seed=seed, command=command))
    if path is None:
        return html
    with replacing(path) as file:
        file.write(html.encode())
    return None
