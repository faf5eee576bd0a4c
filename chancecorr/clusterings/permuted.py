"""Sums over pairs when the objects of one side are permuted: all permutations, or a sample of them."""

import functools
import itertools
import math

import numpy as np

from chancecorr.clusterings.clustering import Clustering, Gathered
from chancecorr.clusterings.index import Sums
from chancecorr.clusterings.kernels.pairs import (
    EQUAL_LABELS,
    MATRIX,
    PRODUCTS,
    add_permuted_tile,
    add_terms_of_objects,
    fill_block,
    sum_rows,
)
from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.pair_space import factor
from chancecorr.clusterings.partition import Partition
from chancecorr.clusterings.tiles import OBJECTS_A_TILE, tiling
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.kernels.streams import fill_permutations
from chancecorr.simulation.workers import map_in_threads

MOST_OBJECTS_ENUMERATED, MOST_IF_BOTH = 8, 5
"""Objects of which all permutations are taken, 40,320 at most, and all pairs of permutations, 14,400."""

NANOSECONDS_OF_A_PAIR, NANOSECONDS_OUT_OF_CACHE, OBJECTS_IN_CACHE = 4.0, 10.0, 1_000
"""Of a pair in a permutation; and where the matrix that pairs are looked up in has more objects."""

NANOSECONDS_OF_A_TERM, NANOSECONDS_OF_A_LOOK_UP = 0.8, 10.0
"""Of a cluster where the similarity of a pair is found from two rows, and of one that is found otherwise."""

MOST_OBJECTS_LAID_OUT = 3_000
"""Objects whose similarities are laid out in a matrix, 72 MB, before permutations look them up."""

NUMBERS_AT_ONCE = 1 << 18
"""Numbers in a block of permutations: 2 MB, and few passes over a matrix that is read from disk."""


def number_of_all(n: int, both: bool) -> int:
    """Number of all permutations of few objects, or pairs of permutations; 0 if they are too many."""
    if n > (MOST_IF_BOTH if both else MOST_OBJECTS_ENUMERATED):
        return 0
    return math.factorial(n) ** (2 if both else 1)


