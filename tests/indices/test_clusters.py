"""Set-matching, cluster-level and coreference indices: published values, peers, ties, shortest ways."""

import itertools

import numpy as np
import pytest

import chancecorr as cc
from tests.indices.test_definitions import random_tables
from tests.naive import set_partitions, tables_to_labels

OF_GENIECLUST = ("normalized_pivoted_accuracy", "normalized_clustering_accuracy", "pair_sets_index")
IRIS = ((50, 0, 0), (0, 48, 2), (0, 14, 36))  # iris against k-means, in genieclust's manual


def test_a_billion_objects_are_counted_exactly():
    table = np.array([[700_000_001, 1, 0], [99_999_999, 100_000_001, 99_999_998]])
    n = int(table.sum())
    assert n == 10**9
    assert cc.score_table(table, "transfer_distance") == n - 800_000_002
    assert cc.score_table(table, "van_dongen") == 2 * n - 800_000_002 - 900_000_000
    assert cc.score_table(table, "criterion_h") == (n - 800_000_002) / n


OF_MANUALS = [
    (IRIS, "normalized_clustering_accuracy", pytest.approx(0.84, abs=1e-12)),
    (IRIS, "normalized_pivoted_accuracy", pytest.approx(0.84, abs=1e-12)),
    (IRIS, "pair_sets_index", pytest.approx(0.7568238, abs=5e-8)),
    (IRIS, "simplified_pair_sets_index", pytest.approx(0.7470968, abs=5e-8)),
    ([[2, 1], [0, 2]], "larsen_aone_f", pytest.approx(0.8)),  # partitionComparison for R
    ([[2, 1], [0, 2]], "classification_error", pytest.approx(0.2)),
    ([[2, 1], [0, 2]], "van_dongen", 2),
]


class TestPublishedValues:
    @pytest.mark.parametrize(("table", "name", "value"), OF_MANUALS)
    def test_examples_of_manuals(self, table, name, value):
        assert cc.score_table(table, name) == value

    def test_igraph(self):
        igraph = pytest.importorskip("igraph")
        for table in random_tables(30, seed=14):
            labels = tables_to_labels(table.tolist())
            first, second = igraph.split_join_distance(*labels)
            assert (cc.score_table(table, "split_join_1"), cc.score_table(table, "split_join_2")) == (
                first,
                second,
            )
            assert cc.score_table(table, "split_join") == igraph.compare_communities(
                *labels, method="split-join"
            )

    def test_genieclust(self):
        genieclust = pytest.importorskip("genieclust.compare_partitions")
        for table in random_tables(30, seed=16):
            square = table.shape[0] == table.shape[1] > 1  # its early releases refuse others
            if square and table.any(axis=0).all() and table.any(axis=1).all():
                labels = [np.array(each) for each in tables_to_labels(table.tolist())]
                for name in OF_GENIECLUST:
                    assert getattr(genieclust, name)(*labels) == pytest.approx(
                        cc.score_table(table, name), abs=1e-12
                    )


def labels_of(*entities):
    """Labels of the mentions in alphabetical order, of entities such as ``"bc"``."""
    mentions = sorted((mention, k) for k, each in enumerate(entities) for mention in each)
    return [number for _, number in mentions]


def scored(key, response, *names):
    return [cc.score(labels_of(*key.split()), labels_of(*response.split()), name) for name in names]


