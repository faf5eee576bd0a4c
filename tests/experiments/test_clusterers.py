"""The clusterers of the study: EM with proportional covariances, k-means as in SPSS, and scikit-learn's."""

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from experiments.amorim_cardoso_2014 import clusterers, proportional_em
from experiments.amorim_cardoso_2014.clusterers import CLUSTERERS, DESCRIPTIONS, cluster, em_from_groups
from experiments.amorim_cardoso_2014.proportional_em import (
    Parameters,
    Strategy,
    expectation,
    fit,
    from_centres,
    maximisation,
    run_em,
    single_gaussian,
)
from experiments.clusterers import quick_cluster
from experiments.clusterers.quick_cluster import initial_cases
from experiments.common.data import load_dataset

TO_THE_END = Strategy(stop="absolute", epsilon=1e-10, iterations=2000)
MEANS = np.array([[0.0, 0.0, 0.0], [8.0, 0.0, 3.0], [0.0, 9.0, -6.0]])
VOLUMES = np.array([0.5, 1.0, 2.5])
PROPORTIONS = np.array([0.5, 0.3, 0.2])
SHAPE = np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.2], [0.0, 0.2, 1.0]])
SHAPE /= np.linalg.det(SHAPE) ** (1 / 3)


def sample(n, seed, spread=1.0):
    """Objects from three Gaussians with proportional covariances, and their groups."""
    rng = np.random.default_rng(seed)
    groups = rng.choice(3, n, p=PROPORTIONS)
    noise = rng.normal(size=(n, 3)) @ np.linalg.cholesky(SHAPE).T
    return MEANS[groups] * spread + noise * np.sqrt(VOLUMES[groups])[:, None], groups


def random_case(seed, n=60, d=2, K=3):
    """Objects, posteriors of no particular meaning, and a place to start."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    return X, rng.dirichlet(np.ones(K), n), from_centres(X, X[:K])


def partition(labels):
    """The clusters as a set of sets of objects."""
    return {frozenset(np.flatnonzero(labels == label)) for label in np.unique(labels)}


def inertia(X, labels):
    return sum(((X[labels == k] - X[labels == k].mean(axis=0)) ** 2).sum() for k in np.unique(labels))


# EM


@pytest.mark.parametrize("spread", [0.1, 0.3, 1.0])
def test_likelihood_never_decreases(spread):
    for seed in range(10):
        X, _ = sample(300, seed, spread)
        start = from_centres(X, X[:3])
        run = run_em(X, start, iterations=200, epsilon=0.0, stop="absolute")
        steps = np.diff(run.log_likelihoods)
        assert len(steps) > 2
        assert steps.min() >= -1e-10 * abs(run.log_likelihood)
        assert steps.sum() > 1


def test_posteriors_and_likelihood_are_those_of_scipy():
    X, _ = sample(50, 1, 0.3)
    parameters = fit(X, 3, np.random.default_rng(1)).parameters
    posteriors, log_likelihood = expectation(X, parameters)
    densities = np.column_stack(
        [
            p * multivariate_normal(mean, covariance).pdf(X)
            for p, mean, covariance in zip(
                parameters.proportions, parameters.means, parameters.covariances, strict=True
            )
        ]
    )
    np.testing.assert_allclose(posteriors, densities / densities.sum(axis=1, keepdims=True), rtol=1e-9)
    assert log_likelihood == pytest.approx(np.log(densities.sum(axis=1)).sum(), rel=1e-12)
    assert np.linalg.det(parameters.shape) == pytest.approx(1, rel=1e-12)


def objective(X, posteriors, parameters):
    """The expected complete log-likelihood, by SciPy's densities."""
    return sum(
        (posteriors[:, k] * (np.log(p) + multivariate_normal(mean, covariance).logpdf(X))).sum()
        for k, (p, mean, covariance) in enumerate(
            zip(parameters.proportions, parameters.means, parameters.covariances, strict=True)
        )
    )


