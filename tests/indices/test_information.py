"""Information indices: peers, identities, families, accuracy, and what software does otherwise."""

import math

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


VECTORS = [labels(n, clusters, n) for n, clusters in [(10, 2), (12, 6), (150, 3), (400, 20), (2000, 7)]]


MEANS = {
    "nmi_max": "max", "nmi_sum": "arithmetic", "v_measure": "arithmetic", "nmi_sqrt": "geometric",
    "nmi_min": "min", "mutual_information": "arithmetic", "information_distance": "max", "nid": "max",
    "variation_of_information": "arithmetic",
}  # fmt: skip


@pytest.mark.parametrize(("index", "mean"), MEANS.items())
def test_adjusted_mutual_information_of_scikit_learn(index, mean):
    peer = pytest.importorskip("sklearn.metrics")
    for vectors in VECTORS:
        expected = peer.adjusted_mutual_info_score(*vectors, average_method=mean)
        found = cc.adjust(*vectors, index=index, method="analytic")
        assert found.adjusted == pytest.approx(expected, abs=1e-9), vectors


def test_additive_or_not():
    margins = cc.Margins([5, 4, 3], [6, 3, 3])
    for entry in map(cc.get_index, cc.list_indices("information")):
        if entry.needs == "cells":
            assert is_additive(entry, margins) == (entry.name not in NOT_LINEAR), entry.name


def test_number_of_tables_within_18_percent():
    for totals in SMALL_MARGINS:
        rows, columns = map(np.array, totals)
        number = sum(1 for _ in all_tables(*totals))
        found, transposed = log_number_of_tables(rows, columns), log_number_of_tables(columns, rows)
        assert math.exp(found) == pytest.approx(number, rel=0.18)
        assert math.exp(found) == pytest.approx(math.exp(transposed), rel=1e-12)


@pytest.mark.parametrize("table", [((4, 6), (6, 9)), ((10**9, 2 * 10**9),), ((10**9,), (5,))])
def test_independence_is_exactly_zero(table):
    for name in ("mutual_information", "phi_square", "nmi_sum", "tschuprow_t", "goodman_kruskal_tau_1"):
        assert cc.score_table(table, name) == 0.0 or math.isnan(cc.score_table(table, name))


def test_a_single_object_apart_from_a_thousand_million():
    n = 10**9
    p, table = 1 / n, ((1, 0), (0, n - 1))
    exact = -p * math.log(p) - (1 - p) * math.log1p(-p)
    assert entropy(np.array([1, n - 1])) == pytest.approx(exact, rel=1e-14)
    assert cc.score_table(table, "mutual_information") == pytest.approx(exact, rel=1e-13)
    assert cc.score_table(table, "nmi_max") == pytest.approx(1.0, rel=1e-13)


def test_next_to_independence():
    """I is phi^2 / 2 up to the fourth power of the deviation 1 / m."""
    m = 10**4
    table = ((m + 1, m - 1), (m - 1, m + 1))
    assert cc.score_table(table, "phi_square") == pytest.approx(1 / m**2, rel=1e-11)
    assert cc.score_table(table, "mutual_information") == pytest.approx(0.5 / m**2, rel=1e-7)


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
