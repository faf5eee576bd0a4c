"""Bounds of tails of the mutual information: above those of all tables, and small where they are."""

import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.exact.laws.enumeration import table_law
from chancecorr.exact.laws.type_bounds import log_bound_of_information


@pytest.mark.parametrize(
    "sizes", [((5, 4, 3), (6, 3, 3)), ((9, 1), (5, 5)), ((30, 20), (25, 25)), ((12, 9, 6), (14, 13))]
)
def test_no_tail_is_above_its_bound(sizes):
    margins = cc.Margins(*sizes)
    tables, probabilities = table_law(margins, 10**5)
    found = np.array([cc.score_table(table, "mutual_information") for table in tables])
    for x in np.unique(found):
        tail = math.fsum(probabilities[found >= x - 1e-12])
        assert math.log(tail) <= log_bound_of_information(margins, float(x)) + 1e-9


def test_equal_clusterings_of_many_objects():
    """Their logarithm is ``log(K!) + sum log(r!) - log(n!)``, and the bound within its polynomial factors."""
    margins = cc.Margins([200] * 3, [200] * 3)
    exact = math.log(6) + 3 * math.lgamma(201) - math.lgamma(601)
    assert exact < log_bound_of_information(margins, math.log(3)) < 0.9 * exact
