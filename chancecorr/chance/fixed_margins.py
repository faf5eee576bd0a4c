"""Two partitions with fixed margins: the objects of both are matched at random.

This is the permutation model of Hubert & Arabie (1985), doi:10.1007/BF01908075. What an index needs decides
how cheaply it is answered: see `chance.engine`. `chance.within_strata` and `chance.random_partitions`
change what is known of an index, and how its tables are drawn.
"""

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chancecorr.arguments import ArgumentValueError
from chancecorr.budget import TooCostlyError
from chancecorr.chance.engine import Known, Law
from chancecorr.chance.engines import engine_of
from chancecorr.chance.methods import AUTO, MEAN_ONLY
from chancecorr.chance.null_model import Draws, NullModel
from chancecorr.chance.options import Best
from chancecorr.chance.table_draws import TableDraws, tabulate
from chancecorr.exact.index_of_pair_sum import pair_sum_range, values_at
from chancecorr.exact.less_one import Sides
from chancecorr.exact.summary import score_index
from chancecorr.indices.registry import Index, get_index, is_registered
from chancecorr.machine.arrays import Floats
from chancecorr.null.models import Model
from chancecorr.null.partitions import model_tables
from chancecorr.null.permutation import Sampler, TableSampler, plan_sampler
from chancecorr.simulation.precision import ControlledMean, PowerControls, controlled_mean
from chancecorr.simulation.task import Joint, tables_at_once
from chancecorr.simulation.workers import tables_in_block
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.objects import Objects

if TYPE_CHECKING:
    from chancecorr.chance.jackknife import LeaveOneOut
    from chancecorr.chance.null_distribution import NullDistribution

MAX_CELLS_OF_CHEAP_INTERVAL, MAX_CELLS_IF_SIMULATED = 10_000, 100
"""Non-empty cells of tables up to which an interval takes no longer than the score."""

MOST_DENSE_CLUSTERS = 1_000
"""Clusters up to which a table of a clustering against itself is laid out in full."""

