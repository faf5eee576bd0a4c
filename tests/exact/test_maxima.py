"""Mean of the largest cells of rows and columns: against all tables, against the permutations of labels."""

import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact import maxima
from chancecorr.exact.maxima import compute_mean_maxima, compute_mean_maximum, compute_mean_of_maxima
from tests.naive import SMALL_MARGINS, law_of_tables

OF_MAXIMA = [name for name in cc.list_indices() if cc.get_index(name).of_maxima]
LINES = ["purity", "inverse_purity", "van_dongen", "goodman_kruskal_lambda", "goodman_kruskal_lambda_1"]


def enumerate_means(rows, columns):
    law = [(np.array(table), float(p)) for table, p in law_of_tables(rows, columns)]
    return [math.fsum(p * table.max(axis=axis).sum() for table, p in law) for axis in (1, 0)]


@pytest.mark.parametrize("rows_columns", [x for x in SMALL_MARGINS if sum(x[0])], ids=str)
def test_both_sums_equal_the_enumeration(rows_columns):
    assert compute_mean_maxima(cc.Margins(*rows_columns)) == pytest.approx(
        enumerate_means(*rows_columns), rel=1e-12
    )


@pytest.mark.parametrize("name", OF_MAXIMA)
def test_the_mean_of_an_index_is_exact_or_not_given(name):
    index, given = cc.get_index(name), 0
    for rows, columns in ([5, 4, 3], [6, 3, 3]), ([4, 2], [2, 2, 2]), ([3, 0, 4], [1, 1, 5]):
        mean = compute_mean_of_maxima(index, cc.Margins(rows, columns))
        law = law_of_tables(rows, columns)
        exact = math.fsum(float(p) * cc.score_table(np.array(table), name) for table, p in law)
        given += mean is not None
        assert mean is None or mean == pytest.approx(exact, rel=1e-12)
    assert given == 3 or name not in LINES


def test_no_index_that_bends_has_a_mean():
    bent = [
        name
        for name in OF_MAXIMA
        if compute_mean_of_maxima(cc.get_index(name), cc.Margins([5, 4], [6, 3])) is None
    ]
    assert bent
    assert not set(bent) & set(LINES)


def test_equal_columns_and_one_object_and_one_cluster():
    assert compute_mean_maximum(1, np.array([3, 4, 5]), 12) == 1.0
    assert compute_mean_maximum(12, np.array([3, 4, 5]), 12) == 5.0
    assert compute_mean_maximum(7, np.array([12]), 12) == 7.0
    # two objects of 2k of which k are alike: they are alike with probability (k - 1) / (2 k - 1)
    assert compute_mean_maximum(2, np.array([50, 50]), 100) == pytest.approx(1.0 + 49 / 99, rel=1e-13)


def test_sums_that_cannot_vary_are_whole():
    assert compute_mean_maxima(cc.Margins([1000, 300, 700], [1500, 400, 100]))[0] == 1500.0
    assert cc.adjust_table([[900, 60, 40], [200, 80, 20], [400, 260, 40]], "inverse_purity").adjusted == 0.0


@pytest.mark.parametrize(("rows", "columns"), [([400] * 5, [100] * 20), ([999, 1001], [700, 600, 700])])
def test_more_roots_of_unity_change_nothing(rows, columns, monkeypatch):
    margins = cc.Margins(rows, columns)
    usual = compute_mean_maxima(margins)
    compute_mean_maxima.cache_clear()
    monkeypatch.setattr(maxima, "STDS_OF_A_SUM", 25.0)
    monkeypatch.setattr(maxima, "MOST_POINTS", 2_000)  # a few at a time
    assert compute_mean_maxima(margins) == pytest.approx(usual, rel=1e-12)
    compute_mean_maxima.cache_clear()


# Chance that it fails for a right mean: 6e-6.
@pytest.mark.parametrize(("rows", "columns"), [([80] * 10, [80] * 10), ([500] * 4, [600, 700, 700])])
def test_the_mean_is_that_of_many_tables(rows, columns):
    tables = cc.sample_tables(cc.Margins(rows, columns), 20_000, rng=3)
    for axis, mean in zip((2, 1), compute_mean_maxima(cc.Margins(rows, columns)), strict=True):
        sums = tables.max(axis=axis).sum(axis=1)
        assert abs(sums.mean() - mean) < 4.5 * sums.std() / math.sqrt(sums.size)


def test_adjust_takes_it_and_the_published_method_does_not():
    table = [[20, 5, 1], [3, 15, 9], [2, 7, 30]]
    exact = cc.adjust_table(table, "purity", rng=1)
    drawn = cc.adjust_table(table, "purity", rng=1, method="monte-carlo")
    assert exact.expected == compute_mean_of_maxima(
        cc.get_index("purity"), cc.ContingencyTable(np.array(table)).margins
    )
    assert cc.adjust_table(table, "purity", method="analytic").expected == exact.expected
    assert 0.0 < abs(drawn.expected - exact.expected) < 4.5 * drawn.std / math.sqrt(drawn.null.n_tables)
