"""Gain of two threads over one, and of a Dask cluster of two workers on the same machine.

`chancecorr.null_distribution` by simulation gives the same bits on all sides, taken in turn. The Rand index
of 3 x 3 tables is cheap, the one-to-one matching of 30 x 30 tables dear. A call with few tables shows what
the way to the cluster and back takes. Seconds are medians; the cluster is started before.
"""

import statistics
from functools import partial

import joblib

import chancecorr as cc
from experiments.benchmarks.timing import Row, equal_sizes, run, scale_count, time_in_turn

CASES = [
    ("rand", [240, 240, 320], 17_000),
    ("rand", [240, 240, 320], 20_000_000),
    ("maximum_matching_accuracy", equal_sizes(10_000, 30), 1_000),
    ("maximum_matching_accuracy", equal_sizes(10_000, 30), 60_000),
]


def measure(scale: float = 1.0) -> list[Row]:
    """One row a case."""
    from distributed import Client, LocalCluster

    rows: list[Row] = []
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "memory_limit": None}
    with LocalCluster(**options) as cluster, Client(cluster):
        for index, sizes, tables in CASES:
            count = scale_count(tables, scale, 100)
            method = cc.MonteCarlo(n_tables=count, progress=False)
            draw = partial(cc.null_distribution, cc.Margins(sizes, sizes), index, method=method, rng=1)

            def draw_on_cluster(draw: "partial[cc.correction.NullDistribution]" = draw) -> object:
                with joblib.parallel_config(backend="dask"):
                    return draw()

            sides = partial(draw, n_jobs=1), partial(draw, n_jobs=2), draw_on_cluster
            one, two, dask = map(statistics.median, time_in_turn(*sides, repeats=scale_count(5, scale, 2)))
            row: Row = {"index": index, "shape": f"{len(sizes)} x {len(sizes)}", "tables": count}
            row |= {"1 thread, s": one, "2 threads, s": two, "Dask, 2 workers, s": dask}
            rows.append(row | {"1 thread / 2 threads": one / two, "1 thread / Dask": one / dask})
    return rows


if __name__ == "__main__":
    run(measure)
