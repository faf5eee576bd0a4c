"""Clusterers of scikit-learn, run in one thread so that the same generator gives the same bits everywhere."""

import warnings
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


def one_thread() -> Any:
    """Context in which the libraries of linear algebra and OpenMP use one thread."""
    return _controller().limit(limits=1)


@cache
def _controller() -> Any:
    """What limits threads, found once: to look for the loaded libraries takes longer than a small k-means."""
    import sklearn.cluster  # noqa: F401  (loads the libraries)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def kmeans(
    X: Floats,
    n_clusters: int,
    rng: np.random.Generator,
    *,
    init: Literal["random", "k-means++"] = "random",
    n_init: int = 1,
) -> Labels:
    """K-means of least inertia among several starts.

    Returns int64 of shape (n,), in 0, ..., K - 1.
    """
    from sklearn.cluster import KMeans

    model = KMeans(n_clusters, init=init, n_init=n_init, random_state=_seed(rng))
    with one_thread():  # several threads add up in any order
        return np.asarray(model.fit_predict(X), dtype=np.int64)


def kmeans_best_of_10(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """K-means of least inertia among ten starts of k-means++."""
    return kmeans(X, n_clusters, rng, init="k-means++", n_init=10)


def gmm_full(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """EM for Gaussians with a free covariance for each component, best of ten starts."""
    return _gaussian_mixture(X, n_clusters, rng, "full")


def gmm_diag(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """EM for Gaussians with a diagonal covariance for each component, best of ten starts."""
    return _gaussian_mixture(X, n_clusters, rng, "diag")


def _gaussian_mixture(
    X: Floats, n_clusters: int, rng: np.random.Generator, covariance_type: Literal["full", "diag"]
) -> Labels:
    """Labels by scikit-learn's mixture with its defaults; a run stopped after 100 iterations counts."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    model = GaussianMixture(n_clusters, covariance_type=covariance_type, n_init=10, random_state=_seed(rng))
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(model.fit_predict(X), dtype=np.int64)


def _seed(rng: np.random.Generator) -> int:
    """A seed for scikit-learn."""
    return int(rng.integers(2**31))


MOST_OBJECTS = 10_000
"""Beyond this the distances of all pairs take more than 400 MB."""


def linkage_labels(X: npt.ArrayLike, n_clusters: int, method: Literal["single", "ward"]) -> Labels:
    """Clusters when `n_clusters` are left.

    Returns int64 of shape (n,), in 0, ..., K - 1.
    """
    from scipy.cluster.hierarchy import cut_tree, linkage

    objects = np.asarray(X, dtype=np.float64)
    if len(objects) > MOST_OBJECTS:
        raise ValueError(f"`X` must have at most {MOST_OBJECTS:,} rows; got {len(objects):,}. Take a sample.")
    return np.asarray(cut_tree(linkage(objects, method), n_clusters).ravel(), dtype=np.int64)
