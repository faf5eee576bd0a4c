"""Time of one random table with fixed margins, against SciPy.

The same tables in three uses: `chancecorr.sample_tables`, which lays them out in a new array; the same into
an array that is there already; and ``T = sum n_ij**2`` of each alone, all that a pair-counting index needs.
The peer is `scipy.stats.random_table(...).rvs`, as many tables in one new int64 array, by the faster of its
two methods, whatever SciPy would choose by itself. All on one thread; row and column totals are the same. The
ratio is SciPy's time over chancecorr's. SciPy runs in a child process, which is ended if it does not answer.

"Least" is what any sampler of this kind needs: the time to produce the random words (two for each cell drawn,
a quarter or half a word for each object dealt) with chancecorr's generator, sixteen streams side by side, and
to write the cells once, of an array of that use. "NumPy" is a loop over the rows, each from
`Generator.multivariate_hypergeometric` given those before it; "R" is `r2dtable`, where R is installed.
"""

import statistics
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

import chancecorr as cc
from chancecorr.machine.arrays import Words
from chancecorr.machine.kernel import kernel
from chancecorr.sampling.kernels import streams as dice
from chancecorr.sampling.permutation import TableSampler, draw_pair_sums, draw_tables, plan_sampler, workspace
from experiments.benchmarks.peers import SciPy, numpy_chain, r_seconds, scipy_in_a_child
from experiments.benchmarks.timing import (
    Row,
    compared,
    equal_sizes,
    repeats_at,
    run,
    scaled,
    seconds_of,
)

PUBLISHED = [240, 240, 320]
ONE_HUGE = [20] * 30 + [2_000_000]
SHAPES: list[tuple[list[int], int]] = [
    ([400, 400], 500_000),
    (PUBLISHED, 200_000),
    (equal_sizes(1_000_000, 3), 100_000),
    (equal_sizes(1_000_000_000, 3), 100_000),
    (equal_sizes(800, 10), 20_000),
    (equal_sizes(10_000, 10), 15_000),
    (equal_sizes(100_000, 50), 1_024),
    (equal_sizes(1_000, 100), 1_200),
    (equal_sizes(10_000, 100), 1_200),
    (equal_sizes(1_000_000, 100), 512),
    (equal_sizes(1_200_000, 100), 512),
    (ONE_HUGE, 5_000),
]
"""Totals of rows and of columns, and tables in a call: below 100 MB."""

SEED = np.uint64(1)
PILOT_SECONDS = 0.1
PEER_SECONDS = 0.4
"""A peer that would take longer than this draws fewer tables."""

LIMIT_SECONDS = 15.0
"""Without an answer for so long, a peer is given up."""


def measure(scale: float = 1.0) -> list[Row]:
    """Three rows a shape, one a use: microseconds a table on all sides, and the ratio."""
    a_word = nanoseconds_per_word()
    rows: list[Row] = []
    with scipy_in_a_child() as scipy:
        for totals, tables in SHAPES:
            rows += of_shape(scipy, totals, scaled(tables, scale, minimum=2), a_word, scale)
    return rows


