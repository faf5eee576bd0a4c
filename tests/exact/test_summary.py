"""Moments of laws given as values with weights, also of values whose powers are no float64."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.summary import compute_law_moments

VALUES = (-3, -1, 0, 2, 7)
WEIGHTS = (1, 4, 6, 4, 1)


def in_fractions():
    """Mean, variance, and the squares of skewness and excess kurtosis plus 3."""
    total = sum(WEIGHTS)
    mean = sum(Fraction(v * w, total) for v, w in zip(VALUES, WEIGHTS, strict=True))
    second, third, fourth = (
        sum((v - mean) ** k * w / total for v, w in zip(VALUES, WEIGHTS, strict=True)) for k in (2, 3, 4)
    )
    return float(mean), float(second), float(third) / float(second) ** 1.5, float(fourth / second**2) - 3.0


@pytest.mark.parametrize("scale", [1.0, 2.0**100, 2.0**350, 2.0**1020, 2.0**-350, 2.0**-1060])
def test_of_any_size(scale):
    mean, variance, skewness, kurtosis = in_fractions()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compute_law_moments(np.array(VALUES) * scale, np.array(WEIGHTS, dtype=float))
    assert found.mean == pytest.approx(mean * scale, rel=1e-15)
    assert found.variance == pytest.approx(variance * scale * scale, rel=1e-14)  # inf and 0 among them
    assert found.skewness == pytest.approx(skewness, rel=1e-13)
    assert found.kurtosis == pytest.approx(kurtosis, rel=1e-13)


def test_an_infinite_value_beside_large_ones():
    found = compute_law_moments(np.array([1e300, math.inf]), np.array([1.0, 1.0]))
    assert found.mean == math.inf
    assert math.isnan(found.variance)


@pytest.mark.slow
@pytest.mark.parametrize("needs", ["pairs", "table"])
@pytest.mark.parametrize("counts", [[[0, 1], [3, 2], [1, 3]], np.arange(81).reshape(9, 9) % 7])
def test_an_index_of_large_values_has_an_infinite_variance_without_a_warning(needs, counts):
    def of_pairs(v11, v10, v01, v00):
        return 1e300 * v11 * v11

    def of_table(table, row_totals, column_totals):
        return 1e300 * table[0, 0]

    index = cc.indices.Index(name="large", function=of_pairs if needs == "pairs" else of_table, needs=needs)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score = cc.adjust_table(counts, index=index, n_tables=50, rng=0)
    assert score.null.variance == math.inf
    assert 1e299 < score.expected < 1e307
