"""Time of the centroid index, against scikit-learn's search for nearest points.

`centroid_index` against `sklearn.metrics.pairwise_distances_argmin` in both directions and a count
of the orphans, which is the same number. Clusterings of a hundred centroids in two dimensions, then far more
than any clustering has: 100,000 points against a hundred, and 10^6 against two. From arrays, and from
estimators that hold them. Both check that all numbers are finite. One thread. The ratio is scikit-learn's
time over chancecorr's.
"""

import statistics
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin
from threadpoolctl import threadpool_limits

from chancecorr.prototypes import centroid_index
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled

SHAPES = ((100, 100), (100_000, 100), (1_000_000, 2))
COLUMNS = 2


def measure(scale: float = 1.0) -> list[Row]:
    """One row a shape and a kind of input."""
    rng = np.random.default_rng(1)
    rows: list[Row] = []
    for many, few in SHAPES:
        a = rng.normal(size=(scaled(many, scale, minimum=10), COLUMNS))
        b = rng.normal(size=(few, COLUMNS))
        for kind, (first, second) in {"arrays": (a, b), "estimators": (fitted(a), fitted(b))}.items():
            ours = partial(centroid_index, first, second)
            peer = partial(by_scikit_learn, a, b)
            if ours() != peer():
                raise AssertionError(f"{ours()} and {peer()} for {a.shape} and {b.shape}")
            with threadpool_limits(limits=1):
                own, theirs = interleaved(ours, peer, repeats=repeats_at(scale))
            row: Row = {
                "prototypes": f"{len(a):,} against {len(b):,}",
                "given as": kind,
                "chancecorr, ms": 1e3 * statistics.median(own),
                "scikit-learn, ms": 1e3 * statistics.median(theirs),
            }
            rows.append(row | compared(theirs, own))
    return rows


def fitted(centres: npt.NDArray[np.float64]) -> Any:
    """An estimator of scikit-learn that holds these centres."""
    model = KMeans(len(centres))
    model.cluster_centers_ = centres
    return model


def by_scikit_learn(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> int:
    """CI by `pairwise_distances_argmin`."""
    orphans_b = len(b) - np.unique(pairwise_distances_argmin(a, b)).size
    orphans_a = len(a) - np.unique(pairwise_distances_argmin(b, a)).size
    return max(orphans_a, orphans_b)


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
