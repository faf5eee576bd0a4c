"""Multilevel splitting: reversible moves, p-values against enumerated and exact laws, bits, bounds."""

import functools
import math
import types
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.enumeration import compute_pair_sum_law
from chancecorr.exact.kernels.hypergeometric import NO_TABLE, log_factorials
from chancecorr.machine.kernel import Kernel
from chancecorr.sampling import splitting
from chancecorr.sampling.kernels.streams import open_stream
from chancecorr.sampling.splitting import NO_LEVEL, move_tables, split
from tests.naive import law_of_tables, pair_sum
from tests.sampling.fits import fit_of_tables
from tests.shares import small_and_full
from tests.tails import split_index

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(20_140_106)
WIDTH = splitting.INTERVAL_FACTOR * splitting.T_QUANTILES[10]
"""Standard errors in the stated one, of ten replicates."""
BALANCED = cc.Margins([240, 240, 320], [240, 240, 320])

BENT = cc.indices.Index(name="bent", function=lambda a, b, c, d: np.abs(2 * a - 12), needs="pairs")


def largest_cell(table, row_totals, column_totals):
    return float(np.max(table))


def sum_of_squares(table, row_totals, column_totals):
    return float(np.sum(table**2))


LARGEST_CELL = cc.indices.Index(name="largest_cell", function=largest_cell, needs="table")
TABLE_PAIR_SUM = cc.indices.Index(name="table_pair_sum", function=sum_of_squares, needs="table")
X_LOG_X = cc.indices.Index(name="x_log_x", function=lambda x, row, column, n: x * math.log(x), needs="cells")


def workspace(margins, m, seed=SEED):
    words = np.array([open_stream(seed, 1 << 62)], dtype=np.uint64)
    places = (np.flatnonzero(margins.row_totals), np.flatnonzero(margins.column_totals))
    return cc.sample_tables(margins, m, rng=3), (*places, log_factorials(margins.n)), words


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


@pytest.mark.parametrize(
    "margins",
    [
        cc.Margins([5, 4, 3], [6, 3, 3]),
        cc.Margins([3, 0, 3], [2, 0, 4]),
        cc.Margins([1] * 8, [3, 5]),
        cc.Margins([240, 240, 320], [100, 700]),
        cc.Margins([10**6, 2 * 10**6], [1, 3 * 10**6 - 1]),
    ],
    ids=repr,
)
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


class Follower:
    """Random draws of a move, each time along another path until all have been taken."""

    def __init__(self):
        self.paths, self.path, self.place = [()], (), 0
        self.share = 1.0  # of this path, times the probability of acceptance

    def draw_below(self, bound, half, stream):
        bound = int(bound)
        if self.place == len(self.path):
            self.paths += [(*self.path, value) for value in range(1, bound)]
            self.path = (*self.path, 0)
        self.place, self.share = self.place + 1, self.share / bound
        return np.uint64(self.path[self.place - 1]), half, stream

    def draw_uniform(self, stream):
        return self, stream

    def __gt__(self, gain):
        """Accept, which `log u > gain` is not, with this probability."""
        self.share *= math.exp(min(gain, 0.0))
        return False


def follow_moves(table, level, **errors):
    """Probability of each table to which a move leads, by following every draw of it."""
    follower, reached = Follower(), {}
    named = vars(splitting).items()
    where = {name: value.plain if isinstance(value, Kernel) else value for name, value in named}
    where |= {"draw_below": follower.draw_below, "draw_uniform": follower.draw_uniform}
    where["math"] = types.SimpleNamespace(log=lambda u: u)
    where |= errors
    for name in ("draw_pair", "move_four_cells"):
        where[name] = types.FunctionType(getattr(splitting, name).py_func.__code__, where)
    places = np.arange(len(table)), np.arange(len(table[0]))
    factorials = log_factorials(sum(map(sum, table)))
    while follower.paths:
        follower.path, follower.place, follower.share = follower.paths.pop(), 0, 1.0
        moved = np.array(table)
        T, _ = where["move_four_cells"](1, level, *places, factorials, moved, pair_sum(table), None)
        assert (moved >= 0).all()
        assert (moved**2).sum() == T
        end = tuple(map(tuple, moved.tolist()))
        if end != table:
            reached[end] = reached.get(end, 0.0) + follower.share
    return reached


def find_imbalance(law, level, **errors):
    """Largest share by which moves from a table to another and back differ, and the tables reached in all."""
    flows = {}
    for table, p in law:
        for other, share in follow_moves(table, level, **errors).items():
            flows[table, other] = float(p) * share
    ends = {other for _, other in flows}
    return max(abs(flows[x, y] / flows.get((y, x), math.inf) - 1.0) for x, y in flows), ends


@pytest.mark.parametrize(
    ("rows", "columns", "level"),
    [((4, 3), (3, 2, 2), NO_LEVEL), ((3, 2, 2), (3, 2, 2), 15), ((9, 7), (8, 8), 66)],
)
def test_moves_are_reversible(rows, columns, level):
    """Detailed balance between all pairs of tables above a level; without a level, all are reached."""
    law = [(table, p) for table, p in law_of_tables(rows, columns) if pair_sum(table) > level]
    imbalance, ends = find_imbalance(law, level)
    assert imbalance < 1e-9
    assert ends <= {table for table, _ in law}
    assert len(ends) == len(law) or level != NO_LEVEL


