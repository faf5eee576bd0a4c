"""Split and merge guided by minimum spanning trees (SAM), for clusters of any shape.

After Zhong, Miao & Fränti (2011), Information Sciences 181, 3397-3410, doi:10.1016/j.ins.2011.04.013, of
which the summary was at hand and not the text: the leaves of the minimum spanning tree are pruned; objects of
high degree in the union of three successive trees are the initial prototypes of k-means, sqrt(n) of them; the
parts that it finds are adjusted to be subtrees; neighbouring parts are merged by inter-connectivity and
intra-similarity until as many as wanted are left.

Chosen here: one round of pruning; an object may be a prototype if no neighbour in the union is one. The
formula of the criterion is not known: `strength` has the two factors, and what they are divided by is a
parameter, so that a study can say how much hangs on it.
"""

import math
from collections.abc import Callable, Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import cdist

from experiments.clusterers.k_means_kernels import k_means_step, to_nearest

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Edges = npt.NDArray[np.int64]

TREES = 3

Sizes = Literal["geometric", "together", "smaller", "root of smaller"]
SIZES: dict[Sizes, Callable[[int, int], float]] = {
    "geometric": lambda m, n: math.sqrt(m * n),
    "together": lambda m, n: math.sqrt(m + n),
    "smaller": min,
    "root of smaller": lambda m, n: math.sqrt(min(m, n)),
}
"""What the number of edges between two parts is divided by, from their sizes."""


def split_and_merge(
    X: npt.ArrayLike, n_clusters: int, *, sizes: Sizes = "geometric", power: int = 1
) -> Labels:
    """Clusters of any shape; no random numbers, and no parameter but how many.

    Returns int64 of shape (n,), in 0, ..., K - 1.
    """
    return forms(X, n_clusters, [(sizes, power)])[0]


def forms(X: npt.ArrayLike, n_clusters: int, criteria: Iterable[tuple[Sizes, int]]) -> list[Labels]:
    """`split_and_merge` by several criteria: trees and parts, which do not depend on them, are found once."""
    objects = np.ascontiguousarray(X, dtype=np.float64)
    tree = spanning_edges(cdist(objects, objects), 1)[0]
    inner = np.flatnonzero(np.bincount(tree.ravel(), minlength=len(objects)) > 1)
    distances = cdist(objects[inner], objects[inner])
    edges = np.concatenate(spanning_edges(distances, TREES))
    pieces = split(objects[inner], edges)
    found = []
    for sizes, power in criteria:
        parts = np.full(len(objects), -1, np.int64)
        parts[inner] = merged(pieces, edges, distances[*edges.T], n_clusters, sizes, power)
        for a, b in tree:  # a pruned leaf goes with its neighbour in the tree
            if parts[a] < 0:
                parts[a] = parts[b]
            elif parts[b] < 0:
                parts[b] = parts[a]
        found.append(np.unique(parts, return_inverse=True)[1].astype(np.int64))
    return found


def spanning_edges(distances: Floats, trees: int) -> list[Edges]:
    """Edges of successive minimum spanning trees, each without those before, shape (n - 1, 2).

    A constant is added to all distances, which changes no tree: zero would mean that there is no edge.
    """
    left = distances + 1.0
    found = []
    for _ in range(trees):
        tree = minimum_spanning_tree(left).tocoo()
        edges = np.column_stack([tree.row, tree.col]).astype(np.int64)
        left[edges[:, 0], edges[:, 1]] = left[edges[:, 1], edges[:, 0]] = 0.0
        found.append(edges)
    return found


def split(X: Floats, edges: Edges) -> Labels:
    """Parts found by k-means from sqrt(n) objects of high degree, each made a subtree of the first tree."""
    n = len(X)
    neighbours: list[set[int]] = [set() for _ in range(n)]
    for a, b in edges.tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    chosen: list[int] = []
    for i in sorted(range(n), key=lambda i: -len(neighbours[i])):
        if len(chosen) < int(np.sqrt(n)) and not neighbours[i].intersection(chosen):
            chosen.append(i)
    centroids = X[chosen]
    labels, squares, moved = np.empty(n, np.int64), np.empty(n), np.empty(len(chosen), np.bool_)
    to_nearest(X, centroids, labels, squares)
    while k_means_step(X, centroids, labels, squares, moved):
        pass
    return subtrees(labels, edges[: n - 1])


def subtrees(labels: Labels, tree: Edges) -> Labels:
    """The largest piece that a tree has of each part keeps its label; other pieces join a neighbour."""
    n = len(labels)
    within = tree[labels[tree[:, 0]] == labels[tree[:, 1]]]
    pieces = connected_components(coo_array((np.ones(len(within)), within.T), shape=(n, n)), directed=False)[
        1
    ]
    sizes = np.bincount(pieces)
    largest: dict[int, int] = {}
    for i in np.argsort(-sizes[pieces], kind="stable").tolist():
        largest.setdefault(int(labels[i]), int(pieces[i]))
    of_piece = np.full(sizes.size, -1, np.int64)
    for label, piece in largest.items():
        of_piece[piece] = label
    between = [(int(pieces[a]), int(pieces[b])) for a, b in tree if pieces[a] != pieces[b]]
    while (of_piece < 0).any():
        for p, q in between:
            if of_piece[p] < 0 <= of_piece[q]:
                of_piece[p] = of_piece[q]
            elif of_piece[q] < 0 <= of_piece[p]:
                of_piece[q] = of_piece[p]
    return np.unique(of_piece[pieces], return_inverse=True)[1].astype(np.int64)


def merged(
    labels: Labels, edges: Edges, lengths: Floats, n_clusters: int, sizes: Sizes, power: int
) -> Labels:
    """Neighbouring parts merged by turns, those with the largest strength."""
    labels = labels.copy()
    while len(np.unique(labels)) > n_clusters:
        first, second = np.sort(labels[edges], axis=1).T
        counts = np.bincount(labels)
        best, pair = -math.inf, (0, 0)
        for p, q in np.unique(np.column_stack([first, second])[first != second], axis=0).tolist():
            between = lengths[(first == p) & (second == q)]
            within = lengths[(first == second) & ((first == p) | (first == q))]
            size = SIZES[sizes](int(counts[p]), int(counts[q]))
            found = strength(between, within, size, power)
            if found > best:
                best, pair = found, (p, q)
        labels[labels == pair[1]] = pair[0]
    return labels


def strength(between: Floats, within: Floats, size: float, power: int) -> float:
    """How much two parts belong together: inter-connectivity times a power of intra-similarity.

    How many edges there are between them for their size, and how short these are beside those within.
    """
    closeness = within.mean() / between.mean() if within.size and between.mean() > 0.0 else 1.0
    return float(between.size / size * closeness**power)
