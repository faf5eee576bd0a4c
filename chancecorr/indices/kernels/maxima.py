"""Of counts: the sum, how many are not 0, the largest; of a table: the sums of row and of column maxima."""

import math

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


@kernel
def objects(totals: Integers) -> float:
    """Number of objects, nan without any: so is then what is divided by it or subtracted from it."""
    n = totals.sum()
    return float(n) if n > 0 else math.nan


@kernel
def clusters(totals: Integers) -> int:
    """How many totals are not 0; Numba's own `count_nonzero` takes several times as long."""
    count = 0
    for total in totals:
        count += total > 0
    return count


@kernel
def largest(counts: Integers) -> int:
    """The largest of some counts, 0 if there are none."""
    most = 0
    for count in counts:
        most = max(most, count)
    return most


@kernel
def sum_of_row_maxima(table: Integers) -> int:
    """``sum_i max_j n_ij``."""
    total = 0
    for i in range(table.shape[0]):
        total += largest(table[i])
    return total


@kernel
def sum_of_column_maxima(table: Integers) -> int:
    """``sum_j max_i n_ij``."""
    return sum_of_row_maxima(table.T)
