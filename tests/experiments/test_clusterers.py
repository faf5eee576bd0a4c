"""The clusterers of the study, by name."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from experiments.amorim_cardoso_2014.clusterers import cluster
from tests.experiments.mixture_samples import sample


def partition(labels):
    """The clusters as a set of sets of objects."""
    return {frozenset(np.flatnonzero(labels == label)) for label in np.unique(labels)}


SHOWN = ["kmeans_spss", "kmeans_best_of_10", "em_lk_b", "em_lk_c", "gmm_full", "gmm_diag"]


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
