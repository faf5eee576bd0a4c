"""Element-centric similarity: how alike the personalized PageRanks of each object are on two clusterings.

From an object one steps to one of its clusters, by weight, and from there to any object in it; with
probability ``1 - alpha`` one starts anew. Objects in the same clusters have the same steps, so that all is
found from one row for each group of such objects.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentValueError, as_level, as_number
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, PairIndex
from chancecorr.clusterings.indices.by_values import no_agreement
from chancecorr.clusterings.indices.fuzzy_rand import mean_difference
from chancecorr.clusterings.kernels.weighted_pairs import sum_differences
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.reading import read_clusterings
from chancecorr.clusterings.tree import Tree
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.simulation.tally import Counts

MOST_GROUPS = 2_000
"""Groups of objects in the same clusters: 32 MB for the PageRanks between them, on each side."""

NUMBERS_AT_ONCE = 1 << 22
"""PageRanks that are compared at a time: 32 MB."""

NANOSECONDS_OF_A_CELL_PAIR = 1.5
"""Of two cells, which are groups of both sides with objects in common, in a permutation."""


class PageRanks(NamedTuple):
    """PageRank that an object gives another, the restart aside, by their groups."""

    codes: Integers  # group of each object
    between: Floats  # from a group, in rows, to a group
    alone: Floats  # of a group: what its objects give themselves besides


def element_centric(alpha: float = 0.9, r: float = 1.0) -> PairIndex:
    """Element-centric similarity of labels, covers and trees, with its two parameters.

    Parameters
    ----------
    alpha : float
        Probability to go on at each step, in (0, 1). Between two partitions it makes no difference.
    r : float
        Weight of the levels of a tree: clusters near the leaves count more if it is above 0.

    Returns
    -------
    PairIndex
        Index of two clusterings of the same objects, of these kinds in any combination.

    Raises
    ------
    ValueError, TypeError
        If `alpha` or `r` is anything else; from ``agreement``, if more than 2,000 groups of objects differ in
        their clusters.

    Notes
    -----
    Mean of `element_scores` over the objects. When the objects of the second clustering are permuted, each
    ordered pair of objects meets each other one equally often, and so does each object: the mean is exact, by
    sorting the PageRanks of each side. The variance is sampled.

    Source: Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y. Null model: random permutations
    of the objects of the second clustering.

    Examples
    --------
    >>> import chancecorr as cc
    >>> clusters, others = [{0, 1, 2}, {2, 3, 4, 5}], [{0, 1}, {1, 2, 3}, {4, 5}]
    >>> score = cc.adjust(clusters, others, element_centric(alpha=0.8))
    >>> score.observed == float(element_scores(clusters, others, alpha=0.8).mean())
    True
    """
    return PairIndex(
        name="element_centric",
        aliases=("element_centric_similarity", "ecs", "element_sim"),
        source="Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y",
        takes=("labels", "cover", "tree"),
        agreement=functools.partial(agreement, *_parameters(alpha, r)),
    )


def element_scores(P: Any, Q: Any, *, alpha: float = 0.9, r: float = 1.0) -> Floats:
    """Similarity of the clusters of each object, whose mean is the element-centric similarity.

    Parameters
    ----------
    P, Q : labels, sets of objects, array-like or linkage
        Clusterings of the same objects, as in `adjust`: partitions, covers or trees.
    alpha, r : float
        As in `element_centric`.

    Returns
    -------
    ndarray of float64, shape (n,)
        From 0 to 1, in the order of the objects.

    Raises
    ------
    ValueError, TypeError
        As in `element_centric`; also if a clustering is of another kind, or of other objects.

    Notes
    -----
    ``1 - sum over j of |p_ij - q_ij| / (2 alpha)``, where p_i is the PageRank from object i, the solution of
    ``p_i = (1 - alpha) e_i + alpha p_i W``, and W_ij the sum, over the clusters c that hold i and j, of
    ``w_c / (size of c)`` over the sum of the weights w of all clusters of i. Weights are 1; of a cluster in a
    tree ``exp(r d / (d + h))``, with d steps from the root and at most h steps to a leaf. For an object in
    clusters a and b of two partitions it is ``n_ab / max(n_a, n_b)``, whatever `alpha`.

    An object in no cluster of a cover counts as in a cluster of its own.

    Source: Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y.

    Examples
    --------
    >>> element_scores([0, 0, 0, 1, 1], [0, 0, 1, 1, 1]).round(3).tolist()
    [0.667, 0.667, 0.333, 0.667, 0.667]
    """
    alpha, r = _parameters(alpha, r)
    sides = read_clusterings(("P", "Q"), (P, Q))
    for name, side in zip("PQ", sides, strict=True):
        if side.word not in ELEMENT_CENTRIC.takes:
            raise ArgumentValueError(name, f"must be labels, a cover or a tree; got a {side.word}.")
    first, second = sides
    if isinstance(first, Partition) and isinstance(second, Partition):
        return _scores_of_partitions(first.codes, second.codes)
    return scores_of_objects(alpha, *(page_ranks(side, alpha, r) for side in sides))


def agreement(alpha: float, r: float, P: Clustering, Q: Clustering) -> Agreement:
    """Agreement by the PageRanks of both sides, with its mean over all permutations."""
    n = P.n
    if n < 2:
        return no_agreement()
    p, q = page_ranks(P, alpha, r), page_ranks(Q, alpha, r)
    (p_pairs, p_own), (q_pairs, q_own) = _values(p), _values(q)
    apart = n * (n - 1) * mean_difference(p_pairs, q_pairs) + n * mean_difference(p_own, q_own)
    cells = min(n, p.alone.size * q.alone.size)
    return Agreement(
        observed=float(scores_of_objects(alpha, p, q).mean()),
        expected=1.0 - apart / (2.0 * alpha * n),
        sums=functools.partial(_sums, p, q),
        at_zero=1.0,
        slope=-1.0 / (2.0 * alpha * n),
        nanoseconds=NANOSECONDS_OF_A_CELL_PAIR * cells**2 + 5.0 * n,
    )


def page_ranks(side: Clustering, alpha: float, r: float) -> PageRanks:
    """PageRanks by a system of equations as large as there are clusters, or groups if these are fewer.

    With W = X Y, X from groups to clusters and Y from clusters to objects, they are
    ``(1 - alpha) sum of (alpha W)**k = (1 - alpha) alpha X (1 - alpha Y X)**-1 Y``, the term k = 0 aside.
    """
    weights, codes = _weights(side, r)
    groups = len(weights)
    if groups > MOST_GROUPS:
        raise ArgumentValueError(
            getattr(side, "name", "labels"),
            f"must have at most {MOST_GROUPS:,} groups of objects that differ in their clusters; got"
            f" {groups:,}.",
        )
    sizes = np.bincount(codes, minlength=groups).astype(np.float64)
    weights = weights[:, weights.any(axis=0)]
    totals, inside = weights.sum(axis=1, keepdims=True), weights > 0.0
    X = weights / np.where(totals > 0.0, totals, 1.0)
    Y = (inside / (sizes @ inside)).T
    if len(Y) < groups:
        between = X @ np.linalg.solve(np.eye(len(Y)) - alpha * (Y * sizes) @ X, Y)
    else:
        W = X @ Y
        between = np.linalg.solve(np.eye(groups) - alpha * W * sizes, W)
    return PageRanks(codes, alpha * (1.0 - alpha) * between, alpha * (totals[:, 0] == 0.0))


def scores_of_objects(alpha: float, p: PageRanks, q: PageRanks) -> Floats:
    """Similarity of each object, from one row for each cell."""
    cells, of_object, counts = np.unique(
        p.codes * q.alone.size + q.codes, return_inverse=True, return_counts=True
    )
    g, h = np.divmod(cells, q.alone.size)
    apart = _apart_from_oneself(p, q)[g, h]
    step = max(1, NUMBERS_AT_ONCE // cells.size)
    for rows in (slice(start, start + step) for start in range(0, cells.size, step)):
        difference = p.between[g[rows, np.newaxis], g] - q.between[h[rows, np.newaxis], h]
        apart[rows] += np.abs(difference) @ counts
    scores: Floats = 1.0 - apart[of_object] / (2.0 * alpha)
    return scores


def _scores_of_partitions(first: Integers, second: Integers) -> Floats:
    """Share of the larger of an object's two clusters that is in the smaller one too."""
    _, of_object, counts = np.unique(
        first * (int(second.max(initial=0)) + 1) + second, return_inverse=True, return_counts=True
    )
    larger = np.maximum(np.bincount(first)[first], np.bincount(second)[second])
    return np.asarray(counts[of_object] / larger)


