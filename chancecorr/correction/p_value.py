"""Find p-values, however small: from the null distribution, or by other methods if it ends too early.

The methods are tried in this order until the p-value is accurate enough: the null distribution, the free cell
of two clusters against two, multilevel splitting if a search is requested, and last a proven bound, which the
model computes.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel, Side
from chancecorr.correction.tails import (
    UNKNOWN_TAIL,
    Tail,
    tail_from_count,
    tail_from_log,
    tail_from_p,
    tail_from_splitting,
)
from chancecorr.exact.closed_laws import (
    compute_sparse_law,
    find_free_cell,
    log_probabilities,
    log_tail_of_pair_sum,
    make_tables_with,
)
from chancecorr.exact.summary import EPSILON, ROUNDING_OF_SUMS, find_extreme, sum_probabilities
from chancecorr.indices.index import Index
from chancecorr.machine.arguments import Alternative
from chancecorr.machine.kept import keep_recent
from chancecorr.sampling.splitting import split
from chancecorr.tables.contingency import ContingencyTable, Margins

MAX_ERROR_OF_TABLES = 0.75  # relative error of a sampled p-value: about that from 10 extreme tables
MIN_ERROR_TO_IMPROVE = 1e-6  # an enumerated p-value with a smaller relative error is not improved

MAX_RELATIVE_ERROR = 0.25
"""Largest relative error of a p-value from an enumerated distribution. If the lost mass makes the error
larger, the p-value includes the lost mass and is called a bound."""

MOST_FREE_CELLS = 100_000  # most 2 x 2 tables that are evaluated for one p-value
UNITS_OF_LOG_P = 16.0  # error of ``log p`` of a free cell, in units in the last place; six were observed

MOVES_IN_TIME, MOVES_SECONDS = 25_000_000, 3.0
"""Number of moves of tables that splitting makes in about `MOVES_SECONDS` if T determines the index. If the
index is evaluated after each move, its engine says how many."""

MIN_EVALUATIONS = 30_000  # number of moves in the same time for an index that is not compiled

TABLES_MOVED, MOST_MOVES = 500, 1e15

FEW_CELLS_MOVED, MOST_CELLS_MOVED = 100, 20_000
"""Most cells of tables that are moved at full rate, and of tables for which splitting is tried (80 MB)."""


def find_p_value(
    model: NullModel, index: Index, null: NullDistribution, alternative: Alternative, n_indices: int = 1
) -> Tail:
    """Return the p-value of the data; `n_indices` is the number of indices that share the search budget."""
    if alternative == "two-sided":
        sides: Sequence[Side] = ("greater", "less")
        tails = [find_p_value(model, index, null, side, n_indices) for side in sides]
        # a bound may exist for one side only
        of_sides = [tail for tail in tails if not math.isnan(tail.p_value)]
        if not of_sides:
            return tails[0]
        tail = min(of_sides, key=lambda tail: tail.p_value)
        return replace(
            tail,
            p_value=min(1.0, 2.0 * tail.p_value),
            log_p_value=min(0.0, tail.log_p_value + math.log(2.0)),
            upper=min(1.0, 2.0 * tail.upper),
        )
    if math.isnan(model.observed(index)):
        return replace(UNKNOWN_TAIL, method=null.values_from)
    if null.values_from is None:
        return bound_p_value(model, index, alternative) or UNKNOWN_TAIL
    tail, method = read_p_value(model, index, null, alternative), model.options.method
    if math.isnan(tail.p_value) or method.only_tables:
        return tail
    bound = partial(bound_p_value, model, index, alternative, null)
    if null.values_from == "cumulants":
        return tail if tail.relative_error <= MAX_RELATIVE_ERROR else bound() or tail
    enough = MAX_ERROR_OF_TABLES if null.counts is not None else MAX_RELATIVE_ERROR
    ladder: list[tuple[Callable[[], Tail | None], float]]
    ladder = [(partial(use_free_cell, model, index, alternative), MIN_ERROR_TO_IMPROVE), (bound, math.inf)]
    if model.kept_table is None:
        del ladder[0]
    elif seconds := model.options.limits.search_seconds:
        split_tables = partial(use_splitting, model, index, alternative, seconds, n_indices)
        ladder.insert(1, (split_tables, MAX_ERROR_OF_TABLES))
    for use, good in ladder:  # until the relative error is small enough
        if tail.relative_error <= min(good, enough):
            continue
        further = use()
        if further is not None:  # without relative errors, the smaller upper limit wins
            tail = min(tail, further, key=lambda one: (one.relative_error, one.upper))
    return tail


def read_p_value(model: NullModel, index: Index, null: NullDistribution, side: Side) -> Tail:
    """Return the p-value from the null distribution; T decides ties if the index is monotone in T."""
    if null.shares_reached is not None and not math.isnan(null.values[-1]):
        reached = null.shares_reached[side == "less"]
        if null.counts is None:
            return tail_from_p(reached, 0.0, "exact")
        return tail_from_count(round(reached * null.n_tables), null.n_tables)
    table = None if null.pair_sums is None else model.kept_table
    side_of_pair_sum = None if table is None else model.side_of_pair_sum(index, side)
    if null.pair_sums is not None and side_of_pair_sum is not None and table is not None:
        T = table.sum_of_squares
        if null.values_from == "cumulants":
            tail = use_cumulants(table, side_of_pair_sum)
            return tail or bound_p_value(model, index, side, null) or UNKNOWN_TAIL
        is_reached = null.pair_sums >= T if side_of_pair_sum == "greater" else null.pair_sums <= T
        if null.counts is not None:
            return tail_from_count(int(null.counts[is_reached].sum()), null.n_tables)
        p = min(1.0, sum_probabilities(null.weights[is_reached]) + null.lost_mass)
    else:
        p = null.p_value(model.observed(index), side)
    source = null.values_from
    if math.isnan(p) or source is None:
        return replace(UNKNOWN_TAIL, method=source)
    if null.counts is None:
        error = max(ROUNDING_OF_SUMS, null.lost_mass / p) if p > 0.0 else math.inf
        return tail_from_p(p, error, source, is_bound=error > MAX_RELATIVE_ERROR)
    return tail_from_count(round(p * (null.n_tables + 1)) - 1, null.n_tables)


def bound_p_value(
    model: NullModel, index: Index, side: Side, null: NullDistribution | None = None
) -> Tail | None:
    """Return the proven bound of the model as a p-value; None if the model has no bound."""
    log_p = model.bound_tail(index, side, null)
    return None if log_p is None else tail_from_log(log_p, math.inf, "bound", is_bound=True)


def use_free_cell(model: NullModel, index: Index, side: Side) -> Tail | None:
    """Return the p-value of a 2 x 2 table; None if T does not determine it and the tables are too many."""
    table = model.kept_table
    cell = None if table is None else find_free_cell(table.margins)
    if table is None or cell is None:
        return None
    side_of_pair_sum, engine = model.side_of_pair_sum(index, side), get_engine(index)
    if side_of_pair_sum is not None:
        x = int(table.dense_counts()[cell.rows[0], cell.columns[0]])
        log_p = log_tail_of_pair_sum(cell, x, side_of_pair_sum)
    elif cell.high - cell.low < min(MOST_FREE_CELLS, engine.evaluations(index)):
        all_x = np.arange(cell.low, cell.high + 1)
        values = engine.values(index, make_tables_with(cell, all_x), table.margins)
        reached = all_x[find_extreme(values, model.observed(index), side)]
        log_p = float(np.logaddexp.reduce(log_probabilities(cell, reached)))
    else:
        return None
    return tail_from_log(log_p, ROUNDING_OF_SUMS + UNITS_OF_LOG_P * EPSILON * abs(log_p), "exact")


def use_cumulants(table: ContingencyTable, side: Side) -> Tail | None:
    """Return the p-value of T from factorial cumulants; None if clusters are too few or too large."""
    law = compute_sparse_law(table.margins)
    if law is None:
        return None
    p, error = law.tail(table.sum_of_squares, side)
    return tail_from_p(p, error, "cumulants") if p > 0.0 else None


def use_splitting(
    model: NullModel, index: Index, side: Side, seconds: float, n_indices: int = 1
) -> Tail | None:
    """Return the p-value from multilevel splitting; None if tables are too large.

    `n_indices` is the number of indices that share the seconds if T does not determine them.
    """
    table, engine, seed = model.kept_table, get_engine(index), int(model.options.seed)
    if table is None or math.prod(table.shape) > MOST_CELLS_MOVED:
        return None
    side_of_pair_sum, margins = model.side_of_pair_sum(index, side), table.margins
    moves: float = MOVES_IN_TIME
    if side_of_pair_sum is None:
        moves = max(engine.evaluations(index), MIN_EVALUATIONS) // n_indices
    moves *= seconds / MOVES_SECONDS * min(1.0, FEW_CELLS_MOVED / max(math.prod(table.shape), 1))
    most_moves = int(max(min(moves, MOST_MOVES), 1.0))
    if side_of_pair_sum is not None:
        return _split_pair_sum(margins, table.sum_of_squares, side_of_pair_sum, seed, most_moves)
    engine.prepare(index)
    values = partial(engine.values, index, margins=margins)
    estimate = split(
        margins, model.observed(index), side, values, n_tables=TABLES_MOVED, most_moves=most_moves, rng=seed
    )
    return tail_from_splitting(estimate)


@keep_recent
def _split_pair_sum(margins: Margins, pair_sum: int, side: Side, seed: int, most_moves: int) -> Tail:
    """Return the p-value of T from splitting; cached, because all indices monotone in T share it."""
    estimate = split(margins, pair_sum, side, n_tables=TABLES_MOVED, most_moves=most_moves, rng=seed)
    return tail_from_splitting(estimate)
