"""Matchings of listed cells against the kernels, which lay the table out."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

import chancecorr as cc
from chancecorr.indices.entry import find_heaviest_matching
from chancecorr.indices.matchings import find_assignment_value, find_listed_matching


def tables(seed):
    """Small tables with many ties, and with empty rows and columns."""
    rng = np.random.default_rng(seed)
    for _ in range(150):
        shape = rng.integers(1, 9, size=2)
        yield rng.integers(0, rng.integers(2, 5), shape) * (rng.random(shape) < rng.uniform(0.2, 1))


def listed(table):
    rows, columns = np.nonzero(table)
    return rows, columns, table[rows, columns]


@pytest.mark.parametrize("seed", range(3))
def test_the_heaviest(seed):
    for table in tables(seed):
        assert find_heaviest_matching(*listed(table), *table.shape) == find_assignment_value(table)
        shares = table / np.maximum(table.sum(axis=1), 1)[:, np.newaxis]
        found = find_heaviest_matching(*listed(shares), *table.shape)
        assert found == pytest.approx(find_assignment_value(shares), rel=1e-14)


@pytest.mark.parametrize("shape", [(300, 300), (200, 350), (400, 20)])
def test_the_heaviest_of_many_cells(shape):
    rng = np.random.default_rng(5)
    for mean in (0.005, 0.03, 0.3):
        table = rng.poisson(mean, shape)
        row_totals, column_totals = (np.maximum(table.sum(axis=axis), 1) for axis in (1, 0))
        larger = np.maximum(row_totals[:, np.newaxis], column_totals)
        for weights in (table, table / row_totals[:, np.newaxis], table / larger, table * rng.random(shape)):
            expected = weights[linear_sum_assignment(weights, maximize=True)].sum()
            assert find_heaviest_matching(*listed(weights), *shape) == pytest.approx(expected, rel=1e-13)


def test_no_cells():
    nothing = np.array([], dtype=np.int64)
    assert find_heaviest_matching(nothing, nothing, nothing, 3, 0) == 0.0


LISTED = [entry for entry in map(cc.get_index, cc.list_indices()) if entry.from_cells is not None]


def test_the_order_of_cells_does_not_matter():
    rng = np.random.default_rng(8)
    for table in tables(4):
        cells = listed(table)
        order = rng.permutation(cells[0].size)
        totals = table.sum(axis=1), table.sum(axis=0)
        for index in LISTED:
            value = index.from_cells(*cells, *totals)
            shuffled = index.from_cells(*(part[order] for part in cells), *totals)
            assert shuffled == pytest.approx(value, rel=1e-12, abs=1e-13, nan_ok=True), (index.name, table)


def test_cells_that_are_not_row_by_row_end_the_kernel():
    starts, rows, columns = np.array([0, 2, 4]), np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    with pytest.raises(ValueError, match="ascending"):
        find_listed_matching(starts, rows, columns, np.array([3.0, 2.0, 2.0, 0.5]), 2)


def test_thousands_of_clusters_of_random_sizes():
    rng = np.random.default_rng(0)
    truth, found = rng.integers(0, 2100, 8000), rng.integers(0, 2100, 8000)  # K Q > 4,000,000, 4 n < K Q
    names = [index.name for index in LISTED]
    scores = cc.adjust(truth, found, names, n_tables=2, method="monte-carlo", rng=1)
    tables = [csr_array(table) for table in cc.sample_tables(cc.contingency_table(truth, found), 2, rng=1)]
    for name in names:
        values = [cc.score_table(cc.ContingencyTable(table), name) for table in tables]
        assert scores[name].expected == pytest.approx(np.mean(values), rel=1e-12), name