def _sums(p: PageRanks, q: PageRanks, permutations: Integers) -> Floats:
    """Sum of ``|p_ij - q_ij|`` over all ordered pairs and all objects, the objects of q permuted."""
    out, codes = np.empty(len(permutations)), q.codes[permutations]
    counts = np.zeros((p.alone.size, q.alone.size), dtype=np.int64)
    cells = np.empty((p.codes.size, 3), dtype=np.int64)
    sum_differences(p.codes, codes, p.between, q.between, counts, cells, out)
    if p.alone.any() or q.alone.any():
        out += _apart_from_oneself(p, q)[p.codes, codes].sum(axis=1)
    return out


def _apart_from_oneself(p: PageRanks, q: PageRanks) -> Floats:
    """What an object's own PageRanks differ by, less the difference that `between` alone makes."""
    first, second = p.between.diagonal()[:, np.newaxis], q.between.diagonal()
    with_alone = np.abs(first + p.alone[:, np.newaxis] - second - q.alone)
    return np.asarray(with_alone - np.abs(first - second))


def _values(side: PageRanks) -> tuple[Counts, Counts]:
    """PageRanks of ordered pairs of objects, and of each object with itself, and how often they occur."""
    sizes = np.bincount(side.codes, minlength=side.alone.size)
    pairs = np.outer(sizes, sizes) - np.diag(sizes)
    own = side.between.diagonal() + side.alone
    return (side.between.ravel(), pairs.ravel()), (own, sizes)


