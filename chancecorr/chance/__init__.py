"""Models of chance: two clusterings, and what is known or drawn of an index of them under each model."""

from chancecorr.chance.neighbours import NeighbourAgreement, neighbour_agreement
from chancecorr.sampling.own_draws import Draws, blocks, shifts, spins, torus

__all__ = ["Draws", "NeighbourAgreement", "blocks", "neighbour_agreement", "shifts", "spins", "torus"]
