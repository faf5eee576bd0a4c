"""A user's function gets what it compares: labels with their names, or clusters, through every door."""

import itertools
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, adjusted_rand_score, cohen_kappa_score, f1_score, v_measure_score

import chancecorr as cc
from chancecorr.indices import Index
from chancecorr.indices.naming import decide_on_names

TRUE = ["neg"] * 4 + ["neu"] * 3 + ["pos"] * 3
PRED = ["neg"] * 4 + ["neg", "pos", "pos"] + ["pos"] * 3  # never "neu"

SIDES = {
    "texts, one of which the candidate lacks": (TRUE, PRED),
    "texts, one of which the reference lacks": (PRED, TRUE),
    "numbers with gaps": ([7, 7, 2, 2, 9, 9, 9, 2], [7, 2, 2, 2, 9, 9, 4, 7]),
    "numbers below 0": ([-5, -5, 3, 3, 8, 8], [3, -5, 3, 3, 3, -5]),
    "numbers and texts": ([1, 1, "x", "x", 2.5, 2.5, 2.5], [1, "x", "x", "x", 2.5, 1, "y"]),
    "truth values": ([True, True, False, False, True], [True, False, False, False, True]),
    "one label on one side": (["b", "b", "a", "a", "c"], ["b"] * 5),
    "categories": (
        pd.Categorical(["low", "low", "high", "high", "high"], categories=["low", "mid", "high"]),
        pd.Categorical(["low", "mid", "high", "high", "mid"], categories=["low", "mid", "high"]),
    ),
}


def accuracy(x, y):
    return float(np.mean(np.asarray(x) == np.asarray(y)))


def trace(table, row_totals, column_totals):
    return np.trace(table) / table.sum()


ACCURACIES = {
    "function": accuracy,
    "scikit-learn's": accuracy_score,
    "entry of labels": Index(name="same", function=accuracy, needs="labels", range=(0.0, 1.0)),
    "entry of a table": Index(name="trace", function=trace, needs="table", range=(0.0, 1.0)),
}


OF_FEW_SIDES = ("scikit-learn's", "entry of labels")
GRID = [
    (index, sides)
    for index, (k, sides) in itertools.product(ACCURACIES, enumerate(SIDES))
    if k < 2 or index not in OF_FEW_SIDES
]


def count_equal(x, y):
    """Accuracy of labels as they are, without numbers."""
    return sum(a == b for a, b in zip(x, y, strict=True)) / len(x)


def compute_kappa(x, y):
    """Cohen's kappa of labels as they are, by sums over the distinct labels."""
    x, y = list(x), list(y)
    by_chance = sum(x.count(label) * y.count(label) for label in {*x, *y}) / len(x) ** 2
    return (count_equal(x, y) - by_chance) / (1 - by_chance)


def compare_one(x, y, index, **more):
    return cc.compare(x, {"y": y}, index, rng=1, **more)["y"]


ADJUSTED = {
    "adjust": lambda x, y, f: cc.adjust(x, y, f, rng=1).adjusted,
    "a list": lambda x, y, f: list(cc.adjust(x, y, ["rand", f, "nmi_sum"], rng=1).values())[1].adjusted,
    "adjusted_score": lambda x, y, f: cc.adjusted_score(x, y, f, rng=1),
    "adjust_table": lambda x, y, f: cc.adjust_table(cc.contingency_table(x, y), f, rng=1).adjusted,
    "adjust_table, a frame": lambda x, y, f: (
        cc.adjust_table(cc.contingency_table(x, y).to_frame(), f, rng=1).adjusted
    ),
    "compare": lambda x, y, f: next(iter(compare_one(x, y, f).values())).score.adjusted,
    "compare by several": lambda x, y, f: list(compare_one(x, y, ["rand", f]).values())[1].score.adjusted,
    "pairwise": lambda x, y, f: cc.pairwise([x, y], f, rng=1).adjusted[0, 1],
    "pairwise with p": lambda x, y, f: cc.pairwise([x, y], f, rng=1, p_values=True).adjusted[0, 1],
    "agreement": lambda x, y, f: cc.comparison.agreement([x, y], f, rng=1, n_permutations=9).scores.adjusted[
        0, 1
    ],
    "stability": lambda x, y, f: cc.comparison.stability([x, y], f, rng=1).scores.adjusted[0, 1],
    "make_scorer": lambda x, y, f: cc.make_scorer(f, labels="labels_", rng=1)(Found(y), None, x),
}
"""Adjusted score of two clusterings by an index."""

