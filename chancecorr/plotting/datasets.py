"""Candidates on many data sets: a point for each score, and the mean with its interval."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError
from chancecorr.comparison.dataset_scores import DatasetScores
from chancecorr.indices.display_names import display_name
from chancecorr.plotting.theme import axes_or_new, palette, rows_of_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_datasets(scores: DatasetScores, *, ax: "Axes | None" = None) -> Any:
    """Adjusted scores by data set, one row a candidate, the best at the top.

    Parameters
    ----------
    scores : DatasetScores
        What `compare_datasets` returned.
    ax : matplotlib Axes, optional
        Where to draw; left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        Small points for the data sets, a line through the same data set's points, and a large point with its
        interval for the mean. Mean ranks are on the right; the title says how far apart they differ. 0,
        agreement by chance, is a dashed line.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    TypeError
        If `scores` is something else.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from chancecorr.comparison import compare_datasets
    >>> of_one = {"halves": [0, 0, 0, 1, 1, 1], "thirds": [0, 0, 1, 1, 2, 2]}
    >>> found = compare_datasets({name: ([0, 0, 0, 1, 1, 1], of_one) for name in "ab"})
    >>> ax = plot_datasets(found, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['halves', 'thirds']
    """
    if not isinstance(scores, DatasetScores):
        raise ArgumentTypeError("scores", f"must be DatasetScores; got {type(scores).__name__}.")
    ax = axes_or_new(ax)
    ranked, colours = scores.ranked(), palette(ax)
    order = [scores.candidates.index(each.candidate) for each in ranked]
    places = np.arange(len(ranked))
    for row in scores.scores[:, order]:
        ax.plot(row, places, "-o", color=colours.faint, markersize=2.5, linewidth=0.5, alpha=0.6, zorder=1)
    for place, each in enumerate(ranked):
        if math.isfinite(each.low):
            ax.hlines(place, each.low, each.high, color=colours.blue, linewidth=2.0, zorder=2)
        ax.plot([each.mean], [place], "o", color=colours.blue, markersize=6.0, zorder=3)
        ax.annotate(
            f"{each.rank:.2f}", (1.0, place), xycoords=("axes fraction", "data"), xytext=(6, 0),
            textcoords="offset points", va="center", color=colours.mark,
        )  # fmt: skip
    ax.axvline(0.0, color=colours.faint, linestyle="--", linewidth=0.8, zorder=0)
    about = f"{display_name(scores.index)}, adjusted; {100 * scores.confidence:g} % intervals of means"
    rows_of_names(ax, [each.candidate for each in ranked], about)
    critical = scores.rank_test().critical_difference
    ax.set_title(f"mean ranks on the right differ from {critical:.2f} on", loc="right", fontsize="small")
    return ax