FEW_OBJECTS = Margins([2, 2], [3, 1])
"""On which it is tried whether the best value under a model is known."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FixedMargins(NullModel):
    """Margins, and the table of the data if there is one; everything known of an index is computed once."""

    margins: Margins
    objects: Objects | None = None  # None for a table that came without labels

    keeps_margins: ClassVar[bool] = True

    def on(self, margins: Margins, **changes: Any) -> "FixedMargins":
        """The same model of other margins, and with other options if they are given."""
        return replace(self, margins=margins, table=None, objects=None, _computed={}, **changes)

    def of(self, table: ContingencyTable) -> "FixedMargins":
        """The model of a table with the same margins, which shares what is known of these."""
        return replace(self, table=table, objects=None)

    @property
    def place(self) -> str:
        """Words on where an index is evaluated, for errors."""
        return " on these margins" if self.keeps_margins else f" under model {self.options.model.name!r}"

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.margins.n

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index has no such best value, or the method no answer."""
        if self.options.best is not None:
            check_best(indices, self.options.best)

    def observed(self, index: Index) -> float:
        """Value of the index on the table."""
        if self.table is None:
            raise ArgumentValueError("table", "must be given for an observed value; got margins alone.")
        return engine_of(index).value(index, self.table)

    def best(self, index: Index) -> float:
        """Value of the index at which the adjusted score is 1."""
        return self._once("best", index, lambda: best_value(index, self.margins, self.options.best))

    def direction(self, index: Index) -> int:
        """1 if the index rises strictly with T on all tables, -1 if it falls, else 0."""
        return self._once("direction", index, lambda: engine_of(index).direction(index, self.margins))

    def moments(self, index: Index) -> Known | None:
        """Moments from the margins, as far as the method goes; None if there are none."""
        method = self.options.method
        return self._once("moments", index, lambda: engine_of(index).moments(index, self.margins, method))

    def mean(self, index: Index) -> float | None:
        """Expected value from the margins alone, by the shortest way; None if they do not determine it."""
        method = self.options.method
        if method.needs_moments or method.needs_law or method.only_tables:
            return None
        quick = MEAN_ONLY.within(self.options.budget)
        known = self._once("mean", index, lambda: engine_of(index).moments(index, self.margins, quick))
        return None if known is None else known.moments.mean

    def law(self, index: Index) -> Law | None:
        """All values with their probabilities, and T if the index rises or falls strictly with it."""
        method = self.options.method
        if method.only_tables:
            return None
        try:
            law = self._once("law", index, lambda: engine_of(index).law(index, self.margins, method))
        except TooCostlyError as error:
            if self.table is None:
                raise  # of `null_distribution`, which has `margins`
            text = f"must be another one than {method.name!r}, or have a larger budget: {error}"
            raise TooCostlyError("method", text, "budget") from error
        return law if law is None or self.direction(index) else law._replace(pair_sums=None)

    def law_resolution(self, index: Index) -> float:
        """Probability below which `law` leaves out tables; 0 if it leaves out none."""
        return engine_of(index).law_ends(self.margins, self.options.method)

    def find_sampler(self) -> Sampler:
        """How tables with these margins are drawn."""
        return self._once("sampler", None, lambda: plan_sampler(self.margins))

    def forecast(self, indices: Sequence[Index]) -> float:
        """Seconds of one table and of the indices on it."""
        return 1e-9 * self.forecast_nanoseconds([x for x in indices if not engine_of(x).goes_by_pair_sum])

    def forecast_nanoseconds(self, evaluated: Sequence[Index]) -> float:
        """Nanoseconds of one table and of those indices on it that need more than T."""
        sampler = self.find_sampler()
        together = tables_at_once(sampler) if evaluated else tables_in_block(sampler.nanoseconds)
        of_indices = sum(engine_of(index).nanoseconds(index, sampler.shape, self.n) for index in evaluated)
        return sampler.forecast(together) + of_indices

    def forecast_is_rough(self, indices: Sequence[Index]) -> bool:
        """Whether an index is a user's function or a matching, of which a forecast may be far off."""
        others = (index for index in indices if not engine_of(index).goes_by_pair_sum)
        return any(index.family == "user" or index.nanoseconds for index in others)

    @contextlib.contextmanager
    def open_draws(self, indices: Sequence[Index]) -> Iterator[Draws]:
        """Simulated tables, counted in tallies, or those of a checkpoint."""
        self.check_room(indices)
        for index in indices:
            engine_of(index).prepare(index)
        with_controls = any(self.find_controls(index) is not None for index in indices)
        task = tabulate(self.options, self.find_sampler(), self.margins, indices, with_controls=with_controls)
        with TableDraws.open(task, self.options) as draws:
            yield draws

    def check_room(self, indices: Sequence[Index]) -> None:
        """Raise if one simulated table would be larger than the budget has bytes."""
        sampler = self.find_sampler()
        sums_alone = all(engine_of(index).goes_by_pair_sum for index in indices)
        if not (sampler.sparse or (sums_alone and isinstance(sampler, TableSampler))):
            K, Q = sampler.shape
            self.options.budget.check_bytes("margins", f"one table of {K:,} by {Q:,}", 8.0 * K * Q)

    def find_controls(self, index: Index) -> PowerControls | None:
        """Control variates of a simulated mean, or None."""
        options = self.options
        wanted = not options.method.only_tables if options.controls is None else options.controls
        if not wanted or self.knows_mean(index):
            return None
        return self._once("controls", index, lambda: engine_of(index).controls(index, self.margins))

    def controlled_mean(self, index: Index, values: Joint) -> ControlledMean | None:
        """Mean of simulated values by control variates."""
        control = self.find_controls(index)
        columns = control.columns(values.covariate) if control and values.covariate is not None else []
        is_determined = engine_of(index).determined
        return controlled_mean(values.values, values.counts, columns, determined=is_determined)

    def std(self, index: Index) -> float | None:
        """Standard deviation from the margins, if a precision needs it to count tables; else None."""
        engine = engine_of(index)
        if not engine.goes_by_pair_sum or self.find_controls(index) is not None:
            return None
        known = engine.moments(index, self.margins, AUTO)
        return known.moments.std if known is not None and math.isfinite(known.moments.std) else None

    def exact_score(self, index: Index) -> float | None:
        """``(T - E T) / (T' - E T)``, rounded once, for an index affine in T and best at a whole 2 T'.

        That is its adjusted score under fixed margins, and keeps the digits that the index loses where it is
        near its best value by chance: ``E T - n = (A - n) (B - n) / (n (n - 1))``, Hubert & Arabie (1985).
        """
        if self.table is None or self.options.best is not None or self.options.method.only_tables:
            return None
        T, n = self.table.sum_of_squares, self.margins.n
        return score_pair_sum(find_best_pair_sum(index), T, *self.margins.squares, n)

    def compares_the_same(self) -> bool:
        """Whether both clusterings are the same: each cluster of one side meets one of the other."""
        if self.table is None:
            return False
        filled = self.table.nonzero_cells[0].size
        occupied = [
            int(np.count_nonzero(totals)) for totals in (self.table.row_totals, self.table.column_totals)
        ]
        return occupied == [filled, filled]

    def score_by_mean(self, index: Index, mean: float) -> float:
        """Adjusted score of the table by an expected value alone."""
        low, high = pair_sum_range(self.margins)
        observed, best, exactly = self.observed(index), self.best(index), self.exact_score(index)
        return score_index(index, observed, best, mean, constant=low == high, exactly=exactly)

    def score_random_tables(self, index: Index, n_tables: int) -> Floats:
        """Adjusted scores of tables drawn from the model, each under the model that its own sizes give."""
        options, scores = replace(self.options, method=MEAN_ONLY), np.empty(n_tables)
        drawn = model_tables(self.margins, options.model, n_tables, options.seed)
        for t, table in enumerate(drawn):
            model = self.on(table.margins, options=options).of(table)
            mean = model.mean(index)
            if mean is None:
                raise ArgumentValueError(
                    "index",
                    f"must have an expected value that is known under model {options.model.name!r} without"
                    f" sampling, because each table has its own; got {index.name!r}.",
                )
            low, high = pair_sum_range(table.margins)
            constant = self.keeps_margins and low == high
            scores[t] = score_index(index, model.observed(index), model.best(index), mean, constant=constant)
        return scores

    def mean_changes(self, index: Index, sides: Sides) -> Floats | None:
        """By how much the mean changes without an object of clusters of these sizes; None if unknown."""
        return engine_of(index).mean_changes(index, self.margins, sides)

    def leave_out(self, index: Index, null: "NullDistribution", groups: Any) -> "LeaveOneOut":
        """Adjusted scores without one object each, or without one of the groups if there are any."""
        from chancecorr.chance.jackknife import leave_groups_out, leave_one_out
        from chancecorr.tables.objects import read_groups, tables_without_each

        if groups is None:
            return leave_one_out(self, index, null)
        if self.objects is None or self.table is None:
            raise ArgumentValueError(
                "groups",
                "must be None for a score of a table, which does not hold the groups of objects; `adjust`"
                " with labels and `compare` take them.",
            )
        numbers = read_groups(groups, self.objects.given, self.objects.kept)
        without = tables_without_each(self.table, self.objects.cells(), numbers)
        return leave_groups_out(self, index, without, null)

    def interval_costs_little(self, index: Index, *, is_simulated: bool) -> bool:
        """Whether few cells are not empty: an object of each is left out in turn."""
        if self.table is None or index.needs == "labels" or (is_simulated and not self.keeps_margins):
            return False
        most = MAX_CELLS_IF_SIMULATED if is_simulated else MAX_CELLS_OF_CHEAP_INTERVAL
        return bool(self.table.nonzero_cells[0].size <= most)


