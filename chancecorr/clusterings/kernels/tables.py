"""Contingency tables of labels when the objects of one side are permuted."""

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


@kernel
def fill_permuted_tables(rows: Integers, columns: Integers, permutations: Integers, out: Integers) -> None:
    """Table t of `out`: each object by its row, and by the column of the object that takes its place."""
    out[:] = 0
    for t in range(out.shape[0]):
        for i in range(rows.size):
            out[t, rows[i], columns[permutations[t, i]]] += 1
