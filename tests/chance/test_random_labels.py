"""Uniform and pooled labels, against all deals and all labels, and against published coefficients."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import chancecorr as cc
from chancecorr.chance.random_labels import MODELS_OF_LABELS
from chancecorr.correction.jackknife import leave_out
from chancecorr.indices.agreement import find_fixed_weights
from tests.indices.test_agreement import compute_slowly, draw_pair

MODELS = [model.name for model in MODELS_OF_LABELS]
FIXED = ("label_accuracy", "weighted_agreement", "weighted_agreement(2)")
"""Indices whose weights do not depend on the numbers of objects with each label."""

LABELS = (1, 2, 4)
UNEVEN = pd.DataFrame([[1, 0.25, -1], [0.5, 1, 0.75], [0, 0.5, 1]], LABELS, LABELS)


def weigh(name, a, b, labels):
    """Return the weight of two labels by the definition."""
    if name == "own":
        return UNEVEN.at[a, b]
    if name == "label_accuracy":
        return float(a == b)
    power = 2 if name.endswith("(2)") else 1
    return 1.0 - (abs(labels.index(a) - labels.index(b)) / (len(labels) - 1 or 1)) ** power


def average(name, x, y, labels):
    """Return an index by its definition; `labels` are the scale."""
    if name in (*FIXED, "own"):
        return math.fsum(weigh(name, a, b, labels) for a, b in zip(x, y, strict=True)) / len(x)
    return compute_slowly(name, x, y)


def list_deals(model, x, y):
    """List all pairs of label vectors under a model; each of them has the same probability."""
    n, labels = len(x), sorted({*x, *y})
    if model == "uniform":
        return [(deal[:n], deal[n:]) for deal in itertools.product(labels, repeat=2 * n)]
    return [(deal[:n], deal[n:]) for deal in itertools.permutations([*x, *y])]


def choose_index(name):
    return cc.indices.weigh_labels(UNEVEN) if name == "own" else name


def draw_cases(count, sizes, seed=23):
    """Draw pairs of vectors of a few labels that share a label."""
    rng, cases = np.random.default_rng(seed), []
    while len(cases) < count:
        n, k = int(rng.choice(sizes)), int(rng.integers(2, 4))
        pair = tuple(np.array(LABELS)[side].tolist() for side in draw_pair(rng, n, k))
        if {*pair[0]} & {*pair[1]}:
            cases.append(pair)
    return cases


@pytest.mark.parametrize("name", [*FIXED, "own"])
@pytest.mark.parametrize("model", MODELS)
def test_moments_and_p_of_all_deals(model, name):
    """20 pairs of up to 3 objects: all deals of their labels; of up to 4 objects: all labels."""
    for x, y in draw_cases(20, (1, 2, 3) if model == "pooled" else (1, 2, 3, 4)):
        labels = sorted({*x, *y})
        values = np.array([average(name, *deal, labels) for deal in list_deals(model, x, y)])
        score = cc.adjust(x, y, choose_index(name), model=model)
        assert score.expected == pytest.approx(values.mean(), abs=1e-12)
        assert score.std == pytest.approx(values.std(), abs=1e-12)
        assert score.p_value == pytest.approx(
            (values >= average(name, x, y, labels) - 1e-9).mean(), rel=1e-12
        )
        assert score.null.values_from == "exact"


def test_moments_of_four_objects_dealt_anew():
    """Three pairs of 4 objects, by all 40,320 deals of their 8 labels."""
    for x, y in draw_cases(3, (4,)):
        labels = sorted({*x, *y})
        values = np.array([average("own", *deal, labels) for deal in list_deals("pooled", x, y)])
        score = cc.adjust(x, y, choose_index("own"), model="pooled")
        assert score.expected == pytest.approx(values.mean(), abs=1e-12)
        assert score.std == pytest.approx(values.std(), abs=1e-12)
        assert score.p_value == pytest.approx(
            (values >= average("own", x, y, labels) - 1e-9).mean(), rel=1e-12
        )


@pytest.mark.parametrize("name", ["balanced_accuracy", "macro_f1"])
def test_other_indices_of_all_deals(name):
    """Their weights depend on the numbers of labels, so that all tables are listed."""
    for x, y in draw_cases(10, (2, 3)):
        values = np.array([average(name, *deal, None) for deal in list_deals("pooled", x, y)])
        score = cc.adjust(x, y, name, model="pooled")
        assert score.expected == pytest.approx(values.mean(), abs=1e-12)
        assert score.std == pytest.approx(values.std(), abs=1e-12)


@pytest.mark.parametrize("name", [*FIXED, "own", "macro_f1"])
@pytest.mark.parametrize("model", MODELS)
def test_draws_have_the_exact_moments(model, name):
    """With this seed; z of the mean is above 4.5 with probability 7e-6."""
    x, y = draw_cases(1, (30,), seed=2)[0]
    index = choose_index(name)
    drawn = cc.adjust(x, y, index, model=model, method="monte-carlo", n_tables=4_000, rng=5)
    assert drawn.null.values_from == "monte-carlo"
    if name == "macro_f1":
        assert 0.2 < drawn.expected < 0.4
        return
    exact = cc.adjust(x, y, index, model=model)
    assert abs(drawn.expected - exact.expected) < 4.5 * exact.std / math.sqrt(4_000)
    assert drawn.std == pytest.approx(exact.std, rel=4.5 / math.sqrt(2 * 4_000))


def test_draws_have_the_probability_of_each_table():
    """All tables of two labels and three objects, by all deals; chi-square is above 40 by chance in 1e-6."""
    x, y = (1, 1, 2), (1, 2, 1)
    for model in MODELS:
        deals = Counter(tuple(sorted(zip(*deal, strict=True))) for deal in list_deals(model, x, y))
        weights = cc.indices.weigh_labels(
            lambda a, b: 1.0 if a == b == 2 else 1.0 if a == b else 0.3 if a < b else 0.1
        )
        values = Counter()
        for table, count in deals.items():
            value = math.fsum(1.0 if a == b else 0.3 if a < b else 0.1 for a, b in table) / 3
            values[round(value, 9)] += count
        drawn = cc.adjust(x, y, weights, model=model, method="monte-carlo", n_tables=6_000, rng=3).null
        total = sum(values.values())
        seen = Counter({round(float(v), 9): int(c) for v, c in zip(drawn.values, drawn.counts, strict=True)})
        assert seen.keys() <= values.keys()
        wanted = {value: 6_000 * count / total for value, count in values.items()}
        assert sum((seen[v] - wanted[v]) ** 2 / wanted[v] for v in wanted) < 40 + len(wanted)


def test_which_weights_are_fixed():
    for name in cc.list_indices("agreement"):
        index = cc.get_index(name)
        for size in range(2, 6):
            assert (find_fixed_weights(index, size) is not None) == (name in FIXED)


def compute_alpha(x, y, cost):
    """Return Krippendorff's alpha of two raters, from the matrix of coincidences."""
    pairs = [*zip(x, y, strict=True), *zip(y, x, strict=True)]
    pool = [*x, *y]
    seen = math.fsum(cost(a, b) for a, b in pairs) / len(pairs)
    chance = math.fsum(cost(a, b) for i, a in enumerate(pool) for j, b in enumerate(pool) if i != j)
    return 1 - seen / (chance / (len(pool) * (len(pool) - 1)))


