"""Uniform random integers for shuffling, several from one 64-bit word, for sixteen tables side by side.

Place i of a shuffle needs a number in ``[0, bound - i)``. A 32-bit number times the bound has it in its upper
half; the lower half times the next bound has the next number in *its* upper half; and what is left over shows
whether both are fair: for all but ``2**32 mod (b1 b2)`` of its values they are (Brackett-Rozinsky & Lemire
2024, doi:10.1002/spe.3369). Small bounds get four numbers from a word in this way, larger ones two.
"""

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Whole, Words
from chancecorr.machine.kernel import kernel
from chancecorr.null.kernels.streams import Stream, next_word, step

Steps = npt.NDArray[np.uint16] | npt.NDArray[np.uint32]
"""Numbers thrown: that of place i and table j at ``i * n + j``, for n tables."""

TABLES_TOGETHER = 16
"""Tables side by side."""

MOST_TOGETHER = 1 << 16
"""Objects a table beyond which the tables are drawn one by one: the steps of all would leave the cache."""

FOUR_DICE_LIMIT = 1 << 12
"""Largest bound for which two numbers share 32 bits: beyond it they are too often to be thrown again."""

SPARE_PLACES = 4
"""Places that `steps` must have beyond the last one, because whole words are thrown."""

# Where each kind of number begins in the array of words; the four dice stand one after the other.
STATE_0, STATE_1, STATE_2, STATE_3, WORD, DIE_1, DIE_2, DIE_3, DIE_4 = (i * TABLES_TOGETHER for i in range(9))
DICE_WORDS = 9 * TABLES_TOGETHER

_U = np.uint64
_LOW_32 = _U(0xFFFFFFFF)
_ONE = _U(1)
_2_TO_32 = _U(1) << _U(32)
_32 = _U(32)


@kernel
def next_words(n: int, words: Words) -> None:
    """The next word of each of n streams."""
    for b in range(n):
        s0, s1, s2, s3 = words[STATE_0 + b], words[STATE_1 + b], words[STATE_2 + b], words[STATE_3 + b]
        words[WORD + b], s0, s1, s2, s3 = step(s0, s1, s2, s3)
        words[STATE_0 + b], words[STATE_1 + b], words[STATE_2 + b], words[STATE_3 + b] = s0, s1, s2, s3


@kernel
def four_dice(n: int, words: Words, b1: np.uint64, b2: np.uint64, b3: np.uint64, b4: np.uint64) -> Whole:
    """Two dice from each half of the word of each table; how many tables' dice may be unfair."""
    product_1, product_2 = b1 * b2, b3 * b4
    doubtful = np.int64(0)
    for b in range(n):
        word = words[WORD + b]
        scaled = (word & _LOW_32) * b1
        words[DIE_1 + b] = scaled >> _32
        scaled = (scaled & _LOW_32) * b2
        words[DIE_2 + b] = scaled >> _32
        rest = scaled & _LOW_32
        scaled = (word >> _32) * b3
        words[DIE_3 + b] = scaled >> _32
        scaled = (scaled & _LOW_32) * b4
        words[DIE_4 + b] = scaled >> _32
        doubtful += np.int64((rest < product_1) | ((scaled & _LOW_32) < product_2))
    return doubtful


@kernel
def two_dice(n: int, words: Words, b1: np.uint64, b2: np.uint64) -> Whole:
    """One die from each half of the word of each table; how many tables' dice may be unfair."""
    doubtful = np.int64(0)
    for b in range(n):
        word = words[WORD + b]
        scaled_1 = (word & _LOW_32) * b1
        scaled_2 = (word >> _32) * b2
        words[DIE_1 + b] = scaled_1 >> _32
        words[DIE_2 + b] = scaled_2 >> _32
        doubtful += np.int64(((scaled_1 & _LOW_32) < b1) | ((scaled_2 & _LOW_32) < b2))
    return doubtful


@kernel
def throw_pair(
    half: np.uint64, b1: np.uint64, b2: np.uint64, stream: Stream
) -> tuple[np.uint64, np.uint64, Stream]:
    """Two fair dice from 32 bits, and from fresh words as long as the rest is one of the unfair ones."""
    product = b1 * b2
    unfair = (_2_TO_32 - product) % product
    while True:
        scaled = half * b1
        first = scaled >> _32
        scaled = (scaled & _LOW_32) * b2
        if (scaled & _LOW_32) >= unfair:
            return first, scaled >> _32, stream
        word, stream = next_word(stream)
        half = word >> _32


@kernel
def throw_fairly(
    words: Words, j: int, in_fours: bool, b1: np.uint64, b2: np.uint64, b3: np.uint64, b4: np.uint64
) -> None:
    """The dice of one table once more from its word, and thrown again where they are unfair."""
    word = words[WORD + j]
    stream = words[STATE_0 + j], words[STATE_1 + j], words[STATE_2 + j], words[STATE_3 + j]
    if in_fours:
        words[DIE_1 + j], words[DIE_2 + j], stream = throw_pair(word & _LOW_32, b1, b2, stream)
        words[DIE_3 + j], words[DIE_4 + j], stream = throw_pair(word >> _32, b3, b4, stream)
    else:
        words[DIE_1 + j], _, stream = throw_pair(word & _LOW_32, b1, _ONE, stream)
        words[DIE_2 + j], _, stream = throw_pair(word >> _32, b2, _ONE, stream)
    words[STATE_0 + j], words[STATE_1 + j], words[STATE_2 + j], words[STATE_3 + j] = stream


@kernel
def throw(n: int, words: Words, bound: Whole, count: Whole, steps: Steps) -> None:
    """``steps[i * n + j]`` uniform in ``[0, bound - i)`` for the first `count` places i and n tables j.

    The words that a table takes depend on `bound` and `count` alone, except for dice that are thrown again.
    """
    in_fours = bool(bound <= FOUR_DICE_LIMIT)
    size = 4 if in_fours else 2
    for place in range(0, count, size):
        b1 = _U(bound - place)
        b2 = _U(max(bound - place - 1, 1))
        b3 = _U(max(bound - place - 2, 1))
        b4 = _U(max(bound - place - 3, 1))
        next_words(n, words)
        doubtful = four_dice(n, words, b1, b2, b3, b4) if in_fours else two_dice(n, words, b1, b2)
        if doubtful > 0:
            for j in range(n):
                throw_fairly(words, j, in_fours, b1, b2, b3, b4)
        base = _U(place * n)
        if n == TABLES_TOGETHER:
            for i in range(size * n):
                steps[base + _U(i)] = words[DIE_1 + i]
        else:
            for die in range(size):
                for j in range(n):
                    steps[base + _U(die * n + j)] = words[DIE_1 + die * TABLES_TOGETHER + j]
