"""The fuzzy Rand index of Campello: pairs are together and apart to degrees by minimum and maximum."""

import math
from collections.abc import Iterator

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings
from chancecorr.clusterings.indices.by_values import no_agreement
from chancecorr.clusterings.kernels.fuzzy import add_pair_degrees, fill_pair_degrees
from chancecorr.clusterings.membership import as_memberships
from chancecorr.clusterings.products import count_clusters
from chancecorr.clusterings.tiles import spans, tiling
from chancecorr.machine.arrays import Floats, Integers

OBJECTS_OF_A_TILE = 128
"""Side of a tile, 256 KB of degrees, which stays in the cache while permutations pass."""


def agreement(P: Clustering, Q: Clustering) -> Agreement:
    """Agreement ``(a + d) / (a + b + c + d)``, of which values are known alone.

    Two objects are together to the degree ``max_k min(u_ik, u_jk)`` and apart to ``max_{k != l} min(u_ik,
    u_jl)``; a, b, c, d are sums of the minima of the degrees of both clusterings.
    """
    first, second = (_with_others(as_memberships(side).rows) for side in (P, Q))  # type: ignore[union-attr]
    n = len(first[0])
    if n < 2:
        return no_agreement()
    L = second[0].shape[1]

    def sums(permutations: Integers) -> Floats:
        out = np.zeros((len(permutations), 4))
        for rows, columns, tile in _tiles(*first):
            width = tile.shape[2]
            add_pair_degrees(
                *(tile, rows.start, columns.start, *second, permutations),
                *(np.empty((2, L, width)), np.empty((6, width)), out),
            )
        with np.errstate(invalid="ignore"):
            return np.asarray((out[:, 0] + out[:, 3]) / out.sum(axis=1))

    observed = float(sums(np.arange(n)[np.newaxis])[0])
    return Agreement(observed=observed, sums=sums, nanoseconds=math.comb(n, 2) * (2.0 + 0.7 * L))


def forecast(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Nanoseconds of the value, and bytes of the memberships and the largest of the others, on both sides."""
    width = count_clusters(P) + count_clusters(Q)
    return math.comb(P.n, 2) * (2.0 + 0.7 * width), 16.0 * P.n * width


def _with_others(rows: Floats) -> tuple[Floats, Floats]:
    """Memberships, and in place of each the largest of the object's other ones."""
    tops = np.sort(np.column_stack([rows, np.zeros(len(rows))]), axis=1)[:, :-3:-1]
    leads = np.arange(rows.shape[1]) == rows.argmax(axis=1)[:, np.newaxis]
    return np.ascontiguousarray(rows), np.where(leads, tops[:, 1:], tops[:, :1])


def _tiles(rows: Floats, others: Floats) -> Iterator[tuple[slice, slice, Floats]]:
    """Degrees of the pairs in tiles on and above the diagonal, (height, 2, width); 0 below it."""
    for above, beside in spans(tiling(len(rows), OBJECTS_OF_A_TILE)):
        tile = np.empty((above.stop - above.start, 2, beside.stop - beside.start))
        columns = np.ascontiguousarray(rows[beside].T), np.ascontiguousarray(others[beside].T)
        for i, degrees in enumerate(tile):
            fill_pair_degrees(rows[above.start + i], *columns, *degrees)
            degrees[:, : i + 1 if above == beside else 0] = 0.0
        yield above, beside, tile


CAMPELLO_RAND = index_of_clusterings(
    name="campello_rand",
    source="Campello (2007), doi:10.1016/j.patrec.2006.11.010",
    takes=("labels", "membership"),
    range=(0.0, 1.0),
    function=agreement,
    cost=forecast,
)
