"""Laws of T and of tables: printed ones, naive enumeration, exact moments, one method against the other."""

import itertools
import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chancecorr as cc
from chancecorr.exact import enumeration
from chancecorr.exact.enumeration import compute_pair_sum_law, forecast_pair_sum_law, list_table_law
from chancecorr.exact.index_of_pair_sum import bound_pairs
from chancecorr.exact.kernels import dynamic_programming as dealing
from chancecorr.machine.kernel import as_python
from chancecorr.tables.pair_sum import compute_pair_sum_moments
from tests import naive
from tests.exact import twins

BILLION = 10**9
METHODS = ["dynamic-programming", "enumeration"]

DEGENERATE = [  # totals, and the one value of T
    ((), (), 0),
    ((0, 0), (), 0),
    ((0,), (0, 0), 0),
    ((1,), (1,), 1),
    ((0, 1), (1, 0, 0), 1),
    ((7,), (4, 3), 25),
    ((4, 0, 3), (0, 7), 25),
    ((1,) * 6, (4, 2), 6),
    ((1,) * 300, (2,) * 150, 300),
    ((BILLION,), (BILLION - 1, 1), (BILLION - 1) ** 2 + 1),
]


def assert_same_law(law, expected, rtol=1e-12):
    assert law.values.dtype == np.int64
    assert law.values.tolist() == list(expected)
    np.testing.assert_allclose(law.probabilities, [float(p) for p in expected.values()], rtol=rtol)
    assert 0.0 <= law.lost_mass < 1e-12


@st.composite
def small_margins(draw):
    n = draw(st.integers(0, 11))
    sides = []
    for _ in range(2):
        labels = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        sides.append(tuple(labels.count(k) for k in range(draw(st.integers(max([*labels, 0]) + 1, 4)))))
    return tuple(sides)


@pytest.mark.parametrize("columns", [(3,), (2, 2, 1), (5, 1, 1, 4)])
def test_rows_are_counted(columns):
    rows = [sum(row) for row in itertools.product(*(range(column + 1) for column in columns))]
    for total, most in itertools.product(range(sum(columns) + 1), range(12)):
        assert enumeration.are_more_rows(total, np.array(columns), most) == (rows.count(total) > most)


def test_more_tables_than_asked_for_are_refused():
    with pytest.raises(ValueError, match=r"^`margins` must have at most 78 tables of .*; they have more"):
        list_table_law(cc.Margins([5, 4, 3], [6, 3, 3]), 78)


@settings(max_examples=40, deadline=None)
@given(small_margins())
def test_random_margins_equal_naive_enumeration(sides):
    tables = naive.law_of_tables(*sides)
    expected = naive.law_of_pair_sum(*sides)
    margins = cc.Margins(*sides)
    assert twins.law_of_pair_sum(*sides) == expected
    for method in METHODS:
        law = compute_pair_sum_law(margins, method=method)
        transposed = compute_pair_sum_law(cc.Margins(*sides[::-1]), method=method)
        assert_same_law(law, expected)
        assert law.values.tobytes() == transposed.values.tobytes()
        assert law.probabilities.tobytes() == transposed.probabilities.tobytes()
    found, probabilities = list_table_law(margins, len(tables))
    assert found.shape == (len(tables), len(sides[0]), len(sides[1]))
    flat = [[cell for row in table for cell in row] for table, _ in tables]
    assert found.reshape(len(tables), -1).tolist() == sorted(flat)
    in_order = [p for _, (_, p) in sorted(zip(flat, tables, strict=True), key=lambda pair: pair[0])]
    np.testing.assert_allclose(probabilities, [float(p) for p in in_order], rtol=1e-12)


@settings(max_examples=50, deadline=None)
@given(small_margins())
def test_bounds_hold(sides):
    rows, columns = (np.array([x for x in side if x], dtype=np.int64) for side in sides)
    n, law = sum(sides[0]), naive.law_of_pair_sum(*sides)
    low, high = bound_pairs(rows, columns)
    assert n + 2 * low <= min(law)
    assert max(law) <= n + 2 * high


