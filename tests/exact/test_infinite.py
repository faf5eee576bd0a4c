"""Means that are infinite because the index is so on some table, however improbable."""

import math
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc
from chancecorr import Margins
from chancecorr.exact.enumeration import compute_pair_sum_law
from chancecorr.exact.index_of_pair_sum import find_infinite_mean
from tests.naive import SMALL_MARGINS, law_of_pair_sum

EQUAL = [([400, 300, 100], [100, 300, 400]), ([60, 50, 40], [40, 50, 60]), ([5000] * 2, [5000] * 2)]
EQUAL = [Margins(*sides) for sides in EQUAL]


def test_extreme_values_that_some_table_has():
    """The index is infinite where no pair is together in both, or none in one only."""
    for rows, columns in SMALL_MARGINS:
        law = law_of_pair_sum(rows, columns)
        A, B = (sum(x * x for x in totals) for totals in (rows, columns))
        poles = {"no common pair": lambda a, b, c, d: 1 / a, "equal clusters": lambda a, b, c, d: 1 / (b + c)}
        for (name, function), T in zip(poles.items(), (sum(rows), A), strict=True):
            index = cc.indices.Index(name=name, function=function, needs="pairs", best=1.0)
            there = T in law and (name == "no common pair" or A == B)
            infinite = find_infinite_mean(index, Margins(rows, columns)) == math.inf
            assert infinite == there, (rows, columns, name)


@pytest.mark.parametrize("method", ["auto", "exact", "analytic"])
@pytest.mark.parametrize("name", ["kulczynski_1", "mountford"])
@pytest.mark.parametrize("margins", EQUAL, ids=str)
def test_the_mean_is_infinite_where_a_table_left_out_has_an_infinite_value(margins, name, method):
    null = cc.null_distribution(margins, name, method=method, rng=1, n_tables=1000)
    assert (null.mean, null.error) == (math.inf, 0.0)
    assert math.isnan(null.variance)
    if null.values_from == "exact":
        assert null.values[-1] == math.inf
        assert math.isfinite(null.quantile(0.999999))
        assert math.fsum(null.weights) == pytest.approx(1.0, abs=1e-12)
        assert 0.0 < null.p_value(math.inf) < 2e-12


@pytest.mark.parametrize("method", ["auto", "exact"])
@pytest.mark.parametrize(("rows", "columns"), [((60, 10, 10), (50, 30)), ((18, 15, 3), (21, 9, 6))])
def test_the_mean_is_finite_where_no_table_has_an_infinite_value(rows, columns, method):
    margins = Margins(rows, columns)
    null = cc.null_distribution(margins, "kulczynski_1", method=method)
    A, B = margins.squares
    mean = sum(p * Fraction(T - margins.n, A + B - 2 * T) for T, p in law_of_pair_sum(rows, columns).items())
    assert null.mean == pytest.approx(float(mean), rel=1e-12)


def test_where_it_is_not_known_the_mean_is_not():
    margins = Margins([5000, 5000], [5000, 5000])
    # between the last two T that are listed
    pole = (compute_pair_sum_law(margins).values[-1] + 5000**2 * 2) // 4 - margins.n // 2
    function = lambda a, b, c, d: np.where(np.abs(a - pole) < 10**5, np.inf, a)  # noqa: E731
    index = cc.indices.Index(name="pole", function=function, needs="pairs", best=1.0)
    score = cc.adjust_table(np.diag([5000, 5000]), index=index)
    assert math.isnan(score.expected)
    assert score.null.error == math.inf
    unknown = "the index may be infinite on some table with these cluster sizes"
    assert score.remark == unknown
    assert 0.0 < score.null.p_value(score.observed) <= 1.0
