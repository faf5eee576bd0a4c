"""Clusterers for clusters of any shape: linkage of SciPy, split and merge."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import chancecorr as cc
from experiments.clusterers.library import MOST_OBJECTS, linkage_labels
from experiments.clusterers.split_and_merge import (
    SIZES,
    TREES,
    spanning_edges,
    split,
    split_and_merge,
    subtrees,
)
from experiments.common.data import load_dataset


def sizes(labels):
    return sorted(np.bincount(labels).tolist())


def test_single_link_on_compound_as_published():
    """Fränti & Rezaei (2016), section 3.3: three errors, three false clusters of size one."""
    data = load_dataset("compound")
    labels = linkage_labels(data.X, 6, "single")
    assert cc.score(data.labels, labels, "centroid_index") == 3
    assert sizes(labels)[:3] == [1, 1, 1]


def test_ward_is_not_single_link():
    """A chain and a ball: single link follows the chain, Ward cuts it."""
    chain = np.column_stack([np.arange(40.0), np.zeros(40)])
    X = np.concatenate([chain, [[20.0, 3.0], [20.5, 3.0], [20.0, 3.5]]])
    assert sizes(linkage_labels(X, 2, "single")) == [3, 40]
    assert sizes(linkage_labels(X, 2, "ward"))[0] > 3


def test_too_many_objects():
    with pytest.raises(ValueError, match="`X` must have at most 10,000 rows; got 10,001"):
        linkage_labels(np.zeros((MOST_OBJECTS + 1, 1)), 2, "ward")


def test_spanning_trees_are_least_and_have_no_edge_in_common():
    X = np.random.default_rng(1).normal(size=(30, 2))
    X[1] = X[0]  # of length 0
    distances = cdist(X, X)
    trees = spanning_edges(distances, 3)
    edges = {frozenset(edge) for tree in trees for edge in tree.tolist()}
    assert len(edges) == 3 * 29
    reached, length = {0}, 0.0  # Prim
    while len(reached) < 30:
        inside, outside = sorted(reached), sorted(set(range(30)) - reached)
        between = distances[np.ix_(inside, outside)]
        length += between.min()
        reached.add(outside[int(between.min(axis=0).argmin())])
    lengths = [distances[tree[:, 0], tree[:, 1]].sum() for tree in trees]
    assert lengths[0] == pytest.approx(length)
    assert lengths[0] < lengths[1] < lengths[2]


def test_pieces_of_a_part_join_their_neighbours():
    """The path 0 - 1 - 2 - 3 - 4 - 5; part 0 has the pieces {0, 1} and {4}."""
    tree = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]])
    assert subtrees(np.array([0, 0, 1, 1, 0, 2]), tree).tolist() in ([0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 2, 2])
    assert subtrees(np.array([1, 1, 1, 0, 0, 0]), tree).tolist() == [1, 1, 1, 0, 0, 0]


def test_a_split_has_about_the_root_of_n_parts():
    X = np.random.default_rng(2).normal(size=(400, 2))
    edges = np.concatenate(spanning_edges(cdist(X, X), TREES))
    parts = np.unique(split(X, edges)).size
    assert 10 < parts <= 20


@pytest.mark.parametrize("measure", SIZES)
def test_two_rings_are_found_and_k_means_would_not(measure):
    angle = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    labels = split_and_merge(np.concatenate([ring, 5 * ring]), 2, sizes=measure)
    assert np.unique(labels[:200]).size == np.unique(labels[200:]).size == 1
    assert labels[0] != labels[200]


def test_aggregation_as_published():
    """Fränti & Rezaei (2016), section 4: split and merge finds the structure of Aggregation."""
    data = load_dataset("aggregation")
    assert cc.score(data.labels, split_and_merge(data.X, 7), "centroid_index") == 0
