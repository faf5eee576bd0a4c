"""Times of the sampler of tables by what is done object by object, and whether the plan picks the fastest.

Small clusters are dealt object by object, the cells between large ones are drawn from their laws;
`plan_sampler` divides the clusters by a linear forecast whose constants stand in
`chancecorr/sampling/kernels/workspace.py`. Here margins are timed on one thread with all cells drawn
("conditional"), all objects dealt ("shuffle"), as planned, and with half of the clusters or of the objects
dealt, in the two ways tables are used: laid out in memory, and ``T = sum n_ij**2`` alone. A call has at least
as many tables as are drawn side by side. The constants are fitted to these times by non-negative least
squares on relative errors; "with more constants" is a fit that tells apart draws of more objects than the
table of log-factorials reaches, and draws whose law has a mean below 1, or from there to that of the last
narrow law. A loss is the time of the division with the least forecast over that of the fastest one tried: 1
means that the choice was right. "Zipf" sizes go like 1, 1/2, 1/3, ...
"""

import dataclasses
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.optimize import nnls

import chancecorr as cc
from chancecorr.machine.arrays import Floats
from chancecorr.sampling.kernels import workspace as forecast
from chancecorr.sampling.kernels.logarithms import LOG2_TABLE_LIMIT
from chancecorr.sampling.kernels.narrow import NARROW
from chancecorr.sampling.kernels.workspace import LANES, REPAIR
from chancecorr.sampling.permutation import TableSampler, draw_pair_sums, draw_tables, plan_sampler, workspace
from experiments.benchmarks.timing import (
    Row,
    equal_sizes,
    interleaved,
    repeats_at,
    run,
    scaled,
    seconds_of,
    zipf_sizes,
)

CONSTANTS = (
    "NANOSECONDS_PER_DRAW",
    "NANOSECONDS_PER_OBJECT",
    "NANOSECONDS_PER_OBJECT_OF_MANY",
    "NANOSECONDS_PER_OBJECT_FROM_AFAR",
    "NANOSECONDS_PER_COPIED_LABEL",
    "NANOSECONDS_PER_CELL",
    "NANOSECONDS_PER_TABLE",
    "NANOSECONDS_PER_DEALT_TABLE",
)
FURTHER = ("more for a draw beyond the table", "more for a mean below 1", "more for a mean from 1 to NARROW")
Use = Literal["tables", "sums"]
Division = tuple[int, int]
"""Numbers of small rows and of small columns."""

USES: tuple[Use, ...] = ("tables", "sums")
SEED = np.uint64(1)
REPEATS = 3
BATCH_SECONDS = 0.003
CELLS_AT_A_TIME = 1 << 23
FAR_FROM_BEST = 4.0
"""A division whose forecast is so many times that of the best is not timed."""

SHAPES = [(2, 2), (2, 20), (3, 3), (5, 5), (5, 200), (10, 10), (20, 20), (50, 50), (100, 100)]
OBJECTS_PER_DRAW = (1, 5, 8, 12, 20, 50)
"""Around the boundary, where the two ways cost the same."""

