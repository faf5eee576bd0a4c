"""Rows that are dealt object by object and rows that are drawn: whichever are, the law is the same."""

import dataclasses
import itertools

import numpy as np
import pytest

from chancecorr import Margins
from chancecorr.sampling import permutation
from chancecorr.sampling.permutation import draw_listed_tables, draw_pair_sums, draw_tables, plan_sampler
from tests.naive import law_of_tables
from tests.sampling.fits import COMPILED, fit_of_draws, fit_of_tables, hypergeometric_law, plan

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(1981)
M = 10_000 if COMPILED else 100


def deal(margins, dealt_rows):
    """Sampler that deals so many of the rows of work."""
    sampler = plan(margins, "conditional")
    arrangement = sampler.arrangement._replace(dealt_rows=np.array([dealt_rows]))
    return dataclasses.replace(sampler, arrangement=arrangement)


def choices(margins):
    return range(plan(margins, "conditional").arrangement.shape[0])


def draw(sampler, m, first=0):
    out = np.empty((m, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, SEED, first, out)
    return out


ENUMERATED = [
    ((5, 4, 3), (6, 3, 3)),
    ((6, 3, 3), (5, 7)),  # the largest total is one of a column
    ((2, 2, 2, 1, 1), (3, 2, 2, 1)),
    ((4, 3, 2, 1), (5, 3, 2)),
    ((5, 0, 5), (4, 0, 6)),
    ((1, 1, 9), (2, 2, 7)),
]
CASES = [(margins, choice) for margins in ENUMERATED for choice in choices(Margins(*margins))]


# Chance that one of these 20 tests fails for a right sampler: 20 * 1e-6.
@pytest.mark.parametrize(("rows_columns", "dealt_rows"), CASES, ids=str)
def test_law_equals_enumeration(rows_columns, dealt_rows, record_property):
    sampler = deal(Margins(*rows_columns), dealt_rows)
    tables = draw(sampler, M)
    p = fit_of_tables(tables, law_of_tables(*rows_columns))
    record_property("tables", len(tables))
    record_property("least_p", p)
    assert p > 1e-6
    assert (draw_pair_sums(sampler, SEED, 0, 40) == (tables[:40] ** 2).sum(axis=(1, 2))).all()


LARGER = [
    Margins([3, 40, 7, 700, 250], [5, 5, 490, 500]),
    Margins([2] * 8 + [5000, 3000], [1, 9, 2000, 6006]),
    Margins([30] * 5, [150]),
    Margins([40_000, 20, 60_000], [50, 30, 50_000, 49_940]),
    Margins([20, 30, 100_000], [25, 40_000, 60_025]),
][: 5 if COMPILED else 3]


@pytest.mark.slow
@pytest.mark.parametrize("margins", LARGER, ids=lambda margins: str(margins.n))
def test_every_choice_keeps_the_margins_and_each_cell_its_law(margins):
    m = 400 if COMPILED else 2
    pairs = itertools.product(margins.row_totals.tolist(), margins.column_totals.tolist())
    laws = [hypergeometric_law(margins.n, *pair) for pair in pairs]
    for dealt_rows in choices(margins):
        tables = draw(deal(margins, dealt_rows), m)
        assert (tables >= 0).all()
        assert (tables.sum(axis=2) == margins.row_totals).all()
        assert (tables.sum(axis=1) == margins.column_totals).all()
        # One p-value in 1e6 is below 1e-6; here are 250.
        for law, cells in zip(laws, tables.reshape(m, -1).T, strict=True):
            assert fit_of_draws(cells, law) > 1e-6


@pytest.mark.parametrize("dealt_rows", [0, 1, 2], ids=lambda rows: f"{rows} rows dealt")
@pytest.mark.parametrize("rows", [[3, 4, 5], [3, 400, 8000]], ids=["deck copied", "deck repaired"])
def test_a_table_hangs_on_its_number_alone(rows, dealt_rows):
    sampler = deal(Margins(rows, rows[::-1]), dealt_rows)
    m = 60 if COMPILED else 8
    whole = draw(sampler, m, first=12_345)
    for begin, end in itertools.pairwise([0, 1, 3, m // 2, m]):
        assert (draw(sampler, end - begin, first=12_345 + begin) == whole[begin:end]).all()


def test_a_negative_control_a_deck_that_is_not_put_back_shows(monkeypatch):
    kept = permutation.kernels.draw_tables
    where = {name: getattr(value, "plain", value) for name, value in vars(permutation.kernels).items()}
    wrong = type(draw)(kept.py_func.__code__, where | {"restore_deck": lambda *_: None})
    sampler = deal(Margins([3, 4, 5], [4, 4, 4]), 2)
    right = draw(sampler, 6)
    monkeypatch.setattr(permutation.kernels, "draw_tables", wrong)
    with np.errstate(all="ignore"):
        assert (draw(sampler, 1) == right[:1]).all()
        assert (draw(sampler, 6) != right).any()


class TestChoice:
    def test_rows_are_dealt_where_their_objects_take_less_than_their_cells(self):
        assert plan_sampler(Margins([100] * 10, [100] * 10)).arrangement.dealt_rows == [9]
        assert plan_sampler(Margins([10_000] * 10, [10_000] * 10)).arrangement.dealt_rows == [0]
        assert plan_sampler(Margins([50, 60, 20_000], [5] * 4022)).arrangement.dealt_rows == [2]

    def test_none_is_dealt_where_a_deck_would_take_longer_or_much_memory(self):
        assert plan_sampler(Margins([2, 10**6], [10**6, 2])).arrangement.dealt_rows == [0]
        assert plan_sampler(Margins([2**26, 1], [2**26, 1])).arrangement.dealt_rows == [0]

    def test_sparse_tables_are_dealt_whole(self):
        sampler = plan_sampler(Margins([1] * 60 + [90], [1] * 60 + [90]))
        assert sampler.sparse
        assert sampler.arrangement.dealt_rows == [60]


@pytest.mark.parametrize(
    "margins",
    [
        Margins([1] * 30 + [30], [1] * 30 + [30]),
        Margins([2, 0, 3] * 9, [1] * 45),
        Margins([1] * 20, [2] * 10),
        Margins([5] * 60, [6] * 50),
    ],
    ids=repr,
)
def test_listed_cells_are_those_of_the_tables(margins):
    sampler = plan_sampler(margins)
    m = 20 if COMPILED else 3
    tables = draw(sampler, m, first=3)
    for part, listed in draw_listed_tables(sampler, SEED, 3, m):
        for t, (start, end) in enumerate(itertools.pairwise(listed.ends)):
            rebuilt = np.zeros(sampler.shape, dtype=np.int64)
            np.add.at(rebuilt, (listed.rows[start:end], listed.columns[start:end]), listed.counts[start:end])
            assert (listed.counts[start:end] > 0).all()
            assert (rebuilt == tables[part.start + t]).all()
    assert (draw_pair_sums(sampler, SEED, 3, m) == (tables**2).sum(axis=(1, 2))).all()


@pytest.mark.slow
def test_three_billion_objects():
    n, small = 3_037_000_499, 200_000
    margins = Margins([small, n - small], [30_000, 45_000, n - 75_000])
    tables = draw(plan_sampler(margins), 200 if COMPILED else 2)
    assert (tables.sum(axis=2) == margins.row_totals).all()
    assert (tables.sum(axis=1) == margins.column_totals).all()
    for i, j in itertools.product(range(2), range(3)):
        law = hypergeometric_law(n, int(margins.row_totals[i]), int(margins.column_totals[j]))
        assert fit_of_draws(tables[:, i, j], law) > 1e-6
