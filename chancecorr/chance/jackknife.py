"""Adjusted scores without one object, or one group, each: what intervals are made of.

Where the expected value follows from the margins, it gives the scores without an object. An index that takes
the largest of several cells has an expected value that nears its limit as ``n**-0.5``, while its value may
have no such bias: the adjusted score of a sample is then below that of the population by many standard
errors, which no jackknife sees. Such an index is compared with the limit itself, the value of the index at
independence, ``n_ij = r_i c_j / n``, evaluated on the table of ``r_i c_j`` objects against the table of the
sample n times over. The biases that are left are found by resampling.

No interval reaches below the least adjusted score that the cluster sizes allow. The bound is exact where all
tables were listed, and proven by bounds of T where the index rises or falls with T. Of other indices it
follows from their range. The adjusted Rand index is never below -1/2.
"""

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np

from chancecorr.chance.engines import ENGINES, get_engine
from chancecorr.chance.fixed_margins import FixedMargins, compare_with_itself, find_best_value
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.options import AUTO, Best, Options
from chancecorr.exact.closed_laws import LEAST_LOST_MASS, find_free_cell
from chancecorr.exact.index_of_pair_sum import bound_pair_sum
from chancecorr.exact.less_one import Sides, remove_object
from chancecorr.exact.summary import compute_adjusted_score, score_index
from chancecorr.indices.evaluation import evaluate_pair_sums
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.sampling.seeding import make_generator
from chancecorr.tables.contingency import ContingencyTable, ManyMargins, Margins, count_table

MAX_OBJECTS_OF_A_LISTED_LEAST = 30  # objects up to which T is enumerated for its least value, in 10 ms

TIMES_OF_MANY_OBJECTS, MAX_OBJECTS = 1_000, 10**9
"""Times that the objects are taken for many of them, and up to how many no index overflows."""

LEAST_ADJUSTED_RAND = -0.5
"""Chacón & Rastrojo (2022), Advances in Data Analysis and Classification, doi:10.1007/s11634-022-00491-w."""

MAX_OBJECTS_BY_NEED = {"labels": 10**5}
"""Objects of a table that stands for infinitely many, by what the index needs;
others `MAX_OBJECTS`. With more than 31,622 objects the cells at independence are rounded."""

MAX_CELLS_AT_INDEPENDENCE = 4_000_000  # of a table, 32 MB, or as many as there are objects
CELLS_AT_ONCE = 1 << 20  # of tables that are evaluated together: 8 MB
RESAMPLES = 200  # resamples that the biases are taken from: to a sixth of the standard error

BIAS_PER_RESAMPLING = 1.0 + math.sqrt(2.0)
"""Bias of a largest value of several equal ones, over what resampling adds to it.

A resample scatters about the sample as the sample does about the population: its bias is that of
``sqrt(2)`` times the deviations, and what it adds to the sample's is ``sqrt(2) - 1`` of it.
"""


SCORE_ROUNDING = 1e-12  # largest difference of the adjusted score of perfect agreement from 1


def find_least_between(ends: Iterable[float], best: float, mean: float) -> float:
    """Least adjusted score of values between two ends; -inf if none is known."""
    scores = [compute_adjusted_score(end, best, mean) for end in ends]
    return -math.inf if any(map(math.isnan, scores)) else min(scores)


def find_least_score(
    index: Index, options: Options, ends: Iterable[float], best: float, mean: float
) -> float:
    """Least adjusted score of two partitions by an index whose values lie between two ends."""
    least = find_least_between(ends, best, mean)
    is_rand = (index.corrected_as or index.name) == "adjusted_rand"
    if is_rand and options.best is None and options.model.is_permutation:
        return max(least, LEAST_ADJUSTED_RAND)
    return least


