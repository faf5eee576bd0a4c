"""Exact moments of T: published numbers, enumeration, loops over objects, and the parts of the formula."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chancecorr.tables.contingency import Margins
from chancecorr.tables.pair_sum import (
    PairSumMoments,
    compute_central_moments,
    compute_pair_sum_moments,
    compute_raw_moments,
    count_arrangements,
    count_pair_sequences,
    sum_factorials,
)
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
    assert exact(compute_pair_sum_moments(Margins(row_totals, column_totals))) == tuple(
        map(Fraction, printed.split())
    )


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
    assert math.isnan(moments.skewness)
    assert math.isnan(moments.kurtosis)
    assert repr(moments).endswith("std=0, skewness=nan, kurtosis=nan)")


def mean_and_variance_of_the_literature(row_totals, column_totals):
    """The variance formula of Lerman's index, as in R's partitionComparison: power sums, not components."""

    def v(totals):
        v1 = sum(x * (x - 1) for x in totals)
        v2 = sum(x * (x - 1) * (x - 2) for x in totals)
        return v1, v2, v1**2 - 2 * sum(x * (x - 1) * (2 * x - 3) for x in totals)

    n = sum(row_totals)
    (v1, v2, v3), (w1, w2, w3) = v(row_totals), v(column_totals)
    mean_of_a = Fraction(v1 * w1, 2 * n * (n - 1))
    variance_of_a = (
        mean_of_a
        + Fraction(v2 * w2, n * (n - 1) * (n - 2))
        + Fraction(v3 * w3, 4 * n * (n - 1) * (n - 2) * (n - 3))
        - mean_of_a**2
    )
    return n + 2 * mean_of_a, 4 * variance_of_a


@pytest.mark.parametrize(("row_totals", "column_totals"), LARGE_MARGINS)
def test_mean_and_variance_of_many_objects(row_totals, column_totals):
    moments = compute_pair_sum_moments(Margins(row_totals, column_totals))
    assert (moments.mean, moments.variance) == mean_and_variance_of_the_literature(row_totals, column_totals)


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


@pytest.mark.heavy
@settings(deadline=None, max_examples=100)
@given(totals=any_margins(), order=st.integers(5, ORDER))
def test_equal_to_enumeration_for_any_margins(totals, order):
    check(*totals, order)


def components(pairs, n):
    """Sizes of the components that the pairs, as edges, make of n objects; single objects left out."""
    of = list(range(n))
    for i, j in pairs:
        of = [of[i] if of[x] == of[j] else of[x] for x in range(n)]
    return tuple(sorted(size for size in Counter(of).values() if size > 1))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_coefficients_count_all_sequences_of_pairs(order):
    n = 2 * order
    counted = Counter(
        components(pairs, n) for pairs in itertools.product(itertools.permutations(range(n), 2), repeat=order)
    )
    # (n)_v ordered choices of objects for each sequence in which they are numbered as they appear
    assert count_pair_sequences(order)[-1] == {
        sizes: Fraction(count, math.perm(n, sum(sizes))) for sizes, count in counted.items()
    }


def test_coefficients_count_every_sequence_once():
    # all objects in one class: U = n (n - 1) and every sequence counts, whatever its components
    for m, coefficients in enumerate(count_pair_sequences(ORDER), start=1):
        assert all(sum(s - 1 for s in sizes) <= m for sizes in coefficients)
        for n in (1, 2, 5, 40):
            total = sum(c * math.perm(n, sum(sizes)) for sizes, c in coefficients.items())
            assert total == (n * (n - 1)) ** m


@pytest.mark.parametrize(
    "totals", [(3, 2), (5, 0, 1, 4), (9, 9, 9), (BILLION, 7, 123_456_789), (2, 2, 1, 1, 1)]
)
def test_arrangements_count_the_choices_of_objects(totals):
    # each component goes to some row; a row with total a and x places taken gives (a)_x ordered choices
    order = 7
    found = count_arrangements(order, sum_factorials(np.array(totals), order + 1))
    assert found.keys() - {()} == count_pair_sequences(order)[-1].keys()
    for sizes, number in found.items():
        if len(totals) ** len(sizes) > 5000:
            continue
        expected = 0
        for rows in itertools.product(range(len(totals)), repeat=len(sizes)):
            taken = [
                sum(s for s, row in zip(sizes, rows, strict=True) if row == i) for i in range(len(totals))
            ]
            expected += math.prod(math.perm(a, x) for a, x in zip(totals, taken, strict=True))
        assert number == expected


def uneven(seed):
    return np.random.default_rng(seed).multinomial(BILLION - 1000, np.full(1000, 1e-3)) + 1


@pytest.mark.parametrize(
    "margins",
    [
        Margins([240, 240, 320], [240, 240, 320]),
        Margins([BILLION - 2, 1, 1], [BILLION // 2, BILLION // 2]),
        Margins([3_037_000_000, 499], [2_000_000_000, 1_037_000_499]),  # the largest n that `Margins` takes
        Margins(uneven(1), uneven(2)),
    ],
)
def test_general_algorithm_equals_the_closed_forms(margins):
    closed_raw = twins.compute_raw_moments(margins.row_totals.tolist(), margins.column_totals.tolist())
    general = list(compute_raw_moments(margins, 6))
    assert general[:4] == list(compute_raw_moments(margins)) == closed_raw
    closed = compute_pair_sum_moments(margins)
    assert compute_central_moments(margins, 6)[:4] == [0, closed.variance, closed.third, closed.fourth]
    assert general[:5] == list(compute_raw_moments(margins, 5))


@pytest.mark.parametrize(
    ("first_row", "first_column", "n"),
    [(3, 4, 9), (240, 300, 800), (400_000_000, 123_456_789, BILLION), (5, 999_999_000, BILLION)],
)
def test_orders_5_to_11_of_two_by_two_tables_from_the_hypergeometric_law(first_row, first_column, n):
    # U is a quadratic in n_11 = x, and E (x)_k = (first_row)_k (first_column)_k / (n)_k
    last = n - first_row - first_column
    U = [first_row**2 + first_column**2 + last**2 - n, 2 * (last - first_row - first_column), 4]
    power, expected = [1], []
    for _ in range(ORDER):
        product = [0] * (len(power) + 2)
        for (i, x), (j, y) in itertools.product(enumerate(power), enumerate(U)):
            product[i + j] += x * y
        power = product
        total, rest, k = Fraction(0), list(power), 0
        while rest:  # divided by x, x - 1, ... in turn, a polynomial leaves the coefficients of the (x)_k
            quotient, carry = [], 0
            for coefficient in reversed(rest):
                carry = carry * k + coefficient
                quotient.append(carry)
            c_k = quotient.pop()
            if k <= n:
                total += c_k * Fraction(math.perm(first_row, k) * math.perm(first_column, k), math.perm(n, k))
            rest, k = quotient[::-1], k + 1
        expected.append(total)
    margins = Margins([first_row, n - first_row], [first_column, n - first_column])
    assert list(compute_raw_moments(margins, ORDER)) == expected


def test_order_below_1():
    with pytest.raises(ValueError, match=r"`order` must be at least 1"):
        compute_central_moments(Margins([1, 2], [2, 1]), 0)
