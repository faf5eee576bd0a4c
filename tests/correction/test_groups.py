"""Intervals of objects in groups: against numbers by hand, objects left out one by one, and a population."""

import math

import numpy as np
import pytest
from scipy.stats import t as student

import chancecorr as cc
from tests.shares import small_and_full

NAMES = ["rand", "jaccard", "mutual_information", "purity"]


def sample(seed=0, groups=6, size=30, quality=(0.9, 0.5)):
    """Reference, two candidates and group of each object; the first candidate is good in some groups only."""
    rng = np.random.default_rng(seed)
    of_object = np.repeat(np.arange(groups), size)
    reference = rng.integers(0, 3, of_object.size)
    anew = rng.integers(0, 3, (2, of_object.size))
    good = rng.random(of_object.size) < np.where(of_object % 2, *quality)
    first = np.where(good, reference, anew[0])
    return reference, first, np.where(rng.random(of_object.size) < 0.6, reference, anew[1]), of_object


def adjusted_rand(labels_true, labels_pred):
    """From the pairs of objects, one by one."""
    upper = np.triu_indices(labels_true.size, 1)
    x, y = (np.equal.outer(each, each)[upper] for each in (labels_true, labels_pred))
    expected = x.sum() * y.sum() / x.size
    return ((x & y).sum() - expected) / ((x.sum() + y.sum()) / 2 - expected)


def jackknife(score, groups):
    """Standard error of a score of the objects that are kept, one of six groups left out in turn."""
    without = np.array([score(groups != k) for k in range(6)])
    return math.sqrt(5 / 6 * ((without - without.mean()) ** 2).sum())


def test_the_interval_is_that_of_scores_without_one_group_each():
    reference, first, _, groups = sample(quality=(0.95, 0.8))
    found = cc.adjust(reference, first).interval(groups=groups)
    whole = adjusted_rand(reference, first)
    error = jackknife(lambda kept: adjusted_rand(reference[kept], first[kept]), groups)
    reach = student.ppf(0.975, 5) * error
    assert found.standard_error == pytest.approx(error, rel=1e-10)
    assert found.high == pytest.approx(whole + reach, rel=1e-10)
    root = math.sqrt(1 - whole)
    assert found.low == pytest.approx(1 - (root + reach / (2 * root)) ** 2, rel=1e-10)
    assert "only 6 groups" in found.remark


def test_a_difference_is_that_of_scores_without_one_group_each():
    reference, first, second, groups = sample()
    found = cc.compare(reference, {"a": first, "b": second}, groups=groups).difference("a", "b")

    def difference(kept):
        one, other = (adjusted_rand(reference[kept], each[kept]) for each in (first, second))
        return one - other

    error = jackknife(difference, groups)
    assert found.interval.standard_error == pytest.approx(error, rel=1e-9)
    assert "only 6 groups" in found.interval.remark
    assert found.p_value == pytest.approx(2 * student.sf(abs(found.difference) / error, 5), rel=1e-9)


def test_best_and_mean_without_a_group_are_those_of_the_others():
    reference, first, _, groups = sample(size=8)
    name = "mutual_information"
    score = cc.adjust(reference, first, name)
    error = jackknife(lambda kept: cc.adjusted_score(reference[kept], first[kept], name), groups)
    assert score.interval(groups=groups).standard_error == pytest.approx(error, rel=1e-9)


def test_compare_and_adjust_agree_for_groups_of_any_labels():
    reference, first, second, groups = sample(groups=12)
    named = [f"donor {k}" for k in groups]
    comparison = cc.compare(reference, {"a": first, "b": second}, NAMES, groups=named, rng=0)
    scores = cc.adjust(reference, first, NAMES, rng=0)
    for name in NAMES:
        found, expected = comparison["a"][name].interval, scores[name].interval(groups=groups)
        assert tuple(found) == pytest.approx(tuple(expected), rel=1e-9)
    assert any("by 12 groups" in note for note in map(str, comparison.notes))


