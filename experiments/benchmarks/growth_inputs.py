"""What the calls of `growth` are given: clusterings, tables, candidates, matrices, prototypes of a size.

Labels are random integers, a third of which differ between the two sides.
"""

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from chancecorr.comparison import compare_datasets
from chancecorr.ensembles import consensus_matrix
from chancecorr.prototypes import GaussianComponents, centroid_similarity_index
from experiments.benchmarks.timing import zipf_sizes

CLUSTERS = 10

Labels = npt.NDArray[np.int64]
Call = Callable[[], object]


def two(n: int, clusters: int = CLUSTERS) -> tuple[Labels, Labels]:
    """Two clusterings of n objects; a third of the labels of the second are drawn anew."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, clusters, n)
    return first, np.where(rng.random(n) < 1 / 3, rng.integers(0, clusters, n), first)


def on_new_margins(function: Callable[[cc.Margins], object], n: int, clusters: int = CLUSTERS) -> Call:
    """Call with clusters of sizes in proportion to 1/k on both sides.

    What is found for margins is kept, so each call has others: one object more has changed its cluster.
    """
    sizes, calls = zipf_sizes(n, clusters), itertools.count()

    def call() -> object:
        moved = next(calls)
        return function(cc.Margins([sizes[0] - moved, *sizes[1:-1], sizes[-1] + moved], sizes))

    return call


def many(m: int, n: int) -> list[Labels]:
    """Clusterings of n objects, m of them."""
    rng = np.random.default_rng(2)
    return [rng.integers(0, CLUSTERS, n) for _ in range(m)]


def on_labels(function: Callable[..., object], *arguments: Any, **options: Any) -> Callable[[int], Call]:
    """Function of two clusterings, by the number of objects."""
    return lambda n: partial(function, *two(n), *arguments, **options)


def on_table(function: Callable[..., object], *arguments: Any, **options: Any) -> Callable[[int], Call]:
    """Function of a table, by the number of clusters; each call has others, as by `on_new_margins`."""

    def make(clusters: int) -> Call:
        (first, second), calls = two(100 * clusters, clusters), itertools.count()

        def call() -> object:
            moved = next(calls)
            second[moved] = (second[moved] + 1) % clusters
            return function(cc.contingency_table(first, second), *arguments, **options)

        return call

    return make


def on_margins(
    index: str, method: Literal["analytic", "monte-carlo"], *, by_clusters: bool = False, n_tables: int = 500
) -> Any:
    """Null distribution, by the number of objects or of clusters."""

    def make(size: int) -> Call:
        given = (100 * size, size) if by_clusters else (size,)
        options: dict[str, Any] = {"n_tables": n_tables} if method == "monte-carlo" else {}
        return on_new_margins(
            lambda each: cc.null_distribution(each, index, method=method, rng=1, **options), *given
        )

    return make


def on_candidates(then: Callable[[Any], object] | None = None) -> Callable[[int], Call]:
    """Comparison of m candidates of 1,000 objects, or what is made of it."""

    def make(m: int) -> Call:
        reference, *candidates = many(m + 1, 1_000)
        call = partial(cc.compare, reference, {str(k): each for k, each in enumerate(candidates)}, rng=1)
        if then is None:
            return call
        return partial(then, call())

    return make


def on_datasets(m: int) -> Call:
    """Comparison of three candidates on m data sets of 1,000 objects."""
    reference, *candidates = many(4, 1_000)
    one = reference, {str(k): each for k, each in enumerate(candidates)}
    return partial(compare_datasets, dict.fromkeys(range(m), one), rng=1)


def adjust_matrices(P: npt.NDArray[np.float64], Q: npt.NDArray[np.float64]) -> cc.correction.AdjustedScore:
    """Score of two matrices of similarities."""
    return cc.adjust(cc.Similarity(P), cc.Similarity(Q), method="analytic")


def on_matrices(function: Callable[..., object]) -> Callable[[int], Call]:
    """Function of two consensus matrices, by the number of objects."""

    def make(n: int) -> Call:
        matrices = [consensus_matrix(many(3, n)), consensus_matrix(many(4, n))]
        return partial(function, *matrices)

    return make


def prototypes(clusters: int) -> list[npt.NDArray[np.float64]]:
    """Two sets of centroids in 5 dimensions."""
    rng = np.random.default_rng(3)
    return [rng.normal(size=(clusters, 5)) for _ in range(2)]


def components(clusters: int) -> list[GaussianComponents]:
    """The same as spherical Gaussian components."""
    return [
        GaussianComponents(means, np.broadcast_to(np.eye(5), (clusters, 5, 5)))
        for means in prototypes(clusters)
    ]


def frames(n: int) -> list[Any]:
    """Four data frames of two columns, n rows in all."""
    import pandas as pd

    first, second = two(n)
    return [pd.DataFrame({"x": first[k::4], "y": second[k::4]}) for k in range(4)]


def centroid_similarity(n: int) -> Call:
    """Of 10 prototypes, by the number of objects."""
    A, B = prototypes(CLUSTERS)
    return partial(centroid_similarity_index, A, B, *two(n))


def soft(n: int) -> npt.NDArray[np.float64]:
    """Memberships in 5 clusters."""
    return np.random.default_rng(4).dirichlet(np.ones(5), n)


def tree(n: int, seed: int) -> npt.NDArray[np.float64]:
    """Average linkage of random points."""
    from scipy.cluster.hierarchy import linkage

    return np.asarray(linkage(np.random.default_rng(seed).normal(size=(n, 2)), "average"))


def on_scorer(n: int) -> Call:
    """Score of an estimator that has its labels already."""

    class Labelled:
        labels_ = two(n)[1]

    return partial(cc.make_scorer("rand", labels="labels_"), Labelled(), None, two(n)[0])
