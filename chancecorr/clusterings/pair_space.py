"""Pair spaces of memberships and of matrices: parts at right angles, see `chancecorr.exact.pair_space`."""

import math
from dataclasses import dataclass

import numpy as np

from chancecorr.clusterings.membership import Membership
from chancecorr.clusterings.tiles import split
from chancecorr.exact.pair_space import PairSpace
from chancecorr.exact.summary import rounding
from chancecorr.machine.arrays import Floats

CANCELLED = 1e-13
"""Share of terms that cancel below which nothing is left of them but rounding."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A matrix over pairs as ``rows_i . rows_j + own_i + own_j + constant``."""

    rows: Floats  # of memberships less their mean, so that nothing large is left to cancel
    own: Floats  # term of each object in all its pairs
    squares: Floats  # squared length of each row
    sums: Floats  # inner product of each row with the sum of all others
    mean: Floats  # subtracted from the rows

    @property
    def total(self) -> float:
        """Sum over the pairs, without the constant."""
        return math.fsum(self.sums) / 2.0 + (self.own.size - 1) * math.fsum(self.own)


def factor(side: Membership) -> Factor:
    """Factor of memberships."""
    rows = side.rows - side.rows[:1]
    rows[np.abs(rows) <= rounding(1.0)] = 0.0  # of shares; all of them if the rows are the same
    shift = rows.mean(axis=0)
    mean, rows = side.rows[0] + shift, rows - shift
    squares = np.einsum("ik,ik->i", rows, rows)
    return Factor(rows, rows @ mean, squares, rows @ rows.sum(axis=0) - squares, mean)


def membership_space(side: Membership) -> PairSpace:
    """Pair space of inner products of memberships, from their K x K products, in ``n K**2`` steps."""
    n = side.n
    if n == 0:
        return PairSpace(0, 0.0, 0.0, 0.0)
    given = factor(side)
    of_clusters = side.rows.sum(axis=0)
    total = (float(of_clusters @ of_clusters) - math.fsum((side.rows**2).ravel())) / 2.0
    if n < 3:
        return PairSpace(n, total, 0.0, 0.0)
    of_rows = given.sums - math.fsum(given.sums) / n
    both = of_rows + (n - 2) * (given.own - math.fsum(given.own) / n)
    products = given.rows.T @ given.rows
    squares = (math.fsum((products * products).ravel()) - math.fsum(given.squares**2)) / 2.0
    rest = squares - (math.fsum(given.sums) / 2.0) ** 2 / math.comb(n, 2) - math.fsum(of_rows**2) / (n - 2)
    # what is left of terms that cancel, as for singletons, is no variance
    mean = given.mean
    terms = math.fsum(given.sums**2) + (n - 2) ** 2 * math.fsum(given.squares) * float(mean @ mean)
    of_objects = math.fsum(both**2)
    return PairSpace(
        n,
        total,
        of_objects / (n - 2) if of_objects > CANCELLED**2 * terms else 0.0,
        rest if n > 3 and rest > CANCELLED * squares else 0.0,
    )


class TileSums:
    """Pair space of any matrix, from its tiles, each seen once: Chan, Golub & LeVeque (1979)."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._origin: float | None = None  # the first value, so that a constant matrix is 0
        self._ends: list[float] = []  # the smallest and the largest value of each tile
        self._rows = np.zeros(n)
        self._parts: list[tuple[int, float, float]] = []
        self._totals: list[float] = []

    def add(self, rows: slice, columns: slice, tile: Floats) -> None:
        """Add a tile on or above the diagonal."""
        pairs = split(rows, columns, tile).pairs
        if pairs.size == 0:
            return
        self._origin = float(pairs[0]) if self._origin is None else self._origin
        self._ends += [float(pairs.min()), float(pairs.max())]
        shifted = tile - self._origin
        if rows == columns:
            shifted = np.triu(shifted, 1)
        self._rows[rows] += shifted.sum(axis=1)
        self._rows[columns] += shifted.sum(axis=0)
        values = pairs - self._origin
        mean = float(values.mean())
        values -= mean
        self._parts.append((pairs.size, mean, float(np.sum(values * values))))
        self._totals.append(float(np.sum(pairs)))

    def space(self) -> PairSpace:
        """Pair space of the matrix."""
        n, total = self._n, math.fsum(self._totals)
        if n < 3 or np.ptp(self._ends) <= rounding(*self._ends):
            return PairSpace(n, total, 0.0, 0.0)
        sizes, means, within = np.array(self._parts).T
        means = means - math.fsum(sizes * means) / math.fsum(sizes)
        squares = math.fsum(within + sizes * means**2)
        rows = self._rows - math.fsum(self._rows) / n
        of_objects = math.fsum(rows**2) / (n - 2)
        return PairSpace(n, total, of_objects, max(squares - of_objects, 0.0) if n > 3 else 0.0)