def test_moves_that_are_not_reversible_are_found():
    """Negative controls: every step accepted; pairs of rows, or of columns, that are not equally likely."""
    law = law_of_tables((4, 3), (3, 2, 2))
    assert find_imbalance(law, NO_LEVEL, log_weight=lambda *_: 0.0)[0] > 0.1
    upwards = {"low_end": lambda population, good, draws: max(1, draws + good - population)}
    assert find_imbalance(law, NO_LEVEL, **upwards)[0] > 0.1


def after_moves(margins, m, steps, start, level=NO_LEVEL, with_table=True):
    """Tables after `steps` moves from one fixed table, the furthest from chance."""
    _, plan, words = workspace(margins, 1)
    tables = np.repeat(start[np.newaxis], m, axis=0)
    values = np.einsum("tij,tij->t", tables, tables)
    plan = plan if with_table else (*plan[:2], NO_TABLE)
    move_tables(1, level, steps, *plan, tables, values, words)
    return tables


@pytest.mark.parametrize("with_table", [True, False])
@pytest.mark.parametrize("level", [NO_LEVEL, 32])
@pytest.mark.slow
@pytest.mark.parametrize("m", small_and_full(1_200, 5_000))
def test_moves_have_the_null_law(level, with_table, m):
    """Chi-square against enumeration, also above the level; a false alarm has 1e-6 each."""
    rows, columns, start = (7, 5, 2), (6, 4, 4), np.array([[6, 1, 0], [0, 3, 2], [0, 0, 2]])
    law = [(table, p) for table, p in law_of_tables(rows, columns) if pair_sum(table) > level]
    mass = sum(p for _, p in law)
    law = [(table, p / mass) for table, p in law]
    margins = cc.Margins(rows, columns)
    assert fit_of_tables(after_moves(margins, m, 200, start, level, with_table), law) > 1e-6
    if level == NO_LEVEL and with_table:  # negative control: too few moves from one table
        assert fit_of_tables(after_moves(margins, m, 1, start), law) < 1e-12


@pytest.mark.parametrize("survivors", [1, 34, 100, 250])
def test_survivors_have_equally_many_copies(survivors):
    population = types.SimpleNamespace(
        rng=np.random.default_rng(1), values=np.zeros(100, dtype=np.int64), tables=np.zeros((100, 3, 3))
    )
    tables = np.arange(survivors).repeat(9).reshape(-1, 3, 3)
    splitting.Population.replace(population, tables[:, 0, 0], tables)
    assert (population.tables == population.values[:, np.newaxis, np.newaxis]).all()
    copies = np.bincount(population.values, minlength=survivors)
    assert copies.max() - copies.min() <= 1
    assert survivors == 1 or (population.values[:survivors] != np.arange(survivors)[:100]).any()


SPLITS = [split, functools.partial(split_index, TABLE_PAIR_SUM)]
"""By T, and as any index."""

SMALL = cc.Margins([5, 4, 3], [6, 3, 3])
SMALL_LAW = law_of_tables(SMALL.row_totals, SMALL.column_totals)