RAW = {
    "score": lambda x, y, f: cc.score(x, y, f),
    "score_table": lambda x, y, f: cc.score_table(cc.contingency_table(x, y), f),
    "adjust": lambda x, y, f: cc.adjust(x, y, f, rng=1).observed,
    "agreement": lambda x, y, f: cc.comparison.agreement([x, y], f, rng=1, n_permutations=9).observed,
}


class Found:
    """An estimator that was fitted."""

    def __init__(self, labels):
        self.labels_ = labels


@pytest.mark.parametrize(("index", "sides"), GRID)
@pytest.mark.parametrize("door", ADJUSTED)
def test_adjusted_accuracy_is_kappa(door, sides, index):
    x, y = SIDES[sides]
    assert ADJUSTED[door](x, y, ACCURACIES[index]) == pytest.approx(compute_kappa(x, y), abs=1e-9)


@pytest.mark.parametrize(("index", "sides"), GRID)
@pytest.mark.parametrize("door", RAW)
def test_accuracy_is_the_share_of_equal_labels(door, sides, index):
    x, y = SIDES[sides]
    assert RAW[door](x, y, ACCURACIES[index]) == pytest.approx(count_equal(x, y), rel=1e-12)


def test_a_candidate_that_never_says_neu():
    """Accuracy was .70 of numbers that each side had by itself, and adjusted .538."""
    truth = ["neg"] * 4 + ["neu"] * 2 + ["pos"] * 4
    found = ["neg"] * 4 + ["neg", "pos"] + ["pos"] * 4
    score = cc.adjust(truth, found, accuracy_score, rng=1)
    assert score.observed == 0.8
    assert score.adjusted == pytest.approx(2 / 3, rel=1e-12)
    assert score.adjusted == pytest.approx(cohen_kappa_score(truth, found), rel=1e-12)
    assert [*map(str, score.notes)] == [
        "labels are compared by name: both sides are numbered over their 3 labels together ('neg', 'neu',"
        " 'pos'); only one side has 'neu'"
    ]


def macro_f1(x, y):
    return f1_score(x, y, average="macro", zero_division=0)


COST = np.array([[0.0, 1.0, 5.0], [1.0, 0.0, 2.0], [9.0, 3.0, 0.0]])

FUNCTIONS = {
    "kappa": cohen_kappa_score,
    "macro F1": macro_f1,
    "cost of three labels": lambda x, y: float(COST[x, y].mean()),
    "distance of numbers": lambda x, y: float(np.abs(x - y).mean()),
    "share of the first label that is found": lambda x, y: float((y[x == 0] == 0).mean()),
}
"""Functions of labels with names, which take numbers from 0 on."""


