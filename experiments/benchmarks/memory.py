"""Memory that a null distribution takes, by number of tables.

Peak resident memory of a fresh process that imports the package, warms the compiled code with 1,000 tables,
and then asks `chancecorr.null_distribution(margins, "rand", method="monte-carlo")` for the given number of
3 x 3 tables of 800 objects (0: stops after warming). Seconds are those of that one call.
"""

import json
import statistics

from experiments.benchmarks.timing import REPEATS, Row, run, run_python, scaled

TABLES = (0, 17_000, 1_000_000, 10_000_000)
CODE = """
import json, resource, sys, time
import chancecorr as cc
from experiments.benchmarks.timing import warm_up
warm_up()
margins = cc.Margins([240, 240, 320], [240, 240, 320])
cc.null_distribution(margins, "rand", method="monte-carlo", n_tables=1_000, rng=1)
began = time.perf_counter()
if {tables}:
    null = cc.null_distribution(margins, "rand", method="monte-carlo", n_tables={tables}, rng=1)
seconds = time.perf_counter() - began
try:
    # getrusage would count the parent's memory too: on Linux a child inherits its peak through vfork.
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
except (OSError, StopIteration):
    unit = 1024**2 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
print(json.dumps([peak, seconds]))
"""


def measure(scale: float = 1.0) -> list[Row]:
    """One row a number of tables: MiB at the peak, MiB above the warmed interpreter, seconds."""
    counts = [scaled(count, scale, minimum=10) if count else 0 for count in TABLES]
    runs: list[list[list[float]]] = [[] for _ in counts]
    for _ in range(scaled(REPEATS, scale)):
        for count, taken in zip(counts, runs, strict=True):
            taken.append(json.loads(run_python(CODE.format(tables=count))[1]))
    medians = [[statistics.median(values) for values in zip(*taken, strict=True)] for taken in runs]
    return [
        {
            "tables": count,
            "processes": len(taken),
            "peak, MiB": peak,
            "peak min": min(values[0] for values in taken),
            "peak max": max(values[0] for values in taken),
            "above the warmed interpreter, MiB": peak - medians[0][0],
            "seconds": seconds if count else 0.0,
        }
        for count, taken, (peak, seconds) in zip(counts, runs, medians, strict=True)
    ]


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
