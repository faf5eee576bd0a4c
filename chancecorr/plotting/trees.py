"""Pictures of two trees: an index at every number of clusters, and the trees face to face."""

from typing import TYPE_CHECKING, Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError
from chancecorr.clusterings.tree import Tree
from chancecorr.comparison.trees import TreeComparison
from chancecorr.indices.display_names import display_name
from chancecorr.machine.arrays import Floats
from chancecorr.plotting.theme import axes_or_new, palette
from chancecorr.printing import visible

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


def plot_tanglegram(
    tree_true: Any, tree_pred: Any, *, labels: Any = None, ax: "Axes | None" = None
) -> "Axes":
    """Two trees face to face, with a line from each leaf of one to the same leaf of the other.

    Parameters
    ----------
    tree_true, tree_pred : Tree, or array-like of shape (n - 1, 4)
        Linkages of the same objects.
    labels : sequence of str, optional
        Names of the leaves, in the order of the objects; left out, leaves are not named.
    ax : matplotlib Axes, optional
        Where to draw; left out, a new figure is made.

    Returns
    -------
    matplotlib Axes
        The first tree on the left, the second on the right.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    ValueError, TypeError
        If these are no linkages of as many objects.

    Notes
    -----
    Branches of the second tree are turned so that the mean place of their leaves in the first one rises: that
    takes out crossings that mean nothing, though it need not leave the fewest.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> tree = [[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 3, 4]]
    >>> ax = plot_tanglegram(tree, tree, labels="abcd")
    >>> [text.get_text() for text in ax.texts][:2]
    ['a', 'a']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    trees = [each if isinstance(each, Tree) else Tree(each) for each in (tree_true, tree_pred)]
    if trees[0].n != trees[1].n:
        raise ArgumentTypeError("tree_pred", f"must have {trees[0].n} leaves; got {trees[1].n}.")
    ax = axes_or_new(ax)
    colours, n = palette(ax), trees[0].n
    first = np.empty(n)
    first[trees[0].order] = np.arange(n)
    second = _turned(trees[1], first)
    for tree, places, side in ((trees[0], first, -1.0), (trees[1], second, 1.0)):
        for x, y in _brackets(tree, places):
            ax.plot(side * (0.5 + x), y, color=colours.mark, linewidth=0.8)
    ends = 0.5 if labels is None else 0.35
    for leaf in range(n):
        ax.plot([-ends, ends], [first[leaf], second[leaf]], color=colours.chance, linewidth=0.8)
        for at, places, align in ((-0.48, first, "left"), (0.48, second, "right")):
            if labels is not None:
                name = visible(str(labels[leaf]))
                ax.text(at, float(places[leaf]), name, ha=align, va="center", fontsize=7)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax


def _brackets(tree: Tree, places: Floats) -> list[tuple[Floats, Floats]]:
    """Lines of a tree: for each merge the heights, scaled to 1, and places of its two branches."""
    top = max(float(tree.linkage[-1, 2]), 1e-300)
    height, middle, lines = [0.0] * tree.n, places.tolist(), []
    for left, right, joined, _ in tree.linkage.tolist():
        pair = int(left), int(right)
        at = joined / top
        ends = [height[pair[0]], at, at, height[pair[1]]]
        lines.append((np.array(ends), np.repeat([middle[pair[0]], middle[pair[1]]], 2)))
        height.append(at)
        middle.append((middle[pair[0]] + middle[pair[1]]) / 2.0)
    return lines


def _turned(tree: Tree, wanted: Floats) -> Floats:
    """Places of the leaves, from 0 on, with each branch turned towards the wanted ones."""
    leaves = [[leaf] for leaf in range(tree.n)]
    for pair in tree.linkage[:, :2].astype(np.int64).tolist():
        branches = sorted((leaves[each] for each in pair), key=lambda branch: float(wanted[branch].mean()))
        leaves.append(branches[0] + branches[1])
    places = np.empty(tree.n)
    places[leaves[-1]] = np.arange(tree.n)
    return places
