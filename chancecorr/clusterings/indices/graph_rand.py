"""Graph-aware Rand index: whether two clusterings of the vertices have the same edges within clusters."""

import functools
import math
from fractions import Fraction
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.clusterings.edges import Pairs, graph_edges, require_objects
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.kernels.pairs import sum_together
from chancecorr.clusterings.partition import Partition
from chancecorr.exact.pair_space import WeightSums, partition_space, permutation_moments
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers


def graph_rand(graph: Any) -> Index:
    """Graph-aware Rand index, whose adjusted form is the AGRI.

    Parameters
    ----------
    graph : scipy.sparse array, networkx or igraph graph, or array-like of shape (edges, 2)
        Undirected graph whose vertices are the objects, in its own order. Loops are dropped, directions and
        weights are not used, and an edge counts once.

    Returns
    -------
    Index
        Index of two partitions of the vertices.

    Raises
    ------
    TypeError, ValueError
        If `graph` is nothing of these; from ``agreement``, if it has other objects than the clusterings.

    Notes
    -----
    Of m edges, A lie within the clusters of the first clustering and B within those of the second. The index
    is the share of edges on which the two agree, ``1 - (|A| + |B|) / m + 2 |A & B| / m``. It depends on two
    things: how many edges lie within clusters, and whether they are the same ones. The second is corrected
    for chance, with ``|B|`` as it is: the index is then an affine function of ::

        N = sum over edges (1 if in A - |A| / m) (1 if in B)

    whose mean is exactly 0 when the vertices of the second clustering are permuted, because every edge is as
    likely to lie within a cluster. Hence the expected value ``1 - (|A| + |B|) / m + 2 |A| |B| / m**2``, and
    the adjusted index is the AGRI as published, ::

        (|A & B| - |A| |B| / m) / ((|A| + |B|) / 2 - |A| |B| / m)

    The variance of N is exact (Mantel), in O(edges + objects). The AGRI of permuted clusterings has a
    denominator that varies with their ``|B|``, so that its own mean is near 0 but not 0: two triangles
    joined by an edge, compared with themselves, have a mean of 19 / 432 over all permutations.

    Source: Poulin & Theberge (2018), arXiv:1806.11494, whose correction permutes the edges. Null model:
    random permutations of the vertices of the second clustering.

    Examples
    --------
    >>> import numpy as np
    >>> from chancecorr.clusterings.partition import Partition
    >>> path = graph_rand([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> found = path.function(Partition(np.array([0, 0, 0, 1, 1])), Partition(np.array([0, 0, 1, 1, 1])))
    >>> found.observed, found.expected, found.adjusted
    (0.5, 0.625, -0.3333333333333333)
    """
    return _index(graph_edges("graph", graph))


def _index(edges: Pairs) -> Index:
    """The index on these edges."""
    return index_of_clusterings(
        name="graph_rand",
        source="Poulin & Theberge (2018), arXiv:1806.11494",
        takes=("labels",),
        function=functools.partial(_agreement, edges),
        part=functools.partial(_part, edges),
    )


def _part(edges: Pairs, objects: Integers) -> Index:
    """The index on the edges between some of the vertices."""
    return _index(edges.part(objects))


def _agreement(edges: Pairs, P: Partition, Q: Partition) -> Agreement:
    """Index, its mean with the number of edges within clusters kept, and its variance."""
    n, m = require_objects("graph", edges.n, P, Q), edges.first.size
    if m and edges.second.max() >= n:
        raise ArgumentValueError(
            "graph", f"must number its vertices below {n}, that of the objects; got {edges.second.max()}."
        )
    in_p, in_q = (side.codes[edges.first] == side.codes[edges.second] for side in (P, Q))
    a, b, both = int(in_p.sum()), int(in_q.sum()), int((in_p & in_q).sum())
    weights = in_p - a / m if m else np.zeros(0)

    def sums(permutations: Integers) -> Floats:
        out = np.empty(len(permutations))
        sum_together(edges.first, edges.second, weights, Q.codes[permutations], out)
        return out

    if m == 0:
        return Agreement(observed=math.nan, sums=sums)
    of_edges = WeightSums(n)
    of_edges.add(edges.first, edges.second, weights)
    _, variance = permutation_moments(of_edges.space(), partition_space(np.bincount(Q.codes)))
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
