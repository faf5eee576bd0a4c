"""Random swap: its quick kernels against the plain algorithm, and what it is made for."""

import numpy as np
import pytest

from experiments.clusterers.random_swap import random_swap


def squares_to(X, centroids):
    return ((X[:, None, :] - centroids[None]) ** 2).sum(axis=2)


def plain(X, n_clusters, rng, swaps):
    """The same draws; after every step each object is compared with every centroid."""
    distinct = np.sort(np.unique(X, axis=0, return_index=True)[1])
    centroids = X[rng.choice(distinct, n_clusters, replace=False)].copy()
    removed, added = rng.integers(n_clusters, size=swaps), rng.integers(len(X), size=swaps)

    def step(centroids):
        labels = squares_to(X, centroids).argmin(axis=1)
        moved = centroids.copy()
        for k in np.unique(labels):
            moved[k] = X[labels == k].mean(axis=0)
        return moved

    def cost(centroids):
        return squares_to(X, centroids).min(axis=1).sum()

    centroids = step(step(centroids))
    accepted = 0
    for j, i in zip(removed, added, strict=True):
        trial = centroids.copy()
        trial[j] = X[i]
        trial = step(step(trial))
        if cost(trial) < cost(centroids):
            centroids, accepted = trial, accepted + 1
    while not np.allclose(moved := step(centroids), centroids, rtol=0, atol=1e-12):
        centroids = moved
    return centroids, accepted


@pytest.mark.parametrize(("n", "d", "K", "swaps"), [(60, 2, 5, 40), (200, 3, 12, 60), (40, 1, 3, 30)])
@pytest.mark.parametrize("seed", range(4))
def test_the_quick_kernels_do_what_the_plain_algorithm_does(n, d, K, swaps, seed):
    X = np.random.default_rng(seed).normal(size=(n, d))
    found = random_swap(X, K, np.random.default_rng(seed + 1), swaps=swaps)
    centroids, accepted = plain(X, K, np.random.default_rng(seed + 1), swaps)
    assert found.accepted == accepted
    np.testing.assert_allclose(found.centroids, centroids, rtol=0, atol=1e-10)
    assert np.array_equal(found.labels, squares_to(X, centroids).argmin(axis=1))
