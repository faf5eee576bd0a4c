"""Largest T: printed values, enumeration, what lies around it, and the refusal of too much work."""

import functools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chancecorr.exact.bounds import pair_sum_range
from chancecorr.exact.laws.largest import greedy_pair_sum, largest_pair_sum, nonzero_totals
from chancecorr.tables.contingency import Margins
from tests.naive import SMALL_MARGINS, all_tables, pair_sum

PRINTED = [
    ((240, 240, 320), (240, 240, 320), 217_600),
    ((5, 4, 3), (6, 3, 3), 44),
    ((7, 5, 2, 1), (6, 5, 4), 67),
    ((10, 8, 7), (9, 9, 7), 195),
    ((3, 3, 3, 3, 4, 4, 4, 4), (14, 14), 100),
]


def composition(draw, n):
    """Totals that sum to n, zeros among them."""
    cuts = sorted(draw(st.lists(st.integers(0, n), max_size=3)))
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, n], strict=True))


@st.composite
def small_margins(draw):
    n = draw(st.integers(0, 12))
    return composition(draw, n), composition(draw, n)


def greedy(margins):
    return greedy_pair_sum(*nonzero_totals(margins))


def check(rows, columns):
    margins = Margins(rows, columns)
    largest = max(pair_sum(table) for table in all_tables(rows, columns))
    assert largest_pair_sum(margins) == largest
    assert margins.n <= greedy(margins) <= largest <= pair_sum_range(margins)[1]
    assert pair_sum_range(margins)[1] <= min((margins.row_totals**2).sum(), (margins.column_totals**2).sum())


@pytest.mark.parametrize(("rows", "columns", "printed"), PRINTED)
def test_printed_values(rows, columns, printed):
    assert largest_pair_sum(Margins(rows, columns)) == printed
    assert largest_pair_sum(Margins(columns, rows)) == printed


@pytest.mark.parametrize(("rows", "columns"), SMALL_MARGINS)
def test_enumeration(rows, columns):
    check(rows, columns)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(small_margins())
def test_enumeration_of_random_margins(margins):
    check(*margins)


def test_searched_where_greedy_falls_short():
    # 61 on one side is 31 + 30 on the other: no exact match shows it, the search finds it
    margins = Margins([61, 35, 34], [65, 31, 34])
    largest = max(pair_sum(table) for table in two_by_two_completions(margins))
    assert largest_pair_sum(margins) == largest
    fell_short = 0
    rng = np.random.default_rng(20_140_106)
    for _ in range(40):
        rows, columns = (rng.multinomial(60, rng.dirichlet([1.0, 1.0, 1.0])) for _ in range(2))
        margins = Margins(rows, columns)
        largest = max(pair_sum(table) for table in two_by_two_completions(margins))
        assert largest_pair_sum(margins) == largest
        fell_short += greedy(margins) < largest < pair_sum_range(margins)[1]
    assert fell_short > 0  # else greedy or bound would have answered all of them


def two_by_two_completions(margins):
    """All 3 x 3 tables, from their four free cells."""
    (a, b, _), (c, d, _) = margins.row_totals.tolist(), margins.column_totals.tolist()
    rows, columns = margins.row_totals, margins.column_totals
    for x in range(min(a, c) + 1):
        for y in range(max(0, a - x - columns[2]), min(a - x, d) + 1):
            u, v = np.meshgrid(np.arange(min(b, c - x) + 1), np.arange(min(b, d - y) + 1), indexing="ij")
            cells = [x, y, a - x - y, u, v, b - u - v, c - x - u, d - y - v]
            last = rows[2] - cells[6] - cells[7]
            valid = (cells[5] >= 0) & (cells[6] >= 0) & (cells[7] >= 0) & (last >= 0)
            if valid.any():
                T = sum(np.square(cell) for cell in [*cells, last])
                best = np.unravel_index(np.where(valid, T, -1).argmax(), T.shape)
                at_best = [int(np.broadcast_to(cell, T.shape)[best]) for cell in [*cells, last]]
                yield (tuple(at_best),)


@pytest.mark.parametrize(
    ("rows", "columns", "T"),
    [
        ([], [], 0),
        ([0], [0, 0], 0),
        ([1], [1], 1),
        ([9], [9], 81),
        ([9], [4, 3, 2], 29),
        ([1] * 6, [3, 3], 6),
        ([0, 3, 0], [3], 9),
        ([3_037_000_499], [3_037_000_499], 3_037_000_499**2),
        ([10**9, 5], [10**9 - 5, 10], (10**9 - 5) ** 2 + 5**2 + 5**2),
    ],
)
def test_degenerate_and_large_margins(rows, columns, T):
    margins = Margins(rows, columns)
    assert largest_pair_sum(margins) == greedy(margins) == T
    assert pair_sum_range(margins)[1] >= T


def test_greedy_takes_exact_matches_first():
    assert greedy(Margins([5, 3, 3], [6, 5])) == 5**2 + 3**2 + 3**2
    assert greedy(Margins([6, 5], [5, 3, 3])) == 5**2 + 3**2 + 3**2
    assert greedy(Margins([5, 4, 3], [6, 3, 3])) == 44


@functools.cache
def largest_by_recursion(rows, columns):
    """The recursion as it is written, nothing left out."""
    best = 0
    for i, r in enumerate(rows):
        for j, c in enumerate(columns):
            m = min(r, c)
            rest = (
                sorted([*rows[:i], *rows[i + 1 :], r - m]),
                sorted([*columns[:j], *columns[j + 1 :], c - m]),
            )
            best = max(best, m * m + largest_by_recursion(*(tuple(filter(None, totals)) for totals in rest)))
    return best


@pytest.mark.heavy
def test_search_against_plain_recursion():
    rng = np.random.default_rng(7)
    for _ in range(60):
        rows, columns = (rng.multinomial(300, rng.dirichlet(np.ones(4))) for _ in range(2))
        plain = largest_by_recursion(*(tuple(sorted(t[t > 0].tolist())) for t in (rows, columns)))
        assert largest_pair_sum(Margins(rows, columns)) == plain


def test_refusal_names_both_numbers():
    rng = np.random.default_rng(1)
    rows, columns = (rng.multinomial(800, rng.dirichlet(np.ones(8))) for _ in range(2))
    margins = Margins(rows, columns)
    lower, upper = greedy(margins), pair_sum_range(margins)[1]
    assert lower < upper
    message = (
        "`work_limit` must be larger to find the largest T of these margins; got 2000."
        f" It lies between {lower} (greedy) and {upper} (bound): settle for one of them, or raise the limit."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        largest_pair_sum(margins, work_limit=2_000)
    with pytest.raises(ValueError, match="`work_limit` must be at least 1; got 0"):
        largest_pair_sum(margins, work_limit=0)


def test_enough_work_is_not_refused():
    rng = np.random.default_rng(1)
    rows, columns = (rng.multinomial(800, rng.dirichlet(np.ones(5))) for _ in range(2))
    margins = Margins(rows, columns)
    assert greedy(margins) <= largest_pair_sum(margins) <= pair_sum_range(margins)[1]
    assert largest_pair_sum(margins, work_limit=50_000) == largest_pair_sum(margins)