def permuted_sums(
    sums: Sums,
    n: int,
    n_permutations: int,
    seed: np.uint64,
    n_jobs: int | None,
    *,
    both: bool = False,
    first: int | None = None,
) -> tuple[Floats, bool]:
    """Sums for all permutations of few objects, else for random ones, and whether they are all.

    With `first` they are the random ones of a seed from that number on.
    """
    sides = 2 if both else 1
    if first is None and (total := number_of_all(n, both)):
        one_by_one = itertools.permutations(range(n))
        everything = np.array(list(itertools.product(one_by_one, repeat=sides)), dtype=np.int64)
        return sums(everything.reshape((total, 2, n) if both else (total, n))), True
    size = max(32, NUMBERS_AT_ONCE // (sides * n))  # permutations in a block, however many objects there are

    start = first or 0
    stop = start + n_permutations

    def of_block(begin: int) -> Floats:
        count = min(size, stop - begin)
        permutations = np.empty((sides * count, n), dtype=np.int64)
        fill_permutations(seed, sides * begin, permutations)
        return sums(permutations.reshape((count, 2, n) if both else (count, n)))

    blocks = map_in_threads(of_block, range(start, stop, size), n_jobs)
    return np.concatenate(blocks) if blocks else np.empty(0), False


def contracted(permutations: Integers, kept: Integers) -> Integers:
    """Permutations of the objects that are kept: the others are taken out of their cycles.

    Of uniform permutations these are uniform too, and all other objects stay where they were.
    """
    number = np.full(permutations.shape[1], -1, dtype=np.int64)
    number[kept] = np.arange(kept.size)
    images = permutations[:, kept]
    while (gone := number[images] < 0).any():
        images = np.where(gone, np.take_along_axis(permutations, images, axis=1), images)
    return np.asarray(number[images])


def sums_of_tiles(P: Clustering, Q: Clustering, comparison: int, shifts: tuple[float, float]) -> Sums:
    """Sums over pairs by the tiles of the side that is dearer to look up; shifts are for products."""
    if _lookup_cost(P) < _lookup_cost(Q):
        P, Q, shifts = Q, P, shifts[::-1]
    looked_up = functools.cache(lambda: _laid_out(Q))  # at the first call, because a matrix may be large
    parts = tiling(P.n, OBJECTS_A_TILE)
    held = functools.cache(lambda: list(P.tiles(parts, is_checked=True)))

    def sums(permutations: Integers) -> Floats:
        out = np.zeros(len(permutations))
        is_small = P.n <= MOST_OBJECTS_LAID_OUT
        for rows, columns, tile in held() if is_small else P.tiles(parts, is_checked=True):
            add_permuted_tile(
                comparison,
                np.ascontiguousarray(tile - shifts[0] if comparison == PRODUCTS else tile),
                rows == columns,
                rows.start,
                columns.start,
                *looked_up(),
                shifts[1],
                permutations,
                np.empty(tile.shape[1]),
                out,
            )
        return out

    return sums


def forecast_pairs(P: Clustering, Q: Clustering) -> float:
    """Nanoseconds of a permutation in `sums_of_tiles`."""
    n, side = P.n, min(P, Q, key=_lookup_cost)
    each = NANOSECONDS_OF_A_PAIR
    if n > OBJECTS_IN_CACHE and not isinstance(side, Partition):
        width = side.rows.shape[1] if isinstance(side, Membership) and n > MOST_OBJECTS_LAID_OUT else 0
        each = max(NANOSECONDS_OUT_OF_CACHE, float(width))
    return each * math.comb(n, 2)


def forecast_tiles(P: Clustering, Q: Clustering, nanoseconds: float) -> tuple[float, float]:
    """Nanoseconds and bytes of a pass over the tiles, with so many nanoseconds for each value of a side."""
    each, n = 0.0, P.n
    for side in (P, Q):
        width = side.rows.shape[1] if isinstance(side, Membership) else 0
        each += nanoseconds + max(NANOSECONDS_OF_A_TERM * width, NANOSECONDS_OF_A_LOOK_UP)
    laid_out = n if n <= MOST_OBJECTS_LAID_OUT else OBJECTS_A_TILE
    return each * math.comb(n, 2), 8.0 * laid_out**2


def sums_of_factors(P: Membership, Q: Membership) -> Sums:
    """Sums of products of similarities less their mean over all permutations, without going over pairs.

    With ``P_ij = f_i . f_j + u_i + u_j`` and ``Q_ij = g_i . g_j + v_i + v_j``, constants aside, the sum of
    ``(f_i . f_j) (g_i . g_j)`` over i < j is half of the squared entries of ``sum f_i g_i'`` less those of
    ``f_i g_i'`` for each object; what is left of the product is a sum over objects.
    """
    f, g = factor(P), factor(Q)
    n = P.n
    constant = math.fsum(f.own) * math.fsum(g.own) - f.total * g.total / math.comb(n, 2)
    first = np.column_stack([f.sums, f.own, (n - 2) * f.own, -0.5 * f.squares])
    second = np.column_stack([g.own, g.sums, g.own, g.squares])

    def sums(permutations: Integers) -> Floats:
        out = np.empty(len(permutations))
        sum_rows(f.rows, g.rows, permutations, np.empty((f.rows.shape[1], g.rows.shape[1])), out)
        out *= 0.5
        add_terms_of_objects(first, second, permutations, out)
        return out + constant

    return sums


def _laid_out(side: Clustering) -> Gathered:
    """Similarities of any two objects, in a matrix if that is small: each permutation looks them up."""
    gathered, n = side.gathered(), side.n
    if gathered.way in (EQUAL_LABELS, MATRIX) or n > MOST_OBJECTS_LAID_OUT:
        return gathered
    fill_block(*gathered, 0, np.arange(n), matrix := np.empty((n, n)))
    return Gathered(MATRIX, matrix=matrix)


def _lookup_cost(side: Clustering) -> int:
    """Rank of a side by what it takes to look a similarity up: labels, rows, a whole matrix or a tree."""
    return 0 if isinstance(side, Partition) else 1 if isinstance(side, Membership) else 2
