"""The model for two biclusterings of a matrix: chance permutes rows and columns independently.

The biclusterings have a contingency table of rows and a contingency table of columns. The table of the cells
of the matrix is their Kronecker product, so that ``T = sum n_ij**2`` of the cells is the product of two T,
which are independent by chance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, NoReturn

import numpy as np

from chancecorr.chance.engines import Law
from chancecorr.chance.fixed_margins import PERMUTATION
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel
from chancecorr.clusterings.biclusters import Tables
from chancecorr.exact.closed_laws import PairSumLaw
from chancecorr.exact.enumeration import get_pair_sum_law
from chancecorr.exact.index_of_pair_sum import compute_affine_moments
from chancecorr.exact.summary import Known
from chancecorr.indices.evaluation import evaluate_pair_sums
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.permutation import draw_pair_sums, plan_sampler
from chancecorr.sampling.seeding import make_seed, split_seed
from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import PairSumMoments, compute_pair_sum_moments

BYTES_OF_A_PRODUCT = 48  # bytes of a product of two T with its probability and the sorting arrays
MOST_PRODUCTS = 1 << 22  # most pairs of values of T (rows, columns) whose products are listed
SECONDS_OF_A_LAW = 1.0  # without a budget, T is sampled if its enumeration takes longer (forecast)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PermutedRowsAndColumns(NullModel):
    """The model of two biclusterings, with a table of the row clusters and a table of the column clusters."""

    tables: Tables

    draw_word: ClassVar[str] = "permutation"

    @property
    def n(self) -> int:
        return self.tables[0].n * self.tables[1].n

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an option does not apply to biclusterings, or an index needs more than pairs."""
        options = self.options
        if options.model != PERMUTATION or options.best is not None:
            raise ArgumentValueError("model", "must be 'permutation', and `best` None, for biclusterings.")
        sizes = 8.0 * sum(math.prod(of_both) for of_both in zip(*(x.shape for x in self.tables), strict=True))
        options.budget.check_bytes("index", "the sizes of all blocks of cells", sizes)
        for index in indices:
            if index.needs != "pairs":
                raise ArgumentValueError("index", f"must be a pair-counting index; got {index.name!r}.")

    def observed(self, index: Index) -> float:
        T = np.array([self.tables[0].sum_of_squares * self.tables[1].sum_of_squares], dtype=np.int64)
        return float(evaluate_pair_sums(index, T, combine_margins(self.tables))[0])

    def best(self, index: Index) -> float:
        return math.nan if index.best is None else index.best

    def find_moments(self, index: Index) -> Known | None:
        """Return exact mean and variance of an index affine in T; None for other indices."""
        if not index.affine:
            return None
        moments = compute_affine_moments(index, combine_margins(self.tables), combine_moments(self.tables))
        return Known(replace(moments, skewness=math.nan, kurtosis=math.nan), 0.0)

    def law(self, index: Index) -> Law | None:
        if self.options.method.needs_moments:
            return None
        budget = self.options.budget
        seconds = budget.limit_step(SECONDS_OF_A_LAW)
        product = self.compute_once("law", None, lambda: multiply_laws(self.tables, seconds, budget.bytes))
        if product is None:
            return None
        values = evaluate_pair_sums(index, product.values, combine_margins(self.tables))
        return Law(values, product.probabilities, product.lost_mass)

    def forecast(self, indices: Sequence[Index]) -> float:
        return sum(1e-9 * plan_sampler(table.margins).nanoseconds for table in self.tables)

    def draw_values(self, indices: Sequence[Index], first: int, count: int) -> Floats:
        """Return values at products of T of rows and T of columns, which are drawn with separate seeds."""
        seeds = split_seed(make_seed(int(self.options.seed)), 2)
        margins = combine_margins(self.tables)
        both = [
            draw_pair_sums(plan_sampler(table.margins), seed, first, count)
            for table, seed in zip(self.tables, seeds, strict=True)
        ]
        return np.array([evaluate_pair_sums(index, both[0] * both[1], margins) for index in indices]).T

    def score_parts(self, index: Index, null: NullDistribution, groups: Any) -> NoReturn:
        """Raise, because rows and columns are two samples, and intervals need a single sample."""
        raise ArgumentValueError("labels_true", "must be a clustering of objects for an interval.")


def combine_margins(tables: Tables) -> Margins:
    """Return the sizes of the clusters of cells."""
    first, second = (table.margins for table in tables)
    return Margins(
        np.kron(first.row_totals, second.row_totals), np.kron(first.column_totals, second.column_totals)
    )


def combine_moments(tables: Tables) -> PairSumMoments:
    """Return mean and variance of T of the cells; other fields, which are not needed, are 0."""
    (m, v), (M, V) = (
        (t.mean, t.variance) for t in (compute_pair_sum_moments(table.margins) for table in tables)
    )
    variance = v * V + v * M**2 + V * m**2
    return PairSumMoments(mean=m * M, variance=variance, third=Fraction(0), fourth=Fraction(0))


def multiply_laws(tables: Tables, seconds: float, most_bytes: int | None) -> PairSumLaw | None:
    """Return the distribution of the product of both T; None if it is too costly to list."""
    try:
        first, second = (get_pair_sum_law(table.margins, seconds) for table in tables)
    except TooCostlyError:
        return None
    most = MOST_PRODUCTS if most_bytes is None else min(MOST_PRODUCTS, most_bytes // BYTES_OF_A_PRODUCT)
    if first.values.size * second.values.size > most:
        return None
    products = np.outer(first.values, second.values).ravel()
    values, where = np.unique(products, return_inverse=True)
    p = np.bincount(where, np.outer(first.probabilities, second.probabilities).ravel())
    lost_mass = first.lost_mass + second.lost_mass
    return replace(first, values=values, probabilities=p.astype(np.float64), lost_mass=lost_mass)
