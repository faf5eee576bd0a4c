"""Two partitions with fixed margins: the objects of both are matched at random.

This is the permutation model of Hubert & Arabie (1985), doi:10.1007/BF01908075. What an index needs decides
how cheaply it is answered: see `chance.engines`. `chance.within_strata` and `chance.random_partitions` change
what is known of an index, and how its tables are drawn. Simulated tables are counted in tallies from which
the values of all indices follow.
"""

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from chancecorr.chance.engine import ENGINES, Known, Law, get_engine, refuse_index
from chancecorr.chance.engines import PAIRS
from chancecorr.chance.null_model import Draws, NullModel
from chancecorr.chance.options import AUTO, MEAN_ONLY, Best, Options
from chancecorr.exact.index_of_pair_sum import (
    bound_pair_sum,
    evaluate_at,
    find_direction,
)
from chancecorr.exact.less_one import Sides
from chancecorr.exact.summary import score_index
from chancecorr.indices.evaluation import IndexEvaluationError, check_labels
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats
from chancecorr.machine.budget import TooCostlyError
from chancecorr.sampling.permutation import Sampler, TableSampler, plan_sampler
from chancecorr.sampling.precision import (
    ControlledMean,
    PowerControls,
    compute_controlled_mean,
    find_pair_sum_centre,
)
from chancecorr.sampling.task import (
    BYTES_PER_VALUE,
    MAX_VALUES,
    Joint,
    Reduction,
    Tally,
    Task,
    find_first_table,
)
from chancecorr.sampling.workers import count_tables, count_tables_in_block
from chancecorr.tables.contingency import ContingencyTable, Margins, make_table
from chancecorr.tables.objects import Objects
from chancecorr.tables.pair_sum import compute_pair_sum_moments

if TYPE_CHECKING:
    from chancecorr.chance.jackknife import LeaveOneOut
    from chancecorr.chance.null_distribution import NullDistribution
    from chancecorr.sampling.checkpoint import Checkpoint


V = TypeVar("V")

MAX_CELLS_OF_CHEAP_INTERVAL, MAX_CELLS_IF_SIMULATED = 10_000, 100
"""Non-empty cells of tables up to which an interval takes no longer than the score."""

