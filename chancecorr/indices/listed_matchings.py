"""One-to-one matchings of rows with columns from the non-empty cells of a table alone."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.indices.from_cells import FromCells
from chancecorr.indices.kernels.listed_assignment import listed_assignment_value
from chancecorr.machine.arrays import Integers
from chancecorr.machine.long_calls import MANY_CELLS, in_background

Weigh = Callable[[Integers, Integers, Integers], npt.NDArray[Any]]
"""Weights of cells by their counts and the totals of their rows and columns, all above zero."""


def by_assignment(formula: Callable[[float, Integers, Integers], float], weigh: Weigh) -> FromCells:
    """An index as ``formula(W, row_totals, column_totals)``, W the heaviest matching of the weighed cells."""

    def from_cells(
        rows: Integers, columns: Integers, counts: Integers, row_totals: Integers, column_totals: Integers
    ) -> float:
        weights = weigh(counts, row_totals[rows], column_totals[columns])
        heaviest = heaviest_matching(rows, columns, weights, row_totals.size, column_totals.size)
        return float(formula(heaviest, row_totals, column_totals))

    return from_cells


def heaviest_matching(
    rows: Integers, columns: Integers, weights: npt.NDArray[Any], n_rows: int, n_columns: int
) -> float:
    """Largest sum of weights, all above zero, of cells of which no two share a row or a column.

    The cells are listed row by row. An answer for counts is exact below 2**53.
    """
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))]).astype(np.int64)
    listed = starts, rows, columns, weights.astype(np.float64), n_columns
    heaviest = functools.partial(listed_assignment_value, *listed)
    return float(in_background(heaviest) if rows.size > MANY_CELLS else heaviest())


def orphan_columns(
    rows: Integers, columns: Integers, counts: Integers, sources: Integers, targets: Integers
) -> float:
    """Columns left over by a maximum matching of rows with their nearest columns; nan without cells."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not rows.size:
        return math.nan
    nearness = counts / (sources[rows] + targets[columns] - counts)
    best = np.zeros(sources.size)
    np.maximum.at(best, rows, nearness)
    nearest = nearness == best[rows]
    cells = rows[nearest], columns[nearest]
    graph = csr_array((np.ones(cells[0].size, dtype=np.int8), cells), shape=(sources.size, targets.size))
    matched = np.count_nonzero(maximum_bipartite_matching(graph, perm_type="column") >= 0)
    return float(np.count_nonzero(targets) - matched)


def orphan_rows(
    rows: Integers, columns: Integers, counts: Integers, row_totals: Integers, column_totals: Integers
) -> float:
    """Rows left over by a maximum matching of columns with their nearest rows."""
    return orphan_columns(columns, rows, counts, column_totals, row_totals)


def most_orphans(
    rows: Integers, columns: Integers, counts: Integers, row_totals: Integers, column_totals: Integers
) -> float:
    """The larger of the two numbers."""
    cells = rows, columns, counts, row_totals, column_totals
    return max(orphan_columns(*cells), orphan_rows(*cells))
