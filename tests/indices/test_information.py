"""Information indices: peers, identities, families, accuracy, and what software does otherwise."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.additive import is_additive
from chancecorr.indices.information import entropy
from chancecorr.indices.reduced_information import log_number_of_tables
from tests.naive import SMALL_MARGINS, all_tables

NOT_LINEAR = {"nmi_joint", "nvi_joint", "dom_q2", "cramer_v", "tschuprow_t", "contingency_coefficient"}


def labels(n, clusters, seed):
    """Two label vectors of n objects, half of the second copied from the first."""
    rng = np.random.default_rng(seed)
    u = rng.integers(0, clusters, n)
    return u, np.where(rng.random(n) < 0.5, u % 3, rng.integers(0, clusters + 1, n))


def score(table, index):
    return cc.score_table(table, index)


VECTORS = [labels(n, clusters, n) for n, clusters in [(10, 2), (12, 6), (150, 3), (400, 20), (2000, 7)]]


@pytest.fixture
def peer():
    return pytest.importorskip("sklearn.metrics")


class TestScikitLearn:
    """Values of scikit-learn, and its adjusted mutual information."""

    @pytest.mark.parametrize(
        ("index", "mean"),
        [
            ("nmi_max", "max"),
            ("nmi_sum", "arithmetic"),
            ("v_measure", "arithmetic"),
            ("nmi_sqrt", "geometric"),
            ("nmi_min", "min"),
            ("mutual_information", "arithmetic"),
            ("information_distance", "max"),
            ("nid", "max"),
            ("variation_of_information", "arithmetic"),
        ],
    )
    def test_adjusted_mutual_information(self, peer, index, mean):
        for vectors in VECTORS:
            expected = peer.adjusted_mutual_info_score(*vectors, average_method=mean)
            found = cc.adjust(*vectors, index=index, method="analytic")
            assert found.adjusted == pytest.approx(expected, abs=1e-9), vectors


class TestExactMoments:
    def test_additive_or_not(self):
        margins = cc.Margins([5, 4, 3], [6, 3, 3])
        for entry in map(cc.get_index, cc.list_indices("information")):
            if entry.needs == "cells":
                assert is_additive(entry, margins) == (entry.name not in NOT_LINEAR), entry.name


class TestReducedMutualInformation:
    def test_number_of_tables_within_18_percent(self):
        for row_totals, column_totals in SMALL_MARGINS:
            number = sum(1 for _ in all_tables(row_totals, column_totals))
            found = math.exp(log_number_of_tables(np.array(row_totals), np.array(column_totals)))
            assert found == pytest.approx(number, rel=0.18)
            transposed = math.exp(log_number_of_tables(np.array(column_totals), np.array(row_totals)))
            assert found == pytest.approx(transposed, rel=1e-12)


class TestZeroOverZero:
    @pytest.mark.parametrize("table", [((4, 6), (6, 9)), ((10**9, 2 * 10**9),), ((10**9,), (5,))])
    def test_independence_is_exactly_zero(self, table):
        for name in ("mutual_information", "phi_square", "nmi_sum", "tschuprow_t", "goodman_kruskal_tau_1"):
            assert score(table, name) == 0.0 or math.isnan(score(table, name))


class TestAccuracy:
    def test_a_single_object_apart_from_a_thousand_million(self):
        n = 10**9
        p = 1 / n
        exact = -p * math.log(p) - (1 - p) * math.log1p(-p)
        assert entropy(np.array([1, n - 1])) == pytest.approx(exact, rel=1e-14)
        assert score(((1, 0), (0, n - 1)), "mutual_information") == pytest.approx(exact, rel=1e-13)
        assert score(((1, 0), (0, n - 1)), "nmi_max") == pytest.approx(1.0, rel=1e-13)

    def test_next_to_independence(self):
        """I is phi^2 / 2 up to the fourth power of the deviation 1 / m."""
        m = 10**4
        table = ((m + 1, m - 1), (m - 1, m + 1))
        assert score(table, "phi_square") == pytest.approx(float(Fraction(1, m * m)), rel=1e-11)
        assert score(table, "mutual_information") == pytest.approx(0.5 / m**2, rel=1e-7)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("v_beta(0)", "`beta` must be above 0 and finite; got 0"),
        ("nmi_q(-1)", "`q` must be above 0 and finite; got -1"),
        ("vi_q(inf)", "`q` must be above 0 and finite; got inf"),
        ("v_beta(1, 2)", "must have 1 number"),
        ("nmi_max(2)", "must be a name without numbers"),
    ],
)
def test_wrong_parameters(name, text):
    with pytest.raises(ValueError, match=text):
        cc.get_index(name)