MOST_OBJECTS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Margins, in the order of work, and nanoseconds a table by division and use."""

    kind: str
    sampler: TableSampler
    times: dict[tuple[Division, Use], float]

    @property
    def divisions(self) -> list[Division]:
        """What was timed."""
        return list(dict.fromkeys(division for division, _ in self.times))


def grid() -> list[tuple[str, list[int], list[int]]]:
    """Kind of sizes, row totals, column totals; n from 50 to 10^6, and a few beyond."""
    cases = []
    for K, Q in SHAPES:
        around = [ratio * (K - 1) * (Q - 1) for ratio in OBJECTS_PER_DRAW]
        for n in sorted(
            {min(max(n, 50, K, Q), MOST_OBJECTS) for n in [*around, LOG2_TABLE_LIMIT, MOST_OBJECTS]}
        ):
            cases.append(("equal", equal_sizes(n, K), equal_sizes(n, Q)))
    for K, Q, n in (
        (3, 3, 50), (3, 3, 800), (10, 10, 1_000), (10, 10, 10_000), (30, 30, 10_000), (30, 100, 40_000),
        (30, 30, 1_000_000), (100, 100, 100_000), (100, 100, 1_000_000),
    ):  # fmt: skip
        cases.append(("Zipf", zipf_sizes(n, K), zipf_sizes(n, Q)))
    for K, n in ((10, 1_000), (10, 100_000), (30, 1_000_000), (100, 10_000), (100, 1_000_000)):
        cases.append(("one huge", one_huge(n, K), one_huge(n, K)))
        cases.append(("one huge, equal", one_huge(n, K), equal_sizes(n, K)))
        cases.append(("one huge, Zipf", one_huge(n, K), zipf_sizes(n, K)))
    beyond = ((3, 2_000_000), (10, 10_000_000), (30, 2_000_000), (100, 1_200_000), (200, 2_000_000))
    return cases + [("equal", equal_sizes(n, K), equal_sizes(n, K)) for K, n in beyond]


def one_huge(n: int, clusters: int) -> list[int]:
    """Clusters of 1 to 20 objects, and one of all others."""
    tiny = [1 + k % min(20, n // (2 * clusters)) for k in range(clusters - 1)]
    return [*tiny, n - sum(tiny)]


def divided(sampler: TableSampler, division: Division) -> TableSampler:
    """The same margins with so many small rows and columns."""
    small_rows, small_columns = division
    order = sampler.order._replace(small_rows=small_rows, small_columns=small_columns)
    all_dealt = small_rows == order.rows.size - 1
    method: Literal["conditional", "shuffle", "mixed"] = "shuffle" if all_dealt else "mixed"
    if division == (0, 0):
        method = "conditional"
    return dataclasses.replace(sampler, order=order, method=method)


def planned(sampler: TableSampler) -> Division:
    """Small rows and columns of a plan."""
    return sampler.order.small_rows, sampler.order.small_columns


def divisions_of(sampler: TableSampler) -> list[Division]:
    """All cells drawn, all objects dealt, what is planned, and some between, without the hopeless ones."""
    order = sampler.order
    K, Q = order.rows.size, order.columns.size
    half_rows, half_columns = (
        int(np.searchsorted(totals.cumsum(), order.n / 10)) for totals in (order.rows, order.columns)
    )
    tried = {
        (0, 0), (K - 1, 0), planned(sampler), (K // 2, 0), (K // 2, Q // 2), (half_rows, 0),
        (half_rows, half_columns), (K // 2, half_columns),
    }  # fmt: skip
    if sampler.sparse:
        return [(K - 1, 0)]
    costs = {each: float(np.dot(features(sampler, each), constants_now())) for each in sorted(tried)}
    return [each for each, cost in costs.items() if cost <= FAR_FROM_BEST * min(costs.values())]


def features(sampler: TableSampler, division: Division) -> Floats:
    """What each of the constants is multiplied with in the forecast."""
    order, (small_rows, small_columns) = sampler.order, division
    K, Q, n = order.rows.size, order.columns.size, order.n
    objects = float(order.rows[:small_rows].sum())
    dealt = (n - objects) / max(n, 1) * float(order.columns[:small_columns].sum())
    copied = min(REPAIR * objects, float(n - order.columns[-1]))
    copied += min(REPAIR * dealt, float(n - objects - order.rows[-1]))
    draws = (K - small_rows - 1) * (Q - small_columns - 1)
    by_size = [0.0, 0.0, 0.0]
    for labels, taken in ((n - order.columns[-1], objects), (n - objects - order.rows[-1], dealt)):
        by_size[int(n > forecast.MANY_OBJECTS) + int(labels > forecast.LABELS_FROM_AFAR)] += taken
    return np.array([draws, *by_size, copied, K * Q, 1.0, small_rows + small_columns > 0], dtype=np.float64)


def further(sampler: TableSampler, division: Division) -> Floats:
    """Numbers of draws of the kinds that might cost more than others."""
    order, (small_rows, small_columns) = sampler.order, division
    rows, columns = order.rows[small_rows:-1], order.columns[small_columns:-1]
    means = np.outer(rows, columns) / max(order.n, 1)
    beyond = rows.size * columns.size if order.n > LOG2_TABLE_LIMIT else 0
    between = (means >= 1.0) & (means <= NARROW)
    return np.array([beyond, (means < 1.0).sum(), between.sum()], dtype=np.float64)


def constants_now() -> Floats:
    """The constants of the package."""
    return np.array([getattr(forecast, name) for name in CONSTANTS])


def timed(kind: str, sampler: TableSampler, scale: float) -> Case:
    """Least times, the divisions and uses taken in turn."""
    sides: dict[tuple[Division, Use], tuple[int, Callable[[], object]]] = {}
    for division in divisions_of(sampler):
        other = divided(sampler, division)
        for use in USES:
            draw = partial(lay_out if use == "tables" else add_up, other)
            m = batch(draw, max(1, CELLS_AT_A_TIME // (sampler.shape[0] * sampler.shape[1])), scale)
            sides[division, use] = m, draw(m)
    seconds = interleaved(*(call for _, call in sides.values()), repeats=repeats_at(scale, full=REPEATS))
    return Case(
        kind=kind,
        sampler=sampler,
        times={
            key: min(taken) / m * 1e9 for (key, (m, _)), taken in zip(sides.items(), seconds, strict=True)
        },
    )


def batch(draw: Callable[[int], Callable[[], object]], largest: int, scale: float) -> int:
    """Number of tables that fills the budget of seconds, at most the largest."""
    budget = BATCH_SECONDS * scale
    m = min(scaled(LANES, min(scale, 1.0)), largest)
    while True:
        call = draw(m)
        call()
        seconds = seconds_of(call)
        if seconds >= budget / 2 or m >= largest:
            return m
        m = min(2 * m, largest)


def lay_out(sampler: TableSampler, m: int) -> Callable[[], object]:
    """`m` tables into an array that is there."""
    out = np.zeros((m, *sampler.shape), dtype=np.int64)
    return partial(draw_tables, sampler, SEED, 0, out, workspace(sampler))


def add_up(sampler: TableSampler, m: int) -> Callable[[], object]:
    """``T = sum n_ij**2`` of `m` tables."""
    return partial(draw_pair_sums, sampler, SEED, 0, m, workspace(sampler))


Features = Callable[[TableSampler, Division], npt.NDArray[np.float64]]


def all_features(sampler: TableSampler, division: Division) -> Floats:
    """Those of the package's constants and of the further ones."""
    return np.concatenate([features(sampler, division), further(sampler, division)])


