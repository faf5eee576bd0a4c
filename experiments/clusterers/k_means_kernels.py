"""Iterations of k-means, quick where few centroids move, and the random swaps that are made of them.

An object is compared with all centroids only where its own has moved away from it, else with those that have
moved: Kaukoranta, Fränti & Nevalainen (2000), IEEE Transactions on Image Processing 9, 1337-1342.
The answer is that of comparing with all. Kernels that call each other stand in one file, since Numba's cache
looks at the file of the caller alone.
"""

import numpy as np

from chancecorr.machine.arrays import Booleans, Floats, Integers
from chancecorr.machine.kernel import forecast_kernel, kernel


@kernel
def to_nearest(X: Floats, centroids: Floats, labels: Integers, squares: Floats) -> None:
    """Nearest centroid of each object, and the squared distance to it."""
    for i in range(len(X)):
        labels[i], squares[i] = 0, np.inf
        compare_with_all(X, i, centroids, labels, squares)


@kernel
def k_means_step(X: Floats, centroids: Floats, labels: Integers, squares: Floats, moved: Booleans) -> bool:
    """Centroids become means, then objects go to the nearest; whether an object changed its cluster.

    Labels and squared distances must belong to the given centroids. `moved` is workspace of shape (K,).
    """
    n, d = X.shape
    K = len(centroids)
    sums, sizes = np.zeros((K, d)), np.zeros(K, np.int64)
    for i in range(n):
        sizes[labels[i]] += 1
        for a in range(d):
            sums[labels[i], a] += X[i, a]
    which = np.empty(K, np.int64)
    count = 0
    for k in range(K):
        moved[k] = False
        for a in range(d):
            if sizes[k] > 0 and sums[k, a] / sizes[k] != centroids[k, a]:
                centroids[k, a] = sums[k, a] / sizes[k]
                moved[k] = True
        if moved[k]:
            which[count] = k
            count += 1
    changed = False
    for i in range(n):
        before = labels[i]
        if moved[before]:
            square = squared_distance(X, i, centroids, before)
            farther = square > squares[i]
            squares[i] = square
            if farther:
                compare_with_all(X, i, centroids, labels, squares)
                changed |= labels[i] != before
                continue
        for c in range(count):
            square = squared_distance(X, i, centroids, which[c])
            if square < squares[i]:
                squares[i], labels[i] = square, which[c]
        changed |= labels[i] != before
    return changed


@kernel
def compare_with_all(X: Floats, i: int, centroids: Floats, labels: Integers, squares: Floats) -> None:
    """Object i goes to a centroid that is nearer than its own, the nearest; of several the first."""
    for k in range(len(centroids)):
        square = squared_distance(X, i, centroids, k)
        if square < squares[i]:
            squares[i], labels[i] = square, k


@kernel
def squared_distance(X: Floats, i: int, centroids: Floats, k: int) -> float:
    """Squared distance of an object and a centroid."""
    total = 0.0
    for a in range(X.shape[1]):
        total += (X[i, a] - centroids[k, a]) ** 2
    return total


@forecast_kernel(
    lambda X, removed, added, iterations, centroids, *_: (
        1e3 * len(X) * len(centroids) * iterations * len(removed)
    )
)
def try_swaps(
    X: Floats,
    removed: Integers,
    added: Integers,
    iterations: int,
    centroids: Floats,
    labels: Integers,
    squares: Floats,
) -> int:
    """Swaps one after another, then k-means to its end; fills the outputs, returns how many were kept."""
    n, d = X.shape
    K = len(centroids)
    moved = np.ones(K, np.bool_)
    to_nearest(X, centroids, labels, squares)
    for _ in range(iterations):
        k_means_step(X, centroids, labels, squares, moved)
    inertia = squares.sum()
    old_labels, old_squares, old_centroids = np.empty(n, np.int64), np.empty(n), np.empty((K, d))
    accepted = 0
    for t in range(len(removed)):
        _copy(centroids, labels, squares, old_centroids, old_labels, old_squares)
        for a in range(d):
            centroids[removed[t], a] = X[added[t], a]
        _local_repartition(X, removed[t], centroids, labels, squares)
        for _ in range(iterations):
            k_means_step(X, centroids, labels, squares, moved)
        total = squares.sum()
        if total < inertia:
            inertia = total
            accepted += 1
        else:
            _copy(old_centroids, old_labels, old_squares, centroids, labels, squares)
    while k_means_step(X, centroids, labels, squares, moved):
        pass
    return accepted


@kernel
def _copy(
    centroids: Floats,
    labels: Integers,
    squares: Floats,
    to_centroids: Floats,
    to_labels: Integers,
    to_squares: Floats,
) -> None:
    """A clustering kept elsewhere, by loops: assignments of arrays take long to compile."""
    for k in range(len(centroids)):
        for a in range(centroids.shape[1]):
            to_centroids[k, a] = centroids[k, a]
    for i in range(len(labels)):
        to_labels[i], to_squares[i] = labels[i], squares[i]


@kernel
def _local_repartition(X: Floats, j: int, centroids: Floats, labels: Integers, squares: Floats) -> None:
    """After centroid j has gone elsewhere: its objects go to the nearest, others come to it where nearer."""
    for i in range(len(X)):
        square = squared_distance(X, i, centroids, j)
        if labels[i] == j:
            squares[i] = square
            compare_with_all(X, i, centroids, labels, squares)
        elif square < squares[i]:
            squares[i], labels[i] = square, j
