"""The adjusted score alone: the same number as that of `adjust`, and the mean at the price of the mean."""

import math
import time

import numpy as np
import pytest

import chancecorr as cc

RNG = np.random.default_rng(2014)
TRUE, PRED = RNG.integers(0, 4, 120), RNG.integers(0, 3, 120)
PRED[:70] = TRUE[:70] % 3


@pytest.mark.parametrize("index", ["rand", "jaccard", "nmi_sum", "variation_of_information", "chi_square"])
def test_equals_that_of_adjust(index):
    whole = cc.adjust(TRUE, PRED, index=index, rng=0, tail="bound")
    assert cc.adjusted_score(TRUE, PRED, index) == pytest.approx(whole.adjusted, rel=1e-9)


def test_a_simulated_mean_is_that_of_the_published_method():
    alone = cc.adjusted_score(TRUE, PRED, "purity", rng=3)
    whole = cc.adjust(TRUE, PRED, index="purity", rng=3, method="monte-carlo", controls=True)
    assert alone == pytest.approx(whole.adjusted, abs=4 * whole.adjusted_standard_error)
    assert alone == cc.adjusted_score(TRUE, PRED, "purity", rng=3)


def test_best_and_labels_are_read_as_in_adjust():
    noisy = PRED.copy()
    noisy[::7] = -1
    for options in ({"best": 2.0}, {"best": "mean"}, {"noise": "drop"}):
        whole = cc.adjust(TRUE, noisy, index="rand", tail="bound", rng=0, **options)
        assert cc.adjusted_score(TRUE, noisy, "rand", **options) == pytest.approx(whole.adjusted, rel=1e-12)
    with pytest.raises(TypeError, match="`adjusted_score` has no keyword 'alternative'"):
        cc.adjusted_score(TRUE, PRED, "rand", alternative="less")


@pytest.mark.parametrize("index", ["rand", "nmi_sum", "homogeneity", "moc"])
def test_nothing_to_correct(index):
    for n in (3, 50, 100):
        singletons = list(range(n))
        assert math.isnan(cc.adjusted_score(singletons, singletons, index))


@pytest.mark.heavy
def test_as_fast_as_scikit_learn_with_many_uneven_clusters():
    """The variance, which is not asked for, took 50 to 90 times as long."""
    from sklearn.metrics import adjusted_mutual_info_score

    rng, n = np.random.default_rng(1), 20_000
    sides = []
    for k in (400, 300):
        weights = rng.pareto(1.2, k) + 0.05
        sides.append(rng.choice(k, n, p=weights / weights.sum()))
    times = {}
    for name, function in {
        "ours": lambda: cc.adjusted_score(*sides, "nmi_sum"),
        "theirs": lambda: adjusted_mutual_info_score(*sides),
    }.items():
        found = function()
        began = time.perf_counter()
        function()
        times[name] = time.perf_counter() - began
        assert found == pytest.approx(cc.adjusted_score(*sides, "nmi_sum"), abs=1e-10)
    assert times["ours"] < times["theirs"]


def test_a_variance_beyond_its_budget_is_left_out():
    rng, n = np.random.default_rng(2), 3_000
    u, v = rng.choice(600, n, p=rng.dirichlet([0.3] * 600)), rng.choice(500, n, p=rng.dirichlet([0.3] * 500))
    margins = cc.contingency_table(u, v).margins
    from chancecorr.exact.moments.additive import additive_moments

    index = cc.get_index("mutual_information")
    mean_only = additive_moments(index, margins, with_variance=False)
    assert math.isnan(mean_only.variance)
    assert mean_only.mean == pytest.approx(cc.null_distribution(margins, index, n_tables=99, rng=0).mean)
