"""Bounds by exchanges: on all permutations of eight objects, and by another way to the bound of a sample."""

import itertools
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.tail_bounds import bound_log_tail_by_exchanges

LABELS = [
    ([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1, 2, 2]),
    ([0, 0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 1]),
    ([0, 1, 1, 1, 2, 2, 2, 2], [0, 0, 0, 0, 0, 0, 1, 2]),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["purity", "maximum_matching_accuracy"])
@pytest.mark.parametrize("labels", LABELS)
def test_no_tail_is_above_its_bound(name, labels):
    """Two objects that exchange their clusters change each of these by two of eight objects at most."""
    u, v = map(np.array, labels)
    orders = np.array(list(itertools.permutations(range(8))))
    tables = np.zeros((len(orders), 3, 3), dtype=np.int64)
    for place in range(8):
        np.add.at(tables, (np.arange(len(orders)), u[place], v[orders[:, place]]), 1)
    different, counts = np.unique(tables, axis=0, return_counts=True)
    found = np.array([cc.score_table(table, name) for table in different])
    mean = counts @ found / counts.sum()
    for x in np.unique(found[found > mean + 1e-12]):
        tail = counts[found >= x - 1e-12].sum() / counts.sum()
        assert math.log(tail) <= bound_log_tail_by_exchanges(x - mean, 8, 2 / 8)


def test_a_simulated_mean_costs_what_the_least_sum_of_both_tails_says():
    a = 9.0 / (0.5 * math.sqrt(99 / 2))
    least = min(
        math.exp(-400 * u * u) + math.exp(-((a - u) ** 2)) for u in np.linspace(0.0, a, 100_001).tolist()
    )
    bound = math.exp(bound_log_tail_by_exchanges(9.0, 100, 0.5, 400))
    assert least <= bound < 3.0 * least


def test_ends():
    assert bound_log_tail_by_exchanges(0.0, 100, 0.1) == bound_log_tail_by_exchanges(-1.0, 100, 0.1) == 0.0
    assert bound_log_tail_by_exchanges(1e-9, 100, 0.1, 4) == 0.0
    assert bound_log_tail_by_exchanges(0.1, 100, 0.0) == -math.inf
