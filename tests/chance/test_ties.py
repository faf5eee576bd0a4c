"""Rounding decides no tie: indices that the sums over pairs determine, and weights over five decades."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import chancecorr as cc

COVER = cc.Cover([[1, 1, 0], [1, 0, 1], [0, 0, 1], [1, 0, 0]])


def make_distances(seed):
    """Distances of four objects, multiples of a third."""
    upper = np.triu(np.random.default_rng(seed).integers(0, 4, (4, 4)) / 3, 1)
    return cc.Similarity(upper + upper.T, distance=True)


@pytest.mark.parametrize(
    ("first", "index", "seed"),
    [
        (COVER, "baulieu_distance_8", 2),
        (COVER, "koppen_2", 7),
        ([0, 0, 1, 1], "anderberg_d", 6),
        ([0, 0, 1, 1], "anderberg_d", 10),
    ],
)
def test_an_index_that_is_constant_but_for_rounding_has_p_1(first, index, seed):
    score = cc.adjust(first, make_distances(seed), index)
    assert (score.p_value, score.variance) == (1.0, 0.0)
    assert np.isnan(score.adjusted) or abs(score.adjusted) < 1e-9


U, V = [1, 0, 2, 0, 2], [1, 2, 1, 0, 2]
WEIGHTS = [
    217.43777766303336,
    20.221486516102555,
    381.54608912793316,
    18.24479239421547,
    0.0011523288274883979,
]


def list_pairs_together(weights):
    """Weight of the pairs together in both, under all permutations, the identity first."""
    w = list(map(Fraction, weights))
    pairs = [(i, j) for i, j in itertools.combinations(range(5), 2) if U[i] == U[j]]
    orders = itertools.permutations(range(5))
    return [sum(w[i] * w[j] for i, j in pairs if V[order[i]] == V[order[j]]) for order in orders]


@pytest.mark.parametrize("index", ["digby", "wallace_mean", "jaccard"])
def test_no_pair_together_is_the_smallest_value_of_weights_over_five_decades(index):
    assert list_pairs_together(WEIGHTS)[0] == 0
    score = cc.adjust(U, V, index, weights=WEIGHTS, rng=1, n_tables=500)
    assert score.p_value == 1.0


def test_a_root_of_rounding_is_0():
    """Of one cluster no pair is apart on both sides: d is 0, of which the index takes the root."""
    weights = [0.006121913758816958, 0.060466580375785756, 0.19581669474900384, 0.426639877324476]
    v = np.array([1, 0, 1, 1])
    score = cc.adjust([0] * 4, v, "baroni_urbani_buser_1", weights=weights, rng=1)
    pairs = [(weights[i] * weights[j], v[i] == v[j]) for i, j in itertools.combinations(range(4), 2)]
    share = sum(pair for pair, is_together in pairs if is_together) / sum(pair for pair, _ in pairs)
    assert score.observed == pytest.approx(share, rel=1e-13)
