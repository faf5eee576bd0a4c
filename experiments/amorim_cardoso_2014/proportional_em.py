"""EM for Gaussian mixtures with proportional covariances, the default model and strategy of Rmixmod.

The model [p_k L_k C] of Celeux & Govaert (1995), Pattern Recognition 28, 781-793,
doi:10.1016/0031-3203(94)00125-6: free proportions p_k, free means, covariances ``lambda_k C`` with det C =
1, so that components differ in volume but not in shape and orientation. Where to start EM: Biernacki,
Celeux & Govaert (2003), Computational Statistics & Data Analysis 41, 561-575,
doi:10.1016/S0167-9473(02)00163-9: many short runs from random centres, then one long run from the best.
Written from what MIXMOD's statistical documentation and Rmixmod's manual say of both and of the defaults;
those two papers, which they credit, were not at hand. No code of theirs was used.

Known of Rmixmod (its manual, versions 2.0.3 to 2.1.12): EM, one try, 50 short runs of 5 iterations, 200
iterations, both epsilons 0.001. Not known, and chosen here:

- The threshold of the long run. MIXMOD documents one "for the relative change" of the log-likelihood; it
  is read as ``L_m - L_(m-1) <= epsilon |L_m|``. Read so, 0.001 is several units of log-likelihood, and
  the long run ends after its first iteration in nearly all data of the study. See `Strategy.stop` for
  other readings.
- The number of short runs. MIXMOD's user's guide speaks of 50 iterations in all, which would be ten runs of
  five.
- Where a short run begins, apart from centres drawn among the objects: here equal proportions, and for
  every component the variances of all objects, no covariances. With the covariances of all objects too,
  five iterations often do not find the groups of the published unbalanced, well separated scenario. This
  was chosen among seven beginnings with the printed results in view: it is not a blind reconstruction.
- What becomes of a run whose likelihood grows without bound, when a component shrinks to a point: here it
  is dropped.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import kernel

Floats = npt.NDArray[np.float64]

CYCLES = 100
"""Largest number of alternations in one M step; four are usual, and no more than seven were seen."""

VOLUME_TOLERANCE = 1e-9
"""An M step ends when no volume changes by more than this share."""

SMALLEST_WEIGHT = 1.0
"""A component of fewer objects than this has degenerated."""

SMALLEST_VOLUME = 1e-8
"""A component of a smaller volume than this share of the volume of all objects has degenerated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """How often EM starts and when it stops; the defaults are those of Rmixmod's manual.

    Attributes
    ----------
    short_runs : int
        Short runs from random centres, at least 1.
    short_iterations : int
        Largest number of iterations of a short run, at least 0.
    short_epsilon : float
        A short run stops when ``L_m - L_(m-1) <= short_epsilon (L_m - L_0)``, L the log-likelihood.
    iterations : int
        Largest number of iterations of the long run, at least 0.
    epsilon : float
        Threshold of the long run, at least 0.
    stop : {"relative", "progress", "absolute"}
        What the gain of an iteration is held against: ``epsilon |L_m|``, ``epsilon (L_m - L_0)`` as in
        short runs, or ``epsilon`` itself. The first is the least demanding by far, and depends on the unit
        of measurement.

    Notes
    -----
    Source: manual of Rmixmod, ``mixmodStrategy``; short runs: Biernacki, Celeux & Govaert (2003).
    """

    short_runs: int = 50
    short_iterations: int = 5
    short_epsilon: float = 1e-3
    iterations: int = 200
    epsilon: float = 1e-3
    stop: Literal["relative", "progress", "absolute"] = "relative"


