"""The data sets with their true centroids, and the clusterers of the study by name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from experiments.clusterers.genetic import genetic
from experiments.clusterers.library import MOST_OBJECTS, kmeans, linkage_labels
from experiments.clusterers.random_swap import random_swap
from experiments.clusterers.split_and_merge import split_and_merge
from experiments.common.data import load_dataset

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

SPHERICAL = ("s1", "s2", "s3", "s4", "unbalance", "birch2")
SHAPES = ("aggregation", "compound")

SWAPS = {"birch2": 5_000}
SWAPS_ELSEWHERE = 1_000
REPEATS = 100
SAMPLE = 5_000
"""Objects that Ward's method merges where there are too many for all of them; the others then go to the
nearest centroid."""

NOISE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """A data set."""

    X: Floats
    labels: Labels
    centroids: Floats

    @property
    def n_clusters(self) -> int:
        """K."""
        return len(self.centroids)


@cache
def truth(name: str) -> Truth:
    """A data set by name."""
    data = load_dataset(name)
    labels = np.unique(data.labels, return_inverse=True)[1].astype(np.int64)
    return Truth(data.X, labels, means_of(data.X, labels))


def means_of(X: Floats, labels: Labels) -> Floats:
    """Mean of each cluster, in the order of the labels; objects with the label `NOISE` are left out."""
    return np.array([X[labels == k].mean(axis=0) for k in np.unique(labels[labels != NOISE])])


def repeated_kmeans(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """The best of many random starts of k-means."""
    return kmeans(X, n_clusters, rng, n_init=REPEATS)


def ward(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """Ward's method; of a sample where there are too many objects."""
    if len(X) <= MOST_OBJECTS:
        return linkage_labels(X, n_clusters, "ward")
    from scipy.spatial import KDTree

    sample = X[rng.choice(len(X), SAMPLE, replace=False)]
    centroids = means_of(sample, linkage_labels(sample, n_clusters, "ward"))
    return np.asarray(KDTree(centroids).query(X)[1], dtype=np.int64)


def dbscan(X: Floats, eps: float, min_samples: int) -> Labels:
    """DBSCAN of scikit-learn; outliers have the label `NOISE`."""
    from sklearn.cluster import DBSCAN

    return np.asarray(DBSCAN(eps=eps, min_samples=min_samples).fit_predict(X), dtype=np.int64)


CLUSTERERS: dict[str, Callable[[Floats, int, np.random.Generator], Labels]] = {
    "kmeans": kmeans,
    "kmeans++": lambda X, K, rng: kmeans(X, K, rng, init="k-means++"),
    "repeated_kmeans": repeated_kmeans,
    "random_swap": lambda X, K, rng: random_swap(X, K, rng, swaps=SWAPS_ELSEWHERE).labels,
    "random_swap_birch2": lambda X, K, rng: random_swap(X, K, rng, swaps=SWAPS["birch2"]).labels,
    "genetic": lambda X, K, rng: genetic(X, K, rng).labels,
    "ward": ward,
    "single_link": lambda X, K, rng: linkage_labels(X, K, "single"),
    "sam": lambda X, K, rng: split_and_merge(X, K),
}
"""Labels from objects, a number of clusters and a generator; `dbscan` has no number of clusters."""

DESCRIPTIONS = {
    "kmeans": "k-means of scikit-learn, one start from random objects",
    "kmeans++": "k-means of scikit-learn, one start of k-means++",
    "repeated_kmeans": f"k-means, the best of {REPEATS} random starts",
    "random_swap": f"random swap, {SWAPS_ELSEWHERE:,} swaps of two iterations, on birch2 {SWAPS['birch2']:,}",
    "genetic": "genetic algorithm, a population of 45 crossed by pairwise nearest neighbours until no better",
    "ward": f"Ward's method (pairwise nearest neighbours) of SciPy; on birch2 of {SAMPLE:,} objects, the"
    " others then at the nearest centroid",
    "single_link": "single link of SciPy",
    "dbscan": "DBSCAN of scikit-learn; of a grid of parameters the fewest outliers among those that give as"
    " many clusters as there are classes, or as near to that as there is",
    "sam": "split and merge by minimum spanning trees, after Zhong, Miao & Fränti (2011)",
}


def cluster(clusterer: str, name: str, rng: np.random.Generator) -> Labels:
    """Labels of a data set."""
    data = truth(name)
    function = CLUSTERERS.get(f"{clusterer}_{name}", CLUSTERERS[clusterer])
    return function(data.X, data.n_clusters, rng)
