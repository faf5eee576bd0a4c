"""Random Gaussian mixtures whose groups overlap as much as asked."""

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtr

from experiments.common.mixtures import (
    Mixture,
    check_weights,
    maximum_overlap,
    over_pairs,
    overlaps,
    overlaps_of,
    roots_of,
)

FloatArray = npt.NDArray[np.float64]
Shape = Literal["full", "diagonal", "spherical"]

ECCENTRICITY = 0.9  # greatest sqrt(1 - least/greatest eigenvalue) of a drawn covariance
TOLERANCE = 1e-8  # on the targets
WIDEST = 40.0  # search limit in log scale
RESHAPED_DRAWS = 10


def random_mixture(
    weights: npt.ArrayLike | None,
    n_variables: int,
    *,
    average: float,
    maximum: float | None = None,
    covariances: Shape = "full",
    rng: np.random.Generator,
    n_groups: int | None = None,
    method: Literal["redraw", "reshape"] = "redraw",
    max_draws: int = 100,
) -> Mixture:
    """A random mixture of a given average, and if wanted a given maximum, pairwise overlap.

    Both targets to 1e-8; under ``"reshape"`` the average, and the maximum unless no bend reaches it: ask
    `maximum_overlap`. With p >= K - 1 it was met in every case tried.

    Means are uniform on the unit cube; the eccentricity of a covariance is limited to 0.9. A draw serves only
    if its overlap at infinite scale, which is that of equal means, is above the target: over 150 draws of
    four balanced groups in four variables that average had the median 0.55 and the maximum 0.66 with full
    covariances, 0.66 and 0.91 with spherical ones. To bend a draw: its covariances move towards their mean in
    eighths, as far as the average needs; then, for a smaller maximum, means and covariances move towards
    equal covariances and equal overlaps of all pairs (distances from the normal law, coordinates by classical
    scaling), or, for a larger one, one group of the closest pair moves onto the other. The scale is solved
    anew for each degree of bending. Source: Maitra & Melnykov (2010), doi:10.1198/jcgs.2009.08054, for
    ``"redraw"``; ``"reshape"`` is an addition.
    """
    pi = _mixing_proportions(weights, n_groups)
    _check_targets(pi.size, average, maximum)
    if n_variables < 1:
        raise ValueError(f"`n_variables` must be at least 1; got {n_variables}.")
    if covariances not in ("full", "diagonal", "spherical"):
        raise ValueError(f"`covariances` must be 'full', 'diagonal' or 'spherical'; got {covariances!r}.")
    if method not in ("redraw", "reshape"):
        raise ValueError(f"`method` must be 'redraw' or 'reshape'; got {method!r}.")
    nearest: tuple[float, Mixture | None] = (np.inf, None)
    for _ in range(max_draws if method == "redraw" else RESHAPED_DRAWS):
        means = rng.uniform(size=(pi.size, n_variables))
        drawn = np.stack([_covariance(n_variables, covariances, rng) for _ in pi])
        found = _scaled(pi, means, drawn, average, maximum)
        if found is not None:
            return Mixture(weights=pi, means=means, covariances=found)
        if method == "reshape":
            nearest = min(nearest, _reshaped(pi, means, drawn, average, maximum), key=lambda pair: pair[0])
            if nearest[0] < TOLERANCE:
                break
    if nearest[1] is None:
        raise ValueError(
            f"`average` and `maximum` must be within reach of a draw; got {average} and {maximum}, missed by"
            f" {max_draws} draws. Give method='reshape', other `covariances` or a larger `max_draws`."
        )
    return nearest[1]


def _mean(pairs: FloatArray) -> float:
    return float(pairs.mean())


def _most(pairs: FloatArray) -> float:
    return float(pairs.max())


