"""Hypergeometric laws as convolutions of binomial laws, against exact integers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from chancecorr.exact.kernels.additive import effective_range, fill_laws, most_draws, weigh_values

LAWS = [
    # population, good, first draw
    (2_900, 100, 60),
    (100, 97, 10),  # nearly all are good
    (100, 3, 30),
    (1_000, 500, 0),
    (1_000, 500, 940),  # nearly all are drawn
    (10, 1, 0),
    (7, 7, 2),  # all are good
    (7, 0, 2),  # none is
    (0, 0, 0),
    (3_000_000_000, 1_500_000_000, 0),
    (3_000_000_000, 10, 1_500_000_000),
    (3_000_000_000, 2_999_999_990, 20),
    (3_000_000_000, 5, 2_999_999_930),
]


def laid_out(population, good_total, draws, count):
    """Counts of both kinds that matter for `count` numbers of draws, as the sums over lines lay them out."""
    most = draws + count - 1
    low, high_at_least = effective_range(population, good_total, draws)
    low_at_most, high = effective_range(population, good_total, most)
    if high - low <= most - low_at_most - (draws - high_at_least):
        return low, high, draws - high, most - low
    rest_low, rest_high = draws - high_at_least, most - low_at_most
    return draws - rest_high, most - rest_low, rest_low, rest_high


@pytest.mark.parametrize(("population", "good_total", "draws"), LAWS)
def test_means_over_a_block_of_laws(population, good_total, draws):
    count = min(most_draws(population, draws), population - draws + 1)
    low, high, rest_low, rest_high = laid_out(population, good_total, draws, count)
    good, rest = np.empty(high - low + 1), np.empty(rest_high - rest_low + 1)
    totals, sums, work = np.empty(count), np.empty(count), np.empty(max(good.size, rest.size))
    fill_laws(population, good_total, draws, low, rest_low, good, rest, totals)
    assert np.isfinite(good).all()
    assert np.isfinite(rest).all()
    assert (totals > 1e-280).all()
    assert (totals < 1e280).all()
    values = np.random.default_rng(good_total).random(good.size) + 0.5
    weigh_values(good, rest, values, 0, work, sums)
    for k in {0, 1 % count, count // 2, count - 1}:
        d = draws + k
        least, most = effective_range(population, good_total, d)
        if population > 10_000:  # the integers are large: their ratios from count to count
            weights = [Fraction(1)]
            for x in range(least, most):
                ratio = Fraction((good_total - x) * (d - x), (x + 1) * (population - good_total - d + x + 1))
                weights.append(weights[-1] * ratio)
        else:
            weights = [
                Fraction(math.comb(good_total, x) * math.comb(population - good_total, d - x))
                for x in range(least, most + 1)
            ]
        exact = sum(w * Fraction(values[least + t - low]) for t, w in enumerate(weights)) / sum(weights)
        assert sums[k] / totals[k] == pytest.approx(float(exact), rel=1e-13, abs=0)
