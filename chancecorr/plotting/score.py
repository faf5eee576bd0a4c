"""Pictures of results. They need matplotlib, an optional extra: ``pip install 'chancecorr[plot]'``."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.correction.scores import AdjustedScore, AdjustedScores
from chancecorr.indices.display_names import display_name
from chancecorr.machine.arrays import Floats
from chancecorr.plotting.theme import (
    FEW_VALUES,
    Palette,
    axes_or_new,
    edges_between,
    likely,
    new_panels,
    palette,
)
from chancecorr.printing import p_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bins = Literal["auto"] | int | npt.ArrayLike

NARROW = 0.2
"""A null distribution that takes less than this share of the axis is also shown enlarged."""

HIGHEST_STEP = 0.85
"""Share of the height that the highest bar or bin takes, below the scale."""


def plot_null(
    result: AdjustedScore | NullDistribution, *, bins: Bins = "auto", ax: "Axes | None" = None
) -> "Axes":
    """Picture of an index under chance, with the observed and the adjusted score marked.

    Parameters
    ----------
    result : AdjustedScore or NullDistribution
        What `adjust`, `adjust_table` or `null_distribution` returned.
    bins : "auto", int or array-like of shape (k + 1,)
        ``"auto"``: a bar for each value where there are at most 40; else bins whose edges lie halfway between
        values, so that the steps of a discrete index leave no pattern. Or as in `numpy.histogram`.
    ax : matplotlib Axes, optional
        Where to draw; left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        A null distribution that would be a needle on it is shown enlarged in ``ax.child_axes[0]``.

    Raises
    ------
    ImportError, TypeError, ValueError
        If matplotlib is missing, an argument breaks its rule, or only moments are known (``"analytic"``).

    Notes
    -----
    The horizontal axis is the raw index, from mark to mark and over 99.99 % of the distribution. The scale
    above the histogram runs from 0 at the expected value to 1 at the best value, and is filled up to the
    observed one: the filled part is the adjusted score. Single bars have heights that sum to 1, except for
    the shares of values off the axis; bins have areas that sum to 1. Colours suit the background.
    """
    null, picture = _read(result)
    ax = axes_or_new(ax)
    colours = palette(ax)
    left, right = _horizontal_limits(picture)
    edges, heights = _steps(picture, bins, right - left)
    top = max(heights.max(initial=0.0), np.finfo(np.float64).tiny)
    _draw_steps(ax, edges, heights, colours)
    for name, x in picture.marks.items():
        ax.axvline(x, label=f"{name} {x:.4g}", zorder=3, **_style(name, colours))
    ax.set(xlim=(left, right), ylim=(0.0, top / HIGHEST_STEP), yticks=[])
    undefined = 100.0 * float(null.weights[~np.isfinite(null.values)].sum())
    note = f", undefined on {undefined:.3g}% of tables" if undefined else ""
    law = f"null distribution, {null.n_tables:,} tables" if null.n_tables else "exact null distribution"
    ax.set_xlabel(f"{display_name(null.index)}   ({law}{note})")
    ax.spines[["left", "right", "top"]].set_visible(False)
    legend = ax.legend(
        title=picture.headline, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, frameon=False,
        alignment="left", borderaxespad=0.0, labelcolor=colours.mark,
    )  # fmt: skip
    legend.get_title().set_color(colours.mark)
    if not picture.headline:
        return ax
    if len(picture.marks) == 3:  # the way from the expected to the best value, filled to the observed one
        for end, colour, zorder in (("best", colours.track, 2.0), ("observed", colours.blue, 2.5)):
            ax.plot(
                [picture.marks["expected"], picture.marks[end]], [0.94, 0.94], color=colour, zorder=zorder,
                label="_scale", transform=ax.get_xaxis_transform(), linewidth=6, solid_capstyle="butt",
            )  # fmt: skip
    low, high = picture.likely_range
    if 0.0 < high - low < NARROW * (right - left):
        _enlarge(ax, edges, heights, picture, colours)
    return ax


@dataclass(frozen=True, slots=True, kw_only=True)
class _Picture:
    """The numbers to show: the law, finite positions to mark, by name, and the headline of a score."""

    values: Floats
    weights: Floats
    likely_range: tuple[float, float]  # ends of the law except for what is unlikely; nan without a law
    marks: dict[str, float]
    headline: str


def plot_scores(scores: AdjustedScores, *, bins: Bins = "auto") -> Any:
    """Pictures of several indices under chance, one below the other.

    Parameters
    ----------
    scores : AdjustedScores
        What `adjust` or `adjust_table` returned for a list of indices.
    bins : "auto", int or array-like
        As in `plot_null`.

    Returns
    -------
    ndarray of matplotlib Axes, shape (scores,)
        In the order of the indices.

    Raises
    ------
    ImportError, ValueError
        If matplotlib is missing, or only moments are known of one of them.
    """
    panels = new_panels(len(scores), 2.8 * len(scores))
    for score, ax in zip(scores.values(), panels, strict=True):
        plot_null(score, bins=bins, ax=ax)
    return panels


def _read(result: AdjustedScore | NullDistribution) -> tuple[NullDistribution, _Picture]:
    """The null distribution of a result, and the numbers to show."""
    if not isinstance(result, AdjustedScore | NullDistribution):
        hint = (
            " Choose one of them, as in result['rand']." if type(result).__name__ == "AdjustedScores" else ""
        )
        raise ArgumentTypeError(
            "result", f"must be an AdjustedScore or a NullDistribution; got {type(result).__name__}.{hint}"
        )
    score = result if isinstance(result, AdjustedScore) else None
    null = result.compute_null() if isinstance(result, AdjustedScore) else result
    if null.values_from is None:
        raise ArgumentValueError(
            "result",
            "must have a null distribution to show; got method='analytic', which gives moments only."
            " Use method='auto', 'exact' or 'monte-carlo'.",
        )
    finite = np.isfinite(null.values)
    values, weights = null.values[finite], null.weights[finite]
    shown = values[likely(values, weights)] if values.size else np.full(1, math.nan)
    marks = {"expected": null.mean} | ({"observed": score.observed, "best": score.best} if score else {})
    picture = _Picture(
        values=values,
        weights=weights,
        likely_range=(float(shown[0]), float(shown[-1])),
        marks={name: x for name, x in marks.items() if math.isfinite(x)},
        headline=_headline(score) if score else "",
    )
    return null, picture


def _headline(score: AdjustedScore) -> str:
    """The adjusted score, its z-score and its p-value, as far as it has them."""
    has_score = math.isfinite(score.adjusted)
    parts = [f"adjusted = {score.adjusted:.3f}" if has_score else "adjusted: undefined"]
    if math.isfinite(score.z_score):
        parts.append(f"z = {score.z_score:.1f}")
    if math.isfinite(score.p_value):
        p = p_text(score.p_value, score.p_is_bound, score.log_p_value)
        parts.append(f"p {p}" if p.startswith("≤") else f"p = {p}")
    return ", ".join(parts)


def _horizontal_limits(picture: _Picture) -> tuple[float, float]:
    """From the null distribution to beyond the marks, with room for their names."""
    shown = [x for x in (*picture.likely_range, *picture.marks.values()) if math.isfinite(x)]
    low, high = (min(shown), max(shown)) if shown else (0.0, 1.0)
    margin = 0.1 * (high - low) or 0.1 * max(abs(low), 1.0)
    return low - margin, high + margin


def _steps(picture: _Picture, bins: Bins, width: float) -> tuple[Floats, Floats]:
    """Edges and heights on an axis of this width: of bars with gaps for few values, of bins for many.

    Heights of bars, and areas of bins, are shares of the law.
    """
    values, weights = picture.values, picture.weights
    if not (isinstance(bins, str) and bins == "auto"):
        edges = np.histogram_bin_edges(values, bins)
    elif not values.size:
        return np.zeros(0), np.zeros(0)
    else:
        inside = likely(values, weights)
        if inside.sum() <= FEW_VALUES:
            if values.size > FEW_VALUES:
                values, weights = values[inside], weights[inside]
            gap = float(np.diff(values).min()) if values.size > 1 else width
            wide = max(min(0.8 * gap, 0.04 * width), 0.004 * float(values[-1] - values[0]))
            ends = np.column_stack([values - wide / 2, values + wide / 2]).ravel()
            return ends, np.column_stack([weights, np.zeros(weights.size)]).ravel()[:-1]
        halves = (values[1] - values[0]) / 2, (values[-1] - values[-2]) / 2
        first, last = values[0] - halves[0], values[-1] + halves[1]
        between = edges_between(values[inside], weights[inside]).clip(first, last)
        edges = np.unique([first, *between, last])
    return edges, np.histogram(values, edges, weights=weights)[0] / np.diff(edges)


def _draw_steps(ax: "Axes", edges: Floats, heights: Floats, colours: Palette) -> None:
    """Fill what lies below the steps; a line of the same colour keeps narrow ones visible."""
    if heights.size:
        ax.stairs(heights, edges, fill=True, color=colours.chance, linewidth=0.3)


def _style(name: str, colours: Palette) -> dict[str, Any]:
    """How a mark is drawn."""
    styles: dict[str, dict[str, Any]] = {
        "expected": {"color": colours.mark, "linewidth": 1.2, "linestyle": (0, (4, 2))},
        "observed": {"color": colours.blue, "linewidth": 2.0},
        "best": {"color": colours.faint, "linewidth": 1.0},
    }
    return styles[name]


def _enlarge(ax: "Axes", edges: Floats, heights: Floats, picture: _Picture, colours: Palette) -> None:
    """Draw the likely part of the null distribution once more, in the widest gap between the marks."""
    from matplotlib.patches import ConnectionPatch

    low, high = picture.likely_range
    left, right = ax.get_xlim()
    spans = [(low, high), *((x, x) for x in picture.marks.values())]
    taken_by_law = (low - left) / (right - left)
    taken = sorted(((start - left) / (right - left), (end - left) / (right - left)) for start, end in spans)
    ends = np.maximum.accumulate([0.0, *(end for _, end in taken)])
    gap, begin = max(
        (start - end, float(end)) for start, end in zip([*(s for s, _ in taken), 1.0], ends, strict=True)
    )
    width = min(gap - 0.06, 0.42)
    if width < 0.15:
        return
    inset = ax.inset_axes((begin + (gap - width) / 2, 0.14, width, 0.66))
    inset.set_facecolor(ax.get_facecolor())
    _draw_steps(inset, edges, heights, colours)
    # An observed value just beyond is shown as well, to be compared with the law.
    near = {name: x for name, x in picture.marks.items() if 2 * low - high < x < 2 * high - low}
    low, high = min([low, *near.values()]), max([high, *near.values()])
    margin = 0.08 * (high - low)
    inset.set(xlim=(low - margin, high + margin), ylim=(0.0, 1.03 * float(heights.max())), yticks=[])
    for name, x in near.items():
        inset.axvline(x, zorder=3, **_style(name, colours))
    inset.locator_params(axis="x", nbins=3)
    inset.ticklabel_format(axis="x", useOffset=False)
    inset.tick_params(labelsize="small", color=colours.faint, labelcolor=colours.mark)
    inset.spines[:].set_color(colours.faint)
    # A frame around the part that is enlarged, and a line to it above the numbers of its axis: the lower
    # line that Matplotlib would draw strikes them through.
    (left, right), (bottom, top) = inset.get_xlim(), inset.get_ylim()
    ax.indicate_inset((left, bottom, right - left, top - bottom), edgecolor=colours.faint, alpha=0.6)
    is_to_the_right = begin + gap / 2 > taken_by_law
    ax.add_artist(
        ConnectionPatch(
            (right if is_to_the_right else left, top), (0.0 if is_to_the_right else 1.0, 1.0),
            coordsA=ax.transData, coordsB=inset.transAxes, edgecolor=colours.faint, alpha=0.6, zorder=4.99,
        )
    )  # fmt: skip
