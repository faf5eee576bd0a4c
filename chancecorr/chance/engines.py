"""Evaluate an index of cells, of the table or of labels, and find what is known of it.

An index that needs cells is a sum of ``phi(n_ij, row_i, column_j, n)`` with a `link`; one that needs the
table is a function of it, compiled where Numba can; one that needs labels takes two arrays of labels, in the
order of the cells. Pairs stand beside the model itself, in `fixed_margins`: everything about them follows
from T.
"""

import functools
import math
from collections import defaultdict

import numpy as np

from chancecorr.chance.engine import Engine, Known
from chancecorr.chance.options import AUTO, Method
from chancecorr.exact.additive import (
    compute_additive_moments,
    forecast_mean,
    forecast_variance_work,
    is_additive,
)
from chancecorr.exact.less_one import (
    Sides,
    compute_additive_changes,
    remove_object,
    remove_object_at,
)
from chancecorr.indices.calling import (
    CELL_SIGNATURE,
    TABLE_SIGNATURE,
    compile_cell_function,
    compile_table_function,
    warn_if_not_compiled,
)
from chancecorr.indices.evaluation import (
    evaluate_labels,
    evaluate_listed_cells,
    evaluate_tables,
    link_totals,
    sum_cells_without_one,
    sum_listed_cells,
    sum_over_tables,
)
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.budget import NANOSECONDS_PER_CALL, NANOSECONDS_PER_CELL
from chancecorr.machine.kernel import run_in_short_calls
from chancecorr.sampling.precision import PowerControls, make_cell_sum_controls, make_pair_sum_controls
from chancecorr.sampling.task import Joint, Reduction, Values
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.pair_sum import compute_pair_sum_moments

PROBES = (Margins([8, 9, 7], [10, 6, 8]), Margins([12, 4, 3, 1], [7, 13]), Margins([5, 5], [6, 2, 2]))
"""Cluster sizes on which it is tried whether a function of a sum over cells is affine."""


class Cells(Engine):
    """The sum is tallied, and linked for its distinct values only; an affine link has exact moments."""

    name, goes_by_pair_sum, determined = "cells", False, True

    def prepare(self, index: Index) -> None:
        warn_if_not_compiled(index, CELL_SIGNATURE)

    def evaluations(self, index: Index) -> int:
        return 4_000_000 if compile_cell_function(index) else 0

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        return NANOSECONDS_PER_CELL * min(math.prod(shape), 2 * n)

    def value(self, index: Index, table: ContingencyTable) -> float:
        return float(link_totals(index, np.array([self.total(index, table)]), table.margins)[0])

    def total(self, index: Index, table: ContingencyTable) -> float:
        """Sum over the cells of one table."""
        return sum_listed_cells(index, *table.nonzero_cells, table.margins)

    def values(self, index: Index, tables: Integers, margins: Margins) -> Floats:
        totals = run_in_short_calls(functools.partial(sum_over_tables, index, margins=margins), tables)
        return link_totals(index, totals, margins)

    def evaluate_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        rows, columns, counts = table.nonzero_cells
        totals = sum_cells_without_one(index, rows, columns, counts, table.margins)
        if index.link is None and not np.isnan(totals).any():
            return totals
        values, alike = np.empty(counts.size), defaultdict(list)
        for k, pair in enumerate(table.totals_of_cells()):
            alike[pair].append(k)
        for pair, places in alike.items():  # of the same margins: one call of the link
            values[places] = link_totals(index, totals[places], remove_object(table.margins, *pair))
        return values

    def describe_exact(self, index: Index) -> str:
        if all(is_additive(index, margins) for margins in PROBES):
            return "mean and variance by sums over cells; the distribution, for small tables"
        return "the distribution, for small tables; simulated otherwise"

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
        # `is_additive` too takes the mean
        if not method.cell_steps or forecast_mean(margins) > method.mean_seconds:
            return None
        if not is_additive(index, margins):
            return None
        affordable = forecast_variance_work(margins) <= method.cell_steps
        return Known(compute_additive_moments(index, margins, with_variance=affordable), 0.0)

    def mean_changes(self, index: Index, margins: Margins, sides: Sides) -> Floats | None:
        return compute_additive_changes(index, margins, sides) if is_additive(index, margins) else None

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        return Reduction(
            index=index,
            key=key,
            chunk=functools.partial(sum_over_tables, index),
            chunk_listed=functools.partial(sum_listed_cells, index),
            chunk_table=functools.partial(self.total, index),
            finalize=functools.partial(link_totals, index),
        )

    def shares_tally(self, index: Index, other: Index) -> bool:
        return index.function is other.function

    def joint(self, index: Index, seen: Values, counts: Integers, margins: Margins, centre: int) -> Joint:
        return Joint(link_totals(index, seen, margins), seen, counts)

    def controls(self, index: Index, margins: Margins) -> PowerControls | None:
        if forecast_mean(margins) > AUTO.mean_seconds:
            return None
        affordable = forecast_variance_work(margins) <= AUTO.cell_steps
        return make_cell_sum_controls(index, margins, with_variance=affordable)


