"""Weighted objects: moments and values against all matchings of the labels, pair by pair."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import chancecorr as cc
from chancecorr.chance import weighted_objects
from chancecorr.indices.evaluation import is_weightable
from tests.clusterings.permutations import law_of
from tests.indices import definitions
from tests.indices.formulas import of_exact_pairs
from tests.naive import PAIR_INDICES


def small(seed, n=6):
    rng = np.random.default_rng(seed)
    labels = (np.unique(rng.integers(0, 3, n), return_inverse=True)[1] for _ in range(2))
    return *labels, rng.exponential(1.0, n) + 0.05


def weighted_pairs(reference, candidate, weights):
    """Weighted pair counts a, b, c, d, pair by pair."""
    counts = [0] * 4
    for i, j in itertools.combinations(range(len(weights)), 2):
        counts[2 * (reference[i] != reference[j]) + (candidate[i] != candidate[j])] += weights[i] * weights[j]
    return counts


def weighted_table(reference, candidate, weights):
    """Shares of the weight in each cell."""
    table = np.zeros((reference.max() + 1, candidate.max() + 1))
    np.add.at(table, (reference, candidate), weights / weights.sum())
    return table


def information(table):
    product = np.outer(table.sum(axis=1), table.sum(axis=0))
    return float((table[table > 0] * np.log(table[table > 0] / product[table > 0])).sum())


TWINS = {
    "rand": lambda *objects: np.dot(weighted_pairs(*objects), [1, 0, 0, 1]) / sum(weighted_pairs(*objects)),
    "jaccard": lambda *objects: weighted_pairs(*objects)[0] / sum(weighted_pairs(*objects)[:3]),
    "mutual_information": lambda *objects: information(weighted_table(*objects)),
    "purity": lambda *objects: weighted_table(*objects).max(axis=0).sum(),
    "maximum_matching_accuracy": lambda *objects: (table := weighted_table(*objects))[
        linear_sum_assignment(table, maximize=True)
    ].sum(),
}


def law(index, reference, candidate, weights):
    return law_of(lambda x, y: TWINS[index](x, y, weights), reference, candidate)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_moments_of_the_rand_index_are_those_of_all_matchings(seed, n):
    reference, candidate, weights = small(seed, n)
    values = law("rand", reference, candidate, weights)
    score = cc.adjust(reference, candidate, weights=weights, method="analytic")
    assert score.expected == pytest.approx(values.mean(), rel=1e-12)
    assert score.variance == pytest.approx(values.var(), rel=1e-11, abs=1e-15)
    assert score.observed == pytest.approx(values[0], rel=1e-12)


@pytest.mark.parametrize("index", [name for name in TWINS if name != "rand"])
def test_others_are_simulated(index):
    reference, candidate, weights = small(3)
    values = law(index, reference, candidate, weights)
    score = cc.adjust(reference, candidate, index, weights=weights, rng=0, n_tables=2500)
    assert score.observed == pytest.approx(values[0], rel=1e-12)
    assert abs(score.expected - values.mean()) < 4 * score.monte_carlo_error
    p = np.mean(values >= values[0] - 1e-12)
    assert abs(score.p_value - p) < 4 * math.sqrt(p * (1 - p) / 2500) + 1e-3
    assert score.adjusted == pytest.approx((values[0] - score.expected) / (score.best - score.expected))


WEIGHTABLE = [
    name
    for name in cc.list_indices()
    if cc.get_index(name).needs != "clusterings" and is_weightable(cc.get_index(name))
]


@pytest.mark.parametrize(
    "index",
    ["rand", "jaccard", "mutual_information", "nmi_sum", "variation_of_information", "purity", "van_dongen"],
)
def test_equal_weights_are_none(index):
    reference, candidate, _ = small(1, 8)
    weighted = cc.adjust(reference, candidate, index, weights=np.full(8, 3.0), rng=0)
    plain = cc.adjust(reference, candidate, index)
    assert weighted.observed == pytest.approx(plain.observed, rel=1e-12)
    assert weighted.best == pytest.approx(plain.best, rel=1e-12)
    assert abs(weighted.expected - plain.expected) <= 4 * weighted.monte_carlo_error + 1e-12
    assert abs(weighted.p_value - plain.p_value) < 0.02


@pytest.mark.parametrize(("reference", "candidate"), [*itertools.product(([0] * 4, [0, 1, 2, 3]), repeat=2)])
def test_one_cluster_and_singletons_have_the_values_of_labels(reference, candidate):
    """0/0 is the best value if both are the same, for weights and memberships, too."""
    for name in WEIGHTABLE:
        memberships = (cc.Membership(np.eye(4)[side]) for side in (reference, candidate))
        plain = cc.adjust(reference, candidate, name)
        with_weights = cc.adjust(reference, candidate, name, weights=[2.0] * 4, n_tables=9, rng=0)
        soft = cc.adjust(*memberships, name, n_tables=9, rng=0)
        for score in (with_weights, soft):
            assert score.observed == pytest.approx(plain.observed, abs=1e-9, nan_ok=True), name
            assert score.adjusted == pytest.approx(plain.adjusted, nan_ok=True), name


def test_weights_have_no_unit():
    reference, candidate, weights = small(2)
    scores = [cc.adjust(reference, candidate, "nmi_sum", weights=k * weights, rng=0) for k in (1.0, 64.0)]
    assert scores[0].to_dict() == scores[1].to_dict()


def test_values_do_not_depend_on_the_blocks_in_which_they_are_drawn(monkeypatch):
    """The sum of one table differs from that of another in its last bits."""
    reference, candidate, weights = small(4, 30)

    def draw(size):
        monkeypatch.setattr(weighted_objects, "NUMBERS_AT_ONCE", 30 * size)
        ask = {"weights": weights, "method": "monte-carlo", "n_tables": 100, "rng": 1}
        scores = cc.adjust(reference, candidate, ["rand", "jaccard", "nmi_sum", "purity"], **ask)
        return [score.null.values.tobytes() for score in scores.values()]

    assert draw(1) == draw(7) == draw(100)


def test_the_same_weight_for_each_cluster_of_the_reference():
    reference, candidate = np.repeat([0, 1, 2], [6, 2, 1]), np.array([0, 0, 0, 1, 1, 0, 1, 1, 0])
    weights = 1.0 / np.bincount(reference)[reference]
    words = cc.adjust(reference, candidate, weights="reference", method="analytic")
    assert words.to_dict() == cc.adjust(reference, candidate, weights=weights, method="analytic").to_dict()


@pytest.mark.parametrize("heavy", [1.0, 1e4, 2e8])
def test_the_rand_index_beside_a_heavy_object(heavy):
    first, second, weights = (0, 0, 1, 1, 2, 0), (0, 1, 1, 0, 2, 2), (heavy, 1.0, 0.5, 0.25, 0.5, 0.75)
    pairs = {
        pair: Fraction(weights[pair[0]]) * Fraction(weights[pair[1]])
        for pair in itertools.combinations(range(6), 2)
    }
    agree = sum(w for (i, j), w in pairs.items() if (first[i] == first[j]) == (second[i] == second[j]))
    observed = cc.adjust(first, second, "rand", weights=weights, n_tables=50, rng=1).observed
    assert observed == pytest.approx(float(agree / sum(pairs.values())), abs=1e-15 * max(heavy, 10.0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": [1, 1]}, "must have one entry for each object; got 2 for 4"),
        ({"weights": [0.5, -1, 1, 1]}, "must be finite numbers from 0 on; got -1.0"),
        ({"weights": [1, math.nan, 1, 1]}, "must be finite numbers from 0 on; got nan"),
        ({"weights": [0, 0, 0, 0]}, "must have one above 0"),
        ({"weights": [1, 1e12, 1, 1]}, r"must have no weight above 1e\+08 times .*; got 1e\+12 beside 3\."),
        ({"weights": "candidate"}, "must be numbers, 'reference' or None"),
        ({"weights": [1] * 4, "index": "mari"}, "independent of the unit of its weights, .* got 'mari'"),
        (
            {"weights": [1] * 4, "index": lambda u, v: 1.0},
            "must be a function of pair counts, or a function of a",
        ),
        ({"weights": [1] * 4, "index": "muc"}, "independent of the unit of its weights"),
        ({"weights": [1] * 4, "method": "exact"}, "must be 'auto', 'analytic' or 'monte-carlo'"),
        (
            {"weights": [1] * 4, "method": "analytic", "index": "jaccard"},
            "not known without draws; got 'analy",
        ),
        ({"weights": [1] * 4, "model": "fixed-k"}, "must be None under model 'fixed-k'"),
        (
            {"weights": [1] * 4, "strata": [0, 0, 1, 1]},
            "must be None under model 'permutation within strata'",
        ),
        ({"weights": [1] * 4, "best": "mean"}, r"must be a number or None \(other values"),
    ],
)
def test_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        cc.adjust([0, 0, 1, 1], [0, 1, 1, 2], **options)


def test_an_interval_is_that_of_scores_without_one_object_each():
    reference, candidate, weights = small(5, 12)
    score = cc.adjust(reference, candidate, weights=weights, method="analytic")
    without = []
    for k in range(12):
        left = np.arange(12) != k
        labels = (np.unique(each[left], return_inverse=True)[1] for each in (reference, candidate))
        without.append(cc.adjusted_score(*labels, weights=weights[left]))
    error = math.sqrt(11 / 12 * ((np.array(without) - np.mean(without)) ** 2).sum())
    interval = score.interval()
    assert interval.standard_error == pytest.approx(error, rel=1e-9)
    assert interval.high == pytest.approx(min(1.0, score.adjusted + 2.200985160 * error), rel=1e-8)


WEIGHTABLE = [entry for entry in map(cc.get_index, cc.list_indices()) if is_weightable(entry)]
COUNTS = np.array([1, 2, 3, 1, 5, 4])  # weights are their multiples: sums of them are no whole numbers


def by_definition(index, reference, candidate):
    """Value of objects with these weights: pair by pair, or on copies of the objects, by the slow twin."""
    if index.needs == "pairs":
        weights = [Fraction(6 * int(count), int(COUNTS.sum())) for count in COUNTS]
        return float(of_pairs(index, *map(Fraction, weighted_pairs(reference, candidate, weights))))
    copies = [np.repeat(labels, COUNTS).tolist() for labels in (reference, candidate)]
    define = definitions.DEFINITIONS.get(index.name) or functools.partial(cc.score, index=index)
    doubled, once = define(*(2 * labels for labels in copies)), float(define(*copies))
    has_a_unit = not math.isclose(doubled, once, rel_tol=1e-9, abs_tol=1e-12)
    return once * (6 / COUNTS.sum() if has_a_unit else 1.0)


def of_pairs(index, a, b, c, d):
    if index.name in ("austin_colwell", "cole", "correlation_distance", "tetrachoric_cosine"):
        return getattr(definitions, index.name)(a, b, c, d)  # angles, and a formula in two pieces
    if index.name in PAIR_INDICES:
        return PAIR_INDICES[index.name](a, b, c, d)
    return of_exact_pairs(index.formula, a, b, c, d, digits=40)


def test_real_weights_in_every_index():
    """Observed values are those of the definition, and expected ones are means over all placements."""
    reference, candidate = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 1, 0, 2, 2])
    placements = sorted(set(itertools.permutations(candidate.tolist())))
    assert len(placements) == 90  # each as likely: 8 of the 720 orders
    laws = {index.name: [] for index in WEIGHTABLE}
    for k, placed in enumerate(map(np.array, placements)):
        scores = cc.adjust(reference, placed, list(laws), weights=COUNTS / 7, rng=0, n_tables=1)
        for index in WEIGHTABLE:
            observed = scores[index.name].observed
            laws[index.name].append(observed)
            if k % 9 == 0:  # the twins take their time
                value = by_definition(index, reference, placed)
                assert observed == pytest.approx(value, rel=1e-11, abs=1e-13, nan_ok=True), index.name
    scores = cc.adjust(reference, candidate, list(laws), weights=COUNTS / 7, rng=0, n_tables=4000)
    for name, law in laws.items():
        if np.isfinite(law).all():
            error = 4.5 * np.std(law) / math.sqrt(4000)
            assert scores[name].expected == pytest.approx(np.mean(law), rel=1e-9, abs=error + 1e-12), name
    assert len(WEIGHTABLE) > 200


@pytest.mark.parametrize("unit", [2.0**1023, 2.0**-1070])
@pytest.mark.parametrize("index", ["rand", "jaccard", "nmi_sum", "purity"])
def test_no_unit_of_weights_is_too_large_or_too_small(index, unit):
    reference, candidate = [0, 0, 0, 1, 1, 2], [0, 1, 1, 1, 2, 2]
    weights = np.array([1.0, 0.5, 0.25, 1.0, 0.5, 1.0])
    one, other = (
        cc.adjust(reference, candidate, index, weights=k * weights, rng=0, n_tables=50) for k in (1.0, unit)
    )
    assert one.to_dict() == other.to_dict()
