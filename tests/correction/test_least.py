"""No interval reaches where a score cannot be: against all tables with the cluster sizes, and simulation."""

import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction.jackknife import leave_one_out
from tests.naive import all_tables
from tests.simulated import model_and_null

INDICES = ("rand", "jaccard", "fowlkes_mallows", "mirkin", "nmi_sum", "variation_of_information", "purity")
ROUNDING = 1e-12
README = [[4, 1, 0], [0, 5, 0], [1, 0, 4]]


def least_score(table, index):
    """Least adjusted score of all tables with the margins of this one, one by one."""
    table = np.array(table)
    scored = cc.adjust_table(table, index=index, method="exact")
    tables = all_tables(table.sum(axis=1).tolist(), table.sum(axis=0).tolist())
    values = np.array([cc.score_table(each, index) for each in tables])
    return float(((values - scored.expected) / (scored.best - scored.expected)).min())


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize(
    "table",
    [README, [[4, 1], [1, 4]], [[6, 0], [0, 6]], [[7, 2], [1, 3]], [[5, 1, 1], [0, 3, 2]], [[6, 1], [4, 1]]],
    ids=str,
)
def test_no_interval_goes_below_the_least_attainable_score(table, index):
    least = least_score(table, index)
    score = cc.adjust_table(table, index=index, rng=1)
    found = score.interval()
    assert np.isfinite(found.low) == ("is uncertain" not in found.remark)
    assert not found.low < least - ROUNDING or "allows for other sizes" in found.remark
    assert "allows for other sizes" not in found.remark or score.adjusted < 0.0


@pytest.mark.parametrize("index", ["rand", "jaccard", "nmi_sum"])
def test_by_groups_and_for_differences_too(index):
    rng = np.random.default_rng(3)
    truth = np.repeat([0, 1], 9)
    first, second = (np.where(rng.random(18) < 0.75, truth, 1 - truth) for _ in range(2))
    groups = np.arange(18) % 3
    comparison = cc.compare(truth, [first, second], index, groups=groups)
    leasts = [least_score(cc.contingency_table(truth, each).counts, index) for each in (first, second)]
    for k, least in enumerate(leasts):
        assert comparison[k].low >= least - ROUNDING
    low, high = comparison.difference(0, 1).interval
    assert low >= leasts[0] - 1.0 - ROUNDING
    assert high <= 1.0 - leasts[1] + ROUNDING


def test_the_adjusted_rand_index_is_never_below_one_half():
    """Where bounds of T would allow less, and in the mean over runs, whose sizes vary."""
    runs = np.random.default_rng(0).integers(0, 2, (4, 6))
    assert cc.comparison.stability(runs).interval.low == -0.5
    jaccard = cc.comparison.stability(runs, "jaccard")
    expected = jaccard.scores.expected[np.triu_indices(4, 1)]
    assert jaccard.interval.low >= float((-expected / (1.0 - expected)).mean()) - ROUNDING


@pytest.mark.parametrize("n", [3, 9])
def test_too_few_objects_have_no_interval(n):
    labels = np.arange(n) % 2, np.append(0, np.arange(n - 1) % 2)
    covers = [cc.Cover(np.eye(2, dtype=int)[each]) for each in labels]
    soft = (cc.Membership(np.random.default_rng(seed).dirichlet(np.ones(3), n)) for seed in (0, 1))
    scores = [cc.adjust(*labels), cc.adjust(*labels, weights=np.arange(1, n + 1))]
    for score in [*scores, cc.adjust(*soft), cc.adjust(*covers, "omega")]:
        found = score.interval()
        assert np.isnan([found.low, found.high]).all()
        assert found.remark == f"too few objects: {n}, and an interval needs 10"
    assert math.isnan(cc.compare(labels[0], [labels[1], labels[0]]).difference(0, 1).interval.low)


def test_a_score_without_a_spread_has_no_interval():
    """Blocks of equal cells: no object, and no group, makes a difference."""
    halves, quarters = np.repeat([0, 1], 20), np.repeat([0, 1, 2, 3], 10)
    soft = cc.Membership(np.eye(2)[halves]), cc.Membership(np.eye(4)[quarters] * 0.4 + 0.15)
    for sides, groups in (
        ((halves, quarters), None),
        ((halves, quarters), np.arange(40) % 10),
        (soft, np.arange(40) % 10),
    ):
        found = cc.adjust(*sides).interval(groups=groups)
        assert math.isnan(found.low)
        assert "so that its variance is not known" in found.remark


def test_the_least_score_of_groups_that_vary_lets_an_interval_go_further():
    """The population has other cluster sizes, and so another least score, than a sample at its least one."""
    found = cc.adjust_table([[16, 2], [2, 0]])
    without = leave_one_out(*model_and_null("rand", cc.ContingencyTable([[16, 2], [2, 0]])))
    assert without.least == pytest.approx(found.adjusted, rel=1e-9)
    assert found.interval().low < without.least - 0.01
    assert "allows for other sizes" in found.interval().remark


def test_a_least_score_that_is_infinite_without_an_object_adds_no_error():
    """Also without a warning of NumPy, which tests take for an error."""
    labels = [3, 2, 1, 0, 0, 1, 3, 1, 3, 1, 2], [3, 2, 3, 3, 2, 2, 3, 3, 0, 2, 0]
    interval = cc.adjust(*labels, "baroni_urbani_buser_2").interval()
    assert interval.low < interval.high
