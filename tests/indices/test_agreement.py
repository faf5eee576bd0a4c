"""Indices of labels with the same names on both sides, against other definitions and all permutations."""

import dataclasses
import itertools
import math
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
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
    if name == "weighted_agreement":
        distances = [abs(both.index(a) - both.index(b)) for a, b in zip(x, y, strict=True)]
        return 1 - sum(distances) / len(x) / max(len(both) - 1, 1)
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
    "weighted_agreement": None,  # scikit-learn has only its adjusted score
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
            if PEERS[name] is not None:
                assert value == pytest.approx(PEERS[name](x, y), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_moments_and_p_of_all_permutations(name):
    """50 pairs of up to 6 objects in all, with ties and with labels that one side lacks."""
    rng = np.random.default_rng(11)
    for n in rng.integers(4, 7, 50).tolist():
        labels = np.array([1, 2, 4]) if name == "weighted_agreement" else LABELS
        x, y = (labels[side] for side in draw_pair(rng, n, 3))
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


GRADES = ["low", "medium", "high", "extreme"]


def as_grades(codes, *, ordered=True):
    return pd.Categorical.from_codes(codes, GRADES, ordered=ordered)


def compute_weighted_kappa(codes, power, K):
    """Return weighted kappa by its definition, from every two objects."""
    x, y = ([int(code) for code in side] for side in codes)
    seen = sum(abs(a - b) ** power for a, b in zip(x, y, strict=True)) / len(x)
    return 1 - seen / (sum(abs(a - b) ** power for a in x for b in y) / len(x) ** 2)


@pytest.mark.parametrize(("name", "power"), [("linear", 1), ("quadratic", 2)])
def test_weighted_kappa_of_scikit_learn(name, power):
    rng = np.random.default_rng(power)
    for _ in range(200):
        x, y = (np.array([1, 2, 4, 7])[side] for side in draw_pair(rng))
        kappa = metrics.cohen_kappa_score(x, y, weights=name)
        for index in (f"weighted_kappa({power})", f"{name}_weighted_kappa", f"weighted_agreement({power})"):
            assert cc.adjusted_score(x, y, index) == pytest.approx(kappa, abs=1e-12)
        codes = draw_pair(rng)
        if min(len({*side}) for side in codes) > 1:
            wanted = compute_weighted_kappa(codes, power, 4)
            given = [as_grades(side) for side in codes]
            for sides in (given, (given[0], list(given[1])), (list(given[0]), given[1])):
                assert cc.adjusted_score(*sides, f"weighted_kappa({power})") == pytest.approx(
                    wanted, abs=1e-12
                )
    assert "quadratic_weighted_kappa is the adjusted score" in repr(
        cc.adjust(x, y, "quadratic_weighted_kappa")
    )


ANXIETY = [  # ratings of 20 persons by three raters, the data `anxiety` of the R package irr
    [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
    [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
    [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
]


@pytest.mark.parametrize(
    ("name", "kappa"), [("cohen_kappa", -0.006289308), ("weighted_kappa", 0.1459075), ("qwk", 0.2520325)]
)
def test_published_kappas_of_irr(name, kappa):
    """Values that `kappa2(anxiety[, 2:3], weight)` prints, from the tests of statsmodels.

    Nobody gave 5, so that 6 has the position after 4.
    """
    assert cc.adjusted_score(*ANXIETY[1:], name) == pytest.approx(kappa, rel=5e-7)


@pytest.mark.parametrize(
    ("name", "kappa", "error"), [("cohen_kappa", 0.4842, 0.1484), ("weighted_kappa", 0.4701, 0.1426)]
)
def test_published_kappas_of_sas(name, kappa, error):
    """An example that SAS prints, from the tests of statsmodels, with standard errors for kappa 0.

    They divide by n, where the variance over the permutations divides by n - 1.
    """
    score = cc.adjust_table([[0, 4, 1], [0, 8, 0], [0, 1, 5]], name)
    assert round(score.adjusted, 4) == kappa
    assert round(score.std / (1 - score.expected) * math.sqrt(18 / 19), 4) == error


def test_labels_without_objects_have_positions():
    x, y = [0, 0, 1, 3, 3], [0, 1, 1, 3, 0]
    whole, present = as_grades(x), pd.Categorical(GRADES).take(x).remove_unused_categories()
    assert cc.score(whole, as_grades(y), "weighted_agreement") == pytest.approx(1 - (1 + 3) / 3 / 5)
    present = [side.remove_unused_categories() for side in map(as_grades, (x, y))]
    assert cc.score(*present, "weighted_agreement") == pytest.approx(1 - (1 + 2) / 2 / 5)
    dropped = cc.score(
        as_grades([*x, 2]), as_grades([*y, 2]), "weighted_agreement", noise={"medium": "keep", "high": "drop"}
    )
    assert dropped == pytest.approx(1 - (1 + 2) / 2 / 5)


def test_order_of_the_labels():
    x, y = [0, 0, 1, 3, 3], [0, 1, 1, 3, 0]
    score = cc.adjust(as_grades(x), as_grades(y), "weighted_kappa")
    text = "weights depend on the positions of the labels in the order 'low' < 'medium' < 'high' < 'extreme'"
    assert text in map(str, score.notes)
    table = pd.crosstab(as_grades(x), as_grades(y), dropna=False)
    assert cc.adjust_table(table, "weighted_kappa").adjusted == score.adjusted
    plain = cc.ContingencyTable(table.to_numpy(), row_labels=GRADES, column_labels=GRADES)
    assert cc.adjust_table(plain, "weighted_kappa").adjusted == score.adjusted
    numbered = cc.adjust_table(table.to_numpy(), "weighted_kappa")
    assert numbered.adjusted == score.adjusted
    # parts of one scale on the two sides
    first, second = (
        pd.Categorical.from_codes(codes, labels, ordered=True)
        for codes, labels in (([0, 1, 2], GRADES[:3]), ([0, 1, 2], GRADES[1:]))
    )
    assert cc.score(first, second, "weighted_agreement") == pytest.approx(1 - 1 / 3)
    # two labels have one distance, in any order
    assert cc.score(["a", "b", "b"], ["b", "b", "b"], "weighted_agreement") == pytest.approx(2 / 3)


def reverse(side):
    return side.reorder_categories(GRADES[::-1])


@pytest.mark.parametrize(
    "change",
    [
        lambda x, y: (list(x), list(y)),  # texts
        lambda x, y: (as_grades(x.codes, ordered=False), list(y)),
        lambda x, y: (x, reverse(y)),  # orders that contradict each other
        lambda x, y: (x, [*list(y)[:-1], "other"]),  # a label without a position
        lambda x, y: (x, [*list(y)[:-1], 7]),
    ],
)
def test_labels_without_an_order_are_refused(change):
    x, y = change(as_grades([0, 0, 1, 3, 3]), as_grades([0, 1, 1, 3, 0]))
    rule = "must not depend on the order of labels that have no order; got 'weighted_agreement', and labels"
    for door in (
        lambda: cc.adjust(x, y, "weighted_kappa"),
        lambda: cc.score(x, y, "weighted_agreement"),
        lambda: cc.adjust_table(cc.contingency_table(x, y), "weighted_kappa"),
        lambda: cc.compare(x, {"one": y}, "weighted_kappa"),
        lambda: cc.pairwise({"one": x, "two": y}, "weighted_kappa"),
    ):
        with pytest.raises(ValueError, match=rule):
            door()


def test_orders_that_do_not_say_all_are_refused():
    """On one side low < high, on the other low < medium: medium and high have no order."""
    first = pd.Categorical(["low", "high", "high"], ["low", "high"], ordered=True)
    second = pd.Categorical(["low", "medium", "medium"], ["low", "medium"], ordered=True)
    with pytest.raises(ValueError, match="labels that have no order"):
        cc.score(first, second, "weighted_agreement")


def test_many_raters_share_one_scale():
    """A label that two of the raters lack has a position, because a third rater uses it."""
    raters = {"a": [1, 1, 2, 4, 4], "b": [1, 2, 2, 4, 1], "c": [1, 3, 2, 4, 3]}
    options = {"labels": [1, 2, 3, 4], "weights": "linear"}
    matrix = cc.pairwise(raters, "weighted_kappa")
    comparison = cc.compare(raters["a"], {name: raters[name] for name in "bc"}, "weighted_kappa")
    blocks = cc.compare(
        raters["a"], {name: raters[name] for name in "bc"}, "weighted_agreement", strata=[0, 0, 0, 1, 1]
    )
    for i, j in itertools.product(range(3), repeat=2):
        x, y = (raters["abc"[k]] for k in (i, j))
        kappa = metrics.cohen_kappa_score(x, y, **options)
        assert matrix.adjusted[i, j] == pytest.approx(kappa, abs=1e-12)
        if i == 0 < j:
            (of_rater,) = comparison["abc"[j]].values()
            assert of_rater.score.adjusted == pytest.approx(kappa, abs=1e-12)
            (in_blocks,) = blocks["abc"[j]].values()
            assert in_blocks.score.observed == of_rater.score.observed
    assert "the order 1 < 2 < 3 < 4" in repr(matrix) + " ".join(map(str, matrix.notes))


@pytest.mark.parametrize(
    ("costs", "kappa"), [([0, 0, 0, 1, 1, 1], 0.1891892), ([0, 0, 1, 1, 2, 2], 0.2820513)]
)
def test_published_kappas_with_own_weights(costs, kappa):
    """Values that `kappa2(anxiety[, 1:2], costs)` of irr prints, from the tests of statsmodels.

    The costs are for distances 0 to 5.
    """
    table = scipy.linalg.toeplitz(costs)
    frame = pd.DataFrame(1 - table / 2, range(1, 7), range(1, 7))
    for weights in (frame, 3 * frame - 2, lambda a, b: 1 - costs[abs(a - b)]):
        score = cc.adjust(*ANXIETY[:2], cc.indices.weigh_labels(weights))
        assert score.adjusted == pytest.approx(kappa, rel=5e-7)


def test_own_weights_of_all_permutations():
    """Weights that are not symmetric, of labels that one side may lack."""
    rng = np.random.default_rng(17)
    for n in rng.integers(4, 7, 30).tolist():
        weights = pd.DataFrame(np.where(np.eye(3), 1.0, rng.uniform(-1, 1, (3, 3))), LABELS, LABELS)
        x, y = (LABELS[side].tolist() for side in draw_pair(rng, n, 3))
        if not {*x} & {*y}:
            continue
        values = np.array(
            [
                math.fsum(weights.at[a, b] for a, b in zip(x, z, strict=True)) / n
                for z in itertools.permutations(y)
            ]
        )
        score = cc.adjust(x, y, cc.indices.weigh_labels(weights))
        assert score.observed == pytest.approx(values[0], abs=1e-12)
        assert score.expected == pytest.approx(values.mean(), abs=1e-12)
        assert score.std == pytest.approx(values.std(), abs=1e-12)
        assert score.p_value == pytest.approx((values >= values[0] - 1e-9).mean(), rel=1e-12)


def test_own_weights_of_many_raters():
    weights = pd.DataFrame([[1, 0.5, 0], [0.2, 1, 0.4], [-1, 0, 1]], LABELS, LABELS)
    index = cc.indices.weigh_labels(weights, name="judges")
    raters = {"a": LABELS[[0, 1, 1, 2]], "b": LABELS[[0, 0, 1, 1]], "c": LABELS[[2, 1, 1, 0]]}
    matrix = cc.pairwise(raters, index)
    for (i, x), (j, y) in itertools.product(enumerate(raters.values()), repeat=2):
        assert matrix.observed[i, j] == pytest.approx(
            np.mean([weights.at[a, b] for a, b in zip(x, y, strict=True)])
        )


def test_own_weights_that_are_refused():
    x, y = ["neg", "pos", "pos"], ["pos", "pos", "neg"]
    weigh = cc.indices.weigh_labels
    for weights, message in (
        (lambda a, b: float(a != b), "must have weight 1 for equal labels, .* got 0 for 'neg' and 'neg'"),
        (lambda a, b: 1.0 if a == b else 2.0, "finite weights up to 1 for other labels; got 2 for"),
        (lambda a, b: 1.0 if a == b else math.nan, "got nan for 'neg' and 'pos'. For costs"),
        (lambda a, b: 1.0 if a == b else "far", "got none for 'neg' and 'pos' .ValueError"),
        (pd.DataFrame([[1.0]], ["neg"], ["neg"]), "got none for 'neg' and 'pos' .KeyError"),
    ):
        with pytest.raises(ValueError, match=message):
            cc.adjust(x, y, weigh(weights))
    with pytest.raises(TypeError, match="must be a function of two labels or a DataFrame; got a list"):
        weigh([[1, 0], [0, 1]])
    index = weigh(lambda a, b: float(a == b))
    with pytest.raises(ValueError, match="must be a table with labels for index 'own_weights'"):
        cc.null_distribution(cc.Margins([2, 2], [1, 3]), index)
    with pytest.raises(ValueError, match="for clusterings that are not labels"):
        cc.adjust(*[cc.Cover([[1, 1, 0], [0, 1, 1]])] * 2, index)


@pytest.mark.parametrize("name", ["label_accuracy", "weighted_agreement(2)", "balanced_accuracy", "macro_f1"])
def test_the_expected_value_without_each_object_is_exact(name):
    """By the expected value of the labels that are left."""
    rng = np.random.default_rng(3)
    first, second = rng.integers(4, size=(2, 12))
    first[:4] = second[:4] = range(4)
    score = cc.adjust(first, second, name)
    model, index = score.model, score.entry
    rows, columns, _ = model.table.nonzero_cells
    changes = model.find_mean_changes(index)
    for row, column, change in zip(rows, columns, changes, strict=True):
        k = np.flatnonzero((first == row) & (second == column))[0]
        left = np.delete(first, k), np.delete(second, k)
        assert score.expected + change == pytest.approx(cc.adjust(*left, name).expected, rel=1e-12)


def test_intervals_do_not_depend_on_the_seed():
    rng = np.random.default_rng(1)
    first = rng.choice(3, 100, p=[0.8, 0.1, 0.1])
    second = rng.choice(3, 100, p=[0.8, 0.1, 0.1])
    for name in ("cohen_kappa", "balanced_accuracy"):
        (one, other) = (cc.adjust(first, second, name, rng=seed).interval() for seed in (1, 2))
        assert [*one] == [*other]
        assert not one.remark


@pytest.mark.parametrize("name", [*NAMES, "weighted_agreement(2)"])
def test_claims_of_the_entries(name):
    assert cc.catalogue.check_index(name) == []


def test_wrong_claims_are_found():
    entry = cc.get_index("label_accuracy")
    for changes, line in (
        ({"range": (0.5, 1.0)}, "range="),
        ({"symmetric": False}, "symmetric=False"),
        ({"best": 0.9}, "attained=True"),
        ({"constant": True}, "constant=True"),
        (
            {"function": lambda rows, columns, n, m: (rows == columns) * (1.0 + (rows == 0))},
            "with an empty cluster",
        ),
    ):
        found = cc.catalogue.check_index(dataclasses.replace(entry, name="wrong", **changes))
        assert any(line in one for one in found)
    own = cc.indices.Index(
        name="same", function=lambda x, y: float(np.mean(x == y)), needs="labels", named=True, symmetric=True
    )
    assert cc.catalogue.check_index(own) == []
    with pytest.raises(ValueError, match="must not weigh labels of your own"):
        cc.catalogue.check_index(cc.indices.weigh_labels(lambda a, b: float(a == b)))
