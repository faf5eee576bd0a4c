"""Credits of pairs of clusters that are tied, one after the other, in an order that no numbering decides.

Each cluster has a stock, what is left of its objects. A pair is credited the smaller of its two stocks, which
spends one of its clusters; so there are at most ``K + Q`` steps. From one step to the next:

1. pairs one of whose clusters is spent are dropped;
2. a pair that shares no cluster with another of those left is credited: nothing hangs on when;
3. of the others one is credited: that with the most common objects; of several, that with the largest
   credit; then that whose clusters are in the fewest tied pairs; then that with the least left in both; then
   that with the least fingerprint; then the first in the table.

The fingerprint of a cluster is a number made of its size, its stock, and those of the clusters that it has
objects in common with, and so on, `ROUNDS` times: the refinement of Weisfeiler & Leman (1968). Sums stand for
the neighbours, and rows and columns are treated alike, so that it does not see how clusters are numbered.
Pairs with the same fingerprint nearly always lie alike in the table, and then either may come first.
"""

import numpy as np

from chancecorr.indices.kernels.nearest import jaccard_similarity
from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel

PRIME = 2_147_483_629
"""Fingerprints are remainders of it, so that products fit in int64."""

ROUNDS = 3

OUT_OF_STEPS = -1

STEPS_OF_A_PRINT = 30
"""What a pair costs in a round of fingerprints, in steps; one of the others takes about a nanosecond."""


@kernel
def mean_credited(
    rows: Integers,
    columns: Integers,
    counts: Integers,
    row_totals: Integers,
    column_totals: Integers,
    most_steps: int,
) -> float:
    """Mean similarity of the clusters credited to each other, the most similar first, from non-empty cells.

    `OUT_OF_STEPS` where ties take more than `most_steps` steps, each of about a nanosecond.
    """
    if rows.size == 0:
        return np.nan
    similarities = np.empty(rows.size)
    for pair in range(rows.size):
        i, j = rows[pair], columns[pair]
        similarities[pair] = jaccard_similarity(counts[pair], row_totals[i], column_totals[j])
    order = np.argsort(-similarities)
    rows_left, columns_left = row_totals.copy(), column_totals.copy()
    row_prints, column_prints = np.empty_like(rows_left), np.empty_like(columns_left)
    row_sums, column_sums = np.empty_like(rows_left), np.empty_like(columns_left)
    alike, steps_left = np.empty_like(counts), np.array([most_steps])
    total, first = 0.0, 0
    while first < rows.size:
        similarity, end = similarities[order[first]], first + 1
        while end < rows.size and similarities[order[end]] == similarity:
            end += 1
        credit = credit_tied(
            order[first:end], rows, columns, counts, row_totals, column_totals, rows_left, columns_left,
            row_prints, column_prints, row_sums, column_sums, alike, steps_left,
        )  # fmt: skip
        if credit == OUT_OF_STEPS:
            return float(OUT_OF_STEPS)
        total += similarity * credit
        first = end
    return total / float(row_totals.sum())


