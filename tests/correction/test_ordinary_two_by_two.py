"""Ordinary tables of two clusters against two: each index has an answer, also if chance hardly changes it."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from tests.shares import small_and_full

HARDLY_CHANGED = [[[887, 487], [83, 330]], [[120, 80], [130, 9670]]]


def ordinary_tables(count, seed):
    """Random tables of two sizes each, from a handful of objects to some thousands."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield rng.integers(0, int(10 ** rng.uniform(0.5, 3.3)), (2, 2)) + np.eye(2, dtype=np.int64)


def moments_in_fractions(table, value):
    """Mean, variance and fourth central moment of ``value(table)`` over all tables with these margins."""
    (x, y), (z, w) = table
    r, c, n = x + y, x + z, x + y + z + w
    cells = range(max(0, r + c - n), min(r, c) + 1)
    values = [value(k, r - k, c - k, n - r - c + k) for k in cells]
    ways = [(math.comb(r, k) * math.comb(n - r, c - k), v) for k, v in zip(cells, values, strict=True)]
    total = math.comb(n, c)
    mean = sum(p * v for p, v in ways) / total
    return mean, *(sum(p * (v - mean) ** k for p, v in ways) / total for k in (2, 4))


def purity(x, y, z, w):
    """Share of objects in the largest cell of their column."""
    return Fraction(max(x, z) + max(y, w), x + y + z + w)


@pytest.mark.parametrize("counts", HARDLY_CHANGED)
def test_an_index_that_chance_hardly_ever_changes(counts):
    mean, variance, fourth = moments_in_fractions(counts, purity)
    score = cc.adjust_table(counts, index="purity")
    assert score.null.mean == float(mean) == score.observed
    assert score.null.variance == pytest.approx(float(variance), rel=1e-9)
    assert score.null.kurtosis == pytest.approx(float(fourth / variance**2), rel=1e-9)
    assert (score.adjusted, score.p_value) == (0.0, pytest.approx(1.0, abs=1e-11))
    assert math.isnan(score.z_score)
    assert "by chance the index is almost constant: other values have a probability" in repr(score)


def adjusted_by_all(tables, names):
    for table in tables:
        scores = cc.adjust_table(table, index=names, rng=0)
        for score in scores.values():
            assert not score.p_value > 1.0
            assert math.isnan(score.p_value) or score.p_value > 0.0
            assert score.remark or math.isfinite(score.adjusted)


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("m", small_and_full(1, 4))
def test_every_index(m):
    """The first is one on which `stiles` is infinite at neighbouring values of T."""
    adjusted_by_all([[[3, 0], [0, 1]], *ordinary_tables(m, seed=1)], cc.list_indices())


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_indices_that_go_by_the_largest_cells():
    names = ["purity", "inverse_purity", "van_dongen", "goodman_kruskal_lambda", "centroid_index"]
    adjusted_by_all(ordinary_tables(150, seed=2), names)
