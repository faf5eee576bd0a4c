"""The 14 families of Gaussian mixtures: E step, M step, and what their covariance matrices have in common."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from experiments.clusterers.gaussian_families import FAMILIES, expectation, from_centres, maximisation
from tests.experiments.mixture_samples import sample

SCIKIT_LEARN = {"lk_i": "spherical", "lk_bk": "diag", "l_c": "tied", "lk_ck": "full"}


def scattered(seed, n=90, d=3, K=3):
    """Objects around K centres with unrelated covariances, posteriors of no meaning, centres among them."""
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(K, d, d)) + np.eye(d)
    groups = rng.integers(K, size=n)
    X = 2 * rng.normal(size=(K, d))[groups] + np.einsum("iab,ib->ia", roots[groups], rng.normal(size=(n, d)))
    posteriors = 0.7 * np.eye(K)[groups] + 0.3 * rng.dirichlet(np.ones(K), n)
    return X, posteriors, X[:K]


def m_step(X, posteriors, key, centres):
    return maximisation(X, posteriors, FAMILIES[key], from_centres(X, centres, FAMILIES[key]))


@pytest.mark.parametrize("key", FAMILIES)
def test_posteriors_and_likelihood_are_those_of_scipy(key):
    X, posteriors, centres = scattered(1, n=50)
    parameters = m_step(X, posteriors, key, centres)
    found, log_likelihood = expectation(X, parameters)
    parts = zip(parameters.proportions, parameters.means, parameters.covariances, strict=True)
    densities = np.column_stack([p * multivariate_normal(*law).pdf(X) for p, *law in parts])
    np.testing.assert_allclose(found, densities / densities.sum(axis=1, keepdims=True), rtol=1e-9)
    assert log_likelihood == pytest.approx(np.log(densities.sum(axis=1)).sum(), rel=1e-12)


@pytest.mark.parametrize("key", SCIKIT_LEARN)
def test_one_step_is_that_of_scikit_learn(key):
    X, _ = sample(200, 3, 0.3)
    start = from_centres(X, X[:3], FAMILIES[key])
    precisions = {
        "spherical": 1 / start.variances[:, 0],
        "diag": 1 / start.variances,
        "tied": np.diag(1 / start.variances[0]),
        "full": np.array([np.diag(1 / variances) for variances in start.variances]),
    }[SCIKIT_LEARN[key]]
    theirs = GaussianMixture(
        3, covariance_type=SCIKIT_LEARN[key], reg_covar=0, max_iter=1, weights_init=start.proportions,
        means_init=start.means, precisions_init=precisions, init_params="random", random_state=0,
    )  # fmt: skip
    with pytest.warns(ConvergenceWarning):
        theirs.fit(X)
    ours = maximisation(X, expectation(X, start)[0], FAMILIES[key], start)
    np.testing.assert_allclose(ours.proportions, theirs.weights_, rtol=1e-10)
    np.testing.assert_allclose(ours.means, theirs.means_, rtol=1e-10)
    np.testing.assert_allclose(ours.covariances, full(theirs), rtol=1e-10, atol=1e-12)


def full(model):
    """Covariance matrices of a mixture of scikit-learn, shape (K, d, d)."""
    d = model.means_.shape[1]
    return {
        "spherical": lambda c: c[:, np.newaxis, np.newaxis] * np.eye(d),
        "diag": lambda c: c[:, :, np.newaxis] * np.eye(d),
        "tied": lambda c: np.tile(c, (model.n_components, 1, 1)),
        "full": lambda c: c,
    }[model.covariance_type](model.covariances_)


@pytest.mark.parametrize("key", FAMILIES)
def test_a_component_on_one_point_degenerates_where_its_volume_is_free(key):
    rng = np.random.default_rng(1)
    X = np.vstack([rng.normal(size=(50, 2)), np.full((5, 2), 40.0)])
    posteriors = np.eye(2)[np.repeat([0, 1], [50, 5])]
    found = m_step(X, posteriors, key, X[[0, 52]])
    survives = FAMILIES[key].volume == "equal" and FAMILIES[key].shape != "free"
    assert (found is not None) == survives
