"""Set-matching indices: published values, what other software does, and identities."""

import itertools

import numpy as np
import pytest

import chancecorr as cc
from tests.indices.test_definitions import random_tables
from tests.naive import tables_to_labels

IRIS = ((50, 0, 0), (0, 48, 2), (0, 14, 36))  # iris against k-means, in genieclust's manual


def score(table, index):
    return cc.score_table(table, index)


def test_a_billion_objects_are_counted_exactly():
    table = np.array([[700_000_001, 1, 0], [99_999_999, 100_000_001, 99_999_998]])
    n = int(table.sum())
    assert n == 10**9
    assert score(table, "transfer_distance") == n - 800_000_002
    assert score(table, "van_dongen") == 2 * n - 800_000_002 - 900_000_000
    assert score(table, "criterion_h") == (n - 800_000_002) / n


class TestPublishedValues:
    def test_iris_in_the_manual_of_genieclust(self):
        assert score(IRIS, "normalized_clustering_accuracy") == pytest.approx(0.84, abs=1e-12)
        assert score(IRIS, "normalized_pivoted_accuracy") == pytest.approx(0.84, abs=1e-12)
        assert score(IRIS, "pair_sets_index") == pytest.approx(0.7568238, abs=5e-8)
        assert score(IRIS, "simplified_pair_sets_index") == pytest.approx(0.7470968, abs=5e-8)

    def test_examples_of_partition_comparison(self):
        """(0, 0, 0, 1, 1) against (0, 0, 1, 1, 1): its manual has 0.8, 0.2 and 2."""
        labels = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
        assert cc.score(*labels, index="larsen_aone_f") == pytest.approx(0.8)
        assert cc.score(*labels, index="classification_error") == pytest.approx(0.2)
        assert cc.score(*labels, index="van_dongen") == 2

    def test_igraph(self):
        igraph = pytest.importorskip("igraph")
        for table in random_tables(30, seed=14):
            labels = tables_to_labels(table.tolist())
            first, second = igraph.split_join_distance(*labels)
            assert (score(table, "split_join_1"), score(table, "split_join_2")) == (first, second)
            assert score(table, "split_join") == igraph.compare_communities(*labels, method="split-join")

    def test_genieclust(self):
        genieclust = pytest.importorskip("genieclust.compare_partitions")
        for table in random_tables(30, seed=16):
            square = table.shape[0] == table.shape[1] > 1  # its early releases refuse others
            if square and table.any(axis=0).all() and table.any(axis=1).all():
                labels = [np.array(each) for each in tables_to_labels(table.tolist())]
                for name in (
                    "normalized_pivoted_accuracy",
                    "normalized_clustering_accuracy",
                    "pair_sets_index",
                ):
                    assert getattr(genieclust, name)(*labels) == pytest.approx(score(table, name), abs=1e-12)


class TestIdentities:
    def test_transfer_distance_is_the_fewest_transfers(self):
        """Shortest way between all partitions of five objects, one object moved at a time."""
        partitions = sorted({_numbered(labels) for labels in itertools.product(range(5), repeat=5)})
        assert len(partitions) == 52
        for start in [(0, 0, 0, 0, 0), (0, 0, 1, 1, 2), (0, 1, 2, 3, 4), (0, 0, 0, 1, 1)]:
            steps, frontier = {start: 0}, [start]
            for labels in frontier:
                for x, label in itertools.product(range(5), repeat=2):
                    moved = _numbered((*labels[:x], label, *labels[x + 1 :]))
                    if moved not in steps:
                        steps[moved] = steps[labels] + 1
                        frontier.append(moved)
            for end in partitions:
                assert cc.score(start, end, index="transfer_distance") == steps[end]


def _numbered(labels):
    """The labels numbered in the order in which they occur."""
    names = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)
