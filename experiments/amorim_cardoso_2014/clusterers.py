"""The clusterers compared, by name.

The paper used k-means of IBM SPSS Statistics and EM of the R package Rmixmod; neither can be called from
here. The two are written anew after what is public about them (`quick_cluster`, `proportional_em`), and
stand beside common choices of today, so that one can see how much the conclusions owe to the software.
"""

import warnings
from collections.abc import Callable
from difflib import get_close_matches
from typing import Literal

import numpy as np
import numpy.typing as npt

from experiments.amorim_cardoso_2014 import proportional_em
from experiments.clusterers.quick_cluster import quick_cluster

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


def kmeans_spss(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """K-means from one start, as QUICK CLUSTER does; needs no `rng`, depends on the order of the rows."""
    return quick_cluster(X, n_clusters).labels


def kmeans_best_of_10(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """K-means of least inertia among ten starts of scikit-learn's k-means++."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    model = KMeans(n_clusters, init="k-means++", n_init=10, random_state=_seed(rng))
    with threadpool_limits(limits=1):  # several threads add up in any order
        return np.asarray(model.fit_predict(X), dtype=np.int64)


def em_mixmod(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """EM for Gaussians with proportional covariances from the best of 50 short runs."""
    return proportional_em.fit(X, n_clusters, rng).labels


def gmm_full(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """EM of scikit-learn, a free covariance for each component, best of ten starts."""
    return _gaussian_mixture(X, n_clusters, rng, "full")


def gmm_diag(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """EM of scikit-learn, a diagonal covariance for each component, best of ten starts."""
    return _gaussian_mixture(X, n_clusters, rng, "diag")


CLUSTERERS: dict[str, Callable[[Floats, int, np.random.Generator], Labels]] = {
    "kmeans_spss": kmeans_spss,
    "kmeans_best_of_10": kmeans_best_of_10,
    "em_mixmod": em_mixmod,
    "gmm_full": gmm_full,
    "gmm_diag": gmm_diag,
}
"""The clusterers by name."""

DESCRIPTIONS: dict[str, str] = {
    "kmeans_spss": "k-means from one start, after IBM SPSS QUICK CLUSTER",
    "kmeans_best_of_10": "k-means, best of ten k-means++ starts (scikit-learn)",
    "em_mixmod": "EM, proportional covariances, short runs then a long one, after Rmixmod's defaults",
    "gmm_full": "EM, free covariances, best of ten starts (scikit-learn)",
    "gmm_diag": "EM, diagonal covariances, best of ten starts (scikit-learn)",
    "em_from_groups": "EM of em_mixmod's model, run to the end from the true groups, which no one has",
}
"""A line about each clusterer, and about `em_from_groups`."""


def cluster(name: str, X: npt.ArrayLike, n_clusters: int, rng: np.random.Generator) -> Labels:
    """Labels of the objects by a clusterer.

    Parameters
    ----------
    name : str
        A key of `CLUSTERERS`.
    X : array-like
        Objects, shape (n, d), finite numbers.
    n_clusters : int
        Number of clusters, from 1 to the number of distinct rows of `X`.
    rng : numpy.random.Generator
        Where all random numbers come from: the same state gives the same labels.

    Returns
    -------
    numpy.ndarray
        int64, shape (n,), values in 0, ..., n_clusters - 1. A clusterer may leave a cluster empty.

    Raises
    ------
    ValueError
        If an argument breaks the rules above. By ``"em_mixmod"`` also if the columns of `X` are linearly
        dependent, or if with so many clusters a component shrinks to a point from every start.

    Examples
    --------
    >>> X = [[0.0], [1.0], [9.0], [10.0]]
    >>> cluster("kmeans_spss", X, 2, np.random.default_rng(1))
    array([0, 0, 1, 1])
    """
    if name not in CLUSTERERS:
        near = get_close_matches(name, CLUSTERERS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(CLUSTERERS)}."
        raise ValueError(f"`name` must be a key of CLUSTERERS; got {name!r}. {hint}")
    objects = np.ascontiguousarray(X, dtype=np.float64)
    if objects.ndim != 2 or 0 in objects.shape:
        raise ValueError(f"`X` must have shape (n, d), n and d at least 1; got {objects.shape}.")
    if not np.isfinite(objects).all():
        raise ValueError("`X` must be finite; got nan or infinity. Drop such rows.")
    distinct = len(np.unique(objects, axis=0))
    if not 1 <= n_clusters <= distinct:
        raise ValueError(
            f"`n_clusters` must be from 1 to {distinct}, the distinct rows of `X`; got {n_clusters}."
        )
    return CLUSTERERS[name](objects, n_clusters, rng)


def em_from_groups(X: npt.ArrayLike, groups: npt.ArrayLike) -> Labels:
    """Labels by EM of the model of `em_mixmod`, started from the true groups and run to the end.

    It ends at the maximum of the likelihood next to the groups, if there is one: what a lucky start gives.

    Parameters
    ----------
    X : array-like
        Objects, shape (n, d), finite numbers.
    groups : array-like
        Group of each object, int64, shape (n,), in 0, ..., K - 1, each with more than one object.

    Returns
    -------
    numpy.ndarray
        int64, shape (n,).
    """
    objects = np.ascontiguousarray(X, dtype=np.float64)
    posteriors = np.eye(int(np.max(groups)) + 1)[np.asarray(groups)]
    means = posteriors.T @ objects / posteriors.sum(axis=0)[:, np.newaxis]
    start = proportional_em.maximisation(objects, posteriors, proportional_em.from_centres(objects, means))
    if start is None:
        raise ValueError("`groups` must each hold more than a point; got one that does not.")
    return proportional_em.run_em(objects, start, iterations=1_000, epsilon=1e-3, stop="absolute").labels


def _gaussian_mixture(
    X: Floats, n_clusters: int, rng: np.random.Generator, covariance_type: Literal["full", "diag"]
) -> Labels:
    """Labels by scikit-learn's mixture with its defaults; a run stopped after 100 iterations counts."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture
    from threadpoolctl import threadpool_limits

    model = GaussianMixture(n_clusters, covariance_type=covariance_type, n_init=10, random_state=_seed(rng))
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(model.fit_predict(X), dtype=np.int64)


def _seed(rng: np.random.Generator) -> int:
    """A seed for scikit-learn."""
    return int(rng.integers(2**31))
