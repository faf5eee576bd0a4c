"""Element-centric similarity: how alike the personalized PageRanks of each object are on two clusterings.

All is found from blocks of PageRanks between groups of objects in the same clusters; of few groups they are
held as a whole, so that a permutation is one loop over pairs of cells.
"""

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError, as_level, as_number, one_of
from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings, no_agreement
from chancecorr.clusterings.indices.pair_counts import mean_difference
from chancecorr.clusterings.kernels.pairs import sum_differences
from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.page_ranks import LEVELS, PageRanks, Walk, page_ranks
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.reading import as_partitions, read_clusterings
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.simulation.task import Counts, Tally, merged
from chancecorr.tables.reading import LabelPair

MOST_GROUPS = 2_000
"""Groups up to which the PageRanks between them are held: 32 MB on each side."""

NUMBERS_AT_ONCE = 1 << 20
"""PageRanks in a block: 8 MB, of which up to six are held."""

MOST_VALUES = 1 << 22
"""Distinct PageRanks of a side that are held exactly, those of 2,000 groups; beyond, they are rounded."""

NANOSECONDS_OF_A_PAGE_RANK, NANOSECONDS_ROUNDED = 300.0, 600.0
"""Of two groups of a side, to find the PageRank and to sort it; and where there are too many to be held."""


def element_centric(alpha: float = 0.9, r: float = 1.0, levels: str = "max") -> Index:
    """Element-centric similarity of labels, covers and trees, with its parameters.

    Parameters
    ----------
    alpha : float
        Probability to go on at each step, in (0, 1). Between two partitions it makes no difference.
    r : float
        Weight of the levels of a tree: clusters near the leaves count more if it is above 0.
    levels : {"max", "min", "linkage"}
        Level of a cluster in a tree, from 0 at the root to 1 at a leaf: ``d / (d + h)`` with d steps from the
        root and h to its farthest or its nearest leaf, or 1 less its height as a share of that of the root.

    Returns
    -------
    Index
        Index of two clusterings of the same objects, of these kinds in any combination.

    Raises
    ------
    ValueError, TypeError
        If a parameter is anything else.

    Notes
    -----
    Mean of `element_scores` over the objects. When the objects of the second clustering are permuted, each
    ordered pair of objects meets each other one equally often, and so does each object: the mean is exact, by
    sorting the PageRanks of each side, or for more than four million different ones within the rounding that
    the result states. The variance is sampled. With g groups of objects that differ in their clusters, time
    grows as g**2, and so does that of a permutation; memory does not from 2,000 groups on.

    Source: Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y. Null model: random permutations
    of the objects of the second clustering.

    Examples
    --------
    >>> import chancecorr as cc
    >>> clusters, others = cc.Cover([{0, 1, 2}, {2, 3, 4, 5}]), cc.Cover([{0, 1}, {1, 2, 3}, {4, 5}])
    >>> score = cc.adjust(clusters, others, element_centric(alpha=0.8))
    >>> score.observed == float(element_scores(clusters, others, alpha=0.8).mean())
    True
    """
    return index_of_clusterings(
        name="element_centric",
        aliases=("element_centric_similarity", "ecs", "element_sim"),
        source="Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y",
        takes=("labels", "cover", "tree"),
        function=functools.partial(agreement, _walk(alpha, r, levels)),
        cost=forecast,
    )


def element_scores(P: Any, Q: Any, *, alpha: float = 0.9, r: float = 1.0, levels: str = "max") -> Floats:
    """Similarity of the clusters of each object, whose mean is the element-centric similarity.

    Parameters
    ----------
    P, Q : labels, Cover or Tree
        Clusterings of the same objects, as in `adjust`.
    alpha, r, levels
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
    tree ``exp(r level)``. For an object in clusters a and b of two partitions it is ``n_ab / max(n_a, n_b)``,
    whatever `alpha`.

    An object in no cluster of a cover counts as in a cluster of its own.

    Source: Gates, Wood, Hetrick & Ahn (2019), doi:10.1038/s41598-019-44892-y.

    Examples
    --------
    >>> element_scores([0, 0, 0, 1, 1], [0, 0, 1, 1, 1]).round(3).tolist()
    [0.667, 0.667, 0.333, 0.667, 0.667]
    """
    walk = _walk(alpha, r, levels)
    read = read_clusterings(P, Q, names=("P", "Q"))
    sides: Any = as_partitions(read) if isinstance(read, LabelPair) else read
    for name, side in zip("PQ", sides, strict=True):
        if side.word not in ELEMENT_CENTRIC.takes:
            raise ArgumentValueError(name, f"must be labels, a cover or a tree; got a {side.word}.")
    first, second = sides
    if isinstance(first, Partition) and isinstance(second, Partition):
        return _scores_of_partitions(first.codes, second.codes)
    return scores_of_objects(alpha, *(_held(page_ranks(side, walk)) for side in sides))


