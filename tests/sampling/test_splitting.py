"""Multilevel splitting: the moves' law, p-values against enumerated and exact laws, bits, bounds."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from chancecorr.correction.p_value_methods import split_p_value
from chancecorr.exact.enumeration import compute_pair_sum_law
from chancecorr.exact.kernels.hypergeometric import NO_TABLE, log_factorials
from chancecorr.indices.registry import Index
from chancecorr.sampling import splitting
from chancecorr.sampling.kernels.draw import universal_hat
from chancecorr.sampling.kernels.logarithms import log2_factorials
from chancecorr.sampling.kernels.moves import LookUps, draw_parents, move_tables
from chancecorr.sampling.kernels.streams import open_stream
from chancecorr.sampling.permutation import sample_tables
from chancecorr.tables.contingency import Margins
from tests.naive import law_of_tables, pair_sum
from tests.sampling.fits import fit_of_tables
from tests.shares import small_and_full

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(20_140_106)
WIDTH = splitting.INTERVAL_FACTOR * splitting.T_QUANTILES[10]
"""Standard errors in the stated one, of ten replicates."""
NO_LEVEL = -(1 << 62)
BALANCED = ((240, 240, 320), (240, 240, 320))

PAIR_SUM = Index(name="pair_sum", function=lambda a, b, c, d: 2 * a, needs="pairs")  # T - n
FALLING = Index(name="falling", function=lambda a, b, c, d: -2 * a, needs="pairs")
BENT = Index(name="bent", function=lambda a, b, c, d: np.abs(2 * a - 12), needs="pairs")


def largest_cell(table, row_totals, column_totals):
    largest = 0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            largest = max(largest, table[i, j])
    return float(largest)


def sum_of_squares(table, row_totals, column_totals):
    total = 0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            total += table[i, j] ** 2
    return float(total)


LARGEST_CELL = Index(name="largest_cell", function=largest_cell, needs="table")
TABLE_PAIR_SUM = Index(name="table_pair_sum", function=sum_of_squares, needs="table")
X_LOG_X = Index(name="x_log_x", function=lambda x, row, column, n: x * math.log(x), needs="cells")


def workspace(margins, m, seed=SEED):
    tables = sample_tables(margins, m, rng=3)
    words = np.array(open_stream(seed, 1 << 62), dtype=np.uint64)
    n = margins.n
    look_ups = LookUps(log_factorials(n), universal_hat(n), log2_factorials(n))
    places = (np.flatnonzero(margins.row_totals), np.flatnonzero(margins.column_totals))
    return tables, (*places, look_ups), words


def exact_p(law, value, observed, less=False):
    return float(sum(p for t, p in law if (value(t) <= observed if less else value(t) >= observed)))


def check_near(estimate, exact, floor=0.0):
    """Within 6 standard errors, themselves from ten replicates (t with 9 df: 2e-4), and 40 % at most."""
    assert not estimate.upper_bound
    standard_error = estimate.relative_error / WIDTH
    assert standard_error < 0.2
    off = abs(estimate.p_value / exact - 1.0)
    assert off < max(6.0 * standard_error, floor)
    assert off < 0.4


MOVED = [
    Margins([5, 4, 3], [6, 3, 3]),
    Margins([3, 0, 3], [2, 0, 4]),
    Margins([1] * 8, [3, 5]),
    Margins([240, 240, 320], [100, 700]),
    Margins([10**6, 2 * 10**6], [1, 3 * 10**6 - 1]),
]


@pytest.mark.parametrize("margins", MOVED, ids=repr)
def test_moves_keep_margins_and_follow_the_pair_sum(margins):
    tables, plan, words = workspace(margins, 40)
    sums = np.einsum("tij,tij->t", tables, tables)
    before = tables.copy()
    for steps in (25, 1, 1):
        move_tables(1, NO_LEVEL, steps, *plan, tables, sums, words)
        assert (sums == (tables**2).sum(axis=(1, 2))).all()
    assert (tables != before).any()
    assert (tables >= 0).all()
    assert (tables.sum(axis=2) == margins.row_totals).all()
    assert (tables.sum(axis=1) == margins.column_totals).all()
    assert (sums == (tables**2).sum(axis=(1, 2))).all()


def after_moves(margins, m, steps, level=NO_LEVEL, start=None, with_table=True):
    """Tables after `steps` moves from one fixed table, the furthest from chance."""
    _, plan, words = workspace(margins, 1)
    tables = np.repeat(start[np.newaxis], m, axis=0)
    values = np.einsum("tij,tij->t", tables, tables)
    plan = plan if with_table else (*plan[:2], plan[2]._replace(log_factorials=NO_TABLE))
    move_tables(1, level, steps, *plan, tables, values, words)
    return tables


@pytest.mark.parametrize("with_table", [True, False])
@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize(
    ("rows", "columns", "start", "level"),
    [
        ((5, 4, 3), (6, 3, 3), [[5, 0, 0], [1, 3, 0], [0, 0, 3]], 24),
        ((4, 4, 4), (4, 4, 4), [[4, 0, 0], [0, 4, 0], [0, 0, 4]], 24),
        ((7, 5, 2), (6, 4, 4), [[6, 1, 0], [0, 3, 2], [0, 0, 2]], 32),
        ((9, 7), (8, 8), [[8, 1], [0, 7]], 66),
    ],
)
@pytest.mark.heavy
@pytest.mark.parametrize("m", small_and_full(1_200, 5_000))
def test_moves_have_the_null_law(rows, columns, start, level, above, with_table, m):
    """Chi-square against enumeration, also above the level; a false alarm has 1e-6 each.

    200 moves forget the start: 100 do, of 20,000 tables.
    """
    level = level if above else NO_LEVEL
    law = [(table, p) for table, p in law_of_tables(rows, columns) if pair_sum(table) > level]
    mass = sum(p for _, p in law)
    assert (mass < 0.5) == above
    law = [(table, p / mass) for table, p in law]
    margins = Margins(rows, columns)
    tables = after_moves(margins, m, 200, level, np.array(start), with_table)
    assert fit_of_tables(tables, law) > 1e-6
    if not above and with_table:  # negative control: too few moves from one table
        assert fit_of_tables(after_moves(margins, m, 1, level, np.array(start)), law) < 1e-12


@pytest.mark.parametrize("survivors", [1, 34, 100, 250])
def test_survivors_have_equally_many_copies(survivors):
    words, parents = np.array(open_stream(SEED, 0), dtype=np.uint64), np.empty(100, dtype=np.int64)
    draw_parents(survivors, parents, words)
    copies = np.bincount(parents, minlength=survivors)
    assert copies.size == survivors
    assert copies.max() - copies.min() <= 1
    if survivors == 1:
        return
    first = parents.copy()
    draw_parents(survivors, parents, words)
    assert (parents != first).any()
    starts = np.zeros(survivors)  # who comes first is uniform
    for _ in range(100 * survivors):
        draw_parents(survivors, parents, words)
        starts[parents[0]] += 1
    assert stats.chisquare(starts).pvalue > 1e-6


SMALL_LAW = law_of_tables((5, 4, 3), (6, 3, 3))
SMALL = Margins([5, 4, 3], [6, 3, 3])


@pytest.mark.heavy
@pytest.mark.parametrize("index", [PAIR_SUM, TABLE_PAIR_SUM], ids=repr)
@pytest.mark.parametrize("m", small_and_full(120, 1000))
def test_enumerated_law_of_the_pair_sum(index, m):
    for T, side in (
        (20, "less"),
        (22, "less"),
        (20, "greater"),
        (30, "greater"),
        (36, "greater"),
        (44, "greater"),
    ):
        observed = T - 12 * (index is PAIR_SUM)
        estimate = split_p_value(index, SMALL, observed, rng=T, alternative=side, n_tables=m)
        check_near(estimate, exact_p(SMALL_LAW, pair_sum, T, less=side == "less"), floor=1e-12)


@pytest.mark.heavy
@pytest.mark.parametrize("m", small_and_full(80, 500))
def test_enumerated_law_of_a_sum_over_cells(m):
    def value(table):
        return sum(x * math.log(x) for row in table for x in row if x)

    observed = max(value(table) for table, _ in SMALL_LAW)
    exact = exact_p(SMALL_LAW, value, observed - 1e-9)
    tie_by_rounding = observed * (1.0 + 1e-15)
    check_near(split_p_value(X_LOG_X, SMALL, tie_by_rounding, rng=2, n_tables=m), exact)


@pytest.mark.heavy
def test_pair_index_that_falls_or_bends():
    exact = exact_p(SMALL_LAW, pair_sum, 36)
    check_near(split_p_value(FALLING, SMALL, -24.0, rng=3, alternative="less"), exact)
    lower = exact_p(SMALL_LAW, pair_sum, 22, less=True)
    check_near(split_p_value(FALLING, SMALL, -10.0, rng=3), lower)
    either = exact_p(SMALL_LAW, lambda t: abs(pair_sum(t) - 24), 4)
    check_near(split_p_value(BENT, SMALL, 4.0, rng=3), either)
    between = exact_p(SMALL_LAW, lambda t: abs(pair_sum(t) - 24), 2, less=True)
    check_near(split_p_value(BENT, SMALL, 2.0, rng=3, alternative="less"), between)


def rand_at(T, rows, columns):
    n = sum(rows)
    A, B = (sum(x * x for x in totals) for totals in (rows, columns))
    return 1.0 - (A + B - 2 * T) / (n * (n - 1))


def tail_at(law, p):
    """T whose exact p-value is nearest to p, and that p-value."""
    tail = np.cumsum(law.probabilities[::-1])[::-1]
    at = int(np.abs(np.log(tail / p)).argmin())
    return int(law.values[at]), float(tail[at])


HARD = [  # margins that 30 moves with steps of one kind did not mix, and p-values down to the last table
    (([2] * 20, [2] * 20), 1.2e-6),
    pytest.param(([3] * 20, [3] * 20), 4e-11, marks=pytest.mark.long),
    (([20, 10, 5, 5], [15, 15, 10]), 1e-6),
    pytest.param(([20, 10, 5, 5], [15, 15, 10]), 9.4e-13, marks=pytest.mark.long),
    (([6] * 4, [6] * 4), 1e-11),  # perfect agreement, a hundred times rarer than the next
]


@pytest.mark.parametrize(("totals", "p"), HARD, ids=lambda x: str(x)[:20])
@pytest.mark.heavy
def test_stated_errors_cover_the_enumerated_tail(totals, p):
    """Four seeds each: no error beyond 2.5 times the stated one (Student's t with 9 df: 3e-4), few beyond it.

    The levels' bias, over 50 replicates, is below 4.5 standard errors.
    """
    margins = Margins(*totals)
    T, exact = tail_at(compute_pair_sum_law(margins, budget=30.0), p)
    found = [split_p_value(PAIR_SUM, margins, T - margins.n, rng=seed, n_tables=100) for seed in range(4)]
    off = np.array([abs(one.p_value / exact - 1.0) for one in found])
    stated = np.array([one.relative_error * one.p_value / exact for one in found])
    assert (off < 2.5 * stated).all()
    assert (off < stated).sum() >= 2
    ratios = 10.0 ** (np.concatenate([one.replicates for one in found]) - math.log10(exact))
    assert abs(ratios.mean() - 1.0) < 4.5 * ratios.std(ddof=1) / math.sqrt(ratios.size)


@pytest.mark.heavy
def test_same_seed_same_bits():
    margins = Margins(*BALANCED)
    calls = [
        split_p_value("rand", margins, rand_at(77_000, *BALANCED), rng=rng, n_tables=100, replicates=r)
        for rng, r in ((1, 4), (1, 4), (1, 3), (2, 4))
    ]
    assert (calls[0].replicates == calls[1].replicates).all()
    assert (calls[0].replicates[:3] == calls[2].replicates).all()
    assert (calls[0].replicates != calls[3].replicates).all()
    assert len(set(calls[0].replicates)) == 4
    tables = [split_p_value(LARGEST_CELL, SMALL, 5, rng=7, n_tables=50, replicates=3) for _ in range(2)]
    assert (tables[0].replicates == tables[1].replicates).all()


@pytest.mark.heavy
def test_bound_where_nothing_is_attainable():
    estimate = split_p_value(PAIR_SUM, SMALL, 100.0, rng=1, n_tables=100, replicates=4)
    assert estimate.upper_bound
    assert estimate.relative_error == math.inf
    assert 0.0 < estimate.p_value == pytest.approx(1 / 2310, rel=0.5)  # that of T = 44, the largest
    assert estimate.upper_bound is True
    less = split_p_value(LARGEST_CELL, SMALL, 0.0, rng=1, n_tables=50, replicates=2, alternative="less")
    assert less.upper_bound
    assert less.p_value > 0.0


def test_moves_are_limited():
    estimate = split_p_value(PAIR_SUM, Margins(*BALANCED), 78_302 - 800, rng=11, most_moves=100_000)
    assert estimate.upper_bound
    assert 1e-8 < estimate.p_value < 1.0  # the exact one is just below 1e-8


def test_underflow_keeps_the_logarithm():
    found = splitting.estimate_of(np.array([-1000.0, -1001.0]))
    assert found.p_value == 0.0
    assert found.log10_p_value == pytest.approx((math.log((1 + math.exp(-1)) / 2) - 1000) / math.log(10))


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("margins", "T"),
    [
        (Margins([], []), 0),
        (Margins([1], [1]), 1),
        (Margins([5], [5]), 25),
        (Margins([5], [3, 2]), 13),
        (Margins([0, 5, 0], [3, 0, 2]), 13),
        (Margins([1, 1, 1, 1], [2, 2]), 4),
    ],
    ids=repr,
)
@pytest.mark.parametrize("index", [PAIR_SUM, TABLE_PAIR_SUM], ids=repr)
def test_degenerate_margins(index, margins, T):
    observed = T - margins.n if index is PAIR_SUM else T
    few = {"rng": 1, "n_tables": 20, "replicates": 2}
    for alternative in ("greater", "less"):
        estimate = split_p_value(index, margins, observed, alternative=alternative, **few)
        assert (estimate.p_value, estimate.relative_error, estimate.upper_bound) == (1.0, 0.0, False)
    beyond = split_p_value(index, margins, observed + 2, **few)
    assert (beyond.p_value, beyond.upper_bound) == (1.0, True)


@pytest.mark.heavy
def test_undefined_values():
    few = {"rng": 1, "n_tables": 20, "replicates": 3}
    for estimate in (
        split_p_value("rand", SMALL, math.nan, **few),
        split_p_value("fowlkes_mallows", Margins([1, 1], [2]), 0.5, **few),
    ):
        assert math.isnan(estimate.p_value)
        assert math.isnan(estimate.relative_error)
        assert math.isnan(estimate.log10_p_value)
        assert np.isnan(estimate.replicates).all()
        assert not estimate.upper_bound
    assert split_p_value("rand", SMALL, -math.inf, **few).p_value == 1.0
    assert split_p_value("rand", SMALL, math.inf, **few, most_moves=20_000).upper_bound


def hollow(table, row_totals, column_totals):
    if table[0, 0] == 5 and table[1, 0] == 1 and table[1, 1] == 3:
        return math.nan  # one of the two tables of T = 44: 1 in 4,620
    total = 0.0
    for i in range(3):
        for j in range(3):
            total += table[i, j] ** 2
    return total


@pytest.mark.heavy
def test_nan_met_on_the_way_ranks_below():
    index = Index(name="hollow", function=hollow, needs="table")
    law = [(table, p) for table, p in SMALL_LAW if table != ((5, 0, 0), (1, 3, 0), (0, 0, 3))]
    assert sum(p for _, p in law) == 1 - Fraction(1, 4620)
    estimate = split_p_value(index, SMALL, 44.0, rng=7, n_tables=100)  # no initial table is that one
    check_near(estimate, exact_p(law, pair_sum, 44))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_tables": 1}, "`n_tables` must be at least 2; got 1"),
        ({"steps": 0}, "`steps` must be at least 1; got 0"),
    ],
)
def test_refused_arguments(given, message):
    with pytest.raises(ValueError, match=message):
        split_p_value("rand", SMALL, 0.5, **given)


def test_wrong_moves_are_found_out(monkeypatch):
    """Negative control: tables that never move give a p-value far off, or none."""
    monkeypatch.setattr(splitting.kernels, "move_tables", lambda *args: None)
    estimate = split_p_value(PAIR_SUM, Margins(*BALANCED), 78_302 - 800, rng=11)
    assert estimate.upper_bound
