"""Seeds and generators: from SciPy's argument `rng` to a 64-bit seed, and from the seed to each draw.

A draw depends only on the seed and on the draw's number. Kernels open a stream for each number
(`kernels.streams`); other draws use a NumPy generator from `make_generator`. NumPy imports its random numbers
when they are first used, so no annotation may use them.
"""

import functools
from typing import TypeAlias

import numpy as np

from chancecorr.machine.arguments import as_entropy
from chancecorr.machine.arrays import Words

RNG: TypeAlias = (
    "int | np.integer | np.random.SeedSequence | np.random.BitGenerator | np.random.Generator | None"
)


def make_seed(rng: RNG) -> np.uint64:
    """Return the 64-bit seed of a run, the key of its streams; advance a `Generator` by one draw."""
    if isinstance(rng, np.random.BitGenerator):
        rng = np.random.Generator(rng)
    if isinstance(rng, np.random.Generator):
        return rng.integers(0, 2**64, dtype=np.uint64)
    if rng is None or isinstance(rng, np.random.SeedSequence):
        return _take_first_word(rng if rng is not None else np.random.SeedSequence())
    return make_seed_of_number(as_entropy(rng))


@functools.lru_cache(maxsize=64)
def make_seed_of_number(entropy: int) -> np.uint64:
    """Return the 64-bit seed of a whole number."""
    return _take_first_word(np.random.SeedSequence(entropy))


def make_generator(seed: "np.uint64 | int", number: int = 0) -> "np.random.Generator":
    """Make the NumPy generator of draw `number` of a seed, in 20 microseconds."""
    return np.random.default_rng([int(seed), number])


def split_seed(seed: np.uint64, parts: int) -> Words:
    """Return one seed for each of several parts that are drawn independently."""
    return np.random.SeedSequence(int(seed)).generate_state(parts, np.uint64).astype(np.uint64)


def _take_first_word(sequence: "np.random.SeedSequence") -> np.uint64:
    return np.uint64(sequence.generate_state(1, np.uint64)[0])
