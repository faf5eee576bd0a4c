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

from chancecorr.clusterings.clustering import MAX_FLOAT32_ROUNDING, Agreement, Partition, index_of_clusterings
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


class Pairs(NamedTuple):
    """Pairs ``first < second`` of objects, each once, with distances; n is None of a plain list of edges."""

    n: int | None
    first: Integers
    second: Integers
    distances: Floats

    def take(self, objects: Integers) -> "Pairs":
        """Pairs of these objects, numbered as they come."""
        number = np.full(1 + max(self.second.max(initial=0), objects.max(initial=0)), -1, dtype=np.int64)
        number[objects] = np.arange(objects.size)
        low, high = np.sort([number[self.first], number[self.second]], axis=0)
        return Pairs(objects.size, low[low >= 0], high[low >= 0], self.distances[low >= 0])


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
        ends, weights = _list_entries("graph", graph)
        n, graph = graph.shape[0], ends[weights != 0.0]
    ends = np.asarray(graph).reshape(0, 2).astype(np.int64) if len(graph) == 0 else np.asarray(graph)
    if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "iu":
        raise ArgumentTypeError(
            "graph",
            "must be a sparse matrix, a graph of networkx or igraph, or an array of whole numbers of shape"
            f" (edges, 2); got shape {ends.shape} of dtype {ends.dtype}.",
        )
    if ends.min(initial=0) < 0:
        raise ArgumentValueError("graph", f"must number the objects from 0 on; got {ends.min()}.")
    return _make_graph_index(_list_once("graph", n, ends.astype(np.int64), np.ones(len(ends))))


def _make_graph_index(edges: Pairs, objects: Integers | None = None) -> Index:
    """The index on these edges, or on those between some of the vertices."""
    kept = edges if objects is None else edges.take(objects)
    return index_of_clusterings(
        name="graph_rand",
        source="Poulin & Theberge (2018), arXiv:1806.11494",
        takes=("labels",),
        function=partial(agree_on_edges, kept),
        part=partial(_make_graph_index, kept),
    )


def agree_on_edges(edges: Pairs, P: Partition, Q: Partition) -> Agreement:
    """Index, its mean with the number of edges within clusters kept, and its variance."""
    _, first, second, _ = edges
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


