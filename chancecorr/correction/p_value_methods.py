"""Compute tail probabilities of a null distribution that its values are too coarse to give."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from chancecorr.chance.engines import get_engine
from chancecorr.chance.null_model import Side
from chancecorr.exact.closed_laws import (
    compute_sparse_law,
    find_free_cell,
    log_probabilities,
    log_tail_of_pair_sum,
    make_tables_with,
)
from chancecorr.exact.summary import EPSILON, find_extreme
from chancecorr.exact.tail_bounds import (
    bound_log_tail,
    bound_log_tail_by_exchanges,
    bound_log_tail_of_information,
    bound_log_tail_of_share,
)
from chancecorr.indices.evaluation import link_totals, sum_listed_cells
from chancecorr.indices.information import information_of_cell
from chancecorr.machine.kept import keep_recent
from chancecorr.sampling.splitting import SplitEstimate, split
from chancecorr.tables.contingency import Margins

if TYPE_CHECKING:
    from chancecorr.correction.p_value import TailRequest

LEAST_P = 5e-324  # lowest p-value, the smallest float above 0; its logarithm can be lower

Source: TypeAlias = Literal["exact", "cumulants", "splitting", "bound", "monte-carlo"]

ORIGINS: Mapping[str, str] = MappingProxyType(
    {
        "analytic": "by formula from the cluster sizes",
        "exact": "from the exact null distribution",
        "cumulants": "from the factorial cumulants of the number of pairs together in both clusterings",
        "splitting": "by multilevel splitting",
        "bound": "as proven bounds",
        "monte-carlo": "from simulated tables",
    }
)
"""Description of each origin of a mean or a p-value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """A tail probability and its accuracy.

    Attributes
    ----------
    p_value : float
        Probability, under chance, of an index at least as extreme as the observed one. Always above 0, also
        if the probability is too small for a float.
    log_p_value : float
        Natural logarithm of the probability.
    relative_error : float
        Error of the p-value, as a share of it: a bound of the error ("exact"), an estimate from the terms
        that are cut off ("cumulants"), or a 95 % limit ("splitting", "monte-carlo"). inf for a bound, and if
        no simulated table was as extreme; nan if the index is undefined.
    is_bound : bool
        True if `p_value` is a proven bound: the probability is at most `p_value`.
    upper : float
        Upper limit of the probability: proven for a bound, otherwise as certain as `relative_error`. If no
        simulated table was as extreme, the 95 % limit ``1 - 0.05**(1/m)``, about ``3/m``.
    method : {"exact", "cumulants", "splitting", "bound", "monte-carlo", None}
        Origin of the p-value; None if only moments are known.

    Examples
    --------
    >>> from chancecorr import tail_probability
    >>> tail = tail_probability([[2, 1, 0], [0, 1, 2]], "rand")
    >>> round(tail.p_value, 12), tail.method, tail.is_bound  # 432 of the 720 orders of the objects
    (0.6, 'exact', False)
    """

    p_value: float = math.nan
    log_p_value: float = math.nan
    relative_error: float = math.nan
    is_bound: bool = False
    upper: float = math.nan
    method: Source | None = None


UNKNOWN_TAIL = Tail()


def tail_from_count(reached: int, m: int) -> Tail:
    """Return the p-value if `reached` of m simulated tables are as extreme; Phipson & Smyth (2010).

    `upper` is the limit of Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404. The relative error uses the
    upper 95 % limit for the mean of a Poisson distribution of Wilson & Hilferty (1931),
    doi:10.1073/pnas.17.12.684, times ``sqrt(1 - p)`` for the binomial distribution.
    """
    from scipy.special import betaincinv

    p, more = (reached + 1) / (m + 1), reached + 1.0
    if reached == 0:
        upper, error = -math.expm1(math.log(0.05) / m), math.inf
    else:
        upper = float(betaincinv(reached + 1, m - reached, 0.95))
        z = 1.96 * math.sqrt(max(0.0, 1.0 - reached / m))
        error = more * (1.0 - 1.0 / (9.0 * more) + z / (3.0 * math.sqrt(more))) ** 3 / m / p - 1.0
    return replace(tail_from_p(p, error, "monte-carlo"), upper=1.0 if reached == m else upper)


def tail_from_p(p: float, error: float, method: Source, is_bound: bool = False) -> Tail:
    """Return the tail for a p-value that is a float; it is at least `LEAST_P`."""
    p = min(1.0, p)
    upper = p if is_bound else min(1.0, p * (1.0 + error))
    error = math.inf if is_bound else error
    log_p = math.log(p) if p > 0.0 else -math.inf
    return Tail(
        p_value=p, log_p_value=log_p, relative_error=error, is_bound=is_bound, upper=upper, method=method
    )


def tail_from_log(log_p: float, error: float, method: Source, is_bound: bool = False) -> Tail:
    """Return the tail for the logarithm of a p-value."""
    p = max(math.exp(min(0.0, log_p)), LEAST_P if log_p > -math.inf else 0.0)
    return replace(tail_from_p(p, error, method, is_bound), log_p_value=min(0.0, log_p))


def tail_from_splitting(estimate: SplitEstimate) -> Tail:
    """Return the p-value from splitting; twice the last level's p-value if no level reached the data."""
    log_p = estimate.log10_p_value * math.log(10.0)
    if math.isnan(log_p):
        return replace(UNKNOWN_TAIL, method="splitting")
    if estimate.upper_bound:
        tail = tail_from_log(log_p + math.log(2.0), math.inf, "splitting")
        return replace(tail, upper=tail.p_value)
    return tail_from_log(log_p, estimate.relative_error, "splitting")


