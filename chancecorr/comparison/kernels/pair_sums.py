"""Kernel from the cluster numbers of many clusterings to T of one with each of the others."""

from typing import Any

import numpy.typing as npt

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


@kernel
def fill_pair_sums(
    codes: npt.NDArray[Any],
    n_clusters: Integers,
    row: int,
    columns: Integers,
    cells: Integers,
    sums: Integers,
) -> None:
    """``sums[k] = sum(n_ij**2)`` of the table of clusterings ``row`` and ``columns[k]``.

    `cells` is workspace for the largest of the tables.
    """
    for k in range(columns.size):
        column = columns[k]
        width = n_clusters[column]
        size = n_clusters[row] * width
        for place in range(size):
            cells[place] = 0
        for i in range(codes.shape[1]):
            cells[int(codes[row, i]) * width + int(codes[column, i])] += 1
        total = 0
        for place in range(size):
            total += cells[place] * cells[place]
        sums[k] = total
