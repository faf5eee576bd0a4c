"""Answers that take too long, or too much memory, over margins of many shapes.

``python -m experiments.checks.endless`` takes some twenty minutes. It makes default calls: an index of every
fifth in the catalogue, or a function of labels, under any model, on a table that agrees as far as its margins
allow: 1 to 4,000 clusters a side, equal, by Zipf's law, in pairs, alone, or one huge and many tiny, of up to
500,000 objects. With ``--budget`` an answer has so many seconds, and is one of each method, for an index of
each kind and with any ``best``, on up to 10,000 clusters and a billion objects.

The answers are given one after the other by a child process, which may use so much memory and is killed where
one takes far too long. Printed are the worst: those that were killed, those that ran out of memory or failed
in another way, and the slowest, by the processor time of the child. A refusal, that is a ValueError, is an
answer; fewer tables than 17,000 without a note are not. What is killed may only have been compiling: the
first run after a change of kernels says more than there is.
"""

import argparse
import itertools
import json
import math
import os
import resource
import select
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array

import chancecorr as cc

ALIKE = cc.indices.Index(name="alike", function=lambda u, v: float((u == v).sum()), needs="labels")
INDICES = {
    "rand": "rand",  # affine in T
    "jaccard": "jaccard",  # another function of T
    "nmi_sum": "nmi_sum",  # of a sum over cells
    "purity": "purity",  # of the table
    "alike": ALIKE,
}
OF_DEFAULT_CALLS = {"alike": ALIKE} | {name: name for name in cc.indices.list_indices()[::5]}
METHODS = ("auto", "exact", "analytic", "monte-carlo")
FURTHER_MODELS = ("fixed-k", "all-partitions", "one-sided-fixed-k", "one-sided-all-partitions", "multinomial")
BEST = (None, "mean")
WARM_UP = (
    ((5, 3, 2), (4, 3, 3)),
    ((60, 40), (50, 30, 20)),
    ((930, *(10,) * 7), (930, *(10,) * 7)),  # tails by splitting
)
FINE = ("answer", "refusal")
MOST_CELLS = 4_000_000
PUBLISHED_TABLES = 17_000
STARTS_WITHIN = 600.0
"""Seconds that a child process may take to compile what its first answers need."""


class Case(NamedTuple):
    """What is asked; the margins are those of `margins_of`."""

    shapes: tuple[str, str]
    clusters: tuple[int, int]
    n: int
    measure: str
    method: str
    model: str = "permutation"
    best: str | None = None


class Outcome(NamedTuple):
    """One of "answer", "refusal", "unsaid", "memory", "killed", "ended" with the child, or an error."""

    case: Case
    status: str
    seconds: float


