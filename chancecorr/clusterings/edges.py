"""Graphs and sparse matrices as lists of pairs of objects."""

from typing import Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.clusterings.partition import Partition
from chancecorr.machine.arrays import Floats, Integers


class Pairs(NamedTuple):
    """Pairs ``first < second``, each once, with a value; n is None if the pairs do not show it."""

    n: int | None
    first: Integers
    second: Integers
    values: Floats

    def part(self, objects: Integers) -> "Pairs":
        """Pairs of these objects, numbered as they come."""
        most = max(int(self.second.max(initial=-1)), int(objects.max(initial=-1))) + 1
        number = np.full(most, -1, dtype=np.int64)
        number[objects] = np.arange(objects.size)
        first, second = number[self.first], number[self.second]
        both = (first >= 0) & (second >= 0)
        low, high = np.minimum(first, second)[both], np.maximum(first, second)[both]
        return Pairs(objects.size, low, high, self.values[both])


def graph_edges(name: str, graph: Any) -> Pairs:
    """Edges of an undirected graph without its loops, multiple edges once; its vertices are the objects."""
    library = type(graph).__module__.partition(".")[0]
    if library == "networkx":
        number = {node: i for i, node in enumerate(graph.nodes)}
        return _once(name, len(number), [(number[u], number[v]) for u, v in graph.edges()], None)
    if library == "igraph":
        return _once(name, graph.vcount(), graph.get_edgelist(), None)
    if hasattr(graph, "tocoo"):
        found = sparse_pairs(name, graph, is_symmetric=False)
        is_edge = found.values != 0.0
        return Pairs(found.n, *(each[is_edge] for each in found[1:]))
    return _once(name, None, graph, None)


def sparse_pairs(name: str, matrix: Any, *, is_symmetric: bool = True) -> Pairs:
    """Stored entries of a sparse matrix off the diagonal, one of the two triangles or both."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ArgumentValueError(name, f"must be square; got shape {tuple(matrix.shape)}.")
    coo = matrix.tocoo()
    ends = np.column_stack([coo.row, coo.col])
    values = np.asarray(coo.data, dtype=np.float64)
    return _once(name, matrix.shape[0], ends, values, is_symmetric=is_symmetric)


def require_objects(name: str, n: int | None, *sides: Partition) -> int:
    """Number of objects, which all sides must have."""
    for side in sides:
        if n is not None and side.n != n:
            raise ArgumentValueError(
                name, f"must have as many objects as the clusterings; got {n} and {side.n}."
            )
        n = side.n
    return n or 0


def distance_matrix(name: str, values: Any) -> Floats:
    """Square matrix of distances as a new array, symmetric or not."""
    given = np.asarray(values)
    if given.ndim != 2 or given.shape[0] != given.shape[1] or given.dtype.kind not in "biuf":
        raise ArgumentTypeError(
            name, f"must be a square matrix of numbers; got shape {given.shape} of dtype {given.dtype}."
        )
    matrix: Floats = given.astype(np.float64)
    require_distances(name, matrix)
    return matrix


def require_distances(name: str, values: Floats) -> None:
    """Raise unless all numbers are distances."""
    bad = ~((values >= 0.0) & (values < np.inf))
    if bad.any():
        raise ArgumentValueError(name, f"must be numbers from 0 on; got {values[bad][0]}.")


def _once(name: str, n: int | None, ends: Any, values: Floats | None, *, is_symmetric: bool = False) -> Pairs:
    """Pairs in one order, each once and none of an object with itself."""
    pairs = np.asarray(ends).reshape(0, 2).astype(np.int64) if len(ends) == 0 else np.asarray(ends)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ArgumentTypeError(
            name,
            "must be a sparse matrix, a graph of networkx or igraph, or an array of whole numbers of shape"
            f" (edges, 2); got shape {pairs.shape} of dtype {pairs.dtype}.",
        )
    if pairs.min(initial=0) < 0:
        raise ArgumentValueError(name, f"must number the objects from 0 on; got {pairs.min()}.")
    low, high = pairs.min(axis=1).astype(np.int64), pairs.max(axis=1).astype(np.int64)
    proper = low < high
    low, high = low[proper], high[proper]
    values = np.ones(low.size) if values is None else values[proper]
    size = int(high.max(initial=0)) + 1
    keys, at, where = np.unique(low * size + high, return_index=True, return_inverse=True)
    if is_symmetric and (values[at][where] != values).any():
        e = int(np.argmax(values[at][where] != values))
        raise ArgumentValueError(
            name,
            f"must be symmetric; got {values[at][where][e]} and {values[e]} for the pair"
            f" {(int(low[e]), int(high[e]))}.",
        )
    return Pairs(n, keys // size, keys % size, values[at])