def _mixing_proportions(weights: npt.ArrayLike | None, n_groups: int | None) -> FloatArray:
    if weights is None:
        if n_groups is None or n_groups < 2:
            raise ValueError(f"`n_groups` must be at least 2 when `weights` is None; got {n_groups}.")
        return np.full(n_groups, 1.0 / n_groups)
    pi = np.asarray(weights, dtype=np.float64)
    check_weights(pi)
    if n_groups not in (None, pi.size):
        raise ValueError(f"`n_groups` must be the number of `weights`, {pi.size}; got {n_groups}.")
    return pi


def _check_targets(K: int, average: float, maximum: float | None) -> None:
    if not 0 < average < 1:
        raise ValueError(f"`average` must lie between 0 and 1; got {average}.")
    pairs = K * (K - 1) // 2
    if maximum is not None and not (maximum < 1 and average <= maximum <= pairs * average * (1 + 1e-12)):
        raise ValueError(
            f"`maximum` must lie between `average`, {average}, and the smaller of 1 and {pairs} times that,"
            f" for {pairs} pair(s) of groups; got {maximum}."
        )


def _covariance(p: int, shape: Shape, rng: np.random.Generator) -> FloatArray:
    """Wishart of p + 1 degrees of freedom and mean 1, or its diagonal, not too eccentric; or one variance."""
    if shape == "spherical":
        return np.eye(p) * rng.chisquare(p + 1) / (p + 1)
    normal = rng.standard_normal((p, p + 1))
    wishart = normal @ normal.T / (p + 1)
    if shape == "diagonal":
        wishart = np.diag(np.diag(wishart))
    values, vectors = np.linalg.eigh(wishart)
    least, greatest = values[0], values[-1]
    if least < (1 - ECCENTRICITY**2) * greatest:
        values = greatest - ECCENTRICITY**2 * greatest * (greatest - values) / (greatest - least)
    limited = (vectors * values) @ vectors.T
    return np.asarray((limited + limited.T) / 2)


def _crossing(value: Callable[[float], float], target: float, step: float) -> float | None:
    """Log scale where a value that is small at small scales reaches the target; None if not found."""
    value = cache(value)  # the root is sought from the ends that the search for them has looked at
    low = 0.0
    while value(low) >= target:
        low -= step
        if low < -WIDEST:
            return None
    high = low + step
    while value(high) < target:
        low, high = high, high + step
        if high > WIDEST:
            return None
    return float(brentq(lambda at: value(at) - target, low, high, xtol=1e-13, rtol=1e-14))


def _common_scale(
    pi: FloatArray,
    means: FloatArray,
    roots: FloatArray,
    statistic: Callable[[FloatArray], float],
    target: float,
) -> float | None:
    """Log of the factor of all roots at which a statistic of the pairs meets its target."""
    if statistic(over_pairs(overlaps_of(pi, np.zeros_like(means), roots))) <= target + TOLERANCE:
        return None

    def value(at: float) -> float:
        return statistic(over_pairs(overlaps_of(pi, means, roots * np.exp(at))))

    return _crossing(value, target, np.log(2.0))


def _scaled(
    pi: FloatArray, means: FloatArray, drawn: FloatArray, average: float, maximum: float | None
) -> FloatArray | None:
    """Covariances of the recipe, or None if the draw does not serve."""
    roots = roots_of(drawn)
    statistic, target = (_mean, average) if maximum is None else (_most, maximum)
    at = _common_scale(pi, means, roots, statistic, target)
    if at is None:
        return None
    roots = roots * np.exp(at)
    if maximum is None:
        return np.asarray(roots @ roots.transpose(0, 2, 1))
    pairs = over_pairs(overlaps_of(pi, means, roots))
    if abs(_mean(pairs) - average) > TOLERANCE:
        if _mean(pairs) < average:
            return None
        kept = np.array(np.triu_indices(pi.size, 1))[:, pairs.argmax()]
        others = ~np.isin(np.arange(pi.size), kept)[:, None, None]

        def pairs_at(log_factor: float) -> FloatArray:
            return over_pairs(overlaps_of(pi, means, np.where(others, np.exp(log_factor), 1.0) * roots))

        factor = _crossing(lambda at: _mean(pairs_at(at)), average, 0.5 * np.log(2.0))
        if factor is None or _most(pairs_at(factor)) > maximum + TOLERANCE:
            return None
        roots = np.where(others, np.exp(factor), 1.0) * roots
    return np.asarray(roots @ roots.transpose(0, 2, 1))


