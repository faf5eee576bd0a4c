"""Time that a new process waits for the import, and for the first result.

Wall times over fresh processes, taken in turn. "Statement" is the import, or the first call of
`chancecorr.adjust` on 150 labels, timed inside the process; "from the start" is from the start of `python -c
...` to the end of that statement, all imports included. Monte Carlo: Rand and Jaccard index, 17,000 tables.
"Nothing compiled" is a new machine; "compiled" one on which the kernels have been compiled before.
"""

import os
import statistics
import tempfile
import time

from experiments.benchmarks.timing import Row, run, run_python, scale_count

TIMED = """
import time
{before}
began = time.perf_counter()
{statement}
print(time.perf_counter() - began, time.time())
"""
LABELS = "import chancecorr as cc; x = [i // 50 for i in range(150)]; y = x[40:] + x[:40]"
MONTE_CARLO = "cc.adjust(x, y, index=['rand', 'jaccard'], method='monte-carlo', rng=1)"
NINE = "cc.adjust(x, y, index=cc.PUBLISHED_INDICES, method='monte-carlo', rng=1)"
STEPS = {
    "import numpy": ("", "import numpy"),
    "import numpy, numba": ("", "import numpy, numba"),
    "import chancecorr": ("", "import chancecorr"),
    "analytic, Rand index": (LABELS, "cc.adjust(x, y, index='rand', method='analytic')"),
    "analytic, nine indices": (LABELS, "cc.adjust(x, y, index=cc.PUBLISHED_INDICES, method='analytic')"),
    "Monte Carlo, nothing compiled": (LABELS, MONTE_CARLO),
    "Monte Carlo, compiled": (LABELS, MONTE_CARLO),
    "nine indices by Monte Carlo, nothing compiled": (LABELS, NINE),
    "nine indices by Monte Carlo, compiled": (LABELS, NINE),
}


def measure(scale: float = 1.0) -> list[Row]:
    """One row a step, milliseconds."""
    statements: dict[str, list[float]] = {step: [] for step in STEPS}
    answers: dict[str, list[float]] = {step: [] for step in STEPS}

    def take(step: str, cache: str) -> None:
        before, statement = STEPS[step]
        code = TIMED.format(before=before, statement=statement)
        began = time.time()  # the one clock that two processes share on every system
        _, printed = run_python(code, {"NUMBA_CACHE_DIR": cache})
        seconds, ended = map(float, printed.split())
        answers[step].append((ended - began) * 1e3)
        statements[step].append(seconds * 1e3)

    with tempfile.TemporaryDirectory() as folder:
        compiled = os.path.join(folder, "compiled")
        run_python("from chancecorr.cli.run import run; run(['compile'])", {"NUMBA_CACHE_DIR": compiled})
        for k in range(scale_count(7, scale, 2)):
            for number, step in enumerate(STEPS):
                new = os.path.join(folder, f"{k}-{number}")
                take(step, new if step.endswith("nothing compiled") else compiled)
    return [
        {
            "step": step,
            "statement, ms": statistics.median(statements[step]),
            "from the start, ms": statistics.median(answers[step]),
        }
        for step in STEPS
    ]


if __name__ == "__main__":
    run(measure)
