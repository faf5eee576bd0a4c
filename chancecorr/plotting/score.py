"""Draw a null distribution with the observed, expected and best value of a score."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.indices.registry import display_name
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, explain_call
from chancecorr.machine.arrays import Booleans, Floats
from chancecorr.machine.axes import Palette, choose_palette, find_place, take_axes, take_panels, wrap
from chancecorr.machine.printing import format_p_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chancecorr.chance.null_distribution import NullDistribution
    from chancecorr.correction.scores import AdjustedScore, AdjustedScores

Bins = Literal["auto"] | int | npt.ArrayLike

MAX_BARS, MAX_BINS = 40, 60  # up to 40 distinct values, each has a bar; more values are put into bins
PROBABILITY_NOT_SHOWN = 5e-5  # left out on each side of a distribution: 99.99 % are shown
MAX_SHARE_ENLARGED = 0.2  # a null distribution on less than this share of the axis is also enlarged
MIN_WIDTH_OF_A_LEGEND = 330.0  # points; in wider pictures the names of three marks are side by side
HEIGHT_OF_A_SMALL_PICTURE = 200.0  # points; up to this height the enlarged part is placed higher
MAX_ROUNDING_OF_A_MEAN = 1e-12  # rounding error of the mean of a listed distribution, in its std
SHARE_OF_HEIGHT = 0.85  # share of the height for the highest bar or bin, below the scale


@explain_call
def plot_null(
    result: "AdjustedScore | NullDistribution", *, bins: Bins = "auto", ax: "Axes | None" = None,
    color: Any = None, figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw the distribution of an index under chance, and mark the observed and the adjusted score.

    Parameters
    ----------
    result : AdjustedScore or NullDistribution
        The result of `adjust`, `adjust_table` or `null_distribution`.
    bins : "auto", int or array-like of shape (k + 1,)
        ``"auto"``: a bar for each value, up to 40 values; otherwise bins whose edges are halfway between
        values, so that the steps of a discrete index do not make a pattern. Other values as in
        `numpy.histogram`.
    ax : matplotlib Axes, optional
        Axes to draw on; by default a new figure.
    color : matplotlib colour, optional
        Colour of the observed value; by default the first colour of ``rcParams["axes.prop_cycle"]``.
    figsize : (float, float), optional
        Width and height of the new figure, in inches; only without `ax`.

    Returns
    -------
    matplotlib Axes
        The axes. The horizontal axis is the raw index; it includes all marks and 99.99 % of the distribution.
        A distribution that would be very narrow on this axis is also shown enlarged in ``ax.child_axes[0]``.
        The scale above runs from 0 at the expected value to 1 at the best value, and is filled up to the
        observed value: the filled part is the adjusted score. The heights of bars for single values sum to 1;
        for bins, the areas sum to 1.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, an argument is invalid, or only moments are known (``"analytic"``).
    """
    score, null = _take_apart(result)
    finite = np.isfinite(null.values)
    values, weights = null.values[finite], null.weights[finite]
    shown = values[_select_likely(values, weights)] if values.size else np.full(1, math.nan)
    low, high = float(shown[0]), float(shown[-1])
    mean = null.mean if score is None else score.expected
    marks = {"expected": 0.0 if abs(mean) < MAX_ROUNDING_OF_A_MEAN * null.std else mean}
    marks |= {"observed": score.observed, "best": score.best} if score else {}
    marks = {name: x for name, x in marks.items() if math.isfinite(x)}
    ends = [x for x in (low, high, *marks.values()) if math.isfinite(x)] or [0.0, 1.0]
    margin = 0.1 * (max(ends) - min(ends)) or 0.1 * max(abs(min(ends)), 1.0)  # room for the names of marks
    left, right = min(ends) - margin, max(ends) + margin
    edges, heights = _find_steps(values, weights, bins, right - left)
    ax = take_axes(ax, figsize)
    colours = choose_palette(ax, color)
    _draw(ax, edges, heights, marks, colours)
    top = max(heights.max(initial=0.0), np.finfo(np.float64).tiny)
    ax.set(xlim=(left, right), ylim=(0.0, top / SHARE_OF_HEIGHT), yticks=[])
    undefined = 100.0 * float(null.weights[~finite].sum())
    note = f", undefined on {undefined:.3g}% of tables" if undefined else ""
    law = f"null distribution, {null.n_tables:,} tables" if null.n_tables else "exact null distribution"
    width, is_narrow = 0.85 * find_place(ax)[0], find_place(ax)[0] < MIN_WIDTH_OF_A_LEGEND
    ax.set_xlabel(wrap(f"{display_name(null.index)} ({law}{note})", width))
    ax.spines[["left", "right", "top"]].set_visible(False)
    legend = ax.legend(
        title=_write_headline(score) if score else "", loc="lower left", bbox_to_anchor=(0.0, 1.0),
        ncols=2 if is_narrow else 3, fontsize="small" if is_narrow else None,
        handlelength=1.4 if is_narrow else None, columnspacing=1.0 if is_narrow else None,
        frameon=False, alignment="left", borderaxespad=0.0, labelcolor=colours.mark,
    )  # fmt: skip
    legend.get_title().set_color(colours.mark)
    if len(marks) == 3:  # scale from the expected to the best value, filled up to the observed value
        for end, colour, zorder in (("best", colours.track, 2.0), ("observed", colours.blue, 2.5)):
            ax.plot(
                [marks["expected"], marks[end]], [0.94, 0.94], color=colour, zorder=zorder, label="_scale",
                transform=ax.get_xaxis_transform(), linewidth=6, solid_capstyle="butt",
            )  # fmt: skip
    if score and 0.0 < high - low < MAX_SHARE_ENLARGED * (right - left):
        _draw_enlarged(ax, edges, heights, (low, high), marks, colours)
    return ax


