"""A comparison of clusterings, or many on data sets, as one page of HTML that loads no other file."""

import os

from chancecorr.comparison.comparison import Comparison
from chancecorr.comparison.datasets import DatasetScores
from chancecorr.printing import replacing
from chancecorr.report.contents import contents_of
from chancecorr.report.page import page, page_of_datasets


def to_html(
    comparison: Comparison | DatasetScores,
    path: str | os.PathLike[str] | None = None,
    *,
    reference: str = "the reference",
    seed: int | None = None,
    command: str = "",
) -> str | None:
    """A report as one page of HTML that loads no other file (needs Jinja2 and Matplotlib).

    The best candidates with their intervals, forest plots, null distributions, tables, differences, and
    paragraphs on the method for a paper. Of many data sets: means, tests, and the score on each.

    Parameters
    ----------
    comparison : Comparison or DatasetScores
        From `chancecorr.compare` or `chancecorr.comparison.compare_datasets`.
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
        If Jinja2 or Matplotlib is missing: ``pip install 'chancecorr[report]'``.

    Examples
    --------
    >>> from chancecorr import compare
    >>> to_html(compare([0, 0, 1, 1], {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]}), reference="species")[:15]
    '<!DOCTYPE html>'
    """
    if isinstance(comparison, DatasetScores):
        html = page_of_datasets(comparison, reference=reference, seed=seed, command=command)
    else:
        html = page(contents_of(comparison, reference=reference, seed=seed, command=command))
    if path is None:
        return html
    with replacing(path) as file:
        file.write(html.encode())
    return None
