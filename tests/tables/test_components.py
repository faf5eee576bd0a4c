"""Moments of T beyond order 4: enumeration, the closed forms, and the hypergeometric law where n is large."""

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
    [
        (3, 4, 9),
        (240, 300, 800),
        (400_000_000, 123_456_789, BILLION),
        (5, 999_999_000, BILLION),
    ],
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
