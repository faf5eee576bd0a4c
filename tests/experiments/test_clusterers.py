"""The clusterers of the study, by name."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from experiments.amorim_cardoso_2014 import clusterers
from experiments.amorim_cardoso_2014.clusterers import CLUSTERERS, DESCRIPTIONS, cluster
from experiments.clusterers import library
from tests.experiments.mixture_samples import sample


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


@pytest.mark.parametrize("name", SHOWN)
def test_separated_groups_are_found_in_any_order(name):
    X, groups = sample(150, 1, 3.0)
    shuffle = np.random.default_rng(2).permutation(150)
    found = cluster(name, X, 3, np.random.default_rng(1))
    assert partition(found) == partition(groups)
    assert partition(cluster(name, X[:, ::-1], 3, np.random.default_rng(1))) == partition(groups)
    assert partition(cluster(name, X[shuffle], 3, np.random.default_rng(1))) == partition(groups[shuffle])


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
