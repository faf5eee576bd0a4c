"""One unit of the study, of whichever experiment its cell is."""

from collections.abc import Callable, Mapping

from experiments.common.units import Clock, Inputs, Record
from experiments.zhang_wong_shen_2012 import chance, clusterings, distributed, exact, similarities

EXPERIMENTS: Mapping[str, Callable[[Inputs, int, int, Clock], Record]] = {
    "exact": exact.evaluate,
    "limits": chance.limits,
    "curves": chance.curves,
    "distributed": distributed.evaluate,
    "clusterings": clusterings.evaluate,
    "similarities": similarities.evaluate,
}
"""What evaluates a unit, by ``experiment`` in the inputs of its cell."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """A unit from nothing; what it gives is said where its experiment stands."""
    return EXPERIMENTS[inputs["experiment"]](inputs, replicate, seed, clock)
