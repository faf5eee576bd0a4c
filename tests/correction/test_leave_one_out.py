"""Scores without one object against each object left out in turn; by the limit, against plain formulas."""

import itertools
import math

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.correction import jackknife
from chancecorr.correction.jackknife import BIAS_PER_RESAMPLING, RESAMPLES
from tests.simulated import model_and_null

TABLE = cc.ContingencyTable([[14, 2, 1], [3, 11, 0], [1, 2, 9]])
TRACE = cc.indices.Index(name="trace", needs="table", function=lambda t, r, c: (t[0, 0] + t[1, 1]) / r.sum())
BY_LABELS = cc.indices.Index(name="equal", needs="labels", function=lambda u, v: float((u == v).mean()))


def found_by(table, name, **options):
    return jackknife.leave_one_out(*model_and_null(cc.get_index(name), table, **{"rng": 0, **options}))


def each_object_left_out(table, name, **options):
    """Adjusted scores of the labels without one object, object by object."""
    rows, columns, counts = table.nonzero_cells
    labels = np.repeat(rows, counts), np.repeat(columns, counts)
    scores = []
    for k in range(table.n):
        kept = np.arange(table.n) != k
        scores.append(cc.adjust(labels[0][kept], labels[1][kept], index=name, rng=0, **options).adjusted)
    return np.array(scores)


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("rand", 1e-12),
        ("fowlkes_mallows", 1e-12),
        ("lerman", 1e-12),
        ("kuhns_1", 1e-12),  # its best value goes by the cluster sizes
        ("jaccard", 2e-7),  # the law of T keeps its shape: 0.02 / n**3 is 3e-7
        ("mutual_information", 1e-12),
        ("nmi_sum", 1e-12),
        ("variation_of_information", 1e-12),
    ],
    ids=str,
)
def test_every_object_left_out(name, tolerance):
    found = found_by(TABLE, name)
    brute = each_object_left_out(TABLE, name)
    assert np.repeat(found.without, found.counts) == pytest.approx(brute, abs=tolerance)
    assert np.ptp(brute) > 1e-3  # there is something to be right about


@pytest.mark.parametrize("name", ["rand", "mutual_information"])
def test_the_variance_under_chance_is_that_of_adjusted_scores(name):
    """Over the 35 ways to choose who is in the larger of the candidate's two clusters."""
    truth, scores = np.array([0, 0, 0, 0, 1, 1, 1]), []
    for larger in itertools.combinations(range(7), 4):
        candidate = np.ones(7, dtype=int)
        candidate[list(larger)] = 0
        scores.append(cc.adjust(truth, candidate, name).adjusted)
    found = found_by(cc.ContingencyTable([[3, 1], [1, 2]]), name)
    assert found.null_variance == pytest.approx(np.var(scores), rel=1e-9)


def test_a_model_under_which_the_mean_is_simulated_is_refused():
    with pytest.raises(ValueError, match="`model` must be 'permutation' for an interval of index 'jaccard'"):
        found_by(TABLE, "jaccard", model="fixed-k", n_tables=100)


LIMITS = {
    "purity": lambda p: p.max(axis=0).sum(),
    "van_dongen": lambda p: (p.max(axis=0).sum() + p.max(axis=1).sum()) / 2,  # but for sign and a constant
    TRACE: lambda p: p[0, 0] + p[1, 1],
    BY_LABELS: lambda p: np.trace(p),
}


def plugged_in(limit, counts):
    """Adjusted score of the population with the shares of these counts."""
    shares = counts / counts.sum()
    chance = limit(np.outer(shares.sum(axis=1), shares.sum(axis=0)))
    return (limit(shares) - chance) / (1.0 - chance)


@pytest.mark.slow
@pytest.mark.parametrize("name", LIMITS, ids=str)
def test_by_the_limit_every_object_left_out(name):
    found = found_by(TABLE, name, n_tables=50)
    counts = TABLE.dense_counts()
    brute = [plugged_in(LIMITS[name], each.dense_counts()) for each in less_one_each(TABLE)]
    assert found.without == pytest.approx(brute, abs=1e-12)
    assert np.ptp(brute) > 1e-3
    wanted = pytest.approx(plugged_in(LIMITS[name], counts))
    assert jackknife.compute_plug_in_score(cc.get_index(name), TABLE, None) == wanted


def test_the_bias_of_the_largest_of_two_equal_shares_is_taken_off():
    """The share of the larger of two equal classes is too high by ``sqrt(1 / (2 pi n))``: the mean of
    ``|X - n / 2| / n`` for X binomial, nearly normal. Over samples, that of 1 + sqrt(2) times what they add
    is the same; 2,000 samples know it to 2 %, and without `BIAS_PER_RESAMPLING` it is 41 %."""
    rng, n = np.random.default_rng(3), 1_000
    largest = lambda x: np.maximum(x, n - x) / n  # noqa: E731
    samples = rng.binomial(n, 0.5, size=2_000)
    added = [largest(rng.binomial(n, x / n, size=200)).mean() - largest(x) for x in samples]
    assert BIAS_PER_RESAMPLING * np.mean(added) == pytest.approx(math.sqrt(1 / (2 * math.pi * n)), rel=0.08)


