"""The clusterers compared, by name.

The paper used k-means of IBM SPSS Statistics and EM of the R package Rmixmod; neither can be called from
here. The two are written anew after what is public about them (`experiments.clusterers.quick_cluster` and
`mixmod`), and stand beside common choices of today, so that one can see how much the conclusions owe to the
software. The paper does not say which of the 14 families of Gaussian mixtures its EM was told to fit; all
are run, and `THE_EM` is the one with which most printed numbers agree.
"""

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial

import numpy as np
import numpy.typing as npt

from experiments.clusterers import mixmod
from experiments.clusterers.gaussian_families import FAMILIES
from experiments.clusterers.library import gmm_diag, gmm_full, kmeans_best_of_10
from experiments.clusterers.quick_cluster import quick_cluster

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

THE_KMEANS = "kmeans_spss"
THE_EM = "em_lk_b"
"""The two that stand for the paper's; the family of EM was chosen with the printed results in view."""

RMIXMODS_DEFAULT = "em_lk_c"

EM_FAMILIES = {f"em_{key}": key for key in FAMILIES}
"""EM after Rmixmod, by name: the family that it fits."""


def kmeans_spss(X: Floats, n_clusters: int, rng: np.random.Generator) -> Labels:
    """K-means from one start, as QUICK CLUSTER does; needs no `rng`, depends on the order of the rows."""
    return quick_cluster(X, n_clusters).labels


def em(X: Floats, n_clusters: int, rng: np.random.Generator, *, family: str) -> Labels:
    """EM for a family of Gaussian mixtures, from the best of 50 short runs."""
    return mixmod.fit(X, n_clusters, rng, family=family).labels


CLUSTERERS: dict[str, Callable[[Floats, int, np.random.Generator], Labels]] = {
    THE_KMEANS: kmeans_spss,
    "kmeans_best_of_10": kmeans_best_of_10,
    **{name: partial(em, family=key) for name, key in EM_FAMILIES.items()},
    "gmm_full": gmm_full,
    "gmm_diag": gmm_diag,
}
"""The clusterers by name."""

DESCRIPTIONS: dict[str, str] = {
    THE_KMEANS: "k-means from one start, after IBM SPSS QUICK CLUSTER",
    "kmeans_best_of_10": "k-means, best of ten k-means++ starts (scikit-learn)",
    **{
        name: f"EM after Rmixmod, {FAMILIES[key].name} ({FAMILIES[key].description})"
        for name, key in EM_FAMILIES.items()
    },
    "gmm_full": "EM, free covariances, best of ten starts (scikit-learn)",
    "gmm_diag": "EM, diagonal covariances, best of ten starts (scikit-learn)",
}
"""A line about each clusterer."""


def is_em(name: str) -> bool:
    """Whether it stands beside the paper's EM, and not beside its k-means."""
    return not name.startswith("kmeans")


def cluster(name: str, X: npt.ArrayLike, n_clusters: int, rng: np.random.Generator) -> Labels:
    """Labels of the objects by a clusterer.

    Returns int64 of shape (n,), values in 0, ..., n_clusters - 1. A clusterer may leave a cluster empty.
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
