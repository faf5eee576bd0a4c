"""Clusterers for clusters of any shape: linkage of SciPy, split and merge."""

import numpy as np
import pytest

import chancecorr as cc
from experiments.clusterers.library import linkage_labels
from experiments.clusterers.split_and_merge import (
    SIZES,
    split_and_merge,
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
