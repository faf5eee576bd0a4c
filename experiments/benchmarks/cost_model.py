"""Times of the two samplers, and whether the package's forecast picks the faster one.

A table is drawn cell by cell ("conditional") or by shuffling labels; `plan_sampler` chooses by a linear
forecast whose constants stand in `chancecorr/null/kernels/costs.py`. Both samplers are timed on one thread
over a grid of shapes, in the two ways they are used: tables laid out in memory, and sums of squared cells
alone. The constants are fitted to these times by non-negative least squares on relative errors. A loss is
the time of the chosen sampler over that of the better one: 1 means that the choice was right. "Zipf" sizes
go like 1, 1/2, 1/3, ...
"""

import statistics
from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.optimize import nnls

import chancecorr as cc
from chancecorr.null.kernels import costs
from chancecorr.null.kernels.hypergeometric import TABLE_LIMIT
from chancecorr.null.permutation import TableSampler, fill_tables, pair_sums, plan_sampler
from experiments.benchmarks.timing import Row, equal_sizes, interleaved, repeats_at, run, scaled, seconds_of

CONSTANTS = (
    "NANOSECONDS_PER_DRAW",
    "NANOSECONDS_PER_DRAW_BEYOND_TABLE",
    "NANOSECONDS_PER_SHUFFLED_OBJECT",
    "NANOSECONDS_PER_COPIED_OBJECT",
    "NANOSECONDS_PER_CELL",
)
Method = Literal["conditional", "shuffle"]
Use = Literal["tables", "sums"]
Times = dict[tuple[Use, Method], float]
"""Nanoseconds of one table."""

METHODS: tuple[Method, ...] = ("conditional", "shuffle")
USES: tuple[Use, ...] = ("tables", "sums")
SEED = np.uint64(1)
BATCH_SECONDS = 0.008
CELLS_AT_A_TIME = 1 << 20
SHAPES = [(2, 2), (2, 20), (3, 3), (5, 5), (5, 200), (10, 10), (20, 20), (50, 50), (100, 100), (200, 200)]
OBJECTS_PER_DRAW = (1, 5, 10, 14, 20, 40, 100)
"""Around the boundary, where the samplers cost the same."""

BEYOND_TABLE = [(3, 2_000_000), (10, 10_000_000), (30, 2_000_000), (100, 1_200_000), (200, 2_000_000)]


def grid() -> list[tuple[str, list[int], list[int]]]:
    """Kind of sizes, row totals, column totals; n from 50 to 10^6, and a few beyond."""
    cases = []
    for K, Q in SHAPES:
        around = [ratio * (K - 1) * (Q - 1) for ratio in OBJECTS_PER_DRAW]
        for n in sorted({min(max(n, 50, K, Q), TABLE_LIMIT) for n in [*around, TABLE_LIMIT]}):
            cases.append(("equal", equal_sizes(n, K), equal_sizes(n, Q)))
    for K, n in ((3, 50), (3, 800), (10, 1_000), (10, 3_000), (30, 10_000), (30, 40_000), (100, 200_000)):
        sizes = zipf_sizes(n, K)
        cases.append(("Zipf", sizes, sizes))
    return cases + [("equal", equal_sizes(n, K), equal_sizes(n, K)) for K, n in BEYOND_TABLE]


def zipf_sizes(n: int, clusters: int) -> list[int]:
    """Sizes proportional to 1/k, at least 1; the largest takes what rounding leaves."""
    shares = 1.0 / np.arange(1, clusters + 1)
    sizes = np.maximum(1, np.floor(n * shares / shares.sum())).astype(np.int64)
    sizes[0] += n - sizes.sum()
    return [int(size) for size in sizes]


def features(margins: cc.Margins) -> dict[Method, list[float]]:
    """By method, what each of the constants is multiplied with in the forecast."""
    K, Q, n = margins.row_totals.size, margins.column_totals.size, margins.n
    draws = (K - 1) * (Q - 1)
    shuffled = n - max(margins.row_totals.max(), margins.column_totals.max())
    within = n <= TABLE_LIMIT
    return {
        "conditional": [draws if within else 0, 0 if within else draws, 0, 0, K * Q],
        "shuffle": [0, 0, shuffled, n, min(K * Q, 4 * n)],
    }


