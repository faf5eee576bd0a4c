"""Distances between prototypes: points, modes, and Gaussian components of mixture models."""

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, did_you_mean, one_of
from chancecorr.machine.arrays import Floats
from chancecorr.tables.labels import encode, with_article

Metric = str | Callable[..., Any]


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class GaussianComponents:
    """Means and covariance matrices of the components of a Gaussian mixture.

    Parameters
    ----------
    means : array-like of shape (K, d)
        Mean of each component.
    covariances : array-like
        Covariances in one of the forms below, of the shape given with it.
    covariance_type : {"full", "tied", "diag", "spherical"}, default "full"
        A matrix per component (K, d, d); one matrix for all (d, d); variances per component (K, d); one
        variance per component (K,).

    Attributes
    ----------
    means : ndarray of float64, shape (K, d)
        Read-only copy.
    covariances : ndarray of float64, shape (K, d, d)
        Full matrices, read-only, whatever form was given.

    Raises
    ------
    TypeError, ValueError
        If these are not finite numbers of fitting shapes, there is no component, or a matrix is not symmetric
        (to 1e-8) and positive definite.

    Notes
    -----
    Weights have no part in comparing components: leave out empty ones beforehand.

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
        one_of("covariance_type", covariance_type, ["full", "tied", "diag", "spherical"])
        centres = number_array("means", means, 2)
        K, d = centres.shape
        shape = {"full": (K, d, d), "tied": (d, d), "diag": (K, d), "spherical": (K,)}[covariance_type]
        matrices = number_array("covariances", covariances, len(shape))
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
        matrices = _positive_definite(matrices)
        for name, array in (("means", centres), ("covariances", matrices)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        """Numbers of components and of dimensions."""
        K, d = self.means.shape
        return f"<GaussianComponents: K = {K}, d = {d}>"

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Pickle as the arrays, so that a copy is read-only too."""
        return type(self), (self.means, self.covariances)


def bhattacharyya_distances(A: Any, B: Any) -> Floats:
    """Bhattacharyya distance of every component of one Gaussian mixture to every one of another.

    Parameters
    ----------
    A, B : GaussianComponents or fitted estimator
        Components of shapes (K_A, d) and (K_B, d), or an estimator with `means_`, `covariances_` and
        `covariance_type`, as scikit-learn's GaussianMixture and BayesianGaussianMixture.

    Returns
    -------
    ndarray of float64, shape (K_A, K_B)
        Non-negative, 0 for equal components. ``exp(-distance)`` is the Bhattacharyya coefficient, in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If a side is no Gaussian mixture, or the two differ in dimension.

    Notes
    -----
    ``D = -ln integral sqrt(p q) = m' S**-1 m / 8 + ln(|S| / sqrt(|S_1| |S_2|)) / 2``, with m the difference
    of the means and S the mean of the covariances: sqrt(p q) is the exponential of a quadratic form with
    precision matrix ``(S_1**-1 + S_2**-1) / 2 = S_1**-1 S S_2**-1``; completing the square leaves the first
    term, its integral the second. Source: Fränti & Rezaei (2016), S+SSPR, equations 7 and 8,
    doi:10.1007/978-3-319-49055-7_26, where this distance is called a similarity; Kailath (1967), IEEE
    Transactions on Communication Technology 15, doi:10.1109/TCOM.1967.1089532. Computed from Cholesky factors
    and logarithms of determinants: a determinant itself would overflow in many dimensions.

    Examples
    --------
    >>> A = GaussianComponents([[0.0]], [[[1.0]]])
    >>> bhattacharyya_distances(A, GaussianComponents([[2.0], [0.0]], [1.0, 4.0], "spherical")).round(6)
    array([[0.5     , 0.111572]])
    """
    a, b = mixture_of(A), mixture_of(B)
    if a is None or b is None:
        name, given = ("A", A) if a is None else ("B", B)
        raise ArgumentTypeError(
            name, f"must be GaussianComponents or a fitted Gaussian mixture; got {with_article(given)}."
        )
    require_same_columns(a.means, b.means)
    logs_a, logs_b = (np.linalg.slogdet(side.covariances).logabsdet for side in (a, b))
    distances = np.empty((a.means.shape[0], b.means.shape[0]))
    for i in range(distances.shape[0]):
        middle = (a.covariances[i] + b.covariances) / 2
        whitened = np.linalg.solve(np.linalg.cholesky(middle), (a.means[i] - b.means)[:, :, np.newaxis])
        logs = np.linalg.slogdet(middle).logabsdet - (logs_a[i] + logs_b) / 2
        distances[i] = (whitened**2).sum(axis=(1, 2)) / 8 + logs / 2
    return np.maximum(distances, 0.0)  # rounding can leave -1e-16


def mixture_of(given: Any) -> GaussianComponents | None:
    """Components as they are, or those of a fitted Gaussian mixture; None if it is neither."""
    if isinstance(given, GaussianComponents):
        return given
    names = ("means_", "covariances_", "covariance_type")
    if not all(hasattr(given, name) for name in names):
        return None
    return GaussianComponents(*(getattr(given, name) for name in names))