RMIXMOD = Strategy()
"""Rmixmod's defaults."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parameters:
    """A mixture of K Gaussians with proportional covariances in d dimensions.

    Attributes
    ----------
    proportions : numpy.ndarray
        Shape (K,), sum 1.
    means : numpy.ndarray
        Shape (K, d).
    volumes : numpy.ndarray
        The lambda_k, shape (K,), positive, in squared units of the data.
    whitening : numpy.ndarray
        Lower triangular U of shape (d, d), determinant 1, with ``inverse(C) = U' U``.
    """

    proportions: Floats
    means: Floats
    volumes: Floats
    whitening: Floats

    @property
    def shape(self) -> Floats:
        """The common matrix C, shape (d, d), determinant 1."""
        inverse = np.asarray(np.linalg.inv(self.whitening), dtype=np.float64)
        return inverse @ inverse.T

    @property
    def covariances(self) -> Floats:
        """The ``lambda_k C``, shape (K, d, d)."""
        return self.volumes[:, None, None] * self.shape


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """A run of EM.

    Attributes
    ----------
    parameters : Parameters
    posteriors : numpy.ndarray
        Probability of each component for each object given `parameters`, shape (n, K).
    log_likelihoods : numpy.ndarray
        Before the first iteration and after each, never decreasing; the last belongs to `parameters`.
    converged : bool
        Whether the threshold stopped the run, not the number of iterations.
    degenerate : bool
        Whether a component shrank below `SMALLEST_WEIGHT` or `SMALLEST_VOLUME`; the run stopped before.
    """

    parameters: Parameters
    posteriors: Floats
    log_likelihoods: Floats
    converged: bool
    degenerate: bool

    @property
    def log_likelihood(self) -> float:
        """The last log-likelihood."""
        return float(self.log_likelihoods[-1])

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """The most probable component of each object, the first of several; shape (n,), in 0, ..., K - 1."""
        return np.asarray(self.posteriors.argmax(axis=1), dtype=np.int64)


@kernel
def _expectation(
    X: Floats, proportions: Floats, means: Floats, volumes: Floats, whitening: Floats, posteriors: Floats
) -> float:
    """Posteriors t_ik = p_k f_k(x_i) / sum_l p_l f_l(x_i); returns sum_i log sum_k p_k f_k(x_i)."""
    n, d = X.shape
    K = len(volumes)
    constants = np.log(proportions) - 0.5 * d * np.log(2.0 * np.pi * volumes)
    total = 0.0
    for i in range(n):
        largest = -np.inf
        for k in range(K):
            distance = 0.0
            for a in range(d):
                coordinate = 0.0
                for b in range(a + 1):
                    coordinate += whitening[a, b] * (X[i, b] - means[k, b])
                distance += coordinate * coordinate
            posteriors[i, k] = constants[k] - 0.5 * distance / volumes[k]
            largest = max(largest, posteriors[i, k])
        density = 0.0
        for k in range(K):
            posteriors[i, k] = np.exp(posteriors[i, k] - largest)
            density += posteriors[i, k]
        for k in range(K):
            posteriors[i, k] /= density
        total += largest + np.log(density)
    return total


@kernel
def _moments(X: Floats, posteriors: Floats, weights: Floats, means: Floats, scatters: Floats) -> None:
    """Weights n_k = sum_i t_ik, means m_k, scatters W_k = sum_i t_ik (x_i - m_k)(x_i - m_k)'."""
    n, d = X.shape
    K = len(weights)
    weights[:] = 0.0
    means[:] = 0.0
    scatters[:] = 0.0
    deviation = np.empty(d)
    for i in range(n):
        for k in range(K):
            weights[k] += posteriors[i, k]
            for a in range(d):
                means[k, a] += posteriors[i, k] * X[i, a]
    for k in range(K):
        for a in range(d):
            means[k, a] /= max(weights[k], 1e-300)
    for i in range(n):
        for k in range(K):
            for a in range(d):
                deviation[a] = X[i, a] - means[k, a]
                for b in range(a + 1):
                    scatters[k, a, b] += posteriors[i, k] * deviation[a] * deviation[b]
    for k in range(K):
        for a in range(d):
            for b in range(a):
                scatters[k, b, a] = scatters[k, a, b]


@kernel
def _whiten(matrix: Floats, whitening: Floats) -> bool:
    """Lower triangular U, det U = 1, (U' U)^-1 = matrix / det(matrix)^(1/d); false where there is none."""
    d = len(matrix)
    factor = np.zeros((d, d))
    log_determinant = 0.0
    for a in range(d):
        for b in range(a + 1):
            rest = matrix[a, b]
            for c in range(b):
                rest -= factor[a, c] * factor[b, c]
            if a > b:
                factor[a, b] = rest / factor[b, b]
            elif rest > 1e-14 * matrix[a, a]:
                factor[a, a] = np.sqrt(rest)
            else:
                return False
        log_determinant += np.log(factor[a, a])
    scale = np.exp(log_determinant / d)
    whitening[:] = 0.0
    for b in range(d):
        whitening[b, b] = scale / factor[b, b]
        for a in range(b + 1, d):
            rest = 0.0
            for c in range(b, a):
                rest -= factor[a, c] * whitening[c, b]
            whitening[a, b] = rest / factor[a, a]
    return True


