"""Models of two partitions: their base classes, and the permutation model, which is the default.

`TableModel` is the base of all models that have a table, and `SampledTables` of models whose tables a sampler
draws: they are counted in tallies, which give the values of all indices. `FixedMargins` is the permutation
model of Hubert & Arabie (1985), doi:10.1007/BF01908075: objects are matched at random, and both sides keep
their cluster sizes. The cost of its answers depends on what the index needs: see `chance.engines`.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from chancecorr.chance.engines import ENGINES, PAIRS, Law, get_engine
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel, Sampling, Side
from chancecorr.chance.options import AUTO, MEAN_ONLY, Best, NamedModel
from chancecorr.chance.table_draws import TableDraws
from chancecorr.exact.agreement import compute_agreement_changes
from chancecorr.exact.closed_laws import CUMULANTS, LOST_MASS
from chancecorr.exact.enumeration import forecast_pair_sum_law
from chancecorr.exact.index_of_pair_sum import bound_pair_sum, evaluate_at, find_direction
from chancecorr.exact.means_without_object import Sides
from chancecorr.exact.summary import ROUNDING_OF_SUMS, Known
from chancecorr.exact.tail_bounds import (
    bound_log_tail,
    bound_log_tail_by_exchanges,
    bound_log_tail_of_information,
    bound_log_tail_of_share,
)
from chancecorr.indices.evaluation import check_labels, link_totals, sum_listed_cells
from chancecorr.indices.index import Index
from chancecorr.indices.information import information_of_cell
from chancecorr.indices.registry import find_twice_best_pair_sum
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.permutation import Sampler, TableSampler, plan_sampler
from chancecorr.sampling.precision import ControlledMean, PowerControls, compute_controlled_mean
from chancecorr.sampling.sides import RandomSides
from chancecorr.sampling.task import Joint
from chancecorr.tables.contingency import ContingencyTable, Margins, count_table, make_table
from chancecorr.tables.objects import Strata
from chancecorr.tables.reading import Objects

MOST_DENSE_CLUSTERS = 1_000  # with up to this many clusters, a clustering against itself has a dense table

NUMBERS_AT_ONCE = 1 << 20  # labels and cells of the draws that are evaluated together: 8 MB


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TableModel(NullModel):
    """Base class of models of two partitions: margins, and the table of the data if given."""

    margins: Margins
    table: ContingencyTable | None = None  # None if only margins are given
    objects: Objects | None = None  # None for a table without labels
    _of_table: dict[Any, Any] = field(default_factory=dict, repr=False)  # results for the table, by question

    def on(self, margins: Margins, **changes: Any) -> Self:
        """Return the same model with other margins, and with other options if given."""
        return replace(self, margins=margins, table=None, objects=None, _computed={}, _of_table={}, **changes)

    def of(self, table: ContingencyTable) -> Self:
        """Return the model of a table with the same margins; it shares all results for these margins."""
        return replace(self, table=table, objects=None, _of_table={})

    @property
    def n(self) -> int:
        return self.margins.n

    @property
    def place(self) -> str:
        return f" under model {self.name!r}"

    @property
    def has_data(self) -> bool:
        return self.table is not None

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index does not compare tables or has no such best value, or the method no answer."""
        for index in indices:
            if index.needs not in ENGINES:
                get_engine(index)  # raises
            if index.needs == "labels":
                check_labels(index, self.margins)
        if self.options.best is not None:
            check_best(indices, self.options.best)

    def observed(self, index: Index) -> float:
        if self.table is None:
            raise ArgumentValueError("table", "must be given for an observed value; got only margins.")
        key = "observed", index.name
        if key not in self._of_table:
            self._of_table[key] = ENGINES[index.needs].value(index, self.table)
        return float(self._of_table[key])

    def best(self, index: Index) -> float:
        best = self.options.best
        if best is None and index.best is not None:
            return float(index.best)
        return self.compute_once("best", index, lambda: find_best_value(index, self.margins, best))

    def compares_the_same(self) -> bool:
        if self.table is None:
            return False
        filled = self.table.nonzero_cells[0].size
        sides = self.table.row_totals, self.table.column_totals
        return all(np.count_nonzero(totals) == filled for totals in sides)

    def number_objects(self) -> tuple[Integers, Integers]:
        """Return the row and the column of each object; raise if only a table or margins are given."""
        if self.objects is None:
            raise ArgumentValueError(
                "model", f"must be another one without labels of objects; `adjust` takes {self.name!r}."
            )
        return self.objects.number()

    approaches_independence: ClassVar[bool] = False
    """True if means have a bias from the value at independence, their limit for many objects."""

    def mean_changes(self, index: Index, sides: Sides) -> Floats | None:
        """Return the change of the mean when an object is removed, by cluster sizes; None if unknown."""
        return None

    def find_mean_changes(self, index: Index) -> Floats | None:
        """Return the change of the mean when an object of each of the `nonzero_cells` is removed, or None."""
        assert self.table is not None
        pairs = self.table.totals_of_cells()
        sides = tuple(sorted(set(pairs)))
        changes = self.mean_changes(index, sides)
        if changes is None:
            return None
        change_of = dict(zip(sides, changes.tolist(), strict=True))
        return np.array([change_of[pair] for pair in pairs])

    draw_tables: ClassVar[Callable[..., Iterable[ContingencyTable]]]
    """Yield the table of each draw, which depends on the seed and the draw's number alone."""

    def draw_values(self, indices: Sequence[Index], first: int, count: int) -> Floats:
        """Return the values on the drawn tables; tables with equal cluster sizes are evaluated together."""
        values = np.empty((count, len(indices)))
        alike: dict[Margins, list[tuple[int, ContingencyTable]]] = {}
        for t, table in enumerate(self.draw_tables(indices, range(first, first + count))):
            if isinstance(table.counts, np.ndarray):
                alike.setdefault(table.margins, []).append((t, table))
            else:
                values[t] = [ENGINES[index.needs].value(index, table) for index in indices]
        for margins, numbered in alike.items():
            numbers, tables = zip(*numbered, strict=True)
            laid_out = np.stack([table.counts for table in tables])
            for column, index in enumerate(indices):
                values[list(numbers), column] = ENGINES[index.needs].values(index, laid_out, margins)
        return values

    def find_block_size(self, indices: Sequence[Index]) -> int:
        cells = self.margins.row_totals.size * self.margins.column_totals.size
        return max(1, NUMBERS_AT_ONCE // (cells + self.n))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SampledTables(TableModel):
    """Base class of models whose tables a sampler draws."""

    strata: Strata | None = None  # objects are matched within these strata; None: all objects

    removes_from_cells: ClassVar[bool] = True

    @property
    def sides(self) -> RandomSides | None:
        """The random cluster sizes of both sides; None if all tables have the margins of the data."""
        return None

    def direction(self, index: Index) -> int:
        """Return 1 if the index rises strictly with T on all tables, -1 if it falls, else 0."""
        if index.needs != "pairs":
            return 0
        return self.compute_once("direction", index, lambda: find_direction(index, self.margins))

    def is_constant(self, index: Index) -> bool:
        low, high = bound_pair_sum(self.margins)
        return low == high

    @abstractmethod
    def find_sampler(self) -> Sampler:
        """Return the sampler of the tables."""

    def find_controls(self, index: Index) -> PowerControls | None:
        """Return the control variates of a simulated mean, or None."""
        return None

    def forecast(self, indices: Sequence[Index]) -> float:
        """Return the forecast seconds of one table, with the indices that need more than T."""
        sampler, engines = self.find_sampler(), [(index, ENGINES[index.needs]) for index in indices]
        of_indices = (
            engine.nanoseconds(index, sampler.shape, self.margins.n)
            for index, engine in engines
            if not engine.goes_by_pair_sum
        )
        return 1e-9 * (sampler.nanoseconds + sum(of_indices))

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
            self.options, sampler, indices, with_controls=with_controls, nanoseconds=nanoseconds,
            sides=self.sides, model=self.name, strata=self.strata,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FixedMargins(SampledTables):
    """The permutation model: objects are matched at random, and both sides keep their cluster sizes."""

    methods_with_values: ClassVar[str] = "'auto', 'exact' or 'monte-carlo'"
    approaches_independence: ClassVar[bool] = True

    @property
    def kept_table(self) -> ContingencyTable | None:
        return self.table

    @property
    def place(self) -> str:
        return " on these margins"

    def find_moments(self, index: Index) -> Known | None:
        compute = ENGINES[index.needs].moments
        return compute and compute(index, self.margins, self.options.limits)

    def moments_beside_draws(self, index: Index) -> Known | None:
        return self.compute_once("moments", index, lambda: self.find_moments(index))

    def mean(self, index: Index) -> float | None:
        compute, method = ENGINES[index.needs].moments, self.options.method
        if compute is None or method.needs_moments or method.needs_law or method.only_tables:
            return None
        quick = replace(self.options, method=MEAN_ONLY).limits
        known = self.compute_once("mean", index, lambda: compute(index, self.margins, quick))
        return None if known is None else known.moments.mean

    def law(self, index: Index) -> Law | None:
        """Return all values with their probabilities, and T if the index is strictly monotone in T."""
        rises, method = self.direction(index), self.options.method
        engine = ENGINES[index.needs]
        try:
            law = self.compute_once(
                "law", index, lambda: engine.law(index, self.margins, self.options.limits)
            )
        except TooCostlyError as error:
            if self.table is None:
                raise  # the message of `null_distribution` names `margins`
            text = f"must not be {method.name!r} without a larger `budget`: {error}"
            raise TooCostlyError("method", text, "budget") from error
        return law if law is None or rises else law._replace(pair_sums=None)

    def forecast_lost_mass(self, index: Index) -> float:
        most_seconds = self.options.limits.law_seconds
        if index.needs != "pairs" or not most_seconds:
            return 0.0
        plan, known = forecast_pair_sum_law(self.margins), self.moments(index)
        if plan.method != "enumeration" or plan.seconds > most_seconds or known is None:
            return 0.0
        # a bound by central moments is at least ``z**-CUMULANTS``: nearer values are not left out
        least = known.moments.std * LOST_MASS ** (-1 / CUMULANTS)
        return 0.0 if abs(self.observed(index) - known.moments.mean) < least else LOST_MASS

    def find_sampler(self) -> Sampler:
        """Return the sampler of tables with these margins; it is made once."""
        return self.compute_once("sampler", None, lambda: plan_sampler(self.margins))

    def find_controls(self, index: Index) -> PowerControls | None:
        """Return the control variates of a simulated mean, or None."""
        options = self.options
        wanted = not options.method.only_tables if options.controls is None else options.controls
        if not wanted or self.knows_mean(index):
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
        squares = self.table.sum_of_squares, *self.margins.squares
        return None if twice is None else compute_exact_score(twice, *squares, self.margins.n)

    def side_of_pair_sum(self, index: Index, side: Side) -> Side | None:
        direction = self.direction(index)
        if direction == 0:
            return None
        return "greater" if (side == "greater") == (direction > 0) else "less"

    def bound_tail(self, index: Index, side: Side, null: NullDistribution | None = None) -> float | None:
        """Return the log of a bound of the p-value; it is computed once without a simulated mean."""
        key = "bound", index.name, side
        if null is not None and null.simulated is not None:
            return self._compute_bound(index, side, null)
        if key not in self._of_table:
            self._of_table[key] = self._compute_bound(index, side, None)
        bound: float | None = self._of_table[key]
        return bound

    def _compute_bound(self, index: Index, side: Side, null: NullDistribution | None) -> float | None:
        """Compute a bound from moments of T if the index is monotone in T, else from exchanges."""
        assert self.table is not None
        side_of_pair_sum, table, margins = self.side_of_pair_sum(index, side), self.table, self.margins
        if side_of_pair_sum is not None:
            return bound_log_tail(margins, table.sum_of_squares, side_of_pair_sum)
        change = ENGINES[index.needs].bound_change(index, margins)
        if change is None:
            return None
        known = self.moments(index) if self.knows_mean(index) else None
        if known is not None:
            mean, slack, n_tables = known.moments.mean, known.error, 0
        elif null is not None and null.simulated is not None:
            mean, slack, n_tables = null.simulated.mean, 0.0, null.n_tables
        else:
            return None
        observed, rises = self.observed(index), side == "greater"
        distance = (observed - mean if rises else mean - observed) - slack
        log_p = bound_log_tail_by_exchanges(distance, table.n, change, n_tables)
        for shares in index.shares if rises else ():
            log_p = min(log_p, bound_log_tail_of_share(margins, observed - ROUNDING_OF_SUMS, shares))
        if index.function is information_of_cell and distance > 0.0:  # it is linear in the information
            information = sum_listed_cells(index, *table.nonzero_cells, margins)
            slope = float(np.diff(link_totals(index, np.array([0.0, 1.0]), margins))[0])
            if (slope > 0.0) == rises:
                log_p = min(log_p, bound_log_tail_of_information(margins, information - ROUNDING_OF_SUMS))
        return log_p

    def mean_changes(self, index: Index, sides: Sides) -> Floats | None:
        """Return the change of the mean when an object is removed, by cluster sizes; None if unknown."""
        compute = ENGINES[index.needs].mean_changes
        return compute and compute(index, self.margins, sides)

    def find_mean_changes(self, index: Index) -> Floats | None:
        """Return the change of the mean when an object of each of the `nonzero_cells` is removed, or None."""
        if index.needs != "agreement":
            return TableModel.find_mean_changes(self, index)
        assert self.table is not None
        return compute_agreement_changes(index, self.margins, *self.table.nonzero_cells[:2])


PERMUTATION = NamedModel(
    "permutation",
    "both clusterings keep their cluster sizes and the objects are matched at random",
    FixedMargins,
)


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
