"""Time of a contingency table of ten million labels, against scikit-learn.

`chancecorr.contingency_table` against `sklearn.metrics.cluster.contingency_matrix` on two random label
vectors of 10^7 objects in ten clusters, for three integer types, on one thread. The ratio is scikit-learn's
time over chancecorr's.
"""

import statistics
from functools import partial

import numpy as np
from sklearn.metrics.cluster import contingency_matrix

import chancecorr as cc
from experiments.benchmarks.timing import Row, compared, interleaved, repeats_at, run, scaled

OBJECTS = 10_000_000
CLUSTERS = 10
TYPES = ("int64", "int32", "uint8")


def measure(scale: float = 1.0) -> list[Row]:
    """One row an integer type."""
    n = scaled(OBJECTS, scale, minimum=1_000)
    rng = np.random.default_rng(1)
    codes = rng.integers(0, CLUSTERS, (2, n))
    rows: list[Row] = []
    for dtype in TYPES:
        x, y = codes.astype(dtype)
        ours, theirs = interleaved(
            partial(cc.contingency_table, x, y),
            partial(contingency_matrix, x, y),
            repeats=repeats_at(scale),
        )
        row: Row = {
            "labels": dtype,
            "n": n,
            "chancecorr, s": statistics.median(ours),
            "scikit-learn, s": statistics.median(theirs),
        }
        rows.append(row | compared(theirs, ours))
    return rows


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
