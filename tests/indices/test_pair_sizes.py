"""Coefficients of the cluster sizes: exact moments, published values, and formulas that differ elsewhere."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.indices.pair_sizes import moments_of_a
from tests.naive import SMALL_MARGINS, law_of_pair_sum, moments

PARTITION_COMPARISON = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1]
"""The example of the manual of partitionComparison for R."""


def random_tables(seed, tables=40):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 5, size=rng.integers(1, 5, size=2)) for _ in range(tables)]


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
    def test_published_values(self):
        assert cc.score(*PARTITION_COMPARISON, "lerman") == pytest.approx(2 / math.sqrt(21), rel=1e-14)
        assert cc.score(*PARTITION_COMPARISON, "normalized_lerman") == pytest.approx(1 / 6, rel=1e-14)

    def test_it_is_the_standardised_rand_index(self):
        for table in random_tables(1):
            score = cc.adjust_table(table, index="rand", method="analytic")
            if score.std > 0:
                assert cc.score_table(table, "lerman") == pytest.approx(score.z_score, rel=1e-9, abs=1e-12)


class TestCosines:
    def test_published_value_of_rv(self):
        assert cc.score(*PARTITION_COMPARISON, "rv") == pytest.approx(9 / 13, rel=1e-14)


class TestMari:
    def test_edges(self):
        assert cc.score_table([[2, 0], [0, 1]], "mari") == 1.0  # identical, though n < 4
        assert math.isnan(cc.score_table([[1, 1], [1, 0]], "mari"))
        opposite = [[0, 0, 1], [0, 0, 1], [1, 1, 0]]  # pairs {0, 1} and {2, 3}: E is as large as it can be
        assert cc.score_table(opposite, "mari") == -math.inf
