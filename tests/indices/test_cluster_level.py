"""Cluster-level indices: BCubed, element-centric similarity, centroid index, averages over clusters."""

import itertools
import random

import numpy as np
import pytest

import chancecorr as cc
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
