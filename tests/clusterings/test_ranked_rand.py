"""The ranked Rand index: pairs one by one, all permutations, no distances, errors."""

import math

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, rand_score

from chancecorr.arguments import ArgumentTypeError, ArgumentValueError
from chancecorr.clusterings.indices.ranked_rand import ranked_rand
from tests.clusterings.permutations import all_permutations, partition, values

CASES = [
    ([0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 3]),
    ([0, 1, 2, 3], [0, 1, 1, 2]),
    ([0, 1, 2], [0, 1, 2]),
    ([0, 1], [1, 0]),
]


def distances(rng, labels):
    """Distances that are not symmetric, some of them equal."""
    return rng.integers(1, 5, (max(labels) + 1,) * 2).astype(float)


def mean_diagonal_deviation(u, v, X, Y):
    """MDD of Pinto et al. from the ranks of the clusters, object by object."""

    def ranks(D):
        columns = []
        for k in range(len(D)):
            others = sorted({D[i][k] for i in range(len(D)) if i != k})
            columns.append([0 if i == k else 1 + others.index(D[i][k]) for i in range(len(D))])
        most = max(map(max, columns)) or 1
        return [[columns[k][i] / most for k in range(len(D))] for i in range(len(D))]

    n, x, y = len(u), ranks(X), ranks(Y)
    total = sum(abs(x[u[i]][u[j]] - y[v[i]][v[j]]) for i in range(n) for j in range(n) if i != j)
    return total / (n * (n - 1))


@pytest.mark.parametrize(("u", "v"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_from_the_definition_and_by_enumeration(u, v, seed):
    rng = np.random.default_rng(seed)
    X, Y = distances(rng, u), distances(rng, v)
    found = ranked_rand(X, Y).function(partition(u), partition(v))
    permutations = all_permutations(len(u))
    under_chance = values(found, permutations)
    slow = [1.0 - mean_diagonal_deviation(u, np.array(v)[p], X, Y) for p in permutations]
    np.testing.assert_allclose(under_chance, slow, rtol=1e-12)
    assert found.observed == pytest.approx(slow[0], rel=1e-12)
    assert found.expected == pytest.approx(np.mean(slow), rel=1e-12)
    assert found.variance == pytest.approx(np.var(slow), rel=1e-11, abs=1e-15)


def test_without_distances_it_is_the_rand_index():
    u, v = CASES[0]
    found = ranked_rand().function(partition(u), partition(v))
    assert found.observed == pytest.approx(rand_score(u, v), rel=1e-12)
    adjusted = (found.observed - found.expected) / (1.0 - found.expected)
    assert adjusted == pytest.approx(adjusted_rand_score(u, v), rel=1e-12)


def test_many_clusters_have_no_variance(monkeypatch):
    monkeypatch.setattr("chancecorr.clusterings.indices.ranked_rand.MOST_NUMBERS", 17)
    u, v = CASES[0]
    found = ranked_rand().function(partition(u), partition(v))
    assert math.isnan(found.variance)


def test_errors():
    with pytest.raises(ArgumentTypeError, match="`distances_true` must be a square matrix"):
        ranked_rand([1.0, 2.0])
    with pytest.raises(ArgumentValueError, match=r"`distances_pred` must be numbers from 0 on; got -1.0"):
        ranked_rand(None, [[0.0, -1.0], [1.0, 0.0]])
    with pytest.raises(
        ArgumentValueError, match=r"`distances_pred` must .* for 3 clusters; got shape \(2, 2\)"
    ):
        ranked_rand(None, [[0.0, 1.0], [1.0, 0.0]]).function(partition([0, 1, 2]), partition([0, 1, 2]))
