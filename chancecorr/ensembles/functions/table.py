"""The consensus functions by their names."""

from collections.abc import Mapping
from types import MappingProxyType

from chancecorr.ensembles.functions.bipartite import hbgf
from chancecorr.ensembles.functions.coassociation import average_linkage, ncut
from chancecorr.ensembles.functions.ensemble import ConsensusFunction
from chancecorr.ensembles.functions.hypergraph import cspa, hgpa, mcla

FUNCTIONS: Mapping[str, ConsensusFunction] = MappingProxyType(
    {
        "cspa": cspa,
        "mcla": mcla,
        "hgpa": hgpa,
        "hbgf": hbgf,
        "ncut": ncut,
        "average-linkage": average_linkage,
    }
)
"""Each takes partitions, a number of clusters and a generator; see `ConsensusFunction`."""

NEEDED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cspa": ("pymetis",),
        "mcla": ("pymetis",),
        "hgpa": ("mtkahypar",),
        "hbgf": ("sklearn",),
        "ncut": ("sklearn",),
    }
)
"""Modules that a function stands on."""
