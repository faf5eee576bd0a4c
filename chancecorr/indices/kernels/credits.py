"""Credits of tied pairs of clusters, which grow together."""

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
        # A row is spent as fast as it has pairs that still grow; the other pairs are dropped from `tied`.
        row_speeds[:] = 0.0
        column_speeds[:] = 0.0
        kept = 0
        for k in range(growing):
            pair = tied[k]
            if rows_left[rows[pair]] > 0.0 and columns_left[columns[pair]] > 0.0:
                row_speeds[rows[pair]] += 1.0
                column_speeds[columns[pair]] += 1.0
                tied[kept] = pair
                kept += 1
        growing, kept = kept, 0
        duration = np.inf
        for k in range(growing):
            pair = tied[k]
            i, j = rows[pair], columns[pair]
            if row_speeds[i] == 1.0 and column_speeds[j] == 1.0:  # shares no cluster: as if it were alone
                step = min(rows_left[i], columns_left[j])
                rows_left[i] -= step
                columns_left[j] -= step
                credit += step
                row_speeds[i] = column_speeds[j] = 0.0
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
            spent = left[k] / speeds[k] <= duration
            left[k] = 0.0 if spent else max(left[k] - duration * speeds[k], 0.0)
