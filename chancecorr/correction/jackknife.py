"""Compute jackknife scores for intervals: adjusted scores after removing each object, or each group.

If the expected value follows from the margins, it is also known after removing an object. For an index that
takes the largest of several cells, the expected value approaches its limit as ``n**-0.5``, while the value
may have no such bias. The adjusted score of a sample is then many standard errors below the adjusted score of
the population, and a jackknife does not detect this. Such an index is compared with the limit itself: the
value of the index at independence, ``n_ij = r_i c_j / n``. This value is computed on the table of ``r_i c_j``
objects, and the observed value on the table of the sample times n. The remaining biases are estimated by
resampling.

An interval never extends below the lowest adjusted score that the cluster sizes allow. This bound is exact if
all tables were listed, and proven by bounds of T if the index is monotone in T. For other indices it follows
from their range. The adjusted Rand index is never below -1/2.
"""

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np

from chancecorr.chance.engines import ENGINES, get_engine
from chancecorr.chance.fixed_margins import (
    PERMUTATION,
    SampledTables,
    TableModel,
    compare_with_itself,
    find_best_value,
)
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel
from chancecorr.chance.options import AUTO, Best, Options
from chancecorr.exact.closed_laws import LEAST_LOST_MASS, find_free_cell
from chancecorr.exact.index_of_pair_sum import bound_pair_sum
from chancecorr.exact.means_without_object import Sides, remove_object
from chancecorr.exact.summary import compute_adjusted_score, score_index
from chancecorr.indices.evaluation import evaluate_pair_sums
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.sampling.seeding import make_generator
from chancecorr.tables.contingency import ContingencyTable, ManyMargins, Margins, count_table
from chancecorr.tables.objects import leave_out_groups, read_groups

MAX_CELLS_OF_CHEAP_INTERVAL, MAX_CELLS_IF_SIMULATED = 10_000, 100
"""Most non-empty cells of a table for which an interval takes no longer than the score."""

NANOSECONDS_OF_A_PAIR_INDEX, NANOSECONDS_LEFT_OUT = 3_500.0, 25_000.0
"""Time of an interval per non-empty cell, for pair-counting indices and for other indices."""

NANOSECONDS_OF_AN_INTERVAL, TABLES_RESAMPLED = 500_000.0, 200  # fixed time; tables if it is simulated

MAX_OBJECTS_OF_A_LISTED_LEAST = 30  # up to this many objects, T is enumerated for its minimum, in 10 ms

TIMES_OF_MANY_OBJECTS, MAX_OBJECTS = 1_000, 10**9
"""Factor from the sample to "many objects", and largest number of objects without overflow in any index."""

LEAST_ADJUSTED_RAND = -0.5
"""Chacón & Rastrojo (2022), Advances in Data Analysis and Classification, doi:10.1007/s11634-022-00491-w."""

MAX_OBJECTS_BY_NEED = {"labels": 10**5}
"""Number of objects of a table that represents infinitely many objects, by `Index.needs`; `MAX_OBJECTS` for
others. With more than 31,622 objects the cells at independence are rounded."""

MAX_CELLS_AT_INDEPENDENCE = 4_000_000  # most cells of a table, 32 MB; more if there are more objects
CELLS_AT_ONCE = 1 << 20  # cells of tables that are evaluated together: 8 MB
RESAMPLES = 200  # resamples for the biases: their error is a sixth of the standard error

BIAS_PER_RESAMPLING = 1.0 + math.sqrt(2.0)
"""Ratio of the bias of a maximum of equal values to the bias that resampling adds.

A resample deviates from the sample as the sample deviates from the population. Relative to the population,
the deviations of a resample are ``sqrt(2)`` times as large, and so is its bias. Resampling therefore adds
``sqrt(2) - 1`` times the bias of the sample.
"""


SCORE_ROUNDING = 1e-12  # an adjusted score that differs from 1 by at most this is perfect agreement


