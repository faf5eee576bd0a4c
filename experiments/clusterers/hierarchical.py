"""Agglomerative clusterers of SciPy, cut at a number of clusters."""

from typing import Literal

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int64]

MOST_OBJECTS = 10_000
"""Beyond this the distances of all pairs take more than 400 MB."""


def linkage_labels(X: npt.ArrayLike, n_clusters: int, method: Literal["single", "ward"]) -> Labels:
    """Clusters when `n_clusters` are left.

    Int64, shape (n,), in 0, ..., K - 1.
    """
    from scipy.cluster.hierarchy import cut_tree, linkage

    objects = np.asarray(X, dtype=np.float64)
    if len(objects) > MOST_OBJECTS:
        raise ValueError(f"`X` must have at most {MOST_OBJECTS:,} rows; got {len(objects):,}. Take a sample.")
    return np.asarray(cut_tree(linkage(objects, method), n_clusters).ravel(), dtype=np.int64)