def main() -> None:
    """Print the worst."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answer", action="store_true", help="be the child process")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=float, help="seconds, of each answer")
    parser.add_argument("--seconds", type=float, default=20.0, help="after which an answer is killed")
    parser.add_argument("--gibibytes", type=float, default=2.0)
    parser.add_argument("--worst", type=int, default=30)
    options = parser.parse_args()
    if options.answer:
        answer_cases()
        return
    rng = np.random.default_rng(options.seed)
    cases = (random_default_calls if options.budget is None else random_cases)(options.cases, rng)
    found = []
    for outcome in outcomes(cases, options.seconds, options.gibibytes, options.budget):
        found.append(outcome)
        if outcome.status not in FINE:
            print(*outcome, file=sys.stderr, flush=True)
    counts = {status: sum(each.status == status for each in found) for status in {x.status for x in found}}
    print(", ".join(f"{count} x {status}" for status, count in sorted(counts.items())))
    for case, status, seconds in worst_first(found)[: options.worst]:
        shapes = " by ".join(f"{k} {shape}" for k, shape in zip(case.clusters, case.shapes, strict=True))
        asked = " ".join(str(each) for each in (case.measure, case.method, case.model, case.best or ""))
        print(f"{status:12} {seconds:7.2f} s  n = {case.n:<11} {shapes:28} {asked}")


def random_cases(count: int, rng: np.random.Generator) -> Iterator[Case]:
    """So many cases at random."""
    shapes = ("equal", "zipf", "huge")
    for _ in range(count):
        clusters = [int(10.0 ** rng.uniform(0.0, 4.0)) for _ in range(2)]
        n = int(10.0 ** rng.uniform(1.0, 9.0))
        if clusters[0] * clusters[1] > MOST_CELLS:
            clusters[1] = MOST_CELLS // clusters[0]
        k, q = (min(x, n) for x in clusters)
        sides = str(rng.choice(shapes)), str(rng.choice(shapes))
        measure, method, model, best = (
            str(rng.choice(list(INDICES))),
            str(rng.choice(METHODS)),
            str(rng.choice(FURTHER_MODELS)) if rng.random() < 0.3 else "permutation",
            BEST[int(rng.integers(len(BEST)))] if rng.random() < 0.3 else None,
        )
        yield Case(sides, (k, q), n, measure, method, model, best)


def random_default_calls(count: int, rng: np.random.Generator) -> Iterator[Case]:
    """So many cases without a budget, a method or a best value."""
    for _ in range(count):
        n = int(10.0 ** rng.uniform(1.0, math.log10(5e5)))
        shapes = [str(rng.choice(("equal", "zipf", "huge", "pairs", "alone"))) for _ in range(2)]
        k, q = (
            {"pairs": (n + 1) // 2, "alone": n}.get(shape, min(n, int(4000.0 ** rng.uniform(0.15, 1.0))))
            for shape in shapes
        )
        model = str(rng.choice(FURTHER_MODELS)) if rng.random() < 0.5 else "permutation"
        yield Case((shapes[0], shapes[1]), (k, q), n, str(rng.choice(list(OF_DEFAULT_CALLS))), "auto", model)


def margins_of(shape: str, clusters: int, n: int) -> list[int]:
    """Totals of so many clusters and objects: of "huge" ones all but one hold 1 to 10, others are alike."""
    if shape in ("equal", "pairs", "alone"):
        return [n // clusters + (k < n % clusters) for k in range(clusters)]
    if shape == "zipf":
        weights = 1.0 / np.arange(1, clusters + 1)
        totals = [1 + int(x) for x in (n - clusters) * weights / weights.sum()]
    else:
        totals = [1] + [min(10, n // clusters)] * (clusters - 1)
    totals[0] += n - sum(totals)
    return totals


def table_of(rows: list[int], columns: list[int]) -> cc.ContingencyTable:
    """Table filled greedily along its diagonal, then with what is left."""
    left, right = list(rows), list(columns)
    cells = []
    for k, x in enumerate(map(min, rows, columns)):
        cells.append((x, k, k))
        left[k], right[k] = left[k] - x, right[k] - x
    i = j = 0
    while i < len(left) and j < len(right):
        x = min(left[i], right[j])
        cells.append((x, i, j))
        left[i], right[j] = left[i] - x, right[j] - x
        i, j = i + int(left[i] == 0), j + int(left[i] > 0 or right[j] == 0)
    counts, row, column = np.array([cell for cell in cells if cell[0]]).T
    table = coo_array((counts, (row, column)), shape=(len(rows), len(columns)))
    return cc.ContingencyTable(table.toarray() if len(rows) * len(columns) <= MOST_CELLS else table.tocsr())


def outcomes(
    cases: Iterable[Case], seconds: float, gibibytes: float, budget: float | None = 3.0
) -> Iterator[Outcome]:
    """What comes of the cases, by a child process, and by a new one after each that was killed."""
    child = None
    try:
        for case in cases:
            if child is None:
                child = _start(gibibytes, budget)
            assert child.stdin is not None
            child.stdin.write(json.dumps(case) + "\n")
            child.stdin.flush()
            began = time.monotonic()
            line = _line_within(child, seconds)
            if line:
                status, took = json.loads(line)
                yield Outcome(case, status, took)
                continue
            status = "killed" if line is None else "ended"
            child.kill()
            child.communicate()
            child = None
            yield Outcome(case, status, time.monotonic() - began)
    finally:
        if child is not None:
            child.kill()
            child.communicate()


def worst_first(found: Iterable[Outcome]) -> list[Outcome]:
    """Killed ones, then failures, then by time."""
    return sorted(
        found, key=lambda each: (each.status != "killed", each.status in FINE, -each.seconds, each.case)
    )


def answer_cases() -> None:
    """Answer the cases on standard input, one a line, each by a line with its status and its seconds."""
    warnings.simplefilter("ignore")
    for margins, index, method in itertools.product(WARM_UP, INDICES, METHODS):
        if method != "exact" or sum(margins[0]) <= 100:  # of the others it would take minutes
            _answer(table_of(*map(list, margins)), {"index": INDICES[index], "method": method})
    small = table_of(*map(list, WARM_UP[0]))
    budget = json.loads(os.environ["BUDGET"])
    if budget is None:
        for measured in OF_DEFAULT_CALLS.values():
            _answer(table_of(*map(list, WARM_UP[1])), {"index": measured})
    for model, index in itertools.product(FURTHER_MODELS, INDICES):
        _answer(small, {"index": INDICES[index], "model": model, "n_tables": 100})
    limit = int(float(os.environ["GIBIBYTES"]) * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    print("ready", flush=True)
    for line in sys.stdin:
        shapes, clusters, n, index, method, model, best = json.loads(line)
        table = table_of(*(margins_of(shape, k, n) for shape, k in zip(shapes, clusters, strict=True)))
        began = time.process_time()
        asked = {"index": (INDICES | OF_DEFAULT_CALLS)[index], "method": method, "model": model}
        status = _answer(table, asked | {"best": best, "budget": budget})
        print(json.dumps([status, time.process_time() - began]), flush=True)


def _answer(table: cc.ContingencyTable, asked: dict[str, Any]) -> str:
    try:
        score = cc.adjust_table(table, rng=0, **asked)
        _ = score.p_value
        null = score.null
        if (
            null.values_from == "monte-carlo"
            and null.n_tables < PUBLISHED_TABLES
            and "tables" not in null.note
        ):
            return "unsaid"
    except MemoryError:
        return "memory"
    except ValueError:
        return "refusal"
    except Exception as error:  # whatever it is, it is what the check is for
        return type(error).__name__
    return "answer"


def _start(gibibytes: float, budget: float | None) -> "subprocess.Popen[str]":
    child = subprocess.Popen(
        [sys.executable, "-m", "experiments.checks.endless", "--answer"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "GIBIBYTES": str(gibibytes), "BUDGET": json.dumps(budget)},
    )
    if _line_within(child, STARTS_WITHIN) != "ready\n":
        child.kill()
        child.communicate()
        raise RuntimeError("the child process did not start.")
    return child


def _line_within(child: "subprocess.Popen[str]", seconds: float) -> str | None:
    """Next line of the child, which prints one at a time; empty where it ended, None where none came."""
    assert child.stdout is not None
    ready, _, _ = select.select([child.stdout], [], [], seconds)
    return child.stdout.readline() if ready else None


if __name__ == "__main__":
    main()
