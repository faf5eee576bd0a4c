"""Time of one random table with fixed margins, against SciPy.

`chancecorr.sample_tables` against `scipy.stats.random_table(...).rvs`, both returning the same number of
tables as one int64 array, on one thread. SciPy has two methods; a short pilot run takes the faster one for
each shape, whatever SciPy would choose by itself. The ratio is SciPy's time over chancecorr's.
"""

import statistics
from functools import partial
from typing import Any

from scipy.stats import random_table

import chancecorr as cc
from chancecorr.null.permutation import plan_sampler
from experiments.benchmarks.timing import (
    Row,
    compared,
    equal_sizes,
    interleaved,
    repeats_at,
    run,
    scaled,
    seconds_of,
)

PUBLISHED = [240, 240, 320]
SHAPES: list[tuple[list[int], int]] = [
    (PUBLISHED, 200_000),
    (equal_sizes(10_000, 10), 15_000),
    (equal_sizes(100_000, 50), 600),
    (equal_sizes(1_000_000, 3), 100_000),
    (equal_sizes(1_000, 100), 1_200),
]
"""Totals of rows and of columns, and tables in a call: 20 to 200 ms, below 100 MB."""

PILOT_SECONDS = 0.2


def measure(scale: float = 1.0) -> list[Row]:
    """One row a shape: microseconds a table on both sides, and their ratio."""
    rows: list[Row] = []
    for totals, tables in SHAPES:
        m = scaled(tables, scale, minimum=2)
        margins = cc.Margins(totals, totals)
        peer = random_table(totals, totals)
        method = _faster_method(peer, PILOT_SECONDS * scale)
        ours, theirs = interleaved(
            partial(cc.sample_tables, margins, m, rng=1),
            partial(peer.rvs, m, method=method, random_state=1),
            repeats=repeats_at(scale, full=11),
        )
        row: Row = {
            "shape": f"{len(totals)} x {len(totals)}",
            "n": sum(totals),
            "tables": m,
            "chancecorr by": plan_sampler(margins).method,
            "SciPy by": method,
            "chancecorr, µs a table": statistics.median(ours) / m * 1e6,
            "SciPy, µs a table": statistics.median(theirs) / m * 1e6,
        }
        rows.append(row | compared(theirs, ours))
    return rows


def _faster_method(peer: Any, budget: float) -> str:
    """SciPy's faster method here: the least time a table of a few short calls, each within the budget."""
    least = {}
    for method in ("boyett", "patefield"):

        def seconds(m: int, method: str = method) -> float:
            return seconds_of(lambda: peer.rvs(m, method=method, random_state=1)) / m

        m = max(1, min(1_000, int(budget / 3 / seconds(1))))
        least[method] = min(seconds(m) for _ in range(3))
    return min(least, key=least.__getitem__)


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