MOST_CELLS_LAID_OUT = 1 << 30
"""Cells that a table may have that is laid out: 8 GiB."""

LEAST_CELLS_LISTED, LEAST_CELLS_MATCHED = 50_000, 4_000_000
"""Cells from which plain Python on those that are not empty takes less: of most indices, and of matchings,
which may then take long if many are tied."""


def check_size(index: Index, shape: tuple[int, int]) -> None:
    """Raise if a table of this shape is too large to be laid out for an index that needs it so."""
    if math.prod(shape) > MOST_CELLS_LAID_OUT:
        size = 8 * math.prod(shape) / 2**30
        raise ArgumentValueError(
            "index",
            f"must not need whole tables of {shape[0]} x {shape[1]} clusters, of {size:.1f} GiB each; got"
            f" {index.name!r}. Take one that needs pairs or cells.",
        )


class Tables(Engine):
    """No closed form exists. Few tables are listed; many are sampled, with T as a control variate."""

    name, goes_by_pair_sum, determined = "table", False, False
    evaluate = staticmethod(evaluate_tables)

    def prepare(self, index: Index) -> None:
        warn_if_not_compiled(index, TABLE_SIGNATURE)

    def evaluations(self, index: Index) -> int:
        return 1_000_000 if compile_table_function(index) else 0

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        cells = math.prod(shape)
        listed_from = LEAST_CELLS_MATCHED if index.nanoseconds else LEAST_CELLS_LISTED
        if not index.needs_whole_table and max(4 * n, listed_from) < cells:
            return NANOSECONDS_PER_CALL + 10.0 * NANOSECONDS_PER_CELL * n
        own = index.nanoseconds(*shape) if index.nanoseconds else 0.0
        return own + NANOSECONDS_PER_CELL * cells

    def value(self, index: Index, table: ContingencyTable) -> float:
        if not isinstance(table.counts, np.ndarray):
            is_matched = index.nanoseconds and math.prod(table.shape) < LEAST_CELLS_MATCHED
            if not (index.needs_whole_table or is_matched):
                return evaluate_listed_cells(index, *table.nonzero_cells, table.margins)
            check_size(index, table.shape)
        counts = table.counts if isinstance(table.counts, np.ndarray) else table.counts.toarray()
        return float(self.values(index, counts[np.newaxis], table.margins)[0])

    def values(self, index: Index, tables: Integers, margins: Margins) -> Floats:
        return run_in_short_calls(functools.partial(self.evaluate, index, margins=margins), tables)

    def evaluate_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        rows, columns, _ = table.nonzero_cells
        room, values = table.dense_counts().copy(), np.empty(rows.size)
        for k, (i, j) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
            room[i, j] -= 1
            values[k] = self.values(index, room[np.newaxis], remove_object_at(table.margins, i, j))[0]
            room[i, j] += 1
        return values

    def describe_exact(self, index: Index) -> str:
        return "the distribution, for small tables; simulated otherwise"

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        return Reduction(
            index=index,
            key=key,
            chunk=functools.partial(self.evaluate, index),  # blocks are short
            chunk_listed=None if index.needs_whole_table else functools.partial(evaluate_listed_cells, index),
            listed_from=LEAST_CELLS_MATCHED if index.nanoseconds else LEAST_CELLS_LISTED,
            chunk_table=functools.partial(self.value, index),
            with_pair_sum=with_controls,
        )

    def shares_tally(self, index: Index, other: Index) -> bool:
        return False

    def joint(self, index: Index, seen: Values, counts: Integers, margins: Margins, centre: int) -> Joint:
        if seen.dtype.names is None:
            return Joint(seen, None, counts)
        return Joint(seen["value"].copy(), seen["pair_sum"].astype(np.float64), counts)

    def controls(self, index: Index, margins: Margins) -> PowerControls | None:
        return make_pair_sum_controls(compute_pair_sum_moments(margins), powers=2)


class Labels(Tables):
    """Tables drawn or listed are laid out as labels, the objects in the order of the cells."""

    name = "labels"
    evaluate = staticmethod(evaluate_labels)

    def prepare(self, index: Index) -> None:
        """Nothing: the function is called as Python."""

    def evaluations(self, index: Index) -> int:
        return 0

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        cells = math.prod(shape)
        if max(4 * n, LEAST_CELLS_LISTED) < cells:
            return super().nanoseconds(index, shape, n)
        return NANOSECONDS_PER_CELL * (2 * n + cells)

    def value(self, index: Index, table: ContingencyTable) -> float:
        if isinstance(table.counts, np.ndarray):
            return super().value(index, table)
        return evaluate_listed_cells(index, *table.nonzero_cells, table.margins)


CELLS, TABLES, LABELS = Cells(), Tables(), Labels()
