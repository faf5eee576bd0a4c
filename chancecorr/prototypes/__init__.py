"""Clusterings compared by what stands for a cluster: centroids, medoids, Gaussian components."""

from chancecorr.prototypes.prototypes import (
    GaussianComponents,
    PrototypeMaps,
    bhattacharyya_distances,
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
