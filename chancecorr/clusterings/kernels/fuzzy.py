"""Sums over pairs of two soft clusterings under permutations, from their memberships."""

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel


@kernel
def degrees(rows: Floats, tops: Floats, leaders: Integers, i: int, j: int, out: Floats) -> None:
    """Degrees to which two objects are together and apart, by minimum and maximum, into `out`.

    `tops` has the two largest memberships of each object, `leaders` the cluster of the largest.
    """
    together = 0.0
    for k in range(rows.shape[1]):
        together = max(together, min(rows[i, k], rows[j, k]))
    out[0] = together
    if leaders[i] != leaders[j]:
        out[1] = min(tops[i, 0], tops[j, 0])
    else:
        out[1] = max(min(tops[i, 0], tops[j, 1]), min(tops[i, 1], tops[j, 0]))


@kernel
def add_pair_degrees(
    p_rows: Floats, p_tops: Floats, p_leaders: Integers, q_rows: Floats, q_tops: Floats, q_leaders: Integers,
    permutations: Integers, work: Floats, out: Floats,
) -> None:  # fmt: skip
    """Add to ``out[t]`` the sums a, b, c, d of minima of the degrees of both; `work` has shape (2, 2)."""
    n = p_rows.shape[0]
    p, q = work[0], work[1]
    for i in range(n):
        for j in range(i + 1, n):
            degrees(p_rows, p_tops, p_leaders, i, j, p)
            for t in range(permutations.shape[0]):
                degrees(q_rows, q_tops, q_leaders, permutations[t, i], permutations[t, j], q)
                out[t, 0] += min(p[0], q[0])
                out[t, 1] += min(p[0], q[1])
                out[t, 2] += min(p[1], q[0])
                out[t, 3] += min(p[1], q[1])


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