@pytest.mark.slow
def test_the_biases_are_those_that_resamples_show():
    """Of purity, with resamples of the same seed gone through one by one."""
    counts, limit = TABLE.dense_counts(), LIMITS["purity"]
    rows, columns, cells = TABLE.nonzero_cells
    resamples = np.zeros((RESAMPLES, *counts.shape))
    drawn = np.random.default_rng(5).multinomial(TABLE.n, cells / TABLE.n, size=RESAMPLES)
    resamples[:, rows, columns] = drawn / TABLE.n
    independent = lambda p: np.outer(p.sum(axis=1), p.sum(axis=0))  # noqa: E731
    shares = counts / TABLE.n
    of_observed = BIAS_PER_RESAMPLING * (np.mean([limit(p) for p in resamples]) - limit(shares))
    at_chance = [limit(independent(p)) for p in (*resamples, shares)]
    chance = at_chance[-1] - BIAS_PER_RESAMPLING * (np.mean(at_chance[:-1]) - at_chance[-1])
    score, bias = jackknife.estimate_by_resampling(
        cc.get_index("purity"), TABLE, None, np.random.default_rng(5)
    )
    assert score == pytest.approx((limit(shares) - chance) / (1.0 - chance), rel=1e-9)
    assert bias == pytest.approx(of_observed / (1.0 - chance), rel=1e-9)
    assert abs(bias) > 1e-4


def test_the_bias_of_a_sum_over_cells_lies_between_the_jackknife_and_independence():
    """By hand, for mutual information over the mean of the entropies, which has the limit 0 under chance."""
    table = cc.ContingencyTable(np.diag([12, 12, 12, 12, 12]) + 1)
    found, score = found_by(table, "nmi_sum"), cc.adjust_table(table, index="nmi_sum")
    n, room = table.n, 1.0 - score.expected
    plain = [cc.score_table(each, "nmi_sum") for each in less_one_each(table)]
    seen = (n - 1) * (np.average(plain, weights=found.counts) - score.observed) / room
    jackknife = (n - 1) * (np.average(found.without, weights=found.counts) - found.whole)
    left = (score.expected / room - seen) / 2
    assert abs(left) > 0.01
    assert found.bias_left == pytest.approx(left, rel=1e-9)
    assert found.estimate == pytest.approx(found.whole - jackknife - left, rel=1e-9)


def less_one_each(table):
    counts = table.dense_counts().copy()
    for i, j in zip(*np.nonzero(counts), strict=True):
        counts[i, j] -= 1
        yield cc.ContingencyTable(counts)
        counts[i, j] += 1


def test_one_moved_object_in_perfect_agreement():
    found = found_by(cc.ContingencyTable([[6, 0], [0, 4]]), "rand")
    null = cc.null_distribution(cc.Margins([6, 4], [6, 4]), "rand", method="analytic")
    moved = [cc.score_table(table, "rand") for table in ([[5, 1], [0, 4]], [[6, 0], [1, 3]])]
    assert found.perfect
    assert found.cost == pytest.approx((1.0 - min(moved)) / (1.0 - null.mean), rel=1e-12)
    assert not found_by(TABLE, "rand").perfect
    assert found_by(cc.ContingencyTable([[5, 0, 0], [0, 3, 2]]), "purity").cost > 0.0


def test_a_disagreement_that_the_sample_has_none_of_may_cost_more():
    """Few pairs are of small classes; one object of the large class elsewhere would part 50 pairs."""
    table = cc.ContingencyTable([[51, 0, 0], [1, 3, 0], [0, 0, 5]])
    found = found_by(table, "wallace_1")
    null = cc.null_distribution(table.margins, "wallace_1", method="analytic")
    moved = cc.score_table([[50, 1, 0], [1, 3, 0], [0, 0, 5]], "wallace_1")
    assert found.cost == pytest.approx(found.whole - (moved - null.mean) / (1.0 - null.mean), rel=1e-12)
    assert found.cost > 5.0 * (found.without.max() - found.whole)


@pytest.mark.parametrize("name", ["cohen_kappa", "macro_f1", "label_matthews"])
def test_indices_of_agreement_have_the_bias_of_the_jackknife_and_no_random_numbers(name):
    """The expected value is the value at independence, so that nothing is left to resample."""
    rng = np.random.default_rng(2)
    x = rng.integers(0, 3, 40)
    y = np.where(rng.random(40) < 0.6, x, rng.integers(0, 3, 40))
    score = cc.adjust(x, y, name)
    found = jackknife.leave_one_out(score.model, score.entry, score.null)
    without = [cc.adjust(np.delete(x, k), np.delete(y, k), name).adjusted for k in range(40)]
    assert found.estimate == pytest.approx(40 * score.adjusted - 39 * np.mean(without), rel=1e-9)
    intervals = {tuple(cc.adjust(x, y, name, rng=seed).interval()) for seed in (1, 2)}
    assert intervals == {tuple(cc.compare(x, {"y": y}, name)["y"].interval)}
