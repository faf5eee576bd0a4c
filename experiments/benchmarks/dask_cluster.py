"""Tables a second on a Dask cluster of this machine, and by threads.

`chancecorr.null_distribution` with method="monte-carlo", which gives the same bits on all sides, taken in
turn: by one thread, by two, and on a `LocalCluster` of two workers with one thread each. The Rand index of
3 x 3 tables is cheap, the one-to-one matching of 30 x 30 tables dear, an assignment for each. A call with few
tables shows what the way to the cluster and back takes. Seconds are the median; the cluster is started
before.
"""

import statistics
from functools import partial

import joblib

import chancecorr as cc
from chancecorr.correction import NullDistribution
from experiments.benchmarks.timing import Row, equal_sizes, interleaved, repeats_at, run, scaled

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
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=None
        ) as cluster,
        Client(cluster),  # type: ignore[no-untyped-call]
    ):
        for index, totals, tables in CASES:
            m = scaled(tables, scale, minimum=100)
            draw = partial(
                cc.null_distribution, cc.Margins(totals, totals), index,
                method=cc.MonteCarlo(n_tables=m, progress=False), rng=1,
            )  # fmt: skip

            def on_cluster(draw: "partial[NullDistribution]" = draw) -> NullDistribution:
                with joblib.parallel_config(backend="dask"):
                    return draw()

            taken = interleaved(
                partial(draw, n_jobs=1), partial(draw, n_jobs=2), on_cluster, repeats=repeats_at(scale, 5)
            )
            one, two, dask = map(statistics.median, taken)
            rows.append(
                {
                    "index": index,
                    "shape": f"{len(totals)} x {len(totals)}",
                    "tables": m,
                    "1 thread, s": one,
                    "2 threads, s": two,
                    "Dask, 2 workers, s": dask,
                    "1 thread, tables/s": m / one,
                    "2 threads, tables/s": m / two,
                    "Dask, tables/s": m / dask,
                }
            )
    return rows


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
