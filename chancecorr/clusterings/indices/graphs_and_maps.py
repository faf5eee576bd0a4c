"""Indices for labels of objects with positions: vertices of a graph, or points on a map.

The graph-aware Rand index counts the edges on which two clusterings agree. The spatially aware Rand index
weights pairs on which they disagree by the distance of the objects. Chance permutes the objects and keeps the
graph or the positions. Vertices and points with names are matched by name with labels that have names, and
otherwise by position.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from chancecorr.clusterings.clustering import (
    Agreement,
    Partition,
    Placed,
    index_of_clusterings,
    leave_undefined,
    list_spans,
    select_pairs,
)
from chancecorr.clusterings.sums_over_pairs import forecast_tiles, pair_tiles, sum_products
from chancecorr.exact.pair_space import compute_permutation_moments, find_listed_space, make_partition_space
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentTypeError, ArgumentValueError, as_number, explain_call
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.tables.crosstab import narrow_codes
from chancecorr.tables.names import (
    Named,
    ObjectNames,
    explain_unlike_names,
    is_counting,
    match_entries,
    read_entries,
)

NEAREST = 4  # neighbours of an object on a map
NANOSECONDS_OF_A_WEIGHT = 30.0  # per pair, which is computed twice


class Edges(NamedTuple):
    """Edges ``first < second`` of a graph, each once; n is None for a plain list of edges."""

    n: int | None
    first: Integers
    second: Integers
    names: Named | None = None  # of the vertices; None if they have only numbers
    has_numbers: bool = True  # True if vertices may also be called by their numbers

    @property
    def is_listed(self) -> bool:
        """True for a plain list of edges, which does not have vertices without an edge."""
        return self.n is None


@explain_call
def graph_rand(graph: Any) -> Index:
    """Make the graph-aware Rand index of a graph; its adjusted score is the AGRI.

    Parameters
    ----------
    graph : scipy.sparse array, networkx or igraph graph, or array-like of shape (edges, 2)
        Undirected graph whose vertices are the objects. Loops, directions, weights and repeated edges are
        ignored. Nodes of networkx, vertices of igraph with a ``name``, and vertices in a list of edges are
        matched by name with labels that name their objects: mappings, sets, and Series with an index other
        than 0 to n - 1. Other labels are in the order of the graph; a list of edges numbers them from 0.

    Returns
    -------
    Index
        Index of two partitions of the vertices.

    Raises
    ------
    TypeError, ValueError
        If `graph` is of another type. When the index is computed: if the clusterings have other objects, or
        if they name objects and the graph does not.

    See Also
    --------
    spatial_rand : The same for objects on a map.

    Notes
    -----
    Let A of the m edges be within clusters of the first clustering, and B within clusters of the second. The
    index is the share of edges on which the clusterings agree, ``1 - (|A| + |B|) / m + 2 |A & B| / m``. Its
    expected value has ``|A| |B| / m`` in place of ``|A & B|``, as if edges were permuted; the adjusted score
    is then the published AGRI. Permutations of the second clustering's vertices also change ``|B|``, so the
    mean AGRI is not 0: for two triangles joined by an edge, compared with themselves, it is 19 / 432. The
    variance is exact.

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
    return _make_graph_index(read_edges("graph", graph))


def read_edges(name: str, graph: Any) -> Edges:
    """Read the edges of a graph, each once; the number of vertices is None for a list of edges."""
    n, library = None, type(graph).__module__.partition(".")[0]
    names, has_numbers = None, library != "networkx"
    if library == "networkx":
        names = tuple(graph.nodes)
        number = {node: i for i, node in enumerate(names)}
        n, graph = len(number), [(number[u], number[v]) for u, v in graph.edges()]
    elif library == "igraph":
        vertices = getattr(graph, "vs", None)
        if vertices is not None and "name" in vertices.attributes():
            names = tuple(vertices["name"])
        n, graph = graph.vcount(), graph.get_edgelist()
    elif hasattr(graph, "tocoo"):
        if graph.shape[0] != graph.shape[1]:
            raise ArgumentValueError(name, f"must be square; got shape {tuple(graph.shape)}.")
        coo = graph.tocoo()
        n, graph = graph.shape[0], np.column_stack([coo.row, coo.col])[coo.data != 0]
    ends = np.asarray(graph).reshape(0, 2).astype(np.int64) if len(graph) == 0 else np.asarray(graph)
    if n is None and ends.ndim == 2 and ends.shape[1] == 2 and ends.dtype.kind in "OUT":
        listed = ends.ravel().tolist()
        number = {node: k for k, node in enumerate(dict.fromkeys(listed))}
        if not all(isinstance(node, int | np.integer) for node in number):
            names, has_numbers = tuple(number), False
            listed = [number[node] for node in listed]
        ends = np.array(listed).reshape(ends.shape)
    if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "iu":
        raise ArgumentTypeError(
            name,
            "must be a sparse matrix, a graph of networkx or igraph, or an array of whole numbers or names of"
            f" shape (edges, 2); got shape {ends.shape} of dtype {ends.dtype}.",
        )
    if ends.min(initial=0) < 0:
        raise ArgumentValueError(name, f"must number the objects from 0 on; got {ends.min()}.")
    ends = np.unique(np.sort(ends.astype(np.int64), axis=1)[ends[:, 0] != ends[:, 1]], axis=0)
    first, second = ends.T
    return Edges(n, first, second, names, has_numbers)