@pytest.mark.parametrize("seed", range(4))
def test_m_step_finds_what_a_numerical_optimiser_finds(seed):
    X, posteriors, start = random_case(seed)
    found = maximisation(X, posteriors, start)

    def unpacked(free):
        root = np.array([[np.exp(free[2]), 0.0], [free[3], np.exp(-free[2])]])  # determinant 1
        proportions = np.exp(free[4:7] - np.logaddexp.reduce(free[4:7]))
        return Parameters(
            proportions=proportions,
            means=free[7:13].reshape(3, 2),
            volumes=np.exp([free[0], free[1], free[13]]),
            whitening=root,
        )

    best = minimize(lambda free: -objective(X, posteriors, unpacked(free)), np.zeros(14), method="BFGS")
    assert objective(X, posteriors, found) >= -best.fun - 1e-9 * abs(best.fun)
    optimum = unpacked(best.x)
    np.testing.assert_allclose(found.covariances, optimum.covariances, rtol=2e-4, atol=2e-4)
    np.testing.assert_allclose(found.means, optimum.means, atol=2e-4)
    np.testing.assert_allclose(found.proportions, optimum.proportions, atol=2e-4)


def test_m_step_does_not_depend_on_where_it_starts():
    X, posteriors, start = random_case(5, d=4)
    other = from_centres(X @ np.diag([1.0, 30.0, 0.1, 5.0]), X[:3])
    np.testing.assert_allclose(
        maximisation(X, posteriors, start).covariances,
        maximisation(X, posteriors, other).covariances,
        rtol=1e-6,
        atol=1e-8,
    )


def test_equal_scatters_per_object_give_the_tied_covariance_of_scikit_learn():
    rng = np.random.default_rng(3)
    cloud = rng.normal(size=(40, 3)) @ np.array([[1.0, 0, 0], [0.7, 1.0, 0], [0, 0.3, 2.0]])
    X = np.vstack([cloud, cloud + 4, cloud - [5, 0, 3]])  # one cloud thrice, so that all volumes are equal
    labels = np.repeat([0, 1, 2], 40)
    found = maximisation(X, np.eye(3)[labels], from_centres(X, X[:3]))
    tied = GaussianMixture(3, covariance_type="tied", reg_covar=0, max_iter=1, init_params="random")
    tied._initialize(X, np.eye(3)[labels])
    np.testing.assert_allclose(found.volumes, found.volumes[0], rtol=1e-9)
    np.testing.assert_allclose(found.covariances[1], tied.covariances_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.means, tied.means_, rtol=1e-12)


def test_recovers_the_parameters_of_separated_groups():
    n = 6000
    X, groups = sample(n, 8)
    found = fit(X, 3, np.random.default_rng(1), TO_THE_END)
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
    np.testing.assert_allclose(found.parameters.shape, SHAPE, atol=5 * np.sqrt(2 / n) * SHAPE.max())
    assert adjusted_rand_score(groups, found.labels) > 0.99


@pytest.mark.heavy
def test_free_volumes_fit_better_than_tied_and_worse_than_free_covariances():
    X, _ = sample(500, 4, 0.6)
    ours = fit(X, 3, np.random.default_rng(2), TO_THE_END).log_likelihood
    tied, full = (
        GaussianMixture(
            3, covariance_type=kind, reg_covar=0, n_init=3, tol=1e-6, max_iter=500, random_state=1
        )
        .fit(X)
        .score(X)
        * len(X)
        for kind in ("tied", "full")
    )
    assert tied + 1 < ours < full


def test_order_of_variables_and_units_do_not_matter():
    X, _ = sample(200, 6, 0.35)
    labels = fit(X, 3, np.random.default_rng(3), TO_THE_END).labels
    other = fit((X * [100.0, 1.0, 0.01])[:, [2, 0, 1]] + 7, 3, np.random.default_rng(3), TO_THE_END).labels
    assert (labels == other).all()
    assert len(np.unique(labels)) == 3


def test_order_of_components_does_not_matter():
    X, _ = sample(200, 7, 0.35)
    run = run_em(X, from_centres(X, X[[3, 50, 120]]), iterations=50, epsilon=0, stop="absolute")
    turned = run_em(X, from_centres(X, X[[120, 3, 50]]), iterations=50, epsilon=0, stop="absolute")
    np.testing.assert_allclose(turned.posteriors[:, [1, 2, 0]], run.posteriors, atol=1e-8)


