"""Several raters: coefficients, values without a group, moments by slow definitions, published examples."""

import itertools
import json
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.comparison import agreement
from chancecorr.comparison.raters import Ratings, compute_variance, measure_agreement, simulate_agreement

MODELS = ["permutation", "pooled", "uniform"]
HAYES = [  # Hayes & Krippendorff (2007) and Krippendorff (2011), three observers, * is missing
    "* * * * * 3 4 1 2 1 1 3 3 * 3",
    "1 * 2 1 3 3 4 3 * * * * * * *",
    "* * 2 1 3 4 4 * 2 1 1 3 3 * 4",
]
HAYES = [[None if label == "*" else int(label) for label in line.split()] for line in HAYES]


def list_pairs(ratings, items):
    """List for each pair of raters the labels of the items that both rated."""
    for a, b in itertools.combinations(range(len(ratings.labels)), 2):
        both = [u for u in items if ratings.rated[a, u] and ratings.rated[b, u]]
        if both:
            yield [ratings.labels[a, u] for u in both], [ratings.labels[b, u] for u in both]


def measure_slowly(ratings, model, items):
    """Return observed and expected agreement by their definitions, with loops over ratings."""
    weight = ratings.weights
    if model == "pooled":
        by_item = [ratings.labels[ratings.rated[:, u], u] for u in items]
        by_item = [labels for labels in by_item if labels.size > 1]
        pooled = np.concatenate(by_item)
        pairs = [
            weight[a, b] / (labels.size - 1)
            for labels in by_item
            for a, b in itertools.permutations(labels.tolist(), 2)
        ]
        expected = [weight[a, b] for a, b in itertools.permutations(pooled.tolist(), 2)]
        return math.fsum(pairs) / pooled.size, math.fsum(expected) / len(expected)
    pairs = list(list_pairs(ratings, items))
    observed = np.mean([np.mean([weight[a, b] for a, b in zip(*pair, strict=True)]) for pair in pairs])
    if model == "uniform":
        return observed, weight.mean()
    return observed, np.mean([np.mean([weight[a, b] for a in x for b in y]) for x, y in pairs])


def make_ratings(rng, m, n, size, share_rated=1.0):
    """Make random ratings with random symmetric weights."""
    weights = rng.random((size, size))
    weights = (weights + weights.T) / 2.0
    rated = rng.random((m, n)) < share_rated
    rated[:2, 0] = True
    return Ratings(tuple(range(size)), rng.integers(size, size=(m, n)), rated, weights)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", range(12))