@kernel
def _volumes(weights: Floats, scatters: Floats, whitening: Floats, volumes: Floats) -> float:
    """Volumes lambda_k = tr(W_k C^-1) / (d n_k); returns the largest relative change."""
    K, d, _ = scatters.shape
    change = 0.0
    for k in range(K):
        trace = 0.0
        for a in range(d):
            for b in range(a + 1):
                for c in range(a + 1):
                    trace += whitening[a, b] * scatters[k, b, c] * whitening[a, c]
        volume = trace / (d * weights[k])
        change = max(change, abs(volume - volumes[k]) / volumes[k])
        volumes[k] = volume
    return change


@kernel
def _alternate(
    weights: Floats,
    scatters: Floats,
    volumes: Floats,
    whitening: Floats,
    smallest: float,
    tolerance: float,
    cycles: int,
) -> bool:
    """Volumes and C by turns, C ~ sum_k W_k / lambda_k, from the C given; false if degenerate."""
    K, d, _ = scatters.shape
    pooled = np.empty((d, d))
    for cycle in range(cycles):
        change = _volumes(weights, scatters, whitening, volumes)
        if not volumes.min() > smallest:
            return False
        if cycle > 0 and change <= tolerance:  # at first the volumes may fit a C that does not
            return True
        pooled[:] = 0.0
        for k in range(K):
            for a in range(d):
                for b in range(d):
                    pooled[a, b] += scatters[k, a, b] / volumes[k]
        if not _whiten(pooled, whitening):
            return False
    _volumes(weights, scatters, whitening, volumes)
    return bool(volumes.min() > smallest)


def expectation(X: Floats, parameters: Parameters) -> tuple[Floats, float]:
    """E step: posteriors of shape (n, K), and the log-likelihood of `parameters`."""
    posteriors = np.empty((len(X), len(parameters.volumes)))
    log_likelihood = _expectation(
        X, parameters.proportions, parameters.means, parameters.volumes, parameters.whitening, posteriors
    )
    return posteriors, log_likelihood


def maximisation(
    X: Floats, posteriors: Floats, start: Parameters, smallest_volume: float = 0.0
) -> Parameters | None:
    """M step: the parameters that maximise the expected complete log-likelihood under `posteriors`.

    Parameters
    ----------
    X : numpy.ndarray
        Objects, shape (n, d).
    posteriors : numpy.ndarray
        Shape (n, K), rows of sum 1.
    start : Parameters
        Its C is where the alternation begins, so that even an M step cut short does not lower the likelihood.
    smallest_volume : float
        A component of no larger volume has degenerated; in squared units of the data.

    Returns
    -------
    Parameters or None
        None if a component degenerates: by its volume, or by a weight below `SMALLEST_WEIGHT`.

    Notes
    -----
    Proportions n_k / n, weighted means, then by turns ``lambda_k = tr(W_k C^-1) / (d n_k)`` and
    ``C = S / det(S)^(1/d)``, ``S = sum_k W_k / lambda_k``, which minimise
    ``sum_k tr(W_k C^-1) / lambda_k + d sum_k n_k log(lambda_k)``.
    Source: Celeux & Govaert (1995), model [lambda_k D A D'].
    """
    n, d = X.shape
    K = posteriors.shape[1]
    weights, means, scatters = np.empty(K), np.empty((K, d)), np.empty((K, d, d))
    _moments(X, posteriors, weights, means, scatters)
    if not weights.min() >= SMALLEST_WEIGHT:
        return None
    volumes, whitening = start.volumes.copy(), start.whitening.copy()
    if not _alternate(weights, scatters, volumes, whitening, smallest_volume, VOLUME_TOLERANCE, CYCLES):
        return None
    return Parameters(proportions=weights / n, means=means, volumes=volumes, whitening=whitening)


