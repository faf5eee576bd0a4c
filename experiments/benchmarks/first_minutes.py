"""Processor seconds of what a user calls in the first minutes, with nothing compiled before.

Forty calls: 150 to 5,000 objects, 3 to 40 clusters. Each is made three times in a first process, whose
folders for machine code are empty, and three times in a second, with new data of the same kind. The peer is
what a competent user writes for the same answer with SciPy, NumPy and scikit-learn, in a process of its own.
The first call of a process includes all imports, and each call the text that a session shows of its result.
Only Python's bytecode is there before, as `pip` leaves it. Limits of a call are in units, which are measured
beside it: what a new process takes to import Numba and to compile and call ``lambda x: x + 1``.
"""

import argparse
import compileall
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from experiments.benchmarks.timing import Row, format_markdown, scale_count
from experiments.common.kept import ROOT

CALLS = 3  # of a process
TIMEOUT = 120.0  # seconds on the wall after which a process is ended
STATES = {
    "first process on a machine, worst call": (6.0, 3.0),
    "later process, first call": (1.5, 2.0),
    "later process, later calls": (0.3, 1.2),
    "peer, later calls": (1.0, 1.0),  # within it by itself
}
"""States of a call, each with its limit: units, and multiples of the peer's seconds."""
START = "import time; print(time.process_time())"
UNIT = """
import time; began = time.process_time()
import numba; numba.njit(lambda x: x + 1)(1)
print(time.process_time() - began)"""
PROGRAM = """
import time
import numpy as np
{setup}
def make_labels(n, K, Q, share=0.5, more=0):
    rng = np.random.default_rng([k, more]); x = rng.integers(K, size=n)
    return x, np.where(rng.random(n) < share, rng.integers(Q, size=n), x % Q)
for k in range({first}, {first} + {calls}):
    began = time.process_time()
    {data}
    made = time.process_time()
    {code}
    text = repr(result)
    print(time.process_time() - made + (began if k == {first} else 0.0), flush=True)
"""

