"""Two clusters against two: against SciPy's hypergeometric law and fractions of whole numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from chancecorr import Margins
from chancecorr.exact.closed_laws import (
    compute_law_of_free_cell,
    find_free_cell,
    list_values_at_risk,
    log_probability,
    make_tables_with,
)
from tests.shares import small_and_full

SMALL = [([3, 2], [1, 4]), ([7, 5], [6, 6]), ([20, 1], [10, 11]), ([30, 25], [40, 15]), ([1, 1], [1, 1])]
MODERATE = [([3000, 2000], [2500, 2500]), ([40, 99_960], [70_000, 30_000]), ([10**6, 10**6], [10**6, 10**6])]
LARGE = small_and_full(([10**6, 2 * 10**9], [10**9, 10**9 + 10**6]), ([15 * 10**8] * 2,) * 2)


def cell_of(rows, columns):
    return find_free_cell(Margins(rows, columns))


def exact_probability(cell, first, last):
    """``P(first <= X <= last)`` as a fraction."""
    found = sum(math.comb(cell.r, x) * math.comb(cell.n - cell.r, cell.c - x) for x in range(first, last + 1))
    return Fraction(found, math.comb(cell.n, cell.c))


class TestTables:
    def test_margins_are_kept_and_empty_clusters_stay_empty(self):
        margins = Margins([0, 5, 0, 4], [6, 3, 0])
        cell = find_free_cell(margins)
        tables = make_tables_with(cell, np.arange(cell.low, cell.high + 1))
        assert (tables.sum(axis=2) == margins.row_totals).all()
        assert (tables.sum(axis=1) == margins.column_totals).all()
        assert ((tables >= 0).all(), len(tables)) == (True, 4)

    def test_where_a_cell_is_empty_or_two_are_equal(self):
        cell = cell_of([300_000, 700_000], [400_000, 600_000])
        found = list_values_at_risk(cell).tolist()
        tables = make_tables_with(cell, np.arange(cell.low, cell.high + 1))
        a, b, c, d = tables[:, 0, 0], tables[:, 0, 1], tables[:, 1, 0], tables[:, 1, 1]
        for special in (a == 0, b == 0, a == b, a == c, b == d, c == d, a + d == b + c, a * d == b * c):
            assert set((cell.low + np.flatnonzero(special)).tolist()) <= set(found)


class TestLaw:
    @pytest.mark.parametrize("sides", SMALL)
    def test_all_values_against_fractions(self, sides):
        cell = cell_of(*sides)
        x, p, lost = compute_law_of_free_cell(cell, 1000)
        assert x.tolist() == list(range(cell.low, cell.high + 1))
        assert p == pytest.approx([float(exact_probability(cell, k, k)) for k in x.tolist()], rel=1e-12)
        assert 0.0 < lost < 1e-200

    @pytest.mark.slow
    @pytest.mark.parametrize("sides", [*MODERATE, *LARGE])
    def test_the_middle_lacks_no_more_than_it_says(self, sides):
        cell = cell_of(*sides)
        everything, all_p, _ = compute_law_of_free_cell(cell, 10**7)
        x, p, lost = compute_law_of_free_cell(cell, 10)
        assert lost == 1e-12
        assert 10 < x.size < 400_000
        assert (np.diff(x) == 1).all()
        outside = all_p[(everything < x[0]) | (everything > x[-1])]
        assert math.fsum(outside) <= lost
        assert math.fsum(outside) + p[0] + p[-1] > 0.5 * lost, "no more than is needed"


class TestLogProbability:
    @pytest.mark.parametrize("sides", SMALL)
    def test_runs_against_fractions(self, sides):
        cell = cell_of(*sides)
        outward = [(first, cell.high) for first in range(cell.mode, cell.high + 1)]
        outward += [(first, cell.low) for first in range(cell.low, cell.mode + 1)]
        for first, end in outward:
            for last in {first, (first + end) // 2, end}:
                wanted = math.log(exact_probability(cell, *sorted([first, last])))
                assert log_probability(cell, first, last) == pytest.approx(wanted, rel=1e-13, abs=1e-13)

    @pytest.mark.slow
    def test_far_below_what_float64_holds(self):
        cell = cell_of([4000, 3000], [3500, 3500])
        for first, last in [(2700, cell.high), (3400, cell.high), (1200, cell.low), (500, 500)]:
            exact = exact_probability(cell, min(first, last), max(first, last))
            wanted = math.log(exact.numerator) - math.log(exact.denominator)
            assert wanted < -300
            assert log_probability(cell, first, last) == pytest.approx(wanted, abs=1e-8)

    def test_billions_of_objects_against_stirling(self):
        half = 1_500_000_000
        cell = cell_of([half, half], [half, half])
        wanted = 0.5 * math.log(math.pi * half) - 2 * half * math.log(2.0)  # log((n/2)!**2 / n!) to 1e-9
        for end in (cell.high, cell.low):
            assert log_probability(cell, end, end) == pytest.approx(wanted, rel=1e-15)

    def test_a_tail_of_many_terms(self):
        """From the mode outward: half of all tables, and half of the likeliest one."""
        cell = cell_of([10**8] * 2, [10**8] * 2)
        likeliest = math.exp(log_probability(cell, cell.mode, cell.mode))
        found = math.exp(log_probability(cell, cell.mode, cell.high))
        assert found == pytest.approx(0.5 + likeliest / 2, rel=1e-12)
