"""Random numbers of the kernels: one stream for each table, and shuffled objects.

A stream is one word, the state of SplitMix64 (Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195): each
step adds a constant, and `mix` turns the sum into 64 random bits. Bijections of the seed and of the table's
number give the state at which a table's stream begins, so that all tables of a seed begin at different
states. A kernel takes and returns the word, so that the compiler keeps it in a register. Constants are
unsigned words, because for Numba the sum of an unsigned and a signed word is a float64.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, Whole
from chancecorr.machine.kernel import forecast_kernel, inlined_kernel, kernel

Stream = np.uint64

NANOSECONDS_OF_AN_OBJECT = 3_500.0  # time to shuffle an object in plain Python

_U = np.uint64
GOLDEN = _U(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio
_TABLE_STRIDE = _U(0xD1342543DE82EF95)  # odd, so that its multiples modulo 2**64 differ
_LOW_32 = _U(0xFFFFFFFF)
_2_TO_32 = _U(1 << 32)
_NOTHING = _U(0)
_12, _27, _30, _31, _32 = _U(12), _U(27), _U(30), _U(31), _U(32)


@inlined_kernel
def mix(z: np.uint64) -> np.uint64:
    """Apply the output function of SplitMix64, a bijection of 64-bit words."""
    z = (z ^ (z >> _30)) * _U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> _27)) * _U(0x94D049BB133111EB)
    return z ^ (z >> _31)


@inlined_kernel
def open_stream(seed: np.uint64, number: Whole) -> Stream:
    """Return the stream of table `number`."""
    return mix(mix(seed + GOLDEN) + _U(number) * _TABLE_STRIDE)


@inlined_kernel
def draw_uniform(stream: Stream) -> tuple[float, Stream]:
    """Draw a uniform number in (0, 1): an odd multiple of 2**-53, which is exact and never 0 or 1."""
    stream += GOLDEN
    return (np.float64(np.int64(mix(stream) >> _12)) + 0.5) * 2.0**-52, stream


@inlined_kernel
def draw_below(bound: np.uint64, half: np.uint64, stream: Stream) -> tuple[np.uint64, np.uint64, Stream]:
    """Draw a uniform integer in [0, bound), bound <= 2**32, by multiplication with rejection (Lemire 2019).

    A draw takes 32 bits. `half` holds the 32 unused bits of the last word with a leading 1, or is 0 if no
    bits are left. The caller passes `half` on to the next draw.
    """
    if half == _NOTHING:
        stream += GOLDEN
        word = mix(stream)
        bits, half = word >> _32, (word & _LOW_32) | _2_TO_32
    else:
        bits, half = half & _LOW_32, _NOTHING
    product = bits * bound
    if (product & _LOW_32) < bound:
        unfair = (_2_TO_32 - bound) % bound
        while (product & _LOW_32) < unfair:
            stream += GOLDEN
            product = (mix(stream) >> _32) * bound
    return product >> _32, half, stream


@forecast_kernel(lambda seed, first, out: NANOSECONDS_OF_AN_OBJECT * out.size)
def fill_permutations(seed: np.uint64, first: int, out: Integers) -> None:
    """Write permutations number ``first, first + 1, ...`` into the rows of `out`."""
    n = out.shape[1]
    for t in range(out.shape[0]):
        stream, half = open_stream(seed, first + t), _NOTHING
        for i in range(n):
            out[t, i] = i
        for i in range(n - 1):
            further, half, stream = draw_below(_U(n - i), half, stream)
            place = _U(i) + further
            out[t, i], out[t, place] = out[t, place], out[t, i]


@kernel
def shuffle(seed: np.uint64, number: int, columns: Integers, ends: Integers, out: Integers) -> None:
    """Write the columns of the objects of table `number`, shuffled in each stratum, into `out`.

    A stratum's objects end at its entry of `ends`.
    """
    stream, half = open_stream(seed, number), _NOTHING
    for k in range(columns.size):
        out[k] = columns[k]
    start = 0
    for stratum in range(ends.size):
        for k in range(ends[stratum] - 1, start - 1, -1):
            further, half, stream = draw_below(_U(k + 1 - start), half, stream)
            place = _U(start) + further
            out[k], out[place] = out[place], out[k]
        start = ends[stratum]


@forecast_kernel(lambda seed, first, columns, ends, out: NANOSECONDS_OF_AN_OBJECT * out.size)
def fill_shuffled(seed: np.uint64, first: int, columns: Integers, ends: Integers, out: Integers) -> None:
    """Write the columns of the objects, shuffled in each stratum, into ``out[t]`` for table ``first + t``."""
    for t in range(out.shape[0]):
        shuffle(seed, first + t, columns, ends, out[t])


@forecast_kernel(lambda seed, first, rows, *rest: NANOSECONDS_OF_AN_OBJECT * rows.size * rest[-1].shape[0])
def add_shuffled(
    seed: np.uint64, first: int, rows: Integers, columns: Integers, weights: Integers | Floats,
    ends: Integers, shuffled: Integers, out: Integers | Floats,
) -> None:  # fmt: skip
    """Shuffle objects in each stratum and add their weights to the cells of ``out[t]``, table ``first + t``.

    `shuffled`, as long as `columns`, is workspace.
    """
    for t in range(out.shape[0]):
        shuffle(seed, first + t, columns, ends, shuffled)
        start = 0
        for stratum in range(ends.size):
            for k in range(ends[stratum] - 1, start - 1, -1):
                out[t, rows[k], shuffled[k]] += weights[k]
            start = ends[stratum]
