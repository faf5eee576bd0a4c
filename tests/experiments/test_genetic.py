"""The genetic algorithm: its merging against Ward's, its crossover by hand, and what it finds."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage

import chancecorr as cc
from experiments.clusterers.genetic import genetic, merge_nearest
from experiments.common.data import load_dataset


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("K", [2, 5, 11])
def test_merging_is_ward(seed, K):
    """From single objects, pairwise nearest neighbours and Ward's method are the same."""
    X = np.random.default_rng(seed).normal(size=(25, 2))
    labels = fcluster(linkage(X, "ward"), K, "maxclust")
    means = np.array([X[labels == k].mean(axis=0) for k in np.unique(labels)])
    centroids, sizes = X.copy(), np.ones(25, np.int64)
    kept = merge_nearest(centroids, sizes, K)
    assert sizes[kept].sum() == 25
    order, expected = np.lexsort(centroids[kept].T), np.lexsort(means.T)
    np.testing.assert_allclose(centroids[kept][order], means[expected], atol=1e-12)


@pytest.mark.parametrize("name", ["s1", "unbalance"])
def test_it_finds_all_clusters(name):
    data = load_dataset(name)
    classes = np.unique(data.labels)
    truth = np.array([data.X[data.labels == each].mean(axis=0) for each in classes])
    found = genetic(data.X, len(classes), np.random.default_rng(1))
    assert cc.prototypes.centroid_index(found.centroids, truth) == 0
