"""Matchings of listed cells against the kernels, which lay the table out."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from chancecorr.indices.from_cells import heaviest_matching
from chancecorr.indices.kernels.assignment import assignment_value


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


@pytest.mark.parametrize("shape", [(300, 300), (200, 350), (400, 20)])
def test_the_heaviest_of_many_cells(shape):
    rng = np.random.default_rng(5)
    for mean in (0.005, 0.03, 0.3):
        table = rng.poisson(mean, shape)
        row_totals, column_totals = (np.maximum(table.sum(axis=axis), 1) for axis in (1, 0))
        larger = np.maximum(row_totals[:, np.newaxis], column_totals)
        for weights in (table, table / row_totals[:, np.newaxis], table / larger, table * rng.random(shape)):
            expected = weights[linear_sum_assignment(weights, maximize=True)].sum()
            assert heaviest_matching(*listed(weights), *shape) == pytest.approx(expected, rel=1e-13)


def test_no_cells():
    nothing = np.array([], dtype=np.int64)
    assert heaviest_matching(nothing, nothing, nothing, 3, 0) == 0.0