@kernel
def credit_tied(
    tied: Integers,
    rows: Integers,
    columns: Integers,
    counts: Integers,
    row_totals: Integers,
    column_totals: Integers,
    rows_left: Integers,
    columns_left: Integers,
    row_prints: Integers,
    column_prints: Integers,
    row_sums: Integers,
    column_sums: Integers,
    alike: Integers,
    steps_left: Integers,
) -> int:
    """Total credit of tied pairs; it is taken off what is left of the clusters.

    `OUT_OF_STEPS` once `steps_left`, of shape (1,), is below 0.
    """
    credit, waiting = 0, tied.size
    while True:
        steps_left[0] -= waiting + row_totals.size + column_totals.size
        if steps_left[0] < 0:
            return OUT_OF_STEPS
        row_sums[:] = 0  # here, how many of the pairs share the cluster
        column_sums[:] = 0
        kept = 0
        for k in range(waiting):
            pair = tied[k]
            if rows_left[rows[pair]] > 0 and columns_left[columns[pair]] > 0:
                row_sums[rows[pair]] += 1
                column_sums[columns[pair]] += 1
                tied[kept] = pair
                kept += 1
        waiting, kept = kept, 0
        most, largest, fewest, least_left, several = 0, 0, 0, 0, 0
        for k in range(waiting):
            pair = tied[k]
            i, j = rows[pair], columns[pair]
            step = min(rows_left[i], columns_left[j])
            if row_sums[i] == 1 and column_sums[j] == 1:
                credit += _credit(i, j, rows_left, columns_left)
                continue
            tied[kept] = pair
            kept += 1
            shared, left = row_sums[i] + column_sums[j], rows_left[i] + columns_left[j]
            ahead = counts[pair] - most
            if ahead == 0:
                ahead = step - largest
            if ahead == 0:
                ahead = fewest - shared
            if ahead == 0:
                ahead = least_left - left
            if ahead > 0:
                most, largest, fewest, least_left, several = counts[pair], step, shared, left, 0
            if ahead >= 0:
                alike[several] = pair
                several += 1
        if kept == 0:
            return credit
        waiting, chosen = kept, alike[0]
        if several > 1:
            steps_left[0] -= STEPS_OF_A_PRINT * ROUNDS * rows.size
            _take_prints(
                rows, columns, counts, row_totals, column_totals, rows_left, columns_left,
                row_prints, column_prints, row_sums, column_sums,
            )  # fmt: skip
            least = PRIME
            for k in range(several):
                pair = alike[k]
                one, other = row_prints[rows[pair]], column_prints[columns[pair]]
                of_both = _mixed((one + other) % PRIME, one * other % PRIME)
                if of_both < least or (of_both == least and pair < chosen):
                    least, chosen = of_both, pair
        credit += _credit(rows[chosen], columns[chosen], rows_left, columns_left)


@kernel
def _credit(i: int, j: int, rows_left: Integers, columns_left: Integers) -> int:
    """Credit of a pair, the smaller of its two stocks; it is taken off both."""
    credit = min(rows_left[i], columns_left[j])
    rows_left[i] -= credit
    columns_left[j] -= credit
    return int(credit)


@kernel
def _take_prints(
    rows: Integers,
    columns: Integers,
    counts: Integers,
    row_totals: Integers,
    column_totals: Integers,
    rows_left: Integers,
    columns_left: Integers,
    row_prints: Integers,
    column_prints: Integers,
    row_sums: Integers,
    column_sums: Integers,
) -> None:
    """Fingerprints of all clusters, from what is left of them."""
    for i in range(row_totals.size):
        row_prints[i] = _mixed(row_totals[i], rows_left[i])
    for j in range(column_totals.size):
        column_prints[j] = _mixed(column_totals[j], columns_left[j])
    for _ in range(ROUNDS):
        row_sums[:] = 0
        column_sums[:] = 0
        for pair in range(rows.size):
            i, j = rows[pair], columns[pair]
            if rows_left[i] > 0 and columns_left[j] > 0:
                row_sums[i] = (row_sums[i] + _mixed(counts[pair], column_prints[j])) % PRIME
                column_sums[j] = (column_sums[j] + _mixed(counts[pair], row_prints[i])) % PRIME
        for i in range(row_totals.size):
            row_prints[i] = _mixed(row_prints[i], row_sums[i])
        for j in range(column_totals.size):
            column_prints[j] = _mixed(column_prints[j], column_sums[j])


@kernel
def _mixed(x: int, y: int) -> int:
    """One number below `PRIME` made of two below ``2**32`` in a given order; no linear function of them."""
    mixed = (x * 48_271 + y * 69_621 + 1_013_904_223) % PRIME
    return (mixed * mixed % PRIME * mixed + mixed) % PRIME
