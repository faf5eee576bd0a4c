"""Pictures of pairwise scores. They need matplotlib: ``pip install 'chancecorr[plot]'``."""

import math
from typing import TYPE_CHECKING

import numpy as np

from chancecorr.arguments import ArgumentTypeError, one_of
from chancecorr.comparison.pairwise_scores import LINKAGES, PairwiseScores
from chancecorr.indices.display_names import display_name
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.plotting.theme import heat_map, ink, palette
from chancecorr.printing import fixed, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NUMBERS = 14
"""Clusterings up to which the scores are written into the cells."""

MOST_NAMES = 60
"""Clusterings up to which all are named."""


def plot_pairwise(scores: PairwiseScores, *, method: str = "average", ax: "Axes | None" = None) -> "Axes":
    """Heat map of adjusted scores, similar clusterings side by side.

    Parameters
    ----------
    scores : PairwiseScores
        What `pairwise` returned.
    method : str
        How clusterings are put together for their order; see `PairwiseScores.linkage`.
    ax : matplotlib Axes, optional
        Where to draw; left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        With the image in ``ax.images[0]``; its colours begin at 0, chance, or below where scores are. The
        title says so if the clusterings are not in the order given.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    TypeError, ValueError
        If an argument breaks its rule.

    Notes
    -----
    The order is that of the leaves of the linkage in which neighbours are as near as can be (Bar-Joseph,
    Gifford & Jaakkola 2001). Cells without an adjusted score are empty.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from chancecorr import pairwise
    >>> ax = plot_pairwise(pairwise({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [5, 5, 7, 7]}))
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['b', 'c', 'a']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if not isinstance(scores, PairwiseScores):
        raise ArgumentTypeError("scores", f"must be a PairwiseScores; got {type(scores).__name__}.")
    order, m = order_of_leaves(scores.distances(), method), len(scores)
    values = scores.adjusted[np.ix_(order, order)]
    finite = values[np.isfinite(values)]
    low = min(0.0, float(finite.min(initial=0.0)))
    ax, shades = heat_map(ax, values, low, f"{display_name(scores.index)}, adjusted")
    colour = palette(ax).mark
    box = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    side = 72.0 * min(box.width, box.height)  # in points
    letters = min(max(0.5 * side / m, 4.0), 9.0)
    every = max(1, math.ceil(m / MOST_NAMES))
    places = list(range(0, m, every))
    names = [visible(str(scores.names[order[place]])) for place in places]
    ax.set_xticks(places, names, rotation=90, fontsize=letters, color=colour, parse_math=False)
    ax.set_yticks(places, names, fontsize=letters, color=colour, parse_math=False)
    if m <= MOST_NUMBERS:
        size = min(letters, 0.3 * side / m)
        for i, j in np.argwhere(np.isfinite(values)).tolist():
            readable = ink(shades((values[i, j] - low) / (1.0 - low)))
            text = fixed(values[i, j], 2)
            ax.text(j, i, text, ha="center", va="center", fontsize=size, color=readable)
    if not scores.is_symmetric:
        ax.set_xlabel("candidate", fontsize=9, color=colour)
        ax.set_ylabel("reference", fontsize=9, color=colour)
    if order.tolist() != list(range(m)):
        ax.set_title("ordered by similarity", fontsize=9, loc="left", color=colour)
    return ax


def order_of_leaves(distances: Floats, method: str) -> Integers:
    """Places of things with these distances, one for each pair, similar ones side by side."""
    one_of("method", method, LINKAGES)
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering

    tree = linkage(distances, method)
    found: Integers = leaves_list(optimal_leaf_ordering(tree, distances)).astype(np.int64)
    return found