def bound_values(index: Index, margins: Margins, *, is_monotone: bool) -> tuple[float, float]:
    """Bounds of the values of an index on all tables with these margins; closer if it is monotone in T."""
    low, high = index.range
    if not is_monotone:
        return low, high
    sums, cell = bound_pair_sum(margins), find_free_cell(margins)
    if cell is not None:  # of two clusters against two, T is a parabola in one cell: its least value
        x = min(max((2 * cell.r + 2 * cell.c - cell.n + 2) // 4, cell.low), cell.high)
        others = x, cell.r - x, cell.c - x, cell.n - cell.r - cell.c + x
        sums = sum(count * count for count in others), sums[1]
    at_ends = evaluate_pair_sums(index, np.array(sums), margins)
    return max(low, float(at_ends.min())), min(high, float(at_ends.max()))  # nan, of 0/0, leaves the range


def find_least_of_table(model: FixedMargins, index: Index, null: NullDistribution) -> float:
    """Least adjusted score of all tables with the margins of the model."""
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


def find_least_with_margins(model: FixedMargins, index: Index, margins: Margins) -> float:
    """Least adjusted score with other margins, by a mean from these; -inf where there is none."""
    options = model.options
    other = model.on(margins, options=replace(options, method=AUTO.within(options.budget)))
    mean = other.mean(index)
    # what rises with T on the data is taken to rise on margins that differ by an object or a group
    ends = bound_values(index, margins, is_monotone=bool(model.direction(index)))
    return find_least_score(index, options, ends, other.best(index), math.nan if mean is None else mean)


CLUSTERS_MOVED_BETWEEN = 3  # smallest and largest ones, to see what one disagreement costs
MAX_ERRORS_ABOVE_LEAST = 5.0  # up to which it is found how the least score varies with the cluster sizes

MAX_DISAGREEING_OBJECTS = 30.0
"""Disagreeing objects, by the mean and the variance of what they cost, up to which one more is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LeaveOneOut:
    """Adjusted score of a table, what it is without one object, and what that says of the population."""

    whole: float  # adjusted score of the table itself
    counts: Integers  # shape (C,): objects of each non-empty cell; of a group 1
    without: Floats  # shape (C,): score without one object of the cell; nan where there is none
    estimate: float = math.nan  # of the population's score: `whole` less the biases that are known
    bias_left: float = 0.0  # the estimate's bias lies between this and its opposite; so it is of differences
    cost: float = 0.0  # the most that the score loses with one object more that disagrees; share of a group
    perfect: bool = False  # whether the score is 1, and 1 without any object
    null_variance: float = math.nan  # of the adjusted score of independent clusterings; nan if not known
    error: float = 0.0  # standard error of `estimate` by a simulated expected value in it
    grouped: bool = False  # whether the interval is by Student's t: of groups, parts, weighted objects
    what: Literal["objects", "groups"] = "objects"  # what is drawn, and left out one at a time
    squares: int = 0  # that the score is a sum of near 0; 0 of groups
    least: float = -math.inf  # least score of all tables with these cluster sizes; a bound
    least_error: float = 0.0  # its standard error, as sizes vary; of a score below 0 that is near it
    least_of_many: float = -math.inf  # the least score of many objects with these shares; likewise
    draws: int = field(init=False)  # number of objects, or of groups
    variance: float = field(init=False)  # of the score, by the jackknife; nan where there is none

    def __post_init__(self) -> None:
        object.__setattr__(self, "draws", int(self.counts.sum()))
        is_known = self.draws and np.isfinite(self.without).all()
        variance = compute_jackknife_variance(self.without, self.counts) if is_known else math.nan
        object.__setattr__(self, "variance", variance)

    @classmethod
    def of_parts(cls, whole: float, without: Floats, **others: Any) -> "LeaveOneOut":
        """Scores without one group, part, or weighted object each."""
        of_parts: dict[str, Any] = {"counts": np.ones(without.size, dtype=np.int64), "without": without}
        perfect = is_perfect(whole, without)
        return cls(whole=whole, estimate=whole, perfect=perfect, grouped=True, **of_parts, **others)


def leave_one_out(model: FixedMargins, index: Index, null: NullDistribution) -> LeaveOneOut:
    """Adjusted scores of the table of a model without one object, and an estimate less its known biases.

    The jackknife finds the bias of a sum over cells in part only, as it does not know the cells that the
    sample has no object of: it is that of the jackknife at least, and at most that at independence, where
    every cell has a part. Half of what lies between is taken off as well.
    """
    table = model.table
    assert table is not None
    (rows, columns, counts), pairs = table.nonzero_cells, table.totals_of_cells()
    best, mean, constant = model.best(index), null.moments.mean, null.moments.std == 0.0
    whole = score_index(index, model.observed(index), best, mean, constant=constant)
    squares = (np.unique(rows).size - 1) * (np.unique(columns).size - 1)
    jackknife = LeaveOneOut(
        whole=whole, counts=counts, without=np.full(counts.size, math.nan), squares=squares
    )
    if not math.isfinite(whole) or table.margins.n < 2:
        return jackknife
    sides = tuple(sorted(set(pairs)))
    changes = model.mean_changes(index, sides)
    null_variance = null.moments.variance / (best - mean) / (best - mean)  # a square may be beyond all floats
    least = find_least_of_table(model, index, null)
    jackknife = replace(jackknife, null_variance=null_variance, least=least)
    if changes is not None:
        changes_of = dict(zip(sides, changes.tolist(), strict=True))
        return _leave_out_by_mean(jackknife, model, index, table, null, changes_of)
    if has_too_many_cells(table.margins):
        return replace(jackknife, without=np.zeros(counts.size), bias_left=math.inf)
    score_of = functools.partial(compute_plug_in_score, index, best=model.options.best)
    jackknife = replace(jackknife, without=compute_plug_in_less_one(index, table, model.options.best))
    jackknife = _with_cost(jackknife, score_of(table), table, score_of)
    return _resample(jackknife, model, index, table) if np.isfinite(jackknife.without).all() else jackknife


def _resample(
    jackknife: LeaveOneOut, model: FixedMargins, index: Index, table: ContingencyTable
) -> LeaveOneOut:
    """Add an estimate by the limit of the expected value, less half of the bias that resamples show."""
    rng = make_generator(model.options.seed)
    estimate, bias = estimate_by_resampling(index, table, model.options.best, rng)
    return replace(jackknife, estimate=estimate - bias / 2.0, bias_left=bias / 2.0)


def _leave_out_by_mean(
    jackknife: LeaveOneOut, model: FixedMargins, index: Index, table: ContingencyTable,
    null: NullDistribution, changes: Mapping[tuple[int, int], float],
) -> LeaveOneOut:  # fmt: skip
    """Scores by the expected value, which changes with the clusters that lose an object."""
    values = ENGINES[index.needs].evaluate_less_one(index, table)
    whole, best, pairs = jackknife.whole, model.best(index), table.totals_of_cells()
    rows, columns = table.margins.row_totals, table.margins.column_totals
    tops = dict.fromkeys(changes, best)
    if not isinstance(model.options.best, Real) and (model.options.best is not None or index.best is None):
        tops = _find_best_without(model, index, tuple(changes))
    n, clusters = table.margins.n, [np.count_nonzero(totals) for totals in (rows, columns)]
    # whether one clustering is a single cluster, or singletons alone, without the object
    trivial = {
        pair: any(k - (size == 1) in (0, 1, n - 1) for k, size in zip(clusters, pair, strict=True))
        for pair in changes
    }
    without = [
        score_index(index, value, tops[pair], null.moments.mean + changes[pair], constant=trivial[pair])
        for value, pair in zip(values.tolist(), pairs, strict=True)
    ]
    jackknife = replace(jackknife, without=np.array(without))
    if whole < 0.0 and _can_be_lower(jackknife) and model.direction(index):
        smaller = {pair: remove_object(table.margins, *pair) for pair in changes}
        leasts = {pair: find_least_with_margins(model, index, smaller[pair]) for pair in changes}
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
    if index.needs != "pairs" and model.keeps_margins and not jackknife.perfect:
        seen = share * float(jackknife.counts @ (values - observed)) / room
        # how far the expected value is above its limit at most, as a share of its distance to the best value
        bias = math.inf
        if not has_too_many_cells(table.margins):
            plug_in = compute_plug_in_score(index, table, model.options.best)
            if abs(1.0 - plug_in) > SCORE_ROUNDING:
                bias = (plug_in - whole) / (1.0 - plug_in) - seen
    error = abs(best - observed) / room / room * null.monte_carlo_error
    return replace(jackknife, estimate=estimate - bias / 2.0, bias_left=bias / 2.0, error=error)


def leave_groups_out(
    model: FixedMargins, index: Index, without: Sequence[ContingencyTable], null: NullDistribution
) -> LeaveOneOut:
    """Adjusted scores of the table of a model without one group each: `without` has the tables."""
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


def _score_by_mean(model: FixedMargins, index: Index, table: ContingencyTable) -> float | None:
    """Adjusted score by a mean from the margins, whatever the method; None where there is none."""
    options = replace(model.options, method=AUTO.within(model.options.budget))
    of_table = model.on(table.margins, options=options).of(table)
    mean = of_table.mean(index)
    return None if mean is None else of_table.score_by_mean(index, mean)


def _can_be_lower(jackknife: LeaveOneOut) -> bool:
    """Whether a score below chance is so near the least of these cluster sizes that others may allow less."""
    reach = MAX_ERRORS_ABOVE_LEAST * math.sqrt(jackknife.variance)  # nan without a score of each
    return jackknife.whole - reach < jackknife.least


def _with_error_of_least(
    jackknife: LeaveOneOut, model: FixedMargins, index: Index, leasts: Sequence[float]
) -> LeaveOneOut:
    """Add the standard error of the least score, and the least score of many objects of the same shares."""
    # of few objects, pairs of one with itself are a share of the pairs together, and no agreement
    times = max(1, min(TIMES_OF_MANY_OBJECTS, MAX_OBJECTS // max(model.n, 1)))
    rows, columns = model.margins.row_totals, model.margins.column_totals
    limit = find_least_with_margins(model, index, Margins(rows * times, columns * times))
    if not np.isfinite([*leasts, limit]).all():
        return jackknife
    variance = compute_jackknife_variance(np.array(leasts), jackknife.counts)
    return replace(jackknife, least_error=math.sqrt(variance), least_of_many=limit)


def compute_jackknife_variance(without: Floats, counts: Integers) -> float:
    """``(n - 1) / n sum (without - mean)**2`` over the objects, those of a cell together."""
    n = int(counts.sum())
    mean = float(counts @ without) / n
    return (n - 1) / n * float(counts @ (without - mean) ** 2)


def is_perfect(score: float, without: Floats) -> bool:
    """Whether a score is 1, and 1 without any object."""
    return bool((np.abs(np.append(without, score) - 1.0) <= SCORE_ROUNDING).all())


def _with_cost(
    jackknife: LeaveOneOut,
    score: float,
    table: ContingencyTable,
    score_of: Callable[[ContingencyTable], float],
) -> LeaveOneOut:
    """Add the most that one more object costs: of those that disagree and, if these are few, of others."""
    without = jackknife.without
    perfect = is_perfect(score, without)
    if not np.isfinite(without).all():
        return replace(jackknife, perfect=perfect)
    cost = float(without.max()) - score
    lost = float(jackknife.counts @ (score - without) ** 2)
    if perfect or (1.0 - score) ** 2 < MAX_DISAGREEING_OBJECTS * lost:
        cost = max(cost, score - find_least_moved(table, score_of))
    return replace(jackknife, perfect=perfect, cost=cost)


def _find_best_without(model: FixedMargins, index: Index, sides: Sides) -> dict[tuple[int, int], float]:
    """Best value without an object of clusters of these sizes, on which it depends."""
    margins, best = model.margins, model.options.best
    if best is not None:
        return {pair: find_best_value(index, remove_object(margins, *pair), best) for pair in sides}
    own: list[dict[int, float]] = [{}, {}]  # a clustering against itself depends on its own sizes alone
    for pair in sides:
        smaller = remove_object(margins, *pair)
        for values, total, totals in zip(own, pair, (smaller.row_totals, smaller.column_totals), strict=True):
            if total not in values:
                values[total] = compare_with_itself(index, Margins(totals, totals))
    return {(row, column): (own[0][row] + own[1][column]) / 2 for row, column in sides}


def find_least_moved(table: ContingencyTable, score_of: Callable[[ContingencyTable], float]) -> float:
    """Least score with an object moved from one cluster of the candidate to another; inf if there is one."""
    order = np.argsort(table.column_totals, kind="stable")
    order = order[table.column_totals[order] > 0]
    # of many clusters, the smallest and the largest
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
    """Values of an index on tables many times over, best values, and those at independence, shape (m,)."""

    observed: Floats
    best: Floats
    chance: Floats


def has_too_many_cells(margins: Margins) -> bool:
    """Whether the table at independence is too large to be laid out."""
    return margins.row_totals.size * margins.column_totals.size > max(MAX_CELLS_AT_INDEPENDENCE, margins.n)


def compute_plug_in_score(index: Index, table: ContingencyTable, best: Best) -> float:
    """Adjusted score of the population in which each cell has the share that it has in the table."""
    return _score_limits(index, _evaluate_limits(index, table.dense_counts()[np.newaxis], best))[0]


def compute_plug_in_less_one(index: Index, table: ContingencyTable, best: Best) -> Floats:
    """`compute_plug_in_score` without one object of each of the non-empty cells in turn; shape (cells,)."""
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
    """Adjusted score by the limit of the expected value, and the most that its observed value is biased.

    That is 0 where each largest cell is so by far, and what ties have, `BIAS_PER_RESAMPLING`, elsewhere.
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
    """Adjusted scores of several tables."""
    return [score_index(index, *values) for values in np.stack(limits, axis=1).tolist()]


def _evaluate_limits(index: Index, tables: Integers, best: Best) -> Limits:
    """Limits of tables of one shape and of as many objects, shape (m, K, Q)."""
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    n = int(rows[0].sum())
    times = max(1, min(n, MAX_OBJECTS_BY_NEED.get(index.needs, MAX_OBJECTS) // max(n, 1)))
    independent = rows[:, :, np.newaxis] * columns[:, np.newaxis]
    if times < n:
        independent = np.rint(independent * (times / n)).astype(np.int64)
    margins = ManyMargins(rows * times, columns * times, n * times)
    values, own_best = get_engine(index).values, best if best is not None else index.best
    if own_best is None or isinstance(own_best, str):  # another one for each table
        pairs = zip(margins.row_totals, margins.column_totals, strict=True)
        bests = np.array([find_best_value(index, Margins(*pair), best) for pair in pairs])
    else:
        bests = np.full(len(tables), float(own_best))
    return Limits(values(index, tables * times, margins), bests, values(index, independent, margins))
