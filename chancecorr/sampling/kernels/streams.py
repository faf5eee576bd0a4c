"""Random numbers of the kernels: a stream for each table, the shuffle, and steps of shuffles for many tables.

A stream is four words, the state of xoshiro256++ (Blackman & Vigna 2021, doi:10.1145/3460772). It is opened
by SplitMix64 (Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195) at a place computed from seed and table
number by bijections, so that no two tables of one seed share a stream; and it is passed and returned as a
value, so that the compiler keeps it in registers. Constants are unsigned words, because Numba makes a float64
of the sum of an unsigned word and a signed one. For `throw` see "Dice" in docs/explanation/derivations.md.
"""

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import forecast_kernel, inlined_kernel, kernel

Stream = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

# 2**64 over the golden ratio, and an odd stride from table to table, so that the product is a bijection
_U = np.uint64
_GOLDEN = _U(0x9E3779B97F4A7C15)
_TABLE_STRIDE = _U(0xD1342543DE82EF95)
_LOW_32 = _U(0xFFFFFFFF)
_12, _32 = _U(12), _U(32)


@forecast_kernel(lambda z: 2_000.0)
def mix(z: np.uint64) -> np.uint64:
    """Output function of SplitMix64, a bijection of 64-bit words."""
    z = (z ^ (z >> _U(30))) * _U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> _U(27))) * _U(0x94D049BB133111EB)
    return z ^ (z >> _U(31))


@forecast_kernel(lambda seed, table_number: 20_000.0)
def open_stream(seed: np.uint64, table_number: int) -> Stream:
    """Stream of one table."""
    z = mix(seed + _GOLDEN) + np.uint64(table_number) * _TABLE_STRIDE
    return mix(z + _GOLDEN), mix(z + _U(2) * _GOLDEN), mix(z + _U(3) * _GOLDEN), mix(z + _U(4) * _GOLDEN)


@inlined_kernel
def step(
    s0: np.uint64, s1: np.uint64, s2: np.uint64, s3: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """xoshiro256++: 64 random bits from the old state, and the new state; inlined into loops over streams."""
    total = s0 + s3
    word = ((total << _U(23)) | (total >> _U(41))) + s0
    shifted = s1 << _U(17)
    s2 = s2 ^ s0
    s3 = s3 ^ s1
    return word, s0 ^ s3, s1 ^ s2, s2 ^ shifted, (s3 << _U(45)) | (s3 >> _U(19))


@kernel
def draw_word(stream: Stream) -> tuple[np.uint64, Stream]:
    """Next 64 random bits."""
    s0, s1, s2, s3 = stream
    word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
    return word, (s0, s1, s2, s3)


@kernel
def draw_uniform(stream: Stream) -> tuple[float, Stream]:
    """Uniform number in (0, 1): an odd multiple of 2**-53, so neither 0 nor 1 nor a rounded value."""
    word, stream = draw_word(stream)
    return (np.float64(word >> _12) + 0.5) * 2.0**-52, stream


@kernel
def draw_below(bound: int, stream: Stream) -> tuple[np.int64, Stream]:
    """Uniform whole number in [0, bound), bound < 2**32, by multiplication with rejection (Lemire 2019)."""
    size = np.uint64(bound)
    word, stream = draw_word(stream)
    product = (word >> _32) * size
    if (product & _LOW_32) < size:
        threshold = ((_U(1) << _32) - size) % size
        while (product & _LOW_32) < threshold:
            word, stream = draw_word(stream)
            product = (word >> _32) * size
    return np.int64(product >> _32), stream


@kernel
def unit_place(word: np.uint64) -> float:
    """52 bits of a word as a number in (0, 1): an odd multiple of ``2**-53``."""
    return (np.float64(np.int64(word >> _12)) + 0.5) * 2.0**-52


LANES = 256  # tables side by side: fewer leave vectors empty once most are settled, more leave the cache


@inlined_kernel
def stream_of(words: Words, lane: Whole | np.uint64) -> Stream:
    """Stream of a lane, whose words stand `LANES` apart."""
    b = np.uint64(lane)
    return words[b], words[_U(LANES) + b], words[_U(2 * LANES) + b], words[_U(3 * LANES) + b]


@inlined_kernel
def keep_stream(words: Words, lane: Whole | np.uint64, stream: Stream) -> None:
    """Store the stream of a lane."""
    b = np.uint64(lane)
    words[b], words[_U(LANES) + b], words[_U(2 * LANES) + b], words[_U(3 * LANES) + b] = stream


@kernel
def open_lanes(seed: np.uint64, first: int, n: int, words: Words) -> None:
    """Streams of tables ``first, ..., first + n - 1`` into the lanes."""
    for b in range(n):
        keep_stream(words, b, open_stream(seed, first + b))


@forecast_kernel(lambda seed, first, out: 6_000.0 * out.size)
def fill_permutations(seed: np.uint64, first: int, out: Integers) -> None:
    """Permutations number ``first, first + 1, ...`` into the rows of `out`."""
    n = out.shape[1]
    for t in range(out.shape[0]):
        stream = open_stream(seed, first + t)
        cards = out[t]
        for i in range(n):
            cards[i] = i
        for i in range(n - 1):
            further, stream = draw_below(n - i, stream)
            cards[i], cards[i + further] = cards[i + further], cards[i]


@forecast_kernel(lambda seed, first, rows, *rest: 6_000.0 * rows.size * rest[-1].shape[0])
def add_shuffled(
    seed: np.uint64, first: int, rows: Integers, columns: Integers, weights: Integers | Floats,
    ends: Integers, left: Integers, out: Integers | Floats,
) -> None:  # fmt: skip
    """Add to ``out[t]`` the weights of the objects of table ``first + t``, shuffled in strata up to `ends`.

    `left`, as long as `columns`, has room for those that are not taken yet.
    """
    for t in range(out.shape[0]):
        stream = open_stream(seed, first + t)
        for k in range(columns.size):
            left[k] = columns[k]
        start = 0
        for end in ends:
            for k in range(end - 1, start - 1, -1):
                further, stream = draw_below(k + 1 - start, stream)
                out[t, rows[k], left[start + further]] += weights[k]
                left[start + further] = left[k]
            start = end


Steps = npt.NDArray[np.uint16] | npt.NDArray[np.uint32]  # of place i and table j at `i * n + j`, of n
TABLES_TOGETHER = 16  # tables side by side
MOST_TOGETHER = 1 << 16  # objects beyond which tables are drawn one by one: all steps would leave the cache
FOUR_DICE_LIMIT = 1 << 12  # largest bound for which two numbers share 32 bits: beyond it many are refused
SPARE_PLACES = 4  # places that `steps` must have beyond the last one, because whole words are thrown

# Where each kind of number begins in the array of words; the four dice stand one after the other.
STATE_0, STATE_1, STATE_2, STATE_3, WORD, DIE_1, DIE_2, DIE_3, DIE_4 = (i * TABLES_TOGETHER for i in range(9))
DICE_WORDS = 9 * TABLES_TOGETHER

_ONE = _U(1)
_2_TO_32 = _U(1) << _U(32)


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
        word, stream = draw_word(stream)
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
