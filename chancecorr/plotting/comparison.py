"""Scores and their intervals: of candidates, over data sets, of two trees by the number of clusters."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentTypeError
from chancecorr.comparison.comparison import Comparison
from chancecorr.comparison.datasets import DatasetScores
from chancecorr.comparison.trees import TreeComparison
from chancecorr.indices.display_names import display_name
from chancecorr.plotting.theme import axes_or_new, new_panels, palette
from chancecorr.printing import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NEARLY_ONE = 0.9
"""The axis goes on to 1, the best value, from a score or the end of an interval that is as high."""

LINES_A_ROW = 1.6  # height of a candidate's row in a figure of its own, in lines of text
INCHES_A_LINE = 0.174  # height of a line of text in the usual size


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
        Full points for the best candidate and those not significantly below it, open circles for the others;
        no point without an adjusted score. 0, agreement by chance, is a dashed line, and 1 a thin one.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, or an argument breaks its rule.
    """
    if not isinstance(comparison, Comparison):
        raise ArgumentTypeError("comparison", f"must be a Comparison; got {type(comparison).__name__}.")
    several = index is None and ax is None and len(comparison.indices) > 1
    names = comparison.indices if several else (index,)
    lines = LINES_A_ROW * len(comparison) * len(names) + 4.0
    panels = [ax] if ax is not None else new_panels(len(names), max(1.6, lines * INCHES_A_LINE))
    for panel, name in zip(panels, names, strict=True):
        scores = comparison.ranked(name)
        rows = [Row(each.candidate, each.adjusted, each.low, each.high, each.among_best) for each in scores]
        label = f"{display_name(scores[0].index)}, adjusted"
        if comparison.with_intervals:
            hollow = any(score.among_best is False and score.rank for score in scores)
            more = "; open circle: significantly below the best" if hollow else ""
            label += f", {100.0 * comparison.confidence:g} % intervals{more}"
        draw_forest(axes_or_new(panel), rows, label)
    return panels if several else panels[0]


class Row(NamedTuple):
    """A line of a forest plot: a score with the ends of its interval, and whether it is among the best."""

    name: object
    score: float
    low: float
    high: float
    among_best: bool | None


def draw_forest(ax: "Axes", rows: Sequence[Row], label: str) -> "Axes":
    """Draw scores with their intervals, one below the other; lines are at 0 and, where it is near, at 1."""
    colours = palette(ax)
    for place, row in enumerate(rows):
        if not math.isfinite(row.score):
            continue
        colour = colours.mark if row.among_best is None else colours.blue if row.among_best else colours.faint
        is_full = row.among_best is not False
        if math.isfinite(row.low):
            ax.hlines(place, row.low, row.high, color=colour, linewidth=2.0 if is_full else 1.2, zorder=2)
        ax.plot(
            [row.score], [place], "o", markersize=5.5, color=colour, zorder=3, label=visible(str(row.name)),
            markerfacecolor=colour if is_full else ax.get_facecolor(),
        )  # fmt: skip
    shown = [x for x in (0.0, *(x for row in rows for x in row[1:4])) if math.isfinite(x)]
    low, high = min(shown), max(shown)
    high = 1.0 if NEARLY_ONE <= high < 1.0 else high
    room = 0.04 * (high - low) or 0.1
    ax.set_xlim(low - room, high + room)
    ax.axvline(0.0, color=colours.mark, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1, label="_chance")
    if high + room >= 1.0:
        ax.axvline(1.0, color=colours.faint, linewidth=1.0, zorder=1, label="_best")
    ax.set_yticks(range(len(rows)), [visible(str(row.name)) for row in rows], parse_math=False)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel(label)
    ax.spines[["left", "right", "top"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


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
        Small points, with a line through those of one data set, and a large point with its interval for the
        mean. Mean ranks are on the right; the title says how far apart they differ.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, or an argument breaks its rule.
    """
    if not isinstance(scores, DatasetScores):
        raise ArgumentTypeError("scores", f"must be DatasetScores; got {type(scores).__name__}.")
    ax = axes_or_new(ax)
    ranked, colours = scores.ranked(), palette(ax)
    order = [scores.candidates.index(each.candidate) for each in ranked]
    for values in scores.scores[:, order]:
        (line,) = ax.plot(values, np.arange(len(order)), "-o", markersize=2.5, linewidth=0.5)
        line.set(color=colours.faint, alpha=0.6, zorder=1)
    for place, each in enumerate(ranked):
        ax.annotate(
            f"{each.rank:.2f}", (1.0, place), xycoords=("axes fraction", "data"), xytext=(6, 0),
            textcoords="offset points", va="center", color=colours.mark,
        )  # fmt: skip
    about = f"{display_name(scores.index)}, adjusted; {100 * scores.confidence:g} % intervals of means"
    draw_forest(ax, [Row(each.candidate, each.mean, each.low, each.high, True) for each in ranked], about)
    ax.set_xlim(auto=True)
    ax.autoscale_view(scaley=False)
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
    ImportError, TypeError, ValueError
        If matplotlib is missing, or an argument breaks its rule.
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
