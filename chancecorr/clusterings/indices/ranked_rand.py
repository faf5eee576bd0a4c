"""Ranked Rand index: pairs of objects are in one cluster, in near clusters or in far ones."""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.clusterings.edges import distance_matrix, require_objects
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.kernels.pairs import sum_differences
from chancecorr.clusterings.partition import Partition
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers

MOST_NUMBERS = 1 << 24
"""Numbers of a side, ranks times pairs of clusters, up to which the variance is found: 128 MB."""


def ranked_rand(distances_true: Any = None, distances_pred: Any = None) -> Index:
    """Ranked Rand index, whose adjusted form is the ranked adjusted Rand index (RAR).

    Parameters
    ----------
    distances_true, distances_pred : array-like of shape (clusters, clusters), optional
        Distances between the clusters of each clustering, numbered as its labels in ascending order. They
        need not be symmetric, and the diagonal is not used. Left out, all clusters are as far apart.

    Returns
    -------
    Index
        Index of two partitions of the same objects.

    Raises
    ------
    TypeError, ValueError
        If the distances are not such numbers; from ``agreement``, if they are of other clusters.

    Notes
    -----
    Within each column, distances are replaced by their ranks: 0 for the cluster itself, and equal ranks for
    equal distances. Divided by the largest rank of the matrix, they are numbers x and y in [0, 1] for each
    ordered pair of objects. The index is 1 less the mean of ``|x - y|`` over these; without distances it is
    the Rand index. Its mean under permutations compares each x with each y, so that the adjusted index is
    ``(MDD_I - MDD) / MDD_I`` in the notation of the source, with the margins of the ranked mismatch matrix.

    The variance is exact too. ``|x - y|`` is the integral over z of 1 if z lies between them, so that the sum
    is one over levels z of products of 0/1 matrices; these need not be symmetric, and a matrix over ordered
    pairs has six parts that permutations keep: its mean, what objects add as the first and as the second of
    a pair, and the symmetric and the antisymmetric rest.

    The Python package rari divides ranks by their number in place of the largest one: its values differ
    if the clusterings have different numbers of ranks.

    Source: Pinto, Carrico, Ramirez & Almeida (2007), BMC Bioinformatics 8:44, doi:10.1186/1471-2105-8-44.
    Null model: random permutations of the objects of the second clustering; distances of clusters stay.

    Examples
    --------
    >>> import numpy as np
    >>> from chancecorr.clusterings.partition import Partition
    >>> P, Q = Partition(np.array([0, 0, 1, 1, 2, 2])), Partition(np.array([0, 0, 1, 2, 2, 2]))
    >>> line = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> near = ranked_rand(line, line).function(P, Q)
    >>> without = ranked_rand().function(P, Q)
    >>> round(near.observed, 4), round(without.observed, 4)
    (0.8333, 0.8)
    """
    return index_of_clusterings(
        name="ranked_rand",
        source="Pinto et al. (2007), doi:10.1186/1471-2105-8-44",
        takes=("labels",),
        function=functools.partial(
            _agreement, _ranks("distances_true", distances_true), _ranks("distances_pred", distances_pred)
        ),
    )


def _ranks(name: str, distances: Any) -> Floats | None:
    """Ranks of distances within the columns, divided by the largest."""
    if distances is None:
        return None
    matrix = distance_matrix(name, distances)
    np.fill_diagonal(matrix, 0.0)
    ranks = np.column_stack([np.unique(x, return_inverse=True)[1] for x in matrix.T]).astype(np.float64)
    return ranks / max(float(ranks.max()), 1.0)


def _agreement(X: Floats | None, Y: Floats | None, P: Partition, Q: Partition) -> Agreement:
    """Index with its exact mean and, for few clusters, variance."""
    n = require_objects("labels_pred", None, P, Q)
    pairs = n * (n - 1)
    sizes = _sizes(P, X), _sizes(Q, Y)
    X, Y = _of_clusters("distances_true", X, sizes[0]), _of_clusters("distances_pred", Y, sizes[1])

    def sums(permutations: Integers) -> Floats:
        counts = np.zeros((sizes[0].size, sizes[1].size), dtype=np.int64)
        cells, out = np.empty((n, 3), dtype=np.int64), np.empty(len(permutations))
        sum_differences(P.codes, Q.codes[permutations], X, Y, counts, cells, out)
        return out

    if not pairs:
        return Agreement(observed=math.nan, sums=sums)
    levels = np.union1d(X, Y)
    widths, of_x, of_y = np.diff(levels), np.unique(X), np.unique(Y)
    at_x, at_y = (np.searchsorted(of_side, levels[:-1], side="right") - 1 for of_side in (of_x, of_y))
    x, y = _shares(X, of_x, sizes[0])[at_x], _shares(Y, of_y, sizes[1])[at_y]
    variance = math.nan
    if max(of_x.size * X.size, of_y.size * Y.size) <= MOST_NUMBERS:
        covariances = _covariances(n, (X, of_x, sizes[0]), (Y, of_y, sizes[1]), (at_x, at_y))
        variance = 4.0 * float(widths @ covariances @ widths) / pairs**2
    cells = min(sizes[0].size * sizes[1].size, n)
    return Agreement(
        observed=1.0 - float(sums(np.arange(n)[None])[0]) / pairs,
        expected=1.0 - math.fsum(widths * (x * (1.0 - y) + (1.0 - x) * y)),
        variance=variance,
        sums=sums,
        at_zero=1.0,
        slope=-1.0 / pairs,
        nanoseconds=1.0 * cells**2 + 4.0 * n,
    )


