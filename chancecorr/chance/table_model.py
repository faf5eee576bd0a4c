"""Models of two partitions: their margins, the table of the data, and how its values are compared.

`TableModel` is the base of all models that have a table. `SampledTables` is the base of those whose tables a
sampler draws. Simulated tables are counted in tallies, which give the values of all indices.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Real
from typing import Any, Self

import numpy as np

from chancecorr.chance.engines import ENGINES, get_engine
from chancecorr.chance.null_distribution import NullDistribution
from chancecorr.chance.null_model import NullModel, PartScores, Sampling
from chancecorr.chance.options import Best
from chancecorr.chance.table_draws import TableDraws
from chancecorr.exact.index_of_pair_sum import bound_pair_sum, evaluate_at, find_direction
from chancecorr.exact.means_without_object import Sides
from chancecorr.indices.evaluation import check_labels
from chancecorr.indices.index import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.sampling.permutation import Sampler, TableSampler
from chancecorr.sampling.precision import PowerControls
from chancecorr.sampling.sides import RandomSides
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

    def approaches_independence(self, index: Index) -> bool:
        """Return True if the mean has a bias from the value at independence, its limit for many objects."""
        return False

    def mean_changes(self, index: Index, sides: Sides) -> Floats | None:
        """Return the change of the mean when an object is removed, by cluster sizes; None if unknown."""
        return None

    def draw_tables(self, indices: Sequence[Index], numbers: range) -> Iterable[ContingencyTable]:
        """Yield the table of each draw, which depends on the seed and the draw's number alone."""
        raise NotImplementedError

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

    @property
    def sides(self) -> RandomSides | None:
        """What is random about the cluster sizes; None if all tables have the margins of the data."""
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
            self.options, sampler, indices, with_controls=with_controls, nanoseconds=nanoseconds,
            sides=self.sides, model=self.name, strata=self.strata,
        )  # fmt: skip

    def score_parts(self, index: Index, null: NullDistribution, groups: Any) -> PartScores | None:
        return None

    def forecast_parts(self, index: Index, *, is_simulated: bool) -> float | None:
        return math.inf if self.table is None or index.needs == "labels" else None


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