MUC, BCUB, LEA = (
    (f"{name}_recall", f"{name}_precision", f) for name, f in
    (("muc", "muc"), ("bcubed", "bcubed_f"), ("lea", "lea"))
)  # fmt: skip
PUBLISHED = [
    ("a bc def", "a b c d e f", MUC, (0, 0, 0)),
    ("a bc def", "a b c d e f", BCUB, (3 / 6, 1, 2 / 3)),
    ("a bc def", "a b c d e f", LEA, (1 / 6, 1 / 6, 1 / 6)),
    ("a bc def", "a b c d e f", ["blanc"], [0.42308]),
    ("a bc def", "abcdef", MUC, (1, 3 / 5, 6 / 8)),
    ("a bc def", "abcdef", BCUB, (1, 7 / 18, 14 / 25)),
    ("a bc def", "abcdef", LEA, (5 / 6, 4 / 15, 40 / 99)),
    ("a bc def", "abcdef", ["blanc"], [0.21053]),
    ("12345 67 89ABC", "12345 6789ABC", MUC, (1, 9 / 10, 0.947368421)),
    ("12345 67 89ABC", "12345 6789ABC", BCUB, (1, 16 / 21, 0.864864865)),
    ("12345 67 89ABC", "12345 6789ABC", LEA, (1, (5 + 7 * 11 / 21) / 12, 26 / 31)),
    ("12345 67 89ABC", "1234589ABC 67", MUC, (1, 9 / 10, 0.947368421)),
    ("12345 67 89ABC", "1234589ABC 67", BCUB, (1, 7 / 12, 0.736842105)),
    ("12345 67 89ABC", "1234589ABC 67", LEA, (1, (10 * 20 / 45 + 2) / 12, 58 / 83)),
    ("ABCD", "AB CD", MUC, (2 / 3, 1, 4 / 5)),
    ("ABCD", "AB CD", LEA, (1 / 3, 1, 1 / 2)),
    ("AB CD", "ABCD", MUC, (1, 2 / 3, 4 / 5)),
    ("abcdef", "ab cde f", LEA, (4 / 15, 5 / 6, 40 / 99)),
    ("a b c d e f", "abcdef", LEA, (0, 0, 0)),
    ("a b c d e f", "ab cde f", LEA, (1 / 6, 1 / 6, 1 / 6)),
    ("abcdef", "abcdef", ["muc", "bcubed_f", "ceaf_m", "ceaf_e", "lea", "conll"], [1] * 6),
]
"""Recall, precision and F in the test files of reference-coreference-scorers and, for LEA, of coval, of the
cases in which both sides have the same mentions: TC-A-10, A-11, D-1, E-1, F-1, G-1, M-1, M-3, N-2 and N-3."""


@pytest.mark.parametrize(("key", "response", "names", "values"), PUBLISHED)
def test_the_tests_of_the_scorers(key, response, names, values):
    assert scored(key, response, *names) == pytest.approx(values, abs=5e-6)


def test_ceaf_e_of_two_added_entities():
    """TC-A-3 {a} {bc} {def} against {a} {bcx} {defy} {z}: the common 1 + 4/5 + 6/7, with x, y, z of their own
    in the key too, which adds three entities and nothing in common but that of z.
    """
    found = scored("a bc def x y z", "a bcx defy z", "ceaf_e")
    assert found == pytest.approx([2 * (1 + 4 / 5 + 6 / 7 + 1) / (6 + 4)])


def test_merge_distance_is_the_shortest_way():
    """A split of one cluster in two, or a merge of two that are together in the end, is one step."""
    starts = (0, 0, 0, 0), (0, 0, 1, 1), (0, 1, 2, 3), (0, 0, 1, 2)
    for start, end in itertools.product(starts, set_partitions(4)):
        steps, frontier = {start: 0}, [start]
        for labels in frontier:
            for new in split_or_merged(labels, end):
                if new not in steps:
                    steps[new] = steps[labels] + 1
                    frontier.append(new)
        assert cc.score(start, end, "merge_distance") == steps[end]


def split_or_merged(labels, end):
    """The partitions one split or one merge away, numbered in the order in which labels occur."""
    n = len(labels)
    for one in set(labels):
        for other in set(labels) - {one}:
            if len({end[k] for k in range(n) if labels[k] in (one, other)}) == 1:
                yield number_labels([one if label == other else label for label in labels])
        inside = [k for k in range(n) if labels[k] == one]
        for chosen in range(1, 2 ** (len(inside) - 1)):
            apart = {k for place, k in enumerate(inside) if chosen >> place & 1}
            yield number_labels([n if k in apart else labels[k] for k in range(n)])


def number_labels(labels):
    names = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)