@explain_call
def plot_scores(
    scores: "AdjustedScores",
    index: str | None = None,
    *,
    bins: Bins = "auto",
    ax: Any = None,
    color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":
    """Draw several indices under chance, one below the other.

    Parameters
    ----------
    scores : AdjustedScores
        The result of `adjust` or `adjust_table` for a list of indices.
    index : str, optional
        Name or alias; by default all indices are drawn.
    bins, ax, color, figsize
        As in `plot_null`; with several indices, `ax` has one Axes for each.

    Returns
    -------
    matplotlib Axes
        The panel of the first index; ``ax.figure.axes`` has all panels.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_null`.
    """
    names = list(scores) if index is None else [index]
    panels = take_panels(ax, len(names), 2.8 * len(names), figsize=figsize)
    for name, panel in zip(names, panels, strict=True):
        plot_null(scores[name], bins=bins, ax=panel, color=color)
    return panels[0]


def _take_apart(
    result: "AdjustedScore | NullDistribution",
) -> "tuple[AdjustedScore | None, NullDistribution]":
    """Return the score, if there is one, and its null distribution; raise if its values are not known."""
    found: Any = result
    score = found if hasattr(found, "compute_null") else None
    null = found if score is None else score.compute_null()
    if not hasattr(null, "values_from"):
        hint = " Choose one of them, as in result['rand']." if isinstance(found, Mapping) else ""
        raise ArgumentTypeError(
            "result", f"must be an AdjustedScore or a NullDistribution; got {type(found).__name__}.{hint}"
        )
    if null.values_from is None:
        raise ArgumentValueError(
            "result",
            "must have a null distribution to show; got method='analytic', which gives moments only."
            " Use method='auto', 'exact' or 'monte-carlo'.",
        )
    return score, null


def _write_headline(score: "AdjustedScore") -> str:
    """Write the adjusted score and its p-value, if they are known."""
    has_score = math.isfinite(score.adjusted)
    parts = [f"adjusted = {score.adjusted:.3f}" if has_score else "adjusted: undefined"]
    if math.isfinite(score.p_value):
        p = format_p_value(score.p_value, score.p_is_bound, score.log_p_value)
        parts.append(f"p {p}" if p.startswith("≤") else f"p = {p}")
    return ", ".join(parts)


def _find_steps(values: Floats, weights: Floats, bins: Bins, width: float) -> tuple[Floats, Floats]:
    """Return edges and heights on an axis of this width: separate bars for few values, bins for many.

    Heights of bars, and areas of bins, are probabilities.
    """
    if not (isinstance(bins, str) and bins == "auto"):
        edges = np.histogram_bin_edges(values, bins)
    elif not values.size:
        return np.zeros(0), np.zeros(0)
    else:
        inside = _select_likely(values, weights)
        if inside.sum() <= MAX_BARS:
            if values.size > MAX_BARS:
                values, weights = values[inside], weights[inside]
            gap = float(np.diff(values).min()) if values.size > 1 else width
            wide = max(min(0.8 * gap, 0.04 * width), 0.004 * float(values[-1] - values[0]))
            ends = np.column_stack([values - wide / 2, values + wide / 2]).ravel()
            return ends, np.column_stack([weights, np.zeros(weights.size)]).ravel()[:-1]
        halves = (values[1] - values[0]) / 2, (values[-1] - values[-2]) / 2
        first, last = values[0] - halves[0], values[-1] + halves[1]
        between = _place_edges(values[inside], weights[inside]).clip(first, last)
        edges = np.unique([first, *between, last])
    return edges, np.histogram(values, edges, weights=weights)[0] / np.diff(edges)


def _place_edges(values: Floats, weights: Floats) -> Floats:
    """Return nearly equidistant edges, halfway between values: equal bins would show false gaps."""
    halfway = (values[1:] + values[:-1]) / 2
    edges = np.concatenate([[2 * values[0] - halfway[0]], halfway, [2 * values[-1] - halfway[-1]]])
    # A quarter of the standard deviation shows the shape; 17,000 tables fill such bins well.
    mean = (weights * values).sum() / weights.sum()
    std = math.sqrt((weights * (values - mean) ** 2).sum() / weights.sum())
    n_bins = min(max(math.ceil((edges[-1] - edges[0]) / (0.25 * std)), 10), MAX_BINS)
    wanted = np.linspace(edges[0], edges[-1], n_bins + 1)
    after = np.clip(np.searchsorted(edges, wanted), 1, edges.size - 1)
    nearest = np.where(wanted - edges[after - 1] <= edges[after] - wanted, after - 1, after)
    chosen: Floats = edges[np.unique(nearest)]
    return chosen


def _select_likely(values: Floats, weights: Floats) -> Booleans:
    """Return the mask of values between the two quantiles for `PROBABILITY_NOT_SHOWN`; at least one."""
    below = np.cumsum(weights)
    beyond = PROBABILITY_NOT_SHOWN * below[-1]
    between: Booleans = (below >= beyond) & (below - weights <= below[-1] - beyond)
    return between


def _draw(ax: "Axes", edges: Floats, heights: Floats, marks: dict[str, float], colours: Palette) -> None:
    """Fill the area below the steps, with a line so that narrow steps are visible, and draw the marks."""
    if heights.size:
        ax.stairs(heights, edges, fill=True, color=colours.chance, linewidth=0.3)
    styles: dict[str, dict[str, Any]] = {
        "expected": {"color": colours.mark, "linewidth": 1.2, "linestyle": (0, (4, 2))},
        "observed": {"color": colours.blue, "linewidth": 2.0},
        "best": {"color": colours.faint, "linewidth": 1.0},
    }
    for name, x in marks.items():
        ax.axvline(x, label=f"{name} {x:.4g}", zorder=3, **styles[name])


def _draw_enlarged(
    ax: "Axes",
    edges: Floats,
    heights: Floats,
    likely_range: tuple[float, float],
    marks: dict[str, float],
    colours: Palette,
) -> None:
    """Draw the likely part of the null distribution again, enlarged, in the widest gap between marks."""
    from matplotlib.patches import ConnectionPatch

    (low, high), (left, right) = likely_range, ax.get_xlim()
    spans = np.array([likely_range, *((x, x) for x in marks.values())])
    starts, ends = np.array(sorted(((spans - left) / (right - left)).tolist())).T
    ends = np.maximum.accumulate([0.0, *ends])
    gaps = np.array([*starts, 1.0]) - ends
    gap, begin = float(gaps.max()), float(ends[gaps.argmax()])
    width = min(gap - 0.06, 0.42)
    if width < 0.15:
        return
    bottom = 0.14 if find_place(ax)[1] > HEIGHT_OF_A_SMALL_PICTURE else 0.26
    inset = ax.inset_axes((begin + (gap - width) / 2, bottom, width, 0.8 - bottom))
    inset.set_facecolor(ax.get_facecolor())
    # An observed value just beyond is shown as well, for comparison.
    near = {name: x for name, x in marks.items() if 2 * low - high < x < 2 * high - low}
    _draw(inset, edges, heights, near, colours)
    is_to_the_right = begin + gap / 2 > (low - left) / (right - left)
    low, high = min([low, *near.values()]), max([high, *near.values()])
    margin = 0.08 * (high - low)
    inset.set(xlim=(low - margin, high + margin), ylim=(0.0, 1.03 * float(heights.max())), yticks=[])
    inset.locator_params(axis="x", nbins=3)
    inset.ticklabel_format(axis="x", useOffset=False)
    inset.tick_params(labelsize="small", color=colours.faint, labelcolor=colours.mark)
    inset.spines[:].set_color(colours.faint)
    # A frame around the enlarged part, and one line to it above the numbers of its axis. The lower line
    # that Matplotlib would draw crosses these numbers.
    (left, right), (bottom, top) = inset.get_xlim(), inset.get_ylim()
    ax.indicate_inset((left, bottom, right - left, top - bottom), edgecolor=colours.faint, alpha=0.6)
    ax.add_artist(
        ConnectionPatch(
            (right if is_to_the_right else left, top), (0.0 if is_to_the_right else 1.0, 1.0),
            coordsA=ax.transData, coordsB=inset.transAxes, edgecolor=colours.faint, alpha=0.6, zorder=4.99,
        )
    )  # fmt: skip
