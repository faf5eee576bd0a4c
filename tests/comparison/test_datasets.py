"""Many data sets: means, differences and ranks, by hand and by SciPy."""

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

import chancecorr as cc
from chancecorr.comparison.datasets import compare_with_best_mean

NAMES = ("a", "b", "c")


def data_sets(n_datasets=7, seed=0):
    rng = np.random.default_rng(seed)
    found = {}
    for d in range(n_datasets):
        truth, share = rng.integers(0, 3, 80), rng.uniform(0.5, 0.8)
        candidates = {}
        for name, worse in zip(NAMES, (0.0, 0.1, 0.3), strict=True):
            candidates[name] = np.where(rng.random(80) < share - worse, truth, rng.integers(0, 3, 80))
        found[f"set {d}"] = truth, candidates
    return found


@pytest.fixture(scope="module")
def given():
    return data_sets()


@pytest.fixture(scope="module")
def found(given):
    return cc.comparison.compare_datasets(given, rng=0)


@pytest.fixture(scope="module")
def scores(given):
    sets = given.values()
    return np.array([[cc.adjusted_score(truth, each[name]) for name in NAMES] for truth, each in sets])


def test_scores_and_errors_are_those_of_each_data_set(given, found, scores):
    assert found.scores == pytest.approx(scores, rel=1e-12)
    truth, candidates = given["set 2"]
    interval = cc.adjust(truth, candidates["b"]).interval()
    assert found.errors[2, 1] == pytest.approx(interval.standard_error, rel=1e-9)


def test_means_have_the_interval_of_students_t(found, scores):
    for k, name in enumerate(NAMES):
        column = scores[:, k]
        wanted = stats.ttest_1samp(column, 0.0).confidence_interval(0.95)
        assert found[name].mean == pytest.approx(column.mean(), rel=1e-12)
        assert (found[name].low, found[name].high) == pytest.approx(tuple(wanted), rel=1e-10)
        left = column.var(ddof=1) - np.mean(found.errors[:, k] ** 2)
        assert found[name].between == pytest.approx(math.sqrt(max(0.0, left)), rel=1e-10)


def test_differences_are_paired(found, scores):
    apart = found.difference("a", "c")
    test = stats.ttest_rel(scores[:, 0], scores[:, 2])
    assert apart.p_value == pytest.approx(test.pvalue, rel=1e-9)
    assert (apart.low, apart.high) == pytest.approx(tuple(test.confidence_interval(0.95)), rel=1e-9)
    assert apart.p_value_of_ranks == pytest.approx(stats.wilcoxon(scores[:, 0], scores[:, 2]).pvalue)
    assert apart.of_each["set 3"].difference == pytest.approx(scores[3, 0] - scores[3, 2], rel=1e-9)


def test_p_values_against_the_best_are_those_of_all_pairs(found, scores):
    """At least the p-value of the t test; at most that times the number of pairs."""
    assert math.isnan(found["a"].p_value)
    for k, name in ((1, "b"), (2, "c")):
        p = stats.ttest_rel(scores[:, 0], scores[:, k]).pvalue
        assert p <= found[name].p_value <= 3 * p * (1 + 1e-9)
    two = compare_with_best_mean(scores[:, :2], 0)[1]
    assert two == pytest.approx(stats.ttest_rel(scores[:, 0], scores[:, 1]).pvalue, rel=1e-9)


def test_scores_on_few_common_data_sets_are_tested_by_bonferroni():
    nan = math.nan
    scores = np.array([[0.9, 0.5, nan], [0.8, 0.6, nan], [0.9, nan, 0.4], [0.7, nan, 0.5], [0.8, nan, 0.3]])
    found = compare_with_best_mean(scores, 0)
    for k in (1, 2):
        t = stats.ttest_rel(scores[:, 0], scores[:, k], nan_policy="omit").statistic
        assert found[k] == pytest.approx(min(1.0, 3 * 2 * stats.t.sf(t, df=1)), rel=1e-9)  # of two data sets


@pytest.mark.slow
def test_the_best_of_thirty_equal_candidates_is_seldom_better_than_another():
    """More than 13 of 100 at 5 % have chance 4e-4; by Holm's correction of 29 tests it is 18 to 27 of 100."""
    rng, m = np.random.default_rng(4), 100
    by_range, by_holm = 0, 0
    for _ in range(m):
        scores = rng.normal(0.5, 0.05, (5, 30))
        best = int(scores.mean(axis=0).argmax())
        by_range += np.nanmin(compare_with_best_mean(scores, best)) < 0.05
        others = np.delete(scores, best, axis=1)
        by_holm += 29 * stats.ttest_1samp(scores[:, [best]] - others, 0.0).pvalue.min() < 0.05
    assert by_range <= 13 < by_holm


def test_ranks(found, scores):
    assert [each.candidate for each in found.ranked()] == list(NAMES)
    ranks = np.array([stats.rankdata(-row) for row in scores]).mean(axis=0)
    assert [found[name].rank for name in NAMES] == pytest.approx(list(ranks))
    test = found.rank_test()
    assert test.p_value == pytest.approx(stats.friedmanchisquare(*scores.T).pvalue)
    # Demsar (2006), table 5: q of 0.05 is 2.343 for three classifiers, cut after three digits
    unit = math.sqrt(3 * 4 / (6 * 7))
    assert test.critical_difference == pytest.approx(2.343 * unit, abs=0.001 * unit)


