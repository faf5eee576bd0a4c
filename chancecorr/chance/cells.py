"""Indices that need cells: ``phi(n_ij, row_i, column_j, n)`` summed, then a `link` from sum to index."""

import functools
import math
from collections import defaultdict

import numpy as np

from chancecorr.chance.engine import Engine, Known
from chancecorr.chance.methods import AUTO, Method
from chancecorr.exact.additive import additive_moments, forecast_mean, forecast_variance_work, is_additive
from chancecorr.exact.less_one import Sides, additive_changes, less_one
from chancecorr.indices.calling import CELL_SIGNATURE, compiled_cell, warn_if_not_compiled
from chancecorr.indices.evaluation import (
    link_totals,
    total_of_cells,
    totals_less_one,
    totals_of_tables,
)
from chancecorr.indices.registry import Index
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import in_short_calls
from chancecorr.sampling.precision import PowerControls, cell_sum_controls
from chancecorr.sampling.task import Joint, Reduction, Values
from chancecorr.tables.contingency import ContingencyTable, Margins

PROBES = (Margins([8, 9, 7], [10, 6, 8]), Margins([12, 4, 3, 1], [7, 13]), Margins([5, 5], [6, 2, 2]))
"""Cluster sizes on which it is tried whether a function of a sum over cells is affine."""


class Cells(Engine):
    """The sum is tallied, and linked for its distinct values only; an affine link has exact moments."""

    name, goes_by_pair_sum, determined = "cells", False, True

    def prepare(self, index: Index) -> None:
        warn_if_not_compiled(index, CELL_SIGNATURE)

    def evaluations(self, index: Index) -> int:
        return 4_000_000 if compiled_cell(index) else 0

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        return 300.0 + 15.0 * min(math.prod(shape), 2 * n)

    def value(self, index: Index, table: ContingencyTable) -> float:
        return float(link_totals(index, np.array([self.total(index, table)]), table.margins)[0])

    def total(self, index: Index, table: ContingencyTable) -> float:
        """Sum over the cells of one table."""
        return total_of_cells(index, *table.nonzero_cells, table.margins)

    def values(self, index: Index, tables: Integers, margins: Margins) -> Floats:
        totals = in_short_calls(functools.partial(totals_of_tables, index, margins=margins), tables)
        return link_totals(index, totals, margins)

    def values_less_one(self, index: Index, table: ContingencyTable) -> Floats:
        rows, columns, counts = table.nonzero_cells
        totals = totals_less_one(index, rows, columns, counts, table.margins)
        if index.link is None and not np.isnan(totals).any():
            return totals
        values, alike = np.empty(counts.size), defaultdict(list)
        for k, pair in enumerate(table.totals_of_cells()):
            alike[pair].append(k)
        for pair, places in alike.items():  # of the same margins: one call of the link
            values[places] = link_totals(index, totals[places], less_one(table.margins, *pair))
        return values

    def exactly(self, index: Index) -> str:
        if all(is_additive(index, margins) for margins in PROBES):
            return "mean and variance by sums over cells; the distribution, for small tables"
        return "the distribution, for small tables; simulated otherwise"

    def largest_change(self, index: Index, margins: Margins) -> float | None:
        if index.exchange is None or not is_additive(index, margins):
            return None
        ends = link_totals(index, np.array([0.0, 1.0]), margins)
        return abs(float(ends[1] - ends[0])) * index.exchange(margins.row_totals, margins.column_totals)

    def is_linear(self, index: Index, margins: Margins) -> bool:
        return is_additive(index, margins)

    def is_cell_sum(self, index: Index) -> bool:
        if index.link is None:
            return True
        at_zero = (index.link(np.zeros(1), each.row_totals, each.column_totals) for each in PROBES)
        return all(abs(float(value[0])) < 1e-12 for value in at_zero) and all(
            is_additive(index, each) for each in PROBES
        )

    def moments(self, index: Index, margins: Margins, method: Method) -> Known | None:
        # `is_additive` too takes the mean
        if not method.cell_steps or forecast_mean(margins) > method.mean_seconds:
            return None
        if not is_additive(index, margins):
            return None
        affordable = forecast_variance_work(margins) <= method.cell_steps
        return Known(additive_moments(index, margins, with_variance=affordable), 0.0)

    def mean_changes(self, index: Index, margins: Margins, sides: Sides) -> Floats | None:
        return additive_changes(index, margins, sides) if is_additive(index, margins) else None

    def reduction(self, index: Index, key: str, *, with_controls: bool) -> Reduction:
        return Reduction(
            index=index,
            key=key,
            chunk=functools.partial(totals_of_tables, index),
            chunk_listed=functools.partial(total_of_cells, index),
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
        return cell_sum_controls(index, margins, with_variance=affordable)


CELLS = Cells()
