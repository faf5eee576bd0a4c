"""Draw results on many clusterings: scores with intervals, curves of two trees, and heat maps."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chancecorr.indices.registry import display_adjusted, display_name
from chancecorr.machine.arguments import explain_call
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.axes import (
    SHARE_OF_AXES,
    WIDTH_OF_A_CHARACTER,
    check_result,
    choose_ink,
    choose_palette,
    count_characters,
    find_place,
    shorten,
    take_axes,
    take_panels,
    wrap,
)
from chancecorr.machine.printing import escape_hidden, format_fixed
from chancecorr.sampling.seeding import make_generator, make_seed
from chancecorr.tables.picture import MAX_CHARACTERS_OF_A_LABEL, MAX_LINES_OF_A_TABLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chancecorr.comparison.comparison import Comparison
    from chancecorr.comparison.contributions import Contributions
    from chancecorr.comparison.datasets import DatasetScores
    from chancecorr.comparison.pairwise import PairwiseScores
    from chancecorr.comparison.stability import Stability
    from chancecorr.comparison.trees import TreeComparison

MIN_SCORE_WITH_AXIS_TO_1 = 0.9
"""If a score or the end of an interval is above this value, the axis extends to 1, the best value."""

SIZE_OF_A_POINT = 5.5  # points; smaller if rows are lower
LINES_A_ROW = 1.6  # height of a candidate's row in a new figure, in lines of text
MAX_CLUSTERINGS_WITH_NUMBERS = 14  # up to this many clusterings, scores are written into the cells
MIN_WIDTH_OF_A_ROW = 400.0  # points; in narrower pictures of trees the names of lines are one below the other
MIN_SIZE_OF_NUMBERS = 2.5  # points; smaller numbers are left out
MAX_CLUSTERINGS_WITH_NAMES = 20  # more clusterings are only named if there is room
MIN_SIZE_OF_NAMES = 5.0  # points; names of more clusterings are left out if they would be smaller
MAX_OBJECTS_DRAWN = 1000  # up to this many objects, all are drawn


@explain_call
def plot_comparison(
    comparison: "Comparison", index: str | None = None, *, ax: Any = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw the candidates' adjusted scores with intervals, the best at the top; one panel per index.

    Parameters
    ----------
    comparison : Comparison
        The result of `compare`.
    index : str, optional
        Name or alias; by default all indices are drawn, one below the other.
    ax : matplotlib Axes, or one for each index, optional
        Axes to draw on; by default a new figure, as high as the candidates need.
    color : matplotlib colour, optional
        Colour of the best candidate; by default the first colour of ``rcParams["axes.prop_cycle"]``.
    figsize : (float, float), optional
        Width and height of the new figure, in inches; only without `ax`.

    Returns
    -------
    matplotlib Axes
        The axes; with several indices, the first panel (``ax.figure.axes`` has all panels). Full points are
        the best candidate and candidates that are not significantly worse; open circles are the others. A
        candidate without an adjusted score has no point. A dashed line is at 0, agreement by chance, and a
        thin line at 1. If not all names would be legible, every second, third, ... candidate is named.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, or an argument is invalid.
    """
    check_result("comparison", comparison, "Comparison", "evaluations")
    names = comparison.indices if index is None else (index,)
    lines = (LINES_A_ROW * len(comparison) + 3.0) * len(names) + 3.0
    panels = take_panels(ax, len(names), lines=lines, figsize=figsize)
    with_open_circles = False
    for panel, name in zip(panels, names, strict=True):
        scores = comparison.ranked(name)
        rows = [Row(item.candidate, item.adjusted, item.low, item.high, item.among_best) for item in scores]
        label = display_adjusted(scores[0].index, scores[0].asked_as)
        if comparison.with_intervals:
            label += f", {100.0 * comparison.confidence:g} % intervals"
        _draw_with_short_names(panel, rows, label, color)
        with_open_circles |= any(score.among_best is False and score.rank for score in scores)
    if with_open_circles:
        from matplotlib.lines import Line2D

        colours, ground = choose_palette(panels[0], color), panels[0].get_facecolor()
        full, hollow = "best, or not significantly below the best", "significantly below the best"
        circles = [
            Line2D([], [], color=edge, marker="o", linestyle="", markerfacecolor=face, label=text)
            for text, edge, face in ((full, colours.blue, colours.blue), (hollow, colours.faint, ground))
        ]
        panels[0].legend(
            handles=circles, loc="lower right", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize="small",
            labelcolor=colours.mark,
        )  # fmt: skip
    return panels[0]


