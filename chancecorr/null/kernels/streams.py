"""One random stream per table, a pure function of (seed, table number).

A stream is four 64-bit words, the state of xoshiro256++ (Blackman & Vigna 2021, doi:10.1145/3460772). To
open one, SplitMix64 (Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195) is started at a place computed
from the seed and the table number, and its next four outputs are the words. A table can therefore be drawn
without those before it, by any worker. Every step from the table number to the first word is a bijection, so
no two tables of one seed share a stream. Philox4x32-10 would serve as well; it took 30 ns to open where this
takes 5, and a 3x3 table is drawn in 200.

A stream is passed and returned as a value, so that the compiler keeps it in registers. All constants are
unsigned 64-bit words, because Numba makes a float64 of the sum of an unsigned word and a signed one.
"""

import numpy as np

from chancecorr.machine.kernel import inlined_kernel, kernel

Stream = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

# 2**64 over the golden ratio, by which SplitMix64 counts; and an odd stride from table to table, so that the
# product is a bijection.
_U = np.uint64
_GOLDEN = _U(0x9E3779B97F4A7C15)
_TABLE_STRIDE = _U(0xD1342543DE82EF95)
_LOW_32 = _U(0xFFFFFFFF)
_12, _32 = _U(12), _U(32)


@kernel
def mix(z: np.uint64) -> np.uint64:
    """Output function of SplitMix64, a bijection of 64-bit words."""
    z = (z ^ (z >> _U(30))) * _U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> _U(27))) * _U(0x94D049BB133111EB)
    return z ^ (z >> _U(31))


@kernel
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
def next_word(stream: Stream) -> tuple[np.uint64, Stream]:
    """Next 64 random bits."""
    s0, s1, s2, s3 = stream
    word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
    return word, (s0, s1, s2, s3)


@kernel
def next_uniform(stream: Stream) -> tuple[float, Stream]:
    """Uniform number in (0, 1): an odd multiple of 2**-53, so neither 0 nor 1 nor a rounded value."""
    word, stream = next_word(stream)
    return (np.float64(word >> _12) + 0.5) * 2.0**-52, stream


@kernel
def next_below(bound: int, stream: Stream) -> tuple[np.int64, Stream]:
    """Uniform whole number in [0, bound), bound < 2**32, by multiplication with rejection (Lemire 2019)."""
    size = np.uint64(bound)
    word, stream = next_word(stream)
    product = (word >> _32) * size
    if (product & _LOW_32) < size:
        threshold = ((_U(1) << _32) - size) % size
        while (product & _LOW_32) < threshold:
            word, stream = next_word(stream)
            product = (word >> _32) * size
    return np.int64(product >> _32), stream


@kernel
def unit_place(word: np.uint64) -> float:
    """52 bits of a word as a number in (0, 1): an odd multiple of ``2**-53``."""
    return (np.float64(np.int64(word >> _12)) + 0.5) * 2.0**-52
