"""Loops over pairs of objects: similarities and sums over permuted pairs.

The similarity of two objects comes in one of five ways: labels that are equal or not, the inner product of
two rows of memberships, one less half the sum of their differences, a matrix, or less the height at which a
tree joins them. A number selects the way;
the arrays of the other ways are empty, so that one loop serves all.
"""

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel

EQUAL_LABELS = 0
PRODUCT = 1
DISTANCE = 2
MATRIX = 3
TREE = 4

PRODUCTS = 0
DIFFERENCES = 1
EQUALITIES = 2


@kernel
def height_of_pair(codes: Integers, highest: Floats, i: int, j: int) -> float:
    """Height at which a tree joins two of its leaves: the highest of the gaps between their places.

    `codes` has the place of each leaf, and then ``floor(log2 m)`` at m; ``highest[k, p]`` is the highest of
    the ``2**k`` gaps from p on.
    """
    n = highest.shape[1] + 1
    first, last = codes[i], codes[j]
    if first > last:
        first, last = last, first
    if first == last:
        return 0.0
    level = codes[n + last - first]
    left, right = highest[level, first], highest[level, last - (1 << level)]
    return float(max(left, right))


@kernel
def look_up(
    way: int, codes: Integers, rows: Floats, matrix: Floats, i: int, others: Integers, out: Floats
) -> None:
    """Similarities of object i with others."""
    if way == EQUAL_LABELS:
        label = codes[i]
        for j in range(others.size):
            out[j] = 1.0 if codes[others[j]] == label else 0.0
    elif way == MATRIX:
        row = matrix[i]
        for j in range(others.size):
            out[j] = row[others[j]]
    elif way == TREE:
        for j in range(others.size):
            out[j] = -height_of_pair(codes, matrix, i, others[j])
    else:
        for j in range(others.size):
            other = others[j]
            total = 0.0
            if way == PRODUCT:
                for k in range(rows.shape[1]):
                    total += rows[i, k] * rows[other, k]
                out[j] = total
            else:
                for k in range(rows.shape[1]):
                    total += abs(rows[i, k] - rows[other, k])
                out[j] = 1.0 - 0.5 * total


@kernel
def compared(comparison: int, values: Floats, others: Floats, shift: float) -> float:
    """Sum of ``values * (others - shift)``, of ``|values - others|``, or of 1 if both are equal."""
    total = 0.0
    if comparison == PRODUCTS:
        for j in range(values.size):
            total += values[j] * (others[j] - shift)
    elif comparison == DIFFERENCES:
        for j in range(values.size):
            total += abs(values[j] - others[j])
    else:
        for j in range(values.size):
            total += 1.0 if values[j] == others[j] else 0.0
    return total


@kernel
def fill_block(
    way: int, codes: Integers, rows: Floats, matrix: Floats, first: int, others: Integers, out: Floats
) -> None:
    """Similarities of neighbouring objects with others, a tile of the matrix that is never laid out."""
    for i in range(out.shape[0]):
        look_up(way, codes, rows, matrix, first + i, others, out[i])


@kernel
def add_permuted_tile(
    comparison: int,
    tile: Floats,
    on_diagonal: bool,
    first_row: int,
    first_column: int,
    way: int,
    codes: Integers,
    rows: Floats,
    matrix: Floats,
    shift: float,
    permutations: Integers,
    looked_up: Floats,
    out: Floats,
) -> None:
    """Add to ``out[t]`` the tile's pairs `compared` with those that permutation t puts in their place.

    `looked_up`, as long as the tile is wide, is workspace.
    """
    width = tile.shape[1]
    for t in range(permutations.shape[0]):
        others = permutations[t, first_column : first_column + width]
        for i in range(tile.shape[0]):
            start = i + 1 if on_diagonal else 0
            look_up(way, codes, rows, matrix, permutations[t, first_row + i], others[start:], looked_up)
            out[t] += compared(comparison, tile[i, start:], looked_up[: width - start], shift)


@kernel
def sum_rows(first: Floats, second: Floats, permutations: Integers, products: Floats, out: Floats) -> None:
    """Squared entries of ``first' second`` added up, the second's rows permuted; `products` is workspace."""
    for t in range(permutations.shape[0]):
        products[:] = 0.0
        for i in range(first.shape[0]):
            p = permutations[t, i]
            for k in range(first.shape[1]):
                x = first[i, k]
                for q in range(second.shape[1]):
                    products[k, q] += x * second[p, q]
        total = 0.0
        for k in range(first.shape[1]):
            for q in range(second.shape[1]):
                total += products[k, q] * products[k, q]
        out[t] = total


@kernel
def add_terms_of_objects(first: Floats, second: Floats, permutations: Integers, out: Floats) -> None:
    """Add to ``out[t]`` the products of the rows of two arrays, the second's permuted."""
    for t in range(permutations.shape[0]):
        total = 0.0
        for i in range(first.shape[0]):
            p = permutations[t, i]
            for k in range(first.shape[1]):
                total += first[i, k] * second[p, k]
        out[t] += total