def place_edges(name: str, edges: Edges, objects: ObjectNames, kept: Booleans | None = None) -> Edges:
    """Return the edges between kept objects of the clusterings, in the order of the objects."""
    if edges.is_listed and not (edges.first.size == 0 or _have_positions(name, edges, objects)):
        edges = _match_listed(name, edges, objects)
        return edges if kept is None else select_vertices(edges, np.flatnonzero(kept))
    own = edges.names
    are_numbers = bool(own) and edges.has_numbers and is_counting(objects.names)
    if own and are_numbers and {*own} != {*objects.names}:
        own = None  # vertices of igraph are also called by their numbers
    if own is None and not objects.has_order:
        raise ArgumentValueError(
            name,
            f"must name its vertices as `{objects.reference}` names the objects, such as"
            f" {objects.names[0]!r}; got numbers. Pass a graph of networkx, or of igraph with `name`, or"
            " labels as lists in its order.",
        )
    places = match_entries(name, own, objects, "numbers", has_order=not are_numbers)
    if places is None and kept is None:
        return edges
    require_vertices(name, edges, len(objects))
    places = np.arange(len(objects)) if places is None else places
    return select_vertices(edges, places if kept is None else places[kept])


def _have_positions(name: str, edges: Edges, objects: ObjectNames) -> bool:
    """Return True if a list of edges has positions of the objects, not names; raise if ambiguous."""
    names = objects.names
    if edges.names is not None:
        if not is_counting(names):
            return False
        rule = "must number the objects from 0 on beside labels that do not name them"
        raise ArgumentTypeError(name, f"{rule}; got {edges.names[0]!r}. Pass labels as {{object: label}}.")
    if is_counting(names):
        return True
    low, high = int(edges.first.min()), int(edges.second.max())
    are_names = set(names).issuperset(np.unique([edges.first, edges.second]).tolist())
    if are_names and high < len(objects) and objects.has_order:
        raise ArgumentValueError(
            name,
            f"must number the objects from 0 on, or name them as `{objects.reference}` does; got numbers from"
            f" {low} to {high}, which may be both. Pass a graph of networkx, or labels as arrays in the order"
            " of the numbers.",
            objects.reference,
        )
    return not are_names


def _match_listed(name: str, edges: Edges, objects: ObjectNames) -> Edges:
    """Number the edges of a list by the objects that they name."""
    ends = np.stack([edges.first, edges.second])
    numbers = np.unique(ends)
    own = numbers.tolist() if edges.names is None else [edges.names[k] for k in numbers.tolist()]
    place = {node: k for k, node in enumerate(objects.names)}
    other = next((node for node in own if node not in place), None)
    if other is not None:
        got = f"got {other!r}, and there {objects.names[0]!r}"
        others = [objects.reference] if objects.reference else []
        rule = f"must name the objects of `{objects.reference}`" if others else "must name the objects"
        remedy = explain_unlike_names(own, objects.names) or "Pass edges between these alone"
        raise ArgumentValueError(name, f"{rule}; {got}. {remedy}.", *others)
    places = np.array([place[node] for node in own], dtype=np.int64)
    low, high = np.sort(places[np.searchsorted(numbers, ends)], axis=0)
    return Edges(len(objects), low, high)