@pytest.mark.parametrize("index", FUNCTIONS)
def test_law_of_few_objects_is_that_of_all_permutations(index):
    x, y = ["a", "a", "b", "c", "c", "b"], ["a", "c", "c", "c", "a", "a"]
    rows, columns = (np.array(["abc".index(label) for label in side]) for side in (x, y))
    values = [FUNCTIONS[index](rows, columns[list(p)]) for p in itertools.permutations(range(6))]
    observed = FUNCTIONS[index](rows, columns)
    score = cc.adjust(x, y, FUNCTIONS[index], method="exact")
    assert score.observed == pytest.approx(observed, rel=1e-12)
    assert score.expected == pytest.approx(np.mean(values), rel=1e-12)
    assert score.null.variance == pytest.approx(np.var(values), rel=1e-9)
    assert score.p_value == pytest.approx(np.mean(np.array(values) >= observed - 1e-12), rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_simulated_accuracy_is_kappa_up_to_its_error(seed):
    rng = np.random.default_rng(seed)
    labels = np.array(list("abcdef"))[: rng.integers(2, 7)]
    x = rng.choice(labels, 60)
    y = np.where(rng.random(60) < 0.5, x, rng.choice(labels[1:], 60))
    score = cc.adjust(x, y, accuracy, method="monte-carlo", n_tables=2_000, rng=seed)
    by_chance = sum(np.mean(x == label) * np.mean(y == label) for label in labels)
    assert abs(score.expected - by_chance) < 4.5 * score.null.monte_carlo_error  # 1e-5 in each of six
    assert cc.adjust(x, y, macro_f1, n_tables=100, rng=seed).observed == pytest.approx(macro_f1(x, y))


INVARIANT = {
    "ARI": adjusted_rand_score,
    "V": v_measure_score,
    "a sum over cells in the order of rows": lambda x, y: float(
        sum(np.log(1 + np.sum((x == a) & (y == b))) for a in range(x.max() + 1) for b in range(y.max() + 1))
    ),
    "rounding near 0": lambda x, y: float((np.bincount(x) / x.size).sum() - (np.bincount(y) / y.size).sum()),
    "single precision": lambda x, y: float(np.float32((np.bincount(x) / np.float32(x.size)).sum())),
    "constant": lambda x, y: 0.5,
    "nan": lambda x, y: float("nan"),
    "an infinite value": lambda x, y: float("inf"),
}


@pytest.mark.parametrize("index", INVARIANT)
def test_functions_of_clusters_get_clusters(index):
    """Cluster numbers of each side, from 0 on without a gap."""
    seen = set()

    def function(x, y):
        seen.add((x.max() + 1 - np.unique(x).size, y.max() + 1 - np.unique(y).size, x.dtype, y.dtype))
        return INVARIANT[index](x, y)

    entry = Index(name="own", function=function, needs="labels")
    assert decide_on_names(entry) == (entry, [])
    cc.score(TRUE, PRED, entry)
    assert seen == {(0, 0, np.dtype(np.int64), np.dtype(np.int64))}
    assert cc.score(TRUE, [1] * 5 + [2] * 5, entry) is not None  # without a label in common


def test_functions_of_labels_get_numbers_over_the_union():
    seen = []

    def function(x, y):
        seen.append((sorted(x.tolist()), sorted(y.tolist()), x.dtype, y.dtype))
        return float((x == y).mean())

    cc.score(TRUE, PRED, function)
    numbers = {"neg": 0, "neu": 1, "pos": 2}
    expected = *(sorted(numbers[label] for label in side) for side in (TRUE, PRED)), np.dtype(np.int64)
    assert seen[-1][:3] == expected


def test_functions_of_tables_get_square_tables():
    seen = []

    def function(table, row_totals, column_totals):
        seen.append((table.tolist(), row_totals.tolist(), column_totals.tolist()))
        return trace(table, row_totals, column_totals)

    entry = Index(name="own", function=function, needs="table")
    cc.score(TRUE, PRED, entry)
    assert seen[-1] == ([[4, 0, 0], [1, 0, 2], [0, 0, 3]], [4, 3, 3], [5, 0, 5])
    cc.score_table([[4, 0], [1, 2], [0, 3]], entry)  # rows 0, 1, 2 and columns 0, 1
    assert seen[-1] == ([[4, 0, 0], [1, 2, 0], [0, 3, 0]], [4, 3, 3], [5, 5, 0])


def test_order_of_the_union():
    seen = []

    def function(x, y):
        seen.append((x.max(), y.max()))
        return float(np.abs(x - y).mean())

    levels = ["low", "mid", "high"]
    x, y = ["low", "low", "high", "high"], ["low", "mid", "high", "mid"]
    ordered = (pd.Categorical(side, categories=levels, ordered=True) for side in (x, y))
    assert cc.score(*ordered, function) == (0 + 1 + 0 + 1) / 4  # low 0, mid 1, high 2
    assert cc.score(x, y, function) == (0 + 1 + 0 + 2) / 4  # high 0, low 1, mid 2: sorted
    assert seen[-1] == (1, 2)


@pytest.mark.parametrize("index", ACCURACIES)
@pytest.mark.parametrize(
    "door",
    [*(ADJUSTED[name] for name in ADJUSTED if "table" not in name), RAW["score"]],
    ids=[*(name for name in ADJUSTED if "table" not in name), "score"],
)
def test_sides_without_a_common_label_are_refused(door, index):
    with pytest.raises(ValueError, match=r"^`index` must not compare labels by name if .* 'neg' and 1; g"):
        door(TRUE, [1, 2] * 5, ACCURACIES[index])


def test_sides_without_a_common_label_by_the_advice():
    found = [1] * 5 + [2] * 5
    matched = cc.comparison.match_labels(TRUE, found).labels
    assert cc.score(TRUE, matched, accuracy) == count_equal(TRUE, matched) == 0.7
    own = Index(name="own", function=accuracy, needs="labels", named=False)
    # neg, neu, pos are 0, 1, 2, and 1, 2 are 0, 1
    assert cc.score(TRUE, found, own) == count_equal([0, 0, 0, 0, 1, 1, 1, 2, 2, 2], [0] * 5 + [1] * 5)


def test_margins_have_labels_by_their_places():
    null = cc.null_distribution(cc.Margins([4, 3, 3], [6, 4]), accuracy)
    assert null.mean == pytest.approx((4 * 6 + 3 * 4) / 100, rel=1e-12)
    assert (
        cc.null_distribution(cc.Margins([4, 3, 3], [6, 4]), ACCURACIES["entry of a table"]).mean == null.mean
    )
    of_table = cc.null_distribution(cc.contingency_table(TRUE, PRED), accuracy)
    assert of_table.mean == pytest.approx((4 * 5 + 3 * 5) / 100, rel=1e-12)


def test_tail_probability_of_a_table():
    tail = cc.tail_probability(cc.contingency_table(TRUE, PRED), accuracy)
    assert tail.p_value == pytest.approx(cc.adjust(TRUE, PRED, accuracy).p_value, rel=1e-9)


def test_strata_and_weights():
    strata = [0, 1] * 5
    score = cc.adjust(TRUE, PRED, accuracy, strata=strata, n_tables=4_000, rng=1)
    by_chance = 0.0
    for k in (0, 1):
        x, y = TRUE[k::2], PRED[k::2]
        by_chance += sum(x.count(label) * y.count(label) for label in {*x, *y}) / len(x) / 10
    assert abs(score.expected - by_chance) < 4.5 * score.null.monte_carlo_error  # 1e-5
    weights = np.arange(1.0, 11.0)
    weighted = cc.adjust(TRUE, PRED, ACCURACIES["entry of a table"], weights=weights, rng=1, n_tables=99)
    equal = np.array(TRUE) == np.array(PRED)
    assert weighted.observed == pytest.approx(np.average(equal, weights=weights), rel=1e-12)


@pytest.mark.parametrize("kind", ["places", "labels"])
def test_own_draws_keep_the_names(kind):
    rng = np.random.default_rng(0)
    places = np.array([rng.permutation(10) for _ in range(50)])
    rows = places if kind == "places" else np.array(PRED)[places]
    draws = cc.Draws(rows, kind=kind)
    score = cc.adjust(TRUE, PRED, accuracy, model=draws)
    expected = np.mean([count_equal(TRUE, np.array(PRED)[row]) for row in places])
    assert score.expected == pytest.approx(expected, rel=1e-12)
    if kind == "labels":
        rows[7][0] = "new"
        with pytest.raises(ValueError, match=r"^`model` must draw labels of one of the sides .*; got 'new'"):
            cc.adjust(TRUE, PRED, accuracy, model=cc.Draws(rows, kind=kind))


@pytest.mark.parametrize("model", ["fixed-k", "all-partitions", "multinomial", "one-sided-fixed-k"])
def test_random_clusters_have_no_names(model):
    with pytest.raises(
        ValueError, match=r"^`model` must be 'permutation', 'uniform', 'pooled' or Draws .*no names\."
    ):
        cc.adjust(TRUE, PRED, accuracy, model=model)


def test_intervals_without_groups_keep_the_names():
    """A group has all objects of one label: the others keep theirs when it is left out."""
    x = ["a"] * 4 + ["b"] * 6 + ["c"] * 6
    y = ["a"] * 4 + ["b"] * 5 + ["c"] + ["c"] * 5 + ["b"]
    groups = [0] * 4 + [1, 2, 3] * 4
    interval = cc.adjust(x, y, accuracy, rng=1).interval(groups=groups)
    kept = [[k for k in range(16) if groups[k] != g] for g in range(4)]
    without = [compute_kappa([x[k] for k in some], [y[k] for k in some]) for some in kept]
    jackknife = np.sqrt(3 / 4 * np.sum((np.array(without) - np.mean(without)) ** 2))
    assert interval.standard_error == pytest.approx(jackknife, rel=1e-9)


def test_compare_tells_a_renamed_candidate_from_the_same():
    x = ["a", "b"] * 15
    right, swapped = x[:26] + ["a"] * 4, [{"a": "b", "b": "a"}[label] for label in x[:26]] + ["b"] * 4
    found = cc.compare(x, {"right": right, "swapped": swapped, "again": right}, [accuracy, "rand"], rng=1)
    by_rand, by_names = (found.difference("right", "swapped", index=name) for name in ("rand", "accuracy"))
    assert by_rand.difference == 0.0
    expected = compute_kappa(x, right) - compute_kappa(x, swapped)
    assert by_names.difference == pytest.approx(expected, rel=1e-9)
    assert by_names.p_value < 0.001
    assert found.difference("right", "again", index="accuracy").difference == 0.0
    assert found.best("accuracy").candidate in ("right", "again")
    alone = cc.compare(x, {"right": right, "swapped": swapped}, "rand", rng=1)
    assert found["right"]["rand"].score.adjusted == alone["right"]["rand"].score.adjusted
    assert sum("labels are compared by name" in note for note in map(str, found.notes)) == 1


def test_random_and_stateful_functions_are_no_functions_of_names():
    rng = np.random.default_rng(0)
    calls = itertools.count()
    said = "the function gives different values for the same labels"
    for function in (
        lambda x, y: float(rng.random()),
        lambda x, y: float(next(calls)),
        lambda x, y: float((x == y).mean() + rng.random()),
        lambda x, y: float(adjusted_rand_score(x, y) + 0.01 * rng.integers(2)),
    ):
        entry = Index(name="own", function=function, needs="labels")
        decided, (note,) = decide_on_names(entry)
        assert not decided.named
        assert note.text.startswith(said)
        assert any(said in note for note in map(str, cc.adjust(TRUE, PRED, entry, n_tables=9, rng=1).notes))


def test_functions_that_fail_on_small_tables_are_tried_on_the_data():
    x = [k % 9 for k in range(90)]
    y = [(k * k) % 9 for k in range(90)]

    def of_many(x, y):
        if x.size < 50:
            raise ValueError("too few objects")
        return float((x == y).mean())

    assert cc.adjusted_score(x, y, of_many, n_tables=50, rng=1) != 0
    assert cc.score(x, y, of_many) == count_equal(x, y)

    def never(x, y):
        raise ValueError("never")

    with pytest.raises(cc.indices.IndexEvaluationError, match="never"):
        cc.adjust(x, y, never)


def test_a_verdict_is_found_once():
    calls = []

    def function(x, y):
        calls.append(threading.get_ident())
        return float(adjusted_rand_score(x, y))

    entry = Index(name="own", function=function, needs="labels")
    cc.score(TRUE, PRED, entry)
    first = len(calls)
    cc.score(TRUE, PRED, entry)
    assert len(calls) == first + 1


@pytest.mark.parametrize("door", [lambda *x, **y: cc.adjust(TRUE, PRED, *x, **y), lambda *x, **y: (
    cc.adjust_table(cc.contingency_table(TRUE, PRED), *x, **y)
)], ids=["labels", "table"])  # fmt: skip
def test_a_checkpoint_is_of_one_simulation(tmp_path, door):
    method = cc.MonteCarlo(n_tables=500, checkpoint=tmp_path / "draws.npz")
    rand, same = door(["rand", accuracy], method=method, rng=1).values()
    expected = cc.adjust(TRUE, PRED, "rand")
    assert abs(rand.expected - expected.expected) < 4.5 * expected.std / 500**0.5  # 1e-5
    assert same.observed == count_equal(TRUE, PRED)
    assert rand.adjusted == pytest.approx(expected.adjusted, abs=0.2)


def test_trees_have_no_names():
    from scipy.cluster.hierarchy import linkage

    points = np.random.default_rng(0).normal(size=(12, 2))
    trees = linkage(points, "average"), linkage(points, "complete")
    with pytest.raises(ValueError, match=r"^`index` must not compare labels by name, .*; got 'accuracy'\."):
        cc.comparison.compare_trees(*trees, index=accuracy, rng=1, n_permutations=20)


@pytest.mark.parametrize("needs", ["pairs", "cells"])
def test_other_needs_have_no_names(needs):
    with pytest.raises(ValueError, match=r"^`named` must be None if `needs` is not "):
        Index(name="own", function=lambda a, b, c, d: a, needs=needs, named=True)


def test_reports_count_the_clusters_that_occur():
    report = cc.adjust(TRUE, PRED, accuracy).report()
    assert "10 objects (3 and 2 clusters)" in report
    assert "Labels are compared by name: both sides are numbered over their 3 labels together" in report


def test_notes_of_many_candidates_are_grouped():
    candidates = {f"c{k}": PRED if k % 2 else TRUE[1:] + TRUE[:1] for k in range(14)}
    notes = [
        note for note in map(str, cc.compare(TRUE, candidates, accuracy, rng=1).notes) if "by name" in note
    ]
    whole = "labels are compared by name: both sides are numbered over their 3 labels together"
    whole += " ('neg', 'neu', 'pos')"
    assert notes == [
        f"accuracy, c0, c2, c4, c6, c8 and 2 more: {whole}",
        f"accuracy, c1, c3, c5, c7, c9 and 2 more: {whole}; only one side has 'neu'",
    ]
    (note,) = (x for x in map(str, cc.compare(TRUE, [PRED, PRED], accuracy, rng=1).notes) if "by name" in x)
    assert note == f"accuracy: {whole}; only one side has 'neu'"
