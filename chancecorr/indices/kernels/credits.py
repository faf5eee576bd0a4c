"""Credits of pairs of clusters that are tied: all grow at one speed until a cluster of theirs is spent.

Each cluster has a stock, what is left of its objects. A pair that grows takes from both of its clusters, so
that a cluster with k growing pairs is spent k times as fast. The state is the stocks and the pairs that still
grow. From one event to the next:

1. drop the pairs one of whose clusters is spent, and count the others per cluster: its speed;
2. a pair that shares no cluster with another one is not slowed down by any: it gets all it can at once;
3. the others grow until the first cluster is spent, after ``min(stock / speed)``; all stocks fall by their
   speed times this.

Nothing is chosen: which pairs grow, and how far, follows from the stocks alone, so that the numbering of the
clusters cannot matter. Each round spends a cluster, so there are at most ``K + Q`` of them.
"""

import numpy as np

from chancecorr.compiled import Floats, Integers, kernel


@kernel
def credit_together(
    tied: Integers,
    rows: Integers,
    columns: Integers,
    rows_left: Floats,
    columns_left: Floats,
    row_speeds: Floats,
    column_speeds: Floats,
) -> float:
    """Total credit of tied pairs, which grow at one speed; it is taken off what is left of the clusters."""
    credit, growing = 0.0, tied.size
    while True:
        row_speeds[:] = 0.0
        column_speeds[:] = 0.0
        kept = 0
        for k in range(growing):
            pair = tied[k]
            if rows_left[rows[pair]] > 0.0 and columns_left[columns[pair]] > 0.0:
                row_speeds[rows[pair]] += 1.0
                column_speeds[columns[pair]] += 1.0
                tied[kept] = pair  # those that still grow move to the front
                kept += 1
        growing, kept = kept, 0
        duration = np.inf
        for k in range(growing):
            pair = tied[k]
            i, j = rows[pair], columns[pair]
            if row_speeds[i] == 1.0 and column_speeds[j] == 1.0:  # shares no cluster
                step = min(rows_left[i], columns_left[j])
                rows_left[i] -= step
                columns_left[j] -= step
                credit += step
                row_speeds[i] = column_speeds[j] = 0.0  # spent already
            else:
                duration = min(duration, rows_left[i] / row_speeds[i], columns_left[j] / column_speeds[j])
                tied[kept] = pair
                kept += 1
        if kept == 0:
            return credit
        growing = kept
        credit += duration * growing
        _spend(rows_left, row_speeds, duration)
        _spend(columns_left, column_speeds, duration)


@kernel
def _spend(left: Floats, speeds: Floats, duration: float) -> None:
    """What is left of the clusters after a while: exactly 0 for those that are spent."""
    for k in range(left.size):
        if speeds[k] > 0.0:
            spent = left[k] / speeds[k] <= duration  # the quotient that `duration` is the least of
            left[k] = 0.0 if spent else max(left[k] - duration * speeds[k], 0.0)
