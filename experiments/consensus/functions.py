"""The consensus functions by their usual names."""

from collections.abc import Mapping

from experiments.consensus.bipartite import hbgf
from experiments.consensus.coassociation import average_linkage, ncut
from experiments.consensus.ensemble import ConsensusFunction
from experiments.consensus.hypergraph import cspa, hgpa, mcla

FUNCTIONS: Mapping[str, ConsensusFunction] = {
    "CSPA": cspa,
    "MCLA": mcla,
    "HGPA": hgpa,
    "HBGF": hbgf,
    "NCUT": ncut,
    "AL": average_linkage,
}
"""Each takes partitions, a number of clusters and a generator; see `ConsensusFunction`."""