def test_alpha_pi_and_the_coefficient_of_brennan_and_prediger():
    rng = np.random.default_rng(31)
    for _ in range(200):
        x, y = (side.tolist() for side in draw_pair(rng, 15, 4))
        if len({*x, *y}) < 4:
            continue
        adjusted = cc.adjusted_score(x, y, "label_accuracy", model="pooled")
        assert adjusted == pytest.approx(compute_alpha(x, y, lambda a, b: float(a != b)), abs=1e-12)
        adjusted = cc.adjusted_score(x, y, "weighted_agreement(2)", model="pooled")
        assert adjusted == pytest.approx(compute_alpha(x, y, lambda a, b: (a - b) ** 2), abs=1e-12)
        accuracy = sum(a == b for a, b in zip(x, y, strict=True)) / 15
        adjusted = cc.adjusted_score(x, y, "label_accuracy", model="uniform")
        assert adjusted == pytest.approx((accuracy - 1 / 4) / (1 - 1 / 4), abs=1e-12)
    table = 100_000 * np.array([[3, 1], [2, 4]])
    shares = table.sum(axis=0) + table.sum(axis=1)
    chance = ((shares / shares.sum()) ** 2).sum()
    adjusted = cc.adjust_table(table, "label_accuracy", model="pooled", method="analytic").adjusted
    assert adjusted == pytest.approx((0.7 - chance) / (1 - chance), rel=1e-5)
    assert adjusted != pytest.approx((0.7 - chance) / (1 - chance), rel=1e-9)


