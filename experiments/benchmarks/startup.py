"""Time that a new process waits for the import, and for the first result.

Wall times over fresh processes, taken in turn. "Statement" is the import, or the first call of
`chancecorr.adjust` (Rand and Jaccard index, 17,000 tables of 800 objects), timed inside the process;
"process" is all of `python -c ...`, interpreter start included; "above" is what the process takes longer
than one that only imports NumPy and Numba. Numba keeps machine code on disk: with an empty cache the first
call compiles, with a filled one it loads.
"""

import os
import statistics
import tempfile

from experiments.benchmarks.timing import REPEATS, Row, repeats_at, run, run_python, scaled

TIMED = """
import time
{before}
began = time.perf_counter()
{statement}
print(time.perf_counter() - began)
"""
LABELS = "import chancecorr as cc; x = [0] * 240 + [1] * 240 + [2] * 320; y = x[100:] + x[:100]"
ADJUST = "cc.adjust(x, y, index=['rand', 'jaccard'], rng=1)"
STEPS = {
    "import numpy, numba": ("", "import numpy, numba"),
    "import chancecorr": ("", "import chancecorr"),
    "first adjust, filled cache": (LABELS, ADJUST),
    "first adjust, empty cache": (LABELS, ADJUST),
}
BASE = "import numpy, numba"
EMPTY = "first adjust, empty cache"


def measure(scale: float = 1.0) -> list[Row]:
    """One row a step, milliseconds."""
    statements: dict[str, list[float]] = {step: [] for step in STEPS}
    processes: dict[str, list[float]] = {step: [] for step in STEPS}

    def take(step: str, cache: str) -> None:
        before, statement = STEPS[step]
        code = TIMED.format(before=before, statement=statement)
        process, printed = run_python(code, {"NUMBA_CACHE_DIR": cache})
        processes[step].append(process * 1e3)
        statements[step].append(float(printed) * 1e3)

    repeats = repeats_at(scale, full=11)
    compilations = scaled(REPEATS, scale)
    with tempfile.TemporaryDirectory() as folder:
        for k in range(compilations):
            take(EMPTY, os.path.join(folder, str(k)))
        for _ in range(repeats):
            for step in STEPS:
                if step != EMPTY:
                    take(step, os.path.join(folder, "0"))
    base = statistics.median(processes[BASE])
    return [
        {
            "step": step,
            "processes": len(processes[step]),
            "statement, ms": statistics.median(statements[step]),
            "process, ms": statistics.median(processes[step]),
            "process min": min(processes[step]),
            "process max": max(processes[step]),
            "above numpy and numba, ms": statistics.median(processes[step]) - base,
        }
        for step in STEPS
    ]


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