def find_best_pair_sum(index: Index) -> Callable[[int, int], int] | None:
    """Twice the T at which the index, or the one that it is corrected as, is best; None if it is not told."""
    if index.twice_best_pair_sum is None and is_registered(index.corrected_as):
        return get_index(index.corrected_as).twice_best_pair_sum
    return index.twice_best_pair_sum


def score_pair_sum(twice: Callable[[int, int], int] | None, T: int, A: int, B: int, n: int) -> float | None:
    """Adjusted score of an index affine in T and best at a whole 2 T', divided once; else None."""
    if twice is None:
        return None
    pairs, by_chance = n * (n - 1), 2 * (A - n) * (B - n)
    room = (twice(A, B) - 2 * n) * pairs - by_chance
    return (2 * (T - n) * pairs - by_chance) / room if room else None


def best_value(index: Index, margins: Margins, best: Best) -> float:
    """The value that `best` stands for on these margins."""
    if best is None:
        return self_agreement(index, margins) if index.best is None else float(index.best)
    if isinstance(best, Real):
        return float(best)
    check_best((index,), best)
    if isinstance(best, Model):
        if index.best is not None:
            return float(index.best)
        if best.keeps_margins or margins.n < 2:
            return self_agreement(index, margins)
        return _of_the_model(index, margins, best)
    return float(values_at(index, margins, [Fraction(sum(margins.squares), 2)])[0])


def check_best(indices: Sequence[Index], best: Best) -> None:
    """Raise where one of the indices has no such best value: before the work, not after it."""
    for index in indices:
        if isinstance(best, Model):
            if index.best is None and not best.keeps_margins:
                _of_the_model(index, FEW_OBJECTS, best)
        elif isinstance(best, str) and not engine_of(index).goes_by_pair_sum:
            raise ArgumentValueError(
                "best",
                f"must be a number for index {index.name!r}, which needs {index.needs!r} and not pairs;"
                f" got {best!r}.",
            )


def _of_the_model(index: Index, margins: Margins, model: Model) -> float:
    found = engine_of(index).mean_with_itself(index, margins, model)
    if found is None:
        raise ArgumentValueError(
            "best",
            f"must not be 'model' for index {index.name!r}, whose mean of random clusterings against"
            f" themselves is not known under model {model.name!r}. Leave it out, or give a number.",
        )
    return found


def self_agreement(index: Index, margins: Margins) -> float:
    """Mean of the values of an index at ``(U, U)`` and ``(V, V)``, U and V with these cluster sizes."""
    values = []
    for totals in (margins.row_totals, margins.column_totals):
        sizes = totals[totals > 0]
        if sizes.size <= MOST_DENSE_CLUSTERS:
            table = ContingencyTable(np.diag(sizes))
        else:
            from scipy.sparse import diags_array

            table = ContingencyTable(diags_array(sizes, format="csr", dtype=sizes.dtype))
        values.append(engine_of(index).value(index, table))
    return sum(values) / 2
