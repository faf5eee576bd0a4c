"""Time of the whole catalogue on 17,000 tables, and of its slowest indices.

Two random label vectors of 10,000 objects in 10 clusters each. Every index is corrected by 17,000 simulated
tables, first all together, on the same tables, then each alone; the five slowest alone are shown. The time to
draw the tables is in every row. "auto" answers as exactly as it can afford.
"""

import statistics
from typing import Literal

import numpy as np

import chancecorr as cc
from experiments.benchmarks.timing import Row, interleaved, repeats_at, run, scaled, seconds_of

SLOWEST = 5
Method = Literal["monte-carlo", "auto"]
METHODS: tuple[Method, ...] = ("monte-carlo", "auto")


def measure(scale: float = 1.0) -> list[Row]:
    """Rows for the whole catalogue, then for the slowest indices."""
    n = scaled(10_000, scale, minimum=50)
    tables = scaled(17_000, scale, minimum=20)
    table = cc.contingency_table(*np.random.default_rng(1).integers(0, 10, size=(2, n)))
    names = cc.list_indices()

    def seconds(index: str | list[str], method: Method) -> float:
        (taken,) = interleaved(
            lambda: cc.adjust_table(table, index=index, method=method, n_tables=tables, rng=1),
            repeats=repeats_at(scale, full=3),
        )
        return statistics.median(taken)

    rows: list[Row] = []
    first = seconds_of(
        lambda: cc.adjust_table(table, index=names, method="monte-carlo", n_tables=tables, rng=1)
    )
    rows.append({"index": f"all {len(names)}", "method": "monte-carlo, compiling", "s": first})
    for method in METHODS:
        rows.append({"index": f"all {len(names)}", "method": method, "s": seconds(names, method)})
    alone = sorted(((seconds(name, "monte-carlo"), name) for name in names), reverse=True)
    rows += [{"index": name, "method": "monte-carlo", "s": taken} for taken, name in alone[:SLOWEST]]
    return rows


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
