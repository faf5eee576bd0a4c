"""Biclusterings: all permutations of rows and columns, scikit-learn's scores, sampling, errors."""

import functools
import itertools

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, rand_score

import chancecorr as cc
from chancecorr.chance import permuted_rows_and_columns
from chancecorr.clusterings import Biclusters
from chancecorr.machine.arguments import ArgumentValueError

ROWS = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 2, 2])
COLUMNS = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])


def of_cells(rows, columns):
    return (10 * rows[:, None] + columns).ravel()


@functools.cache
def under_chance(score):
    """A score of the labels of the cells, for all orders of the labels of rows and of columns."""
    reference = of_cells(ROWS[0], COLUMNS[0])
    orders = (sorted(set(itertools.permutations(each[1].tolist()))) for each in (ROWS, COLUMNS))
    pairs = itertools.product(*orders)
    return np.array([score(reference, of_cells(*map(np.array, each))) for each in pairs])


def jaccard(u, v):
    pairs = np.triu_indices(len(u), 1)
    first, second = (each[pairs[0]] == each[pairs[1]] for each in (u, v))
    return (first & second).sum() / (first | second).sum()


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
    """It is the observed value of the index that corrects as if cells were permuted."""
    slow, found = under_chance(adjusted_rand_score), cc.adjust(*SIDES, "adjusted_rand")
    assert (found.observed, found.expected) == pytest.approx((slow[0], slow.mean()), rel=1e-12)
    three_by_three = Biclusters(np.repeat(range(3), 4), np.repeat(range(3), 3))
    assert 0.05 < cc.adjust(three_by_three, three_by_three, "adjusted_rand").expected < 0.07


def test_sampled_where_no_law_is_listed(monkeypatch):
    exact = cc.adjust(*SIDES, "jaccard")
    monkeypatch.setattr(permuted_rows_and_columns, "MOST_PRODUCTS", 0)
    sampled = cc.adjust(*SIDES, "jaccard", rng=1, n_tables=10_000)
    assert sampled.null.values_from == "monte-carlo"
    assert abs(sampled.expected - exact.expected) < 4.5 * np.sqrt(exact.variance / 10_000)
    assert sampled.monte_carlo_error == pytest.approx(np.sqrt(exact.variance / 10_000), rel=0.1)
    rand = cc.adjust(*SIDES, rng=1)
    mean = under_chance(rand_score).mean()
    assert (rand.expected, rand.monte_carlo_error) == (pytest.approx(mean, rel=1e-12), 0.0)


ONE = Biclusters([0, 1], [0, 1])
LARGE = Biclusters(np.zeros(100_000), np.zeros(100_000))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((*SIDES, "purity"), "`index` must be a pair-counting index; got 'purity'"),
        ((LARGE, LARGE), r"at most 3,037,000,499 cells; got shape \(100000,"),
        (SIDES, "`labels_true` must be a clustering of objects"),  # in the interval alone
        ((ONE, Biclusters([0, 1], [0, 1, 1])), r"`labels_pred` must .* shape \(2, 2\); got \(2, 3\)"),
        ((ONE, [0, 1]), "`labels_pred` must be Biclusters, as the other side is; got list"),
    ],
)
def test_errors(given, message):
    with pytest.raises(TypeError if given[-1] == [0, 1] else ArgumentValueError, match=message):
        cc.adjust(*given).interval()


def test_the_law_keeps_to_the_bytes_of_a_budget():
    """Some hundred values of T on either side: products of 48 bytes each fill more than a megabyte."""
    rng = np.random.default_rng(1)
    first, second = (Biclusters(rng.integers(0, 6, 60), rng.integers(0, 6, 60)) for _ in range(2))
    for size, source in ((10**7, "exact"), (10**6, "monte-carlo")):
        assert cc.adjust(first, second, rng=1, budget=cc.Budget(bytes=size)).p_value_from == source
