"""Random swap clustering: a centroid is moved to a random object, two iterations of k-means, kept if better.

Fränti & Kivijärvi (2000), Pattern Analysis & Applications 3, 358-369, doi:10.1007/s100440070007; how many
swaps are needed: Fränti (2018), Journal of Big Data 5, doi:10.1186/s40537-018-0122-y. K-means only tunes
borders, and cannot take a centroid from where there are too many to where one is missing; a swap can.

A swap changes little, and so the kernels do little; see `experiments.clusterers.k_means_kernels`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.clusterers.k_means_kernels import try_swaps

ITERATIONS_OF_A_SWAP = 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RandomSwap:
    """A clustering found by random swaps."""

    labels: npt.NDArray[np.int64]
    centroids: npt.NDArray[np.float64]
    inertia: float
    accepted: int


def random_swap(X: npt.ArrayLike, n_clusters: int, rng: np.random.Generator, *, swaps: int) -> RandomSwap:
    """Random swap clustering, followed by k-means until nothing changes.

    A swap: centroid j becomes object x; the objects of cluster j go to their nearest centroids, and all
    objects nearer to x than to their own centroid come to x (local repartition); two iterations of k-means;
    kept if the inertia is less than before. A centroid that loses its objects stays where it is.
    """
    objects = np.ascontiguousarray(X, dtype=np.float64)
    n = len(objects)
    distinct = np.sort(np.unique(objects, axis=0, return_index=True)[1])
    centroids = objects[rng.choice(distinct, n_clusters, replace=False)]
    removed, added = rng.integers(n_clusters, size=swaps), rng.integers(n, size=swaps)
    labels, squares = np.empty(n, np.int64), np.empty(n)
    accepted = try_swaps(objects, removed, added, ITERATIONS_OF_A_SWAP, centroids, labels, squares)
    return RandomSwap(labels=labels, centroids=centroids, inertia=float(squares.sum()), accepted=accepted)