def nanoseconds(margins: cc.Margins, scale: float) -> Times:
    """Median time of one table by (use, method), the four taken in turn."""
    sides: dict[tuple[Use, Method], tuple[int, Callable[[], object]]] = {}
    for method in METHODS:
        sampler = plan_sampler(margins, method)
        for use in USES:
            cells = sampler.shape[0] * sampler.shape[1]
            largest = max(1, CELLS_AT_A_TIME // cells) if use == "tables" else 10**9
            draw = partial(lay_out if use == "tables" else add_up, sampler)
            m = batch(draw, largest, BATCH_SECONDS * scale)
            sides[use, method] = m, partial(draw, m)
    seconds = interleaved(*(call for _, call in sides.values()), repeats=repeats_at(scale))
    return {
        key: statistics.median(taken) / m * 1e9
        for (key, (m, _)), taken in zip(sides.items(), seconds, strict=True)
    }


def batch(draw: Callable[[int], object], largest: int, budget: float) -> int:
    """Number of tables that fills the budget of seconds, at most the largest."""
    draw(1)
    m = 1
    while (seconds := seconds_of(partial(draw, m))) < budget / 4 and m < largest:
        m = min(4 * m, largest)
    return max(1, min(largest, int(m * budget / seconds)))


def lay_out(sampler: TableSampler, m: int) -> None:
    """`m` tables in memory."""
    fill_tables(sampler, SEED, 0, np.zeros((m, *sampler.shape), dtype=np.int64))


def add_up(sampler: TableSampler, m: int) -> None:
    """``T = sum n_ij**2`` of `m` tables."""
    pair_sums(sampler, SEED, 0, m)


def fit(measured: list[tuple[cc.Margins, Times]], uses: tuple[Use, ...]) -> npt.NDArray[np.float64]:
    """Constants that forecast these times with the least sum of squared relative errors."""
    rows = [
        np.array(features(margins)[method]) / time
        for margins, times in measured
        for (use, method), time in times.items()
        if use in uses and not (use == "tables" and plan_sampler(margins, "shuffle").sparse)
    ]
    return np.asarray(nnls(np.array(rows), np.ones(len(rows)))[0], dtype=np.float64)


def measure(scale: float = 1.0) -> list[Row]:
    """Rows of three kinds: constants; losses under the constants now and as fitted; the grid."""
    cases = grid()
    cases = cases[:: len(cases) // scaled(len(cases), scale, minimum=8)]
    measured = []
    for _, row_totals, column_totals in cases:
        margins = cc.Margins(row_totals, column_totals)
        measured.append((margins, nanoseconds(margins, scale)))
    current = np.array([getattr(costs, name) for name in CONSTANTS])
    fits = {
        "tables": fit(measured, ("tables",)),
        "sums": fit(measured, ("sums",)),
        "both": fit(measured, USES),
    }
    constants: list[Row] = [
        {
            "constant": name,
            "now, ns": float(current[k]),
            **{f"fitted to {what}": float(fitted[k]) for what, fitted in fits.items()},
        }
        for k, name in enumerate(CONSTANTS)
    ]
    choices: dict[str, list[Method]] = {
        "now": [plan_sampler(margins).method for margins, _ in measured],
        "fitted to both": [
            min(METHODS, key=lambda method: features(margins)[method] @ fits["both"])
            for margins, _ in measured
        ],
    }
    losses: list[Row] = []
    for which, methods in choices.items():
        for use in USES:
            lost = [loss(times, use, method) for (_, times), method in zip(measured, methods, strict=True)]
            worst = int(np.argmax(lost))
            losses.append(
                {
                    "constants": which,
                    "use": use,
                    "mean loss": statistics.mean(lost),
                    "worst loss": lost[worst],
                    "worst at": f"{described(measured[worst][0])}, {cases[worst][0]}",
                }
            )
    shapes: list[Row] = [
        {
            "shape": described(margins),
            "sizes": kind,
            **{f"{method}, {use}, µs": times[use, method] / 1e3 for use in USES for method in METHODS},
            "ns a draw": times["tables", "conditional"] / max(features(margins)["conditional"][:2]),
            "ns a shuffled object": times["tables", "shuffle"] / features(margins)["shuffle"][2],
            "chosen": chosen,
            **{f"loss, {use}": loss(times, use, chosen) for use in USES},
        }
        for (kind, _, _), (margins, times), chosen in zip(cases, measured, choices["now"], strict=True)
    ]
    return constants + losses + shapes


def loss(times: Times, use: Use, method: Method) -> float:
    """Time of this method over that of the better one."""
    return times[use, method] / min(times[use, other] for other in METHODS)


def described(margins: cc.Margins) -> str:
    """Shape and number of objects."""
    return f"{margins.row_totals.size} x {margins.column_totals.size}, n = {margins.n:,}"


def main() -> None:
    """Print the tables."""
    run(measure)


if __name__ == "__main__":
    main()
