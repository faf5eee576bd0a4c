"""Two clusters against two: one free cell determines the whole table, and its law is hypergeometric.

With row totals r and n - r and column totals c and n - c, the table is ::

    x        r - x
    c - x    n - r - c + x

A law lists the values of x that occur, not the range of some index. Where they are too many, the middle ones
carry all but 1e-12: 200,000 of them for n = 3e9. Further out the probabilities fall at least geometrically.
So a tail, however small, is the probability of its first value times a short sum of products of ratios.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from chancecorr.exact.laws.closed import LEAST_LOST_MASS, LOST_MASS, hypergeometric_law
from chancecorr.exact.laws.ties import EPSILON
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.null.kernels.hypergeometric import NO_TABLE, log_scale, log_weight
from chancecorr.tables.contingency import Margins


class FreeCell(NamedTuple):
    """The first cell of the two clusters of each side that hold objects, x in the head of this module."""

    n: int  # number of objects
    r: int  # total of its row
    c: int  # total of its column
    rows: tuple[int, int]  # places of the two clusters that hold objects
    columns: tuple[int, int]
    shape: tuple[int, int]  # numbers of rows and of columns, empty ones included

    @property
    def low(self) -> int:
        """Least x."""
        return max(0, self.r + self.c - self.n)

    @property
    def high(self) -> int:
        """Largest x."""
        return min(self.r, self.c)

    @property
    def mode(self) -> int:
        """Likeliest x."""
        return min(max((self.r + 1) * (self.c + 1) // (self.n + 2), self.low), self.high)


def free_cell(margins: Margins) -> FreeCell | None:
    """Free cell of margins of two clusters that hold objects on each side; None for other margins."""
    rows, columns = (np.flatnonzero(totals) for totals in (margins.row_totals, margins.column_totals))
    if not rows.size == columns.size == 2:
        return None
    return FreeCell(
        n=margins.n,
        r=int(margins.row_totals[rows[0]]),
        c=int(margins.column_totals[columns[0]]),
        rows=(int(rows[0]), int(rows[1])),
        columns=(int(columns[0]), int(columns[1])),
        shape=(margins.row_totals.size, margins.column_totals.size),
    )


def tables_with(cell: FreeCell, x: Integers) -> Integers:
    """Tables with these values of the free cell, shape (m, K, Q)."""
    tables = np.zeros((x.size, *cell.shape), dtype=np.int64)
    (i, k), (j, m) = cell.rows, cell.columns
    tables[:, i, j], tables[:, i, m] = x, cell.r - x
    tables[:, k, j], tables[:, k, m] = cell.c - x, cell.n - cell.r - cell.c + x
    return tables


def law_of_free_cell(cell: FreeCell, limit: int) -> tuple[Integers, Floats, float]:
    """Values of x, if over `limit` the middle ones, their probabilities, and a bound of that of others."""
    x, p = hypergeometric_law(cell.n, cell.r, cell.c)
    x, p = x[p > 0.0], p[p > 0.0]
    if x.size <= limit:
        return x, p, LEAST_LOST_MASS
    half = 0.5 * LOST_MASS * (1.0 - 1e-6)  # the sums are rounded
    first = int(np.searchsorted(np.cumsum(p), half))
    end = p.size - int(np.searchsorted(np.cumsum(p[::-1]), half))
    return x[first:end], p[first:end], LOST_MASS


def values_at_risk(cell: FreeCell) -> Integers:
    """Values of x at which a function of the table may be infinite or undefined, and is not elsewhere."""
    n, r, c = cell.n, cell.r, cell.c
    # a cell is empty, two of a row or a column are equal, the diagonals are, or the sides are independent
    special = [cell.low, cell.high, r // 2, c // 2, (2 * r + c - n) // 2, (r + 2 * c - n) // 2]
    special += [(2 * (r + c) - n) // 4, r * c // n]
    near = (np.array(special, dtype=np.int64)[:, None] + np.arange(-2, 3)).ravel()
    even = np.linspace(cell.low, cell.high, 1025).astype(np.int64)
    return np.unique(np.concatenate([near, even]).clip(cell.low, cell.high))


def log_tail_of_pair_sum(cell: FreeCell, x: int, side: str) -> float:
    """``log P(T >= T of x)``, or of ``T <= T of x`` if the side is "less".

    T is ``4 (x - m)**2`` and a constant, with ``2 m = r + c - n/2``: values of x are as extreme outside x and
    its mirror image, or between the two.
    """
    twice_image = 2 * (cell.r + cell.c - x) - cell.n
    first, last = min(x, -(-twice_image // 2)), max(x, twice_image // 2)
    if side == "less":
        return _log_of_run(cell, first, last)
    below, above = min(x, twice_image // 2), max(x, -(-twice_image // 2))
    upper = _log_of_run(cell, max(above, below + 1), cell.high)
    return float(np.logaddexp(_log_of_run(cell, cell.low, below), upper))


def log_probabilities(cell: FreeCell, x: Integers) -> Floats:
    """``log P(X is x)`` of each."""
    from scipy.special import betaln

    def log_binomial(n: int, k: Any) -> Any:
        return -betaln(n - k + 1.0, k + 1.0) - math.log(n + 1.0)

    ways = log_binomial(cell.r, x) + log_binomial(cell.n - cell.r, cell.c - x)
    return np.asarray(ways - log_binomial(cell.n, cell.c))


def _log_of_run(cell: FreeCell, first: int, last: int) -> float:
    """``log P(first <= X <= last)``, from the likeliest value outward."""
    first, last = max(first, cell.low), min(last, cell.high)
    if first > last:
        return -math.inf
    start = min(max(cell.mode, first), last)
    log_p = log_probability(cell, start, last)
    return float(np.logaddexp(log_p, log_probability(cell, start - 1, first))) if start > first else log_p


def log_probability(cell: FreeCell, first: int, last: int) -> float:
    """``log P(X is first, last or between)``, where probabilities do not rise from first to last."""
    n, r, c = cell.n, cell.r, cell.c
    total, product, at, terms = 1.0, 1.0, first, 1024  # ratios at first, then twice as many as before
    while at != last and product > 0.01 * EPSILON * total:
        left = min(terms, abs(last - at))
        k = np.arange(left, dtype=np.float64)
        if last > first:
            x = at + k
            ratios = (r - x) * (c - x) / ((x + 1.0) * (n - r - c + x + 1.0))
        else:
            x = at - k
            ratios = x * (n - r - c + x) / ((r - x + 1.0) * (c - x + 1.0))
        products = product * np.cumprod(ratios)
        total += float(products.sum())
        product, terms = float(products[-1]), 2 * terms
        at += left if last > first else -left
    log_first = float(log_weight(first, n, r, c, NO_TABLE)) + float(log_scale(n, r, c))
    return log_first + math.log(total)
