"""Sums of products over pairs, ``sum P_ij Q_ij``: exact moments, and values under permutations.

Memberships are factors of their matrix over pairs, so that sums do not need a loop over pairs; the matrix of
other clusterings is read tile by tile.
"""

import functools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from chancecorr.clusterings.clustering import OBJECTS_A_TILE, Clustering, Partition, Sums, select_pairs
from chancecorr.clusterings.membership import ROUNDING_OF_SHARES, Membership, as_memberships
from chancecorr.clusterings.pair_kernels import (
    EQUAL_LABELS,
    MATRIX,
    PRODUCT,
    PRODUCTS,
    Gathered,
    add_permuted_tile,
    add_terms_of_objects,
    fill_block,
    sum_rows,
)
from chancecorr.clusterings.tree import Tree
from chancecorr.exact.pair_space import PairSpace, compute_permutation_moments
from chancecorr.exact.summary import bound_rounding
from chancecorr.machine.arrays import Floats, Integers

NANOSECONDS_OF_A_VALUE = 40.0  # per similarity, for the moments of a side and the products with the other
NANOSECONDS_OF_A_PAIR, NANOSECONDS_OUT_OF_CACHE = 4.0, 10.0  # per pair in a permutation
OBJECTS_IN_CACHE = 1_000  # objects of a matrix of similarities that fits into the cache
NANOSECONDS_OF_A_TERM = 0.8  # per cluster, to compute the similarity of a pair from two rows
NANOSECONDS_OF_A_LOOK_UP = 10.0  # per similarity, in other ways
MAX_OBJECTS_LAID_OUT = 3_000  # in a dense matrix of similarities, 72 MB, for looking up permuted pairs
MAX_ROUNDING_OF_TERMS = 1e-13  # share of terms that cancel; a smaller rest is rounding


class Products(NamedTuple):
    """A sum of products over the pairs of two clusterings, under permutations of the second's objects."""

    spaces: tuple[PairSpace, PairSpace]
    mean: float  # of the sum over all permutations
    variance: float
    above: float  # the sum minus its mean, computed without cancellation of large terms
    sums: Sums  # of permutations, minus their mean
    nanoseconds: float  # per permutation


def sum_products(P: Clustering, Q: Clustering) -> Products:
    """Compute the sum of products, without a loop over pairs if both sides have few clusters."""
    n, pairs = P.n, math.comb(P.n, 2)
    if count_clusters(P) * count_clusters(Q) <= n:
        first, second = map(as_memberships, (P, Q))
        spaces = find_membership_space(first), find_membership_space(second)
        sums = sum_over_factors(first, second)
        above = float(sums(np.arange(n, dtype=np.int64)[np.newaxis])[0])
        nanoseconds = n * first.rows.shape[1] * second.rows.shape[1] + 20.0 * n
    else:
        of_p, of_q = TileSums(n), TileSums(n)
        parts = [
            float(np.sum(of_p.add(rows, columns, p) * of_q.add(rows, columns, q)))
            for rows, columns, p, q in pair_tiles(P, Q)
        ]
        spaces, nanoseconds = (of_p.space(), of_q.space()), forecast_pairs(P, Q)
        totals = spaces[0].total, spaces[1].total
        shifted = totals[0] - pairs * of_p.origin, totals[1] - pairs * of_q.origin
        above = math.fsum(parts) - shifted[0] * shifted[1] / pairs
        sums = sum_over_tiles(P, Q, PRODUCTS, (totals[0] / pairs, totals[1] / pairs))
    if any(space.of_objects == space.rest == 0.0 for space in spaces):
        above = 0.0  # a side is the same for all pairs, except for rounding
    mean, variance = compute_permutation_moments(*spaces)
    return Products(spaces, mean, variance, above, sums, nanoseconds)


def forecast_products(P: Clustering, Q: Clustering) -> tuple[float, float]:
    """Forecast the nanoseconds and bytes of `sum_products`."""
    first, second = count_clusters(P), count_clusters(Q)
    if first * second > P.n:
        return forecast_tiles(P, Q, NANOSECONDS_OF_A_VALUE)
    rows = P.n * (first + second)
    return rows * (50.0 + first + second), 8.0 * rows


def pair_tiles(P: Clustering, Q: Clustering) -> Iterator[tuple[slice, slice, Floats, Floats]]:
    """Yield tiles of two clusterings with the same rows and columns."""
    for (rows, columns, p), (_, _, q) in zip(P.tiles(), Q.tiles(), strict=True):
        yield rows, columns, p, q


