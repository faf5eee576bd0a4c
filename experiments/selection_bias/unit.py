"""One design of the papers' scripts: who wins among random candidates."""

from experiments.common.units import Clock, Inputs, Record
from experiments.selection_bias.random_sizes import contests_of_sums


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """Wins by index and score, as text; inputs: a row of `designs.PAPERS`, ``trials`` and ``number``."""
    with clock("contests"):
        wins = contests_of_sums(
            inputs["names"],
            objects=inputs["objects"],
            reference_clusters=inputs["reference_clusters"],
            clusters=inputs["clusters"],
            trials=inputs["trials"],
            seed=seed + inputs["number"],
        )
    return {
        index: {key: " ".join(map(str, each)) for key, each in both.items()} for index, both in wins.items()
    }
