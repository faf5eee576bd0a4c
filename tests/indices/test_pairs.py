"""Pair-counting indices: published values, peers, identities, digits near the ends, moments of a."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial import distance

import chancecorr as cc
from tests.indices.definitions import correlation_distance, together
from tests.indices.formulas import of_exact_pairs, value
from tests.naive import all_tables, pair_counts

NINE = [[5, 1, 0], [1, 4, 2], [0, 2, 6]]


def sizes_of(n, k):
    """All sizes of k clusters of n objects, the largest first."""
    return [each for each in itertools.combinations_with_replacement(range(n, 0, -1), k) if sum(each) == n]


class TestPublishedValues:
    def test_rand_index_of_five_objects(self):
        """A, B, C | D, E against A, B | C, D, E: a = 2 pairs together in both, d = 4 in neither, of 10."""
        first, second = [1, 1, 1, 2, 2], [1, 1, 2, 2, 2]
        assert pair_counts(first, second) == (2, 2, 2, 4)
        assert cc.score(first, second, "rand") == pytest.approx(0.6, rel=1e-15)
        assert cc.score(first, second, "adjusted_rand") == pytest.approx((2 - 1.6) / (4 - 1.6), rel=1e-14)
        assert math.floor(cc.score(first, second, "adjusted_rand") * 1e4) / 1e4 == 0.1666
        null = cc.null_distribution(cc.Margins([3, 2], [2, 3]), "intersection")
        assert null.mean == pytest.approx(1.6, rel=1e-14)

    def test_scikit_learn(self):
        metrics = pytest.importorskip("sklearn.metrics")
        rng = np.random.default_rng(7)
        for _ in range(20):
            pair = rng.integers(4, size=60), rng.integers(3, size=60)
            (d, c), (b, a) = metrics.pair_confusion_matrix(*pair) // 2
            matthews = metrics.matthews_corrcoef(
                [0] * (c + d) + [1] * (a + b), [1] * c + [0] * (d + b) + [1] * a
            )
            for name, expected, error in (
                ("adjusted_rand", metrics.adjusted_rand_score(*pair), 1e-12),
                ("fowlkes_mallows", metrics.fowlkes_mallows_score(*pair), 1e-12),
                ("rand", metrics.rand_score(*pair), 1e-12),
                ("wallace_1", a / (a + b), 1e-15),
                ("wallace_2", a / (a + c), 1e-15),
                ("phi", matthews, 1e-12),
            ):
                assert cc.score(*pair, name) == pytest.approx(expected, rel=error), name
            assert cc.score(*pair, "partition_difference") == d

    def test_lowest_adjusted_rand_index(self):
        """Chacón & Rastrojo (2022): -1/2, of two crossed pairs; for given sizes as the exact law has it."""
        assert cc.score_table([[1, 1], [1, 1]], "adjusted_rand") == -0.5
        for n in range(3, 7):
            sizes = [each for k in range(2, n) for each in sizes_of(n, k)]
            for rows, columns in itertools.product(sizes, sizes):
                law = cc.null_distribution(cc.Margins(rows, columns), "adjusted_rand", method="exact")
                lowest = min(cc.score_table(table, "adjusted_rand") for table in all_tables(rows, columns))
                assert law.values.min() == pytest.approx(lowest, rel=1e-12)
                assert lowest >= -0.5


class TestIdentities:
    @pytest.mark.parametrize(
        ("adjusted", "of"),
        [
            ("adjusted_rand", "rand"),
            ("adjusted_rand", "hamann"),
            ("adjusted_rand", "czekanowski"),
            ("adjusted_rand", "fleiss"),
            ("adjusted_wallace_1", "wallace_1"),
            ("adjusted_wallace_2", "wallace_2"),
            ("adjusted_fowlkes_mallows", "fowlkes_mallows"),
            ("loevinger", "simpson"),
            *((each, each) for each in ("phi", "peirce_1", "peirce_2")),
            *((each, each) for each in ("maxwell_pilliner", "kuhns_5", "kuhns_6")),
        ],
    )
    def test_closed_form_is_the_adjusted_index(self, adjusted, of):
        """(observed - expected) / (1 - expected) with the exact mean, and 1 as the best value."""
        for table in ([[5, 1], [1, 4]], [[3, 2, 1], [0, 4, 2]], NINE):
            found = cc.adjust_table(table, index=of, method="analytic").adjusted
            assert cc.score_table(table, adjusted) == pytest.approx(found, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [
        *((np.diag([3, 2, 4]), name, math.inf) for name in ("kulczynski_1", "mountford", "sokal_sneath_3")),
        ([[1, 1], [1, 1]], "gilbert_wells", -math.inf),
        ([[1, 1], [1, 0]], "stiles", pytest.approx(math.log10(3 * (1 - 1.5) ** 2 / 4))),  # D = -1 and N = 3
        ([[2, 1], [1, 0]], "stiles", -math.inf),  # D = -3 and N = 6, so that abs(D) = N / 2
        ([[2, 0], [0, 1]], "mari", 1.0),  # identical, though n < 4
        ([[1, 1], [1, 0]], "mari", pytest.approx(math.nan, nan_ok=True)),
        (
            [[0, 0, 1], [0, 0, 1], [1, 1, 0]],
            "mari",
            -math.inf,
        ),  # pairs {0, 1} and {2, 3}: E is at its largest
    ],
)
def test_edges(table, name, value):
    assert cc.score_table(table, name) == value


PARTITION_COMPARISON = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
"""The example of the manual of partitionComparison for R."""


@pytest.mark.parametrize(
    ("name", "value"), [("lerman", 2 / math.sqrt(21)), ("normalized_lerman", 1 / 6), ("rv", 9 / 13)]
)
def test_values_of_partition_comparison(name, value):
    assert cc.score(*PARTITION_COMPARISON, name) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("arabie_boorman", distance.hamming),
        ("bray_curtis", distance.dice),
        ("marczewski_steinhaus", distance.jaccard),
        ("yule_distance", distance.yule),
    ],
)
def test_scipy(name, peer):
    """SciPy 1.15, on the 0/1 vectors over the pairs."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        labels = rng.integers(4, size=25), rng.integers(3, size=25)
        pairs = list(itertools.combinations(range(25), 2))
        vectors = [np.array([pair in together(side) for pair in pairs]) for side in labels]
        assert cc.score(*labels, name) == pytest.approx(peer(*vectors), rel=1e-12)


