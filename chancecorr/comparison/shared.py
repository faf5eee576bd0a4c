"""What candidates share: the null distribution where cluster sizes are the same, all where the tables are."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Integers
from chancecorr.tables.contingency import ContingencyTable
from chancecorr.tables.crosstab import cross_classify, relabel


def aligned(tables: Sequence[ContingencyTable]) -> list[tuple[ContingencyTable, Integers]]:
    """Tables with their columns in such an order that as many as can be have the same margins.

    Of all tables with the same column totals in any order, the first stays as it is. The columns of the
    others are put in the order of its totals, so that they have its margins; and in the order of its columns
    where these are the same, so that clusterings which differ in their labels alone have one table. Sparse
    tables stay as they are.

    Parameters
    ----------
    tables : sequence of ContingencyTable
        With the same row totals.

    Returns
    -------
    list of (ContingencyTable, ndarray of int64, shape (Q,))
        Each table, and to which column each of its columns went.

    Examples
    --------
    >>> first, second = ContingencyTable([[2, 0, 1], [0, 3, 1]]), ContingencyTable([[1, 0, 2], [1, 3, 0]])
    >>> [(table.counts.tolist(), places.tolist()) for table, places in aligned([first, second])]
    [([[2, 0, 1], [0, 3, 1]], [0, 1, 2]), ([[2, 0, 1], [0, 3, 1]], [2, 1, 0])]
    """
    first_orders: dict[bytes, Integers] = {}
    found = []
    for table in tables:
        places = np.arange(table.shape[1])
        if isinstance(table.counts, np.ndarray):
            # by total, then by the counts from the first row on
            order = np.lexsort((*table.counts[::-1], table.column_totals))
            first = first_orders.setdefault(table.column_totals[order].tobytes(), order)
            places[order] = first
            if not np.array_equal(order, first):
                counts = np.empty_like(table.counts)
                counts[:, places] = table.counts
                table = ContingencyTable(counts)
        found.append((table, places))
    return found


def cell_of_each_object(
    rows: npt.NDArray[Any], columns: npt.NDArray[Any], n_columns: int
) -> npt.NDArray[Any]:
    """Number of the non-empty cell in which each object lies, in the order of ``nonzero_cells``.

    From the row and the column of each object, in the smallest type that holds the numbers.

    Examples
    --------
    >>> cell_of_each_object(np.array([1, 0, 1, 0]), np.array([0, 1, 1, 1]), 2).tolist()
    [1, 0, 2, 0]
    """
    cells, n_cells = relabel(rows.astype(np.int64) * n_columns + columns)
    return cells.astype(np.min_scalar_type(max(n_cells - 1, 0)))


def cells_in_both(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> tuple[Integers, Integers, Integers]:
    """Non-empty cells of the table reference x first x second, from the cells of the objects in two tables.

    The number of each one's cell in the first table, that in the second, and how many objects lie in both.
    """
    return ContingencyTable(cross_classify(first, second)).nonzero_cells
