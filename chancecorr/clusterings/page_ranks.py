"""Personalized PageRanks of the objects of a partition, a cover or a tree, found group by group.

From an object one steps to one of its clusters, by weight, and from there to any object in it; with
probability ``1 - alpha`` one starts anew. Objects in the same clusters form a group: they have the same steps
and one row of PageRanks.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chancecorr.clusterings.kernels.pairs import look_up
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.tree import Tree, gathered_by
from chancecorr.machine.arrays import Floats, Integers

LEVELS = ("max", "min", "linkage")
"""Levels of the clusters in a tree: by steps to the farthest or the nearest leaf, or by heights."""


class Walk(NamedTuple):
    """Parameters of the random walk."""

    alpha: float  # probability to go on
    r: float  # weight of the levels of a tree
    levels: str  # one of `LEVELS`


class PageRanks(NamedTuple):
    """PageRanks by groups of objects, the restart aside."""

    codes: Integers  # group of each object
    sizes: Integers  # objects of each group
    block: Callable[[Integers, Integers], Floats]  # from groups, in rows, to groups
    own: Floats  # from a group to itself, the diagonal of the whole block
    alone: Floats  # of a group: what its objects give themselves besides


def page_ranks(side: Any, walk: Walk) -> PageRanks:
    """PageRanks in closed form for partitions and trees, else by a system as large as there are clusters."""
    if isinstance(side, Partition):
        sizes = np.bincount(side.codes)
        shares = walk.alpha / sizes
        return PageRanks(side.codes, sizes, functools.partial(_in_clusters, shares), shares, 0.0 * shares)
    return _in_tree(side, walk) if isinstance(side, Tree) else _in_cover(side, walk.alpha)


def _in_clusters(shares: Floats, rows: Integers, columns: Integers) -> Floats:
    """PageRanks in a partition: equal shares of `alpha` for all objects of a cluster."""
    return np.where(rows[:, np.newaxis] == columns, shares[columns], 0.0)


def _in_cover(side: Any, alpha: float) -> PageRanks:
    """PageRanks in a cover; an object in no cluster keeps its own.

    With W = X Y, X from groups to clusters and Y from clusters to objects, they are
    ``(1 - alpha) sum of (alpha W)**k = (1 - alpha) alpha X (1 - alpha Y X)**-1 Y``, the term k = 0 aside.
    """
    weights, codes = np.unique(side.rows[:, side.rows.any(axis=0)], axis=0, return_inverse=True)
    sizes = np.bincount(codes.ravel(), minlength=len(weights))
    totals = weights.sum(axis=1)
    X = weights / np.where(totals > 0.0, totals, 1.0)[:, np.newaxis]
    Y = (weights / (sizes @ weights)).T
    scale = alpha * (1.0 - alpha)
    if len(Y) < len(X):
        Y = scale * np.linalg.solve(np.eye(len(Y)) - alpha * (Y * sizes) @ X, Y)
    else:
        W = X @ Y
        X, Y = scale * np.linalg.solve(np.eye(len(X)) - alpha * W * sizes, W), np.eye(len(X))
    own = np.einsum("ik,ki->i", X, Y)
    return PageRanks(
        codes.ravel(), sizes, lambda rows, columns: X[rows] @ Y[:, columns], own, alpha * (totals == 0.0)
    )


def _in_tree(tree: Tree, walk: Walk) -> PageRanks:
    """PageRanks in a tree: ``x_i x_j Z_j g(m)`` of leaves i and j that are joined in cluster m.

    Z_j is the weight of all clusters of j, and ``b_c = weight / size`` of cluster c. Then
    PageRanks are, apart from factors, the inverse of ``diag(Z) - alpha sum of b_c (1 1' on c)``. From the
    leaves up, each cluster adds one term of rank 1 to the inverse on its leaves (Sherman & Morrison 1950), a
    multiple of the row sums h so far, which it multiplies by ``1 + k_c s_c``, with s_c their sum and
    ``k_c = alpha b_c / (1 - alpha b_c s_c)``. With Q_c the product of these factors from the root down to c,
    ``g(c) = g(parent) + k_c / Q_c**2``, and x_i is h of the leaf alone times Q of its parent.
    """
    n, alpha = tree.n, walk.alpha
    pairs = tree.linkage[:, :2].astype(np.int64)
    weights = _weights(tree, walk)
    totals, sums = weights.copy(), np.empty(2 * n - 1)
    for made in range(2 * n - 2, n - 1, -1):
        totals[pairs[made - n]] += totals[made]
    Z = totals[:n]
    sums[:n] = 1.0 / (Z - alpha * weights[:n])
    factors, k = np.ones(2 * n - 1), np.zeros(2 * n - 1)
    for made, pair in enumerate(pairs, n):
        s, b = sums[pair].sum(), alpha * weights[made] / tree.linkage[made - n, 3]
        k[made] = b / (1.0 - b * s)
        factors[made] = 1.0 + k[made] * s
        sums[made] = s * factors[made]
    products, g = factors, k / factors**2
    for made in range(2 * n - 2, n - 1, -1):
        pair = pairs[made - n]
        products[pair] *= products[made]
        g[pair] = g[made] + k[pair] / products[pair] ** 2
    x = sums[:n] * products[:n]
    own = (1.0 - alpha) * ((sums[:n] + x * x * g[:n]) * Z - 1.0)
    x, y = (1.0 - alpha) * x, x * Z
    gathered = gathered_by(tree, -g[n + tree.times])  # lowest where the leaves are joined

    def block(rows: Integers, columns: Integers) -> Floats:
        out = np.empty((rows.size, columns.size))
        for i, leaf in enumerate(rows):
            look_up(*gathered, leaf, columns, out[i])
        out *= x[rows, np.newaxis] * y[columns]
        return np.where(rows[:, np.newaxis] == columns, own[rows, np.newaxis], out)

    return PageRanks(np.arange(n), np.ones(n, dtype=np.int64), block, own, np.zeros(n))


def _weights(tree: Tree, walk: Walk) -> Floats:
    """``exp(r level)`` of each cluster of a tree, leaves first, up to a factor so that it is at most 1."""
    n = tree.n
    pairs = tree.linkage[:, :2].astype(np.int64)
    if walk.levels == "linkage":
        heights = np.concatenate([np.zeros(n), tree.linkage[:, 2]])
        levels = 1.0 - heights / (heights[-1] or 1.0)
    else:
        nearest = np.min if walk.levels == "min" else np.max
        height, depth = np.zeros(2 * n - 1), np.zeros(2 * n - 1)
        for made, pair in enumerate(pairs, n):
            height[made] = 1.0 + nearest(height[pair])
        for made in range(2 * n - 2, n - 1, -1):
            depth[pairs[made - n]] = depth[made] + 1.0
        levels = depth / (depth + height)
    return np.asarray(np.exp(walk.r * levels - max(walk.r, 0.0)))
