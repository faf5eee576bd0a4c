"""Between which bounds ``T = sum n_ij**2`` lies, without enumeration."""

import functools
import math
from collections.abc import Sequence

import numpy as np

from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import Margins


@functools.lru_cache(maxsize=32)
def pair_sum_range(margins: Margins) -> tuple[int, int]:
    """Bounds of ``T = sum(n_ij**2)``, with the parity of n; the upper one may be 15 % above the largest T."""
    rows, columns = (totals[totals > 0] for totals in (margins.row_totals, margins.column_totals))
    low, high = pair_bounds(rows, columns)
    return margins.n + 2 * low, margins.n + 2 * high


def pair_bounds(rows: Integers, columns: Integers) -> tuple[int, int]:
    """Bounds of ``sum C(n_ij, 2)`` for totals above 0; equal when there is one row, one column or no object.

    The lower bound is the largest of five. The largest row and the largest column share at least
    ``row + column - n`` objects. Each row, or each column, has the fewest pairs when spread evenly over its
    cells. ``sum n_ij**2`` is at least ``A / Q + B / K - n**2 / (K Q)``, also for cells that are not whole.
    And the number of pairs apart in both is not negative. For the upper bound each row, or each column, is
    packed as if alone.
    """
    K, Q = rows.size, columns.size
    if K == 0:
        return 0, 0
    n = int(rows.sum())
    A, B = (sum(total * total for total in totals.tolist()) for totals in (rows, columns))
    projection = -((n * n - A * K - B * Q) // (K * Q))
    common = max(0, int(rows.max() + columns.max()) - n)
    low = max(
        -((n - projection) // 2),
        (A + B - n * n - n) // 2,
        math.comb(common, 2),
        int(spread_pairs(rows, Q).sum()),
        int(spread_pairs(columns, K).sum()),
    )
    sides = np.sort(rows).tolist(), np.sort(columns).tolist()
    high = min(sum(packed_squares(each, others[::-1])) for each, others in (sides, sides[::-1]))
    return low, (high - n) // 2


def spread_pairs(totals: Integers, parts: int) -> Integers:
    """``sum C(n_ij, 2)`` of each total spread evenly over so many cells."""
    each, rest = np.divmod(totals, parts)
    return np.asarray(parts * (each * (each - 1) // 2) + rest * each, dtype=np.int64)


def packed_squares(totals: Sequence[int], places: Sequence[int]) -> list[int]:
    """Largest ``sum n_ij**2`` of each of these totals alone, when a place takes no more than its size."""
    out = []
    full = filled = squares = 0  # places filled, their sum, and the sum of their squares
    for total in totals:
        while full < len(places) and filled + places[full] <= total:
            filled += places[full]
            squares += places[full] * places[full]
            full += 1
        out.append(squares + (total - filled) ** 2)
    return out