def fit(cases: Sequence[Case], uses: tuple[Use, ...], of: Features = features) -> Floats:
    """Constants that forecast these times with the least sum of squared relative errors."""
    rows = [
        of(case.sampler, division) / time
        for case in cases
        if not case.sampler.sparse
        for (division, use), time in case.times.items()
        if use in uses
    ]
    return np.asarray(nnls(np.array(rows), np.ones(len(rows)))[0], dtype=np.float64)


def measure(scale: float = 1.0) -> list[Row]:
    """Rows of three kinds: constants; losses under the constants now and as fitted; the grid."""
    margins = grid()
    margins = margins[:: max(1, len(margins) // scaled(len(margins), scale, minimum=8))]
    cases = [timed(kind, plan_sampler(cc.Margins(rows, columns)), scale) for kind, rows, columns in margins]
    fits = {"tables": fit(cases, ("tables",)), "sums": fit(cases, ("sums",)), "both": fit(cases, USES)}
    more = fit(cases, USES, all_features)
    now = np.concatenate([constants_now(), np.zeros(len(FURTHER))])
    constants: list[Row] = [
        {
            "constant": name,
            "now, ns": float(now[k]),
            **{
                f"fitted to {what}": float(fitted[k]) if k < fitted.size else 0.0
                for what, fitted in fits.items()
            },
            "fitted with more constants": float(more[k]),
        }
        for k, name in enumerate(CONSTANTS + FURTHER)
    ]
    forecasts: dict[str, tuple[Features, Floats]] = {
        "now": (features, constants_now()),
        "fitted to both": (features, fits["both"]),
        "with more constants": (all_features, more),
    }
    losses: list[Row] = []
    for which, (of, fitted) in forecasts.items():
        for use in USES:
            lost = [loss(case, use, best_by(case, of, fitted)) for case in cases]
            worst = int(np.argmax(lost))
            losses.append(
                {
                    "constants": which,
                    "use": use,
                    "mean loss": statistics.mean(lost),
                    "worst loss": lost[worst],
                    "worst at": f"{described(cases[worst].sampler)}, {cases[worst].kind}",
                }
            )
    return constants + losses + [row_of(case) for case in cases]


def row_of(case: Case) -> Row:
    """Row of the grid: what was planned, and in each use its time and the division that was fastest."""
    row: Row = {
        "shape": described(case.sampler),
        "sizes": case.kind,
        "small as planned": in_words(planned(case.sampler)),
        "divisions tried": len(case.divisions),
    }
    for use in USES:
        time = case.times[planned(case.sampler), use]
        row[f"{use}, µs"] = time / 1e3
        row[f"forecast / {use}"] = case.sampler.nanoseconds / time
        fastest = min((taken, division) for (division, of), taken in case.times.items() if of == use)[1]
        row[f"fastest, {use}"] = in_words(fastest)
        row[f"loss, {use}"] = loss(case, use, planned(case.sampler))
    return row


def best_by(case: Case, of: Features, constants: Floats) -> Division:
    """The division tried that these constants forecast to be the fastest."""
    return min(case.divisions, key=lambda division: float(of(case.sampler, division) @ constants))


def loss(case: Case, use: Use, division: Division) -> float:
    """Time of this division over that of the fastest one tried."""
    return case.times[division, use] / min(case.times[other, use] for other in case.divisions)


def described(sampler: TableSampler) -> str:
    """Shape and number of objects."""
    return f"{sampler.shape[0]} x {sampler.shape[1]}, n = {sampler.margins.n:,}"


def in_words(division: Division) -> str:
    """Numbers of small rows and columns, in the order of work."""
    return f"{division[0]} + {division[1]}"


def main() -> None:
    """Print the tables."""
    run(measure)


if __name__ == "__main__":
    main()