def spatial_rand(
    positions: Any = None, *, distances: Any = None, alpha: float = 0.8, permuted: str = "candidate"
) -> Index:
    """Spatially aware Rand index (spRI), whose adjusted form is the spARI.

    Parameters
    ----------
    positions : array-like of shape (objects, dimensions), optional
        Where the objects lie. Each coordinate is scaled to [0, 1] first.
    distances : array-like or scipy.sparse array of shape (objects, objects), optional
        Distances in place of positions. Pairs that a sparse one does not store count 0 if the clusterings
        disagree on them.
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
        If not exactly one of `positions` and `distances` is given, or they are not such numbers; when it is
        computed, if the clusterings have other objects.

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
    if (positions is None) == (distances is None):
        raise ArgumentTypeError("positions", "or `distances` must be given, and not both.", "distances")
    places = _scale(positions) if distances is None else _read_distances(distances)
    return _make_spatial_index(Space(places, alpha, permuted == "both"))


class Space(NamedTuple):
    """Where objects lie, and the largest weight of a pair on which clusterings disagree."""

    places: Pairs | Floats  # distances, or positions of shape (objects, dimensions)
    alpha: float
    both: bool  # whether the objects of both sides are permuted

    def count_pairs(self) -> int:
        """Number of pairs that have a distance."""
        return self.places.first.size if isinstance(self.places, Pairs) else math.comb(len(self.places), 2)

    def list_distances(self) -> Iterator[tuple[Integers, Integers, Floats]]:
        """Pairs and their distances, some at a time."""
        if isinstance(self.places, Pairs):
            _, first, second, distances = self.places
            for start in range(0, first.size, PAIRS_AT_ONCE):
                some = slice(start, start + PAIRS_AT_ONCE)
                yield first[some], second[some], distances[some]
            return
        n = len(self.places)
        rows = max(1, PAIRS_AT_ONCE // max(n, 1))
        for start in range(0, n, rows):
            others = np.arange(start, n)
            first, second = (item + start for item in np.nonzero(others[:rows, None] < others))
            yield first, second, np.sqrt(sum((x[first] - x[second]) ** 2 for x in self.places.T))

    def weigh_pairs(self) -> Iterator[tuple[Integers, Integers, Floats, Floats]]:
        """Some pairs at a time, with what each counts if only the second or only the first joins it."""
        for first, second, d in self.list_distances():
            yield first, second, self.alpha * np.exp(-d * d), self.alpha * -np.expm1(-d * d)


def _make_spatial_index(space: Space, objects: Integers | None = None) -> Index:
    """The index of objects that lie there, or of some of them, on the scale of all."""
    if objects is not None:
        places = space.places
        kept = places.take(objects) if isinstance(places, Pairs) else places[objects]
        space = space._replace(places=kept)
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
    size = space.count_pairs()
    return 80.0 * size, 80.0 * min(size, PAIRS_AT_ONCE)


def agree_in_space(space: Space, P: Partition, Q: Partition) -> Agreement:
    """Index with its exact mean and variance."""
    places = space.places
    name, lying = ("distances", places.n) if isinstance(places, Pairs) else ("positions", len(places))
    n = require_objects(name, lying, P)
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
        nanoseconds=6.0 * space.count_pairs() + 60.0 * n,
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


def _scale(positions: Any) -> Floats:
    """Coordinates between 0 and 1; 0 if all objects share one."""
    x = np.asarray(positions)
    if x.ndim != 2 or x.dtype.kind not in "biuf":
        raise ArgumentTypeError(
            "positions",
            f"must be numbers of shape (objects, dimensions); got shape {x.shape} of dtype {x.dtype}.",
        )
    x = x.astype(np.float64)
    if not np.isfinite(x).all():
        raise ArgumentValueError("positions", "must be finite numbers; got nan or infinity.")
    if len(x) == 0:
        return x
    width = np.ptp(x, axis=0)
    scaled: Floats = (x - x.min(axis=0)) / np.where(width > 0.0, width, 1.0)
    return scaled


def _read_distances(distances: Any) -> Pairs:
    """Distances of pairs: all that a sparse matrix stores, or all of an array."""
    if hasattr(distances, "tocoo"):
        pairs = _list_once("distances", distances.shape[0], *_list_entries("distances", distances))
    else:
        x = np.asarray(distances)
        if x.ndim != 2 or x.shape[0] != x.shape[1] or x.dtype.kind not in "biuf":
            raise ArgumentTypeError(
                "distances", f"must be a square matrix of numbers; got shape {x.shape} of dtype {x.dtype}."
            )
        first, second = np.triu_indices(len(x), 1)
        values, mirrored = x[first, second].astype(np.float64), x[second, first].astype(np.float64)
        _require_symmetry("distances", first, second, values, mirrored, MAX_FLOAT32_ROUNDING)
        pairs = Pairs(len(x), first, second, values)
    bad = ~((pairs.distances >= 0.0) & (pairs.distances < np.inf))
    if bad.any():
        raise ArgumentValueError("distances", f"must be numbers from 0 on; got {pairs.distances[bad][0]}.")
    return pairs


def _list_entries(name: str, matrix: Any) -> tuple[Integers, Floats]:
    """Rows and columns of the stored entries of a sparse matrix, and these."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ArgumentValueError(name, f"must be square; got shape {tuple(matrix.shape)}.")
    coo = matrix.tocoo()
    return np.column_stack([coo.row, coo.col]).astype(np.int64), np.asarray(coo.data, dtype=np.float64)


def _list_once(name: str, n: int | None, ends: Integers, values: Floats) -> Pairs:
    """Pairs in one order, each once with one value, and none of an object with itself."""
    low, high = np.sort(ends, axis=1)[ends[:, 0] != ends[:, 1]].T
    values, size = values[ends[:, 0] != ends[:, 1]], int(ends.max(initial=0)) + 1
    keys, at, where = np.unique(low * size + high, return_index=True, return_inverse=True)
    _require_symmetry(name, low, high, values[at][where], values, 0.0)
    return Pairs(n, keys // size, keys % size, values[at])


def _require_symmetry(
    name: str, low: Integers, high: Integers, values: Floats, others: Floats, most: float
) -> None:
    """Raise unless values of pairs are the same in both orders, up to a share of the largest."""
    apart = np.abs(values - others)
    if apart.size and apart.max() > most * values.max():
        e = int(apart.argmax())
        raise ArgumentValueError(
            name,
            f"must be symmetric; got {values[e]} and {others[e]} for the pair {(int(low[e]), int(high[e]))}.",
        )
