"""Random numbers of the kernels: a stream for each table, and shuffled objects.

A stream is one word, the state of SplitMix64 (Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195): each
step adds a constant, and `mix` makes 64 random bits of the sum. A table's stream begins where seed and number
say, by bijections, so that all tables of a seed begin at different places. A kernel passes and returns the
word, so that the compiler keeps it in a register. Constants are unsigned words, because Numba makes a float64
of the sum of an unsigned word and a signed one.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers, Whole
from chancecorr.machine.kernel import forecast_kernel, inlined_kernel

Stream = np.uint64

NANOSECONDS_OF_AN_OBJECT = 3_500.0  # of an object that is shuffled, as Python

_U = np.uint64
GOLDEN = _U(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio
_TABLE_STRIDE = _U(0xD1342543DE82EF95)  # odd, so that its multiples differ
_LOW_32 = _U(0xFFFFFFFF)
_2_TO_32 = _U(1 << 32)
_NOTHING = _U(0)
_12, _27, _30, _31, _32 = _U(12), _U(27), _U(30), _U(31), _U(32)


@inlined_kernel
def mix(z: np.uint64) -> np.uint64:
    """Output function of SplitMix64, a bijection of 64-bit words."""
    z = (z ^ (z >> _30)) * _U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> _27)) * _U(0x94D049BB133111EB)
    return z ^ (z >> _31)


@inlined_kernel
def open_stream(seed: np.uint64, number: Whole) -> Stream:
    """Stream of the table of this number."""
    return mix(mix(seed + GOLDEN) + _U(number) * _TABLE_STRIDE)


@inlined_kernel
def draw_uniform(stream: Stream) -> tuple[float, Stream]:
    """Uniform number in (0, 1): an odd multiple of 2**-53, so neither 0 nor 1 nor a rounded value."""
    stream += GOLDEN
    return (np.float64(np.int64(mix(stream) >> _12)) + 0.5) * 2.0**-52, stream


@inlined_kernel
def draw_below(bound: np.uint64, half: np.uint64, stream: Stream) -> tuple[np.uint64, np.uint64, Stream]:
    """Uniform whole number in [0, bound), bound up to 2**32, by multiplication with rejection (Lemire 2019).

    A number takes 32 bits. `half` has those that the number before left of its word, with a 1 in front, and
    is 0 if none are left; the caller passes it on.
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
    """Permutations number ``first, first + 1, ...`` into the rows of `out`."""
    n = out.shape[1]
    for t in range(out.shape[0]):
        stream, half = open_stream(seed, first + t), _NOTHING
        for i in range(n):
            out[t, i] = i
        for i in range(n - 1):
            further, half, stream = draw_below(_U(n - i), half, stream)
            place = _U(i) + further
            out[t, i], out[t, place] = out[t, place], out[t, i]


@forecast_kernel(lambda seed, first, rows, *rest: NANOSECONDS_OF_AN_OBJECT * rows.size * rest[-1].shape[0])
def add_shuffled(
    seed: np.uint64, first: int, rows: Integers, columns: Integers, weights: Integers | Floats,
    ends: Integers, left: Integers, out: Integers | Floats,
) -> None:  # fmt: skip
    """Add to ``out[t]`` the weights of the objects of table ``first + t``, shuffled in strata up to `ends`.

    `left`, as long as `columns`, has room for those that are not taken yet.
    """
    for t in range(out.shape[0]):
        stream, half = open_stream(seed, first + t), _NOTHING
        for k in range(columns.size):
            left[k] = columns[k]
        start = 0
        for stratum in range(ends.size):
            for k in range(ends[stratum] - 1, start - 1, -1):
                further, half, stream = draw_below(_U(k + 1 - start), half, stream)
                place = _U(start) + further
                out[t, rows[k], left[place]] += weights[k]
                left[place] = left[k]
            start = ends[stratum]
