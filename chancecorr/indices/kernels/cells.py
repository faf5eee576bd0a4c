"""Functions of a cell that several indices share."""

from chancecorr.machine.kernel import kernel


@kernel
def excess_over_independence(x: float, row: float, column: float, n: float) -> float:
    """``n x - row column``, n times what a cell has above its expected count.

    As the determinant of the 2 x 2 table of being in the row or not, in the column or not. Its products are
    smaller than those, so that less of the difference is lost to rounding; it is exactly 0 at independence.
    """
    return x * (n - row - column + x) - (row - x) * (column - x)
