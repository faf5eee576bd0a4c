"""Whether neighbours are alike: mean and deviation by all permutations, and what results say of it."""

import itertools

import networkx
import numpy as np
import pytest

import chancecorr as cc
from chancecorr.chance import neighbour_agreement
from chancecorr.chance.neighbours import list_neighbours


@pytest.mark.parametrize(
    ("labels", "neighbours"),
    [
        ([0, 0, 0, 1, 1, 1], (6,)),
        ([0, 1, 1, 2, 0, 0], (2, 3)),
        (["a", "a", "b", "b", "c", "c", "c"], [(0, 1), (1, 2), (2, 3), (0, 3), (4, 5), (5, 6)]),
        ([0, 1, 1, 2, 0, 0], networkx.star_graph(5)),
    ],
)
def test_mean_and_deviation_are_those_of_all_permutations(labels, neighbours):
    first, second = list_neighbours(neighbours).T
    every = np.array(list(itertools.permutations(np.unique(labels, return_inverse=True)[1])))
    shares = (every[:, first] == every[:, second]).mean(axis=1)
    found = neighbour_agreement(labels, neighbours)
    assert found.observed == shares[0]
    assert found.expected == pytest.approx(shares.mean(), rel=1e-12)
    assert found.z == pytest.approx((shares[0] - shares.mean()) / shares.std(), rel=1e-9)


def test_grids_have_each_pair_of_neighbours_once():
    pairs = {tuple(pair) for pair in list_neighbours((2, 3, 2)).tolist()}
    places = list(itertools.product(range(2), range(3), range(2)))
    distances = np.abs(np.array(places)[:, None] - np.array(places)).sum(axis=2)
    assert pairs == {(i, j) for i, j in itertools.combinations(range(12), 2) if distances[i, j] == 1}
    shape = tuple(np.array([2, 3, 2]))  # whole numbers of NumPy were read as edges
    np.testing.assert_array_equal(list_neighbours(shape), list_neighbours((2, 3, 2)))


GRID = np.column_stack(np.unravel_index(np.arange(100), (10, 10)))
ON_PLACES = [cc.clusterings.graph_rand(list_neighbours((10, 10))), cc.clusterings.spatial_rand(GRID)]


@pytest.mark.parametrize("index", ON_PLACES, ids=["graph", "space"])
def test_results_on_places_say_when_neighbours_are_alike(index):
    halves, quarters = GRID[:, 0] // 5, GRID[:, 1] // 3
    mixed = np.random.default_rng(1).permutation(quarters)
    for second, alike in ((quarters, True), (mixed, False)):
        said = repr(cc.adjust(halves, second, index, n_tables=50, rng=1))
        assert ("neighbours share a label more often" in said) is alike
    said = repr(cc.adjust(halves, quarters, index, model=cc.chance.torus((10, 10)), rng=1))
    assert "neighbours share" not in said


def test_other_objects_are_refused():
    none = np.empty((0, 2), dtype=int)
    for given, message in (((4,), "must be pairs of the 3 objects"), (none, "got 0 pairs")):
        with pytest.raises(ValueError, match=message):
            neighbour_agreement([0, 1, 1], given)
