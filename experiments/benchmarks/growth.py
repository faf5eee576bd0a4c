"""How time and memory grow with objects, clusters, tables and candidates.

Each call is made on a ladder of sizes, each twice the one below, until one takes a second. The exponent of
time is the slope of its logarithm over that of the size between the last and the third last size, each the
least of three; that of memory is the slope over the last two sizes, of what Python and NumPy lay out at the
peak of a call beside its input. 1 is proportional to the size, 2 to its square. One thread.
"""

import math
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import chancecorr as cc
from experiments.benchmarks.timing import Row, equal_sizes, run

MAX_SECONDS = 1.0
Call = Callable[[], Any]


class Case(NamedTuple):
    """A call that a size makes, and the exponents of time and memory that the algorithm implies."""

    function: str
    grows_with: str
    make: Callable[[int], Call]
    time: float
    memory: float
    first: int = 2**8
    last: int = 2**22


def measure(scale: float = 1.0) -> list[Row]:
    """One row a case."""
    return [climb(case, MAX_SECONDS * scale) for case in CASES]


def climb(case: Case, max_seconds: float) -> Row:
    """Exponents of time and memory over the largest sizes."""
    size, seconds, peaks = case.first, [], []
    while True:
        call = case.make(size)
        call()
        seconds.append(min(time_once(call) for _ in range(3)))
        tracemalloc.start()
        call()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        if len(seconds) >= 3 and (seconds[-1] > max_seconds or size >= case.last):
            break
        size *= 2
    row: Row = {"function": case.function, "grows with": case.grows_with, "up to": size}
    row |= {
        "ms there": seconds[-1] * 1e3,
        "time": math.log2(seconds[-1] / seconds[-3]) / 2,
        "stated": case.time,
    }
    row |= {"MiB there": peaks[-1] / 2**20, "memory": math.log2(peaks[-1] / peaks[-2])}
    return row | {"stated ": case.memory}


def time_once(call: Call) -> float:
    """Seconds of a call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def draw_labels(n: int, clusters: int = 10, sides: int = 2) -> Any:
    """Random labels, of which the sides share two thirds."""
    rng = np.random.default_rng(n)
    first = rng.integers(0, clusters, n)
    return [np.where(rng.random(n) < 1 / 3, rng.integers(0, clusters, n), first) for _ in range(sides)]


def call_on_labels(function: Callable[..., Any], *arguments: Any, **options: Any) -> Callable[[int], Call]:
    """A call on two label vectors, by their length."""
    return lambda n: partial(function, *draw_labels(n), *arguments, **options)


def call_on_table(function: Callable[..., Any], *arguments: Any, **options: Any) -> Callable[[int], Call]:
    """A call on a table of 100 objects a cluster, by the number of clusters."""
    return lambda k: partial(
        function, cc.contingency_table(*draw_labels(100 * k, k)).counts, *arguments, **options
    )


def draw_null(index: str, n_tables: int, clusters: int) -> Any:
    """A null distribution by simulation of 100 objects a cluster."""
    sizes = equal_sizes(100 * clusters, clusters)
    margins = cc.Margins(sizes, sizes)
    return cc.null_distribution(margins, index, method="monte-carlo", n_tables=n_tables, rng=1)


def call_compare(candidates: Any) -> Call:
    """A leaderboard of label vectors against the first one."""
    return partial(cc.compare, candidates[0], candidates, rng=1)


NMI, MATCHING = "nmi_sum", "maximum_matching_accuracy"
SMALL = cc.Margins([240, 240, 320], [240, 240, 320])
CASES = [
    Case("contingency_table", "objects", call_on_labels(cc.contingency_table), 1, 0, 2**14),
    Case("score, rand", "objects", call_on_labels(cc.score, "rand"), 1, 0, 2**14),
    Case("score_table, nmi_sum", "clusters", call_on_table(cc.score_table, NMI), 2, 2, 64, 2**11),
    Case("score_table, matching", "clusters", call_on_table(cc.score_table, MATCHING), 3, 2, 64, 2**11),
    Case("adjusted_score, nmi_sum", "objects", call_on_labels(cc.adjusted_score, NMI), 1, 0, 2**14),
    Case("adjust, rand", "objects", call_on_labels(cc.adjust, rng=1), 1, 0, 2**14, 2**20),
    Case("null distribution", "tables", lambda m: partial(draw_null, "rand", m, 3), 1, 0, 2**16),
    Case("null distribution", "clusters", lambda k: partial(draw_null, "rand", 1_000, k), 2, 1, 8, 2**11),
    Case("sample_tables", "tables", lambda m: partial(cc.sample_tables, SMALL, m, rng=1), 1, 1, 2**14),
    Case("compare", "candidates", lambda k: call_compare(draw_labels(1_000, sides=k)), 1, 1, 4, 64),
    Case(
        "pairwise",
        "clusterings",
        lambda k: partial(cc.pairwise, draw_labels(1_000, sides=k)),
        2,
        2,
        16,
        2**10,
    ),
    Case(
        "consensus_matrix",
        "objects",
        lambda n: partial(cc.ensembles.consensus_matrix, draw_labels(n, sides=5)),
        2,
        2,
        2**9,
        2**13,
    ),
]


if __name__ == "__main__":
    run(measure)
