"""The heaviest, the greedy and the maximum matching: against SciPy, brute force and every greedy run."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from chancecorr.indices.matchings import count_matching, find_assignment_value, find_greedy_value

SHAPES = st.tuples(st.integers(1, 7), st.integers(1, 7))
FEW_VALUES = arrays.arrays(np.int64, SHAPES, elements=st.integers(0, 3))
SMALL = arrays.arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.integers(0, 4))


def scipy_value(weights):
    return weights[linear_sum_assignment(weights, maximize=True)].sum()


class TestAssignment:
    @pytest.mark.heavy
    @settings(deadline=None, max_examples=100)
    @given(FEW_VALUES | arrays.arrays(np.int64, SHAPES, elements=st.integers(0, 3_000_000_000)))
    def test_integers_against_scipy(self, weights):
        assert find_assignment_value(weights) == scipy_value(weights)

    @pytest.mark.heavy
    @settings(deadline=None, max_examples=100)
    @given(arrays.arrays(np.float64, SHAPES, elements=st.floats(-1, 1)))
    def test_real_weights_against_scipy(self, weights):
        assert find_assignment_value(weights) == pytest.approx(scipy_value(weights), rel=1e-12, abs=1e-12)

    @pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (40, 60), (60, 40), (70, 70)])
    @pytest.mark.parametrize("highest", [1, 2, 5, 3_000_000_000])
    def test_shapes_and_ties(self, shape, highest):
        weights = np.random.default_rng(5).integers(0, highest, shape)
        assert find_assignment_value(weights) == scipy_value(weights)

    def test_a_matching_far_from_what_each_row_wants(self):
        """All rows want the last column most, and every row has to move for the next (Machol & Wien 1993)."""
        weights = np.outer(np.arange(60), np.arange(60))
        assert find_assignment_value(weights) == sum(i * i for i in range(60))
        assert find_assignment_value(-weights) == -sum(i * (59 - i) for i in range(60))

    def test_integers_beyond_what_float64_holds(self):
        weights = np.array([[2**55 + 1, 2**55], [2**55, 2**55]])
        assert find_assignment_value(weights) == 2**56 + 1
        assert isinstance(find_assignment_value(weights), int | np.integer)

    def test_without_rows_or_columns(self):
        assert find_assignment_value(np.zeros((0, 3))) == 0
        assert find_assignment_value(np.zeros((3, 0), dtype=np.int64)) == 0


def greedy_runs(table):
    """Counts taken, largest first, of every run of greedy matching."""
    if table.size == 0 or table.max() == 0:
        return {()}
    return {
        (int(table.max()), *rest)
        for i, j in np.argwhere(table == table.max())
        for rest in greedy_runs(np.delete(np.delete(table, i, axis=0), j, axis=1))
    }


class TestGreedy:
    @pytest.mark.heavy
    @settings(deadline=None, max_examples=50)
    @given(SMALL)
    def test_it_is_the_lexicographically_largest_of_all_runs(self, table):
        """Tuples of positive counts compare as if padded with zeros."""
        assert find_greedy_value(table) == sum(max(greedy_runs(table)))

    @settings(deadline=None, max_examples=100)
    @given(FEW_VALUES, st.randoms(use_true_random=False))
    def test_numbering_and_side_do_not_matter(self, table, random):
        rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
        random.shuffle(rows)
        random.shuffle(columns)
        again = np.ascontiguousarray(table[np.ix_(rows, columns)])
        assert find_greedy_value(again) == find_greedy_value(table)
        assert find_greedy_value(np.ascontiguousarray(table.T)) == find_greedy_value(table)

    def test_it_is_not_the_run_of_the_largest_sum(self):
        table = np.array([[1, 0, 3, 3], [0, 0, 2, 1], [2, 2, 0, 3]])
        assert greedy_runs(table) == {(3, 3), (3, 2, 2)}
        assert find_greedy_value(table) == 6

    def test_nothing_to_take(self):
        assert find_greedy_value(np.zeros((3, 2), dtype=np.int64)) == 0
        assert find_greedy_value(np.zeros((0, 0), dtype=np.int64)) == 0


class TestMaximumMatching:
    @pytest.mark.heavy
    @settings(deadline=None, max_examples=100)
    @given(arrays.arrays(np.bool_, SHAPES))
    def test_against_scipy(self, graph):
        assert count_matching(graph) == (maximum_bipartite_matching(csr_array(graph)) >= 0).sum()

    @pytest.mark.parametrize("size", [2, 3, 30])
    def test_all_rows_have_to_move(self, size):
        """Row i takes column i first, and may take the next one; the last row has column 0 alone."""
        graph = np.eye(size, dtype=bool) | np.eye(size, k=1, dtype=bool)
        graph[-1] = np.arange(size) == 0
        assert count_matching(graph) == size
        assert count_matching(graph[:, :-1]) == size - 1