MOST_DENSE_CLUSTERS = 1_000
"""Clusters up to which a table of a clustering against itself is laid out in full."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FixedMargins(NullModel):
    """Margins, and the table of the data if there is one; everything known of an index is computed once."""

    margins: Margins
    objects: Objects | None = None  # None for a table that came without labels
    _observed: dict[str, float] = field(default_factory=dict, repr=False)  # by index, on the table

    keeps_margins: ClassVar[bool] = True

    def on(self, margins: Margins, **changes: Any) -> "FixedMargins":
        """The same model of other margins, and with other options if they are given."""
        return replace(self, margins=margins, table=None, objects=None, _computed={}, _observed={}, **changes)

    def of(self, table: ContingencyTable) -> "FixedMargins":
        """The model of a table with the same margins, which shares what is known of these."""
        return replace(self, table=table, objects=None, _observed={})

    @property
    def place(self) -> str:
        """Words on where an index is evaluated, for errors."""
        return " on these margins" if self.keeps_margins else f" under model {self.options.model.name!r}"

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.margins.n

    def check(self, indices: Sequence[Index]) -> None:
        """Raise if an index compares no tables or has no such best value, or the method no answer."""
        for index in indices:
            if index.needs not in ENGINES:
                refuse_index(index)
            if index.needs == "labels":
                check_labels(index, self.margins)
        if self.options.best is not None:
            check_best(indices, self.options.best)

    def observed(self, index: Index) -> float:
        """Value of the index on the table, evaluated once."""
        if self.table is None:
            raise ArgumentValueError("table", "must be given for an observed value; got margins alone.")
        if index.name not in self._observed:
            self._observed[index.name] = ENGINES[index.needs].value(index, self.table)
        return self._observed[index.name]

    def best(self, index: Index) -> float:
        """Value of the index at which the adjusted score is 1."""
        if self.options.best is None and index.best is not None:
            return float(index.best)
        return self._compute_once(
            "best", index, lambda: find_best_value(index, self.margins, self.options.best)
        )

    def direction(self, index: Index) -> int:
        """1 if the index rises strictly with T on all tables, -1 if it falls, else 0."""
        if index.needs != "pairs":
            return 0
        return self._compute_once("direction", index, lambda: find_direction(index, self.margins))

    def moments(self, index: Index) -> Known | None:
        """Moments from the margins, as far as the method goes; None if there are none."""
        compute, method = ENGINES[index.needs].moments, self.options.method
        return compute and self._compute_once("moments", index, lambda: compute(index, self.margins, method))

    def mean(self, index: Index) -> float | None:
        """Expected value from the margins alone, by the shortest way; None if they do not determine it."""
        compute, method = ENGINES[index.needs].moments, self.options.method
        if compute is None or method.needs_moments or method.needs_law or method.only_tables:
            return None
        quick = MEAN_ONLY.within(self.options.budget)
        known = self._compute_once("mean", index, lambda: compute(index, self.margins, quick))
        return None if known is None else known.moments.mean

    def law(self, index: Index) -> Law | None:
        """All values with their probabilities, and T if the index rises or falls strictly with it."""
        rises, method = self.direction(index), self.options.method
        try:
            law = self._compute_once(
                "law", index, lambda: ENGINES[index.needs].law(index, self.margins, method)
            )
        except TooCostlyError as error:
            if self.table is None:
                raise  # of `null_distribution`, which has `margins`
            text = f"must be another one than {method.name!r}, or have a larger budget: {error}"
            raise TooCostlyError("method", text, "budget") from error
        return law if law is None or rises else law._replace(pair_sums=None)

    def law_resolution(self, index: Index) -> float:
        """Probability below which `law` leaves out tables; 0 if it leaves out none."""
        return ENGINES[index.needs].law_resolution(self.margins, self.options.method)

    def find_sampler(self) -> Sampler:
        """Plan how tables with these margins are drawn, once."""
        return self._compute_once("sampler", None, lambda: plan_sampler(self.margins))

    def forecast(self, indices: Sequence[Index]) -> float:
        """Seconds of one table and of the indices on it."""
        return 1e-9 * self.forecast_nanoseconds([x for x in indices if not ENGINES[x.needs].goes_by_pair_sum])

    def forecast_nanoseconds(self, evaluated: Sequence[Index]) -> float:
        """Nanoseconds of one table and of those indices on it that need more than T."""
        sampler = self.find_sampler()
        together = sampler.at_once if evaluated else count_tables_in_block(sampler.nanoseconds)
        drawn, shape, n = sampler.forecast(together), sampler.shape, self.margins.n
        return drawn + sum(ENGINES[index.needs].nanoseconds(index, shape, n) for index in evaluated)

    def forecast_is_rough(self, indices: Sequence[Index]) -> bool:
        """Whether an index is a user's function or a matching, of which a forecast may be far off."""
        others = (index for index in indices if not ENGINES[index.needs].goes_by_pair_sum)
        return any(index.family == "user" or index.nanoseconds for index in others)

    @contextlib.contextmanager
    def open_draws(self, indices: Sequence[Index]) -> Iterator[Draws]:
        """Simulated tables, counted in tallies, or those of a checkpoint."""
        with_controls = any(self.find_controls(index) is not None for index in indices)
        sampler = self.find_sampler()
        sums_alone = all(ENGINES[index.needs].goes_by_pair_sum for index in indices)
        if not (sampler.sparse or (sums_alone and isinstance(sampler, TableSampler))):
            K, Q = sampler.shape
            self.options.budget.check_bytes("margins", f"one table of {K:,} by {Q:,}", 8.0 * K * Q)
        seed = self.options.seed
        task = make_task(self.options, seed, sampler, indices, with_controls=with_controls)
        with TableDraws.open(task, self.options) as draws:
            yield draws

    def find_controls(self, index: Index) -> PowerControls | None:
        """Control variates of a simulated mean, or None."""
        options = self.options
        wanted = not options.method.only_tables if options.controls is None else options.controls
        if not wanted or self.knows_mean(index):
            return None
        return self._compute_once(
            "controls", index, lambda: ENGINES[index.needs].controls(index, self.margins)
        )

    def controlled_mean(self, index: Index, values: Joint) -> ControlledMean | None:
        """Mean of simulated values by control variates; None if the plain mean, or a known one, does."""
        control = self.find_controls(index)
        if control is None and (self.options.precision is None or self.knows_mean(index)):
            return None
        columns = control.columns(values.covariate) if control and values.covariate is not None else []
        is_determined = ENGINES[index.needs].determined
        return compute_controlled_mean(values.values, values.counts, columns, determined=is_determined)

    def std(self, index: Index) -> float | None:
        """Standard deviation from the margins, if a precision needs it to count tables; else None."""
        if index.needs != "pairs" or self.find_controls(index) is not None:
            return None
        known = PAIRS.moments(index, self.margins, AUTO)
        return known.moments.std if known is not None and math.isfinite(known.moments.std) else None

    def exact_score(self, index: Index) -> float | None:
        """``(T - E T) / (T' - E T)``, rounded once, for an index affine in T and best at a whole 2 T'.

        That is its adjusted score under fixed margins, and keeps the digits that the index loses where it is
        near its best value by chance: ``E T - n = (A - n) (B - n) / (n (n - 1))``, Hubert & Arabie (1985).
        """
        if self.table is None or self.options.best is not None or self.options.method.only_tables:
            return None
        if index.twice_best_pair_sum is None:
            return None
        return compute_exact_score(
            index.twice_best_pair_sum, self.table.sum_of_squares, *self.margins.squares, self.margins.n
        )

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
        low, high = bound_pair_sum(self.margins)
        observed, best, exactly = self.observed(index), self.best(index), self.exact_score(index)
        return score_index(index, observed, best, mean, constant=low == high, exactly=exactly)

    def evaluate_less_one(self, index: Index, sides: Sides) -> tuple[Floats, Floats] | None:
        """Values without an object of each non-empty cell, and what the mean changes by; None if unknown.

        The changes are those without an object of clusters of the sizes in `sides`.
        """
        engine = ENGINES[index.needs]
        if engine.mean_changes is None or self.table is None:
            return None
        values = engine.evaluate_less_one(index, self.table)
        changes = engine.mean_changes(index, self.margins, sides)
        return None if changes is None else (values, changes)

    def leave_out(self, index: Index, null: "NullDistribution", groups: Any) -> "LeaveOneOut":
        """Adjusted scores without one object each, or without one of the groups if there are any."""
        from chancecorr.chance.jackknife import leave_groups_out, leave_one_out
        from chancecorr.tables.objects import leave_out_groups, read_groups

        if groups is None:
            return leave_one_out(self, index, null)
        if self.objects is None or self.table is None:
            raise ArgumentValueError(
                "groups",
                "must be None for a score of a table, which does not hold the groups of objects; `adjust`"
                " with labels and `compare` take them.",
            )
        numbers = read_groups(groups, self.objects.given, self.objects.kept)
        without = leave_out_groups(self.table, self.objects.cells(), numbers)
        return leave_groups_out(self, index, without, null)

    def interval_costs_little(self, index: Index, *, is_simulated: bool) -> bool:
        """Whether few cells are not empty: an object of each is left out in turn."""
        if self.table is None or index.needs == "labels" or (is_simulated and not self.keeps_margins):
            return False
        most = MAX_CELLS_IF_SIMULATED if is_simulated else MAX_CELLS_OF_CHEAP_INTERVAL
        return int((self.table.counts != 0).sum()) <= most

    def _compute_once(self, question: str, index: Any, compute: Callable[[], V]) -> V:
        """Compute something of an index once, and return it from then on."""
        key = question, "" if index is None else index.name
        if key not in self._computed:
            self._computed[key] = compute()
        return self._computed[key]  # type: ignore[no-any-return]


