"""The permutation model of two partitions: fixed margins, and objects that are matched at random.

The model is due to Hubert & Arabie (1985), doi:10.1007/BF01908075. The cost of an answer depends on what the
index needs: see `chance.engines`. `chance.within_strata` and `chance.random_partitions` change the moments
that are known, and the way tables are drawn. Simulated tables are counted in tallies, which give the values
of all indices.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chancecorr.chance.engines import ENGINES, PAIRS, Law, get_engine
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel, Sampling
from chancecorr.chance.options import AUTO, MEAN_ONLY, Best
from chancecorr.chance.table_draws import TableDraws
from chancecorr.exact.closed_laws import LOST_MASS
from chancecorr.exact.enumeration import forecast_pair_sum_law
from chancecorr.exact.index_of_pair_sum import bound_pair_sum, evaluate_at, find_direction
from chancecorr.exact.less_one import Sides
from chancecorr.exact.summary import Known
from chancecorr.indices.evaluation import check_labels
from chancecorr.indices.registry import Index, find_twice_best_pair_sum
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.permutation import Sampler, TableSampler, plan_sampler
from chancecorr.sampling.precision import ControlledMean, PowerControls, compute_controlled_mean
from chancecorr.sampling.task import Joint
from chancecorr.tables.contingency import ContingencyTable, Margins, count_table, make_table
from chancecorr.tables.reading import Objects

if TYPE_CHECKING:
    from chancecorr.chance.jackknife import LeaveOneOut

MAX_CELLS_OF_CHEAP_INTERVAL, MAX_CELLS_IF_SIMULATED = 10_000, 100
"""Most non-empty cells of a table for which an interval takes no longer than the score."""

NANOSECONDS_OF_A_PAIR_INDEX, NANOSECONDS_LEFT_OUT = 3_500.0, 25_000.0
"""Time of an interval per non-empty cell, for pair-counting indices and for other indices."""

NANOSECONDS_OF_AN_INTERVAL, TABLES_RESAMPLED = 500_000.0, 200  # fixed time; tables if it is simulated

MOST_DENSE_CLUSTERS = 1_000  # with up to this many clusters, a clustering against itself has a dense table


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FixedMargins(NullModel):
    """The permutation model: margins, and the table of the data if given; each result is computed once."""

    margins: Margins
    objects: Objects | None = None  # None for a table without labels
    _observed: dict[str, float] = field(default_factory=dict, repr=False)  # value on the table, by index

    keeps_margins: ClassVar[bool] = True

    def on(self, margins: Margins, **changes: Any) -> "FixedMargins":
        """Return the same model with other margins, and with other options if given."""
        return replace(self, margins=margins, table=None, objects=None, _computed={}, _observed={}, **changes)

    def of(self, table: ContingencyTable) -> "FixedMargins":
        """Return the model of a table with the same margins; it shares all results for these margins."""
        return replace(self, table=table, objects=None, _observed={})

    @property
    def place(self) -> str:
        return " on these margins" if self.keeps_margins else f" under model {self.options.model.name!r}"

    @property
    def n(self) -> int:
        return self.margins.n

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index does not compare tables or has no such best value, or the method no answer."""
        for index in indices:
            if index.needs not in ENGINES:
                get_engine(index)  # raises
            if index.needs == "labels":
                check_labels(index, self.margins)
        if self.options.best is not None:
            check_best(indices, self.options.best)

    @property
    def has_data(self) -> bool:
        return self.table is not None

    def observed(self, index: Index) -> float:
        if self.table is None:
            raise ArgumentValueError("table", "must be given for an observed value; got only margins.")
        if index.name not in self._observed:
            self._observed[index.name] = ENGINES[index.needs].value(index, self.table)
        return self._observed[index.name]

    def best(self, index: Index) -> float:
        best = self.options.best
        if best is None and index.best is not None:
            return float(index.best)
        return self.compute_once("best", index, lambda: find_best_value(index, self.margins, best))

    def direction(self, index: Index) -> int:
        """Return 1 if the index rises strictly with T on all tables, -1 if it falls, else 0."""
        if index.needs != "pairs":
            return 0
        return self.compute_once("direction", index, lambda: find_direction(index, self.margins))

    def moments(self, index: Index) -> Known | None:
        compute, method = ENGINES[index.needs].moments, self.options.method
        return compute and self.compute_once("moments", index, lambda: compute(index, self.margins, method))

    def mean(self, index: Index) -> float | None:
        compute, method = ENGINES[index.needs].moments, self.options.method
        if compute is None or method.needs_moments or method.needs_law or method.only_tables:
            return None
        quick = MEAN_ONLY.within(self.options.budget)
        known = self.compute_once("mean", index, lambda: compute(index, self.margins, quick))
        return None if known is None else known.moments.mean

    def law(self, index: Index) -> Law | None:
        """Return all values with their probabilities, and T if the index is strictly monotone in T."""
        rises, method = self.direction(index), self.options.method
        engine = ENGINES[index.needs]
        try:
            law = self.compute_once("law", index, lambda: engine.law(index, self.margins, method))
        except TooCostlyError as error:
            if self.table is None:
                raise  # the message of `null_distribution` names `margins`
            text = f"must not be {method.name!r} without a larger `budget`: {error}"
            raise TooCostlyError("method", text, "budget") from error
        return law if law is None or rises else law._replace(pair_sums=None)

    def law_resolution(self, index: Index) -> float:
        most_seconds = self.options.method.law_seconds
        if index.needs != "pairs" or not most_seconds:
            return 0.0
        plan = forecast_pair_sum_law(self.margins)
        return LOST_MASS if plan.method == "enumeration" and plan.seconds <= most_seconds else 0.0

    def find_sampler(self) -> Sampler:
        """Return the sampler of tables with these margins; it is made once."""
        return self.compute_once("sampler", None, lambda: plan_sampler(self.margins))

    def forecast(self, indices: Sequence[Index]) -> float:
        return 1e-9 * self.forecast_nanoseconds([x for x in indices if not ENGINES[x.needs].goes_by_pair_sum])

    def forecast_nanoseconds(self, evaluated: Sequence[Index]) -> float:
        """Return the time of one table in nanoseconds, with the indices that need more than T."""
        sampler = self.find_sampler()
        drawn, shape, n = sampler.nanoseconds, sampler.shape, self.margins.n
        return drawn + sum(ENGINES[index.needs].nanoseconds(index, shape, n) for index in evaluated)

    def open_draws(self, indices: Sequence[Index]) -> Sampling:
        """Open a simulation that counts tables in tallies; if a checkpoint is given, continue from it."""
        with_controls = any(self.find_controls(index) is not None for index in indices)
        sampler = self.find_sampler()
        sums_alone = all(ENGINES[index.needs].goes_by_pair_sum for index in indices)
        if not (sampler.sparse or (sums_alone and isinstance(sampler, TableSampler))):
            K, Q = sampler.shape
            self.options.budget.check_bytes("margins", f"one table of {K:,} by {Q:,}", 8.0 * K * Q)
        nanoseconds = 1e9 * self.forecast(indices)
        return TableDraws.open(
            self.options, sampler, indices, with_controls=with_controls, nanoseconds=nanoseconds
        )

    def find_controls(self, index: Index) -> PowerControls | None:
        """Return the control variates of a simulated mean, or None."""
        options = self.options
        wanted = not options.method.only_tables if options.controls is None else options.controls
        if not wanted or not self.keeps_margins or self.knows_mean(index):
            return None
        engine = ENGINES[index.needs]
        return self.compute_once("controls", index, lambda: engine.controls(index, self.margins))

    def controlled_mean(self, index: Index, values: Joint) -> ControlledMean | None:
        """Return the mean of simulated values by control variates; None if the plain mean is used."""
        control = self.find_controls(index)
        if control is None and (self.options.precision is None or self.knows_mean(index)):
            return None
        columns = control.columns(values.covariate) if control and values.covariate is not None else []
        is_determined = index.needs in ("pairs", "cells")  # by the number whose powers are the controls
        return compute_controlled_mean(values.values, values.counts, columns, determined=is_determined)

    def std(self, index: Index) -> float | None:
        if index.needs != "pairs" or self.find_controls(index) is not None:
            return None
        known = PAIRS.moments(index, self.margins, AUTO)
        return known.moments.std if known is not None and math.isfinite(known.moments.std) else None

    def exact_score(self, index: Index) -> float | None:
        """Return ``(T - E T) / (T' - E T)``, rounded once, for an index affine in T; None for others.

        T' is the value of T where the index is best; 2 T' must be an integer. The ratio is the adjusted score
        under fixed margins. It keeps digits that the index itself loses if its expected value is near its
        best value: ``E T - n = (A - n) (B - n) / (n (n - 1))``, Hubert & Arabie (1985).
        """
        if self.table is None or self.options.best is not None or self.options.method.only_tables:
            return None
        twice = find_twice_best_pair_sum(index)
        if twice is None:
            return None
        return compute_exact_score(twice, self.table.sum_of_squares, *self.margins.squares, self.margins.n)

    def compares_the_same(self) -> bool:
        if self.table is None:
            return False
        filled = self.table.nonzero_cells[0].size
        sides = self.table.row_totals, self.table.column_totals
        return all(np.count_nonzero(totals) == filled for totals in sides)

    def is_constant(self, index: Index) -> bool:
        low, high = bound_pair_sum(self.margins)
        return low == high

    def mean_changes(self, index: Index, sides: Sides) -> Floats | None:
        """Return the change of the mean when an object is removed, by cluster sizes; None if unknown."""
        compute = ENGINES[index.needs].mean_changes
        return compute and compute(index, self.margins, sides)

    def leave_out(self, index: Index, null: NullDistribution, groups: Any) -> "LeaveOneOut":
        from chancecorr.chance.jackknife import leave_groups_out, leave_one_out
        from chancecorr.tables.objects import leave_out_groups, read_groups

        if groups is None:
            return leave_one_out(self, index, null)
        if self.objects is None or self.table is None:
            raise ArgumentValueError(
                "groups",
                "must be None for a score of a table, because a table does not contain single objects; use"
                " `adjust` with labels, or `compare`.",
            )
        numbers = read_groups(groups, self.objects.names, self.objects.kept)
        cells = self.objects.cells()
        without = leave_out_groups(self.table, cells, numbers, keep_empty=bool(index.named))
        return leave_groups_out(self, index, without, null)

    def forecast_interval(self, index: Index, *, is_simulated: bool) -> float:
        """Return the forecast seconds of an interval; infinite if the table has many cells."""
        if self.table is None or index.needs == "labels" or (is_simulated and not self.keeps_margins):
            return math.inf
        cells = int((self.table.counts != 0).sum())
        if cells > (MAX_CELLS_IF_SIMULATED if is_simulated else MAX_CELLS_OF_CHEAP_INTERVAL):
            return math.inf
        return self.forecast_leaving_out(index, is_simulated=is_simulated)

    def forecast_leaving_out(self, index: Index, *, is_simulated: bool = False) -> float:
        """Return the forecast seconds of removing an object from each cell in turn."""
        from chancecorr.chance.jackknife import has_too_many_cells

        assert self.table is not None
        cells = int((self.table.counts != 0).sum())
        by_limits = is_simulated or self.mean_changes(index, tuple(self.table.totals_of_cells()[:1])) is None
        is_quick = index.needs == "pairs" and not index.with_totals and not by_limits
        nanoseconds = (NANOSECONDS_OF_A_PAIR_INDEX if is_quick else NANOSECONDS_LEFT_OUT) * cells
        if by_limits and has_too_many_cells(self.table.margins):
            return 1e-9 * NANOSECONDS_OF_AN_INTERVAL
        if by_limits:  # evaluated after removing objects, on resamples, and at independence
            of_a_table = ENGINES[index.needs].nanoseconds(index, self.table.shape, self.n)
            nanoseconds += 2.0 * of_a_table * (cells + TABLES_RESAMPLED)
        return NANOSECONDS_OF_AN_INTERVAL * 1e-9 + 1e-9 * nanoseconds


