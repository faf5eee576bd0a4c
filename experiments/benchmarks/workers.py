"""Gain of two threads over one.

`chancecorr.null_distribution` with n_jobs=1 and n_jobs=2, which gives the same bits, taken in turn: many
small tables, and fewer large ones. The speed-up is the time of one thread over that of two.
"""

import statistics
from functools import partial

import chancecorr as cc
from experiments.benchmarks.timing import Row, equal_sizes, interleaved, repeats_at, run, scaled

CASES = [
    ([240, 240, 320], 4_000_000),
    (equal_sizes(10_000, 10), 1_000_000),
    (equal_sizes(10_000, 30), 60_000),
]


def measure(scale: float = 1.0) -> list[Row]:
    """One row a case."""
    rows: list[Row] = []
    for totals, tables in CASES:
        margins = cc.Margins(totals, totals)
        m = scaled(tables, scale, minimum=100)

        def draw(n_jobs: int, margins: cc.Margins = margins, m: int = m) -> cc.correction.NullDistribution:
            return cc.null_distribution(
                margins, "rand", method=cc.MonteCarlo(n_tables=m, progress=False), rng=1, n_jobs=n_jobs
            )

        one, two = interleaved(
            partial(draw, 1),
            partial(draw, 2),
            repeats=repeats_at(scale, full=11),
        )
        speed_ups = [single / double for single, double in zip(one, two, strict=True)]
        rows.append(
            {
                "shape": f"{len(totals)} x {len(totals)}",
                "n": margins.n,
                "tables": m,
                "1 thread, s": statistics.median(one),
                "2 threads, s": statistics.median(two),
                "speed-up": statistics.median(speed_ups),
                "speed-up min": min(speed_ups),
                "speed-up max": max(speed_ups),
            }
        )
    return rows


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
