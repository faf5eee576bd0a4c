"""Whether an index rises or falls with T, if the margins are fixed.

Its extreme values are then those of an extreme T, a whole number, so that no rounding decides a tie.
"""

import numpy as np

from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.ties import tie_slack
from chancecorr.indices.evaluation import values_of_pair_sums
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats
from chancecorr.tables.contingency import Margins

STEPS, WIDE_STEPS = 512, 64
"""Steps of the grids between the bounds of T, and over all T that leave no pair count negative."""


def direction_in_pair_sum(index: Index, margins: Margins) -> int:
    """1 if a ``"pairs"`` index rises strictly with T over all that T can be, -1 if it falls, else 0."""
    low, high = pair_sum_range(margins)
    if low == high:
        return 0
    values = _on_grid(index, margins, low, high, STEPS)
    steps = _steps(values)
    if (steps > 0).all() or (steps < 0).all():
        return 1 if steps[0] > 0 else -1
    # With 10**8 objects and more, neighbouring values may round to the same float. The index is then looked
    # at over all T for which no pair count is negative, its ends left out, as it may be 0/0 there.
    slack = tie_slack(0.0, values)
    n, (A, B) = margins.n, margins.squares
    low, high = max(n, A + B - n * n), min(A, B)
    if high - low < 8:
        return 0
    wide = _steps(_on_grid(index, margins, low, high, WIDE_STEPS)[1:-1])
    for sign in (1, -1):
        if (sign * wide > 0).all() and (sign * steps >= -slack).all():
            return sign
    return 0


def _steps(values: Floats) -> Floats:
    """Differences of neighbours; nan, which is neither a rise nor a fall, between infinite ones."""
    with np.errstate(invalid="ignore"):
        return np.diff(values)


def _on_grid(index: Index, margins: Margins, low: int, high: int, parts: int) -> Floats:
    """Values of the index at T from low to high in about equal steps."""
    parts = min((high - low) // 2, parts)
    whole, rest = divmod((high - low) // 2, parts)
    i = np.arange(parts + 1, dtype=np.int64)
    return values_of_pair_sums(index, low + 2 * (whole * i + rest * i // parts), margins)