def test_values_and_values_without_each_group(model, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 12))
    ratings = make_ratings(rng, rng.integers(2, 5), n, rng.integers(2, 5), [1.0, 0.8][seed % 2])
    for groups in (np.arange(n), np.arange(n) % 3):
        kept = [[u for u in range(n) if groups[u] != k] for k in range(groups.max() + 1)]
        slow = np.transpose([measure_slowly(ratings, model, items) for items in (range(n), *kept)])
        np.testing.assert_allclose(measure_agreement(ratings, model, groups), slow, rtol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_variance_over_all_permutations(seed):
    rng = np.random.default_rng(seed)
    ratings = make_ratings(rng, 3, 4, 3)
    values = []
    for second, third in itertools.product(itertools.permutations(range(4)), repeat=2):
        labels = np.stack([ratings.labels[0], ratings.labels[1, second], ratings.labels[2, third]])
        values.append(measure_slowly(ratings._replace(labels=labels), "permutation", range(4))[0])
    assert np.mean(values) == pytest.approx(measure_agreement(ratings, "permutation")[1][0], rel=1e-12)
    assert np.var(values) == pytest.approx(compute_variance(ratings), rel=1e-12)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("share_rated", [1.0, 0.7])
def test_draws_have_the_expected_agreement(model, share_rated):
    ratings = make_ratings(np.random.default_rng(4), 4, 12, 3, share_rated)
    values = simulate_agreement(ratings, model, 4_000, seed=1)
    error = values.std() / math.sqrt(values.size)
    assert abs(values.mean() - measure_agreement(ratings, model)[1][0]) < 4.0 * error


def test_a_published_example_with_missing_ratings():
    """Alpha of nominal and of interval data in Krippendorff (2011), Computing alpha-reliability."""
    found = agreement(HAYES, "cohen_kappa", model="pooled", missing="drop", rng=0)
    assert found.adjusted == pytest.approx(0.691, abs=5e-4)
    quadratic = agreement(HAYES, "weighted_agreement(2)", model="pooled", missing="drop", rng=0)
    assert quadratic.adjusted == pytest.approx(0.811, abs=5e-4)  # as interval data, equally spaced


ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
DIAGNOSIS = [[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]]
FIVE_DIGITS = 5.1e-6  # half a unit in the last of the digits that irrCAC gives


@pytest.mark.parametrize(
    ("counts", "index", "coefficients"),
    [
        (ABSTRACTORS, "label_accuracy", (0.79641, 0.79726, 0.835)),
        (ABSTRACTORS, "weighted_agreement", (0.8429, 0.84359, 0.87625)),
        (ABSTRACTORS, "weighted_agreement(2)", (0.89216, 0.89265, 0.9175)),
        (DIAGNOSIS, "label_accuracy", (0.4315, 0.43162, 0.44993)),
        (DIAGNOSIS, "weighted_agreement", (0.40681, 0.40688, 0.34709)),
        (DIAGNOSIS, "weighted_agreement(2)", (0.38319, 0.38342, 0.23587)),
    ],
)
def test_two_raters_of_irrcac(counts, index, coefficients):
    """irrCAC 0.4.4, cont3x3abstractors and cont4x4diagnosis: `cohen`, `krippendorff`, `bp`; weights."""
    labels = range(len(counts))
    table = cc.ContingencyTable(counts, row_labels=labels, column_labels=labels)
    for model, coefficient in zip(MODELS, coefficients, strict=True):
        found = cc.adjust_table(table, index, model=model, method="analytic")
        assert found.adjusted == pytest.approx(coefficient, abs=FIVE_DIGITS)


FOUR_RATERS = ["123321412...", "1233224125..", ".33323422513", "12332441251."]
FIVE_OBSERVERS = [
    "112.001122.0131",
    "1130000.2110231",
    "203000222100221",
    ".13....0.10022.",
    "2..0001.2....31",
]


def read_digits(lines):
    """Ratings of one digit; None where a point stands."""
    return [[None if x == "." else int(x) for x in line] for line in lines]


@pytest.mark.parametrize(
    ("lines", "index", "alpha"),
    [
        (FOUR_RATERS, "label_accuracy", 0.743421052631579),
        (FOUR_RATERS, "weighted_agreement", 0.80038),
        (FOUR_RATERS, "weighted_agreement(2)", 0.8491071428571428),
        (FIVE_OBSERVERS, "label_accuracy", 0.48053024026512003),
        (FIVE_OBSERVERS, "weighted_agreement", 0.63521),
        (FIVE_OBSERVERS, "weighted_agreement(2)", 0.7718648087755707),
    ],
)
def test_alpha_of_other_software_with_missing_ratings(lines, index, alpha):
    """Nominal and interval data: krippendorff 0.9.0; linear weights: irrCAC 0.4.4; its example data."""
    found = agreement(read_digits(lines), index, model="pooled", missing="drop", rng=0).adjusted
    assert found == pytest.approx(alpha, abs=FIVE_DIGITS if alpha == round(alpha, 5) else 1e-12)


@pytest.mark.parametrize(
    ("index", "coefficients"),
    [
        ("label_accuracy", (0.64576, 0.65266, 0.66667)),
        ("weighted_agreement", (0.66492, 0.67065, 0.73333)),
        ("weighted_agreement(2)", (0.67192, 0.67708, 0.78333)),
    ],
)
def test_four_raters_of_irrcac_where_each_has_rated(index, coefficients):
    """irrCAC 0.4.4, `conger`, `krippendorff` and `bp`, of the items that all four raters have rated.

    If ratings are missing, irrCAC averages observed agreement over items, and `agreement` over pairs of
    raters; then Conger's coefficient and that of Brennan and Prediger differ.
    """
    items = [item for item in zip(*read_digits(FOUR_RATERS), strict=True) if None not in item]
    for model, coefficient in zip(MODELS, coefficients, strict=True):
        found = agreement([*zip(*items, strict=True)], index, model=model, rng=0)
        assert found.adjusted == pytest.approx(coefficient, abs=FIVE_DIGITS)


@pytest.mark.parametrize("model", MODELS)
def test_two_raters_by_each_model(model):
    rng = np.random.default_rng(6)
    first, second = rng.integers(3, size=(2, 25))
    found = agreement([first, second], "weighted_agreement", model=model, rng=0)
    score = cc.adjust(first, second, "weighted_agreement", model=model, rng=0)
    assert found.adjusted == pytest.approx(score.adjusted, rel=1e-12)
    assert found.expected == pytest.approx(score.expected, rel=1e-12)


def test_two_raters_are_as_in_adjust():
    rng = np.random.default_rng(2)
    first = rng.integers(3, size=60)
    second = np.where(rng.random(60) < 0.6, first, rng.integers(3, size=60))
    found, score = agreement([first, second], "cohen_kappa", rng=0), cc.adjust(first, second, "cohen_kappa")
    assert found.adjusted == pytest.approx(score.adjusted, rel=1e-12)
    assert found.variance == pytest.approx(score.variance, rel=1e-12)
    assert [*found.interval] == pytest.approx([*score.interval()], rel=1e-9)
    items = found.of_items
    assert items.tolist() == (first == second).astype(float).tolist()


def test_categories_are_kappas_of_two_categories():
    rng = np.random.default_rng(3)
    labels = rng.choice(["no", "yes", "?"], size=(4, 30))
    found = agreement(labels, "cohen_kappa", rng=0)
    for label, (share, adjusted) in found.of_categories.items():
        assert share == np.mean(labels == label)
        alone = agreement((labels == label).astype(int), "cohen_kappa", rng=0)
        assert adjusted == pytest.approx(alone.adjusted, rel=1e-12)


def test_intervals_over_raters_leave_each_rater_out():
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=50)
    raters = np.where(rng.random((6, 50)) < 0.7, truth, rng.integers(3, size=(6, 50)))
    found = agreement(raters, "cohen_kappa", rng=0)
    without = np.array(
        [agreement(np.delete(raters, k, axis=0), "cohen_kappa", rng=0).adjusted for k in range(6)]
    )
    error = math.sqrt(5 / 6 * ((without - without.mean()) ** 2).sum())
    assert found.interval_over_raters.standard_error == pytest.approx(error, rel=1e-9)
    few = agreement(raters[:4], "cohen_kappa", rng=0)
    assert few.interval_over_raters.remark == "it takes 5 raters"
    prompts = agreement(raters, "cohen_kappa", groups=np.arange(50) // 5, rng=0)
    assert (prompts.interval.n_units, prompts.interval.units) == (10, "groups")
    assert prompts.adjusted == found.adjusted


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "ratings",
    [[[1] * 12] * 3, [[1, 2, None, None], [None, None, 1, 2]]],
    ids=["one label", "no item rated twice"],
)
def test_ratings_without_a_coefficient(ratings, model):
    found = agreement(ratings, "cohen_kappa", missing="drop", model=model, rng=0)
    assert math.isnan(found.adjusted)
    assert found.interval.remark == "there is no adjusted score"
    json.dumps(found.to_dict())