def count_clusters(side: Clustering) -> float:
    """Count the clusters of labels or memberships; infinite if products of rows are not similarities."""
    if isinstance(side, Partition):
        return float(side.codes.max(initial=-1)) + 1.0
    if isinstance(side, Membership) and side.gather().way == PRODUCT:
        return float(side.rows.shape[1])
    return math.inf


class Factor(NamedTuple):
    """A matrix over pairs as ``rows_i . rows_j + own_i + own_j + constant``."""

    rows: Floats  # memberships minus their mean, so that large terms do not cancel
    own: Floats  # term of each object in all its pairs
    squares: Floats  # squared length of each row
    sums: Floats  # inner product of each row with the sum of all other rows
    mean: Floats  # subtracted from the rows


def find_factor(side: Membership) -> Factor:
    """Compute the factor of memberships."""
    rows = side.rows - side.rows[:1]
    rows[np.abs(rows) <= ROUNDING_OF_SHARES] = 0.0  # all of them if the rows are the same
    shift = rows.mean(axis=0)
    mean, rows = side.rows[0] + shift, rows - shift
    squares = np.einsum("ik,ik->i", rows, rows)
    return Factor(rows, rows @ mean, squares, rows @ rows.sum(axis=0) - squares, mean)


def find_membership_space(side: Membership) -> PairSpace:
    """Compute the pair space of membership inner products from K x K products, in ``n K**2`` steps."""
    n, parts = side.n, find_factor(side)
    of_clusters = side.rows.sum(axis=0)
    total = (float(of_clusters @ of_clusters) - math.fsum((side.rows**2).ravel())) / 2.0
    if n < 3:
        return PairSpace(n, total, 0.0, 0.0)
    of_rows = parts.sums - math.fsum(parts.sums) / n
    both = of_rows + (n - 2) * (parts.own - math.fsum(parts.own) / n)
    products = parts.rows.T @ parts.rows
    squares = (math.fsum((products * products).ravel()) - math.fsum(parts.squares**2)) / 2.0
    rest = squares - (math.fsum(parts.sums) / 2.0) ** 2 / math.comb(n, 2) - math.fsum(of_rows**2) / (n - 2)
    # a rounding error of terms that cancel, as for singletons, is not a variance
    mean = parts.mean
    terms = math.fsum(parts.sums**2) + (n - 2) ** 2 * math.fsum(parts.squares) * float(mean @ mean)
    of_objects = math.fsum(both**2)
    return PairSpace(
        n,
        total,
        of_objects / (n - 2) if of_objects > MAX_ROUNDING_OF_TERMS**2 * terms else 0.0,
        rest if n > 3 and rest > MAX_ROUNDING_OF_TERMS * squares else 0.0,
    )


class TileSums:
    """Pair space of any matrix, from one pass over its tiles: Chan, Golub & LeVeque (1979)."""

    def __init__(self, n: int) -> None:
        self._n = n
        self.origin = 0.0  # the first value, so that a constant matrix is 0
        self._ends: list[float] = []  # the smallest and the largest value of each tile
        self._rows = np.zeros(n)
        self._parts: list[tuple[int, float, float]] = []
        self._totals: list[float] = []

    def add(self, rows: slice, columns: slice, tile: Floats) -> Floats:
        """Add a tile on or above the diagonal; return its values for the pairs i < j minus the origin."""
        pairs = select_pairs(rows, columns, tile)
        if pairs.size == 0:
            return pairs
        self.origin = self.origin if self._parts else float(pairs[0])
        self._ends += [float(pairs.min()), float(pairs.max())]
        shifted = np.triu(tile - self.origin, 1) if rows == columns else tile - self.origin
        self._rows[rows] += shifted.sum(axis=1)
        self._rows[columns] += shifted.sum(axis=0)
        above = pairs - self.origin
        mean = float(above.mean())
        self._parts.append((pairs.size, mean, float(np.sum((above - mean) ** 2))))
        self._totals.append(float(np.sum(pairs)))
        return above

    def space(self) -> PairSpace:
        """Return the pair space of the matrix."""
        n, total = self._n, math.fsum(self._totals)
        if n < 3 or np.ptp(self._ends) <= bound_rounding(*self._ends):
            return PairSpace(n, total, 0.0, 0.0)
        sizes, means, within = np.array(self._parts).T
        means = means - math.fsum(sizes * means) / math.fsum(sizes)
        squares = math.fsum(within + sizes * means**2)
        rows = self._rows - math.fsum(self._rows) / n
        of_objects = math.fsum(rows**2) / (n - 2)
        return PairSpace(n, total, of_objects, max(squares - of_objects, 0.0) if n > 3 else 0.0)