def select_vertices(edges: Edges, objects: Integers) -> Edges:
    """Return the edges between some of the vertices, numbered in their order."""
    number = np.full(1 + max(edges.second.max(initial=0), objects.max(initial=0)), -1, dtype=np.int64)
    number[objects] = np.arange(objects.size)
    low, high = np.sort([number[edges.first], number[edges.second]], axis=0)
    return Edges(objects.size, low[low >= 0], high[low >= 0])


def _make_graph_index(edges: Edges, objects: Integers | None = None) -> Index:
    """Make the index for these edges, or for the edges between some of the vertices."""
    if objects is not None:
        edges = select_vertices(edges, objects)
    return index_of_clusterings(
        name="graph_rand",
        source="Poulin & Theberge (2018), arXiv:1806.11494",
        takes=("labels",),
        function=partial(agree_on_edges, edges),
        neighbours=partial(np.column_stack, [edges.first, edges.second]),
        part=partial(_make_graph_index, edges),
        place=partial(_place_graph_index, edges),
    )


def _place_graph_index(edges: Edges, objects: ObjectNames, kept: Booleans | None) -> Index:
    """Make the index for these objects."""
    return _make_graph_index(place_edges("graph", edges, objects, kept))


def agree_on_edges(edges: Edges, P: Partition, Q: Partition) -> Agreement:
    """Compute the index, its expected value for fixed numbers of edges in clusters, and its variance."""
    first, second = edges.first, edges.second
    require_vertices("graph", edges, P.n)
    n, m = P.n, first.size
    if m == 0:
        return leave_undefined()
    in_p, in_q = (side.codes[first] == side.codes[second] for side in (P, Q))
    a, b, both = int(in_p.sum()), int(in_q.sum()), int((in_p & in_q).sum())

    labels = narrow_codes(Q.codes)  # few bytes to move

    def sums(permutations: Integers) -> Floats:
        codes = labels[permutations]
        together = np.take(codes, first, axis=1) == np.take(codes, second, axis=1)
        in_both = np.count_nonzero(together & in_p, axis=1)
        return np.asarray(in_both - a / m * np.count_nonzero(together, axis=1))

    of_edges = find_listed_space(n, first, second, in_p - a / m)
    _, variance = compute_permutation_moments(of_edges, make_partition_space(np.bincount(Q.codes)))
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


@explain_call
def spatial_rand(positions: Any, *, alpha: float = 0.8) -> Index:
    """Make the spatially aware Rand index (spRI) of positions; its adjusted score is the spARI.

    Parameters
    ----------
    positions : array-like of shape (objects, dimensions), frame, or {object: coordinates}
        Coordinates of the objects, matched by name if they have names. Each coordinate is scaled to [0, 1].
    alpha : float
        Between 0 and 1; with 0, pairs on which the clusterings disagree do not count.

    Returns
    -------
    Index
        Index of two partitions of the objects.

    Raises
    ------
    TypeError, ValueError
        If an argument has another form. When the index is computed: if the clusterings have other objects.

    See Also
    --------
    graph_rand : The same for the vertices of a graph.

    Notes
    -----
    The index is a mean over pairs. A pair at distance d counts 1 if the clusterings agree,
    ``alpha exp(-d**2)`` if only the second clustering has it together, and ``alpha (1 - exp(-d**2))`` if only
    the first has (Yan, Feng & Luo 2025, Biometrics 81(3), doi:10.1093/biomtc/ujaf127). Mean and variance over
    permutations of the second clustering are exact. The R package spARI draws 100 permutations of both
    clusterings, and counts 0 instead of ``alpha`` at distance 0.

    Examples
    --------
    >>> from chancecorr import adjust
    >>> score = adjust([0, 0, 1, 1], [0, 0, 0, 1], spatial_rand([[0], [1], [2], [10]]))
    >>> round(score.observed, 4), round(score.expected, 4)
    (0.8231, 0.7164)
    """
    if not 0.0 <= as_number("alpha", alpha) <= 1.0:
        raise ArgumentValueError("alpha", f"must be from 0 to 1; got {alpha}.")
    entries, own = read_entries("positions", positions)
    x = np.asarray(entries)
    if x.ndim != 2 or x.dtype.kind not in "biuf":
        got = f"shape {x.shape} of dtype {x.dtype}"
        raise ArgumentTypeError("positions", f"must be numbers of shape (objects, dimensions); got {got}.")
    x = x.astype(np.float64)
    if not np.isfinite(x).all():
        raise ArgumentValueError("positions", "must be finite numbers; got nan or infinity.")
    low, high = x.min(axis=0, initial=math.inf), x.max(axis=0, initial=-math.inf)
    x = (x - low) / np.where(high > low, high - low, 1.0)
    return _make_spatial_index(x, alpha, own)