TOOLS = {
    "random_table": "from scipy.stats import random_table",
    "xlogy": "from scipy.special import xlogy",
    "stirling2": "from scipy.special import stirling2",
    "linear_sum_assignment": "from scipy.optimize import linear_sum_assignment",
    "adjusted_rand_score": "from sklearn.metrics import adjusted_rand_score",
    "adjusted_mutual_info_score": "from sklearn.metrics import adjusted_mutual_info_score",
    "draw": """def draw(x, y, m=17_000):
    return random_table(np.bincount(x), np.bincount(y)).rvs(m, random_state=k)""",
    "count_tables": """def count_tables(x, y, K, Q):  # of many labellings, a row each
    cells = (np.arange(len(x))[:, None] * K + x) * Q + y
    return np.bincount(cells.ravel(), minlength=len(x) * K * Q).reshape(-1, K, Q)""",
    "count_pairs": """def count_pairs(t):
    a, A, B = ((s * (s - 1)).reshape(len(t), -1).sum(1) / 2 for s in (t, t.sum(2), t.sum(1)))
    return a, A - a, B - a, t[0].sum() * (t[0].sum() - 1) / 2 - A - B + a""",
    "inform": """def inform(t):  # mutual information, and both entropies
    n, sides = t[0].sum(), (t, t.sum(2), t.sum(1))
    both, hu, hv = (np.log(n) - xlogy(s, s).reshape(len(t), -1).sum(1) / n for s in sides)
    return hu + hv - both, hu, hv""",
    "match": """def match(t):
    return np.array([s[linear_sum_assignment(s, maximize=True)].sum() for s in t]) / t[0].sum()""",
}
"""What the peers import and define; a peer gets what its code names."""
LINES = {
    "rand": "a, b, c, d = count_pairs({}); result = ((a + d) / (a + b + c + d)).mean()",
    "jaccard": "a, b, c, d = count_pairs({}); result = (a / (a + b + c)).mean()",
    "fowlkes_mallows": "a, b, c, d = count_pairs({}); result = (a / np.sqrt((a + b) * (a + c))).mean()",
    "nmi_sum": "mi, hu, hv = inform({}); result = (2 * mi / (hu + hv)).mean()",
    "mutual_information": "mi, hu, hv = inform({}); result = mi.mean()",
    "homogeneity": "mi, hu, hv = inform({}); result = (mi / hu).mean()",
    "purity": "result = {}.max(1).sum(1).mean() / len(x)",
    "inverse_purity": "result = {}.max(2).sum(1).mean() / len(x)",
    "van_dongen": "t = {}; result = (2 * len(x) - t.max(2).sum(1) - t.max(1).sum(1)).mean()",
    "clustering_accuracy": "result = match({}).mean()",
    "rand, jaccard, nmi_sum, purity": """t = draw(x, y); a, b, c, d = count_pairs(t); mi, hu, hv = inform(t)
    four = (a + d) / (a + b + c + d), a / (a + b + c), 2 * mi / (hu + hv), t.max(1).sum(1) / len(x)
    result = [values.mean() for values in four]""",
    "nine indices": """a, b, c, d = count_pairs({}); N, bc = a + b + c + d, b + c
    nine = [(a + d) / N, a / N, (a + d) / (a + d + bc / 2), a / (a + bc), 2 * a / (2 * a + bc)]
    nine += [(a * d - b * c) / (a * d + b * c), a * d / np.sqrt((a + b) * (a + c) * (d + b) * (d + c))]
    nine += [a / (a + 2 * bc), a / np.sqrt((a + b) * (a + c))]; result = [v.mean() for v in nine]""",
}
"""Mean of an index over tables of shape (tables, K, Q); the braces hold how these come."""
MODELS = {
    "fixed-k": "count_tables(*np.random.default_rng(k).integers(6, size=(2, 17_000, 500)), 6, 6)",
    "multinomial": "np.random.default_rng(k).multinomial(len(x), np.outer(np.bincount(x), np.bincount(y))"
    ".ravel() / len(x) ** 2, size=17_000).reshape(-1, 8, 8)",
}
CLOSED = {
    "rand": "result = adjusted_rand_score(x, y)",
    "rand, fixed-k": """S = stirling2([len(x) - 1, len(x)], [6, 6], exact=True)
    p = S[0] / S[1]; result = p * p + (1 - p) ** 2""",
    "purity, all-partitions": """rng, m, n, values = np.random.default_rng(k), np.arange(1, 400), len(x), []
    p = np.exp(n * np.log(m) - np.cumsum(np.log(m)) - 600.0)
    for block in range(17):  # Stam (1983): objects are thrown into a random number of urns
        u, v = (rng.random((2, 1_000, n)) * rng.choice(m, p=p / p.sum(), size=(2, 1_000, 1))).astype(int)
        values.append(count_tables(u, v, u.max() + 1, v.max() + 1).max(1).sum(1).mean() / n)
    result = np.mean(values)""",
}
"""What is not the mean over tables of SciPy or of a model."""
EXAMPLE = "README's first example"
README = """truth = ["setosa"] * 50 + ["versicolor"] * 50 + ["virginica"] * 50
    found = [1] * 50 + [2] * (48 - k) + [3] * (2 + k) + [2] * 14 + [3] * 36
    x, y = (np.unique(side, return_inverse=True)[1] for side in (truth, found))"""
SOFT = "R, S = (np.random.default_rng([k, side]).dirichlet([1.0] * 4, size=300) for side in (1, 2))"
SOFT_LOOP = """rng, n, (r, s) = np.random.default_rng(k), len(R), ((M**2).sum(1) for M in (R, S)); both = []
    for _ in range(17_000):
        p = rng.permutation(n); both.append((((R.T @ S[p]) ** 2).sum() - r @ s[p]) / 2)
    one = sum((M.sum(0) ** 2).sum() - (M**2).sum() for M in (R, S)) / 2
    result = 1 - (one - 2 * np.mean(both)) / (n * (n - 1) / 2)"""
COVERS = "R, S = (np.random.default_rng([k, side]).binomial(1, 0.3, size=(150, 5)) for side in (1, 2))"
COVERS_LOOP = """rng, C, D = np.random.default_rng(k), R @ R.T, S @ S.T; np.fill_diagonal(D, -1); values = []
    for _ in range(17_000):
        p = rng.permutation(len(R)); values.append((C == D[p][:, p]).sum() / (len(R) * (len(R) - 1)))
    result = np.mean(values)"""
OVERLAP = "def find_overlap(a, b): return np.bincount(4 * a + b).max() / a.size"
OVERLAP_LOOP = """rng = np.random.default_rng(k)
    result = np.mean([find_overlap(x, rng.permutation(y)) for _ in range(17_000)])"""
