"""Tables with given margins, one after the other, free cell by free cell.

The free cells are those outside the last row and the last column, row by row; they fix the table. Given
the cells before it a cell is hypergeometric: of the `draws` objects that its row still needs, it counts
those among the `good` ones left in its column, from a population left in this column and those after it.
The product of these probabilities along a branch is the probability of the table.

The walk is depth-first, in a loop with a stack: `cell` is the depth, and each free cell has its place in the
arrays of the workspace. A cell is *entered* when the cells before it are new, and takes its first value. Else
the walk has come back from the cell after it: it gives back what its value took from `remaining`, which is
what is left of each column, and takes its next value, or is left for the cell before it if there is none.
"""

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.hypergeometric import SplitLogFactorials, high_end, low_end, probability


@kernel
def list_tables(
    row_totals: Integers,
    column_totals: Integers,
    table: SplitLogFactorials,
    limit: int,
    remaining: Integers,
    whole: Integers,
    real: Floats,
    tables: Integers,
    probabilities: Floats,
) -> int:
    """Every table in the order of its cells, row by row; return how many, or ``limit + 1`` if there are more.

    Workspace: `remaining` (Q,); `whole` (3, d + 1) has for each of the d free cells its value, what is left
    of its row, and its population, `real` (d + 1,) the probability of the branch before it. The place after
    the last cell stands for the whole table. `tables` (m, K, Q) and `probabilities` (m,) are filled as far as
    they reach: of length 0 they make this a count.
    """
    last_row = row_totals.size - 1
    last_column = column_totals.size - 1
    free = last_row * last_column
    value, left, population = whole[0], whole[1], whole[2]
    remaining[:] = column_totals
    real[0] = 1.0
    left[0], population[0] = row_totals[0], row_totals.sum()
    found = cell = 0
    entering = True
    while cell >= 0:
        if cell == free:
            if found < probabilities.size:
                out = tables[found]
                for k in range(last_row):
                    out[k, last_column] = row_totals[k]
                    for q in range(last_column):
                        out[k, q] = value[k * last_column + q]
                        out[k, last_column] -= out[k, q]
                # of a single column nothing was taken: it has no free cells
                out[last_row] = remaining if last_column else column_totals - out[:last_row].sum()
                probabilities[found] = real[cell]
            found += 1
            if found > limit:
                return found
            cell -= 1
            entering = False
            continue
        row, column = cell // last_column, cell % last_column
        draws, size = left[cell], population[cell]
        if entering:
            good = remaining[column]
            x = low_end(size, good, draws)
        else:
            good = remaining[column] + value[cell]
            if column == last_column - 1:
                remaining[last_column] += draws - value[cell]
            x = value[cell] + 1
        if x > high_end(good, draws):
            remaining[column] = good
            cell -= 1
            entering = False
            continue
        value[cell] = x
        remaining[column] = good - x
        if probabilities.size:
            real[cell + 1] = real[cell] * probability(x, size, good, draws, table)
        cell += 1
        entering = True
        if column < last_column - 1:
            left[cell], population[cell] = draws - x, size - good
        else:
            remaining[last_column] -= draws - x
            left[cell], population[cell] = row_totals[row + 1], remaining.sum()
    return found
