"""Seconds that it takes to compile each kernel from nothing, and to run it as Python beside its forecast.

Each of the calls below runs in two new processes: one compiles all kernels, with an empty folder for machine
code, one runs them as Python. Processor time. A kernel's seconds are its own, without what it calls, and the
most of all calls. A unit is what a new process takes to import Numba and to compile and call ``lambda x: x +
1``; the rows at the top say what the sampler takes, and all that `chancecorr compile` compiles.
"""

import json
import statistics
import tempfile
from typing import Any

import chancecorr as cc
from experiments.benchmarks.timing import Row, run, run_python, scale_count

UNIT = """
import json, time
began = time.process_time()
import numba
numba.njit(lambda x: x + 1)(1)
unit = time.process_time() - began
"""

SET_UP = """
import warnings
import numpy as np
from scipy.cluster.hierarchy import linkage
import chancecorr as cc
from chancecorr.machine import compiling
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
forecasts, decide = {}, compiling.runs_as_python
def count_forecasts(name, seconds, *parts):
    forecasts[name] = forecasts.get(name, 0.0) + seconds
    return decide(name, seconds, *parts)
compiling.runs_as_python = count_forecasts
"""

AS_PYTHON = """
kernels = {name: (compiling._spent.get(name, 0.0), t) for name, t in forecasts.items()}
print(json.dumps({"kernels": kernels, "unit": unit}))
"""

LISTEN = """
from numba.core import event
class Listener(event.Listener):
    begun, kernels = [], {}
    def on_start(self, event):
        self.begun.append([time.process_time(), 0.0])
    def on_end(self, event):
        began, of_others = self.begun.pop()
        taken = time.process_time() - began
        if self.begun:
            self.begun[-1][1] += taken
        name = compiling.get_full_name(event.data["dispatcher"].py_func).removesuffix("_part")
        seconds, count = self.kernels.get(name, (0.0, 0))
        self.kernels[name] = seconds + taken - of_others, count + 1
listener = Listener()
event.register("numba:compile", listener)
"""
AS_COMPILED = 'print(json.dumps({"kernels": listener.kernels, "unit": unit}))'

OF_AN_INDEX = [name for name in cc.list_indices() if cc.get_index(name).needs in ("table", "cells")]
AHEAD = "from chancecorr.cli.commands import compile_kernels; compile_kernels()"
CALLS = (
    "cc.sample_tables(([30, 70], [50, 50]), 2)",
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
    """A row for the sampler, one for all that is compiled ahead, and one a kernel, the slowest first."""
    compiled: dict[str, tuple[float, int]] = {}
    as_python: dict[str, tuple[float, float]] = {}
    calls, units, wholes = [*CALLS, *(f"simulate(x, y, {name!r})" for name in OF_AN_INDEX)], [], []
    for call in calls[: scale_count(len(calls), scale)]:
        as_python |= run_in_new_process("python", UNIT, SET_UP, call, AS_PYTHON)["kernels"]
        without_draws = call.replace("simulate", "score") if call not in CALLS else call
        done = run_in_new_process("compiled", UNIT, SET_UP, LISTEN, without_draws, AS_COMPILED)
        units.append(done["unit"])
        wholes.append(sum(seconds for seconds, _ in done["kernels"].values()))
        for name, taken in done["kernels"].items():
            compiled[name] = max(compiled.get(name, (0.0, 0)), tuple(taken))
    unit = statistics.median(units)
    rows: list[Row] = [{"kernel": "a table, with all that it calls", "to compile, s": wholes[0]}]
    if scale == 1.0:
        ahead = run_in_new_process("compiled", UNIT, SET_UP, LISTEN, AHEAD, AS_COMPILED)["kernels"]
        taken = sum(seconds for seconds, _ in ahead.values())
        rows.append({"kernel": "all that `chancecorr compile` compiles", "to compile, s": taken})
    for name in sorted(compiled.keys() | as_python.keys(), key=lambda name: -compiled.get(name, (0.0, 0))[0]):
        spent, forecast = as_python.get(name, (0.0, 0.0))
        seconds, count = compiled.get(name, (0.0, 0))
        row: Row = {"kernel": name.removeprefix("chancecorr."), "to compile, s": seconds}
        rows.append(row | {"machine codes": count, "as Python, s": spent, "forecast, s": forecast})
    return [row | {"units": float(row["to compile, s"]) / unit} for row in rows]


def run_in_new_process(way: str, *code: str) -> dict[str, Any]:
    """What code prints as JSON, in a process whose kernels all run in one way."""
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {"CHANCECORR_KERNELS": way, "NUMBA_CACHE_DIR": folder}
        printed = run_python("\n".join(code), surroundings)[1]
        return dict(json.loads(printed.strip().splitlines()[-1]))


if __name__ == "__main__":
    run(measure)