class Row(NamedTuple):
    """A row of a forest plot: a score, the limits of its interval, and True if it is among the best."""

    name: object
    score: float
    low: float
    high: float
    among_best: bool | None


def _draw_with_short_names(ax: "Axes", rows: Sequence[Row], label: str, color: Any) -> None:
    """Draw a forest plot; names are cut to half of the width, and the label is wrapped.

    If not all names would be legible, every second, third, ... row is named, from the best.
    """
    from matplotlib import rcParams

    width, height = find_place(ax)
    room = 0.4 * height / len(rows)
    step = math.ceil(MIN_SIZE_OF_NAMES / room)
    size = min(float(rcParams["font.size"]), room * step)
    most = count_characters(0.5 * width, size)
    names = _shorten_names([row.name for row in rows], most)
    draw_forest(ax, [row._replace(name=name) for row, name in zip(rows, names, strict=True)], "", color)
    if step > 1:
        ax.set_yticks(range(0, len(rows), step), names[::step], parse_math=False)
        ax.set_ylabel(f"{len(rows):,} candidates, 1 of {step} named", fontsize="small")
    ax.tick_params(axis="y", labelsize=size)
    ax.set_xlabel(wrap(label, 0.85 * width), loc="right")


def draw_forest(ax: "Axes", rows: Sequence[Row], label: str, color: Any = None) -> "Axes":
    """Draw scores with intervals, one below the other, with lines at 0 and, if scores are near 1, at 1."""
    colours = choose_palette(ax, color)
    row_height = SHARE_OF_AXES * find_place(ax)[1] / len(rows)
    size = min(SIZE_OF_A_POINT, 0.6 * row_height)  # a legend takes some of the height
    for place, row in enumerate(rows):
        if not math.isfinite(row.score):
            continue
        colour = colours.mark if row.among_best is None else colours.blue if row.among_best else colours.faint
        is_full = row.among_best is not False
        if math.isfinite(row.low):
            thickness = size / SIZE_OF_A_POINT * (2.0 if is_full else 1.2)
            ax.hlines(place, row.low, row.high, color=colour, linewidth=thickness, zorder=2)
        ax.plot(
            [row.score], [place], "o", markersize=size, color=colour, zorder=3,
            label=escape_hidden(str(row.name)), markerfacecolor=colour if is_full else ax.get_facecolor(),
        )  # fmt: skip
    shown = [x for x in (0.0, *(x for row in rows for x in row[1:4])) if math.isfinite(x)]
    low, high = min(shown), max(shown)
    high = 1.0 if MIN_SCORE_WITH_AXIS_TO_1 <= high < 1.0 else high
    room = 0.04 * (high - low) or 0.1
    ax.set_xlim(low - room, high + room)
    ax.axvline(0.0, color=colours.mark, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1, label="_chance")
    if high + room >= 1.0:
        ax.axvline(1.0, color=colours.faint, linewidth=1.0, zorder=1, label="_best")
    ax.set_yticks(range(len(rows)), [escape_hidden(str(row.name)) for row in rows], parse_math=False)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel(label)
    ax.spines[["left", "right", "top"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


@explain_call
def plot_datasets(
    scores: "DatasetScores", *, ax: "Axes | None" = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw the adjusted scores by data set, one row per candidate, the best at the top.

    Parameters
    ----------
    scores : DatasetScores
        The result of `compare_datasets`.
    ax, color, figsize
        As in `plot_comparison`.

    Returns
    -------
    matplotlib Axes
        The axes. Small points are scores; a line connects the scores of one data set. A large point with an
        interval is the mean. Mean ranks of the named candidates are on the right; the title has their
        critical difference.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_comparison`.
    """
    check_result("scores", scores, "DatasetScores", "comparisons")
    ax = take_panels(ax, 1, 3.6, LINES_A_ROW * len(scores.candidates) + 6.0, figsize=figsize)[0]
    ranked, colours = scores.ranked(), choose_palette(ax, color)
    order = [scores.candidates.index(item.candidate) for item in ranked]
    for values in scores.scores[:, order]:
        (line,) = ax.plot(values, np.arange(len(order)), "-o", markersize=2.5, linewidth=0.5)
        line.set(color=colours.faint, alpha=0.6, zorder=1)
    name = display_adjusted(scores.index, scores.asked_as)
    about = f"{name}; {100 * scores.confidence:g} % intervals of means"
    rows = [Row(item.candidate, item.mean, item.low, item.high, True) for item in ranked]
    _draw_with_short_names(ax, rows, about, color)
    for place, label in zip(ax.get_yticks().astype(int).tolist(), ax.get_yticklabels(), strict=True):
        ax.annotate(
            f"{ranked[place].rank:.2f}", (1.0, place), xycoords=("axes fraction", "data"), xytext=(6, 0),
            textcoords="offset points", va="center", color=colours.mark, size=label.get_fontsize(),
        )  # fmt: skip
    ax.set_xlim(auto=True)
    ax.autoscale_view(scaley=False)
    critical = scores.rank_test().critical_difference
    title = f"mean rank on the right; critical difference of two: {critical:.2f}"
    ax.set_title(wrap(title, 0.75 * find_place(ax)[0]), loc="right", fontsize="small")
    return ax


@explain_call
def plot_trees(
    result: "TreeComparison", *, ax: "Axes | None" = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw the index of two trees by number of clusters, with its band under permutations of the leaves.

    Parameters
    ----------
    result : TreeComparison
        The result of `compare_trees`.
    ax, color, figsize
        As in `plot_comparison`.

    Returns
    -------
    matplotlib Axes
        The axes, with observed values, expected values, and the joint band of all levels.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_comparison`.
    """
    check_result("result", result, "TreeComparison", "trees")
    ax = take_axes(ax, figsize)
    colours, k = choose_palette(ax, color), result.n_clusters
    band = f"{100 * result.confidence:g} % of permutations, all levels"
    ax.fill_between(k, result.low, result.high, color=colours.chance, alpha=0.4, linewidth=0, label=band)
    ax.plot(k, result.expected, color=colours.mark, linewidth=1, linestyle="--", label="expected by chance")
    ax.plot(k, result.observed, color=colours.blue, marker="o", markersize=3, linewidth=1, label="observed")
    ax.set(xlabel="number of clusters", ylabel=display_name(result.index))
    ax.spines[["right", "top"]].set_visible(False)
    ax.legend(
        fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0.0, 1.0), labelcolor=colours.mark,
        ncols=1 if find_place(ax)[0] < MIN_WIDTH_OF_A_ROW else 3,
    )  # fmt: skip
    return ax


@explain_call
def plot_pairwise(
    scores: "PairwiseScores", *, ax: "Axes | None" = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw a heat map of adjusted scores, with similar clusterings side by side.

    Parameters
    ----------
    scores : PairwiseScores
        The result of `pairwise`.
    ax, color, figsize
        As in `plot_comparison`.

    Returns
    -------
    matplotlib Axes
        The axes, with the image in ``ax.images[0]``. Colours begin at 0 (chance), or at the lowest score if
        it is negative; cells without an adjusted score are empty. The clusterings are in the order of the
        leaves of `PairwiseScores.linkage`, with similar leaves as close as possible; the title says so if the
        order differs from the input. More than 20 clusterings are only named if the names are legible.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_comparison`.
    """
    check_result("scores", scores, "PairwiseScores", "medoid")
    order, m = order_of_leaves(scores.distances()), len(scores)
    values = scores.adjusted[np.ix_(order, order)]
    finite = values[np.isfinite(values)]
    low = min(0.0, float(finite.min(initial=0.0)))
    label = display_adjusted(scores.index, scores.asked_as)
    ax, shades = _draw_heat_map(ax, values, low, label, color, figsize)
    colour = choose_palette(ax).mark
    width, height = find_place(ax)
    letters = min(0.4 * min(width, height) / m, 9.0)
    is_named = m <= MAX_CLUSTERINGS_WITH_NAMES or letters >= MIN_SIZE_OF_NAMES
    letters, sides = max(letters, 4.0), []
    for set_ticks, points, rotation in ((ax.set_xticks, height, 90), (ax.set_yticks, width, 0)):
        most = count_characters(0.33 * points, letters)
        names = _shorten_names([scores.names[place] for place in order], most) if is_named else []
        sides.append(0.8 * points - WIDTH_OF_A_CHARACTER * letters * max(map(len, names), default=0))
        places = range(len(names))
        set_ticks(places, names, rotation=rotation, fontsize=letters, color=colour, parse_math=False)
    size = min(letters, 0.4 * min(sides) / m)
    if m <= MAX_CLUSTERINGS_WITH_NUMBERS and size >= MIN_SIZE_OF_NUMBERS:
        for i, j in np.argwhere(np.isfinite(values)).tolist():
            readable = choose_ink(shades((values[i, j] - low) / (1.0 - low)))
            text = format_fixed(values[i, j], 2)
            ax.text(j, i, text, ha="center", va="center", fontsize=size, color=readable)
    if not scores.is_symmetric:
        ax.set_xlabel("candidate", fontsize=9, color=colour)
        ax.set_ylabel("reference", fontsize=9, color=colour)
    about = "" if order.tolist() == list(range(m)) else "ordered by similarity"
    if not is_named:
        about = f"{m:,} clusterings {about}".strip()
    ax.set_title(about, fontsize=9, loc="left", color=colour)
    return ax


def _draw_heat_map(
    ax: "Axes | None", shares: Floats, low: float, label: str, color: Any,
    figsize: tuple[float, float] | None,
) -> tuple["Axes", Any]:  # fmt: skip
    """Draw a square heat map of numbers from `low` to 1, with a labelled colour bar; return the shades."""
    ax = take_axes(ax, figsize, height=5.4)
    from matplotlib.colors import LinearSegmentedColormap

    colours = choose_palette(ax, color)
    shades = LinearSegmentedColormap.from_list("shares", [colours.track, colours.blue])
    image = ax.imshow(np.ma.masked_invalid(shares), cmap=shades, vmin=low, vmax=1.0, aspect="equal")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    beside = ax.inset_axes((1.04, 0.0, 0.05, 1.0))  # as high as the map, whatever the shape of the figure
    bar = ax.figure.colorbar(image, cax=beside)
    bar.set_label(wrap(label, 0.65 * min(find_place(ax)), 9.0), fontsize=9, color=colours.mark)
    bar.ax.tick_params(labelsize=8, color=colours.faint, labelcolor=colours.mark)
    bar.outline.set_visible(False)
    return ax, shades


def order_of_leaves(distances: Floats) -> Integers:
    """Return an order of objects, given their pairwise distances, with similar objects side by side."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    return np.asarray(leaves_list(linkage(distances, "average", optimal_ordering=True)), dtype=np.int64)


@explain_call
def plot_stability(
    result: "Stability", *, ax: "Axes | None" = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw a heat map of the share of runs that put two objects together.

    Parameters
    ----------
    result : Stability
        The result of `stability`.
    ax, color, figsize
        As in `plot_comparison`.

    Returns
    -------
    matplotlib Axes
        The axes, with the image in ``ax.images[0]``: for each pair of objects, the share among the runs that
        contain both; empty if no run contains both. Objects are ordered as in `plot_pairwise`. With more than
        1,000 objects a sample of them is drawn, and the title says so.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_comparison`.
    """
    check_result("result", result, "Stability", "consistency")
    n = result.runs.n
    objects = np.arange(n)
    if n > MAX_OBJECTS_DRAWN:
        objects = np.sort(make_generator(make_seed(0)).choice(n, MAX_OBJECTS_DRAWN, replace=False))
    shares = result.share_together(objects)
    if objects.size > 2:
        distances = 1.0 - shares[np.triu_indices(objects.size, 1)]
        order = order_of_leaves(np.where(np.isnan(distances), 1.0, distances))
        shares = shares[np.ix_(order, order)]
    ax, _ = _draw_heat_map(ax, shares, 0.0, "share of runs that put both objects together", color, figsize)
    ax.set(xticks=[], yticks=[])
    what = f"{objects.size:,} objects" + (f", a sample of {n:,}," if n > objects.size else "")
    ax.set_title(f"{what} ordered by similarity", fontsize=9, loc="left", color=choose_palette(ax).mark)
    return ax


@explain_call
def plot_contributions(
    result: "Contributions", *, ax: "Axes | None" = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw the scores of single clusters, the largest at the top, or a histogram of objects by score.

    Parameters
    ----------
    result : Contributions
        The result of `agreement_by_cluster` or `agreement_by_object`.
    ax, color, figsize
        As in `plot_comparison`.

    Returns
    -------
    matplotlib Axes
        The axes, with a bar for each cluster, or for each interval of scores, in ``ax.patches``. With more
        than 20 clusters only the largest are drawn, and the title says so.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_comparison`.
    """
    check_result("result", result, "Contributions", "contributions")
    ax, what = take_axes(ax, figsize), display_name(result.index)
    blue = choose_palette(ax, color).blue
    ax.spines[["right", "top"]].set_visible(False)
    if result.labels is None or result.sizes is None:
        ax.hist(result.scores[np.isfinite(result.scores)], bins=30, color=blue)
        ax.set(xlabel=wrap(f"{what} of the object", find_place(ax)[0]), ylabel="objects")
        return ax
    largest = np.argsort(-result.sizes, kind="stable")[:MAX_LINES_OF_A_TABLE]
    sizes, (width, height) = result.sizes[largest].tolist(), find_place(ax)
    most = min(count_characters(width / 3.0), MAX_CHARACTERS_OF_A_LABEL)
    names = _shorten_names(result.labels[largest].tolist(), most)
    ax.barh(np.arange(largest.size), result.scores[largest], color=blue)
    ticks = [f"{name} ({size:,})" for name, size in zip(names, sizes, strict=True)]
    letters = min(0.65 * height / largest.size, ax.yaxis.label.get_fontsize())
    ax.set_yticks(np.arange(largest.size), ticks, fontsize=letters)
    ax.invert_yaxis()
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(wrap(f"{what} of the cluster", width), loc="right")
    if largest.size < result.sizes.size:
        title = f"the {largest.size} largest of {result.sizes.size:,} clusters"
        ax.set_title(title, fontsize=9, loc="left", color=choose_palette(ax).mark)
    return ax


def _shorten_names(names: Sequence[object], most: int) -> list[str]:
    """Return the names cut to `most` characters, or to more if they would become equal."""
    different = len({escape_hidden(str(name)) for name in names})
    while len({shorten(name, most) for name in names}) < different:
        most += 1
    return [shorten(name, most) for name in names]
