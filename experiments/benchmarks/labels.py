"""Time of a contingency table of ten million labels, against NumPy, pandas and scikit-learn.

`chancecorr.contingency_table` of two random label vectors in ten clusters, on one thread, against
`sklearn.metrics.cluster.contingency_matrix`, `pandas.crosstab`, and ``np.bincount(10 * x + y)``, which knows
that the labels are 0 to 9. Text and columns are of 10^6 labels. Seconds.
"""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics.cluster import contingency_matrix

import chancecorr as cc
from experiments.benchmarks.timing import Row, compare_times, run, scale_count, time_in_turn

OBJECTS = 10_000_000
TEXTS = 1_000_000
CLUSTERS = 10


def measure(scale: float = 1.0) -> list[Row]:
    """One row for each kind of labels and each peer."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, CLUSTERS, (2, scale_count(OBJECTS, scale, 1_000)))
    few = codes[:, : scale_count(TEXTS, scale, 1_000)]
    names = np.array([f"cluster {k}" for k in range(CLUSTERS)])[few]
    kinds: dict[str, Any] = {name: codes.astype(name) for name in ("int64", "int32", "uint8")}
    kinds["float64"] = codes / 7
    kinds["NumPy text"] = names
    for dtype in ("object", "string", "category"):
        kinds[f"pandas {dtype}"] = [pd.Series(side.astype(object), dtype=dtype) for side in names]
    rows: list[Row] = []
    for kind, (x, y) in kinds.items():
        peers: dict[str, Any] = {"scikit-learn": partial(contingency_matrix, x, y)}
        if kind == "int64":
            peers["np.bincount"] = lambda x=x, y=y: np.bincount(CLUSTERS * x + y, minlength=CLUSTERS**2)
        if kind.startswith("pandas"):
            peers["pandas.crosstab"] = partial(pd.crosstab, x, y)
        for name, peer in peers.items():
            repeats = scale_count(5, scale, 2)
            ours, theirs = time_in_turn(partial(cc.contingency_table, x, y), peer, repeats=repeats)
            row: Row = {"labels": kind, "n": len(x), "peer": name}
            rows.append(row | compare_times(ours, theirs, "peer, s"))
    return rows


if __name__ == "__main__":
    run(measure)