def compute_exact_score(twice: Callable[[int, int], int], T: int, A: int, B: int, n: int) -> float | None:
    """Adjusted score of an index affine in T and best at 2 T' = twice(A, B), divided once; None for 0/0."""
    pairs, by_chance = n * (n - 1), 2 * (A - n) * (B - n)
    room = (twice(A, B) - 2 * n) * pairs - by_chance
    return (2 * (T - n) * pairs - by_chance) / room if room else None


def find_best_value(index: Index, margins: Margins, best: Best) -> float:
    """The value that `best` stands for on these margins."""
    if best is None:
        return compare_with_itself(index, margins) if index.best is None else float(index.best)
    if isinstance(best, Real):
        return float(best)
    check_best((index,), best)
    return float(evaluate_at(index, margins, [Fraction(sum(margins.squares), 2)])[0])


def check_best(indices: Sequence[Index], best: Best) -> None:
    """Raise where one of the indices has no such best value: before the work, not after it."""
    for index in indices:
        if isinstance(best, str) and not get_engine(index).goes_by_pair_sum:
            raise ArgumentValueError(
                "best",
                f"must be a number for index {index.name!r}, which needs {index.needs!r} and not pairs;"
                f" got {best!r}.",
            )


def compare_with_itself(index: Index, margins: Margins) -> float:
    """Mean of the values of an index at ``(U, U)`` and ``(V, V)``, U and V with these cluster sizes."""
    values = []
    for totals in (margins.row_totals, margins.column_totals):
        sizes = totals[totals > 0]
        if sizes.size <= MOST_DENSE_CLUSTERS:
            table = make_table(np.diag(sizes), None, None)
        else:
            from scipy.sparse import diags_array

            table = ContingencyTable(diags_array(sizes, format="csr", dtype=sizes.dtype))
        values.append(ENGINES[index.needs].value(index, table))
    return sum(values) / 2


