"""Sums over pairs of two soft clusterings under permutations, from their memberships."""

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import inlined_kernel, kernel


@inlined_kernel
def low(a: float, b: float) -> float:
    """The smaller of two numbers that are not nan, without a branch."""
    return a if a < b else b


@inlined_kernel
def high(a: float, b: float) -> float:
    """The larger of two numbers that are not nan, without a branch."""
    return a if a > b else b


@kernel
def fill_pair_degrees(row: Floats, columns: Floats, seconds: Floats, together: Floats, apart: Floats) -> None:
    """``max_k min(u_k, v_k)`` and ``max_k min(u_k, max of v_l with l other than k)`` for each column v."""
    together[:] = 0.0
    apart[:] = 0.0
    for k in range(row.size):
        u, of_column, of_others = row[k], columns[k], seconds[k]
        for j in range(together.size):
            together[j] = high(together[j], low(u, of_column[j]))
            apart[j] = high(apart[j], low(u, of_others[j]))


@kernel
def add_pair_degrees(
    tile: Floats, first_row: int, first_column: int, rows: Floats, seconds: Floats, permutations: Integers,
    columns: Floats, work: Floats, out: Floats,
) -> None:  # fmt: skip
    """Add to ``out[t]`` the sums a, b, c, d of minima of a tile's degrees and those of the permuted side.

    `tile`, shape (height, 2, width), is 0 for pairs that do not count. `rows` has memberships and `seconds`
    the largest of the other clusters; `columns`, shape (2, K, width), and `work`, (6, width), are workspace.
    The loops over columns have no sum in a single number, so that they are vectorised.
    """
    height, _, width = tile.shape
    together, apart, a, b, c, d = work[0], work[1], work[2], work[3], work[4], work[5]
    for t in range(permutations.shape[0]):
        for j in range(width):
            other = permutations[t, first_column + j]
            for k in range(rows.shape[1]):
                columns[0, k, j] = rows[other, k]
                columns[1, k, j] = seconds[other, k]
        work[2:] = 0.0
        for i in range(height):
            row = rows[permutations[t, first_row + i]]
            fill_pair_degrees(row, columns[0], columns[1], together, apart)
            p_together, p_apart = tile[i, 0], tile[i, 1]
            for j in range(width):
                a[j] += low(p_together[j], together[j])
                b[j] += low(p_together[j], apart[j])
                c[j] += low(p_apart[j], together[j])
                d[j] += low(p_apart[j], apart[j])
        for s in range(4):
            for j in range(width):
                out[t, s] += work[2 + s, j]


@kernel
def likeness(rows: Floats, i: int, j: int, out: Floats) -> None:
    """One less half the sum of differences of two rows, and their inner product, into `out`."""
    apart, both = 0.0, 0.0
    for k in range(rows.shape[1]):
        apart += abs(rows[i, k] - rows[j, k])
        both += rows[i, k] * rows[j, k]
    out[0] = 1.0 - 0.5 * apart
    out[1] = both


@kernel
def add_concordance(
    p_rows: Floats, q_rows: Floats, of_second: bool, permutations: Integers, work: Floats, out: Floats
) -> None:
    """Add to ``out[t]`` the concordance of the pairs, by the degree to which one side has them together."""
    n = p_rows.shape[0]
    p, q = work[0], work[1]
    for i in range(n):
        for j in range(i + 1, n):
            likeness(p_rows, i, j, p)
            for t in range(permutations.shape[0]):
                likeness(q_rows, permutations[t, i], permutations[t, j], q)
                out[t] += (1.0 - abs(p[0] - q[0])) * (q[1] if of_second else p[1])
