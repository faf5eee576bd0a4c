"""From what SciPy takes as `rng` to the 64-bit seed that keys every table's stream."""

import operator

import numpy as np

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError

RNG = None | int | np.integer | np.random.SeedSequence | np.random.BitGenerator | np.random.Generator


def seed_from(rng: "RNG") -> np.uint64:
    """64-bit seed of a run, the key of the tables' streams; a `Generator` is advanced by one draw."""
    if isinstance(rng, np.random.BitGenerator):
        rng = np.random.Generator(rng)
    if isinstance(rng, np.random.Generator):
        return rng.integers(0, 2**64, dtype=np.uint64)
    if rng is None or isinstance(rng, np.random.SeedSequence):
        sequence = rng if rng is not None else np.random.SeedSequence()
    else:
        try:
            entropy = operator.index(rng)
        except TypeError:
            raise ArgumentTypeError(
                "rng",
                "must be None, a whole number, a SeedSequence or a Generator; "
                f"got {rng!r} of type {type(rng).__name__}.",
            ) from None
        if entropy < 0:
            raise ArgumentValueError("rng", f"must not be negative; got {entropy}.")
        sequence = np.random.SeedSequence(entropy)
    return np.uint64(sequence.generate_state(1, np.uint64)[0])
