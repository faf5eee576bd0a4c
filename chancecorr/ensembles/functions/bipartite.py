"""HBGF: consensus by partitioning the graph of objects and clusters together.

Source: Fern & Brodley (2004), Solving cluster ensemble problems by bipartite graph partitioning, ICML,
section 4, with its spectral partitioning.
"""

import numpy as np
import numpy.typing as npt

from chancecorr.ensembles.functions.ensemble import Floats, Integers, memberships, number_by_appearance


def hbgf(partitions: npt.ArrayLike, n_clusters: int, rng: "np.random.Generator") -> Integers:
    """Hybrid bipartite graph formulation: k-means on objects and clusters in a common spectral embedding.

    The graph has an edge from an object to each cluster it is in. The k leading eigenvectors of its
    normalised adjacency matrix give each vertex k coordinates, made of length 1.

    Examples
    --------
    >>> hbgf([[0, 0, 1, 1], [1, 1, 0, 0]], 2, np.random.default_rng(1))
    array([0, 0, 1, 1])
    """
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    objects, clusters = embedding(memberships(partitions), n_clusters)
    model = KMeans(n_clusters, n_init=10, random_state=int(rng.integers(2**31)))
    with threadpool_limits(limits=1):  # several threads add up in any order
        labels = model.fit_predict(np.concatenate([objects, clusters]))
    return number_by_appearance(labels[: objects.shape[0]])


def embedding(clusters: npt.NDArray[np.bool_], n_dimensions: int) -> tuple[Floats, Floats]:
    """Coordinates of objects and of clusters, rows of length 1.

    Notes
    -----
    Eigenvectors of ``D^-1/2 W D^-1/2`` with ``W = [[0, A], [A', 0]]`` are the left singular vectors of
    ``D_r^-1/2 A D_c^-1/2`` above the right ones, so that a matrix of objects by clusters is decomposed.
    """
    from threadpoolctl import threadpool_limits

    edges = clusters.astype(np.float64)
    scaled = edges / np.sqrt(np.outer(edges.sum(axis=1), edges.sum(axis=0)))
    with threadpool_limits(limits=1):  # several threads add up in any order
        left, _, right = np.linalg.svd(scaled, full_matrices=False)
    return _of_length_1(left[:, :n_dimensions]), _of_length_1(right[:n_dimensions].T)


def _of_length_1(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0.0, lengths, 1.0))
