"""Draw the scores of hard clusterings that are drawn from soft ones."""

from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.machine.arguments import explain_call
from chancecorr.machine.axes import check_result, choose_palette, find_place, take_axes, wrap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from chancecorr.comparison.hard_scores import HardScores

MAX_BINS = 40


@explain_call
def plot_hard_scores(
    result: "HardScores", *, ax: "Axes | None" = None, color: Any = None,
    figsize: tuple[float, float] | None = None,
) -> "Axes":  # fmt: skip
    """Draw a histogram of the adjusted scores of all draws, with their mean and the limits of the interval.

    Parameters
    ----------
    result : HardScores
        The result of `hard_scores`. If it has no adjusted scores, observed values are drawn.
    ax, color, figsize
        As in `plot_comparison`.

    Returns
    -------
    matplotlib Axes
        The axes; the interval is the coloured part of the horizontal axis.

    Raises
    ------
    ImportError, TypeError, ValueError
        As in `plot_comparison`.
    """
    check_result("result", result, "HardScores", "low_adjusted")
    kind = "adjusted" if np.isfinite(result.adjusted).any() else "observed"
    values = getattr(result, kind)
    values = values[np.isfinite(values)]
    mean, low, high = (getattr(result, f"{part}_{kind}") for part in ("mean", "low", "high"))
    ax = take_axes(ax, figsize)
    colours = choose_palette(ax, color)
    if values.size:
        n_bins = min(np.histogram_bin_edges(values, "auto").size - 1, MAX_BINS)
        ax.hist(values, n_bins, color=colours.chance)
    ax.axvline(mean, color=colours.mark, linestyle=(0, (4, 2)))
    ax.plot([low, high], [0.0, 0.0], color=colours.blue, linewidth=6, solid_capstyle="butt", clip_on=False)
    ax.set(yticks=[])
    ax.spines[["left", "right", "top"]].set_visible(False)
    width = 0.75 * find_place(ax)[0]
    ax.set_xlabel(wrap(f"{result.asked_as}, {kind}, of {result.n_draws:,} hard clusterings", width))
    title = f"mean {mean:.3g}, {100 * result.confidence:g} % between {low:.3g} and {high:.3g}"
    ax.set_title(wrap(title, width), loc="left", fontsize="medium", color=colours.mark)
    return ax
