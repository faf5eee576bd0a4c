"""A table cell by cell: each cell from its hypergeometric law given the cells before it.

The cells are drawn row by row. Given those before it, the cell (k, q) counts how many of the `left` objects
that row k still needs are among the `good` ones left in column q, of the `population` left in the columns
from q on. The last column takes the rest of the row, the last row the rest of the columns.

Cost: (K-1)(Q-1) draws, whatever n. Source: Patefield (1981, doi:10.2307/2346669) for the order of work.
"""

import numpy as np

from chancecorr.compiled import Integers, kernel
from chancecorr.null.kernels.hypergeometric import LogFactorials, draw_hypergeometric
from chancecorr.null.kernels.streams import open_stream


@kernel
def fill_tables(
    row_totals: Integers,
    column_totals: Integers,
    row_offsets: Integers,
    column_offsets: Integers,
    log_factorials: LogFactorials,
    seed: np.uint64,
    first: int,
    remaining: Integers,
    out: Integers,
) -> None:
    """Tables ``first, first + 1, ...`` into the rows of `out`, zero before.

    Cell (k, q) stands at ``row_offsets[k] + column_offsets[q]``; `remaining` is what is left of each column.
    """
    last_row = row_totals.size - 1
    last_column = column_totals.size - 1
    if last_row < 0 or last_column < 0:
        return
    n = column_totals.sum()
    for t in range(out.shape[0]):
        table = out[t]
        stream = open_stream(seed, first + t)
        remaining[:] = column_totals
        below = n  # objects in the rows that are not begun
        for k in range(last_row):
            left = row_totals[k]
            population = below
            below -= left
            q = 0
            while left > 0 and q < last_column:  # once the row is full, its other cells stay 0
                good = remaining[q]
                x, stream = draw_hypergeometric(population, good, left, log_factorials, stream)
                population -= good
                remaining[q] = good - x
                left -= x
                table[row_offsets[k] + column_offsets[q]] = x
                q += 1
            if left > 0:
                remaining[last_column] -= left
                table[row_offsets[k] + column_offsets[last_column]] = left
        for q in range(last_column + 1):
            table[row_offsets[last_row] + column_offsets[q]] = remaining[q]
