"""Probability that ``T = sum n_ij**2`` is at least as large as a value far above chance, exactly.

Few tables have so large a T, however many there are in all. They are dealt row by row; a branch that can no
longer reach the value is left out, as in branch and bound, and branches that have become alike are one. All
terms are positive and kept as logarithms, so that every digit of the smallest probability is kept.
"""

import math

import numpy as np

from chancecorr.exact.laws.kernels.upper_tail import FULL, STOPPED, deal_row, most_pairs
from chancecorr.null.kernels.hypergeometric import TABLE_LIMIT
from chancecorr.null.permutation import log_factorials
from chancecorr.tables.contingency import Margins

FEWEST_STATES, MOST_STATES = 1 << 10, 1 << 19
"""Room for the states after a row, at first and at most; in between it grows eightfold."""

SECONDS_PER_STEP = 2e-8
"""Time of one step of the walk, on one thread."""

RELATIVE_ERROR = 1e-9
"""Share by which the probability can be off: logarithms near 1000 are rounded by 1e-13, and added often."""


def log_upper_tail(margins: Margins, pair_sum: int, *, budget: float = 0.5) -> float | None:
    """``log P(T >= pair_sum)`` under fixed margins; None where that takes more than about `budget` seconds.

    It is -inf where no table has so large a T. Which steps are made does not depend on the clock: the budget
    stands for a number of steps.

    Notes
    -----
    Null model: both margins fixed. Relative error of the probability below 1e-9.

    Examples
    --------
    >>> log_p = log_upper_tail(Margins([50, 50, 50], [50, 50, 50]), 7500)  # the three clusters themselves
    >>> abs(log_p - (math.log(6) + 3 * math.lgamma(51) - math.lgamma(151))) < RELATIVE_ERROR
    True
    """
    rows, columns = (np.sort(x[x > 0])[::-1] for x in (margins.row_totals, margins.column_totals))
    if rows.size < columns.size:
        rows, columns = columns, rows
    n, Q = margins.n, columns.size
    if n > TABLE_LIMIT or n < 1:
        return None
    wanted = -(-(pair_sum - n) // 2)
    left = int(budget / SECONDS_PER_STEP)
    table = log_factorials(n)
    assert table is not None
    sizes = range(int(columns[0]) + 1)
    states, so_far, logs = columns[np.newaxis].copy(), np.zeros(1, dtype=np.int64), np.zeros(1)
    workspace, weights = np.empty((8, 2 * Q), dtype=np.int64), np.empty(Q)
    log_p = -math.inf
    most_after = np.array([most_pairs(s, rows, 0) for s in sizes])
    for i in range(rows.size - 1):
        most_before, most_after = most_after, np.array([most_pairs(s, rows, i + 1) for s in sizes])
        room = FEWEST_STATES
        while True:
            slots = np.full(2 * room, -1)
            new_states, new_so_far = np.empty((room, Q), dtype=np.int64), np.empty(room, dtype=np.int64)
            new_logs = np.empty(room)
            found, sure, work = deal_row(
                int(rows[i]), rows[i + 1 :], wanted, most_before, most_after, table, logs.size, states,
                so_far, logs, slots, workspace, weights, new_states, new_so_far, new_logs, left,
            )  # fmt: skip
            left -= work
            if found != FULL or room == MOST_STATES:
                break
            room *= 8
        if found in (FULL, STOPPED):
            return None
        log_p = float(np.logaddexp(log_p, sure))
        states, so_far, logs = new_states[:found], new_so_far[:found], new_logs[:found]
    # the last row is what is left of the columns
    reached = so_far + (states * (states - 1) // 2).sum(axis=1) >= wanted
    return float(np.logaddexp.reduce(np.append(logs[reached], log_p)))
