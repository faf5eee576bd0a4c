"""What all pictures share: colours, axes, and bins that suit a discrete index."""

import math
from typing import TYPE_CHECKING

import numpy as np

from chancecorr.arguments import ArgumentTypeError
from chancecorr.compiled import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe & Ito's blue and vermilion stand out from the greys, and from each other, for readers of any colour
# vision, and in print.
CHANCE, MARK, FAINT = "#b4b9be", "#3d4146", "#8b9197"
BLUE, VERMILION = "#0072b2", "#d55e00"

MOST_BINS = 60


def axes_or_new(ax: "Axes | None") -> "Axes":
    """The axes, or those of a new figure."""
    try:
        from matplotlib.axes import Axes
    except ImportError:
        raise ImportError("A picture needs matplotlib: pip install 'chancecorr[plot]'") from None
    if ax is None:
        from matplotlib import pyplot

        return pyplot.subplots(figsize=(6.4, 3.6), layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise ArgumentTypeError("ax", f"must be a matplotlib Axes; got {type(ax).__name__}.")
    return ax


def edges_between(values: Floats, weights: Floats) -> Floats:
    """Edges near equal steps, each halfway between two neighbouring values.

    Equal bins would hold now k, now k + 1 steps of a discrete index, and show a comb that is not there. Here
    a bin that holds one step more is wider by one step, and its height, a density, stays true.
    """
    halfway = (values[1:] + values[:-1]) / 2
    edges = np.concatenate([[2 * values[0] - halfway[0]], halfway, [2 * values[-1] - halfway[-1]]])
    # A quarter of the standard deviation shows the shape; 17,000 tables fill such bins well.
    mean = (weights * values).sum() / weights.sum()
    std = math.sqrt((weights * (values - mean) ** 2).sum() / weights.sum())
    n_bins = min(max(math.ceil((edges[-1] - edges[0]) / (0.25 * std)), 10), MOST_BINS)
    wanted = np.linspace(edges[0], edges[-1], n_bins + 1)
    after = np.clip(np.searchsorted(edges, wanted), 1, edges.size - 1)
    nearest = np.where(wanted - edges[after - 1] <= edges[after] - wanted, after - 1, after)
    chosen: Floats = edges[np.unique(nearest)]
    return chosen
