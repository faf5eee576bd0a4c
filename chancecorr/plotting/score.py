"""Pictures of results. They need matplotlib, an optional extra: ``pip install 'chancecorr[plot]'``."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.scores import AdjustedScore
from chancecorr.machine.arrays import Floats
from chancecorr.plotting.names import BESIDE, rows_and_sides
from chancecorr.plotting.theme import Palette, axes_or_new, edges_between, likely, palette
from chancecorr.printing import p_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Bins = Literal["auto"] | int | npt.ArrayLike

FEW_VALUES = 40
"""Up to so many distinct values, each gets a bar of its own."""

NARROW = 0.2
"""A null distribution that takes less than this share of the axis is also shown enlarged."""

LEAST_HISTOGRAM = 0.35
"""Share of the height that the histogram keeps, however small the picture."""


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
    ImportError
        If matplotlib is missing.
    TypeError, ValueError
        If an argument breaks its rule, or the law is not known (``method="analytic"``).

    Notes
    -----
    The horizontal axis is the raw index, and covers the marks and 99.99 % of the law. The scale above the
    histogram runs from 0 at the expected value to 1 at the best value, and is filled up to the observed one:
    the filled part is the adjusted score. Single bars have heights that sum to 1, but for the shares of
    values off the axis; bins have areas that sum to 1. Letters suit the size that the axes have when they
    are drawn on, and colours their background.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from chancecorr import adjust_table
    >>> ax = plot_null(adjust_table([[50, 0, 0], [0, 39, 11], [0, 14, 36]], index="rand", rng=0))
    >>> [text.get_text() for text in ax.texts if "adjusted" in text.get_text()]
    ['adjusted = 0.620']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    null, picture = _read(result)
    ax = axes_or_new(ax)
    left, right = _horizontal_limits(picture)
    bars = _bars(picture, bins, right - left)
    page = _page(ax, left, right)
    ax.set(xlim=(left, right), yticks=[])
    ax.spines[["left", "right", "top"]].set_visible(False)
    ax.tick_params(axis="x", labelsize=page.letters)
    ax.locator_params(axis="x", nbins=max(2, int(page.width / (5.5 * page.letters))))
    _describe(ax, null, page)

    _draw_bars(ax, bars, page)
    top = _write_headline(ax, picture, page)
    top = _mark(ax, picture, page, top)
    if picture.adjusted is not None:
        top = _draw_scale(ax, picture, page, top)
    top = max(top - page.lines(0.6), LEAST_HISTOGRAM)
    ax.set_ylim(0.0, max(bars.heights.max(initial=0.0), np.finfo(np.float64).tiny) / top)
    low, high = picture.likely_range
    if picture.marks and 0.0 < high - low < NARROW * (right - left):
        _enlarge(ax, bars, picture, page, top)
    return ax


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """What there is room for: size of the axes in points, size of the letters, and the colours."""

    width: float
    height: float
    letters: float
    limits: tuple[float, float]
    colours: Palette

    def lines(self, number: float) -> float:
        """Height of so many lines of text, as a share of the axes; with some room for axes that shrink."""
        return min(1.25 * self.letters * number / self.height, 0.12 * number)

    def place(self, x: float) -> float:
        """Position along the axis, 0 at its left end and 1 at its right."""
        return (x - self.limits[0]) / (self.limits[1] - self.limits[0])


def _page(ax: "Axes", left: float, right: float) -> _Page:
    from matplotlib import rcParams

    box, points = ax.get_window_extent(), 72.0 / ax.figure.dpi
    width, height = max(box.width * points, 1.0), max(box.height * points, 1.0)
    letters = min(max(min(width / 26.0, height / 13.0), 5.0), float(rcParams["font.size"]))
    return _Page(width=width, height=height, letters=letters, limits=(left, right), colours=palette(ax))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Picture:
    """The numbers to show: the law, finite positions to mark, by name, and what a score has besides."""

    values: Floats
    weights: Floats
    marks: dict[str, float]
    adjusted: float | None
    chances: str

    @property
    def likely_range(self) -> tuple[float, float]:
        """Ends of the law but for what is unlikely; nan without a law."""
        if not self.values.size:
            return math.nan, math.nan
        shown = self.values[likely(self.values, self.weights)]
        return float(shown[0]), float(shown[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bars:
    lefts: Floats
    widths: Floats
    heights: Floats


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
    null = result.null if isinstance(result, AdjustedScore) else result
    if null.values_from is None:
        raise ArgumentValueError(
            "result",
            "must have a law to show; got method='analytic', which gives moments only."
            " Use method='auto', 'exact' or 'monte-carlo'.",
        )
    finite = np.isfinite(null.values)
    marks = {"expected": null.mean} | ({"observed": score.observed, "best": score.best} if score else {})
    picture = _Picture(
        values=null.values[finite],
        weights=null.weights[finite],
        marks={name: x for name, x in marks.items() if math.isfinite(x)},
        adjusted=score.adjusted if score else None,
        chances=_chances(score) if score else "",
    )
    return null, picture


def _chances(score: AdjustedScore) -> str:
    """The z-score and the p-value of a score, where it has them."""
    parts = []
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


def _bars(picture: _Picture, bins: Bins, width: float) -> _Bars:
    """Bars whose heights (at single values) or areas (over bins) are shares of the tables.

    `width` is that of the axis: a bar of its own takes a small part of it at most.
    """
    values, weights = picture.values, picture.weights
    if isinstance(bins, str) and bins == "auto":
        inside = likely(values, weights) if values.size else np.zeros(0, dtype=bool)
        if inside.sum() <= FEW_VALUES:
            if values.size > FEW_VALUES:
                values, weights = values[inside], weights[inside]
            gap = float(np.diff(values).min()) if values.size > 1 else width
            extent = float(values[-1] - values[0]) if values.size else 0.0
            wide = max(min(0.8 * gap, 0.04 * width), 0.004 * extent)
            return _Bars(lefts=values - wide / 2, widths=np.full(values.size, wide), heights=weights)
        halves = (values[1] - values[0]) / 2, (values[-1] - values[-2]) / 2
        ends = values[0] - halves[0], values[-1] + halves[1]
        edges = np.unique([*edges_between(values[inside], weights[inside]).clip(*ends), *ends])
    else:
        edges = np.histogram_bin_edges(values, bins)
    shares = np.histogram(values, edges, weights=weights)[0]
    widths = np.diff(edges)
    return _Bars(lefts=edges[:-1], widths=widths, heights=shares / widths)


def _draw_bars(ax: "Axes", bars: _Bars, page: _Page) -> None:
    # An edge of the bars' own colour closes the hairlines that anti-aliasing leaves between bins.
    grey = page.colours.chance
    ax.bar(bars.lefts, bars.heights, bars.widths, align="edge", color=grey, edgecolor=grey, linewidth=0.3)


def _styles(page: _Page) -> dict[str, dict[str, Any]]:
    colours = page.colours
    return {
        "expected": {"color": colours.mark, "linewidth": 1.2, "linestyle": (0, (4, 2))},
        "observed": {"color": colours.blue, "linewidth": 2.0},
        "best": {"color": colours.faint, "linewidth": 1.0},
    }


def _write_headline(ax: "Axes", picture: _Picture, page: _Page) -> float:
    """The adjusted score, its z and its p, and how high the axes are free below."""
    if picture.adjusted is None:
        return 1.0
    said = f"adjusted = {picture.adjusted:.3f}" if math.isfinite(picture.adjusted) else "adjusted: undefined"
    style: dict[str, Any] = {"transform": ax.transAxes, "va": "top", "fontsize": page.letters}
    colours, top = page.colours, 1.0 - page.lines(0.3)  # what stands above the axes may come down to them
    first = ax.text(0.0, top, said, color=colours.blue, fontweight="bold", **style)
    if not picture.chances:
        return top - page.lines(1.2)
    second = ax.text(0.0, top - page.lines(1.0), picture.chances, color=colours.mark, **style)
    if _width_of(ax, first) + _width_of(ax, second) + 1.5 * page.letters / page.width > 1.0:
        return top - page.lines(2.2)
    second.remove()
    ax.annotate(picture.chances, (1.0, 1.0), (1.5 * page.letters, 0.0), xycoords=first, va="top",
                textcoords="offset points", color=colours.mark, fontsize=page.letters)  # fmt: skip
    return top - page.lines(1.2)


def _mark(ax: "Axes", picture: _Picture, page: _Page, top: float) -> float:
    """A line and a name with its value for each mark, and how high the axes are free below the names."""
    styles, texts = _styles(page), []
    for name, x in picture.marks.items():
        texts.append(
            ax.text(
                x, top, f"{name}\n{x:.4g}", transform=ax.get_xaxis_transform(), va="top", ha="center",
                color=styles[name]["color"], fontweight="bold" if name == "observed" else "normal",
                fontsize=page.letters, linespacing=1.15,
            )
        )  # fmt: skip
    places = [page.place(x) for x in picture.marks.values()]
    found = rows_and_sides(places, [_width_of(ax, text) for text in texts])
    rows = 1 + max((row for row, _ in found), default=-1)
    for (name, x), text, (row, side) in zip(picture.marks.items(), texts, found, strict=True):
        beside = {"center": 0.0, "left": BESIDE, "right": -BESIDE}[side] * (page.limits[1] - page.limits[0])
        text.set(x=x + beside, y=top - page.lines(2.2) * (rows - 1 - row), horizontalalignment=side)
        foot = top - page.lines(2.2) * (rows - row)
        ax.axvline(x, ymax=foot - page.lines(0.4), label=name, zorder=3, **styles[name])
    return top - page.lines(2.2) * rows


def _draw_scale(ax: "Axes", picture: _Picture, page: _Page, top: float) -> float:
    """The way from the expected to the best value, filled as far as the observed one."""
    adjusted, marks = picture.adjusted, picture.marks
    if adjusted is None or not math.isfinite(adjusted) or len(marks) < 3:
        return top
    expected, observed, best = marks["expected"], marks["observed"], marks["best"]
    height = top - page.lines(0.6)
    bar: dict[str, Any] = {
        "transform": ax.get_xaxis_transform(), "linewidth": 6, "solid_capstyle": "butt"
    }  # fmt: skip
    ax.plot([expected, best], [height, height], color=page.colours.track, zorder=2, **bar)
    ax.plot(
        [expected, observed], [height, height], color=page.colours.blue, zorder=2.5, label="adjusted", **bar
    )
    return height - page.lines(0.3)


def _enlarge(ax: "Axes", bars: _Bars, picture: _Picture, page: _Page, top: float) -> None:
    """What is likely of the null distribution once more, in the widest gap between the marks."""
    low, high = picture.likely_range
    taken = [(page.place(low), page.place(high))]
    taken += [(page.place(x), page.place(x)) for x in picture.marks.values()]
    taken = [(-1.0, 0.0), *sorted(taken), (1.0, 2.0)]
    ends = np.maximum.accumulate([end for _, end in taken])
    gaps = [(start - end, float(end)) for (start, _), end in zip(taken[1:], ends, strict=False)]
    gap, begin = max(gaps)
    width = min(gap - 0.06, 0.42)
    letters = max(0.85 * page.letters, 4.5)
    foot = page.lines(1.6)  # for the numbers below
    if width < 0.15 or top - foot < 0.15:
        return
    inset = ax.inset_axes((begin + (gap - width) / 2, foot, width, top - foot - page.lines(0.3)))
    inset.set_facecolor(ax.get_facecolor())
    _draw_bars(inset, bars, page)
    # An observed value just beyond is shown as well: it is what the law is there for.
    near = [x for x in picture.marks.values() if low - (high - low) < x < high + (high - low)]
    low, high = min([low, *near]), max([high, *near])
    margin = 0.08 * (high - low)
    inset.set(xlim=(low - margin, high + margin), ylim=(0.0, 1.03 * float(bars.heights.max())), yticks=[])
    styles = _styles(page)
    for name, x in picture.marks.items():
        if x in near:
            inset.axvline(x, zorder=3, **styles[name])
    inset.locator_params(axis="x", nbins=max(1, int(width * page.width / (6.0 * letters))))
    inset.ticklabel_format(axis="x", useOffset=False)
    inset.tick_params(labelsize=letters, color=page.colours.faint, labelcolor=page.colours.mark)
    inset.spines[:].set_color(page.colours.faint)
    ax.indicate_inset_zoom(inset, edgecolor=page.colours.faint, alpha=0.6)


def _describe(ax: "Axes", null: NullDistribution, page: _Page) -> None:
    """Name of the axis: the index, how many tables, and the share that it is undefined on."""
    undefined = 100.0 * float(null.weights[~np.isfinite(null.values)].sum())
    note = f", undefined on {undefined:.3g}% of them" if undefined else ""
    tables = f"{null.n_tables:,} tables by chance" if null.n_tables else "all tables by chance"
    label = ax.set_xlabel(f"{null.index}   ({tables}{note})", fontsize=page.letters)
    if _width_of(ax, label) > 1.0:
        label.set_text(
            f"{null.index}\n{tables}" + (f"\nundefined on {undefined:.3g}% of them" if note else "")
        )


def _width_of(ax: "Axes", text: "Text") -> float:
    """Width of a text as a share of the axes."""
    return float(text.get_window_extent().width / max(ax.get_window_extent().width, 1.0))
