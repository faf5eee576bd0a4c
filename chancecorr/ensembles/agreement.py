"""How well two sides agree over the pairs of objects, and what permutations of the objects give on average.

Three indices: the Rand index with degrees, the fuzzy Rand index, and the Omega index. All are a mean over
pairs, and all are 1 where the sides agree best.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from chancecorr.ensembles.kernels.pairs import DIFFERENCES, EQUALITIES, PRODUCTS
from chancecorr.ensembles.pair_degrees import PairDegrees, adjusted_rand, degree_sums, pair_degrees
from chancecorr.ensembles.pair_space import (
    PairSpace,
    TileSums,
    level_space,
    membership_space,
    partition_space,
    permutation_moments,
)
from chancecorr.ensembles.permuted import Sums, sums_of_factors, sums_of_tiles
from chancecorr.ensembles.sides import Memberships, Partition, Side, require_cover, require_shares
from chancecorr.ensembles.tiles import Tiling, split
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.simulation.tally import Counts, Tally, distinct
from chancecorr.tables.contingency import contingency_table

MOST_LEVELS = 256
"""Distinct similarities of a side up to which the variance of a fuzzy Rand or Omega index is exact."""

MOST_VALUES = 1_000_000
"""Values of a side that are kept apart; see `Spread`."""

BINS = 1 << 20
"""Parts of [0, 1] beyond that number of values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An index of two sides, and what is known of it under permutations.

    Attributes
    ----------
    observed, expected, variance : float
        The index, its mean and its variance; the last nan where it has to be sampled.
    error : float
        Bound of the error of `expected`, rounding aside.
    adjusted : float or None
        The adjusted index, where it is found more exactly than from the other three.
    sums : function
        From permutations to sums over pairs, of which the index is ``at_zero + slope * sum``.
    """

    observed: float
    expected: float
    variance: float
    error: float = 0.0
    adjusted: float | None = None
    sums: Sums
    at_zero: float
    slope: float


def rand_agreement(P: Side, Q: Side, tile: Tiling) -> Agreement:
    """Rand index: the mean over pairs of ``P Q + (1 - P) (1 - Q)``."""
    require_shares("P", P)
    require_shares("Q", Q)
    n = P.n
    if n < 2:
        return _nothing()
    pairs = math.comb(n, 2)
    if isinstance(P, Partition | Memberships) and isinstance(Q, Partition | Memberships):
        spaces = _factor_space(P), _factor_space(Q)
        sums = sums_of_factors(P, Q)
        observed, expected, adjusted = _rand_of_factors(P, Q, spaces, sums)
    else:
        spaces, degrees = _spaces_by_tiles(P, Q, tile)
        a, b, c, d = degrees
        shares = (a + b) / pairs, (a + c) / pairs
        sums = sums_of_tiles(P, Q, PRODUCTS, tile, shares)
        observed, adjusted = (a + d) / pairs, adjusted_rand(degrees)
        expected = shares[0] * shares[1] + (c + d) / pairs * ((b + d) / pairs)
    _, variance = permutation_moments(*spaces, np.ones((1, 1)))
    return Agreement(
        observed=observed,
        expected=expected,
        variance=4.0 * variance / pairs**2,
        adjusted=adjusted,
        sums=sums,
        at_zero=expected,
        slope=2.0 / pairs,
    )


def fuzzy_rand_agreement(P: Side, Q: Side, tile: Tiling) -> Agreement:
    """Fuzzy Rand index: one less the mean over pairs of ``|P - Q|``."""
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return rand_agreement(P, Q, tile)
    require_shares("P", P)
    require_shares("Q", Q)
    P, Q = _by_distance(P), _by_distance(Q)
    seen = _see(P, Q, tile, lambda p, q: np.sum(np.abs(p - q)), distinct)
    if seen is None:
        return _nothing()
    return Agreement(
        observed=1.0 - seen.total / seen.pairs,
        expected=1.0 - _mean_difference(*seen.levels),
        error=seen.error,
        variance=_variance(P, Q, seen, tile, lambda p, q: np.abs(p - q)),
        sums=sums_of_tiles(P, Q, DIFFERENCES, tile, (0.0, 0.0)),
        at_zero=1.0,
        slope=-1.0 / seen.pairs,
    )


def omega_agreement(P: Side, Q: Side, tile: Tiling) -> Agreement:
    """Omega index, not adjusted: the share of pairs that are together in as many clusters on both sides."""
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return rand_agreement(P, Q, tile)
    require_cover("P", P)
    require_cover("Q", Q)
    seen = _see(P, Q, tile, lambda p, q: np.sum(p == q), _distinct_counts)
    if seen is None:
        return _nothing()
    return Agreement(
        observed=seen.total / seen.pairs,
        expected=_share_of_equals(*seen.levels),
        variance=_variance(P, Q, seen, tile, lambda p, q: (p == q).astype(np.float64)),
        sums=sums_of_tiles(P, Q, EQUALITIES, tile, (0.0, 0.0)),
        at_zero=0.0,
        slope=1.0 / seen.pairs,
    )


MEASURES: dict[str, Callable[[Side, Side, Tiling], Agreement]] = {
    "rand": rand_agreement,
    "fuzzy_rand": fuzzy_rand_agreement,
    "omega": omega_agreement,
}


def _rand_of_factors(
    P: Partition | Memberships, Q: Partition | Memberships, spaces: tuple[PairSpace, PairSpace], sums: Sums
) -> tuple[float, float, float]:
    """Observed, expected and adjusted Rand index of partitions and memberships.

    Of two partitions in whole numbers. Else from the sum of products less its mean, so that nothing cancels
    where all objects have nearly the same memberships.
    """
    n = P.n
    pairs = math.comb(n, 2)
    if isinstance(P, Partition) and isinstance(Q, Partition):
        a, b, c, d = contingency_table(P.codes, Q.codes).pair_counts
        mean = Fraction((a + b) * (a + c) + (c + d) * (b + d), pairs**2)
        return (a + d) / pairs, float(mean), adjusted_rand(PairDegrees(a, b, c, d))
    p, q = (float(space.totals[0]) / pairs for space in spaces)
    expected = p * q + (1.0 - p) * (1.0 - q)
    above = float(sums(np.arange(n, dtype=np.int64)[None])[0]) / pairs
    room = 0.5 * (p * (1.0 - q) + q * (1.0 - p))
    return min(1.0, expected + 2.0 * above), expected, above / room if room > 0.0 else 1.0


def _factor_space(side: Partition | Memberships) -> PairSpace:
    return partition_space(side.codes) if isinstance(side, Partition) else membership_space(side)


def _spaces_by_tiles(P: Side, Q: Side, tile: Tiling) -> tuple[tuple[PairSpace, PairSpace], PairDegrees]:
    """What the law needs of two sides, and their pair degrees, from one pass over the tiles of both."""
    of_p, of_q = TileSums(P.n), TileSums(Q.n)
    degrees = []
    for rows, columns, p, q in _both(P, Q, tile):
        of_p.add(rows, columns, p)
        of_q.add(rows, columns, q)
        degrees.append(degree_sums(split(p, rows == columns).pairs, split(q, rows == columns).pairs))
    return (of_p.space(), of_q.space()), pair_degrees(degrees)


def _both(P: Side, Q: Side, tile: Tiling) -> Iterator[tuple[slice, slice, Floats, Floats]]:
    """Tiles of two sides, one beside the other."""
    for (rows, columns, p), (_, _, q) in zip(P.tiles(tile), Q.tiles(tile), strict=True):
        yield rows, columns, p, q


class Spread:
    """Values in [0, 1] with how often each occurs; where there are too many, means of narrow bins.

    For the mean difference between the values of two sides it makes no difference that those of a bin are
    replaced by their mean, but for two values in the same bin, which are less than its width apart.
    """

    def __init__(self, counted: Callable[[Floats], Counts]) -> None:
        self._counted = counted
        self._tally: Tally | None = Tally()
        self._counts = np.zeros(0)
        self._sums = np.zeros(0)

    def add(self, values: Floats) -> None:
        """Add values."""
        if self._tally is not None:
            self._tally.add(*self._counted(values))
            if self._tally.held <= MOST_VALUES:
                return
            values, counts = self._tally.result()
            self._tally = None
            self._counts, self._sums = _binned(values, counts), _binned(values, counts * values)
            return
        self._counts += _binned(values)
        self._sums += _binned(values, values)

    def result(self) -> Counts:
        """Values in ascending order, and their counts."""
        if self._tally is not None:
            return self._tally.result()
        present = np.flatnonzero(self._counts)
        counts = self._counts[present]
        return self._sums[present] / counts, counts.astype(np.int64)

    @property
    def is_binned(self) -> bool:
        """Whether values are means of bins."""
        return self._tally is None

    def error(self, other: "Spread") -> float:
        """How much too small the mean difference may come out: the chance of the same bin times its width."""
        if self._tally is not None and other._tally is not None:
            return 0.0
        p, q = (each._counts if each._tally is None else _binned(*each.result()) for each in (self, other))
        return float(p @ q) / (float(p.sum()) * float(q.sum())) / BINS


def _binned(values: Floats, weights: Floats | Integers | None = None) -> Floats:
    """Number of values in each bin, or the sum of their weights."""
    bins = np.clip((values * BINS).astype(np.int64), 0, BINS - 1)  # values leave [0, 1] by rounding
    return np.bincount(bins, weights, BINS).astype(np.float64)


class _Seen(NamedTuple):
    """What one pass over the tiles tells: a sum over the pairs, and how often each value occurs on a side."""

    pairs: int
    total: float
    levels: tuple[Counts, Counts]
    are_binned: tuple[bool, bool]
    error: float


def _see(
    P: Side,
    Q: Side,
    tile: Tiling,
    total: Callable[[Floats, Floats], float],
    counted: Callable[[Floats], Counts],
) -> _Seen | None:
    """One pass over the tiles of both sides; None where there is no pair."""
    if P.n < 2:
        return None
    of_p, of_q, sums = Spread(counted), Spread(counted), []
    for rows, columns, p_tile, q_tile in _both(P, Q, tile):
        p, q = split(p_tile, rows == columns).pairs, split(q_tile, rows == columns).pairs
        sums.append(float(total(p, q)))
        of_p.add(p)
        of_q.add(q)
    levels = of_p.result(), of_q.result()
    are_binned = of_p.is_binned, of_q.is_binned
    return _Seen(math.comb(P.n, 2), math.fsum(sums), levels, are_binned, of_p.error(of_q))


def _variance(
    P: Side, Q: Side, seen: _Seen, tile: Tiling, compared: Callable[[Floats, Floats], Floats]
) -> float:
    """Exact variance of the mean over pairs of a comparison; nan where a side has many values.

    The sum over pairs is one over pairs of values, of products of the 0/1 matrices that say where they are.
    """
    sizes = [values.size for values, _ in seen.levels]
    if any(size == 1 and not binned for size, binned in zip(sizes, seen.are_binned, strict=True)):
        return 0.0
    if any(seen.are_binned) or max(sizes) > MOST_LEVELS:
        return math.nan
    (p, _), (q, _) = seen.levels
    spaces = level_space(P, p, tile), level_space(Q, q, tile)
    return permutation_moments(*spaces, compared(p[:, None], q))[1] / seen.pairs**2


def _share_of_equals(p: Counts, q: Counts) -> float:
    """Chance that a value of one side equals one of the other, both drawn at random."""
    _, of_p, of_q = np.intersect1d(p[0], q[0], assume_unique=True, return_indices=True)
    equal = sum(int(x) * int(y) for x, y in zip(p[1][of_p], q[1][of_q], strict=True))
    return equal / (int(p[1].sum()) * int(q[1].sum()))


def _mean_difference(p_values: Counts, q_values: Counts) -> float:
    """Mean of ``|x - y|`` over all values x of one side with all values y of the other.

    The integral of ``F (1 - G) + G (1 - F)`` over their distribution functions F and G, which are steps: one
    sorting, and a sum of numbers that are not negative.
    """
    (p, p_counts), (q, q_counts) = p_values, q_values
    places = np.concatenate([p, q])
    order = np.argsort(places, kind="stable")
    places = places[order]
    below_p = np.cumsum(np.concatenate([p_counts, np.zeros_like(q_counts)])[order])[:-1]
    below_q = np.cumsum(np.concatenate([np.zeros_like(p_counts), q_counts])[order])[:-1]
    n_p, n_q = int(p_counts.sum()), int(q_counts.sum())
    share_p, share_q = below_p / n_p, below_q / n_q
    apart = share_p * ((n_q - below_q) / n_q) + share_q * ((n_p - below_p) / n_p)
    return float(np.sum(np.diff(places) * apart))


def _distinct_counts(values: Floats) -> Counts:
    """Distinct whole numbers with their counts."""
    counts = np.bincount(values.astype(np.int64))
    present = np.flatnonzero(counts)
    return present.astype(np.float64), counts[present].astype(np.int64)


def _by_distance(side: Side) -> Side:
    """Memberships that are compared by their differences; other sides as they are."""
    return Memberships(side.rows, by_distance=True) if isinstance(side, Memberships) else side


def _nothing() -> Agreement:
    """Of fewer than two objects."""
    nan = math.nan
    return Agreement(
        observed=nan,
        expected=nan,
        variance=nan,
        adjusted=nan,
        sums=lambda permutations: np.full(len(permutations), nan),
        at_zero=nan,
        slope=nan,
    )