def test_uniform_labels_are_all_categories():
    """A category without objects is a label, and all candidates have the same labels."""
    codes = [[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1]]
    sides = [pd.Categorical.from_codes(side, list("abcd")) for side in codes]
    score = cc.adjust(*sides[:2], "label_accuracy", model="uniform")
    assert (score.expected, score.std) == (0.25, math.sqrt(0.25 * 0.75 / 4))
    plain = [list("aabb"), list("abbb"), list("aabc")]
    comparison = cc.compare(
        plain[0], {"one": plain[1], "two": plain[2]}, "label_accuracy", model="uniform", interval=None
    )
    matrix = cc.pairwise(plain, "label_accuracy", model="uniform")
    for name in ("one", "two"):
        (of_candidate,) = comparison[name].values()
        assert of_candidate.score.expected == pytest.approx(1 / 3)
    assert matrix.expected == pytest.approx(np.full((3, 3), 1 / 3))


@pytest.mark.parametrize("model", MODELS)
def test_intervals_remove_one_object_at_a_time(model):
    """The jackknife variance is the variance of the scores of all vectors with one object less."""
    x, y = draw_cases(1, (25,), seed=4)[0]
    scale = pd.CategoricalDtype(LABELS, ordered=True)
    x, y = (pd.Series(side, dtype=scale) for side in (x, y))
    for name in ("label_accuracy", "weighted_agreement"):
        score = cc.adjust(x, y, name, model=model)
        without = np.array(
            [cc.adjusted_score(x.drop(k), y.drop(k), name, model=model) for k in range(len(x))]
        )
        jackknife = leave_out(score.model, score.entry, score.null, None)
        variance = (len(x) - 1) / len(x) * ((without - without.mean()) ** 2).sum()
        assert jackknife.variance == pytest.approx(variance, rel=1e-9)
        assert score.interval().low < score.adjusted < score.interval().high
        by_groups = score.interval(groups=np.arange(len(x)) // 2)
        assert by_groups.low < score.adjusted < by_groups.high


def test_what_makes_no_sense_is_refused():
    x, y = [0, 1, 1, 0], [0, 1, 0, 0]
    for model in MODELS:
        for index in ("rand", "mutual_information", lambda a, b: float(len({*a, *b}))):
            with pytest.raises(ValueError, match="'model` must be one of 'permutation', 'fixed-k'"[1:]):
                cc.adjust(x, y, index, model=model)
        with pytest.raises(ValueError, match="must be 'permutation' for an interval of index 'macro_f1'"):
            cc.adjust(x, y, "macro_f1", model=model, method="monte-carlo", n_tables=50).interval()
        with pytest.raises(ValueError, match="'permutation' with `strata`"):
            cc.adjust(x, y, "label_accuracy", model=model, strata=[0, 0, 1, 1])
    with pytest.raises(ValueError, match="must be 'permutation', 'uniform', 'pooled' or Draws for index"):
        cc.adjust(x, y, "label_accuracy", model="fixed-k")


@pytest.mark.parametrize("model", MODELS)
def test_a_function_that_compares_labels_by_name(model):
    x, y = draw_cases(1, (20,))[0]
    own = cc.indices.Index(
        name="same", function=lambda a, b: float(np.mean(a == b)), needs="labels", best=1.0
    )
    drawn = cc.adjust(x, y, own, model=model, n_tables=2_000, rng=1)
    exact = cc.adjust(x, y, "label_accuracy", model=model)
    assert drawn.observed == exact.observed
    assert abs(drawn.expected - exact.expected) < 4.5 * exact.std / math.sqrt(2_000)


def test_law_of_uniform_labels_is_binomial():
    null = cc.null_distribution(([50, 0, 0], [20, 20, 10]), "label_accuracy", model="uniform", method="exact")
    third = Fraction(1, 3)
    for value, p in zip(null.values, null.weights, strict=True):
        k = round(value * 50)
        assert p == pytest.approx(float(math.comb(50, k) * third**k * (1 - third) ** (50 - k)), rel=1e-11)
