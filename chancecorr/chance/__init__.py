"""Models of chance: two clusterings, and what each model knows or draws for an index of them."""

from chancecorr.chance.neighbours import NeighbourAgreement, neighbour_agreement
from chancecorr.sampling.own_draws import Draws, blocks, shifts, spins, torus

__all__ = ["Draws", "NeighbourAgreement", "blocks", "neighbour_agreement", "shifts", "spins", "torus"]


def __dir__() -> list[str]:
    return __all__
