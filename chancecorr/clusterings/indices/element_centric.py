"""Element-centric similarity: compare the personalized PageRanks of each object on two clusterings.

From an object one steps to one of its clusters, by weight, and from there to any object in it; with
probability ``1 - alpha`` one starts anew. Objects in the same clusters form a group: they have the same steps
and one row of PageRanks, which solve a linear system as large as there are groups.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from chancecorr.clusterings.clustering import (
    Agreement,
    Clustering,
    Partition,
    index_of_clusterings,
    leave_undefined,
)
from chancecorr.clusterings.indices.pair_counts import compute_mean_difference
from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.pair_kernels import sum_differences
from chancecorr.clusterings.reading import as_partitions, read_clusterings
from chancecorr.clusterings.tree import Tree
from chancecorr.exact.summary import merge_equal
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError, as_level, as_number, explain_call
from chancecorr.machine.arrays import Floats, Integers


@explain_call
def element_centric(alpha: float = 0.9, r: float = 1.0) -> Index:
    """Element-centric similarity of labels, covers and trees, with its parameters.

    Parameters
    ----------
    alpha : float
        Probability to go on at each step, in (0, 1). Between two partitions it makes no difference.
    r : float
        Weight of the levels of a tree, from 0 at the root to 1 at a leaf, ``d / (d + h)`` with d steps from
        the root and h to the farthest leaf: clusters near the leaves count more if it is above 0.

    Returns
    -------
    Index
        Index of two clusterings of the same objects, of these kinds in any combination.

    Raises
    ------
    ValueError, TypeError
        If a parameter is anything else.

    See Also
    --------
    element_scores : The same by objects.

    Notes
    -----
    Mean of `element_scores` over the objects. Its mean over permutations of the second clustering's objects
    is exact, its variance is sampled. With g groups of objects that differ in their clusters, time grows as
    g**3, memory as g**2.

    References
    ----------
    .. [1] Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y.

    Examples
    --------
    >>> import chancecorr as cc
    >>> clusters, others = cc.Cover([{0, 1, 2}, {2, 3, 4, 5}]), cc.Cover([{0, 1}, {1, 2, 3}, {4, 5}])
    >>> score = cc.adjust(clusters, others, element_centric(alpha=0.8))
    >>> score.observed == float(element_scores(clusters, others, alpha=0.8).mean())
    True
    """
    return index_of_clusterings(
        name="element_centric_similarity",
        aliases=("element_centric", "ecs", "element_sim"),
        source="Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y",
        takes=("labels", "cover", "tree"),
        function=functools.partial(agree_by_page_ranks, *_check_walk(alpha, r)),
        cost=forecast_page_ranks,
    )


@explain_call
def element_scores(P: Any, Q: Any, *, alpha: float = 0.9, r: float = 1.0) -> Floats:
    """Compute each object's similarity of clusters; the mean is the element-centric similarity.

    Parameters
    ----------
    P, Q : labels, Cover or Tree
        Clusterings of the same objects, as in `adjust`.
    alpha, r
        As in `element_centric`.

    Returns
    -------
    ndarray of float64, shape (n,)
        From 0 to 1, in the order of the objects.

    Raises
    ------
    ValueError, TypeError
        As in `element_centric`; also if a clustering is of another kind, or of other objects.

    See Also
    --------
    element_centric : The index that is their mean.

    Notes
    -----
    ``1 - sum over j of |p_ij - q_ij| / (2 alpha)``, where p_i is the PageRank from object i, the solution of
    ``p_i = (1 - alpha) e_i + alpha p_i W``, and W_ij the sum, over the clusters c that hold i and j, of
    ``w_c / (size of c)`` over the sum of the weights w of all clusters of i. Weights are 1; of a cluster in a
    tree ``exp(r level)``. For an object in clusters a and b of two partitions it is ``n_ab / max(n_a, n_b)``.
    An object without a cluster in a cover counts as a separate cluster.

    Examples
    --------
    >>> element_scores([0, 0, 0, 1, 1], [0, 0, 1, 1, 1]).round(3).tolist()
    [0.667, 0.667, 0.333, 0.667, 0.667]
    """
    alpha, r = _check_walk(alpha, r)
    read = read_clusterings(P, Q, names=("P", "Q"))
    sides = (as_partitions(read) if read.has_table else read).sides
    for name, side in zip("PQ", sides, strict=True):
        if side.word not in ELEMENT_CENTRIC.takes:
            raise ArgumentValueError(name, f"must be labels, a cover or a tree; got a {side.word}.")
    if not all(isinstance(side, Partition) for side in sides):
        return score_objects(alpha, *(find_page_ranks(side, alpha, r) for side in sides))
    first, second = (side.codes for side in sides)
    cells = first * (int(second.max(initial=0)) + 1) + second
    _, of_object, counts = np.unique(cells, return_inverse=True, return_counts=True)
    larger = np.maximum(np.bincount(first)[first], np.bincount(second)[second])
    return np.asarray(counts[of_object] / larger)


def _check_walk(alpha: float, r: float) -> tuple[float, float]:
    """Checked parameters of the random walk."""
    alpha, r = as_level("alpha", alpha), as_number("r", r)
    if not math.isfinite(r):
        raise ArgumentValueError("r", f"must be finite; got {r}.")
    return alpha, r


class PageRanks(NamedTuple):
    """PageRanks by groups of objects, without the restart."""

    codes: Integers  # group of each object
    sizes: Integers  # objects of each group
    between: Floats  # PageRank from a group (rows) to each object of a group (columns)
    alone: Floats  # additional PageRank of an object for itself, by group


def agree_by_page_ranks(alpha: float, r: float, P: Clustering, Q: Clustering) -> Agreement:
    """Compute the agreement by the PageRanks of both sides, with its mean over all permutations."""
    n = P.n
    if n < 2:
        return leave_undefined()
    p, q = (find_page_ranks(side, alpha, r) for side in (P, Q))
    of_pairs = (np.outer(side.sizes, side.sizes) - np.diag(side.sizes) for side in (p, q))
    counted = [merge_equal(side.between.ravel(), x.ravel()) for side, x in zip((p, q), of_pairs, strict=True)]
    own = ((side.between.diagonal() + side.alone, side.sizes) for side in (p, q))
    apart = n * (n - 1) * compute_mean_difference(*counted) + n * compute_mean_difference(*own)
    scale = 2.0 * alpha * n

    def sums(permutations: Integers) -> Floats:
        """Sum ``|p_ij - q_ij|`` over all ordered pairs and all objects, with permuted objects of q."""
        out, codes = np.empty(len(permutations)), q.codes[permutations]
        table = np.zeros((p.sizes.size, q.sizes.size), dtype=np.int64)
        sum_differences(p.codes, codes, p.between, q.between, table, np.empty((n, 3), dtype=np.int64), out)
        return np.asarray(out + _sum_alone(p, q, p.codes, codes).sum(axis=1))

    return Agreement(
        observed=float(score_objects(alpha, p, q).mean()),
        expected=1.0 - apart / scale,
        sums=sums,
        at_zero=1.0,
        slope=-1.0 / scale,
        nanoseconds=1.5 * min(n, p.sizes.size * q.sizes.size) ** 2 + 5.0 * n,
    )


def forecast_page_ranks(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Forecast nanoseconds and bytes of the value and of the mean, from the numbers of groups."""
    groups = [_count_groups(side) for side in (P, Q)]
    cells, numbers = min(P.n, math.prod(groups)), sum(size**2 for size in groups)
    return 300.0 * numbers + 0.5 * sum(size**3 for size in groups) + 20.0 * cells**2, 80.0 * numbers


