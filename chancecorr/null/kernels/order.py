"""In which order a table is drawn, and how: small clusters object by object, large ones cell by cell.

The rows of small total come first: each of their objects takes a place among the columns (`objects`). What is
left of the small columns is then dealt to the large rows in the same way. The cells between large rows and
large columns are drawn from their hypergeometric laws (`conditional`). Where all rows but one are small that
is a shuffle of labels; where none is, a table cell by cell; and one huge cluster beside many tiny ones takes
a time that does not depend on the size of the huge one.

The choice decides which numbers are taken from a table's stream, and so the bits. Hence the costs are
constants and not measured at run time. Only their ratios matter.
"""

from chancecorr.machine.arrays import Integers, Whole
from chancecorr.machine.kernel import shared_with_kernels
from chancecorr.null.kernels.objects import REPAIR

# Nanoseconds on one thread, fitted by experiments/benchmarks/cost_model.py; those of a draw and of an object
# from afar were set by hand since, from times of single shapes.
NANOSECONDS_PER_DRAW = 12.0
NANOSECONDS_PER_OBJECT = 1.35
NANOSECONDS_PER_OBJECT_OF_MANY = 3.5
NANOSECONDS_PER_OBJECT_FROM_AFAR = 30.0
NANOSECONDS_PER_COPIED_LABEL = 0.3
NANOSECONDS_PER_CELL = 0.2
NANOSECONDS_PER_TABLE = 3.0
NANOSECONDS_PER_DEALT_TABLE = 110.0

MANY_OBJECTS = 65_535
"""Objects beyond which labels and counts take 32 bits in place of 16, and a deck leaves the cache."""

LABELS_FROM_AFAR = 1 << 19
"""Labels of a deck beyond which each of its objects waits for memory."""

MOST_LABELS = 1 << 26
"""Labels that may be laid out for objects to be dealt: 256 MB."""


@shared_with_kernels
def cost_of_object(n: Whole, labels: Whole) -> float:
    """Nanoseconds to deal one of n objects from a deck of so many labels."""
    if labels > LABELS_FROM_AFAR:
        return NANOSECONDS_PER_OBJECT_FROM_AFAR
    return NANOSECONDS_PER_OBJECT if n <= MANY_OBJECTS else NANOSECONDS_PER_OBJECT_OF_MANY


@shared_with_kernels
def is_transposed(rows: Integers, columns: Integers) -> bool:
    """Whether the largest total of all, whose cells cost nothing, is one of a column; both are ascending."""
    return bool(columns[columns.size - 1] > rows[rows.size - 1])


def cost_of(rows: Integers, columns: Integers, n: int, small_rows: int, small_columns: int) -> float:
    """Nanoseconds of a table with so many of the rows and the columns, both in ascending order, small."""
    K, Q = rows.size, columns.size
    objects = rows[:small_rows].sum()
    share = (n - objects) / max(n, 1)
    dealt = share * columns[:small_columns].sum()
    # a deck is repaired where its objects were dealt, or copied anew where that is less (`objects.restore`)
    cost = NANOSECONDS_PER_TABLE + NANOSECONDS_PER_CELL * min(K * Q, 4 * n)  # more are not laid out
    cost += cost_of_object(n, n - columns[Q - 1]) * objects
    cost += cost_of_object(n, n - objects - rows[K - 1]) * dealt
    cost += NANOSECONDS_PER_DEALT_TABLE * (small_rows + small_columns > 0)
    cost += NANOSECONDS_PER_DRAW * ((K - small_rows - 1) * (Q - small_columns - 1))
    cost += NANOSECONDS_PER_COPIED_LABEL * min(REPAIR * objects, n - columns[Q - 1])
    cost += NANOSECONDS_PER_COPIED_LABEL * min(REPAIR * dealt, n - objects - rows[K - 1])
    return float(cost)


@shared_with_kernels
def choose_small(rows: Integers | list[int], columns: Integers | list[int], n: int) -> tuple[int, int]:
    """How many of the rows and of the columns, both in ascending order, are small.

    With k of the rows small, a column is small if its objects cost less than a draw in each large row but
    one: the more rows are small, the fewer columns are.
    """
    K, Q = len(rows), len(columns)
    best_rows = best_columns = 0
    if n - columns[Q - 1] > MOST_LABELS or n - rows[K - 1] > MOST_LABELS:
        return best_rows, best_columns
    if 4 * n < K * Q:  # tables with many more cells than objects are never laid out on the way
        return K - 1, best_columns
    best = NANOSECONDS_PER_DRAW * ((K - 1) * (Q - 1))
    per_object, near = cost_of_object(n, n - columns[Q - 1]), cost_of_object(n, 0)
    stored_columns, stored_rows = n - columns[Q - 1], n - rows[K - 1]
    objects = 0
    small_columns = Q - 1
    in_small_columns = stored_columns
    for small_rows in range(K):
        if small_rows > 0:
            objects += rows[small_rows - 1]
        share = (n - objects) / max(n, 1)
        per_column = NANOSECONDS_PER_DRAW * (K - small_rows - 1)
        is_near = stored_rows - objects <= LABELS_FROM_AFAR
        per_object_left = near if is_near else NANOSECONDS_PER_OBJECT_FROM_AFAR
        while small_columns > 0 and (
            small_rows == K - 1 or per_object_left * share * columns[small_columns - 1] >= per_column
        ):
            small_columns -= 1
            in_small_columns -= columns[small_columns]
        cost = NANOSECONDS_PER_DEALT_TABLE * (small_rows + small_columns > 0)
        cost += per_object * objects + per_object_left * share * in_small_columns
        cost += per_column * (Q - 1 - small_columns)
        cost += NANOSECONDS_PER_COPIED_LABEL * min(REPAIR * objects, stored_columns)
        cost += NANOSECONDS_PER_COPIED_LABEL * min(
            REPAIR * share * in_small_columns, 1.0 * (stored_rows - objects)
        )
        if cost <= best:  # of equal costs that with the most small rows: they are dealt faster than columns
            best_rows, best_columns, best = small_rows, small_columns, cost
        if small_columns == 0 and per_object * rows[small_rows] > NANOSECONDS_PER_DRAW * (Q - 1) + 1.0:
            break  # the objects of this row, and of all after it, cost more than all its draws
    return best_rows, best_columns
