"""EM for Gaussian mixtures that escapes local maxima: by splits and merges (SMEM), by random swaps (RSEM).

SMEM: Ueda, Nakano, Ghahramani & Hinton (2000), Neural Computation 12, 2109-2128,
doi:10.1162/089976600300015088. RSEM: Zhao, Hautamäki, Kärkkäinen & Fränti (2012), Pattern Recognition Letters
33, 2120-2126, doi:10.1016/j.patrec.2012.06.017. Both keep a change only if the log-likelihood is larger after
EM. Covariances are diagonal, the family ``[p_k L_k B_k]``.

Chosen here: the lengths of the runs of EM; in RSEM the variances of a component that is swapped, which are
those of all objects over K squared; in SMEM five candidates, and where the split halves begin.
"""

import dataclasses

import numpy as np
import numpy.typing as npt

from experiments.clusterers.gaussian_families import (
    FAMILIES,
    Parameters,
    expectation,
    from_centres,
    maximisation,
)
from experiments.clusterers.mixmod import Fit, run_em

Floats = npt.NDArray[np.float64]

FAMILY = FAMILIES["lk_bk"]
CANDIDATES = 5
PARTIAL = 10
"""Iterations of EM after a change, before all components move."""
ITERATIONS = 200
EPSILON = 1e-3


def em(X: npt.ArrayLike, n_clusters: int, rng: np.random.Generator) -> Fit:
    """EM from random objects as means."""
    objects = np.asfortranarray(X, dtype=np.float64)
    distinct = np.unique(objects, axis=0)
    while True:
        centres = distinct[rng.choice(len(distinct), n_clusters, replace=False)]
        fit = _long_run(objects, from_centres(objects, centres, FAMILY))
        if not fit.degenerate:
            return fit


def rsem(X: npt.ArrayLike, n_clusters: int, rng: np.random.Generator, *, swaps: int = 200) -> Fit:
    """EM with random swaps: a component is moved to an object, a few iterations, kept if it gains.

    After EM until little is gained.
    """
    objects = np.asfortranarray(X, dtype=np.float64)
    best = em(objects, n_clusters, rng)
    for j, i in zip(
        rng.integers(n_clusters, size=swaps), rng.integers(len(objects), size=swaps), strict=True
    ):
        start = swapped(best.parameters, int(j), objects[i], objects.var(axis=0) / n_clusters**2)
        trial = run_em(objects, start, FAMILY, iterations=PARTIAL, epsilon=EPSILON)
        if not trial.degenerate and trial.log_likelihood > best.log_likelihood:
            best = trial
    return _better(best, _long_run(objects, best.parameters))


def swapped(parameters: Parameters, j: int, mean: Floats, variances: Floats) -> Parameters:
    """Component j goes to a place, with these variances and a share of 1 / K; others keep their ratios."""
    K = len(parameters.proportions)
    rest = np.delete(parameters.proportions, j)
    proportions = np.insert(rest / rest.sum() * (K - 1) / K, j, 1.0 / K) if K > 1 else np.ones(1)
    means, spread = parameters.means.copy(), parameters.variances.copy()
    means[j], spread[j] = mean, variances
    return dataclasses.replace(parameters, proportions=proportions, means=means, variances=spread)


def smem(X: npt.ArrayLike, n_clusters: int, rng: np.random.Generator, *, rounds: int = 20) -> Fit:
    """EM with splits and merges: two components become one, and a third two, if it gains.

    Merged are two with similar posteriors, the inner product of which is largest; split is one whose density
    is furthest from that of its objects (Kullback-Leibler). Then EM on these three, then on all. With less
    than three components there is nothing to change.
    """
    objects = np.asfortranarray(X, dtype=np.float64)
    best = em(objects, n_clusters, rng)
    for _ in range(rounds):
        for i, j, k in candidates(objects, best):
            trial = changed(objects, best, (i, j, k), rng)
            if trial is not None and trial.log_likelihood > best.log_likelihood + EPSILON:
                best = trial
                break
        else:
            break
    return best


def candidates(X: Floats, fit: Fit) -> list[tuple[int, int, int]]:
    """Pairs to merge, best first, each with what to split; the first few."""
    K = len(fit.parameters.proportions)
    alike = fit.posteriors.T @ fit.posteriors
    pairs = sorted(((i, j) for i in range(K) for j in range(i + 1, K)), key=lambda pair: -alike[pair])
    misfits = np.argsort([-misfit(X, fit, k) for k in range(K)], kind="stable").tolist()
    found = [(i, j, k) for i, j in pairs for k in misfits if k not in (i, j)]
    return found[:CANDIDATES]


def misfit(X: Floats, fit: Fit, k: int) -> float:
    """Kullback-Leibler divergence of the density of component k from the share of it that objects have."""
    weights = fit.posteriors[:, k] / fit.posteriors[:, k].sum()
    means, variances = fit.parameters.means[k], fit.parameters.variances[k]
    log_density = -0.5 * (np.log(2.0 * np.pi * variances) + (X - means) ** 2 / variances).sum(axis=1)
    held = weights > 0.0
    return float((weights[held] * (np.log(weights[held]) - log_density[held])).sum())


def changed(X: Floats, fit: Fit, triple: tuple[int, int, int], rng: np.random.Generator) -> Fit | None:
    """Components i and j merged into the first, k split into the other two; None if that degenerates."""
    i, j, k = triple
    all_of = fit.parameters
    chosen = [i, j, k]
    p, means, variances = (x[chosen].copy() for x in (all_of.proportions, all_of.means, all_of.variances))
    share = p[:2] / p[:2].sum()
    volume = np.exp(np.log(variances[2]).mean())
    means[1:] = means[2] + rng.normal(size=(2, X.shape[1])) * np.sqrt(variances[2])
    means[0], variances[0] = share @ all_of.means[[i, j]], share @ all_of.variances[[i, j]]
    variances[1:] = volume
    p = np.array([p[:2].sum(), p[2] / 2.0, p[2] / 2.0])
    three = Parameters(proportions=p, means=means, axes=all_of.axes[chosen], variances=variances)
    held = fit.posteriors[:, chosen].sum(axis=1)
    for _ in range(PARTIAL):
        posteriors, _likelihood = expectation(X, three)
        updated = maximisation(X, posteriors * held[:, np.newaxis], FAMILY, three)
        if updated is None:
            return None
        three = updated
    full = {name: getattr(all_of, name).copy() for name in ("proportions", "means", "axes", "variances")}
    for name, values in full.items():
        values[chosen] = getattr(three, name)
    trial = _long_run(X, Parameters(**full))
    return None if trial.degenerate else trial


def _long_run(X: Floats, start: Parameters) -> Fit:
    return run_em(X, start, FAMILY, iterations=ITERATIONS, epsilon=EPSILON)


def _better(a: Fit, b: Fit) -> Fit:
    return b if not b.degenerate and b.log_likelihood >= a.log_likelihood else a