def _equal_overlap_means(pi: FloatArray, p: int, overlap: float) -> FloatArray:
    """Means (K, p) that give every pair this overlap at unit covariances, as near as p dimensions allow."""
    K = pi.size
    squares = np.zeros((K, K))
    for i, j in zip(*np.triu_indices(K, 1), strict=True):
        odds = np.log(pi[j] / pi[i])

        def excess(log_distance: float, odds: float = odds) -> float:
            D = np.exp(log_distance)
            return float(ndtr(-D / 2 + odds / D) + ndtr(-D / 2 - odds / D)) - overlap

        squares[i, j] = squares[j, i] = np.exp(2 * brentq(excess, -30.0, 10.0))
    centred = np.eye(K) - 1.0 / K
    values, vectors = np.linalg.eigh(-0.5 * centred @ squares @ centred)
    coordinates = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1]
    return np.hstack((coordinates, np.zeros((K, p))))[:, :p]


def _reshaped(
    pi: FloatArray, means: FloatArray, drawn: FloatArray, average: float, maximum: float | None
) -> tuple[float, Mixture | None]:
    """A bent draw with the average, and how far its maximum is off."""
    common = drawn.mean(axis=0)
    root = roots_of(common)
    shares = np.linspace(0.0, 1.0, 9)
    towards = [(1 - share) * drawn + share * common for share in shares]
    nothing = np.zeros_like(means)
    ceilings = (over_pairs(overlaps_of(pi, nothing, roots_of(each))).mean() for each in towards)
    enough = next(k for k, ceiling in enumerate(ceilings) if ceiling > average + 0.1 * (1 - average))
    covariances = towards[enough]
    white = np.linalg.solve(root, (means - means.mean(axis=0)).T).T
    goal = _equal_overlap_means(pi, means.shape[1], average)
    white *= np.sqrt((goal**2).sum() / (white**2).sum())
    left, _, right = np.linalg.svd(goal.T @ white)
    goal = goal @ left @ right
    closest = (0, 0)
    best: tuple[float, Mixture | None] = (np.inf, None)

    def bend(degree: float) -> float:
        """Maximum from merged (-1) over drawn (0) to equal overlaps (1); nan: average out of reach."""
        nonlocal best
        share, at, each = abs(degree), white.copy(), covariances.copy()
        if degree > 0:
            at, each = (1 - share) * white + share * goal, (1 - share) * covariances + share * common
        elif degree < 0:
            i, j = closest
            at[j] += share * (at[i] - at[j])
            each[j] += share * (each[i] - each[j])
        moved, roots = at @ root.T, roots_of(each)
        scale = _common_scale(pi, moved, roots, _mean, average)
        if scale is None:  # of a merged pair alone when its share of the average is too much
            n_pairs = pi.size * (pi.size - 1) // 2
            return n_pairs * average if degree < 0 and n_pairs * average < 1 else np.nan
        mixture = Mixture(weights=pi, means=moved, covariances=each * np.exp(2 * scale))
        most = maximum_overlap(mixture)
        miss = 0.0 if maximum is None else abs(most - maximum)
        if miss < best[0]:
            best = (miss, mixture)
        return most

    most = bend(0.0)
    if best[1] is None or best[0] < TOLERANCE or maximum is None:
        return best
    i, j = np.array(np.triu_indices(pi.size, 1))[:, over_pairs(overlaps(best[1])).argmax()]
    closest = (int(i), int(j))
    sign, before = np.sign(most - maximum), 0.0
    for degree in sign * np.linspace(0.0, 1.0, 9)[1:]:
        most = bend(degree)
        if np.isnan(most):
            break
        if np.sign(most - maximum) != sign:
            brentq(lambda at: bend(at) - maximum, before, degree, xtol=1e-13, rtol=1e-14)
            break
        before = degree
    return best