def sum_over_tiles(P: Clustering, Q: Clustering, comparison: int, shifts: tuple[float, float]) -> Sums:
    """Sum over pairs, reading the more expensive side tile by tile; `shifts` are for products.

    The objects of Q are permuted. If P is looked up instead, the inverse permutations are applied to P.
    """
    is_exchanged = _rank_lookup_cost(P) < _rank_lookup_cost(Q)
    if is_exchanged:
        P, Q, shifts = Q, P, shifts[::-1]
    n, held = P.n, functools.cache(lambda: list(P.tiles()))

    @functools.cache
    def lay_out() -> Gathered:
        """Gather Q for looking up similarities in each permutation, as a matrix if it is small."""
        gathered = Q.gather()
        if gathered.way in (EQUAL_LABELS, MATRIX) or n > MAX_OBJECTS_LAID_OUT:
            return gathered
        fill_block(gathered, 0, np.arange(n), matrix := np.empty((n, n)))
        return Gathered(MATRIX, matrix=matrix)

    def sums(permutations: Integers) -> Floats:
        out = np.zeros(len(permutations))
        permutations = np.argsort(permutations, axis=1) if is_exchanged else permutations
        for rows, columns, tile in held() if n <= MAX_OBJECTS_LAID_OUT else P.tiles():
            values = np.ascontiguousarray(tile - shifts[0] if comparison == PRODUCTS else tile)
            place, room = (rows.start, columns.start), np.empty(tile.shape[1])
            add_permuted_tile(comparison, values, *place, lay_out(), shifts[1], permutations, room, out)
        return out

    return sums


def forecast_pairs(P: Clustering, Q: Clustering) -> float:
    """Forecast the nanoseconds of a permutation in `sum_over_tiles`."""
    n, side = P.n, min(P, Q, key=_rank_lookup_cost)
    of_a_pair = NANOSECONDS_OF_A_PAIR
    if n > OBJECTS_IN_CACHE and not isinstance(side, Partition):
        width = side.rows.shape[1] if isinstance(side, Membership) and n > MAX_OBJECTS_LAID_OUT else 0
        of_a_pair = max(NANOSECONDS_OUT_OF_CACHE, float(width))
    return of_a_pair * math.comb(n, 2)


def forecast_tiles(P: Clustering, Q: Clustering, nanoseconds: float) -> tuple[float, float]:
    """Forecast the nanoseconds and bytes of a pass over the tiles; `nanoseconds` are per value of a side."""
    of_a_pair, n = 0.0, P.n
    for side in (P, Q):
        width = side.rows.shape[1] if isinstance(side, Membership) else 0
        of_a_pair += nanoseconds + max(NANOSECONDS_OF_A_TERM * width, NANOSECONDS_OF_A_LOOK_UP)
    is_small = n <= MAX_OBJECTS_LAID_OUT or isinstance(P, Tree) or isinstance(Q, Tree)
    laid_out = n if is_small else OBJECTS_A_TILE
    return of_a_pair * math.comb(n, 2), 8.0 * laid_out**2


def sum_over_factors(P: Membership, Q: Membership) -> Sums:
    """Sum products of similarities, minus their mean over all permutations, without a loop over pairs.

    Without constants, let ``P_ij = f_i . f_j + u_i + u_j`` and ``Q_ij = g_i . g_j + v_i + v_j``. The sum of
    ``(f_i . f_j) (g_i . g_j)`` over i < j is half of the squared entries of ``sum f_i g_i'`` minus the
    squared entries of ``f_i g_i'`` for each object; the rest of the product is a sum over objects.
    """
    f, g = find_factor(P), find_factor(Q)
    n = P.n
    # sums over the pairs, without the constants
    totals = [math.fsum(side.sums) / 2.0 + (n - 1) * math.fsum(side.own) for side in (f, g)]
    constant = math.fsum(f.own) * math.fsum(g.own) - totals[0] * totals[1] / math.comb(n, 2)
    first = np.column_stack([f.sums, f.own, (n - 2) * f.own, -0.5 * f.squares])
    second = np.column_stack([g.own, g.sums, g.own, g.squares])

    def sums(permutations: Integers) -> Floats:
        out = np.empty(len(permutations))
        sum_rows(f.rows, g.rows, permutations, np.empty((f.rows.shape[1], g.rows.shape[1])), out)
        out *= 0.5
        add_terms_of_objects(first, second, permutations, out)
        return out + constant

    return sums


def _rank_lookup_cost(side: Clustering) -> int:
    """Rank a side by the cost of looking up a similarity: labels, rows, a whole matrix or a tree."""
    return 0 if isinstance(side, Partition) else 1 if isinstance(side, Membership) else 2
