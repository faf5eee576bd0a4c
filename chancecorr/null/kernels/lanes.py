"""Many tables side by side: a lane is a table.

The numbers of all lanes stand one after the other, kind by kind, in a few flat arrays (`LaneArrays`), and
each step of a draw (`attempt`) is a loop over lanes without a branch, which the compiler turns into vector
instructions.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Floats, Integers, Whole, Words
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.null.kernels.streams import Stream, open_stream

Integers32 = npt.NDArray[np.int32]

LaneCounts = npt.NDArray[np.uint32]
"""Numbers of objects, up to ``2**32``, shape (clusters, lanes)."""

LANES = 256
"""Tables side by side. Fewer fill the vectors less well once most lanes are settled; more leave the cache."""

VECTOR = 16
"""Loops run over whole multiples of this many lanes, so that none has a rest to be run without vectors; what
the lanes beyond the last table hold is harmless and never looked at."""

REFUSED, ACCEPTED, UNCLEAR = 0, 1, 2

# Where each kind of number begins in its array.
PHI, TAU, SQUARE, PLACE, EDGE, STEP, HEIGHTS, RATIO = (i * LANES for i in range(8))
FEWER_GOOD, FEWER_DRAWS, REST, CHANCE, LEFT_OF_PLACE, FOUND = (i * LANES for i in range(6))  # of narrow laws
DRAWS, POPULATION, GOOD, MODE, VALUE, STATE, NARROW_LAW, RECORDS, INSIDE = (i * LANES for i in range(9))
STATE_0, STATE_1, STATE_2, STATE_3, WORD, SECOND = (i * LANES for i in range(6))


class LaneArrays(NamedTuple):
    """Layout of the lanes: `LANES` numbers of each kind, one kind after the other.

    `square_bits` and `height_bits` are the float64 of the kinds `SQUARE` and `HEIGHTS`, read as whole
    numbers.
    """

    floats: Floats
    counts: Integers32
    words: Words
    square_bits: Words
    height_bits: Integers


def lane_arrays() -> LaneArrays:
    """Arrays for `LANES` lanes, zero."""
    floats = np.zeros(8 * LANES)
    return LaneArrays(
        floats,
        np.zeros(9 * LANES, dtype=np.int32),
        np.zeros(6 * LANES, dtype=np.uint64),
        floats[SQUARE : SQUARE + LANES].view(np.uint64),
        floats[HEIGHTS : HEIGHTS + LANES].view(np.int64),
    )


@inlined_kernel
def stream_of(words: Words, lane: Whole | np.uint64) -> Stream:
    """Stream of a lane."""
    b = np.uint64(lane)
    return (
        words[np.uint64(STATE_0) + b],
        words[np.uint64(STATE_1) + b],
        words[np.uint64(STATE_2) + b],
        words[np.uint64(STATE_3) + b],
    )


@inlined_kernel
def keep_stream(words: Words, lane: Whole | np.uint64, stream: Stream) -> None:
    """Store the stream of a lane."""
    b = np.uint64(lane)
    words[np.uint64(STATE_0) + b], words[np.uint64(STATE_1) + b] = stream[0], stream[1]
    words[np.uint64(STATE_2) + b], words[np.uint64(STATE_3) + b] = stream[2], stream[3]


@kernel
def open_lanes(seed: np.uint64, first: int, n: int, words: Words) -> None:
    """Streams of tables ``first, ..., first + n - 1`` into the lanes."""
    for b in range(n):
        keep_stream(words, b, open_stream(seed, first + b))
