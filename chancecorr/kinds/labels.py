"""Indices that need labels: any Python function of two label vectors; else as a function of the table."""

import math

import numpy as np

from chancecorr.indices.evaluation import (
    check_labels,
    value_of_listed,
    values_of_labels,
)
from chancecorr.indices.registry import Index
from chancecorr.kinds.kind import Law
from chancecorr.kinds.methods import Method
from chancecorr.kinds.tables import LEAST_CELLS_LISTED, Tables
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.tables.contingency import ContingencyTable, Margins

NANOSECONDS_PER_LABELLED_CELL = 8.0
"""Of looking for the cells that are not empty."""


class Labels(Tables):
    """Tables drawn or listed are laid out as labels, the objects in the order of the cells."""

    name = "labels"

    def prepare(self, index: Index) -> None:
        """Nothing: the function is called as Python."""

    def evaluations(self, index: Index) -> int:
        return 0

    def nanoseconds(self, index: Index, shape: tuple[int, int], n: int) -> float:
        cells = math.prod(shape)
        if max(4 * n, LEAST_CELLS_LISTED) < cells:
            return super().nanoseconds(index, shape, n)
        return 5_000.0 + 10.0 * n + NANOSECONDS_PER_LABELLED_CELL * cells

    def lays_out(self, index: Index) -> bool:
        return False

    def value(self, index: Index, table: ContingencyTable) -> float:
        if isinstance(table.counts, np.ndarray):
            return super().value(index, table)
        return value_of_listed(index, *table.nonzero_cells, table.margins)

    def values_at_once(self, index: Index, tables: Integers, margins: Margins) -> Floats:
        return values_of_labels(index, tables, margins)

    def law(self, index: Index, margins: Margins, method: Method) -> Law | None:
        check_labels(index, margins)
        return super().law(index, margins, method)


LABELS = Labels()