def test_stopping_rules():
    X, _ = sample(300, 2, 0.3)
    start = from_centres(X, X[:3])
    for stop in ("relative", "progress", "absolute"):
        run = run_em(X, start, iterations=5000, epsilon=1e-3, stop=stop)
        L = run.log_likelihoods
        against = {"relative": abs(L[1:]), "progress": L[1:] - L[0], "absolute": np.ones(len(L) - 1)}[stop]
        small = np.diff(L) <= 1e-3 * against
        assert run.converged
        assert small.tolist() == [False] * (len(L) - 2) + [True]
    short = run_em(X, start, iterations=2, epsilon=0, stop="absolute")
    assert len(short.log_likelihoods) == 3
    assert not short.converged


def test_best_short_run_is_continued():
    X, _ = sample(200, 9, 0.3)
    strategy = Strategy(iterations=0)
    rng = np.random.default_rng(4)
    chosen = [rng.choice(200, 3, replace=False) for _ in range(50)]
    runs = [
        run_em(X, from_centres(X, X[rows]), iterations=5, epsilon=1e-3, stop="progress").log_likelihood
        for rows in chosen
    ]
    assert fit(X, 3, np.random.default_rng(4), strategy).log_likelihood == max(runs)
    assert max(runs) > np.median(runs) + 0.1


def test_one_component_is_the_gaussian_of_all_objects():
    X, _ = sample(100, 1)
    found = fit(X, 1, np.random.default_rng(1))
    np.testing.assert_allclose(found.parameters.covariances[0], np.cov(X.T, bias=True), rtol=1e-10)
    np.testing.assert_allclose(single_gaussian(X).covariances[0], np.cov(X.T, bias=True), rtol=1e-10)
    assert found.log_likelihood == pytest.approx(
        multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(X).sum(), rel=1e-12
    )


def test_a_component_on_one_point_ends_the_run_before_its_volume_is_zero():
    rng = np.random.default_rng(1)
    X = np.vstack([rng.normal(size=(50, 2)), np.full((5, 2), 40.0)])
    run = run_em(
        X, from_centres(X, X[[0, 52]]), iterations=100, epsilon=0, stop="absolute", smallest_volume=1e-8
    )
    assert run.degenerate
    assert np.isfinite(run.log_likelihoods).all()
    assert (run.parameters.volumes > 1e-8).all()


# k-means as in SPSS

SQUARE = {1: (1.0, 1.0), 2: (2.0, 2.0), 3: (1.0, 2.0), 4: (2.0, 1.0)}


@pytest.mark.parametrize(
    ("order", "centres"),
    [((1, 2, 3, 4), {1, 2}), ((4, 3, 2, 1), {3, 4}), ((1, 3, 2, 4), {1, 2})],
)
def test_square_of_a_user_of_spss(order, centres):
    """Source: SPSSX-L, April 2006, on the initial centres of QUICK CLUSTER in three orders of four points."""
    X = np.array([SQUARE[point] for point in order])
    assert {order[case] for case in initial_cases(X, 2)} == centres


def test_initial_centres_by_hand():
    # 0, 1, 2 first. 10: 8 from its closest, centres 1 apart, nearer to 1 than to 0: (a), for 1. Now 0, 10, 2.
    # 5: 3 from 2, the closest pair (0, 2) is 2 apart, nearer to 2: (a), for 2. Now 0, 10, 5.
    # 4: 1 from 5, less than 5; 4 from its second closest, 0, less than 5: stays out.
    # -1: 1 from 0; 6 from its second closest, 5, more than 0 is from 5: (b), for 0. Now -1, 10, 5.
    X = np.array([[0.0], [1.0], [2.0], [10.0], [5.0], [4.0], [-1.0]])
    for cases, chosen in [(3, (0, 1, 2)), (4, (0, 3, 2)), (5, (0, 3, 4)), (6, (0, 3, 4)), (7, (6, 3, 4))]:
        assert initial_cases(X[:cases], 3) == chosen


def test_initial_centres_drift_apart():
    """Condition (a) and (b) never bring the two closest centres nearer to each other."""
    X, _ = sample(300, 3, 0.3)
    closest = []
    for cases in range(4, 301):
        centres = X[list(initial_cases(X[:cases], 4))]
        closest.append(min(np.linalg.norm(a - b) for i, a in enumerate(centres) for b in centres[:i]))
    assert (np.diff(closest) >= 0).all()
    assert closest[-1] > 2 * closest[0]


