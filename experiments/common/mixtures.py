"""Gaussian mixtures, how much their groups overlap, and data drawn from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from experiments.common.quadratic_forms import quadratic_form_cdf

FloatArray = npt.NDArray[np.float64]

ROUNDING = 1e-13  # standard deviations in this ratio are equal


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """A Gaussian mixture of K groups in p variables."""

    weights: FloatArray
    means: FloatArray
    covariances: FloatArray

    def __post_init__(self) -> None:
        """Copy, freeze and check the arrays."""
        for name in ("weights", "means", "covariances"):
            array = np.array(getattr(self, name), dtype=np.float64)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        check_weights(self.weights)
        K = self.weights.size
        if self.means.ndim != 2 or self.means.shape[0] != K or self.means.shape[1] == 0:
            raise ValueError(f"`means` must have the shape (K, p) with K = {K}; got {self.means.shape}.")
        if self.covariances.shape != (K, self.means.shape[1], self.means.shape[1]):
            raise ValueError(
                f"`covariances` must have the shape (K, p, p) with (K, p) = {self.means.shape};"
                f" got {self.covariances.shape}."
            )
        if not (np.isfinite(self.means).all() and np.isfinite(self.covariances).all()):
            raise ValueError("`means` and `covariances` must be finite; got nan or inf.")
        for k, covariance in enumerate(self.covariances):
            least = np.linalg.eigvalsh(covariance)[0]
            if least <= 0 or not np.allclose(covariance, covariance.T, rtol=1e-10, atol=0):
                raise ValueError(
                    f"`covariances` must be symmetric and positive definite; got least eigenvalue"
                    f" {least:.3g} in group {k}."
                )

    def __repr__(self) -> str:
        """Sizes only."""
        return f"Mixture({self.weights.size} groups, {self.means.shape[1]} variables)"

    def to_dict(self) -> dict[str, Any]:
        """The three arrays as nested lists; JSON keeps every bit."""
        return {name: getattr(self, name).tolist() for name in ("weights", "means", "covariances")}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The mixture that `to_dict` wrote."""
        return cls(**{name: values[name] for name in ("weights", "means", "covariances")})


def overlaps(mixture: Mixture) -> FloatArray:
    """Probabilities of misclassification between pairs of groups.

    Returns ``[i, j]``: P(an object of group i is given to j) when i and j alone compete and an object goes to
    the larger ``weight * density``; in [0, 1], absolute error about 1e-12. 1 on the diagonal; two groups
    equal in everything share their objects (0.5).

    With ``z`` standard normal along the axes that make both covariances diagonal, the difference of the two
    log-densities is a quadratic form in z, whose law `quadratic_form_cdf` inverts. No square is completed, so
    that the value is continuous where covariances become equal. Source: Maitra & Melnykov (2010),
    doi:10.1198/jcgs.2009.08054.
    """
    return overlaps_of(mixture.weights, mixture.means, roots_of(mixture.covariances))


def pairwise_overlap(mixture: Mixture) -> FloatArray:
    """Symmetric matrix (K, K) of ``omega[i, j] + omega[j, i]``, in [0, 1]; 1 on the diagonal."""
    omega = overlaps(mixture)
    both = omega + omega.T
    np.fill_diagonal(both, 1.0)
    return both


def average_overlap(mixture: Mixture) -> float:
    """Mean of `pairwise_overlap` over the K(K-1)/2 pairs of groups; in [0, 1]."""
    return float(over_pairs(overlaps(mixture)).mean())


def maximum_overlap(mixture: Mixture) -> float:
    """Largest `pairwise_overlap` of two groups; in [0, 1]."""
    return float(over_pairs(overlaps(mixture)).max())


def draw(
    mixture: Mixture, n: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Sample from a mixture.

    Returns
    -------
    X : numpy.ndarray of shape (n, p), float64
        Objects, ordered by group.
    groups : numpy.ndarray of shape (n,), int64
        Group of each, from 0 to K - 1. Group sizes are multinomial, so that a group may be empty.
    """
    if n < 0:
        raise ValueError(f"`n` must be at least 0; got {n}.")
    sizes = rng.multinomial(n, mixture.weights / mixture.weights.sum())
    groups = np.repeat(np.arange(sizes.size, dtype=np.int64), sizes)
    roots = roots_of(mixture.covariances)
    normal = rng.standard_normal((n, mixture.means.shape[1]))
    return mixture.means[groups] + np.einsum("nij,nj->ni", roots[groups], normal), groups


def overlaps_of(pi: FloatArray, means: FloatArray, roots: FloatArray) -> FloatArray:
    """`overlaps` from Cholesky roots, unchecked."""
    K = pi.size
    omega = np.eye(K)
    for j in range(K):
        for i in range(K):
            if i != j:
                solved = np.linalg.solve(roots[j], np.column_stack((roots[i], means[i] - means[j])))
                axes, ratios, _ = np.linalg.svd(solved[:, :-1])
                ratios = np.where(np.abs(ratios - 1) < ROUNDING, 1.0, ratios)
                apart = axes.T @ solved[:, -1]
                x = 2 * (np.log(pi[j] / pi[i]) + np.log(ratios).sum()) - (apart**2).sum()
                omega[i, j] = quadratic_form_cdf((ratios - 1) * (ratios + 1), ratios * apart, x)
    return omega


def roots_of(covariances: FloatArray) -> FloatArray:
    """Cholesky roots."""
    return np.asarray(np.linalg.cholesky(covariances), dtype=np.float64)


def over_pairs(omega: FloatArray) -> FloatArray:
    """The K(K-1)/2 sums ``omega[i, j] + omega[j, i]``, i < j, row by row."""
    return np.asarray((omega + omega.T)[np.triu_indices(omega.shape[0], 1)])


def check_weights(weights: FloatArray) -> None:
    """Raise unless these can be mixing proportions."""
    if weights.ndim != 1 or weights.size < 2:
        raise ValueError(f"`weights` must have the shape (K,) with K at least 2; got {weights.shape}.")
    if not (weights > 0).all() or not abs(weights.sum() - 1) < 1e-9:
        raise ValueError(f"`weights` must be positive and sum to 1; got {weights.tolist()}.")
