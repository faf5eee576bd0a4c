"""Moments of sums of weights over pairs, against all permutations of the objects."""

import numpy as np
import pytest

from chancecorr.chance.weighted_objects import block_space
from chancecorr.exact.pair_space import (
    PairSpace,
    WeightSums,
    both_permuted_moments,
    partition_space,
    permutation_moments,
    together_share,
)
from tests.clusterings.permutations import all_permutations, both_permutations, pairs

CASES = [
    ([0, 0, 1, 1, 2], [0, 0, 0, 1, 1]),
    ([0, 1, 2, 3, 4], [0, 0, 1, 1, 1]),
    ([0, 0, 0, 1], [0, 1, 1, 0]),
    ([0, 0, 1], [0, 1, 1]),
    ([0, 1], [0, 0]),
]


def together(labels, i, j):
    return labels[..., i] == labels[..., j]


def space(n, ends, values, **elsewhere):
    sums = WeightSums(n, **elsewhere)
    for part in (slice(0, 2), slice(2, None)):  # in parts, as they come
        sums.add(*ends[part].T, values[part])
    return sums.space()


@pytest.mark.parametrize(("u", "v"), CASES)
def test_both_permuted(u, v):
    u, v, n = np.array(u), np.array(v), len(u)
    ends = np.array(pairs(n))
    W = np.random.default_rng(n).random((len(ends), 2, 2))
    permutations = both_permutations(n)
    of_u, of_v = u[permutations[:, 0]], v[permutations[:, 1]]
    S = sum(W[e][together(of_u, i, j) * 1, together(of_v, i, j) * 1] for e, (i, j) in enumerate(ends))
    A, B = W[:, 1, 0] - W[:, 0, 0], W[:, 0, 1] - W[:, 0, 0]
    C = W[:, 1, 1] - W[:, 1, 0] - B
    sizes = np.bincount(u), np.bincount(v)
    p, q = map(together_share, sizes)
    spaces = [space(n, ends, values) for values in (A + q * C, B + p * C, C)]
    mean, variance = both_permuted_moments(*spaces, sizes)
    assert mean + W[:, 0, 0].sum() == pytest.approx(S.mean(), rel=1e-12)
    assert variance == pytest.approx(S.var(), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("u", "v"), CASES)
@pytest.mark.parametrize("listed", [0, 1, 4])
def test_listed_pairs_above_a_partition(u, v, listed):
    """Pairs that are not listed have 0.3, or 1.0 if together in u; the second clustering is permuted."""
    u, v, n = np.array(u), np.array(v), len(u)
    ends = np.array(pairs(n))
    X = 0.3 + 0.7 * together(u, *ends.T)
    chosen = np.random.default_rng(n).permutation(len(ends))[:listed]
    X[chosen] = np.arange(len(chosen)) - 1.5
    of_v = v[all_permutations(n)]
    G = sum(x * together(of_v, i, j) for x, (i, j) in zip(X, ends, strict=True))
    weights = space(n, ends[chosen], X[chosen], elsewhere=0.3, more=0.7, codes=u)
    mean, variance = permutation_moments(weights, partition_space(np.bincount(v)))
    assert mean == pytest.approx(G.mean(), rel=1e-12)
    assert variance == pytest.approx(G.var(), rel=1e-12, abs=1e-15)


def test_constant_matrices_have_no_variance():
    ends = np.array(pairs(7))
    assert space(7, ends, np.full(len(ends), 0.1))[2:] == pytest.approx((0.0, 0.0), abs=1e-28)
    assert partition_space(np.array([7]))[2:] == partition_space(np.ones(7, dtype=np.int64))[2:] == (0.0, 0.0)


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_squared_lengths_of_the_parts_sum_to_that_of_the_matrix(n):
    """Of pairs that are listed, of blocks of weights, and of a partition of all but one object."""
    ends, codes = np.array(pairs(n)), np.arange(n) // (n - 1)
    weights, values = np.arange(1.0, n + 1.0), np.random.default_rng(n).random(len(ends))
    both = together(codes, *ends.T)
    of_blocks = weights[ends].prod(axis=1) * np.where(both, 0.9, 0.2)
    for found, matrix in (
        (space(n, ends, values), values),
        (block_space(codes, weights, 0.9, 0.2), of_blocks),
        (partition_space(np.bincount(codes)), both * 1.0),
    ):
        assert found.total == pytest.approx(matrix.sum(), rel=1e-12)
        of_mean = matrix.sum() ** 2 / len(ends)
        assert of_mean + found.of_objects + found.rest == pytest.approx((matrix**2).sum(), rel=1e-12)
        assert min(found.of_objects, found.rest) >= 0.0


def test_a_single_object_has_no_pair_and_so_no_mean():
    none = PairSpace(1, 0.0, 0.0, 0.0)
    found = both_permuted_moments(none, none, none, (np.array([1]), np.array([1])))
    assert np.isnan(found).all()
