"""Exact moments of T: published numbers, enumeration, loops over objects, and the parts of the formula."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import (
    PairSumMoments,
    compute_central_moments,
    compute_pair_sum_moments,
    compute_raw_moments,
)
from tests import naive
from tests.exact import twins

BILLION = 10**9

# E T and the central moments 2, 3, 4, from an enumeration made independently of this package

LARGE_MARGINS = [
    ((240, 240, 320), (240, 240, 320)),
    ((40_000, 40_000), (79_999, 1)),
    ((BILLION - 2, 1, 1), (BILLION // 2, BILLION // 2)),
    ((333_333_333, 333_333_333, 333_333_334), (123_456_789, 876_543_211)),
    ((10**8,) * 10, (BILLION // 4,) * 4),
    ((3_037_000_000, 499), (2_000_000_000, 1_037_000_499)),  # the largest n that `Margins` takes
    tuple(np.random.default_rng(seed).multinomial(BILLION, np.full(1000, 1e-3)).tolist() for seed in (1, 2)),
]


def exact(moments):
    return moments.mean, moments.variance, moments.third, moments.fourth


@pytest.mark.parametrize(
    ("row_totals", "column_totals", "constant"),
    [([], [], 0), ([0, 1], [1, 0, 0], 1), ([1, 1], [2], 2), ([3], [2, 1], 5), ([1] * 20, [10, 6, 4], 20)],
)
def test_constant_pair_sum(row_totals, column_totals, constant):
    moments = compute_pair_sum_moments(Margins(row_totals, column_totals))
    assert exact(moments) == (constant, 0, 0, 0)
    assert moments.std == 0
    assert math.isnan(moments.skewness)
    assert math.isnan(moments.kurtosis)


def test_shape_where_floats_overflow():
    # a law scaled by 10^200 keeps its shape; variance^3 is near 10^1200
    small = compute_pair_sum_moments(Margins([5, 4, 3], [6, 3, 3]))
    scale = 10**200
    names = ("mean", "variance", "third", "fourth")
    large, tiny = (
        PairSumMoments(**{name: getattr(small, name) * by**k for k, name in enumerate(names, start=1)})
        for by in (scale, Fraction(1, scale))
    )
    assert large.skewness == tiny.skewness == small.skewness
    assert large.kurtosis == tiny.kurtosis == small.kurtosis
    assert large.std == pytest.approx(small.std * 1e200, rel=1e-15)
    assert tiny.std == pytest.approx(small.std * 1e-200, rel=1e-15)


@given(root=st.floats(1e-150, 1e150))
def test_std_is_correctly_rounded(root):
    # the root of the exact square of a float is that float
    def with_variance(variance):
        return PairSumMoments(mean=Fraction(0), variance=variance, third=Fraction(0), fourth=Fraction(0))

    assert with_variance(Fraction(root) ** 2).std == root
    just_above_half_way = Fraction(root) + Fraction(math.ulp(root)) / 2 * (1 + Fraction(1, 2**40))
    assert with_variance(just_above_half_way**2).std == math.nextafter(root, math.inf)


# Moments of T beyond order 4: enumeration, the closed forms, and the hypergeometric law where n is large


ORDER = 11


def check(row_totals, column_totals, order):
    """Moments against those of all tables."""
    margins, law = Margins(row_totals, column_totals), naive.law_of_pair_sum(row_totals, column_totals)
    mean = sum(p * T for T, p in law.items())
    for found, centre in ((compute_raw_moments, margins.n), (compute_central_moments, mean)):
        expected = [sum(p * (T - centre) ** m for T, p in law.items()) for m in range(1, order + 1)]
        assert list(found(margins, order)) == expected
    moments = compute_pair_sum_moments(margins)
    assert moments.mean == mean
    assert [moments.variance, moments.third, moments.fourth] == expected[1:4]
    if moments.variance:
        shape = float(moments.third) / moments.variance**1.5, float(moments.fourth / moments.variance**2 - 3)
        assert (moments.skewness, moments.kurtosis) == pytest.approx(shape, rel=1e-12, abs=1e-15)


def test_order_11_equals_enumeration():
    for row_totals, column_totals in naive.SMALL_MARGINS:
        check(row_totals, column_totals, ORDER)
        check(column_totals, row_totals, 4)


@pytest.mark.parametrize(("row_totals", "column_totals"), LARGE_MARGINS)
def test_general_algorithm_equals_the_closed_forms(row_totals, column_totals):
    margins = Margins(row_totals, column_totals)
    closed_raw = twins.compute_raw_moments(margins.row_totals.tolist(), margins.column_totals.tolist())
    general = list(compute_raw_moments(margins, 6))
    assert general[:4] == list(compute_raw_moments(margins)) == closed_raw
    closed = compute_pair_sum_moments(margins)
    assert compute_central_moments(margins, 6)[:4] == [0, closed.variance, closed.third, closed.fourth]
    assert general[:5] == list(compute_raw_moments(margins, 5))
