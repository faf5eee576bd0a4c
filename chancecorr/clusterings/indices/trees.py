"""Correlation over the pairs, of any two clusterings; and indices of two trees.

The correlation is Mantel's of two matrices, the cophenetic one of two trees; Baker's gamma is that of ranks.
"""

import math
from dataclasses import replace

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings, no_agreement
from chancecorr.clusterings.products import forecast_products, products
from chancecorr.clusterings.tree import Tree


def correlate(P: Clustering, Q: Clustering) -> Agreement:
    """Agreement with mean 0, and the variance of Mantel (1967)."""
    if P.n < 3:
        return no_agreement()
    of_pairs = products(P, Q)
    lengths = [space.of_objects + space.rest for space in of_pairs.spaces]
    scale = math.sqrt(lengths[0] * lengths[1])
    if scale == 0.0:
        return no_agreement()
    return Agreement(
        observed=of_pairs.above / scale,
        expected=0.0,
        variance=of_pairs.variance / scale**2,
        sums=of_pairs.sums,
        slope=1.0 / scale,
        nanoseconds=of_pairs.nanoseconds,
    )


CORRELATION = index_of_clusterings(
    name="correlation",
    aliases=("mantel", "cophenetic"),
    source="Mantel (1967), Cancer Research 27, 209-220; Sokal & Rohlf (1962), doi:10.2307/1217208",
    takes=(),
    range=(-1.0, 1.0),
    function=correlate,
    cost=forecast_products,
)


def correlate_ranks(P: Tree, Q: Tree) -> Agreement:
    """Agreement of two trees with ranks in place of heights."""
    return correlate(_ranked(P), _ranked(Q))


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
    function=correlate_ranks,
    cost=forecast_products,
)
