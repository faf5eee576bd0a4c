"""Where the sampler of tables gains least over SciPy: a search among random margins.

K and Q from 2 to 200 and n from 100 to 10^7, all of them log-uniform; each side's sizes are equal, go like
1, 1/2, 1/3, ... ("Zipf"), are one huge cluster beside tiny ones, or are uniform among all sizes of that sum
("Dirichlet"). The ratio is the time that the faster of SciPy's two methods takes for a table over
chancecorr's: for ``T = sum n_ij**2`` alone, and for tables laid out in an array that is there already. Least
times of short calls, on one thread. Shown are all margins together, then for each of the two uses those with
the lowest ratios. SciPy works in a child process, and what it has not drawn in two seconds counts as not
drawn.
"""

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

import chancecorr as cc
from chancecorr.sampling.permutation import TableSampler, draw_pair_sums, draw_tables, plan_sampler, workspace
from experiments.benchmarks.peers import SciPy, scipy_in_a_child
from experiments.benchmarks.timing import Row, equal_sizes, run, scaled, seconds_of, zipf_sizes

SHAPES = 200
WORST = 10
CALL_SECONDS = 0.005
LIMIT_SECONDS = 2.0
REPEATS = 3
CELLS_AT_A_TIME = 1 << 22
KINDS = ("equal", "Zipf", "one huge", "Dirichlet")
USES = ("T only", "tables")
SEED = np.uint64(1)
MOST_CLUSTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Margins, the kinds of sizes on their sides, and seconds a table.

    `ours` has an item for each of `USES`; `theirs` is None where SciPy gave no answer.
    """

    margins: cc.Margins
    kinds: tuple[str, str]
    method: str
    ours: tuple[float, float]
    scipy_method: str
    theirs: float | None


def measure(scale: float = 1.0) -> list[Row]:
    """Rows of two kinds: all margins together, and the worst of each use."""
    rng = np.random.default_rng(1)
    with scipy_in_a_child() as scipy:
        cases = [
            measured(scipy, *random_margins(rng), scale) for _ in range(scaled(SHAPES, scale, minimum=4))
        ]
    answered = [case for case in cases if case.theirs is not None]
    ratios = [[ratio(case, k) for case in answered] for k in range(len(USES))]
    rows: list[Row] = [
        {
            "use": use,
            "margins": len(cases),
            "SciPy gave no answer": len(cases) - len(answered),
            "ratio, worst": min(found),
            "ratio, median": statistics.median(found),
            "ratio below 3": sum(each < 3.0 for each in found),
        }
        for use, found in zip(USES, ratios, strict=True)
    ]
    for k, use in enumerate(USES):
        rows += [described(case, k, use) for case in sorted(answered, key=lambda c: ratio(c, k))[:WORST]]
    return rows


def random_margins(rng: np.random.Generator) -> tuple[cc.Margins, tuple[str, str]]:
    """Margins and the kinds of sizes of their sides; at least two objects to a cluster on average."""
    K, Q = (round(math.exp(rng.uniform(math.log(2), math.log(MOST_CLUSTERS)))) for _ in range(2))
    n = max(round(10.0 ** rng.uniform(2, 7)), 2 * K, 2 * Q)
    kinds = str(rng.choice(KINDS)), str(rng.choice(KINDS))
    return cc.Margins(random_sizes(n, K, kinds[0], rng), random_sizes(n, Q, kinds[1], rng)), kinds


def random_sizes(n: int, clusters: int, kind: str, rng: np.random.Generator) -> list[int]:
    """Sizes of this kind, at least 1."""
    if kind == "equal":
        return equal_sizes(n, clusters)
    if kind == "Zipf":
        return zipf_sizes(n, clusters)
    if kind == "one huge":
        tiny: npt.NDArray[np.int64] = rng.integers(
            1, min(20, n // clusters), size=clusters - 1, endpoint=True
        )
        return [*tiny.tolist(), n - int(tiny.sum())]
    sizes: npt.NDArray[np.int64] = 1 + rng.multinomial(n - clusters, rng.dirichlet(np.ones(clusters)))
    return [int(size) for size in sizes]


def measured(scipy: SciPy, margins: cc.Margins, kinds: tuple[str, str], scale: float) -> Case:
    """These margins with their times, ours and SciPy's taken in turn."""
    rows, columns = margins.row_totals.tolist(), margins.column_totals.tolist()
    sampler = plan_sampler(margins)
    budget = CALL_SECONDS * scale
    m = tables_in(sampler, budget)
    work = workspace(sampler)
    out = np.zeros((m, *sampler.shape), dtype=np.int64)
    calls: tuple[Callable[[], object], ...] = (
        partial(draw_pair_sums, sampler, SEED, 0, m, work),
        partial(draw_tables, sampler, SEED, 0, out, work),
    )
    pilot = scipy.pilot(rows, columns, budget, LIMIT_SECONDS)
    method, theirs = pilot or ("", None)
    ours: list[list[float]] = [[], []]
    for repeat in range(1 + REPEATS):
        for call, taken in zip(calls, ours, strict=True):
            seconds = seconds_of(call) / m
            if repeat > 0:
                taken.append(seconds)
        if theirs is not None:
            their_m = max(1, min(m, int(budget / theirs)))
            found = scipy.seconds(rows, columns, their_m, method, LIMIT_SECONDS)
            theirs = None if found is None else min(theirs, found / their_m)
    return Case(
        margins=margins,
        kinds=kinds,
        method=sampler.method,
        ours=(min(ours[0]), min(ours[1])),
        scipy_method=method,
        theirs=theirs,
    )


def tables_in(sampler: TableSampler, budget: float) -> int:
    """Tables that fill a call by the forecast: at least 256 at full scale, if the memory allows."""
    K, Q = sampler.shape
    fewest = scaled(256, min(budget / CALL_SECONDS, 1.0))
    wanted = max(fewest, int(budget * 1e9 / max(sampler.nanoseconds, 1.0)))
    return max(1, min(wanted, CELLS_AT_A_TIME // (K * Q)))


def ratio(case: Case, use: int) -> float:
    """SciPy's time over ours; infinite where SciPy gave no answer."""
    return math.inf if case.theirs is None else case.theirs / case.ours[use]


def described(case: Case, use: int, name: str) -> Row:
    """Row of one of the worst."""
    rows, columns = case.margins.row_totals, case.margins.column_totals
    return {
        f"worst for: {name}": f"{rows.size} x {columns.size}",
        "n": case.margins.n,
        "row sizes": sizes_in_words(case.kinds[0], rows),
        "column sizes": sizes_in_words(case.kinds[1], columns),
        "chancecorr by": case.method,
        "SciPy by": case.scipy_method,
        "chancecorr, µs a table": case.ours[use] * 1e6,
        "SciPy, µs a table": 0.0 if case.theirs is None else case.theirs * 1e6,
        "ratio": ratio(case, use),
    }


def sizes_in_words(kind: str, totals: npt.NDArray[np.int64]) -> str:
    """Kind of sizes, with the least and the largest."""
    return f"{kind}, {totals.min():,} to {totals.max():,}"


def main() -> None:
    """Print the tables."""
    run(measure)


if __name__ == "__main__":
    main()