def _count_groups(side: Clustering) -> int:
    """Count groups of objects in the same clusters; each leaf of a tree is a group."""
    if isinstance(side, Partition):
        return int(side.codes.max(initial=-1)) + 1
    if not isinstance(side, Membership):
        return side.n
    return len(np.unique(np.packbits(side.rows > 0.0, axis=1), axis=0))


def find_page_ranks(side: Any, alpha: float, r: float) -> PageRanks:
    """Compute PageRanks between groups, without the zero-step term; an unclustered object keeps its rank."""
    if isinstance(side, Partition):
        sizes = np.bincount(side.codes)
        return PageRanks(side.codes, sizes, np.eye(sizes.size) * (alpha / sizes), np.zeros(sizes.size))
    if isinstance(side, Tree):
        members, weights = _list_clusters(side, r)
        codes, sizes = np.arange(side.n), np.ones(side.n, dtype=np.int64)
    else:
        members, codes, sizes = np.unique(
            side.rows[:, side.rows.any(axis=0)], axis=0, return_inverse=True, return_counts=True
        )
        codes, weights = codes.ravel(), np.ones(members.shape[1])
    totals = members @ weights
    X = members * weights / np.where(totals > 0.0, totals, 1.0)[:, np.newaxis]
    W = X @ (members / (sizes @ members)).T
    between = np.linalg.solve(np.eye(len(W)) - alpha * W * sizes, alpha * (1.0 - alpha) * W)
    return PageRanks(codes, sizes, np.asarray(between, dtype=np.float64), alpha * (totals == 0.0))


def _list_clusters(tree: Tree, r: float) -> tuple[Floats, Floats]:
    """Return the leaves of each cluster as 1 or 0, and ``exp(r level)``, at most 1; leaves come first."""
    n = tree.n
    pairs = tree.linkage[:, :2].astype(np.int64)
    is_node = np.append(np.ones(n, dtype=np.bool_), tree.nodes == np.arange(n - 1))
    members, height, depth = np.eye(2 * n - 1, n), np.zeros(2 * n - 1), np.zeros(2 * n - 1)
    for made, pair in enumerate(pairs, n):
        members[made] = members[pair].sum(axis=0)
        height[made] = (height[pair] + is_node[pair]).max()
    for made in range(2 * n - 2, n - 1, -1):
        depth[pairs[made - n]] = depth[made] + is_node[pairs[made - n]]
    members, height, depth = members[is_node], height[is_node], depth[is_node]
    return members.T, np.exp(r * (depth / (depth + height)) - max(r, 0.0))


def score_objects(alpha: float, p: PageRanks, q: PageRanks) -> Floats:
    """Compute the similarity of each object, from one row for each cell."""
    cells, of_object, counts = np.unique(
        p.codes * q.sizes.size + q.codes, return_inverse=True, return_counts=True
    )
    g, h = np.divmod(cells, q.sizes.size)
    apart = _sum_alone(p, q, g, h)
    for c in range(cells.size):
        apart[c] += np.abs(p.between[g[c], g] - q.between[h[c], h]) @ counts
    scores: Floats = 1.0 - apart[of_object] / (2.0 * alpha)
    return scores


def _sum_alone(p: PageRanks, q: PageRanks, g: Integers, h: Integers) -> Floats:
    """Compute the differences of objects' ranks for themselves, minus the differences within their groups."""
    first, second = p.between.diagonal()[g], q.between.diagonal()[h]
    with_alone = np.abs(first + p.alone[g] - second - q.alone[h])
    return np.asarray(with_alone - np.abs(first - second))


ELEMENT_CENTRIC = element_centric()
