"""Pictures of results. They need matplotlib, an optional extra: ``pip install 'chancecorr[plot]'``."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.compiled import Floats
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.scores import AdjustedScore
from chancecorr.plotting.theme import BLUE, CHANCE, FAINT, MARK, axes_or_new, edges_between

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Bins = Literal["auto"] | int | npt.ArrayLike

FEW_VALUES = 40
"""Up to so many distinct values, each gets a bar of its own."""

NARROW = 0.2
"""A null distribution that takes less than this share of the axis is also shown enlarged."""

# Heights, as shares of the axes: the histogram below, the scale of the adjusted score, the names above.
HISTOGRAM_TOP, SCALE, NAMES = 0.58, 0.68, 0.84


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
    The horizontal axis is the raw index. The scale above the histogram runs from 0 at the expected value to
    1 at the best value, and is filled up to the observed one: the filled part is the adjusted score. Single
    bars have heights that sum to 1; bins have areas that sum to 1.

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
    bars = _bars(picture.values, picture.weights, bins, smallest=0.01 * (right - left))
    top = max(bars.heights.max(initial=0.0), np.finfo(np.float64).tiny) / HISTOGRAM_TOP
    ax.set(xlim=(left, right), ylim=(0.0, top), xlabel=_description(null), yticks=[])
    ax.spines[["left", "right", "top"]].set_visible(False)

    narrow = bars.width > 0.0 and bars.width < NARROW * (right - left)
    _draw_bars(ax, bars)
    _mark(ax, picture)
    if picture.adjusted is not None:
        _draw_scale(ax, picture.marks, picture.adjusted)
    if narrow:
        _enlarge(ax, bars, picture)
    return ax


@dataclass(frozen=True, slots=True, kw_only=True)
class _Picture:
    """The numbers to show: the law, finite positions to mark, by name, and the adjusted score, if any."""

    values: Floats
    weights: Floats
    marks: dict[str, float]
    adjusted: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bars:
    lefts: Floats
    widths: Floats
    heights: Floats

    @property
    def range(self) -> tuple[float, float]:
        """From the first bar's left to the last bar's right."""
        return float(self.lefts[0]), float(self.lefts[-1] + self.widths[-1])

    @property
    def width(self) -> float:
        """Width of all bars together; 0 without bars."""
        return self.range[1] - self.range[0] if self.lefts.size else 0.0


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
    )
    return null, picture


def _horizontal_limits(picture: _Picture) -> tuple[float, float]:
    """From the null distribution to beyond the marks, with room for their names."""
    shown = [*picture.values[:1], *picture.values[-1:], *picture.marks.values()]
    low, high = (float(min(shown)), float(max(shown))) if shown else (0.0, 1.0)
    margin = 0.1 * (high - low) or 0.1 * max(abs(low), 1.0)
    return low - margin, high + margin


def _bars(values: Floats, weights: Floats, bins: Bins, smallest: float) -> _Bars:
    """Bars whose heights (at single values) or areas (over bins) are shares of the tables."""
    if isinstance(bins, str) and bins == "auto":
        if values.size <= FEW_VALUES:
            gap = float(np.diff(values).min()) if values.size > 1 else smallest / 0.8
            extent = float(values[-1] - values[0]) if values.size else 0.0
            width = max(0.8 * gap, 0.004 * extent)
            return _Bars(lefts=values - width / 2, widths=np.full(values.size, width), heights=weights)
        edges = edges_between(values, weights)
    else:
        edges = np.histogram_bin_edges(values, bins)
    shares = np.histogram(values, edges, weights=weights)[0]
    widths = np.diff(edges)
    return _Bars(lefts=edges[:-1], widths=widths, heights=shares / widths)


def _draw_bars(ax: "Axes", bars: _Bars) -> None:
    # An edge of the bars' own colour closes the hairlines that anti-aliasing leaves between bins.
    ax.bar(bars.lefts, bars.heights, bars.widths, align="edge", color=CHANCE, edgecolor=CHANCE, linewidth=0.3)


STYLES: dict[str, dict[str, Any]] = {
    "expected": {"color": MARK, "linewidth": 1.2, "linestyle": (0, (4, 2))},
    "observed": {"color": BLUE, "linewidth": 2.0},
    "best": {"color": FAINT, "linewidth": 1.0},
}


def _mark(ax: "Axes", picture: _Picture) -> None:
    """A line and a name with its value for the expected, the observed and the best value."""
    places = {name: _fraction(ax, x) for name, x in picture.marks.items()}
    for name, x in picture.marks.items():
        ax.axvline(x, ymax=NAMES - 0.02, label=name, zorder=3, **STYLES[name])
        # Neighbours too close to stand side by side lean away from each other.
        near = [places[name] - place for other, place in places.items() if other != name]
        near = [distance for distance in near if abs(distance) < 0.14]
        side = min(near, key=abs) if near else 0.0
        if side == 0.0 and near:
            side = -1.0 if name == "expected" else 1.0
        ax.text(
            x,
            NAMES,
            f"{name}\n{x:.4g}",
            transform=ax.get_xaxis_transform(),
            ha="center" if not near else "left" if side > 0 else "right",
            va="bottom",
            color=STYLES[name]["color"],
            fontweight="bold" if name == "observed" else "normal",
            linespacing=1.3,
        )


def _draw_scale(ax: "Axes", marks: dict[str, float], adjusted: float) -> None:
    """The way from the expected to the best value, filled as far as the observed one."""
    level = ax.get_xaxis_transform()
    if not math.isfinite(adjusted) or len(marks) < 3:
        middle = sum(ax.get_xlim()) / 2
        ax.text(middle, SCALE + 0.03, "adjusted: undefined", transform=level, ha="center", color=BLUE)
        return
    expected, observed, best = marks["expected"], marks["observed"], marks["best"]
    ax.plot([expected, best], [SCALE, SCALE], transform=level, color="#d9dcdf", linewidth=6, zorder=2,
            solid_capstyle="butt")  # fmt: skip
    ax.plot([expected, observed], [SCALE, SCALE], transform=level, color=BLUE, linewidth=6, zorder=2.5,
            solid_capstyle="butt", label="adjusted")  # fmt: skip
    wide = abs(_fraction(ax, observed) - _fraction(ax, expected)) > 0.3
    middle = (expected + (observed if wide else best)) / 2
    ax.text(middle, SCALE + 0.035, f"adjusted = {adjusted:.3f}", transform=level, ha="center", va="bottom",
            color=BLUE, fontweight="bold")  # fmt: skip


def _enlarge(ax: "Axes", bars: _Bars, picture: _Picture) -> None:
    """The null distribution once more, in the widest gap between the marks."""
    low, high = bars.range
    taken = [(_fraction(ax, low), _fraction(ax, high))]
    taken += [(_fraction(ax, x), _fraction(ax, x)) for x in picture.marks.values()]
    taken = [(-1.0, 0.0), *sorted(taken), (1.0, 2.0)]
    ends = np.maximum.accumulate([end for _, end in taken])
    gaps = [(start - end, float(end)) for (start, _), end in zip(taken[1:], ends, strict=False)]
    gap, begin = max(gaps)
    width = min(gap - 0.08, 0.42)
    inset = ax.inset_axes((begin + (gap - width) / 2, 0.17, width, HISTOGRAM_TOP - 0.23))
    _draw_bars(inset, bars)
    margin = 0.08 * (high - low)
    inset.set(xlim=(low - margin, high + margin), ylim=(0.0, 1.08 * float(bars.heights.max())), yticks=[])
    for name, x in picture.marks.items():
        if low - margin <= x <= high + margin:
            inset.axvline(x, zorder=3, **STYLES[name])
    inset.locator_params(axis="x", nbins=4)
    inset.tick_params(labelsize="small", color=FAINT, labelcolor=MARK)
    inset.spines[:].set_color(FAINT)
    ax.indicate_inset_zoom(inset, edgecolor=FAINT, alpha=0.6)


def _description(null: NullDistribution) -> str:
    """Name of the axis: the index, how many tables, and the share that it is undefined on."""
    undefined = 100.0 * float(null.weights[~np.isfinite(null.values)].sum())
    note = f", undefined on {undefined:.3g}% of them" if undefined else ""
    tables = f"{null.n_tables:,} tables by chance" if null.n_tables else "all tables by chance"
    return f"{null.index}   ({tables}{note})"


def _fraction(ax: "Axes", x: float) -> float:
    """Position along the axis, 0 at its left end and 1 at its right."""
    left, right = ax.get_xlim()
    return (x - left) / (right - left)