def agreement(walk: Walk, P: Clustering, Q: Clustering) -> Agreement:
    """Agreement by the PageRanks of both sides, with its mean over all permutations."""
    n = P.n
    if n < 2:
        return no_agreement()
    p, q = (_held(page_ranks(side, walk)) for side in (P, Q))
    (p_pairs, p_own, p_step), (q_pairs, q_own, q_step) = _values(p), _values(q)
    apart = n * (n - 1) * mean_difference(p_pairs, q_pairs) + n * mean_difference(p_own, q_own)
    cells = min(n, p.alone.size * q.alone.size)
    is_held = max(p.alone.size, q.alone.size) <= MOST_GROUPS
    scale = 2.0 * walk.alpha * n
    return Agreement(
        observed=float(scores_of_objects(walk.alpha, p, q).mean()),
        expected=1.0 - apart / scale,
        error=max(p_step, q_step) * n * n / scale,
        sums=functools.partial(_sums if is_held else _sums_by_blocks, p, q),
        at_zero=1.0,
        slope=-1.0 / scale,
        nanoseconds=(1.5 if is_held else 25.0) * cells**2 + 5.0 * n,
    )


def forecast(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Nanoseconds and bytes of the value and of the mean, from the numbers of groups."""
    groups = [_count_groups(side) for side in (P, Q)]
    cells, numbers = min(P.n, math.prod(groups)), sum(size**2 for size in groups)
    each = NANOSECONDS_OF_A_PAGE_RANK if max(groups) <= MOST_GROUPS else NANOSECONDS_ROUNDED
    return each * numbers + 20.0 * cells**2, 8.0 * min(numbers, 6 * NUMBERS_AT_ONCE)


def _count_groups(side: Clustering) -> int:
    """Number of groups of objects in the same clusters; each leaf of a tree is one."""
    if isinstance(side, Partition):
        return int(side.codes.max(initial=-1)) + 1
    if not isinstance(side, Membership):
        return side.n
    return len(np.unique(np.packbits(side.rows > 0.0, axis=1), axis=0))


def _held(side: PageRanks) -> PageRanks:
    """PageRanks between few groups laid out, from which blocks are taken."""
    groups = np.arange(side.alone.size)
    if groups.size > MOST_GROUPS:
        return side
    between = side.block(groups, groups)
    return side._replace(block=lambda rows, columns: between[rows[:, np.newaxis], columns])


def _parts(rows: int, columns: int) -> Iterator[slice]:
    """Rows of the blocks of a matrix."""
    step = max(1, NUMBERS_AT_ONCE // max(columns, 1))
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def scores_of_objects(alpha: float, p: PageRanks, q: PageRanks) -> Floats:
    """Similarity of each object, from one row for each cell."""
    cells, of_object, counts = np.unique(
        p.codes * q.alone.size + q.codes, return_inverse=True, return_counts=True
    )
    g, h = np.divmod(cells, q.alone.size)
    apart = _apart_from_oneself(p, q, g, h)
    for rows in _parts(cells.size, cells.size):
        apart[rows] += np.abs(p.block(g[rows], g) - q.block(h[rows], h)) @ counts
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
    shape = p.alone.size, q.alone.size
    groups = [np.arange(size) for size in shape]
    X, Y = p.block(groups[0], groups[0]), q.block(groups[1], groups[1])
    cells = np.empty((p.codes.size, 3), dtype=np.int64)
    sum_differences(p.codes, codes, X, Y, np.zeros(shape, dtype=np.int64), cells, out)
    if p.alone.any() or q.alone.any():
        out += _apart_from_oneself(p, q, p.codes, codes).sum(axis=1)
    return out


def _sums_by_blocks(p: PageRanks, q: PageRanks, permutations: Integers) -> Floats:
    """`_sums` of many groups, in blocks of objects."""
    out, codes = np.zeros(len(permutations)), q.codes[permutations]
    for rows in _parts(p.codes.size, p.codes.size):
        of_p = p.block(p.codes[rows], p.codes)
        for t, each in enumerate(codes):
            out[t] += np.abs(of_p - q.block(each[rows], each)).sum()
    return np.asarray(out + _apart_from_oneself(p, q, p.codes, codes).sum(axis=1))


def _apart_from_oneself(p: PageRanks, q: PageRanks, g: Integers, h: Integers) -> Floats:
    """Differences of what objects of groups g and h give themselves, less those of `own` alone."""
    first, second = p.own[g], q.own[h]
    with_alone = np.abs(first + p.alone[g] - second - q.alone[h])
    return np.asarray(with_alone - np.abs(first - second))


def _values(side: PageRanks) -> tuple[Counts, Counts, float]:
    """PageRanks of ordered pairs of objects, and of each with itself, with counts; the step of the former."""
    groups, tally = np.arange(side.alone.size), Tally(most=MOST_VALUES)
    for rows in _parts(groups.size, groups.size):
        pairs = np.outer(side.sizes[rows], side.sizes)
        pairs[np.arange(pairs.shape[0]), groups[rows]] -= side.sizes[rows]
        tally.add(*merged(side.block(groups[rows], groups).ravel(), pairs.ravel()))
    return tally.result(), (side.own + side.alone, side.sizes), tally.step


def _walk(alpha: float, r: float, levels: str) -> Walk:
    """Parameters, checked."""
    alpha, r = as_level("alpha", alpha), as_number("r", r)
    if not math.isfinite(r):
        raise ArgumentValueError("r", f"must be finite; got {r}.")
    one_of("levels", levels, LEVELS)
    return Walk(alpha, r, levels)


ELEMENT_CENTRIC = element_centric()
