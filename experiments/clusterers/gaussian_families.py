"""Gaussian mixtures of the 14 families of Celeux & Govaert: parameters, the E step and the M step of EM.

The covariance matrix of component k is ``lambda_k D_k A_k D_k'``: a volume, an orientation and a shape (the
diagonal A_k has determinant 1), each common to all components or free. With the spherical families, A = I,
and the diagonal ones, whose axes are those of the variables, these are 14. They are called as in the paper:
L is lambda, B a diagonal matrix of determinant 1, C any covariance matrix of determinant 1. Keys such as
``"lk_b"`` are the same in lower case. Proportions are free, p_k, or with `Family.equal_proportions` the same.

Source: Celeux & Govaert (1995), Pattern Recognition 28, 781-793, doi:10.1016/0031-3203(94)00125-6.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from experiments.clusterers import covariance_kernels
from experiments.clusterers.covariance_kernels import covariances_of, e_step, scatters_of

Floats = npt.NDArray[np.float64]

VOLUMES = {"equal": covariance_kernels.EQUAL, "free": covariance_kernels.FREE}
SHAPES = VOLUMES | {"round": covariance_kernels.ROUND}
ORIENTATIONS = {
    "variables": covariance_kernels.ALONG_VARIABLES,
    "equal": covariance_kernels.COMMON,
    "free": covariance_kernels.OWN,
}

SMALLEST_WEIGHT = 1.0
"""A component of fewer objects than this has degenerated."""


@dataclass(frozen=True, slots=True)
class Family:
    """What the components of a mixture have in common.

    Attributes
    ----------
    model : str
        The covariance matrices as in the paper, such as ``"L_k B"``.
    volume : {"equal", "free"}
        Whether det(Sigma_k) is the same for all components.
    shape : {"round", "equal", "free"}
        Whether all variances of a component are equal, or A_k is the same for all components, or neither.
    orientation : {"variables", "equal", "free"}
        Whether the axes are those of the variables, or D_k is the same for all components, or neither.
    equal_proportions : bool
        Whether all proportions are 1 / K.
    """

    model: str
    volume: Literal["equal", "free"]
    shape: Literal["round", "equal", "free"]
    orientation: Literal["variables", "equal", "free"]
    equal_proportions: bool = False

    @property
    def name(self) -> str:
        """Name as in the paper, such as ``"[p_k L_k B]"``."""
        return f"[{'p' if self.equal_proportions else 'p_k'} {self.model}]"

    @property
    def description(self) -> str:
        """What the covariance matrices are, in words."""
        if self.shape == "round":
            return f"spherical, {self.volume} volumes"
        axes = "diagonal" if self.orientation == "variables" else f"{self.orientation} orientations"
        return f"{axes}, {self.volume} volumes, {self.shape} shapes"

    def n_parameters(self, n_clusters: int, n_variables: int) -> int:
        """Free parameters: proportions, means, volumes, shapes and orientations."""
        K, d = n_clusters, n_variables
        proportions = 0 if self.equal_proportions else K - 1
        times = {"round": 0, "variables": 0, "equal": 1, "free": K}
        angles = d * (d - 1) // 2
        return (
            proportions
            + K * d
            + times[self.volume]
            + times[self.shape] * (d - 1)
            + times[self.orientation] * angles
        )


FAMILIES: dict[str, Family] = {
    "l_i": Family("L I", "equal", "round", "variables"),
    "lk_i": Family("L_k I", "free", "round", "variables"),
    "l_b": Family("L B", "equal", "equal", "variables"),
    "lk_b": Family("L_k B", "free", "equal", "variables"),
    "l_bk": Family("L B_k", "equal", "free", "variables"),
    "lk_bk": Family("L_k B_k", "free", "free", "variables"),
    "l_c": Family("L C", "equal", "equal", "equal"),
    "lk_c": Family("L_k C", "free", "equal", "equal"),
    "l_d_ak_d": Family("L D A_k D'", "equal", "free", "equal"),
    "lk_d_ak_d": Family("L_k D A_k D'", "free", "free", "equal"),
    "l_dk_a_dk": Family("L D_k A D_k'", "equal", "equal", "free"),
    "lk_dk_a_dk": Family("L_k D_k A D_k'", "free", "equal", "free"),
    "l_ck": Family("L C_k", "equal", "free", "free"),
    "lk_ck": Family("L_k C_k", "free", "free", "free"),
}
"""The 14 families with free proportions, by key; ``dataclasses.replace`` makes those with equal ones."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parameters:
    """A mixture of K Gaussians in d dimensions.

    Attributes
    ----------
    proportions : numpy.ndarray
        Shape (K,), sum 1.
    means : numpy.ndarray
        Shape (K, d).
    axes : numpy.ndarray
        The D_k, shape (K, d, d): the columns of each are the axes of a component, orthonormal.
    variances : numpy.ndarray
        The diagonals of ``lambda_k A_k``, variances along the axes, shape (K, d).
    """

    proportions: Floats
    means: Floats
    axes: Floats
    variances: Floats

    @property
    def covariances(self) -> Floats:
        """The ``D_k diag(v_k) D_k'``, shape (K, d, d)."""
        scaled = self.axes * self.variances[:, np.newaxis, :]
        return np.asarray(np.einsum("kaj,kbj->kab", scaled, self.axes), dtype=np.float64)

    @property
    def volumes(self) -> Floats:
        """The lambda_k, shape (K,): geometric means of the variances of a component, in squared units."""
        return np.asarray(np.exp(np.log(self.variances).mean(axis=1)), dtype=np.float64)


