"""The engines: one for each kind of index, which says how its answers are computed under fixed margins.

- `Pairs`, functions of T: mean and variance by formula if the index is affine in T, else by quadrature; the
  distribution by enumeration of T, once for all these indices.
- `Cells`, functions of a sum over cells: mean and variance by formula if the index is affine in the sum; the
  distribution by listing all tables.
- `Tables`, functions of a table: the mean by formula for sums of largest cells; the distribution by listing
  all tables.
- `Labels`, functions of two label vectors: the distribution by listing all tables.
- `Agreement`, means of a weight of two labels: mean and variance by formula; the distribution by listing all
  tables.

Tables are drawn for everything else, and if the method does not allow the work. An engine reduces each block
of tables to a tally (`Engine.reduction`) and computes index values from the tally (`Engine.joint`): the tally
holds T for `Pairs`, sums for `Cells`, and values for the others.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

import numpy as np

from chancecorr.chance.options import AUTO, Method
from chancecorr.exact.additive import (
    compute_additive_moments,
    forecast_mean,
    forecast_variance_work,
    is_additive,
)
from chancecorr.exact.agreement import compute_agreement_moments
from chancecorr.exact.closed_laws import (
    LEAST_LOST_MASS,
    FreeCell,
    PairSumLaw,
    compute_law_of_free_cell,
    compute_sparse_law,
    find_free_cell,
    find_only_table,
    list_values_at_risk,
    make_tables_with,
)
from chancecorr.exact.enumeration import forecast_pair_sum_law, get_pair_sum_law, list_table_law
from chancecorr.exact.index_of_pair_sum import (
    compute_affine_mean,
    compute_affine_moments,
    find_infinite_mean,
    list_left_out,
)
from chancecorr.exact.matches import compute_law_of_matches, forecast_law_of_matches
from chancecorr.exact.maxima import compute_mean_of_maxima, forecast_maxima
from chancecorr.exact.means_without_object import (
    Sides,
    compute_additive_changes,
    compute_affine_changes,
    compute_smooth_changes,
    remove_object,
    remove_object_at,
)
from chancecorr.exact.quadrature import NotSmoothError, compute_smooth_moments
from chancecorr.exact.summary import UNKNOWN, Known, merge_rounded_values
from chancecorr.indices.agreement import evaluate_agreement, weigh_cells, weigh_matches
from chancecorr.indices.calling import compiles, warn_if_not_compiled
from chancecorr.indices.evaluation import (
    evaluate_listed_cells,
    evaluate_listed_tables,
    evaluate_pair_sums,
    evaluate_tables,
    evaluate_varying_sums,
    link_totals,
    sum_cells_without_one,
    sum_listed_cells,
    sum_listed_tables,
    sum_over_tables,
)
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CALL, NANOSECONDS_PER_CELL, TooCostlyError
from chancecorr.machine.kept import keep_recent
from chancecorr.sampling.precision import PowerControls, make_cell_sum_controls, make_pair_sum_controls
from chancecorr.sampling.task import PAIR_SUM, Joint, Reduction, Values
from chancecorr.tables.contingency import ContingencyTable, ManyMargins, Margins
from chancecorr.tables.pair_sum import compute_pair_sum_moments

NANOSECONDS_OF_A_TERM, NANOSECONDS_LISTED = 20.0, 35.0
"""Time of a cell in a sum over cells, with its logarithm, and of an object in a list of cells for NumPy."""


class Law(NamedTuple):
    """A distribution: values in any order, possibly repeated, their probabilities, and the lost mass."""

    values: Floats
    probabilities: Floats
    lost_mass: float
    finite: bool = True  # True if the index is known to be finite on the tables that were left out
    pair_sums: Integers | None = None  # T, if it determines the index
    source: Literal["exact", "cumulants"] = "exact"
    of_pair_sum: PairSumLaw | None = None  # kept alive with this law, so that other indices can use it
    excess: Floats | None = None  # value minus observed value before rounding, for models whose values tie


class Engine(Protocol):
    """Base class: how indices of one kind are evaluated. Methods with a body are defaults."""

    name: str  # value of `Index.needs`
    goes_by_pair_sum: bool = False  # True if T determines the index for fixed margins
    most_evaluations: int = 4_000_000  # most evaluations for one answer, about 3 s, without simulated tables

    moments: Callable[[Index, Margins, Method], Known | None] | None = None
    """Return the moments, if the margins determine them and the method allows the work; else None."""

    mean_changes: Callable[[Index, Margins, Sides], Floats | None] | None = None
    """Return the change of the mean when an object is removed, by cluster sizes; None if unknown."""

    def prepare(self, index: Index) -> None:
        """Compile the index, or warn once that it cannot be compiled; by default do nothing."""
        return

    def evaluations(self, index: Index) -> int:
        """Return how many more evaluations one answer may take; 0 for an index that is not compiled."""
        return self.most_evaluations if self.goes_by_pair_sum or compiles(index) else 0

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        """Return the approximate time on a simulated table of n objects; user functions count as simple."""

    def value(self, index: Index, table: ContingencyTable) -> float:
        """Return the value on one table."""

    def values(self, index: Index, tables: Integers, margins: Margins | ManyMargins) -> Floats:
        """Return values on tables of shape (m, K, Q), with common margins or with margins for each table."""

    def evaluate_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        """Return the values after removing an object from each of the `nonzero_cells`, shape (cells,)."""

    def bound_change(self, index: Index, margins: Margins) -> float | None:
        """Return the largest change of the index when two objects exchange clusters; None if unknown."""
        return index.exchange(margins.row_totals, margins.column_totals) if index.exchange else None

    def is_linear(self, index: Index, margins: Margins) -> bool:
        """Return True if moments have closed forms: the index is affine in T, or in a sum over cells."""
        return False

    def is_cell_sum(self, index: Index) -> bool:
        """Return True if the index is a sum over cells, times a factor from the cluster sizes."""
        return False

    def law(self, index: Index, margins: Margins, method: Method) -> Law | None:
        """Return the distribution by listing tables; None if this is too costly.

        All tables are listed. If these are too many and 2 x 2, the likeliest are listed.
        """
        self.prepare(index)
        if not method.law_tables:
            return None
        # one cluster, or only singletons: for indices of the catalogue, all tables have the same value
        only = find_only_table(margins) if index.family != "user" and not index.named else None
        if only is not None:
            return Law(np.array([self.value(index, only)]), np.ones(1), 0.0)
        shape = margins.row_totals.size, margins.column_totals.size
        table_seconds = 1e-9 * max(self.nanoseconds(index, shape, margins.n), 1.0)
        limit = max(1, int(min(method.law_tables, method.mean_seconds / table_seconds)))
        cell = find_free_cell(margins)
        if cell is not None and cell.high - cell.low >= limit:
            return _compute_law_of_two_by_two(self, index, margins, cell, limit)
        listed = list_table_law(margins, limit) if method.needs_law else _list_tables(margins, limit)
        if listed is None:
            return None
        return Law(*merge_rounded_values(self.values(index, listed[0], margins), listed[1]), 0.0)

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        """Describe how a block reduces its tables for this index."""

    def joint(self, index: Index, seen: Values, counts: Integers, margins: Margins, centre: int) -> Joint:
        """Return index values and their control variates, from a tally of tables with these margins."""

    def controls(self, index: Index, margins: Margins) -> PowerControls | None:
        """Return control variates for the mean, or None."""


def _compute_law_of_two_by_two(
    kind: Engine, index: Index, margins: Margins, cell: FreeCell, limit: int
) -> Law | None:
    """Return the distribution over the likeliest 2 x 2 tables; None if these are too many for Python."""
    x, p, lost_mass = compute_law_of_free_cell(cell, limit)
    if x.size > max(limit, kind.evaluations(index)):
        return None
    values, probabilities = merge_rounded_values(kind.values(index, make_tables_with(cell, x), margins), p)
    others = list_values_at_risk(cell)
    left_out = kind.values(index, make_tables_with(cell, others[(others < x[0]) | (others > x[-1])]), margins)
    left_out = left_out[~np.isfinite(left_out)]
    return Law(
        np.append(values, left_out),
        np.append(probabilities, np.full(left_out.size, LEAST_LOST_MASS)),
        lost_mass,
    )


@keep_recent
def _list_tables(margins: Margins, limit: int) -> tuple[Integers, Floats] | None:
    """List all tables with these margins, cached for the next index; None if more than the limit."""
    try:
        tables, probabilities = list_table_law(margins, limit)
    except TooCostlyError:
        return None
    tables.flags.writeable = probabilities.flags.writeable = False
    return tables, probabilities


CELLS_OF_A_CALL = 1_000_000  # cells of the tables that one call of compiled code evaluates


def _evaluate_all(
    evaluate: Callable[..., Floats], index: Index, tables: Integers, margins: Margins | ManyMargins
) -> Floats:
    """Evaluate all tables in several calls, so that Ctrl-C works; in one call if each has own margins."""
    size = max(1, CELLS_OF_A_CALL // max(math.prod(tables.shape[1:]), 1))
    if isinstance(margins, ManyMargins) or len(tables) <= size:
        return evaluate(index, tables, margins)
    starts = range(0, len(tables), size)
    return np.concatenate([evaluate(index, tables[start : start + size], margins) for start in starts])


MEAN_ERROR, VARIANCE_ERROR = 1e-3, 5e-3
"""Largest errors allowed for quadrature: of the mean in standard deviations, and of the variance relative to
the variance. A simulation of 17,000 tables has larger errors (8e-3 and about 1e-2)."""


class Pairs(Engine):
    """Engine of pair-counting indices: T is sampled or enumerated once, and determines all of them."""

    name, goes_by_pair_sum = "pairs", True

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        return 0.0

    def value(self, index: Index, table: ContingencyTable) -> float:
        return float(evaluate_pair_sums(index, np.array([table.sum_of_squares]), table.margins)[0])

    def values(self, index: Index, tables: Integers, margins: Margins | ManyMargins) -> Floats:
        return evaluate_pair_sums(index, np.einsum("tij,tij->t", tables, tables), margins)

    def evaluate_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        rows, columns, counts = table.nonzero_cells
        A, B = table.margins.squares
        T = table.sum_of_squares - 2 * counts + 1
        if index.with_totals:
            smaller = (remove_object(table.margins, *pair) for pair in table.totals_of_cells())
            return np.array([evaluate_pair_sums(index, T[[k]], less)[0] for k, less in enumerate(smaller)])
        totals = table.margins.row_totals, table.margins.column_totals
        sums = A - 2 * totals[0][rows] + 1, B - 2 * totals[1][columns] + 1
        return evaluate_varying_sums(index, T, *sums, table.margins.n - 1)

    def is_linear(self, index: Index, margins: Margins) -> bool:
        return index.affine

    def moments(self, index: Index, margins: Margins, method: Method) -> Known | None:
        if index.affine and method.mean_alone:
            return Known(replace(UNKNOWN, mean=compute_affine_mean(index, margins)), 0.0)
        if index.affine:
            return Known(compute_affine_moments(index, margins, compute_pair_sum_moments(margins)), 0.0)
        if not method.quadrature:
            return None
        try:
            smooth = compute_smooth_moments(index, margins)
        except NotSmoothError:
            infinite = find_infinite_mean(index, margins)
            if infinite is None and method.needs_moments:
                raise
            return None if infinite is None else Known(replace(UNKNOWN, mean=infinite), 0.0)
        std, of_variance = smooth.moments.std, smooth.relative_error_of_variance
        # A standard deviation of 0 or nan: the index is constant or undefined, and the moments are certain.
        if std > 0 and not (smooth.error <= MEAN_ERROR * std and of_variance <= VARIANCE_ERROR):
            return None
        return smooth

    def mean_changes(self, index: Index, margins: Margins, sides: Sides) -> Floats | None:
        known = self.moments(index, margins, AUTO)
        if known is None:
            return None
        if index.affine:
            return compute_affine_changes(index, margins, sides, known.moments.mean)
        return compute_smooth_changes(index, margins, sides)

    def law(self, index: Index, margins: Margins, method: Method) -> Law | None:
        law: PairSumLaw | None = None
        seconds = method.law_seconds
        if method.needs_law or (seconds and forecast_pair_sum_law(margins).seconds <= seconds):
            try:
                law = get_pair_sum_law(margins, seconds)
            except TooCostlyError:  # the forecast was too low
                if method.needs_law:
                    raise
        if law is None:  # try cumulants, for many small clusters
            sparse = compute_sparse_law(margins) if seconds else None
            if sparse is None:
                return None
            law = sparse.law
        T, p, finite = law.values, law.probabilities, True
        values = evaluate_pair_sums(index, T, margins)
        if not index.affine:
            at, infinite, finite = list_left_out(index, margins, law)
            if at.size:
                T, values = np.append(T, at), np.append(values, infinite)
                p = np.append(p, np.full(at.size, LEAST_LOST_MASS))
        source: Literal["exact", "cumulants"] = "cumulants" if law.method == "cumulants" else "exact"
        return Law(values, p, law.lost_mass, finite, T, source, law)

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        return Reduction(index=index, key=PAIR_SUM, finalize=functools.partial(evaluate_pair_sums, index))

    def joint(self, index: Index, seen: Values, counts: Integers, margins: Margins, centre: int) -> Joint:
        sums = seen.astype(np.int64, copy=False)
        values, covariate = evaluate_pair_sums(index, sums, margins), (sums - centre).astype(np.float64)
        return Joint(values, covariate, counts, pair_sums=sums)

    def controls(self, index: Index, margins: Margins) -> PowerControls | None:
        return make_pair_sum_controls(compute_pair_sum_moments(margins), powers=4)


PROBES = (Margins([8, 9, 7], [10, 6, 8]), Margins([12, 4, 3, 1], [7, 13]), Margins([5, 5], [6, 2, 2]))
"""Cluster sizes on which a function of a sum over cells is tested for being affine."""


class Cells(Engine):
    """Engine of functions of a sum over cells: the sum is tallied; an affine function has exact moments."""

    name = "cells"

    def prepare(self, index: Index) -> None:
        warn_if_not_compiled(index)

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        return NANOSECONDS_OF_A_TERM * min(math.prod(shape), 2 * n)

    def value(self, index: Index, table: ContingencyTable) -> float:
        return float(link_totals(index, np.array([self.total(index, table)]), table.margins)[0])

    def total(self, index: Index, table: ContingencyTable) -> float:
        """Return the sum over the cells of one table."""
        return sum_listed_cells(index, *table.nonzero_cells, table.margins)

    def values(self, index: Index, tables: Integers, margins: Margins | ManyMargins) -> Floats:
        return link_totals(index, _evaluate_all(sum_over_tables, index, tables, margins), margins)

    def evaluate_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        rows, columns, counts = table.nonzero_cells
        totals = sum_cells_without_one(index, rows, columns, counts, table.margins)
        if index.link is None and not np.isnan(totals).any():
            return totals
        values, alike = np.empty(counts.size), defaultdict(list)
        for k, pair in enumerate(table.totals_of_cells()):
            alike[pair].append(k)
        for pair, places in alike.items():  # tables with the same margins: one call of the link
            values[places] = link_totals(index, totals[places], remove_object(table.margins, *pair))
        return values

    def bound_change(self, index: Index, margins: Margins) -> float | None:
        if index.exchange is None or not is_additive(index, margins):
            return None
        ends = link_totals(index, np.array([0.0, 1.0]), margins)
        return abs(float(ends[1] - ends[0])) * index.exchange(margins.row_totals, margins.column_totals)

    def is_linear(self, index: Index, margins: Margins) -> bool:
        return is_additive(index, margins)

    def is_cell_sum(self, index: Index) -> bool:
        if index.link is None:
            return True
        at_zero = (index.link(np.zeros(1), margins.row_totals, margins.column_totals) for margins in PROBES)
        return all(abs(float(value[0])) < 1e-12 for value in at_zero) and all(
            is_additive(index, margins) for margins in PROBES
        )

    def moments(self, index: Index, margins: Margins, method: Method) -> Known | None:
        # `is_additive` needs the mean as well
        affordable = method.cell_steps and forecast_mean(margins) <= method.mean_seconds
        if not affordable or not is_additive(index, margins):
            return None
        with_variance = forecast_variance_work(margins) <= method.cell_steps
        return Known(compute_additive_moments(index, margins, with_variance=with_variance), 0.0)

    def mean_changes(self, index: Index, margins: Margins, sides: Sides) -> Floats | None:
        return compute_additive_changes(index, margins, sides) if is_additive(index, margins) else None

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        return Reduction(
            index=index, key=key, chunk=functools.partial(sum_over_tables, index),
            chunk_listed=functools.partial(sum_listed_tables, index),
            finalize=functools.partial(link_totals, index),
        )  # fmt: skip

    def joint(self, index: Index, seen: Values, counts: Integers, margins: Margins, centre: int) -> Joint:
        return Joint(link_totals(index, seen, margins), seen, counts)

    def controls(self, index: Index, margins: Margins) -> PowerControls | None:
        if forecast_mean(margins) > AUTO.mean_seconds:
            return None
        affordable = forecast_variance_work(margins) <= AUTO.cell_steps
        return make_cell_sum_controls(index, margins, with_variance=affordable)


MOST_CELLS_LAID_OUT = 1 << 30  # most cells of a dense table: 8 GiB

LEAST_CELLS_LISTED, LEAST_CELLS_MATCHED = 50_000, 4_000_000
"""From this number of cells on, plain Python on the non-empty cells is faster: for most indices, and for
matchings (which may still take long if many cells are tied)."""


def check_size(index: Index, shape: tuple[int, int]) -> None:
    """Raise if a dense table of this shape is too large for an index that needs one."""
    if math.prod(shape) > MOST_CELLS_LAID_OUT:
        size = 8 * math.prod(shape) / 2**30
        raise ArgumentValueError(
            "index",
            f"must not need dense tables of {shape[0]} x {shape[1]} clusters, {size:.1f} GiB each; got"
            f" {index.name!r}. Take an index that needs pairs or cells.",
        )


class Tables(Engine):
    """Engine of functions of a whole table: few tables are listed, many are sampled with T as control.

    Sums of largest cells have an exact mean.
    """

    name, most_evaluations = "table", 1_000_000
    evaluate = staticmethod(evaluate_tables)

    def moments(self, index: Index, margins: Margins, method: Method) -> Known | None:
        if index.of_maxima is None or forecast_maxima(margins) > method.mean_seconds:
            return None
        mean = compute_mean_of_maxima(index, margins)
        return None if mean is None else Known(replace(UNKNOWN, mean=mean), 0.0)

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        cells = math.prod(shape)
        listed_from = LEAST_CELLS_MATCHED if index.nanoseconds else LEAST_CELLS_LISTED
        if not index.needs_whole_table and max(4 * n, listed_from) < cells:
            return NANOSECONDS_PER_CALL + NANOSECONDS_LISTED * n
        own = index.nanoseconds(*shape) if index.nanoseconds else 0.0
        return own + NANOSECONDS_PER_CELL * cells

    def value(self, index: Index, table: ContingencyTable) -> float:
        if not isinstance(table.counts, np.ndarray):
            is_matched = index.nanoseconds and math.prod(table.shape) < LEAST_CELLS_MATCHED
            if not (index.needs_whole_table or is_matched):
                return evaluate_listed_cells(index, *table.nonzero_cells, table.margins)
            check_size(index, table.shape)
        counts = table.counts if isinstance(table.counts, np.ndarray) else table.counts.toarray()
        return float(self.evaluate(index, counts[np.newaxis], table.margins)[0])

    def values(self, index: Index, tables: Integers, margins: Margins | ManyMargins) -> Floats:
        return _evaluate_all(self.evaluate, index, tables, margins)

    def evaluate_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        rows, columns, _ = table.nonzero_cells
        room, values = table.dense_counts().copy(), np.empty(rows.size)
        for k, (i, j) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
            room[i, j] -= 1
            values[k] = self.evaluate(index, room[np.newaxis], remove_object_at(table.margins, i, j))[0]
            room[i, j] += 1
        return values

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        return Reduction(
            index=index,
            key=key,
            chunk=functools.partial(self.evaluate, index),  # blocks are short
            chunk_listed=None
            if index.needs_whole_table
            else functools.partial(evaluate_listed_tables, index),
            listed_from=LEAST_CELLS_MATCHED if index.nanoseconds else LEAST_CELLS_LISTED,
            with_pair_sum=with_controls,
        )

    def joint(self, index: Index, seen: Values, counts: Integers, margins: Margins, centre: int) -> Joint:
        if seen.dtype.names is None:
            return Joint(seen, None, counts)
        return Joint(seen["value"].copy(), seen["pair_sum"].astype(np.float64), counts)

    def controls(self, index: Index, margins: Margins) -> PowerControls | None:
        return make_pair_sum_controls(compute_pair_sum_moments(margins), powers=2)


class Labels(Tables):
    """Engine of functions of labels: each table is turned into labels, objects in the order of the cells."""

    name = "labels"

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        cells = math.prod(shape)
        if max(4 * n, LEAST_CELLS_LISTED) < cells:
            return super().nanoseconds(index, shape, n)
        return NANOSECONDS_PER_CELL * (2 * n + cells)


class Agreement(Tables):
    """Engine of means of a weight of two labels, on square tables over the union of both sides' labels."""

    name = "agreement"
    evaluate = staticmethod(evaluate_agreement)

    def evaluations(self, index: Index) -> int:
        return self.most_evaluations

    def value(self, index: Index, table: ContingencyTable) -> float:
        rows, columns, counts = table.nonzero_cells
        if not table.n:
            return math.nan
        return float(weigh_cells(index, rows, columns, table.margins) @ counts) / table.n

    def is_linear(self, index: Index, margins: Margins) -> bool:
        return True

    def moments(self, index: Index, margins: Margins, method: Method) -> Known | None:
        cells = np.count_nonzero(margins.row_totals) * np.count_nonzero(margins.column_totals)
        if 1e-9 * NANOSECONDS_OF_A_TERM * cells > method.mean_seconds:
            return None
        return Known(compute_agreement_moments(index, margins), 0.0)

    def law(self, index: Index, margins: Margins, method: Method) -> Law | None:
        """Return the distribution, by the number of equal labels if the index is affine in this number."""
        weights = weigh_matches(index, margins)
        if weights is None or not margins.n or forecast_law_of_matches(margins) > method.law_seconds:
            return Tables.law(self, index, margins, method)
        matches, probabilities = compute_law_of_matches(margins)
        equal, unequal = weights
        return Law(unequal + (equal - unequal) * matches / margins.n, probabilities, 0.0)


PAIRS, CELLS, TABLES, LABELS, AGREEMENT = Pairs(), Cells(), Tables(), Labels(), Agreement()

ENGINES: Mapping[str, Engine] = MappingProxyType(
    {engine.name: engine for engine in (PAIRS, CELLS, TABLES, LABELS, AGREEMENT)}
)
"""The engine for each value of `Index.needs`."""


def get_engine(index: Index) -> Engine:
    """Return the engine of an index; raise if the index does not compare partitions."""
    if index.needs not in ENGINES:
        raise ArgumentValueError(
            "index",
            f"must be an index of contingency tables here; got {index.name!r}, which compares clusterings of"
            " any kind: `adjust`, `adjusted_score` and `score` take it.",
        )
    return ENGINES[index.needs]
