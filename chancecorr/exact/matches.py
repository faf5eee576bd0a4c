"""Exact distribution of the number of objects with equal labels on both sides, under fixed margins.

Label k has a_k objects on one side and b_k on the other. A set of j objects with equal labels is part of
``(n - j)!`` of all ways to match the objects of the two sides, and ``r_j`` is the number of these sets: the
coefficient of ``x^j`` in ``prod_k sum_i C(a_k, i) C(b_k, i) i! x^i``. The number of ways with exactly m equal
labels is the coefficient of ``x^m`` in ``sum_j r_j (n - j)! (x - 1)^j``: Riordan (1958), *An Introduction to
Combinatorial Analysis*, chapter 7. All numbers are whole, so that each probability is rounded once.
"""

import math

import numpy as np

from chancecorr.machine.arrays import Floats
from chancecorr.machine.kept import keep_recent
from chancecorr.tables.contingency import Margins

NANOSECONDS_OF_A_STEP, NANOSECONDS_OF_A_WORD = 100.0, 18.0
"""Time of a product or a difference of whole numbers, and for each 64 bits of them."""


def forecast_law_of_matches(margins: Margins) -> float:
    """Forecast the seconds of `compute_law_of_matches`."""
    most = np.minimum(margins.row_totals, margins.column_totals).astype(np.float64)
    steps = float((np.cumsum(most) * most).sum()) + float(most.sum()) ** 2 / 2.0
    words = math.lgamma(margins.n + 1.0) / math.log(2.0) / 64.0
    return 1e-9 * steps * (NANOSECONDS_OF_A_STEP + NANOSECONDS_OF_A_WORD * words)


@keep_recent
def compute_law_of_matches(margins: Margins) -> tuple[Floats, Floats]:
    """Return the possible numbers of objects with equal labels, and their probabilities."""
    n, rooks = margins.n, [1]
    for a, b in zip(margins.row_totals.tolist(), margins.column_totals.tolist(), strict=True):
        of_label = [math.comb(a, j) * math.perm(b, j) for j in range(min(a, b) + 1)]
        product = [0] * (len(rooks) + len(of_label) - 1)
        for i, left in enumerate(rooks):
            for j, right in enumerate(of_label):
                product[i + j] += left * right
        rooks = product
    ways = [rook * math.factorial(n - j) for j, rook in enumerate(rooks)]
    for first in range(len(ways) - 1):  # from powers of x - 1 to powers of x
        for j in range(len(ways) - 2, first - 1, -1):
            ways[j] -= ways[j + 1]
    of_all = math.factorial(n)
    matches = [m for m, number in enumerate(ways) if number]
    return np.array(matches, dtype=np.float64), np.array([ways[m] / of_all for m in matches])
