"""Kernels from labels to counts: integers counted in one reading, labels of any bytes numbered by hashing."""

from typing import Any

import numpy as np

from chancecorr.machine.arrays import AnyArray, Integers
from chancecorr.machine.kernel import kernel

MIX = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio, an odd number: a product with it carries every bit into the highest ones."""

HALF = np.uint64(32)
ONE = np.uint64(1)


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


@kernel
def hash_of(words: AnyArray, i: int) -> np.uint64:
    """Hash of row i of `words`, best in its high bits: a product carries upwards, a shift brings down."""
    mixed = np.uint64(0)
    for j in range(words.shape[1]):
        mixed = (mixed ^ np.uint64(words[i, j])) * MIX
        mixed ^= mixed >> HALF
    return mixed * MIX


@kernel
def number_by_hash(
    words: AnyArray,
    start: int,
    count: int,
    bits: int,
    slots: Integers,
    firsts: Integers,
    codes: AnyArray,
) -> tuple[int, int]:
    """Number the rows of `words` from `start` on by first appearance; how far that went, how many numbers.

    Row i gets ``codes[i]``, and number k is found first in row ``firsts[k]``; `count` numbers are given
    already. `slots` is a hash table of ``2**bits`` numbers with linear probing, -1 where empty; the kernel
    stops where `firsts` is full.
    """
    width = words.shape[1]
    last_slot = np.uint64(slots.size - 1)
    shift = np.uint64(64 - bits)
    for i in range(start, words.shape[0]):
        slot = hash_of(words, i) >> shift  # unsigned as all places here: signed ones may count from the end
        number = slots[slot]
        while number >= 0:
            first = np.uint64(firsts[number])
            j = 0
            while j < width and words[first, j] == words[i, j]:
                j += 1
            if j == width:
                break
            slot = (slot + ONE) & last_slot
            number = slots[slot]
        if number < 0:
            if count == firsts.size:
                return i, count
            number = count
            slots[slot] = number
            firsts[number] = i
            count += 1
        codes[i] = number
    return words.shape[0], count
