"""The shuffle of Fisher and Yates by one stream: of a deck that is kept, and of one that is dealt.

`draw_to_front` exchanges two cards, so that the deck holds the permutation. `take_card` lets the last card
move to the place of the one that is taken, which nobody looks at again. Objects of small clusters, for many
tables side by side and without storing the largest cluster, are dealt in `chancecorr.null.kernels.objects`.
"""

import numpy as np

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import inlined_kernel, kernel
from chancecorr.null.kernels.streams import Stream, next_below, open_stream


@inlined_kernel
def draw_to_front(cards: Integers, place: int, end: int, stream: Stream) -> tuple[np.int64, Stream]:
    """Exchange the card at a place with a random one of those from there to `end`; it is returned."""
    step, stream = next_below(end - place, stream)
    card = cards[place + step]
    cards[place + step] = cards[place]
    cards[place] = card
    return card, stream


@inlined_kernel
def take_card(cards: Integers, first: int, end: int, stream: Stream) -> tuple[np.int64, Stream]:
    """Take a random one of the cards from `first` to `end`, to whose place the last of them moves."""
    step, stream = next_below(end - first, stream)
    card = cards[first + step]
    cards[first + step] = cards[end - 1]
    return card, stream


@kernel
def fill_permutations(seed: np.uint64, first: int, out: Integers) -> None:
    """Permutations number ``first, first + 1, ...`` into the rows of `out`."""
    n = out.shape[1]
    for t in range(out.shape[0]):
        stream = open_stream(seed, first + t)
        cards = out[t]
        for i in range(n):
            cards[i] = i
        for i in range(n - 1):
            _, stream = draw_to_front(cards, i, n, stream)


@kernel
def add_shuffled(
    seed: np.uint64, first: int, rows: Integers, columns: Integers, weights: Integers | Floats,
    ends: Integers, left: Integers, out: Integers | Floats,
) -> None:  # fmt: skip
    """Add to ``out[t]`` the weights of the objects of table number ``first + t``, shuffled by strata.

    The objects stand stratum after stratum, and `ends` says where each stratum ends. Each object takes one of
    the columns of its stratum; `left`, as long as `columns`, has room for those that are not taken yet.
    """
    for t in range(out.shape[0]):
        stream = open_stream(seed, first + t)
        for k in range(columns.size):
            left[k] = columns[k]
        start = 0
        for end in ends:
            for k in range(end - 1, start - 1, -1):
                column, stream = take_card(left, start, k + 1, stream)
                out[t, rows[k], column] += weights[k]
            start = end