def test_k_means_by_hand():
    # Centres 0 and 12, the cases farthest apart. First 0, 1, 5 | 7, 12: means 2, 9.5; 5 stays. Nothing moves.
    X = np.array([[0.0], [1.0], [5.0], [7.0], [12.0]])
    found = quick_cluster.quick_cluster(X, 2)
    assert found.initial_cases == (0, 4)
    assert found.labels.tolist() == [0, 0, 0, 1, 1]
    assert found.centres.tolist() == [[2.0], [9.5]]
    assert found.converged
    assert found.iterations == 2


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), K=st.integers(1, 5))
def test_converged_means_nothing_moves(seed, K):
    X = np.random.default_rng(seed).normal(size=(80, 2)).round(1)
    found = quick_cluster.quick_cluster(X, K, max_iterations=1000)
    assert found.converged
    assert len(set(found.initial_cases)) == K
    for k in np.unique(found.labels):
        np.testing.assert_allclose(found.centres[k], X[found.labels == k].mean(axis=0), atol=1e-12)
    distances = ((X[:, None] - found.centres) ** 2).sum(axis=2)
    assert (distances[np.arange(80), found.labels] <= distances.min(axis=1) + 1e-12).all()


def test_ten_updates_at_most_and_the_criterion():
    X, _ = sample(1000, 5, 0.1)
    whole = quick_cluster.quick_cluster(X, 3, max_iterations=1000)
    assert whole.iterations > 10
    ten = quick_cluster.quick_cluster(X, 3)
    assert ten.iterations == 10
    assert not ten.converged
    assert inertia(X, whole.labels) < inertia(X, ten.labels)
    loose = quick_cluster.quick_cluster(X, 3, max_iterations=1000, convergence=0.02)
    assert loose.converged
    assert 1 < loose.iterations < whole.iterations


def test_empty_cluster_keeps_its_centre():
    centres = np.array([[0.0], [100.0]])
    updated = quick_cluster._means(np.array([[1.0], [3.0]]), np.array([0, 0]), centres)
    assert updated.tolist() == [[2.0], [100.0]]


# All


def test_names_and_descriptions():
    assert [*CLUSTERERS, "em_from_groups"] == list(DESCRIPTIONS)
    assert list(CLUSTERERS) == ["kmeans_spss", "kmeans_best_of_10", "em_mixmod", "gmm_full", "gmm_diag"]


@pytest.mark.parametrize("name", CLUSTERERS)
def test_same_generator_same_labels(name):
    X, groups = sample(150, 2, 0.4)
    before = X.copy()
    labels = cluster(name, X, 3, np.random.default_rng(5))
    assert labels.dtype == np.int64
    assert labels.shape == (150,)
    assert set(labels) == {0, 1, 2}
    assert (labels == cluster(name, X, 3, np.random.default_rng(5))).all()
    assert (labels == cluster(name, X.tolist(), 3, np.random.default_rng(5))).all()
    assert (before == X).all()
    assert adjusted_rand_score(groups, labels) > 0.2


@pytest.mark.parametrize("name", ["kmeans_best_of_10", "em_mixmod", "gmm_full", "gmm_diag"])
def test_randomness_comes_from_the_generator(name):
    X, _ = sample(150, 2, 0.2)
    found = {tuple(cluster(name, X, 4, np.random.default_rng(seed))) for seed in range(5)}
    assert len(found) > 1


@pytest.mark.parametrize("name", CLUSTERERS)
def test_separated_groups_are_found_in_any_order(name):
    X, groups = sample(150, 1, 3.0)
    shuffle = np.random.default_rng(2).permutation(150)
    found = cluster(name, X, 3, np.random.default_rng(1))
    assert partition(found) == partition(groups)
    assert partition(cluster(name, X[:, ::-1], 3, np.random.default_rng(1))) == partition(groups)
    assert partition(cluster(name, X[shuffle], 3, np.random.default_rng(1))) == partition(groups[shuffle])


