"""Biclusterings: all permutations of rows and columns, scikit-learn's scores, sampling, errors."""

import functools
import itertools
import math

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, rand_score

import chancecorr as cc
from chancecorr.chance import permuted_rows_and_columns
from chancecorr.clusterings import biclusters
from chancecorr.clusterings.biclusters import (
    Biclusters,
    published_cari,
)
from chancecorr.machine.arguments import ArgumentValueError

ROWS = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 2, 2])
COLUMNS = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])


def table(first, second):
    counts = np.zeros((first.max() + 1, second.max() + 1), dtype=np.int64)
    np.add.at(counts, (first, second), 1)
    return counts


def of_cells(rows, columns):
    return (10 * rows[:, None] + columns).ravel()


@functools.cache
def under_chance(score):
    """A score of the labels of the cells, for all orders of the labels of rows and of columns."""
    reference = of_cells(ROWS[0], COLUMNS[0])
    return np.array(
        [
            score(reference, of_cells(np.array(r), np.array(c)))
            for r in sorted(set(itertools.permutations(ROWS[1].tolist())))
            for c in sorted(set(itertools.permutations(COLUMNS[1].tolist())))
        ]
    )


def jaccard(u, v):
    pairs = np.triu_indices(len(u), 1)
    first, second = (each[pairs[0]] == each[pairs[1]] for each in (u, v))
    return (first & second).sum() / (first | second).sum()


TABLES = table(*ROWS), table(*COLUMNS)


SIDES = tuple(Biclusters(rows, columns) for rows, columns in zip(ROWS, COLUMNS, strict=True))


@pytest.mark.parametrize(("index", "score"), [("rand", rand_score), ("jaccard", jaccard)])
def test_law_by_enumeration(index, score):
    found, slow = cc.adjust(*SIDES, index, method="exact"), under_chance(score)
    assert found.observed == pytest.approx(slow[0], rel=1e-12)
    assert found.expected == pytest.approx(slow.mean(), rel=1e-12)
    assert found.variance == pytest.approx(slow.var(), rel=1e-12)
    values, counts = np.unique(slow.round(12), return_counts=True)
    np.testing.assert_allclose(found.null.values, values, rtol=1e-11)
    np.testing.assert_allclose(found.null.weights, counts / slow.size, rtol=1e-12)


def test_published_cari_is_not_0_by_chance():
    slow = under_chance(adjusted_rand_score)
    assert published_cari(*TABLES) == pytest.approx((slow[0], slow.mean()), rel=1e-12)
    three_by_three = np.diag([4, 4, 4]), np.diag([3, 3, 3])
    assert 0.05 < published_cari(*three_by_three)[1] < 0.07


def test_sampled_where_no_law_is_listed(monkeypatch):
    exact = cc.adjust(*SIDES, "jaccard")
    monkeypatch.setattr(biclusters, "MOST_PRODUCTS", 0)
    sampled = cc.adjust(*SIDES, "jaccard", rng=1, n_tables=10_000)
    assert sampled.null.values_from == "monte-carlo"
    assert abs(sampled.expected - exact.expected) < 4.5 * np.sqrt(exact.variance / 10_000)
    assert sampled.monte_carlo_error == pytest.approx(np.sqrt(exact.variance / 10_000), rel=0.1)
    rand = cc.adjust(*SIDES, rng=1)
    mean = under_chance(rand_score).mean()
    assert (rand.expected, rand.monte_carlo_error) == (pytest.approx(mean, rel=1e-12), 0.0)


def test_errors():
    with pytest.raises(ArgumentValueError, match="`index` must be a pair-counting index; got 'purity'"):
        cc.adjust(*SIDES, "purity")
    with pytest.raises(ArgumentValueError, match="at most 3,037,000,499 cells; got 100,000 x 100,000"):
        published_cari([[100_000]], [[100_000]])


def test_adjust_by_all_permutations_of_rows_and_columns():
    """Labels of the cells under 24 x 6 pairs of permutations."""
    first, second = ([0, 0, 1, 1], [0, 0, 1]), ([0, 0, 1, 0], [0, 1, 1])

    def cells(rows, columns):
        return [3 * r + c for r in rows for c in columns]

    law = [
        cc.score(cells(*first), cells(rows, columns), "jaccard")
        for rows in itertools.permutations(second[0])
        for columns in itertools.permutations(second[1])
    ]
    score = cc.adjust(Biclusters(*first), Biclusters(*second), "jaccard")
    assert score.observed == cc.score(cells(*first), cells(*second), "jaccard")
    assert (score.expected, score.variance) == pytest.approx((np.mean(law), np.var(law)))
    assert score.p_value == pytest.approx(np.mean(np.array(law) >= score.observed - 1e-12))
    assert (score.n, score.p_value_from) == (12, "exact")
    drawn = cc.adjust(Biclusters(*first), Biclusters(*second), "jaccard", method="monte-carlo", rng=1)
    assert abs(drawn.expected - score.expected) < 5 * score.std / math.sqrt(17_000)


def test_a_mean_is_from_tables_if_it_is_sampled_or_if_only_tables_are_asked_for(monkeypatch):
    first, second = Biclusters([0, 0, 1, 1], [0, 0, 1]), Biclusters([0, 0, 1, 0], [0, 1, 1])
    monkeypatch.setattr(biclusters, "MOST_PRODUCTS", 0)
    for index, method, origin in (
        ("rand", "auto", "analytic"),
        ("rand", "monte-carlo", "monte-carlo"),
        ("jaccard", "auto", "monte-carlo"),
    ):
        score = cc.adjust(first, second, index, method=method, n_tables=200, rng=1)
        assert score.null.mean_from == origin
        assert score.null.values_from == "monte-carlo"


