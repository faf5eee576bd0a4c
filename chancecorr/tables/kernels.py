"""Integer labels counted in one reading."""

from typing import Any

import numpy as np

from chancecorr.machine.arrays import AnyArray
from chancecorr.machine.kernel import kernel


@kernel
def count_in_range(
    x: AnyArray,
    y: AnyArray,
    low_x: int,
    high_x: int,
    low_y: int,
    high_y: int,
    places: AnyArray,
    lanes: AnyArray,
) -> int:
    """``lanes[., (x_i - low_x) (high_y - low_y + 1) + y_i - low_y] += 1`` for objects i; how many these were.

    Stops before the first chunk, of the size of `places`, that holds a label out of range. A chunk is so
    short that the processor already reads the next one while it counts this one: the time is that of reading.
    Four lanes, where there are four, spare an increment the wait for the one before it on the same cell.
    """
    columns = high_y - low_y + 1
    second, third, fourth = min(1, lanes.shape[0] - 1), min(2, lanes.shape[0] - 1), lanes.shape[0] - 1
    for start in range(0, x.size, places.size):
        size = min(places.size, x.size - start)
        part_x, part_y = x[start : start + size], y[start : start + size]
        least_x: Any = low_x
        most_x: Any = low_x
        least_y: Any = low_y
        most_y: Any = low_y
        for i in range(size):
            a, b = np.int64(part_x[i]), np.int64(part_y[i])
            least_x, most_x = min(least_x, a), max(most_x, a)
            least_y, most_y = min(least_y, b), max(most_y, b)
            places[i] = (a - low_x) * columns + (b - low_y)
        if least_x < low_x or most_x > high_x or least_y < low_y or most_y > high_y:
            return start
        whole = size - size % 4
        for i in range(0, whole, 4):
            lanes[0, places[i]] += 1
            lanes[second, places[i + 1]] += 1
            lanes[third, places[i + 2]] += 1
            lanes[fourth, places[i + 3]] += 1
        for i in range(whole, size):
            lanes[0, places[i]] += 1
    return x.size