def expectation(X: Floats, parameters: Parameters) -> tuple[Floats, float]:
    """E step: posteriors of shape (n, K), and the log-likelihood of `parameters`."""
    columns = np.ascontiguousarray(X.T)
    posteriors = np.empty((len(parameters.proportions), len(X)))
    log_likelihood = e_step(
        columns, parameters.proportions, parameters.means, parameters.axes, parameters.variances, posteriors
    )
    return posteriors.T, log_likelihood


def maximisation(X: Floats, posteriors: Floats, family: Family, start: Parameters) -> Parameters | None:
    """M step: the parameters of a family that maximise the expected complete log-likelihood.

    None if a component degenerates: if its weight is less than `SMALLEST_WEIGHT` objects, or if its variance
    along one of its axes is less than a share of 1e-8 of the variance of all objects there.

    Proportions are n_k / n and means are weighted means in all families. How the covariances are found is
    told in `experiments.clusterers.covariance_kernels`. The maximum is global in all families but ``[L D A_k
    D']`` and ``[L_k D A_k D']``, where it is the local one that the alternation leads to from `start`.
    """
    n, d = X.shape
    K = posteriors.shape[1]
    weights, means, scatters = np.empty(K), np.empty((K, d)), np.empty((K, d, d))
    scatters_of(np.ascontiguousarray(X.T), np.ascontiguousarray(posteriors.T), weights, means, scatters)
    if not weights.min() >= SMALLEST_WEIGHT:
        return None
    axes, variances = start.axes.copy(), start.variances.copy()
    volume, shape = VOLUMES[family.volume], SHAPES[family.shape]
    orientation = ORIENTATIONS[family.orientation]
    if not covariances_of(weights, means, scatters, volume, shape, orientation, axes, variances):
        return None
    proportions = np.full(K, 1.0 / K) if family.equal_proportions else weights / n
    return Parameters(proportions=proportions, means=means, axes=axes, variances=variances)


def from_centres(X: Floats, centres: Floats, family: Family) -> Parameters:
    """Where EM begins: these means, equal proportions, and the variances of all objects, no covariances.

    The centres have shape (K, d). Spherical families begin with the mean of the variances. Every variable of
    `X` must vary.
    """
    K, d = centres.shape
    variances = np.ascontiguousarray(X.T).var(axis=1)  # the same bits for any layout of X in memory
    if family.shape == "round":
        variances = np.full(d, variances.mean())
    return Parameters(
        proportions=np.full(K, 1.0 / K),
        means=centres.copy(),
        axes=np.tile(np.eye(d), (K, 1, 1)),
        variances=np.tile(variances, (K, 1)),
    )
