"""Of counts: how many are not 0, and the largest; of a table: the sums of the largest in rows and columns."""

from chancecorr.compiled import Integers, kernel


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
