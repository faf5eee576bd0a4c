"""Picture of two trees: an index at every number of clusters."""

from typing import TYPE_CHECKING

from chancecorr.arguments import ArgumentTypeError
from chancecorr.comparison.trees import TreeComparison
from chancecorr.indices.display_names import display_name
from chancecorr.plotting.theme import axes_or_new, palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