def of_shape(scipy: SciPy, totals: list[int], m: int, a_word: float, scale: float) -> list[Row]:
    """Rows of one shape."""
    repeats = repeats_at(scale)
    sampler = plan_sampler(cc.Margins(totals, totals))
    of_uses = uses(sampler, m)
    least = {use: words_of(sampler) * a_word / 1e3 for use in of_uses}
    out = np.empty((m, *sampler.shape), dtype=np.int64)
    least["new array"] += median(repeats, lambda: np.full_like(out, 1)) / m * 1e6
    least["array reused"] += median(repeats, lambda: out.fill(1)) / m * 1e6
    pilot = scipy.pilot(totals, totals, PILOT_SECONDS * scale, LIMIT_SECONDS)
    method, a_table = pilot or ("no answer", 0.0)
    theirs = max(1, min(m, int(PEER_SECONDS * scale / a_table))) if pilot else 0
    for call in of_uses.values():
        call()
    ours: dict[str, list[float]] = {use: [] for use in of_uses}
    peer: list[float] = []
    for _ in range(repeats):
        for use, call in of_uses.items():
            ours[use].append(seconds_of(call) / m)
        taken = scipy.seconds(totals, totals, theirs, method, LIMIT_SECONDS) if theirs else None
        if taken is None:
            theirs = 0
        else:
            peer.append(taken / theirs)
    numpy = numpy_microseconds(totals, m, PEER_SECONDS * scale)
    r = r_seconds(totals, totals, m, LIMIT_SECONDS)
    rows: list[Row] = []
    for use, taken_by_us in ours.items():
        row: Row = {
            "shape": f"{len(totals)} x {len(totals)}",
            "n": sum(totals),
            "tables": m,
            "use": use,
            "chancecorr by": sampler.method,
            "SciPy by": method,
            "least, µs a table": least[use],
            "chancecorr, µs a table": statistics.median(taken_by_us) * 1e6,
            "SciPy, µs a table": statistics.median(peer) * 1e6 if theirs else "–",
            "NumPy, µs a table": numpy,
            "R, µs a table": "–" if r is None else r / m * 1e6,
        }
        no_ratio: Row = {"ratio": "–", "ratio min": "–", "ratio max": "–"}
        rows.append(row | (compared(peer, taken_by_us) if theirs else no_ratio))
    return rows


def uses(sampler: TableSampler, m: int) -> dict[str, Callable[[], object]]:
    """What is timed on our side: m tables in each of the uses."""
    margins, work = sampler.margins, workspace(sampler)
    out = np.zeros((m, *sampler.shape), dtype=np.int64)
    return {
        "new array": partial(cc.sample_tables, margins, m, rng=1),
        "array reused": partial(draw_tables, sampler, SEED, 0, out, work),
        "T only": partial(draw_pair_sums, sampler, SEED, 0, m, work),
    }


def words_of(sampler: TableSampler) -> float:
    """Random words that a table takes at least: for its draws and for the objects dealt."""
    order = sampler.order
    K, Q = order.rows.size, order.columns.size
    objects = order.rows[: order.small_rows].sum()
    dealt = (order.n - objects) / max(order.n, 1) * order.columns[: order.small_columns].sum()
    draws = (K - order.small_rows - 1) * (Q - order.small_columns - 1)
    return float(2 * draws + (objects + dealt) / (4 if order.n <= dice.FOUR_DICE_LIMIT else 2))


@kernel
def words_side_by_side(rounds: int, words: Words) -> None:
    """So many words of each of `dice.TABLES_TOGETHER` streams."""
    for _ in range(rounds):
        dice.next_words(dice.TABLES_TOGETHER, words)


def nanoseconds_per_word(rounds: int = 100_000) -> float:
    """Nanoseconds of a random word, the least of some calls."""
    words = np.arange(1, dice.DICE_WORDS + 1, dtype=np.uint64)
    words_side_by_side(rounds, words)
    least = min(seconds_of(partial(words_side_by_side, rounds, words)) for _ in range(5))
    return least / (rounds * dice.TABLES_TOGETHER) * 1e9


def numpy_microseconds(totals: Sequence[int], most: int, budget: float) -> float | str:
    """Microseconds a table of NumPy's chain, by as many tables as the budget allows."""
    if sum(totals) >= 10**9:  # its own limit
        return "–"
    one = seconds_of(partial(numpy_chain, totals, totals, 1))
    m = max(1, min(most, int(budget / 2 / one)))
    return min(seconds_of(partial(numpy_chain, totals, totals, m)) for _ in range(2)) / m * 1e6


def median(repeats: int, call: Callable[[], object]) -> float:
    """Median seconds of a call."""
    return statistics.median(seconds_of(call) for _ in range(repeats))


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
