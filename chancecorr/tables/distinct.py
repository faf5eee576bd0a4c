"""The distinct labels of an array in sorted order, and the place of every label among them."""

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import AnyArray
from chancecorr.tables.kernels import number_by_hash

WITHOUT_KERNELS = 100_000
"""Up to this many labels NumPy does all the work, in a few milliseconds, so that a new process needs no Numba
for them, which takes longer to load; beyond, kernels are many times faster."""

ROOM_AT_FIRST = 10
"""A hash table begins with room for 2**10 distinct labels, and is made four times as large when full."""

SLOTS_PER_LABEL = 2
"""It has 2**2 slots for each label that it has room for, so that most searches end where they begin."""


def ranked(array: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Values that occur, ascending, and for every label its rank among them.

    For labels that are equal if and only if their bytes are: integers, text and bytes of fixed width, floats
    without NaN and negative zeros.
    """
    if array.size <= WITHOUT_KERNELS or array.dtype.itemsize == 0:
        values, ranks = np.unique(array, return_inverse=True)
        return values, ranks
    codes = np.empty(array.size, np.int32 if array.size <= np.iinfo(np.int32).max else np.int64)
    values = array[_number(_words(array), codes)]
    order = np.argsort(values)
    if np.array_equal(order, np.arange(order.size)):
        return values, codes
    rank = np.empty(order.size, codes.dtype)
    rank[order] = np.arange(order.size)
    return values[order], rank[codes]


def _words(array: AnyArray) -> AnyArray:
    """Bytes of the labels as the largest words that fit a label, shape (n, words), read-only."""
    plain = array if array.flags.c_contiguous and array.flags.aligned else array.copy()
    width = array.dtype.itemsize
    word = next(np.dtype(f"u{size}") for size in (8, 4, 2, 1) if width % size == 0)
    # text of 8 bytes is aligned for characters of 4
    words = np.require(plain.view(np.uint8).reshape(-1, width).view(word), requirements="A").view()
    words.flags.writeable = False
    return words


def _number(words: AnyArray, codes: AnyArray) -> npt.NDArray[np.int64]:
    """Write the labels' numbers, by first appearance, into `codes`; where each number is found first."""
    room = ROOM_AT_FIRST
    known = np.empty(0, dtype=np.int64)
    done = 0
    with np.errstate(over="ignore"):  # products of hashes, where kernels are not compiled
        while True:
            bits = room + SLOTS_PER_LABEL
            slots, firsts = np.full(1 << bits, -1, dtype=np.int64), np.empty(1 << room, dtype=np.int64)
            again = words[known]
            again.flags.writeable = False
            number_by_hash(again, 0, 0, bits, slots, firsts, np.empty(known.size, dtype=codes.dtype))
            firsts[: known.size] = known
            done, count = number_by_hash(words, done, known.size, bits, slots, firsts, codes)
            known = firsts[:count]
            if done == words.shape[0]:
                return known
            room += 2
