"""Compare clusterings by their prototypes: centroid index and centroid similarity index.

A prototype represents a cluster: a centroid, a medoid or a Gaussian component. Each prototype is mapped to
the nearest prototype of the other clustering. An orphan is a prototype to which no other is mapped. A
contingency table does not determine these indices, so they are not in the catalogue and have no null
distribution.
"""

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    check_choice,
    explain_call,
    name_kind,
    suggest_name,
)
from chancecorr.machine.arrays import Floats, Integers, refuse_masked
from chancecorr.tables.names import ObjectNames, find_index, match_entries

__all__ = [
    "GaussianComponents",
    "PrototypeMaps",
    "centroid_index",
    "centroid_similarity_index",
    "map_prototypes",
]


def __dir__() -> list[str]:
    return __all__


Metric = str | Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrototypeMaps:
    """Nearest prototypes of two clusterings, in both directions.

    Attributes
    ----------
    map_ab : ndarray of int64, shape (K_A,)
        For each prototype of A, the number of the nearest prototype of B.
    map_ba : ndarray of int64, shape (K_B,)
        For each prototype of B, the number of the nearest prototype of A.

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
        """Prototypes of A to which no prototype of B is mapped; their number is ``CI_1(B -> A)``."""
        return _list_orphans(self.map_ba, self.map_ab.size)

    @property
    def orphans_b(self) -> Integers:
        """Prototypes of B to which no prototype of A is mapped; their number is ``CI_1(A -> B)``."""
        return _list_orphans(self.map_ab, self.map_ba.size)

    @property
    def centroid_index(self) -> int:
        """The larger of the two numbers of orphans."""
        return max(self.orphans_a.size, self.orphans_b.size)

    def __repr__(self) -> str:
        a, b = self.orphans_a.tolist(), self.orphans_b.tolist()
        return f"<PrototypeMaps: CI = {self.centroid_index}, orphans_a = {a}, orphans_b = {b}>"


def _list_orphans(nearest: Integers, count: int) -> Integers:
    """List the numbers below `count` that are not in `nearest`; counting is much faster than sorting."""
    return np.flatnonzero(np.bincount(nearest, minlength=count) == 0)


@explain_call
def centroid_index(A: Any, B: Any, *, metric: Metric | None = None) -> int:
    """Compute the centroid index (CI): the number of clusters that two clusterings allocate differently.

    Parameters
    ----------
    A, B : array-like, GaussianComponents or fitted estimator
        Prototypes of shapes (K_A, d) and (K_B, d), as numbers. An estimator gives `cluster_centers_` (KMeans,
        MeanShift, AffinityPropagation, ...) or the components of a Gaussian mixture.
    metric : str or callable, optional
        A metric of `scipy.spatial.distance.cdist`. By default Euclidean, for two Gaussian mixtures
        Bhattacharyya. With a given metric, mixtures are compared by their means only. For modes, code the
        categories as numbers and pass ``metric="hamming"``.

    Returns
    -------
    int
        From ``abs(K_A - K_B)`` to ``max(K_A, K_B) - 1``; 0 without orphans. `map_prototypes` lists the
        orphans.

    Raises
    ------
    TypeError, ValueError
        If a side is empty, is not such prototypes or not finite; if the numbers of columns differ; if the
        metric is unknown, does not apply, or gives numbers that are not finite.

    Notes
    -----
    ``CI = max(CI_1(A -> B), CI_1(B -> A))``, where ``CI_1(A -> B)`` counts the prototypes of B to which no
    prototype of A is mapped: Fränti & Rezaei (2016), S+SSPR, equations 3 to 6,
    doi:10.1007/978-3-319-49055-7_26 (equation 5 prints the indegree of A instead of the indegree of B);
    Fränti, Rezaei & Zhao (2014), doi:10.1016/j.patcog.2014.03.017. If several prototypes are equally near,
    the first is taken: with ties, which are common among modes, the value may depend on the order.

    Examples
    --------
    >>> centroid_index([[0, 0], [1, 0], [9, 9]], [[0, 1], [8, 9], [9, 8]])  # two for one, and one for two
    1
    """
    return map_prototypes(A, B, metric=metric).centroid_index


@explain_call
def map_prototypes(A: Any, B: Any, *, metric: Metric | None = None) -> PrototypeMaps:
    """Find the nearest prototypes of two clusterings, in both directions, and the orphans.

    Parameters
    ----------
    A, B, metric
        As in `centroid_index`. ``metric(a, b)`` is called once per pair.

    Returns
    -------
    PrototypeMaps
        Maps of shapes (K_A,) and (K_B,); the first prototype if several are equally near. Time O(K_A K_B d),
        for mixtures O(K_A K_B d**3).

    Raises
    ------
    TypeError, ValueError
        As for `centroid_index`.

    Examples
    --------
    >>> map_prototypes([[0, 0], [1, 0], [9, 9]], [[0, 1], [8, 9], [9, 8]])
    <PrototypeMaps: CI = 1, orphans_a = [1], orphans_b = [2]>
    """
    if metric is not None and not isinstance(metric, str) and not callable(metric):
        raise ArgumentTypeError("metric", f"must be a name or a callable; got {metric!r}.")
    mixtures = first, second = read_mixture(A), read_mixture(B)
    if metric is None and (first is None) != (second is None):
        raise ArgumentValueError(
            "metric",
            "must be given to compare a Gaussian mixture with points; got None."
            " Pass metric='euclidean' to compare its means.",
        )
    a, b = (
        _read_points(name, prototypes) if mixture is None else mixture.means
        for name, prototypes, mixture in zip("AB", (A, B), mixtures, strict=True)
    )
    if a.shape[1] != b.shape[1]:
        raise ArgumentValueError("B", f"must have as many columns as `A`; got {b.shape[1]} and {a.shape[1]}.")
    if metric is None and first is not None and second is not None:
        distances = measure_between_mixtures(first, second)
    else:
        distances = _measure_between_points(a, b, metric or "euclidean")
    return PrototypeMaps(map_ab=distances.argmin(axis=1), map_ba=distances.argmin(axis=0))


@explain_call
def centroid_similarity_index(
    A: Any,
    B: Any,
    labels_a: npt.ArrayLike | None = None,
    labels_b: npt.ArrayLike | None = None,
    *,
    metric: Metric | None = None,
) -> float:
    """Compute the centroid similarity index (CSI): the share of objects in clusters mapped to each other.

    Parameters
    ----------
    A, B, metric
        As for `centroid_index`.
    labels_a, labels_b : array-like of shape (n,), optional
        Cluster of each object, as the number of its prototype: 0 to K_A - 1, 0 to K_B - 1. By default the
        `labels_` of an estimator. Both must have the same objects in the same order, or be Series with the
        same index.

    Returns
    -------
    float
        In [0, 1], 1 at best; nan without objects.

    Raises
    ------
    TypeError, ValueError
        As in `centroid_index`, and if labels are missing or do not match the prototypes.

    Notes
    -----
    ``(S_12 + S_21) / 2`` with ``S_12 = sum_i n_ij / n``, where cluster i of A is mapped to cluster j of B:
    Fränti, Rezaei & Zhao (2014), doi:10.1016/j.patcog.2014.03.017. If several clusters are mapped to the same
    cluster, each counts, as equation 2 of Fränti & Rezaei (2016) says; the authors' program (``evi.c``,
    version 0.05) counts only the cluster that shares most objects.

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
    index_a, index_b = find_index(labels_a), find_index(labels_b)
    if index_a is not None:
        places = match_entries("labels_b", index_b, ObjectNames(index_a, "labels_a"), "labels")
        columns = columns if places is None else columns[places]
    shared = int((maps.map_ab[rows] == columns).sum()) + int((maps.map_ba[columns] == rows).sum())
    return shared / (2 * rows.size) if rows.size else math.nan