@pytest.mark.slow
@pytest.mark.parametrize("splits", SPLITS)
@pytest.mark.parametrize("m", small_and_full(120, 1000))
def test_enumerated_law_of_the_pair_sum(splits, m):
    for T, side in [(20, "less"), (22, "less"), *((T, "greater") for T in (20, 30, 36, 44))]:
        estimate = splits(SMALL, T, side, rng=T, n_tables=m)
        check_near(estimate, exact_p(SMALL_LAW, pair_sum, T, less=side == "less"), floor=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("m", small_and_full(80, 500))
def test_enumerated_law_of_a_sum_over_cells(m):
    def value(table):
        return sum(x * math.log(x) for row in table for x in row if x)

    observed = max(value(table) for table, _ in SMALL_LAW)
    exact = exact_p(SMALL_LAW, value, observed - 1e-9)
    tie_by_rounding = observed * (1.0 + 1e-15)
    check_near(split_index(X_LOG_X, SMALL, tie_by_rounding, rng=2, n_tables=m), exact)


@pytest.mark.slow
def test_pair_index_that_bends():
    either = exact_p(SMALL_LAW, lambda t: abs(pair_sum(t) - 24), 4)
    check_near(split_index(BENT, SMALL, 4.0, rng=3), either)
    between = exact_p(SMALL_LAW, lambda t: abs(pair_sum(t) - 24), 2, less=True)
    check_near(split_index(BENT, SMALL, 2.0, "less", rng=3), between)


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
@pytest.mark.slow
def test_stated_errors_cover_the_enumerated_tail(totals, p):
    """Four seeds each: no error beyond 2.5 times the stated one (Student's t with 9 df: 3e-4), few beyond it.

    The levels' bias, over 50 replicates, is below 4.5 standard errors.
    """
    margins = cc.Margins(*totals)
    T, exact = tail_at(compute_pair_sum_law(margins, budget=30.0), p)
    found = [split(margins, T, rng=seed, n_tables=100) for seed in range(4)]
    off = np.array([abs(one.p_value / exact - 1.0) for one in found])
    stated = np.array([one.relative_error * one.p_value / exact for one in found])
    assert (off < 2.5 * stated).all()
    assert (off < stated).sum() >= 2
    ratios = 10.0 ** (np.concatenate([one.replicates for one in found]) - math.log10(exact))
    assert abs(ratios.mean() - 1.0) < 4.5 * ratios.std(ddof=1) / math.sqrt(ratios.size)


@pytest.mark.slow
def test_same_seed_same_bits():
    calls = [
        split(BALANCED, 77_000, rng=rng, n_tables=100, replicates=r)
        for rng, r in ((1, 4), (1, 4), (1, 3), (2, 4))
    ]
    assert (calls[0].replicates == calls[1].replicates).all()
    assert (calls[0].replicates[:3] == calls[2].replicates).all()
    assert (calls[0].replicates != calls[3].replicates).all()
    assert len(set(calls[0].replicates)) == 4
    tables = [split_index(LARGEST_CELL, SMALL, 5, rng=7, n_tables=50, replicates=3) for _ in range(2)]
    assert (tables[0].replicates == tables[1].replicates).all()


@pytest.mark.slow
def test_bound_where_nothing_is_attainable():
    estimate = split(SMALL, 112, rng=1, n_tables=1000, replicates=4)
    assert estimate.upper_bound is True
    assert estimate.relative_error == math.inf
    assert 0.0 < estimate.p_value == pytest.approx(1 / 2310, rel=0.5)  # that of T = 44, the largest
    less = split_index(LARGEST_CELL, SMALL, 0.0, "less", rng=1, n_tables=50, replicates=2)
    assert less.upper_bound
    assert less.p_value > 0.0


def test_moves_are_limited():
    estimate = split(BALANCED, 78_302, rng=11, most_moves=100_000)
    assert estimate.upper_bound
    assert 1e-8 < estimate.p_value < 1.0  # the exact one is just below 1e-8


def test_underflow_keeps_the_logarithm():
    found = splitting.estimate_of(np.array([-1000.0, -1001.0]))
    assert found.p_value == 0.0
    assert found.log10_p_value == pytest.approx((math.log((1 + math.exp(-1)) / 2) - 1000) / math.log(10))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("margins", "T"),
    [
        (cc.Margins([], []), 0),
        (cc.Margins([1], [1]), 1),
        (cc.Margins([5], [5]), 25),
        (cc.Margins([5], [3, 2]), 13),
        (cc.Margins([0, 5, 0], [3, 0, 2]), 13),
        (cc.Margins([1, 1, 1, 1], [2, 2]), 4),
    ],
    ids=repr,
)
@pytest.mark.parametrize("splits", SPLITS)
def test_degenerate_margins(splits, margins, T):
    few = {"rng": 1, "n_tables": 20, "replicates": 2}
    for side in ("greater", "less"):
        estimate = splits(margins, T, side, **few)
        assert (estimate.p_value, estimate.relative_error, estimate.upper_bound) == (1.0, 0.0, False)
    beyond = splits(margins, T + 2, **few)
    assert (beyond.p_value, beyond.upper_bound) == (1.0, True)


@pytest.mark.slow
def test_undefined_values():
    few = {"rng": 1, "n_tables": 20, "replicates": 3}
    for estimate in (
        split(SMALL, math.nan, **few),
        split_index("fowlkes_mallows", cc.Margins([1, 1], [2]), 0.5, **few),
    ):
        numbers = [estimate.p_value, estimate.relative_error, estimate.log10_p_value, *estimate.replicates]
        assert np.isnan(numbers).all()
        assert not estimate.upper_bound
    assert split(SMALL, -math.inf, **few).p_value == 1.0
    assert split(SMALL, math.inf, **few, most_moves=20_000).upper_bound


def hollow(table, row_totals, column_totals):
    if table[0, 0] == 5 and table[1, 0] == 1 and table[1, 1] == 3:
        return math.nan  # one of the two tables of T = 44: 1 in 4,620
    return float(np.sum(table**2))


@pytest.mark.slow
def test_nan_met_on_the_way_ranks_below():
    index = cc.indices.Index(name="hollow", function=hollow, needs="table")
    law = [(table, p) for table, p in SMALL_LAW if table != ((5, 0, 0), (1, 3, 0), (0, 0, 3))]
    assert sum(p for _, p in law) == 1 - Fraction(1, 4620)
    estimate = split_index(index, SMALL, 44.0, rng=7, n_tables=200)  # no initial table is that one
    check_near(estimate, exact_p(law, pair_sum, 44))


def test_wrong_moves_are_found_out(monkeypatch):
    """Negative control: tables that never move give a p-value far off, or none."""
    monkeypatch.setattr(splitting, "move_tables", lambda *args: None)
    assert split(BALANCED, 78_302, rng=11).upper_bound
