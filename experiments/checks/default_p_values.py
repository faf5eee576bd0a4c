"""P-values of the default call against the truth, on random margins of many kinds.

``python -m experiments.checks.default_p_values`` takes some minutes. Margins are of nine kinds: dense
tables, sparse ones, pairs, one cluster and singletons, two uneven clusters, one huge cluster beside small
ones, records with as many labels as a third of them or more (entity resolution), two clusters of up to 2e9
objects, and ordinary tables of two clusters for indices of the largest cells. For each a table that is
anything from common to rare is drawn, and `adjust_table` is asked as a user would. The truth is the law of
T, in closed form or by an enumeration that may take longer, or other tables where that is too much: 2
million, fewer of many objects. For records it is between two of Bonferroni's sums if these are within 10 %;
for two clusters a sum over the free cell. Printed are, by kind and by where the p-value came from, how many
stated errors cover the truth (the relative error, which claims 95 of 100; a bound, that it is one), and the
longest time.
"""

import argparse
import bisect
import itertools
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable

import mpmath
import numpy as np

import chancecorr as cc
from chancecorr.exact.laws.enumeration import pair_sum_law
from chancecorr.exact.laws.sparse import binomial_moments
from chancecorr.null.permutation import fill_tables, pair_sums, plan_sampler
from chancecorr.null.seeding import seed_from

OTHER_TABLES = 2_000_000
SECONDS_OF_TABLES = 5.0
KINDS = (
    "dense",
    "sparse",
    "pairs",
    "singletons",
    "two by two",
    "one huge",
    "records",
    "two, huge",
    "largest",
)
OF_LARGEST = {
    "purity": lambda x, y, z, w: max(x, z) + max(y, w),
    "inverse_purity": lambda x, y, z, w: max(x, y) + max(z, w),
    "maximum_matching_accuracy": lambda x, y, z, w: max(x + w, y + z),
    "van_dongen": lambda x, y, z, w: max(x, z) + max(y, w) + max(x, y) + max(z, w),
}
"""What is large in a table x, y / z, w where the index says that the clusterings agree."""


