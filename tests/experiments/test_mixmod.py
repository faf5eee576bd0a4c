"""Short runs and the long run of EM: when they stop, which is continued, what they find."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from experiments.clusterers.gaussian_families import FAMILIES, from_centres
from experiments.clusterers.mixmod import RMIXMOD, Strategy, fit, run_em
from tests.experiments.mixture_samples import MEANS, PROPORTIONS, SHAPE, VOLUMES, sample

TO_THE_END = Strategy(epsilon=1e-10, iterations=2000)
LK_C = FAMILIES["lk_c"]


# When a run stops


@pytest.mark.parametrize("epsilon", [1e-1, 1e-3, 1e-6])
def test_a_run_stops_at_the_first_small_change_from_the_third_on(epsilon):
    for seed in range(5):
        X, _ = sample(300, seed, 0.3)
        run = run_em(X, from_centres(X, X[:3], LK_C), LK_C, iterations=5000, epsilon=epsilon)
        small = np.abs(np.diff(run.log_likelihoods)) < epsilon
        assert run.converged
        assert small[2:].tolist() == [False] * (len(small) - 3) + [True]


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


@pytest.mark.parametrize("key", ["lk_b", "lk_c", "lk_ck"])
def test_a_component_on_one_point_ends_the_run_before_its_volume_is_zero(key):
    rng = np.random.default_rng(1)
    X = np.vstack([rng.normal(size=(50, 2)), np.full((5, 2), 40.0)])
    family = FAMILIES[key]
    run = run_em(X, from_centres(X, X[[0, 52]], family), family, iterations=100, epsilon=0.0)
    assert run.degenerate
    assert not run.converged
    assert np.isfinite(run.log_likelihoods).all()
    assert (run.parameters.volumes > 1e-8).all()


def test_error_when_every_run_degenerates():
    X = np.repeat(np.array([[0.0, 0.0], [9.0, 1.0], [0.0, 9.0]]), 20, axis=0)
    for key in FAMILIES:
        with pytest.raises(
            ValueError, match=r"`n_clusters` must leave every component more than a point; got 3"
        ):
            fit(X, 3, np.random.default_rng(1), family=key)


@pytest.mark.parametrize("key", FAMILIES)
def test_error_when_one_gaussian_is_degenerate(key):
    constant = np.column_stack([np.arange(9.0), np.full(9, 0.1)])
    with pytest.raises(ValueError, match=r"`X` must have columns that vary; got a constant one, 1"):
        fit(constant, 2, np.random.default_rng(1), family=key)
    line = np.column_stack([np.arange(9.0) ** 2, 5.0 - 3e-6 * np.arange(9.0) ** 2])
    few = np.array([[0.0, 1.0], [1.0, 3.0]])
    for X in (line, few):
        if FAMILIES[key].orientation == "variables":
            assert np.isfinite(fit(X, 1, np.random.default_rng(1), family=key).log_likelihood)
        else:
            with pytest.raises(ValueError, match=r"`X` must have linearly independent columns"):
                fit(X, 1, np.random.default_rng(1), family=key)
