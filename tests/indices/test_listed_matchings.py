"""Matchings of listed cells against the kernels, which lay the table out."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from chancecorr.indices.kernels.assignment import assignment_value
from chancecorr.indices.kernels.bipartite import matching_size
from chancecorr.indices.kernels.greedy import greedy_value
from chancecorr.indices.kernels.listed_bipartite import enlarge
from chancecorr.indices.listed_matchings import _starts, heaviest_matching, rank_maximal_sum


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
        assert heaviest_matching(*listed(table), *table.shape) == assignment_value(table)
        shares = table / np.maximum(table.sum(axis=1), 1)[:, np.newaxis]
        found = heaviest_matching(*listed(shares), *table.shape)
        assert found == pytest.approx(assignment_value(shares), rel=1e-14)


@pytest.mark.parametrize("weigh", ["counts", "shares of rows", "shares of the larger", "any"])
@pytest.mark.parametrize("shape", [(300, 300), (200, 350), (350, 200), (400, 20)])
def test_the_heaviest_of_many_cells(shape, weigh):
    rng = np.random.default_rng(5)
    for mean in (0.005, 0.03, 0.3):
        table = rng.poisson(mean, shape)
        row_totals, column_totals = (np.maximum(table.sum(axis=axis), 1) for axis in (1, 0))
        weights = {
            "counts": table,
            "shares of rows": table / row_totals[:, np.newaxis],
            "shares of the larger": table / np.maximum(row_totals[:, np.newaxis], column_totals),
            "any": table * rng.random(shape),
        }[weigh]
        expected = weights[linear_sum_assignment(weights, maximize=True)].sum()
        assert heaviest_matching(*listed(weights), *shape) == pytest.approx(expected, rel=1e-13)


def test_no_cells():
    nothing = np.array([], dtype=np.int64)
    assert heaviest_matching(nothing, nothing, nothing, 3, 0) == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_the_greedy_one(seed):
    for table in tables(seed):
        assert rank_maximal_sum(*listed(table), *table.shape) == greedy_value(table)


def test_the_greedy_one_is_not_the_heaviest():
    """3, 2, 2 against 3, 3: what a maximum matching at each value alone would miss."""
    table = np.array([[1, 0, 3, 3], [0, 0, 2, 1], [2, 2, 0, 3]])
    assert rank_maximal_sum(*listed(table), 3, 4) == greedy_value(table) == 6
    assert heaviest_matching(*listed(table), 3, 4) == 7


@pytest.mark.parametrize("seed", range(3))
def test_the_largest(seed):
    for table in tables(seed):
        rows, columns, _ = listed(table)
        column_of, row_of = np.full(table.shape[0], -1), np.full(table.shape[1], -1)
        enlarge(_starts(rows, table.shape[0]), columns, column_of, row_of)
        matched = np.flatnonzero(column_of >= 0)
        assert matched.size == matching_size(table > 0)
        assert (row_of[column_of[matched]] == matched).all()
        assert (table[matched, column_of[matched]] > 0).all()
