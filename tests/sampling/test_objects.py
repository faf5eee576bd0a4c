"""A deck dealt object by object: uniform without replacement, and in order again afterwards."""

import itertools
from collections import Counter

import numpy as np
import pytest

from chancecorr.sampling.kernels import workspace as objects
from chancecorr.sampling.permutation import draw_listed_tables, draw_pair_sums, draw_tables, make_workspace
from chancecorr.tables.contingency import Margins
from tests.sampling.fits import COMPILED, fit_of_draws, hypergeometric_law, plan

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")  # uncompiled only

SEED = np.uint64(1938)


def deal(totals, places):
    """Labels that objects take by these places."""
    deck = objects.deck_of(np.array(totals, dtype=np.int64), np.uint32)
    left, stored = sum(totals), deck.fresh.size - 1
    numbers = ([place, left - k, stored] for k, place in enumerate(places, start=1))
    return tuple(int(objects.take(deck.labels, *map(np.uint64, three))) for three in numbers)


@pytest.mark.parametrize("totals", [(1, 1, 1, 3), (2, 1, 3), (1, 5), (3, 3), (0, 2, 4), (6,), (2, 2, 2)])
@pytest.mark.parametrize("dealt", [1, 3, 6])
def test_every_arrangement_comes_from_equally_many_places(totals, dealt):
    # All sequences of places, each as likely as any other, against all orders of six labelled objects.
    n = sum(totals)
    places = itertools.product(*(range(n - i) for i in range(dealt)))
    found = Counter(deal(totals, each) for each in places)
    objects_of = np.repeat(np.arange(len(totals)), totals).tolist()
    assert found == Counter(itertools.permutations(objects_of, dealt))


def test_negative_control_a_deck_used_again_without_order_is_not_uniform():
    deck = objects.deck_of(np.array([1, 1, 1, 3]), np.uint32)
    stored = np.uint64(deck.fresh.size - 1)
    first = {int(objects.take(deck.labels, np.uint64(0), np.uint64(5), stored)) for _ in range(20)}
    assert first == {0, 3}  # the label 0 is lost after the first


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([3, 4, 5], [2, 2, 8]),  # copied
        ([3, 4000], [1500, 1500, 1003]),  # repaired
        ([1] * 40, [1] * 40),  # sparse
        ([1] * 30 + [300], [1] * 30 + [300]),
    ],
)
def test_workspaces_are_as_before_once_tables_are_drawn(rows, columns):
    sampler = plan(Margins(rows, columns), "shuffle")
    work = make_workspace(sampler, laid_out=True)
    out, again = (np.empty((40 if COMPILED else 3, *sampler.shape), dtype=np.int64) for _ in range(2))
    draw_tables(sampler, SEED, 3, out, work)
    assert (work.column_deck.labels == work.column_deck.fresh).all()
    assert not work.table.any()
    draw_tables(sampler, SEED, 3, again, work)
    assert (again == out).all()
    assert (draw_pair_sums(sampler, SEED, 3, len(out)) == (out**2).sum(axis=(1, 2))).all()


def cells_in_law(rows, columns, m):
    """Tables of one huge cluster on each side, each other cell against its law."""
    margins = Margins(rows, columns)
    sampler = plan(margins, "shuffle")
    tables = np.empty((m, *sampler.shape), dtype=np.int64)
    draw_tables(sampler, SEED, 0, tables)
    assert (tables.sum(axis=2) == margins.row_totals).all()
    assert (tables.sum(axis=1) == margins.column_totals).all()
    assert (tables >= 0).all()
    for i, j in itertools.product(range(len(rows)), range(len(columns))):
        assert fit_of_draws(tables[:, i, j], hypergeometric_law(margins.n, rows[i], columns[j])) > 1e-6
    return sampler


def test_one_huge_cluster_on_each_side():
    m, huge = (2000, 100_000) if COMPILED else (3, 1000)
    large = 3 * huge // 5 + 25
    cells_in_law([20, 30, huge], [25, 2 * huge // 5, large], m)
    cells_in_law([20, 30, large], [large + 25, 25], m)


@pytest.mark.heavy
def test_three_billion_objects():
    n, small = 3_037_000_499, 200_000 if COMPILED else 500
    sampler = cells_in_law([small, n - small], [30_000, 45_000, n - 75_000], 200 if COMPILED else 2)
    assert make_workspace(sampler).column_deck.fresh.size <= 200_001  # of either side only the other clusters
    listed = next(iter(draw_listed_tables(sampler, SEED, 0, 1)))
    assert listed[2].sum() == n