@pytest.mark.parametrize(("row_totals", "column_totals", "value"), DEGENERATE)
def test_constant_pair_sum(row_totals, column_totals, value):
    for margins in (cc.Margins(row_totals, column_totals), cc.Margins(column_totals, row_totals)):
        for method in ["auto", *METHODS]:
            law = compute_pair_sum_law(margins, method=method)
            assert (law.values.tolist(), law.probabilities.tolist(), law.lost_mass) == ([value], [1.0], 0.0)
        assert enumeration.plan_cells(margins, 1e-12).work == 1.0


@pytest.mark.parametrize(
    ("row_totals", "column_totals"),
    [
        ((240, 240, 320), (240, 240, 320)),
        ((100, 300, 400), (150, 250, 400)),
        ((600, 200), (300, 300, 100, 100)),
        ((500_000, 500_000), (300_000, 700_000)),  # more values of T than are laid out at first
        ((20, 20, 20, 20), (20, 20, 20, 20)),
        (tuple(range(1, 9)), (6, 6, 6, 6, 6, 6)),
    ],
)
def test_moments_are_the_exact_ones(row_totals, column_totals):
    margins = cc.Margins(row_totals, column_totals)
    law = compute_pair_sum_law(margins, budget=1.0)
    moments = compute_pair_sum_moments(margins)
    assert law.lost_mass < 1e-12
    assert law.probabilities.sum() == pytest.approx(1.0, rel=1e-12)
    assert law.probabilities @ law.values == pytest.approx(float(moments.mean), rel=1e-12)
    exact = [float(moments.variance), float(moments.third), float(moments.fourth)]
    near = math.floor(moments.mean)  # first, or the rounding of a large mean shows in the third moment
    deviations = (law.values - near) - float(moments.mean - near)
    found = [math.fsum(law.probabilities * deviations**k) for k in (2, 3, 4)]
    np.testing.assert_allclose(found, exact, rtol=1e-12)


@pytest.mark.parametrize("lost_mass", [0.3, 1e-2, 1e-4])
def test_lost_mass_bounds_every_error(monkeypatch, lost_mass):
    monkeypatch.setattr(enumeration, "SHARE_OF_LOST_MASS", 1.0)
    margins = cc.Margins([20, 15, 12], [18, 15, 14])
    exact = twins.law_of_pair_sum([20, 15, 12], [18, 15, 14])
    law = compute_pair_sum_law(margins, method="enumeration", lost_mass=lost_mass)
    assert 0.0 < law.lost_mass <= lost_mass
    found = dict(zip(law.values.tolist(), law.probabilities.tolist(), strict=True))
    missing = [float(p) - found.get(T, 0.0) for T, p in exact.items()]
    assert -1e-14 < min(missing) <= max(missing) < law.lost_mass + 1e-14
    assert sum(missing) == pytest.approx(law.lost_mass, abs=1e-13)


def test_a_floor_that_loses_too_much_is_lowered(monkeypatch):
    monkeypatch.setattr(enumeration, "SHARE_OF_LOST_MASS", 1e9)
    law = compute_pair_sum_law(cc.Margins([33, 33, 34], [33, 33, 34]), method="enumeration", lost_mass=1e-11)
    assert law.lost_mass <= 1e-11