def _place_spatial_index(
    places: Floats, alpha: float, own: Any, objects: ObjectNames, kept: Booleans | None
) -> Index:
    """Make the index for the kept objects, in their order."""
    order = match_entries("positions", own, objects, "an array")
    require_objects("positions", len(places), len(objects))
    places = places if order is None else places[order]
    return _make_spatial_index(places if kept is None else places[kept], alpha)


def _make_spatial_index(
    places: Floats, alpha: float, own: Any = None, objects: Integers | None = None
) -> Index:
    """Make the index for objects at these positions, or for some of them with the same scale."""
    places = places if objects is None else places[objects]
    return index_of_clusterings(
        name="spatial_rand",
        source="Yan, Feng & Luo (2025), doi:10.1093/biomtc/ujaf127",
        takes=("labels",),
        function=partial(agree_in_space, places, alpha),
        part=partial(_make_spatial_index, places, alpha, None),
        place=partial(_place_spatial_index, places, alpha, own),
        cost=partial(forecast_tiles, nanoseconds=NANOSECONDS_OF_A_WEIGHT),
        neighbours=partial(find_nearest, places),
    )


def find_nearest(places: Floats) -> Integers:
    """List the pairs of each object and its (up to four) nearest neighbours, each pair once."""
    from scipy.spatial import KDTree

    n = len(places)
    nearest = KDTree(places).query(places, k=range(2, min(n, NEAREST + 1) + 1))[1]
    pairs = np.column_stack([np.repeat(np.arange(n), nearest.shape[1]), nearest.ravel()])
    return np.unique(np.sort(pairs, axis=1), axis=0)


class Gains(NamedTuple):
    """Matrix over pairs: the change of the index if the second clustering has the pair together."""

    n: int
    places: Floats
    codes: Integers  # of the first clustering
    alpha: float

    def tiles(self) -> Iterator[Placed]:
        """Yield tiles: 1 minus weight if the first clustering has the pair together, else weight minus 1."""
        from scipy.spatial.distance import cdist

        for rows, columns in list_spans(self.n):
            squares = cdist(self.places[rows], self.places[columns], "sqeuclidean")
            together = self.codes[rows, np.newaxis] == self.codes[columns]
            gain = np.where(together, 1.0, self.alpha - 1.0) + self.alpha * np.expm1(-squares)
            yield rows, columns, gain


def agree_in_space(places: Floats, alpha: float, P: Partition, Q: Partition) -> Agreement:
    """Compute the agreement with its exact mean and variance, as a sum of products."""
    n = require_objects("positions", len(places), P.n)
    if n < 2:
        return leave_undefined()
    gains: Any = Gains(n, places, P.codes, alpha)  # has all methods that products need
    of_pairs, pairs = sum_products(gains, Q), math.comb(n, 2)
    apart = math.fsum(  # the sum if the second clustering had no pair together
        float(np.sum(1.0 - select_pairs(rows, columns, together * gain)))
        for rows, columns, together, gain in pair_tiles(P, gains)
    )
    expected = (apart + of_pairs.mean) / pairs
    return Agreement(
        observed=expected + of_pairs.above / pairs,
        expected=expected,
        variance=of_pairs.variance / pairs**2,
        sums=of_pairs.sums,
        at_zero=expected,
        slope=1.0 / pairs,
        nanoseconds=of_pairs.nanoseconds,
    )


def require_vertices(name: str, edges: Edges, n: int) -> None:
    """Raise if the number of vertices of a graph is not n."""
    if edges.n is not None:
        require_objects(name, edges.n, n)
    if edges.second.max(initial=-1) >= n:
        rule = f"must number its vertices below {n}, the number of objects"
        raise ArgumentValueError(name, f"{rule}; got {edges.second.max()}.")


def require_objects(name: str, n: int, n_objects: int) -> int:
    """Return the number of objects of the clusterings; raise if the number of positions differs."""
    if n != n_objects:
        got = f"{n} and {n_objects}"
        raise ArgumentValueError(name, f"must have as many objects as the clusterings; got {got}.")
    return n
