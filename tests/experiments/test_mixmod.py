"""Short runs and the long run of EM: when they stop, which is continued, what they find."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from experiments.clusterers.gaussian_families import FAMILIES, from_centres
from experiments.clusterers.mixmod import RMIXMOD, Strategy, fit, run_em
from tests.experiments.mixture_samples import MEANS, PROPORTIONS, SHAPE, VOLUMES, sample

TO_THE_END = Strategy(epsilon=1e-10, iterations=2000)
# When a run stops


def test_rmixmod_makes_50_runs_of_5_iterations_and_one_of_200():
    """Source: manual of Rmixmod 2.1.10, ``mixmodStrategy``; at least three iterations: its source."""
    assert (
        Strategy(short_runs=50, short_iterations=5, iterations=200, least_iterations=3, epsilon=1e-3)
        == RMIXMOD
    )


# Which run is continued


@pytest.mark.parametrize("key", ["lk_b", "lk_c", "lk_i"])
def test_best_short_run_is_continued(key):
    X, _ = sample(200, 9, 0.3)
    family = FAMILIES[key]
    rng = np.random.default_rng(4)
    chosen = [rng.choice(200, 3, replace=False) for _ in range(50)]
    runs = [run_em(X, from_centres(X, X[rows], family), family, iterations=5) for rows in chosen]
    best = max(runs, key=lambda run: run.log_likelihood)
    short = fit(X, 3, np.random.default_rng(4), family=key, strategy=Strategy(iterations=0))
    assert short.log_likelihood == best.log_likelihood > np.median([run.log_likelihood for run in runs]) + 0.1
    whole = fit(X, 3, np.random.default_rng(4), family=key)
    assert whole.log_likelihoods[0] == best.log_likelihood
    assert whole.log_likelihood > best.log_likelihood
    assert len(whole.log_likelihoods) <= 201


def test_a_long_run_that_degenerates_gives_way_to_the_next():
    """Ten objects on a line: a free covariance shrinks onto it from most short runs, sooner or later."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(14, 2))
        strategy = Strategy(short_runs=5, iterations=1000, epsilon=1e-9)
        rows = np.random.default_rng(1)
        family = FAMILIES["lk_ck"]
        starts = [from_centres(X, X[rows.choice(14, 2, replace=False)], family) for _ in range(5)]
        short = [run_em(X, start, family, iterations=5, epsilon=1e-9) for start in starts]
        short = sorted([run for run in short if not run.degenerate], key=lambda run: -run.log_likelihood)
        long = [run_em(X, run.parameters, family, iterations=1000, epsilon=1e-9) for run in short]
        if len(long) > 1 and long[0].degenerate and not all(run.degenerate for run in long):
            sound = next(run for run in long if not run.degenerate)
            found = fit(X, 2, np.random.default_rng(1), family=family, strategy=strategy)
            assert found.log_likelihood == sound.log_likelihood
            assert not found.degenerate
            return
    pytest.fail("no data in which the long run degenerates")


# What it finds


def test_recovers_the_parameters_of_separated_groups():
    n = 6000
    X, groups = sample(n, 8)
    found = fit(X, 3, np.random.default_rng(1), strategy=TO_THE_END)
    assert found.converged
    order = [int(np.argmin(((found.parameters.means - mean) ** 2).sum(axis=1))) for mean in MEANS]
    assert sorted(order) == [0, 1, 2]
    # Five standard errors; the groups overlap by less than 1e-3, so that errors are those of known groups.
    weights = PROPORTIONS * n
    p, means = found.parameters.proportions[order], found.parameters.means[order]
    assert (abs(p - PROPORTIONS) < 5 * np.sqrt(PROPORTIONS * (1 - PROPORTIONS) / n)).all()
    assert (abs(means - MEANS) < 5 * np.sqrt(VOLUMES * SHAPE.max() / weights)[:, None]).all()
    assert (
        abs(found.parameters.volumes[order] / VOLUMES - 1) < 5 * np.sqrt(2 / (3 * weights) + 2 / (3 * n))
    ).all()
    for covariance, volume in zip(found.parameters.covariances, found.parameters.volumes, strict=True):
        np.testing.assert_allclose(covariance / volume, SHAPE, atol=5 * np.sqrt(2 / n) * SHAPE.max())
    assert adjusted_rand_score(groups, found.labels) > 0.99


# Degenerate runs and data
