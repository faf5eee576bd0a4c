"""The cells between large clusters, each from its hypergeometric law given the cells before it.

Row by row: given those before it, the cell (k, q) counts how many of the `draws` objects that row k still
needs are among the `good` ones left in column q, of the `population` left in the columns from q on. The last
column takes the rest of the row, the last row the rest of the columns.

Cost: (K-1)(Q-1) draws, whatever n. Source: Patefield (1981, doi:10.2307/2346669) for the order of work.
"""

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import Floats, Integers, inlined_kernel, kernel
from chancecorr.null.kernels.draw import draw_hypergeometric
from chancecorr.null.kernels.lanes import (
    DRAWS,
    GOOD,
    POPULATION,
    VALUE,
    LaneArrays,
    draw_lanes,
)
from chancecorr.null.kernels.log2_factorials import Log2Factorials
from chancecorr.null.kernels.streams import Stream

LaneCounts = npt.NDArray[np.uint32]
"""Numbers of objects, up to ``2**32``, shape (clusters, lanes)."""


@inlined_kernel
def draw_row_in_lanes(
    n: int, by_table: bool, columns: LaneCounts, first_column: int, home: LaneArrays, rest: LaneArrays,
    origin: Integers, looked_at: Integers, hat: Floats, factorials: Log2Factorials, cells: LaneCounts,
) -> None:  # fmt: skip
    """One row of n tables: `columns` (Q, lanes) holds what is left of each column, `cells` receives the row.

    The kinds `DRAWS` and `POPULATION` of `home` hold the row's total and the sum of `columns`.
    """
    last = columns.shape[0] - 1
    counts = home.counts
    for q in range(first_column, last):
        for b in range(n):
            counts[GOOD + b] = np.int32(columns[q, b])
        draw_lanes(n, by_table, home, rest, origin, looked_at, hat, factorials)
        for b in range(n):
            x = counts[VALUE + b]
            counts[POPULATION + b] -= counts[GOOD + b]
            counts[DRAWS + b] -= x
            columns[q, b] -= np.uint32(x)
            cells[q, b] = np.uint32(x)
    for b in range(n):
        x = np.uint32(counts[DRAWS + b])
        cells[last, b] = x
        columns[last, b] -= x


@kernel
def draw_row(
    table: int, total: np.int64, population: np.int64, columns: LaneCounts, first_column: int, hat: Floats,
    factorials: Log2Factorials, cells: LaneCounts, stream: Stream,
) -> Stream:  # fmt: skip
    """The same row of one table, with the same draws."""
    last = columns.shape[0] - 1
    draws = total
    for q in range(first_column, last):
        good = np.int64(columns[q, table])
        x, stream = draw_hypergeometric(population, good, draws, hat, factorials, stream)
        population -= good
        draws -= x
        columns[q, table] = good - x
        cells[q, table] = x
    cells[last, table] = draws
    columns[last, table] -= draws
    return stream
