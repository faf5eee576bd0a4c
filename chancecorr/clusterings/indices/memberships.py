"""Indices of soft clusterings by their memberships: fuzzy Rand of Campello, fuzzy Wallace, Frobenius Rand.

Fuzzy Wallace: with p and q one less half the sum of differences of the memberships of two objects, and w the
inner product of those of one side, they are ``sum w (1 - |p - q|) / sum w`` over the pairs. Frobenius Rand:
the matrices A and B of inner products are scaled to ``N = A sum(A) / sum(A**2)``; it is the sum over all
cells of ``N_a N_b + (1 - N_a)(1 - N_b)``, less n, over ``n (n - 1)``.
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from chancecorr.clusterings.clustering import OBJECTS_A_TILE, Clustering, spans, split, tiling
from chancecorr.clusterings.index import Agreement, index_of_clusterings, no_agreement
from chancecorr.clusterings.kernels.pairs import add_concordance, add_pair_degrees, fill_pair_degrees
from chancecorr.clusterings.membership import Membership, as_memberships
from chancecorr.clusterings.products import count_clusters, forecast_products, products
from chancecorr.exact.summary import rounding
from chancecorr.machine.arrays import Floats, Integers

OBJECTS_OF_A_TILE = 128
"""Side of a tile, 256 KB of degrees, which stays in the cache while permutations pass."""


def agree_by_campello(P: Clustering, Q: Clustering) -> Agreement:
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


def forecast_campello(P: Clustering, Q: Clustering) -> tuple[float, float]:
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
    function=agree_by_campello,
    cost=forecast_campello,
)


SOURCE = (
    "Germain, poem (2025), from Hüllermeier, Rifqi, Henzgen & Senge (2012), doi:10.1109/TFUZZ.2011.2179303"
)


def agree_by_concordance(of_second: bool, P: Clustering, Q: Clustering) -> Agreement:
    """Agreement with its exact mean: every pair of one side meets every pair of the other."""
    first, second = as_memberships(P), as_memberships(Q)
    assert first is not None
    assert second is not None
    weighting, other = (second, first) if of_second else (first, second)
    likeness, weights = _pairs(weighting)
    total = math.fsum(weights)
    if P.n < 2 or total == 0.0:
        return no_agreement()

    def sums(permutations: Integers) -> Floats:
        out = np.zeros(len(permutations))
        add_concordance(first.rows, second.rows, of_second, permutations, np.zeros((2, 2)), out)
        return out / total

    return Agreement(
        observed=float(sums(np.arange(P.n)[np.newaxis])[0]),
        expected=1.0 - math.fsum(weights * mean_distances(likeness, _pairs(other)[0])) / total,
        sums=sums,
        nanoseconds=math.comb(P.n, 2) * (4.0 + 2.0 * first.rows.shape[1]),
    )


def forecast_concordance(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Nanoseconds and bytes of the value and the mean: the degrees of all pairs are laid out and sorted."""
    pairs, width = math.comb(P.n, 2), count_clusters(P) + count_clusters(Q)
    return pairs * (600.0 + 6.0 * width), 48.0 * pairs


def _pairs(side: Membership) -> tuple[Floats, Floats]:
    """Likeness of each pair, and the degree to which it is together."""
    halved, together = [], []
    for rows, columns in spans(tiling(side.n, OBJECTS_A_TILE // 4)):
        distances = np.abs(side.rows[rows, np.newaxis] - side.rows[columns]).sum(axis=2)
        halved.append(split(rows, columns, 1.0 - 0.5 * distances).pairs)
        together.append(split(rows, columns, side.rows[rows] @ side.rows[columns].T).pairs)
    return np.concatenate(halved or [np.zeros(0)]), np.concatenate(together or [np.zeros(0)])


def mean_distances(values: Floats, others: Floats) -> Floats:
    """Mean of ``|x - y|`` over all y of the others, for each x of the values."""
    ordered = np.sort(others)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    below = np.searchsorted(ordered, values)
    return np.asarray((values * (2 * below - ordered.size) + sums[-1] - 2.0 * sums[below]) / ordered.size)


FUZZY_COMPLETENESS, FUZZY_HOMOGENEITY = (
    index_of_clusterings(
        name=f"fuzzy_wallace_{side}",
        aliases=(f"fuzzy_wallace_{word}",),
        source=SOURCE,
        takes=("labels", "membership"),
        function=partial(agree_by_concordance, side == 2),
        cost=forecast_concordance,
    )
    for side, word in ((1, "completeness"), (2, "homogeneity"))
)


def agree_by_frobenius(P: Clustering, Q: Clustering) -> Agreement:
    """Agreement with its exact mean and variance over permutations, which move the diagonal too."""
    n = P.n
    if n < 2:
        return no_agreement()
    of_pairs = products(P, Q)
    first, second = (_sums(as_memberships(side)) for side in (P, Q))  # type: ignore[arg-type]
    scale = 2.0 * (first.total / first.squares) * (second.total / second.squares)
    apart = n * n - n - first.total**2 / first.squares - second.total**2 / second.squares
    own = first.diagonal.sum() * second.diagonal.sum() / n

    def sums(permutations: Integers) -> Floats:
        moved = second.diagonal[permutations] @ first.diagonal
        return np.asarray(2.0 * of_pairs.sums(permutations) + moved - own)

    here = 2.0 * of_pairs.above + float(first.diagonal @ second.diagonal) - own
    at_zero = (scale * (2.0 * of_pairs.mean + own) + apart) / (n * n - n)
    slope = scale / (n * n - n)
    # what objects add by their row sums and by the diagonal goes together
    together = 4.0 * math.prod(float(side.sums @ side.own) for side in (first, second))
    together += math.prod(float(side.own @ side.own) for side in (first, second))
    return Agreement(
        observed=at_zero + slope * here,
        expected=at_zero,
        variance=slope**2 * (4.0 * of_pairs.variance + together / (n - 1)),
        sums=sums,
        at_zero=at_zero,
        slope=slope,
        nanoseconds=of_pairs.nanoseconds + 4.0 * n,
    )


class _sums:  # noqa: N801  three numbers of a side
    """Sums of a matrix of inner products and of its squares, its diagonal, and what each object adds."""

    def __init__(self, side: Membership) -> None:
        rows = side.rows
        self.diagonal = np.einsum("ik,ik->i", rows, rows)
        of_clusters, between = rows.sum(axis=0), rows.T @ rows
        self.total = float(of_clusters @ of_clusters)
        self.squares = float((between * between).sum())
        n = max(len(rows), 3)
        of_pairs = rows @ of_clusters - self.diagonal
        same = np.ptp(self.diagonal) <= rounding(self.diagonal).max() if len(rows) else True
        self.own = self.diagonal - (self.diagonal if same else self.diagonal.mean())
        self.sums = (of_pairs - of_pairs.mean()) / math.sqrt(n - 2)  # so that n - 2 comes with both


FROBENIUS_RAND = index_of_clusterings(
    name="frobenius_rand",
    aliases=("fari",),
    source="Andrews, Browne & Hvingelby (2022), doi:10.1007/s00357-021-09407-3",
    takes=("labels", "membership"),
    function=agree_by_frobenius,
    cost=forecast_products,
    range=(-math.inf, 1.0),
)
