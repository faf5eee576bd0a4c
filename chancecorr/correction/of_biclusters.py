"""Scores of biclusterings: chance permutes rows and columns, each on their own.

Rows and columns are also sampled each on their own, so that in an interval the variance of the jackknife over
the rows and that over the columns add up.
"""

import dataclasses
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.chance.engine import Known, Law
from chancecorr.chance.null_distribution import NullDistribution, analytic_null, exact_null, simulated_null
from chancecorr.chance.options import Request, require_no_settings
from chancecorr.clusterings.biclusters import Biclusters, Tables, bicluster_agreement
from chancecorr.correction.intervals.least import least_between
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, is_perfect, least_moved
from chancecorr.correction.intervals.source import MOST_CELLS_OF_INTERVALS
from chancecorr.correction.scores import AdjustedScore, score_of
from chancecorr.correction.tails import bound_by_variance, tail_of_values
from chancecorr.exact.adjusted_score import compute_adjusted_scores
from chancecorr.exact.moments.summary import UNKNOWN
from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.registry import Index, indices_to_adjust
from chancecorr.machine.arrays import Floats
from chancecorr.simulation.task import Joint
from chancecorr.tables.contingency import ContingencyTable


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """The index, the tables of rows and of columns, and the request behind a score."""

    index: Index
    tables: Tables
    asked: Request
    null: NullDistribution

    def costs_little(self, simulated: bool) -> bool:
        """Whether few cells of either table are not empty."""
        return sum(table.nonzero_cells[0].size for table in self.tables) <= MOST_CELLS_OF_INTERVALS

    def without_one(self, known: NullDistribution, groups: Any) -> LeaveOneOut:
        """Adjusted scores without a row or a column each, scaled so that their variance is that of both."""
        if groups is not None or self.index.with_totals:
            name, what = ("index", "depend on pair counts alone") if groups is None else ("groups", "be None")
            raise ArgumentValueError(name, f"must {what} for an interval of biclusterings.")
        both = [_sums(table) for table in self.tables]
        counts = [table.nonzero_cells[2] for table in self.tables]
        whole = float(self._scores(known.mean, both, both)[0])
        without = []
        for side, table in enumerate(self.tables):
            fewer = both.copy()
            fewer[side] = _sums_without(table)
            without.append(self._scores(known.mean, both, fewer))
        perfect = is_perfect(whole, np.concatenate(without))
        scaled, estimate, m = [], whole, sum(map(int, map(np.sum, counts)))
        for scores, weights in zip(without, counts, strict=True):
            size = int(weights.sum())
            mean = float(weights @ scores) / size
            scaled.append(whole + math.sqrt((size - 1) / size * m / (m - 1)) * (scores - mean))
            estimate += (size - 1) * (whole - mean)
        cost = max(float(np.concatenate(without).max()) - whole, whole - self._least_moved(known.mean, both))
        return LeaveOneOut(
            whole=whole,
            counts=np.concatenate(counts),
            without=np.concatenate(scaled),
            estimate=estimate,
            cost=cost,
            perfect=perfect,
            null_variance=known.variance / (self._best - known.mean) ** 2,
            squares=sum((table.shape[0] - 1) * (table.shape[1] - 1) for table in self.tables),
            least=float(least_between(self.index.range, self._best, known.mean)),
        )

    @property
    def _best(self) -> float:
        return math.nan if self.index.best is None else self.index.best

    def _scores(self, mean: float, both: Sequence[Floats], these: Sequence[Floats]) -> Floats:
        """Adjusted scores of these tables; the mean changes as the index at the mean of T does."""
        observed, by_chance = self._values(these)
        mean_there = mean + by_chance - self._values(both)[1]
        return np.asarray(compute_adjusted_scores(observed, self._best, mean_there))

    def _values(self, sides: Sequence[Floats]) -> Floats:
        """Index at T and at its mean by chance, shape (2, tables)."""
        n, T, by_chance, A, B = np.broadcast_arrays(*sides)[0] * np.broadcast_arrays(*sides)[1]
        values = []
        for each in (T, by_chance):
            a, b, c = (each - n) / 2.0, (A - each) / 2.0, (B - each) / 2.0
            counts = (a, b, c, n * (n - 1.0) / 2.0 - a - b - c)
            values.append(values_of_varying_pairs(self.index, counts, (A, B), int(n[0])))
        return np.array(values)

    def _least_moved(self, mean: float, both: Sequence[Floats]) -> float:
        """Least score with a row, or a column, in another cluster of the candidate."""

        def score(side: int, table: ContingencyTable) -> float:
            moved = list(both)
            moved[side] = _sums(table)
            return float(self._scores(mean, both, moved)[0])

        return min(least_moved(table, functools.partial(score, k)) for k, table in enumerate(self.tables))


