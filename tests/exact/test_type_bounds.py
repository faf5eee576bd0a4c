"""Bounds of tails of the mutual information: above those of all tables, and small where they are."""

import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.enumeration import list_table_law
from chancecorr.exact.tail_bounds import bound_log_tail_of_information, bound_log_tail_of_share

SIZES = [((5, 4, 3), (6, 3, 3)), ((9, 1), (5, 5)), ((12, 9, 6), (14, 13))]
SHARES = [("purity", 0), ("inverse_purity", 1)]
SHARES += [("maximum_matching_accuracy", 0), ("maximum_matching_accuracy", 1)]


@pytest.mark.parametrize("sizes", [*SIZES, ((30, 20), (25, 25))])
def test_no_tail_is_above_its_bound(sizes):
    margins = cc.Margins(*sizes)
    tables, probabilities = list_table_law(margins, 10**5)
    found = np.array([cc.score_table(table, "mutual_information") for table in tables])
    for x in np.unique(found):
        tail = math.fsum(probabilities[found >= x - 1e-12])
        assert math.log(tail) <= bound_log_tail_of_information(margins, float(x)) + 1e-9


def test_equal_clusterings_of_many_objects():
    """Their logarithm is ``log(K!) + sum log(r!) - log(n!)``, and the bound within its polynomial factors."""
    margins = cc.Margins([200] * 3, [200] * 3)
    exact = math.log(6) + 3 * math.lgamma(201) - math.lgamma(601)
    assert exact < bound_log_tail_of_information(margins, math.log(3)) < 0.9 * exact


@pytest.mark.parametrize("sizes", [*SIZES, ((4, 4, 4), (3, 3, 3, 3)), ((7, 5), (4, 4, 4))])
@pytest.mark.parametrize(("name", "side"), SHARES)
def test_no_tail_of_a_share_is_above_its_bound(sizes, name, side):
    margins = cc.Margins(*sizes)
    tables, probabilities = list_table_law(margins, 10**5)
    found = np.array([cc.score_table(table, name) for table in tables])
    informations = np.array([cc.score_table(table, "mutual_information") for table in tables])
    for x in np.unique(found):
        tail = math.fsum(probabilities[found >= x - 1e-12])
        assert math.log(tail) <= bound_log_tail_of_share(margins, float(x), side) + 1e-9
        # each such table has the information that Fano's inequality says: the bound is that of information
        p, e = np.array(sizes[side]) / margins.n, 1.0 - float(x)
        if e < 1.0 - 1.0 / p.size:
            left = e * math.log(p.size - 1) - sum(y * math.log(y) for y in (e, 1.0 - e) if y > 0.0)
            assert informations[found >= x - 1e-12].min() >= -(p * np.log(p)).sum() - left - 1e-9


def test_perfect_purity_leaves_no_entropy():
    margins = cc.Margins([200] * 3, [100] * 6)
    of_information = bound_log_tail_of_information(margins, math.log(3))
    assert bound_log_tail_of_share(margins, 1.0, 0) == pytest.approx(of_information)
    assert bound_log_tail_of_share(margins, 0.3, 0) == 0.0
