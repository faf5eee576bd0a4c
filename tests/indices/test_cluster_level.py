"""Cluster-level indices: BCubed, element-centric similarity, centroid index, averages over clusters."""

import itertools
import math
import random

import numpy as np
import pytest

import chancecorr as cc
from tests.indices.definitions import clusters, nearest
from tests.naive import tables_to_labels

RNG = random.Random(2)


def random_table(most_clusters=5, most_objects=25):
    table = np.zeros((RNG.randint(1, most_clusters), RNG.randint(1, most_clusters)), dtype=np.int64)
    for _ in range(RNG.randint(1, most_objects)):
        table[RNG.randrange(table.shape[0]), RNG.randrange(table.shape[1])] += 1
    return table


TABLES = [random_table() for _ in range(60)]


class TestBCubed:
    def test_precision_is_about_the_candidate(self):
        pure, whole = [[1, 0], [0, 1]], [[1], [1]]
        assert cc.score_table(pure, "bcubed_precision") == cc.score_table(pure, "bcubed_recall") == 1
        # one cluster in the candidate: its classes are mixed, but each is in one piece
        assert cc.score_table(whole, "bcubed_precision") == 1 / 2
        assert cc.score_table(whole, "bcubed_recall") == 1

    def test_without_self_pairs(self):
        # As ELKI computes without self-pairs: identical clusterings fall short of 1 if an object is alone.
        table = np.array([[1, 0], [0, 2]])
        totals = table.sum(axis=0)
        shares = [x * (x - 1) / (totals[j] - 1) for (i, j), x in np.ndenumerate(table) if x > 1]
        assert sum(shares) / table.sum() == 2 / 3
        assert cc.score_table(table, "bcubed_precision") == 1

    def test_every_bound_of_element_centric_similarity(self):
        for table in TABLES:
            p, r = (cc.score_table(table, f"bcubed_{side}") for side in ("precision", "recall"))
            assert cc.score_table(table, "element_centric_similarity") <= min(p, r) + 1e-15


class TestElementCentricSimilarity:
    @pytest.mark.parametrize("alpha", [0.9, 0.3])
    def test_clusim(self, alpha):
        similarity = pytest.importorskip("clusim.sim")
        clustering = pytest.importorskip("clusim.clustering").Clustering
        for table in TABLES[:12]:
            sides = [clustering().from_membership_list(labels) for labels in tables_to_labels(table.tolist())]
            theirs = similarity.element_sim(*sides, alpha=alpha)
            assert cc.score_table(table, "element_centric_similarity") == pytest.approx(theirs, rel=1e-12)


class TestCentroidIndex:
    def test_merged_and_split(self):
        assert cc.score_table([[3, 0, 0], [2, 0, 0], [0, 3, 1]], "centroid_index") == 1
        table = [[3, 0], [2, 0], [0, 4]]  # merged only: the second row is an orphan
        values = [cc.score_table(table, f"centroid_index{side}") for side in ("", "_1", "_2")]
        assert values == [1, 0, 1]

    def test_points_do_not_matter(self):
        assert cc.score_table(np.diag([9, 9, 9]) + 2, "centroid_index") == 0
        assert cc.score_table(np.diag([9, 9, 9]) + 2, "centroid_similarity") == 11 / 15

    def test_fewest_orphans_of_all_choices(self):
        several = 0
        for table in [*TABLES, *(random_table(4, 8) for _ in range(300))]:
            true, pred = (clusters(labels) for labels in tables_to_labels(table.tolist()))
            options = [nearest(cluster, pred) for cluster in true]
            orphans = {len(pred) - len(set(choice)) for choice in itertools.product(*options)}
            several += len(orphans) > 1
            assert cc.score_table(table, "centroid_index_1") == min(orphans)
        assert several > 3

    def test_the_tie_rule_matters(self):
        def orphans(chosen):
            return 2 - len(set(chosen))

        even = [[1, 1], [1, 1]]  # all four Jaccard similarities are 1/3
        assert orphans(np.argmax(even, axis=1)) == 1  # the first of the tied
        assert cc.score_table(even, "centroid_index") == 0
        # a cluster cut in two equal halves: both are nearest, one of them must be an orphan
        assert [cc.score_table([[2, 2]], f"centroid_index_{side}") for side in (1, 2)] == [1, 0]

    def test_a_column_is_given_up_once(self):
        # The second row has 1/4 with all columns. The others have the first column as their only nearest one,
        # and one of them takes it: the second row can reach one more column, not two.
        rows = [[2, 0, 0], [2, 1, 1], [2, 0, 0]]
        for order in itertools.permutations(rows):
            assert cc.score_table(order, "centroid_index_1") == 1


class TestCentroidSimilarity:
    def test_of_the_tied_the_largest_cell(self):
        # row 1: 1/4 with the column of 1, 2/8 with that of 6
        assert cc.score_table([[1, 2, 1], [0, 4, 0]], "centroid_similarity") == (2 + 4 + 1 + 4 + 1) / 16


class TestAverages:
    def test_wallace_with_weights(self):
        for table in TABLES:
            totals, n_pairs = table.sum(axis=1), []
            alone = [cc.score_table(row[np.newaxis], "clusterwise_wallace_1") for row in table]
            n_pairs = totals * (totals - 1) // 2
            a, b, _, _ = cc.ContingencyTable(table).pair_counts
            weighted = sum(w * u for w, u in zip(n_pairs, alone, strict=True) if w)
            assert weighted == pytest.approx(a, rel=1e-12)
            assert n_pairs.sum() == a + b

    def test_without_clusters_of_two(self):
        singletons, cut = np.eye(3, dtype=int), [[1, 1], [0, 1], [0, 1]]
        assert cc.score_table(singletons, "clusterwise_wallace_1") == 1  # identical and trivial
        assert math.isnan(cc.score_table(cut[1:], "clusterwise_wallace_1"))
        assert cc.score_table(cut, "clusterwise_wallace_1") == 0
