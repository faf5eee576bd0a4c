"""How well two sides agree over the pairs of objects, and the mean over permutations of the objects.

Three indices: the Rand index with degrees, the fuzzy Rand index, and the Omega index. All are a mean over
pairs, and all are 1 at perfect agreement.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from chancecorr.clusterings.kernels.pairs import DIFFERENCES, EQUALITIES, PRODUCTS
from chancecorr.clusterings.pair_degrees import PairDegrees, adjusted_rand, degree_sums, pair_degrees
from chancecorr.clusterings.pair_space import TileSums, membership_space
from chancecorr.clusterings.permuted import Sums, sums_of_factors, sums_of_tiles
from chancecorr.clusterings.sides import (
    Memberships,
    Partition,
    Side,
    as_memberships,
    require_cover,
    require_shares,
)
from chancecorr.clusterings.tiles import Tiling, split
from chancecorr.exact.laws.ties import EPSILON
from chancecorr.exact.moments.pair_space import PairSpace, permutation_moments
from chancecorr.machine.arrays import Floats
from chancecorr.simulation.tally import Counts, Tally, distinct
from chancecorr.tables.reading import contingency_table

MOST_VALUES = 1 << 22
"""Distinct values of a side that are held exactly, those of 2,900 objects; beyond, they are rounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """An index of two sides, and its mean and variance under permutations."""

    observed: float
    expected: float
    variance: float  # nan if it has to be sampled
    error: float = 0.0  # bound of the error of `expected`, rounding aside
    adjusted: float | None = None  # if it is found more exactly than from the numbers above
    sums: Sums  # from permutations to sums over pairs; the index is ``at_zero + slope * sum``
    at_zero: float
    slope: float

    @property
    def score(self) -> float:
        """Adjusted index; nan if chance alone attains 1."""
        room = 1.0 - self.expected
        if room <= 1000.0 * EPSILON:
            return math.nan
        return (self.observed - self.expected) / room if self.adjusted is None else float(self.adjusted)


def rand_agreement(P: Side, Q: Side, tiles: Tiling) -> Agreement:
    """Rand index: the mean over pairs of ``P Q + (1 - P) (1 - Q)``."""
    require_shares("P", P)
    require_shares("Q", Q)
    n = P.n
    if n < 2:
        return _nothing()
    pairs = math.comb(n, 2)
    factors = _factors(P, Q)
    if factors is not None:
        spaces = membership_space(factors[0]), membership_space(factors[1])
        sums = sums_of_factors(*factors)
        observed, expected, adjusted = _rand_of_factors(P, Q, spaces, sums)
    else:
        spaces, degrees = _spaces_by_tiles(P, Q, tiles)
        a, b, c, d = degrees
        shares = (a + b) / pairs, (a + c) / pairs
        sums = sums_of_tiles(P, Q, PRODUCTS, tiles, shares)
        observed, adjusted = (a + d) / pairs, adjusted_rand(degrees)
        expected = shares[0] * shares[1] + (c + d) / pairs * ((b + d) / pairs)
    _, variance = permutation_moments(*spaces)
    return Agreement(
        observed=observed,
        expected=expected,
        variance=4.0 * variance / pairs**2,
        adjusted=adjusted,
        sums=sums,
        at_zero=expected,
        slope=2.0 / pairs,
    )


class _Comparison(NamedTuple):
    """An index ``at_zero + sign * mean of compared(p, q)`` over the similarities p and q of the pairs."""

    loop: int
    compared: Callable[[Floats, Floats], Floats]
    mean: Callable[[Counts, Counts], float]  # of `compared`, all values of one side with all of the other
    at_zero: float
    sign: float


def fuzzy_rand_agreement(P: Side, Q: Side, tiles: Tiling) -> Agreement:
    """Fuzzy Rand index: one less the mean over pairs of ``|P - Q|``."""
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return rand_agreement(P, Q, tiles)
    require_shares("P", P)
    require_shares("Q", Q)
    P, Q = (replace(side, by_distance=True) if isinstance(side, Memberships) else side for side in (P, Q))
    how = _Comparison(DIFFERENCES, lambda p, q: np.abs(p - q), _mean_difference, 1.0, -1.0)
    return _agreement_by_values(P, Q, tiles, how)


def omega_agreement(P: Side, Q: Side, tiles: Tiling) -> Agreement:
    """Omega index, not adjusted: the share of pairs that are together in as many clusters on both sides."""
    if isinstance(P, Partition) and isinstance(Q, Partition):
        return rand_agreement(P, Q, tiles)
    require_cover("P", P)
    require_cover("Q", Q)
    how = _Comparison(EQUALITIES, lambda p, q: (p == q).astype(np.float64), _share_of_equals, 0.0, 1.0)
    return _agreement_by_values(P, Q, tiles, how)


