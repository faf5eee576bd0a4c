"""Coefficients of the cluster sizes: exact moments, published values, and formulas that differ elsewhere."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.indices import pair_sizes as sizes
from chancecorr.indices.pair_sizes import moments_of_a
from tests.indices.definitions import together
from tests.naive import SMALL_MARGINS, all_tables, law_of_pair_sum, moments, tables_to_labels

NAMES = [name for name in cc.list_indices() if cc.get_index(name).function.__module__ == sizes.__name__]
TABLE = ((2, 1), (0, 3))
PARTITION_COMPARISON = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
"""The example of the manual of partitionComparison for R."""


def random_tables(seed, tables=40):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 5, size=rng.integers(1, 5, size=2)) for _ in range(tables)]


def z_rand(table, diagonal):
    """z-Rand as netneurotools computes it, from the co-membership matrices with or without their diagonal."""
    x, y = tables_to_labels(table)
    n = len(x)
    both = [np.equal.outer(side, side) & ((np.eye(n) == 0) | bool(diagonal)) for side in (x, y)]
    N = n * (n - 1) / 2
    P, Q, a = (matrix.sum() / 2 for matrix in (*both, both[0] & both[1]))
    cubes = [
        n * (n * n - 3 * n - 2) - 8 * (n + 1) * pairs + 4 * sum(int(size) ** 3 for size in np.bincount(side))
        for pairs, side in ((P, x), (Q, y))
    ]
    squares = [(4 * pairs - 2 * N) ** 2 for pairs in (P, Q)]
    rest = [square - 4 * cube - 4 * N for square, cube in zip(squares, cubes, strict=True)]
    falling = n * (n - 1) * (n - 2)
    variance = N / 16 - math.prod(squares) / (256 * N * N) + math.prod(cubes) / (16 * falling)
    variance += math.prod(rest) / (64 * falling * (n - 3))
    return (a - P * Q / N) / math.sqrt(variance)


def sizes_of(table):
    table = np.asarray(table)
    return table.sum(axis=1), table.sum(axis=0)


class TestMomentsOfA:
    def test_enumeration(self):
        """Exactly, in fractions."""
        for rows, columns in SMALL_MARGINS:
            law = law_of_pair_sum(rows, columns)
            a = [Fraction(T - sum(rows), 2) for T in law]
            mean, variance, *_ = moments(a, list(law.values()))
            totals = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
            assert moments_of_a(*totals) == (mean, variance), (rows, columns)

    @pytest.mark.parametrize("n", [0, 1])
    def test_without_pairs(self, n):
        totals = np.full(n, 1, dtype=np.int64)
        assert moments_of_a(totals, totals) == (0, 0)


class TestLerman:
    def test_mean_0_and_variance_1_by_chance(self):
        for rows, columns in SMALL_MARGINS:
            values, chances = [], []
            for T, chance in law_of_pair_sum(rows, columns).items():
                table = next(
                    x for x in all_tables(rows, columns) if sum(c * c for row in x for c in row) == T
                )
                values.append(cc.score_table(table, "lerman"))
                chances.append(float(chance))
            if len(values) == 1:
                assert math.isnan(values[0]), (rows, columns)
                continue
            mean = sum(p * x for x, p in zip(values, chances, strict=True))
            variance = sum(p * x * x for x, p in zip(values, chances, strict=True)) - mean**2
            assert mean == pytest.approx(0.0, abs=1e-12), (rows, columns)
            assert variance == pytest.approx(1.0, rel=1e-12), (rows, columns)

    def test_published_values(self):
        assert cc.score(*PARTITION_COMPARISON, "lerman") == pytest.approx(2 / math.sqrt(21), rel=1e-14)
        assert cc.score(*PARTITION_COMPARISON, "normalized_lerman") == pytest.approx(1 / 6, rel=1e-14)

    def test_it_is_the_standardised_rand_index(self):
        for table in random_tables(1):
            score = cc.adjust_table(table, index="rand", method="analytic")
            if score.std > 0:
                assert cc.score_table(table, "lerman") == pytest.approx(score.z_score, rel=1e-9, abs=1e-12)

    @pytest.mark.parametrize(
        ("table", "with_self_pairs"),
        [
            # k-means, three clusters, unscaled, on the wine data; and seven objects. The second numbers are
            # what zrand of netneurotools 0.3.0 gives for them.
            ([[0, 46, 13], [50, 1, 20], [19, 0, 29]], 46.140468115872075),
            ([[2, 1], [0, 3], [1, 0]], 0.33204550245952175),
        ],
    )
    def test_z_rand_of_netneurotools_counts_self_pairs(self, table, with_self_pairs):
        """Its formula is ours without the diagonals of the two matrices, which it leaves in."""
        found = cc.score_table(table, "lerman")
        assert z_rand(table, 0) == pytest.approx(found, rel=1e-12)
        assert z_rand(table, 1) == pytest.approx(with_self_pairs, rel=1e-12)
        assert abs(found - with_self_pairs) > 0.1


class TestCosines:
    def test_published_value_of_rv(self):
        assert cc.score(*PARTITION_COMPARISON, "rv") == pytest.approx(9 / 13, rel=1e-14)

    def test_empty_clusters_do_not_count(self):
        for name in NAMES:
            with_empty = cc.score_table([[2, 0, 1], [0, 0, 0], [0, 0, 3]], name)
            assert with_empty == cc.score_table(TABLE, name)


class TestMari:
    def test_its_mean_is_estimated_without_bias(self):
        """Four or five objects, each drawn to a row and a column: C(n, 2) sum p^2 sum q^2 on average."""
        p, q = [Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 5), Fraction(4, 5)]
        for n in (4, 5):
            average = Fraction(0)
            draws = list(itertools.product(range(2), repeat=n))
            for rows, columns in itertools.product(draws, draws):
                chance = math.prod(p[i] for i in rows) * math.prod(q[j] for j in columns)
                sides = together(rows), together(columns)
                disjoint = sum(not {*one} & {*two} for one in sides[0] for two in sides[1])
                average += chance * Fraction(disjoint, math.comb(n - 2, 2))
            assert average == math.comb(n, 2) * sum(x * x for x in p) * sum(x * x for x in q)

    def test_edges(self):
        assert cc.score_table([[2, 0], [0, 1]], "mari") == 1.0  # identical, though n < 4
        assert math.isnan(cc.score_table([[1, 1], [1, 0]], "mari"))
        opposite = [[0, 0, 1], [0, 0, 1], [1, 1, 0]]  # pairs {0, 1} and {2, 3}: E is as large as it can be
        assert cc.score_table(opposite, "mari") == -math.inf


class TestPredictionStrength:
    def test_clusters_of_one_object_have_no_pair(self):
        assert cc.score_table([[1, 0], [2, 1]], "prediction_strength") == pytest.approx(1 / 3, rel=1e-14)
        assert math.isnan(cc.score_table([[1, 0], [1, 0], [0, 1]], "prediction_strength"))

    def test_the_minimum_is_over_the_reference(self):
        assert cc.score_table([[2], [3]], "prediction_strength") == 1.0
        assert cc.score_table([[2, 3]], "prediction_strength") == pytest.approx((1 + 3) / 10, rel=1e-14)
