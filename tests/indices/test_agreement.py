"""Indices of labels with the same names on both sides, against other definitions and all permutations."""

import itertools
import math
import warnings

import numpy as np
import pytest
import scipy.stats
from sklearn import metrics

import chancecorr as cc

NAMES = cc.list_indices("agreement")
LABELS = np.array(["neg", "neu", "pos"])


def compute_slowly(name, x, y):
    """Return an index by its definition, one label after another."""
    x, y = list(x), list(y)
    both = sorted({*x, *y})
    equal = {k: sum(a == b == k for a, b in zip(x, y, strict=True)) for k in both}
    if name == "label_accuracy":
        return sum(equal.values()) / len(x)
    if name == "balanced_accuracy":
        return sum(equal[k] / x.count(k) for k in {*x}) / len({*x})
    if name == "macro_f1":
        return sum(2 * equal[k] / (x.count(k) + y.count(k)) for k in both) / len(both)
    assert name == "label_matthews"
    columns = [[[float(one == k) for one in side] for k in both] for side in (x, y)]
    centred = [[np.array(own) - np.mean(own) for own in side] for side in columns]

    def covary(first, second):
        return sum(float(a @ b) for a, b in zip(first, second, strict=True))

    squares = covary(centred[0], centred[0]) * covary(centred[1], centred[1])
    return covary(*centred) / math.sqrt(squares) if squares else math.nan


PEERS = {
    "label_accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "macro_f1": lambda x, y: metrics.f1_score(x, y, average="macro"),
    "label_matthews": metrics.matthews_corrcoef,
}


def draw_pair(rng, n=12, k=4):
    x = rng.integers(0, k, n)
    return x, np.where(rng.random(n) < 0.5, x, rng.integers(0, k, n))


@pytest.mark.parametrize("name", NAMES)
def test_value_of_the_definition_and_of_scikit_learn(name):
    rng = np.random.default_rng(7)
    for _ in range(50):
        x, y = draw_pair(rng)
        value = cc.score(x, y, name)
        assert value == pytest.approx(compute_slowly(name, x, y), rel=1e-12, abs=1e-15)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert value == pytest.approx(PEERS[name](x, y), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_moments_and_p_of_all_permutations(name):
    """50 pairs of up to 6 objects in all, with ties and with labels that one side lacks."""
    rng = np.random.default_rng(11)
    for n in rng.integers(4, 7, 50).tolist():
        x, y = (LABELS[side] for side in draw_pair(rng, n, 3))
        if not {*x} & {*y}:
            continue
        values = np.array([compute_slowly(name, x, y[list(p)]) for p in itertools.permutations(range(n))])
        score = cc.adjust(x, y, name)
        if np.isnan(values).any():
            assert math.isnan(score.observed)
            continue
        assert score.expected == pytest.approx(values.mean(), abs=1e-12)
        assert score.std == pytest.approx(values.std(), abs=1e-12)
        assert score.p_value == pytest.approx((values >= values[0] - 1e-9).mean(), rel=1e-12)


def test_adjusted_scores_have_other_names():
    rng = np.random.default_rng(3)
    for _ in range(20):
        x, y = draw_pair(rng)
        kappa = metrics.cohen_kappa_score(x, y)
        assert cc.adjusted_score(x, y, "cohen_kappa") == pytest.approx(kappa, abs=1e-12)
        x, y = draw_pair(rng, k=2)
        (_, false_positives), (false_negatives, _) = metrics.confusion_matrix(x, y, normalize="true")
        informedness = 1 - false_positives - false_negatives
        assert cc.adjusted_score(x, y, "informedness") == pytest.approx(informedness, abs=1e-12)
        matthews = metrics.matthews_corrcoef(x, y)
        assert cc.adjusted_score(x, y, "label_matthews") == pytest.approx(matthews, abs=1e-12)
    with pytest.raises(ValueError, match="This is the adjusted score of 'label_accuracy'"):
        cc.score(x, y, "cohen_kappa")


def leave_groups_out(estimate, groups):
    """Return the jackknife standard error of an estimate, from the estimates without each group."""
    without = np.array([estimate(groups != group) for group in np.unique(groups)])
    return math.sqrt((without.size - 1) / without.size * ((without - without.mean()) ** 2).sum())


def test_kappas_of_judges_with_intervals_and_their_difference():
    rng = np.random.default_rng(5)
    gold = LABELS[rng.integers(0, 3, 120)]
    good, poor = (np.where(rng.random(120) < p, gold, LABELS[rng.integers(0, 3, 120)]) for p in (0.8, 0.4))
    prompts = np.repeat(np.arange(30), 4)
    found = cc.compare(gold, {"A": good, "B": poor}, "cohen_kappa", groups=prompts, rng=1)
    (score_of_good,), (score_of_poor,) = found["A"].values(), found["B"].values()
    for one, judge in ((score_of_good, good), (score_of_poor, poor)):
        kappa = metrics.cohen_kappa_score(gold, judge)
        assert one.score.adjusted == pytest.approx(kappa, abs=1e-12)
        assert one.interval.low < kappa < one.interval.high
        error = leave_groups_out(
            lambda kept, judge=judge: metrics.cohen_kappa_score(gold[kept], judge[kept]), prompts
        )
        assert one.interval.standard_error == pytest.approx(error, rel=1e-12)

    def subtract(kept):
        return metrics.cohen_kappa_score(gold[kept], good[kept]) - metrics.cohen_kappa_score(
            gold[kept], poor[kept]
        )

    difference = found.difference("A", "B")
    assert difference.difference == pytest.approx(subtract(prompts >= 0), abs=1e-12)
    assert difference.interval.standard_error == pytest.approx(leave_groups_out(subtract, prompts), rel=1e-12)
    t = difference.difference / difference.interval.standard_error
    assert difference.p_value == pytest.approx(2.0 * scipy.stats.t.sf(t, 29), rel=1e-9)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (["a"] * 4, ["a"] * 4),  # one label
        (["b", "b", "a", "a"], ["b"] * 4),  # a label that one side lacks
    ],
)
def test_a_single_label_has_no_correlation(x, y):
    assert math.isnan(cc.score(x, y, "label_matthews"))


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="share no label"):
        cc.score(["a", "b"], [1, 2], "label_accuracy")
    with pytest.raises(ValueError, match="one row total and one column total for each label"):
        cc.null_distribution(cc.Margins([2, 2], [4]), "label_accuracy")
    with pytest.raises(ValueError, match="compares labels by name"):
        cc.adjust([0, 1, 1], [0, 1, 0], "label_accuracy", model="fixed-k")
    with pytest.raises(ValueError, match="with `weights`"):
        cc.adjust([0, 1, 1], [0, 1, 0], "label_accuracy", weights=[1, 2, 3])


def test_own_weights():
    """Weighted agreement is an entry of four lines; its adjusted score is weighted kappa."""
    linear = cc.indices.Index(
        name="linear", needs="agreement", best=1.0,
        function=lambda rows, columns, n, m: 1 - abs(rows - columns) / (n.size - 1),
    )  # fmt: skip
    x, y = [0, 1, 2, 3, 1, 2, 0], [0, 2, 2, 3, 0, 1, 1]
    kappa = metrics.cohen_kappa_score(x, y, weights="linear")
    assert cc.adjusted_score(x, y, linear) == pytest.approx(kappa, abs=1e-12)
