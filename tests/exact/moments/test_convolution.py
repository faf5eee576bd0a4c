"""Hypergeometric laws as convolutions of binomial laws, against exact integers."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from chancecorr.exact.additive import _lay_lines
from chancecorr.exact.kernels import additive as kernels
from chancecorr.exact.kernels.additive import convolve, effective_range, fill_laws, most_draws, weigh_values

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


@pytest.mark.parametrize("begin", [0, 3, 9])
@pytest.mark.parametrize(("population", "good_total"), [(60, 6), (60, 54)])
def test_some_draws_of_a_block(population, good_total, begin):
    low, high, rest_low, rest_high = laid_out(population, good_total, 20, 12)
    good, rest = np.empty(high - low + 1), np.empty(rest_high - rest_low + 1)
    work = np.empty(max(good.size, rest.size))
    totals, whole, part = np.empty(12), np.empty(12), np.empty(min(4, 12 - begin))
    fill_laws(population, good_total, 20, low, rest_low, good, rest, totals)
    values = np.arange(good.size, dtype=np.float64) ** 2
    weigh_values(good, rest, values, 0, work, whole)
    weigh_values(good, rest, values, begin, work, part)
    assert part == pytest.approx(whole[begin : begin + part.size], rel=1e-15, abs=0)


def test_convolve():
    rng = np.random.default_rng(100)
    for short, out in itertools.product(range(1, 10), (1, 2, 7, 8, 33)):
        a, b, found = rng.random(short), rng.random(short + out - 1), np.empty(out)
        convolve(a, b, found)
        assert found == pytest.approx(np.convolve(a, b, mode="valid")[:out], rel=1e-14, abs=0)


def lines_of(rows, columns):
    """Lines of these totals, of one cluster each."""
    n = int(rows.sum())
    low, high = (np.empty((rows.size, columns.size), dtype=np.int64) for _ in range(2))
    kernels.fill_windows(rows, columns, n, low, high)
    return _lay_lines(rows, columns, np.ones(columns.size, dtype=np.int64), n, low, high)


TOTALS = [([5, 40, 200], [3, 30, 212]), ([2, 9, 3_000], [11, 400, 2_600]), ([700, 900], [100, 300, 1_200])]


@pytest.mark.parametrize(("rows", "columns"), TOTALS, ids=str)
def test_blocks_hold_the_draws_that_lines_ask_for_and_none_twice(rows, columns):
    lines = lines_of(np.array(rows), np.array(columns))
    blocks = kernels.lay_blocks(lines)
    for j, total in enumerate(columns):
        asked = {
            draws
            for first, last in zip(lines.first_draw[:, j], lines.last_draw[:, j], strict=True)
            for draws in range(first, last + 1)
        }
        laid = []
        for q in range(blocks.start[j], blocks.start[j + 1]):
            laid += range(blocks.first[q], blocks.last[q] + 1)
            most = most_draws(lines.n - total, blocks.first[q])
            assert blocks.last[q] - blocks.first[q] < most
        assert laid == sorted(asked)


@pytest.mark.parametrize(("rows", "columns"), TOTALS, ids=str)
def test_laws_are_laid_over_the_shorter_of_two_ranges(rows, columns):
    """That of the objects drawn from a crossing, or of the others; the longer one goes with all draws."""
    lines = lines_of(np.array(rows), np.array(columns))
    blocks = kernels.lay_blocks(lines)
    ranges = kernels.lay_ranges(0, len(columns), lines, blocks)
    for j, given in itertools.permutations(range(len(columns)), 2):
        for q in range(blocks.start[given], blocks.start[given + 1]):
            least, most = blocks.first[q], blocks.last[q]
            (low, low_to), (high_from, high) = (
                effective_range(lines.n - columns[given], columns[j], draws) for draws in (least, most)
            )
            shorter = min(high - low, (most - high_from) - (least - low_to)) + 1
            sizes = [
                ranges.good_last[j, q] - ranges.good_first[j, q] + 1,
                ranges.rest_last[j, q] - ranges.rest_first[j, q] + 1,
            ]
            assert sorted(sizes) == [shorter, shorter + most - least]