def test_biclusters_of_different_matrices():
    one = Biclusters([0, 1], [0, 1])
    with pytest.raises(ValueError, match=r"`labels_pred` must be .* of shape \(2, 2\); got \(2, 3\)"):
        cc.adjust(one, Biclusters([0, 1], [0, 1, 1]))
    with pytest.raises(TypeError, match="`labels_pred` must be Biclusters as the other side; got list"):
        cc.adjust(one, [0, 1])


def jackknifed(scores):
    return (len(scores) - 1) / len(scores) * np.sum((scores - np.mean(scores)) ** 2)


def with_one_moved(sides, object_, cluster):
    moved = sides.copy()
    moved[1, object_] = cluster
    return moved


@pytest.mark.parametrize("alike", [9, 5])
def test_the_variance_of_an_interval_is_that_of_rows_and_of_columns(alike):
    """From the scores without one row, and without one column; the estimate has both biases off."""
    rng = np.random.default_rng(2)
    rows, columns = rng.integers(0, 3, (2, 14)), rng.integers(0, 2, (2, 9))
    rows[1, :alike], columns[1, : alike - 3] = rows[0, :alike], columns[0, : alike - 3]

    def score(rows, columns):
        first, second = (Biclusters(*side) for side in zip(rows, columns, strict=True))
        return cc.adjust(first, second)

    whole = score(rows, columns)
    without = [
        np.array([score(np.delete(rows, i, axis=1), columns).adjusted for i in range(14)]),
        np.array([score(rows, np.delete(columns, j, axis=1)).adjusted for j in range(9)]),
    ]
    interval = whole.interval()
    wanted = math.sqrt(sum(map(jackknifed, without)))
    assert interval.standard_error == pytest.approx(wanted, rel=1e-10)
    found = whole.model.leave_out(whole.entry, whole.null, None)
    bias = sum((len(each) - 1) * (np.mean(each) - whole.adjusted) for each in without)
    assert found.estimate == pytest.approx(whole.adjusted - bias, rel=1e-10)
    assert interval.low < whole.adjusted < interval.high
    in_scores = whole.variance / (1.0 - whole.expected) ** 2  # of (R - E) / (1 - E), R by chance
    assert found.null_variance == pytest.approx(in_scores, rel=1e-12)
    assert found.squares == 2 * 2 + 1 * 1
    moved = [score(with_one_moved(rows, i, k), columns).adjusted for i in range(14) for k in range(3)]
    moved += [score(rows, with_one_moved(columns, j, k)).adjusted for j in range(9) for k in range(2)]
    most_lost = max(np.max(np.concatenate(without)) - whole.adjusted, whole.adjusted - min(moved))
    assert found.cost == pytest.approx(most_lost, rel=1e-10)


def test_the_score_is_a_sum_of_the_squares_of_both_tables():
    """Clusters of rows 3 by 2, of columns 2 by 4: ``(3 - 1) (2 - 1) + (2 - 1) (4 - 1)``."""
    first = Biclusters([0, 1, 2, 0, 1, 2], [0, 1, 0, 1, 0])
    second = Biclusters([0, 1, 1, 0, 0, 1], [0, 1, 2, 3, 0])
    score = cc.adjust(first, second)
    assert score.model.leave_out(score.entry, score.null, None).squares == 5


def test_the_mean_without_a_row_of_an_index_that_is_not_affine():
    """The change of its mean is that of the index at the mean of T, to second order."""
    rows, columns = np.repeat([[0, 1, 2], [0, 1, 1]], 20, axis=1), np.repeat([[0, 1], [0, 1]], 20, axis=1)
    rows[1, ::7], columns[1, ::9] = 0, 0
    score = cc.adjust(*(Biclusters(*s) for s in zip(rows, columns, strict=True)), "jaccard", rng=1)
    less = cc.adjust(*(Biclusters(s[1:], t) for s, t in zip(rows, columns, strict=True)), "jaccard", rng=1)
    assert score.null.values_from == less.null.values_from == "exact"
    both = [permuted_rows_and_columns._sums(table) for table in score.model.tables]
    fewer = [permuted_rows_and_columns._sums(table) for table in less.model.tables]
    values = [permuted_rows_and_columns._values_of_sums(score.entry, sums)[1] for sums in (both, fewer)]
    change = values[1] - values[0]
    assert change[0] == pytest.approx(less.expected - score.expected, rel=0.05)


def test_perfect_biclusters_have_the_rule_of_three():
    sides = [Biclusters(np.arange(30) % 3, np.arange(20) % 2)] * 2
    interval = cc.adjust(*sides).interval()
    assert interval.high == 1.0
    assert 0.2 < interval.low < 0.9
    assert interval.remark == "perfect agreement; lower limit by the rule of three"
    with pytest.raises(ArgumentValueError, match="`groups` must be None for an interval of biclusterings"):
        cc.adjust(*sides).interval(groups=np.zeros(30))


@pytest.mark.parametrize("options", [{"model": "multinomial"}, {"best": 0.9}])
def test_another_model_or_best_value_is_refused(options):
    side = Biclusters([0, 0, 1, 1], [0, 1])
    with pytest.raises(ArgumentValueError, match="`model` must be 'permutation', and `best` None, for biclu"):
        cc.adjust(side, side, **options)


def test_the_law_keeps_to_the_bytes_of_a_budget():
    """Some hundred values of T on either side: products of 48 bytes each fill more than a megabyte."""
    rng = np.random.default_rng(1)
    first, second = (Biclusters(rng.integers(0, 6, 60), rng.integers(0, 6, 60)) for _ in range(2))
    sources = [
        cc.adjust(first, second, "rand", rng=1, budget=cc.Budget(bytes=size)).p_value_from
        for size in (10**7, 10**6)
    ]
    assert sources == ["exact", "monte-carlo"]