def _weights(side: Any, r: float) -> tuple[Floats, Integers]:
    """Weight of each group's objects in each cluster, 0 outside of it, and the group of each object."""
    if isinstance(side, Partition):
        return np.eye(int(side.codes.max(initial=-1)) + 1), side.codes
    if isinstance(side, Tree):
        return _weights_of_tree(side, r), np.arange(side.n)
    rows, codes = np.unique(side.rows, axis=0, return_inverse=True)
    return rows, codes.ravel()


def _weights_of_tree(tree: Tree, r: float) -> Floats:
    """``exp(r level)`` of each cluster that a leaf is in, itself included, up to a factor."""
    n = tree.n
    children = tree.linkage[:, :2].astype(np.int64)
    height, depth = np.zeros(2 * n - 1), np.zeros(2 * n - 1)
    members = np.eye(2 * n - 1, n, dtype=np.bool_)
    for made, pair in enumerate(children, n):
        height[made] = 1.0 + height[pair].max()
        members[made] = members[pair].any(axis=0)
    for made in range(2 * n - 2, n - 1, -1):
        depth[children[made - n]] = depth[made] + 1.0
    weights = np.exp(r * depth / (depth + height) - max(r, 0.0))  # at most 1
    return np.where(members.T, weights, 0.0)


def _parameters(alpha: float, r: float) -> tuple[float, float]:
    """Both parameters, checked."""
    alpha, r = as_level("alpha", alpha), as_number("r", r)
    if not math.isfinite(r):
        raise ArgumentValueError("r", f"must be finite; got {r}.")
    return alpha, r


ELEMENT_CENTRIC = element_centric()