MEASURES: dict[str, Callable[[Side, Side, Tiling], Agreement]] = {
    "rand": rand_agreement,
    "fuzzy_rand": fuzzy_rand_agreement,
    "omega": omega_agreement,
}


def _factors(P: Side, Q: Side) -> tuple[Memberships, Memberships] | None:
    """Both sides as memberships, if products of their clusters cost less than a loop over the pairs."""
    first, second = as_memberships(P), as_memberships(Q)
    if first is None or second is None or first.rows.shape[1] * second.rows.shape[1] > P.n:
        return None
    return first, second


def _rand_of_factors(
    P: Side, Q: Side, spaces: tuple[PairSpace, PairSpace], sums: Sums
) -> tuple[float, float, float]:
    """Observed, expected and adjusted Rand index, from sums in which nothing cancels."""
    n = P.n
    pairs = math.comb(n, 2)
    if isinstance(P, Partition) and isinstance(Q, Partition):
        a, b, c, d = contingency_table(P.codes, Q.codes).pair_counts
        mean = Fraction((a + b) * (a + c) + (c + d) * (b + d), pairs**2)
        return (a + d) / pairs, float(mean), adjusted_rand(PairDegrees(a, b, c, d))
    p, q = (space.total / pairs for space in spaces)
    expected = p * q + (1.0 - p) * (1.0 - q)
    above = float(sums(np.arange(n, dtype=np.int64)[None])[0]) / pairs
    room = 0.5 * (p * (1.0 - q) + q * (1.0 - p))
    return min(1.0, expected + 2.0 * above), expected, above / room if room > 0.0 else 1.0


def _spaces_by_tiles(P: Side, Q: Side, tiles: Tiling) -> tuple[tuple[PairSpace, PairSpace], PairDegrees]:
    """Pair spaces and pair degrees of two sides, from one pass over the tiles of both."""
    of_p, of_q = TileSums(P.n), TileSums(Q.n)
    degrees = []
    for rows, columns, p, q in _both(P, Q, tiles):
        of_p.add(rows, columns, p)
        of_q.add(rows, columns, q)
        degrees.append(degree_sums(split(rows, columns, p).pairs, split(rows, columns, q).pairs))
    return (of_p.space(), of_q.space()), pair_degrees(degrees)


def _both(P: Side, Q: Side, tiles: Tiling) -> Iterator[tuple[slice, slice, Floats, Floats]]:
    """Tiles of two sides with the same rows and columns."""
    for (rows, columns, p), (_, _, q) in zip(P.tiles(tiles), Q.tiles(tiles), strict=True):
        yield rows, columns, p, q


def _agreement_by_values(P: Side, Q: Side, tiles: Tiling, how: _Comparison) -> Agreement:
    """Index that compares values, from one pass over the tiles of both sides; its variance is known if 0."""
    pairs = math.comb(P.n, 2)
    if not pairs:
        return _nothing()
    of_p, of_q, sums = Tally(most=MOST_VALUES), Tally(most=MOST_VALUES), []
    for rows, columns, p_tile, q_tile in _both(P, Q, tiles):
        p, q = split(rows, columns, p_tile).pairs, split(rows, columns, q_tile).pairs
        sums.append(float(np.sum(how.compared(p, q))))
        of_p.add(*distinct(p))
        of_q.add(*distinct(q))
    levels = of_p.result(), of_q.result()
    is_constant = any(values.size == 1 for values, _ in levels)
    return Agreement(
        observed=how.at_zero + how.sign * (math.fsum(sums) / pairs),
        expected=how.at_zero + how.sign * how.mean(*levels),
        error=max(of_p.step, of_q.step),
        variance=0.0 if is_constant else math.nan,
        sums=sums_of_tiles(P, Q, how.loop, tiles, (0.0, 0.0)),
        at_zero=how.at_zero,
        slope=how.sign / pairs,
    )


def _share_of_equals(p: Counts, q: Counts) -> float:
    """Chance that a value of one side equals one of the other, both drawn at random."""
    _, of_p, of_q = np.intersect1d(p[0], q[0], assume_unique=True, return_indices=True)
    equal = sum(int(x) * int(y) for x, y in zip(p[1][of_p], q[1][of_q], strict=True))
    return equal / (int(p[1].sum()) * int(q[1].sum()))


def _mean_difference(p_values: Counts, q_values: Counts) -> float:
    """Mean of ``|x - y|`` over all values x, y of two sides: the integral of ``F (1 - G) + G (1 - F)``."""
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


def _nothing() -> Agreement:
    """Agreement of fewer than two objects."""
    numbers = dict.fromkeys(("observed", "expected", "variance", "adjusted", "at_zero", "slope"), math.nan)
    return Agreement(sums=lambda permutations: np.full(len(permutations), math.nan), **numbers)