def compute_exact_score(twice: Callable[[int, int], int], T: int, A: int, B: int, n: int) -> float | None:
    """Return the score of an index affine in T and best at 2 T' = twice(A, B), rounded once; None for 0/0."""
    pairs, by_chance = n * (n - 1), 2 * (A - n) * (B - n)
    room = (twice(A, B) - 2 * n) * pairs - by_chance
    return (2 * (T - n) * pairs - by_chance) / room if room else None


def find_best_value(index: Index, margins: Margins, best: Best) -> float:
    """Return the value that `best` means for these margins."""
    if best is None:
        return compare_with_itself(index, margins) if index.best is None else float(index.best)
    if isinstance(best, Real):
        return float(best)
    check_best((index,), best)
    return float(evaluate_at(index, margins, [Fraction(sum(margins.squares), 2)])[0])


def check_best(indices: Sequence[Index], best: Best) -> None:
    """Raise, before the work, if `best` is not possible for one of the indices."""
    for index in indices:
        if isinstance(best, str) and not get_engine(index).goes_by_pair_sum:
            raise ArgumentValueError(
                "best",
                f"must be a number for index {index.name!r}, which needs {index.needs!r} and not pairs;"
                f" got {best!r}.",
            )


def compare_with_itself(index: Index, margins: Margins) -> float:
    """Return the mean of the index at ``(U, U)`` and ``(V, V)`` for clusterings U and V of these sizes."""
    values = []
    for totals in (margins.row_totals, margins.column_totals):
        sizes = totals if index.named else totals[totals > 0]
        if sizes.size <= MOST_DENSE_CLUSTERS:
            labels = np.arange(sizes.size)
            table = make_table(np.diag(sizes), labels, labels)
        else:
            from scipy.sparse import diags_array

            table = count_table(diags_array(sizes, format="csr", dtype=sizes.dtype))
        values.append(ENGINES[index.needs].value(index, table))
    return sum(values) / 2
