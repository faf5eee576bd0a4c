"""Baker's gamma of two trees: the rank correlation of the heights at which pairs are joined."""

from dataclasses import replace

import numpy as np

from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.indices import correlation
from chancecorr.clusterings.products import forecast_products
from chancecorr.clusterings.tree import Tree


def agreement(P: Tree, Q: Tree) -> Agreement:
    """Agreement of two trees with ranks in place of heights."""
    return correlation.agreement(_ranked(P), _ranked(Q))


def _ranked(tree: Tree) -> Tree:
    """The tree with the mean rank, among all pairs, of those that are joined at a height."""
    sizes = np.ones(2 * tree.n - 1)
    sizes[tree.n :] = tree.linkage[:, 3]
    pairs = sizes[tree.linkage[:, :2].astype(np.int64)].prod(axis=1)
    _, level = np.unique(tree.linkage[:, 2], return_inverse=True)
    joined = np.bincount(level, pairs)
    ranks = np.cumsum(joined) - (joined - 1.0) / 2.0
    return replace(tree, linkage=np.column_stack([tree.linkage[:, :2], ranks[level], tree.linkage[:, 3]]))


BAKERS_GAMMA = index_of_clusterings(
    name="bakers_gamma",
    aliases=("baker",),
    source="Baker (1974), doi:10.1080/01621459.1974.10482971",
    takes=("tree",),
    range=(-1.0, 1.0),
    function=agreement,
    cost=forecast_products,
)