def _sums(table: ContingencyTable) -> Floats:
    """Objects, T, its mean by chance, A and B of a table, shape (5, 1)."""
    A, B = table.margins.squares
    return _with_mean(*(np.array([float(each)]) for each in (table.n, table.sum_of_squares, A, B)))


def _sums_without(table: ContingencyTable) -> Floats:
    """`_sums` without one object of each of the non-empty cells, shape (5, cells)."""
    rows, columns, counts = table.nonzero_cells
    A, B = table.margins.squares
    fewer = (
        float(square) + 1.0 - 2.0 * size
        for square, size in (
            (table.sum_of_squares, counts),
            (A, table.row_totals[rows]),
            (B, table.column_totals[columns]),
        )
    )
    T, A_left, B_left = (each.astype(np.float64) for each in fewer)
    return _with_mean(np.full(counts.size, table.n - 1.0), T, A_left, B_left)


def _with_mean(n: Floats, T: Floats, A: Floats, B: Floats) -> Floats:
    """Objects, T, its mean by Hubert & Arabie (1985), A and B."""
    return np.array([n, T, n + (A - n) * (B - n) / np.maximum(n * (n - 1.0), 1.0), A, B])


def scores_of_biclusters(first: Any, second: Any, index: Any, asked: Request) -> list[AdjustedScore]:
    """Adjusted scores of two biclusterings of the same matrix, for indices that count pairs."""
    names = "labels_true", "labels_pred"
    for name, side in zip(names, (first, second), strict=True):
        if not isinstance(side, Biclusters):
            raise ArgumentTypeError(name, f"must be Biclusters as the other side; got {type(side).__name__}.")
    if not asked.model.is_permutation or asked.best is not None:
        raise ArgumentValueError("model", "must be 'permutation', and `best` None, for biclusterings.")
    require_no_settings(asked, "biclusterings")
    if asked.n_tables < 2:
        raise ArgumentValueError("n_tables", f"must be at least 2 for biclusterings; got {asked.n_tables}.")
    tables = first.tables_with(second, names)
    n = first.rows.size * first.columns.size
    return [_score(each, tables, n, asked) for each in indices_to_adjust(index)[0]]


def _score(entry: Index, tables: Tables, n: int, asked: Request) -> AdjustedScore:
    """Score of one index."""
    null, observed, best = _null(entry, tables, n, asked)
    side = asked.alternative or ("greater" if entry.larger_is_better else "less")
    tail_of = bound_by_variance if null.values_from is None else tail_of_values
    source = Source(index=entry, tables=tables, asked=asked, null=null)
    return score_of(entry, (observed, best), null, tail_of(null, observed, side), asked, source=source)


def _null(entry: Index, tables: Tables, n: int, asked: Request) -> tuple[NullDistribution, float, float]:
    """Null distribution by the method that is asked for, the observed value and the best one."""
    method, name = asked.method, entry.name
    lists = not (method.only_tables or method.needs_moments)
    seconds = asked.budget.part(1.0) if lists else 0.0
    n_samples = 2 if method.needs_moments else asked.n_tables
    agreement = bicluster_agreement(*tables, entry, n_samples=n_samples, seconds=seconds, rng=int(asked.seed))
    moments = dataclasses.replace(UNKNOWN, mean=agreement.expected, variance=agreement.variance)
    known = Known(moments, 0.0) if entry.affine and not method.only_tables else None
    if (method.needs_moments and known is None) or (method.needs_law and not agreement.is_exact):
        others = "'auto' or 'monte-carlo'" if known is None else "'auto', 'analytic' or 'monte-carlo'"
        raise ArgumentValueError(
            "method", f"must be {others} for index {name!r} of these biclusterings; got {method.name!r}."
        )
    if known is not None and method.needs_moments:
        null = analytic_null(name, None, known)
    elif agreement.is_exact:
        law = Law(agreement.values, agreement.probabilities, agreement.lost_mass)
        null = exact_null(name, None, law, known)
    else:
        joint = Joint(agreement.values, None, np.ones(agreement.values.size, dtype=np.int64))
        settled = known is not None
        null = simulated_null(name, None, joint, known, settled=settled, what="permutations")
    return dataclasses.replace(null, objects=n), agreement.observed, agreement.best
