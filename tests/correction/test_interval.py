"""Intervals of a score: plain formulas, the ends of the scale, what is asked wrongly, pickling and frames."""

import math
import re
import warnings

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc
from chancecorr.correction.interval import Interval, _find_end_above, make_interval
from chancecorr.correction.jackknife import LeaveOneOut, leave_one_out
from tests.simulated import model_and_null

TABLE = [[40, 5], [10, 45]]


def left_out(table, name="rand", **options):
    return leave_one_out(*model_and_null(cc.get_index(name), cc.ContingencyTable(table), **options))


def test_standard_error_is_that_of_the_objects_gone_through_one_by_one():
    rows, columns, counts = cc.ContingencyTable(TABLE).nonzero_cells
    labels = np.repeat(rows, counts), np.repeat(columns, counts)
    n = counts.sum()
    without = [cc.adjusted_score(np.delete(labels[0], k), np.delete(labels[1], k), "rand") for k in range(n)]
    error = math.sqrt((n - 1) / n * sum((score - np.mean(without)) ** 2 for score in without))
    assert cc.adjust_table(TABLE).interval().standard_error == pytest.approx(error, rel=1e-9)


def test_the_lower_end_is_that_of_a_weighted_sum_of_poisson_counts():
    """For y lost and a variance v: gamma quantiles as Fay & Feuer (1997) print them, chi-square by SciPy."""
    found = left_out(TABLE)
    n = found.counts.sum()
    bias = (n - 1) * (np.average(found.without, weights=found.counts) - found.whole)
    y, v = 1.0 - found.whole + bias, cc.adjust_table(TABLE).interval().standard_error ** 2
    w = max(found.without.max() - found.whole, found.cost)
    low, high = make_interval(found, 0.9)
    upper = (v + w * w) / (2 * (y + w)) * stats.chi2.ppf(0.95, 2 * (y + w) ** 2 / (v + w * w))
    assert low == pytest.approx(1.0 - upper, rel=1e-9)
    assert high == pytest.approx(1.0 - v / (2 * y) * stats.chi2.ppf(0.05, 2 * y * y / v), rel=1e-9)


@pytest.mark.parametrize("squares", [1, 4, 9])
def test_the_upper_end_near_independence_is_that_of_a_noncentral_chi_square(squares):
    """There the score is a sum of so many squares, of which a true score x shifts the mean by x."""
    none, v, estimate, most = np.zeros(1), 1e-3, 0.1, 1.96
    found = LeaveOneOut(whole=estimate, counts=none, without=none, null_variance=v, squares=squares)
    x, unit = _find_end_above(estimate, found, most), math.sqrt(v / stats.chi2.var(squares))
    deviation = unit * stats.ncx2.std(squares, x / unit) * (1.0 - x)
    assert x - estimate == pytest.approx(most * deviation, rel=1e-9)


def test_perfect_agreement_has_a_lower_end_below_one():
    """-log(0.05), about three, objects that disagree would have been seen with a probability of 95 %."""
    found = left_out([[50, 0], [0, 50]])
    interval = make_interval(found, 0.95)
    assert (interval.high, interval.standard_error) == (1.0, 0.0)
    assert interval.low == pytest.approx(1.0 + math.log(0.05) * found.cost)
    assert "perfect agreement" in interval.remark


@pytest.mark.parametrize(
    ("table", "remark"),
    [
        ([[10]], "there is no adjusted score"),
        ([[1]], "there is no adjusted score"),
        (np.eye(12, dtype=int), "there is no adjusted score"),
        ([[4, 3]], "every table with these cluster sizes has the same value"),
        ([[11, 0], [0, 1]], "1 of the 12 objects cannot be removed: the adjusted score would be undefined"),
    ],
)
@pytest.mark.parametrize("name", ["rand", "jaccard"])
def test_no_interval(table, remark, name):
    interval = cc.adjust_table(table, index=name).interval()
    assert np.isnan([interval.low, interval.high]).all()
    assert interval.remark == remark
    assert remark in repr(interval)


MANY = np.diag([2] * 20) + (np.arange(400).reshape(20, 20) % 3 == 0)
"""174 objects in 20 clusters against 20, most cells with one object or none."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["purity", "nmi_sum", "mutual_information"])
def test_too_few_objects_for_so_many_clusters(name):
    interval = cc.adjust_table(MANY, index=name, n_tables=200, rng=1).interval()
    assert np.isnan([interval.low, interval.high]).all()
    said = "in samples of this size the bias of the score is uncertain ("
    assert interval.remark.startswith(said)


@pytest.mark.slow
def test_a_sample_below_its_interval_is_told():
    """Chance makes the distance of 300 objects in 20 clusters a tenth shorter than that of many objects."""
    shares = 0.5 * np.eye(20) / 20 + 0.5 / 400
    table = np.random.default_rng(0).multinomial(300, shares.ravel()).reshape(20, 20)
    score = cc.adjust_table(table, index="van_dongen", n_tables=500, rng=1)
    interval = score.interval()
    assert score.adjusted < interval.low < 0.5 < interval.high
    said = r"the observed score is below it: in samples of this size its bias is about -0\.\d+"
    assert re.fullmatch(said, interval.remark)
    assert cc.adjust_table(table).interval().remark == ""


def test_wrong_arguments():
    score = cc.adjust_table(TABLE)
    with pytest.raises(ValueError, match="`confidence` must lie between 0 and 1; got 95"):
        score.interval(95)
    for level in ("a", [], 1j, None):
        with pytest.raises(TypeError, match="`confidence` must be a number; got"):
            score.interval(level)


def test_repr():
    interval = Interval(low=0.4123, high=0.4689, confidence=0.95, standard_error=0.0141)
    assert repr(interval) == "Interval(0.412, 0.469, confidence=0.95)"
    assert tuple(interval) == (0.4123, 0.4689)


def test_the_jackknife_of_a_mean():
    """Of numbers x_k left out of their mean, the jackknife gives ``var / n``, and no bias."""
    x, counts = np.array([0.1, 0.4, 0.7]), np.array([20, 50, 30])
    mean = (counts @ x) / 100
    found = LeaveOneOut(whole=mean, counts=counts, without=(100 * mean - x) / 99, estimate=mean)
    variance = counts @ (x - mean) ** 2 / 99 / 100
    assert make_interval(found, 0.95).standard_error == pytest.approx(math.sqrt(variance), rel=1e-12)


def test_an_index_that_is_infinite_without_some_object_has_none():
    """One class cut into several clusters has the normalized clustering accuracy -inf."""
    table = np.zeros((2, 21), dtype=int)
    table[0, [1, 4, 9, 11]] = table[1, 18] = 1
    drawn = {"n_tables": 50, "rng": 5, "method": "monte-carlo"}
    score = cc.adjust_table(table, index="normalized_clustering_accuracy", **drawn)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = score.interval()
    assert np.isnan([found.low, found.high]).all()
    assert found.remark
