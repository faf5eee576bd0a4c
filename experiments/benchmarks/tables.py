"""Time of a random table with fixed margins, against SciPy and R.

`chancecorr.sample_tables` against `scipy.stats.random_table(...).rvs`, both into a new array of int64, on one
thread, by the faster of SciPy's two methods; R's `r2dtable` if R is installed. Then random margins: K and Q
from 2 to 200 and n from 100 to 10^7, all log-uniform; sizes are equal, like 1/k, or uniform among all of that
sum. Times are microseconds a table, of compiled code.
"""

import math
import shutil
import statistics
import subprocess
from collections.abc import Sequence

import numpy as np
from scipy.stats import random_table

import chancecorr as cc
from experiments.benchmarks.timing import Row, compare_times, equal_sizes, run, scale_count, time_in_turn

SHAPES = [
    ([400, 400], 500_000),
    ([240, 240, 320], 200_000),
    (equal_sizes(1_000_000, 3), 100_000),
    (equal_sizes(800, 10), 20_000),
    (equal_sizes(10_000, 10), 15_000),
    (equal_sizes(100_000, 50), 1_024),
    (equal_sizes(1_000, 100), 1_200),
    (equal_sizes(1_000_000, 100), 512),
]
RANDOM_MARGINS = 200
MAX_NUMBERS = 2_000_000  # of the tables that are drawn of random margins


def measure(scale: float = 1.0) -> list[Row]:
    """A row for each shape, then one for all random margins."""
    rows = []
    for sizes, tables in SHAPES:
        row = compare_samplers(sizes, sizes, scale_count(tables, scale, 10), scale_count(7, scale, 2))
        seconds = time_r(sizes, sizes, scale_count(tables, scale, 10))
        microseconds = "–" if seconds is None else f"{seconds / scale_count(tables, scale, 10) * 1e6:.3g}"
        rows.append(row | {"R": microseconds})
    rng, ratios = np.random.default_rng(1), []
    for _ in range(scale_count(RANDOM_MARGINS, scale, 3)):
        margins = draw_margins(rng)
        count = max(10, MAX_NUMBERS // (len(margins[0]) * len(margins[1]) + 100))
        ratios.append(float(compare_samplers(*margins, scale_count(count, scale, 5), 2)["ratio"]))
    summary: Row = {"random margins": len(ratios), "ratio, worst": min(ratios)}
    return [*rows, summary | {"ratio, median": statistics.median(ratios)}]


def compare_samplers(rows: Sequence[int], columns: Sequence[int], tables: int, repeats: int) -> Row:
    """Microseconds a table of both packages, SciPy by the faster of its methods."""
    margins, law = cc.Margins(rows, columns), random_table(rows, columns)

    def draw_ours() -> object:
        return cc.sample_tables(margins, tables, rng=1)

    best: Row = {}
    for method in ("boyett", "patefield"):
        if method == "boyett" and sum(rows) > 100 * len(rows) * len(columns):
            continue  # it shuffles all objects, and lies far behind

        def draw_theirs(method: str = method) -> object:
            return law.rvs(tables, method=method, random_state=1)

        ours, theirs = time_in_turn(draw_ours, draw_theirs, repeats=repeats)
        row = compare_times(ours, theirs, "SciPy", 1e6 / tables)
        if not best or row["SciPy"] < best["SciPy"]:  # type: ignore[operator]
            best = row | {"SciPy by": method}
    margins_row: Row = {"shape": f"{len(rows)} x {len(columns)}", "n": sum(rows), "tables": tables}
    return margins_row | best


def draw_margins(rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Row and column totals of a random shape, number of objects and kind."""
    K, Q = (round(math.exp(rng.uniform(math.log(2), math.log(200)))) for _ in range(2))
    n = max(2 * K, 2 * Q, round(math.exp(rng.uniform(math.log(100), math.log(1e7)))))
    return draw_sizes(n, K, rng), draw_sizes(n, Q, rng)


def draw_sizes(n: int, clusters: int, rng: np.random.Generator) -> list[int]:
    """Sizes above 0 with sum n: equal, as 1/k, or uniform."""
    kind = rng.integers(3)
    if kind == 0:
        return equal_sizes(n, clusters)
    shares = 1 / np.arange(1, clusters + 1) if kind == 1 else rng.dirichlet(np.ones(clusters))
    sizes = 1 + np.floor((n - clusters) * shares / shares.sum()).astype(int)
    sizes[0] += n - int(sizes.sum())
    return [int(size) for size in sizes]


def time_r(rows: Sequence[int], columns: Sequence[int], tables: int) -> float | None:
    """Seconds of R's `r2dtable`; None where R is not installed."""
    program = shutil.which("Rscript")
    if program is None:
        return None
    code = (
        f"r <- c({','.join(map(str, rows))}); k <- c({','.join(map(str, columns))}); set.seed(1);"
        f" invisible(r2dtable(1, r, k)); cat(system.time(r2dtable({tables}, r, k))[['elapsed']])"
    )
    done = subprocess.run([program, "-e", code], stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    run(measure)
