"""EM with splits and merges, and with random swaps: single steps by hand, and what they are made for."""

import numpy as np
import pytest

import chancecorr as cc
from experiments.clusterers.gaussian_families import Parameters, expectation
from experiments.clusterers.mixmod import Fit
from experiments.clusterers.split_merge_em import candidates, changed, em, misfit, rsem, smem, swapped


def blobs(n=60, seed=1):
    """Nine Gaussians on a grid, ten standard deviations apart."""
    rng = np.random.default_rng(seed)
    centres = np.array([[10.0 * x, 10.0 * y] for x in range(3) for y in range(3)])
    return np.repeat(centres, n, axis=0) + rng.normal(size=(9 * n, 2)), centres


def fit_of(X, means, variances):
    K, d = np.shape(means)
    parameters = Parameters(
        proportions=np.full(K, 1 / K),
        means=np.array(means, dtype=float),
        axes=np.tile(np.eye(d), (K, 1, 1)),
        variances=np.array(variances, dtype=float),
    )
    posteriors, value = expectation(X, parameters)
    return Fit(
        parameters=parameters,
        posteriors=posteriors,
        log_likelihoods=np.array([value]),
        converged=False,
        degenerate=False,
    )


def test_what_is_merged_and_what_is_split():
    """Two components on the first of three groups, one on the other two."""
    rng = np.random.default_rng(1)
    X = np.repeat([[0.0], [20.0], [30.0]], 100, axis=0) + rng.normal(size=(300, 1))
    found = fit_of(X, [[-0.5], [0.5], [25.0]], [[1.0], [1.0], [26.0]])
    assert candidates(X, found)[0] == (0, 1, 2)
    assert misfit(X, found, 2) > misfit(X, found, 0)
    trial = changed(X, found, (0, 1, 2), rng)
    assert np.sort(trial.parameters.means.ravel()) == pytest.approx([0.0, 20.0, 30.0], abs=0.3)
    assert trial.log_likelihood > found.log_likelihood


def test_a_swapped_component():
    found = fit_of(np.arange(6.0)[:, None], [[0.0], [5.0], [2.0]], [[1.0], [2.0], [3.0]]).parameters
    after = swapped(found, 1, np.array([9.0]), np.array([0.5]))
    assert after.means.ravel().tolist() == [0.0, 9.0, 2.0]
    assert after.variances.ravel().tolist() == [1.0, 0.5, 3.0]
    assert after.proportions == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert found.means.ravel().tolist() == [0.0, 5.0, 2.0]


@pytest.mark.parametrize(("better", "least"), [(smem, 4), (rsem, 5)])
def test_they_find_all_groups_where_em_does_not(better, least):
    """SMEM tries five candidates only, and may end with a component on two stray objects."""
    X, centres = blobs()
    missed, missed_by_em = [], []
    for seed in range(5):
        plain = em(X, 9, np.random.default_rng(seed))
        found = better(X, 9, np.random.default_rng(seed))
        assert found.log_likelihood >= plain.log_likelihood  # both begin as plain EM does
        missed.append(cc.prototypes.centroid_index(found.parameters.means, centres))
        missed_by_em.append(cc.prototypes.centroid_index(plain.parameters.means, centres))
    assert missed.count(0) >= least
    assert missed_by_em.count(0) < least
