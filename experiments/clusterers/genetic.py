"""A genetic algorithm for clustering: two clusterings are crossed by merging their united centroids.

Fränti (2000), Genetic algorithm with deterministic crossover for vector quantization, Pattern Recognition
Letters 21, 61-68, doi:10.1016/S0167-8655(99)00133-6. What is chosen here: to stop at the first generation
that brings nothing better; there is no mutation.
"""

import math
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arrays import Floats, Integers
from chancecorr.machine.kernel import kernel
from experiments.clusterers.k_means_kernels import k_means_step, to_nearest

ITERATIONS = 2
"""Of k-means, after each crossover."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    """A clustering of a population."""

    labels: npt.NDArray[np.int64]
    centroids: npt.NDArray[np.float64]
    squares: npt.NDArray[np.float64]

    @property
    def inertia(self) -> float:
        """Sum of the squared distances."""
        return float(self.squares.sum())


def genetic(
    X: npt.ArrayLike,
    n_clusters: int,
    rng: np.random.Generator,
    *,
    population: int = 45,
    generations: int = 50,
) -> Solution:
    """The best clustering of a population that is crossed until its best gets no better.

    After k-means until nothing changes.

    The best survives, and the best few are crossed in pairs; see `cross`.
    """
    objects = np.ascontiguousarray(X, dtype=np.float64)
    distinct = np.sort(np.unique(objects, axis=0, return_index=True)[1])
    solutions = [
        _improved(objects, objects[rng.choice(distinct, n_clusters, replace=False)], ITERATIONS)
        for _ in range(population)
    ]
    solutions.sort(key=lambda solution: solution.inertia)
    parents = math.ceil((1 + math.sqrt(1 + 8 * (population - 1))) / 2)  # the fewest with enough pairs
    for _ in range(generations):
        pairs = islice(combinations(solutions[:parents], 2), population - 1)
        crossed = sorted([solutions[0], *(cross(objects, a, b) for a, b in pairs)], key=lambda s: s.inertia)
        better = crossed[0].inertia < solutions[0].inertia
        solutions = crossed
        if not better:
            break
    return _improved(objects, solutions[0].centroids, None)


def cross(X: Floats, a: Solution, b: Solution) -> Solution:
    """A clustering made of two: their centroids united, merged to as many as one has, then k-means.

    Each object takes the nearer of its two centroids, these become means, empty ones go, and by turns the two
    whose merging adds least to the inertia are merged (pairwise nearest neighbours).
    """
    K = len(a.centroids)
    labels = np.where(a.squares <= b.squares, a.labels, K + b.labels)
    sizes = np.bincount(labels, minlength=2 * K)
    sums = np.column_stack([np.bincount(labels, weights=column, minlength=2 * K) for column in X.T])
    kept = sizes > 0
    centroids, counts = sums[kept] / sizes[kept, np.newaxis], sizes[kept]
    merged = centroids[merge_nearest(centroids, counts, K)]
    if len(merged) < K:  # fewer than K clusters were left: some of the first parent's come again
        merged = np.concatenate([merged, a.centroids[: K - len(merged)]])
    return _improved(X, merged, ITERATIONS)


@kernel
def merge_nearest(centroids: Floats, sizes: Integers, n_clusters: int) -> Integers:
    """Merge pairs of least cost ``n_a n_b / (n_a + n_b) |a - b|^2`` in place; numbers of those that stay."""
    m, d = centroids.shape
    alive = np.arange(m)
    while len(alive) > n_clusters:
        least, first, second = np.inf, -1, -1
        for p in range(len(alive)):
            for q in range(p):
                a, b = alive[q], alive[p]
                square = 0.0
                for c in range(d):
                    square += (centroids[a, c] - centroids[b, c]) ** 2
                cost = float(sizes[a]) * float(sizes[b]) / float(sizes[a] + sizes[b]) * square
                if cost < least:
                    least, first, second = cost, a, b
        total = sizes[first] + sizes[second]
        for c in range(d):
            weighted = sizes[first] * centroids[first, c] + sizes[second] * centroids[second, c]
            centroids[first, c] = weighted / total
        sizes[first] = total
        alive = alive[alive != second]
    return alive


def _improved(X: Floats, centroids: Floats, iterations: int | None) -> Solution:
    """After so many iterations of k-means; None: until nothing changes."""
    centroids = centroids.copy()
    labels, squares, moved = np.empty(len(X), np.int64), np.empty(len(X)), np.empty(len(centroids), np.bool_)
    to_nearest(X, centroids, labels, squares)
    done = 0
    while (iterations is None or done < iterations) and k_means_step(X, centroids, labels, squares, moved):
        done += 1
    return Solution(labels=labels, centroids=centroids, squares=squares)
