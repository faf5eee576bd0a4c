"""Marks of candidates, and how often they are right: levels by simulation."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import false_discovery_control

import chancecorr as cc
from chancecorr.comparison.compare import correct_p_values, find_p_values_of_gaps
from chancecorr.comparison.comparison import CORRECTIONS


def four_errors(share, samples):
    return 4.0 * math.sqrt(share * (1.0 - share) / samples)


def gaps(scores, covariance, degrees=1e9):
    """Gaps to the best, in standard errors, the best first; their p-values, in the order of the scores."""
    scores = np.sort(scores)[::-1]
    errors = np.sqrt(np.add.outer(np.diag(covariance), np.diag(covariance)) - 2.0 * covariance)[0]
    statistics = (scores[0] - scores) / np.where(errors > 0.0, errors, 1.0)
    return statistics, find_p_values_of_gaps(statistics.tolist(), covariance, degrees)


def test_the_largest_gap_of_independent_scores_is_tested_by_tukeys_range():
    """SciPy's studentized range; of 10,000 draws, four standard errors."""
    for m, far in ((3, 2.4), (8, 3.0), (20, 3.5)):
        statistics, p_values = gaps(np.linspace(0.0, far * math.sqrt(2.0), m), np.eye(m))
        known = stats.studentized_range.sf(statistics[-1] * math.sqrt(2.0), m, 1e5)
        assert abs(p_values[-1] - known) < four_errors(known, 10_000) + 1e-4
        assert (np.diff(p_values[1:]) <= 0.0).all()


def test_of_few_groups_each_difference_has_an_error_of_its_own():
    """The largest of all paired t statistics of four scores in seven groups, sample by sample."""
    rng, n_samples = np.random.default_rng(3), 4_000
    mixing = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.0, 2.0, 0.0], [0.5, 0.0, 1.0]])
    largest = np.zeros(n_samples)
    for sample in range(n_samples):
        values = rng.standard_normal((7, 3)) @ mixing.T
        for first, second in itertools.combinations(values.T, 2):
            apart = first - second
            statistic = abs(apart.mean()) / (apart.std(ddof=1) / math.sqrt(7))
            largest[sample] = max(largest[sample], statistic)
    for statistic in (2.5, 3.5, 4.5):
        found = find_p_values_of_gaps([0.0, 0.1, 0.2, statistic], mixing @ mixing.T, 6)[3]
        known = float((largest >= statistic).mean())
        assert abs(found - known) < four_errors(known, n_samples) + four_errors(known, 10_000)


def test_two_candidates_have_the_p_value_of_their_difference():
    _, p_values = gaps(np.array([0.3, 0.0]), np.array([[0.02, 0.01], [0.01, 0.02]]), 12)
    assert p_values[1] == pytest.approx(2.0 * stats.t.sf(0.3 / math.sqrt(0.02), 12), rel=1e-12)


def test_far_gaps_have_the_bound_of_bonferroni():
    """Where 10,000 draws tell nothing; one that is out leaves the p-values of the others as they are."""
    _, p_values = gaps(np.array([20.0, 19.0, 0.0]), np.eye(3))
    assert p_values[2] == pytest.approx(6.0 * stats.norm.sf(20.0 / math.sqrt(2.0)), rel=1e-6)
    assert p_values[1] == pytest.approx(2.0 * stats.norm.sf(1.0 / math.sqrt(2.0)), rel=1e-6)


def test_scores_that_go_together_are_told_apart():
    together = 0.99 + 0.01 * np.eye(3)
    _, apart = gaps(np.array([0.5, 0.25, 0.0]), np.eye(3))
    _, found = gaps(np.array([0.5, 0.25, 0.0]), together)
    assert found[2] < 0.01 < 0.5 < apart[2]


def test_the_covariance_counts_the_objects_that_two_candidates_share():
    """Of candidates that each leave out other objects, the marks are those of the objects that they have."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 400)
    good, poor = (np.where(rng.random(400) < right, truth, rng.integers(0, 3, 400)) for right in (0.9, 0.5))
    third = good.copy()
    third[:40], poor[360:] = -1, -1
    found = cc.compare(truth, {"good": good, "poor": poor, "third": third}, noise="drop")
    assert [found[name].among_best for name in ("good", "poor", "third")] == [True, False, True]


def alike():
    """A reference, and a candidate that is like it."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 120)
    return truth, np.where(rng.random(120) < 0.7, truth, rng.integers(0, 3, 120))


