"""Set-matching indices: published values, what other software does, and identities."""

import itertools
import math

import numpy as np
import pytest

import chancecorr as cc
from tests.indices.test_definitions import random_tables
from tests.naive import all_tables, tables_to_labels

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


class TestOtherSoftwareByArithmetic:
    def test_clusim_purity_takes_the_side_with_fewer_clusters(self):
        """One class in two clusters: 4/4 by definition; clusim takes the row maximum, 3/4."""
        assert score([[3, 1]], "purity") == 1.0
        assert score([[3, 1]], "inverse_purity") == 3 / 4
        sim, clustering = pytest.importorskip("clusim.sim"), pytest.importorskip("clusim.clustering")
        reference = clustering.Clustering().from_membership_list([0, 0, 0, 0])
        candidate = clustering.Clustering().from_membership_list([0, 0, 0, 1])
        assert sim.purity_index(reference, candidate) == 3 / 4 == sim.purity_index(candidate, reference)

    def test_clusim_classification_error_lets_clusters_share_a_class(self):
        """((2, 2), (1, 0)): columns 2 + 2 of 5, but one to one only 2 + 1."""
        table = [[2, 2], [1, 0]]
        assert score(table, "purity") == 4 / 5
        assert score(table, "classification_error") == 2 / 5
        sim, clustering = pytest.importorskip("clusim.sim"), pytest.importorskip("clusim.clustering")
        reference = clustering.Clustering().from_membership_list([0, 0, 0, 0, 1])
        candidate = clustering.Clustering().from_membership_list([0, 0, 1, 1, 0])
        assert sim.classification_error(reference, candidate) == pytest.approx(1 / 5)

    @pytest.mark.parametrize("table", [[[2, 0], [1, 1], [0, 2]], [[2, 1, 0], [0, 1, 2]]])
    def test_more_classes_than_clusters_and_the_reverse(self, table):
        """partitionComparison stops at the first, early releases of genieclust at both."""
        assert score(table, "classification_error") == pytest.approx(2 / 6)
        assert score(table, "normalized_pivoted_accuracy") == pytest.approx((4 / 6 - 1 / 3) / (2 / 3))


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


class TestEdges:
    def test_one_cluster_and_singletons(self):
        one, singletons = [0, 0, 0, 0], [0, 1, 2, 3]
        for labels in (one, singletons):
            for name in set(cc.list_indices("set_matching")) - {"edit_distance_quality"}:
                assert cc.score(labels, labels, index=name) == cc.get_index(name).best
        wanted = {
            "purity": 1.0,
            "inverse_purity": 1 / 4,
            "maximum_matching_accuracy": 1 / 4,
            "normalized_pivoted_accuracy": 0.0,
            "normalized_clustering_accuracy": -math.inf,
            "pair_sets_index": 0.0,
            "unclipped_pair_sets_index": 0.0,
            "simplified_pair_sets_index": 0.0,
            "edit_distance_quality": 0.0,
        }
        found = {name: cc.score(one, singletons, index=name) for name in wanted}
        assert found == pytest.approx(wanted, abs=1e-15)

    def test_edit_distance_has_its_best_value_by_the_number_of_clusters(self):
        assert cc.get_index("edit_distance_quality").best is None
        assert score(np.diag([3, 2, 2]), "edit_distance_quality") == pytest.approx(1 - 3 / 7)

    def test_normalized_accuracies_at_their_lowest(self):
        even = np.full((3, 3), 2)
        assert score(even, "normalized_pivoted_accuracy") == pytest.approx(0.0, abs=1e-15)
        assert score(even, "normalized_clustering_accuracy") == pytest.approx(0.0, abs=1e-15)
        assert score(np.ones((2, 4), dtype=int), "normalized_clustering_accuracy") == pytest.approx(-1 / 2)

    def test_pair_sets_index_is_clipped_and_reaches_minus_a_third(self):
        assert score([[2, 1], [1, 0]], "pair_sets_index") == 0.0
        assert score([[2, 1], [1, 0]], "unclipped_pair_sets_index") == pytest.approx(-1 / 3)
        lowest = min(
            score(table, "unclipped_pair_sets_index")
            for margins in (((6, 2), (6, 2)), ((5, 3), (6, 2)), ((4, 2, 2), (4, 3, 1)), ((4, 4), (5, 2, 1)))
            for table in all_tables(*margins)
        )
        assert lowest == pytest.approx(-1 / 3)
