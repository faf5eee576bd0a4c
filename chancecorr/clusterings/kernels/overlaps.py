"""Overlaps of the clusters of two covers when the objects of one are permuted."""

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


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
