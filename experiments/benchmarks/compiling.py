"""Seconds that it takes to compile each kernel from nothing, and to run it as Python beside its forecast.

Each of the calls below runs in two new processes: one compiles all kernels, with an empty folder for machine
code, one runs them as Python. Processor time; the seconds of a kernel are the most of all calls, and include
what it calls. At full scale they are kept as data of the package, which chooses by them what it compiles.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import chancecorr as cc
from experiments.benchmarks.timing import Row, run, run_python, scale_count
from experiments.common.kept import write_whole

KEPT = Path(cc.__file__).parent / "machine" / "seconds_to_compile.json"

SET_UP = """
import json, time, warnings
import numpy as np
from scipy.cluster.hierarchy import linkage
import chancecorr as cc
from chancecorr.machine import tiers
from chancecorr.sampling.splitting import split
warnings.simplefilter("ignore")
rng = np.random.default_rng(1)
x, y = [i % 3 for i in range(600)], [i // 250 for i in range(600)]
few, alone = [i % 4 for i in range(60)], [i // 2 for i in range(60)]
shares, others = (cc.Membership(rng.dirichlet([1.0] * 4, size=60)) for _ in range(2))
cover = cc.Cover([set(range(0, 30)), set(range(20, 50)), set(range(40, 60))])
places, edges = rng.random((60, 2)), rng.integers(60, size=(90, 2))
tree, other = (cc.Tree(linkage(rng.random((60, 2)))) for _ in range(2))
def score(a, b, index, **options):
    cc.score(a, b, index) if not options else simulate(a, b, index, **options)
def simulate(a, b, index, m=300, **options):
    cc.adjust(a, b, index, method="monte-carlo", n_tables=m, rng=1, **options)
forecasts, decide = {}, tiers.runs_as_python
def count_forecasts(name, seconds, *parts, **more):
    forecasts[name] = forecasts.get(name, 0.0) + seconds
    return decide(name, seconds, *parts, **more)
tiers.runs_as_python = count_forecasts
"""

AS_PYTHON = "print(json.dumps({name: (tiers._added.get(name, 0.0), t) for name, t in forecasts.items()}))"

LISTEN = """
from numba.core import event
class Listener(event.Listener):
    depth, seconds = 0, {}
    def on_start(self, event):
        self.depth += 1
        self.began = time.process_time() if self.depth == 1 else self.began
    def on_end(self, event):
        self.depth -= 1
        if self.depth == 0:
            name = tiers.get_full_name(event.data["dispatcher"].py_func)
            taken, count = self.seconds.get(name, (0.0, 0))
            self.seconds[name] = max(taken, time.process_time() - self.began), count + 1
listener = Listener()
event.register("numba:compile", listener)
"""
AS_COMPILED = "print(json.dumps(listener.seconds))"

OF_AN_INDEX = [name for name in cc.list_indices() if cc.get_index(name).needs in ("table", "cells")]
CALLS = (
    'simulate(x, y, ["rand", "mutual_information", "nmi_sum"])',
    'simulate(alone, few, "rand"); simulate(alone[:40], alone[:40], ["rand", "purity"])',
    'simulate(x, y, ["rand", "purity"], model="fixed-k")',
    'simulate(x, y, ["rand", "purity"], model="all-partitions")',
    'cc.adjust(x, y, ["rand", "jaccard", "ami"]); cc.adjust(few, alone, ["rand", "jaccard", "ami"])',
    'cc.adjust(few[:15], alone[:15], ["rand", "purity"])',
    'cc.tail_probability(cc.contingency_table(x, y), "rand", rng=1)',
    "split(cc.contingency_table(x, y).margins, 10**5, n_tables=20, replicates=2, rng=1)",
    "cc.contingency_table(rng.integers(9, size=10**6), rng.integers(9, size=10**6))",
    'cc.pairwise([x, y, x[::-1]], "rand"); cc.pairwise([x, y, x[::-1]], "purity")',
    'simulate(shares, others, "correlation")',
    'simulate(cover, cover, "omega"); simulate(cover, cover, "onmi_max")',
    'simulate(tree, other, "bakers_gamma"); cc.comparison.compare_trees(tree, other, rng=1)',
    "simulate(few, few[::-1], cc.clusterings.spatial_rand(places), m=20)",
    "simulate(few, few[::-1], cc.clusterings.graph_rand(edges))",
    "simulate(few, few[::-1], cc.clusterings.element_centric(r=0.5)); cc.comparison.match_labels(few, alone)",
)


def measure(scale: float = 1.0) -> list[Row]:
    """One row a kernel."""
    compiled: dict[str, tuple[float, int]] = {}
    as_python: dict[str, tuple[float, float]] = {}
    calls = [*CALLS, *(f"simulate(x, y, {name!r})" for name in OF_AN_INDEX)]
    for call in calls[: scale_count(len(calls), scale)]:
        as_python |= run_in_new_process("python", call, AS_PYTHON)
        without_draws = call.replace("simulate", "score") if call not in CALLS else call
        for name, taken in run_in_new_process("compiled", LISTEN, without_draws, AS_COMPILED).items():
            compiled[name] = max(compiled.get(name, (0.0, 0)), tuple(taken))
    if scale == 1.0:
        seconds = {name.removeprefix("chancecorr."): round(taken, 2) for name, (taken, _) in compiled.items()}
        write_whole(KEPT, json.dumps(dict(sorted(seconds.items())), indent=0) + "\n")
    return [
        {
            "kernel": name.removeprefix("chancecorr."),
            "machine codes": compiled.get(name, (0.0, 0))[1],
            "to compile, s": compiled.get(name, (0.0, 0))[0],
            "as Python, s": as_python.get(name, (0.0, 0.0))[0],
            "forecast, s": as_python.get(name, (0.0, 0.0))[1],
        }
        for name in sorted(compiled.keys() | as_python.keys())
    ]


def run_in_new_process(way: str, *code: str) -> dict[str, Any]:
    """What code prints as JSON after the set-up, in a process whose kernels all run in one way."""
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {"CHANCECORR_KERNELS": way, "NUMBA_CACHE_DIR": folder}
        return dict(json.loads(run_python("\n".join((SET_UP, *code)), surroundings)[1]))


if __name__ == "__main__":
    run(measure)
