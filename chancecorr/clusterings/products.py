"""Sums of products over pairs, ``sum P_ij Q_ij``: exact moments, and what permutations give."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from chancecorr.clusterings.clustering import Clustering
from chancecorr.clusterings.index import Sums
from chancecorr.clusterings.kernels.pairs import PRODUCTS
from chancecorr.clusterings.membership import Membership, as_memberships
from chancecorr.clusterings.pair_space import TileSums, membership_space
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.permuted import forecast_pairs, forecast_tiles, sums_of_factors, sums_of_tiles
from chancecorr.clusterings.tiles import OBJECTS_A_TILE, split, tiling
from chancecorr.exact.pair_space import PairSpace, permutation_moments
from chancecorr.machine.arrays import Floats

NANOSECONDS_OF_A_VALUE = 40.0
"""Of a similarity in the moments of a side, and in the products with the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Products:
    """A sum of products over the pairs of two clusterings, when the objects of the second are permuted."""

    spaces: tuple[PairSpace, PairSpace]
    above: float  # the sum less its mean, in which nothing large cancels
    sums: Sums  # of permutations, less their mean
    nanoseconds: float  # of a permutation

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.spaces[0].n

    def __post_init__(self) -> None:
        """Take for none what rounding leaves above the mean if a side is the same for all pairs."""
        if any(space.of_objects == space.rest == 0.0 for space in self.spaces):
            object.__setattr__(self, "above", 0.0)

    @property
    def shares(self) -> tuple[float, float]:
        """Mean over the pairs of each clustering."""
        pairs = math.comb(self.n, 2)
        return self.spaces[0].total / pairs, self.spaces[1].total / pairs

    @property
    def mean(self) -> float:
        """Mean of the sum over all permutations."""
        return permutation_moments(*self.spaces)[0]

    @property
    def variance(self) -> float:
        """Variance of the sum over all permutations."""
        return permutation_moments(*self.spaces)[1]


def products(P: Clustering, Q: Clustering) -> Products:
    """Sum of products, without a loop over pairs if both have few clusters."""
    factors = _factors(P, Q)
    if factors is not None:
        spaces = membership_space(factors[0]), membership_space(factors[1])
        sums = sums_of_factors(*factors)
        above = float(sums(np.arange(P.n, dtype=np.int64)[np.newaxis])[0])
        cost = P.n * factors[0].rows.shape[1] * factors[1].rows.shape[1] + 20.0 * P.n
        return Products(spaces=spaces, above=above, sums=sums, nanoseconds=cost)
    of_p, of_q = TileSums(P.n), TileSums(Q.n)
    origin = 0.0, 0.0
    parts: list[float] = []
    for rows, columns, p, q in both_tiles(P, Q):
        of_p.add(rows, columns, p)
        of_q.add(rows, columns, q)
        p_pairs, q_pairs = split(rows, columns, p).pairs, split(rows, columns, q).pairs
        origin = (float(p_pairs[0]), float(q_pairs[0])) if not parts and p_pairs.size else origin
        parts.append(float(np.sum((p_pairs - origin[0]) * (q_pairs - origin[1]))))
    spaces, pairs = (of_p.space(), of_q.space()), math.comb(P.n, 2)
    totals = spaces[0].total, spaces[1].total
    shifted = totals[0] - pairs * origin[0], totals[1] - pairs * origin[1]
    return Products(
        spaces=spaces,
        above=math.fsum(parts) - shifted[0] * shifted[1] / pairs,
        sums=sums_of_tiles(P, Q, PRODUCTS, (totals[0] / pairs, totals[1] / pairs)),
        nanoseconds=forecast_pairs(P, Q),
    )


def forecast_products(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Nanoseconds and bytes of `products`."""
    first, second = count_clusters(P), count_clusters(Q)
    if first * second > P.n:
        return forecast_tiles(P, Q, NANOSECONDS_OF_A_VALUE)
    rows = P.n * (first + second)
    return rows * (50.0 + first + second), 8.0 * rows


def both_tiles(P: Clustering, Q: Clustering) -> Iterator[tuple[slice, slice, Floats, Floats]]:
    """Tiles of two clusterings with the same rows and columns."""
    tiles = tiling(P.n, OBJECTS_A_TILE)
    for (rows, columns, p), (_, _, q) in zip(P.tiles(tiles), Q.tiles(tiles), strict=True):
        yield rows, columns, p, q


def _factors(P: Clustering, Q: Clustering) -> tuple[Membership, Membership] | None:
    """Both as memberships, if products of their clusters cost less than a loop over the pairs."""
    if count_clusters(P) * count_clusters(Q) > P.n:
        return None
    first, second = as_memberships(P), as_memberships(Q)
    return None if first is None or second is None else (first, second)


def count_clusters(side: Clustering) -> float:
    """Number of clusters, before memberships are laid out; infinite of what has none."""
    if isinstance(side, Partition):
        return float(side.codes.max(initial=-1)) + 1.0
    return float(side.rows.shape[1]) if isinstance(side, Membership) else math.inf
