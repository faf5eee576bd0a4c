"""The same call gives the same bits in every state: first or later, in a new process or a second, idle or
busy.

Without a budget the number of draws follows from the data, whatever is compiled and however long it takes.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CALLS = """
import json, sys, warnings
import numpy as np
import chancecorr as cc
warnings.simplefilter("ignore")
rng = np.random.default_rng(1)
def draw(n, k): return rng.integers(k, size=n)
def soft(n, k): return cc.Membership(rng.dirichlet([1.0] * k, size=n))
def cover(n, k): return cc.Cover([{i, *np.flatnonzero(rng.random(n) < 1.5 / k).tolist()} for i in range(k)])
def share(a, b): return float((a == b).mean())
def largest(table, rows, columns): return float(table.max() / rows.sum())
x, y, few, other = draw(800, 10), draw(800, 10), draw(60, 4), draw(60, 5)
many, more, big, wide = draw(2_000, 30), draw(2_000, 40), draw(5_000, 300), draw(5_000, 200)
soft_1, soft_2, cover_1, cover_2 = soft(200, 4), soft(200, 4), cover(80, 5), cover(80, 5)
weights, strata = rng.random(800), draw(800, 4)
def points(index, **more): return cc.adjust(x, y, index, rng=1, **more)
calls = {
    "rand": lambda: points("rand"),
    "jaccard": lambda: points("jaccard"),
    "nmi_sum": lambda: points("nmi_sum"),
    "purity": lambda: points("purity"),
    "four": lambda: points(["rand", "jaccard", "nmi_sum", "purity"]),
    "monte-carlo": lambda: points(["rand", "nmi_sum", "purity"], method="monte-carlo"),
    "matching": lambda: cc.adjust(many, more, "maximum_matching_accuracy", rng=1),
    "accuracy": lambda: cc.adjust(many, more, "clustering_accuracy", rng=1),
    "greedy": lambda: points("muc"),
    "irm": lambda: cc.adjust(few, other, "irm", rng=1),
    "centroid index": lambda: points("centroid_index"),
    "reduced": lambda: cc.adjust(few, other, "reduced_nmi", rng=1),
    "listed": lambda: cc.adjust(big, wide, "rand", method="monte-carlo", n_tables=300, rng=1),
    "listed sums": lambda: cc.adjust(big, wide, "nmi_sum", method="monte-carlo", rng=1),
    "listed maxima": lambda: cc.adjust(big, wide, "purity", rng=1, n_tables=300),
    "fixed-k": lambda: points("purity", model="fixed-k"),
    "all partitions": lambda: cc.adjust(few, other, ["jaccard", "purity"], model="all-partitions", rng=1),
    "multinomial": lambda: points(["jaccard", "nmi_sum"], model="multinomial"),
    "weights": lambda: points("jaccard", weights=weights),
    "weights of a table": lambda: points("purity", weights=weights),
    "strata": lambda: points("purity", strata=strata),
    "memberships": lambda: cc.adjust(soft_1, soft_2, rng=1),
    "memberships, correlation": lambda: cc.adjust(soft_1, soft_2, "correlation_distance", rng=1),
    "covers": lambda: cc.adjust(cover_1, cover_2, rng=1),
    "covers, information": lambda: cc.adjust(cover_1, cover_2, "onmi_max", rng=1),
    "own of labels": lambda: cc.adjust(few, other, share, rng=1),
    "own of a table": lambda: points(cc.indices.Index(name="largest", function=largest, needs="table")),
    "own draws": lambda: cc.adjust(few, other, "rand", model=cc.chance.shifts(60), rng=1),
    "precision": lambda: points("purity", method=cc.MonteCarlo(precision=1e-3, only=False)),
    "null distribution": lambda: cc.null_distribution(([30, 30, 40], [20, 80]), "purity", rng=1),
}
def describe(result):
    scores = list(result.values()) if hasattr(result, "values") and hasattr(result, "keys") else [result]
    numbers = []
    for score in scores:
        null, p = (score.null, score.p_value) if hasattr(score, "null") else (score, 0.0)
        numbers.append([float(number).hex() for number in (null.mean, null.std, null.n_tables, p)])
    return numbers
"""

PRINT = """
for name, call in calls.items():
    first = describe(call())
    for _ in range({again}):
        assert describe(call()) == first, name
    print(json.dumps([name, first]), flush=True)
"""


def run(folder, again, **environment):
    surroundings = os.environ | {"NUMBA_CACHE_DIR": str(folder)} | environment
    done = subprocess.run(
        [sys.executable, "-c", CALLS + PRINT.format(again=again)], env=surroundings, cwd=ROOT,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.slow
def test_thirty_kinds_of_call_give_the_same_bits_in_every_state(tmp_path):
    spin = [sys.executable, "-c", "while True: pass"]
    first = run(tmp_path / "new", 2)  # nothing is compiled, then some, then all that pays
    assert len(first) == 30
    assert run(tmp_path / "new", 1) == first  # machine code is on disk
    busy = [subprocess.Popen(spin) for _ in range(4)]
    try:
        assert run(tmp_path / "busy", 0, CHANCECORR_KERNELS="compiled") == first
    finally:
        for process in busy:
            process.kill()
            process.wait()