def single_gaussian(X: Floats) -> Parameters:
    """The one Gaussian of greatest likelihood: mean and covariance of all objects, with divisor n.

    Raises
    ------
    ValueError
        If the covariance is singular to working precision.
    """
    n, d = X.shape
    weights, means, scatters = np.empty(1), np.empty((1, d)), np.empty((1, d, d))
    _moments(X, np.ones((n, 1)), weights, means, scatters)
    volumes, whitening = np.ones(1), np.eye(d)
    if not _whiten(scatters[0], whitening):
        raise ValueError(
            "`X` must have linearly independent columns that vary, and more rows than columns;"
            f" got a singular covariance from shape {X.shape}. Drop columns that follow from others."
        )
    _volumes(weights, scatters, whitening, volumes)
    return Parameters(proportions=np.ones(1), means=means, volumes=volumes, whitening=whitening)


def from_centres(X: Floats, centres: Floats) -> Parameters:
    """Where a run begins: these means, equal proportions, and the variances of all objects, no covariances.

    The centres have shape (K, d). Every variable of `X` must vary.
    """
    K = len(centres)
    variances = X.var(axis=0)
    volume = np.exp(np.log(variances).mean())
    return Parameters(
        proportions=np.full(K, 1.0 / K),
        means=centres.copy(),
        volumes=np.full(K, volume),
        whitening=np.diag(np.sqrt(volume / variances)),
    )


def run_em(
    X: Floats,
    start: Parameters,
    *,
    iterations: int,
    epsilon: float,
    stop: Literal["relative", "progress", "absolute"],
    smallest_volume: float = 0.0,
) -> Fit:
    """EM from `start` until an iteration gains little; `epsilon` and `stop` as in `Strategy`."""
    parameters = start
    posteriors, current = expectation(X, parameters)
    log_likelihoods = [current]
    converged = degenerate = False
    for _ in range(iterations):
        updated = maximisation(X, posteriors, parameters, smallest_volume)
        if updated is None:
            degenerate = True
            break
        parameters = updated
        posteriors, current = expectation(X, parameters)
        gain = current - log_likelihoods[-1]
        against = {"relative": abs(current), "progress": current - log_likelihoods[0], "absolute": 1.0}[stop]
        log_likelihoods.append(current)
        if gain <= epsilon * against:
            converged = True
            break
    return Fit(
        parameters=parameters,
        posteriors=posteriors,
        log_likelihoods=np.array(log_likelihoods),
        converged=converged,
        degenerate=degenerate,
    )


def fit(X: Floats, n_clusters: int, rng: np.random.Generator, strategy: Strategy = RMIXMOD) -> Fit:
    """The long run of EM from the best of the short runs.

    Parameters
    ----------
    X : numpy.ndarray
        Objects, shape (n, d), float64, finite.
    n_clusters : int
        Number of components, from 1 to the number of distinct objects.
    rng : numpy.random.Generator
        Chooses the centres of the short runs among the distinct objects.
    strategy : Strategy

    Returns
    -------
    Fit
        If the long run degenerates, that from the next best short run, and so on.

    Raises
    ------
    ValueError
        If the covariance of `X` is singular, or if every run degenerates.

    Notes
    -----
    Celeux & Govaert (1995); Biernacki, Celeux & Govaert (2003). Up to rounding, the posteriors are the same
    in other units of measurement and for another order of the variables, but for the threshold
    ``"relative"``, which sees the unit.
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    smallest_volume = SMALLEST_VOLUME * float(single_gaussian(X).volumes[0])
    # Components that begin at the same point stay the same, so that centres are drawn among distinct objects.
    distinct = np.sort(np.unique(X, axis=0, return_index=True)[1])
    centres = [rng.choice(distinct, n_clusters, replace=False) for _ in range(strategy.short_runs)]
    short_runs = [
        run_em(
            X,
            from_centres(X, X[chosen]),
            iterations=strategy.short_iterations,
            epsilon=strategy.short_epsilon,
            stop="progress",
            smallest_volume=smallest_volume,
        )
        for chosen in centres
    ]
    sound = [run for run in short_runs if not run.degenerate]
    for short_run in sorted(sound, key=lambda run: -run.log_likelihood):
        long_run = run_em(
            X,
            short_run.parameters,
            iterations=strategy.iterations,
            epsilon=strategy.epsilon,
            stop=strategy.stop,
            smallest_volume=smallest_volume,
        )
        if not long_run.degenerate:
            return long_run
    raise ValueError(
        f"`n_clusters` must leave every component more than a point; got {n_clusters} for {len(X)} objects,"
        " and in each run a component degenerated. Ask for fewer clusters."
    )
