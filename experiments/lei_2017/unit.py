"""Which way each index of pair counts is biased by the number of clusters, for references of any kind.

Candidates have k clusters of sizes as equal as they can be, and their objects are permuted: the mean of an
index is then exact, or of an error far below the steps between k. Rand's is ``1 - p + (2p - 1) q``, with p
and q the shares of pairs that are together in the reference and in the candidate; q falls with k, so that the
mean rises if p < 1/2 and falls if p > 1/2.
"""

import numpy as np

import chancecorr as cc
from experiments.common.units import Clock, Inputs, Record

NUMBERS = (2, 3, 4, 5, 6, 8, 10, 12)
LEVEL = 0.01
"""A step between two k is counted if it is larger, in standard deviations by chance."""


def evaluate(inputs: Inputs, replicate: int, seed: int, clock: Clock) -> Record:
    """By index: its direction for each of ``inputs["references"]``, and if it is a function of Rand.

    Returns by name: ``directions``, a list of "up", "down", "none" or "mixed" with growing k, better being
    up; ``of_rand``, whether it is a function of the Rand index. Without exact moments: nothing.
    """
    record: Record = {}
    for name in pair_indices():
        with clock("moments"):
            try:
                directions = [direction(name, sizes) for sizes in inputs["references"]]
            except ValueError:  # not smooth in the pair counts
                continue
        with clock("functions of Rand"):
            record[name] = {"directions": directions, "of_rand": is_function_of_rand(name)}
    return record


def pair_indices() -> list[str]:
    """Indices of pair counts that have a better end."""
    entries = (cc.get_index(name) for name in cc.list_indices())
    return [each.name for each in entries if each.needs == "pairs" and each.can_be_adjusted]


def direction(name: str, sizes: list[int]) -> str:
    """Which way the mean goes with the number of clusters of the candidate."""
    n = sum(sizes)
    nulls = [
        cc.null_distribution(
            cc.Margins(sizes, [n // k + (i < n % k) for i in range(k)]), name, method="analytic"
        )
        for k in NUMBERS
    ]
    means = np.array([null.mean for null in nulls])
    steps = np.diff(means if cc.get_index(name).larger_is_better else -means)
    steps = steps[np.abs(steps) > LEVEL * max(null.std for null in nulls)]
    up, down = bool((steps > 0.0).any()), bool((steps < 0.0).any())
    return "mixed" if up and down else "up" if up else "down" if down else "none"


def is_function_of_rand(name: str, pairs: int = 12) -> bool:
    """Whether an index is the same for all pair counts with the same number of pairs that agree."""
    entry = cc.get_index(name)
    if entry.with_totals:
        return False
    for agree in range(2, pairs - 1):
        counts = np.array(
            [(a, b, pairs - agree - b, agree - a) for a in range(1, agree) for b in range(1, pairs - agree)],
            dtype=float,
        )
        values = entry.function(*counts.T)
        if not np.allclose(values, values[0], rtol=1e-9, atol=1e-12):
            return False
    return True