LARGEST = "def find_largest(table, rows, columns): return table.max() / table.sum()"
LARGEST_LOOP = "result = np.mean([find_largest(t, t.sum(1), t.sum(0)) for t in draw(x, y)])"
LARGEST_CALL = 'cc.adjust(x, y, cc.register_index("largest", find_largest, replace=True), rng=k)'
TAIL = "T = (np.bincount(5 * x + y) ** 2).sum(); result = ((draw(x, y) ** 2).sum((1, 2)) >= T).mean()"
BOARD = """x, _ = make_labels(1_000, 8, 8); rng = np.random.default_rng([k, 1])
    board = {str(i): np.where(rng.random(x.size) < i / 15, rng.permutation(x), x) for i in range(1, 13)}"""
MANY = "many = [make_labels({n}, {K}, {K}, more=i)[1] for i in range({m})]"
PAIRS = "for i, x in enumerate(many) for y in many[:i]]"
PURITY, RAND = "result = [draw(x, y).max(1).sum(1).mean() / len(x) ", "result = [adjusted_rand_score(x, y) "
MARGINS = "cc.Margins(np.bincount(x), np.bincount(y))"

ADJUSTED = (
    ("rand", 150, 3, 3, ""), ("rand", 5_000, 40, 40, ""), ("jaccard", 500, 5, 5, ""),
    ("fowlkes_mallows", 300, 4, 6, ""), ("nine indices", 800, 10, 10, ""),
    ("nmi_sum", 1_000, 10, 10, ""), ("homogeneity", 1_000, 6, 12, ""), ("purity", 150, 3, 3, ""),
    ("purity", 800, 10, 10, ""), ("inverse_purity", 2_000, 12, 30, ""), ("van_dongen", 1_000, 20, 20, ""),
    ("inverse_purity", 300, 5, 12, ""), ("clustering_accuracy", 1_500, 15, 15, ""),
    ("rand", 150, 3, 3, "monte-carlo"), ("nine indices", 800, 3, 3, "monte-carlo"),
    ("jaccard", 2_000, 20, 20, "monte-carlo"), ("nmi_sum", 700, 7, 7, "monte-carlo"),
    ("purity", 1_500, 3, 30, "monte-carlo"), ("clustering_accuracy", 3_000, 30, 40, "monte-carlo"),
    ("mutual_information", 5_000, 40, 40, "monte-carlo"), ("purity", 150, 4, 4, "all-partitions"),
    ("rand, jaccard, nmi_sum, purity", 1_000, 10, 10, "monte-carlo"), ("purity", 500, 6, 6, "fixed-k"),
    ("rand", 500, 6, 6, "fixed-k"), ("jaccard", 1_000, 8, 8, "multinomial"),
)  # fmt: skip
"""Indices, objects, clusters of both sides, and method or model where it is not the default."""


class Call(NamedTuple):
    """A call of the grid and what a user writes instead, as text; the peer's assigns to `result`."""

    name: str
    data: str  # made anew for each call, by its number k
    ours: str
    peer: str
    setup: str = ""  # once in a process


