"""Values of indices from the non-empty cells of a table that is too large for an array."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.indices.kernels.matchings import listed_assignment_value
from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.long_calls import MANY_CELLS, in_background

FromCells = Callable[[Integers, Integers, Integers, Integers, Integers], float]
"""``f(rows, columns, counts, row_totals, column_totals)``, the `from_cells` of an `Index`."""

Weigh = Callable[[Any, Any, Any], npt.NDArray[Any]]
"""Weights of cells by their counts and the totals of their rows and columns, all above zero."""


def by_maxima(formula: Callable[[float, float, Integers, Integers], float]) -> FromCells:
    """An index as ``formula(R, C, row_totals, column_totals)``, ``R = sum_i max_j n_ij``, C of columns."""

    def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
        places = rows, columns
        R, C = (_sum_maxima(at, counts, each) for at, each in zip(places, totals, strict=True))
        return formula(R, C, *totals)

    return from_cells


def by_assignment(formula: Callable[[float, Integers, Integers], float], weigh: Weigh) -> FromCells:
    """An index as ``formula(W, row_totals, column_totals)``, W the heaviest matching of the weighed cells."""

    def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
        weights = weigh(counts, totals[0][rows], totals[1][columns])
        heaviest = heaviest_matching(rows, columns, weights, totals[0].size, totals[1].size)
        return float(formula(heaviest, *totals))

    return from_cells


def heaviest_matching(
    rows: Integers, columns: Integers, weights: npt.NDArray[Any], n_rows: int, n_columns: int
) -> float:
    """Largest sum of weights of cells, in any order, no two of which share a row or a column."""
    if (np.diff(rows) < 0).any():  # cells of tables that were drawn are in the order of work
        order = rows.argsort(kind="stable")
        rows, columns, weights = rows[order], columns[order], weights[order]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))]).astype(np.int64)
    listed = starts, rows, columns, weights.astype(np.float64), n_columns
    heaviest = functools.partial(listed_assignment_value, *listed)
    return float(in_background(heaviest) if rows.size > MANY_CELLS else heaviest())


def by_two_sums(formula: Callable[[float, float, float], float], weigh: Weigh) -> FromCells:
    """An index as ``formula(p, r, n)``, p the sum of ``weigh(n_ij, m_j, n_i)``, r that with rows first."""

    def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
        of_rows, of_columns = totals[0][rows].astype(np.float64), totals[1][columns].astype(np.float64)
        x = counts.astype(np.float64)
        p, r = (total_in_order(weigh(x, *sizes)) for sizes in ((of_columns, of_rows), (of_rows, of_columns)))
        return formula(p, r, float(totals[0].sum()))

    return from_cells


def by_best_matches(
    formula: Callable[[Floats, Floats, Integers, Integers], float], *, jaccard: bool
) -> FromCells:
    """An index as ``formula(of_rows, of_columns, *totals)``, of largest Jaccard similarities or F1 scores."""

    def from_cells(rows: Integers, columns: Integers, counts: Integers, *totals: Integers) -> float:
        together = totals[0][rows] + totals[1][columns]
        similarity = counts / (together - counts) if jaccard else 2.0 * counts / together
        of_rows, of_columns = np.zeros(totals[0].size), np.zeros(totals[1].size)
        np.maximum.at(of_rows, rows, similarity)
        np.maximum.at(of_columns, columns, similarity)
        return formula(of_rows, of_columns, *totals)

    return from_cells


def mean_over_clusters(of_clusters: Floats, totals: Integers) -> float:
    """Mean over the clusters that are not empty; nan without any."""
    count = int(np.count_nonzero(totals))
    return total_in_order(of_clusters) / count if count else math.nan


def total_in_order(numbers: Floats) -> float:
    """Their sum, one after the other, as a loop has it."""
    return float(np.add.accumulate(numbers)[-1]) if numbers.size else 0.0


def _sum_maxima(places: Integers, counts: Integers, totals: Integers) -> float:
    """Sum over the rows, or the columns, of their largest count."""
    most = np.zeros(totals.size, dtype=np.int64)
    np.maximum.at(most, places, counts)
    return float(most.sum())
