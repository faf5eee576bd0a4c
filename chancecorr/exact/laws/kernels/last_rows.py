"""The last two rows of a table, by tabulated factors.

The columns have ``r_j`` objects left for the last two rows, the first of which has the total a, both m. With
the weights ``w_r(x) = C(r, x) (a / (m - a))**x`` the chance of x in the last column but one, if it and the
last column take s together, is ::

    w_r(x) w_r'(s - x) / w_(r + r')(s)

Each function is tabulated from a place near its mode, where it is 1. A table then costs two multiplications.
The places of the first two sum to that of the third, so that the powers of ``a / (m - a)`` cancel.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel


@kernel
def centre(remainder: int, row: int, others: int) -> int:
    """Mean of a hypergeometric cell, rounded down. It exceeds neither the remainder nor the row."""
    return remainder * row // (row + others)


@kernel
def fill_weights(
    remainder: int, start: int, row: int, others: int, least: float, span: Integers, out: Floats
) -> None:
    """``out[x + 1] = w(x) / w(start)`` around the start, where it is above `least`; 0 next to these places.

    `row` and `others` are a and ``m - a``, `span` the first and the last x; `out` has ``row + 3`` places.
    """
    odds = row / others
    x, weight = start, 1.0
    while weight > least:  # past the largest x it is 0
        out[x + 1] = weight
        weight = weight * (odds * (remainder - x) / (x + 1.0)) if x < row else 0.0
        x += 1
    out[x + 1] = 0.0
    span[1] = x - 1
    x, weight = start, 1.0
    while weight > least:
        out[x + 1] = weight
        weight *= x / (odds * (remainder - x + 1.0))
        x -= 1
    out[x + 1] = 0.0
    span[0] = x + 1


@kernel
def is_tabulated(spans: Integers, x: int, both: int) -> bool:
    """Whether x, ``both - x`` and `both` have tabulated weights."""
    for k, place in enumerate((x, both - x, both)):
        if place < spans[k, 0] or place > spans[k, 1]:
            return False
    return True


@kernel
def walk_last_cell(
    start: int,
    both: int,
    factor: float,
    floor: float,
    good: int,
    other: int,
    index: int,
    weights: Floats,
    other_weights: Floats,
    out: Floats,
) -> tuple[int, int]:
    """Last free cell from x = `start` both ways; return the number of tables and the largest place.

    The probability of a table is `factor` times the weights of x and of ``both - x``. The cell and those that
    it fixes are ``x, both - x`` above ``good - x, other - both + x``. Their pairs are a quadratic in x:
    `place` moves by `step`, which itself changes by 4.
    """
    # as an unsigned word a negative place is larger than any size: one comparison tests for both ends
    size = np.uint64(out.size)
    slope = 4 * start + 2 - 2 * both - good + other
    x, y = start + 1, both - start + 1  # places in the tables, which begin at -1
    place, step = index, slope
    p = factor * weights[np.uint64(x)] * other_weights[np.uint64(y)]
    while p > floor:
        if np.uint64(place) < size:
            out[np.uint64(place)] += p
        x += 1
        y -= 1
        place += step
        step += 4
        p = factor * weights[np.uint64(x)] * other_weights[np.uint64(y)]
    tables = x - start - 1
    largest = place - step + 4 if tables else -1
    step = slope - 4
    place = index - step
    x, y = start, both - start + 2
    p = factor * weights[np.uint64(x)] * other_weights[np.uint64(y)]
    while p > floor:
        if np.uint64(place) < size:
            out[np.uint64(place)] += p
        x -= 1
        y += 1
        step -= 4
        place -= step
        p = factor * weights[np.uint64(x)] * other_weights[np.uint64(y)]
    if x < start:
        tables += start - x
        largest = max(largest, place + step)
    return tables, largest