def list_calls() -> Iterator[Call]:
    """The grid."""
    labels, four = "x, y = make_labels({}, {}, {})", "rand, jaccard, nmi_sum, purity"
    ours = f"cc.adjust(truth, found, {four.split(', ')}, rng=1)"
    yield Call(EXAMPLE, README, ours, LINES[four])
    for indices, n, K, Q, option in ADJUSTED:
        key = f"{indices}, {option}" if option else indices
        index = indices.split(", ") if ", " in indices else repr(indices)
        keyword = f", {'method' if option == 'monte-carlo' else 'model'}={option!r}" if option else ""
        ours = f"cc.adjust(x, y, {index}{keyword}, rng=k)".replace("'nine indices'", "cc.PUBLISHED_INDICES")
        peer = CLOSED.get(key) or LINES[indices].format(MODELS.get(option, "draw(x, y)"))
        yield Call(f"{key}, {n:,} objects, {K} x {Q}", labels.format(n, K, Q), ours, peer)
    soft, covers = (f"cc.adjust(cc.{kind}(R), cc.{kind}(S), rng=k)" for kind in ("Membership", "Cover"))
    yield Call("memberships, 300 objects, 4 x 4", SOFT, soft, SOFT_LOOP)
    yield Call("covers, 150 objects, 5 x 5", COVERS, covers, COVERS_LOOP)
    name, own = "own function of labels, 300 objects, 4 x 4", "cc.adjust(x, y, find_overlap, rng=k)"
    yield Call(name, labels.format(300, 4, 4), own, OVERLAP_LOOP, OVERLAP)
    name = "own function of a table, 500 objects, 6 x 6"
    yield Call(name, labels.format(500, 6, 6), LARGEST_CALL, LARGEST_LOOP, LARGEST)
    for m, n, K in ((17_000, 2_000, 20), (1_000, 5_000, 40)):
        name = f"sample_tables, {m:,}, {n:,} objects, {K} x {K}"
        ours = f"cc.sample_tables({MARGINS}, {m}, rng=k)"
        yield Call(name, labels.format(n, K, K), ours, f"result = draw(x, y, {m})")
    for index, n, K in (("jaccard", 800, 3), ("purity", 500, 5)):
        ours = f"cc.null_distribution({MARGINS}, {index!r}, rng=k)"
        peer, name = LINES[index].format("draw(x, y)"), f"null_distribution, {index}, {n} objects, {K} x {K}"
        yield Call(name, labels.format(n, K, K), ours, peer)
    ours, peer = 'cc.adjusted_score(x, y, "nmi_sum")', "result = adjusted_mutual_info_score(x, y)"
    yield Call("adjusted_score, nmi_sum, 2,000 objects, 15 x 15", labels.format(2_000, 15, 15), ours, peer)
    data, ours = labels.format(500, 5, "5, 0.95"), "cc.tail_probability(cc.contingency_table(x, y), rng=k)"
    yield Call("tail_probability, rand, 500 objects, 5 x 5", data, ours, TAIL)
    for index, line in (("purity", PURITY), ("rand", RAND)):
        name, ours = f"compare 12, {index}, 1,000 objects, 8 x 8", f"cc.compare(x, board, {index!r}, rng=k)"
        yield Call(name, BOARD, ours, f"{line}for y in board.values()]")
    for index, n, K, m, line in (("rand", 1_000, 10, 10, RAND), ("purity", 500, 6, 5, PURITY)):
        name = f"pairwise of {m}, {index}, {n:,} objects, {K} x {K}"
        yield Call(name, MANY.format(n=n, K=K, m=m), f"cc.pairwise(many, {index!r}, rng=k)", line + PAIRS)


class Process(NamedTuple):
    """Seconds of the calls of a process, and how it ended if it was before the last."""

    seconds: list[float]
    ending: str = ""

    def __str__(self) -> str:
        return ", ".join([f"{taken:.3g}" for taken in self.seconds] + [self.ending] * bool(self.ending))


def main() -> None:
    """Run the grid or a part of it, and print the seconds of each call and how they stand to the limits."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the grid, 1 for all of it")
    parser.add_argument("--only", default="", metavar="TEXT", help="calls whose name holds this text")
    parser.add_argument("--package", type=Path, default=ROOT, metavar="DIR", help="the checkout to import")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, metavar="S", help="of each process")
    parser.add_argument("--json", nargs="?", const="", metavar="FILE", help="no file: the states on stdout")
    options = parser.parse_args()
    unit, timings = time_calls(options.scale, options.only, options.package.resolve(), options.timeout)
    states = summarize_states(unit, timings)
    if options.json == "":
        print(json.dumps(states))
        return
    print(format_markdown(list_rows(unit, timings)), format_markdown(states), sep="\n\n")
    for state, (units, times) in list(STATES.items())[:-1]:
        judged = judge_calls(unit, timings)[state].items()
        missed = [f"{name}: {ratio:.2f} x the limit" for name, (_, ratio) in judged if ratio > 1.0]
        head = (
            f"\n{state}, limit {units:g} units + {times:g} x peer: missed by {len(missed)} of {len(judged)}"
        )
        print(head, *missed, sep="\n- ")
    if options.json:
        calls = {name: [process._asdict() for process in processes] for name, processes in timings.items()}
        text = json.dumps({"unit": unit, "calls": calls, "states": states}, indent=1)
        Path(options.json).write_text(text + "\n", encoding="utf-8")


def measure(scale: float = 1.0) -> list[Row]:
    """One row a state, seconds."""
    return summarize_states(*time_calls(scale))


def time_calls(
    scale: float, only: str = "", package: Path = ROOT, timeout: float = TIMEOUT
) -> tuple[float, dict[str, list[Process]]]:
    """Seconds of a unit, and of the two processes of each call and its peer's."""
    calls = [call for call in list_calls() if only.lower() in call.name.lower()]
    calls = calls[: scale_count(len(calls), scale)]
    if not calls:
        raise SystemExit(f"`--only` must stand in the name of a call; got {only!r}.")
    compileall.compile_dir(package / "chancecorr", quiet=2)
    run, units = partial(run_python, package=package, timeout=timeout), []
    timings: dict[str, list[Process]] = {call.name: [] for call in calls}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder) / "home"
        where = run("import chancecorr; print(chancecorr.__file__)", home)[0][0]
        if not Path(where).resolve().is_relative_to(package):
            raise SystemExit(f"`--package` must be a checkout; got {package}, and {where} was imported.")
        run("\n".join([*TOOLS.values(), UNIT]), home)  # writes the bytecode of what the peers import
        idle = statistics.median(float(run(START, home)[0][0]) for _ in range(5))
        for number, call in enumerate(calls):
            print(f"{number + 1} of {len(calls)}: {call.name}", file=sys.stderr, flush=True)
            units.append(float(run(UNIT, home)[0][0]))
            for program in write_programs(call):
                printed, ending = run(program, Path(folder) / f"{number}")
                seconds = [float(line) - idle * (k == 0) for k, line in enumerate(printed)]
                timings[call.name].append(Process(seconds, ending))
                print(f"    {timings[call.name][-1]}", file=sys.stderr, flush=True)
    return statistics.median(units), timings


