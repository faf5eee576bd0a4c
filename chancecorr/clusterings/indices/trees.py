"""Correlation over the pairs, of any two clusterings; and indices of two trees.

The correlation is Mantel's of two matrices, the cophenetic one of two trees; Baker's gamma is that of ranks.
Hierarchical mutual information is taken over the geometric mean of that of each tree with itself. With
``X_d`` the branch of an object at depth d, it is the sum over d of ``I(X_d; Y_d | X_{d-1}, Y_{d-1})``.
"""

import math
from dataclasses import replace

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings, no_agreement
from chancecorr.clusterings.products import forecast_products, products
from chancecorr.clusterings.tree import Tree
from chancecorr.machine.arrays import Floats, Integers


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


def agree_by_information(P: Tree, Q: Tree) -> Agreement:
    """Agreement of which values are known alone."""
    p, q = branches(P), branches(Q)
    scale = math.sqrt(information(p, p) * information(q, q))

    def sums(permutations: Integers) -> Floats:
        return np.array([information(p, q[:, each]) for each in permutations])

    return Agreement(
        observed=information(p, q) / scale,
        sums=sums,
        slope=1.0 / scale,
        nanoseconds=200.0 * P.n * (len(p) + len(q)),
    )


def forecast_information(P: Tree, Q: Tree) -> tuple[float, float]:
    """Nanoseconds and bytes of the value: of the leaves of all clusters, and the branches at all depths."""
    n, depths = P.n, [np.zeros(2 * side.n - 1) for side in (P, Q)]
    for depth, side in zip(depths, (P, Q), strict=True):
        children = side.linkage[:, :2].astype(np.int64)
        for made in range(2 * n - 2, n - 1, -1):
            depth[children[made - n]] = depth[made] + 1.0
    steps = sum(float(depth.max()) for depth in depths)
    return 500.0 * n * steps + 20.0 * n * n, 4.0 * n * n + 8.0 * n * steps


def branches(tree: Tree) -> Integers:
    """Number of the branch of each leaf at each depth, shape (depths, n), from the root to single leaves."""
    n = tree.n
    children = tree.linkage[:, :2].astype(np.int64)
    at = np.full(n, 2 * n - 2)
    left, members = np.zeros((2 * n - 1, n), dtype=np.bool_), np.eye(2 * n - 1, n, dtype=np.bool_)
    for made, pair in enumerate(children, n):
        members[made] = members[pair].any(axis=0)
        left[made] = members[pair[0]]
    depths = [at]
    while (inner := at >= n).any():
        sides = np.where(left[at, np.arange(n)], 0, 1)
        at = np.where(inner, children[np.maximum(at - n, 0), sides], at)
        depths.append(at)
    return np.array(depths)


def information(p: Integers, q: Integers) -> float:
    """Hierarchical mutual information from branches by depth."""
    total, before = 0.0, 0.0
    for d in range(1, min(len(p), len(q))):
        here = _entropy(p[d], q[d])
        total += _entropy(p[d], q[d - 1]) + _entropy(p[d - 1], q[d]) - here - before
        before = here
    return total


def _entropy(first: Integers, second: Integers) -> float:
    """Joint entropy of two labels, in nats."""
    counts = np.unique(first * (int(second.max()) + 1) + second, return_counts=True)[1]
    return float(math.log(first.size) - (counts * np.log(counts)).sum() / first.size)


HIERARCHICAL_NMI = index_of_clusterings(
    name="hierarchical_nmi",
    aliases=("ahmi", "nhmi"),
    source="Perotti, Tessone & Caldarelli (2015), doi:10.1103/PhysRevE.92.062825; adjusted: Perotti, Almeira"
    " & Saracco (2020), arXiv:2003.02911",
    takes=("tree",),
    function=agree_by_information,
    cost=forecast_information,
)
