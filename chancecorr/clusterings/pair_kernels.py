"""Loops over pairs of objects: similarities and sums over permuted pairs, and soft clusterings.

A number selects one of five ways to compute the similarity of two objects; the arrays of the other ways are
empty, so that one compiled loop is enough. Codes are labels numbered from 0, with a row for each permutation.
"""

from typing import NamedTuple

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import forecast_kernel, kernel

EQUAL_LABELS = 0
PRODUCT = 1
DISTANCE = 2
MATRIX = 3
SHARED = 4

PRODUCTS = 0
DIFFERENCES = 1
EQUALITIES = 2

NANOSECONDS_OF_A_PAIR = 500.0  # per pair, and per number of its rows, as Python


class Gathered(NamedTuple):
    """A clustering for the compiled loops: a way to find similarities, and the arrays that it needs."""

    way: int
    codes: Integers = np.zeros(0, dtype=np.int64)
    rows: Floats = np.zeros((0, 0))
    matrix: Floats = np.zeros((0, 0))


@kernel
def look_up(side: Gathered, i: int, others: Integers, out: Floats) -> None:
    """Write the similarities of object i with `others` to `out`."""
    codes, rows = side.codes, side.rows
    if side.way == EQUAL_LABELS:
        label = codes[i]
        for j in range(others.size):
            out[j] = 1.0 if codes[others[j]] == label else 0.0
    elif side.way == MATRIX:
        row = side.matrix[i]
        for j in range(others.size):
            out[j] = row[others[j]]
    else:
        for j in range(others.size):
            other = others[j]
            total = 0.0
            if side.way == DISTANCE:
                for k in range(rows.shape[1]):
                    total += abs(rows[i, k] - rows[other, k])
                out[j] = 1.0 - 0.5 * total
            else:
                for k in range(rows.shape[1]):
                    total += rows[i, k] * rows[other, k]
                out[j] = total if side.way == PRODUCT else min(total, 1.0)


@kernel
def compared(comparison: int, values: Floats, others: Floats, shift: float) -> float:
    """Sum ``values * (others - shift)``, ``|values - others|``, or 1 for each equal pair."""
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


@forecast_kernel(lambda side, *rest: NANOSECONDS_OF_A_PAIR * rest[-1].size * max(side.rows.shape[1], 1))
def fill_block(side: Gathered, first: int, others: Integers, out: Floats) -> None:
    """Fill a tile of the matrix over pairs: similarities of successive objects with `others`."""
    for i in range(out.shape[0]):
        look_up(side, first + i, others, out[i])


@forecast_kernel(
    lambda comparison, tile, first_row, first_column, side, *rest: (
        NANOSECONDS_OF_A_PAIR * tile.size * rest[-1].size * (1 + side.rows.shape[1])
    )
)
def add_permuted_tile(
    comparison: int, tile: Floats, first_row: int, first_column: int, side: Gathered, shift: float,
    permutations: Integers, looked_up: Floats, out: Floats,
) -> None:  # fmt: skip
    """Add to ``out[t]`` the pairs of a tile, `compared` with the pairs of permutation t."""
    width = tile.shape[1]
    for t in range(permutations.shape[0]):
        others = permutations[t, first_column : first_column + width]
        for i in range(tile.shape[0]):
            start = i + 1 if first_row == first_column else 0
            look_up(side, permutations[t, first_row + i], others[start:], looked_up)
            out[t] += compared(comparison, tile[i, start:], looked_up[: width - start], shift)


@forecast_kernel(
    lambda first, second, permutations, products, out: (
        NANOSECONDS_OF_A_PAIR * out.size * products.size * (1 + len(first))
    )
)
def sum_rows(first: Floats, second: Floats, permutations: Integers, products: Floats, out: Floats) -> None:
    """Sum the squared entries of ``first' second`` with permuted rows of `second`."""
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


@forecast_kernel(lambda first, second, permutations, out: NANOSECONDS_OF_A_PAIR * out.size * first.size)
def add_terms_of_objects(first: Floats, second: Floats, permutations: Integers, out: Floats) -> None:
    """Add to ``out[t]`` the inner products of the rows of two arrays, with permuted rows of the second."""
    for t in range(permutations.shape[0]):
        total = 0.0
        for i in range(first.shape[0]):
            p = permutations[t, i]
            for k in range(first.shape[1]):
                total += first[i, k] * second[p, k]
        out[t] += total


@forecast_kernel(
    lambda codes, permuted, X, Y, counts, cells, out: (
        NANOSECONDS_OF_A_PAIR * out.size * (codes.size + min(codes.size, counts.size) ** 2)
    )
)
def sum_differences(
    codes: Integers, permuted: Integers, X: Floats, Y: Floats, counts: Integers, cells: Integers, out: Floats
) -> None:
    """Sum ``|X - Y|`` over ordered object pairs, by clusters; `counts` (zeros) and `cells` are workspace."""
    for t in range(permuted.shape[0]):
        used = 0
        for i in range(codes.size):
            k, q = codes[i], permuted[t, i]
            if counts[k, q] == 0:
                cells[used, 0], cells[used, 1] = k, q
                used += 1
            counts[k, q] += 1
        for a in range(used):  # in a compact list, because `counts` may be larger than the cache
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


@forecast_kernel(lambda rows, columns, permutations, out: 2.0 * out.size + 300.0 * permutations.size)
def fill_permuted_tables(rows: Integers, columns: Integers, permutations: Integers, out: Integers) -> None:
    """Count table t of `out`: each object by its row, and by the column that permutation t gives it."""
    out[:] = 0
    for t in range(out.shape[0]):
        for i in range(rows.size):
            out[t, rows[i], columns[permutations[t, i]]] += 1


@forecast_kernel(
    lambda starts, members, other_starts, other_members, permutations, out: (
        NANOSECONDS_OF_A_PAIR
        * (out.size + permutations.size * (1 + members.size / max(starts.size - 1, 1)) ** 2)
    )
)
def fill_overlaps(
    starts: Integers, members: Integers, other_starts: Integers, other_members: Integers,
    permutations: Integers, out: Integers,
) -> None:  # fmt: skip
    """Count in ``out[t, k, l]`` objects in cluster k and, after permutation t, in cluster l."""
    out[:] = 0
    for t in range(out.shape[0]):
        for i in range(starts.size - 1):
            other = permutations[t, i]
            for a in range(starts[i], starts[i + 1]):
                for b in range(other_starts[other], other_starts[other + 1]):
                    out[t, members[a], other_members[b]] += 1
