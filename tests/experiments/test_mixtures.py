import itertools
import math

import numpy as np
import pytest
from scipy.stats import chi2, norm

from experiments.amorim_cardoso_2014 import paper
from experiments.common.mixtures import Mixture, draw, overlaps
from experiments.common.quadratic_forms import quadratic_form_cdf
from experiments.common.random_mixtures import random_mixture


def some_mixture(seed, K, p):
    rng = np.random.default_rng(seed)
    roots = rng.standard_normal((K, p, p + 1))
    weights, means = rng.dirichlet(np.full(K, 5.0)), 1.5 * rng.standard_normal((K, p))
    return Mixture(weights=weights, means=means, covariances=roots @ roots.transpose(0, 2, 1) / p)


def test_closed_forms_of_indefinite_forms():
    # P(a z1^2 <= b z2^2) = P(|z1/z2| <= sqrt(b/a)), a Cauchy ratio; the integrand falls as 1/t only
    for a, b in ((1.0, 1.0), (2.0, 1.0), (1.0, 300.0)):
        expected = 2 / math.pi * math.atan(math.sqrt(b / a))
        assert quadratic_form_cdf([a, -b], [0, 0], 0.0) == pytest.approx(expected, abs=1e-12)
    laplace = quadratic_form_cdf([1, 1, -1, -1], [0, 0, 0, 0], -4.0)  # difference of two exponentials
    assert laplace == pytest.approx(0.5 * math.exp(-2), rel=1e-12)
    assert quadratic_form_cdf([0, 0], [0.3, 0.4], 1.3) == pytest.approx(norm.cdf(1.3), rel=1e-14)
    assert quadratic_form_cdf([1, 1], [0, 0], 0.0) == 0.0
    assert quadratic_form_cdf([-1, -1], [0.5, 0.0], 0.2501) == 1.0
    assert [quadratic_form_cdf([0], [0], x) for x in (-1, 0, 1)] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(("K", "p"), [(3, 1), (3, 3), (2, 5)])
def test_simulated_misclassification(K, p):
    mixture = some_mixture(11, K, p)
    omega = overlaps(mixture)
    X, groups = draw(mixture, 300_000, np.random.default_rng(12))
    off = X[:, None, :] - mixture.means
    distances = np.einsum("nki,kij,nkj->nk", off, np.linalg.inv(mixture.covariances), off)
    score = 2 * np.log(mixture.weights) - np.linalg.slogdet(mixture.covariances)[1] - distances
    for i, j in itertools.permutations(range(K), 2):
        given = score[groups == i, j] > score[groups == i, i]
        z = (given.mean() - omega[i, j]) / math.sqrt(omega[i, j] * (1 - omega[i, j]) / given.size)
        assert abs(z) < 4.5  # 14 comparisons: fails by chance once in 10,000 seeds


def test_same_generator_same_mixture():
    def make(seed):
        return random_mixture(3, 2, average=0.1, rng=np.random.default_rng(seed))

    assert make(1).to_dict() == make(1).to_dict()
    assert make(1).to_dict() != make(2).to_dict()
    drawn = [draw(make(1), 50, np.random.default_rng(6)) for _ in range(2)]
    assert [each.tobytes() for each in drawn[0]] == [each.tobytes() for each in drawn[1]]


def test_drawn_data_have_the_moments_and_group_sizes():
    mixture = paper.THREE_GROUPS["unbalanced", "moderate"]
    n = 100_000
    X, groups = draw(mixture, n, np.random.default_rng(7))
    assert (X.shape, X.dtype, groups.shape, groups.dtype) == ((n, 3), np.float64, (n,), np.int64)
    assert (np.diff(groups) >= 0).all()
    sizes = np.bincount(groups)
    assert (((sizes - n * mixture.weights) ** 2) / (n * mixture.weights)).sum() < chi2.isf(1e-6, 2)
    for k, size in enumerate(sizes):
        roots = np.linalg.cholesky(mixture.covariances)
        white = np.linalg.solve(roots[k], (X[groups == k] - mixture.means[k]).T)
        assert (np.abs(white.mean(axis=1)) * math.sqrt(size) < 4.5).all()
        assert (np.abs(white @ white.T / size - np.eye(3)) * math.sqrt(size / 2) < 5).all()
    sizes = [np.bincount(draw(mixture, 10, np.random.default_rng(s))[1], minlength=3)[0] for s in range(200)]
    assert np.var(sizes) == pytest.approx(10 * 0.6 * 0.4, rel=0.4)  # binomial, not fixed
    assert draw(mixture, 0, np.random.default_rng(8))[0].shape == (0, 3)
