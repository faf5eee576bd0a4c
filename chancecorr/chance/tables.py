"""Indices that need the table: a function of it, compiled where Numba can."""

import functools
import math

import numpy as np

from chancecorr.chance.engine import Engine
from chancecorr.exact.less_one import margins_less_one
from chancecorr.indices.calling import TABLE_SIGNATURE, compiled_table, warn_if_not_compiled
from chancecorr.indices.evaluation import (
    value_of_listed,
    values_of_labels,
    values_of_tables,
)
from chancecorr.indices.registry import Index
from chancecorr.machine.arguments import ArgumentValueError
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import in_short_calls
from chancecorr.sampling.precision import PowerControls, pair_sum_controls
from chancecorr.sampling.task import Joint, Reduction, Values
from chancecorr.tables.contingency import ContingencyTable, Margins
from chancecorr.tables.pair_sum import pair_sum_moments

MOST_CELLS_LAID_OUT = 1 << 30
"""Cells that a table may have that is laid out: 8 GiB."""

NANOSECONDS_PER_TABLE = 300.0
NANOSECONDS_PER_CELL = 3.0, 25.0
CELLS_OF_KEPT_MEMORY = 4_000_000
"""Up to so many cells take the first time; of larger tables the memory is new each time."""

LEAST_CELLS_LISTED, LEAST_CELLS_MATCHED = 50_000, 4_000_000
"""Cells from which plain Python on those that are not empty takes less: of most indices, and of matchings,
which may then take long if many are tied."""

NANOSECONDS_PER_LISTED_TABLE, NANOSECONDS_PER_LISTED_OBJECT = 100_000.0, 100.0


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
    evaluate = staticmethod(values_of_tables)

    def prepare(self, index: Index) -> None:
        warn_if_not_compiled(index, TABLE_SIGNATURE)

    def evaluations(self, index: Index) -> int:
        return 1_000_000 if compiled_table(index) else 0

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        cells = math.prod(shape)
        listed_from = LEAST_CELLS_MATCHED if index.nanoseconds else LEAST_CELLS_LISTED
        if not index.needs_whole_table and max(4 * n, listed_from) < cells:
            return NANOSECONDS_PER_LISTED_TABLE + NANOSECONDS_PER_LISTED_OBJECT * n
        per_cell = NANOSECONDS_PER_CELL[cells > CELLS_OF_KEPT_MEMORY]
        return (
            NANOSECONDS_PER_TABLE
            + (index.nanoseconds(*shape) if index.nanoseconds else 0.0)
            + per_cell * cells
        )

    def value(self, index: Index, table: ContingencyTable) -> float:
        if not isinstance(table.counts, np.ndarray):
            is_matched = index.nanoseconds and math.prod(table.shape) < LEAST_CELLS_MATCHED
            if not (index.needs_whole_table or is_matched):
                return value_of_listed(index, *table.nonzero_cells, table.margins)
            check_size(index, table.shape)
        counts = table.counts if isinstance(table.counts, np.ndarray) else table.counts.toarray()
        return float(self.values(index, counts[np.newaxis], table.margins)[0])

    def values(self, index: Index, tables: Integers, margins: Margins) -> Floats:
        return in_short_calls(functools.partial(self.evaluate, index, margins=margins), tables)

    def values_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        rows, columns, _ = table.nonzero_cells
        room, values = table.dense_counts().copy(), np.empty(rows.size)
        for k, (i, j) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
            room[i, j] -= 1
            values[k] = self.values(index, room[np.newaxis], margins_less_one(table.margins, i, j))[0]
            room[i, j] += 1
        return values

    def exactly(self, index: Index) -> str:
        return "the distribution, for small tables; simulated otherwise"

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        return Reduction(
            index=index,
            key=key,
            chunk=functools.partial(self.evaluate, index),  # blocks are short
            chunk_listed=None if index.needs_whole_table else functools.partial(value_of_listed, index),
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
        return pair_sum_controls(pair_sum_moments(margins), powers=2)


TABLES = Tables()

NANOSECONDS_PER_LABELLED_CELL = 8.0
"""Of looking for the cells that are not empty."""


class Labels(Tables):
    """Tables drawn or listed are laid out as labels, the objects in the order of the cells."""

    name = "labels"
    evaluate = staticmethod(values_of_labels)

    def prepare(self, index: Index) -> None:
        """Nothing: the function is called as Python."""

    def evaluations(self, index: Index) -> int:
        return 0

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        cells = math.prod(shape)
        if max(4 * n, LEAST_CELLS_LISTED) < cells:
            return super().nanoseconds(index, shape, n)
        return 5_000.0 + 10.0 * n + NANOSECONDS_PER_LABELLED_CELL * cells

    def value(self, index: Index, table: ContingencyTable) -> float:
        if isinstance(table.counts, np.ndarray):
            return super().value(index, table)
        return value_of_listed(index, *table.nonzero_cells, table.margins)


LABELS = Labels()
