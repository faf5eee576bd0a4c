"""Pair-counting indices: published values, peers, identities, digits near the ends, moments of a."""

import itertools
import math
import random

import numpy as np
import pytest
from scipy.spatial import distance

import chancecorr as cc
from tests.indices.definitions import correlation_distance, together
from tests.indices.formulas import of_exact_pairs
from tests.naive import all_tables, pair_counts

NINE = [[5, 1, 0], [1, 4, 2], [0, 2, 6]]


def score(table, name):
    return cc.score_table(table, name)


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
            first, second = rng.integers(4, size=60), rng.integers(3, size=60)
            for name, function in (
                ("adjusted_rand", metrics.adjusted_rand_score),
                ("fowlkes_mallows", metrics.fowlkes_mallows_score),
                ("rand", metrics.rand_score),
            ):
                assert cc.score(first, second, name) == pytest.approx(function(first, second), rel=1e-12)
            (d, c), (b, a) = metrics.pair_confusion_matrix(first, second) // 2
            assert cc.score(first, second, "wallace_1") == pytest.approx(a / (a + b), rel=1e-15)
            assert cc.score(first, second, "wallace_2") == pytest.approx(a / (a + c), rel=1e-15)
            assert cc.score(first, second, "partition_difference") == d
            matthews = metrics.matthews_corrcoef(
                [0] * (c + d) + [1] * (a + b), [1] * c + [0] * (d + b) + [1] * a
            )
            assert cc.score(first, second, "phi") == pytest.approx(matthews, rel=1e-12)

    def test_lowest_adjusted_rand_index(self):
        """Chacón & Rastrojo (2022): -1/2, of two crossed pairs; for given sizes as the exact law has it."""
        assert score([[1, 1], [1, 1]], "adjusted_rand") == -0.5
        for n in range(3, 7):
            sizes = [each for k in range(2, n) for each in sizes_of(n, k)]
            for rows, columns in itertools.product(sizes, sizes):
                law = cc.null_distribution(cc.Margins(rows, columns), "adjusted_rand", method="exact")
                lowest = min(score(table, "adjusted_rand") for table in all_tables(rows, columns))
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
            *[
                (name, name)
                for name in ("phi", "peirce_1", "peirce_2", "maxwell_pilliner", "kuhns_5", "kuhns_6")
            ],
        ],
    )
    def test_closed_form_is_the_adjusted_index(self, adjusted, of):
        """(observed - expected) / (1 - expected) with the exact mean, and 1 as the best value."""
        for table in ([[5, 1], [1, 4]], [[3, 2, 1], [0, 4, 2]], NINE):
            found = cc.adjust_table(table, index=of, method="analytic").adjusted
            assert score(table, adjusted) == pytest.approx(found, rel=1e-11, abs=1e-13)


class TestExtremes:
    def test_infinite_values(self):
        for name in ("kulczynski_1", "mountford", "sokal_sneath_3"):
            assert score(np.diag([3, 2, 4]), name) == math.inf
        assert score([[1, 1], [1, 1]], "gilbert_wells") == -math.inf
        # D = -1 and N = 3; then D = -3 and N = 6, so that abs(D) = N / 2.
        assert score([[1, 1], [1, 0]], "stiles") == pytest.approx(math.log10(3 * (1 - 1.5) ** 2 / 4))
        assert score([[2, 1], [1, 0]], "stiles") == -math.inf


def value(name, a, b, c, d):
    """Of a function on pair counts, whether or not clusterings have them."""
    arrays = (np.array([float(count)]) for count in (a, b, c, d))
    with np.errstate(all="ignore"):
        return float(cc.get_index(name).function(*arrays)[0])


def random_labels(seed, n=25):
    rng = random.Random(seed)
    return [rng.randrange(4) for _ in range(n)], [rng.randrange(3) for _ in range(n)]


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
        labels = random_labels(seed)
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
        assert value("correlation_distance", *counts) == pytest.approx(
            correlation_distance(*counts), rel=1e-11
        )
        for name in ("hellinger", "chord", "baulieu_distance_1", "baulieu_distance_2"):
            exact = of_exact_pairs(cc.get_index(name).formula, *counts)
            assert value(name, *counts) == pytest.approx(exact, rel=1e-11)

    def test_at_most_its_largest_value(self):
        """1 - 0 / sqrt(P Q) squared and divided again may round above 1."""
        for b, c in itertools.product(range(1, 40), range(1, 40)):
            assert value("hellinger", 0, b, c, 5) <= 2.0
            assert value("chord", 0, b, c, 5) <= math.sqrt(2.0)


PARTITION_COMPARISON = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
"""The example of the manual of partitionComparison for R."""


class TestLerman:
    def test_published_values(self):
        assert cc.score(*PARTITION_COMPARISON, "lerman") == pytest.approx(2 / math.sqrt(21), rel=1e-14)
        assert cc.score(*PARTITION_COMPARISON, "normalized_lerman") == pytest.approx(1 / 6, rel=1e-14)


class TestCosines:
    def test_published_value_of_rv(self):
        assert cc.score(*PARTITION_COMPARISON, "rv") == pytest.approx(9 / 13, rel=1e-14)


class TestMari:
    def test_edges(self):
        assert cc.score_table([[2, 0], [0, 1]], "mari") == 1.0  # identical, though n < 4
        assert math.isnan(cc.score_table([[1, 1], [1, 0]], "mari"))
        opposite = [[0, 0, 1], [0, 0, 1], [1, 1, 0]]  # pairs {0, 1} and {2, 3}: E is as large as it can be
        assert cc.score_table(opposite, "mari") == -math.inf
