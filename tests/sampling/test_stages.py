"""The three stages of a table: whichever clusters are dealt object by object, its law is the same."""

import dataclasses
import itertools

import numpy as np
import pytest

from chancecorr.sampling.permutation import draw_pair_sums, draw_tables
from chancecorr.tables.contingency import Margins
from tests.naive import law_of_tables
from tests.sampling.fits import COMPILED, fit_of_draws, fit_of_tables, hypergeometric_law, plan

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(1981)
M = 10_000 if COMPILED else 100


def with_small(margins, small_rows, small_columns):
    """Sampler that deals so many of the rows and columns of work object by object, and draws the others."""
    sampler = plan(margins, "conditional")
    order = sampler.order._replace(small_rows=small_rows, small_columns=small_columns)
    return dataclasses.replace(sampler, order=order)


def choices(margins):
    """Every number of small rows and columns; with all rows but one small there is no second stage."""
    order = plan(margins, "conditional").order
    K, Q = order.rows.size, order.columns.size
    return [*itertools.product(range(K - 1), range(Q)), (K - 1, 0)]


def draw(sampler, m, first=0, work=None):
    out = np.empty((m, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, SEED, first, out, work)
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


# Chance that one of these 90 tests fails for a right sampler: 90 * 1e-6.
@pytest.mark.parametrize(("rows_columns", "choice"), CASES, ids=str)
def test_law_equals_enumeration(rows_columns, choice, record_property):
    sampler = with_small(Margins(*rows_columns), *choice)
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
    Margins([40_000, 20, 60_000], [50, 30, 50_000, 49_940]),  # labels of 32 bits
][: 4 if COMPILED else 3]


@pytest.mark.heavy
@pytest.mark.parametrize("margins", LARGER, ids=lambda margins: str(margins.n))
def test_every_choice_keeps_the_margins_and_each_cell_its_law(margins):
    m = 400 if COMPILED else 2
    pairs = itertools.product(margins.row_totals.tolist(), margins.column_totals.tolist())
    laws = [hypergeometric_law(margins.n, *pair) for pair in pairs]
    for choice in choices(margins):
        sampler = with_small(margins, *choice)
        tables = draw(sampler, m)
        assert (tables >= 0).all()
        assert (tables.sum(axis=2) == margins.row_totals).all()
        assert (tables.sum(axis=1) == margins.column_totals).all()
        # One p-value in 1e6 is below 1e-6; here are 250.
        for law, cells in zip(laws, tables.reshape(m, -1).T, strict=True):
            assert fit_of_draws(cells, law) > 1e-6
