"""Indices of labels of objects that have places: the vertices of a graph, or points on a map.

The graph-aware Rand index asks on which edges two clusterings agree. The spatially aware one weighs a pair on
which they disagree by its distance. Chance permutes the objects and leaves the places as they are.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from chancecorr.clusterings.clustering import Agreement, Partition, index_of_clusterings
from chancecorr.clusterings.pair_kernels import add_disagreements, sum_together
from chancecorr.exact.pair_space import (
    WeightSums,
    compute_both_permuted_moments,
    compute_permutation_moments,
    compute_share_together,
    make_partition_space,
)
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, as_number, check_choice
from chancecorr.machine.arrays import Floats, Integers

PAIRS_AT_ONCE = 1 << 20
"""Pairs of objects whose distances are found together, in up to a dozen arrays of 8 MB."""


class Edges(NamedTuple):
    """Edges ``first < second`` of a graph, each once; n is None of a plain list of them."""

    n: int | None
    first: Integers
    second: Integers


def graph_rand(graph: Any) -> Index:
    """Graph-aware Rand index, whose adjusted form is the AGRI.

    Parameters
    ----------
    graph : scipy.sparse array, networkx or igraph graph, or array-like of shape (edges, 2)
        Undirected graph whose vertices are the objects, in its own order. Loops, directions and weights do
        not count, nor does an edge twice.

    Returns
    -------
    Index
        Index of two partitions of the vertices.

    Raises
    ------
    TypeError, ValueError
        If `graph` is nothing of these; when it is computed, if the clusterings have other objects.

    See Also
    --------
    spatial_rand : The same for objects on a map.

    Notes
    -----
    Of m edges, A lie within the clusters of the first clustering and B within those of the second. The index
    is the share of edges on which the two agree, ``1 - (|A| + |B|) / m + 2 |A & B| / m``; its expected value
    has ``|A| |B| / m`` for ``|A & B|``, as if edges were permuted, and adjusted it is the AGRI as published.
    Permutations of the second clustering's vertices change ``|B|`` too, so that the mean AGRI is not 0: two
    triangles joined by an edge, compared with themselves, have 19 / 432. The variance is exact.

    References
    ----------
    .. [1] Poulin & Theberge (2018), arXiv:1806.11494.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> score = adjust([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], graph_rand([(0, 1), (1, 2), (2, 3), (3, 4)]))
    >>> score.observed, score.expected, score.adjusted
    (0.5, 0.625, -0.3333333333333333)
    """
    n, library = None, type(graph).__module__.partition(".")[0]
    if library == "networkx":
        number = {node: i for i, node in enumerate(graph.nodes)}
        n, graph = len(number), [(number[u], number[v]) for u, v in graph.edges()]
    elif library == "igraph":
        n, graph = graph.vcount(), graph.get_edgelist()
    elif hasattr(graph, "tocoo"):
        if graph.shape[0] != graph.shape[1]:
            raise ArgumentValueError("graph", f"must be square; got shape {tuple(graph.shape)}.")
        coo = graph.tocoo()
        n, graph = graph.shape[0], np.column_stack([coo.row, coo.col])[coo.data != 0]
    ends = np.asarray(graph).reshape(0, 2).astype(np.int64) if len(graph) == 0 else np.asarray(graph)
    if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "iu":
        raise ArgumentTypeError(
            "graph",
            "must be a sparse matrix, a graph of networkx or igraph, or an array of whole numbers of shape"
            f" (edges, 2); got shape {ends.shape} of dtype {ends.dtype}.",
        )
    if ends.min(initial=0) < 0:
        raise ArgumentValueError("graph", f"must number the objects from 0 on; got {ends.min()}.")
    ends = np.unique(np.sort(ends.astype(np.int64), axis=1)[ends[:, 0] != ends[:, 1]], axis=0)
    return _make_graph_index(Edges(n, *ends.T))


def _make_graph_index(edges: Edges, objects: Integers | None = None) -> Index:
    """The index on these edges, or on those between some of the vertices, numbered as they come."""
    if objects is not None:
        number = np.full(1 + max(edges.second.max(initial=0), objects.max(initial=0)), -1, dtype=np.int64)
        number[objects] = np.arange(objects.size)
        low, high = np.sort([number[edges.first], number[edges.second]], axis=0)
        edges = Edges(objects.size, low[low >= 0], high[low >= 0])
    return index_of_clusterings(
        name="graph_rand",
        source="Poulin & Theberge (2018), arXiv:1806.11494",
        takes=("labels",),
        function=partial(agree_on_edges, edges),
        part=partial(_make_graph_index, edges),
    )


def agree_on_edges(edges: Edges, P: Partition, Q: Partition) -> Agreement:
    """Index, its mean with the number of edges within clusters kept, and its variance."""
    _, first, second = edges
    n, m = require_objects("graph", edges.n, P), first.size
    if m and second.max() >= n:
        raise ArgumentValueError(
            "graph", f"must number its vertices below {n}, that of the objects; got {second.max()}."
        )
    in_p, in_q = (side.codes[first] == side.codes[second] for side in (P, Q))
    a, b, both = int(in_p.sum()), int(in_q.sum()), int((in_p & in_q).sum())
    weights = in_p - a / m if m else np.zeros(0)

    def sums(permutations: Integers) -> Floats:
        out = np.empty(len(permutations))
        sum_together(first, second, weights, Q.codes[permutations], out)
        return out

    if m == 0:
        return Agreement(observed=math.nan, sums=sums)
    of_edges = WeightSums(n)
    of_edges.add(first, second, weights)
    _, variance = compute_permutation_moments(of_edges.space(), make_partition_space(np.bincount(Q.codes)))
    expected = 1 - Fraction(a + b, m) + Fraction(2 * a * b, m**2)
    room = Fraction(a + b, 2) - Fraction(a * b, m)
    return Agreement(
        observed=1.0 - (a + b - 2 * both) / m,
        expected=float(expected),
        variance=4.0 * variance / m**2,
        adjusted=float((both - Fraction(a * b, m)) / room) if room else None,
        sums=sums,
        at_zero=float(expected),
        slope=2.0 / m,
        nanoseconds=6.0 * m + 3.0 * n,
    )


def spatial_rand(positions: Any, *, alpha: float = 0.8, permuted: str = "candidate") -> Index:
    """Spatially aware Rand index (spRI), whose adjusted form is the spARI.

    Parameters
    ----------
    positions : array-like of shape (objects, dimensions)
        Where the objects lie. Each coordinate is scaled to [0, 1] first.
    alpha : float
        From 0, by which pairs on which the clusterings disagree count nothing, to 1.
    permuted : {"candidate", "both"}
        Whose objects are permuted: the candidate's, or, as published, those of both, each on its own.

    Returns
    -------
    Index
        Index of two partitions of the objects.

    Raises
    ------
    TypeError, ValueError
        If an argument is anything else; when it is computed, if the clusterings have other objects.

    See Also
    --------
    graph_rand : The same for the vertices of a graph.

    Notes
    -----
    Mean over pairs of 1 if the clusterings agree, ``alpha exp(-d**2)`` at distance d if only the second has
    the pair together, and ``alpha (1 - exp(-d**2))`` if only the first has. Mean and variance over
    permutations are exact. The R package spARI draws 100 permutations of both, and counts 0 in place of
    ``alpha`` for pairs at distance 0.

    References
    ----------
    .. [1] Yan, Feng & Luo (2025), Biometrics 81(3), doi:10.1093/biomtc/ujaf127.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> score = adjust([0, 0, 1, 1], [0, 0, 0, 1], spatial_rand([[0], [1], [2], [10]]))
    >>> round(score.observed, 4), round(score.expected, 4)
    (0.8231, 0.7164)
    """
    if not 0.0 <= as_number("alpha", alpha) <= 1.0:
        raise ArgumentValueError("alpha", f"must be from 0 to 1; got {alpha}.")
    check_choice("permuted", permuted, ["candidate", "both"])
    x = np.asarray(positions)
    if x.ndim != 2 or x.dtype.kind not in "biuf":
        raise ArgumentTypeError(
            "positions",
            f"must be numbers of shape (objects, dimensions); got shape {x.shape} of dtype {x.dtype}.",
        )
    x = x.astype(np.float64)
    if not np.isfinite(x).all():
        raise ArgumentValueError("positions", "must be finite numbers; got nan or infinity.")
    if len(x):
        width = np.ptp(x, axis=0)
        x = (x - x.min(axis=0)) / np.where(width > 0.0, width, 1.0)
    return _make_spatial_index(Space(x, alpha, permuted == "both"))


class Space(NamedTuple):
    """Where objects lie, and the largest weight of a pair on which clusterings disagree."""

    places: Floats  # shape (objects, dimensions)
    alpha: float
    both: bool  # whether the objects of both sides are permuted

    def weigh_pairs(self) -> Iterator[tuple[Integers, Integers, Floats, Floats]]:
        """Some pairs at a time, with what each counts if only the second or only the first joins it."""
        n = len(self.places)
        rows = max(1, PAIRS_AT_ONCE // max(n, 1))
        for start in range(0, n, rows):
            others = np.arange(start, n)
            first, second = (item + start for item in np.nonzero(others[:rows, None] < others))
            d = np.sqrt(sum((x[first] - x[second]) ** 2 for x in self.places.T))
            yield first, second, self.alpha * np.exp(-d * d), self.alpha * -np.expm1(-d * d)


def _make_spatial_index(space: Space, objects: Integers | None = None) -> Index:
    """The index of objects that lie there, or of some of them, on the scale of all."""
    if objects is not None:
        space = space._replace(places=space.places[objects])
    return index_of_clusterings(
        name="spatial_rand",
        source="Yan, Feng & Luo (2025), doi:10.1093/biomtc/ujaf127",
        takes=("labels",),
        function=partial(agree_in_space, space),
        part=partial(_make_spatial_index, space),
        cost=partial(forecast_space, space),
    )


def forecast_space(space: Space, P: Partition, Q: Partition) -> tuple[float, float]:
    """Nanoseconds and bytes of the value and the mean: of all pairs, some ten numbers each at a time."""
    pairs = math.comb(len(space.places), 2)
    return 80.0 * pairs, 80.0 * min(pairs, PAIRS_AT_ONCE)


def agree_in_space(space: Space, P: Partition, Q: Partition) -> Agreement:
    """Index with its exact mean and variance."""
    n = require_objects("positions", len(space.places), P)
    pairs, sums = math.comb(n, 2), partial(_sum_weights, space, P, Q)
    if not pairs:
        return Agreement(observed=math.nan, sums=sums)
    sizes = np.bincount(P.codes), np.bincount(Q.codes)
    p, q = map(compute_share_together, sizes)
    if space.both:  # weights of u, of v and of u v
        of_p, of_q, of_both = (WeightSums(n, item) for item in (2.0 * q - 1.0, 2.0 * p - 1.0, 2.0))
        for first, second, f, h in space.weigh_pairs():
            C = 2.0 - f - h
            of_p.add(first, second, h - 1.0 + q * C)
            of_q.add(first, second, f - 1.0 + p * C)
            of_both.add(first, second, C)
        mean, variance = compute_both_permuted_moments(of_p.space(), of_q.space(), of_both.space(), sizes)
        mean += pairs
    else:
        of_v, apart = WeightSums(n, -1.0, 2.0, P.codes), []
        for first, second, f, h in space.weigh_pairs():
            u = P.codes[first] == P.codes[second]
            of_v.add(first, second, np.where(u, 1.0 - h, f - 1.0))
            apart.append(float(np.sum(h[u])))
        mean, variance = compute_permutation_moments(of_v.space(), make_partition_space(sizes[1]))
        mean += pairs * (1.0 - p) + math.fsum(apart)
    at_zero = 1.0 - p - q
    return Agreement(
        observed=at_zero + float(sums(np.arange(n)[None])[0]) / pairs,
        expected=mean / pairs,
        variance=variance / pairs**2,
        sums=sums,
        at_zero=at_zero,
        slope=1.0 / pairs,
        nanoseconds=6.0 * pairs + 60.0 * n,
        both=space.both,
    )


def _sum_weights(space: Space, P: Partition, Q: Partition, permutations: Integers) -> Floats:
    """Twice the pairs together in both clusterings and the weights of disagreements, by permutation."""
    of_p = P.codes[permutations[:, 0]] if permutations.ndim == 3 else P.codes[None]
    of_q = Q.codes[permutations[:, 1] if permutations.ndim == 3 else permutations]
    out = np.empty(len(of_q))
    for t, cells in enumerate(of_p * (int(Q.codes.max(initial=0)) + 1) + of_q):
        counts = np.unique(cells, return_counts=True)[1]
        out[t] = float(np.sum(counts * (counts - 1)))
    for first, second, f, h in space.weigh_pairs():
        add_disagreements(first, second, f, h, of_p, of_q, out)
    return out


def require_objects(name: str, n: int | None, P: Partition) -> int:
    """Number of objects of the clusterings, which the places must have."""
    if n is not None and P.n != n:
        raise ArgumentValueError(name, f"must have as many objects as the clusterings; got {n} and {P.n}.")
    return P.n
