"""What a table costs by each of the two samplers; the cheaper one draws it.

The choice decides which numbers are taken from a table's stream, and so the bits. Hence the costs are
constants and not measured at run time, and there is one function for them, compiled into the loops that
choose for every table anew and called as Python where margins are planned once. Only the ratios matter.
"""

from chancecorr.compiled import shared_with_kernels
from chancecorr.null.kernels.hypergeometric import TABLE_LIMIT

# Nanoseconds on one thread, fitted by experiments/benchmarks/cost_model.py.
NANOSECONDS_PER_DRAW = 60.0
NANOSECONDS_PER_DRAW_BEYOND_TABLE = 220.0
NANOSECONDS_PER_SHUFFLED_OBJECT = 4.3
NANOSECONDS_PER_COPIED_OBJECT = 0.3
NANOSECONDS_PER_CELL = 0.1


@shared_with_kernels
def sampling_costs(K: int, Q: int, n: int, last_row: int) -> tuple[float, float]:
    """Nanoseconds for a table of K rows and Q columns, (cell by cell, by shuffling).

    Cell by cell, every cell outside the last row and column is a draw. A shuffle moves every object outside
    the last row, which holds `last_row` of the n objects, after copying the labels of all of them.
    """
    per_draw = NANOSECONDS_PER_DRAW if n <= TABLE_LIMIT else NANOSECONDS_PER_DRAW_BEYOND_TABLE
    conditional = per_draw * (max(K - 1, 0) * max(Q - 1, 0)) + NANOSECONDS_PER_CELL * (K * Q)
    shuffle = (
        NANOSECONDS_PER_SHUFFLED_OBJECT * (n - last_row)
        + NANOSECONDS_PER_COPIED_OBJECT * n
        + NANOSECONDS_PER_CELL * min(K * Q, 4 * n)
    )
    return conditional, shuffle