def write_programs(call: Call) -> list[str]:
    """The first and the later process of a call, and the peer's with the data of the later."""
    tools = call.peer
    for name, code in reversed(TOOLS.items()):
        tools = f"{code}\n{tools}" if f"{name}(" in tools else tools
    ours = {"setup": f"import chancecorr as cc\n{call.setup}", "code": f"result = {call.ours}"}
    peer = {"setup": tools.removesuffix(call.peer) + call.setup, "code": call.peer}
    return [
        PROGRAM.format(**text, data=call.data, first=first, calls=CALLS)
        for text, first in ((ours, 0), (ours, CALLS), (peer, CALLS))
    ]


def run_python(code: str, home: Path, package: Path, timeout: float) -> tuple[list[str], str]:
    """Lines that a new process with its caches in a folder prints, and how it ended if not by itself."""
    home.mkdir(exist_ok=True)
    places = {"HOME": home, "XDG_CACHE_HOME": home, "NUMBA_CACHE_DIR": home, "PYTHONPATH": package}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=home, env=inherited | {name: str(x) for name, x in places.items()},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            printed, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()[0].splitlines(), f"over {timeout:g} s"
    sys.stderr.write(errors if process.returncode else "")
    return printed.splitlines(), "fails" if process.returncode else ""


def judge_calls(unit: float, timings: dict[str, list[Process]]) -> dict[str, dict[str, tuple[float, float]]]:
    """Seconds of each call in each state, infinite if it did not end, and their ratio to the limit."""
    judged: dict[str, dict[str, tuple[float, float]]] = {state: {} for state in STATES}
    for name, processes in timings.items():
        first, later, peer = (each.seconds + [math.inf] * (CALLS - len(each.seconds)) for each in processes)
        theirs = statistics.median(peer[1:])
        taken = max(first), later[0], max(later[1:]), theirs
        for (state, (units, times)), seconds in zip(STATES.items(), taken, strict=True):
            judged[state][name] = seconds, seconds / (units * unit + times * theirs)
    return judged


def list_rows(unit: float, timings: dict[str, list[Process]]) -> list[Row]:
    """One row a call: seconds, and their ratios to the limits, above 1 where it misses them."""
    judged, rows = judge_calls(unit, timings), []
    for name, processes in timings.items():
        first, later, peer = map(str, processes)
        row: Row = {"call": name, "first process, s": first, "later process, s": later, "peer, s": peer}
        rows.append(row | {f"{state} / limit": judged[state][name][1] for state in list(STATES)[:-1]})
    return rows


def summarize_states(unit: float, timings: dict[str, list[Process]]) -> list[Row]:
    """One row a state: median and worst seconds, and the number of calls that miss the limit."""
    rows: list[Row] = []
    for state, judged in judge_calls(unit, timings).items():
        worst = max(judged, key=lambda name: judged[name][0])
        both = statistics.median(seconds for seconds, _ in judged.values()), judged[worst][0]
        median, most = (seconds if seconds < math.inf else "∞" for seconds in both)
        row: Row = {"state": state, "calls": len(judged), "median, s": median, "worst, s": most}
        missed = sum(ratio > 1.0 for _, ratio in judged.values())
        row |= {EXAMPLE: judged[EXAMPLE][0]} if EXAMPLE in judged else {}
        rows.append(row | {"worst call": worst, "calls over the limit": missed, "unit, s": unit})
    return rows


if __name__ == "__main__":
    main()
