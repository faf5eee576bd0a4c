"""Small p-values for two clusters against two, where they are sums of hypergeometric probabilities.

On either side of the likeliest value of the free cell, an index is mostly as extreme as the observed one from
some place outward, or between two places. These places are looked for on a grid, then by bisection; the
probability of what lies between them is known to all digits, however small it is.
"""

import math
from collections.abc import Callable

import numpy as np

from chancecorr.exact.laws.ties import EPSILON, tie_slack
from chancecorr.exact.laws.two_by_two import (
    FreeCell,
    free_cell,
    log_probability,
    tables_with,
    values_at_risk,
)
from chancecorr.indices.registry import Index
from chancecorr.kinds import kind_of
from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.tables.contingency import ContingencyTable

EVENLY, FROM_THE_ENDS = 1024, 256
"""Values on one side at which the index is evaluated first: evenly, and ever further apart from both ends."""

AT_ONCE = 64
"""Values at which it is evaluated in one step of the bisection."""

AROUND = 256
"""Values before and after a place that is found, all of which are looked at."""

FEWEST_EVALUATIONS = 100_000
"""What a kind of index must be able to pay for an answer, of which this takes about a tenth."""

LEAST_ERROR = 1e-11
"""Relative error of a probability, apart from the rounding of its logarithm."""

ROUNDINGS = 16.0
"""Units in the last place of ``log p`` by which it may be off; six were seen, for up to 3e9 objects."""

Comparison = Callable[[Integers], Booleans]
"""Which values x of the free cell give an index as extreme as the observed one."""


def log_p_of_two_by_two(
    index: Index, table: ContingencyTable, observed: float, alternative: str, side: str | None
) -> tuple[float, float] | None:
    """``log P`` of an index as extreme as observed, and the relative error of P.

    None for other than two clusters against two, and where the places at which the index becomes extreme are
    not known. `side` is "greater" or "less" where the extreme values are those of a large or a small T.
    T is compared then: indices of neighbouring values of T may round to the same float.
    """
    cell = free_cell(table.margins)
    if cell is None or kind_of(index).evaluations(index) < FEWEST_EVALUATIONS:
        return None
    x = int(table.dense_counts()[cell.rows[0], cell.columns[0]])
    near = np.arange(x - 2, x + 3).clip(cell.low, cell.high)
    places = np.unique(np.concatenate([values_at_risk(cell), near]))
    is_extreme = _comparison(cell, index, table, observed, alternative, side, places)
    log_p = -math.inf
    for direction in (1, -1):
        runs = _extreme_runs(cell, direction, places, is_extreme)
        if runs is None:
            return None
        for first, last in runs:
            log_p = float(np.logaddexp(log_p, log_probability(cell, first, last)))
    return log_p, LEAST_ERROR + ROUNDINGS * EPSILON * abs(log_p)


def _comparison(
    cell: FreeCell,
    index: Index,
    table: ContingencyTable,
    observed: float,
    alternative: str,
    side: str | None,
    places: Integers,
) -> Comparison:
    """Function that says at which x the index is as extreme as observed; ties by its size at some places."""
    if side is not None:
        T = table.sum_of_squares

        def by_pair_sum(x: Integers) -> Booleans:
            tables = tables_with(cell, x)
            sums = np.einsum("tij,tij->t", tables, tables)
            return np.asarray(sums >= T if side == "greater" else sums <= T)

        return by_pair_sum

    def values(x: Integers) -> Floats:
        return kind_of(index).values(index, tables_with(cell, x), table.margins)

    slack = tie_slack(observed, values(places))
    if alternative == "greater":
        return lambda x: values(x) >= observed - slack
    return lambda x: values(x) <= observed + slack


def _extreme_runs(
    cell: FreeCell, direction: int, places: Integers, is_extreme: Comparison
) -> list[tuple[int, int]] | None:
    """First and last x of each run of extreme values, from the mode outward; None where that is extreme."""
    end = cell.high if direction > 0 else cell.low
    span = abs(end - cell.mode)
    if span == 0:
        return None if is_extreme(np.array([cell.mode]))[0] else []
    away = np.geomspace(1.0, span, FROM_THE_ENDS).astype(np.int64)
    known = (direction * (places - cell.mode)).clip(0, span)
    steps = np.unique(
        np.concatenate([np.linspace(0, span, EVENLY).astype(np.int64), away, span - away, known, [0, span]])
    )
    extreme_at = is_extreme(cell.mode + direction * steps)
    if extreme_at[0]:
        return None
    runs: list[tuple[int, int]] = []
    first = None
    for k in np.flatnonzero(extreme_at[1:] != extreme_at[:-1]).tolist():
        place = _first_unlike(cell.mode, direction, int(steps[k]), int(steps[k + 1]), is_extreme)
        if place is None:
            return None
        if first is None:
            first = place
        else:
            runs.append((cell.mode + direction * first, cell.mode + direction * (place - 1)))
            first = None
    return runs if first is None else [*runs, (cell.mode + direction * first, end)]


def _first_unlike(mode: int, direction: int, before: int, after: int, is_extreme: Comparison) -> int | None:
    """First step from the mode at which it is as after, and not as before; None if it changes more than once.

    As far as is looked at: at some places in between, and at all that are near.
    """
    low, high, found = before, after, before
    as_after = bool(is_extreme(np.array([mode + direction * after]))[0])

    def changes(steps: Integers) -> Booleans:
        return np.equal(is_extreme(mode + direction * steps), as_after)

    while after - before > 1:
        steps = np.unique(np.linspace(before, after, AT_ONCE).astype(np.int64))
        changed = changes(steps)
        found = int(changed.argmax())
        if not changed[found:].all():
            return None
        before, after = int(steps[found - 1]), int(steps[found])
    around = np.arange(max(low, after - AROUND), min(high, after + AROUND) + 1)
    return after if np.array_equal(changes(around), around >= after) else None
