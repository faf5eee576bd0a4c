"""Sums over listed pairs of objects, or over cells, for clusterings with permuted objects.

Codes are labels numbered from 0, a row for each permutation; a single row of the first clustering stays.
"""

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel


@kernel
def sum_together(first: Integers, second: Integers, values: Floats, codes: Integers, out: Floats) -> None:
    """Sum of the values of the pairs that are together, into ``out[t]``."""
    for t in range(codes.shape[0]):
        labels = codes[t]
        total = 0.0
        for e in range(first.size):
            if labels[first[e]] == labels[second[e]]:
                total += values[e]
        out[t] = total


@kernel
def add_disagreements(
    first: Integers,
    second: Integers,
    f: Floats,
    h: Floats,
    of_first: Integers,
    of_second: Integers,
    out: Floats,
) -> None:
    """Add to ``out[t]`` f of pairs that are together in the second clustering only, h of the first only."""
    for t in range(of_second.shape[0]):
        u = of_first[t % of_first.shape[0]]
        v = of_second[t]
        total = 0.0
        for e in range(first.size):
            i, j = first[e], second[e]
            together = u[i] == u[j]
            if together != (v[i] == v[j]):
                total += h[e] if together else f[e]
        out[t] += total


@kernel
def sum_differences(
    codes: Integers, permuted: Integers, X: Floats, Y: Floats, counts: Integers, cells: Integers, out: Floats
) -> None:
    """Sum of ``|X - Y|`` over ordered pairs of objects, whose entries are those of their clusters.

    `counts`, of shape (K, Q) and zero, and `cells`, of shape (n, 3), are workspace.
    """
    for t in range(permuted.shape[0]):
        used = 0
        for i in range(codes.size):
            k, q = codes[i], permuted[t, i]
            if counts[k, q] == 0:
                cells[used, 0], cells[used, 1] = k, q
                used += 1
            counts[k, q] += 1
        for a in range(used):  # beside each other, because `counts` may be larger than the cache
            k, q = cells[a, 0], cells[a, 1]
            cells[a, 2] = counts[k, q]
            counts[k, q] = 0
        total = 0.0
        for a in range(used):
            k, q = cells[a, 0], cells[a, 1]
            part = 0.0
            for b in range(used):
                other, r = cells[b, 0], cells[b, 1]
                part += cells[b, 2] * abs(X[k, other] - Y[q, r])
            total += cells[a, 2] * part
        out[t] = total
