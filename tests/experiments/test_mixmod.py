"""Short runs and the long run of EM: when they stop, which is continued, what they find."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from experiments.clusterers.gaussian_families import FAMILIES, from_centres
from experiments.clusterers.mixmod import Strategy, fit, run_em
from tests.experiments.mixture_samples import MEANS, PROPORTIONS, SHAPE, VOLUMES, sample

TO_THE_END = Strategy(epsilon=1e-10, iterations=2000)


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
    off = abs(found.parameters.volumes[order] / VOLUMES - 1)
    assert (off < 5 * np.sqrt(2 / (3 * weights) + 2 / (3 * n))).all()
    for covariance, volume in zip(found.parameters.covariances, found.parameters.volumes, strict=True):
        np.testing.assert_allclose(covariance / volume, SHAPE, atol=5 * np.sqrt(2 / n) * SHAPE.max())
    assert adjusted_rand_score(groups, found.labels) > 0.99
