"""Frobenius Rand index of two soft clusterings.

The matrices A and B of the inner products of memberships are scaled to ``N = A sum(A) / sum(A**2)``. The
index is the sum over all cells of ``N_a N_b + (1 - N_a)(1 - N_b)``, less n, over ``n (n - 1)``.
"""

import math

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Agreement, index_of_clusterings, no_agreement
from chancecorr.clusterings.membership import Membership, as_memberships
from chancecorr.clusterings.products import forecast_products, products
from chancecorr.exact.summary import rounding
from chancecorr.machine.arrays import Floats, Integers


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