def test_a_score_that_is_missing():
    given = data_sets(6)
    truth, candidates = given["set 1"]
    given["set 1"] = np.zeros(80, dtype=int), candidates | {"b": np.zeros(80, dtype=int)}
    found = cc.comparison.compare_datasets(given, rng=0)
    assert np.isnan(found.scores[1, 1])
    assert found["b"].mean == pytest.approx(np.nanmean(found.scores[:, 1]))
    assert found.rank_test().n_datasets == 5
    assert any("set 1" in note and "left out" in note for note in map(str, found.notes))
    assert truth.size == 80


def test_few_data_sets_are_said(found):
    assert "3 data sets only" in str(cc.comparison.compare_datasets(data_sets(3), rng=0).notes[0])
    assert not found.notes


def test_two_candidates_have_no_friedman_test(given):
    pairs = {name: (truth, {k: each[k] for k in "ab"}) for name, (truth, each) in given.items()}
    test = cc.comparison.compare_datasets(pairs, rng=0).rank_test()
    assert math.isnan(test.p_value)
    assert test.critical_difference == pytest.approx(1.960 * math.sqrt(2 * 3 / (6 * 7)), abs=1e-3)


def test_candidates_that_never_differ():
    given = {name: (truth, {"a": each["a"], "b": each["a"]}) for name, (truth, each) in data_sets(5).items()}
    apart = cc.comparison.compare_datasets(given, rng=0).difference("a", "b")
    assert (apart.difference, apart.p_value) == (0.0, 1.0)
    assert math.isnan(apart.p_value_of_ranks)


def test_texts_frames_and_dictionaries(found, scores):
    assert repr(found).splitlines()[1].split()[:2] == ["candidate", "mean"]
    assert "Friedman" in repr(found)
    assert "<table" in found._repr_html_()
    assert found.to_frame().loc["set 4", "b"] == pytest.approx(scores[4, 1])
    plain = found.to_dict()
    assert plain["means"][0]["candidate"] == "a"
    assert plain["scores"]["set 0"]["c"] == pytest.approx(scores[0, 2])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda given: {"one": given["set 0"]}, ValueError, "must hold at least two data sets; got 1"),
        (lambda given: list(given.values()), TypeError, "must be a mapping from name"),
        (lambda given: given | {"odd": 3}, ValueError, "must have a pair .* for 'odd'"),
        (lambda given: given | {"odd": ([0] * 80, {"a": [0] * 80})}, ValueError,
         "must have the same candidates; 'set 0' and 'odd' differ in 'b'"),
        (lambda given: {k: (truth, {"a": each["a"]}) for k, (truth, each) in given.items()}, ValueError,
         "must have at least two candidates"),
        (lambda given: given | {"odd": ([0, 1], {"a": [0]})}, ValueError, "length"),
    ],
)  # fmt: skip
def test_arguments(given, change, error, message):
    with pytest.raises(error, match=message):
        cc.comparison.compare_datasets(change(dict(given)))


def test_the_data_set_of_an_error_is_named(given):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the note is what is looked at
        cc.comparison.compare_datasets(dict(given) | {"odd": ([0, 1], {"a": [0]})})
    assert "In data set 'odd'." in caught.value.__notes__


def test_one_index(given, found):
    with pytest.raises(TypeError, match="must be one index"):
        cc.comparison.compare_datasets(given, index=["rand", "jaccard"])
    with pytest.raises(ValueError, match="must be one of 'a', 'b', 'c'; got 'z'"):
        found.difference("a", "z")


EQUAL = [0, 0, 0, 1, 1, 1], {"halves": [0, 0, 0, 1, 1, 1], "thirds": [0, 0, 1, 1, 2, 2]}


def test_equal_differences_have_no_test():
    """From so many data sets a variance of 0 is not known; on one of them alone p is 0.41."""
    for n_datasets in (2, 5):
        found = cc.comparison.compare_datasets({name: EQUAL for name in "abcde"[:n_datasets]})
        apart = found.difference("halves", "thirds")
        assert round(apart.difference, 6) == 0.757576
        numbers = apart.p_value, apart.low, apart.high, apart.standard_error
        assert np.isnan([*numbers, found["thirds"].low, found["thirds"].p_value]).all()
        assert "its variance is not known" in apart.remark
        assert "no interval of halves, thirds: it is the same on every data set" in repr(found)
        assert "no test of the difference of halves and thirds" in repr(found)
        assert "5e-324" not in repr(found)


def test_a_difference_of_rounding_is_equal():
    """Scores that differ by one unit in the last place, as where labels come in another order."""
    found = cc.comparison.compare_datasets({name: EQUAL for name in "abc"})
    scores = found.scores.copy()
    scores[1] = np.nextafter(scores[1], 0.0)
    rounded = dataclasses.replace(found, scores=scores)
    assert np.isnan([rounded.difference("halves", "thirds").p_value, rounded["thirds"].low]).all()


def test_means_are_within_what_scores_can_be(given):
    """Two data sets give an interval by Student's t with one degree of freedom, which is 12.7 errors wide."""
    found = cc.comparison.compare_datasets({name: given[name] for name in list(given)[:2]})
    for each in found.values():
        assert -0.5 <= each.low < each.high <= 1.0
    apart = found.difference("a", "c")
    assert -1.5 <= apart.low < apart.high <= 1.5
