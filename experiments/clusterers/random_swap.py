"""Random swap clustering: a centroid is moved to a random object, two iterations of k-means, kept if better.

Fränti & Kivijärvi (2000), Pattern Analysis & Applications 3, 358-369, doi:10.1007/s100440070017; how many
swaps are needed: Fränti (2018), Journal of Big Data 5, doi:10.1186/s40537-018-0122-y. K-means only tunes
borders, and cannot take a centroid from where there are too many to where one is missing; a swap can.

A swap changes little, and so the kernels do little: an object is compared with all centroids only where its
own has moved away from it, else with those that have moved (Kaukoranta, Fränti & Nevalainen (2000), IEEE
Transactions on Image Processing 9, doi:10.1109/83.855429). The answer is that of comparing with all.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chancecorr.compiled import Booleans, Floats, Integers, kernel

ITERATIONS_OF_A_SWAP = 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RandomSwap:
    """A clustering found by random swaps.

    Attributes
    ----------
    labels : numpy.ndarray
        Nearest centroid of each object, in 0, ..., K - 1; int64, shape (n,).
    centroids : numpy.ndarray
        Mean of each cluster, shape (K, d).
    inertia : float
        Sum of the squared distances of the objects to their centroids.
    accepted : int
        Swaps that were kept.
    """

    labels: npt.NDArray[np.int64]
    centroids: npt.NDArray[np.float64]
    inertia: float
    accepted: int


def random_swap(X: npt.ArrayLike, n_clusters: int, rng: np.random.Generator, *, swaps: int) -> RandomSwap:
    """Random swap clustering, followed by k-means until nothing changes.

    Parameters
    ----------
    X : array-like
        Objects, shape (n, d), finite numbers.
    n_clusters : int
        K, from 1 to the number of distinct objects.
    rng : numpy.random.Generator
        Draws the initial centroids among the distinct objects, and for each swap a centroid and an object.
    swaps : int
        How many swaps are tried.

    Returns
    -------
    RandomSwap

    Notes
    -----
    A swap: centroid j becomes object x; the objects of cluster j go to their nearest centroids, and all
    objects nearer to x than to their own centroid come to x (local repartition); two iterations of k-means;
    kept if the inertia is less than before. A centroid that loses its objects stays where it is.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [9.0], [10.0], [90.0]])
    >>> found = random_swap(X, 3, np.random.default_rng(1), swaps=20)
    >>> sorted(found.centroids.ravel().tolist()), found.inertia
    ([0.5, 9.5, 90.0], 1.0)
    """
    objects = np.ascontiguousarray(X, dtype=np.float64)
    n = len(objects)
    distinct = np.sort(np.unique(objects, axis=0, return_index=True)[1])
    centroids = objects[rng.choice(distinct, n_clusters, replace=False)]
    removed, added = rng.integers(n_clusters, size=swaps), rng.integers(n, size=swaps)
    labels, squares = np.empty(n, np.int64), np.empty(n)
    accepted = try_swaps(objects, removed, added, ITERATIONS_OF_A_SWAP, centroids, labels, squares)
    return RandomSwap(labels=labels, centroids=centroids, inertia=float(squares.sum()), accepted=accepted)


@kernel
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
    labels[:] = 0
    squares[:] = np.inf
    for i in range(n):
        _compare_with_all(X, i, centroids, labels, squares)
    for _ in range(iterations):
        k_means_step(X, centroids, labels, squares, moved)
    inertia = squares.sum()
    old_labels, old_squares, old_centroids = np.empty_like(labels), np.empty(n), np.empty((K, d))
    accepted = 0
    for t in range(len(removed)):
        old_labels[:], old_squares[:], old_centroids[:] = labels, squares, centroids
        centroids[removed[t]] = X[added[t]]
        _local_repartition(X, removed[t], centroids, labels, squares)
        for _ in range(iterations):
            k_means_step(X, centroids, labels, squares, moved)
        total = squares.sum()
        if total < inertia:
            inertia = total
            accepted += 1
        else:
            labels[:], squares[:], centroids[:] = old_labels, old_squares, old_centroids
    while k_means_step(X, centroids, labels, squares, moved):
        pass
    return accepted


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
            square = _square(X, i, centroids, before)
            farther = square > squares[i]
            squares[i] = square
            if farther:
                _compare_with_all(X, i, centroids, labels, squares)
                changed |= labels[i] != before
                continue
        for c in range(count):
            square = _square(X, i, centroids, which[c])
            if square < squares[i]:
                squares[i], labels[i] = square, which[c]
        changed |= labels[i] != before
    return changed


@kernel
def _local_repartition(X: Floats, j: int, centroids: Floats, labels: Integers, squares: Floats) -> None:
    """After centroid j has gone elsewhere: its objects go to the nearest, others come to it where nearer."""
    for i in range(len(X)):
        square = _square(X, i, centroids, j)
        if labels[i] == j:
            squares[i] = square
            _compare_with_all(X, i, centroids, labels, squares)
        elif square < squares[i]:
            squares[i], labels[i] = square, j


@kernel
def _compare_with_all(X: Floats, i: int, centroids: Floats, labels: Integers, squares: Floats) -> None:
    """Object i goes to a centroid that is nearer than its own, the nearest; of several the first."""
    for k in range(len(centroids)):
        square = _square(X, i, centroids, k)
        if square < squares[i]:
            squares[i], labels[i] = square, k


@kernel
def _square(X: Floats, i: int, centroids: Floats, k: int) -> float:
    """Squared distance of an object and a centroid."""
    total = 0.0
    for a in range(X.shape[1]):
        total += (X[i, a] - centroids[k, a]) ** 2
    return total