def test_objects_that_are_left_out_leave_their_groups():
    reference, first, second, groups = sample(groups=12)
    kept = np.random.default_rng(1).random(groups.size) < 0.7
    kept[groups == 0] = False
    first[~kept] = -1
    candidates = {"a": first, "b": second}
    with_noise = cc.compare(reference, candidates, groups=groups, noise="drop")
    without = cc.compare(reference[kept], {k: x[kept] for k, x in candidates.items()}, groups=groups[kept])
    assert tuple(with_noise["a"]["rand"].interval) == pytest.approx(tuple(without["a"]["rand"].interval))
    pair = with_noise.difference("a", "b"), without.difference("a", "b")
    assert tuple(pair[0].interval) == pytest.approx(tuple(pair[1].interval))


def test_perfect_agreement_has_a_lower_end_by_the_largest_group():
    reference, _, _, groups = sample(groups=12)
    found = cc.adjust(reference, reference).interval(groups=groups)
    assert tuple(found) == pytest.approx((1 + math.log(0.05) / 12, 1.0))


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (np.zeros(180), "must name two groups at least; got 1."),
        (np.zeros(5), "must have one entry for each object; got 5 for 180."),
        ([None] + [1] * 179, "must not hold missing labels; got None at position 0."),
    ],
)
def test_wrong_groups_are_refused(groups, words):
    reference, first, _, _ = sample()
    for call in (
        lambda: cc.adjust(reference, first).interval(groups=groups),
        lambda: cc.compare(reference, [first], groups=groups),
    ):
        with pytest.raises(ValueError, match="`groups`") as caught:
            call()
        assert str(caught.value).endswith(words)
    with pytest.raises(ValueError, match="`groups` must be None for a score of a table"):
        cc.adjust_table([[5, 1], [2, 6]]).interval(groups=[0] * 14)


@pytest.mark.slow
@pytest.mark.parametrize("samples", small_and_full(60, 150))
def test_intervals_by_groups_hold_the_population_and_those_by_objects_do_not(samples):
    """Donors of whom a clusterer does well in half: samples of 12, limits of four standard errors."""
    held = np.zeros(2)
    for seed in range(samples):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(12), 40)
        good = np.where(rng.random(12) < 0.5, 0.95, 0.35)[groups]
        reference, anew = rng.integers(0, 4, (2, groups.size))
        score = cc.adjust(reference, np.where(rng.random(groups.size) < good, reference, anew))
        truth = ((0.95 + 0.35) / 2) ** 2  # equal clusters: the square of the share that goes by the reference
        for k, interval in enumerate((score.interval(groups=groups), score.interval())):
            held[k] += interval.low <= truth <= interval.high
    assert held[0] / samples > 0.95 - 4 * math.sqrt(0.95 * 0.05 / samples)
    assert held[1] / samples < 0.75


def two_by_groups(right, groups=12, size=100, seed=0):
    """A perfect candidate and one that has so many of the objects right in each group, compared by groups."""
    rng = np.random.default_rng(seed)
    of_object = np.repeat(np.arange(groups), size)
    reference = rng.integers(0, 4, of_object.size)
    other = np.where(rng.random(of_object.size) < right, reference, rng.integers(0, 4, of_object.size))
    return cc.compare(reference, {"perfect": reference, "other": other}, groups=of_object)


def test_a_perfect_candidate_is_better_by_the_jackknife_of_the_difference():
    """A perfect score has no spread: the difference has that of the other score, and no more."""
    comparison = two_by_groups(0.86)
    found, other = comparison.difference("perfect", "other"), comparison["other"]["rand"]
    assert found.interval.standard_error == pytest.approx(other.interval.standard_error, rel=1e-9)
    statistic = found.difference / found.interval.standard_error
    assert found.p_value == pytest.approx(2 * student.sf(statistic, 11), rel=1e-9)
    assert found.p_value < 0.0005  # that of a sign test over 12 groups
    assert not other.among_best


def test_two_that_err_alike_in_every_group_have_no_interval_of_their_difference():
    """Without any group the difference is the same; the rule of three is of perfect agreement alone."""
    truth = np.tile([0, 0, 0, 0, 1, 1, 1, 1], 6)
    candidates = {"one": np.tile([0, 0, 0, 1, 1, 1, 1, 1], 6), "two": np.tile([0, 0, 1, 1, 1, 1, 1, 0], 6)}
    board = cc.compare(truth, candidates, "rand", groups=np.repeat(np.arange(6), 8))
    found = board.difference("one", "two")
    assert math.isnan(found.interval.standard_error)
    assert "the same without any one of the groups" in found.interval.remark