@pytest.mark.parametrize("name", ["koppen_2", "baulieu_distance_8"])
def test_what_the_cluster_sizes_give_is_not_corrected(name):
    values = {cc.score_table(table, name) for table in all_tables((4, 3, 5), (6, 2, 4))}
    assert len(values) == 1
    score = cc.adjust_table([[4, 0], [2, 3]], index=name)
    assert math.isnan(score.adjusted)
    assert "same value" in score.remark


class TestRootsAndAngles:
    @pytest.mark.parametrize("counts", [(10**7, 1, 1, 10**7), (10**15, 3, 0, 10**16), (5, 10**8, 10**8, 7)])
    def test_no_digits_are_lost_near_the_ends(self, counts):
        """1 - phi and 1 - FM are 1e-7 and less there."""
        wanted = pytest.approx(correlation_distance(*counts), rel=1e-11)
        assert value(cc.get_index("correlation_distance"), *counts) == wanted
        for name in ("hellinger", "chord", "baulieu_distance_1", "baulieu_distance_2"):
            entry = cc.get_index(name)
            exact = of_exact_pairs(entry.formula, *counts)
            assert value(entry, *counts) == pytest.approx(exact, rel=1e-11)

    def test_at_most_its_largest_value(self):
        """1 - 0 / sqrt(P Q) squared and divided again may round above 1."""
        hellinger, chord = map(cc.get_index, ("hellinger", "chord"))
        for b, c in itertools.product(range(1, 40), repeat=2):
            assert value(hellinger, 0, b, c, 5) <= 2.0
            assert value(chord, 0, b, c, 5) <= math.sqrt(2.0)
