"""The worked example, from pairs of objects, and all pairs of partitions of five objects."""

from itertools import combinations, product

import chancecorr as cc
from experiments.common.units import Clock, Inputs, Record

FIRST, SECOND = (0, 0, 0, 1, 1), (0, 0, 1, 1, 1)
"""A, B, C and D, E by the first method; A, B and C, D, E by the second."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """The example, and what its sentences are held against; there is nothing to draw."""
    with clock("example"):
        record: Record = {"example": example()}
    with clock("sentences"):
        tables = [cc.contingency_table(*pair) for pair in product(partitions(5), repeat=2)]
        record["rand"] = [cc.score_table(each, "rand") for each in tables]
        record["adjusted"] = [cc.score_table(each, "adjusted_rand") for each in tables]
        record["by chance"] = [expected_rand(60, k) for k in (2, 3, 4, 5, 6, 10, 12, 15, 20, 30)]
    return record


def example() -> dict[str, float]:
    """The quantities of the example, pair by pair."""
    both = neither = 0
    for i, j in combinations(range(len(FIRST)), 2):
        one, other = FIRST[i] == FIRST[j], SECOND[i] == SECOND[j]
        both += one and other
        neither += not (one or other)
    of_first, of_second = (sum(x == y for x, y in combinations(each, 2)) for each in (FIRST, SECOND))
    pairs = len(FIRST) * (len(FIRST) - 1) / 2
    expected, most = of_first * of_second / pairs, (of_first + of_second) / 2
    return {
        "pairs": pairs, "a": both, "b": neither, "RI": (both + neither) / pairs, "index": both,
        "expected index": expected, "maximum index": most, "ARI": (both - expected) / (most - expected),
    }  # fmt: skip


def partitions(n: int) -> list[list[int]]:
    """All partitions of n objects: labels in the order in which they first occur."""
    found: list[list[int]] = [[]]
    for _ in range(n):
        found = [[*each, k] for each in found for k in range(max(each, default=-1) + 2)]
    return found


def expected_rand(n: int, k: int) -> float:
    """Exact mean of the Rand index by chance if both clusterings have k clusters of equal sizes."""
    margins = cc.Margins([n // k] * k, [n // k] * k)
    return float(cc.null_distribution(margins, "rand", method="analytic").mean)