def test_values_beyond_the_first_layout_are_found(monkeypatch):
    margins = cc.Margins([70, 70, 90], [70, 70, 90])
    expected = compute_pair_sum_law(margins, method="enumeration")
    monkeypatch.setattr(enumeration, "MAX_VALUES_AT_FIRST", 10)
    monkeypatch.setattr(enumeration, "REACH_IN_STDS", 2.0)
    law = compute_pair_sum_law(margins, method="enumeration")
    np.testing.assert_array_equal(law.values, expected.values)
    np.testing.assert_allclose(law.probabilities, expected.probabilities, rtol=1e-12)
    plan = enumeration.plan_cells(margins, 1e-12)
    assert plan.bins < (law.values[-1] - margins.n) // 2 - plan.low + 1
    monkeypatch.setattr(enumeration, "MOST_VALUES_LAID_OUT", plan.bins // 3)
    with pytest.raises(ValueError, match=r"got \S+ values of T\. Use"):
        enumeration.enumerate_pairs(plan, 1e-12, math.inf)
    assert enumeration.plan_cells(margins, 1e-12).work == math.inf


def test_a_forecast_of_few_tables_is_believed_for_few(monkeypatch):
    """A walk of hours as Python, where a second was forecast, once ended after 260 s."""
    plan = enumeration.plan_cells(cc.Margins([30, 30, 40], [20, 30, 50]), 1e-12)
    law = enumeration.enumerate_pairs(plan._replace(work=math.inf), 1e-12, math.inf)
    calls, call_taking = [], enumeration.call_taking
    monkeypatch.setattr(enumeration, "call_taking", lambda *x: calls.append(x[1]) or call_taking(*x))
    monkeypatch.setattr(enumeration, "FEW_TABLES_WALKED", 1_000)
    again = enumeration.enumerate_pairs(plan._replace(work=1.0), 1e-12, math.inf)
    np.testing.assert_array_equal(again, law)
    assert calls == [pytest.approx(5e-7), math.inf]
    with pytest.raises(ValueError, match="more tables than were forecast"):
        enumeration.enumerate_pairs(plan._replace(work=1.0), 1e-12, 1_500)


def test_more_objects_than_log_factorials():
    rows, columns = (1_000_000, 5), (1_000_003, 2)
    n = sum(rows)
    expected = {}
    for x in range(3):
        T = x**2 + (2 - x) ** 2 + (5 - x) ** 2 + (n - 7 + x) ** 2
        expected[T] = Fraction(math.comb(5, x) * math.comb(n - 5, 2 - x), math.comb(n, 2))
    law = compute_pair_sum_law(cc.Margins(rows, columns), method="enumeration", lost_mass=0.0)
    assert_same_law(law, dict(sorted(expected.items())))
    tables, probabilities = list_table_law(cc.Margins([BILLION - 2, 2], [BILLION - 3, 3]), 3)
    assert tables[:, 1, 1].tolist() == [0, 1, 2]
    ways = [math.comb(3, x) * math.comb(BILLION - 3, 2 - x) for x in range(3)]
    exact = [float(Fraction(each, math.comb(BILLION, 2))) for each in ways]
    np.testing.assert_allclose(probabilities, exact, rtol=1e-12)


@pytest.mark.parametrize(
    ("row_totals", "column_totals"),
    [((4, 4, 3), (5, 4, 2)), ((2, 2, 2, 2), (3, 3, 2)), ((7, 1), (4, 2, 1, 1)), ((3, 2, 2, 1, 1), (3, 3, 3))],
)
def test_numpy_deals_columns_to_the_same_bits_as_the_kernels(monkeypatch, row_totals, column_totals):
    """All states at once, some of them, and few additions at a time."""
    from chancecorr.exact.kernels import dealing_in_arrays as arrays

    plan = enumeration.plan_rows(np.array(row_totals), np.array(column_totals))

    def deal_by(deal_column, deal_rest):
        works = []
        monkeypatch.setattr(
            enumeration, "call_taking", lambda *_: lambda *x: works.append(deal_column(*x)) or works[-1]
        )
        monkeypatch.setattr(dealing, "deal_rest", deal_rest)
        return enumeration.deal_all_columns(plan, math.inf).tolist(), works

    kernels = dealing.deal_column.py_func, dealing.deal_rest.py_func
    wanted = deal_by(*kernels)
    for columns_at_a_time, numbers_at_a_time in (
        (arrays.COLUMNS_AT_A_TIME, arrays.NUMBERS_AT_A_TIME),
        (1, 1),
        (9, 5),
    ):
        monkeypatch.setattr(arrays, "COLUMNS_AT_A_TIME", columns_at_a_time)
        monkeypatch.setattr(arrays, "NUMBERS_AT_A_TIME", numbers_at_a_time)
        assert deal_by(arrays.deal_column_in_arrays, arrays.deal_rest_in_arrays) == wanted
    with pytest.raises(ValueError, match="more columns than were forecast"):
        enumeration.deal_all_columns(plan, sum(wanted[1]) - 1)


def test_columns_are_dealt_by_numpy_where_the_kernels_are_not_compiled():
    """README's first law, of 150 objects, takes 25 ms so, and several seconds by the kernels' own loops."""
    assert as_python(dealing.deal_column) is dealing.deal_column_in_arrays
    assert as_python(dealing.deal_rest) is dealing.deal_rest_in_arrays


def test_a_forecast_that_is_too_low_costs_no_more_than_twice_the_budget(record_property):
    """One large cluster and many tiny ones: the forecast is a ten-thousandth of the work, or less."""
    margins = cc.Margins([986] + [2] * 7, [986] + [2] * 7)
    assert forecast_pair_sum_law(margins).seconds < 0.001
    compute_pair_sum_law(cc.Margins([5, 3, 2], [4, 3, 3]), method="enumeration")  # compiled before the clock
    began = time.thread_time()
    with pytest.raises(ValueError, match=r"more tables than were forecast\. Use method='analytic' or"):
        compute_pair_sum_law(margins, budget=0.1)
    seconds = time.thread_time() - began
    record_property("seconds_of_a_tenth", seconds)
    assert seconds < 0.5


@pytest.mark.parametrize(
    ("row_totals", "column_totals"),
    [
        ((BILLION // 2, BILLION // 2), (BILLION // 4,) * 4),
        ((1000,) * 1000, (1000,) * 1000),
        (tuple(range(1, 1001)), tuple(range(1, 1001))),
        ((10_000,) * 5, (12_500,) * 4),
        ((2,) * 1000, (4,) * 500),
    ],
)
def test_refusal_over_budget(row_totals, column_totals):
    margins = cc.Margins(row_totals, column_totals)
    start = time.perf_counter()
    assert forecast_pair_sum_law(margins).seconds > 5.0
    assert time.perf_counter() - start < 1.0
    message = r"^`margins` must have a law of T within the budget; got a forecast of \S+ s by enumeration\. "
    with pytest.raises(ValueError, match=message + r"Use method='analytic' or 'monte-carlo'\.$"):
        compute_pair_sum_law(margins)


@pytest.mark.parametrize(
    ("row_totals", "column_totals", "limit"),
    [
        ((3,) * 2000, (3,) * 2000, 2_000_000),
        ((1000,) * 2000, (1000,) * 2000, 17_000),
        ((1, 999_999), (1,) * 1_000_000, 2_000_000),  # as many tables as columns: 16 TB of them
        ((1, 16_999), (1,) * 17_000, 17_000),
        ((0,) * 10_000 + (1, 2999), (1,) * 3000 + (0,) * 10_000, 17_000),
    ],
)
def test_tables_that_cannot_be_listed_are_refused_at_once(row_totals, column_totals, limit, record_property):
    margins = cc.Margins(row_totals, column_totals)
    list_table_law(cc.Margins([3, 2], [3, 2]), 10)  # compiled before the clock starts
    began = time.perf_counter()
    with pytest.raises(ValueError, match=r"^`margins` must have at most [\d,]+ tables .*; they have more"):
        list_table_law(margins, limit)
    seconds = time.perf_counter() - began
    record_property("milliseconds", 1e3 * seconds)
    assert seconds < 0.05
