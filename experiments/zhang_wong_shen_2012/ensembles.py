"""Partitions: at random, as section 4 has them, and by k-means in three ways, as section 5.2.1 has them."""

import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from experiments.clusterers.library import kmeans

Floats = npt.NDArray[np.float64]
Partitions = npt.NDArray[np.int64]

WAYS = ("all variables", "half of the variables", "projected onto half as many")
"""Ways in which k-means sees the objects, in turn."""


def random_partitions(n: int, sizes: Sequence[int], rng: np.random.Generator) -> Partitions:
    """A partition for each number of clusters in `sizes`, each object in any cluster alike; shape (L, n)."""
    return np.array([rng.integers(0, size, n) for size in sizes])


def numbers_of_clusters(largest: int, count: int, rng: np.random.Generator) -> list[int]:
    """From 2 to `largest`, alike."""
    return [int(size) for size in rng.integers(2, largest + 1, count)]


def kmeans_partitions(X: Floats, least: int, most: int, count: int, rng: np.random.Generator) -> Partitions:
    """K-means in three ways, each a third of the partitions; shape (count, n).

    The paper has "K-means with three different methods, as performed in" Fern & Lin (2008) and no more. Here
    every run starts from random objects, has from `least` to `most` clusters, any number alike, and sees by
    turns all variables, half of them at random, and a random Gaussian projection onto half as many.
    """
    half = max(1, (X.shape[1] + 1) // 2)
    found = []
    for number in range(count):
        seen = X
        if number % 3 == 1:
            seen = X[:, rng.choice(X.shape[1], half, replace=False)]
        elif number % 3 == 2:
            seen = X @ rng.normal(size=(X.shape[1], half))
        size = int(rng.integers(least, most + 1))
        with warnings.catch_warnings():
            # Objects of few variables coincide; there are fewer clusters then.
            warnings.filterwarnings("ignore", message="Number of distinct clusters")
            found.append(kmeans(seen, size, rng))
    return np.array(found)