def _cluster_numbers(side: str, prototypes: Any, labels: npt.ArrayLike | None, K: int) -> Integers:
    """Return the checked labels of one side as int64, shape (n,); by default the estimator's labels."""
    name = f"labels_{side.lower()}"
    labels = getattr(prototypes, "labels_", None) if labels is None else labels
    if labels is None:
        raise ArgumentTypeError(
            name,
            f"must be given if `{side}` has no `labels_`; got None."
            f" Pass the labels, or {side}.predict(X) for an estimator.",
        )
    refuse_masked(name, labels)
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ArgumentValueError(name, f"must be one-dimensional; got shape {array.shape}.")
    rule = f"must hold numbers of prototypes, 0 to {K - 1}; got"
    if array.size and array.dtype.kind not in "iu":
        raise ArgumentTypeError(name, f"{rule} dtype {array.dtype}.")
    wrong = (array < 0) | (array >= K)
    if wrong.any():
        k = int(wrong.argmax())
        got = f"{array[k]} at position {k}. Leave such objects out, on both sides."
        raise ArgumentValueError(name, f"{rule} {got}")
    return array.astype(np.int64)


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class GaussianComponents:
    """Means and covariance matrices of the components of a Gaussian mixture.

    Parameters
    ----------
    means : array-like of shape (K, d)
        Mean of each component.
    covariances : array-like
        Covariances in the form and shape of `covariance_type`.
    covariance_type : {"full", "tied", "diag", "spherical"}, default "full"
        A matrix per component (K, d, d); one matrix for all (d, d); variances per component (K, d); one
        variance per component (K,).

    Attributes
    ----------
    means : ndarray of float64, shape (K, d)
        Read-only copy.
    covariances : ndarray of float64, shape (K, d, d)
        Full matrices, read-only, for any `covariance_type`.

    Raises
    ------
    TypeError, ValueError
        If the numbers are not finite, the shapes do not match, the mixture is empty, or a matrix is not
        symmetric (to 1e-8) and positive definite.

    Notes
    -----
    The weights of the components are not used: leave out empty components beforehand.

    Examples
    --------
    >>> GaussianComponents([[0, 0], [5, 5]], [1, 2], "spherical")
    <GaussianComponents: K = 2, d = 2>
    """

    means: Floats
    covariances: Floats

    def __init__(
        self,
        means: npt.ArrayLike,
        covariances: npt.ArrayLike,
        covariance_type: Literal["full", "tied", "diag", "spherical"] = "full",
    ) -> None:
        check_choice("covariance_type", covariance_type, ["full", "tied", "diag", "spherical"])
        centres = read_numbers("means", means, 2)
        K, d = centres.shape
        shape = {"full": (K, d, d), "tied": (d, d), "diag": (K, d), "spherical": (K,)}[covariance_type]
        matrices = read_numbers("covariances", covariances, len(shape))
        if matrices.shape != shape:
            raise ArgumentValueError(
                "covariances",
                f"must have shape {shape} for {K} means in {d} dimensions and"
                f" covariance_type={covariance_type!r}; got {matrices.shape}.",
            )
        if covariance_type == "tied":
            matrices = np.repeat(matrices[np.newaxis], K, axis=0)
        elif covariance_type != "full":
            matrices = np.broadcast_to(matrices.reshape(K, -1), (K, d))[:, :, np.newaxis] * np.eye(d)
        matrices = _check_definite(matrices)
        for name, array in (("means", centres), ("covariances", matrices)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        K, d = self.means.shape
        return f"<GaussianComponents: K = {K}, d = {d}>"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Pickle the arrays, so that a copy is read-only too."""
        return type(self), (self.means, self.covariances)


def read_mixture(prototypes: Any) -> GaussianComponents | None:
    """Return the components, also of a fitted Gaussian mixture; None for other prototypes."""
    if isinstance(prototypes, GaussianComponents):
        return prototypes
    names = ("means_", "covariances_", "covariance_type")
    if not all(hasattr(prototypes, name) for name in names):
        return None
    return GaussianComponents(*(getattr(prototypes, name) for name in names))


def read_numbers(name: str, values: Any, ndim: int) -> Floats:
    """Return a copy as float64; raise if it is empty or not finite."""
    refuse_masked(name, values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise ArgumentValueError(
            name, f"must be an array of {ndim} dimensions; got rows of different lengths."
        ) from None
    if array.ndim != ndim or array.size == 0:
        got = f"shape {array.shape}" if array.ndim else name_kind(values)
        raise ArgumentValueError(name, f"must be an array of {ndim} dimensions, not empty; got {got}.")
    if array.dtype.kind == "O" and all(isinstance(value, numbers.Real) for value in array.flat):
        array = array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise ArgumentTypeError(name, f"must hold numbers; got dtype {array.dtype}.")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        where = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise ArgumentValueError(name, f"must hold finite numbers; got {array[where]} at position {where}.")
    return array


def _check_definite(matrices: Floats) -> Floats:
    """Return matrices of shape (K, d, d), made exactly symmetric; raise if not positive definite."""
    tolerance = 10 * matrices.shape[1] * np.finfo(np.float64).eps
    for k, matrix in enumerate(matrices):
        std = np.sqrt(np.maximum(np.diagonal(matrix), 0.0))
        # check correlations, so that the units of the features do not matter
        correlations = matrix / np.outer(std, std) if std.all() else np.zeros_like(matrix)
        if (np.abs(correlations - correlations.T) > 1e-8).any():
            raise ArgumentValueError(
                "covariances", f"must be symmetric matrices; component {k} is not symmetric."
            )
        if np.linalg.eigvalsh(correlations)[0] <= tolerance:
            raise ArgumentValueError(
                "covariances",
                f"must be positive definite; component {k} is not."
                " Add a small number to its diagonal, or use fewer dimensions.",
            )
    return (matrices + matrices.swapaxes(1, 2)) / 2


def _read_points(name: str, prototypes: Any) -> Floats:
    """Return prototypes as an array of shape (K, d)."""
    prototypes = getattr(prototypes, "cluster_centers_", prototypes)
    if hasattr(prototypes, "fit"):
        raise ArgumentTypeError(
            name,
            f"must be prototypes or a fitted estimator that has them; got {name_kind(prototypes)}."
            " Fit it, or pass an array of shape (K, d).",
        )
    return read_numbers(name, prototypes, 2)


def measure_between_mixtures(a: GaussianComponents, b: GaussianComponents) -> Floats:
    """Return Bhattacharyya distances ``m' S**-1 m / 8 + ln(|S| / sqrt(|S_1| |S_2|)) / 2`` of components.

    m is the difference of the two means, and S the mean of the two covariances: Fränti & Rezaei (2016),
    equations 7 and 8 (they call it a similarity); Kailath (1967), doi:10.1109/TCOM.1967.1089532.
    """
    logs_a, logs_b = (np.linalg.slogdet(side.covariances).logabsdet for side in (a, b))
    distances = np.empty((a.means.shape[0], b.means.shape[0]))
    for i in range(distances.shape[0]):
        middle = (a.covariances[i] + b.covariances) / 2
        whitened = np.linalg.solve(np.linalg.cholesky(middle), (a.means[i] - b.means)[:, :, np.newaxis])
        logs = np.linalg.slogdet(middle).logabsdet - (logs_a[i] + logs_b) / 2
        distances[i] = (whitened**2).sum(axis=(1, 2)) / 8 + logs / 2
    return np.maximum(distances, 0.0)  # rounding can leave -1e-16


def _measure_between_points(a: Floats, b: Floats, metric: Any) -> Floats:
    """Return distances from SciPy; raise if one is not finite."""
    from scipy.spatial import distance

    try:
        distances: Floats = distance.cdist(a, b, metric)
    except ValueError as error:
        if callable(metric):
            raise
        rule = f"must suit scipy.spatial.distance.cdist; got {metric!r}: {str(error).rstrip('.')}."
        raise ArgumentValueError("metric", rule + suggest_name(metric, distance.__all__)) from error
    if not np.isfinite(distances).all():
        i, j = map(int, np.argwhere(~np.isfinite(distances))[0])
        raise ArgumentValueError(
            "metric", f"must give finite numbers; got {distances[i, j]} for A[{i}] and B[{j}]."
        )
    return distances
