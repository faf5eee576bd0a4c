"""Distances between prototypes: points, modes and Gaussian components."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError, did_you_mean
from chancecorr.machine.arrays import Floats
from chancecorr.prototypes.gaussian_components import (
    bhattacharyya_distances,
    mixture_of,
    number_array,
    require_same_columns,
)
from chancecorr.tables.labels import encode, with_article

Metric = str | Callable[..., Any]


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