def _sizes(side: Partition, ranks: Floats | None) -> Integers:
    """Sizes of the clusters, those without objects among them if there are distances."""
    return np.bincount(side.codes, minlength=0 if ranks is None else len(ranks))


def _of_clusters(name: str, ranks: Floats | None, sizes: Integers) -> Floats:
    """Ranks of as many clusters as there are; 0 and 1 without distances."""
    if ranks is None:
        return 1.0 - np.eye(sizes.size)
    if len(ranks) != sizes.size:
        raise ArgumentValueError(
            name, f"must be of shape (clusters, clusters) for {sizes.size} clusters; got shape {ranks.shape}."
        )
    return ranks


def _shares(X: Floats, levels: Floats, sizes: Integers) -> Floats:
    """Share of the ordered pairs of objects whose x is not above each level."""
    weights = np.outer(sizes, sizes) - np.diag(sizes)
    found = np.bincount(np.searchsorted(levels, X).ravel(), weights.ravel(), minlength=levels.size)
    shares: Floats = np.cumsum(found) / weights.sum()
    return shares


class _Parts(NamedTuple):
    """Inner products of the parts of 0/1 matrices over ordered pairs, one matrix for each level."""

    of_objects: (
        Floats  # shape (2, 2, levels, levels): of what objects add to both orders, and with opposite signs
    )
    symmetric: Floats  # shape (levels, levels)
    antisymmetric: Floats


def _parts(n: int, X: Floats, levels: Floats, sizes: Integers) -> _Parts:
    """Parts of the matrices ``x <= level``."""
    F = (levels[:, None, None] >= X).astype(np.float64)
    own = np.einsum("zkk->zk", F)
    rows, columns = F @ sizes - own, np.einsum("zkl,k->zl", F, sizes) - own
    both, opposite = (rows + columns) / 2.0, (rows - columns) / 2.0
    both = both - (both @ sizes / n)[:, None]
    scaled = [both / math.sqrt((n - 2) / 2.0) if n > 2 else 0.0 * both, opposite * math.sqrt(2.0 / n)]
    of_objects = np.array([[(a * sizes) @ b.T for b in scaled] for a in scaled])
    weights = (np.outer(sizes, sizes) - np.diag(sizes)).ravel()
    flat, mirrored = F.reshape(levels.size, -1), F.transpose(0, 2, 1).reshape(levels.size, -1)
    as_is, turned = (flat * weights) @ flat.T, (flat * weights) @ mirrored.T
    totals = rows @ sizes
    mean = np.outer(totals, totals) / (n * (n - 1))
    return _Parts(
        of_objects,
        (as_is + turned) / 2.0 - mean - of_objects[0, 0],
        (as_is - turned) / 2.0 - of_objects[1, 1],
    )


def _covariances(
    n: int,
    first: tuple[Floats, Floats, Integers],
    second: tuple[Floats, Floats, Integers],
    at: tuple[Integers, Integers],
) -> Floats:
    """Covariances, between levels, of sums of products of the 0/1 matrices of both sides."""
    x, y = _parts(n, *first), _parts(n, *second)
    of_x, of_y = np.ix_(at[0], at[0]), np.ix_(at[1], at[1])
    pairs = [(x.of_objects[i, j], y.of_objects[i, j], n - 1) for i in (0, 1) for j in (0, 1)]
    pairs.append((x.symmetric, y.symmetric, n * (n - 3) // 2))
    pairs.append((x.antisymmetric, y.antisymmetric, (n - 1) * (n - 2) // 2))
    out = np.zeros((at[0].size, at[0].size))
    for a, b, dimensions in pairs:
        if dimensions > 0:
            out += a[of_x] * b[of_y] / dimensions
    return out