def random_margins(kind: str, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Row and column totals of a kind."""
    if kind == "dense":
        K, Q, n = int(rng.integers(2, 6)), int(rng.integers(2, 6)), int(rng.integers(60, 3000))
        return sizes(n, K, 5.0, rng), sizes(n, Q, 5.0, rng)
    if kind == "sparse":
        n = int(rng.integers(20, 120))
        return sizes(n, n // 4, 5.0, rng), sizes(n, n // 3, 5.0, rng)
    if kind == "pairs":
        n = 2 * int(rng.integers(10, 600))
        p, q = (int(rng.integers(n // 8, n // 2 + 1)) for _ in range(2))
        return [2] * p + [1] * (n - 2 * p), [2] * q + [1] * (n - 2 * q)
    if kind == "singletons":
        n = int(rng.integers(50, 2000))
        r, c = (int(rng.integers(2, n // 2)) for _ in range(2))
        return [r] + [1] * (n - r), [c] + [1] * (n - c)
    if kind == "largest":
        x, y, z, w = (int(10 ** rng.uniform(0, 3.3)) for _ in range(4))
        return [x + y, z + w], [x + z, y + w]
    if kind == "two, huge":
        n = int(10 ** rng.uniform(7, 9.3))
        r, c = (int(max(1, n * 10 ** rng.uniform(-8, -0.3))) for _ in range(2))
        return [n - r, r], [n - c, c]
    if kind == "two by two":
        n = int(10 ** rng.uniform(2, 7))
        r, c = (int(max(1, n * 10 ** rng.uniform(-4, -0.3))) for _ in range(2))
        return [n - r, r], [n - c, c]
    n = int(rng.integers(200, 2000))
    small = [int(x) for x in rng.integers(1, 12, size=int(rng.integers(2, 10)))]
    return [n - sum(small), *small], sizes(n, int(rng.integers(2, 6)), 1.0, rng)


def sizes(n: int, k: int, evenness: float, rng: np.random.Generator) -> list[int]:
    """K cluster sizes above 0 with sum n, the more even the larger `evenness`."""
    found: list[int] = (1 + rng.multinomial(n - k, rng.dirichlet([evenness] * k))).tolist()
    return found


def records(rng: np.random.Generator) -> cc.ContingencyTable:
    """Records with random labels on both sides, and some pairs that are found again."""
    n = int(10 ** rng.uniform(3.5, 5.5))
    labels = [rng.integers(0, int(n * rng.uniform(0.33, 1.0)), n) for _ in range(2)]
    mean = float(np.prod([np.sum(s * (s - 1.0)) / n for s in map(np.bincount, labels)])) / 2.0
    planted = int(rng.integers(0, int(4 * mean) + 8))
    for side in labels:
        side[: 2 * planted] = np.repeat(np.arange(planted) + n, 2)
    return cc.contingency_table(*labels)


def table_to_judge(margins: cc.Margins, rng: np.random.Generator) -> cc.ContingencyTable:
    """A table that is anything from common to rare: the most alike of some."""
    if margins.row_totals.size == margins.column_totals.size == 2:
        low = max(0, int(margins.row_totals[0] + margins.column_totals[0]) - margins.n)
        high = int(min(margins.row_totals[0], margins.column_totals[0]))
        mean = float(margins.row_totals[0]) * float(margins.column_totals[0]) / margins.n
        r, c = int(margins.row_totals[0]), int(margins.column_totals[0])
        std = math.sqrt(mean * (1.0 - r / margins.n) * (1.0 - c / margins.n))
        x = int(np.clip(round(mean + (std + 0.5) * np.clip(rng.standard_t(2), -30.0, 30.0)), low, high))
        return cc.ContingencyTable([[x, r - x], [c - x, margins.n - r - c + x]])
    sampler, seed = plan_sampler(margins), seed_from(int(rng.integers(1 << 31)))
    number = int(pair_sums(sampler, seed, 0, int(10 ** rng.uniform(0, 4))).argmax())
    table = np.zeros((1, *sampler.shape), dtype=np.int64)
    fill_tables(sampler, seed, number, table)
    return cc.ContingencyTable(table[0])


def tail_of_free_cell(table: cc.ContingencyTable, size: Callable[[int, int, int, int], int]) -> float:
    """P(size >= that of the table) for two clusters against two, the size convex in the free cell."""
    x, y, z, w = (int(k) for k in table.dense_counts().ravel())
    n, r, c, wanted = x + y + z + w, x + y, x + z, size(x, y, z, w)
    low, high = max(0, r + c - n), min(r, c)

    def reaches(k: int) -> bool:
        return size(k, r - k, c - k, n - r - c + k) >= wanted

    def tail(first: int, step: int) -> float:
        with mpmath.workdps(30):
            ways = mpmath.binomial(r, first) * mpmath.binomial(n - r, c - first) / mpmath.binomial(n, c)
        total, term, k = 0.0, 1.0, first
        while low <= k <= high and term > 1e-17 * total:
            total += term
            if step > 0:
                term *= (r - k) * (c - k) / ((k + 1) * (n - r - c + k + 1))
            else:
                term *= k * (n - r - c + k) / ((r - k + 1) * (c - k + 1))
            k += step
        return float(ways * total)

    mode = (r + 1) * (c + 1) // (n + 2)
    least = minimum_of_convex(lambda k: size(k, r - k, c - k, n - r - c + k), low, high)
    if reaches(least):
        return 1.0
    up = bisect.bisect_left(range(least, high + 1), True, key=reaches) + least
    down = least - bisect.bisect_left(range(least - low + 1), True, key=lambda k: reaches(least - k))
    found = 0.0
    for first, step in ((up, 1), (down, -1)):
        if low <= first <= high:
            beyond_mode = (first - mode) * step >= 0
            found += tail(first, step) if beyond_mode else 1.0 - tail(first - step, -step)
    return found


def minimum_of_convex(f: Callable[[int], int], low: int, high: int) -> int:
    """A place where a convex function of whole numbers is least."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if f(middle) <= f(middle + 1) else (middle + 1, high)
    return low


def between_bonferroni(table: cc.ContingencyTable) -> tuple[float, float] | None:
    """P(a' >= a), and half the distance of two of Bonferroni's sums; None unless that is below 10 %."""
    moments, a = binomial_moments(table.margins), table.pair_counts.a
    if a == 0:
        return 1.0, 0.0
    terms = [(-1) ** (r - a) * math.comb(r - 1, a - 1) * moments[r] for r in range(a, len(moments))]
    sums = [float(x) for x in itertools.accumulate(terms)]
    if len(sums) < 2 or abs(sums[-1] - sums[-2]) > 0.1 * abs(sums[-1]):
        return None
    return (sums[-1] + sums[-2]) / 2.0, abs(sums[-1] - sums[-2]) / 2.0 + 1e-14 * max(map(abs, sums))


def true_tail(table: cc.ContingencyTable, kind: str, index: str, seed: int) -> tuple[float, float]:
    """P(index' >= index) and how far that may be off: the mass that was lost, or two standard errors."""
    margins, T = table.margins, table.sum_of_squares
    if kind == "largest":
        return tail_of_free_cell(table, OF_LARGEST[index]), 1e-13
    if kind == "two, huge":
        return tail_of_free_cell(table, lambda x, y, z, w: x * x + y * y + z * z + w * w), 0.0
    if kind == "records":
        found = between_bonferroni(table)
        return found if found else by_tables(margins, T, seed)
    try:
        law = pair_sum_law(margins, budget=5.0)
        return math.fsum(law.probabilities[law.values >= T]), max(law.lost_mass, 1e-12)
    except ValueError:
        return by_tables(margins, T, seed)


def by_tables(margins: cc.Margins, T: int, seed: int) -> tuple[float, float]:
    """P(T' >= T) and two standard errors, from as many tables as some seconds give."""
    sampler = plan_sampler(margins)
    m = min(OTHER_TABLES, int(1e9 * SECONDS_OF_TABLES / max(sampler.nanoseconds, 1.0)))
    p = int(np.count_nonzero(pair_sums(sampler, seed_from(seed), 0, m) >= T)) / m
    return p, 2.0 * math.sqrt(max(p, 1.0 / m) / m)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--margins", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2014)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    cc.adjust([0, 0, 1], [0, 1, 1], rng=0)  # compiled before the clock starts
    covered: dict[tuple[str, str], list[bool]] = defaultdict(list)
    slowest: dict[tuple[str, str], float] = defaultdict(float)
    for number in range(options.margins):
        kind = KINDS[number % len(KINDS)]
        table = records(rng)
        if kind != "records":
            table = table_to_judge(cc.Margins(*random_margins(kind, rng)), rng)
        index = str(rng.choice(list(OF_LARGEST))) if kind == "largest" else "rand"
        began = time.perf_counter()
        score = cc.adjust_table(table, index=index, rng=number)
        seconds = time.perf_counter() - began
        truth, error = true_tail(table, kind, index, number + 1)
        stated = (score.p_relative_error + 1e-9) * score.p_value
        key = kind, f"{'≤ ' if score.p_is_bound else ''}{score.p_value_from}"
        below = truth - error <= score.p_value if score.p_is_bound else True
        covered[key].append(below and abs(score.p_value - truth) <= stated + error)
        slowest[key] = max(slowest[key], seconds)
        if number % 100 == 99:
            print(f"{number + 1} of {options.margins} margins", file=sys.stderr, flush=True)
        if not covered[key][-1]:
            print(
                f"missed: {kind}, {index} of {table}, {score.p_value:.4g} by {key[1]}, truth {truth:.4g}",
                flush=True,
            )
    print(f"{'kind':12} {'p-value from':14} {'margins':>7} {'covered':>8} {'slowest, s':>10}")
    for (kind, source), hits in sorted(covered.items()):
        share = sum(hits) / len(hits)
        print(f"{kind:12} {source:14} {len(hits):7} {share:8.1%} {slowest[kind, source]:10.2f}")
    every = [hit for hits in covered.values() for hit in hits]
    print(f"{'all':12} {'':14} {len(every):7} {sum(every) / len(every):8.1%} {max(slowest.values()):10.2f}")


if __name__ == "__main__":
    main()
