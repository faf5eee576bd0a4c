"""The genetic algorithm: its merging against Ward's, its crossover by hand, and what it finds."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage

import chancecorr as cc
from experiments.clusterers.genetic import Solution, cross, genetic, merge_nearest
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


def solution(X, centroids):
    squares = (X - centroids.T) ** 2
    return Solution(labels=squares.argmin(axis=1), centroids=centroids, squares=squares.min(axis=1))


def test_a_crossover_takes_the_better_part_of_each():
    """One parent has the left pair of clusters right, the other the right pair."""
    X = np.array([[0.0], [1.0], [10.0], [11.0], [80.0], [81.0], [90.0], [91.0]])
    left = solution(X, np.array([[0.5], [10.5], [85.0], [86.0]]))
    right = solution(X, np.array([[5.0], [6.0], [80.5], [90.5]]))
    found = cross(X, left, right)
    assert sorted(found.centroids.ravel().tolist()) == [0.5, 10.5, 80.5, 90.5]
    assert found.inertia == pytest.approx(8 * 0.25)


@pytest.mark.parametrize("name", ["s1", "unbalance"])
def test_it_finds_all_clusters(name):
    data = load_dataset(name)
    classes = np.unique(data.labels)
    truth = np.array([data.X[data.labels == each].mean(axis=0) for each in classes])
    found = genetic(data.X, len(classes), np.random.default_rng(1))
    assert cc.prototypes.centroid_index(found.centroids, truth) == 0


def test_without_generations_it_would_not():
    """Negative control: the best of the first population alone."""
    data = load_dataset("unbalance")
    truth = np.array([data.X[data.labels == each].mean(axis=0) for each in np.unique(data.labels)])
    found = genetic(data.X, 8, np.random.default_rng(1), generations=0)
    assert cc.prototypes.centroid_index(found.centroids, truth) > 0
