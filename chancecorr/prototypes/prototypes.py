"""Clusterings compared by their prototypes: centroid index and centroid similarity index.

A prototype stands for a cluster: a centroid, a medoid, a mode or a Gaussian component. Each is mapped to the
nearest one of the other clustering; one to which none is mapped is an orphan. A contingency table does not
determine these indices, so they have no place in the catalogue and no null distribution.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.machine.arrays import Integers
from chancecorr.prototypes.distances import Metric, prototype_distances


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrototypeMaps:
    """Nearest prototypes of two clusterings, in both directions.

    Attributes
    ----------
    map_ab : ndarray of int64, shape (K_A,)
        For each prototype of A, the number of the nearest one in B.
    map_ba : ndarray of int64, shape (K_B,)
        For each prototype of B, the number of the nearest one in A.

    Examples
    --------
    >>> maps = map_prototypes([[0, 0], [1, 1], [9, 9]], [[0, 0], [1, 1], [1, 2]])
    >>> maps.map_ab.tolist(), maps.map_ba.tolist()
    ([0, 1, 2], [0, 1, 1])
    >>> maps.orphans_a.tolist(), maps.orphans_b.tolist(), maps.centroid_index  # nothing is near (9, 9)
    ([2], [], 1)
    """

    map_ab: Integers
    map_ba: Integers

    @property
    def orphans_a(self) -> Integers:
        """Numbers of the prototypes of A to which none of B is mapped; as many as ``CI_1(B -> A)``."""
        return _not_chosen(self.map_ba, self.map_ab.size)

    @property
    def orphans_b(self) -> Integers:
        """Numbers of the prototypes of B to which none of A is mapped; as many as ``CI_1(A -> B)``."""
        return _not_chosen(self.map_ab, self.map_ba.size)

    @property
    def centroid_index(self) -> int:
        """The larger number of orphans."""
        return max(self.orphans_a.size, self.orphans_b.size)

    @property
    def relative_index(self) -> float:
        """The centroid index as a share of the larger number of clusters, in [0, 1)."""
        return self.centroid_index / max(self.map_ab.size, self.map_ba.size)

    def __repr__(self) -> str:
        """Index and orphans."""
        a, b = self.orphans_a.tolist(), self.orphans_b.tolist()
        return f"<PrototypeMaps: CI = {self.centroid_index}, orphans_a = {a}, orphans_b = {b}>"


def _not_chosen(nearest: Integers, count: int) -> Integers:
    """Numbers below `count` that are not in `nearest`; counted, since sorting a million takes far longer."""
    return np.flatnonzero(np.bincount(nearest, minlength=count) == 0)


def centroid_index(A: Any, B: Any, *, metric: Metric | None = None) -> int:
    """Centroid index (CI): how many clusters two clusterings allocate differently.

    Parameters
    ----------
    A, B : array-like, GaussianComponents or fitted estimator
        Prototypes of shapes (K_A, d) and (K_B, d): numbers (centroids, medoids), or strings and other
        categories (modes). Of an estimator, `cluster_centers_` (KMeans, MeanShift, AffinityPropagation, ...),
        `cluster_centroids_` (KModes), or the components of a Gaussian mixture.
    metric : str or callable, optional
        A metric of `scipy.spatial.distance.cdist`. By default Euclidean for numbers, Hamming for categories,
        Bhattacharyya for two Gaussian mixtures. If given, mixtures are compared by their means alone. Modes
        coded as numbers need ``metric="hamming"``.

    Returns
    -------
    int
        From ``abs(K_A - K_B)`` to ``max(K_A, K_B) - 1``; 0 if there is no orphan. `map_prototypes` names the
        orphans, and has the relative index, CI / K.

    Raises
    ------
    TypeError, ValueError
        If a side is empty or not such prototypes, has missing categories or numbers that are not finite; if
        the two differ in columns; if the metric is unknown, does not suit them or gives no finite number.

    Notes
    -----
    ``CI = max(CI_1(A -> B), CI_1(B -> A))``, where ``CI_1(A -> B)`` counts the prototypes of B that are the
    nearest of none of A. Source: Fränti & Rezaei (2016), S+SSPR, equations 3 to 6,
    doi:10.1007/978-3-319-49055-7_26, after Fränti, Rezaei & Zhao (2014), Pattern Recognition 47,
    doi:10.1016/j.patcog.2014.03.017. The former's equation 5 prints the indegree of A for that of B.

    Of prototypes equally near the first is taken. With ties, common among modes, the value may depend on the
    order, as in the last example, and of equal prototypes all but the first are orphans.

    Examples
    --------
    >>> centroid_index([[0, 0], [1, 0], [9, 9]], [[0, 1], [8, 9], [9, 8]])  # two for one, and one for two
    1
    >>> centroid_index([["red", "S"], ["blue", "L"]], [["blue", "M"], ["red", "S"]])
    0
    >>> centroid_index([[0], [2]], [[1], [3]]), centroid_index([[0], [2]], [[3], [1]])
    (1, 0)
    """
    return map_prototypes(A, B, metric=metric).centroid_index


def map_prototypes(A: Any, B: Any, *, metric: Metric | None = None) -> PrototypeMaps:
    """Nearest prototypes of two clusterings, in both directions, and the orphans.

    Parameters
    ----------
    A, B, metric
        As for `centroid_index`. ``metric(a, b)`` is taken once per pair, and serves both directions.

    Returns
    -------
    PrototypeMaps
        Maps of shapes (K_A,) and (K_B,); of prototypes equally near, the first.

    Raises
    ------
    TypeError, ValueError
        As for `centroid_index`.

    Notes
    -----
    Source: as for `centroid_index`, equation 3. Time O(K_A K_B d), for mixtures O(K_A K_B d**3).

    Examples
    --------
    >>> map_prototypes([[0, 0], [1, 0], [9, 9]], [[0, 1], [8, 9], [9, 8]])
    <PrototypeMaps: CI = 1, orphans_a = [1], orphans_b = [2]>
    """
    distances = prototype_distances(A, B, metric)
    return PrototypeMaps(map_ab=distances.argmin(axis=1), map_ba=distances.argmin(axis=0))


def centroid_similarity_index(
    A: Any,
    B: Any,
    labels_a: npt.ArrayLike | None = None,
    labels_b: npt.ArrayLike | None = None,
    *,
    metric: Metric | None = None,
) -> float:
    """Centroid similarity index (CSI): share of the objects that lie in clusters mapped to each other.

    Parameters
    ----------
    A, B, metric
        Prototypes of shapes (K_A, d) and (K_B, d), and their metric, as for `centroid_index`.
    labels_a, labels_b : array-like of shape (n,), optional
        Cluster of each object, as the number of its prototype: 0 to K_A - 1, 0 to K_B - 1. By default the
        `labels_` of an estimator; the two must be about the same objects in the same order.

    Returns
    -------
    float
        In [0, 1], 1 at best; nan for no objects.

    Raises
    ------
    TypeError, ValueError
        As for `centroid_index`, and if labels are absent or do not fit the prototypes.

    Notes
    -----
    ``(S_12 + S_21) / 2`` with ``S_12 = sum_i n_ij / n``, j being the cluster of B to which cluster i of A is
    mapped. Source: as for `centroid_index`, equation 2; the mean of both directions is of the paper of 2014.
    Of several clusters mapped to one, each counts, as equation 2 says; the authors' program (``evi.c``,
    version 0.05) counts only the one that shares most objects.

    Examples
    --------
    >>> centroid_similarity_index([[0], [9]], [[1], [7]], [0, 0, 0, 1], [0, 0, 1, 1])
    0.75
    """
    maps = map_prototypes(A, B, metric=metric)
    rows = _cluster_numbers("A", A, labels_a, maps.map_ab.size)
    columns = _cluster_numbers("B", B, labels_b, maps.map_ba.size)
    if rows.size != columns.size:
        raise ArgumentValueError(
            "labels_b", f"must be as long as `labels_a`; got {columns.size} and {rows.size}."
        )
    shared = int((maps.map_ab[rows] == columns).sum()) + int((maps.map_ba[columns] == rows).sum())
    return shared / (2 * rows.size) if rows.size else math.nan


def _cluster_numbers(side: str, given: Any, labels: npt.ArrayLike | None, K: int) -> Integers:
    """Labels of one side, checked, as int64 of shape (n,); those of the estimator if there are none."""
    name = f"labels_{side.lower()}"
    labels = getattr(given, "labels_", None) if labels is None else labels
    if labels is None:
        raise ArgumentTypeError(
            name,
            f"must be given where `{side}` has no `labels_`; got None."
            f" Pass the labels, or {side}.predict(X) for an estimator.",
        )
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ArgumentValueError(name, f"must be one-dimensional; got shape {array.shape}.")
    rule = f"`{name}` must hold numbers of prototypes, 0 to {K - 1}; got"
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{rule} dtype {array.dtype}.")
    clusters = array.astype(np.int64)
    wrong = (clusters < 0) | (clusters >= K)
    if wrong.any():
        k = int(wrong.argmax())
        raise ValueError(f"{rule} {array[k]} at position {k}. Leave such objects out, on both sides.")
    return clusters