@pytest.mark.heavy
def test_best_of_10_has_the_least_inertia():
    worse = 0
    for seed in range(10):
        X, _ = sample(300, seed, 0.25)
        best = inertia(X, cluster("kmeans_best_of_10", X, 3, np.random.default_rng(seed)))
        for name in CLUSTERERS:
            other = inertia(X, cluster(name, X, 3, np.random.default_rng(seed)))
            assert best <= other * (1 + 1e-3)
            worse += other > best * (1 + 1e-3)
    assert worse > 10


@pytest.mark.parametrize("name", CLUSTERERS)
def test_one_cluster(name):
    X, _ = sample(30, 1)
    assert (cluster(name, X, 1, np.random.default_rng(1)) == 0).all()


@pytest.mark.parametrize("name", CLUSTERERS)
def test_duplicates_stay_together(name):
    X, _ = sample(60, 3, 0.5)
    labels = cluster(name, np.repeat(X, 3, axis=0), 3, np.random.default_rng(1)).reshape(60, 3)
    assert (labels == labels[:, :1]).all()


@pytest.mark.parametrize("name", CLUSTERERS)
def test_errors(name):
    rng = np.random.default_rng(1)
    X = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 3.0], [2.0, 5.0]])
    with pytest.raises(
        ValueError, match=r"`n_clusters` must be from 1 to 3, the distinct rows of `X`; got 4"
    ):
        cluster(name, X, 4, rng)
    with pytest.raises(ValueError, match=r"`n_clusters` must be from 1 to 3"):
        cluster(name, X, 0, rng)
    with pytest.raises(ValueError, match=r"`X` must have shape \(n, d\)"):
        cluster(name, X[:, 0], 2, rng)
    with pytest.raises(ValueError, match=r"`X` must be finite"):
        cluster(name, np.where(X == 5, np.nan, X), 2, rng)


def test_a_misspelt_name_gets_the_nearest():
    with pytest.raises(ValueError, match="Did you mean 'em_mixmod'"):
        cluster("em_mixmood", np.eye(3), 2, np.random.default_rng(1))
    with pytest.raises(ValueError, match="There are: kmeans_spss"):
        cluster("?", np.eye(3), 2, np.random.default_rng(1))


def test_em_says_when_the_data_do_not_fill_the_space():
    line = np.column_stack([np.arange(9.0), 2 * np.arange(9.0)])
    for X in (line, np.column_stack([np.arange(9.0), np.ones(9)])):
        with pytest.raises(ValueError, match=r"`X` must have linearly independent columns"):
            cluster("em_mixmod", X, 2, np.random.default_rng(1))


def test_em_says_when_every_run_degenerates():
    X = np.repeat(np.array([[0.0, 0.0], [9.0, 1.0], [0.0, 9.0]]), 20, axis=0)
    with pytest.raises(ValueError, match=r"`n_clusters` must leave every component more than a point; got 3"):
        cluster("em_mixmod", X, 3, np.random.default_rng(1))


def test_irises():
    irises = load_dataset("iris")
    agreement = {
        name: adjusted_rand_score(irises.labels, cluster(name, irises.X, 3, np.random.default_rng(1)))
        for name in CLUSTERERS
    }
    # The known value of k-means on the raw measurements: 0.73.
    assert agreement["kmeans_best_of_10"] == pytest.approx(0.73, abs=0.005)
    assert agreement["kmeans_spss"] == pytest.approx(0.73, abs=0.03)
    assert agreement["gmm_full"] == pytest.approx(0.904, abs=0.005)
    assert agreement["em_mixmod"] > 0.85


def test_docstring_examples():
    for module in (clusterers, proportional_em, quick_cluster):
        failed, _ = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE, extraglobs={"np": np})
        assert failed == 0


def test_em_from_the_groups_finds_them_where_they_are_apart():
    rng = np.random.default_rng(3)
    groups = np.repeat([0, 1, 2], [50, 30, 20])
    X = rng.normal(size=(100, 2)) + 10 * np.eye(3, 2)[groups] * [1, 2]
    assert (em_from_groups(X, groups) == groups).all()
    with pytest.raises(ValueError, match="`groups` must each hold more than a point"):
        em_from_groups(np.vstack([X[:99], X[99:]]), np.append(groups[:99], 3))
