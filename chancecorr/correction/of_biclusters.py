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
from chancecorr.clusterings.biclusters import BiclusterAgreement, Biclusters, Tables, bicluster_agreement
from chancecorr.correction.distribution import NullDistribution
from chancecorr.correction.distributions_made import exact_null, simulated_null
from chancecorr.correction.intervals.least import least_between
from chancecorr.correction.intervals.leave_one_out import LeaveOneOut, is_perfect, least_moved
from chancecorr.correction.intervals.source import MOST_CELLS_OF_INTERVALS
from chancecorr.correction.request import Request
from chancecorr.correction.scores import AdjustedScore, score_of
from chancecorr.correction.tails import tail_of_values
from chancecorr.exact.laws.ties import rounding
from chancecorr.exact.moments.summary import UNKNOWN
from chancecorr.indices.evaluation import values_of_varying_pairs
from chancecorr.indices.registry import Index, get_index
from chancecorr.kinds.kind import Known, Law
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
        room = self._best - mean_there
        with np.errstate(all="ignore"):
            scores = (observed - mean_there) / room
        return np.where(np.abs(room) > rounding(self._best, mean), scores, math.nan)

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


def scores_of_biclusters(first: Any, second: Any, indices: list[Any], asked: Request) -> list[AdjustedScore]:
    """Adjusted scores of two biclusterings of the same matrix, for indices that count pairs."""
    names = "labels_true", "labels_pred"
    for name, side in zip(names, (first, second), strict=True):
        if not isinstance(side, Biclusters):
            raise ArgumentTypeError(name, f"must be Biclusters as the other side; got {type(side).__name__}.")
    if not asked.model.is_permutation or asked.best is not None:
        raise ArgumentValueError("model", "must be 'permutation', and `best` None, for biclusterings.")
    tables = first.tables_with(second, names)
    return [_score(each, tables, first.rows.size * first.columns.size, asked) for each in indices]


def _score(index: Any, tables: Any, n: int, asked: Request) -> AdjustedScore:
    """Score of one index."""
    entry = get_index(index)
    seconds = 0.0 if asked.method.only_tables else asked.budget.part(1.0)
    found = bicluster_agreement(
        tables[0], tables[1], entry, n_samples=asked.n_tables, seconds=seconds, rng=int(asked.seed)
    )
    null = dataclasses.replace(_null(found, asked), objects=n)
    side = asked.alternative or ("greater" if entry.larger_is_better else "less")
    tail = tail_of_values(null, found.observed, side)
    source = Source(index=entry, tables=tables, asked=asked, null=null)
    return score_of(entry, (found.observed, found.best), null, tail, source=source)


def _null(found: BiclusterAgreement, asked: Request) -> NullDistribution:
    """Null distribution, listed or drawn."""
    moments = dataclasses.replace(UNKNOWN, mean=found.expected, variance=found.variance)
    known = None if found.expected_error or asked.method.only_tables else Known(moments, 0.0)
    if found.is_exact:
        law = Law(found.values, found.probabilities, found.lost_mass)
        return exact_null(found.index, None, law, known)
    joint = Joint(found.values, None, np.ones(found.values.size, dtype=np.int64))
    return simulated_null(found.index, None, joint, known, settled=known is not None)
