"""Pair-counting similarities: published values, identities, orientation, what others compute."""

import itertools
import math

import numpy as np
import pytest

import chancecorr as cc
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


class TestOrientation:
    """The reference joins {0, 1, 2}, the candidate {0, 1}: it misses pairs, and makes up none."""

    reference, candidate = [0, 0, 0, 1, 2], [0, 0, 1, 2, 3]

    @pytest.mark.parametrize(
        ("name", "value"),
        [("pair_recall", 1 / 3), ("pair_precision", 1.0), ("wallace_1", 1 / 3), ("wallace_2", 1.0)],
    )
    def test_recall_is_of_the_reference(self, name, value):
        assert cc.score(self.reference, self.candidate, name) == pytest.approx(value)


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
