"""Indices of coreference and entity resolution: values of the field's scorers, twins, moments, chance."""

import itertools
from collections import Counter

import numpy as np
import pytest

import chancecorr as cc
from tests.indices.definitions import DEFINITIONS
from tests.indices.test_definitions import random_tables
from tests.naive import law_of_tables, tables_to_labels


def labels_of(*entities):
    """Labels of the mentions in alphabetical order, of entities such as ``"bc"``."""
    return [
        number for _, number in sorted((mention, k) for k, each in enumerate(entities) for mention in each)
    ]


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


class TestIdentities:
    def test_f_is_the_harmonic_mean(self):
        for table in random_tables(40, seed=22):
            for f in ("muc", "lea", "cluster_f", "closest_cluster_f"):
                stem = f.removesuffix("_f")
                p, r = (cc.score_table(table, f"{stem}_{side}") for side in ("precision", "recall"))
                if p > 0 and r > 0:
                    assert cc.score_table(table, f) == pytest.approx(2 * p * r / (p + r), rel=1e-12)

    def test_merge_distance_is_the_shortest_way(self):
        """A split of one cluster in two, or a merge of two that are together in the end, is one step."""
        for start in [(0, 0, 0, 0), (0, 0, 1, 1), (0, 1, 2, 3), (0, 0, 1, 2)]:
            for end in {number_labels(labels) for labels in itertools.product(range(4), repeat=4)}:
                steps, frontier = {start: 0}, [start]
                for labels in frontier:
                    for new in split_or_merged(labels, end):
                        if new not in steps:
                            steps[new] = steps[labels] + 1
                            frontier.append(new)
                assert cc.score(start, end, "merge_distance") == steps[end]

    def test_blanc_by_chance_is_one_half_for_equal_sizes(self):
        sizes = [20, 12, 8, 5]
        assert cc.null_distribution(cc.Margins(sizes, sizes), "blanc").mean == pytest.approx(0.5, rel=1e-12)

    def test_ceaf_m_is_matching_accuracy(self):
        assert cc.get_index("CEAF-m") is cc.get_index("maximum_matching_accuracy")
        assert cc.get_index("CEAFe") is cc.get_index("ceaf_e")


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


class TestByChance:
    """Means over candidates with the sizes of the reference, by plain shuffling of labels."""

    @pytest.mark.parametrize(
        ("sizes", "name", "printed"),
        [
            ((20, 12, 8, 5, 4, 3, 2, 2, 2, 2), "muc", 0.50),
            ((20, 12, 8, 5, 4, 3, 2, 2, 2, 2), "lea_recall", 0.17),
            ((60, 25, 10, 3, 2), "muc", 0.89),
            ((2,) * 30, "muc", 0.02),
        ],
    )
    def test_exact_mean(self, sizes, name, printed):
        null = cc.null_distribution(cc.Margins(sizes, sizes), name, method="analytic")
        assert null.mean == pytest.approx(printed, abs=5e-3)
        rng, key = np.random.default_rng(5), np.repeat(range(len(sizes)), sizes)
        drawn = [muc_or_lea(name, key, rng.permutation(key)) for _ in range(400)]
        assert abs(np.mean(drawn) - null.mean) < 4.5 * null.std / 20

    def test_conll_of_one_entity(self):
        for sizes, printed in (((20, 12, 8, 5, 4, 3, 2, 2, 2, 2), 0.44), ((60, 25, 10, 3, 2), 0.61)):
            assert cc.score_table([[size] for size in sizes], "conll") == pytest.approx(printed, abs=5e-3)

    def test_conll_by_simulation_and_enumeration(self):
        margins = ((4, 3, 2), (5, 3, 1))
        law = list(law_of_tables(*margins))
        mean = sum(float(DEFINITIONS["conll"](*tables_to_labels(table))) * p for table, p in law)
        assert cc.null_distribution(cc.Margins(*margins), "conll", method="exact").mean == pytest.approx(mean)


def muc_or_lea(name, key, response):
    """From counts of cells, apart from the package and the twins."""
    cells = Counter(zip(key.tolist(), response.tolist(), strict=True))
    if name == "muc":
        return 2 * (key.size - len(cells)) / (2 * key.size - 2 * len(set(key.tolist())))
    sizes = Counter(key.tolist())
    return sum(x * (x - 1) / (sizes[i] - 1) for (i, _), x in cells.items()) / key.size


class TestEdges:
    def test_singletons(self):
        single, pairs = [0, 1, 2, 3], [0, 0, 1, 1]
        assert cc.score(single, single, "muc") == 1  # the CoNLL scorer: 0
        assert cc.score(single, pairs, "muc_recall") == cc.score(single, pairs, "muc") == 0
        assert cc.score(pairs, single, "muc_precision") == 0
        assert cc.score(single, pairs, "lea") == 0

    def test_closest_and_identical(self):
        names = [f"cluster_{each}" for each in ("precision", "recall", "f")]
        assert scored("ab cd ef", "ab cdef", *names) == [1 / 2, 1 / 3, 2 / 5]
        assert scored("ab cd ef", "ab cdef", "closest_cluster_precision", "closest_cluster_recall") == [
            (1 + 1 / 2) / 2, (1 + 1 / 2 + 1 / 2) / 3,
        ]  # fmt: skip
