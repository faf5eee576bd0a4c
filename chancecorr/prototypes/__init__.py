"""Clusterings compared by what stands for a cluster: centroids, medoids, Gaussian components."""

from chancecorr.prototypes.distances import GaussianComponents, bhattacharyya_distances
from chancecorr.prototypes.prototypes import (
    PrototypeMaps,
    centroid_index,
    centroid_similarity_index,
    map_prototypes,
)

__all__ = [
    "GaussianComponents",
    "PrototypeMaps",
    "bhattacharyya_distances",
    "centroid_index",
    "centroid_similarity_index",
    "map_prototypes",
]
