"""The clusterers of the study, by name."""

import doctest

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from experiments.amorim_cardoso_2014 import clusterers
from experiments.amorim_cardoso_2014.clusterers import CLUSTERERS, DESCRIPTIONS, cluster
from experiments.clusterers import library
from experiments.common.data import load_dataset
from tests.experiments.mixture_samples import inertia, sample


def partition(labels):
    """The clusters as a set of sets of objects."""
    return {frozenset(np.flatnonzero(labels == label)) for label in np.unique(labels)}


SHOWN = ["kmeans_spss", "kmeans_best_of_10", "em_lk_b", "em_lk_c", "gmm_full", "gmm_diag"]


def test_names_and_descriptions():
    assert list(CLUSTERERS) == list(DESCRIPTIONS)
    assert set(CLUSTERERS) == {*SHOWN, *clusterers.EM_FAMILIES}
    assert len(clusterers.EM_FAMILIES) == 14
    assert clusterers.THE_EM in clusterers.EM_FAMILIES
    assert clusterers.RMIXMODS_DEFAULT in clusterers.EM_FAMILIES
    assert [name for name in CLUSTERERS if not clusterers.is_em(name)] == ["kmeans_spss", "kmeans_best_of_10"]


@pytest.mark.parametrize("name", SHOWN)
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


@pytest.mark.parametrize("name", ["kmeans_best_of_10", "em_lk_b", "gmm_full", "gmm_diag"])
def test_randomness_comes_from_the_generator(name):
    X, _ = sample(150, 2, 0.2)
    found = {tuple(cluster(name, X, 4, np.random.default_rng(seed))) for seed in range(5)}
    assert len(found) > 1


@pytest.mark.parametrize("name", SHOWN)
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
    for seed in range(4):
        X, _ = sample(300, seed, 0.25)
        best = inertia(X, cluster("kmeans_best_of_10", X, 3, np.random.default_rng(seed)))
        for name in SHOWN:
            other = inertia(X, cluster(name, X, 3, np.random.default_rng(seed)))
            assert best <= other * (1 + 1e-3)
            worse += other > best * (1 + 1e-3)
    assert worse > 10


@pytest.mark.parametrize("name", SHOWN)
def test_one_cluster(name):
    X, _ = sample(30, 1)
    assert (cluster(name, X, 1, np.random.default_rng(1)) == 0).all()


@pytest.mark.parametrize("name", SHOWN)
def test_duplicates_stay_together(name):
    X, _ = sample(60, 3, 0.5)
    labels = cluster(name, np.repeat(X, 3, axis=0), 3, np.random.default_rng(1)).reshape(60, 3)
    assert (labels == labels[:, :1]).all()


@pytest.mark.parametrize("name", SHOWN)
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
    with pytest.raises(ValueError, match="Did you mean 'kmeans_spss'"):
        cluster("kmeans_sps", np.eye(3), 2, np.random.default_rng(1))
    with pytest.raises(ValueError, match="There are: kmeans_spss"):
        cluster("?", np.eye(3), 2, np.random.default_rng(1))


def test_em_says_when_a_column_is_constant():
    X = np.column_stack([np.arange(9.0), np.ones(9)])
    with pytest.raises(ValueError, match=r"`X` must have columns that vary; got a constant one, 1"):
        cluster("em_lk_b", X, 2, np.random.default_rng(1))


def test_em_says_when_every_run_degenerates():
    X = np.repeat(np.array([[0.0, 0.0], [9.0, 1.0], [0.0, 9.0]]), 20, axis=0)
    with pytest.raises(ValueError, match=r"`n_clusters` must leave every component more than a point; got 3"):
        cluster("em_lk_b", X, 3, np.random.default_rng(1))


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
    assert agreement["em_lk_b"] > 0.85


def test_kmeans_from_several_starts_has_less_inertia_than_from_one():
    X, _ = sample(300, 1, 0.25)
    for init in ("random", "k-means++"):
        rng = np.random.default_rng(1)
        single = [inertia(X, library.kmeans(X, 8, rng, init=init)) for _ in range(40)]
        several = [inertia(X, library.kmeans(X, 8, rng, init=init, n_init=20)) for _ in range(5)]
        assert np.median(several) < np.quantile(single, 0.25)


def test_kmeans_plus_plus_begins_nearer_to_the_groups():
    X, groups = sample(300, 1, 3.0)
    agreement = {
        init: [
            adjusted_rand_score(groups, library.kmeans(X, 3, np.random.default_rng(seed), init=init))
            for seed in range(40)
        ]
        for init in ("random", "k-means++")
    }
    assert np.mean(agreement["k-means++"]) > np.mean(agreement["random"]) + 0.05


def test_docstring_examples():
    for module in (clusterers, library):
        found = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE, extraglobs={"np": np})
        assert found.failed == 0
        assert found.attempted > 0
