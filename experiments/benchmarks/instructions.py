"""Instructions of the calls that users wait for, counted by Valgrind's callgrind: the same on a busy machine.

``make instructions`` counts them, prints them beside those of the last release, and fails if one has grown by
more than a tenth; ``--keep`` writes them for the version at hand. Kernels are compiled for a processor that
Valgrind knows, before it runs. It takes some minutes and needs Valgrind (a package of the system). How many
tables go into a call of a kernel follows the clock, as it does for users: "matchings" varies by a fifth.
"""

import argparse
import gc
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

import chancecorr as cc
from chancecorr.chance.engines import get_engine
from experiments.benchmarks.timing import warm_up
from experiments.common.kept import read_json, write_json

KEPT = Path(__file__).with_name("instructions.json")
MOST_GROWTH = 1.1
PROCESSOR = {
    "CHANCECORR_KERNELS": "compiled",  # what lies ahead in a call is far less than compiling takes
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+sse4.2,+avx,+avx2,+fma,+bmi,+bmi2,+popcnt,+lzcnt",
    "OPENBLAS_NUM_THREADS": "1",
}


def calls() -> dict[str, Callable[[], object]]:
    """What is counted, by name."""
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 10, (2, 1_000))
    texts, small = a.astype(str), ([0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 2, 2, 2, 2])
    margins, wide = cc.contingency_table(a, b).margins, cc.Margins([300] * 30, [300] * 30)
    sparse = cc.Margins([2] * 30, [2] * 30)
    tables = cc.sample_tables(margins, 1_000, rng=1)
    method = cc.MonteCarlo(n_tables=2_000)

    def values(name: str) -> Callable[[], object]:
        index = cc.get_index(name)  # not by a simulation, whose blocks are as large as the clock allows
        return lambda: get_engine(index).values(index, tables, margins)

    return {
        "labels to a table": lambda: cc.contingency_table(a, b),
        "texts to a table": lambda: cc.contingency_table(texts, b),
        "adjusted_score, rand": lambda: cc.adjusted_score(a, b, "rand"),
        "adjusted_score, mutual information": lambda: cc.adjusted_score(a, b, "mutual_information"),
        "adjust, jaccard, by default": lambda: cc.adjust(a, b, "jaccard", rng=1),
        "exact law of seven objects": lambda: cc.adjust(*small, "jaccard", method="exact"),
        "1,000 tables": lambda: cc.sample_tables(margins, 1_000, rng=1),
        "1,000 tables of more cells than objects": lambda: cc.sample_tables(sparse, 1_000, rng=1),
        "T of 2,000 tables, 30 x 30": lambda: cc.null_distribution(wide, "jaccard", method=method, rng=1),
        "sums over the cells of 1,000 tables": values("nmi_sum"),
        "purity of 1,000 tables": values("purity"),
        "matchings of 1,000 tables": values("maximum_matching_accuracy"),
        "pairwise, 20 clusterings": lambda: cc.pairwise(
            {str(k): np.roll(a, k) for k in range(20)}, index="rand"
        ),
    }


def count_here() -> None:
    """Under Valgrind: each call once more, its instructions into a file of their own."""

    def control(*options: str) -> None:
        command = ["callgrind_control", *options, str(os.getpid())]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    found = calls()
    for call in found.values():
        call(), call()
    gc.disable()  # in which call it falls due depends on all that was allocated before
    for name, call in found.items():
        control("--instr=on")
        control("--zero")
        call()
        control(f"--dump={name}")
        control("--instr=off")


def counted() -> dict[str, int]:
    """Instructions of each call."""
    itself = [sys.executable, "-m", "experiments.benchmarks.instructions"]
    environment = os.environ | PROCESSOR
    subprocess.run([*itself, "--warm"], env=environment, check=True)
    with tempfile.TemporaryDirectory() as folder:
        options = ["--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out"]
        command = ["valgrind", "--quiet", *options, *itself, "--here"]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        texts = [path.read_text(encoding="utf-8") for path in Path(folder).glob("out.*")]
    return {
        found[1]: int(total[1])
        for text in texts
        if (found := re.search(r"^desc: Trigger: dump (.*)$", text, re.MULTILINE))
        and (total := re.search(r"^totals: (\d+)", text, re.MULTILINE))
    }


def grown(found: Mapping[str, int], kept: Mapping[str, int]) -> list[str]:
    """Names of the calls that take more than `MOST_GROWTH` times as many instructions."""
    return [name for name, count in found.items() if name in kept and count > MOST_GROWTH * kept[name]]


def main(arguments: list[str] | None = None) -> int:
    """Count, print and compare; 1 if a call has grown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="write the counts of this version")
    parser.add_argument("--warm", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.warm or options.here:
        warm_up()
        count_here() if options.here else [call() for call in calls().values()]
        return 0
    history = read_json(KEPT) if KEPT.exists() else {}
    last = list(history.values())[-1] if history else {}
    found = counted()
    for name, count in found.items():
        change = f"{count / last[name]:8.3f}" if name in last else ""
        print(f"{name:42} {count:14,} {change}")
    if options.keep:
        write_json(KEPT, history | {cc.__version__: found})
    return 1 if grown(found, last) else 0


if __name__ == "__main__":
    sys.exit(main())
