"""Indices of soft clusterings by their memberships: fuzzy Rand of Campello, fuzzy Wallace, Frobenius Rand.

Fuzzy Wallace: with p and q one less half the sum of differences of the memberships of two objects, and w the
inner product of those of one side, they are ``sum w (1 - |p - q|) / sum w`` over the pairs. Frobenius Rand:
the matrices A and B of inner products are scaled to ``N = A sum(A) / sum(A**2)``; it is the sum over all
cells of ``N_a N_b + (1 - N_a)(1 - N_b)``, less n, over ``n (n - 1)``.
"""

import math
from functools import partial

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings, no_agreement
from chancecorr.clusterings.kernels.pairs import sum_concordance, sum_minima
from chancecorr.clusterings.membership import Membership, as_memberships
from chancecorr.clusterings.products import count_clusters, forecast_products, products
from chancecorr.exact.summary import rounding
from chancecorr.machine.arrays import Floats, Integers


def agree_by_campello(P: Clustering, Q: Clustering) -> Agreement:
    """Agreement ``(a + d) / (a + b + c + d)``, of which values are known alone.

    a, b, c, d are sums of the minima of the degrees to which pairs are together or apart in both clusterings.
    """
    first, second = (_find_degrees(as_memberships(side).rows) for side in (P, Q))
    n = P.n
    if n < 2:
        return no_agreement()

    def sums(permutations: Integers) -> Floats:
        out = np.zeros((len(permutations), 4))
        sum_minima(first, second, permutations, out)
        with np.errstate(invalid="ignore"):
            return np.asarray((out[:, 0] + out[:, 3]) / out.sum(axis=1))

    observed = float(sums(np.arange(n)[np.newaxis])[0])
    return Agreement(observed=observed, sums=sums, nanoseconds=12.0 * math.comb(n, 2))


def forecast_campello(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Nanoseconds and bytes of the value, for which the degrees of all pairs are laid out."""
    return P.n**2 * 15.0 * (count_clusters(P) + count_clusters(Q)), 56.0 * P.n**2


def _find_degrees(rows: Floats) -> Floats:
    """``max_k min(u_ik, u_jk)``, together, and ``max_{k != l} min(u_ik, u_jl)``, apart; shape (2, n, n)."""
    tops = np.sort(np.column_stack([rows, np.zeros(len(rows))]), axis=1)[:, :-3:-1]
    leads = np.arange(rows.shape[1]) == rows.argmax(axis=1)[:, np.newaxis]
    others = np.where(leads, tops[:, 1:], tops[:, :1])  # the largest of an object's other memberships
    degrees = np.zeros((2, len(rows), len(rows)))
    for u, v in zip(rows.T, others.T, strict=True):
        for out, column in zip(degrees, (u, v), strict=True):
            np.maximum(out, np.minimum(u[:, np.newaxis], column), out=out)
    return degrees


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
    from scipy.spatial.distance import cdist

    rows = [as_memberships(side).rows for side in (P, Q)]
    p, q = (1.0 - 0.5 * cdist(side, side, "cityblock") for side in rows)
    pairs, weights = np.triu_indices(P.n, 1), rows[of_second] @ rows[of_second].T
    total = math.fsum(weights[pairs])
    if P.n < 2 or total == 0.0:
        return no_agreement()

    def sums(permutations: Integers) -> Floats:
        out = np.empty(len(permutations))
        sum_concordance(p, q, weights, of_second, permutations, out)
        return out / total

    own, others = (q, p) if of_second else (p, q)
    return Agreement(
        observed=float(sums(np.arange(P.n)[np.newaxis])[0]),
        expected=1.0 - math.fsum(weights[pairs] * mean_distances(own[pairs], others[pairs])) / total,
        sums=sums,
        nanoseconds=8.0 * math.comb(P.n, 2),
    )


def forecast_concordance(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Nanoseconds and bytes of the value and the mean: the degrees of all pairs are laid out and sorted."""
    pairs, width = math.comb(P.n, 2), count_clusters(P) + count_clusters(Q)
    return pairs * (600.0 + 6.0 * width), 140.0 * pairs


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
    first, second = (_sums(as_memberships(side)) for side in (P, Q))
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