MIN_VALUES = 1024
"""Distinct values that are always held: 400 kB."""


def make_task(
    options: Options, seed: np.uint64, sampler: Sampler, indices: Sequence[Index], *, with_controls: bool
) -> Task:
    """Gather what all blocks share: the sampler, the seed, and how tables are reduced for each index."""
    most_values = MAX_VALUES
    if options.budget.bytes is not None:
        most_values = int(max(min(MAX_VALUES, options.budget.bytes // BYTES_PER_VALUE), MIN_VALUES))
    return Task(
        sampler=sampler,
        seed=seed,
        reductions=plan_reductions(indices, with_controls=with_controls),
        model=options.model,
        pair_sum_centre=find_pair_sum_centre(compute_pair_sum_moments(sampler.margins))
        if with_controls
        else 0,
        most_values=most_values,
    )


@dataclass(slots=True)
class TableDraws:
    """Tallies of the tables number 0, 1, ..., of this run and of one that a checkpoint keeps."""

    task: Task
    options: Options
    tallies: dict[str, Tally]
    checkpoint: "Checkpoint | None" = None
    n_draws: int = 0  # tables of the checkpoint
    wanted: int = 0  # tables after which the run looks at its precision next, by the checkpoint

    @classmethod
    @contextlib.contextmanager
    def open(cls, task: Task, options: Options) -> Iterator["TableDraws"]:
        """No tables, or those of the checkpoint, whose file the end of the context writes."""
        if options.checkpoint is None:
            yield cls(task, options, {})
            return
        from chancecorr.sampling.checkpoint import open_checkpoint

        rule = "a number of tables"
        if options.precision is not None:
            method = f"method {options.method.name}, controls {options.controls}"
            most = f"at most {options.n_tables} tables, {method}"
            rule = f"precision {options.precision}, {most}"
        with open_checkpoint(options.checkpoint, task, rule) as checkpoint:
            yield cls(task, options, checkpoint.tallies, checkpoint, checkpoint.n_tables, checkpoint.wanted)

    def add(self, first: int, count: int) -> None:
        """Draw tables number ``first, ..., first + count - 1``."""
        if self.checkpoint is not None:
            self.checkpoint.wanted = self.wanted
        count_tables(
            self.task,
            self.tallies,
            first,
            count,
            n_jobs=self.options.n_jobs,
            progress=self.options.progress,
            checkpoint=self.checkpoint,
        )

    def read(self, n_draws: int) -> dict[str, Joint]:
        """Values of each index with their control variates and counts."""
        values_of = {}
        for reduction in self.task.reductions:
            index = reduction.index
            if not self.task.model.keeps_margins:
                values, counts = self.tallies[index.name].result()
                values_of[index.name] = Joint(values, None, counts)
                continue
            seen, counts = self.tallies[reduction.key].result()
            margins, centre = self.task.sampler.margins, self.task.pair_sum_centre
            try:
                values_of[index.name] = ENGINES[index.needs].joint(index, seen, counts, margins, centre)
            except IndexEvaluationError as error:
                table = error.pair_sum is not None and find_first_table(self.task, error.pair_sum, n_draws)
                if not table:
                    raise
                raise IndexEvaluationError(f"{error} The table: {table}.") from error
        return values_of


def plan_reductions(indices: Sequence[Index], *, with_controls: bool) -> tuple[Reduction, ...]:
    """Reduction of a block for each index; those that can share a tally do, under the name of the first."""
    reductions = []
    for place, index in enumerate(indices):
        engine = ENGINES[index.needs]
        sharing = (
            other.name
            for other in indices[:place]
            if other.needs == index.needs and engine.shares_tally(index, other)
        )
        reductions.append(engine.reduction(index, next(sharing, index.name), with_controls=with_controls))
        engine.prepare(index)
    return tuple(reductions)