def test_some_raters_may_share_no_label():
    labels = {"a": list("xxyyxyxyxx"), "always z": ["z"] * 10, "b": list("xxyyxyxzxz")}
    found = agreement(labels, "cohen_kappa", rng=0)
    kappas = [cc.adjust(labels["a"], labels["b"], "cohen_kappa").adjusted, 0.0, 0.0]
    assert found.mean_adjusted == pytest.approx(np.mean(kappas), rel=1e-12)
    with pytest.raises(ValueError, match="share no label"):
        agreement([labels["a"], labels["always z"]], "cohen_kappa")


def test_results_are_plain_in_json():
    found = agreement({"a": HAYES[0], "b": HAYES[1], "c": HAYES[2]}, "cohen_kappa", missing="drop", rng=0)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=True))
    assert plain["adjusted"] == found.adjusted
    assert plain["model"] == "permutation"
    assert [label for label, *_ in plain["of_categories"]] == [1, 2, 3, 4]
    assert "items of least agreement" in str(found)


@pytest.mark.parametrize("keyword", [{"groups": [0, 0, 1, 1]}, {"model": "pooled"}])
def test_clusterings_have_neither_groups_nor_other_models(keyword):
    (name,) = keyword
    with pytest.raises(ValueError, match=f"`{name}` is only available for an index of agreement"):
        agreement([[0, 0, 1, 1], [0, 1, 1, 1]], "rand", **keyword)


def measure_width(seed, n):
    """Return the 95 % interval of kappa of two simulated judges of n items."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    judge = np.where(rng.random(n) < 0.7, gold, rng.choice(3, n, p=[0.5, 0.3, 0.2]))
    return cc.adjust(gold, judge, "cohen_kappa", method="analytic").interval()


def test_the_planned_number_of_items_gives_the_width():
    """By means over 40 pilots of 200 items, whose mean has a relative error of 1 / sqrt(40 * 100) = 1.6 %."""
    planned = np.mean([cc.comparison.plan(measure_width(seed, 200), width=0.1) for seed in range(40)])
    widths = [np.ptp([*measure_width(100 + seed, int(planned))]) for seed in range(40)]
    assert np.mean(widths) == pytest.approx(0.1, rel=0.05)


def test_what_cannot_be_planned():
    perfect = cc.adjust([0, 1] * 10, [0, 1] * 10, "cohen_kappa").interval()
    with pytest.raises(ValueError, match="`interval` must have limits and a standard error above 0; got"):
        cc.comparison.plan(perfect, width=0.1)
    with pytest.raises(ValueError, match="`width` must be above 0; got 0"):
        cc.comparison.plan(measure_width(0, 50), width=0)
