"""EM for Gaussian mixtures with the strategy of the R package Rmixmod: many short runs, then a long one.

Where to start EM: Biernacki, Celeux & Govaert (2003), Computational Statistics & Data Analysis 41, 561-575,
doi:10.1016/S0167-9473(02)00163-9: short runs from random centres, then one long run from the best of them.

Known of Rmixmod:

- From its manual (2.0.3 to 2.1.12): EM, one try, 50 short runs of 5 iterations, a long run of 200 iterations,
  both epsilons 0.001. The manual calls epsilon a relative change of the log-likelihood, which it is not.
- From its source, which was read and not copied: a run, short or long, ends when an iteration changes the
  log-likelihood by less than epsilon, and not before the third; a run begins with objects as centres, and
  with the variances of all objects and no covariances in every component, whatever the family.

Chosen here:

- Centres are drawn among the distinct objects, since components that begin at the same point stay the same;
  proportions begin equal.
- M steps that alternate do so until nothing changes; those of Rmixmod take a few cycles.
- A run in which a component degenerates ends there and is dropped. If the long run does, the next best short
  run is continued. What counts as degenerate is said in `maximisation`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.clusterers.gaussian_families import (
    FAMILIES,
    Family,
    Parameters,
    expectation,
    from_centres,
    maximisation,
)

Floats = npt.NDArray[np.float64]

SINGULAR = 1e-7
"""Standardised columns of a smaller least singular value than this share of the largest are dependent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """How often EM starts and when it stops; the defaults are those of Rmixmod.

    Attributes
    ----------
    short_runs : int
        Short runs from random centres, at least 1.
    short_iterations : int
        Largest number of iterations of a short run, at least 0.
    iterations : int
        Largest number of iterations of the long run, at least 0.
    least_iterations : int
        Number of iterations that no run stops before, but for its largest number.
    epsilon : float
        A run stops when an iteration changes the log-likelihood by less than this, in natural logarithms of
        the density of all objects together; with 0 it never does.
    """

    short_runs: int = 50
    short_iterations: int = 5
    iterations: int = 200
    least_iterations: int = 3
    epsilon: float = 1e-3


RMIXMOD = Strategy()
"""Rmixmod's defaults."""


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
        Whether a component degenerated; the run stopped before.
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


def run_em(
    X: Floats,
    start: Parameters,
    family: Family,
    *,
    iterations: int,
    epsilon: float = RMIXMOD.epsilon,
    least_iterations: int = RMIXMOD.least_iterations,
) -> Fit:
    """EM from `start` until an iteration gains little; the numbers are as in `Strategy`."""
    parameters = start
    posteriors, current = expectation(X, parameters)
    log_likelihoods = [current]
    converged = degenerate = False
    for iteration in range(1, iterations + 1):
        updated = maximisation(X, posteriors, family, parameters)
        if updated is None:
            degenerate = True
            break
        parameters = updated
        posteriors, current = expectation(X, parameters)
        log_likelihoods.append(current)
        if iteration >= least_iterations and abs(current - log_likelihoods[-2]) < epsilon:
            converged = True
            break
    return Fit(
        parameters=parameters,
        posteriors=posteriors,
        log_likelihoods=np.array(log_likelihoods),
        converged=converged,
        degenerate=degenerate,
    )


def fit(
    X: npt.ArrayLike,
    n_clusters: int,
    rng: np.random.Generator,
    *,
    family: Family | str = "lk_c",
    strategy: Strategy = RMIXMOD,
) -> Fit:
    """The long run of EM from the best of the short runs.

    If the long run degenerates, that from the next best short run, and so on.

    Biernacki, Celeux & Govaert (2003). Up to rounding, the posteriors are the same for another order of the
    variables and in other units of measurement: in any unit for each variable for the families with B and C,
    in one for all variables for those with I and D, whose shapes compare the variances of variables.
    """
    if isinstance(family, str):
        family = FAMILIES[family]
    objects = np.asfortranarray(X, dtype=np.float64)  # so that the E and M steps need not copy it
    _check_columns(objects, family)
    distinct = np.sort(np.unique(objects, axis=0, return_index=True)[1])
    centres = [rng.choice(distinct, n_clusters, replace=False) for _ in range(strategy.short_runs)]

    def run(start: Parameters, iterations: int) -> Fit:
        return run_em(
            objects,
            start,
            family,
            iterations=iterations,
            epsilon=strategy.epsilon,
            least_iterations=strategy.least_iterations,
        )

    starts = [from_centres(objects, objects[chosen], family) for chosen in centres]
    short_runs = [run(start, strategy.short_iterations) for start in starts]
    sound = [short_run for short_run in short_runs if not short_run.degenerate]
    for short_run in sorted(sound, key=lambda run: -run.log_likelihood):
        long_run = run(short_run.parameters, strategy.iterations)
        if not long_run.degenerate:
            return long_run
    raise ValueError(
        f"`n_clusters` must leave every component more than a point; got {n_clusters} for {len(objects)}"
        " objects, and in each run a component degenerated. Ask for fewer clusters."
    )


def _check_columns(X: Floats, family: Family) -> None:
    """Raise if one Gaussian of the family for all objects is degenerate."""
    centred = X - X.mean(axis=0)
    constant = np.flatnonzero(np.ptp(X, axis=0) == 0.0)
    if constant.size:
        raise ValueError(f"`X` must have columns that vary; got a constant one, {constant[0]}. Drop it.")
    if family.orientation == "variables":
        return
    singular_values = np.linalg.svd(centred / centred.std(axis=0), compute_uv=False)
    if len(X) <= X.shape[1] or singular_values[-1] <= SINGULAR * singular_values[0]:
        raise ValueError(
            "`X` must have linearly independent columns, and more rows than columns, for"
            f" {family.name}; got dependent ones, of shape {X.shape}. Drop columns that follow from others."
        )
