"""``T = sum n_ij**2`` of tables that are laid out, in whole numbers: n**2 fits up to 3 * 10**9 objects."""

from chancecorr.machine.arrays import Integers
from chancecorr.machine.kernel import kernel


@kernel
def sum_squares(tables: Integers, out: Integers) -> None:
    """``out[t] = sum(tables[t]**2)`` over the cells of the flat table t."""
    for t in range(out.size):
        total = 0
        for cell in tables[t]:
            total += cell * cell
        out[t] = total
