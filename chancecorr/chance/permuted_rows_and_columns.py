"""Two biclusterings of a matrix: chance permutes its rows and its columns, each on their own.

Rows and columns are also sampled each on their own, so that in an interval the variance of the jackknife
over the rows and that over the columns add up.
"""

import dataclasses
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chancecorr.chance.engine import Known, Law
from chancecorr.chance.null_model import NullModel
from chancecorr.clusterings.biclusters import (
    Tables,
    combine_margins,
    combine_moments,
    multiply_laws,
)
from chancecorr.exact.index_of_pair_sum import affine_moments
from chancecorr.exact.summary import compute_adjusted_scores
from chancecorr.indices.evaluation import values_of_pair_sums, values_of_varying_pairs
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats
from chancecorr.sampling.permutation import draw_pair_sums, plan_sampler
from chancecorr.sampling.seeding import seed_from, split_seed
from chancecorr.tables.contingency import ContingencyTable

if TYPE_CHECKING:
    from chancecorr.chance.jackknife import LeaveOneOut
    from chancecorr.chance.null_distribution import NullDistribution

MAX_CELLS_OF_CHEAP_INTERVAL = 10_000
"""Non-empty cells of both tables up to which an interval takes no longer than the score."""

SECONDS_OF_A_LAW = 1.0
"""Forecast of the enumeration of a law beyond which T is sampled, if no budget is given."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutedRowsAndColumns(NullModel):
    """Tables of the clusters of rows and of columns; that of the cells is their Kronecker product."""

    tables: Tables

    draw_word: ClassVar[str] = "permutation"

    @property
    def n(self) -> int:
        """Number of cells of the matrix."""
        return self.tables[0].n * self.tables[1].n

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an option means nothing for biclusterings, or an index needs more than pairs."""
        options = self.options
        if not options.model.is_permutation or options.best is not None:
            raise ArgumentValueError("model", "must be 'permutation', and `best` None, for biclusterings.")
        sizes = 8.0 * sum(math.prod(of_both) for of_both in zip(*(x.shape for x in self.tables), strict=True))
        options.budget.check_bytes("index", "the sizes of all blocks of cells", sizes)
        for index in indices:
            if index.needs != "pairs":
                raise ArgumentValueError("index", f"must be a pair-counting index; got {index.name!r}.")
            if (options.method.needs_moments and self.moments(index) is None) or (
                options.method.needs_law and self.law(index) is None
            ):
                is_known = index.affine
                others = "'auto', 'analytic' or 'monte-carlo'" if is_known else "'auto' or 'monte-carlo'"
                raise ArgumentValueError(
                    "method",
                    f"must be {others} for index {index.name!r} of these biclusterings; got"
                    f" {options.method.name!r}.",
                )

    def observed(self, index: Index) -> float:
        """Value of the index on the cells."""
        T = np.array([self.tables[0].sum_of_squares * self.tables[1].sum_of_squares], dtype=np.int64)
        return float(values_of_pair_sums(index, T, combine_margins(self.tables))[0])

    def best(self, index: Index) -> float:
        """Value of the index at which the adjusted score is 1."""
        return math.nan if index.best is None else index.best

    def moments(self, index: Index) -> Known | None:
        """Exact mean and variance of an index affine in T; None of others."""
        if not index.affine or self.options.method.only_tables:
            return None
        moments = affine_moments(index, combine_margins(self.tables), combine_moments(self.tables))
        return Known(dataclasses.replace(moments, skewness=math.nan, kurtosis=math.nan), 0.0)

    def law(self, index: Index) -> Law | None:
        """Values by the laws of T of rows and columns; None if these are too costly."""
        method = self.options.method
        if method.needs_moments:
            return None
        budget = self.options.budget
        seconds = budget.part(SECONDS_OF_A_LAW)
        if "law" not in self._computed:
            self._computed["law"] = multiply_laws(self.tables, seconds, budget.bytes)
        product = self._computed["law"]
        if product is None:
            return None
        values = values_of_pair_sums(index, product.values, combine_margins(self.tables))
        return Law(values, product.probabilities, product.lost_mass)

    def forecast(self, indices: Sequence[Index]) -> float:
        """Seconds of a pair of T."""
        return sum(1e-9 * plan_sampler(table.margins).nanoseconds for table in self.tables)

    def draw_values(self, indices: Sequence[Index], first: int, count: int) -> Floats:
        """Values at products of T of rows and T of columns, each drawn with a seed of its own."""
        seeds = split_seed(seed_from(int(self.options.seed)), 2)
        margins = combine_margins(self.tables)
        both = [
            draw_pair_sums(plan_sampler(table.margins), seed, first, count)
            for table, seed in zip(self.tables, seeds, strict=True)
        ]
        return np.array([values_of_pair_sums(index, both[0] * both[1], margins) for index in indices]).T

    def interval_costs_little(self, index: Index, *, is_simulated: bool) -> bool:
        """Whether few cells of either table are not empty."""
        cells = sum(table.nonzero_cells[0].size for table in self.tables)
        return cells <= MAX_CELLS_OF_CHEAP_INTERVAL and not index.with_totals

    def leave_out(self, index: Index, null: "NullDistribution", groups: Any) -> "LeaveOneOut":
        """Adjusted scores without a row or a column each, scaled so that their variance is that of both."""
        from chancecorr.chance.jackknife import LeaveOneOut, is_perfect, least_between

        if groups is not None or index.with_totals:
            name, what = ("index", "depend on pair counts alone") if groups is None else ("groups", "be None")
            raise ArgumentValueError(name, f"must {what} for an interval of biclusterings.")
        score = functools.partial(_score_sums, index, self.best(index), null.mean)
        both = [_sums(table) for table in self.tables]
        counts = [table.nonzero_cells[2] for table in self.tables]
        whole, without = float(score(both, both)[0]), []
        for side, table in enumerate(self.tables):
            fewer = both.copy()
            fewer[side] = _sums_without(table)
            without.append(score(both, fewer))
        perfect = is_perfect(whole, np.concatenate(without))
        scaled, estimate, m = [], whole, sum(map(int, map(np.sum, counts)))
        for scores, weights in zip(without, counts, strict=True):
            size = int(weights.sum())
            mean = float(weights @ scores) / size
            scaled.append(whole + math.sqrt((size - 1) / size * m / (m - 1)) * (scores - mean))
            estimate += (size - 1) * (whole - mean)
        cost = max(float(np.concatenate(without).max()) - whole, whole - self._least_moved(score, both))
        return LeaveOneOut(
            whole=whole,
            counts=np.concatenate(counts),
            without=np.concatenate(scaled),
            estimate=estimate,
            cost=cost,
            perfect=perfect,
            null_variance=null.variance / (self.best(index) - null.mean) ** 2,
            squares=sum((table.shape[0] - 1) * (table.shape[1] - 1) for table in self.tables),
            least=least_between(index.range, self.best(index), null.mean),
        )

    def _least_moved(self, score: Any, both: Sequence[Floats]) -> float:
        """Least score with a row, or a column, in another cluster of the candidate."""
        from chancecorr.chance.jackknife import least_moved

        def score_moved(side: int, table: ContingencyTable) -> float:
            moved = list(both)
            moved[side] = _sums(table)
            return float(score(both, moved)[0])

        sides = enumerate(self.tables)
        return min(least_moved(table, functools.partial(score_moved, side)) for side, table in sides)


def _score_sums(
    index: Index, best: float, mean: float, both: Sequence[Floats], these: Sequence[Floats]
) -> Floats:
    """Adjusted scores of these tables; the mean changes as the index at the mean of T does."""
    observed, by_chance = _values_of_sums(index, these)
    mean_there = mean + by_chance - _values_of_sums(index, both)[1]
    return np.asarray(compute_adjusted_scores(observed, best, mean_there))


def _values_of_sums(index: Index, sides: Sequence[Floats]) -> Floats:
    """Index at T and at its mean by chance, shape (2, tables)."""
    n, T, by_chance, A, B = np.broadcast_arrays(*sides)[0] * np.broadcast_arrays(*sides)[1]
    values = []
    for pair_sum in (T, by_chance):
        a, b, c = (pair_sum - n) / 2.0, (A - pair_sum) / 2.0, (B - pair_sum) / 2.0
        counts = (a, b, c, n * (n - 1.0) / 2.0 - a - b - c)
        values.append(values_of_varying_pairs(index, counts, (A, B), int(n[0])))
    return np.array(values)


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
