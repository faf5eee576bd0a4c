"""Row and column maxima of a table, and what one pass over its totals tells."""

from chancecorr.compiled import Integers, kernel


@kernel
def sum_of_row_maxima(table: Integers) -> int:
    """``sum_i max_j n_ij``."""
    total = 0
    for i in range(table.shape[0]):
        largest = 0
        for j in range(table.shape[1]):
            largest = max(largest, table[i, j])
        total += largest
    return total


@kernel
def sum_of_column_maxima(table: Integers) -> int:
    """``sum_j max_i n_ij``."""
    total = 0
    for j in range(table.shape[1]):
        largest = 0
        for i in range(table.shape[0]):
            largest = max(largest, table[i, j])
        total += largest
    return total


@kernel
def clusters(totals: Integers) -> int:
    """How many totals are not 0."""
    count = 0
    for total in totals:
        if total > 0:
            count += 1
    return count


@kernel
def sum_and_largest(totals: Integers) -> tuple[int, int]:
    """Number of objects and size of the largest cluster."""
    n = largest = 0
    for total in totals:
        n += total
        largest = max(largest, total)
    return n, largest
