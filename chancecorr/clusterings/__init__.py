"""Clusterings of any kind: how much each pair of objects is together, and indices over the pairs."""

from chancecorr.clusterings.biclusters import Biclusters
from chancecorr.clusterings.clustering import Agreement, Similarity
from chancecorr.clusterings.indices.boundaries import boundary_matches
from chancecorr.clusterings.indices.element_centric import element_centric, element_scores
from chancecorr.clusterings.indices.graphs_and_maps import graph_rand, spatial_rand
from chancecorr.clusterings.links import join_links
from chancecorr.clusterings.membership import Cover, Membership
from chancecorr.clusterings.segments_of_time import segments
from chancecorr.clusterings.tree import Tree

__all__ = [
    "Agreement", "Biclusters", "Cover", "Membership", "Similarity", "Tree", "boundary_matches",
    "element_centric", "element_scores", "graph_rand", "join_links", "segments", "spatial_rand",
]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
