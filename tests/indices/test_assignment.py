"""Matchings, of tables and of listed cells: against SciPy, brute force, every greedy run, one another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import chancecorr as cc
from chancecorr.indices.entry import find_heaviest_matching
from chancecorr.indices.matchings import (
    count_matching,
    find_assignment_value,
    find_greedy_value,
    find_listed_matching,
)
from tests.sampling.fits import COMPILED

SHAPES = st.tuples(st.integers(1, 7), st.integers(1, 7))
FEW_VALUES = arrays.arrays(np.int64, SHAPES, elements=st.integers(0, 3))
SMALL = arrays.arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.integers(0, 4))


def scipy_value(weights):
    return weights[linear_sum_assignment(weights, maximize=True)].sum()


def find_heaviest_value(weights):
    """Of all one-to-one matchings, by costs with the shorter side as rows."""
    shorter_as_rows = weights if weights.shape[0] <= weights.shape[1] else weights.T
    return find_assignment_value(np.ascontiguousarray(0.0 - shorter_as_rows))


class TestAssignment:
    @pytest.mark.slow
    @settings(deadline=None, max_examples=100)
    @given(FEW_VALUES | arrays.arrays(np.int64, SHAPES, elements=st.integers(0, 3_000_000_000)))
    def test_integers_against_scipy(self, weights):
        assert find_heaviest_value(weights) == scipy_value(weights)

    @pytest.mark.slow
    @settings(deadline=None, max_examples=100)
    @given(arrays.arrays(np.float64, SHAPES, elements=st.floats(-1, 1)))
    def test_real_weights_against_scipy(self, weights):
        assert find_heaviest_value(weights) == pytest.approx(scipy_value(weights), rel=1e-12, abs=1e-12)

    def test_a_matching_far_from_what_each_row_wants(self):
        """All rows want the last column most, and every row has to move for the next (Machol & Wien 1993)."""
        weights = np.outer(np.arange(60), np.arange(60))
        assert find_heaviest_value(weights) == sum(i * i for i in range(60))
        assert find_heaviest_value(-weights) == -sum(i * (59 - i) for i in range(60))

    def test_the_largest_integers_that_float64_holds(self):
        weights = np.array([[2**50 + 1, 2**50], [2**50, 2**50]])
        assert find_heaviest_value(weights) == 2**51 + 1

    def test_nothing_to_match(self):
        assert find_heaviest_value(np.zeros((0, 3))) == 0
        assert find_heaviest_value(np.zeros((3, 0), dtype=np.int64)) == 0
        for shape in ((3, 2), (0, 0)):
            assert find_greedy_value(np.zeros(shape, dtype=np.int64)) == 0
        nothing = np.array([], dtype=np.int64)
        assert find_heaviest_matching(nothing, nothing, nothing, 3, 0) == 0.0


def greedy_runs(table):
    """Counts taken, largest first, of every run of greedy matching."""
    if table.size == 0 or table.max() == 0:
        return {()}
    return {
        (int(table.max()), *rest)
        for i, j in np.argwhere(table == table.max())
        for rest in greedy_runs(np.delete(np.delete(table, i, axis=0), j, axis=1))
    }


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(SMALL)
def test_greedy_is_the_lexicographically_largest_of_all_runs(table):
    """Tuples of positive counts compare as if padded with zeros."""
    assert find_greedy_value(table) == sum(max(greedy_runs(table)))


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(arrays.arrays(np.bool_, SHAPES))
def test_maximum_matching_against_scipy(graph):
    assert count_matching(graph) == (maximum_bipartite_matching(csr_array(graph)) >= 0).sum()


def listed(table):
    rows, columns = np.nonzero(table)
    return rows, columns, table[rows, columns]


@pytest.mark.parametrize("shape", [(300, 300), (200, 350), (400, 20)])
def test_the_heaviest_of_many_cells(shape):
    rng = np.random.default_rng(5)
    for mean in (0.005, 0.03, 0.3):
        table = rng.poisson(mean, shape)
        row_totals, column_totals = (np.maximum(table.sum(axis=axis), 1) for axis in (1, 0))
        larger = np.maximum(row_totals[:, np.newaxis], column_totals)
        for weights in (table, table / row_totals[:, np.newaxis], table / larger, table * rng.random(shape)):
            wanted = pytest.approx(scipy_value(weights), rel=1e-13)
            assert find_heaviest_matching(*listed(weights), *shape) == wanted


def test_cells_that_are_not_row_by_row_end_the_kernel():
    starts, rows, columns = np.array([0, 2, 4]), np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    with pytest.raises(ValueError, match="ascending"):
        find_listed_matching(starts, rows, columns, np.array([3.0, 2.0, 2.0, 0.5]), 2)


@pytest.mark.skipif(not COMPILED, reason="takes long; uncompiled, fewer clusters have lists as well")
def test_thousands_of_clusters_of_random_sizes():
    rng = np.random.default_rng(0)
    truth, found = rng.integers(0, 2100, 8000), rng.integers(0, 2100, 8000)  # K Q > 4,000,000, 4 n < K Q
    names = [name for name in cc.list_indices() if cc.get_index(name).from_cells is not None]
    scores = cc.adjust(truth, found, names, n_tables=2, method="monte-carlo", rng=1)
    tables = [csr_array(table) for table in cc.sample_tables(cc.contingency_table(truth, found), 2, rng=1)]
    for name in names:
        values = [cc.score_table(cc.ContingencyTable(table), name) for table in tables]
        assert scores[name].expected == pytest.approx(np.mean(values), rel=1e-12), name
