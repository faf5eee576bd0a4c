"""P-values of the default call against the truth, on random margins of many kinds.

``python -m experiments.checks.default_p_values`` takes some minutes. Margins are of six kinds: dense tables,
sparse ones, pairs, one cluster and singletons, two uneven clusters, one huge cluster beside small ones. For
each a table that is anything from common to rare is drawn, and `adjust_table` is asked as a user would. The
truth is the law of T, in closed form or by an enumeration that may take longer, or 2 million other tables
where that is too much. Printed are, by kind and by where the p-value came from, how many stated errors cover
the truth (the relative error, which claims 95 of 100; a bound, that it is one), and the longest time.
"""

import argparse
import math
import sys
import time
from collections import defaultdict

import numpy as np

import chancecorr as cc
from chancecorr.exact.laws.enumeration import pair_sum_law
from chancecorr.null.permutation import fill_tables, pair_sums, plan_sampler
from chancecorr.null.seeding import seed_from

OTHER_TABLES = 2_000_000
KINDS = ("dense", "sparse", "pairs", "singletons", "two by two", "one huge")


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


def table_to_judge(margins: cc.Margins, rng: np.random.Generator) -> cc.ContingencyTable:
    """A table that is anything from common to rare: the most alike of some."""
    sampler, seed = plan_sampler(margins), seed_from(int(rng.integers(1 << 31)))
    number = int(pair_sums(sampler, seed, 0, int(10 ** rng.uniform(0, 4))).argmax())
    table = np.zeros((1, *sampler.shape), dtype=np.int64)
    fill_tables(sampler, seed, number, table)
    return cc.ContingencyTable(table[0])


def true_tail(margins: cc.Margins, T: int, seed: int) -> tuple[float, float]:
    """P(T' >= T) and how far that may be off: the mass that was lost, or two standard errors."""
    try:
        law = pair_sum_law(margins, budget=5.0)
        return math.fsum(law.probabilities[law.values >= T]), max(law.lost_mass, 1e-12)
    except ValueError:
        index = cc.Index(name="pair_sum", function=lambda a, b, c, d: a, needs="pairs")
        null = cc.null_distribution(margins, index, method="monte-carlo", n_tables=OTHER_TABLES, rng=seed)
        assert null.counts is not None
        p = int(null.counts[null.values >= (T - margins.n) / 2].sum()) / OTHER_TABLES
        return p, 2.0 * math.sqrt(max(p, 1.0 / OTHER_TABLES) / OTHER_TABLES)


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
        margins = cc.Margins(*random_margins(kind, rng))
        table = table_to_judge(margins, rng)
        began = time.perf_counter()
        score = cc.adjust_table(table, index="rand", rng=number)
        seconds = time.perf_counter() - began
        truth, error = true_tail(margins, table.sum_of_squares, number + 1)
        stated = (score.p_relative_error + 1e-9) * score.p_value
        key = kind, f"{'≤ ' if score.p_is_bound else ''}{score.p_value_from}"
        below = truth - error <= score.p_value if score.p_is_bound else True
        covered[key].append(below and abs(score.p_value - truth) <= stated + error)
        slowest[key] = max(slowest[key], seconds)
        if number % 100 == 99:
            print(f"{number + 1} of {options.margins} margins", file=sys.stderr, flush=True)
        if not covered[key][-1]:
            print(
                f"missed: {kind}, {margins}, {score.p_value:.4g} by {key[1]}, truth {truth:.4g}", flush=True
            )
    print(f"{'kind':12} {'p-value from':14} {'margins':>7} {'covered':>8} {'slowest, s':>10}")
    for (kind, source), hits in sorted(covered.items()):
        share = sum(hits) / len(hits)
        print(f"{kind:12} {source:14} {len(hits):7} {share:8.1%} {slowest[kind, source]:10.2f}")
    every = [hit for hits in covered.values() for hit in hits]
    print(f"{'all':12} {'':14} {len(every):7} {sum(every) / len(every):8.1%} {max(slowest.values()):10.2f}")


if __name__ == "__main__":
    main()
