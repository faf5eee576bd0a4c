"""The clusterers compared, by name.

The paper used k-means of IBM SPSS Statistics and EM of the R package Rmixmod; neither can be called from
here. The two are written anew in `experiments.clusterers`, after what is public about them, and stand beside
common choices of today, so that one can see how much the conclusions owe to the software.
"""

from collections.abc import Callable
from difflib import get_close_matches

import numpy as np
import numpy.typing as npt

from experiments.clusterers import mixmod
from experiments.clusterers.library import gmm_diag, gmm_full, kmeans_best_of_10
from experiments.clusterers.quick_cluster import quick_cluster

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


def kmeans_spss(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """K-means from one start, as QUICK CLUSTER does; needs no `rng`, depends on the order of the rows."""
    return quick_cluster(X, n_clusters).labels


def em_mixmod(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """EM for Gaussians with diagonal covariances of one shape, with the strategy of Rmixmod."""
    return mixmod.fit(X, n_clusters, rng, family="lk_b").labels


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
    "em_mixmod": "EM, diagonal covariances of one shape, short runs and a long one as in Rmixmod",
    "gmm_full": "EM, free covariances, best of ten starts (scikit-learn)",
    "gmm_diag": "EM, diagonal covariances, best of ten starts (scikit-learn)",
}
"""A line about each clusterer."""


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
        If an argument breaks the rules above. By ``"em_mixmod"`` also if a column of `X` does not vary, or
        if with so many clusters a component shrinks to a point from every start.

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
