"""Probability that ``T = sum n_ij**2``, or the mutual information, is as large as a value far above chance.

Few tables have so large a sum, however many there are in all. They are dealt row by row; a branch that can no
longer reach the value is left out, as in branch and bound, and branches that have become alike are one. All
terms are positive and kept as logarithms, so that every digit of the smallest probability is kept.
"""

import math

import numpy as np

from chancecorr.exact.laws.kernels.upper_tail import FULL, STOPPED, deal_row, fill_most_worth
from chancecorr.exact.laws.ties import EPSILON
from chancecorr.machine.arrays import Integers
from chancecorr.null.kernels.hypergeometric import TABLE_LIMIT
from chancecorr.null.permutation import log_factorials
from chancecorr.tables.contingency import ContingencyTable, Margins

FEWEST_STATES, MOST_STATES = 1 << 10, 1 << 19
"""Room for the states after a row, at first and at most; in between it grows eightfold."""

SECONDS_PER_STEP = 2e-8
"""Time of one step of the walk, on one thread."""

RELATIVE_ERROR = 1e-9
"""Share by which the probability can be off: logarithms near 1000 are rounded by 1e-13, and added often."""

UNITS = 2.0**60
"""Units in ``n log n``: what a sum of ``x log x`` is counted in."""

ROUNDING = 12.0 * EPSILON
"""What rounding makes of equal sums of ``x log x``, as a share of them: of each one 4 units in the last place
by NumPy's logarithm, and half a unit by each of two products; 2 units are to spare."""


def log_upper_tail(margins: Margins, pair_sum: int, *, budget: float = 0.5) -> float | None:
    """``log P(T >= pair_sum)`` under fixed margins; None where that takes more than about `budget` seconds.

    It is -inf where no table has so large a T. Which steps are made does not depend on the clock: the budget
    stands for a number of steps.

    Notes
    -----
    Null model: both margins fixed. Relative error of the probability below 1e-9.
    """
    if margins.n > TABLE_LIMIT:
        return None
    x = _counts(margins)
    return _log_tail(margins, x * (x - 1) // 2, -(-(pair_sum - margins.n) // 2), budget)


def log_upper_tail_of_information(table: ContingencyTable, *, budget: float = 0.5) -> float | None:
    """``log P(I >= I of this table)`` under its margins, I the mutual information; as `log_upper_tail`.

    With the margins fixed I goes up with ``sum x log x`` over the cells x, the logarithm of ``prod x**x``; of
    different cells it can be the same, as of ``4**4 = (2**2)**4``. It is counted in units of
    ``n log n / 2**60``. What is less by rounding alone is a tie: by `ROUNDING` of it, and a unit a cell. No
    tie is lost, and the probability is never too small. Up to 85 objects no two different sums are closer
    than 1e-11 of themselves: all were compared.
    """
    n = table.n
    if n > TABLE_LIMIT:
        return None
    x = _counts(table.margins)
    scale = UNITS / max(n * math.log(n), 1.0) if n > 0 else 1.0
    worth = np.rint(scale * (x * np.log(np.maximum(x, 1)))).astype(np.int64)
    observed = int(worth[table.nonzero_cells[2]].sum())
    slack = int(ROUNDING * observed) + min(math.prod(table.shape), n)
    return _log_tail(table.margins, worth, observed - slack, budget)


def _counts(margins: Margins) -> Integers:
    """Counts that a cell can have, and one more."""
    return np.arange(int(min(margins.row_totals.max(initial=0), margins.column_totals.max(initial=0))) + 2)


def _log_tail(margins: Margins, worth: Integers, wanted: int, budget: float) -> float | None:
    """Log of the probability of at least the `wanted` sum of ``worth[n_ij]``."""
    rows, columns = (np.sort(x[x > 0])[::-1] for x in (margins.row_totals, margins.column_totals))
    if rows.size < columns.size:
        rows, columns = columns, rows
    n, Q = margins.n, columns.size
    if n < 1:
        return None
    left = int(budget / SECONDS_PER_STEP)
    left -= rows.size * (int(columns[0]) + 1) * min(rows.size, 20)  # what `fill_most_worth` takes
    if left < 0:
        return None
    table = log_factorials(n)
    assert table is not None
    most = np.empty((2, int(columns[0]) + 1), dtype=np.int64)
    states, so_far, logs = columns[np.newaxis].copy(), np.zeros(1, dtype=np.int64), np.zeros(1)
    workspace, weights = np.empty((8, 2 * Q), dtype=np.int64), np.empty(Q)
    log_p = -math.inf
    fill_most_worth(rows, 0, worth, most[0])
    for i in range(rows.size - 1):
        most_before, most_after = most[i % 2], most[(i + 1) % 2]
        fill_most_worth(rows, i + 1, worth, most_after)
        room = FEWEST_STATES
        while True:
            slots = np.full(2 * room, -1)
            new_states, new_so_far = np.empty((room, Q), dtype=np.int64), np.empty(room, dtype=np.int64)
            new_logs = np.empty(room)
            found, sure, work = deal_row(
                int(rows[i]), rows[i + 1 :], worth, wanted, most_before, most_after, table, logs.size, states,
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
    reached = so_far + worth[states].sum(axis=1) >= wanted
    return float(np.logaddexp.reduce(np.append(logs[reached], log_p)))
