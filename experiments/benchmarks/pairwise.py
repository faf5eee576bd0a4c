"""Time of all pairwise adjusted scores of many clusterings, against loops over the pairs.

`chancecorr.pairwise` of random clusterings that share a third of their objects' labels, in ten clusters or in
five, on one thread, against the loop that a user would write: over `sklearn.metrics.adjusted_rand_score`
(for the mutual information `adjusted_mutual_info_score`), and over `chancecorr.adjusted_score`. Of many
clusterings the loops run over some of the pairs, and their times are multiplied. Jaccard has no closed form;
that the loop computes the Rand index is the point: a corrected Jaccard costs no more than that. The ratio is
the time of scikit-learn's loop over that of `pairwise`.
"""

import itertools
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

import chancecorr as cc
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled

CASES = (
    ("rand", 30, 10_000, 10),
    ("jaccard", 30, 10_000, 10),
    ("mutual_information", 30, 10_000, 10),
    ("jaccard", 30, 1_000, 5),
    ("rand", 500, 10_000, 10),
    ("jaccard", 500, 10_000, 10),
)
"""Index, clusterings, objects, clusters."""

PAIRS_IN_A_LOOP = 435
"""Pairs that a loop goes over; more are extrapolated."""


def measure(scale: float = 1.0) -> list[Row]:
    """One row for each index and number of clusterings."""
    rows: list[Row] = []
    for index, m, n, clusters in CASES:
        m, n = scaled(m, scale, minimum=4), scaled(n, scale, minimum=60)
        labels = random_clusterings(m, n, clusters)
        pairs = list(itertools.combinations(range(m), 2))
        looped = pairs[:: -(-len(pairs) // PAIRS_IN_A_LOOP)]
        peer = adjusted_mutual_info_score if index == "mutual_information" else adjusted_rand_score
        own = partial(cc.adjusted_score, index=index)
        ours, theirs, one_by_one = interleaved(
            partial(cc.pairwise, labels, index=index),
            partial(over_pairs, peer, labels, looped),
            partial(over_pairs, own, labels, looped),
            repeats=repeats_at(scale, 3),
        )
        factor = len(pairs) / len(looped)
        theirs, one_by_one = ([factor * each for each in seconds] for seconds in (theirs, one_by_one))
        row: Row = {
            "index": index,
            "clusterings": m,
            "n": n,
            "pairwise, s": statistics.median(ours),
            "scikit-learn in a loop, s": statistics.median(theirs),
            "adjusted_score in a loop, s": statistics.median(one_by_one),
        }
        rows.append(row | compared(theirs, ours))
    return rows


def random_clusterings(m: int, n: int, clusters: int) -> npt.NDArray[np.int64]:
    """Label vectors of shape (m, n)."""
    rng = np.random.default_rng(1)
    labels = rng.integers(0, clusters, (m, n))
    return np.where(rng.random((m, n)) < 1 / 3, labels[0], labels)


def over_pairs(
    score: Callable[[Any, Any], float], labels: npt.NDArray[np.int64], pairs: list[tuple[int, int]]
) -> list[float]:
    """Scores of some of the pairs, one after another."""
    return [score(labels[i], labels[j]) for i, j in pairs]


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
