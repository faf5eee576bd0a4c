"""Scores and their intervals: of candidates, over data sets, of two trees by the number of clusters."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError
from chancecorr.comparison.comparison import CandidateScore, Comparison
from chancecorr.comparison.datasets import DatasetScores
from chancecorr.comparison.trees import TreeComparison
from chancecorr.indices.display_names import display_name
from chancecorr.plotting.theme import Palette, axes_or_new, palette, rows_of_names
from chancecorr.printing import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NEARLY_ONE = 0.9
"""The axis goes on to 1, the best value, from a score or the end of an interval that is as high."""

LINES_A_ROW = 1.6
"""Height of a candidate's row in a figure of its own, in lines of text."""


def plot_comparison(comparison: Comparison, index: str | None = None, *, ax: "Axes | None" = None) -> Any:
    """Adjusted scores of the candidates, with their intervals, the best at the top; a panel for each index.

    Parameters
    ----------
    comparison : Comparison
        What `compare` returned.
    index : str, optional
        Name or alias; left out, all indices are drawn, one below the other.
    ax : matplotlib Axes, optional
        Where to draw one index; left out, a new figure is made, as high as the candidates need.

    Returns
    -------
    matplotlib Axes, or array of them for several indices
        Full points for the best candidate and those not significantly below it, open circles for the others.
        0, agreement by chance, is a dashed line, and 1 a thin one where the axis reaches it. Candidates
        without an adjusted score have a name and no point.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    TypeError, ValueError
        If an argument breaks its rule.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from chancecorr import compare
    >>> candidates = {"halves": [0, 0, 0, 1, 1, 1], "thirds": [0, 0, 1, 1, 2, 2]}
    >>> ax = plot_comparison(compare([0, 0, 0, 1, 1, 1], candidates), ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['halves', 'thirds']
    """
    if not isinstance(comparison, Comparison):
        raise ArgumentTypeError("comparison", f"must be a Comparison; got {type(comparison).__name__}.")
    if index is None and ax is None and len(comparison.indices) > 1:
        first = axes_or_new(None)
        _make_room(first, len(comparison) * len(comparison.indices))
        figure: Any = first.figure
        first.remove()
        panels = figure.subplots(len(comparison.indices), 1)
        ranked = map(comparison.ranked, comparison.indices)
        return np.array([_forest(comparison, *both) for both in zip(ranked, panels, strict=True)])
    scores, axes = comparison.ranked(index), axes_or_new(ax)
    if ax is None:
        _make_room(axes, len(scores))
    return _forest(comparison, scores, axes)


def _forest(comparison: Comparison, scores: list[CandidateScore], ax: "Axes") -> "Axes":
    """One panel."""
    colours = palette(ax)
    for place, score in enumerate(scores):
        _draw(ax, score, place, colours)
    _draw_limits(ax, scores, colours)
    rows_of_names(ax, [score.candidate for score in scores], _axis_name(comparison, scores))
    return ax


def _make_room(ax: "Axes", n_candidates: int) -> None:
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    if isinstance(ax.figure, Figure):
        line = float(rcParams["font.size"]) * 1.25 / 72.0
        ax.figure.set_figheight(max(1.6, (LINES_A_ROW * n_candidates + 4.0) * line))


def _draw(ax: "Axes", score: CandidateScore, place: int, colours: Palette) -> None:
    if not math.isfinite(score.adjusted):
        return
    colour = colours.mark if score.among_best is None else colours.blue if score.among_best else colours.faint
    filled = score.among_best is not False
    if score.interval is not None and math.isfinite(score.interval.low):
        ax.hlines(place, *score.interval, color=colour, linewidth=2.0 if filled else 1.2, zorder=2)
    ax.plot(
        [score.adjusted], [place], "o", markersize=5.5, color=colour, zorder=3,
        label=visible(str(score.candidate)), markerfacecolor=colour if filled else ax.get_facecolor(),
    )  # fmt: skip


def _draw_limits(ax: "Axes", scores: list[CandidateScore], colours: Palette) -> None:
    """Limits of the axis, with room around the intervals, and the lines at 0 and 1."""
    ends = [end for score in scores if score.interval for end in score.interval]
    shown = [x for x in (0.0, *ends, *(score.adjusted for score in scores)) if math.isfinite(x)]
    low, high = min(shown), max(shown)
    high = 1.0 if NEARLY_ONE <= high < 1.0 else high
    room = 0.04 * (high - low) or 0.1
    ax.set_xlim(low - room, high + room)
    ax.axvline(0.0, color=colours.mark, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1, label="_chance")
    if high + room >= 1.0:
        ax.axvline(1.0, color=colours.faint, linewidth=1.0, zorder=1, label="_best")


def _axis_name(comparison: Comparison, scores: list[CandidateScore]) -> str:
    name = f"{display_name(scores[0].index)}, adjusted"
    if not comparison.with_intervals:
        return name
    level = f"{100.0 * comparison.confidence:g} %"
    hollow = any(score.among_best is False and score.rank for score in scores)
    return f"{name}, {level} intervals" + ("; open circle: significantly below the best" if hollow else "")


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


def plot_trees(found: TreeComparison, *, ax: "Axes | None" = None) -> "Axes":
    """Index of two trees by the number of clusters, with its band under permutations of the leaves.

    Parameters
    ----------
    found : TreeComparison
        What `compare_trees` returned.
    ax : matplotlib Axes, optional
        Where to draw; left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        With the observed values, the expected ones and the band of all levels at once.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    TypeError
        If `found` is something else.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from chancecorr.comparison import compare_trees
    >>> tree = [[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 3, 4]]
    >>> ax = plot_trees(compare_trees(tree, tree))
    >>> ax.get_xlabel()
    'number of clusters'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if not isinstance(found, TreeComparison):
        raise ArgumentTypeError("found", f"must be a TreeComparison; got {type(found).__name__}.")
    ax = axes_or_new(ax)
    colours, k = palette(ax), found.n_clusters
    band = f"{100 * found.confidence:g} % of permutations, all levels"
    ax.fill_between(k, found.low, found.high, color=colours.chance, alpha=0.4, linewidth=0, label=band)
    ax.plot(k, found.expected, color=colours.mark, linewidth=1, linestyle="--", label="expected by chance")
    ax.plot(k, found.observed, color=colours.mark, marker="o", markersize=3, linewidth=1, label="observed")
    ax.set(xlabel="number of clusters", ylabel=display_name(found.index))
    ax.legend(fontsize=8, frameon=False)
    return ax