@pytest.mark.parametrize("groups", [None, np.arange(120) % 6])
def test_the_same_clustering_is_said_to_be(groups):
    truth, one = alike()
    named = np.array(["x", "y", "z"])[(one + 1) % 3]
    candidates = {"one": one, "again": named, "perfect": truth, "twice": truth + 7}
    found = cc.compare(truth, candidates, groups=groups)
    for pair in (("one", "again"), ("perfect", "twice")):
        difference = found.difference(*pair)
        assert (difference.difference, difference.p_value) == (0.0, 1.0)
        assert math.isnan(difference.interval.low)
        assert difference.interval.remark == "the same clustering"
    assert (found["perfect"].among_best, found["twice"].among_best) == (True, True)
    for text in (repr(found), found.to_markdown(), found._repr_html_()):
        assert "again: the same clustering as one" in text
        assert "twice: the same clustering as perfect" in text


def test_clusterings_of_the_same_sizes_and_scores_are_not_the_same():
    truth = np.repeat([0, 1], 20)
    first, second = truth.copy(), truth.copy()
    first[[0, 20]], second[[1, 21]] = [1, 0], [1, 0]
    found = cc.compare(truth, [first, second])
    assert found.difference(0, 1).interval.remark != "the same clustering"
    assert "the same clustering as" not in repr(found)


def test_a_page_says_that_clusterings_are_the_same():
    report = pytest.importorskip("chancecorr.report")
    truth, one = alike()
    board = cc.compare(truth, {"one": one, "again": (one + 1) % 3, "noise": one[::-1]})
    contents = report.collect_contents(board)
    assert [each.remark for each in contents.indices[0].differences] == ["the same clustering", ""]


P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30)


@given(P_VALUES, st.floats(1e-6, 1.0))
def test_holm_rejects_what_his_steps_reject(p_values, level):
    m, rejected = len(p_values), set()
    for k, place in enumerate(sorted(range(m), key=lambda i: p_values[i])):
        if p_values[place] * (m - k) > level:  # the first that stays ends the steps
            break
        rejected.add(place)
    found = {i for i, p in enumerate(correct_p_values(p_values, "holm")) if min(p, 1.0) <= level}
    assert found == (rejected if level < 1.0 else set(range(m)))


@given(P_VALUES)
def test_benjamini_and_hochberg_as_scipy(p_values):
    found = correct_p_values(p_values, "fdr_bh")
    np.testing.assert_allclose(found, false_discovery_control(p_values), rtol=1e-12)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_nan_is_no_test(correction):
    found = correct_p_values([0.01, math.nan, 0.04, math.nan, 0.03], correction)
    assert np.isnan(found[[1, 3]]).all()
    assert found[[0, 2, 4]].tolist() == correct_p_values([0.01, 0.04, 0.03], correction).tolist()


@pytest.mark.parametrize("correction", [*CORRECTIONS, None])
class TestLogarithms:
    @given(st.lists(st.floats(1e-300, 1.0), min_size=1, max_size=30))
    def test_as_the_p_values(self, correction, p_values):
        """Two roundings and a logarithm of up to 700 apart."""
        found = correct_p_values(np.log(p_values), correction, as_logarithms=True)
        expected = np.log(correct_p_values(p_values, correction))
        np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)

    def test_below_all_floats(self, correction):
        found = correct_p_values([-5000.0, math.nan, -4000.0, -4000.0], correction, as_logarithms=True)
        factors = {"holm": (3, 2, 2), "fdr_bh": (3, 1, 1), None: (1, 1, 1)}[correction]
        expected = [-5000.0 + math.log(factors[0]), *(-4000.0 + math.log(each) for each in factors[1:])]
        np.testing.assert_allclose(found[[0, 2, 3]], expected, rtol=1e-15)
        assert math.isnan(found[1])
