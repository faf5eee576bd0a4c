"""Clusterers for clusters of any shape: linkage of SciPy, split and merge."""

import numpy as np

import chancecorr as cc
from experiments.clusterers.library import linkage_labels
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