def require_same_columns(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> None:
    """Raise unless prototypes of shapes (K_A, d) and (K_B, d) lie in the same space."""
    if a.shape[1] != b.shape[1]:
        raise ArgumentValueError("B", f"must have as many columns as `A`; got {b.shape[1]} and {a.shape[1]}.")


def number_array(name: str, values: Any, ndim: int, *, categories: bool = False) -> npt.NDArray[Any]:
    """Copy as float64, finite and not empty; or as objects, where categories may replace numbers."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise ArgumentValueError(
            name, f"must be an array of {ndim} dimensions; got rows of different lengths."
        ) from None
    if array.ndim != ndim or array.size == 0:
        got = f"shape {array.shape}" if array.ndim else with_article(values)
        raise ArgumentValueError(name, f"must be an array of {ndim} dimensions, not empty; got {got}.")
    if array.dtype.kind == "O" and all(isinstance(value, numbers.Real) for value in array.flat):
        array = array.astype(np.float64)
    if array.dtype.kind in "OUST" and categories:
        return np.array(values, dtype=object)  # from the values: NumPy turns a list's 1 into "1" beside words
    if array.dtype.kind not in "biuf":
        raise ArgumentTypeError(name, f"must hold numbers; got dtype {array.dtype}.")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        where = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise ArgumentValueError(name, f"must hold finite numbers; got {array[where]} at position {where}.")
    return array


def _positive_definite(matrices: Floats) -> Floats:
    """Matrices of shape (K, d, d) themselves, made exactly symmetric, checked."""
    tolerance = 10 * matrices.shape[1] * np.finfo(np.float64).eps
    for k, matrix in enumerate(matrices):
        std = np.sqrt(np.maximum(np.diagonal(matrix), 0.0))
        # of correlations, so that the features' units do not matter
        correlations = matrix / np.outer(std, std) if std.all() else np.zeros_like(matrix)
        if (np.abs(correlations - correlations.T) > 1e-8).any():
            raise ArgumentValueError(
                "covariances", f"must be symmetric matrices; got another for component {k}."
            )
        if np.linalg.eigvalsh(correlations)[0] <= tolerance:
            raise ArgumentValueError(
                "covariances",
                f"must be positive definite; component {k} is not."
                " Add a small number to its diagonal, or use fewer dimensions.",
            )
    return (matrices + matrices.swapaxes(1, 2)) / 2


def prototype_distances(A: Any, B: Any, metric: Metric | None) -> Floats:
    """Distance of every prototype of A to every one of B, shape (K_A, K_B)."""
    if metric is not None and not isinstance(metric, str) and not callable(metric):
        raise ArgumentTypeError("metric", f"must be a name or a callable; got {metric!r}.")
    mixtures = mixture_of(A), mixture_of(B)
    if metric is None and mixtures[0] is not None and mixtures[1] is not None:
        return bhattacharyya_distances(*mixtures)
    if metric is None and mixtures != (None, None):
        raise ArgumentValueError(
            "metric",
            "must be given to compare a Gaussian mixture with points; got None."
            " Pass metric='euclidean' to compare its means.",
        )
    a, b = (
        _points(name, given) if mixture is None else mixture.means
        for name, given, mixture in zip("AB", (A, B), mixtures, strict=True)
    )
    require_same_columns(a, b)
    if a.dtype != b.dtype:
        kinds = ["categories" if side.dtype.kind == "O" else "numbers" for side in (b, a)]
        raise ArgumentTypeError(
            "B", f"must hold categories or numbers as `A` does; got {kinds[0]} and {kinds[1]}."
        )
    if a.dtype.kind == "O":
        if metric not in (None, "hamming"):
            raise ArgumentValueError("metric", f"must be 'hamming' for categories; got {metric!r}.")
        codes = encode("A", [*a.flat, *b.flat]).codes.astype(np.float64).reshape(-1, a.shape[1])
        a, b, metric = codes[: a.shape[0]], codes[a.shape[0] :], "hamming"
    return _numeric_distances(a, b, metric or "euclidean")


def _points(name: str, given: Any) -> npt.NDArray[Any]:
    """Prototypes as an array of shape (K, d): of float64, or of objects when they are categories."""
    for attribute in ("cluster_centers_", "cluster_centroids_"):
        given = getattr(given, attribute, given)
    if hasattr(given, "fit"):
        raise ArgumentTypeError(
            name,
            f"must be prototypes or a fitted estimator that has them; got {with_article(given)}."
            " Fit it, or pass an array of shape (K, d).",
        )
    array = number_array(name, given, 2, categories=True)
    missing = encode(name, list(array.flat)).missing if array.dtype.kind == "O" else None
    if missing is not None:
        where = divmod(int(missing.argmax()), array.shape[1])
        raise ArgumentValueError(name, f"must hold no missing categories; got {array[where]!r} at {where}.")
    return array


def _numeric_distances(a: Floats, b: Floats, metric: Any) -> Floats:
    """Distances by SciPy, all of them finite."""
    from scipy.spatial import distance

    try:
        distances: Floats = distance.cdist(a, b, metric)
    except ValueError as error:
        if callable(metric):
            raise
        rule = f"`metric` must suit scipy.spatial.distance.cdist; got {metric!r}: {str(error).rstrip('.')}."
        raise ValueError(rule + did_you_mean(metric, distance.__all__)) from error
    if not np.isfinite(distances).all():
        i, j = map(int, np.argwhere(~np.isfinite(distances))[0])
        raise ArgumentValueError(
            "metric", f"must give finite numbers; got {distances[i, j]} for A[{i}] and B[{j}]."
        )
    return distances