def find_least_between(ends: Iterable[float], best: float, mean: float) -> float:
    """Return the lowest adjusted score for values between two ends; -inf if unknown."""
    scores = [compute_adjusted_score(end, best, mean) for end in ends]
    return -math.inf if any(map(math.isnan, scores)) else min(scores)


def find_least_score(
    index: Index, options: Options, ends: Iterable[float], best: float, mean: float
) -> float:
    """Return the lowest adjusted score of two partitions by an index whose values are between two ends."""
    least = find_least_between(ends, best, mean)
    is_rand = (index.corrected_as or index.name) == "adjusted_rand"
    if is_rand and options.best is None and options.model == PERMUTATION:
        return max(least, LEAST_ADJUSTED_RAND)
    return least


def bound_values(index: Index, margins: Margins, *, is_monotone: bool) -> tuple[float, float]:
    """Return bounds of an index on all tables with these margins; tighter if it is monotone in T."""
    low, high = index.range
    if not is_monotone:
        return low, high
    sums, cell = bound_pair_sum(margins), find_free_cell(margins)
    if cell is not None:  # in a 2 x 2 table, T is a parabola in one cell: its minimum
        x = min(max((2 * cell.r + 2 * cell.c - cell.n + 2) // 4, cell.low), cell.high)
        others = x, cell.r - x, cell.c - x, cell.n - cell.r - cell.c + x
        sums = sum(count * count for count in others), sums[1]
    at_ends = evaluate_pair_sums(index, np.array(sums), margins)
    return max(low, float(at_ends.min())), min(high, float(at_ends.max()))  # nan, from 0/0, keeps the range


def find_least_of_table(model: TableModel, index: Index, null: NullDistribution) -> float:
    """Return the lowest adjusted score on all tables with the margins of the model."""
    values = null.values if null.values_from == "exact" else np.empty(0)
    is_monotone = bool(model.direction(index))
    if not values.size and is_monotone and model.n <= MAX_OBJECTS_OF_A_LISTED_LEAST:
        law = model.law(index)
        values = values if law is None else law.values
    if values.size and not null.lost_mass > LEAST_LOST_MASS:
        ends = float(np.nanmin(values)), float(np.nanmax(values))
    else:
        ends = bound_values(index, model.margins, is_monotone=is_monotone)
    return find_least_score(index, model.options, ends, model.best(index), null.moments.mean)


def find_least_with_margins(model: TableModel, index: Index, margins: Margins) -> float:
    """Return the lowest adjusted score with other margins; -inf if their mean is unknown."""
    options = model.options
    other = model.on(margins, options=replace(options, method=AUTO))
    mean = other.mean(index)
    # an index that rises with T is assumed to do so on margins that differ by an object or a group
    ends = bound_values(index, margins, is_monotone=bool(model.direction(index)))
    return find_least_score(index, options, ends, other.best(index), math.nan if mean is None else mean)


CLUSTERS_MOVED_BETWEEN = 3  # smallest and largest clusters that are tried for the cost of one disagreement
MAX_ERRORS_ABOVE_LEAST = 5.0  # standard errors above the lowest score within which its variation is computed

MAX_DISAGREEING_OBJECTS = 30.0
"""Up to this number of disagreeing objects (by mean and variance of their costs), another cost is tried."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LeaveOneOut:
    """Adjusted score of a table, its jackknife scores, and an estimate of the population's score."""

    whole: float  # adjusted score of the table itself
    counts: Integers  # shape (C,): number of objects of each non-empty cell; 1 for a group
    without: Floats  # shape (C,): score after removing one object of the cell; nan if undefined
    estimate: float = math.nan  # estimate of the population's score: `whole` less the known biases
    bias_left: float = 0.0  # the bias of the estimate, also in differences, is at most this in absolute value
    cost: float = 0.0  # largest loss of score by one more disagreeing object; for groups, largest share
    perfect: bool = False  # True if the score is 1, also after removing any object
    null_variance: float = math.nan  # variance of the score of independent clusterings; nan if unknown
    error: float = 0.0  # standard error of `estimate` due to a simulated expected value
    grouped: bool = False  # True if the interval uses Student's t: groups, parts, weighted objects
    what: Literal["objects", "groups", "raters"] = "objects"  # the units that are removed one at a time
    squares: float = 0.0  # near 0 the score is a sum of this many squares; inf if linear, 0 for groups
    least: float = -math.inf  # lower bound of the score on all tables with these cluster sizes
    least_error: float = 0.0  # standard error of `least` as sizes vary; only if a score below 0 is near it
    least_of_many: float = -math.inf  # lowest score of many objects with these shares; as `least_error`
    draws: int = field(init=False)  # number of objects, or of groups
    variance: float = field(init=False)  # jackknife variance of the score; nan if unknown

    def __post_init__(self) -> None:
        object.__setattr__(self, "draws", int(self.counts.sum()))
        is_known = self.draws and np.isfinite(self.without).all()
        variance = compute_jackknife_variance(self.without, self.counts) if is_known else math.nan
        object.__setattr__(self, "variance", variance)

    @classmethod
    def of_parts(cls, whole: float, without: Floats, **others: Any) -> "LeaveOneOut":
        """Return the result for scores after removing each group, part, or weighted object."""
        of_parts: dict[str, Any] = {"counts": np.ones(without.size, dtype=np.int64), "without": without}
        perfect = is_perfect(whole, without)
        return cls(whole=whole, estimate=whole, perfect=perfect, grouped=True, **of_parts, **others)


def leave_out(model: NullModel, index: Any, null: NullDistribution, groups: Any) -> LeaveOneOut:
    """Return the adjusted scores after removing each object, or each group if groups are given."""
    if not model.removes_from_cells:
        parts = model.score_parts(index, null, groups)
        least = find_least_between(index.range, parts.best, null.mean)
        return LeaveOneOut.of_parts(
            parts.whole,
            parts.without,
            cost=parts.cost,
            least=least,
            what="objects" if groups is None else "groups",
        )
    assert isinstance(model, TableModel)
    if groups is None:
        return leave_one_out(model, index, null)
    if model.objects is None or model.table is None:
        raise ArgumentValueError(
            "groups",
            "must be None for a score of a table, because a table does not contain single objects; use"
            " `adjust` with labels, or `compare`.",
        )
    numbers = read_groups(groups, model.objects.names, model.objects.kept)
    cells = model.objects.cells()
    without = leave_out_groups(model.table, cells, numbers, keep_empty=bool(index.named))
    return leave_groups_out(model, index, without, null)


def leave_one_out(model: TableModel, index: Index, null: NullDistribution) -> LeaveOneOut:
    """Return the jackknife scores of a model's table, and an estimate without the known biases.

    The jackknife finds only a part of the bias of a sum over cells, because it does not know the cells that
    are empty in the sample. The bias is at least the bias found by the jackknife, and at most the bias at
    independence, where no cell is empty. Half of the difference is subtracted as well.
    """
    table = model.table
    assert table is not None
    rows, columns, counts = table.nonzero_cells
    best, mean, constant = model.best(index), null.moments.mean, null.moments.std == 0.0
    whole = score_index(index, model.observed(index), best, mean, constant=constant)
    squares = (np.unique(rows).size - 1.0) * (np.unique(columns).size - 1.0)
    squares = math.inf if squares and index.named else squares  # by name, the score is linear in the cells
    jackknife = LeaveOneOut(
        whole=whole, counts=counts, without=np.full(counts.size, math.nan), squares=squares
    )
    if not math.isfinite(whole) or table.margins.n < 2:
        return jackknife
    changes = model.find_mean_changes(index)
    null_variance = null.moments.variance / (best - mean) / (best - mean)  # a square may overflow
    least = find_least_of_table(model, index, null)
    jackknife = replace(jackknife, null_variance=null_variance, least=least)
    if changes is not None:
        return _leave_out_by_mean(jackknife, model, index, table, null, changes)
    if has_too_many_cells(table.margins):
        return replace(jackknife, without=np.zeros(counts.size), bias_left=math.inf)
    score_of = functools.partial(compute_plug_in_score, index, best=model.options.best)
    jackknife = replace(jackknife, without=compute_plug_in_less_one(index, table, model.options.best))
    jackknife = _with_cost(jackknife, score_of(table), table, score_of)
    return _resample(jackknife, model, index, table) if np.isfinite(jackknife.without).all() else jackknife


def _resample(
    jackknife: LeaveOneOut, model: TableModel, index: Index, table: ContingencyTable
) -> LeaveOneOut:
    """Add an estimate that uses the limit of the expected value, less half of the bias of resamples."""
    rng = make_generator(model.options.seed)
    estimate, bias = estimate_by_resampling(index, table, model.options.best, rng)
    return replace(jackknife, estimate=estimate - bias / 2.0, bias_left=bias / 2.0)


def _leave_out_by_mean(
    jackknife: LeaveOneOut, model: TableModel, index: Index, table: ContingencyTable,
    null: NullDistribution, changes: Floats,
) -> LeaveOneOut:  # fmt: skip
    """Compute jackknife scores; the expected value depends on the clusters that lose an object."""
    values = ENGINES[index.needs].evaluate_less_one(index, table)
    whole, best, pairs = jackknife.whole, model.best(index), table.totals_of_cells()
    rows, columns = table.margins.row_totals, table.margins.column_totals
    sides = dict.fromkeys(sorted(pairs))
    tops = dict.fromkeys(sides, best)
    if not isinstance(model.options.best, Real) and (model.options.best is not None or index.best is None):
        tops = _find_best_without(model, index, tuple(sides))
    n, clusters = table.margins.n, [np.count_nonzero(totals) for totals in (rows, columns)]
    # True if one clustering, after removing the object, is a single cluster or only singletons
    trivial = {
        pair: not index.named
        and any(k - (size == 1) in (0, 1, n - 1) for k, size in zip(clusters, pair, strict=True))
        for pair in sides
    }
    without = [
        score_index(index, value, tops[pair], null.moments.mean + change, constant=trivial[pair])
        for value, change, pair in zip(values.tolist(), changes.tolist(), pairs, strict=True)
    ]
    jackknife = replace(jackknife, without=np.array(without))
    if whole < 0.0 and _can_be_lower(jackknife) and model.direction(index):
        smaller = {pair: remove_object(table.margins, *pair) for pair in sides}
        leasts = {pair: find_least_with_margins(model, index, smaller[pair]) for pair in sides}
        jackknife = _with_error_of_least(jackknife, model, index, [leasts[pair] for pair in pairs])

    def score_of(one_away: ContingencyTable) -> float:
        there = find_best_value(index, one_away.margins, model.options.best)
        return score_index(index, get_engine(index).value(index, one_away), there, null.moments.mean)

    jackknife = _with_cost(jackknife, whole, table, score_of)
    if not np.isfinite(jackknife.without).all():
        return jackknife
    room, share = best - null.moments.mean, (table.margins.n - 1) / table.margins.n
    observed, bias = model.observed(index), 0.0
    estimate = whole + share * float(jackknife.counts @ (whole - jackknife.without))
    has_bias = model.approaches_independence and index.needs not in ("pairs", "agreement")
    if has_bias and not jackknife.perfect:
        seen = share * float(jackknife.counts @ (values - observed)) / room
        # largest excess of the expected value over its limit, relative to its distance to the best value
        bias = math.inf
        if not has_too_many_cells(table.margins):
            plug_in = compute_plug_in_score(index, table, model.options.best)
            if abs(1.0 - plug_in) > SCORE_ROUNDING:
                bias = (plug_in - whole) / (1.0 - plug_in) - seen
    error = abs(best - observed) / room / room * null.monte_carlo_error
    return replace(jackknife, estimate=estimate - bias / 2.0, bias_left=bias / 2.0, error=error)


def leave_groups_out(
    model: TableModel, index: Index, without: Sequence[ContingencyTable], null: NullDistribution
) -> LeaveOneOut:
    """Return the adjusted scores after removing each group; `without` has the tables without one group."""
    table, best = model.table, model.options.best
    assert table is not None
    constant = null.moments.std == 0.0
    whole = score_index(index, model.observed(index), model.best(index), null.moments.mean, constant=constant)
    cost, unknown = 1.0 - min(part.n for part in without) / table.n, np.full(len(without), math.nan)
    make = functools.partial(LeaveOneOut.of_parts, whole, cost=cost, what="groups")
    if not math.isfinite(whole):
        return make(unknown)
    least = find_least_of_table(model, index, null)
    if _score_by_mean(model, index, table) is not None:
        scores = [_score_by_mean(model, index, part) for part in without]
        jackknife = make(np.array(scores, dtype=np.float64), least=least)
        if whole < 0.0 and _can_be_lower(jackknife):
            leasts = [find_least_with_margins(model, index, part.margins) for part in without]
            return _with_error_of_least(jackknife, model, index, leasts)
        return jackknife
    if has_too_many_cells(table.margins):
        return make(np.zeros(len(without)), least=least, bias_left=math.inf)
    limits = np.array([compute_plug_in_score(index, part, best) for part in without])
    jackknife = make(limits, least=least)
    if jackknife.perfect or not np.isfinite(limits).all():
        return jackknife
    return _resample(jackknife, model, index, table)


def _score_by_mean(model: TableModel, index: Index, table: ContingencyTable) -> float | None:
    """Return the adjusted score with a mean from the margins, for any method; None if it is unknown."""
    options = replace(model.options, method=AUTO)
    of_table = model.on(table.margins, options=options).of(table)
    mean = of_table.mean(index)
    return None if mean is None else of_table.score_by_mean(index, mean)


def _can_be_lower(jackknife: LeaveOneOut) -> bool:
    """Return True if other cluster sizes could allow a lower score than the bound used here."""
    reach = MAX_ERRORS_ABOVE_LEAST * math.sqrt(jackknife.variance)  # nan if a jackknife score is undefined
    return jackknife.whole - reach < jackknife.least


def _with_error_of_least(
    jackknife: LeaveOneOut, model: TableModel, index: Index, leasts: Sequence[float]
) -> LeaveOneOut:
    """Add the standard error of the lowest score, and the lowest score of many objects with equal shares."""
    # with few objects, self-pairs are a large share of the pairs that are together, but not agreement
    times = max(1, min(TIMES_OF_MANY_OBJECTS, MAX_OBJECTS // max(model.n, 1)))
    rows, columns = model.margins.row_totals, model.margins.column_totals
    limit = find_least_with_margins(model, index, Margins(rows * times, columns * times))
    if not np.isfinite([*leasts, limit]).all():
        return jackknife
    variance = compute_jackknife_variance(np.array(leasts), jackknife.counts)
    return replace(jackknife, least_error=math.sqrt(variance), least_of_many=limit)


def compute_jackknife_variance(without: Floats, counts: Integers) -> float:
    """Return ``(n - 1) / n sum (without - mean)**2`` over the objects; `counts` are objects per cell."""
    n = int(counts.sum())
    mean = float(counts @ without) / n
    return (n - 1) / n * float(counts @ (without - mean) ** 2)


def is_perfect(score: float, without: Floats) -> bool:
    """Return True if a score is 1, also after removing any object."""
    return bool((np.abs(np.append(without, score) - 1.0) <= SCORE_ROUNDING).all())


def _with_cost(
    jackknife: LeaveOneOut,
    score: float,
    table: ContingencyTable,
    score_of: Callable[[ContingencyTable], float],
) -> LeaveOneOut:
    """Add the largest cost of one more disagreeing object; if few disagree, moved objects are tried too."""
    without = jackknife.without
    perfect = is_perfect(score, without)
    if not np.isfinite(without).all():
        return replace(jackknife, perfect=perfect)
    cost = float(without.max()) - score
    lost = float(jackknife.counts @ (score - without) ** 2)
    if perfect or (1.0 - score) ** 2 < MAX_DISAGREEING_OBJECTS * lost:
        cost = max(cost, score - find_least_moved(table, score_of))
    return replace(jackknife, perfect=perfect, cost=cost)


def _find_best_without(model: TableModel, index: Index, sides: Sides) -> dict[tuple[int, int], float]:
    """Return the best value after removing one object, for each pair of cluster sizes."""
    margins, best = model.margins, model.options.best
    if best is not None:
        return {pair: find_best_value(index, remove_object(margins, *pair), best) for pair in sides}
    own: list[dict[int, float]] = [{}, {}]  # a clustering against itself depends on one size only
    for pair in sides:
        smaller = remove_object(margins, *pair)
        for values, total, totals in zip(own, pair, (smaller.row_totals, smaller.column_totals), strict=True):
            if total not in values:
                values[total] = compare_with_itself(index, Margins(totals, totals))
    return {(row, column): (own[0][row] + own[1][column]) / 2 for row, column in sides}


def find_least_moved(table: ContingencyTable, score_of: Callable[[ContingencyTable], float]) -> float:
    """Return the lowest score after moving an object to another cluster; inf with a single cluster."""
    order = np.argsort(table.column_totals, kind="stable")
    order = order[table.column_totals[order] > 0]
    # if there are many clusters, only the smallest and the largest
    tried = np.unique(np.concatenate([order[:CLUSTERS_MOVED_BETWEEN], order[-CLUSTERS_MOVED_BETWEEN:]]))
    counts, least = table.dense_counts().copy(), math.inf
    for source in tried.tolist():
        row = int(counts[:, source].argmax())
        for target in tried[tried != source].tolist():
            counts[row, [source, target]] += (-1, 1)
            least = min(score_of(count_table(counts.copy())), least)
            counts[row, [source, target]] += (1, -1)
    return least


class Limits(NamedTuple):
    """Values of an index on multiplied tables, best values, and values at independence, shape (m,)."""

    observed: Floats
    best: Floats
    chance: Floats


def has_too_many_cells(margins: Margins) -> bool:
    """Return True if the table at independence is too large for memory."""
    return margins.row_totals.size * margins.column_totals.size > max(MAX_CELLS_AT_INDEPENDENCE, margins.n)


def compute_plug_in_score(index: Index, table: ContingencyTable, best: Best) -> float:
    """Return the adjusted score of the population whose cells have the same shares as the table."""
    return _score_limits(index, _evaluate_limits(index, table.dense_counts()[np.newaxis], best))[0]


def compute_plug_in_less_one(index: Index, table: ContingencyTable, best: Best) -> Floats:
    """Return `compute_plug_in_score` after removing an object of each non-empty cell, shape (cells,)."""
    rows, columns, _ = table.nonzero_cells
    at_once, scores = max(1, CELLS_AT_ONCE // max(math.prod(table.shape), 1)), list[float]()
    for start in range(0, rows.size, at_once):
        i, j = rows[start : start + at_once], columns[start : start + at_once]
        tables = np.repeat(table.dense_counts()[np.newaxis], i.size, axis=0)
        tables[np.arange(i.size), i, j] -= 1
        scores += _score_limits(index, _evaluate_limits(index, tables, best))
    return np.array(scores)


def estimate_by_resampling(
    index: Index, table: ContingencyTable, best: Best, rng: "np.random.Generator"
) -> tuple[float, float]:
    """Return the adjusted score with the limit of the expected value, and the largest bias of the observed.

    The bias is 0 if each largest cell is the largest by far. Otherwise the bias of ties is used, see
    `BIAS_PER_RESAMPLING`.
    """
    whole = _evaluate_limits(index, table.dense_counts()[np.newaxis], best)
    observed, own_best, chance = (float(value[0]) for value in whole)
    rows, columns, counts = table.nonzero_cells
    resamples = rng.multinomial(table.n, counts / table.n, size=RESAMPLES)
    at_once, drawn = max(1, CELLS_AT_ONCE // max(math.prod(table.shape), 1)), []
    for some in (resamples[start : start + at_once] for start in range(0, RESAMPLES, at_once)):
        tables = np.zeros((len(some), *table.shape), dtype=np.int64)
        tables[:, rows, columns] = some
        drawn.append(np.stack(_evaluate_limits(index, tables, best), axis=1))
    added = BIAS_PER_RESAMPLING * (np.mean(np.concatenate(drawn), axis=0) - (observed, own_best, chance))
    chance -= float(added[2])
    return score_index(index, observed, own_best, chance), float(added[0]) / (own_best - chance)


def _score_limits(index: Index, limits: Limits) -> list[float]:
    """Return the adjusted scores of several tables."""
    return [score_index(index, *values) for values in np.stack(limits, axis=1).tolist()]


def _evaluate_limits(index: Index, tables: Integers, best: Best) -> Limits:
    """Return the limits of tables with equal shapes and equal numbers of objects, shape (m, K, Q)."""
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    n = int(rows[0].sum())
    times = max(1, min(n, MAX_OBJECTS_BY_NEED.get(index.needs, MAX_OBJECTS) // max(n, 1)))
    independent = rows[:, :, np.newaxis] * columns[:, np.newaxis]
    if times < n:
        independent = np.rint(independent * (times / n)).astype(np.int64)
    margins = ManyMargins(rows * times, columns * times, n * times)
    values, own_best = get_engine(index).values, best if best is not None else index.best
    if own_best is None or isinstance(own_best, str):  # a different value for each table
        pairs = zip(margins.row_totals, margins.column_totals, strict=True)
        bests = np.array([find_best_value(index, Margins(*pair), best) for pair in pairs])
    else:
        bests = np.full(len(tables), float(own_best))
    return Limits(values(index, tables * times, margins), bests, values(index, independent, margins))


def forecast_interval(model: NullModel, index: Any, *, is_simulated: bool) -> float:
    """Return the forecast seconds of an interval; infinite if it takes longer than the score did."""
    if not model.removes_from_cells:
        return model.forecast_parts(index, is_simulated=is_simulated)
    assert isinstance(model, TableModel)
    draws_sizes = not isinstance(model, SampledTables) or model.sides is not None
    if model.table is None or index.needs == "labels" or (is_simulated and draws_sizes):
        return math.inf
    cells = int((model.table.counts != 0).sum())
    if cells > (MAX_CELLS_IF_SIMULATED if is_simulated else MAX_CELLS_OF_CHEAP_INTERVAL):
        return math.inf
    return forecast_leaving_out(model, index, is_simulated=is_simulated)


def forecast_leaving_out(model: TableModel, index: Index, *, is_simulated: bool = False) -> float:
    """Return the forecast seconds of removing an object from each cell in turn."""
    assert model.table is not None
    cells = int((model.table.counts != 0).sum())
    by_limits = is_simulated or model.mean_changes(index, tuple(model.table.totals_of_cells()[:1])) is None
    is_quick = index.needs == "pairs" and not index.with_totals and not by_limits
    nanoseconds = (NANOSECONDS_OF_A_PAIR_INDEX if is_quick else NANOSECONDS_LEFT_OUT) * cells
    if by_limits and has_too_many_cells(model.table.margins):
        return 1e-9 * NANOSECONDS_OF_AN_INTERVAL
    if by_limits:  # evaluated after removing objects, on resamples, and at independence
        of_a_table = ENGINES[index.needs].nanoseconds(index, model.table.shape, model.n)
        nanoseconds += 2.0 * of_a_table * (cells + TABLES_RESAMPLED)
    return NANOSECONDS_OF_AN_INTERVAL * 1e-9 + 1e-9 * nanoseconds
