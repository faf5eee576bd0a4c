"""Models of chance: two clusterings, and what each model knows or draws for an index of them."""

from chancecorr.chance.neighbours import NeighbourAgreement, neighbour_agreement
from chancecorr.sampling.own_draws import Draws, blocks, shifts, spins, torus
from chancecorr.sampling.segment_draws import segments

__all__ = [
    "Draws",
    "NeighbourAgreement",
    "blocks",
    "neighbour_agreement",
    "segments",
    "shifts",
    "spins",
    "torus",
]


def __dir__() -> list[str]:
    return __all__