ROUNDING_OF_SUMS = 1e-12  # relative error of a p-value that is the sum of all its probabilities
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


def use_free_cell(request: "TailRequest") -> Tail | None:
    """Return the p-value of a 2 x 2 table; None if T does not determine it and the tables are too many."""
    if not request.model.keeps_margins:
        return None
    cell, index = find_free_cell(request.margins), request.index
    if cell is None:
        return None
    if request.side is not None:
        x = int(request.table.dense_counts()[cell.rows[0], cell.columns[0]])
        log_p = log_tail_of_pair_sum(cell, x, request.side)
    elif cell.high - cell.low < min(MOST_FREE_CELLS, get_engine(request.index).evaluations(request.index)):
        all_x = np.arange(cell.low, cell.high + 1)
        values = get_engine(index).values(index, make_tables_with(cell, all_x), request.margins)
        reached = all_x[find_extreme(values, request.observed, request.alternative)]
        log_p = float(np.logaddexp.reduce(log_probabilities(cell, reached)))
    else:
        return None
    return tail_from_log(log_p, ROUNDING_OF_SUMS + UNITS_OF_LOG_P * EPSILON * abs(log_p), "exact")


def use_cumulants(request: "TailRequest") -> Tail | None:
    """Return the p-value from factorial cumulants; None if clusters are too few or too large for them."""
    law = compute_sparse_law(request.margins)
    if law is None or request.side is None:
        return None
    p, error = law.tail(request.table.sum_of_squares, request.side)
    return tail_from_p(p, error, "cumulants") if p > 0.0 else None


def use_splitting(request: "TailRequest") -> Tail | None:
    """Return the p-value from multilevel splitting; None if tables are too large."""
    index, margins, cells = request.index, request.margins, math.prod(request.table.shape)
    moves: float = MOVES_IN_TIME
    if request.side is None:
        moves = max(get_engine(index).evaluations(index), MIN_EVALUATIONS) // request.n_indices
    moves *= request.seconds / MOVES_SECONDS * min(1.0, FEW_CELLS_MOVED / max(cells, 1))
    if cells > MOST_CELLS_MOVED:
        return None
    most_moves = int(max(min(moves, MOST_MOVES), 1.0))
    seed = int(request.model.options.seed)
    if request.side is not None:
        return _split_pair_sum(margins, request.table.sum_of_squares, request.side, seed, most_moves)
    get_engine(index).prepare(index)
    values = partial(get_engine(index).values, index, margins=margins)
    estimate = split(
        margins, request.observed, request.alternative, values, n_tables=TABLES_MOVED, most_moves=most_moves,
        rng=seed,
    )  # fmt: skip
    return tail_from_splitting(estimate)


def bound_p_value(request: "TailRequest") -> Tail | None:
    """Return a proven bound: from moments of T if the index is monotone in T, else from exchanges."""
    if not request.model.keeps_margins:
        return _bound_by_variance(request)
    if request.side is not None:
        log_p = bound_log_tail(request.margins, request.table.sum_of_squares, request.side)
        return tail_from_log(log_p, math.inf, "bound", is_bound=True)
    index, margins, null = request.index, request.margins, request.null
    change = get_engine(index).bound_change(index, margins)
    if change is None:
        return None
    known = request.model.moments(index) if request.model.knows_mean(index) else None
    if known is not None:
        mean, slack, n_tables = known.moments.mean, known.error, 0
    elif null is not None and null.simulated is not None:
        mean, slack, n_tables = null.simulated.mean, 0.0, null.n_tables
    else:
        return None
    rises = request.alternative == "greater"
    distance = (request.observed - mean if rises else mean - request.observed) - slack
    log_p = bound_log_tail_by_exchanges(distance, request.table.n, change, n_tables)
    for side in index.shares if rises else ():
        log_p = min(log_p, bound_log_tail_of_share(margins, request.observed - ROUNDING_OF_SUMS, side))
    if index.function is information_of_cell and distance > 0.0:  # it is linear in the information
        information = sum_listed_cells(index, *request.table.nonzero_cells, margins)
        slope = float(np.diff(link_totals(index, np.array([0.0, 1.0]), margins))[0])
        if (slope > 0.0) == rises:
            log_p = min(log_p, bound_log_tail_of_information(margins, information - ROUNDING_OF_SUMS))
    return tail_from_log(log_p, math.inf, "bound", is_bound=True)


def _bound_by_variance(request: "TailRequest") -> Tail | None:
    """Return the bound of Cantelli (1928), from mean and variance; None if these are not known."""
    null = request.null
    if null is None or null.mean_from == "monte-carlo" or math.isnan(null.mean) or math.isnan(null.variance):
        return None
    above = request.observed - null.mean
    above = above if request.alternative == "greater" else -above
    if not above > 0.0 or not null.variance > 0.0:
        return tail_from_p(1.0, math.inf, "bound", is_bound=True)
    return tail_from_log(-math.log1p(above * above / null.variance), math.inf, "bound", is_bound=True)


@keep_recent
def _split_pair_sum(margins: Margins, pair_sum: int, side: Side, seed: int, most_moves: int) -> Tail:
    """Return the p-value of T from splitting; cached, because all indices monotone in T share it."""
    estimate = split(margins, pair_sum, side, n_tables=TABLES_MOVED, most_moves=most_moves, rng=seed)
    return tail_from_splitting(estimate)
