"""NCUT and AL: consensus by clustering the consensus matrix, read as similarities of objects."""

import warnings

import numpy as np
import numpy.typing as npt

from chancecorr.ensembles.consensus import consensus_matrix
from chancecorr.ensembles.functions.ensemble import Floats, Integers, number_by_appearance


def ncut(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Normalised cut of the consensus matrix, by scikit-learn's spectral clustering.

    Source: Yu, Wong & Wang (2007), doi:10.1093/bioinformatics/btm463, whose graph is the consensus matrix.
    """
    return spectral(consensus_matrix(partitions), n_clusters, rng)


def spectral(similarities: Floats, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Spectral clustering of similarities, shape (n, n), symmetric and at least 0.

    Source: Ng, Jordan & Weiss (2001); scikit-learn embeds by the normalised Laplacian, then runs k-means.

    Examples
    --------
    >>> spectral(np.kron(np.eye(2), np.ones((3, 3))), 2, np.random.default_rng(1))
    array([0, 0, 0, 1, 1, 1])
    """
    from sklearn.cluster import spectral_clustering
    from threadpoolctl import threadpool_limits

    seed = int(rng.integers(2**31))
    with threadpool_limits(limits=1), warnings.catch_warnings():
        # A consensus matrix may well fall apart into components; the embedding then tells them apart.
        warnings.filterwarnings("ignore", message="Graph is not fully connected")
        labels = spectral_clustering(similarities, n_clusters=n_clusters, random_state=seed)
    return number_by_appearance(labels)


def average_linkage(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Average linkage on one less the consensus matrix; nothing is random.

    Source: Fred & Jain (2005), doi:10.1109/TPAMI.2005.113.

    Examples
    --------
    >>> average_linkage([[0, 0, 1, 1], [0, 0, 0, 1]], 3, np.random.default_rng(1))
    array([0, 0, 1, 2])
    """
    from scipy.cluster.hierarchy import cut_tree, linkage
    from scipy.spatial.distance import squareform

    distances = 1.0 - consensus_matrix(partitions)
    return number_by_appearance(cut_tree(linkage(squareform(distances), "average"), n_clusters)[:, 0])
