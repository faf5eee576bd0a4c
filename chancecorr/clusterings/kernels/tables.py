"""Tables of labels, and overlaps of the clusters of covers, when the objects of one side are permuted."""

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


@kernel
def fill_permuted_tables(rows: Integers, columns: Integers, permutations: Integers, out: Integers) -> None:
    """Table t of `out`: each object by its row, and by the column of the object that takes its place."""
    out[:] = 0
    for t in range(out.shape[0]):
        for i in range(rows.size):
            out[t, rows[i], columns[permutations[t, i]]] += 1


@kernel
def fill_overlaps(
    starts: Integers, members: Integers, other_starts: Integers, other_members: Integers,
    permutations: Integers, out: Integers,
) -> None:  # fmt: skip
    """``out[t, k, l]``: objects in cluster k, and in cluster l of what permutation t puts in their place.

    Object i is in the clusters ``members[starts[i] : starts[i + 1]]``.
    """
    out[:] = 0
    for t in range(out.shape[0]):
        for i in range(starts.size - 1):
            other = permutations[t, i]
            for a in range(starts[i], starts[i + 1]):
                for b in range(other_starts[other], other_starts[other + 1]):
                    out[t, members[a], other_members[b]] += 1
