"""Clusterings of a data set by k-means from random seed points, and their agreement with its classes.

A sweep clusters the objects once for each number of clusters. Its cross-classifications are stacked, shape
(numbers of clusters, clusters, classes), so that all indices that are sums are evaluated at once.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from scipy.special import xlogy

import chancecorr as cc
from experiments.clusterers.k_means_kernels import k_means_step, to_nearest
from experiments.clusterers.library import one_thread

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Start = Literal["distinct", "replacement", "k-means++", "box"]
Scaling = Literal["raw", "standardised", "min-max"]
Empty = Literal["refilled", "stay"]

EVALUATED = ("accuracy", "irm", "rand", "jaccard", "jaccard as printed", "adjusted_rand", "wallace", "nmi")
"""What is evaluated on every table; "jaccard as printed" has v00 for v11 in its denominator."""


def scaled(X: Floats, scaling: Scaling) -> Floats:
    """The variables as they are, with mean 0 and standard deviation 1, or from 0 to 1."""
    if scaling == "raw":
        return X
    if scaling == "min-max":
        return np.asarray((X - X.min(axis=0)) / np.ptp(X, axis=0))
    return np.asarray((X - X.mean(axis=0)) / X.std(axis=0))


def centres(X: Floats, count: int, start: Start, rng: np.random.Generator) -> Floats:
    """Seed points: objects drawn without replacement, with it, or by k-means++; or points in the data's box.

    Equal ones are one.
    """
    if start == "box":
        return np.asarray(rng.uniform(X.min(axis=0), X.max(axis=0), size=(count, X.shape[1])))
    if start == "k-means++":
        from sklearn.cluster import kmeans_plusplus

        return np.unique(kmeans_plusplus(X, count, random_state=int(rng.integers(2**31)))[0], axis=0)
    chosen = rng.choice(len(X), size=count, replace=start == "replacement")
    return np.asarray(np.unique(X[chosen], axis=0))


def clusterings(
    X: Floats, counts: Sequence[int], start: Start, rng: np.random.Generator, empty: Empty = "refilled"
) -> npt.NDArray[np.int64]:
    """Lloyd's k-means, run once from random seed points for each number of clusters; a row each.

    A cluster that becomes empty gets the object furthest from its centre, as in scikit-learn, or stays empty.
    """
    from sklearn.cluster import KMeans

    labels = np.empty((len(counts), len(X)), dtype=np.int64)
    with one_thread():  # several threads add up in any order
        for row, count in enumerate(counts):
            first = centres(X, count, start, rng)
            if empty == "stay":
                labels[row] = lloyd(X, first)
                continue
            labels[row] = KMeans(len(first), init=first, n_init=1).fit_predict(X)
    return labels


def lloyd(X: Floats, centroids: Floats) -> Integers:
    """K-means from given centres to its end; a cluster without objects keeps its centre."""
    labels, squares = np.zeros(len(X), np.int64), np.empty(len(X))
    moved = np.ones(len(centroids), np.bool_)
    X, centroids = np.ascontiguousarray(X), centroids.copy()
    to_nearest(X, centroids, labels, squares)
    while k_means_step(X, centroids, labels, squares, moved):
        pass
    return labels


def tables_of(clusters: Integers, classes: Integers) -> Integers:
    """Cross-classifications, a table a clustering; rows that no object is in are zero."""
    rows, columns = int(clusters.max()) + 1, int(classes.max()) + 1
    cells = clusters * columns + classes
    return np.array([np.bincount(each, minlength=rows * columns).reshape(rows, columns) for each in cells])


def evaluated(tables: Integers) -> dict[str, Floats]:
    """`EVALUATED` on each table; nan where an index is 0/0."""
    a, b = tables.sum(axis=2), tables.sum(axis=1)
    n = a.sum(axis=1)
    together, first, second = _pairs(tables).sum(axis=(1, 2)), _pairs(a).sum(axis=1), _pairs(b).sum(axis=1)
    pairs = n * (n - 1) // 2
    apart = pairs - first - second + together
    by_chance = first * second / pairs
    joint, rows, columns = _entropy(tables, n), _entropy(a, n), _entropy(b, n)
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "accuracy": np.array([_matched(table) for table in tables]) / n,
            "irm": np.array([cc.score_table(table[table.any(axis=1)], "irm") for table in tables]),
            "rand": (together + apart) / pairs,
            "jaccard": together / (pairs - apart),
            "jaccard as printed": together / (pairs - together),
            "adjusted_rand": (together - by_chance) / ((first + second) / 2 - by_chance),
            "wallace": together / np.sqrt(first * second),
            "nmi": 2 * (rows + columns - joint) / (rows + columns),
        }


def _pairs(counts: Integers) -> Integers:
    return counts * (counts - 1) // 2


def _entropy(counts: Integers, n: Integers) -> Floats:
    """Of each table or row of totals, in nats."""
    flat = counts.reshape(len(counts), -1)
    return np.asarray(np.log(n) - xlogy(flat, flat).sum(axis=1) / n)


def _matched(table: Integers) -> int:
    """Objects in the cells of the best matching of clusters and classes, one to one."""
    return int(table[linear_sum_assignment(table, maximize=True)].sum())
