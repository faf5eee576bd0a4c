"""Exact moments of T: published numbers, enumeration, loops over objects, and the parts of the formula."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chancecorr import Margins
from chancecorr.tables import pair_sum
from chancecorr.tables.pair_sum import PairSumMoments, compute_pair_sum_moments
from tests import naive
from tests.exact import twins

BILLION = 10**9

# E T and the central moments 2, 3, 4, from an enumeration made independently of this package
PRINTED_MOMENTS = [
    ((3, 2), (4, 1), "49/5 24/25 48/125 672/625"),
    ((3, 3, 2), (4, 2, 2), "12 32/7 288/35 2176/35"),
    ((5, 4, 3), (6, 3, 3), "265/11 7101/605 58368/1331 326228787/512435"),
    ((4, 4, 4), (4, 4, 4), "240/11 1536/121 1938432/46585 1848809472/2562175"),
    ((7, 5, 2, 1), (6, 5, 4), "3559/105 2503832/143325 15414045424/165540375 9248402896672/5793913125"),
    ((2, 2, 2, 2), (2, 2, 2, 2), "64/7 576/245 8704/1715 357888/12005"),
    ((1, 1, 1, 1), (2, 2), "4 0 0 0"),
]

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


@pytest.mark.parametrize(("row_totals", "column_totals", "printed"), PRINTED_MOMENTS)
def test_printed_moments(row_totals, column_totals, printed):
    found = exact(compute_pair_sum_moments(Margins(row_totals, column_totals)))
    assert found == tuple(map(Fraction, printed.split()))


SHAPES = [
    ([240, 240, 320], [240, 240, 320], 59392000, "73515.763389065498", "1.47798106337906",
     "3.35373747866488"),
    ([100, 300, 400], [150, 250, 400], 79760000, "525416.76031896076", "0.56519450579599",
     "0.534875662207485"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row_totals", "column_totals", "times_799", "variance", "skewness", "kurtosis"), SHAPES
)
def test_printed_shape_at_800_objects(row_totals, column_totals, times_799, variance, skewness, kurtosis):
    moments = compute_pair_sum_moments(Margins(row_totals, column_totals))
    assert moments.mean == Fraction(times_799, 799)
    assert float(moments.variance) == float(variance)
    for found, printed in ((moments.skewness, skewness), (moments.kurtosis, kurtosis)):
        last_digit = 10.0 ** -len(printed.partition(".")[2])  # one of the four is cut, not rounded
        assert found == pytest.approx(float(printed), rel=0, abs=last_digit)


@pytest.mark.parametrize(
    ("row_totals", "column_totals", "constant"),
    [([], [], 0), ([0, 1], [1, 0, 0], 1), ([1, 1], [2], 2), ([3], [2, 1], 5), ([1] * 20, [10, 6, 4], 20)],
)
def test_constant_pair_sum(row_totals, column_totals, constant):
    moments = compute_pair_sum_moments(Margins(row_totals, column_totals))
    assert exact(moments) == (constant, 0, 0, 0)
    assert moments.std == 0
    assert np.isnan([moments.skewness, moments.kurtosis]).all()


def test_shape_where_floats_overflow():
    # a law scaled by 10^200 keeps its shape; variance^3 is near 10^1200
    small = compute_pair_sum_moments(Margins([5, 4, 3], [6, 3, 3]))
    scale = 10**200
    names = ("mean", "variance", "third", "fourth")
    large, tiny = (
        PairSumMoments(**{name: getattr(small, name) * by**k for k, name in enumerate(names, start=1)})
        for by in (scale, Fraction(1, scale))
    )
    for each, by in ((large, 1e200), (tiny, 1e-200)):
        assert (each.skewness, each.kurtosis) == (small.skewness, small.kurtosis)
        assert each.std == pytest.approx(small.std * by, rel=1e-15)


@given(root=st.floats(1e-150, 1e150))
def test_std_is_correctly_rounded(root):
    # the root of the exact square of a float is that float
    def with_variance(variance):
        return PairSumMoments(mean=Fraction(0), variance=variance, third=Fraction(0), fourth=Fraction(0))

    assert with_variance(Fraction(root) ** 2).std == root
    just_above_half_way = Fraction(root) + Fraction(math.ulp(root)) / 2 * (1 + Fraction(1, 2**40))
    assert with_variance(just_above_half_way**2).std == math.nextafter(root, math.inf)


ORDER = 11


def check(row_totals, column_totals, order):
    """Moments against those of all tables."""
    margins, law = Margins(row_totals, column_totals), naive.law_of_pair_sum(row_totals, column_totals)
    mean = sum(p * T for T, p in law.items())
    for found, centre in (
        (pair_sum.compute_raw_moments, margins.n),
        (pair_sum.compute_central_moments, mean),
    ):
        expected = [sum(p * (T - centre) ** m for T, p in law.items()) for m in range(1, order + 1)]
        assert list(found(margins, order)) == expected
    moments = compute_pair_sum_moments(margins)
    assert moments.mean == mean
    assert [moments.variance, moments.third, moments.fourth] == expected[1:4]


def test_order_11_equals_enumeration():
    for row_totals, column_totals in naive.SMALL_MARGINS:
        check(row_totals, column_totals, ORDER)
        check(column_totals, row_totals, 4)


@st.composite
def any_margins(draw, max_objects=10):
    """Margins with up to 4 rows and columns; some rows may be empty."""
    n = draw(st.integers(0, max_objects))
    labels = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    return tuple([own.count(label) for label in range(4)] for own in (draw(labels), draw(labels)))


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(totals=any_margins(), order=st.integers(5, ORDER))
def test_equal_to_enumeration_for_any_margins(totals, order):
    check(*totals, order)


@pytest.mark.parametrize(("row_totals", "column_totals"), LARGE_MARGINS)
def test_general_algorithm_equals_the_closed_forms(row_totals, column_totals):
    margins = Margins(row_totals, column_totals)
    closed_raw = twins.compute_raw_moments(margins.row_totals.tolist(), margins.column_totals.tolist())
    general = list(pair_sum.compute_raw_moments(margins, 6))
    assert general[:4] == list(pair_sum.compute_raw_moments(margins)) == closed_raw
    closed = compute_pair_sum_moments(margins)
    assert pair_sum.compute_central_moments(margins, 6)[:4] == [
        0,
        closed.variance,
        closed.third,
        closed.fourth,
    ]
    assert general[:5] == list(pair_sum.compute_raw_moments(margins, 5))
