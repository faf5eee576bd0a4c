"""Random Gaussian mixtures whose groups overlap as much as wanted."""

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from experiments.common.mixtures import Mixture, over_pairs, overlaps_of, roots_of

FloatArray = npt.NDArray[np.float64]

MAX_ECCENTRICITY = 0.9  # greatest sqrt(1 - least/greatest eigenvalue) of a drawn covariance
TOLERANCE = 1e-8  # on the average overlap
MAX_LOG_SCALE = 40.0  # where a search for the scale ends
MAX_DRAWS = 100


def random_mixture(n_groups: int, n_variables: int, *, average: float, rng: np.random.Generator) -> Mixture:
    """A random mixture of equal weights and diagonal covariances with an average pairwise overlap.

    Means are uniform on the unit cube. A draw serves only if its overlap at infinite scale, which is that of
    equal means, is above `average`; covariances are then scaled to it. Source: Maitra & Melnykov (2010),
    doi:10.1198/jcgs.2009.08054.
    """
    if n_groups < 2:
        raise ValueError(f"`n_groups` must be at least 2; got {n_groups}.")
    if not 0 < average < 1:
        raise ValueError(f"`average` must lie between 0 and 1; got {average}.")
    weights = np.full(n_groups, 1.0 / n_groups)
    for _ in range(MAX_DRAWS):
        means = rng.uniform(size=(n_groups, n_variables))
        roots = roots_of(np.stack([_draw_covariance(n_variables, rng) for _ in weights]))
        scale = _find_log_scale(weights, means, roots, average)
        if scale is not None:
            roots = roots * np.exp(scale)
            covariances = np.asarray(roots @ roots.transpose(0, 2, 1))
            return Mixture(weights=weights, means=means, covariances=covariances)
    raise ValueError(f"`average` must be within reach of a draw; got {average}, missed by {MAX_DRAWS} draws.")


def _draw_covariance(p: int, rng: np.random.Generator) -> FloatArray:
    """The diagonal of a Wishart matrix of p + 1 degrees of freedom and mean 1, not too eccentric."""
    normal = rng.standard_normal((p, p + 1))
    wishart = np.diag(np.diag(normal @ normal.T / (p + 1)))
    values, vectors = np.linalg.eigh(wishart)
    least, greatest = values[0], values[-1]
    if least < (1 - MAX_ECCENTRICITY**2) * greatest:
        values = greatest - MAX_ECCENTRICITY**2 * greatest * (greatest - values) / (greatest - least)
    limited = (vectors * values) @ vectors.T
    return np.asarray((limited + limited.T) / 2)


def _find_log_scale(
    weights: FloatArray, means: FloatArray, roots: FloatArray, average: float
) -> float | None:
    """Log of the factor of all roots at which the average overlap is met; None if it is out of reach."""
    if float(over_pairs(overlaps_of(weights, np.zeros_like(means), roots)).mean()) <= average + TOLERANCE:
        return None
    # the root is sought from the ends that the search for them has looked at
    value: Callable[[float], float] = cache(
        lambda at: float(over_pairs(overlaps_of(weights, means, roots * np.exp(at))).mean())
    )
    step, low = np.log(2.0), 0.0
    while value(low) >= average:
        low -= step
        if low < -MAX_LOG_SCALE:
            return None
    high = low + step
    while value(high) < average:
        low, high = high, high + step
        if high > MAX_LOG_SCALE:
            return None
    return float(brentq(lambda at: value(at) - average, low, high, xtol=1e-13, rtol=1e-14))
